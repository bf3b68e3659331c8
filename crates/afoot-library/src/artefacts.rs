//! Things made from clips, kept so that they need not be made again: graphs, tables, models.
//!
//! An artefact is found by its kind, which its type says ([`Artefact::KIND`]), and the options it was
//! made with, and carries the hash of its sources. [`Library::get_or_make`] gives it; one whose
//! sources have changed is handed to the maker, which may extend it, and one that can't be read, or
//! is of a version that is no longer read, is made anew. Below it, plain rows.

use afoot_codec::{Artefact, CodecError, ContentHash};
use afoot_run::Run;
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::LibraryError;
use crate::library::Library;
use crate::rows::{RowError, Rows};

/// An artefact as it is stored, with the hash of what it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtefactRow {
    /// The hash of its sources.
    pub sources: ContentHash,
    /// As it was put.
    pub bytes: Vec<u8>,
}

/// An artefact in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtefactEntry {
    /// What it is: `graph`, ...
    pub kind: String,
    /// The options it was made with, in a spelling of its maker.
    pub options: String,
    /// The hash of its sources.
    pub sources: ContentHash,
    /// How much space it takes. [bytes]
    pub size: u64,
}

/// An artefact, and how it was come by.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept<T> {
    /// The artefact.
    pub value: T,
    /// How it was come by.
    pub origin: Origin,
}

/// The hash of an artefact's sources, and the artefact if it can be read.
pub(crate) type LastKept<T> = (ContentHash, Result<T, CodecError>);

/// An artefact, and what it was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Last<T> {
    /// The artefact.
    pub value: T,
    /// The hash of its sources.
    pub sources: ContentHash,
}

/// How an artefact was come by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was there.
    Kept,
    /// There was none.
    Made,
    /// There was one of other sources, which the maker was given.
    Renewed,
    /// There was one that can't be read, and why.
    Replaced(CodecError),
}

impl Library {
    /// The artefact made with `recipe` from exactly these sources: as kept, else made and kept.
    /// `make` is given the one made from other sources, if there is one, to extend it. Where one can't
    /// be read the run is warned.
    pub fn get_or_make<T: Artefact, E: From<LibraryError>>(
        &mut self,
        recipe: &str,
        sources: ContentHash,
        run: &Run,
        make: impl FnOnce(Option<T>) -> Result<T, E>,
    ) -> Result<Kept<T>, E> {
        let (old, origin) = match self.last_kept::<T>(recipe)? {
            None => (None, Origin::Made),
            Some((found, Ok(value))) if found == sources => {
                let origin = Origin::Kept;
                return Ok(Kept { value, origin });
            }
            Some((_, Ok(value))) => (Some(value), Origin::Renewed),
            Some((_, Err(error))) => {
                tell_replaced(&error, run);
                (None, Origin::Replaced(error))
            }
        };
        let value = make(old)?;
        self.write(|connection| put(connection, recipe, sources, &value))?;
        Ok(Kept { value, origin })
    }

    /// The artefact made with `recipe` from exactly these sources, if it is kept and can be read.
    pub fn kept<T: Artefact>(
        &self,
        recipe: &str,
        sources: ContentHash,
    ) -> Result<Option<T>, LibraryError> {
        match self.last_kept(recipe)? {
            Some((found, Ok(value))) if found == sources => Ok(Some(value)),
            _ => Ok(None),
        }
    }

    /// The artefact made with `recipe` from whatever sources there were, to be held against others or extended.
    /// Of one that can't be read the run is warned: it counts as none.
    pub fn last<T: Artefact>(
        &self,
        recipe: &str,
        run: &Run,
    ) -> Result<Option<Last<T>>, LibraryError> {
        Ok(match self.last_kept(recipe)? {
            Some((sources, Ok(value))) => Some(Last { value, sources }),
            Some((_, Err(error))) => {
                tell_replaced(&error, run);
                None
            }
            None => None,
        })
    }

    /// Keeps an artefact, in place of an older one of the same recipe.
    pub fn keep<T: Artefact>(
        &mut self,
        recipe: &str,
        sources: ContentHash,
        value: &T,
    ) -> Result<(), LibraryError> {
        self.write(|connection| put(connection, recipe, sources, value).map(drop))
    }

    /// The artefact made with `recipe` from whatever sources there were, with their hash; it may not
    /// be readable.
    pub(crate) fn last_kept<T: Artefact>(
        &self,
        recipe: &str,
    ) -> Result<Option<LastKept<T>>, LibraryError> {
        match self.last_artefact(T::KIND.name, recipe) {
            Ok(row) => Ok(row.map(|row| (row.sources, T::from_bytes(&row.bytes)))),
            // One that is damaged is made again, like one that is old.
            Err(LibraryError::Damaged { .. }) => {
                let damaged = CodecError::Damaged(T::KIND.what);
                Ok(Some((ContentHash::default(), Err(damaged))))
            }
            Err(error) => Err(error),
        }
    }

