//! Building a motion graph from clips: the stages of Kovar et al. 2002, §3, in order.
//!
//! Clips are compared (`distance`), similar windows become candidates (`minima`, `tiles`), those
//! under their threshold transitions, which with the clips make a network of which the strongly
//! connected part is kept (`assemble`). Clips should be level (`level_clip`), or at least carry
//! their ground. Cost: 9 ns per pair of frames and core, then linear in the transitions.

use std::ops::ControlFlow;

use afoot_core::{Clip, ClipError, FrameRate};
use afoot_edit::blend::BlendError;
use thiserror::Error;

use crate::assemble::{Footage, assemble, held_frames, largest_component, restrict};
use crate::distance::{CloudOptions, Features, PointCloud, WindowShape};
use crate::labels::{MOST_WORDS, frame_labels, vocabulary};
use crate::level::level_clip;
use crate::minima::Candidate;
use crate::motion_graph::{Edge, GraphClip, LabelSet, MotionGraph, Transition};
use crate::tiles::{Tile, run_tiles};
use crate::transitions::{both_ways, place_transitions};

/// How a graph is built.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphOptions {
    /// Length of the windows that are compared and of the transitions. [s, > 0]
    ///
    /// A third of a second: Kovar et al. 2002, §3.1.
    pub window: f64,
    /// Largest error of a transition. [cm, > 0]
    pub threshold_cm: f32,
    /// Thresholds between frames that carry certain words; the loosest that applies counts.
    pub pairs: Vec<PairThreshold>,
    /// Which points of the body count how much.
    pub cloud: CloudOptions,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self {
            window: 1.0 / 3.0,
            threshold_cm: 4.0,
            pairs: Vec::new(),
            cloud: CloudOptions::default(),
        }
    }
}

/// A threshold for transitions between frames of two words, in either direction.
#[derive(Clone, Debug, PartialEq)]
pub struct PairThreshold {
    /// A word that one window's middle frame carries.
    pub a: String,
    /// A word that the other window's middle frame carries.
    pub b: String,
    /// Largest error. [cm, > 0]
    pub threshold_cm: f32,
}

/// What a build is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Comparing windows; counts pairs of frames.
    Distances,
    /// Choosing among the candidates; counts candidates.
    Choice,
    /// Blending; counts transitions.
    Transitions,
}

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// Units of work done.
    pub done: u64,
    /// Units of work in all.
    pub total: u64,
}

/// Hears of progress, from any thread, and may stop the build.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// What was built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphReport {
    /// Frames of all clips.
    pub frames: u64,
    /// Pairs of frames that were compared.
    pub pairs: u64,
    /// Local minima under the loosest threshold.
    pub candidates: u64,
    /// Transitions under their threshold, before pruning.
    pub transitions: u64,
    /// Captured frames in the largest strongly connected component: those that its edges play, and
    /// those at which its transitions leave and arrive.
    pub component_frames: u64,
    /// Their share of all frames.
    pub component_share: f64,
    /// Mean error of the transitions that were kept. [cm]
    pub mean_error_cm: f64,
    /// What a person should know, a sentence each.
    pub warnings: Vec<String>,
}

