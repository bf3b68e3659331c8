//! Following a path as a search problem: states, steps, errors, stages and buckets.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use afoot_core::{FrameId, FrameRate, Locomotion, Planar};
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId, Place};
use afoot_search::{Measured, Problem, Random, Staged, Walk};
use rayon::prelude::*;

use super::sections::{Part, SectionPlan};
use super::{FollowError, FollowOptions, Switch};
use crate::edges::{EdgeCosts, Edges, Join};
use crate::fan::{Fans, SAMPLES, STRETCH, Way};
use crate::guide::Guide;
use crate::rigid::Rigid;
use crate::stand::{Stand, standing_nodes};
use crate::steps::{FASTEST, start_at, whim};

/// Starts that are weighed at a time.
const STARTS: usize = 8192;
/// Length of a stage: about a frame of walking, so that few states of one walk share a stage. [m]
const STAGE: f64 = 0.05;
/// States this close in place across the path and in heading can stand for each other. [m, rad]
const SAME_PLACE: f64 = 0.03;
const SAME_HEADING: f64 = 0.1;
/// Frames of a clip whose states form a group: about half a second at 30 frames a second.
const GROUP: u32 = 16;
/// Farther off the path a walk is given up. [m]
const LOST: f64 = 1.5;
/// Who wants to stand at the end of the path does so within this time, or not at all. [s]
const LATEST_STAND: f64 = 3.0;
/// Stands that are asked for at the ends of a path lie this near to them, and there slowness costs less, so that
/// who stops does it soon. [m]
const END_ZONE: f64 = 1.0;
const END_SHARE: f64 = 0.25;
/// Who stands at an end has stood, or goes on standing, for so long. [s]
const STOOD: f64 = 0.2;
/// From which share of the usual pace on a walker slows down, and at which he all but halts.
const SLOW: [f64; 2] = [0.6, 0.3];
/// The guide is looked at so far before and behind a place, and turns there if the cosine is less: 35°. [m]
const BESIDE: f64 = 0.4;
const TURNS: f64 = 0.82;
/// Slower than this nobody travels. [m/s]
const TRAVELS: f64 = 0.5;
/// Edges that the usual pace is taken from, at most.
const PACED: usize = 20_000;
/// Greatest whim about a start, and about a transition. [m²]
const START_WHIM: f64 = 0.3;
const JOIN_WHIM: f64 = 0.05;
/// Error of a change of section one metre from where it was asked for. [m²]
const SWITCH_ERROR: f64 = 0.1;
/// Transitions of a node that a beam tries. Two leave it to other kinds of walk: with all of them,
/// near copies of a few crowd it, which took twice the time and, on 24 walks and on an hour of motion, had
/// half as much error again (`docs/following.md`).
const MOST_TRIED: usize = 2;

/// What the rest of a walk along a path depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    node: NodeId,
    section: u16,
    done: bool,
    spare: u32,
    /// Frames spent at the guide's end without a stand.
    late: u16,
    /// What the start costs, to be paid with the first step. [m²]
    owed: f32,
    /// How far along the guide. [m]
    along: f64,
    /// Carries the node's clip into the world.
    at: Rigid,
}

impl Spot {
    pub(crate) fn node(&self) -> NodeId {
        self.node
    }

    pub(crate) fn placement(&self) -> Planar {
        self.at.planar()
    }

    pub(crate) fn along(&self) -> f64 {
        self.along
    }

    /// Whether the guide's end is reached.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    pub(crate) fn spare(&self) -> u32 {
        self.spare
    }
}

/// Transitions of a node that are tried, by their look-ahead.
struct Promising {
    first: EdgeId,
    /// Of each from the first on; empty where all are tried.
    errors: Vec<f32>,
    limit: f32,
}

impl Promising {
    #[inline]
    fn contains(&self, edge: EdgeId) -> bool {
        let number = edge.0.checked_sub(self.first.0);
        let error = number.and_then(|number| self.errors.get(number as usize));
        error.is_none_or(|error| *error <= self.limit)
    }
}

/// Where the guide goes on from a state, in the axes of its node's clip.
struct Goals {
    places: Way,
    /// How many of them lie before the guide's end.
    count: usize,
}

