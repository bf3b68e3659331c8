//! Shell completions.

use clap::{Args, CommandFactory};

use crate::arguments::Arguments;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArguments {
    /// The shell
    shell: clap_complete::Shell,
}

const EXAMPLES: &str = "\
Examples:
  afoot completions bash > ~/.local/share/bash-completion/completions/afoot";

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
