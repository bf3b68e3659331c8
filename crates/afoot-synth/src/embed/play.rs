//! A path of an embedded graph as motion: displacement curves on root and heading (§6).
//!
//! The walk is played as captured, then every frame is carried to where the embedding bent it. Within a
//! move bends are even, from one move to the next they change at once, which would be a kick; so what was
//! bent is smoothed over [`SMOOTH`] seconds to either side, which makes it nowhere steeper. Then feet are
//! planted anew, as ever.

use afoot_core::{Planar, wrap_angle};
use afoot_world::{EmbeddedPath, Embedding};

use crate::edges::Edges;
use crate::finish::FinishOptions;
use crate::repertoire::Repertoire;
use crate::walk::{GraphWalk, Played, play_walk};
use crate::warp::Warp;

/// Over how long a change of bend is spread, to either side. [s]
const SMOOTH: f64 = 0.15;

/// Motion along a path of an embedded graph.
#[derive(Clone, Debug)]
pub struct PlayedPath {
    /// The walk through the graph.
    pub walk: GraphWalk,
    /// Its motion, bent and with its feet planted.
    pub played: Played,
    /// The root's way as embedded, a pose a frame.
    pub way: Vec<Planar>,
    /// How much of what was allowed it was bent by.
    pub edit: EditShare,
}

/// How much a path is bent, as shares of what is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EditShare {
    /// Over all moves, in the mean.
    pub mean: f64,
    /// The most of any move.
    pub most: f64,
}

/// Plays a path.
pub fn play_path(
    repertoire: &Repertoire,
    embedding: &Embedding,
    path: &EmbeddedPath,
    finish: &FinishOptions,
) -> PlayedPath {
    let walk = walk_of(repertoire, embedding, path);
    let way = embedding.way_of(path);
    let mut played = play_walk(repertoire, &walk);
    let roots: Vec<Planar> = (0..played.clip.len())
        .map(|frame| played.clip.placement(frame.into()))
        .collect();
    let reach = repertoire.graph().rate.frames_in(SMOOTH);
    let knots = knots_of(embedding, path);
    let smooth = smoothed(&roots, &way, &knots, reach);
    let moves = smooth.iter().zip(&roots);
    let shifts = moves
        .clone()
        .map(|(to, from)| [to.x - from.x, to.z - from.z]);
    let turns = moves
        .clone()
        .map(|(to, from)| [wrap_angle(to.yaw - from.yaw), 0.0]);
    let warp = Warp::of(shifts.collect(), turns.collect());
    warp.apply(&mut played.clip, 0);
    repertoire.finish(&mut played.clip, (&walk, Some(&warp)), finish);
    PlayedPath {
        walk,
        played,
        edit: edit_share(embedding, path),
        way,
    }
}

/// The walk through the graph that a path is.
fn walk_of(repertoire: &Repertoire, embedding: &Embedding, path: &EmbeddedPath) -> GraphWalk {
    let (choice, ..) = embedding.parts(path.start);
    let start = embedding.moves.nodes[choice.0 as usize];
    let steps = path.stencils.iter();
    let steps = steps.map(|stencil| embedding.stencils.list[*stencil as usize].step);
    GraphWalk {
        start,
        placement: Planar::carrying(repertoire.root_at(start), embedding.pose(path.start)),
        edges: steps
            .flat_map(|step| embedding.moves.of(step).edges.iter().copied())
            .collect(),
        spare: 0,
    }
}

/// The first frame of each move, and the end.
fn knots_of(embedding: &Embedding, path: &EmbeddedPath) -> Vec<usize> {
    let mut at = 0;
    let frames = path.stencils.iter().map(|stencil| {
        at += embedding.stencils.list[*stencil as usize].frames as usize;
        at
    });
    std::iter::once(0).chain(frames).collect()
}

