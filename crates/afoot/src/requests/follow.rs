//! Motion along a path.

use std::ops::ControlFlow;

use afoot_core::{ClipId, FrameId};
use afoot_run::Run;
use afoot_synth::{
    DrawingOptions, FollowOptions, FollowSearch, FoundWalk, GroundPath, HardPlace, Repertoire,
    Section, Switch, find_hard_places, find_walk, follow_in_pieces,
};
use serde::{Deserialize, Serialize};

use crate::delivery::{Aim, Measured, MotionHeader, MotionRequest, Outlet, Told, piece_frames};
use crate::failure::Failure;
use crate::files::Files;
use crate::inputs::Input;
use crate::requests::moving::{Moving, OddMotion, Standing, Tally, variety};
use crate::requests::through::{Through, ThroughDetails};
use crate::workspace::Workspace;

/// Asks for motion along a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Follow {
    /// The path.
    pub path: Input,
    /// How it lies on the ground, if it is a drawing.
    pub drawing: DrawingOptions,
    /// Use only motion with these labels, or of these types, all along it.
    #[serde(rename = "as")]
    pub labels: Vec<String>,
    /// End where the path began.
    pub closed: bool,
    /// Leave captured motion where it is: do not warp the root's path.
    pub exact_source: bool,
    /// Where in the library to start; else wherever it fits best.
    pub start: Option<Start>,
    /// How the figure is to move.
    pub moving: Moving,
    /// Whether it begins and ends in a stand.
    pub standing: Standing,
    /// How the walk is searched for.
    pub search: FollowSearch,
    /// Instead of a path: from one place of a world to another, around what stands there.
    pub through: Option<Through>,
}

/// A moment of a clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// The clip.
    pub clip: String,
    /// Its time. [s, 0 to 1000000]
    pub seconds: f64,
}

/// What following tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FollowDetails {
    /// Length of the path. [m]
    pub path_m: f64,
    /// What was not asked for, longest first.
    pub oddities: Vec<OddMotion>,
    /// Places of the path that the library's motion can't do as asked, in order.
    pub hard_places: Vec<HardStretch>,
    /// Whether it begins and ends in a stand.
    pub stands: [bool; 2],
    /// What the search did.
    pub search: SearchDetails,
    /// Where labels changed along it.
    pub switches: Vec<LabelSwitch>,
    /// Of a way through a world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<ThroughDetails>,
}

/// A place of a path that is missed, or dwelt at for long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HardStretch {
    /// Where, along the path. [m]
    pub along_m: f64,
    /// How much the path turns there within a metre. [degrees, left positive]
    pub turn_deg: f64,
    /// How far the walker stays from it. [m]
    pub missed_m: f64,
    /// How long a metre takes there. [s]
    pub seconds: f64,
    /// How long a metre takes as a rule. [s]
    pub usual_seconds: f64,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SearchDetails {
    /// States whose successors were tried.
    pub expanded: u64,
    /// Squared distances summed over frames, and what was added. [m²]
    pub error_m2: f64,
}

/// A change from one section's labels to the next one's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LabelSwitch {
    /// Where it was asked for, along the path. [m]
    pub asked_m: f64,
    /// Where it happened. [m]
    pub at_m: f64,
}

impl MotionRequest for Follow {
    type Details = FollowDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<FollowDetails>, Failure> {
        if let Some(through) = &self.through {
            return through.make(from, &self.labels, outlet, run);
        }
        let library = from.library()?;
        let path = self.asked_path(from.files(), run)?;
        let graph = outlet.aside(|| library.ready_graph(run))?;
        let options = self.options(&graph, run)?;
        let found = find_walk(&*graph, &path, &options)?;
        let words = words_of(&path);
        outlet.faces_ahead(self.moving.faces_ahead(&graph, &words)?);
        outlet.stands(self.standing.asked(found.stands));
        outlet.begin(MotionHeader::of_graph(&graph, found.walk.frames(&graph)))?;
        let walk = Walk {
            graph: &graph,
            path: &path,
            found: &found,
            options: &options,
        };
        let (tally, trace) = walk.play(outlet, run)?;
        self.standing.warn_of_mid_step(found.stands, run);
        Ok(Told {
            details: FollowDetails {
                path_m: path.length(),
                oddities: self.moving.oddities(&graph, &words, &tally, run)?,
                hard_places: hard_places(&path, &trace, &graph, run),
                stands: found.stands,
                search: SearchDetails::from(&found),
                switches: found.switches.iter().map(LabelSwitch::from).collect(),
                through: None,
            },
            aim: Aim {
                path: Some(path.points().to_vec()),
                ..Aim::default()
            },
            measured: Measured::default(),
        })
    }
}

/// A walk that was found for a path.
struct Walk<'a> {
    graph: &'a Repertoire,
    path: &'a GroundPath,
    found: &'a FoundWalk,
    options: &'a FollowOptions,
}

