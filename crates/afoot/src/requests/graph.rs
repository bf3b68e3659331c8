//! A library's motion graph, built or extended.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use afoot_formats::files::write_whole;
use afoot_formats::{WriteOptions, write_motion};
use afoot_graph::{GraphReport, MotionGraph, Preview, Stage, preview_transition, worst_transition};
use afoot_library::{GraphRecipe, LibraryGraph};
use afoot_run::{Event, Run};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;
use crate::motion_files::{check_distinct, check_motion_file, check_picture_file, is_picture};
use crate::pictures;
use crate::ranges::Ranged;
use crate::threads::in_threads;

/// Asks for the graph of a recipe.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BuildGraph {
    /// What it is made of and how.
    pub recipe: GraphRecipe,
    /// Build anew even if the graph is there.
    pub rebuild: bool,
}

/// Where pictures of a graph go.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphPictures {
    /// What other thresholds would give, a PNG.
    pub plot: Option<PathBuf>,
    /// The kept transition with the largest error, cleaned, as a PNG or a motion file.
    pub preview: Option<PathBuf>,
}

/// A graph that was built.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphBuilt {
    /// Frames of all clips.
    pub frames: u64,
    /// Pairs of frames that there are to compare.
    pub pairs: u64,
    /// Local minima of the error up to the ceiling.
    pub candidates: u64,
    /// Transitions under their threshold, before pruning.
    pub transitions: u64,
    /// Transitions in the graph.
    pub kept_transitions: usize,
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Captured frames in it.
    pub component_frames: u64,
    /// Their share of all frames.
    pub component_share: f64,
    /// Mean error of its transitions. [cm]
    pub mean_error_cm: f64,
    /// How much of each label set is kept.
    pub sets: Vec<SetKept>,
    /// The thresholds that were found, if they were to be.
    pub thresholds: Vec<Threshold>,
    /// What other thresholds would give.
    pub trade_off: Vec<ThresholdGives>,
    /// What a person should know, a sentence each.
    pub warnings: Vec<String>,
    /// How long it took.
    pub seconds: StageSeconds,
}

/// How much of a label set is kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetKept {
    /// The labels.
    pub labels: String,
    /// Frames that carry them.
    pub frames: u64,
    /// Of them, frames in the graph.
    pub kept: u64,
}

/// A threshold between two label sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Threshold {
    /// One set.
    pub a: String,
    /// The other.
    pub b: String,
    /// Largest error of a transition between them. [cm]
    pub threshold_cm: f32,
}

/// What a threshold gives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ThresholdGives {
    /// The threshold. [cm]
    pub threshold_cm: f32,
    /// Transitions.
    pub transitions: u64,
    /// Share of the frames that are connected.
    pub share: f64,
    /// Mean error of the transitions. [cm]
    pub mean_error_cm: f64,
}

/// How long each stage took. [s]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct StageSeconds {
    pub distance: f64,
    #[serde(rename = "minima")]
    pub choice: f64,
    pub transitions: f64,
    pub total: f64,
}

impl BuildGraph {
    /// Builds the graph and keeps it as the one in use.
    pub fn run(&self, library: &Library, run: &Run) -> Result<GraphBuilt, Failure> {
        self.run_with_pictures(library, &GraphPictures::default(), run)
    }

    /// [`BuildGraph::run`], with pictures of the graph.
    pub fn run_with_pictures(
        &self,
        library: &Library,
        pictures: &GraphPictures,
        run: &Run,
    ) -> Result<GraphBuilt, Failure> {
        self.check_ranges()?;
        pictures.check()?;
        in_threads(run, || self.build(library, pictures, run))
    }

    fn build(
        &self,
        library: &Library,
        pictures: &GraphPictures,
        run: &Run,
    ) -> Result<GraphBuilt, Failure> {
        let mut store = library.write()?;
        let clock = StageClock::start();
        let built = match self.rebuild {
            true => store.rebuild_graph(&self.recipe, &clock.watch(run)),
            false => store.build_graph(&self.recipe, &clock.watch(run)),
        };
        let seconds = clock.stop();
        let (built, report) = built?;
        report.warnings.iter().for_each(|warning| run.warn(warning));
        let told = GraphBuilt::new(&built.graph, report, seconds);
        if let Some(path) = &pictures.plot {
            write_whole(path, &told.plot()?)?;
        }
        if let Some(path) = &pictures.preview {
            write_preview(&built, path, run)?;
        }
        Ok(told)
    }
}

