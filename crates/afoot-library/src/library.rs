//! The library: one SQLite file with a write-ahead log.
//!
//! Two programs may read while one writes; each sees whole transactions only. A program that dies at
//! any moment leaves every committed transaction and nothing of an open one. While programs have it
//! open, and after one died, files `-wal` and `-shm` lie beside it and belong to it. Every row is checked
//! against its digest when it is read, every blob before it is used. Clips are listed in the order of adding.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use afoot_analyze::faults::Fingerprint;
use afoot_core::{Clip, Locomotion};
use afoot_formats::files::belongs_to_library;
use afoot_run::Run;
use afoot_search::{meant_word, near_words};
use rayon::prelude::*;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::annotations::Annotations;
use crate::entry::{ClipEntry, ClipNumber, SkeletonEntry};
use crate::error::LibraryError;
use crate::facts::ClipFacts;
use crate::names::{check_label, check_name, hint};
use crate::record::motion_hash;
use crate::rows::{self, Damage, RowError, Rows};
use crate::schema::{self, database_error};
use crate::skeleton_rows::{list_skeletons, skeleton_map};

/// An open library.
pub struct Library {
    path: PathBuf,
    connection: Connection,
}

/// Changes that happen together or, dropped without [`Transaction::commit`], not at all.
pub struct Transaction<'a> {
    path: &'a Path,
    inner: rusqlite::Transaction<'a>,
}

/// How soon somebody who waits for another writer sees that he is to stop.
const SIP: Duration = Duration::from_millis(200);

impl Library {
    /// Makes an empty library; the file must not exist yet. It appears whole or not at all.
    pub fn create(path: &Path) -> Result<Self, LibraryError> {
        let exists = || LibraryError::Exists { path: path.into() };
        if path.exists() {
            return Err(exists());
        }
        check_place(path)?;
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        if let Some(missing) = folder.filter(|folder| !folder.is_dir()) {
            let error = std::io::Error::other("there is no such folder to make a library in");
            return Err(file_error(missing, error));
        }
        let draft = beside(path, &format!(".{}.new", std::process::id()));
        let made = write_empty(&draft, path).and_then(|()| Self::put_in_place(&draft, path));
        let _ = fs::remove_file(&draft);
        made?;
        Self::open(path)
    }

    /// Gives a library that nobody has open its name, which must be free.
    pub fn put_in_place(draft: &Path, path: &Path) -> Result<(), LibraryError> {
        check_place(path)?;
        // A link, unlike a renaming, never replaces what somebody else made meanwhile.
        fs::hard_link(draft, path).or_else(|_| match path.exists() {
            true => Err(LibraryError::Exists { path: path.into() }),
            false => fs::rename(draft, path).map_err(|error| file_error(path, error)),
        })
    }

    /// Opens a library to read and write.
    pub fn open(path: &Path) -> Result<Self, LibraryError> {
        check_header(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags);
        Self::opened(path, connection, true)
    }

    /// Opens a library to read only; also on a medium or in a folder that can't be written.
    pub fn open_read_only(path: &Path) -> Result<Self, LibraryError> {
        check_header(path)?;
        // Where the file can be written SQLite may tidy up its log when it closes, nothing else.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags);
        let reading = connection.and_then(|connection| {
            connection.pragma_update(None, "query_only", true)?;
            Ok(connection)
        });
        match Self::opened(path, reading, false) {
            Err(
                LibraryError::Database { .. }
                | LibraryError::ReadOnly { .. }
                | LibraryError::Full { .. },
            ) if fs::metadata(beside(path, "-wal")).map_or(0, |log| log.len()) == 0 => {
                // Without a place for the log's index SQLite must be told that nobody writes; nor does the log hold anything.
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
                    | OpenFlags::SQLITE_OPEN_NO_MUTEX
                    | OpenFlags::SQLITE_OPEN_URI;
                let connection = Connection::open_with_flags(immutable_uri(path), flags);
                Self::opened(path, connection, false)
            }
            opened => opened,
        }
    }

    /// Opens a library, or makes it if there is none.
    pub fn open_or_create(path: &Path) -> Result<Self, LibraryError> {
        match path.exists() {
            true => Self::open(path),
            false => Self::create(path),
        }
    }

