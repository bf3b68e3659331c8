//! Candidates against a search of the whole matrix.

#![allow(clippy::unwrap_used)] // a test may

mod support;

use afoot_core::Clip;
use afoot_graph::distance::{
    Block, CloudOptions, Features, PointCloud, RowSink, Rows, WindowShape, sweep,
};
use afoot_graph::{Candidate, Tile, find_minima, run_tiles};
use afoot_run::Run;
use support::{cmu, walks16, wandering};

struct Matrix {
    values: Vec<f32>,
    width: usize,
    first: Vec<usize>,
}

impl RowSink for Matrix {
    fn rows(&mut self, rows: &Rows<'_>) {
        for frame in rows.first..rows.first + rows.count {
            let at = (self.first[rows.clip] + frame) * self.width;
            self.values[at..at + self.width].copy_from_slice(rows.row(frame as isize));
        }
    }
}

/// The definition, word by word, on the whole matrix.
fn slow_minima(features: &Features, ceiling_cm: f32) -> Vec<Candidate> {
    let width = features.total_frames();
    let first: Vec<usize> = (0..features.clips())
        .map(|c| features.cols(c).start)
        .collect();
    let mut matrix = Matrix {
        values: vec![f32::INFINITY; width * width],
        width,
        first,
    };
    sweep(
        features,
        &Block {
            clips: 0..features.clips(),
            cols: 0..width,
        },
        &mut matrix,
    );
    let window = features.window();
    let mut found = Vec::new();
    for a in 0..features.clips() {
        for b in a..features.clips() {
            let error = |i: isize, s: isize| {
                let inside =
                    |at: isize, clip: usize| at >= 0 && at < features.frames(clip) as isize;
                if !inside(i, a) || !inside(s, b) {
                    return f32::INFINITY;
                }
                matrix.values[(matrix.first[a] + i as usize) * width + matrix.first[b] + s as usize]
            };
            let key = |i: isize, s: isize| {
                let rank = |at: isize| at.rem_euclid(window as isize);
                (error(i, s), rank(i), rank(s))
            };
            for i in 0..features.frames(a) as isize {
                for s in 0..features.frames(b) as isize {
                    let near = a == b && s < i + window as isize;
                    if near || error(i, s).sqrt() > ceiling_cm {
                        continue;
                    }
                    let mut around =
                        (-1..=1).flat_map(|di| (-1..=1).map(move |ds| (i + di, s + ds)));
                    if around.all(|at| at == (i, s) || key(i, s) < key(at.0, at.1)) {
                        let [a, b] = [a, b].map(|clip| clip as u32);
                        let error_cm = error(i, s).sqrt();
                        found.push(Candidate {
                            a,
                            b,
                            i: i as u32,
                            s: s as u32,
                            error_cm,
                        });
                    }
                }
            }
        }
    }
    found
}

fn features(clips: &[Clip], window: usize) -> Features {
    let clips: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&clips, &CloudOptions::default()).unwrap();
    Features::new(&clips, &cloud, &WindowShape::new(window, 0.0))
}

fn check(clips: &[Clip], window: usize, ceiling_cm: f32) -> usize {
    let features = features(clips, window);
    let all = [Tile::all(clips.len())];
    let found = run_tiles(&features, &all, ceiling_cm, &Run::quiet()).unwrap();
    assert_eq!(found, slow_minima(&features, ceiling_cm));
    found.len()
}

#[test]
fn they_are_those_of_the_whole_matrix() {
    let clips = [
        wandering("a", 61, 1),
        wandering("b", 8, 2),
        wandering("c", 200, 3),
        wandering("d", 133, 4),
    ];
    assert!(check(&clips, 10, 60.0) > 20);
    assert!(check(&clips, 3, 60.0) > 20);
    assert!(check(&clips, 2, 60.0) > 20);
    check(&clips[..1], 10, 60.0);
}

#[test]
fn strips_of_any_width_find_the_same() {
    let clips = [
        wandering("a", 61, 5),
        wandering("b", 77, 6),
        wandering("c", 90, 7),
    ];
    let features = features(&clips, 10);
    let whole = slow_minima(&features, 50.0);
    for width in [1, 7, 8, 9, 64, 100] {
        let mut found = Vec::new();
        for start in (0..228).step_by(width) {
            let cols = start..(start + width).min(228);
            found.extend(find_minima(&features, &Block { clips: 0..3, cols }, 50.0));
        }
        found.sort_by_key(Candidate::key);
        assert_eq!(found, whole, "width {width}");
    }
}

#[test]
fn faulty_windows_are_never_found() {
    let mut clips = [wandering("a", 80, 8), wandering("b", 80, 9)];
    clips[1].faults = vec![30..33, 70..71];
    assert!(check(&clips, 10, 60.0) > 0);
    let features = features(&clips, 10);
    let found = find_minima(
        &features,
        &Block {
            clips: 0..2,
            cols: 0..160,
        },
        100.0,
    );
    let touches = |start: u32| (21..33).contains(&start) || (61..71).contains(&start);
    assert!(
        found
            .iter()
            .all(|c| !(c.a == 1 && touches(c.i) || c.b == 1 && touches(c.s)))
    );
}

#[test]
fn a_figure_that_stands_still_gives_one_a_window() {
    let mut still = wandering("still", 100, 10);
    let pose = still.pose(afoot_core::FrameId(0));
    still.root.fill(pose.root);
    still.rotations = pose.rotations.repeat(100);
    let clips = [still];
    let count = check(&clips, 10, 1.0);
    assert!((36..=45).contains(&count), "{count}");
}

#[test]
fn captured_walks_have_the_minima_of_the_whole_matrix() {
    let Some(folder) = cmu() else { return };
    let clips = walks16(&folder);
    assert_eq!(clips.iter().map(Clip::len).sum::<usize>(), 2362);
    let count = check(&clips, 10, 4.0);
    // A reference computation has 3,742 transitions, two for each candidate.
    assert!((1850..2000).contains(&count), "{count}");
}
