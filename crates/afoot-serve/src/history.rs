//! Undo: before each change of the library a copy of all of it is kept, for the last few changes.
//!
//! Copies are exact and the same for every kind of change; a library of an hour is some 80 MB. What other
//! programs change meanwhile is undone with it.

use std::path::PathBuf;
use std::sync::Arc;

use afoot::Failure;
use axum::Json;
use axum::extract::State;

use crate::api::History;
use crate::bench::{Bench, lock};
use crate::reply::{Reply, aside};

/// Changes that can be undone.
const MOST: usize = 20;

#[derive(Debug, Default)]
pub(crate) struct Changes {
    undo: Vec<Change>,
    redo: Vec<Change>,
}

/// What was done, and the library on the other side of it.
#[derive(Debug)]
struct Change {
    words: String,
    copy: PathBuf,
}

impl Drop for Change {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.copy);
    }
}

impl Changes {
    /// Something was done; `copy` is the library before it.
    pub(crate) fn note(&mut self, words: String, copy: PathBuf) {
        self.redo.clear();
        self.undo.push(Change { words, copy });
        if self.undo.len() > MOST {
            self.undo.remove(0);
        }
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn told(&self) -> History {
        let words = |changes: &[Change]| changes.iter().rev().map(|c| c.words.clone()).collect();
        History {
            undo: words(&self.undo),
            redo: words(&self.redo),
        }
    }
}

pub(crate) async fn undo(State(bench): State<Arc<Bench>>) -> Reply<Json<History>> {
    step(bench, |changes| (&mut changes.undo, &mut changes.redo)).await
}

pub(crate) async fn redo(State(bench): State<Arc<Bench>>) -> Reply<Json<History>> {
    step(bench, |changes| (&mut changes.redo, &mut changes.undo)).await
}

/// Goes to the other side of a change, which can then be gone back over.
async fn step(
    bench: Arc<Bench>,
    sides: fn(&mut Changes) -> (&mut Vec<Change>, &mut Vec<Change>),
) -> Reply<Json<History>> {
    let history = aside(move || {
        let _alone = lock(&bench.writing);
        let nothing = || Failure::bad_request("there is nothing to take back or to do again");
        let change = sides(&mut lock(&bench.changes))
            .0
            .pop()
            .ok_or_else(nothing)?;
        let library = bench.library();
        let here = bench
            .scratch
            .0
            .join(format!("before-{}.afoot", bench.number()));
        library.copy_to(&here)?;
        library.become_copy(&change.copy)?;
        let back = Change {
            words: change.words.clone(),
            copy: here,
        };
        sides(&mut lock(&bench.changes)).1.push(back);
        bench.tell_library();
        let history = lock(&bench.changes).told();
        Ok(history)
    });
    Ok(Json(history.await?))
}