/// Why no graph was built.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum GraphError {
    #[error("{0} must be {1}")]
    BadOption(&'static str, &'static str),
    #[error(
        "clips {first:?} and {other:?} have different skeletons; a graph needs one: import with \
         --retarget"
    )]
    OtherSkeleton { first: String, other: String },
    #[error(
        "clips {first:?} ({first_rate}) and {other:?} ({other_rate}) differ in frame rate; import \
         them with one --fps"
    )]
    OtherRate {
        first: String,
        first_rate: FrameRate,
        other: String,
        other_rate: FrameRate,
    },
    #[error("the library uses {0} labels; a graph can tell at most 64 apart")]
    TooManyLabels(usize),
    #[error("every joint has weight 0: nothing is left to compare")]
    NoWeight,
    #[error(transparent)]
    Clip(#[from] ClipError),
    #[error(transparent)]
    Blend(#[from] BlendError),
    #[error("stopped")]
    Stopped,
}

/// Builds the graph of `clips`, in their order.
pub fn build_graph(
    clips: &[Clip],
    options: &GraphOptions,
    progress: OnProgress<'_>,
) -> Result<(MotionGraph, GraphReport), GraphError> {
    check_options(options)?;
    check_clips(clips)?;
    let clips: Vec<Clip> = clips.iter().map(level_clip).collect();
    let mut report = GraphReport::default();
    let frame = empty_graph(&clips, options, &mut report)?;
    if clips.is_empty() {
        return Ok((frame, report));
    }
    let candidates = find_candidates(&clips, &frame, options, progress)?;
    let footage: Vec<Footage> = clips
        .iter()
        .map(|clip| film(clip, &frame.vocabulary))
        .collect();
    let thresholds = Thresholds::new(options, &frame.vocabulary);
    let mut transitions = choose(&candidates, &footage, &thresholds, frame.window);
    report.candidates = candidates.len() as u64;
    report.transitions = transitions.len() as u64;
    let graph = connect(footage, &mut transitions, &clips, frame, &mut report)?;
    Ok((graph, report))
}

/// Frames per window at that rate: at least 2.
pub fn window_frames(seconds: f64, rate: FrameRate) -> usize {
    rate.frames_in(seconds).max(2)
}

fn check_options(options: &GraphOptions) -> Result<(), GraphError> {
    let seconds = options.window;
    if !(seconds > 0.0 && seconds <= 60.0) {
        return Err(GraphError::BadOption(
            "the window",
            "between 0 and 60 seconds",
        ));
    }
    let pairs = options.pairs.iter().map(|pair| pair.threshold_cm);
    if !pairs
        .chain([options.threshold_cm])
        .all(|cm| cm > 0.0 && cm.is_finite())
    {
        return Err(GraphError::BadOption("every threshold", "more than 0 cm"));
    }
    Ok(())
}

fn check_clips(clips: &[Clip]) -> Result<(), GraphError> {
    let Some(first) = clips.first() else {
        return Ok(());
    };
    for clip in clips {
        clip.check()?;
        let names = || (first.name.clone(), clip.name.clone());
        if !clip.skeleton.same_shape(&first.skeleton) {
            let (first, other) = names();
            return Err(GraphError::OtherSkeleton { first, other });
        }
        if clip.rate != first.rate {
            let ((first_name, other), first_rate) = (names(), first.rate);
            let other_rate = clip.rate;
            return Err(GraphError::OtherRate {
                first: first_name,
                first_rate,
                other,
                other_rate,
            });
        }
    }
    Ok(())
}

/// A graph of no nodes that knows its clips and words.
fn empty_graph(
    clips: &[Clip],
    options: &GraphOptions,
    report: &mut GraphReport,
) -> Result<MotionGraph, GraphError> {
    let borrowed: Vec<&Clip> = clips.iter().collect();
    let vocabulary = vocabulary(&borrowed);
    if vocabulary.len() > MOST_WORDS {
        return Err(GraphError::TooManyLabels(vocabulary.len()));
    }
    let thirty = FrameRate::new(30, 1).expect("30/1 is a rate");
    let rate = clips.first().map_or(thirty, |clip| clip.rate);
    let window = window_frames(options.window, rate);
    for clip in clips.iter().filter(|clip| clip.len() < window) {
        let (name, frames) = (&clip.name, clip.len());
        report.warnings.push(format!(
            "clip {name:?} has {frames} frames, fewer than the window's {window}: left out"
        ));
    }
    let frames: u64 = clips.iter().map(|clip| clip.len() as u64).sum();
    report.frames = frames;
    report.pairs = frames * (frames + 1) / 2;
    let known = |clip: &Clip| GraphClip {
        name: clip.name.clone(),
        frames: clip.len() as u32,
    };
    Ok(MotionGraph {
        clips: clips.iter().map(known).collect(),
        rate,
        window: window as u32,
        vocabulary,
        transitions: Vec::new(),
        nodes: Vec::new(),
        edges: Vec::new(),
        first_edge: vec![0],
    })
}

fn find_candidates(
    clips: &[Clip],
    frame: &MotionGraph,
    options: &GraphOptions,
    progress: OnProgress<'_>,
) -> Result<Vec<Candidate>, GraphError> {
    let borrowed: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&borrowed, &options.cloud).ok_or(GraphError::NoWeight)?;
    let shape = WindowShape::new(frame.window as usize, options.cloud.taper);
    let features = Features::new(&borrowed, &cloud, &shape);
    let ceiling = options
        .pairs
        .iter()
        .map(|p| p.threshold_cm)
        .fold(options.threshold_cm, f32::max);
    let tell = |done, total| {
        progress(Progress {
            stage: Stage::Distances,
            done,
            total,
        })
    };
    run_tiles(&features, &[Tile::all(clips.len())], ceiling, &tell).ok_or(GraphError::Stopped)
}

