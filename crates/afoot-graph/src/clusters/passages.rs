//! Ways through all sequences of a cluster graph: clips that lead to others, and back (Shanbhag 2006,
//! §4.3.2, §4.3.3), and how long they take at worst (§8.1).
//!
//! A sequence has two vertices: entered by a leap just now, and ready to be left; playing leads from
//! the one to the other, so that whatever is entered plays for a while. Added error, time, what is done by the
//! way (`by_the_way`) and what is lost of both clips are one cost. Cost: one Dijkstra over all sequences, with at most [`MOST_LEAPS`] leaps from each.

use afoot_core::{ClipId, FrameRate};
use afoot_search::{Arc, Arcs, Start, least_sums};
use rayon::prelude::*;

use super::cluster_graph::{ClusterGraph, SequenceId};
use super::leaps::{Leap, aligned_leap, leap_between};
use super::library_frames::LibraryFrames;
use super::loops::Loop;
use super::routes::{CHANGE, Route, RouteKind, Wish, frames_between, lost};

/// What a metre of error weighs as much as: a centimetre is as bad as a tenth of a second more. [s/m]
const SECONDS_PER_METRE: f32 = 10.0;
/// Leaps that are tried from a sequence, the most similar ones: a node of an hour of walks has thousands.
const MOST_LEAPS: usize = 256;

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
    let arcs = timed_arcs(graph, frames, least_play);
    let clips: Vec<ClipId> = (0..frames.clips() as u32).map(ClipId).collect();
    let time = |clip: &ClipId| reach_time(graph, &arcs, *clip);
    clips.par_iter().map(time).collect()
}

/// Which loops over other clips are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThroughOptions {
    /// Least that is played between two leaps. [frames]
    pub least_play: u32,
    /// How many, at most.
    pub count: usize,
}

/// The ways of a clip over others back into itself, by added error and time, best first.
pub fn find_loops_through(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    clip: ClipId,
    options: ThroughOptions,
) -> Vec<Loop> {
    let ThroughOptions { least_play, count } = options;
    let passages = Passages::new(graph, frames, least_play);
    let entries = &graph.of_clip[clip.index()];
    let found: Vec<Vec<(f32, Loop)>> = entries
        .par_iter()
        .map(|entry| passages.loops(clip, *entry, count))
        .collect();
    let mut found = found.concat();
    found.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut loops: Vec<Loop> = Vec::new();
    for (_, found) in found {
        if loops.len() < count && !loops.contains(&found) {
            loops.push(found);
        }
    }
    loops
}

/// Ways through all sequences: of each, having just entered it, and ready to leave it.
pub(super) struct Passages<'a> {
    graph: &'a ClusterGraph,
    frames: &'a LibraryFrames,
    least_play: u32,
    arcs: Vec<Arc>,
    /// Where the arcs of each vertex start.
    first: Vec<u32>,
}

/// A first leap, and what it costs to get where one wants from there.
#[derive(Clone, Copy)]
struct Begun {
    cost: f32,
    from: SequenceId,
    to: SequenceId,
}

/// The vertex of a sequence that was just entered.
fn entered(SequenceId(index): SequenceId) -> u32 {
    2 * index
}

/// The vertex of a sequence that may be left.
fn ready(SequenceId(index): SequenceId) -> u32 {
    2 * index + 1
}

/// The sequence of a vertex.
fn sequence_of(vertex: u32) -> SequenceId {
    SequenceId(vertex / 2)
}

impl<'a> Passages<'a> {
    pub(super) fn new(graph: &'a ClusterGraph, frames: &'a LibraryFrames, least_play: u32) -> Self {
        let sequences: Vec<SequenceId> =
            (0..graph.sequences.len() as u32).map(SequenceId).collect();
        let of_sequence = |id: &SequenceId| {
            let exit = first_exit(graph, *id, least_play);
            let on = graph.after(*id).map(|next| Arc {
                from: ready(*id),
                ..play_by_the_way(graph, frames, *id, next)
            });
            let onward = on.into_iter().chain(leaps_of(graph, frames, *id)).collect();
            let exit = exit.map(|exit| play_by_the_way(graph, frames, *id, exit));
            (exit, onward)
        };
        let rows: Vec<(Option<Arc>, Vec<Arc>)> = sequences.par_iter().map(of_sequence).collect();
        let (mut arcs, mut first) = (Vec::new(), vec![0]);
        for (exit, onward) in rows {
            arcs.extend(exit);
            first.push(arcs.len() as u32);
            arcs.extend(onward);
            first.push(arcs.len() as u32);
        }
        Self {
            graph,
            frames,
            least_play,
            arcs,
            first,
        }
    }