    fn opened(
        path: &Path,
        connection: rusqlite::Result<Connection>,
        writable: bool,
    ) -> Result<Self, LibraryError> {
        let wrap = |error| database_error(path, error);
        let connection = connection.map_err(wrap)?;
        schema::configure(&connection).map_err(wrap)?;
        schema::check_version(&connection, path, writable)?;
        let path = path.to_owned();
        let library = Self { path, connection };
        library.clips()?; // whether its tables can be read at all shows here
        Ok(library)
    }

    /// Copies all of it, as it is now, into a file that must not exist.
    pub fn copy_to(&self, path: &Path) -> Result<(), LibraryError> {
        if path.exists() {
            return Err(LibraryError::Exists { path: path.into() });
        }
        let silent = None::<fn(rusqlite::backup::Progress)>;
        let copied = self.connection.backup(rusqlite::MAIN_DB, path, silent);
        copied.map_err(|error| database_error(path, error))
    }

    /// Becomes what a copy holds, all at once.
    pub fn become_copy(&mut self, copy: &Path) -> Result<(), LibraryError> {
        drop(Self::open_read_only(copy)?); // whether it is a library at all
        let silent = None::<fn(rusqlite::backup::Progress)>;
        let restored = self.connection.restore(rusqlite::MAIN_DB, copy, silent);
        restored.map_err(|error| database_error(&self.path, error))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The clips without their motion, in the order of adding; those that can be read.
    pub fn clips(&self) -> Result<Vec<ClipEntry>, LibraryError> {
        Ok(self.read(rows::list_clips)?.entries)
    }

    /// What [`Library::clips`] leaves out, because it can't be read.
    pub fn damage(&self) -> Result<Vec<Damage>, LibraryError> {
        Ok(self.read(rows::list_clips)?.damage)
    }

    /// One clip without its motion.
    pub fn entry(&self, name: &str) -> Result<ClipEntry, LibraryError> {
        self.read(|connection| rows::get_clip(connection, name))
    }

    /// That a clip may be added under a name: it can be one, and no clip has it.
    pub fn check_free(&self, name: &str) -> Result<(), LibraryError> {
        check_name(name)?;
        self.read(|connection| match rows::find_clip(connection, name)? {
            Some(_) => Err(RowError::NameTaken(name.into())),
            None => Ok(()),
        })
    }

    /// One whole clip.
    pub fn clip(&self, name: &str) -> Result<Clip, LibraryError> {
        let mut clips =
            self.read(|connection| load(connection, vec![rows::get_clip(connection, name)?]))?;
        clips.pop().ok_or_else(|| self.no_clip(name))
    }

    /// One whole clip with its types and faults as they were found, whatever was said since.
    pub(crate) fn clip_as_found(&self, entry: &ClipEntry) -> Result<Clip, LibraryError> {
        let mut entry = entry.clone();
        entry.annotations.denied.clear();
        entry.annotations.uses.clear();
        let name = entry.name.clone();
        let mut clips = self.read(|connection| match rows::is_as_listed(connection, &entry)? {
            true => load(connection, vec![entry]),
            false => Err(RowError::NoClip(entry.name)),
        })?;
        clips.pop().ok_or_else(|| self.no_clip(&name))
    }

    /// All clips, in the order of adding; unpacked on all threads.
    pub fn load_all(&self) -> Result<Vec<Clip>, LibraryError> {
        self.read(|connection| load(connection, rows::list_clips(connection)?.entries))
    }

    /// The skeletons, in the order of adding.
    pub fn skeletons(&self) -> Result<Vec<SkeletonEntry>, LibraryError> {
        self.read(list_skeletons)
    }

    /// Starts changes that happen together. Other writers wait, readers see the state before.
    pub fn transaction(&mut self) -> Result<Transaction<'_>, LibraryError> {
        let path = &self.path;
        let inner = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|error| database_error(path, error))?;
        Ok(Transaction { path, inner })
    }

    /// [`Library::transaction`] once other writers are done, however long they take; that somebody is waited for is noted.
    pub fn transaction_after_others(&mut self, run: &Run) -> Result<Transaction<'_>, LibraryError> {
        let wrap = |error| database_error(&self.path, error);
        self.connection.busy_timeout(SIP).map_err(wrap)?;
        let mut waited = false;
        let inner = loop {
            let begun = rusqlite::Transaction::new_unchecked(
                &self.connection,
                TransactionBehavior::Immediate,
            );
            match begun.map_err(wrap) {
                Err(LibraryError::Busy { path }) => {
                    run.check()?;
                    if !std::mem::replace(&mut waited, true) {
                        let path = path.display();
                        run.note(format!(
                            "{path}: waiting for another program that is writing"
                        ));
                    }
                }
                begun => break begun,
            }
        };
        schema::wait_as_usual(&self.connection).map_err(wrap)?;
        let (path, inner) = (self.path.as_path(), inner?);
        Ok(Transaction { path, inner })
    }

    /// Adds a clip under its name, which must be free.
    pub fn add_clip(&mut self, clip: &Clip, facts: &ClipFacts) -> Result<ClipNumber, LibraryError> {
        let transaction = self.transaction()?;
        let id = transaction.add_clip(clip, facts)?;
        transaction.commit()?;
        Ok(id)
    }

    /// Removes a clip.
    pub fn remove(&mut self, name: &str) -> Result<(), LibraryError> {
        self.write(|connection| remove(connection, name))
    }

    /// Gives a clip another name.
    pub fn rename(&mut self, name: &str, new_name: &str) -> Result<(), LibraryError> {
        check_name(new_name)?;
        self.write(|connection| rename(connection, name, new_name))
    }

    /// Replaces what is said of a clip's frames; it is cut to them and sorted.
    pub fn annotate(&mut self, name: &str, annotations: Annotations) -> Result<(), LibraryError> {
        check_labels(&annotations)?;
        self.write(|connection| annotate(connection, name, annotations))
    }

    /// Replaces what was found in a clip's frames: contacts, types, faults, floor. The motion must
    /// be the one that is stored; annotations are left alone.
    pub fn set_tracks(&mut self, clip: &Clip) -> Result<(), LibraryError> {
        clip.check()?;
        self.write(|connection| {
            let entry = rows::get_clip(connection, &clip.name)?;
            match entry.motion_hash == motion_hash(clip) {
                true => rows::update_tracks(connection, &entry, clip),
                false => Err(RowError::NoClip(format!("{} with that motion", clip.name))),
            }
        })
    }

    /// Runs `read` on one state of the library.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Rows<T>,
    ) -> Result<T, LibraryError> {
        let transaction = self.connection.unchecked_transaction();
        let result = transaction.map_err(RowError::from).and_then(|t| read(&t));
        result.map_err(|error| self.row_error(error))
    }

    /// Runs `write` as one transaction.
    pub(crate) fn write<T>(
        &mut self,
        write: impl FnOnce(&Connection) -> Rows<T>,
    ) -> Result<T, LibraryError> {
        let transaction = self.transaction()?;
        let result = write(&transaction.inner);
        match result {
            Ok(value) => transaction.commit().map(|()| value),
            Err(error) => {
                drop(transaction);
                Err(self.row_error(error))
            }
        }
    }

    fn row_error(&self, error: RowError) -> LibraryError {
        match error {
            RowError::NoClip(name) => self.no_clip(&name),
            error => row_error(&self.path, error),
        }
    }

    fn no_clip(&self, name: &str) -> LibraryError {
        let clips = self.clips().unwrap_or_default();
        let known: Vec<&str> = clips.iter().map(|entry| entry.name.as_str()).collect();
        let hint = match near_words(name, &known).is_empty() {
            true => other_word(name, &clips).unwrap_or_else(|| hint(name, &known)),
            false => hint(name, &known),
        };
        let name = name.into();
        LibraryError::NoClip { name, hint }
    }
}

