//! What is whole in a library and what is not, and the way back to a whole one.
//!
//! Repairing loses nothing that could still be read: clips that can't be are removed, artefacts that
//! can't be are dropped (they are made again when they are asked for), and what belongs to no clip
//! goes. Damage to SQLite's own pages can't be repaired in place.

use rusqlite::Connection;

use crate::error::LibraryError;
use crate::library::{Library, load};
use crate::rows::{self, Damage, RowError, Rows};

/// What was found when everything was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// How many clips are whole, with their motion and skeleton.
    pub clips: usize,
    /// What can't be read of the others.
    pub damage: Vec<Damage>,
    /// How many artefacts are whole.
    pub artefacts: usize,
    /// Kind and options of the others.
    pub broken_artefacts: Vec<[String; 2]>,
    /// What SQLite says of its own structure, if anything.
    pub structure: Vec<String>,
}

impl Health {
    /// Whether nothing is wrong.
    pub fn is_whole(&self) -> bool {
        self.damage.is_empty() && self.broken_artefacts.is_empty() && self.structure.is_empty()
    }
}

impl Library {
    /// Reads everything, and checks it against its digests and SQLite's own structure.
    pub fn check(&self) -> Result<Health, LibraryError> {
        let (mut health, entries) = self.read(|connection| {
            let listing = rows::list_clips(connection)?;
            let health = Health {
                damage: listing.damage,
                structure: structure(connection)?,
                ..Health::default()
            };
            Ok((health, listing.entries))
        })?;
        for entry in entries {
            match self.read(|connection| load(connection, vec![entry])) {
                Ok(_) => health.clips += 1,
                Err(LibraryError::DamagedClip { damage, .. }) => health.damage.push(damage),
                Err(error) => return Err(error),
            }
        }
        for entry in self.artefacts()? {
            match self.last_artefact(&entry.kind, &entry.options) {
                Ok(_) => health.artefacts += 1,
                Err(LibraryError::Damaged { .. }) => {
                    health.broken_artefacts.push([entry.kind, entry.options]);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(health)
    }

    /// Removes what `found` says can't be read, in one transaction; gives what is left to say.
    pub fn repair(&mut self, found: &Health) -> Result<Health, LibraryError> {
        self.write(|connection| {
            for name in found
                .damage
                .iter()
                .filter_map(|damage| damage.clip.as_ref())
            {
                rows::delete_damaged(connection, name)?;
            }
            for [kind, options] in &found.broken_artefacts {
                crate::artefacts::remove_row(connection, [kind, options])?;
            }
            rows::tidy(connection)
        })?;
        self.check()
    }
}

/// What SQLite says of its own structure, if anything.
fn structure(connection: &Connection) -> Rows<Vec<String>> {
    let mut statement = connection.prepare("PRAGMA integrity_check")?;
    let words = statement.query_map([], |row| row.get::<_, String>(0))?;
    let words: Vec<String> = words.collect::<Result<_, _>>().map_err(RowError::from)?;
    Ok(words.into_iter().filter(|words| words != "ok").collect())
}
