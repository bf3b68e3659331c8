//! The quality report: what was measured, and what is to be said of it.

use serde::Serialize;

use super::bars::Verdict;

/// The quality report. A field is `None` where it does not apply or can't be known: no feet, no
/// library, no path, not asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Quality {
    /// How many frames were judged.
    pub frames: usize,
    /// Their duration. [s]
    pub seconds: f64,
    /// Their rate.
    pub fps: f64,
    /// Mean speed of a planted foot along the floor. [cm/s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skate_cm_s: Option<f64>,
    /// Share of planted frames above 15 cm/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skate_share: Option<f64>,
    /// How far a foot slides within one plant: 95th percentile over the plants. [mm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide_mm: Option<f64>,
    /// Farthest that a planted foot swivels beyond what the source's do in such turns, and beyond the captured
    /// frames it was made from. [degrees]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twist_deg: Option<f64>,
    /// How much more a planted foot rises and falls within a plant than the source's do in the same gait, each 95th
    /// percentile over the plants, at least 0. [mm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bob_mm: Option<f64>,
    /// Deepest a foot goes below the ground. [cm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sink_cm: Option<f64>,
    /// Fastest that the stiller foot of those on the floor moves for half a second, whatever its
    /// speed. [cm/s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glide_cm_s: Option<f64>,
    /// Share of frames in which nothing bears the body though it does not fall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsupported_share: Option<f64>,
    /// Largest step of a joint in the root's frame, over the source's 99.9th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jump_ratio: Option<f64>,
    /// The same of second differences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration_ratio: Option<f64>,
    /// Peak ground speed of the root over the source's, per gait: the worst gait's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_speed_ratio: Option<f64>,
    /// The same of the root's acceleration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_acceleration_ratio: Option<f64>,
    /// The same of the knee angle's acceleration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knee_acceleration_ratio: Option<f64>,
    /// The same of the angular acceleration of the foot against the shin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ankle_acceleration_ratio: Option<f64>,
    /// How far hip heights, mean or extremes, lie outside the source's, per gait: the worst. [cm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hip_off_cm: Option<f64>,
    /// The same of knee angles. [degrees]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knee_off_deg: Option<f64>,
    /// Longest that a leg keeps its pose while its foot is carried along. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen_s: Option<f64>,
    /// Deepest that the lower legs come into each other beyond the source's own. [cm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penetration_cm: Option<f64>,
    /// Of frames that travel, those faced within 30° of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faced_share: Option<f64>,
    /// Share of the time along a path that goes by at less than a third of the usual speed though the way leads
    /// straight on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halt_share: Option<f64>,
    /// How many of the ends that were to be stands are in mid-step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mid_step_ends: Option<f64>,
    /// How many joins there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<usize>,
    /// Share of frames whose joints, root aside, are within 1° of the captured ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_share: Option<f64>,
    /// Share of frames whose upper body is within 1° of the captured one and whose thighs and shins are
    /// within 5°, feet aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near_source_share: Option<f64>,
    /// Change of the hips' height against the captured frame: mean. [cm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hip_change_cm: Option<f64>,
    /// The same, 95th percentile. [cm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hip_change_p95_cm: Option<f64>,
    /// Change of the knees' angle against the captured frame: mean. [degrees]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knee_change_deg: Option<f64>,
    /// The same, 95th percentile. [degrees]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knee_change_p95_deg: Option<f64>,
    /// Mean distance from the asked path. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_mean_m: Option<f64>,
    /// Largest distance from it. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_max_m: Option<f64>,
    /// Farthest that a point of the path is from where the walker went. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_missed_m: Option<f64>,
    /// Share of the painted frames of a score that carry what was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_share: Option<f64>,
    /// Distance from a score's places. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place_error_m: Option<f64>,
    /// Difference from their headings. [degrees]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place_error_deg: Option<f64>,
    /// Least distance of the root from what stands in a world, and from its bounds. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clearance_m: Option<f64>,
    /// The most of what may be bent that any of its moves is bent by, of motion through a world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit_share: Option<f64>,
    /// Cost of a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The cost is proven to be at most so many times the best plan's. [≥ 1]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// Nodes that the search opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<u64>,
    /// Time taken to make the motion. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute_seconds: Option<f64>,
    /// Seconds of motion per second of work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realtime: Option<f64>,
    /// Which clips were played for how long, longest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<ClipUse>,
    /// The clip of the library that the motion is, as captured; it need not keep what only made motion must.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured_as: Option<String>,
    /// What was measured against a bar, with the bar, in the order of [`super::BARS`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Verdict>,
}

/// A clip that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipUse {
    /// Its name.
    pub clip: String,
    /// For how long. [s]
    pub seconds: f64,
}

impl Quality {
    /// Sets the time taken, and the speed that it means.
    pub fn took(&mut self, seconds: f64) {
        self.compute_seconds = Some(seconds);
        self.realtime = (seconds > 0.0).then(|| self.seconds / seconds);
    }

    /// Takes over what a report on the same motion, on another skeleton, says of its feet.
    pub fn take_other_body(&mut self, other: Self) {
        self.path_mean_m = other.path_mean_m;
        self.path_max_m = other.path_max_m;
        self.path_missed_m = other.path_missed_m;
        self.clearance_m = other.clearance_m;
        (self.skate_cm_s, self.skate_share) = (other.skate_cm_s, other.skate_share);
        (self.slide_mm, self.bob_mm) = (other.slide_mm, other.bob_mm);
        self.sink_cm = other.sink_cm;
        self.glide_cm_s = other.glide_cm_s;
        let feet = [
            "skate_cm_s",
            "skate_share",
            "slide_mm",
            "bob_mm",
            "sink_cm",
            "glide_cm_s",
        ];
        for verdict in &mut self.verdicts {
            let same = |new: &&Verdict| new.measure == verdict.measure;
            if let Some(new) = other.verdicts.iter().find(same)
                && feet.contains(&new.measure)
            {
                *verdict = new.clone();
            }
        }
    }

    /// The bars that were not kept. `captured` motion is not asked for what only a cleanup gives.
    pub fn broken(&self, captured: bool) -> impl Iterator<Item = &Verdict> {
        let captured = captured || self.captured_as.is_some();
        let asked = move |verdict: &&Verdict| !(captured && verdict.made_only);
        self.verdicts
            .iter()
            .filter(|verdict| !verdict.kept)
            .filter(asked)
    }
}
