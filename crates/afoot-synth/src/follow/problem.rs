//! Following a path as a search problem: states, steps, errors, stages and buckets.

use std::cell::Cell;

use afoot_core::{FrameId, FrameRate, Planar};
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId, Place};
use afoot_search::{Measured, Problem, Random, Staged, Walk};

use super::sections::SectionPlan;
use super::{FollowError, FollowOptions, Switch};
use crate::edges::{EdgeCosts, Edges, Join};
use crate::fan::{Fans, SAMPLES, STRETCH, Way};
use crate::guide::Guide;
use crate::rigid::Rigid;
use crate::stand::{Stand, standing_nodes};
use crate::steps::{FASTEST, start_at, whim};

/// Length of a stage: about a frame of walking, so that few states of one walk share a stage. [m]
const STAGE: f64 = 0.05;
/// States this close in place across the path and in heading can stand for each other. [m, rad]
const SAME_PLACE: f64 = 0.03;
const SAME_HEADING: f64 = 0.1;
/// Frames of a clip whose states form a group.
const GROUP: u32 = 16;
/// Farther off the path a walk is given up. [m]
const LOST: f64 = 1.5;
/// Who wants to stand at the end of the path does so within this time, or not at all. [s]
const LATEST_STAND: f64 = 3.0;
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
    /// What it costs to begin and to end without a stand; 0 where there is none. [m²]
    stand_prices: [f64; 2],
    /// Whether only the most promising transitions are tried.
    choosy: Cell<bool>,
    farthest: Cell<f64>,
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
        let fans = |part: &'a super::sections::Part| Fans::new(graph, &part.allowed);
        let costs = |part: &super::sections::Part| graph.costs(&options.preference, &part.labels);
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
            costs: plan.parts.iter().map(costs).collect(),
            options,
            quartic: options.tolerance.max(1e-3).powi(-2),
            least,
            most,
            stretch_frames: STRETCH / 1.3 / rate.frame_time(),
            start,
            stand_prices: stand_prices(graph, plan, options),
            choosy: Cell::new(false),
            farthest: Cell::new(0.0),
        }
    }

    /// Every place that a walk may start from, on the path's start and facing along it.
    pub(crate) fn starts(&self) -> Result<Vec<Spot>, FollowError> {
        let allowed = &self.plan.parts[0].allowed;
        let nodes = match (self.options.start, self.start) {
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
        let usable = nodes
            .into_iter()
            .filter(|&node| allowed.is_alive(node) && !self.plan.misses_switch(0, node, 0.0));
        Ok(usable.map(|node| self.start_at(node)).collect())
    }

    /// Where the guide goes on from a state, in the axes of its node's clip, and how many of the
    /// places lie before the guide's end.
    fn goals(&self, spot: &Spot) -> (Way, usize) {
        let root = self.graph.root_at(spot.node);
        let here = spot.at.point([root.x, root.z]);
        let mut goals: Way = [[0.0; 2]; SAMPLES];
        for (goal, count) in goals.iter_mut().zip(1..) {
            let ahead = self.guide.point_at(spot.along + f64::from(count) * STRETCH);
            let apart = spot.at.undo_turn([ahead[0] - here[0], ahead[1] - here[1]]);
            *goal = apart.map(|value| value as f32);
        }
        let left = (self.guide.length() - spot.along) / STRETCH;
        (goals, (left as usize).min(SAMPLES))
    }

    /// The node's first stretch of travel laid along the guide's.
    fn start_at(&self, node: NodeId) -> Spot {
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
        let stands = self.graph.stands(place);
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
        [self.graph.stands(first), ends]
    }

    /// Whether a figure stands in the frame of an edge with this number.
    fn stands_in(&self, edge: &Edge, frame: u32) -> bool {
        let Place { clip, frame: first } = self.graph.layout().places[edge.from.0 as usize];
        let place = Place {
            clip,
            frame: FrameId(first.0 + frame),
        };
        edge.kind() == EdgeKind::Play && self.graph.stands(place)
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
        self.choosy.set(choosy);
    }

    /// Tells, at every hundredth of the path, how far the search is.
    fn note_progress(&self, along: f64) {
        let (before, length) = (self.farthest.get(), self.guide.length());
        if along <= before {
            return;
        }
        self.farthest.set(along);
        let share = |along: f64| (100.0 * along / length) as u64;
        if share(along) > share(before) {
            let metres = |along: f64| along.ceil() as u64;
            let run = &self.options.run;
            run.progress("searching", metres(along), metres(length));
        }
    }

    /// How far along the path the search has come in any state. [m]
    pub(crate) fn farthest(&self) -> f64 {
        self.farthest.get()
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
        self.take_to(spot, step, self.stand_prices[1] > 0.0, self.begin(spot))
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
    fn take_to(
        &self,
        spot: &Spot,
        step: Step,
        stand: bool,
        mut pursuit: Pursuit,
    ) -> Option<(f64, Spot)> {
        let edge = self.graph.edge(step.edge);
        let trace = self.graph.trace(edge).points;
        let (mut done, mut spare, mut late) = (false, 0, spot.late);
        for (frame, &point) in trace.iter().enumerate().skip(pursuit.frames) {
            self.pursue(&mut pursuit, spot.at.point32(point));
            if pursuit.along >= self.guide.length() {
                if !stand || self.stands_in(edge, frame as u32) {
                    (done, spare) = (true, (trace.len() - 1 - frame) as u32);
                    break;
                }
                late += 1;
            }
        }
        let Pursuit {
            along,
            error,
            farthest_off,
            ..
        } = pursuit;
        let too_late = f64::from(late) * self.rate().frame_time() > LATEST_STAND;
        if farthest_off > LOST * LOST || (too_late && !done) {
            return None;
        }
        let at = self.graph.after(edge, &spot.at);
        let (node, section) = (edge.to, step.section);
        let manner = self.costs[usize::from(section)](edge);
        let error = error * self.whim(step.edge) + self.join_error(edge) + manner;
        let error = error + self.join_whim(step.edge, edge) + f64::from(spot.owed);
        Some((
            error,
            Spot {
                node,
                section,
                done,
                spare,
                late,
                owed: 0.0,
                along,
                at,
            },
        ))
    }

    /// A step to the guide's end that ends there without a stand, where one is wanted.
    fn end_anyhow(&self, spot: &Spot, step: Step) -> Option<(f64, Spot)> {
        let price = self.stand_prices[1];
        let frames = self.graph.frames(self.graph.edge(step.edge));
        let reach = spot.along + self.most * f64::from(frames);
        let may = price > 0.0 && spot.late == 0 && reach >= self.guide.length();
        let begun = self.begin(spot);
        let ended = may.then(|| self.take_to(spot, step, false, begun));
        let (error, next) = ended.flatten()?;
        next.done.then_some((error + price, next))
    }

    /// How little a transition pleases, by seed. [m²]
    fn join_whim(&self, id: EdgeId, edge: &Edge) -> f64 {
        match edge.kind() {
            EdgeKind::Jump(_) if self.options.variety > 0.0 => {
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
        let tried = edges.filter(|edge| allowed.allows(*edge) && promising.contains(*edge));
        let section = section as u16;
        let mut steps = tried.map(|edge| Step { edge, section });
        let stand = self.stand_prices[1] > 0.0;
        let mut take = |step: Step, begun: Pursuit| {
            let taken = self.take_to(spot, step, stand, begun);
            for (error, next) in [taken, self.end_anyhow(spot, step)].into_iter().flatten() {
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
        if !(self.choosy.get() && last && count > MOST_TRIED) {
            return all;
        }
        let (goals, ahead) = self.goals(spot);
        if ahead == 0 {
            return all;
        }
        let fans = &self.fans[section];
        let errors = fans.errors_of_own(spot.node, &goals[..ahead], self.quartic as f32);
        let mut order = errors.clone();
        let (_, limit, _) = order.select_nth_unstable_by(MOST_TRIED - 1, f32::total_cmp);
        Promising {
            limit: *limit,
            errors,
            ..all
        }
    }
}

/// What it costs to begin and to end without a stand: nothing where there is none to be had.
fn stand_prices(graph: &impl Edges, plan: &SectionPlan, options: &FollowOptions) -> [f64; 2] {
    let has = |part: Option<&super::sections::Part>| {
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
        let fans = &self.fans[section];
        let (goals, count) = self.goals(spot);
        let least = fans.least_error(spot.node, &goals, count, self.quartic as f32);
        self.stretch_frames * f64::from(least) + f64::from(spot.owed)
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

    /// Half a second of a clip: who is there plays on there, and may have no other choice.
    fn group(&self, spot: &Spot) -> u64 {
        let place = self.graph.layout().places[spot.node.0 as usize];
        u64::from(place.clip.0) << 32 | u64::from(place.frame.0 / GROUP)
    }
}