/// That a word which no clip's name is near stands for a type of motion or a label, if it does.
fn other_word(name: &str, clips: &[ClipEntry]) -> Option<String> {
    let kinds = Locomotion::ALL.map(Locomotion::name);
    if let Some(kind) = meant_word(name, &kinds) {
        return Some(format!("; {kind} is a type of motion"));
    }
    let labels: Vec<&str> = clips.iter().flat_map(ClipEntry::label_names).collect();
    meant_word(name, &labels).map(|label| format!("; {label} is a label"))
}

impl Transaction<'_> {
    /// Adds a clip under its name, which must be free.
    pub fn add_clip(&self, clip: &Clip, facts: &ClipFacts) -> Result<ClipNumber, LibraryError> {
        self.add_clip_with_print(clip, facts, &Fingerprint::of(clip))
    }

    /// [`Transaction::add_clip`] with the fingerprint of the motion as it was captured, which may
    /// have had another rate or skeleton.
    pub fn add_clip_with_print(
        &self,
        clip: &Clip,
        facts: &ClipFacts,
        print: &Fingerprint,
    ) -> Result<ClipNumber, LibraryError> {
        check_name(&clip.name)?;
        clip.check()?;
        rows::insert_clip(&self.inner, clip, facts, print)
            .map_err(|error| row_error(self.path, error))
    }

    /// Puts a clip in the place of the one of its name, which keeps its number and what was said of
    /// its frames; there must be as many.
    pub fn replace(&self, clip: &Clip, facts: &ClipFacts) -> Result<(), LibraryError> {
        clip.check()?;
        let replaced = rows::get_clip(&self.inner, &clip.name)
            .and_then(|old| rows::replace_clip(&self.inner, &old, clip, facts));
        replaced.map_err(|error| row_error(self.path, error))
    }

    /// [`Library::clips`] as these changes see them.
    pub fn clips(&self) -> Result<Vec<ClipEntry>, LibraryError> {
        let listed = rows::list_clips(&self.inner);
        Ok(listed.map_err(|error| row_error(self.path, error))?.entries)
    }

    /// One clip without its motion, if there is one of that name.
    pub fn entry(&self, name: &str) -> Result<Option<ClipEntry>, LibraryError> {
        rows::find_clip(&self.inner, name).map_err(|error| row_error(self.path, error))
    }

    /// [`Library::remove`] as a part of these changes.
    pub fn remove(&self, name: &str) -> Result<(), LibraryError> {
        remove(&self.inner, name).map_err(|error| row_error(self.path, error))
    }

    /// [`Library::rename`] as a part of these changes.
    pub fn rename(&self, name: &str, new_name: &str) -> Result<(), LibraryError> {
        check_name(new_name)?;
        rename(&self.inner, name, new_name).map_err(|error| row_error(self.path, error))
    }

    /// [`Library::annotate`] as a part of these changes.
    pub fn annotate(&self, name: &str, annotations: Annotations) -> Result<(), LibraryError> {
        check_labels(&annotations)?;
        annotate(&self.inner, name, annotations).map_err(|error| row_error(self.path, error))
    }

    /// Changes what is said of a clip's frames, from what is said as these changes begin, so that
    /// nothing is lost that another program said meanwhile.
    pub fn change_annotations<T, E: From<LibraryError>>(
        &self,
        name: &str,
        change: impl FnOnce(&ClipEntry, &mut Annotations) -> Result<T, E>,
    ) -> Result<T, E> {
        let wrap = |error| row_error(self.path, error);
        let entry = rows::get_clip(&self.inner, name).map_err(wrap)?;
        let mut annotations = entry.annotations.clone();
        let told = change(&entry, &mut annotations)?;
        if annotations != entry.annotations {
            self.annotate(name, annotations)?;
        }
        Ok(told)
    }

    /// Makes the changes lasting.
    pub fn commit(self) -> Result<(), LibraryError> {
        let path = self.path;
        self.inner
            .commit()
            .map_err(|error| database_error(path, error))
    }
}

