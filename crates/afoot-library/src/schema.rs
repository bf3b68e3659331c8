//! The file's layout in SQLite, its version, and the way from older versions.
//!
//! `application_id` says that a file is ours, `user_version` which layout it has. Blobs and rows
//! carry digests, and the digests of all clips are joined in `state`, so that a row that got lost is
//! noticed too: SQLite itself only checks its own structure, and not all of that.

use std::path::Path;

use rusqlite::{Connection, ErrorCode};

use crate::error::LibraryError;

/// "AFOT".
pub(crate) const APPLICATION_ID: i64 = 0x4146_4f54;
/// What this program writes.
pub(crate) const VERSION: i64 = 5;
/// The oldest that can be read as it is: nothing in it has another meaning now.
const OLDEST_READ: i64 = 1;

/// `MIGRATIONS[v]` leads from version v to v + 1.
const MIGRATIONS: [&str; VERSION as usize] = [
    "
    CREATE TABLE state (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        clips INTEGER NOT NULL,
        joined BLOB NOT NULL
    );
    INSERT INTO state VALUES (1, 0, zeroblob(16));
    CREATE TABLE skeletons (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        hash BLOB NOT NULL UNIQUE,
        body BLOB NOT NULL
    );
    CREATE TABLE clips (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        skeleton INTEGER NOT NULL REFERENCES skeletons (id),
        frames INTEGER NOT NULL,
        rate_numerator INTEGER NOT NULL,
        rate_denominator INTEGER NOT NULL,
        motion_hash BLOB NOT NULL,
        kind INTEGER NOT NULL,
        shares BLOB NOT NULL,
        labels BLOB NOT NULL,
        facts TEXT NOT NULL,
        fingerprint BLOB NOT NULL,
        motion_sum BLOB NOT NULL,
        tracks_sum BLOB NOT NULL,
        row_sum BLOB NOT NULL
    );
    CREATE TABLE motions (
        clip INTEGER PRIMARY KEY REFERENCES clips (id) ON DELETE CASCADE,
        motion BLOB NOT NULL,
        tracks BLOB NOT NULL
    );
    CREATE TABLE artefacts (
        kind TEXT NOT NULL,
        options TEXT NOT NULL,
        sources BLOB NOT NULL,
        body_sum BLOB NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (kind, options)
    );
",
    // Skeletons may carry points of a surface; nothing that was stored before changes.
    "",
    // Clips may carry denied labels; nothing that was stored before changes.
    "",
    // Skeletons may carry a stem, what a file has above its hips; nothing that was stored before changes.
    "",
    // Clips may carry unsure and learned labels and uses; nothing that was stored before changes.
    "",
];

/// Makes an empty library of an empty database.
pub(crate) fn initialise(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN")?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    migrate_from(connection, 0)?;
    connection.execute_batch("COMMIT")?;
    connection.pragma_update(None, "journal_mode", "WAL")
}

/// How long a connection waits for other writers.
pub(crate) fn wait_as_usual(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(std::time::Duration::from_secs(10))
}

/// Settings of every connection.
pub(crate) fn configure(connection: &Connection) -> rusqlite::Result<()> {
    wait_as_usual(connection)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Every commit reaches the disk, also if the machine itself stops.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cell_size_check", true)
}

/// Refuses what is no library or too new; brings what is older up to date.
pub(crate) fn check_version(
    connection: &Connection,
    path: &Path,
    writable: bool,
) -> Result<(), LibraryError> {
    let wrap = |error| database_error(path, error);
    let id: i64 = pragma(connection, "application_id").map_err(wrap)?;
    if id != APPLICATION_ID {
        let what = "a database of another program".into();
        let path = path.to_owned();
        return Err(LibraryError::NotALibrary { path, what });
    }
    let found: i64 = pragma(connection, "user_version").map_err(wrap)?;
    match found {
        VERSION => Ok(()),
        _ if (1..VERSION).contains(&found) && writable => upgrade(connection).map_err(wrap),
        _ if (OLDEST_READ..VERSION).contains(&found) => Ok(()),
        _ if (1..VERSION).contains(&found) => Err(LibraryError::ReadOnly { path: path.into() }),
        _ if found > VERSION => Err(LibraryError::TooNew {
            path: path.into(),
            found,
            known: VERSION,
        }),
        _ => Err(LibraryError::Damaged {
            path: path.into(),
            what: format!("format {found} never existed"),
        }),
    }
}

fn upgrade(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    // Asked again under the lock: another program may have been faster.
    let done = pragma(connection, "user_version")
        .and_then(|from| migrate_from(connection, from))
        .and_then(|()| connection.execute_batch("COMMIT"));
    if done.is_err() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    done
}

fn migrate_from(connection: &Connection, from: i64) -> rusqlite::Result<()> {
    for step in MIGRATIONS.iter().skip(from as usize) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "user_version", VERSION)
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// Whether there is no room for the index of its log, which SQLite does not call a full disk.
fn is_without_room(error: &rusqlite::Error) -> bool {
    error
        .sqlite_error()
        .is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
}

/// What SQLite says, in our words.
pub(crate) fn database_error(path: &Path, error: rusqlite::Error) -> LibraryError {
    let path = path.to_owned();
    let what = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => LibraryError::NotALibrary { path, what },
        Some(ErrorCode::DatabaseCorrupt) => LibraryError::Damaged { path, what },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LibraryError::Busy { path },
        Some(ErrorCode::DiskFull) => LibraryError::Full { path },
        Some(ErrorCode::ReadOnly) => LibraryError::ReadOnly { path },
        _ => match error {
            // Values of the wrong type, and tables that are not there.
            rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::SqlInputError { .. } => LibraryError::Damaged { path, what },
            error if is_without_room(&error) => LibraryError::Full { path },
            error => LibraryError::Database { path, error },
        },
    }
}
