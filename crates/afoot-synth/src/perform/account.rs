//! What came of a score: how much of each painted entry the sources carry, how far places and poses
//! were missed.

use afoot_core::{Clip, ClipFrame, FrameId, Planar, Range32, Vec3, pose_kinematics, wrap_angle};
use serde::Serialize;

use super::costs::Take;
use super::footage::Footage;
use super::score::{Paint, Score};
use super::timeline::{Fixed, Goal, Timeline, Wish};

/// How much of a painted entry was kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryKept {
    /// The label.
    pub label: String,
    /// [s]
    pub from: f64,
    /// [s]
    pub to: f64,
    /// Whether it was wanted.
    pub want: bool,
    /// The limbs that it is painted on; none for all of the body.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<String>,
    /// Share of its frames whose captured frame carries the label, or does not, as asked. [0 to 1]
    pub share: f64,
}

/// How far a place was missed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlaceMissed {
    /// [s]
    pub at: f64,
    /// Distance from it. [m]
    pub error_m: f64,
    /// Angle from its heading, if it has one. [degrees]
    pub error_deg: f64,
    /// Distance before the way was bent. [m]
    pub before_m: f64,
}

/// How well a pose was met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PoseMet {
    /// [s]
    pub at: f64,
    /// The clip that it is of.
    pub clip: String,
    /// Root mean square distance of the joints over its frames, each laid best on the captured one. [cm]
    pub pose_error_cm: f64,
}

/// What a score asks for, frame by frame, and what there is to do it with.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) timeline: &'a Timeline,
    pub(crate) clips: &'a [Clip],
    pub(crate) footage: &'a Footage,
}

impl Asked<'_> {
    /// Every painted entry with its share.
    pub(crate) fn entries(&self, score: &Score, takes: &[Take]) -> Vec<EntryKept> {
        let labels = score.labels();
        let kept = |paint: &Paint| {
            let bit = labels
                .iter()
                .position(|label| *label == paint.label)
                .unwrap_or(0);
            let frames = self.timeline.painted(paint, self.footage);
            let mut wish = Wish::default();
            match paint.want {
                true => wish.wanted = 1 << bit,
                false => wish.unwanted = 1 << bit,
            }
            EntryKept {
                label: paint.label.clone(),
                from: paint.from,
                to: paint.to,
                want: paint.want,
                chains: paint.chains.clone(),
                share: share(wish, frames, takes, self.timeline),
            }
        };
        score.paint.iter().map(kept).collect()
    }

    /// How far a motion is from its places; `before` is where it was before its way was bent.
    pub(crate) fn places(&self, clip: &Clip, before: &[Planar]) -> Vec<PlaceMissed> {
        let place = |(index, goal): (usize, &Goal)| {
            let own = missed(goal, clip.placement(FrameId(goal.frame)), self.footage);
            let before = before
                .get(index)
                .map(|root| missed(goal, *root, self.footage));
            PlaceMissed {
                before_m: before.map_or(own.error_m, |before| before.error_m),
                ..own
            }
        };
        self.timeline.places.iter().enumerate().map(place).collect()
    }

    /// How well poses were met.
    pub(crate) fn poses(&self, clip: &Clip) -> Vec<PoseMet> {
        let met = |fixed: &Fixed| {
            let source = fixed.source + (fixed.asked.start - fixed.at);
            let (index, first) = self.footage.place(source);
            let captured = &self.clips[index];
            let frames = fixed.asked.end - fixed.asked.start;
            let squares = (0..frames).map(|frame| {
                let (there, here) = (FrameId(first + frame), FrameId(fixed.asked.start + frame));
                squared_error(captured.at(there), clip.at(here))
            });
            let mean = squares.sum::<f64>() / f64::from(frames);
            PoseMet {
                at: f64::from(fixed.asked.start) * clip.rate.frame_time(),
                clip: captured.name.clone(),
                pose_error_cm: 100.0 * mean.sqrt(),
            }
        };
        self.timeline.fixed.iter().map(met).collect()
    }
}

fn share(wish: Wish, frames: Range32, takes: &[Take], timeline: &Timeline) -> f64 {
    let mut kept = 0;
    for take in takes {
        let end = take.end();
        let common = frames.intersect(Range32 {
            start: take.at,
            end,
        });
        let captured = |frame: u32| (take.source + frame - take.at) as usize;
        let frames = common.start..common.end.max(common.start);
        kept += frames
            .filter(|frame| wish.misses(timeline.carried[captured(*frame)]) == 0)
            .count();
    }
    match frames.is_empty() {
        true => 1.0,
        false => kept as f64 / f64::from(frames.end - frames.start),
    }
}

/// How far a root is from a place.
pub(crate) fn missed(goal: &Goal, root: Planar, footage: &Footage) -> PlaceMissed {
    let off = (goal.x - root.x).hypot(goal.z - root.z);
    let turned = goal.yaw.map_or(0.0, |yaw| wrap_angle(yaw - root.yaw));
    PlaceMissed {
        at: f64::from(goal.frame) * footage.rate.frame_time(),
        error_m: off,
        error_deg: turned.to_degrees().abs(),
        before_m: off,
    }
}

/// Mean squared distance of the joints of two frames where one lies best on the other (Kovar et al.
/// 2002, eqs. 2 to 4). [m²]
pub(crate) fn squared_error(a: ClipFrame, b: ClipFrame) -> f64 {
    let joints = |at: ClipFrame| -> Vec<Vec3> {
        let ClipFrame { clip, frame } = at;
        let root = clip.root[frame.index()];
        let (_, points) = pose_kinematics(&clip.skeleton, root, clip.frame_rotations(frame));
        let joints = &points[..clip.joint_count()];
        let middle = joints.iter().sum::<Vec3>() / joints.len() as f32;
        let on_ground = Vec3::new(middle.x, 0.0, middle.z);
        joints.iter().map(|point| *point - on_ground).collect()
    };
    let (a, b) = (joints(a), joints(b));
    let pairs = || a.iter().zip(&b);
    let sin: f32 = pairs().map(|(a, b)| a.x * b.z - b.x * a.z).sum();
    let cos: f32 = pairs().map(|(a, b)| a.x * b.x + a.z * b.z).sum();
    let turn = Planar::new(0.0, 0.0, f64::from(sin.atan2(cos)));
    let apart = |(a, b): (&Vec3, &Vec3)| f64::from(a.distance_squared(turn.point3(*b)));
    pairs().map(apart).sum::<f64>() / a.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_sample::{SampleOptions, sample_library};

    #[test]
    fn a_pose_elsewhere_is_the_same_pose() {
        let clip = &sample_library(&SampleOptions::default())[0];
        let mut moved = clip.clone();
        moved.place(Planar::new(3.0, -4.0, 2.3));
        let error = squared_error(clip.at(FrameId(20)), moved.at(FrameId(20))).sqrt();
        assert!(error < 1e-4, "{error} m");
        moved.root[20].y += 0.01;
        let error = squared_error(clip.at(FrameId(20)), moved.at(FrameId(20))).sqrt();
        assert!((error - 0.01).abs() < 1e-4, "{error} m");
        let other = squared_error(clip.at(FrameId(20)), clip.at(FrameId(30))).sqrt();
        assert!(other > 0.03, "{other} m");
    }
}