impl Goals {
    /// Those before the guide's end.
    fn ahead(&self) -> &[[f32; 2]] {
        &self.places[..self.count]
    }
}

/// What comes of an edge: error and state.
struct Outcome {
    /// Gone to its end; where a stand is wanted at the guide's end, only a stand ends it before.
    taken: Option<(f64, Spot)>,
    /// Ended where the guide does without a stand, though one is wanted.
    ended: Option<(f64, Spot)>,
}

/// How far along the guide an edge has come, and how far off it.
#[derive(Clone, Copy)]
struct Pursuit {
    /// Frames of the edge so far.
    frames: usize,
    /// [m]
    along: f64,
    /// [m²]
    error: f64,
    /// The square of the farthest. [m²]
    farthest_off: f64,
}

/// An edge taken in a section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) edge: EdgeId,
    pub(crate) section: u16,
}

pub(crate) struct Following<'a, G> {
    graph: &'a G,
    guide: &'a Guide,
    plan: &'a SectionPlan,
    fans: Vec<Fans<'a, G>>,
    /// What edges cost beside the path, in each section.
    costs: Vec<EdgeCosts<'a>>,
    options: &'a FollowOptions,
    /// 1 / tolerance². [1/m²]
    quartic: f64,
    /// Least and most progress in a frame. [m]
    least: f64,
    most: f64,
    /// Frames that a stretch of the look-ahead takes at walking pace.
    stretch_frames: f64,
    start: Option<NodeId>,
    /// How fast motion that is meant goes as a rule in each section; `None` where words may mean anything. [m/s]
    paces: Vec<Option<f64>>,
    /// What it costs to begin and to end without a stand; 0 where there is none. [m²]
    stand_prices: [f64; 2],
    /// Whether only the most promising transitions are tried.
    choosy: AtomicBool,
    /// Bits of a number: the problem is looked at from several threads. [m]
    farthest: AtomicU64,
}

/// Least and most progress along the guide in a frame. [m]
pub(crate) fn progress_limits(options: &FollowOptions, rate: FrameRate) -> (f64, f64) {
    let frame_time = rate.frame_time();
    (options.least_speed * frame_time, FASTEST * frame_time)
}

impl<'a, G: Edges> Following<'a, G> {
    pub(crate) fn new(
        graph: &'a G,
        guide: &'a Guide,
        plan: &'a SectionPlan,
        options: &'a FollowOptions,
    ) -> Self {
        let fans = |part: &'a Part| Fans::new(graph, &part.allowed);
        let costs = |part: &Part| graph.costs(&options.preference, &part.labels);
        let costs: Vec<EdgeCosts> = plan.parts.iter().map(costs).collect();
        let paces = plan.parts.iter().zip(&costs);
        let pace = |(part, costs)| usual_pace(graph, part, costs, options.preference.weight);
        let paces = match options.preference.speed {
            Some(_) => vec![None; plan.parts.len()],
            None => paces.map(pace).collect(),
        };
        let rate = graph.layout().rate;
        let (least, most) = progress_limits(options, rate);
        let start = options
            .start
            .and_then(|(clip, frame)| graph.node_from(clip, frame));
        Self {
            graph,
            guide,
            plan,
            fans: plan.parts.iter().map(fans).collect(),
            costs,
            paces,
            options,
            quartic: options.tolerance.max(1e-3).powi(-2),
            least,
            most,
            stretch_frames: STRETCH / 1.3 / rate.frame_time(),
            start,
            stand_prices: stand_prices(graph, plan, options),
            choosy: AtomicBool::new(false),
            farthest: AtomicU64::new(0),
        }
    }

    /// Every place that a walk may start from, on the path's start and facing along it.
    pub(crate) fn starts(&self) -> Result<Vec<Spot>, FollowError> {
        let nodes = self.start_nodes()?.into_iter();
        Ok(nodes.map(|node| self.start_at(node)).collect())
    }

