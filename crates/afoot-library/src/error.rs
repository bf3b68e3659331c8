//! What can go wrong with a library.

use std::path::PathBuf;

use afoot_run::Stopped;
use thiserror::Error;

use crate::rows::Damage;

/// Why a library can't do what was asked.
#[derive(Debug, Error)]
#[allow(missing_docs)] // the messages say it
pub enum LibraryError {
    #[error("{path}: there is no such library", path = path.display())]
    Missing { path: PathBuf },
    #[error("{path}: exists already; a new library needs a name of its own", path = path.display())]
    Exists { path: PathBuf },
    #[error("{path}: this is not a motion library ({what})", path = path.display())]
    NotALibrary { path: PathBuf, what: String },
    #[error(
        "{path}: this library has format {found}, this program knows formats up to {known}; use a newer afoot",
        path = path.display()
    )]
    TooNew {
        path: PathBuf,
        found: i64,
        known: i64,
    },
    #[error(
        "{path}: the library is damaged: {what}; restore it from a copy or import its files again",
        path = path.display()
    )]
    Damaged { path: PathBuf, what: String },
    #[error("{path}: {damage}; remove it and import its file again, the rest is whole", path = path.display())]
    DamagedClip { path: PathBuf, damage: Damage },
    #[error("{path}: the disk is full; the library is as it was, with all that was committed", path = path.display())]
    Full { path: PathBuf },
    #[error("{path}: it belongs to the library {library}; a new library needs a name of its own", path = path.display(), library = library.display())]
    Belongs { path: PathBuf, library: PathBuf },
    #[error("{path}: another program is writing to the library; try again when it is done", path = path.display())]
    Busy { path: PathBuf },
    #[error("{path}: the library was opened for reading only", path = path.display())]
    ReadOnly { path: PathBuf },
    #[error("there is no clip {name:?} in the library{hint}")]
    NoClip { name: String, hint: String },
    #[error("there is a clip {name:?} in the library already")]
    NameTaken { name: String },
    #[error("{name:?} can't be a clip's name: {why}")]
    BadName { name: String, why: &'static str },
    #[error("{label:?} can't be a label: {why}")]
    BadLabel { label: String, why: &'static str },
    #[error(transparent)]
    Clip(#[from] afoot_core::ClipError),
    #[error(
        "there is no skeleton {name:?}: expected a clip or skeleton of the library, or a motion file"
    )]
    NoSkeleton { name: String },
    #[error("clip {name:?}: {error}")]
    Retarget {
        name: String,
        error: afoot_core::RetargetError,
    },
    #[error(transparent)]
    Roles(#[from] afoot_core::RoleMapError),
    #[error("stopped; the library is as it was")]
    Stopped(#[from] Stopped),
    #[error("{path}: {error}", path = path.display())]
    Files {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{path}: {error}", path = path.display())]
    Database {
        path: PathBuf,
        error: rusqlite::Error,
    },
}