    /// What an artefact was made from and its own hash, without reading it.
    pub(crate) fn artefact_hashes(
        &self,
        kind: &str,
        options: &str,
    ) -> Result<Option<[ContentHash; 2]>, LibraryError> {
        self.read(|connection| {
            let query = "SELECT sources, body_sum FROM artefacts WHERE kind = ?1 AND options = ?2";
            let hashes = |row: &rusqlite::Row| Ok([row.get(0)?, row.get(1)?].map(ContentHash));
            let mut statement = connection.prepare_cached(query)?;
            Ok(statement.query_row([kind, options], hashes).optional()?)
        })
    }

    /// The artefact made with these options from exactly these sources.
    pub fn artefact(
        &self,
        kind: &str,
        options: &str,
        sources: ContentHash,
    ) -> Result<Option<Vec<u8>>, LibraryError> {
        let last = self.last_artefact(kind, options)?;
        Ok(last
            .filter(|artefact| artefact.sources == sources)
            .map(|artefact| artefact.bytes))
    }

    /// The artefact made with these options from whatever sources there were.
    pub fn last_artefact(
        &self,
        kind: &str,
        options: &str,
    ) -> Result<Option<ArtefactRow>, LibraryError> {
        self.read(|connection| {
            let row: Option<([u8; 16], [u8; 16], Vec<u8>)> = connection
                .prepare_cached(
                    "SELECT sources, body_sum, body FROM artefacts WHERE kind = ?1 AND options = ?2",
                )?
                .query_row([kind, options], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .optional()?;
            let Some((sources, sum, bytes)) = row else {
                return Ok(None);
            };
            let sources = ContentHash(sources);
            match body_sum(kind, options, sources, &bytes) == ContentHash(sum) {
                true => Ok(Some(ArtefactRow { sources, bytes })),
                false => Err(RowError::Damaged(format!("the artefact {kind:?}"))),
            }
        })
    }

    /// Keeps an artefact, in place of an older one of the same kind and options.
    pub fn put_artefact(
        &mut self,
        kind: &str,
        options: &str,
        sources: ContentHash,
        bytes: &[u8],
    ) -> Result<(), LibraryError> {
        self.write(|connection| put_row(connection, [kind, options], sources, bytes).map(drop))
    }

    /// All artefacts, by kind and options.
    pub fn artefacts(&self) -> Result<Vec<ArtefactEntry>, LibraryError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT kind, options, sources, length(body) FROM artefacts ORDER BY kind, options",
            )?;
            let entry = |row: &rusqlite::Row| {
                Ok(ArtefactEntry {
                    kind: row.get(0)?,
                    options: row.get(1)?,
                    sources: ContentHash(row.get(2)?),
                    size: row.get::<_, i64>(3)? as u64,
                })
            };
            let entries = statement.query_map([], entry)?.collect::<Result<_, _>>()?;
            Ok(entries)
        })
    }

    /// Removes one artefact; gives whether it was there.
    pub fn remove_artefact(&mut self, kind: &str, options: &str) -> Result<bool, LibraryError> {
        self.write(|connection| remove_row(connection, [kind, options]))
    }

    /// Removes the artefacts that `is_current` does not confirm, and gives them.
    pub fn remove_stale_artefacts(
        &mut self,
        is_current: impl Fn(&ArtefactEntry) -> bool,
    ) -> Result<Vec<ArtefactEntry>, LibraryError> {
        let mut stale = self.artefacts()?;
        stale.retain(|entry| !is_current(entry));
        self.write(|connection| {
            for entry in &stale {
                // Only what was listed: it may have been replaced by a fresh one since.
                connection.execute(
                    "DELETE FROM artefacts WHERE kind = ?1 AND options = ?2 AND sources = ?3",
                    params![entry.kind, entry.options, entry.sources.0],
                )?;
            }
            Ok(())
        })?;
        Ok(stale)
    }
}

/// Says that something is made again, unless that is only because the program or the clips have
/// changed.
pub(crate) fn tell_replaced(error: &CodecError, run: &Run) {
    match error {
        CodecError::OtherVersion { .. } | CodecError::OtherSources(_) => {}
        error => run.warn(format!("{error}; it is made again")),
    }
}

/// Keeps an artefact as a part of some changes; gives the row's own hash.
pub(crate) fn put<T: Artefact>(
    connection: &Connection,
    recipe: &str,
    sources: ContentHash,
    value: &T,
) -> Rows<ContentHash> {
    let name = T::KIND.name;
    put_row(connection, [name, recipe], sources, &value.to_bytes())
}

fn put_row(
    connection: &Connection,
    [kind, options]: [&str; 2],
    sources: ContentHash,
    bytes: &[u8],
) -> Rows<ContentHash> {
    let sum = body_sum(kind, options, sources, bytes);
    connection
        .prepare_cached("INSERT OR REPLACE INTO artefacts VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![kind, options, sources.0, sum.0, bytes])?;
    Ok(sum)
}

/// Removes an artefact as a part of some changes; gives whether it was there.
pub(crate) fn remove_row(connection: &Connection, kind_and_options: [&str; 2]) -> Rows<bool> {
    let count = connection.execute(
        "DELETE FROM artefacts WHERE kind = ?1 AND options = ?2",
        kind_and_options,
    )?;
    Ok(count > 0)
}

fn body_sum(kind: &str, options: &str, sources: ContentHash, bytes: &[u8]) -> ContentHash {
    ContentHash::of_parts([kind.as_bytes(), options.as_bytes(), &sources.0, bytes])
}