    /// The nodes that a walk may start from.
    pub(crate) fn start_nodes(&self) -> Result<Vec<NodeId>, FollowError> {
        let allowed = &self.plan.parts[0].allowed;
        let mut nodes: Vec<NodeId> = match (self.options.start, self.start) {
            (None, _) => (0..self.graph.layout().places.len() as u32)
                .map(NodeId)
                .collect(),
            (Some(_), Some(node)) => vec![node],
            (Some((clip, frame)), None) => {
                let clip = self.graph.layout().clips[clip.index()].name.clone();
                return Err(FollowError::NoStart {
                    clip,
                    frame: frame.0,
                });
            }
        };
        nodes.retain(|&node| allowed.is_alive(node) && !self.plan.misses_switch(0, node, 0.0));
        Ok(nodes)
    }

    /// Of the places that a walk may start from, the `count` that can go on best by their estimate, the
    /// best first: those that a beam of that width would choose of all, for less than it takes to
    /// hand them over. Of most nodes' fans one place in four is looked at.
    pub(crate) fn best_starts(&self, nodes: &[NodeId], count: usize) -> Vec<Spot> {
        let parts = nodes.par_chunks(STARTS);
        let parts: Vec<Vec<(f64, Spot)>> = parts.map(|nodes| self.best_of(nodes, count)).collect();
        let mut best = parts.concat();
        // Stable, so that of equal ones the first is first, however they were parted.
        best.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        best.truncate(count.max(1));
        best.into_iter().map(|(_, spot)| spot).collect()
    }

    /// The same of some of them, with their estimates.
    fn best_of(&self, nodes: &[NodeId], count: usize) -> Vec<(f64, Spot)> {
        let ahead = self.guide_ahead(0.0);
        let mut best: Vec<(f64, Spot)> = Vec::with_capacity(count + 1);
        let mut limit = f64::INFINITY;
        for &node in nodes {
            let spot = self.start_at(node);
            let goals = self.goals_towards(&spot, &ahead);
            let estimate = self.estimate_below(&spot, &goals, limit);
            if !(estimate.is_finite() && estimate <= limit) {
                continue;
            }
            let at = best.partition_point(|(kept, _)| *kept <= estimate);
            best.insert(at, (estimate, spot));
            best.truncate(count.max(1));
            if best.len() == count.max(1) {
                limit = best[best.len() - 1].0;
            }
        }
        best
    }

    /// Where the guide goes on from a state.
    fn goals(&self, spot: &Spot) -> Goals {
        self.goals_towards(spot, &self.guide_ahead(spot.along))
    }

    /// The guide's next places, a stretch apart.
    fn guide_ahead(&self, along: f64) -> [[f64; 2]; SAMPLES] {
        std::array::from_fn(|index| self.guide.point_at(along + (index + 1) as f64 * STRETCH))
    }

    fn goals_towards(&self, spot: &Spot, ahead: &[[f64; 2]; SAMPLES]) -> Goals {
        let root = self.graph.root_at(spot.node);
        let here = spot.at.point([root.x, root.z]);
        let relative = |ahead: [f64; 2]| {
            let apart = spot.at.undo_turn([ahead[0] - here[0], ahead[1] - here[1]]);
            apart.map(|value| value as f32)
        };
        let left = (self.guide.length() - spot.along) / STRETCH;
        Goals {
            places: ahead.map(relative),
            count: (left as usize).min(SAMPLES),
        }
    }

    /// What is owed and the best way of the node's fan adds; infinite if that is surely more than `limit`.
    fn estimate_below(&self, spot: &Spot, goals: &Goals, limit: f64) -> f64 {
        let owed = f64::from(spot.owed);
        // A little more, for what is lost by rounding.
        let below = ((limit - owed) / self.stretch_frames * (1.0 + 1e-6) + 1e-9) as f32;
        let fans = &self.fans[usize::from(spot.section)];
        let least = fans.least_error(spot.node, goals.ahead(), self.quartic as f32, below);
        match least < below {
            true => self.stretch_frames * f64::from(least) + owed,
            false => f64::INFINITY,
        }
    }

    /// The node's first stretch of travel laid along the guide's.
    pub(crate) fn start_at(&self, node: NodeId) -> Spot {
        let (first, ahead) = (self.guide.point_at(0.0), self.guide.point_at(STRETCH));
        let wanted = (ahead[0] - first[0]).atan2(ahead[1] - first[1]);
        let to = Planar::new(first[0], first[1], wanted);
        let at = start_at(self.graph, node, STRETCH, to);
        Spot {
            node,
            section: 0,
            done: false,
            spare: 0,
            late: 0,
            owed: self.start_price(node) as f32,
            along: 0.0,
            at,
        }
    }

