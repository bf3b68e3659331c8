//! Shell completions.

use clap::{Args, CommandFactory};

use crate::arguments::Arguments;
use crate::failure::Outcome;

#[derive(Debug, Args)]
pub struct CompletionsArguments {
    shell: clap_complete::Shell,
}

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
