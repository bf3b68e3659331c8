//! The commands, one module each (or each small family): arguments as typed, then what they do. What
//! several commands need lies beside this folder, not in it.

mod bake;
mod check;
mod clean;
mod clips;
mod clusters;
mod completions;
mod crowd;
mod demo;
mod drive;
mod edit;
mod export;
mod follow;
mod graft;
mod graph;
mod import;
mod join;
mod judge;
mod labels;
mod learn;
mod live;
mod matrix;
mod perform;
mod plan;
mod play;
mod reach;
mod roles;
mod serve;
mod show;
mod stride;
mod survey;
mod tiles;
mod wander;

use afoot::Run;
use clap::Subcommand;

use crate::console::Console;
use crate::failure::Outcome;

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make an empty library
    New(clips::NewArguments),
    /// Read motion files into a library: resample, repair, find contacts, classify
    Import(import::ImportArguments),
    /// List the clips, filtered by type, share or label
    List(clips::ListArguments),
    /// Show a library's or a clip's facts, in words or as pictures
    Show(show::ShowArguments),
    /// Write a clip, or a part of it, to a motion file
    Export(export::ExportArguments),
    /// Turn one motion file into another, without a library
    Convert(export::ConvertArguments),
    /// Remove clips, by name, pattern, label or type
    Remove(clips::RemoveArguments),
    /// Rename a clip, or several by a pattern
    Rename(clips::RenameArguments),
    /// Bring all clips onto one skeleton
    Retarget(check::RetargetArguments),
    /// Say what is whole in a library, and repair what is not; or what is wrong with a script
    Check(check::CheckArguments),
    /// Print the JSON schema of a file that commands read or write
    Schema(check::SchemaArguments),
    /// Show which joint is which body part, or say so
    Roles(roles::RolesArguments),
    /// Annotate a clip, or a part of it, by hand
    Label(labels::LabelArguments),
    /// Read or write all annotations of a library, verify or confirm them
    #[command(subcommand)]
    Labels(labels::LabelsCommand),
    /// Exclude frames from use, bar transitions into them, or give them a bias
    Mark(labels::MarkArguments),
    /// Learn labels from what is annotated, and annotate the rest
    Learn(learn::LearnArguments),
    /// Build or extend the motion graph
    Graph(graph::GraphArguments),
    /// Draw the transition error of two clips as a picture, minima marked
    Matrix(matrix::MatrixArguments),
    /// Cluster like frames of all clips, and say which clips are cyclic
    Clusters(clusters::ClustersArguments),
    /// The best ways from one clip into another, through others where there is no direct one
    Transitions(clusters::TransitionsArguments),
    /// The best ways of a clip into itself
    Loops(clusters::LoopsArguments),
    /// All stretches of the library that do the same as an example
    Like(clusters::LikeArguments),
    /// Build the graph in independent pieces, for a cluster
    #[command(subcommand)]
    Tiles(tiles::TilesCommand),
    /// Walk along a path
    Follow(follow::FollowArguments),
    /// Reach a clip at a place and heading
    Reach(reach::ReachArguments),
    /// Find the best motion for a task: a sketch, things to do on the way, and what is proven of it
    Plan(plan::PlanArguments),
    /// Walk at random, using the library evenly
    Wander(wander::WanderArguments),
    /// Play clips one after the other, joined where they are alike
    Join(join::JoinArguments),
    /// Repeat a clip for some cycles, seconds or metres
    Loop(join::LoopArguments),
    /// Perform a painted timeline: what should happen when
    Perform(perform::PerformArguments),
    /// Steer with a script of directions, as a game would
    Drive(drive::DriveArguments),
    /// Bake what a game ships: clips, graph and control table in one file
    Bake(bake::BakeArguments),
    /// Move many characters without collisions
    Crowd(crowd::CrowdArguments),
    /// Say what a library's motion can do in a world, and what to capture next
    Survey(survey::SurveyArguments),
    /// Remove foot skate from a motion file
    Clean(clean::CleanArguments),
    /// Change a motion by hand: cut it, smooth it, send it elsewhere, bend its poses
    Edit(edit::EditArguments),
    /// Put limbs of one clip on the body of another
    Graft(graft::GraftArguments),
    /// Change a walk's steps: stride, lift, slope, stairs, obstacles
    Stride(stride::StrideArguments),
    /// Report the quality of a motion file
    Judge(judge::JudgeArguments),
    /// Play a story: a script that directs actors
    Play(play::PlayArguments),
    /// Bring scripts into their usual form
    Fmt(play::FmtArguments),
    /// Open the workbench on a library, in the browser
    Serve(serve::ServeArguments),
    /// Make the sample library and show the whole product on it
    Demo(demo::DemoArguments),
    /// Print a shell's completion script
    Completions(completions::CompletionsArguments),
}