    /// What it costs to start at a node: where nobody stands, and by whim.
    fn start_price(&self, node: NodeId) -> f64 {
        let place = self.graph.layout().places[node.0 as usize];
        let stands = self.stays(place);
        let whim = match self.options.variety > 0.0 {
            true => self.options.variety * START_WHIM * start_whim(self.options.seed, place),
            false => 0.0,
        };
        whim + if stands { 0.0 } else { self.stand_prices[0] }
    }

    /// Whether a walk begins and ends in a stand.
    pub(crate) fn stands(&self, start: &Spot, best: &Walk<Step, Spot>) -> [bool; 2] {
        let first = self.graph.layout().places[start.node.0 as usize];
        let ends = best.steps.last().is_some_and(|step| {
            let edge = self.graph.edge(step.edge);
            let last = self.graph.frames(edge).saturating_sub(best.end.spare + 1);
            self.stands_in(edge, last)
        });
        [self.stays(first), ends]
    }

    /// Whether a figure stands in a frame and goes on standing.
    fn stays(&self, place: Place) -> bool {
        let later = FrameId(place.frame.0 + self.rate().frames_in(STOOD) as u32);
        let then = Place {
            frame: later,
            ..place
        };
        self.graph.stands(place) && self.graph.stands(then)
    }

    /// Whether a figure stands in the frame of an edge with this number.
    fn stands_in(&self, edge: &Edge, frame: u32) -> bool {
        let Place { clip, frame: first } = self.graph.layout().places[edge.from.0 as usize];
        let place = Place {
            clip,
            frame: FrameId(first.0 + frame),
        };
        let stood = self.rate().frames_in(STOOD) as u32;
        let before = Place {
            clip,
            frame: FrameId(place.frame.0.saturating_sub(stood)),
        };
        edge.kind() == EdgeKind::Play && self.graph.stands(place) && self.graph.stands(before)
    }