fn film(clip: &Clip, vocabulary: &[String]) -> Footage {
    let mut usable = vec![true; clip.len()];
    for fault in &clip.faults {
        let end = (fault.end as usize).min(usable.len());
        usable[(fault.start as usize).min(end)..end].fill(false);
    }
    Footage {
        labels: frame_labels(clip, vocabulary),
        usable,
    }
}

/// The threshold of each pair of label sets.
struct Thresholds {
    all: f32,
    pairs: Vec<(LabelSet, LabelSet, f32)>,
}

impl Thresholds {
    fn new(options: &GraphOptions, vocabulary: &[String]) -> Self {
        let bit = |word: &str| {
            let index = vocabulary.iter().position(|known| known == word);
            LabelSet(index.map_or(0, |index| 1 << index))
        };
        let pairs = options.pairs.iter();
        Self {
            all: options.threshold_cm,
            pairs: pairs
                .map(|p| (bit(&p.a), bit(&p.b), p.threshold_cm))
                .collect(),
        }
    }

    fn between(&self, a: LabelSet, b: LabelSet) -> f32 {
        let applies = |(first, second, _): &&(LabelSet, LabelSet, f32)| {
            a.meets(*first) && b.meets(*second) || b.meets(*first) && a.meets(*second)
        };
        let matching = self.pairs.iter().filter(applies).map(|pair| pair.2);
        matching.reduce(f32::max).unwrap_or(self.all)
    }
}

/// The transitions under their threshold, sorted.
fn choose(
    candidates: &[Candidate],
    footage: &[Footage],
    thresholds: &Thresholds,
    window: u32,
) -> Vec<Transition> {
    let middle =
        |clip: u32, start: u32| footage[clip as usize].labels[(start + window / 2) as usize];
    let good =
        |c: &&Candidate| c.error_cm <= thresholds.between(middle(c.a, c.i), middle(c.b, c.s));
    let frames = |clip: u32| footage[clip as usize].labels.len() as u32;
    let chosen = candidates.iter().filter(good);
    let mut transitions: Vec<Transition> = chosen
        .flat_map(|candidate| both_ways(candidate, window, frames))
        .collect();
    transitions.sort_by_key(|t| (t.from, t.to));
    transitions
}

/// Keeps what is strongly connected, and blends its transitions.
fn connect(
    footage: Vec<Footage>,
    transitions: &mut [Transition],
    clips: &[Clip],
    frame: MotionGraph,
    report: &mut GraphReport,
) -> Result<MotionGraph, GraphError> {
    let network = assemble(&footage, transitions, frame.window);
    let kept = largest_component(&network, |_| true);
    let inside = |edge: &Edge| kept[edge.from.0 as usize] && kept[edge.to.0 as usize];
    let (footage, mut transitions) = restrict(&network, &footage, transitions, inside);
    place_transitions(&mut transitions, clips, frame.window)?;
    let network = assemble(&footage, &transitions, frame.window);
    report.component_frames = held_frames(&footage, &transitions);
    report.component_share = report.component_frames as f64 / report.frames.max(1) as f64;
    let errors: f64 = transitions.iter().map(|t| f64::from(t.error_cm)).sum();
    report.mean_error_cm = errors / transitions.len().max(1) as f64;
    Ok(network.into_graph(MotionGraph {
        transitions,
        ..frame
    }))
}
