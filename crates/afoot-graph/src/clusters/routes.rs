//! Ways from one clip into another (Shanbhag 2006, §4.3.2).
//!
//! What is asked for is looked for in the thesis's order: a node that holds the wished exit and
//! entry; the exit nearest to the wished one that enters before the wished action; ways through other
//! clips (`passages`), by least added error and time, what is done by the way included. Single leaps are made at the exact best pair of
//! frames. Cost: of single leaps, the sequences of both clips' nodes.

use std::cmp::Ordering;

use afoot_core::{ClipId, FrameId, FrameRate};

use super::cluster_graph::ClusterGraph;
use super::leaps::{Leap, leap_between};
use super::library_frames::LibraryFrames;
use super::passages::Passages;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// The clip to leave.
    pub from: ClipId,
    /// Where, more or less; anywhere if not said.
    pub near: Option<FrameId>,
    /// The clip to enter.
    pub to: ClipId,
    /// Before what action, at the latest; anywhere if not said.
    pub into: Option<FrameId>,
    /// The first frame of it that should play, if ways that leave it out are worse.
    pub first: Option<FrameId>,
    /// Frames that a clip in between plays at least.
    pub least_play: u32,
}

/// How a way answers a wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RouteKind {
    /// In a node that holds the wished exit and entry.
    Exact,
    /// Directly, elsewhere.
    Direct,
    /// Through other clips, or other parts of these.
    Through,
}

/// A way from clip to clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// How it answers the wish.
    pub kind: RouteKind,
    /// In order; what lies between two plays as captured.
    pub leaps: Vec<Leap>,
}

impl Route {
    /// The errors of all leaps. [m]
    pub fn error(&self) -> f32 {
        self.leaps.iter().map(|leap| leap.error).sum()
    }

    /// Frames played between the first leap and the last.
    pub fn frames_between(&self) -> u32 {
        frames_between(&self.leaps)
    }

    /// What is played between the first leap and the last costs: its time, what it does by the way, and every further
    /// change of clip. [s]
    pub fn cost_between(&self, frames: &LibraryFrames) -> f64 {
        let between = |pair: &[Leap]| {
            let (entered, left) = (pair[0].to, pair[1].from);
            frames.cost_by_the_way(entered.clip, entered.frame, left.frame)
        };
        let changes = (self.leaps.len() - 1) as f64 * CHANGE;
        self.leaps.windows(2).map(between).sum::<f64>() + changes
    }
}

/// A second of a clip that was asked for and is not played is as bad as so many of others that are: it may be the
/// one in which what it is wanted for is done. [s/s]
const LOST: f64 = 2.0;

/// A change of clip more, however good, is as bad as so much more of going on: it is another blend. [s]
pub(super) const CHANGE: f64 = 1.0;

/// What frames cost that were asked for and are not played. [s]
pub fn lost(frames: u32, rate: FrameRate) -> f64 {
    f64::from(frames) * rate.frame_time() * LOST
}

/// Frames played between the first leap and the last.
pub(super) fn frames_between(leaps: &[Leap]) -> u32 {
    let between = |pair: &[Leap]| pair[1].from.frame.0 + 1 - pair[0].to.frame.0;
    leaps.windows(2).map(between).sum()
}

/// The `count` best ways, in the thesis's order.
pub fn find_routes(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    wish: &Wish,
    count: usize,
) -> Vec<Route> {
    let mut routes = direct_routes(graph, frames, wish);
    routes.truncate(count);
    if routes.len() < count {
        routes.extend(through_routes(graph, frames, wish, count - routes.len()));
    }
    routes
}

/// The `count` best ways of two leaps or more, by added error and time.
pub fn through_routes(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    wish: &Wish,
    count: usize,
) -> Vec<Route> {
    Passages::new(graph, frames, wish.least_play).routes(wish, count)
}

/// All single leaps, those that are as wished first, then by nearness to the wished exit.
pub fn direct_routes(graph: &ClusterGraph, frames: &LibraryFrames, wish: &Wish) -> Vec<Route> {
    let at = |clip, frame: Option<FrameId>| graph.sequence_at(clip, frame?);
    let wished = [at(wish.from, wish.near), at(wish.to, wish.into)];
    let mut found = Vec::new();
    for &from in &graph.of_clip[wish.from.index()] {
        for to in graph.sequences_of(graph.sequence(from).node) {
            if graph.sequence(to).clip != wish.to || from == to {
                continue;
            }
            let Some(leap) = leap_between(graph, frames, from, to) else {
                continue;
            };
            let exact = wished == [Some(from), Some(to)];
            if exact || wish.into.is_none_or(|into| leap.to.frame <= into) {
                let kind = match exact {
                    true => RouteKind::Exact,
                    false => RouteKind::Direct,
                };
                let leaps = vec![leap];
                found.push(Route { kind, leaps });
            }
        }
    }
    found.sort_by(|x, y| by_wish(wish, x, y));
    found
}

/// By kind, nearness of the exit, error, and place.
fn by_wish(wish: &Wish, x: &Route, y: &Route) -> Ordering {
    let away = |route: &Route| {
        let exit = route.leaps[0].from.frame;
        wish.near.map_or(0, |near| near.0.abs_diff(exit.0))
    };
    let place = |route: &Route| (route.leaps[0].from, route.leaps[0].to);
    x.kind
        .cmp(&y.kind)
        .then(away(x).cmp(&away(y)))
        .then(x.error().total_cmp(&y.error()))
        .then(place(x).cmp(&place(y)))
}