    /// The best ways of at least two leaps, the first of which does not lead where one wants to go.
    pub(super) fn routes(&self, wish: &Wish, count: usize) -> Vec<Route> {
        let entries = self.graph.of_clip[wish.to.index()].iter().filter(|id| {
            let entry = self.graph.sequence(**id).aligned.0 + 1;
            wish.into.is_none_or(|into| entry <= into.0)
        });
        let entries = entries.map(|id| (*id, self.skipped(wish, *id)));
        let sums = self.sums_to(entries);
        let exits = self.graph.of_clip[wish.from.index()].iter();
        let mut begun: Vec<Begun> = exits
            .flat_map(|exit| self.begin(*exit, wish.to, &sums))
            .map(|begun| Begun {
                cost: begun.cost + self.detour(wish, begun.from),
                ..begun
            })
            .collect();
        begun.sort_by(|x, y| x.cost.total_cmp(&y.cost).then(x.from.cmp(&y.from)));
        let mut routes: Vec<Route> = Vec::new();
        for begun in begun {
            let route = Route {
                kind: RouteKind::Through,
                leaps: self.follow(begun, wish.to, &sums),
            };
            if routes.len() < count && !routes.contains(&route) {
                routes.push(route);
            }
        }
        routes
    }

    /// Loops that leave a clip later than `entry`, for other clips, and enter it again there; with
    /// what each costs.
    fn loops(&self, clip: ClipId, entry: SequenceId, count: usize) -> Vec<(f32, Loop)> {
        let sums = self.sums_to(std::iter::once((entry, 0.0)));
        let soonest = self.graph.sequence(entry).aligned.0 + 1 + self.least_play;
        let own = self.graph.of_clip[clip.index()].iter();
        let exits = own.filter(|id| {
            self.graph.sequence(**id).aligned.0 >= soonest && self.leads_to(entry, **id)
        });
        let mut begun: Vec<Begun> = exits
            .flat_map(|exit| self.begin(*exit, clip, &sums))
            .collect();
        begun.sort_by(|x, y| x.cost.total_cmp(&y.cost).then(x.from.cmp(&y.from)));
        begun.truncate(count);
        let looped = |begun: &Begun| {
            let leaps = self.follow(*begun, clip, &sums);
            let (out, back) = (leaps.first()?, leaps.last()?);
            let own = (out.from.frame.0 + 1).checked_sub(back.to.frame.0)?;
            let period = own + frames_between(&leaps);
            Some((begun.cost, Loop { leaps, period }))
        };
        begun.iter().filter_map(looped).collect()
    }

    /// Whether a clip plays from one of its sequences to a later one without a gap.
    fn leads_to(&self, from: SequenceId, to: SequenceId) -> bool {
        let mut at = Some(from);
        while let Some(id) = at.filter(|id| *id != to) {
            at = self.graph.after(id);
        }
        at.is_some()
    }

    /// First leaps from a sequence to other clips than `goal`, from which it can be reached.
    fn begin<'s>(
        &'s self,
        exit: SequenceId,
        goal: ClipId,
        sums: &'s [f32],
    ) -> impl Iterator<Item = Begun> + 's {
        let leaps = self.arcs_of(ready(exit)).iter().filter(|arc| is_leap(arc));
        leaps.filter_map(move |arc| {
            let to = sequence_of(arc.to);
            let cost = arc.length + sums[arc.to as usize];
            let begun = Begun {
                cost,
                from: exit,
                to,
            };
            (self.graph.sequence(to).clip != goal && cost.is_finite()).then_some(begun)
        })
    }

    /// What leaving elsewhere than wished costs.
    fn detour(&self, wish: &Wish, exit: SequenceId) -> f32 {
        let frame = self.graph.sequence(exit).aligned.0;
        let frames = wish.near.map_or(0, |near| near.0.abs_diff(frame));
        lost(frames, self.frames.rate()) as f32
    }

    /// What entering later than wished costs.
    fn skipped(&self, wish: &Wish, entry: SequenceId) -> f32 {
        let frame = self.graph.sequence(entry).aligned.0 + 1;
        let frames = wish.first.map_or(0, |first| first.0.abs_diff(frame));
        lost(frames, self.frames.rate()) as f32
    }

    /// The least cost from every vertex until one of the goals is entered, with what each costs by itself.
    fn sums_to(&self, goals: impl Iterator<Item = (SequenceId, f32)>) -> Vec<f32> {
        let starts = goals.map(|(id, sum)| Start {
            node: entered(id),
            sum,
        });
        let reversed = self.arcs.iter().map(|arc| arc.reversed());
        least_sums(&Arcs::new(2 * self.graph.sequences.len(), reversed), starts)
    }

    fn arcs_of(&self, vertex: u32) -> &[Arc] {
        let [from, to] = [vertex, vertex + 1].map(|vertex| self.first[vertex as usize] as usize);
        &self.arcs[from..to]
    }

    /// The leaps of the best way that begins with a leap, until a clip is entered where that is the goal.
    fn follow(&self, begun: Begun, goal: ClipId, sums: &[f32]) -> Vec<Leap> {
        let mut leaps = Vec::new();
        self.add_leap(&mut leaps, begun.from, begun.to);
        let mut at = entered(begun.to);
        loop {
            let cost = |arc: &&Arc| arc.length + sums[arc.to as usize];
            let next = self
                .arcs_of(at)
                .iter()
                .min_by(|x, y| cost(x).total_cmp(&cost(y)));
            // Where it is cheaper to be than to go on from, the way ends.
            let ends = |next: &&Arc| cost(next) > sums[at as usize] * (1.0 + f32::EPSILON * 8.0);
            let is_goal = at.is_multiple_of(2) && self.graph.sequence(sequence_of(at)).clip == goal;
            let Some(next) = next.filter(|next| !(is_goal && ends(next))) else {
                break;
            };
            if is_leap(next) {
                self.add_leap(&mut leaps, sequence_of(next.from), sequence_of(next.to));
            }
            at = next.to;
        }
        leaps
    }

    /// A leap at the exact best pair, or at the alignment frames where the clip before would play too
    /// short otherwise.
    fn add_leap(&self, leaps: &mut Vec<Leap>, from: SequenceId, to: SequenceId) {
        let soonest = leaps
            .last()
            .map_or(0, |leap| leap.to.frame.0 + self.least_play);
        let exact = leap_between(self.graph, self.frames, from, to)
            .filter(|leap| leap.from.frame.0 + 1 >= soonest);
        let aligned = || aligned_leap(self.graph, self.frames, from, to);
        leaps.extend(exact.or_else(aligned));
    }
}

