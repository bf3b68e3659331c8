//! Shell completions.

use clap::{Args, CommandFactory};
use serde_json::json;

use crate::arguments::Arguments;
use crate::console::Console;
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

pub fn completions(arguments: &CompletionsArguments, console: &Console) -> Outcome {
    let mut command = Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "afoot", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let told = json!({"shell": arguments.shell.to_string(), "script": script});
    console.result(&told, |_| script.clone())
}