fn remove(connection: &Connection, name: &str) -> Rows<()> {
    match rows::get_clip(connection, name) {
        Ok(entry) => rows::delete_clip(connection, &entry),
        Err(RowError::DamagedClip(_)) => rows::delete_damaged(connection, name),
        Err(error) => Err(error),
    }
}

fn rename(connection: &Connection, name: &str, new_name: &str) -> Rows<()> {
    let entry = rows::get_clip(connection, name)?;
    if name != new_name && rows::find_clip(connection, new_name)?.is_some() {
        return Err(RowError::NameTaken(new_name.into()));
    }
    let renamed = ClipEntry {
        name: new_name.into(),
        ..entry.clone()
    };
    rows::update_entry(connection, &entry, &renamed)
}

fn annotate(connection: &Connection, name: &str, annotations: Annotations) -> Rows<()> {
    let entry = rows::get_clip(connection, name)?;
    rows::update_annotations(connection, &entry, annotations.fitted(entry.frames))
}

fn check_labels(annotations: &Annotations) -> Result<(), LibraryError> {
    let mut said = annotations.all_spans();
    said.try_for_each(|span| check_label(&span.label))
}

pub(crate) fn load(connection: &Connection, entries: Vec<ClipEntry>) -> Rows<Vec<Clip>> {
    let skeletons = skeleton_map(connection)?;
    let mut packed = Vec::with_capacity(entries.len());
    for entry in &entries {
        let missing = || {
            let what = "its skeleton can't be read";
            RowError::DamagedClip(Damage::of_clip(&entry.name, what))
        };
        let skeleton = skeletons.get(&entry.skeleton).ok_or_else(missing)?;
        packed.push((entry, skeleton, rows::read_blobs(connection, entry)?));
    }
    packed
        .par_iter()
        .map(|(entry, skeleton, blobs)| rows::unpack_clip(entry, skeleton, blobs))
        .collect()
}

