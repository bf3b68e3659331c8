//! Path synthesis: motion that travels along a path (Kovar et al. 2002, §5).
//!
//! A beam search over (node, place, heading) with a look-ahead (`fan`), or what the paper does, branch
//! and bound, whole or in pieces (`search`). The error is eq. 9 with a minimum progress γ, but a frame is compared with the nearest
//! place at or after the last one, not with the place at equal arc length: the root sways, its trace
//! is 2 % longer than the path, and over 60 m eq. 9 would ask it to lag by a metre. Large distances
//! weigh more than their square, transitions a little. Labels per section switch one way near the
//! boundary (`sections`). Then the root path is warped towards the path (`warp`) and the feet are
//! planted (`finish`), in pieces if wanted. Cost: about 0.1 s per minute of motion. Memory: the
//! guide's and the warp's, some 5 MB per kilometre, beside the pieces.

mod ahead;
mod prices;
pub(crate) mod problem;
mod pursuit;
mod search;
pub(crate) mod sections;
pub(crate) mod spot;
mod starts;

use std::ops::ControlFlow;

use afoot_core::{ClipId, FrameId, Locomotion};
use afoot_graph::NodeId;
use afoot_run::{Run, Stopped};
use afoot_search::{Stop, Walk};
use thiserror::Error;

use crate::allowed::UnknownLabel;
use crate::corners::{HardPlace, find_hard_places};
use crate::edges::Edges;
use crate::finish::FinishOptions;
use crate::guide::GuideOptions;
use crate::path::GroundPath;
use crate::pieces::{Finishing, play_in_pieces, walk_trace};
use crate::preference::Preference;
use crate::repertoire::Repertoire;
use crate::stand::Stand;
use crate::walk::{GraphWalk, Played};
use crate::warp::Warp;

use problem::Following;
pub use search::FollowSearch;
use sections::SectionPlan;
use spot::{Spot, Step};

/// How a path is followed.
#[derive(Clone, Debug)]
pub struct FollowOptions {
    /// Where to start in the clips; else the best of all places.
    pub start: Option<(ClipId, FrameId)>,
    /// How the walk is searched for.
    pub search: FollowSearch,
    /// States of a beam that go on at each stage, and more on a short path; more fit better and take
    /// longer. [≥ 1]
    pub width: usize,
    /// Times that a beam which finds no way is repeated, each four times as wide.
    pub retries: u32,
    /// Least progress along the path, Kovar's γ: who stands still falls behind. [m/s, ≥ 0]
    pub least_speed: f64,
    /// Distance from the path above which it weighs more than its square. [m, > 0]
    pub tolerance: f64,
    /// Weight of a transition's own error against that from the path. [≥ 0]
    pub join_weight: f64,
    /// Error that every transition adds, so that captured motion plays on where it fits nearly as
    /// well. With 0 four of five frames on straight stretches lie in transitions, since the root
    /// then sways a little less. [m², ≥ 0]
    pub join_cost: f64,
    /// Farthest before or behind a section's end that its label may change. [m, > 0]
    pub switch_zone: f64,
    /// Whether it begins in a stand.
    pub from_stand: Stand,
    /// Whether it ends in one.
    pub to_stand: Stand,
    /// How much edges' errors are changed at random, so that no two walks are alike. [0 to 1]
    pub variety: f64,
    /// For `variety`.
    pub seed: u64,
    /// How the figure is to move, beside where.
    pub preference: Preference,
    /// What is done to the motion found.
    pub finish: FinishOptions,
    /// Smoothing and resampling of the path.
    pub guide: GuideOptions,
    /// Hears how far it is, and may stop it.
    pub run: Run,
}

impl Default for FollowOptions {
    fn default() -> Self {
        Self {
            start: None,
            search: FollowSearch::default(),
            width: 96,
            retries: 2,
            least_speed: 0.12,
            tolerance: 0.15,
            join_weight: 0.05,
            join_cost: 0.01,
            switch_zone: 0.7,
            from_stand: Stand::default(),
            to_stand: Stand::default(),
            variety: 0.0,
            seed: 0,
            preference: Preference::default(),
            finish: FinishOptions::default(),
            guide: GuideOptions::default(),
            run: Run::quiet(),
        }
    }
}

