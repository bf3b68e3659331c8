//! Motion that ends in a named clip, at a place and heading.

use afoot_core::Planar;
use afoot_run::Run;
use afoot_search::near_words;
use afoot_synth::{ReachOptions, Reached, Repertoire, Stand, Target, reach_clip};
use serde::{Deserialize, Serialize};

use crate::delivery::{Aim, Measured, MotionHeader, MotionRequest, Outlet, PlaceError, Told};
use crate::failure::Failure;
use crate::hint::Hint;
use crate::requests::moving::{Moving, OddMotion, Tally, variety};
use crate::selection::Selection;
use crate::workspace::Workspace;

/// Asks for motion that ends in a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reach {
    /// The clip: `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.
    pub clip: String,
    /// Where its root is to be at its first frame, x and z. [m, -100000 to 100000]
    pub at: [f64; 2],
    /// Which way it is to face there; any if it is left open. [degrees, -36000 to 36000]
    pub heading: Option<f64>,
    /// Where to start, and in which direction.
    pub from: Standpoint,
    /// Up to the clip use only motion with these labels, or of these types.
    #[serde(rename = "as")]
    pub labels: Vec<String>,
    /// How the figure is to move up to the clip.
    pub moving: Moving,
    /// Whether it begins in a stand.
    pub from_stand: Stand,
    /// Farthest from the place that still counts as there. [m, > 0, at most 1000]
    pub tolerance: f64,
    /// Give the nearest that was found, also where it is farther.
    pub best_effort: bool,
}

impl Default for Reach {
    fn default() -> Self {
        Self {
            clip: String::new(),
            at: [0.0; 2],
            heading: None,
            from: Standpoint::default(),
            labels: Vec::new(),
            moving: Moving::default(),
            from_stand: Stand::Never,
            // A hand's breadth: what a door handle or a chair forgives.
            tolerance: 0.1,
            best_effort: false,
        }
    }
}

/// A place on the ground and a heading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Standpoint {
    /// To the left of a figure that faces along z. [m, -100000 to 100000]
    pub x: f64,
    /// [m, -100000 to 100000]
    pub z: f64,
    /// 0 looks along +z, 90 along +x. [degrees, -36000 to 36000]
    pub heading: f64,
}

/// What reaching tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReachDetails {
    /// How far the root is from the place. [m]
    pub place_error_m: f64,
    /// How far it faces another way. [degrees]
    pub place_error_deg: f64,
    /// How far off the place it was before the correction. [m]
    pub place_error_before_warp_m: f64,
    /// When it is there. [s]
    pub at: f64,
    /// The clip.
    pub clip: String,
    /// Where its part that plays begins. [s]
    pub from: f64,
    /// Where it ends. [s]
    pub to: f64,
    /// What was not asked for, longest first.
    pub oddities: Vec<OddMotion>,
}

impl MotionRequest for Reach {
    type Details = ReachDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<ReachDetails>, Failure> {
        let selection = Selection::parse(&self.clip)?;
        let library = from.library()?;
        let graph = outlet.aside(|| library.ready_graph(run))?;
        // Ways grow with the legs: who is where it was asked for in a smaller world is there afterwards.
        let longer = outlet.longer_way(graph.skeleton());
        let mut target = self.target(&selection, &graph)?;
        target.place = target.place.map(|value| value / longer);
        (target.from.x, target.from.z) = (target.from.x / longer, target.from.z / longer);
        let options = ReachOptions {
            labels: self.labels.clone(),
            preference: self.moving.preference(&graph)?,
            from_stand: self.from_stand,
            variety: variety(run),
            seed: run.seed,
            run: run.clone(),
            ..ReachOptions::default()
        };
        let mut reached = reach_clip(&graph, &target, &options)?;
        reached.place_error *= longer;
        reached.raw_place_error *= longer;
        self.check_place(&reached)?;
        let mut details = details(&reached, &target, &graph);
        // The clip itself was asked for as it is; what leads there was to be ordinary.
        let tally = Tally::up_to(&reached.played, reached.at);
        details.oddities = self.moving.oddities(&graph, &self.labels, &tally, run)?;
        let frames = reached.played.clip.len() as u64;
        outlet.begin(MotionHeader::of_graph(&graph, frames))?;
        outlet.push(reached.played)?;
        let place_error = PlaceError {
            metres: details.place_error_m,
            degrees: details.place_error_deg,
        };
        Ok(Told {
            aim: Aim {
                way: Some(reached.way.points().to_vec()),
                ..Aim::default()
            },
            measured: Measured {
                place_error: Some(place_error),
                ..Measured::default()
            },
            details,
        })
    }
}

/// Headings farther off than this miss the goal as a place beyond the tolerance does. [degrees]
const HEADING_TOLERANCE: f64 = 10.0;

impl Reach {
    /// Refuses motion that ends elsewhere, unless the nearest is wanted.
    fn check_place(&self, reached: &Reached) -> Result<(), Failure> {
        let (metres, degrees) = (
            reached.place_error,
            reached.heading_error.to_degrees().abs(),
        );
        let turned = self.heading.is_some() && degrees > HEADING_TOLERANCE;
        if self.best_effort || !(metres > self.tolerance || turned) {
            return Ok(());
        }
        let [x, z] = self.at;
        Err(Failure::no_motion(format!(
            "{:?} can be brought no nearer to {x},{z} than {metres:.2} m and {degrees:.0} degrees; \
             the bars are {:.2} m and {HEADING_TOLERANCE:.0} degrees",
            self.clip, self.tolerance
        ))
        .with_hint(Hint::BestEffort))
    }

    fn target(&self, selection: &Selection, repertoire: &Repertoire) -> Result<Target, Failure> {
        let name = &selection.name;
        let clip = repertoire.clip_named(name).ok_or_else(|| {
            let known = repertoire
                .graph()
                .clips
                .iter()
                .map(|clip| clip.name.as_str());
            let near = near_words(name, &known.collect::<Vec<_>>()).join(" or ");
            let meant = if near.is_empty() {
                near
            } else {
                format!("; did you mean {near}?")
            };
            Failure::bad_request(format!(
                "there is no clip {name:?} in the library's graph{meant}"
            ))
        })?;
        let known = &repertoire.graph().clips[clip.index()];
        let frames = selection.frames(known.frames as usize, repertoire.graph().rate)?;
        let part = !selection.is_whole();
        Ok(Target {
            clip,
            frames: part.then_some(frames.start as u32..frames.end as u32),
            place: self.at,
            heading: self.heading.map(f64::to_radians),
            from: Planar::new(self.from.x, self.from.z, self.from.heading.to_radians()),
        })
    }
}

fn details(reached: &Reached, target: &Target, repertoire: &Repertoire) -> ReachDetails {
    let time = |frame: f64| frame * repertoire.graph().rate.frame_time();
    ReachDetails {
        place_error_m: reached.place_error,
        place_error_deg: reached.heading_error.to_degrees(),
        place_error_before_warp_m: reached.raw_place_error,
        at: time(reached.at as f64),
        clip: repertoire.graph().clips[target.clip.index()].name.clone(),
        from: time(f64::from(reached.frames.start)),
        to: time(f64::from(reached.frames.end)),
        oddities: Vec::new(),
    }
}
