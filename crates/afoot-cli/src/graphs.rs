//! Graphs for the commands: kept in the library, or built now while a bar tells how far it is.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use afoot_graph::{CodecError, GraphError, Stage};
use afoot_library::{GraphStoreError, Library, LibraryGraph};
use afoot_run::{Event, Run};
use afoot_synth::{Repertoire, RepertoireError};
use indicatif::ProgressBar;

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;

/// The library's graph, ready to be searched: as tables that are mapped, made at the first request.
pub fn repertoire_of(library: &Path, console: &Console) -> Result<Repertoire, Failure> {
    ready(&mut Library::open(library)?, console)
}

/// A library's graph for motion that is shown as it is played.
pub fn planted_repertoire_of(path: &Path, console: &Console) -> Result<Repertoire, Failure> {
    let mut library = Library::open(path)?;
    let repertoire = ready(&mut library, console)?;
    let kept = library.clean_transitions_in_use().map_err(graph_failure)?;
    Ok(repertoire.with_planted_feet(kept))
}

fn ready(library: &mut Library, console: &Console) -> Result<Repertoire, Failure> {
    let clock = StageClock::start(console);
    let make = |built: LibraryGraph| {
        let repertoire = Repertoire::of_level(built.graph, built.clips);
        Ok(repertoire.map_err(Unready::Clips)?.to_tables())
    };
    let tables = library.tables_of_graph(Repertoire::TABLES, &clock.run(), make);
    clock.stop();
    tables
        .and_then(|tables| Ok(Repertoire::from_tables(&tables.value)?))
        .map_err(|error| match error {
            Unready::Graph(error) => graph_failure(error),
            Unready::Clips(error) => Failure::no_motion(error),
            Unready::Tables(error) => Failure::failed(error),
        })
}

/// Why a graph is not ready.
enum Unready {
    Graph(GraphStoreError),
    Clips(RepertoireError),
    Tables(CodecError),
}

impl From<GraphStoreError> for Unready {
    fn from(error: GraphStoreError) -> Self {
        Self::Graph(error)
    }
}

impl From<CodecError> for Unready {
    fn from(error: CodecError) -> Self {
        Self::Tables(error)
    }
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
