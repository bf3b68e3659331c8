//! The afoot command: arguments in, results out. All work is done behind the door, in `afoot`.

mod arguments;
mod commands;
mod console;
mod defaults;
mod failure;
mod interrupt;
mod recipe;
mod report;

use std::process::ExitCode;

use clap::FromArgMatches;

use arguments::{Arguments, Typed};
use console::Console;

fn main() -> ExitCode {
    let typed = Typed::of(arguments::command_line());
    let arguments =
        Arguments::from_arg_matches(&typed.matches).unwrap_or_else(|error| error.exit());
    let console = Console::new(&arguments.common);
    let run = console.run(&arguments.common, interrupt::watch());
    console.keep_alive();
    let ended = typed
        .check()
        .and_then(|()| commands::run(&arguments.command, &run, &console));
    console.clear();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("afoot: {}", failure::words(&failure, &typed.options()));
            ExitCode::from(failure::status(failure.kind))
        }
    }
}