impl GraphPictures {
    fn check(&self) -> Result<(), Failure> {
        check_picture_file(self.plot.as_deref())?;
        check_distinct(self.plot.iter().chain(&self.preview))?;
        let motion = self.preview.as_deref().filter(|path| !is_picture(path));
        motion.map_or(Ok(()), check_motion_file)
    }
}

impl GraphBuilt {
    /// What other thresholds would give, as a PNG.
    pub fn plot(&self) -> Result<Vec<u8>, Failure> {
        pictures::trade_off(&self.trade_off)
    }

    pub(crate) fn new(graph: &MotionGraph, report: GraphReport, seconds: StageSeconds) -> Self {
        let gives = |row: &afoot_graph::TradeOff| ThresholdGives {
            threshold_cm: row.threshold_cm,
            transitions: row.transitions,
            share: row.share,
            mean_error_cm: row.mean_error_cm,
        };
        let pair = |pair: afoot_graph::PairThreshold| Threshold {
            a: pair.a,
            b: pair.b,
            threshold_cm: pair.threshold_cm,
        };
        let set = |set: afoot_graph::SetExtent| SetKept {
            labels: set.labels,
            frames: set.frames,
            kept: set.kept,
        };
        Self {
            frames: report.frames,
            pairs: report.pairs,
            candidates: report.candidates,
            transitions: report.transitions,
            kept_transitions: graph.transitions.len(),
            nodes: graph.nodes.len(),
            edges: graph.edges.len(),
            component_frames: report.component_frames,
            component_share: report.component_share,
            mean_error_cm: report.mean_error_cm,
            trade_off: report.trade_off.iter().map(gives).collect(),
            sets: report.sets.into_iter().map(set).collect(),
            thresholds: report.thresholds.into_iter().map(pair).collect(),
            warnings: report.warnings,
            seconds,
        }
    }
}

/// The worst transition with half a second on either side.
fn write_preview(built: &LibraryGraph, path: &Path, run: &Run) -> Result<(), Failure> {
    let LibraryGraph { graph, clips, .. } = built;
    let Some(worst) = worst_transition(graph) else {
        return Err(Failure::no_motion("the graph has no transition to show"));
    };
    let around = graph.rate.frames_in(0.5) as u32;
    let Preview { clip, unsettled } = preview_transition(graph, clips, worst, around)?;
    if let Some(error) = unsettled {
        run.warn(format!("feet are shown as they were blended: {error}"));
    }
    match is_picture(path) {
        true => write_whole(path, &pictures::sheet(&clip)?)?,
        false => drop(write_motion(path, &clip, &WriteOptions::default())?),
    }
    Ok(())
}

/// Notes how long the stages of a build take.
pub(crate) struct StageClock {
    begun: Instant,
    stages: Arc<Mutex<[f64; 3]>>,
}

impl StageClock {
    pub(crate) fn start() -> Self {
        Self {
            begun: Instant::now(),
            stages: Arc::default(),
        }
    }

    /// The run, its stages timed.
    pub(crate) fn watch(&self, run: &Run) -> Run {
        let (stages, begun) = (Arc::clone(&self.stages), self.begun);
        let order = [Stage::Distances, Stage::Choice, Stage::Transitions].map(Stage::name);
        run.and_watched(move |event| {
            let Event::Progress(progress) = event else {
                return;
            };
            let index = order.iter().position(|name| *name == progress.stage);
            if let (Some(index), Ok(mut stages)) = (index, stages.lock()) {
                stages[index] = begun.elapsed().as_secs_f64();
            }
        })
    }

    pub(crate) fn stop(self) -> StageSeconds {
        let total = self.begun.elapsed().as_secs_f64();
        let stages = self.stages.lock();
        let [distance, choice, transitions] = stages.map_or([0.0; 3], |stages| *stages);
        StageSeconds {
            distance,
            choice: (choice - distance).max(0.0),
            transitions: (transitions - choice.max(distance)).max(0.0),
            total,
        }
    }
}