    pub(crate) fn graph(&self) -> &'a G {
        self.graph
    }

    pub(crate) fn rate(&self) -> FrameRate {
        self.graph.layout().rate
    }

    /// How long the path is. [m]
    pub(crate) fn path_length(&self) -> f64 {
        self.guide.length()
    }

    /// The node that a step leaves.
    pub(crate) fn edge_start(&self, step: &Step) -> NodeId {
        self.graph.edge(step.edge).from
    }

    /// Whether only the most promising transitions of a node are tried from now on; else all.
    pub(crate) fn be_choosy(&self, choosy: bool) {
        self.choosy.store(choosy, Ordering::Relaxed);
    }

    /// Tells, at every hundredth of the path, how far the search is.
    fn note_progress(&self, along: f64) {
        let (before, length) = (self.farthest(), self.guide.length());
        if along <= before {
            return;
        }
        self.farthest.store(along.to_bits(), Ordering::Relaxed);
        let share = |along: f64| (100.0 * along / length) as u64;
        if share(along) > share(before) {
            let metres = |along: f64| along.ceil() as u64;
            let run = &self.options.run;
            run.progress("searching", metres(along), metres(length));
        }
    }

    /// How far along the path the search has come in any state. [m]
    pub(crate) fn farthest(&self) -> f64 {
        f64::from_bits(self.farthest.load(Ordering::Relaxed))
    }

    /// Where along the path the steps change their section.
    pub(crate) fn switches(&self, start: &Spot, steps: &[Step]) -> Vec<Switch> {
        let mut spot = *start;
        let mut switches = Vec::new();
        for step in steps {
            if step.section != spot.section {
                let asked = self.plan.parts[usize::from(spot.section)].to;
                switches.push(Switch {
                    asked,
                    at: spot.along,
                });
            }
            if let Some((_, next)) = self.take(&spot, *step) {
                spot = next;
            }
        }
        switches
    }

    /// The error of a step and the state behind it; `None` if it strays off. Where a stand is wanted
    /// at the guide's end, only a stand ends it.
    pub(crate) fn take(&self, spot: &Spot, step: Step) -> Option<(f64, Spot)> {
        self.take_to(spot, step, self.begin(spot)).taken
    }

    /// An edge before its first frame.
    fn begin(&self, spot: &Spot) -> Pursuit {
        Pursuit {
            frames: 0,
            along: spot.along,
            error: 0.0,
            farthest_off: 0.0,
        }
    }

    /// Two edges as far as neither can have come to the guide's end. A frame's place waits for that of
    /// the frame before, and a processor can wait for two at a time.
    fn begin_two(&self, spot: &Spot, steps: [Step; 2]) -> [Pursuit; 2] {
        let [a, b] = steps.map(|step| self.graph.trace(self.graph.edge(step.edge)).points);
        let [mut one, mut other] = [self.begin(spot); 2];
        for (&a, &b) in a.iter().zip(b) {
            if one.along.max(other.along) + self.most >= self.guide.length() {
                break;
            }
            self.pursue(&mut one, spot.at.point32(a));
            self.pursue(&mut other, spot.at.point32(b));
        }
        [one, other]
    }

    /// The next frame of an edge.
    #[inline(always)]
    fn pursue(&self, pursuit: &mut Pursuit, point: [f64; 2]) {
        let advanced = self
            .guide
            .advance(point, pursuit.along, self.least, self.most);
        let (along, squared) = advanced;
        pursuit.frames += 1;
        pursuit.along = along;
        pursuit.error += squared + self.quartic * squared * squared;
        pursuit.farthest_off = pursuit.farthest_off.max(squared);
    }

    /// The rest of an edge that has begun.
    fn take_to(&self, spot: &Spot, step: Step, mut pursuit: Pursuit) -> Outcome {
        let edge = self.graph.edge(step.edge);
        let trace = self.graph.trace(edge).points;
        let price = self.stand_prices[1];
        let left_after = |frame: usize| (trace.len() - 1 - frame) as u32;
        let (mut done, mut spare, mut late) = (false, 0, spot.late);
        let mut came_to_end = None;
        for (frame, &point) in trace.iter().enumerate().skip(pursuit.frames) {
            self.pursue(&mut pursuit, spot.at.point32(point));
            if pursuit.along >= self.guide.length() {
                came_to_end.get_or_insert((pursuit, left_after(frame)));
                if price <= 0.0 || self.stands_in(edge, frame as u32) {
                    (done, spare) = (true, left_after(frame));
                    break;
                }
                late += 1;
            }
        }
        let next = |pursuit: &Pursuit| Spot {
            node: edge.to,
            section: step.section,
            done,
            spare,
            late,
            owed: 0.0,
            along: pursuit.along,
            at: self.graph.after(edge, &spot.at),
        };
        let too_late = f64::from(late) * self.rate().frame_time() > LATEST_STAND;
        let error = self.error_of(spot, step, &pursuit);
        let taken = error.filter(|_| done || !too_late);
        let ended = came_to_end.filter(|_| price > 0.0 && spot.late == 0);
        Outcome {
            taken: taken.map(|error| (error, next(&pursuit))),
            ended: ended.and_then(|(pursuit, spare)| {
                let ended = Spot {
                    done: true,
                    spare,
                    late: 0,
                    ..next(&pursuit)
                };
                Some((self.error_of(spot, step, &pursuit)? + price, ended))
            }),
        }
    }

    /// What a step costs in all; `None` if it strays off. [m²]
    fn error_of(&self, spot: &Spot, step: Step, pursuit: &Pursuit) -> Option<f64> {
        if pursuit.farthest_off > LOST * LOST {
            return None;
        }
        let edge = self.graph.edge(step.edge);
        // Of the last edge only what plays up to the guide's end.
        let paced = (spot, pursuit.along, pursuit.frames as u32);
        let manner = self.costs[usize::from(step.section)](edge) + self.slowness(step, paced);
        let error = pursuit.error * self.whim(step.edge) + self.join_error(edge) + manner;
        Some(error + self.join_whim(step.edge, edge) + f64::from(spot.owed))
    }

    /// What it costs to go slowly where the guide leads straight on: as an odd frame, where one all but halts.
    /// Else whoever waits on the path pays nothing. [m²]
    fn slowness(&self, step: Step, (spot, along, frames): (&Spot, f64, u32)) -> f64 {
        let Some(usual) = self.paces[usize::from(step.section)] else {
            return 0.0;
        };
        let seconds = f64::from(frames.max(1)) * self.rate().frame_time();
        let pace = (along - spot.along) / seconds / usual;
        let slow = ((pace - SLOW[0]) / (SLOW[1] - SLOW[0])).clamp(0.0, 1.0);
        let ends = spot.along < END_ZONE || along > self.guide.length() - END_ZONE;
        if slow == 0.0 || (!ends && self.guide_turns(along)) {
            return 0.0;
        }
        let share = if ends { END_SHARE } else { 1.0 };
        self.options.preference.weight * share * slow * f64::from(frames)
    }

    fn guide_turns(&self, along: f64) -> bool {
        let way = |along: f64| self.guide.frame_at(along.clamp(0.0, self.guide.length())).1;
        let ([a, b], [c, d]) = (way(along - BESIDE), way(along + BESIDE));
        a * c + b * d < TURNS
    }

    /// How little a transition pleases, by seed. [m²]
    fn join_whim(&self, id: EdgeId, edge: &Edge) -> f64 {
        match edge.kind() {
            EdgeKind::Transition(_) if self.options.variety > 0.0 => {
                self.options.variety * JOIN_WHIM * whim(self.options.seed, id)
            }
            _ => 0.0,
        }
    }

    /// A transition's price and its error over its window, as that of the path is counted. [m²]
    fn join_error(&self, edge: &Edge) -> f64 {
        let Some(Join { error: metres, .. }) = self.graph.join(edge) else {
            return 0.0;
        };
        let own = metres * metres * f64::from(self.graph.frames(edge));
        self.options.join_cost + self.options.join_weight * own
    }

    fn whim(&self, edge: EdgeId) -> f64 {
        if self.options.variety <= 0.0 {
            return 1.0;
        }
        1.0 + self.options.variety * whim(self.options.seed, edge)
    }

    fn step(&self, spot: &Spot, section: usize, extra: f64, out: &mut impl FnMut(Step, f64, Spot)) {
        let allowed = &self.plan.parts[section].allowed;
        let promising = self.promising(spot, section);
        let edges = self.graph.edges_from(spot.node).map(|(edge, _)| edge);
        let beside_end = spot.along < END_ZONE || spot.along > self.guide.length() - END_ZONE;
        let on_the_way = self.plan.parts[section].on_the_way;
        let fits = |edge: &EdgeId| beside_end || on_the_way.allows(self.graph.edge(*edge).labels);
        let tried = edges
            .filter(|edge| allowed.allows(*edge) && promising.contains(*edge))
            .filter(fits);
        let section = section as u16;
        let mut steps = tried.map(|edge| Step { edge, section });
        let mut take = |step: Step, begun: Pursuit| {
            let Outcome { taken, ended } = self.take_to(spot, step, begun);
            for (error, next) in taken.into_iter().chain(ended) {
                out(step, error + extra, next);
            }
        };
        while let Some(step) = steps.next() {
            // What plays on is short, and has no like.
            let plays = self.graph.edge(step.edge).kind() == EdgeKind::Play;
            let other = if plays { None } else { steps.next() };
            match other {
                None => take(step, self.begin(spot)),
                Some(other) => {
                    let [begun, other_begun] = self.begin_two(spot, [step, other]);
                    take(step, begun);
                    take(other, other_begun);
                }
            }
        }
    }

    /// Which edges are worth being held against the path frame by frame: those that play on, and of
    /// the transitions the [`MOST_TRIED`] whose next stretches lie nearest to it. Nodes of a large
    /// library have dozens that lead to much the same. All, where a change of section may need others.
    fn promising(&self, spot: &Spot, section: usize) -> Promising {
        let edges = self.graph.layout().edges_from(spot.node);
        let first = EdgeId(self.graph.layout().first_edge[spot.node.0 as usize]);
        let jumps = edges.partition_point(|edge| edge.kind() == EdgeKind::Play);
        let all = Promising {
            first: EdgeId(first.0 + jumps as u32),
            errors: Vec::new(),
            limit: f32::INFINITY,
        };
        let count = edges.len() - jumps;
        let last = section + 1 == self.plan.parts.len();
        if !(self.choosy.load(Ordering::Relaxed) && last && count > MOST_TRIED) {
            return all;
        }
        let goals = self.goals(spot);
        if goals.count == 0 {
            return all;
        }
        let fans = &self.fans[section];
        let errors = fans.errors_of_own(spot.node, goals.ahead(), self.quartic as f32);
        let mut least = [f32::INFINITY; MOST_TRIED];
        for &error in &errors {
            if error < least[MOST_TRIED - 1] {
                let at = least.partition_point(|kept| *kept <= error);
                least[at..].rotate_right(1);
                least[at] = error;
            }
        }
        Promising {
            limit: least[MOST_TRIED - 1],
            errors,
            ..all
        }
    }
}

