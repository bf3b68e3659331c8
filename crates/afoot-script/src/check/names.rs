//! What names stand for, and what was meant where they stand for nothing.

use afoot_search::meant_word;
use std::collections::HashMap;

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::Name;

/// Names and where each was given first.
#[derive(Debug, Default)]
pub(super) struct NamesSeen {
    seen: HashMap<String, Span>,
}

impl NamesSeen {
    /// Where a name was given before; notes it if it was not.
    pub fn note(&mut self, name: &Name) -> Option<Span> {
        match self.seen.get(&name.key()) {
            Some(first) => Some(*first),
            None => {
                self.seen.insert(name.key(), name.span);
                None
            }
        }
    }
}

impl Checker<'_> {
    /// Tells of a name that is not known, with the one that was meant or all that are.
    pub(super) fn unknown(&mut self, name: &Name, message: &str, known: &[String]) {
        let words: Vec<&str> = known.iter().map(String::as_str).collect();
        let mut told = Diagnostic::error(name.span, message);
        if let Some(meant) = meant_word(&name.text, &words) {
            told = told.with_hint(format!("did you mean `{meant}`?"));
        } else if !words.is_empty() && words.len() <= 8 {
            told = told.with_hint(format!("known are: {}", words.join(", ")));
        }
        self.found.push(told);
    }
}
