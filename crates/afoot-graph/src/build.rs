//! Building a motion graph from clips: the stages of Kovar et al. 2002, §3, in order.
//!
//! Clips are compared (`distance`), similar windows become candidates (`minima`, `tiles`), those
//! under their threshold transitions, which with the clips make a network of which the strongly
//! connected part is kept (`assemble`). Clips should be level (`level_clip`), or at least carry
//! their ground. Cost: 9 ns per pair of frames and core, then linear in the transitions.

use afoot_codec::Table;
use afoot_core::{Clip, FrameRate};
use afoot_run::Run;
use rayon::prelude::*;

use crate::advice::{mean_error, set_extents};
use crate::assemble::{Footage, assemble, held_frames, restrict};
use crate::auto::find_thresholds;
use crate::candidates::Candidates;
use crate::distance::{PointCloud, WindowShape};
use crate::labels::{MOST_WORDS, frame_labels, vocabulary};
use crate::level::{is_level, level_clip};
use crate::motion_graph::{GraphClip, LabelSet, MotionGraph};
use crate::options::{
    GraphError, GraphOptions, check_candidates, check_clips, check_options, window_frames,
};
use crate::outliers::outlier_frames;
use crate::possible::{Material, PossibleTransition, Spacing};
use crate::prune::{Pruning, prune};
use crate::report::{GraphReport, Stage, advise};
use crate::search::CandidateSearch;
use crate::thresholds::Thresholds;
use crate::transitions::place_transitions;

/// Builds the graph of `clips`, in their order.
pub fn build_graph(
    clips: &[Clip],
    options: &GraphOptions,
    run: &Run,
) -> Result<(MotionGraph, GraphReport), GraphError> {
    let candidates = find_candidates(clips, options, &Candidates::none(), run)?;
    build_from_candidates(clips, &candidates, options, run)
}

/// The candidates of `clips`; of clips that `known` has too, nothing is compared again.
pub fn find_candidates(
    clips: &[Clip],
    options: &GraphOptions,
    known: &Candidates,
    run: &Run,
) -> Result<Candidates, GraphError> {
    let Some(search) = prepare_search(clips, options)? else {
        return Ok(Candidates::none());
    };
    Ok(search.complete(known, run)?)
}

/// The search for the candidates of `clips`, to be run in tiles; `None` of no clips.
pub fn prepare_search(
    clips: &[Clip],
    options: &GraphOptions,
) -> Result<Option<CandidateSearch>, GraphError> {
    check_options(options)?;
    check_clips(clips)?;
    let Some(first) = clips.first() else {
        return Ok(None);
    };
    let options = options.search(first.rate);
    let borrowed: Vec<&Clip> = clips.iter().collect();
    CandidateSearch::new(&borrowed, options)
        .ok_or(GraphError::NoWeight)
        .map(Some)
}

/// Builds the graph of `clips` from all their candidates.
pub fn build_from_candidates(
    clips: &[Clip],
    candidates: &Candidates,
    options: &GraphOptions,
    run: &Run,
) -> Result<(MotionGraph, GraphReport), GraphError> {
    check_options(options)?;
    check_clips(clips)?;
    check_candidates(clips, candidates, options)?;
    let mut report = GraphReport::default();
    let frame = empty_graph(clips, options, &mut report)?;
    let outliers = outlier_frames(clips);
    warn_of_outliers(clips, &outliers, &mut report);
    let footage: Vec<Footage> = clips
        .iter()
        .zip(&outliers)
        .map(|(clip, outliers)| film(clip, outliers, &frame.vocabulary))
        .collect();
    let material = Material::new(&footage, &candidates.list, frame.window);
    let thresholds = choose_thresholds(&material, &frame.vocabulary, options);
    let possible = match options.minimum_clip > 0.0 {
        false => material.choose(&thresholds),
        true => {
            let shortest = frame.rate.frames_in(options.minimum_clip) as u32;
            let search = prepare_search(clips, options)?.ok_or(GraphError::OtherCandidates)?;
            let spacing = Spacing {
                clip: shortest,
                most_partners: options.most_partners,
            };
            material.choose_apart(&thresholds, search.features(), spacing)
        }
    };
    report.candidates = candidates.list.len() as u64;
    report.transitions = possible.len() as u64;
    advise(&material, &thresholds, &frame, options, &mut report);
    if options.minimum_clip > 0.0 {
        let coalesced = material.with_possible(possible.clone());
        report.sets = set_extents(&coalesced, &thresholds, &frame.vocabulary);
    }
    go_on(run, Stage::Choice, possible.len())?;
    let graph = connect(&footage, &possible, frame, options.pruning, &mut report);
    let graph = place(graph, clips, options)?;
    go_on(run, Stage::Transitions, graph.transitions.len())?;
    Ok((graph, report))
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
        transitions: Table::default(),
        nodes: Table::default(),
        edges: Table::default(),
        first_edge: vec![0].into(),
        traces: Table::default(),
    })
}

