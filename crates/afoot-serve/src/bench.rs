//! What all calls share: the library that is open, the folder for files in and out, jobs, listeners.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use afoot::{Failure, FileName, Files, FilesBelow, Library};
use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use tokio::sync::{Semaphore, broadcast};

use crate::ServeOptions;
use crate::api::Told;
use crate::history::{Change, Changes};
use crate::jobs::Jobs;

/// Messages that a slow page may lag behind by before it is told to ask anew.
const LAG: usize = 256;

pub(crate) struct Bench {
    library: RwLock<Arc<Library>>,
    files: Shared,
    pub(crate) scratch: Scratch,
    pub(crate) jobs: Jobs,
    pub(crate) changes: Mutex<Changes>,
    /// Held by whoever changes a library.
    pub(crate) writing: Mutex<()>,
    pub(crate) at_work: Arc<Semaphore>,
    pub(crate) sockets: Arc<Semaphore>,
    pub(crate) largest_upload: u64,
    /// Bytes that uploads take, those that are coming in included; held while they are placed or cleared.
    pub(crate) uploaded: Mutex<u64>,
    pub(crate) tour: bool,
    told: broadcast::Sender<Message>,
    numbers: AtomicU64,
}

/// What goes to every page.
#[derive(Clone, Debug)]
pub(crate) enum Message {
    Text(Utf8Bytes),
    Motion(Bytes),
}

impl Bench {
    pub(crate) fn open(options: &ServeOptions) -> Result<Self, Failure> {
        let scratch = Scratch::new()?;
        let files = Shared {
            scratch: scratch.0.clone(),
            libraries: folder_of(&options.library),
            folders: options.folders.clone(),
        };
        let library = Library::open(&options.library)?.with_files(files.clone());
        Ok(Self {
            library: RwLock::new(Arc::new(library)),
            files,
            scratch,
            jobs: Jobs::default(),
            changes: Mutex::default(),
            writing: Mutex::default(),
            at_work: Arc::new(Semaphore::new(options.at_work.max(1))),
            sockets: Arc::new(Semaphore::new(32)),
            largest_upload: options.largest_upload,
            uploaded: Mutex::default(),
            tour: options.tour,
            told: broadcast::channel(LAG).0,
            numbers: AtomicU64::new(1),
        })
    }

    /// The library that is open.
    pub(crate) fn library(&self) -> Arc<Library> {
        let library = self.library.read();
        Arc::clone(&library.unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens a library beside the one that is open; what could be undone in that one is forgotten.
    pub(crate) fn switch(&self, name: &str, create: bool) -> Result<(), Failure> {
        let plain = Path::new(name).file_name().is_some_and(|file| file == name);
        if !plain || !name.ends_with(".afoot") {
            return Err(Failure::bad_value(
                "library",
                name,
                "a name like walks.afoot",
            ));
        }
        let path = self.folder().join(name);
        let library = match create {
            true => Library::create(path)?,
            false => Library::open(path)?,
        };
        let library = Arc::new(library.with_files(self.files.clone()));
        let mut changes = lock(&self.changes);
        *self.library.write().unwrap_or_else(PoisonError::into_inner) = library;
        changes.forget();
        drop(changes);
        self.tell_library();
        Ok(())
    }

    /// Something was done to a library, which can be undone while that one is open.
    pub(crate) fn note(&self, library: &Arc<Library>, change: Change) {
        let mut changes = lock(&self.changes);
        if Arc::ptr_eq(library, &self.library()) {
            changes.note(change);
        }
    }

    /// Where libraries lie that can be opened.
    pub(crate) fn folder(&self) -> PathBuf {
        folder_of(self.library().path())
    }

    /// A number that nothing else has.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Tells all pages.
    pub(crate) fn tell(&self, told: &Told) {
        if let Ok(text) = serde_json::to_string(told) {
            let _ = self.told.send(Message::Text(text.into())); // nobody may be listening
        }
    }

    pub(crate) fn tell_motion(&self, bytes: Bytes) {
        let _ = self.told.send(Message::Motion(bytes));
    }

    /// Tells all pages that the library has changed.
    pub(crate) fn tell_library(&self) {
        let history = lock(&self.changes).told();
        self.tell(&Told::Library { history });
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<Message> {
        self.told.subscribe()
    }

    /// Stops all that is at work.
    pub(crate) fn stop_all(&self) {
        self.jobs.stop_all();
    }
}

fn folder_of(library: &Path) -> PathBuf {
    match library.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// A lock whose holder can't leave it half-done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder for what is uploaded and made; gone when the server ends.
#[derive(Debug)]
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    fn new() -> Result<Self, Failure> {
        let time = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        let name = format!("afoot-serve-{}-{}", std::process::id(), time.as_nanos());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(folder.join("uploads"))?;
        Ok(Self(folder.canonicalize()?))
    }

    /// A folder of its own for a job's results.
    pub(crate) fn of_job(&self, id: u64) -> PathBuf {
        self.0.join(format!("job-{id}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Files that requests may name: what was uploaded or made, libraries that can be opened, and those below chosen
/// folders.
#[derive(Clone, Debug)]
struct Shared {
    scratch: PathBuf,
    libraries: PathBuf,
    folders: Vec<PathBuf>,
}

impl Files for Shared {
    fn locate(&self, name: &FileName) -> Result<PathBuf, Failure> {
        let below = |folder: &PathBuf| FilesBelow(folder.clone()).locate(name);
        let own = below(&self.scratch)?;
        let path = name.as_path();
        let plain = path
            .file_name()
            .is_some_and(|file| file == path.as_os_str());
        let is_library = plain && path.extension().is_some_and(|ending| ending == "afoot");
        let libraries = is_library.then_some(&self.libraries);
        let found = libraries.into_iter().chain(&self.folders).map(below);
        let shared = found.flatten().find(|file| file.exists());
        match (own.exists(), shared) {
            (false, Some(file)) => Ok(file),
            _ => Ok(own),
        }
    }
}
