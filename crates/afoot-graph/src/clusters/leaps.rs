//! Ways from one clip into another (Shanbhag 2006, §4.3.2), and how long they take (§8.1).
//!
//! Motion leaps from one sequence of a node to another. What is asked for is looked for in the
//! thesis's order: a node that holds the wished exit and entry; the exit nearest to the wished one
//! that enters before the wished action; ways through other clips, by least added error and time.
//! Direct leaps are made at the exact best pair of frames, those in between at alignment frames. Cost:
//! direct, the sequences of both clips' nodes; through others, one Dijkstra over all sequences.

use std::cmp::Ordering;

use afoot_core::{ClipId, FrameId, FrameRate};
use afoot_search::{Arc, Arcs, Start, least_sums};

use super::align::best_pair;
use super::cluster_graph::{ClusterGraph, ClusterId, SequenceId};
use super::library_frames::LibraryFrames;
use crate::motion_graph::Place;

/// What a metre of error weighs as much as: a centimetre is as bad as a tenth of a second more. [s/m]
const SECONDS_PER_METRE: f32 = 10.0;

/// A change of clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leap {
    /// The node that it is made in.
    pub node: ClusterId,
    /// The last frame of the first clip.
    pub from: Place,
    /// The first frame of the second.
    pub to: Place,
    /// How unlike the frame that is left and the one before the entered are. [m]
    pub error: f32,
}

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
        let between = |pair: &[Leap]| pair[1].from.frame.0 + 1 - pair[0].to.frame.0;
        self.leaps.windows(2).map(between).sum()
    }
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
        let through =
            Passages::new(graph, frames, wish.least_play).routes(wish, count - routes.len());
        routes.extend(through);
    }
    routes
}

/// Single leaps, those that are as wished first, then by nearness to the wished exit.
fn direct_routes(graph: &ClusterGraph, frames: &LibraryFrames, wish: &Wish) -> Vec<Route> {
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
                let kind = if exact {
                    RouteKind::Exact
                } else {
                    RouteKind::Direct
                };
                found.push(Route {
                    kind,
                    leaps: vec![leap],
                });
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

/// The best leap from one sequence to another of the node; `None` where one of the clips does not go
/// on after it: a blend needs frames of both.
pub fn leap_between(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    from: SequenceId,
    to: SequenceId,
) -> Option<Leap> {
    let (a, b) = (graph.sequence(from), graph.sequence(to));
    let pair = best_pair(a, b, frames);
    let entered = FrameId(pair.b.0 + 1);
    let goes_on = pair.a.0 + 1 < frames.frames_of(a.clip) && entered.0 < frames.frames_of(b.clip);
    goes_on.then_some(Leap {
        node: a.node,
        from: Place {
            clip: a.clip,
            frame: pair.a,
        },
        to: Place {
            clip: b.clip,
            frame: entered,
        },
        error: pair.error,
    })
}

/// How long it takes at worst until a clip plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachTime {
    /// Which.
    pub clip: ClipId,
    /// From the worst of all places that lead to it. [s]
    pub worst_seconds: f64,
    /// The share of sequences that it can be reached from. [0..1]
    pub reached_share: f64,
}

/// For every clip, how long it takes at worst to get to it from anywhere.
pub fn reach_times(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    least_play: u32,
) -> Vec<ReachTime> {
    let passages = Passages::new(graph, frames, least_play);
    let clips = (0..frames.clips() as u32).map(ClipId);
    clips.map(|clip| passages.reach_time(clip)).collect()
}

/// Ways through all sequences: of each, having just entered it, and ready to leave it.
struct Passages<'a> {
    graph: &'a ClusterGraph,
    frames: &'a LibraryFrames,
    arcs: Vec<Arc>,
    /// Where the arcs of each vertex start.
    first: Vec<u32>,
}

/// The vertex of a sequence that was just entered.
fn entered(SequenceId(index): SequenceId) -> u32 {
    2 * index
}

/// The vertex of a sequence that may be left.
fn ready(SequenceId(index): SequenceId) -> u32 {
    2 * index + 1
}

impl<'a> Passages<'a> {
    fn new(graph: &'a ClusterGraph, frames: &'a LibraryFrames, least_play: u32) -> Self {
        let (mut arcs, mut first) = (Vec::new(), vec![0]);
        for index in 0..graph.sequences.len() as u32 {
            let id = SequenceId(index);
            arcs.extend(
                first_exit(graph, id, least_play).map(|exit| play(graph, frames.rate(), id, exit)),
            );
            first.push(arcs.len() as u32);
            arcs.extend(graph.after(id).map(|next| Arc {
                from: ready(id),
                ..play(graph, frames.rate(), id, next)
            }));
            arcs.extend(leaps_of(graph, frames, id));
            first.push(arcs.len() as u32);
        }
        Self {
            graph,
            frames,
            arcs,
            first,
        }
    }

    /// The best ways of at least two leaps, one for each exit.
    fn routes(&self, wish: &Wish, count: usize) -> Vec<Route> {
        let entries = self.graph.of_clip[wish.to.index()].iter().filter(|id| {
            let entry = self.graph.sequence(**id).aligned.0 + 1;
            wish.into.is_none_or(|into| entry <= into.0)
        });
        let goals = entries.map(|id| Start {
            node: entered(*id),
            sum: 0.0,
        });
        let sums = self.sums_to(goals);
        let exits = self.graph.of_clip[wish.from.index()].iter();
        let mut ranked: Vec<(f32, SequenceId)> = exits
            .map(|exit| {
                (
                    sums[ready(*exit) as usize] + self.detour(wish, *exit),
                    *exit,
                )
            })
            .filter(|(sum, _)| sum.is_finite())
            .collect();
        ranked.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        let mut routes: Vec<Route> = Vec::new();
        for (_, exit) in ranked {
            let route = self.walk(ready(exit), &sums);
            if route.leaps.len() > 1 && !routes.contains(&route) {
                routes.push(route);
            }
            if routes.len() == count {
                break;
            }
        }
        routes
    }