/// How fast motion that may be played, and does what is meant, goes as a rule: the median over its frames.
fn usual_pace<G: Edges>(graph: &G, part: &Part, costs: &EdgeCosts, weight: f64) -> Option<f64> {
    let is_gait = |label: &String| Locomotion::from_name(label).is_some();
    if weight <= 0.0 || !part.labels.iter().all(is_gait) {
        return None;
    }
    let layout = graph.layout();
    let frame_time = layout.rate.frame_time();
    let stride = layout.edges.len().div_ceil(PACED).max(1);
    let paced = |(id, edge): (EdgeId, &Edge)| {
        let frames = graph.frames(edge).max(1);
        let meant = costs(edge) < 0.5 * weight * f64::from(frames);
        let plays = edge.kind() == EdgeKind::Play && part.allowed.allows(id);
        let pace = graph.edge_length(edge) / (f64::from(frames) * frame_time);
        (plays && meant && pace > TRAVELS).then_some((pace, frames))
    };
    let edges = (0..).map(EdgeId).zip(layout.edges.iter()).step_by(stride);
    let mut paces: Vec<(f64, u32)> = edges.filter_map(paced).collect();
    paces.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = paces
        .iter()
        .map(|(_, frames)| u64::from(*frames))
        .sum::<u64>()
        / 2;
    let mut seen = 0;
    paces.iter().find_map(|(pace, frames)| {
        seen += u64::from(*frames);
        (seen > half).then_some(*pace)
    })
}

