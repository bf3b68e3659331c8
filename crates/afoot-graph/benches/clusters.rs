//! Clustering: loco200, another error, the largest state beside kodama, and an hour.
//!
//! `cargo bench -p afoot-graph --bench clusters`; needs the CMU clips (AFOOT_CMU). With
//! `AFOOT_BIG60=FOLDER` (the unpacked clips of the set big60) an hour too. kodama needs all distances
//! of all pairs in memory and knows no states, so it gets the frames of one state. With
//! `AFOOT_VECTORS=FILE` these frames' vectors are written (rows and width as u32, then f32), for
//! `scripts/compare_clustering.py`, which has scipy and fastcluster cluster them.

mod spent;
#[path = "../tests/support/mod.rs"]
mod support;

use std::path::PathBuf;

use afoot_core::{Clip, retarget_clip};
use afoot_graph::clusters::{
    Centre, ClusterGraph, LibraryFrames, PlantState, Rows, USUAL_ERROR_CM, agglomerate,
    cluster_frames, library_frames,
};
use afoot_graph::level_clip;
use afoot_run::Run;
use rayon::prelude::*;
use spent::{Spent, peak_memory};

fn main() {
    if let Some(folder) = support::cmu() {
        let ready = |clip| level_clip(&support::with_facts(clip));
        let clips: Vec<Clip> = support::loco200(&folder)
            .into_par_iter()
            .map(ready)
            .collect();
        let frames = cluster("loco200", &clips);
        beside_kodama(&frames);
    }
    if let Some(clips) = hour() {
        cluster("big60", &clips);
    }
}

/// Clusters clips, cuts the tree, and tells how long each took.
fn cluster(name: &str, clips: &[Clip]) -> LibraryFrames {
    let (mut frames, mut tree, mut graph) = (None, None, None);
    let vectors = Spent::by(|| frames = library_frames(clips, None).ok());
    let frames = frames.expect("the clips fit");
    let merged = Spent::by(|| {
        tree = cluster_frames(&frames, Centre::OfMembers, &Run::quiet()).ok();
    });
    let tree = tree.expect("nothing stops it");
    let cut = Spent::by(|| graph = Some(ClusterGraph::cut(&tree, &frames, USUAL_ERROR_CM / 100.0)));
    let graph = graph.expect("just cut");
    println!(
        "{name}: {} frames, {} nodes, {} sequences, {} edges at {USUAL_ERROR_CM} cm",
        frames.len(),
        graph.nodes.len(),
        graph.sequences.len(),
        graph.edges()
    );
    for (what, spent) in [
        ("vectors", vectors),
        ("clustering", merged),
        ("another error", cut),
    ] {
        let Spent { wall, processor } = spent;
        println!(
            "{what:<16} {:9.1} ms wall {:9.1} ms of processors",
            wall * 1e3,
            processor * 1e3
        );
    }
    println!("memory: {:.0} MiB", peak_memory().unwrap_or(0.0));
    frames
}

/// The frames of the largest state, by both.
fn beside_kodama(frames: &LibraryFrames) {
    let states = PlantState::ALL.map(|state| frames.in_state(state));
    let largest = states
        .iter()
        .max_by_key(|members| members.len())
        .expect("there are states");
    let vector = |index: &u32| frames.vector(*index as usize);
    let values: Vec<f32> = largest.iter().flat_map(vector).copied().collect();
    write_vectors(largest.len(), frames.width(), &values);
    let rows = Rows::new(frames.width(), &values);
    let mut ours = Vec::new();
    let own = Spent::by(|| ours = agglomerate(&rows, Centre::OfMembers));
    let mut heights = Vec::new();
    let other = Spent::by(|| {
        let mut distances: Vec<f32> = Vec::new();
        for (index, a) in largest.iter().enumerate() {
            let after = largest[index + 1..].iter();
            distances.extend(after.map(|b| frames.error(*a as usize, *b as usize)));
        }
        let tree = kodama::linkage(&mut distances, largest.len(), kodama::Method::Centroid);
        heights = tree.steps().iter().map(|step| step.dissimilarity).collect();
    });
    let sum = |heights: &[f32]| heights.iter().map(|height| f64::from(*height)).sum::<f64>();
    let own_heights: Vec<f32> = ours.iter().map(|merge| merge.height).collect();
    println!(
        "{} frames of one state: {:.1} ms, kodama with its distances {:.1} ms ({:.1} times); \
         heights sum to {:.4} and {:.4}",
        largest.len(),
        own.processor * 1e3,
        other.processor * 1e3,
        other.processor / own.processor,
        sum(&own_heights),
        sum(&heights)
    );
}

/// Vectors for other programs, where they are wanted.
fn write_vectors(rows: usize, width: usize, values: &[f32]) {
    let Some(path) = std::env::var_os("AFOOT_VECTORS") else {
        return;
    };
    let mut bytes: Vec<u8> = Vec::new();
    bytes.extend([rows, width].iter().flat_map(|n| (*n as u32).to_le_bytes()));
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    std::fs::write(path, bytes).expect("the file can be written");
}

/// The clips of the hour on the first one's skeleton, with facts.
fn hour() -> Option<Vec<Clip>> {
    let folder = PathBuf::from(std::env::var_os("AFOOT_BIG60")?);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder can be read")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "bvh"))
        .collect();
    files.sort();
    let first = support::read_clip(files.first()?);
    let ready = |path: &PathBuf| {
        let clip = support::read_clip(path);
        let clip = retarget_clip(&clip, &first.skeleton, &Default::default()).ok()?;
        Some(level_clip(&support::with_facts(clip)))
    };
    Some(files.par_iter().filter_map(ready).collect())
}
