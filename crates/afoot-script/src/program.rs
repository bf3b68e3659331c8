//! A script that was found to be right: names are numbers now, and motion is a graph of filters.
//!
//! Filters stand in an order in which what goes in comes first, and what is written twice stands once, so that
//! shared results are made once (Shanbhag 2006, figure 7.2).

use crate::lexer::Unit;
use crate::primitives::{Field, Primitive};
use crate::source::Span;

/// A filter of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilterId(pub u32);

/// An actor of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActorId(pub u32);

/// Somebody of the cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub u32);

/// Something that is done in a scene, in the order in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u32);

/// All that is to be played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// Who can play.
    pub actors: Vec<ProgramActor>,
    /// How their motion is made.
    pub filters: Vec<FilterNode>,
    /// Who plays.
    pub cast: Vec<Role>,
    /// What is played.
    pub scenes: Vec<ProgramScene>,
    /// The scenes' numbers in the order in which they are played.
    pub order: Vec<usize>,
}

/// Files that an actor is made of, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ActorFiles {
    /// His skeleton.
    pub hierarchy: Option<String>,
    /// His body.
    pub geometry: Option<String>,
    /// His clips.
    pub library: Option<String>,
}

/// Somebody who can play.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramActor {
    /// As written.
    pub name: String,
    /// What he is made of.
    pub files: ActorFiles,
    /// Parts of his body.
    pub chains: Vec<ProgramChain>,
    /// What he can do.
    pub actions: Vec<ProgramAction>,
    /// The action that he does while he waits.
    pub idle: Option<usize>,
}

/// A part of the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramChain {
    /// As written.
    pub name: String,
    /// Joints as written, the first of which stays.
    pub joints: Vec<String>,
}

/// Something that an actor can do.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramAction {
    /// As written.
    pub name: String,
    /// Its motion.
    pub filter: FilterId,
    /// Moments by their names in lower case, and their frames. [1..]
    pub moments: Vec<(String, u32)>,
}

/// A filter and what goes in.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterNode {
    /// Whose motion it is.
    pub actor: ActorId,
    /// What it does.
    pub what: FilterKind,
    /// Filters before it.
    pub inputs: Vec<FilterId>,
    /// Frames that come out, where that can be told beforehand.
    pub frames: Option<u32>,
    /// Where it is written first.
    pub span: Span,
}

/// What a filter does.
#[derive(Clone, Debug, PartialEq)]
pub enum FilterKind {
    /// Gives a clip of the actor's, by its file.
    Clip(String),
    /// Gives a clip of the actor's library, by its name.
    LibraryClip(String),
    /// A primitive with what is said of it.
    Apply(Primitive, Vec<(Field, Setting)>),
}

/// What is said in a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A number in the field's unit, or in the one that is said.
    Number(f64, Unit),
    /// A file.
    Text(String),
    /// Chains, by name, or labels.
    Names(Vec<String>),
}

/// Somebody of the cast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// As written.
    pub name: String,
    /// Who plays him.
    pub actor: ActorId,
}

/// A scene.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramScene {
    /// As written.
    pub name: String,
    /// The camera.
    pub camera: Option<Stand>,
    /// Who is in it, and where.
    pub placed: Vec<(RoleId, Stand)>,
    /// What is done.
    pub calls: Vec<Call>,
    /// In which order.
    pub flow: Flow,
}

/// A place and the point that is looked at. [m]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// x, y, z.
    pub position: [f64; 3],
    /// Likewise; along z if nothing is said.
    pub lookat: [f64; 3],
}

/// Somebody does something.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Who.
    pub role: RoleId,
    /// The number of the action among his actor's.
    pub action: usize,
    /// What it happens with.
    pub sync: Option<Meeting>,
    /// Where it is written.
    pub span: Span,
}

/// A moment of this at a moment of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// This one's moment.
    pub own: Moment,
    /// The other.
    pub other: CallId,
    /// Its moment.
    pub moment: Moment,
    /// How much later. [s]
    pub later: f64,
}

/// A moment of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Its first frame.
    Start,
    /// Half of it: where its stroke is unless a moment of that name is said.
    Middle,
    /// A frame. [1..]
    Frame(u32),
    /// Behind its last frame.
    End,
}

/// In which order things happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Flow {
    /// All at once.
    Par(Vec<Flow>),
    /// One after the other.
    Seq(Vec<Flow>),
    /// One thing.
    Do(CallId),
}