    /// What leaving elsewhere than wished costs.
    fn detour(&self, wish: &Wish, exit: SequenceId) -> f32 {
        let frame = self.graph.sequence(exit).aligned.0;
        let frames = wish.near.map_or(0, |near| near.0.abs_diff(frame));
        frames as f32 * self.frames.rate().frame_time() as f32
    }

    fn reach_time(&self, clip: ClipId) -> ReachTime {
        let goals = self.graph.of_clip[clip.index()].iter();
        let goals = goals.flat_map(|id| [entered(*id), ready(*id)]);
        let timed = self.arcs.iter().map(|arc| match self.is_leap(arc) {
            true => Arc {
                length: 0.0,
                ..*arc
            },
            false => *arc,
        });
        let arcs = Arcs::new(2 * self.graph.sequences.len(), timed.map(Arc::reversed));
        let sums = least_sums(&arcs, goals.map(|node| Start { node, sum: 0.0 }));
        let from_ready: Vec<f32> = sums.iter().skip(1).step_by(2).copied().collect();
        let reached: Vec<f32> = from_ready
            .iter()
            .copied()
            .filter(|sum| sum.is_finite())
            .collect();
        ReachTime {
            clip,
            worst_seconds: reached.iter().copied().fold(0.0, f32::max).into(),
            reached_share: reached.len() as f64 / from_ready.len().max(1) as f64,
        }
    }

    /// The least cost from every vertex to the nearest goal.
    fn sums_to(&self, goals: impl Iterator<Item = Start>) -> Vec<f32> {
        let reversed = self.arcs.iter().map(|arc| arc.reversed());
        least_sums(&Arcs::new(2 * self.graph.sequences.len(), reversed), goals)
    }

    /// The leaps of the best way from a vertex.
    fn walk(&self, start: u32, sums: &[f32]) -> Route {
        let (mut at, mut leaps) = (start, Vec::new());
        while sums[at as usize] > 0.0 {
            let own = self.first[at as usize] as usize..self.first[at as usize + 1] as usize;
            let cost = |arc: &&Arc| arc.length + sums[arc.to as usize];
            let next = self.arcs[own]
                .iter()
                .min_by(|x, y| cost(x).total_cmp(&cost(y)));
            let next = next.expect("what reaches a goal leads on");
            if self.is_leap(next) {
                leaps.push(self.leap(next));
            }
            at = next.to;
        }
        Route {
            kind: RouteKind::Through,
            leaps,
        }
    }

    fn is_leap(&self, arc: &Arc) -> bool {
        arc.from % 2 == 1 && arc.to.is_multiple_of(2)
    }

    fn leap(&self, arc: &Arc) -> Leap {
        let [a, b] = [arc.from, arc.to].map(|vertex| self.graph.sequence(SequenceId(vertex / 2)));
        let at = |clip, frame| self.frames.index(clip, frame);
        Leap {
            node: a.node,
            from: Place {
                clip: a.clip,
                frame: a.aligned,
            },
            to: Place {
                clip: b.clip,
                frame: FrameId(b.aligned.0 + 1),
            },
            error: self
                .frames
                .error(at(a.clip, a.aligned), at(b.clip, b.aligned)),
        }
    }
}

/// Playing on from one sequence to a later one of the clip.
fn play(graph: &ClusterGraph, rate: FrameRate, from: SequenceId, to: SequenceId) -> Arc {
    let frames = graph.sequence(to).aligned.0 - graph.sequence(from).aligned.0;
    Arc {
        from: entered(from),
        to: ready(to),
        length: frames as f32 * rate.frame_time() as f32,
    }
}

/// The first sequence that may be left after entering one, without a gap between.
fn first_exit(graph: &ClusterGraph, id: SequenceId, least_play: u32) -> Option<SequenceId> {
    let soonest = graph.sequence(id).aligned.0 + 1 + least_play;
    let mut at = graph.after(id)?;
    while graph.sequence(at).aligned.0 < soonest {
        at = graph.after(at)?;
    }
    Some(at)
}

/// Leaps to the other sequences of a node, whose clips go on; never free.
fn leaps_of<'a>(
    graph: &'a ClusterGraph,
    frames: &'a LibraryFrames,
    from: SequenceId,
) -> impl Iterator<Item = Arc> + 'a {
    let own = graph.sequence(from);
    let at = frames.index(own.clip, own.aligned);
    graph.sequences_of(own.node).filter_map(move |to| {
        let other = graph.sequence(to);
        let goes_on = |clip, aligned: FrameId| aligned.0 + 1 < frames.frames_of(clip);
        let goes_on = goes_on(own.clip, own.aligned) && goes_on(other.clip, other.aligned);
        let error = frames.error(at, frames.index(other.clip, other.aligned));
        (from != to && goes_on).then_some(Arc {
            from: ready(from),
            to: entered(to),
            length: (error * SECONDS_PER_METRE).max(f32::MIN_POSITIVE),
        })
    })
}
