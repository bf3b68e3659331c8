//! Things made from clips, kept so that they need not be made again: graphs, tables, models.
//!
//! An artefact is found by its kind and the options it was made with, and carries the hash of its
//! sources. If the sources have changed it is stale: [`Library::artefact`] no longer gives it, but
//! [`Library::last_artefact`] does, for makers that extend instead of starting over.

use rusqlite::{OptionalExtension, params};

use crate::digest::ContentHash;
use crate::error::LibraryError;
use crate::library::Library;
use crate::rows::RowError;

/// An artefact with the hash of what it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artefact {
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

impl Library {
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
    ) -> Result<Option<Artefact>, LibraryError> {
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
                true => Ok(Some(Artefact { sources, bytes })),
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
        self.write(|connection| {
            let sum = body_sum(kind, options, sources, bytes);
            connection
                .prepare_cached("INSERT OR REPLACE INTO artefacts VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![kind, options, sources.0, sum.0, bytes])?;
            Ok(())
        })
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
        self.write(|connection| {
            let count = connection.execute(
                "DELETE FROM artefacts WHERE kind = ?1 AND options = ?2",
                [kind, options],
            )?;
            Ok(count > 0)
        })
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

fn body_sum(kind: &str, options: &str, sources: ContentHash, bytes: &[u8]) -> ContentHash {
    let mut digest = crate::digest::Digest::default();
    [kind.as_bytes(), options.as_bytes(), &sources.0, bytes]
        .into_iter()
        .for_each(|part| digest.add(part));
    digest.finish()
}