/// What it costs to begin and to end without a stand: nothing where there is none to be had.
fn stand_prices(graph: &impl Edges, plan: &SectionPlan, options: &FollowOptions) -> [f64; 2] {
    let has = |part: Option<&Part>| {
        part.is_some_and(|part| !standing_nodes(graph, &part.allowed).is_empty())
    };
    let price = |stand: Stand, part| match stand {
        Stand::Never => 0.0,
        _ if !has(part) => 0.0,
        wanted => wanted.price(),
    };
    let from = match options.start {
        Some(_) => Stand::Never,
        None => options.from_stand,
    };
    let (first, last) = (plan.parts.first(), plan.parts.last());
    [price(from, first), price(options.to_stand, last)]
}

/// How little a start pleases, by seed, the same for all of half a second. [0 to 1]
fn start_whim(seed: u64, place: Place) -> f64 {
    let group = u64::from(place.clip.0) << 32 | u64::from(place.frame.0 / GROUP);
    Random::new(seed).fork(group).unit()
}

impl<G: Edges> Problem for Following<'_, G> {
    type State = Spot;
    type Step = Step;

    fn successors(&self, spot: &Spot, mut out: impl FnMut(Step, f64, Spot)) {
        self.note_progress(spot.along);
        let section = usize::from(spot.section);
        self.step(spot, section, 0.0, &mut out);
        let off = spot.along - self.plan.parts[section].to;
        if section + 1 < self.plan.parts.len() && off.abs() <= self.plan.zone {
            self.step(spot, section + 1, SWITCH_ERROR * off * off, &mut out);
        }
    }

    fn is_complete(&self, spot: &Spot) -> bool {
        spot.done
    }

    /// What the best way of the node's fan adds; infinite for who will miss a change of section by
    /// going straight on. No bound: see `fan`. The bound is 0, since a walk that is off the path may
    /// come back onto it within a frame.
    fn estimate(&self, spot: &Spot) -> f64 {
        let section = usize::from(spot.section);
        if self.plan.misses_switch(section, spot.node, spot.along) {
            return f64::INFINITY;
        }
        self.estimate_below(spot, &self.goals(spot), f64::INFINITY)
    }
}