/// Runs a command.
pub fn run(command: &Command, run: &Run, console: &Console) -> Outcome {
    match command {
        Command::New(arguments) => clips::new(arguments, console),
        Command::List(arguments) => clips::list(arguments, run, console),
        Command::Remove(arguments) => clips::remove(arguments, run, console),
        Command::Rename(arguments) => clips::rename(arguments, run, console),
        Command::Check(arguments) => check::check(arguments, run, console),
        Command::Retarget(arguments) => check::retarget(arguments, run, console),
        Command::Schema(arguments) => check::schema(arguments, console),
        Command::Import(arguments) => import::import(arguments, run, console),
        Command::Show(arguments) => show::show(arguments, run, console),
        Command::Export(arguments) => export::export(arguments, run, console),
        Command::Convert(arguments) => export::convert(arguments, run, console),
        Command::Roles(arguments) => roles::roles(arguments, run, console),
        Command::Label(arguments) => labels::label(arguments, run, console),
        Command::Labels(command) => labels::labels(command, run, console),
        Command::Mark(arguments) => labels::mark(arguments, run, console),
        Command::Learn(arguments) => learn::learn(arguments, run, console),
        Command::Graph(arguments) => graph::graph(arguments, run, console),
        Command::Follow(arguments) => follow::follow(arguments, run, console),
        Command::Reach(arguments) => reach::reach(arguments, run, console),
        Command::Bake(arguments) => bake::bake(arguments, run, console),
        Command::Matrix(arguments) => matrix::matrix(arguments, run, console),
        Command::Clusters(arguments) => clusters::clusters(arguments, run, console),
        Command::Transitions(arguments) => clusters::transitions(arguments, run, console),
        Command::Loops(arguments) => clusters::loops(arguments, run, console),
        Command::Like(arguments) => clusters::like(arguments, run, console),
        Command::Join(arguments) => join::join(arguments, run, console),
        Command::Loop(arguments) => join::repeat(arguments, run, console),
        Command::Plan(arguments) => plan::plan(arguments, run, console),
        Command::Serve(arguments) => serve::serve(arguments, run, console),
        Command::Wander(arguments) => wander::wander(arguments, run, console),
        Command::Tiles(command) => tiles::tiles(command, run, console),
        Command::Perform(arguments) => perform::perform(arguments, run, console),
        Command::Crowd(arguments) => crowd::crowd(arguments, run, console),
        Command::Survey(arguments) => survey::survey(arguments, run, console),
        Command::Drive(arguments) => drive::drive(arguments, run, console),
        Command::Clean(arguments) => clean::clean(arguments, run, console),
        Command::Edit(arguments) => edit::edit(arguments, run, console),
        Command::Graft(arguments) => graft::graft(arguments, run, console),
        Command::Stride(arguments) => stride::stride(arguments, run, console),
        Command::Judge(arguments) => judge::judge(arguments, run, console),
        Command::Play(arguments) => play::play(arguments, run, console),
        Command::Fmt(arguments) => play::fmt(arguments, run, console),
        Command::Demo(arguments) => demo::demo(arguments, run, console),
        Command::Completions(arguments) => completions::completions(arguments, console),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use afoot::Request;
    use clap::{Command, CommandFactory};
    use serde_json::Value;

    use crate::arguments::Arguments;

    fn check(command: &Command) {
        let name = command.get_name();
        for argument in command.get_arguments() {
            let id = argument.get_id();
            assert!(
                argument.get_help().is_some(),
                "{name}: {id} is not explained"
            );
        }
        let examples = command.get_after_help().map(ToString::to_string);
        let examples = examples.unwrap_or_default();
        assert!(
            command.has_subcommands()
                || examples.contains(&format!("afoot {name}"))
                || examples.contains(&format!(" {name} ")),
            "{name} has no example"
        );
        command.get_subcommands().for_each(check);
    }

    /// Every command with the requests that it makes; those without are no work of the product.
    const REQUESTS: &[(&str, &[&str])] = &[
        ("new", &[]), // a library is what a request is given
        ("import", &["import"]),
        ("list", &["list"]),
        ("show", &["show_library", "show_clip"]),
        ("export", &["export"]),
        ("convert", &["convert"]),
        ("remove", &["remove"]),
        ("rename", &["rename"]),
        ("retarget", &["retarget"]),
        ("check", &["check", "check_story"]),
        ("schema", &["schema"]),
        ("roles", &["roles"]),
        ("label", &["label"]),
        (
            "labels",
            &[
                "import_labels",
                "export_labels",
                "verify_labels",
                "confirm_labels",
            ],
        ),
        ("mark", &["mark"]),
        ("learn", &["learn"]),
        ("graph", &["build_graph"]),
        ("matrix", &["matrix"]),
        ("clusters", &["clusters"]),
        ("transitions", &["transitions"]),
        ("loops", &["loops"]),
        ("like", &["like"]),
        ("tiles", &["plan_tiles", "run_tiles", "merge_tiles"]),
        ("follow", &["follow"]),
        ("reach", &["reach"]),
        ("plan", &["plan"]),
        ("wander", &["wander"]),
        ("join", &["join"]),
        ("loop", &["loop"]),
        ("perform", &["perform"]),
        ("drive", &["drive"]),
        ("bake", &["bake"]),
        ("crowd", &["crowd"]),
        ("survey", &["survey"]),
        ("clean", &["clean"]),
        ("edit", &["edit"]),
        ("graft", &["graft", "graft_all"]),
        ("stride", &["stride"]),
        ("judge", &["judge"]),
        ("play", &["play_story"]),
        ("fmt", &["format_story"]),
        (
            "demo",
            &["write_samples", "write_task_samples", "player_page"],
        ), // and a tour of others
        ("serve", &[]),       // a surface of its own, for all of them
        ("completions", &[]), // the shell's own
    ];

    #[test]
    fn every_command_can_be_asked_for_as_data_and_every_request_by_a_command() {
        let commands = Arguments::command();
        let commands = commands.get_subcommands().map(Command::get_name);
        let listed = REQUESTS.iter().map(|(command, _)| *command);
        assert_eq!(
            commands.collect::<BTreeSet<_>>(),
            listed.collect::<BTreeSet<_>>()
        );
        let asked = REQUESTS.iter().flat_map(|(_, requests)| *requests);
        let asked: BTreeSet<String> = asked.map(|name| (*name).into()).collect();
        let known = Request::all().into_iter().map(|request| request.name());
        assert_eq!(asked, known.collect());
    }

    /// Options that have another name than what they mean in a request.
    const MEANT: &[(&str, &str)] = &[("min_clip", "minimum_clip"), ("min_share", "share")];

    /// Options of the command line's own, whose defaults no request has.
    const OWN: &[(&str, &str)] = &[
        ("graph", "wanted_share"), // counts with --auto alone
        ("tiles", "wanted_share"),
        ("perform", "alternatives"), // so many requests
        ("convert", "source_unit"),  // what a file says itself is left out of its request
        ("clean", "source_unit"),
        ("edit", "source_unit"),
        ("judge", "source_unit"),
        ("demo", "folder"),
        ("serve", "port"),
        ("serve", "address"),
        ("serve", "largest_upload"),
    ];

    /// Every value below a name, wherever it stands.
    fn values_named<'a>(of: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
        let Value::Object(fields) = of else { return };
        for (field, value) in fields {
            let is_named = field.strip_prefix(name);
            if is_named.is_some_and(|unit| ["", "_cm", "_m", "_mm", "_deg", "_mb"].contains(&unit))
            {
                found.push(value);
            }
            values_named(value, name, found);
        }
    }

    /// Whether a word that is typed is a request's value.
    fn means(typed: &str, value: &Value) -> bool {
        match value {
            Value::Number(number) => {
                // As f32 what is f32: 0.1 is told with all its digits.
                let [typed, value] = [typed.parse().ok(), number.as_f64()];
                typed == value || typed.map(|x: f64| x as f32) == value.map(|x| x as f32)
            }
            Value::String(word) => word.replace('_', "-") == typed,
            Value::Array(words) => words.iter().all(|word| means(typed, word)),
            Value::Null => ["auto", "all"].contains(&typed),
            _ => false,
        }
    }

    #[test]
    fn defaults_are_those_of_the_requests() {
        let arguments = Arguments::command();
        let mut wrong = Vec::new();
        for (name, requests) in REQUESTS {
            let command = arguments.find_subcommand(name).unwrap();
            let asked = Request::all().into_iter();
            let asked = asked.filter(|request| requests.contains(&request.name().as_str()));
            let asked: Vec<Value> = asked
                .map(|ask| serde_json::to_value(ask).unwrap())
                .collect();
            let commands = std::iter::once(command).chain(command.get_subcommands());
            for argument in commands.flat_map(Command::get_arguments) {
                let id = argument.get_id().as_str();
                let Some(typed) = argument.get_default_values().first() else {
                    continue;
                };
                let typed = typed.to_str().unwrap();
                if ["true", "false"].contains(&typed) || OWN.contains(&(name, id)) {
                    continue;
                }
                let meant = MEANT.iter().find(|(own, _)| *own == id);
                let mut found = Vec::new();
                let field = meant.map_or(id, |(_, field)| field);
                asked
                    .iter()
                    .for_each(|ask| values_named(ask, field, &mut found));
                if !found.iter().any(|value| means(typed, value)) {
                    wrong.push(format!("{name} --{id} {typed}: {found:?} by the request"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_argument_is_explained_and_every_command_has_an_example() {
        check(&Arguments::command());
    }
}
