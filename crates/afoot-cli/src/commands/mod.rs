//! One module per group of commands.

mod clips;
mod completions;
mod crowd;
mod demo;
mod drive;
mod export;
mod follow;
mod graph;
mod import;
mod labels;
mod matrix;
mod quality;
mod reach;
mod show;
mod synthesis;
mod tiles;

use crate::arguments::{Command, Common};
use crate::console::Console;
use crate::failure::Outcome;

/// Runs a command.
pub fn run(command: &Command, common: &Common, console: &Console) -> Outcome {
    match command {
        Command::New(arguments) => clips::new(arguments, console),
        Command::List(arguments) => clips::list(arguments, console),
        Command::Remove(arguments) => clips::remove(arguments, console),
        Command::Rename(arguments) => clips::rename(arguments, console),
        Command::Import(arguments) => import::import(arguments, console),
        Command::Show(arguments) => show::show(arguments, console),
        Command::Export(arguments) => export::export(arguments, console),
        Command::Convert(arguments) => export::convert(arguments, console),
        Command::Label(arguments) => labels::label(arguments, console),
        Command::Labels(command) => labels::labels(command, console),
        Command::Graph(arguments) => graph::graph(arguments, console),
        Command::Follow(arguments) => follow::follow(arguments, common, console),
        Command::Reach(arguments) => reach::reach(arguments, common, console),
        Command::Matrix(arguments) => matrix::matrix(arguments, console),
        Command::Wander(arguments) => follow::wander(arguments, common, console),
        Command::Tiles(command) => tiles::tiles(command, console),
        Command::Crowd(arguments) => crowd::crowd(arguments, common, console),
        Command::Drive(arguments) => drive::drive(arguments, common, console),
        Command::Clean(arguments) => quality::clean(arguments, console),
        Command::Judge(arguments) => quality::judge(arguments, console),
        Command::Demo(arguments) => demo::demo(arguments, common, console),
        Command::Completions(arguments) => completions::completions(arguments),
    }
}
