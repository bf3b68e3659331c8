//! Motion along a path.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use afoot_core::{ClipId, FrameId};
use afoot_formats::files::write_whole;
use afoot_run::Run;
use afoot_synth::{
    DrawingOptions, FollowOptions, FollowSearch, GroundPath, Repertoire, Section, Switch,
    find_walk, follow_in_pieces,
};
use serde::{Deserialize, Serialize};

use crate::delivery::{MotionRequest, Sink, Told, piece_frames, time_it};
use crate::failure::Failure;
use crate::inputs::Input;
use crate::library::Library;
use crate::motion_files::check_picture_file;
use crate::pictures::Plan;
use crate::requests::moving::{Moving, OddMotion, Tally};

/// Asks for motion along a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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
    #[serde(flatten)]
    pub moving: Moving,
    /// How the walk is searched for.
    pub search: FollowSearch,
    /// The path asked for and the path walked, from above, a PNG.
    pub plan_picture: Option<PathBuf>,
}

/// A moment of a clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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
        library: &Library,
        sink: &mut dyn Sink,
        run: &Run,
    ) -> Result<Told<FollowDetails>, Failure> {
        check_picture_file(self.plan_picture.as_deref())?;
        let path = self.asked_path(run)?;
        let stock = library.stock(run)?;
        let repertoire = stock.repertoire();
        let options = self.options(repertoire, run)?;
        let begun = Instant::now();
        let found = find_walk(repertoire, &path, &options)?;
        let frames = found.walk.frames(repertoire);
        let (began, mut elsewhere) = time_it(|| sink.begin(&stock, frames));
        began?;
        let (mut plan, mut done, mut tally) = (Plan::default(), 0, Tally::default());
        let pieces = piece_frames(repertoire);
        let end = follow_in_pieces(repertoire, (&path, &found), &options, pieces, |played| {
            plan.add(&played.clip);
            tally.add(&played);
            done += played.clip.len() as u64;
            let (pushed, seconds) = time_it(|| sink.push(played));
            elsewhere += seconds;
            run.progress("playing", done.min(frames), frames);
            match pushed {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => ControlFlow::Break(failure),
            }
        });
        if let ControlFlow::Break(failure) = end {
            return Err(failure);
        }
        let seconds = (begun.elapsed().as_secs_f64() - elsewhere).max(0.0);
        if let Some(file) = &self.plan_picture {
            write_whole(file, &plan.draw(&path)?)?;
        }
        Ok(Told {
            seconds,
            details: FollowDetails {
                path_m: path.length(),
                oddities: self
                    .moving
                    .oddities(repertoire, &words_of(&path), &tally, run)?,
                search: SearchDetails {
                    expanded: found.expanded,
                    error_m2: found.error,
                },
                switches: found.switches.iter().map(LabelSwitch::from).collect(),
            },
            path: Some(path.points().to_vec()),
            place_error: None,
        })
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

    fn asked_path(&self, run: &Run) -> Result<GroundPath, Failure> {
        let named = |error| self.path.wrong(error);
        let mut path = self.path.path(&self.drawing, run)?;
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

impl From<&Switch> for LabelSwitch {
    fn from(switch: &Switch) -> Self {
        Self {
            asked_m: switch.asked,
            at_m: switch.at,
        }
    }
}
