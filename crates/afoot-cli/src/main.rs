//! The afoot command: arguments in, results out. All work is done by the crates below.

mod arguments;
mod commands;
mod console;
mod delivery;
mod failure;
mod graphs;
mod inputs;
mod interrupt;
mod motion;
mod plan_picture;
mod recipe;
mod report;
mod selection;

use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
use console::Console;
use failure::{Failure, Outcome};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("afoot: {failure}");
            ExitCode::from(failure.status())
        }
    }
}

fn run(arguments: &Arguments) -> Outcome {
    if let Some(threads) = arguments.common.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
        pool.build_global()
            .map_err(|error| Failure::failed(format!("--threads: {error}")))?;
    }
    interrupt::watch();
    commands::run(
        &arguments.command,
        &arguments.common,
        &Console::new(&arguments.common),
    )
}
