//! Reaching a clip: motion that ends in a named clip, at a place and heading (Kovar et al. 2002, §4.3).
//!
//! A search whose only goal is the distance at the end circles around it (figure 5 there). So the
//! search is guided throughout: it follows a smooth way from start to goal (`dubins`: the shortest
//! curves of bounded bend), several of them, and of all the ends within reach the best one wins.
//! Who can't get into the clip over the travel that is left is dropped (`goal`: least travel to an
//! entry, precomputed); where all ways into the clip go through one `corridor`, its far end is the
//! goal. What is left of the error is spread over the approach, within the budget of the warp; the
//! clip itself is then carried as a whole and plays as captured, feet planted.
//! Cost: a path search per way, about 0.1 s each. Weakness: obstacles are not known here.

mod approach;
pub(crate) mod correct;
mod corridor;
mod dubins;
mod goal;

use std::ops::Range;

use afoot_core::{ClipId, FrameId, Planar, wrap_angle};
use afoot_run::{Run, Stopped};
use afoot_search::{BeamOptions, BeamSearch};
use thiserror::Error;

use crate::allowed::{UnknownLabel, Wanted};
use crate::edges::Edges;
use crate::finish::FinishOptions;
use crate::follow::FollowOptions;
use crate::guide::GuideOptions;
use crate::path::GroundPath;
use crate::preference::Preference;
use crate::repertoire::Repertoire;
use crate::stand::Stand;
use crate::walk::{GraphWalk, Played, WalkPlayer};

use approach::{Approach, Patience};
use correct::{Arrival, correction};
use dubins::ways_between;
use goal::Goal;

/// What is to be reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The clip.
    pub clip: ClipId,
    /// Its frames that must play, half-open; `None` for the whole clip from where it can be entered.
    pub frames: Option<Range<u32>>,
    /// Where the root is at the first of them. [m]
    pub place: [f64; 2],
    /// Which way it faces there, as a yaw; `None` if it does not matter. [rad]
    pub heading: Option<f64>,
    /// Where the motion starts and which way it goes.
    pub from: Planar,
}

/// How a clip is reached.
#[derive(Clone, Debug)]
pub struct ReachOptions {
    /// Words that the motion up to the clip must carry.
    pub labels: Vec<String>,
    /// Bends of the ways that are tried. [m, > 0]
    pub radii: [f64; 4],
    /// Error that a metre of way adds, so that detours have to be worth it. [m²/m, ≥ 0]
    pub length_cost: f64,
    /// States that go on at each stage of a search. [≥ 1]
    pub width: usize,
    /// How the figure is to move on its way.
    pub preference: Preference,
    /// Whether it begins in a stand.
    pub from_stand: Stand,
    /// How edges' errors are changed at random: see [`FollowOptions`]. [0 to 1]
    pub variety: f64,
    /// For `variety`.
    pub seed: u64,
    /// What is done to the motion found; without `warp` it ends where captured motion takes it.
    pub finish: FinishOptions,
    /// Hears how far it is, and may stop it.
    pub run: Run,
}

impl Default for ReachOptions {
    fn default() -> Self {
        Self {
            labels: Vec::new(),
            radii: [0.4, 0.8, 1.5, 3.0],
            length_cost: 0.05,
            width: 64,
            preference: Preference::default(),
            from_stand: Stand::Never,
            variety: 0.0,
            seed: 0,
            finish: FinishOptions::default(),
            run: Run::quiet(),
        }
    }
}

