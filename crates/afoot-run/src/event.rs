//! What a run tells those who watch it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Something that happened during a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// Some of a stage is done.
    Progress(Progress),
    /// A part of the result, or the best so far.
    Partial(Partial),
    /// Good to know.
    Note(String),
    /// A person should know of it whatever happens.
    Warning(String),
}

/// How far a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, as a word: "comparing".
    pub stage: &'static str,
    /// Units of work done.
    pub done: u64,
    /// Units of work in all, as far as is known; at least `done`.
    pub total: u64,
}

/// A part of a result, of a type that the request names.
#[derive(Clone)]
pub struct Partial(Arc<dyn Any + Send + Sync>);

impl Partial {
    /// Wraps a part.
    pub fn new<T: Send + Sync + 'static>(part: T) -> Self {
        Self(Arc::new(part))
    }

    /// The part, if it is of that type.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Partial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Partial")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_had_as_what_it_is() {
        let part = Partial::new(3_u8);
        assert_eq!(part.get::<u8>(), Some(&3));
        assert_eq!(part.get::<u16>(), None);
    }
}