/// Why a path can't be followed.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum FollowError {
    #[error(transparent)]
    UnknownLabel(#[from] UnknownLabel),
    #[error("clip {clip:?} has no place in the graph at or after frame {frame} to start from")]
    NoStart { clip: String, frame: u32 },
    #[error("the graph is empty")]
    EmptyGraph,
    #[error("motion labelled {labels} can't go on for long: its frames form no loop in the graph")]
    DeadLabel { labels: String },
    #[error("no way leads from {from} to {to}")]
    NoSwitch { from: String, to: String },
    #[error("no motion follows the path beyond {along:.1} m of its {length:.1} m")]
    OffPath { along: f64, length: f64 },
    #[error(
        "{expanded} states were tried and none came to the end of the path, {length:.1} m long, only \
         to {along:.1} m"
    )]
    OutOfBudget {
        expanded: u64,
        along: f64,
        length: f64,
    },
    #[error(
        "from {from:.1} to {to:.1} m of the path the motion there is only shuffles to and fro, {seconds:.1} s a \
         metre instead of {usual:.1} s"
    )]
    Shuffled {
        from: f64,
        to: f64,
        seconds: f64,
        usual: f64,
    },
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl FollowError {
    /// Whether the request itself is wrong; else the library holds no motion for it.
    pub fn is_bad_request(&self) -> bool {
        matches!(self, Self::UnknownLabel(_) | Self::NoStart { .. })
    }
}

/// A change from one section's labels to the next one's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switch {
    /// Where it was asked for, along the path. [m]
    pub asked: f64,
    /// Where it happened. [m]
    pub at: f64,
}

/// A walk along a path.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundWalk {
    /// The walk, placed on the path.
    pub walk: GraphWalk,
    /// Where the sections' labels changed.
    pub switches: Vec<Switch>,
    /// Whether it begins and ends in a stand.
    pub stands: [bool; 2],
    /// Whether the graph has stands that it could begin and end in.
    pub could_stand: [bool; 2],
    /// How the path was prepared for it: more smoothly than asked for where corners had to be cut.
    pub guide: GuideOptions,
    /// The search's error: squared distances summed over frames, and what was added. [m²]
    pub error: f64,
    /// States whose successors were tried.
    pub expanded: u64,
}

/// Motion along a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// The motion, finished.
    pub played: Played,
    /// The walk it was played from, and its figures.
    pub found: FoundWalk,
}

/// Motion that follows the path.
pub fn follow_path(
    repertoire: &Repertoire,
    path: &GroundPath,
    options: &FollowOptions,
) -> Result<Followed, FollowError> {
    let found = find_walk(repertoire, path, options)?;
    let whole = |played| ControlFlow::Break(played);
    let end = follow_in_pieces(repertoire, path, &found, options, usize::MAX, whole);
    let played = end
        .break_value()
        .expect("the last piece, here the only one, always comes");
    Ok(Followed { played, found })
}

/// Motion along a walk that was found for the path, in pieces of about `frames` frames, so that
/// memory does not grow with its length: `sink` gets each in turn and may stop it. How many frames
/// there will be in all: [`GraphWalk::frames`].
pub fn follow_in_pieces<B>(
    repertoire: &Repertoire,
    path: &GroundPath,
    found: &FoundWalk,
    options: &FollowOptions,
    frames: usize,
    sink: impl FnMut(Played) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let warp = whole_warp(repertoire, path, found, options);
    let finish = Finishing {
        warp: warp.as_ref(),
        options: &options.finish,
    };
    play_in_pieces(repertoire, &found.walk, finish, frames, sink)
}

/// The warp of all of a walk, each frame about where the search had it along the path.
fn whole_warp(
    repertoire: &Repertoire,
    path: &GroundPath,
    found: &FoundWalk,
    options: &FollowOptions,
) -> Option<Warp> {
    let warp = options.finish.warp.as_ref()?;
    let (guide, rate) = (path.guide(&found.guide), repertoire.graph().rate);
    let trace = walk_trace(repertoire, &found.walk);
    let progress = problem::frame_progress(options, rate);
    let mut along = 0.0;
    let advance = |point: &[f64; 2]| {
        along = guide.advance(*point, along, &progress).0;
        along
    };
    let places: Vec<f64> = trace.iter().map(advance).collect();
    Warp::new(&trace, rate, &guide, &places, warp)
}

