//! What a script says, as a tree.
//!
//! Names keep their place, so that whatever is found to be wrong later can be shown. All filters
//! (Shanbhag 2006, §7.2) have one form: clips that go in and fields; `primitives` says which.

use crate::lexer::Unit;
use crate::primitives::{Field, Primitive};
use crate::source::Span;

/// A name or a text, with or without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As written, without quotes.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl Name {
    /// What names are compared by: case does not count.
    pub fn key(&self) -> String {
        self.text.to_lowercase()
    }
}

/// A number, or the name of one.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberValue {
    /// As written.
    Literal(f64, Unit),
    /// What `let` or a parameter gives.
    Named(Name),
}

/// A number and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its value.
    pub value: NumberValue,
    /// Where.
    pub span: Span,
}

/// All of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// Other files whose actors and definitions are used.
    pub imports: Vec<Name>,
    /// Numbers with names.
    pub lets: Vec<Let>,
    /// Filters with parameters.
    pub defines: Vec<Define>,
    /// Who may play.
    pub actors: Vec<Actor>,
    /// What is played.
    pub story: Option<Story>,
}

/// `let pace 1.2`
#[derive(Clone, Debug, PartialEq)]
pub struct Let {
    /// The name.
    pub name: Name,
    /// Its value.
    pub value: Number,
}

/// `define slower(clip, factor) { ... }`
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    /// The name.
    pub name: Name,
    /// What is given where it is used.
    pub parameters: Vec<Name>,
    /// What it stands for.
    pub body: ClipExpression,
}

/// Somebody who can play: a skeleton, clips, and what he can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// The name.
    pub name: Name,
    /// A file with his skeleton.
    pub hierarchy: Option<Name>,
    /// A file with his body.
    pub geometry: Option<Name>,
    /// A motion library whose clips he may use.
    pub library: Option<Name>,
    /// Clips by name.
    pub clips: Vec<ClipFile>,
    /// Parts of the body by name.
    pub chains: Vec<GraftChain>,
    /// What he can do.
    pub actions: Vec<Action>,
    /// What he does while he waits.
    pub idle: Option<Name>,
}

/// `clip "walk" "walk1.amc"`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipFile {
    /// The name in the script.
    pub name: Name,
    /// The file.
    pub file: Name,
}

/// A part of the body: joints, the first of which stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraftChain {
    /// The name.
    pub name: Name,
    /// Its joints.
    pub joints: Vec<Name>,
}

/// Something that an actor can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The name.
    pub name: Name,
    /// The motion.
    pub clip: ClipExpression,
    /// Named moments of it, by frame.
    pub moments: Vec<(Name, Number)>,
}

/// Motion, and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipExpression {
    /// What it is.
    pub kind: ClipKind,
    /// Where.
    pub span: Span,
}

/// What a motion is.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipKind {
    /// `clipref "walk"`, or a parameter of a definition.
    Reference(Name),
    /// `slower(walk, 0.8)`
    Call(Name, Vec<Argument>),
    /// A primitive.
    Filter(Filter),
}

/// What a definition is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A number.
    Number(Number),
    /// A motion.
    Clip(ClipExpression),
    /// A name alone: a clip, or a number that has one.
    Name(Name),
}

/// A primitive with what goes in.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// Which.
    pub primitive: Primitive,
    /// The word that says so.
    pub word: Span,
    /// Clips that go in.
    pub inputs: Vec<ClipExpression>,
    /// What else is said.
    pub fields: Vec<FieldSaid>,
    /// Whether all of it was understood.
    pub whole: bool,
}

/// A field and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSaid {
    /// Which.
    pub field: Field,
    /// The word that says so.
    pub word: Span,
    /// Its value.
    pub value: FieldValue,
}

/// A field's value.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// Frames, counts, factors, lengths.
    Number(Number),
    /// A file.
    Text(Name),
    /// Chains, labels.
    Names(Vec<Name>),
}

/// Who plays, in which scenes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Story {
    /// Actors under the names that the scenes use.
    pub cast: Vec<CastMember>,
    /// The scenes.
    pub scenes: Vec<Scene>,
    /// The scenes in the order in which they are played.
    pub screenplay: Vec<Name>,
    /// Where it is.
    pub span: Span,
}

/// `Footballer player1`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastMember {
    /// The actor.
    pub actor: Name,
    /// Who he is in the story.
    pub instance: Name,
}

/// A scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The name.
    pub name: Name,
    /// The camera, if it is placed.
    pub camera: Option<Placement>,
    /// Who is in it, and where.
    pub placements: Vec<Placement>,
    /// What happens, one after the other.
    pub screenplay: Vec<Step>,
}

/// Where somebody is, and where he looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// Who.
    pub name: Name,
    /// Where.
    pub position: Option<[Number; 3]>,
    /// A point.
    pub lookat: Option<[Number; 3]>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// All at once.
    Par(Vec<Step>),
    /// One after the other.
    Seq(Vec<Step>),
    /// Somebody does something.
    Do(Box<Invocation>),
}

/// `player1.kick as first stroke at player2.jump.start+0.5`
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// Who.
    pub instance: Name,
    /// What.
    pub action: Name,
    /// The name that others call it by.
    pub label: Option<Name>,
    /// With what it happens together.
    pub sync: Option<Sync>,
}

/// A moment of this action at a moment of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Sync {
    /// This one's: `start` unless said.
    pub own: Option<Name>,
    /// The other: a label, or somebody and what he does.
    pub other: Vec<Name>,
    /// Its moment.
    pub moment: Name,
    /// How much later. [s]
    pub later: Option<Number>,
}
