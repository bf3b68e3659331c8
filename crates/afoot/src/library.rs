//! An opened library: its file, and what requests share of it, made once and held.
//!
//! A command line opens one for a single request; a server holds it, and the second request finds
//! the graph ready to be searched. What is held is let go when the file changes, whoever changed
//! it. Safe to share between threads; who asks while another loads waits for the same thing.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use afoot_analyze::SourceStatistics;
use afoot_core::Clip;
use afoot_library::{ContentHash, Library as Store, LibraryGraph};
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
    /// The clips as captured, where those of the repertoire have their feet planted.
    captured: Option<Vec<Clip>>,
    usual: OnceLock<Option<SourceStatistics>>,
}

/// A stock for motion that is shown as it is played, and the table that steers it.
#[derive(Debug)]
pub struct Steering {
    /// Clips and transitions with planted feet.
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
        let LibraryGraph { graph, clips, .. } = self.write()?.graph_in_use(run)?;
        let stock = Arc::new(Stock::new(Repertoire::new(graph, &clips)?, None));
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
        let built = self.write()?.graph_in_use(run)?;
        let kept = self.read()?.clean_transitions(&built)?;
        let LibraryGraph { graph, clips, .. } = built;
        let repertoire = Repertoire::new(graph, &clips)?.with_planted_feet(kept);
        let table = Arc::new(self.control_table(&repertoire, run)?);
        let stock = Arc::new(Stock::new(repertoire, Some(clips)));
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

    fn at(path: PathBuf) -> Self {
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

    /// The library's table of best edges, made once and kept.
    fn control_table(&self, repertoire: &Repertoire, run: &Run) -> Result<ControlTable, Failure> {
        const KIND: (&str, &str) = ("control", "in use");
        let mut store = self.write()?;
        let sources = ContentHash::of(&repertoire.graph().to_bytes());
        let kept = store.artefact(KIND.0, KIND.1, sources)?;
        if let Some(table) = kept.and_then(|bytes| ControlTable::from_bytes(&bytes).ok()) {
            return Ok(table);
        }
        let table = ControlTable::new(repertoire, &ControlOptions::default(), run)?;
        store.put_artefact(KIND.0, KIND.1, sources, &table.to_bytes())?;
        Ok(table)
    }
}

impl Stock {
    fn new(repertoire: Repertoire, captured: Option<Vec<Clip>>) -> Self {
        Self {
            repertoire: Arc::new(repertoire),
            captured,
            usual: OnceLock::new(),
        }
    }

    /// The graph with its clips.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.repertoire
    }

    /// How fast and jerky the clips are as captured.
    pub fn usual(&self) -> Option<&SourceStatistics> {
        let clips = self.captured.as_deref().unwrap_or(self.repertoire.clips());
        let measure = || SourceStatistics::of_clips(&clips.iter().collect::<Vec<_>>());
        self.usual.get_or_init(measure).as_ref()
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