fn write_empty(draft: &Path, meant: &Path) -> Result<(), LibraryError> {
    let wrap = |error| database_error(meant, error);
    let _ = fs::remove_file(draft); // left by a program of the same number that died
    let connection = Connection::open(draft).map_err(wrap)?;
    schema::initialise(&connection).map_err(wrap)?;
    connection.close().map_err(|(_, error)| wrap(error))?;
    let synced = fs::File::open(draft).and_then(|file| file.sync_all());
    synced.map_err(|error| file_error(meant, error))
}

/// Whether a file can be a library at all, said more clearly than SQLite would.
fn check_header(path: &Path) -> Result<(), LibraryError> {
    if !path.exists() {
        return Err(LibraryError::Missing { path: path.into() });
    }
    let not_a_library = |what: &str| LibraryError::NotALibrary {
        path: path.into(),
        what: what.into(),
    };
    if path.is_dir() {
        return Err(not_a_library("it is a folder"));
    }
    if !path.is_file() {
        return Err(not_a_library("it is a pipe or a device"));
    }
    let mut start = Vec::new();
    let file = fs::File::open(path).map_err(|error| file_error(path, error))?;
    file.take(16)
        .read_to_end(&mut start)
        .map_err(|error| file_error(path, error))?;
    match start.as_slice() {
        b"SQLite format 3\0" => Ok(()),
        [] => Err(not_a_library("it is empty")),
        _ => Err(not_a_library("it is another kind of file")),
    }
}

/// The path with something after its name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                uri.push(char::from(*byte));
            }
            byte => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}

fn row_error(path: &Path, error: RowError) -> LibraryError {
    match error {
        RowError::Sql(error) => database_error(path, error),
        RowError::Damaged(what) => LibraryError::Damaged {
            path: path.into(),
            what,
        },
        RowError::DamagedClip(damage) => LibraryError::DamagedClip {
            path: path.into(),
            damage,
        },
        RowError::NoClip(name) => LibraryError::NoClip {
            name,
            hint: String::new(),
        },
        RowError::NameTaken(name) => LibraryError::NameTaken { name },
    }
}

fn file_error(path: &Path, error: std::io::Error) -> LibraryError {
    match error.kind() {
        std::io::ErrorKind::StorageFull => LibraryError::Full { path: path.into() },
        _ => LibraryError::Files {
            path: path.into(),
            error,
        },
    }
}

/// Refuses a place for a library that belongs to another one.
fn check_place(path: &Path) -> Result<(), LibraryError> {
    match belongs_to_library(path) {
        Some(library) => Err(LibraryError::Belongs {
            path: path.into(),
            library,
        }),
        None => Ok(()),
    }
}
