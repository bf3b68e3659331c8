//! Undo: before each change of the library a copy of all of it is kept, for the last few changes.
//!
//! Copies are exact and the same for every kind of change; a library of an hour is some 80 MB. What other
//! programs change meanwhile is undone with it.

use std::path::PathBuf;
use std::sync::Arc;

use afoot::{Failure, Library};
use axum::Json;
use axum::extract::State;

use crate::api::History;
use crate::bench::{Bench, lock};
use crate::reply::{Reply, aside};

/// Changes that can be undone.
const MOST: usize = 20;

/// Of the library that is open.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    undo: Vec<Arc<Change>>,
    redo: Vec<Arc<Change>>,
}

/// What was done to a library, and a copy of it on the other side; the copy is gone with it.
#[derive(Debug)]
pub(crate) struct Change {
    words: String,
    library: Arc<Library>,
    copy: PathBuf,
}

impl Change {
    /// Keeps a library as it is now, before something is done to it.
    pub(crate) fn begin(
        bench: &Bench,
        library: &Arc<Library>,
        words: String,
    ) -> Result<Self, Failure> {
        let name = format!("before-{}.afoot", bench.number());
        let change = Self {
            words,
            library: Arc::clone(library),
            copy: bench.scratch.0.join(name),
        };
        library.copy_to(&change.copy)?;
        Ok(change)
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.copy);
    }
}

impl Changes {
    /// Something was done.
    pub(crate) fn note(&mut self, change: Change) {
        self.redo.clear();
        self.undo.push(Arc::new(change));
        if self.undo.len() > MOST {
            self.undo.remove(0);
        }
    }

    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn told(&self) -> History {
        let words =
            |changes: &[Arc<Change>]| changes.iter().rev().map(|c| c.words.clone()).collect();
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

/// Changes that can be gone back over, the last one on top.
type Stack = Vec<Arc<Change>>;

/// Goes to the other side of a change, which can then be gone back over.
async fn step(
    bench: Arc<Bench>,
    sides: fn(&mut Changes) -> (&mut Stack, &mut Stack),
) -> Reply<Json<History>> {
    let history = aside(move || {
        let _alone = lock(&bench.writing);
        let nothing = || Failure::bad_request("there is nothing to take back or to do again");
        let last = sides(&mut lock(&bench.changes)).0.last().cloned();
        let change = last.ok_or_else(nothing)?;
        let back = Change::begin(&bench, &change.library, change.words.clone())?;
        change.library.become_copy(&change.copy)?;
        let mut changes = lock(&bench.changes);
        let (from, to) = sides(&mut changes);
        // Another library may have been opened meanwhile, of which nothing was done.
        if from.pop_if(|last| Arc::ptr_eq(last, &change)).is_some() {
            to.push(Arc::new(back));
        }
        drop(changes);
        bench.tell_library();
        let history = lock(&bench.changes).told();
        Ok(history)
    });
    Ok(Json(history.await?))
}