/// Smoothings by which corners are rounded off where they are shuffled through: by about 15, 30 and
/// 45 cm. [m]
const ROUNDED: [f64; 3] = [0.3, 0.6, 0.9];

/// The walk that follows the path best, as far as the search finds it, in whatever graph. Where it shuffles
/// about a corner that the graph has no turn for, the corner is cut as far as it must be; where that does
/// not help and it shuffles on and on, there is no walk. Words other than gaits may mean just that.
pub fn find_walk(
    graph: &impl Edges,
    path: &GroundPath,
    options: &FollowOptions,
) -> Result<FoundWalk, FollowError> {
    let found = find_along(graph, path, &options.guide, options)?;
    let shuffled = shuffled_places(graph, path, &found.walk);
    if shuffled.is_empty() {
        return Ok(found);
    }
    for smoothing in ROUNDED {
        let guide = GuideOptions {
            smoothing: smoothing.max(options.guide.smoothing),
            ..options.guide.clone()
        };
        match find_along(graph, path, &guide, options) {
            Ok(rounded) if shuffled_places(graph, path, &rounded.walk).is_empty() => {
                return Ok(rounded);
            }
            Err(FollowError::Stopped(stopped)) => return Err(stopped.into()),
            _ => {}
        }
    }
    match shuffled.iter().find(|place| place.is_hopeless()) {
        None => Ok(found),
        Some(place) => Err(FollowError::Shuffled {
            from: place.along - 0.5 * place.length,
            to: place.along + 0.5 * place.length,
            seconds: place.seconds,
            usual: place.usual,
        }),
    }
}

/// Where a walk shuffles to and fro though it is to walk, run or stand.
fn shuffled_places(graph: &impl Edges, path: &GroundPath, walk: &GraphWalk) -> Vec<HardPlace> {
    let is_gait = |label: &String| Locomotion::from_name(label).is_some();
    if !path
        .sections()
        .iter()
        .all(|section| section.labels.iter().all(is_gait))
    {
        return Vec::new();
    }
    let trace = walk_trace(graph, walk);
    let mut places = find_hard_places(path, &trace, graph.layout().rate);
    places.retain(HardPlace::is_shuffled);
    places
}

/// The walk that follows a path best that is prepared in this way.
fn find_along(
    graph: &impl Edges,
    path: &GroundPath,
    prepared: &GuideOptions,
    options: &FollowOptions,
) -> Result<FoundWalk, FollowError> {
    let plan = SectionPlan::new(graph, path, options)?;
    let guide = path.guide(prepared);
    let problem = Following::new(graph, &guide, &plan, options);
    let starts = problem.start_nodes()?;
    let found = search::search(&problem, &starts, options);
    options.run.check()?;
    if let Some(best) = found.walks.first() {
        let found = retrace(&problem, &starts, best, found.expanded);
        let guide = prepared.clone();
        return Ok(FoundWalk { guide, ..found });
    }
    let (along, length) = (problem.farthest(), guide.length());
    Err(match found.stop {
        Stop::Cancelled => FollowError::Stopped(Stopped),
        Stop::OutOfBudget => FollowError::OutOfBudget {
            expanded: found.expanded,
            along,
            length,
        },
        Stop::Finished | Stop::GoodEnough | Stop::DeadEnd => FollowError::OffPath { along, length },
    })
}

/// The best walk with its start and its switches.
fn retrace(
    problem: &Following<impl Edges>,
    starts: &[NodeId],
    best: &Walk<Step, Spot>,
    expanded: u64,
) -> FoundWalk {
    let start = best.steps.first().map(|step| problem.edge_start(step));
    let spot = &problem.start_at(start.unwrap_or(starts[0]));
    FoundWalk {
        walk: GraphWalk {
            start: spot.node(),
            placement: spot.placement(),
            edges: best.steps.iter().map(|step| step.edge).collect(),
            spare: best.end.spare(),
        },
        switches: problem.switches(spot, &best.steps),
        stands: problem.stands(spot, best),
        could_stand: problem.could_stand(),
        guide: GuideOptions::default(),
        error: best.error,
        expanded,
    }
}