fn warn_of_outliers(clips: &[Clip], outliers: &[Vec<bool>], report: &mut GraphReport) {
    for (clip, outliers) in clips.iter().zip(outliers) {
        let count = outliers.iter().filter(|outlier| **outlier).count();
        if let Some(first) = outliers.iter().position(|outlier| *outlier) {
            let seconds = first as f64 * clip.rate.frame_time();
            report.warnings.push(format!(
                "clip {:?}: {count} frames from {seconds:.2} s on move as nothing else in the \
                 library does, and are not played",
                clip.name
            ));
        }
    }
}

fn film(clip: &Clip, outliers: &[bool], vocabulary: &[String]) -> Footage {
    let mut usable: Vec<bool> = outliers.iter().map(|outlier| !outlier).collect();
    for fault in &clip.faults {
        let end = (fault.end as usize).min(usable.len());
        usable[(fault.start as usize).min(end)..end].fill(false);
    }
    Footage {
        labels: frame_labels(clip, vocabulary),
        usable,
    }
}

fn choose_thresholds(
    material: &Material<'_>,
    vocabulary: &[String],
    options: &GraphOptions,
) -> Thresholds {
    if let Some(auto) = &options.auto {
        return find_thresholds(material, auto, options.ceiling_cm());
    }
    let bit = |word: &str| {
        let index = vocabulary.iter().position(|known| known == word);
        LabelSet(index.map_or(0, |index| 1 << index))
    };
    let pairs = options
        .pairs
        .iter()
        .map(|p| (bit(&p.a), bit(&p.b), p.threshold_cm));
    Thresholds::fixed(
        &material.sets,
        options.threshold_cm,
        &pairs.collect::<Vec<_>>(),
    )
}

/// Keeps what is strongly connected.
fn connect(
    footage: &[Footage],
    possible: &[PossibleTransition],
    frame: MotionGraph,
    pruning: Pruning,
    report: &mut GraphReport,
) -> MotionGraph {
    let network = assemble(footage, possible);
    let second = frame.rate.frames_in(1.0) as u64;
    let keep = prune(&network, footage, possible, pruning, frame.window, second);
    let (footage, possible) = restrict(&network, &keep, footage, possible);
    report.component_frames = held_frames(&footage, &possible);
    report.component_share = report.component_frames as f64 / report.frames.max(1) as f64;
    report.mean_error_cm = mean_error(&possible);
    let transitions = possible
        .iter()
        .map(PossibleTransition::transition)
        .collect();
    assemble(&footage, &possible).into_graph(MotionGraph {
        transitions,
        ..frame
    })
}

/// Finds where the transitions put the clips that they lead to, and where the root goes in them.
fn place(
    graph: MotionGraph,
    clips: &[Clip],
    options: &GraphOptions,
) -> Result<MotionGraph, GraphError> {
    if clips.is_empty() {
        return Ok(graph);
    }
    let levelled: Vec<Clip>;
    let level = match clips.iter().all(is_level) {
        true => clips,
        false => {
            levelled = clips.par_iter().map(level_clip).collect();
            &levelled
        }
    };
    let borrowed: Vec<&Clip> = level.iter().collect();
    let cloud = PointCloud::for_clips(&borrowed, &options.cloud).ok_or(GraphError::NoWeight)?;
    let shape = WindowShape::new(graph.window as usize, options.cloud.taper);
    let transitions = place_transitions(&graph, level, &cloud, &shape)?;
    let placed = MotionGraph {
        transitions,
        ..graph
    };
    Ok(placed.with_traces(level)?)
}

fn go_on(run: &Run, stage: Stage, count: usize) -> Result<(), GraphError> {
    run.progress(stage.name(), count as u64, count as u64);
    Ok(run.check()?)
}
