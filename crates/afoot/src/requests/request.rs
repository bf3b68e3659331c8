//! Any request as one type, for surfaces that are told at run time what is asked: scripts, servers,
//! Python.
//!
//! `{"ask": "follow", "path": {...}, "as": ["walk"]}`: the request's name and its fields; what is left
//! out has its default, and a name that is not known is refused with the one that was meant. Where
//! results go is a second object, which a server makes itself: that of `Output` for motion,
//! `ClipPictures`, `GraphPictures` and `CrowdFiles` for these, `{"file": ...}` for what gives one
//! file, `{"folder": ...}` for what gives several.

use std::path::PathBuf;

use afoot_run::Run;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::*;
use crate::delivery::{AnyMotion, Made};
use crate::failure::Failure;
use crate::ranges::{Ranged, check_ranges};
use crate::threads::in_threads;
use crate::workspace::Workspace;
use afoot_search::meant_word;

/// The requests, each as a variant of its own name.
macro_rules! requests {
    ($($name:ident),+ $(,)?) => {
        /// Anything that can be asked for.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "ask", rename_all = "snake_case")]
        #[allow(missing_docs)] // each is the request of its name
        pub enum Request { $($name($name)),+ }

        impl Request {
            /// Every request with its defaults.
            pub fn all() -> Vec<Self> {
                vec![$(Self::$name($name::default())),+]
            }
        }

        $(impl From<$name> for Request {
            fn from(request: $name) -> Self {
                Self::$name(request)
            }
        })+

        $(impl Ranged for $name {
            fn check_ranges(&self) -> Result<(), Failure> {
                check_ranges(stringify!($name), self)
            }
        })+

        impl Ranged for Request {
            fn check_ranges(&self) -> Result<(), Failure> {
                match self { $(Self::$name(ask) => ask.check_ranges()),+ }
            }
        }
    };
}

requests!(
    Import,
    List,
    ShowLibrary,
    ShowClip,
    Export,
    Convert,
    Remove,
    Rename,
    Retarget,
    Check,
    Roles,
    Label,
    ImportLabels,
    ExportLabels,
    VerifyLabels,
    ConfirmLabels,
    Mark,
    Learn,
    BuildGraph,
    Matrix,
    Clusters,
    Transitions,
    Loops,
    Like,
    PlanTiles,
    RunTiles,
    MergeTiles,
    Follow,
    Reach,
    Plan,
    Wander,
    Join,
    Loop,
    Perform,
    Drive,
    Bake,
    Crowd,
    Survey,
    Clean,
    Edit,
    Graft,
    GraftAll,
    Stride,
    Judge,
    PlayerPage,
    Schema,
    PlayStory,
    CheckStory,
    FormatStory,
    WriteSamples,
    WriteTaskSamples,
);

/// What comes of a request beside its report, and so what is said of where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gives {
    /// Nothing, or pictures where they are asked for.
    Report,
    /// A motion file of what there is: an `Output`.
    Motion,
    /// New motion: an `Output`, or [`Request::make`].
    MadeMotion,
    /// One file.
    File,
    /// A folder of files.
    Folder,
}

/// One file of results.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToFile {
    file: PathBuf,
}

/// A folder of results.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ToFolder {
    folder: PathBuf,
}

impl Request {
    /// Reads a request; names that are not known are refused.
    pub fn read(asked: Value) -> Result<Self, Failure> {
        let known: Vec<Value> = Self::all().iter().map(told).collect::<Result<_, _>>()?;
        let name = asked["ask"].as_str().unwrap_or_default().to_owned();
        let Some(default) = known.iter().find(|request| request["ask"] == *name) else {
            let names = known.iter().filter_map(|request| request["ask"].as_str());
            return Err(unknown("ask", &name, names));
        };
        check_names(&asked, default)?;
        let wrong = |error: serde_json::Error| Failure::bad_request(format!("{name}: {error}"));
        serde_json::from_value(asked).map_err(wrong)
    }

    /// What it is called.
    pub fn name(&self) -> String {
        let told = serde_json::to_value(self).unwrap_or_default();
        told["ask"].as_str().unwrap_or_default().into()
    }

