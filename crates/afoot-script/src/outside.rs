//! What a script needs to know of the world outside: other scripts, clips, skeletons, files.
//!
//! The one way out of the language, so that it runs alike from a command line, a page and Python, and in tests
//! on nothing at all.

use crate::diagnostic::Diagnostic;
use crate::program::ActorFiles;
use crate::source::Span;

/// What is known of a clip before it is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipFacts {
    /// Its frames, at the rate of its file.
    pub frames: u32,
}

/// Why something is not there, and what would help.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// What is wrong, in words that name it.
    pub message: String,
    /// What would help, where that is known.
    pub hint: Option<String>,
}

impl Missing {
    /// Without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    /// As something that is wrong in a place.
    pub(crate) fn told_at(self, span: Span) -> Diagnostic {
        Diagnostic {
            hint: self.hint,
            ..Diagnostic::error(span, self.message)
        }
    }
}

/// The world outside of a script. Names of files are as written; a backslash separates folders.
pub trait Outside {
    /// The text of a script that one beside it imports, under the name by which it is known.
    fn script(&self, name: &str, beside: &str) -> Result<(String, String), Missing>;
    /// A clip of an actor, by its file.
    fn clip(&self, actor: &ActorFiles, file: &str) -> Result<ClipFacts, Missing>;
    /// Whether an actor's library can be had, where he has one.
    fn library(&self, actor: &ActorFiles) -> Result<(), Missing>;
    /// A clip of an actor's library, by its name; `None` if it has none of that name.
    fn library_clip(&self, actor: &ActorFiles, name: &str) -> Result<Option<ClipFacts>, Missing>;
    /// Whether an actor's skeleton can be had.
    fn skeleton(&self, actor: &ActorFiles) -> Result<(), Missing>;
    /// Whether an actor's body can be had; if not, a plain one is drawn.
    fn body(&self, actor: &ActorFiles) -> Result<(), Missing>;
    /// Whether his skeleton has a joint, by its name or by one that others use for it.
    fn joint(&self, actor: &ActorFiles, joint: &str) -> Result<(), Missing>;
    /// Whether a file that a filter reads is there.
    fn file(&self, name: &str) -> Result<(), Missing>;
}