impl Walk<'_> {
    /// Pushes its motion in pieces; gives what was played, and the root's way over the ground.
    fn play(&self, outlet: &mut Outlet, run: &Run) -> Result<(Tally, Vec<[f64; 2]>), Failure> {
        let Self { graph, found, .. } = self;
        let frames = found.walk.frames(graph);
        let pieces = piece_frames(graph.graph().rate);
        let (mut done, mut tally, mut trace) = (0, Tally::default(), Vec::new());
        let end = follow_in_pieces(graph, self.path, found, self.options, pieces, |played| {
            tally.add(&played);
            let roots = played.clip.root.iter();
            trace.extend(roots.map(|root| [f64::from(root.x), f64::from(root.z)]));
            done += played.clip.len() as u64;
            let pushed = outlet.push(played);
            run.progress("playing", done.min(frames), frames);
            match pushed {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => ControlFlow::Break(failure),
            }
        });
        match end {
            ControlFlow::Continue(()) => Ok((tally, trace)),
            ControlFlow::Break(failure) => Err(failure),
        }
    }
}

impl Follow {
    fn options(&self, repertoire: &Repertoire, run: &Run) -> Result<FollowOptions, Failure> {
        let start = self.start.as_ref();
        let mut options = FollowOptions {
            start: start.map(|start| start.find(repertoire)).transpose()?,
            search: self.search,
            preference: self.moving.preference(repertoire)?,
            from_stand: self.standing.from_stand,
            to_stand: self.standing.to_stand,
            variety: variety(run),
            seed: run.seed,
            run: run.clone(),
            ..FollowOptions::default()
        };
        if self.exact_source {
            options.finish.warp = None;
        }
        Ok(options)
    }

    fn asked_path(&self, files: &dyn Files, run: &Run) -> Result<GroundPath, Failure> {
        let named = |error| self.path.wrong(error);
        let mut path = self.path.drawn_path(&self.drawing, files, run)?;
        if self.closed && !path.is_closed() {
            let mut points = path.points().to_vec();
            points.extend(points.first().copied());
            let sections = path.sections().to_vec();
            path = GroundPath::new(points).map_err(named)?;
            if !sections.is_empty() {
                path = path.with_sections(sections).map_err(named)?;
            }
        }
        if self.labels.is_empty() {
            return Ok(path);
        }
        let whole = Section {
            to: path.length(),
            labels: self.labels.clone(),
        };
        path.with_sections(vec![whole]).map_err(named)
    }
}

/// The places of a path that the motion misses or dwells at, said aloud too.
fn hard_places(
    path: &GroundPath,
    trace: &[[f64; 2]],
    repertoire: &Repertoire,
    run: &Run,
) -> Vec<HardStretch> {
    let found = find_hard_places(path, trace, repertoire.graph().rate);
    let found: Vec<HardStretch> = found.iter().map(HardStretch::from).collect();
    for place in &found {
        run.warn(place.words());
    }
    found
}

/// A path that turns by less within a metre is no corner. [degrees]
const STRAIGHT: f64 = 10.0;

impl HardStretch {
    fn words(&self) -> String {
        let Self {
            along_m, turn_deg, ..
        } = self;
        let turn = turn_deg.abs();
        let what = match self.missed_m > 0.3 {
            true => format!("the path is missed by {:.2} m", self.missed_m),
            false => format!(
                "a metre takes {:.1} s, not {:.1} s",
                self.seconds, self.usual_seconds
            ),
        };
        if turn < STRAIGHT {
            return format!(
                "at {along_m:.1} m, where the path is straight, {what}: turns before or after it lie too close \
                 for the library's motion; more room between them would help"
            );
        }
        format!(
            "at {along_m:.1} m, where the path turns by {turn:.0} degrees within a metre, {what}: the library has \
             no such turn; a rounder corner there, or motion that turns like that, would help"
        )
    }
}

impl From<&HardPlace> for HardStretch {
    fn from(place: &HardPlace) -> Self {
        let rounded = |value: f64| (value * 1e3).round() / 1e3;
        Self {
            along_m: rounded(place.along),
            turn_deg: rounded(place.turn.to_degrees()),
            missed_m: rounded(place.missed),
            seconds: rounded(place.seconds),
            usual_seconds: rounded(place.usual),
        }
    }
}

/// All words that are asked for somewhere along a path.
fn words_of(path: &GroundPath) -> Vec<String> {
    let sections = path.sections().iter();
    sections
        .flat_map(|section| section.labels.clone())
        .collect()
}

impl Start {
    fn find(&self, repertoire: &Repertoire) -> Result<(ClipId, FrameId), Failure> {
        let Self { clip, seconds } = self;
        if !(seconds.is_finite() && *seconds >= 0.0) {
            let value = format!("{clip}@{seconds}");
            return Err(Failure::bad_value("start", value, "a time from 0 s on"));
        }
        let found = repertoire.clip_named(clip).ok_or_else(|| Failure {
            field: Some("start".into()),
            ..Failure::bad_request(format!(
                "{clip}@{seconds}: there is no clip {clip:?} in the graph"
            ))
        })?;
        let frame = repertoire.graph().rate.frames_in(*seconds);
        Ok((found, FrameId::from(frame)))
    }
}

impl From<&FoundWalk> for SearchDetails {
    fn from(found: &FoundWalk) -> Self {
        Self {
            expanded: found.expanded,
            error_m2: found.error,
        }
    }
}

impl From<&Switch> for LabelSwitch {
    fn from(switch: &Switch) -> Self {
        Self {
            asked_m: switch.asked,
            at_m: switch.at,
        }
    }
}
