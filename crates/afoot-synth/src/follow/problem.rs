//! Following a path as a search problem: successors, estimates, stages and buckets.
//!
//! A state is a [`Spot`]; where walks begin stands in `starts`, how edges are held against the path in `pursuit`, what
//! they cost beside in `prices`, what looks well ahead in `ahead`.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use afoot_core::FrameRate;
use afoot_graph::{NodeId, Place};
use afoot_search::{Measured, Problem, Staged};
use rayon::prelude::*;

use super::prices::usual_pace;
use super::sections::{Part, SectionPlan};
use super::spot::{Spot, Step};
use super::starts::stand_prices;
use super::{FollowOptions, Switch};
use crate::edges::{EdgeCosts, Edges};
use crate::fan::{Fans, STRETCH};
use crate::guide::{Guide, Progress};
use crate::steps::FASTEST;

/// How far the search goes on a long path, in some tenths of a second, before it tells so. [m]
const TOLD: f64 = 50.0;
/// Length of a stage: about a frame of walking, so that few states of one walk share a stage. [m]
const STAGE: f64 = 0.05;
/// States this close in place across the path and in heading can stand for each other. [m, rad]
const SAME_PLACE: f64 = 0.03;
const SAME_HEADING: f64 = 0.1;
/// States of so long a stretch of a clip form a group. [s]
const GROUP: f64 = 0.533;
/// States that one thread expands at a time: some tenth of a millisecond's work.
const SIDE_BY_SIDE: usize = 48;
/// Error of a change of section one metre from where it was asked for. [m²]
const SWITCH_ERROR: f64 = 0.1;

pub(crate) struct Following<'a, G> {
    pub(super) graph: &'a G,
    pub(super) guide: &'a Guide,
    pub(super) plan: &'a SectionPlan,
    pub(super) fans: Vec<Fans<'a, G>>,
    /// What edges cost beside the path, in each section.
    pub(super) costs: Vec<EdgeCosts<'a>>,
    pub(super) options: &'a FollowOptions,
    /// 1 / tolerance². [1/m²]
    pub(super) quartic: f64,
    /// In a frame.
    pub(super) progress: Progress,
    /// Frames that a stretch of the look-ahead takes at walking pace.
    pub(super) stretch_frames: f64,
    pub(super) start: Option<NodeId>,
    /// How fast motion that is meant goes as a rule in each section; `None` where words may mean anything. [m/s]
    pub(super) paces: Vec<Option<f64>>,
    /// What it costs to begin and to end without a stand; 0 where there is none. [m²]
    pub(super) stand_prices: [f64; 2],
    /// Whether only the most promising transitions are tried.
    pub(super) choosy: AtomicBool,
    /// Bits of a number: the problem is looked at from several threads. [m]
    pub(super) farthest: AtomicU64,
}

/// How far along the guide a frame leads.
pub(crate) fn frame_progress(options: &FollowOptions, rate: FrameRate) -> Progress {
    let frame_time = rate.frame_time();
    Progress {
        least: options.least_speed * frame_time,
        most: FASTEST * frame_time,
    }
}

/// Which short stretch of its clip a place lies in.
pub(super) fn stretch_of(place: Place, rate: FrameRate) -> u64 {
    let frames = rate.frames_in(GROUP).max(1) as u32;
    u64::from(place.clip.0) << 32 | u64::from(place.frame.0 / frames)
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
            progress: frame_progress(options, rate),
            stretch_frames: STRETCH / 1.3 / rate.frame_time(),
            start,
            stand_prices: stand_prices(graph, plan, options),
            choosy: AtomicBool::new(false),
            farthest: AtomicU64::new(0),
        }
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

    /// Tells, at every hundredth of the path and on long ones at every [`TOLD`] metres, how far the search is.
    fn note_progress(&self, along: f64) {
        if along <= self.farthest() {
            return;
        }
        // Bits of numbers that are not negative rise as they do.
        let before = self.farthest.fetch_max(along.to_bits(), Ordering::Relaxed);
        let (before, length) = (f64::from_bits(before), self.guide.length());
        let part = (0.01 * length).min(TOLD);
        let share = |along: f64| (along / part) as u64;
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
        self.estimate_within(spot, f64::INFINITY)
    }

    fn estimate_within(&self, spot: &Spot, limit: f64) -> f64 {
        let section = usize::from(spot.section);
        if self.plan.misses_switch(section, spot.node, spot.along) {
            return f64::INFINITY;
        }
        self.estimate_below(spot, &self.goals(spot), limit)
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
        stretch_of(place, self.rate())
    }

    /// On all threads: a stage has hundreds of states, and holding their edges against the path is most of a search.
    fn expand(&self, spots: &[Spot], mut out: impl FnMut(usize, Step, f64, Spot)) {
        let expanded = |(chunk, spots): (usize, &[Spot])| {
            let mut grown = Vec::with_capacity(4 * spots.len());
            for (number, spot) in (chunk * SIDE_BY_SIDE..).zip(spots) {
                self.successors(spot, |step, error, next| {
                    grown.push(Grown {
                        number,
                        step,
                        error,
                        next,
                    });
                });
            }
            grown
        };
        let chunks = spots.par_chunks(SIDE_BY_SIDE).enumerate();
        let chunks: Vec<Vec<Grown>> = chunks.map(expanded).collect();
        for grown in chunks.into_iter().flatten() {
            out(grown.number, grown.step, grown.error, grown.next);
        }
    }
}

/// A successor of the state with that number.
struct Grown {
    number: usize,
    step: Step,
    error: f64,
    next: Spot,
}
