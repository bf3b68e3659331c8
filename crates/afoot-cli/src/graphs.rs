//! Graphs for the commands: kept in the library, or built now while a bar tells how far it is.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use afoot_core::Clip;
use afoot_graph::{GraphError, Progress, Stage};
use afoot_library::{GraphStoreError, Library, LibraryGraph};
use afoot_synth::Repertoire;
use indicatif::ProgressBar;

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;

/// A library's graph for a command that makes motion: kept, or built now.
pub fn graph_in_use(path: &Path, console: &Console) -> Result<LibraryGraph, Failure> {
    let mut library = Library::open(path)?;
    let clock = StageClock::start(console);
    let graph = library.graph_in_use(&|progress| clock.tell(progress));
    clock.stop();
    graph.map_err(graph_failure)
}

/// The library's graph, ready to be searched.
pub fn repertoire_of(library: &Path, console: &Console) -> Result<Repertoire, Failure> {
    let LibraryGraph { graph, clips, .. } = graph_in_use(library, console)?;
    Repertoire::new(graph, &clips).map_err(Failure::no_motion)
}

/// The library's graph, ready to be searched, and its clips as captured.
pub fn captured_repertoire_of(
    path: &Path,
    console: &Console,
) -> Result<(Repertoire, Vec<Clip>), Failure> {
    let LibraryGraph { graph, clips, .. } = graph_in_use(path, console)?;
    let repertoire = Repertoire::new(graph, &clips).map_err(Failure::no_motion)?;
    Ok((repertoire, clips))
}

/// What the library lacks is status 3, what is wrong is 1.
pub fn graph_failure(error: GraphStoreError) -> Failure {
    match error {
        GraphStoreError::NoClips | GraphStoreError::NoSuchLabel(_) => Failure::no_motion(error),
        GraphStoreError::Graph(GraphError::Stopped) => interrupt::failure(),
        other => Failure::from(other),
    }
}

/// Shows how far a build is and notes how long its stages take.
pub struct StageClock {
    bar: ProgressBar,
    begun: Instant,
    stages: Mutex<[f64; 3]>,
}

/// How long each stage took. [s]
pub struct StageSeconds {
    pub distance: f64,
    pub choice: f64,
    pub transitions: f64,
    pub total: f64,
}

impl StageClock {
    pub fn start(console: &Console) -> Self {
        let bar = console.progress(1, "comparing");
        Self {
            bar,
            begun: Instant::now(),
            stages: Mutex::new([0.0; 3]),
        }
    }

    pub fn tell(&self, progress: Progress) -> ControlFlow<()> {
        let (index, words) = match progress.stage {
            Stage::Distances => (0, "comparing"),
            Stage::Choice => (1, "choosing"),
            Stage::Transitions => (2, "blending"),
        };
        self.bar.set_message(words);
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
        if let Ok(mut stages) = self.stages.lock() {
            stages[index] = self.begun.elapsed().as_secs_f64();
        }
        interrupt::go_on()
    }

    pub fn stop(self) -> StageSeconds {
        self.bar.finish_and_clear();
        let total = self.begun.elapsed().as_secs_f64();
        let [distance, choice, transitions] = self.stages.into_inner().unwrap_or([0.0; 3]);
        StageSeconds {
            distance,
            choice: (choice - distance).max(0.0),
            transitions: (transitions - choice.max(distance)).max(0.0),
            total,
        }
    }
}
