//! The afoot command: arguments in, results out. All work is done behind the door, in `afoot`.

mod arguments;
mod commands;
mod console;
mod failure;
mod interrupt;
mod recipe;
mod report;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
use console::Console;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let console = Console::new(&arguments.common);
    let run = console.run(&arguments.common, interrupt::watch());
    let ended = commands::run(&arguments.command, &run, &console);
    console.clear();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("afoot: {}", failure::words(&failure));
            ExitCode::from(failure::status(failure.kind))
        }
    }
}