/// The way as it was bent, without kicks where one move follows another.
///
/// What each frame's step is bent by beside the captured one, turned as the figure is, is smoothed and
/// added up again; what that misses the way's knots by, millimetres, is spread over the moves.
fn smoothed(roots: &[Planar], way: &[Planar], knots: &[usize], reach: usize) -> Vec<Planar> {
    let frames = roots.len();
    let steps = frames - 1;
    let turned = |pose: Planar, by: f64, next: Planar| {
        let step = [next.x - pose.x, next.z - pose.z];
        Planar::new(0.0, 0.0, by).point(step)
    };
    let mut turns = vec![0.0; steps];
    let mut shifts = vec![[0.0; 2]; steps];
    for frame in 0..steps {
        let (captured, next) = (roots[frame], roots[frame + 1]);
        turns[frame] =
            wrap_angle((way[frame + 1].yaw - way[frame].yaw) - wrap_angle(next.yaw - captured.yaw));
        let step = turned(captured, way[frame].yaw - captured.yaw, next);
        shifts[frame] = [
            way[frame + 1].x - way[frame].x - step[0],
            way[frame + 1].z - way[frame].z - step[1],
        ];
    }
    let turns = averaged(
        &turns.iter().map(|turn| [*turn, 0.0]).collect::<Vec<_>>(),
        reach,
    );
    let shifts = averaged(&shifts, reach);
    let mut smooth = vec![way[0]];
    for frame in 0..steps {
        let at = smooth[frame];
        let step = turned(roots[frame], at.yaw - roots[frame].yaw, roots[frame + 1]);
        smooth.push(Planar::new(
            at.x + step[0] + shifts[frame][0],
            at.z + step[1] + shifts[frame][1],
            at.yaw + wrap_angle(roots[frame + 1].yaw - roots[frame].yaw) + turns[frame][0],
        ));
    }
    bring_back(&mut smooth, way, knots);
    smooth
}

/// Spreads what a way misses another by at each knot over the frames between.
fn bring_back(smooth: &mut [Planar], way: &[Planar], knots: &[usize]) {
    let last = smooth.len() - 1;
    let miss = |smooth: &[Planar], at: usize| {
        let (a, b) = (smooth[at.min(last)], way[at.min(last)]);
        [b.x - a.x, b.z - a.z, wrap_angle(b.yaw - a.yaw)]
    };
    let misses: Vec<[f64; 3]> = knots.iter().map(|knot| miss(smooth, *knot)).collect();
    for (index, pair) in knots.windows(2).enumerate() {
        let (first, end) = (pair[0], pair[1].min(last + 1));
        for (frame, pose) in smooth.iter_mut().enumerate().take(end).skip(first) {
            let share = (frame - first) as f64 / (pair[1] - first) as f64;
            let mix =
                |axis: usize| misses[index][axis] * (1.0 - share) + misses[index + 1][axis] * share;
            pose.x += mix(0);
            pose.z += mix(1);
            pose.yaw += mix(2);
        }
    }
}

/// Each value as the mean of those around it.
fn averaged(values: &[[f64; 2]], reach: usize) -> Vec<[f64; 2]> {
    let mean = |at: usize| {
        let reach = reach.min(at).min(values.len() - 1 - at);
        let around = &values[at - reach..=at + reach];
        let sum = around
            .iter()
            .fold([0.0; 2], |sum, v| [sum[0] + v[0], sum[1] + v[1]]);
        sum.map(|sum| sum / around.len() as f64)
    };
    (0..values.len()).map(mean).collect()
}

/// How much of the limits a path's moves are bent by.
fn edit_share(embedding: &Embedding, path: &EmbeddedPath) -> EditShare {
    let edit = &embedding.options.edit;
    let frame_time = embedding.moves.rate.frame_time();
    let share = |index: &u32| {
        let stencil = &embedding.stencils.list[*index as usize];
        let step = embedding.moves.of(stencil.step);
        let limits = edit.limits(step, frame_time);
        let last = limits.shift.len() - 1;
        let heading = f64::from(stencil.heading) * embedding.grid.yaw_step();
        let own = Planar::new(0.0, 0.0, heading).then_after(step.end());
        let end = stencil.end(&embedding.grid);
        let [x, z] = [end.x - own.x, end.z - own.z].map(|off| off / limits.shift[last].max(1e-9));
        let turn = wrap_angle(end.yaw - own.yaw) / limits.turn[last].max(1e-9);
        match edit.shape {
            afoot_world::EditShape::Box => x.abs().max(z.abs()).max(turn.abs()),
            afoot_world::EditShape::Ellipsoid => (x * x + z * z + turn * turn).sqrt(),
        }
    };
    let shares: Vec<f64> = path.stencils.iter().map(share).collect();
    EditShare {
        mean: shares.iter().sum::<f64>() / shares.len().max(1) as f64,
        most: shares.iter().copied().fold(0.0, f64::max),
    }
}
