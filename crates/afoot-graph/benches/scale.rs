//! Graphs of 10, 30 and 60 minutes, and what adding one clip to the hour takes.
//!
//! `AFOOT_BIG60=FOLDER cargo bench -p afoot-graph --bench scale` with the unpacked clips of the set
//! big60 (30 fps). They are retargeted to the first one's skeleton before the clock starts.

mod spent;
#[path = "../tests/support/mod.rs"]
mod support;

use std::path::PathBuf;

use afoot_core::{Clip, retarget_clip};
use afoot_graph::{Candidates, GraphOptions, build_from_candidates, find_candidates, level_clip};
use afoot_run::Run;
use rayon::prelude::*;
use spent::{Spent, peak_memory};

fn main() {
    let Some(clips) = clips() else { return };
    let options = GraphOptions::default();
    println!(
        "memory with the clips: {:.0} MiB",
        peak_memory().unwrap_or(0.0)
    );
    println!(
        "minutes  frames  candidates  transitions   share  distances   graph     (processors)  memory"
    );
    let mut known = Candidates::none();
    for minutes in minutes() {
        let part = first(&clips, minutes * 60 * 30);
        let (mut candidates, mut built) = (None, None);
        let found = Spent::by(|| {
            candidates = find_candidates(part, &options, &Candidates::none(), &Run::quiet()).ok()
        });
        known = candidates.expect("the clips fit");
        let graph =
            Spent::by(|| built = build_from_candidates(part, &known, &options, &Run::quiet()).ok());
        let (_, report) = built.expect("the clips fit");
        println!(
            "{minutes:7} {:7} {:11} {:12} {:7.4} {:8.2} s {:7.2} s {:8.2} {:7.2} {:7.0} MiB",
            report.frames,
            report.candidates,
            report.transitions,
            report.component_share,
            found.wall,
            graph.wall,
            found.processor,
            graph.processor,
            peak_memory().unwrap_or(0.0)
        );
    }
    let last = known.clips.len();
    add_one(&clips[..last], &known, &options);
}

/// The minutes named on the command line, else 10, 30 and 60.
fn minutes() -> Vec<usize> {
    let named: Vec<usize> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    if named.is_empty() {
        vec![10, 30, 60]
    } else {
        named
    }
}

/// Takes the last clip out and puts it back.
fn add_one(clips: &[Clip], known: &Candidates, options: &GraphOptions) {
    let before = find_candidates(&clips[..clips.len() - 1], options, known, &Run::quiet())
        .expect("the clips fit");
    let (mut after, mut built) = (None, None);
    let found = Spent::by(|| after = find_candidates(clips, options, &before, &Run::quiet()).ok());
    let after = after.expect("the clips fit");
    assert_eq!(
        after, *known,
        "an addition gives what the whole search gives"
    );
    let graph =
        Spent::by(|| built = build_from_candidates(clips, &after, options, &Run::quiet()).ok());
    let added = clips[clips.len() - 1].len();
    println!(
        "adding one clip of {added} frames: candidates {:.2} s, graph {:.2} s (processors {:.2} {:.2})",
        found.wall, graph.wall, found.processor, graph.processor
    );
}

/// The first clips that have at least so many frames together.
fn first(clips: &[Clip], frames: usize) -> &[Clip] {
    let mut held = 0;
    let enough = clips.iter().position(|clip| {
        held += clip.len();
        held >= frames
    });
    &clips[..enough.map_or(clips.len(), |last| last + 1)]
}

fn clips() -> Option<Vec<Clip>> {
    let Some(folder) = std::env::var_os("AFOOT_BIG60").map(PathBuf::from) else {
        eprintln!("skipped: AFOOT_BIG60 names no folder with the clips of big60");
        return None;
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    let skeleton = support::read_clip(paths.first()?).skeleton;
    let prepare = |path: &PathBuf| {
        let clip = support::with_facts(support::read_clip(path));
        level_clip(&retarget_clip(&clip, &skeleton, &Default::default()).expect("one topology"))
    };
    Some(paths.par_iter().map(prepare).collect())
}