    /// Whether it may change the library's clips, what is said of them, or its graph (not only what is kept
    /// of work that was done). Listed whole, so that no request is forgotten.
    pub fn changes_library(&self) -> bool {
        match self {
            Self::Check(ask) => ask.repair,
            Self::Roles(ask) => !ask.set.is_empty(),
            Self::Graft(ask) => ask.keep.is_some(),
            Self::GraftAll(ask) => {
                !(ask.accept.is_empty() && ask.reject.is_empty()) || ask.accept_above.is_some()
            }
            Self::Import(_)
            | Self::Remove(_)
            | Self::Rename(_)
            | Self::Retarget(_)
            | Self::Label(_)
            | Self::ImportLabels(_)
            | Self::VerifyLabels(_)
            | Self::ConfirmLabels(_)
            | Self::Mark(_)
            | Self::Learn(_)
            | Self::BuildGraph(_)
            | Self::MergeTiles(_) => true,
            Self::List(_)
            | Self::ShowLibrary(_)
            | Self::ShowClip(_)
            | Self::Export(_)
            | Self::Convert(_)
            | Self::ExportLabels(_)
            | Self::Matrix(_)
            | Self::Clusters(_)
            | Self::Transitions(_)
            | Self::Loops(_)
            | Self::Like(_)
            | Self::PlanTiles(_)
            | Self::RunTiles(_)
            | Self::Follow(_)
            | Self::Reach(_)
            | Self::Plan(_)
            | Self::Wander(_)
            | Self::Join(_)
            | Self::Loop(_)
            | Self::Perform(_)
            | Self::Drive(_)
            | Self::Bake(_)
            | Self::Crowd(_)
            | Self::Survey(_)
            | Self::Clean(_)
            | Self::Edit(_)
            | Self::Stride(_)
            | Self::Judge(_)
            | Self::PlayerPage(_)
            | Self::Schema(_)
            | Self::PlayStory(_)
            | Self::CheckStory(_)
            | Self::FormatStory(_)
            | Self::WriteSamples(_)
            | Self::WriteTaskSamples(_) => false,
        }
    }

    /// Answers it: the report as data; files where `to` says.
    pub fn run(&self, from: Workspace, to: Value, run: &Run) -> Result<Value, Failure> {
        in_threads(run, || self.answer(&from, to, run))
    }

    /// Makes its motion in memory; of requests that make one motion.
    pub fn make(&self, from: Workspace, run: &Run) -> Result<Made<Value>, Failure> {
        let Some(motion) = self.motion() else {
            let words = format!("{:?} makes no motion", self.name());
            return Err(Failure::bad_request(words));
        };
        from.make(&motion, run)
    }

    /// What comes of it beside a report.
    pub fn gives(&self) -> Gives {
        match self {
            Self::Export(_) | Self::Convert(_) => Gives::Motion,
            Self::ExportLabels(_)
            | Self::Matrix(_)
            | Self::PlanTiles(_)
            | Self::PlayerPage(_)
            | Self::Bake(_) => Gives::File,
            Self::RunTiles(_) | Self::Crowd(_) | Self::Survey(_) | Self::PlayStory(_) => {
                Gives::Folder
            }
            Self::WriteSamples(_) | Self::WriteTaskSamples(_) => Gives::Folder,
            _ if self.motion().is_some() => Gives::MadeMotion,
            _ => Gives::Report,
        }
    }

