//! Shell completions.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::failure::Outcome;

pub fn completions(arguments: &CompletionsArguments) -> Outcome {
    let mut command = Arguments::command();
    clap_complete::generate(
        arguments.shell,
        &mut command,
        "afoot",
        &mut std::io::stdout(),
    );
    Ok(())
}
