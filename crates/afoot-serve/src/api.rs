//! What is said in JSON between server and page. The page's types are made from these.

use afoot::{Body, Failure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a page needs to know first.
#[derive(Clone, Debug, Serialize)]
pub struct Session {
    /// The library that is open, by its file's name.
    pub library: String,
    /// Libraries beside it that can be opened.
    pub libraries: Vec<String>,
    /// Whether a newcomer is to be shown around.
    pub tour: bool,
    /// The program's version.
    pub version: String,
    /// What can be undone, and done again.
    pub history: History,
}

/// What can be undone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// What undo would take back, the last one first.
    pub undo: Vec<String>,
    /// What redo would do again, the next one first.
    pub redo: Vec<String>,
}

/// A library to open or to make.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenLibrary {
    /// The name of its file, beside the one that is open.
    pub library: String,
    /// Make an empty one of that name.
    #[serde(default)]
    pub create: bool,
}

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// It waits its turn.
    Waiting,
    /// It is at work.
    Running,
    /// It has ended well.
    Done,
    /// It has ended without a result.
    Failed,
}

/// A request that was asked for, and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Job {
    /// Its number.
    pub id: u64,
    /// The request's name.
    pub ask: String,
    /// How it stands.
    pub state: JobState,
    /// How far it is, while it runs.
    pub progress: Option<JobProgress>,
    /// What a person should know.
    pub warnings: Vec<String>,
    /// What it told, once it is done.
    pub report: Option<Value>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// What would help, in words, where it failed and that is known.
    pub help: Option<String>,
    /// Frames of motion that it has made so far.
    pub frames: usize,
    /// Files that can be had of it.
    pub files: Vec<String>,
    /// Time since it began to run, until it ended. [s]
    pub seconds: f64,
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobProgress {
    /// What is being done.
    pub stage: String,
    /// Units of work done.
    pub done: u64,
    /// Units of work in all.
    pub total: u64,
}

/// What a page is told without asking.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Told {
    /// A job stands otherwise than before.
    Job {
        /// How it stands now.
        job: Box<Job>,
    },
    /// Something that is good to know.
    Note {
        /// Which job says so.
        job: u64,
        /// What.
        words: String,
    },
    /// The library has changed.
    Library {
        /// What can be undone now.
        history: History,
    },
    /// A figure is ready to be steered.
    Steering {
        /// What it looks like.
        body: Body,
        /// Words that it can be steered with.
        words: Vec<String>,
    },
    /// Steering was not to be had.
    NoSteering {
        /// Why.
        failure: Failure,
    },
    /// The page was too slow and has missed something; it should ask anew.
    Missed {},
}

/// What a page says without being asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case", deny_unknown_fields)]
pub enum Said {
    /// Put a figure in the middle of the world, to be steered.
    Begin {},
    /// Time passes; answered with a pose.
    Steer {
        /// How much. [s, 0 to 0.25]
        seconds: f64,
        /// Where to: 0 along +z, 90 along +x. [degrees]
        degrees: f64,
        /// As what.
        label: Option<String>,
        /// Given back with the pose, so that the page can tell how long it took.
        stamp: f64,
    },
    /// No more steering.
    End {},
}

/// The head of motion in bytes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MotionHead {
    /// The job that makes it; none of a clip or a pose.
    pub job: Option<u64>,
    /// The stamp of the call that a pose answers.
    pub stamp: Option<f64>,
    /// Frames a second.
    pub fps: f64,
    /// The first one's number.
    pub first: usize,
    /// How many.
    pub frames: usize,
    /// Points in each.
    pub points: usize,
    /// Height of the floor. [m]
    pub floor: f32,
    /// Speed over the ground, of a pose. [m/s]
    pub speed: Option<f64>,
    /// How long the last new direction took, of a pose. [s]
    pub reaction: Option<f64>,
    /// What it looks like; with the first frames alone.
    pub body: Option<Body>,
}

/// A name under which made motion is kept in the library.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// The clip's name.
    pub name: String,
    /// Labels for all of its frames.
    #[serde(default)]
    pub labels: Vec<String>,
}

/// A file that was uploaded.
#[derive(Clone, Debug, Serialize)]
pub struct Uploaded {
    /// The name that requests know it by.
    pub file: String,
    /// Its size.
    pub bytes: u64,
}

/// A job that was begun.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Begun {
    /// Its number.
    pub job: u64,
}
