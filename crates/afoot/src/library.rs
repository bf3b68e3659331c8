//! An opened library: its file, and what requests share of it, made once and held.
//!
//! A command line opens one for a single request; a server holds it, and the second request finds
//! the graph ready to be searched. What is held is let go when the file changes, whoever changed
//! it. Safe to share between threads; who asks while another loads waits for the same thing.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use afoot_analyze::SourceStatistics;
use afoot_core::Clip;
use afoot_library::{Library as Store, LibraryGraph};
use afoot_run::Run;
use afoot_synth::{ControlOptions, ControlTable, Repertoire};

use crate::failure::Failure;

/// A motion library, open for requests.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    held: Mutex<Held>,
}

/// A library's graph ready to be searched, with what its clips are like.
#[derive(Debug)]
pub struct Stock {
    repertoire: Arc<Repertoire>,
}

/// A stock and the table that steers a figure through it.
#[derive(Debug)]
pub struct Steering {
    /// The graph and its clips.
    pub stock: Arc<Stock>,
    /// The best edges.
    pub table: Arc<ControlTable>,
}

/// What was loaded, and from which state of the file.
#[derive(Debug, Default)]
struct Held {
    stamp: Option<Stamp>,
    stock: Option<Arc<Stock>>,
    steering: Option<Arc<Steering>>,
}

/// Size and time of the library's file and of its journal, if that has anything in it.
type Stamp = [Option<(u64, SystemTime)>; 2];

impl Library {
    /// Makes an empty library.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, Failure> {
        let path = path.into();
        Store::create(&path)?;
        Ok(Self::at(path))
    }

    /// Opens a library.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Failure> {
        let path = path.into();
        Store::open_read_only(&path)?;
        Ok(Self::at(path))
    }

    /// Opens a library, or makes an empty one.
    pub fn open_or_create(path: impl Into<PathBuf>) -> Result<Self, Failure> {
        let path = path.into();
        Store::open_or_create(&path)?;
        Ok(Self::at(path))
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A clip.
    pub fn clip(&self, name: &str) -> Result<Clip, Failure> {
        Ok(self.read()?.clip(name)?)
    }

    /// The graph in use, ready to be searched; built now where there is none.
    pub fn stock(&self, run: &Run) -> Result<Arc<Stock>, Failure> {
        let mut held = self.fresh();
        if let Some(stock) = &held.stock {
            return Ok(Arc::clone(stock));
        }
        let stock = Arc::new(Stock::new(ready(&mut self.write()?, run)?));
        held.stock = Some(Arc::clone(&stock));
        held.stamp = Some(stamp_of(&self.path));
        Ok(stock)
    }

    /// The graph in use for motion that is steered, with its table; made now where there is none.
    pub fn steering(&self, run: &Run) -> Result<Arc<Steering>, Failure> {
        let mut held = self.fresh();
        if let Some(steering) = &held.steering {
            return Ok(Arc::clone(steering));
        }
        let mut store = self.write()?;
        let stock = match &held.stock {
            Some(stock) => Arc::clone(stock),
            None => Arc::new(Stock::new(ready(&mut store, run)?)),
        };
        let table = Arc::new(control_table(&mut store, stock.repertoire(), run)?);
        held.stock = Some(Arc::clone(&stock));
        let steering = Arc::new(Steering { stock, table });
        held.steering = Some(Arc::clone(&steering));
        held.stamp = Some(stamp_of(&self.path));
        Ok(steering)
    }

    /// How fast and jerky the library's own clips are; `None` if it has none to tell by.
    pub fn usual(&self) -> Result<Option<SourceStatistics>, Failure> {
        let clips = self.read()?.load_all()?;
        Ok(SourceStatistics::of_clips(
            &clips.iter().collect::<Vec<_>>(),
        ))
    }

    pub(crate) fn at(path: PathBuf) -> Self {
        let held = Mutex::default();
        Self { path, held }
    }

    /// The file for a request that reads.
    pub(crate) fn read(&self) -> Result<Store, Failure> {
        Ok(Store::open_read_only(&self.path)?)
    }

    /// The file for a request that writes.
    pub(crate) fn write(&self) -> Result<Store, Failure> {
        Ok(Store::open(&self.path)?)
    }

    /// What is held, as far as it belongs to the file as it is.
    fn fresh(&self) -> MutexGuard<'_, Held> {
        // Whoever panicked while loading has stored nothing.
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.stamp != Some(stamp_of(&self.path)) {
            *held = Held::default();
        }
        held
    }
}

/// The graph in use as tables that are mapped, made at the first request.
fn ready(store: &mut Store, run: &Run) -> Result<Repertoire, Failure> {
    let make = |built: LibraryGraph| -> Result<_, Failure> {
        Ok(Repertoire::of_level(built.graph, built.clips)?.to_tables())
    };
    let tables = store.tables_of_graph(Repertoire::TABLES, run, make)?;
    Ok(Repertoire::from_tables(&tables.value)?)
}

/// The library's table of best edges, made once and kept.
fn control_table(
    store: &mut Store,
    repertoire: &Repertoire,
    run: &Run,
) -> Result<ControlTable, Failure> {
    let make = || ControlTable::new(repertoire, &ControlOptions::default(), run);
    match store.graph_key()? {
        Some(key) => {
            let kept = store.get_or_make("in use", key, run, |_| Ok::<_, Failure>(make()?))?;
            Ok(kept.value)
        }
        None => Ok(make()?),
    }
}

impl Stock {
    fn new(repertoire: Repertoire) -> Self {
        let repertoire = Arc::new(repertoire);
        Self { repertoire }
    }

    /// The graph with its clips.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.repertoire
    }

    /// How fast and jerky the clips are as captured.
    pub fn usual(&self) -> Option<&SourceStatistics> {
        self.repertoire.source()
    }
}

fn stamp_of(path: &Path) -> Stamp {
    let mut journal = path.as_os_str().to_owned();
    journal.push("-wal");
    let stamp = |path: &Path| {
        let facts = std::fs::metadata(path).ok()?;
        let time = facts.modified().ok()?;
        (facts.len() > 0).then_some((facts.len(), time))
    };
    [stamp(path), stamp(Path::new(&journal))]
}
