//! Graphs for the commands: kept in the library, or built now while a bar tells how far it is.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use afoot_core::Clip;
use afoot_graph::{GraphError, Stage};
use afoot_library::{GraphStoreError, Library, LibraryGraph};
use afoot_run::{Event, Run};
use afoot_synth::Repertoire;
use indicatif::ProgressBar;

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;

/// A library's graph for a command that makes motion: kept, or built now.
pub fn graph_in_use(path: &Path, console: &Console) -> Result<LibraryGraph, Failure> {
    let mut library = Library::open(path)?;
    let clock = StageClock::start(console);
    let graph = library.graph_in_use(&clock.run());
    clock.stop();
    graph.map_err(graph_failure)
}

/// The library's graph, ready to be searched.
pub fn repertoire_of(library: &Path, console: &Console) -> Result<Repertoire, Failure> {
    let LibraryGraph { graph, clips, .. } = graph_in_use(library, console)?;
    Repertoire::new(graph, &clips).map_err(Failure::no_motion)
}

/// A library's graph for motion that is shown as it is played, and the clips as captured.
pub fn planted_repertoire_of(
    path: &Path,
    console: &Console,
) -> Result<(Repertoire, Vec<Clip>), Failure> {
    let built = graph_in_use(path, console)?;
    let kept = Library::open_read_only(path)?.clean_transitions(&built);
    let kept = kept.map_err(graph_failure)?;
    let LibraryGraph { graph, clips, .. } = built;
    let repertoire = Repertoire::new(graph, &clips).map_err(Failure::no_motion)?;
    Ok((repertoire.with_planted_feet(kept), clips))
}

/// What the library lacks is status 3, what is wrong is 1.
pub fn graph_failure(error: GraphStoreError) -> Failure {
    match error {
        GraphStoreError::NoClips | GraphStoreError::NoSuchLabel(_) => Failure::no_motion(error),
        GraphStoreError::Graph(GraphError::Stopped(_)) => interrupt::failure(),
        other => Failure::from(other),
    }
}

/// Shows how far a build is and notes how long its stages take.
pub struct StageClock {
    bar: ProgressBar,
    begun: Instant,
    stages: Arc<Mutex<[f64; 3]>>,
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
            stages: Arc::default(),
        }
    }

    pub fn run(&self) -> Run {
        let (bar, stages, begun) = (self.bar.clone(), Arc::clone(&self.stages), self.begun);
        let order = [Stage::Distances, Stage::Choice, Stage::Transitions].map(Stage::name);
        Run::watched(move |event| {
            let Event::Progress(progress) = event else {
                return;
            };
            bar.set_message(progress.stage);
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            let index = order.iter().position(|name| *name == progress.stage);
            if let (Some(index), Ok(mut stages)) = (index, stages.lock()) {
                stages[index] = begun.elapsed().as_secs_f64();
            }
        })
        .with_cancel(interrupt::cancel())
    }

    pub fn stop(self) -> StageSeconds {
        self.bar.finish_and_clear();
        let total = self.begun.elapsed().as_secs_f64();
        let [distance, choice, transitions] = self.stages.lock().map_or([0.0; 3], |stages| *stages);
        StageSeconds {
            distance,
            choice: (choice - distance).max(0.0),
            transitions: (transitions - choice.max(distance)).max(0.0),
            total,
        }
    }
}
