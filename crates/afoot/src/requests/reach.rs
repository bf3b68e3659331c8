//! Motion that ends in a named clip, at a place and heading.

use std::path::PathBuf;

use afoot_core::Planar;
use afoot_formats::files::write_whole;
use afoot_library::nearest;
use afoot_run::Run;
use afoot_synth::{ReachOptions, Reached, Repertoire, Target, reach_clip};
use serde::{Deserialize, Serialize};

use crate::delivery::{MotionRequest, PlaceError, Sink, Told, time_it};
use crate::failure::Failure;
use crate::hint::Hint;
use crate::library::Library;
use crate::motion_files::check_picture_file;
use crate::pictures::Plan;
use crate::requests::moving::Moving;
use crate::selection::Selection;

/// Asks for motion that ends in a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reach {
    /// The clip: `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.
    pub clip: String,
    /// Where its root is to be at its first frame, x and z. [m]
    pub at: [f64; 2],
    /// Which way it is to face there; any if it is left open. [degrees]
    pub heading: Option<f64>,
    /// Where to start, x and z, and in which direction. [m, m, degrees]
    pub from: [f64; 3],
    /// Up to the clip use only motion with these labels, or of these types.
    #[serde(rename = "as")]
    pub labels: Vec<String>,
    /// How the figure is to move up to the clip.
    #[serde(flatten)]
    pub moving: Moving,
    /// The way asked for and the way walked, from above, a PNG.
    pub plan_picture: Option<PathBuf>,
    /// Farthest from the place that still counts as there. [m, > 0]
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
            from: [0.0; 3],
            labels: Vec::new(),
            moving: Moving::default(),
            plan_picture: None,
            // A hand's breadth: what a door handle or a chair forgives.
            tolerance: 0.1,
            best_effort: false,
        }
    }
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
}

impl MotionRequest for Reach {
    type Details = ReachDetails;

    fn make(
        &self,
        library: &Library,
        sink: &mut dyn Sink,
        run: &Run,
    ) -> Result<Told<ReachDetails>, Failure> {
        check_picture_file(self.plan_picture.as_deref())?;
        let selection = Selection::parse(&self.clip)?;
        let stock = library.stock(run)?;
        let repertoire = stock.repertoire();
        let target = self.target(&selection, repertoire)?;
        let options = ReachOptions {
            labels: self.labels.clone(),
            preference: self.moving.preference(repertoire)?,
            seed: run.seed,
            run: run.clone(),
            ..ReachOptions::default()
        };
        let (reached, seconds) = time_it(|| reach_clip(repertoire, &target, &options));
        let reached = reached?;
        self.check_place(&reached)?;
        if let Some(file) = &self.plan_picture {
            let mut plan = Plan::default();
            plan.add(&reached.played.clip);
            write_whole(file, &plan.draw(&reached.way)?)?;
        }
        let details = details(&reached, &target, repertoire);
        sink.begin(&stock, reached.played.clip.len() as u64)?;
        sink.push(reached.played)?;
        Ok(Told {
            seconds,
            path: None,
            place_error: Some(PlaceError {
                metres: details.place_error_m,
                degrees: details.place_error_deg,
            }),
            details,
        })
    }
}

/// Headings farther off than this miss the goal as a place beyond the tolerance does. [degrees]
const HEADING_TOLERANCE: f64 = 10.0;

impl Reach {
    /// Refuses motion that ends elsewhere, unless the nearest is wanted.
    fn check_place(&self, reached: &Reached) -> Result<(), Failure> {
        if self.tolerance.is_nan() || self.tolerance <= 0.0 {
            let expected = "metres, more than 0";
            return Err(Failure::bad_value("tolerance", self.tolerance, expected));
        }
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
            let near = nearest(name, &known.collect::<Vec<_>>()).join(" or ");
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
        let [x, z, degrees] = self.from;
        Ok(Target {
            clip,
            frames: part.then_some(frames.start as u32..frames.end as u32),
            place: self.at,
            heading: self.heading.map(f64::to_radians),
            from: Planar::new(x, z, degrees.to_radians()),
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
    }
}
