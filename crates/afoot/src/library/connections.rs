//! The connections of an open library: one that reads, kept; writers by themselves.
//!
//! A reader is taken out while it is used, so that nobody waits for it; whoever finds none opens
//! another. It is closed before a writer opens and not kept while one is at work: the last connection
//! that is closed folds the journal into the file, and only one that may write can do that.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use afoot_library::Library as Store;

use super::{Stamp, stamp_of};
use crate::failure::Failure;

#[derive(Default)]
pub(super) struct Connections(Mutex<State>);

#[derive(Default)]
struct State {
    reader: Option<Reader>,
    writers: usize,
}

/// A connection, and the state of the file that it was opened on: another file may take its place.
struct Reader {
    store: Store,
    stamp: Stamp,
}

/// A connection that reads, given back when it is dropped.
pub(crate) struct ReadStore<'a> {
    connections: &'a Connections,
    reader: Option<Reader>,
}

/// A connection that writes.
pub(crate) struct WriteStore<'a> {
    connections: &'a Connections,
    store: Option<Store>,
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connections")
    }
}

impl Connections {
    pub(super) fn read(&self, path: &Path) -> Result<ReadStore<'_>, Failure> {
        let stamp = stamp_of(path);
        let kept = self.lock().reader.take();
        let reader = match kept.filter(|reader| reader.stamp == stamp) {
            Some(reader) => reader,
            None => Reader {
                store: Store::open_read_only(path)?,
                stamp,
            },
        };
        Ok(ReadStore {
            connections: self,
            reader: Some(reader),
        })
    }

    pub(super) fn write(&self, path: &Path) -> Result<WriteStore<'_>, Failure> {
        let mut state = self.lock();
        state.reader = None;
        state.writers += 1;
        drop(state);
        // Counted from here on, whether it can be opened or not.
        let mut writer = WriteStore {
            connections: self,
            store: None,
        };
        writer.store = Some(Store::open(path)?);
        Ok(writer)
    }

    /// Whether nobody has written since somebody read last.
    #[cfg(test)]
    pub(super) fn has_reader(&self) -> bool {
        self.lock().reader.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ReadStore<'_> {
    fn drop(&mut self) {
        let mut state = self.connections.lock();
        if state.writers == 0 && state.reader.is_none() {
            state.reader = self.reader.take();
        }
    }
}

impl Drop for WriteStore<'_> {
    fn drop(&mut self) {
        self.store = None; // closed before readers are kept again
        self.connections.lock().writers -= 1;
    }
}

const OPEN: &str = "open until it is dropped";

impl Deref for ReadStore<'_> {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.reader.as_ref().expect(OPEN).store
    }
}

impl DerefMut for ReadStore<'_> {
    fn deref_mut(&mut self) -> &mut Store {
        &mut self.reader.as_mut().expect(OPEN).store
    }
}

impl Deref for WriteStore<'_> {
    type Target = Store;

    fn deref(&self) -> &Store {
        self.store.as_ref().expect(OPEN)
    }
}

impl DerefMut for WriteStore<'_> {
    fn deref_mut(&mut self) -> &mut Store {
        self.store.as_mut().expect(OPEN)
    }
}