impl<G: Edges> Measured for Following<'_, G> {
    /// In frames.
    fn length(&self, step: &Step) -> u32 {
        self.graph.frames(self.graph.edge(step.edge)).max(1)
    }
}

impl<G: Edges> Staged for Following<'_, G> {
    fn stage(&self, spot: &Spot) -> u64 {
        (spot.along / STAGE) as u64
    }

    fn bucket(&self, spot: &Spot) -> u64 {
        let root = self.graph.root_at(spot.node);
        let here = spot.at.point([root.x, root.z]);
        let ([x, z], [sin, cos]) = self.guide.frame_at(spot.along);
        let across = (here[0] - x) * cos - (here[1] - z) * sin;
        // The sine and cosine of the heading off the path, as an angle without atan2.
        let (s, c) = (
            spot.at.sin * cos - spot.at.cos * sin,
            spot.at.cos * cos + spot.at.sin * sin,
        );
        let angle = if c >= 0.0 { s } else { 2.0f64.copysign(s) - s };
        // Rounded, and counted from far below zero: nobody is farther off than `LOST`.
        let cell = |value: f64, size: f64| u64::from((value / size + 2048.5) as u32) & 0xfff;
        u64::from(spot.node.0) << 32
            | u64::from(spot.section) << 24
            | cell(across, SAME_PLACE) << 12
            | cell(angle, SAME_HEADING)
    }

    /// A short stretch of a clip: who is there plays on there, and may have no other choice.
    fn group(&self, spot: &Spot) -> u64 {
        let place = self.graph.layout().places[spot.node.0 as usize];
        u64::from(place.clip.0) << 32 | u64::from(place.frame.0 / GROUP)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::path::GroundPath;
    use crate::repertoire::Repertoire;
    use afoot_core::Clip;
    use afoot_graph::{GraphOptions, build_graph};
    use afoot_run::Run;
    use afoot_sample::{SampleOptions, sample_library};

    fn sampled() -> Repertoire {
        let mut clips: Vec<Clip> = sample_library(&SampleOptions::default());
        let names = ["walk", "start", "stop", "stand", "walk_turn_left"];
        clips.retain(|clip| names.contains(&clip.name.as_str()));
        let options = GraphOptions {
            threshold_cm: 8.0,
            ..GraphOptions::default()
        };
        let graph = build_graph(&clips, &options, &Run::quiet()).unwrap().0;
        Repertoire::new(graph, &clips).unwrap()
    }

    #[test]
    fn the_best_starts_are_the_best_of_all() {
        let graph = sampled();
        let bend = (0..60).map(|step| [0.002 * f64::from(step * step), 0.1 * f64::from(step)]);
        let path = GroundPath::new(bend.collect()).unwrap();
        for from_stand in [Stand::Never, Stand::IfItCan, Stand::Always] {
            let options = FollowOptions {
                from_stand,
                ..FollowOptions::default()
            };
            let plan = SectionPlan::new(&graph, &path, &options).unwrap();
            let guide = path.guide(&options.guide);
            let problem = Following::new(&graph, &guide, &plan, &options);
            let nodes = problem.start_nodes().unwrap();
            let mut all: Vec<(f64, NodeId)> = nodes
                .iter()
                .map(|node| (problem.estimate(&problem.start_at(*node)), *node))
                .collect();
            all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            for count in [1, 10, 100] {
                let expected: Vec<NodeId> = all.iter().take(count).map(|(_, node)| *node).collect();
                let found = problem.best_starts(&nodes, count);
                let found: Vec<NodeId> = found.iter().map(Spot::node).collect();
                assert_eq!(found, expected, "{from_stand:?} {count}");
            }
        }
    }
}