/// Why a clip can't be reached.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum ReachError {
    #[error(transparent)]
    UnknownLabel(#[from] UnknownLabel),
    #[error("the {what} is {value}; expected a number below a million")]
    BadValue { what: &'static str, value: f64 },
    #[error("frames {start}..{end} are not in clip {clip:?}, which has frames 0..{frames}")]
    BadFrames {
        clip: String,
        start: u32,
        end: u32,
        frames: u32,
    },
    #[error("no transition leads into clip {clip:?}")]
    NotInGraph { clip: String },
    #[error(
        "clip {clip:?} can't be entered at or before frame {frame}, only from frame {first} on"
    )]
    EnteredLate {
        clip: String,
        frame: u32,
        first: u32,
    },
    #[error("no way leads from {labels} motion into clip {clip:?}")]
    NoWay { clip: String, labels: String },
    #[error("no motion from the start comes within {reach:.1} m of the place with clip {clip:?}")]
    OutOfReach { clip: String, reach: f64 },
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl ReachError {
    /// Whether the request itself is wrong; else the library holds no motion for it.
    pub fn is_bad_request(&self) -> bool {
        use ReachError::{BadFrames, BadValue, UnknownLabel};
        matches!(self, UnknownLabel(_) | BadValue { .. } | BadFrames { .. })
    }
}

/// Motion that ends in the clip asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The motion, finished.
    pub played: Played,
    /// The way that the approach was guided along.
    pub way: GroundPath,
    /// The frame of the motion that must be at the place.
    pub at: u64,
    /// How far its root is from there. [m]
    pub place_error: f64,
    /// How far it faces another way than asked; 0 if that does not matter. [rad]
    pub heading_error: f64,
    /// How far off it was before the correction. [m]
    pub raw_place_error: f64,
    /// The clip's frames that play to the end, half-open.
    pub frames: Range<u32>,
}

/// A walk into a clip, which then plays on.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundEntry {
    /// The walk up to the clip, placed.
    pub walk: GraphWalk,
    /// The way that it was guided along.
    pub way: GroundPath,
    /// The clip's frame that plays next.
    pub frame: u32,
    /// The clip's frame that must be at the place.
    pub target: u32,
    /// The search's error: what the way adds, and what the place is missed by. [m²]
    pub error: f64,
}

/// Motion from the start into the clip.
pub fn reach_clip(
    repertoire: &Repertoire,
    target: &Target,
    options: &ReachOptions,
) -> Result<Reached, ReachError> {
    let found = find_entry(repertoire, target, options)?;
    Ok(play(repertoire, found, target, options))
}

/// The walk that comes into the clip best, as far as the search finds it, in whatever graph.
pub fn find_entry(
    graph: &impl Edges,
    target: &Target,
    options: &ReachOptions,
) -> Result<FoundEntry, ReachError> {
    check(graph, target)?;
    let wanted = Wanted::labels(graph, &options.labels)?;
    let goal = Goal::new(graph, target, wanted, &options.labels)?;
    let ways = ways_between(target.from, goal.arrival(target), &options.radii);
    let effort = |patience, width| Effort {
        goal: &goal,
        patience,
        width,
    };
    let brisk = effort(Patience::Brisk, options.width);
    let patient = effort(Patience::Patient, 4 * options.width);
    let found = match search_ways(graph, &ways, &brisk, options)? {
        Some(found) => Some(found),
        None => search_ways(graph, &ways, &patient, options)?,
    };
    found.ok_or_else(|| ReachError::OutOfReach {
        clip: graph.layout().clips[target.clip.index()].name.clone(),
        reach: goal::REACH,
    })
}

fn check(graph: &impl Edges, target: &Target) -> Result<(), ReachError> {
    let values = [
        ("place", target.place[0]),
        ("place", target.place[1]),
        ("heading", target.heading.unwrap_or(0.0)),
        ("start", target.from.x),
        ("start", target.from.z),
        ("start's heading", target.from.yaw),
    ];
    let good = |value: f64| value.abs() < 1e6; // NaN is not
    if let Some((what, value)) = values.into_iter().find(|(_, v)| !good(*v)) {
        return Err(ReachError::BadValue { what, value });
    }
    let known = &graph.layout().clips[target.clip.index()];
    match &target.frames {
        Some(part) if part.start >= part.end || part.end > known.frames => {
            Err(ReachError::BadFrames {
                clip: known.name.clone(),
                start: part.start,
                end: part.end,
                frames: known.frames,
            })
        }
        _ => Ok(()),
    }
}

/// What is searched for, and how hard.
struct Effort<'a> {
    goal: &'a Goal,
    patience: Patience,
    /// Of the beam.
    width: usize,
}

