//! What requests need of a graph, ready beside the library as tables that are mapped.
//!
//! A library has one file, and these are copies that can be lost: they hold nothing that the library does
//! not, may be removed, and where they can't be written they are made each time. A file for each kind of
//! tables, tied to the graph and its clips by a hash. Cost of opening one: its head and its vital tables.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use afoot_codec::{CodecError, ContentHash, Flat, FlatWriter, Kind};
use afoot_formats::files::write_beside_library;
use afoot_run::Run;
use memmap2::Mmap;

use crate::artefacts::{Kept, Origin, tell_replaced};
use crate::graphs::{GraphStoreError, LibraryGraph};
use crate::library::{Library, beside};

impl Library {
    /// Tables made from the graph in use, mapped from a file beside the library; made by `make`, and
    /// that file written, where there is none that fits.
    pub fn tables_of_graph<E: From<GraphStoreError> + From<CodecError>>(
        &mut self,
        kind: Kind,
        run: &Run,
        make: impl FnOnce(LibraryGraph) -> Result<FlatWriter, E>,
    ) -> Result<Kept<Flat>, E> {
        let mut origin = Origin::Made;
        if let Some(key) = self.graph_key().map_err(E::from)? {
            match self.kept_tables(kind, key, run) {
                Ok(kept) => return Ok(kept),
                Err(why) => origin = why,
            }
        }
        let graph = self.graph_in_use(run).map_err(E::from)?;
        let key = graph.key;
        let value = self.put_tables(kind, key, make(graph)?)?;
        Ok(Kept { value, origin })
    }

    /// The same of what a key names: other tables of a graph that is at hand.
    pub fn tables_of<E: From<CodecError>>(
        &self,
        kind: Kind,
        key: ContentHash,
        run: &Run,
        make: impl FnOnce() -> Result<FlatWriter, E>,
    ) -> Result<Kept<Flat>, E> {
        match self.kept_tables(kind, key, run) {
            Ok(kept) => Ok(kept),
            Err(origin) => {
                let value = self.put_tables(kind, key, make()?)?;
                Ok(Kept { value, origin })
            }
        }
    }

    /// The tables that are there, else why they have to be made.
    fn kept_tables(&self, kind: Kind, key: ContentHash, run: &Run) -> Result<Kept<Flat>, Origin> {
        match open_tables(&tables_file(self, kind), kind, key) {
            Ok(Some(value)) => Ok(Kept {
                value,
                origin: Origin::Kept,
            }),
            Ok(None) => Err(Origin::Made),
            Err(error) => {
                tell_replaced(&error, run);
                Err(Origin::Replaced(error))
            }
        }
    }

    /// Writes tables and maps them.
    fn put_tables(
        &self,
        kind: Kind,
        key: ContentHash,
        tables: FlatWriter,
    ) -> Result<Flat, CodecError> {
        let (file, bytes) = (tables_file(self, kind), tables.finish(kind, key));
        // Without the file the next request makes them again, which is slow but not wrong. A link or a pipe
        // of that name would be written through.
        if file
            .symlink_metadata()
            .is_ok_and(|found| !found.is_file() && !found.is_dir())
        {
            let _ = std::fs::remove_file(&file);
        }
        let _ = write_beside_library(&file, (*bytes).as_ref());
        match open_tables(&file, kind, key) {
            Ok(Some(mapped)) => Ok(mapped),
            _ => Flat::open(bytes, kind, key),
        }
    }
}

fn tables_file(library: &Library, kind: Kind) -> PathBuf {
    beside(library.path(), &format!("-{}", kind.name))
}

/// The tables in a file; `None` if there is no such file.
fn open_tables(path: &Path, kind: Kind, key: ContentHash) -> Result<Option<Flat>, CodecError> {
    // A pipe would never end, and a link lead out of the folder: what is made anew takes its place.
    if !path.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return Ok(None);
    }
    let Ok(file) = File::open(path) else {
        return Ok(None);
    };
    // SAFETY: the file is never written to once it has its name: a new one takes its place, and
    // whoever has mapped the old one keeps that.
    #[allow(unsafe_code)]
    let Ok(map) = (unsafe { Mmap::map(&file) }) else {
        return Ok(None);
    };
    let tables = Flat::open(Arc::new(map), kind, key)?;
    // Whenever it is, it is some block's turn; a request's result does not depend on which.
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    tables.check_in_turn(now.map_or(0, |now| u64::from(now.subsec_micros())))?;
    Ok(Some(tables))
}
