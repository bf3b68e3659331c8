//! Motion along a path.

use std::ops::ControlFlow;

use afoot_core::{ClipId, FrameId};
use afoot_run::Run;
use afoot_synth::{
    FollowOptions, FollowSearch, FoundWalk, GroundPath, Repertoire, Section, Switch, find_walk,
    follow_in_pieces,
};
use serde::{Deserialize, Serialize};

use crate::delivery::{MotionHeader, MotionRequest, Outlet, Told, piece_frames};
use crate::failure::Failure;
use crate::files::Files;
use crate::inputs::Input;
use crate::requests::moving::{Moving, OddMotion, Tally};
use crate::workspace::Workspace;

/// Asks for motion along a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Follow {
    /// The path.
    pub path: Input,
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
    /// How the walk is searched for.
    pub search: FollowSearch,
}

/// A moment of a clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// The clip.
    pub clip: String,
    /// Its time. [s, ≥ 0]
    pub seconds: f64,
}

/// What following tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FollowDetails {
    /// Length of the path. [m]
    pub path_m: f64,
    /// What was not asked for, longest first.
    pub oddities: Vec<OddMotion>,
    /// What the search did.
    pub search: SearchDetails,
    /// Where labels changed along it.
    pub switches: Vec<LabelSwitch>,
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
        let library = from.library()?;
        let path = self.asked_path(from.files())?;
        let graph = outlet.aside(|| library.ready_graph(run))?;
        let options = self.options(&graph, run)?;
        let found = find_walk(&*graph, &path, &options)?;
        outlet.begin(MotionHeader::of_graph(&graph, found.walk.frames(&graph)))?;
        let walk = Walk {
            graph: &graph,
            path: &path,
            found: &found,
            options: &options,
        };
        let tally = walk.play(outlet, run)?;
        let words = words_of(&path);
        Ok(Told {
            details: FollowDetails {
                path_m: path.length(),
                oddities: self.moving.oddities(&graph, &words, &tally, run)?,
                search: SearchDetails::from(&found),
                switches: found.switches.iter().map(LabelSwitch::from).collect(),
            },
            path: Some(path.points().to_vec()),
            ..Told::default()
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
    /// Pushes its motion in pieces; gives what was played.
    fn play(&self, outlet: &mut Outlet, run: &Run) -> Result<Tally, Failure> {
        let Self { graph, found, .. } = self;
        let frames = found.walk.frames(graph);
        let pieces = piece_frames(graph.graph().rate);
        let (mut done, mut tally) = (0, Tally::default());
        let asked = (self.path, *found);
        let end = follow_in_pieces(graph, asked, self.options, pieces, |played| {
            tally.add(&played);
            done += played.clip.len() as u64;
            let pushed = outlet.push(played);
            run.progress("playing", done.min(frames), frames);
            match pushed {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => ControlFlow::Break(failure),
            }
        });
        match end {
            ControlFlow::Continue(()) => Ok(tally),
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
            seed: run.seed,
            run: run.clone(),
            ..FollowOptions::default()
        };
        if self.exact_source {
            options.finish.warp = None;
        }
        Ok(options)
    }

    fn asked_path(&self, files: &dyn Files) -> Result<GroundPath, Failure> {
        let named = |error| self.path.wrong(error);
        let mut path = self.path.path(files)?;
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