/// The best walk along any of the ways, the shortest of which come first.
fn search_ways(
    graph: &impl Edges,
    ways: &[GroundPath],
    effort: &Effort,
    options: &ReachOptions,
) -> Result<Option<FoundEntry>, ReachError> {
    let mut best: Option<FoundEntry> = None;
    for way in ways {
        let least = options.length_cost * way.length();
        if best.as_ref().is_some_and(|best| best.error <= least) {
            break;
        }
        let found = search_along(graph, way, effort, options)?;
        if let Some(found) = found.filter(|f| best.as_ref().is_none_or(|b| f.error < b.error)) {
            best = Some(found);
        }
    }
    Ok(best)
}

fn search_along(
    graph: &impl Edges,
    way: &GroundPath,
    effort: &Effort,
    options: &ReachOptions,
) -> Result<Option<FoundEntry>, ReachError> {
    let guide = way.guide(&GuideOptions::default());
    let follow = FollowOptions {
        variety: options.variety,
        preference: options.preference.clone(),
        seed: options.seed,
        from_stand: options.from_stand,
        to_stand: Stand::Never,
        ..FollowOptions::default()
    };
    let approach = Approach::new(graph, &guide, &follow, effort.goal, effort.patience);
    let starts = approach.starts();
    let beam = BeamOptions {
        width: effort.width,
        cancel: Some(options.run.cancel().flag()),
        ..BeamOptions::default()
    };
    let begin = starts.iter().map(|start| (0.0, start.clone()));
    let found = BeamSearch::new(&approach, begin, beam).finish();
    options.run.check()?;
    Ok(found.walks.into_iter().next().map(|best| {
        let mut walk = approach.walk(&starts, &best.steps);
        let entry = effort.goal.entry(best.end.entry());
        walk.edges.extend(&entry.chain);
        FoundEntry {
            walk,
            way: way.clone(),
            frame: entry.frame,
            target: entry.target,
            error: best.error + options.length_cost * way.length(),
        }
    }))
}

/// Plays the walk and the clip, carries the clip to its place and plants the feet.
fn play(
    repertoire: &Repertoire,
    found: FoundEntry,
    target: &Target,
    options: &ReachOptions,
) -> Reached {
    let mut player = WalkPlayer::new(repertoire, found.walk.start, found.walk.placement);
    let mut played = player.empty();
    for &edge in &found.walk.edges {
        player.play(edge, 0, &mut played);
    }
    let approach = played.clip.len();
    let whole = repertoire.graph().clips[target.clip.index()].frames;
    let end = target.frames.as_ref().map_or(whole, |f| f.end);
    player.play_on(end - found.frame, &mut played);
    let at = approach + (found.target - found.frame) as usize;
    let raw = errors_at(&played, at, target);
    let warp = options.finish.warp.as_ref().map(|budget| {
        let arrival = Arrival {
            approach,
            at,
            yaw: played.clip.placement(FrameId::from(at)).yaw,
            place: target.place,
            heading: target.heading,
        };
        correction(&ground_trace(&played), &arrival, budget)
    });
    if let Some(warp) = &warp {
        warp.apply(&mut played.clip, 0);
    }
    let made = (&found.walk, warp.as_ref());
    repertoire.finish(&mut played.clip, made, &options.finish);
    let [place_error, heading_error] = errors_at(&played, at, target);
    Reached {
        played,
        way: found.way,
        at: at as u64,
        place_error,
        heading_error,
        raw_place_error: raw[0],
        frames: found.frame..end,
    }
}

fn ground_trace(played: &Played) -> Vec<[f64; 2]> {
    let point = |root: &afoot_core::Vec3| [f64::from(root.x), f64::from(root.z)];
    played.clip.root.iter().map(point).collect()
}

/// How far the root is from the place, and how far it faces another way. [m, rad]
fn errors_at(played: &Played, at: usize, target: &Target) -> [f64; 2] {
    let root = played.clip.placement(FrameId::from(at));
    let [x, z] = target.place;
    let turn = target.heading.map_or(0.0, |yaw| wrap_angle(yaw - root.yaw));
    [(root.x - x).hypot(root.z - z), turn.abs()]
}