    /// Itself, if it makes one motion.
    fn motion(&self) -> Option<AnyMotion<'_>> {
        Some(AnyMotion(match self {
            Self::Follow(ask) => ask,
            Self::Reach(ask) => ask,
            Self::Plan(ask) => ask,
            Self::Wander(ask) => ask,
            Self::Join(ask) => ask,
            Self::Loop(ask) => ask,
            Self::Perform(ask) => ask,
            Self::Drive(ask) => ask,
            Self::Clean(ask) => ask,
            Self::Edit(ask) => ask,
            Self::Graft(ask) => ask,
            Self::Stride(ask) => ask,
            _ => return None,
        }))
    }

    fn answer(&self, from: &Workspace, to: Value, run: &Run) -> Result<Value, Failure> {
        if let Some(motion) = self.motion() {
            return told(&from.deliver(&motion, &read_to(to)?, run)?);
        }
        let library = || from.library();
        let file = |to| Ok::<_, Failure>(read_to::<ToFile>(to)?.file);
        let folder = |to| Ok::<_, Failure>(read_to::<ToFolder>(to)?.folder);
        match self {
            Self::Import(ask) => told(&ask.run(library()?, run)?),
            Self::List(ask) => told(&ask.run(library()?, run)?),
            Self::ShowLibrary(ask) => told(&ask.run(library()?, run)?),
            Self::ShowClip(ask) => told(&ask.run_with_pictures(library()?, &read_to(to)?, run)?),
            Self::Export(ask) => told(&ask.run(library()?, &read_to(to)?, run)?),
            Self::Convert(ask) => told(&ask.run(*from, &read_to(to)?, run)?),
            Self::Remove(ask) => told(&ask.run(library()?, run)?),
            Self::Rename(ask) => told(&ask.run(library()?, run)?),
            Self::Retarget(ask) => told(&ask.run(library()?, run)?),
            Self::Check(ask) => told(&ask.run(library()?, run)?),
            Self::Roles(ask) => told(&ask.run(library()?, run)?),
            Self::Label(ask) => told(&ask.run(library()?, run)?),
            Self::ImportLabels(ask) => told(&ask.run(library()?, run)?),
            Self::ExportLabels(ask) => told(&ask.run(library()?, file(to)?, run)?),
            Self::VerifyLabels(ask) => told(&ask.run(library()?, run)?),
            Self::ConfirmLabels(ask) => told(&ask.run(library()?, run)?),
            Self::Mark(ask) => told(&ask.run(library()?, run)?),
            Self::Learn(ask) => told(&ask.run(library()?, run)?),
            Self::BuildGraph(ask) => {
                told(&ask.run_with_pictures(library()?, &read_to(to)?, run)?)
            }
            Self::Matrix(ask) => told(&ask.run(library()?, file(to)?, run)?),
            Self::Clusters(ask) => told(&ask.run(library()?, run)?),
            Self::Transitions(ask) => told(&ask.run(library()?, run)?),
            Self::Loops(ask) => told(&ask.run(library()?, run)?),
            Self::Like(ask) => told(&ask.run(library()?, run)?),
            Self::PlanTiles(ask) => told(&ask.run(library()?, file(to)?, run)?),
            Self::RunTiles(ask) => told(&ask.run(library()?, folder(to)?, run)?),
            Self::MergeTiles(ask) => told(&ask.run(library()?, run)?),
            Self::Bake(ask) => told(&ask.run(library()?, file(to)?, run)?),
            Self::Crowd(ask) => told(&ask.run_into(library()?, &read_to(to)?, run)?),
            Self::Survey(ask) => told(&ask.run(library()?, folder(to)?, run)?),
            Self::GraftAll(ask) => told(&ask.run(library()?, run)?),
            Self::Judge(ask) => told(&ask.run(*from, run)?),
            Self::PlayerPage(ask) => told(&ask.run(library()?, &file(to)?, run)?),
            Self::Schema(ask) => ask.run(),
            Self::PlayStory(ask) => told(&ask.run(*from, folder(to)?, run)?),
            Self::CheckStory(ask) => told(&ask.run(*from, run)?),
            Self::FormatStory(ask) => told(&ask.run(*from, run)?),
            Self::WriteSamples(ask) => told(&ask.run(folder(to)?, run)?),
            Self::WriteTaskSamples(ask) => told(&ask.run(folder(to)?, run)?),
            made => Err(Failure::failed(format!("{:?} has no answer", made.name()))),
        }
    }
}

fn told(report: &impl Serialize) -> Result<Value, Failure> {
    Ok(serde_json::to_value(report)?)
}

/// Where results go; nothing said is an empty object.
fn read_to<T: DeserializeOwned>(to: Value) -> Result<T, Failure> {
    let to = match to {
        Value::Null => Value::Object(Map::new()),
        to => to,
    };
    let wrong = |error| Failure::bad_request(format!("where results go: {error}"));
    serde_json::from_value(to).map_err(wrong)
}

/// Refuses names that a request with its defaults does not have, here and in what it holds.
fn check_names(asked: &Value, known: &Value) -> Result<(), Failure> {
    let (Value::Object(asked), Value::Object(known)) = (asked, known) else {
        return Ok(());
    };
    for (name, value) in asked {
        match known.get(name) {
            Some(default) => check_names(value, default)?,
            // What may hold anything holds nothing by default.
            None if known.is_empty() => {}
            // One of several kinds, another than usual: `{"file": ...}` for `{"clip": ...}`; read as such or refused.
            None if known.len() == 1 && asked.len() == 1 => {}
            None => return Err(unknown("field", name, known.keys().map(String::as_str))),
        }
    }
    Ok(())
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Failure {
    let known: Vec<&str> = known.filter(|name| *name != "ask").collect();
    Failure::bad_request(match meant_word(name, &known) {
        Some(meant) => format!("{what} {name:?} is not known; did you mean {meant:?}?"),
        None => format!(
            "{what} {name:?} is not known; expected one of {}",
            known.join(", ")
        ),
    })
}