fn is_leap(arc: &Arc) -> bool {
    arc.from % 2 == 1 && arc.to.is_multiple_of(2)
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

/// The same where nobody asked for it.
fn play_by_the_way(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    from: SequenceId,
    to: SequenceId,
) -> Arc {
    let [left, reached] = [from, to].map(|id| graph.sequence(id));
    Arc {
        from: entered(from),
        to: ready(to),
        length: frames.cost_by_the_way(left.clip, left.aligned, reached.aligned) as f32,
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

/// Whether a sequence's clip goes on after its alignment frame.
fn goes_on(graph: &ClusterGraph, frames: &LibraryFrames, id: SequenceId) -> bool {
    let sequence = graph.sequence(id);
    sequence.aligned.0 + 1 < frames.frames_of(sequence.clip)
}

/// The most similar leaps to other sequences of a node, whose clips go on; never free.
fn leaps_of(graph: &ClusterGraph, frames: &LibraryFrames, from: SequenceId) -> Vec<Arc> {
    if !goes_on(graph, frames, from) {
        return Vec::new();
    }
    let at = |id: SequenceId| {
        let sequence = graph.sequence(id);
        frames.index(sequence.clip, sequence.aligned)
    };
    let others = graph.sequences_of(graph.sequence(from).node);
    let others = others.filter(|to| *to != from && goes_on(graph, frames, *to));
    let mut leaps: Vec<Arc> = others
        .map(|to| Arc {
            from: ready(from),
            to: entered(to),
            length: frames.error(at(from), at(to)) * SECONDS_PER_METRE + CHANGE as f32,
        })
        .collect();
    if leaps.len() > MOST_LEAPS {
        leaps.sort_by(|x, y| x.length.total_cmp(&y.length).then(x.to.cmp(&y.to)));
        leaps.truncate(MOST_LEAPS);
    }
    leaps
}

/// Playing takes its time, leaping none. A leap goes over a vertex of its node, so that there are as
/// many arcs as sequences, not as pairs of them.
fn timed_arcs(graph: &ClusterGraph, frames: &LibraryFrames, least_play: u32) -> Arcs {
    let (rate, sequences) = (frames.rate(), graph.sequences.len());
    let hub = |id: SequenceId| 2 * sequences as u32 + graph.sequence(id).node.0;
    let free = |from, to| Arc {
        from,
        to,
        length: 0.0,
    };
    let mut arcs = Vec::new();
    for id in (0..sequences as u32).map(SequenceId) {
        let exit = first_exit(graph, id, least_play);
        arcs.extend(exit.map(|exit| play(graph, rate, id, exit)));
        arcs.extend(graph.after(id).map(|next| Arc {
            from: ready(id),
            ..play(graph, rate, id, next)
        }));
        if goes_on(graph, frames, id) {
            arcs.extend([free(ready(id), hub(id)), free(hub(id), entered(id))]);
        }
    }
    let reversed = arcs.iter().map(|arc| arc.reversed());
    Arcs::new(2 * sequences + graph.nodes.len(), reversed)
}

fn reach_time(graph: &ClusterGraph, arcs: &Arcs, clip: ClipId) -> ReachTime {
    let own = graph.of_clip[clip.index()].iter();
    let goals = own.flat_map(|id| [entered(*id), ready(*id)]);
    let sums = least_sums(arcs, goals.map(|node| Start { node, sum: 0.0 }));
    let places = sums[..2 * graph.sequences.len()].iter().skip(1).step_by(2);
    let reached: Vec<f32> = places.copied().filter(|sum| sum.is_finite()).collect();
    ReachTime {
        clip,
        worst_seconds: reached.iter().copied().fold(0.0, f32::max).into(),
        reached_share: reached.len() as f64 / graph.sequences.len().max(1) as f64,
    }
}
