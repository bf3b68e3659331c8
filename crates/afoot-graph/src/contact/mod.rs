//! Graphs of contact changes: what an optimal search can be run on (Safonova and Hodgins 2007, §4–5).
//!
//! `phases`: what touches at each frame, and what is done there. `price`: what a frame costs. `similar`:
//! graph MG, every pair of frames that are alike. `cull`: of all ways from one change of contacts to the
//! next the cheapest. `merge`: changes that are alike become one. `steps`: what is left, laid out for the
//! search. We compare windows as `afoot graph` does, and place clips by their alignment, where the
//! paper compares poses. Cost: all pairs of frames once (9 ns each), then next to nothing.

mod bytes;
mod cull;
mod merge;
mod phases;
mod price;
mod rate;
mod similar;
mod steps;

use afoot_core::{Clip, Planar, Range32};
use afoot_run::Run;

use crate::build::prepare_search;
use crate::motion_graph::Place;
use crate::options::{GraphError, GraphOptions};

pub use merge::Merging;
pub use phases::{Event, EventKind, Phase, palm, seat};
pub use price::Objective;

/// How a graph of contact changes is built.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactOptions {
    /// Windows, thresholds and points are compared as for a motion graph.
    pub graph: GraphOptions,
    /// What is to be least.
    pub objective: Objective,
    /// What a transition at the threshold costs, in seconds of average motion; less alike, less. [≥ 0]
    pub transition: f64,
    /// What is merged.
    pub merging: Merging,
}

/// Walks into actions need more room than walks into walks; dearer ones cost more. [cm]
const USUAL_THRESHOLD_CM: f32 = 6.0;

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            graph: GraphOptions {
                threshold_cm: USUAL_THRESHOLD_CM,
                ..GraphOptions::default()
            },
            objective: Objective::default(),
            transition: 0.3,
            merging: Merging::default(),
        }
    }
}

/// A change of contacts: a frame whose contacts differ from those of the one before.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactState {
    /// The frame.
    pub place: Place,
    /// What touches from here on.
    pub phase: Phase,
    /// What touched before.
    pub before: Phase,
    /// What is done here, if anything.
    pub event: Option<Event>,
    /// Whether the figure stands here, and may begin or end.
    pub stands: bool,
    /// Where planted feet are: x, z in the root's frame, and height. [m]
    pub feet: Vec<[f32; 3]>,
}

/// Motion from one change of contacts to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactStep {
    /// The state that it leads to.
    pub to: u32,
    /// What it costs. [> 0]
    pub cost: f64,
    /// How long it takes. [s]
    pub seconds: f64,
    /// From the root's place and heading at its first frame to those at the next state.
    pub motion: Planar,
    /// Way of the root over ground. [m]
    pub length: f64,
    /// The captured frames that play.
    pub pieces: Vec<Piece>,
    /// The body along the way.
    pub samples: Vec<BodySample>,
}

/// Captured frames in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Which clip.
    pub clip: u32,
    /// Which of its frames, half-open.
    pub frames: Range32,
    /// Carries the clip's coordinates into the root's frame at the step's first state.
    pub placement: Planar,
}

/// Where a body is at a moment of a step, in the root's frame at the step's first state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySample {
    /// The root, x and z. [m]
    pub root: [f32; 2],
    /// The highest point of the head. [m]
    pub head: f32,
    /// Balls of the feet, left then right: x, z, height. [m]
    pub feet: [[f32; 3]; 2],
}

/// What was there before and after compression, as in table 1 of the paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompressionReport {
    /// Frames and transitions of MG, its plain successions of frames among them.
    pub frames: u64,
    /// As above.
    pub transitions: u64,
    /// Contact changes, and cheapest ways between them.
    pub culled_states: u64,
    /// As above.
    pub culled_steps: u64,
    /// After merging.
    pub states: u64,
    /// As above.
    pub steps: u64,
    /// How far the ends of ways that were culled lie from those that were kept: median and 95th
    /// percentile. [m]
    pub end_spread: [f64; 2],
    /// The same of headings. [rad]
    pub turn_spread: [f64; 2],
}

/// A library's changes of contact and the motion between them.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactGraph {
    /// Of one kind and like body each, by clip and frame.
    pub states: Vec<ContactState>,
    /// The steps of state s are `steps[first[s]..first[s + 1]]`.
    pub first: Vec<u32>,
    /// By where they start, then by where they lead, then by cost.
    pub steps: Vec<ContactStep>,
    /// Least cost of a metre over ground, of any motion that goes on and on.
    pub cost_per_metre: f64,
    /// Least cost of a metre over ground, of any one step.
    pub cheapest_metre: f64,
    /// What compression did.
    pub report: CompressionReport,
}

impl ContactGraph {
    /// The steps that leave a state.
    pub fn steps_of(&self, state: u32) -> &[ContactStep] {
        let [from, to] = [state, state + 1].map(|s| self.first[s as usize] as usize);
        &self.steps[from..to]
    }
}

/// Builds the graph of contact changes of level `clips`, in their order.
pub fn build_contact_graph(
    clips: &[Clip],
    options: &ContactOptions,
    run: &Run,
) -> Result<ContactGraph, GraphError> {
    let Some(search) = prepare_search(clips, &options.graph)? else {
        return Ok(ContactGraph {
            states: Vec::new(),
            first: vec![0],
            steps: Vec::new(),
            cost_per_metre: 0.0,
            cheapest_metre: 0.0,
            report: CompressionReport::default(),
        });
    };
    let facts = phases::find_phases(clips);
    let prices = price::frame_prices(clips, &facts, options.objective);
    let similar =
        similar::find_similar(search.features(), &facts, options.graph.threshold_cm, run)?;
    let mut report = CompressionReport {
        frames: prices.len() as u64,
        transitions: (prices.len() - clips.len().min(prices.len()) + similar.len()) as u64,
        ..CompressionReport::default()
    };
    let film = cull::Film::new(clips, &facts, &prices, &similar);
    let ways = cull::cheapest_ways(&film, options, run)?;
    let states = cull::changes(&film);
    (report.culled_states, report.culled_steps) = (states.len() as u64, ways.len() as u64);
    let aligner = steps::Aligner::new(&film, &options.graph)?;
    let leaders = merge::merge_states(&film, &states, search.features(), options.merging);
    let groups = steps::Groups {
        frames: &states,
        leaders: &leaders,
    };
    let graph = steps::lay_out(&aligner, groups, ways, options, report);
    run.check()?;
    Ok(graph)
}
