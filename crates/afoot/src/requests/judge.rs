//! The quality of a motion file.

use afoot_analyze::judge::find_captured;
use afoot_analyze::{JudgeOptions, Quality, judge_clip};
use afoot_core::Clip;
use afoot_run::Run;
use afoot_synth::perform::{PlaceMissed, ScoreKept};
use afoot_synth::{DrawingOptions, GroundPath};
use serde::{Deserialize, Serialize};

use crate::delivery::{least_room, rounded};
use crate::failure::Failure;
use crate::inputs::Input;
use crate::library::Library;
use crate::motion_files::MotionFile;
use crate::ranges::Ranged;
use crate::requests::perform::label_share;
use crate::threads::in_threads;
use crate::workspace::Workspace;

/// Asks how good a motion file is; of what is usual in the library, where one is open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Judge {
    /// The motion.
    pub input: MotionFile,
    /// The path it was to follow.
    pub path: Option<Input>,
    /// The score it was to perform; painted labels need a library.
    pub score: Option<Input>,
    /// How that path lies on the ground, if it is a drawing.
    pub drawing: DrawingOptions,
    /// The world it was to go through.
    pub world: Option<Input>,
}

/// How good it is.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Judged {
    /// The report.
    #[serde(serialize_with = "rounded")]
    pub quality: Quality,
}

impl Judge {
    /// Judges the file.
    pub fn run<'a>(&self, from: impl Into<Workspace<'a>>, run: &Run) -> Result<Judged, Failure> {
        self.check_ranges()?;
        let from = from.into();
        in_threads(run, || self.judge(&from, run))
    }

    fn judge(&self, from: &Workspace, run: &Run) -> Result<Judged, Failure> {
        let read = self.input.read(from.files())?;
        let warnings = read.source.warnings.iter();
        warnings.for_each(|warning| run.warn(warning));
        let statistics = match from.any_library() {
            Some(library) => library.statistics()?,
            None => None,
        };
        if let (Some(library), None) = (from.any_library(), &statistics) {
            let path = library.path().display();
            run.warn(format!("{path}: no motion to compare with, so no ratios"));
        }
        let drawn = |path: &Input| path.drawn_path(&self.drawing, from.files(), run);
        let path = self.path.as_ref().map(drawn);
        let path = path.transpose()?;
        let options = JudgeOptions {
            source: statistics.as_ref(),
            path: path.as_ref().map(GroundPath::points),
            ..JudgeOptions::default()
        };
        let mut quality = judge_clip(&read.clip, &options);
        let world = self.world.as_ref().map(|world| world.world(from.files()));
        if let Some(world) = world.transpose()? {
            let room = least_room(&read.clip, 0..read.clip.len(), &world);
            quality.clearance_m = room.is_finite().then_some(room);
            if room < world.radius {
                let radius = world.radius;
                run.warn(format!(
                    "the root comes within {room:.3} m of something; the world asks for {radius} m"
                ));
            }
        }
        if let Some(library) = from.any_library() {
            quality.captured_as = captured_as(&read.clip, library)?;
        }
        if let Some(score) = &self.score {
            let kept = hold_against(score, &read.clip, from, run)?;
            let worst = |value: fn(&PlaceMissed) -> f64| {
                let values = kept.places.iter().map(value);
                values.reduce(f64::max)
            };
            quality.label_share = label_share(&kept.entries);
            quality.place_error_m = worst(|place| place.error_m);
            quality.place_error_deg = worst(|place| place.error_deg);
        }
        Ok(Judged { quality })
    }
}

/// What a motion keeps of a score, by the captured frames that it is most like.
fn hold_against(
    score: &Input,
    motion: &Clip,
    from: &Workspace,
    run: &Run,
) -> Result<ScoreKept, Failure> {
    let asked = score.score(from.files())?;
    let Some(library) = from.any_library() else {
        let words = "a score is judged by a library's labels, and none is open";
        return Err(Failure::bad_request(words));
    };
    let performer = library.performer(run)?;
    let kept = performer.judge(motion, &asked);
    let kept = kept.map_err(|error| score.wrong(error))?;
    if motion.seconds() + 0.5 * motion.rate.frame_time() < asked.seconds {
        let (has, wants) = (motion.seconds(), asked.seconds);
        run.warn(format!("the motion has {has:.2} s, the score {wants} s"));
    }
    Ok(kept)
}

/// The name of the library's clip that a motion is, all of it and unchanged, if it is one.
fn captured_as(motion: &Clip, library: &Library) -> Result<Option<String>, Failure> {
    let store = library.read()?;
    for entry in store.clips()? {
        if entry.frames as usize == motion.len() {
            let clip = store.clip(&entry.name)?;
            if find_captured(motion, [&clip]).is_some() {
                return Ok(Some(entry.name));
            }
        }
    }
    Ok(None)
}
