//! Clips that walk in place, and the path that their feet would make (Mixamo, engine exports).
//!
//! In an in-place clip the body stays where it is while the foot that stands slides back under it.
//! Where the stance foot is held still instead, the root moves as it must: each frame's step is the
//! reverse of the lower foot's. In flight the last step goes on. Only the way over the ground is
//! given back: height and heading stay. A foot stands while it is as low as feet get in a quarter of the
//! frames: the least that any gait stands, and what a drawn run with its three frames a step has.

use glam::Vec3;

use crate::clip::Clip;
use crate::contacts::Contacts;
use crate::index::{FrameId, JointId};
use crate::kinematics::{Positions, forward_kinematics};
use crate::roles::Side;

/// A body that gets this far from where it was walks somewhere. [m]
const SOMEWHERE: f32 = 0.6;
/// Feet that stand slide at least so fast under a body that walks in place. [m/s]
const SLIDING: f32 = 0.4;
/// A foot this far above its lowest place does not stand. [share of the leg's length]
const STANDING: f32 = 0.07;
/// The same of a run whose feet are in the air in most frames. [share of the leg's length]
const STANDING_AT_MOST: f32 = 0.15;

/// Whether the figure walks without getting anywhere.
pub fn is_in_place(clip: &Clip) -> bool {
    let Some(steps) = stance_steps(clip) else {
        return false;
    };
    let first = clip.root.first().copied().unwrap_or_default();
    let far = |root: &Vec3| (*root - first).with_y(0.0).length() > SOMEWHERE;
    let mut speeds: Vec<f32> = steps.iter().flatten().map(|step| step.length()).collect();
    if speeds.len() < 3 || clip.root.iter().any(far) {
        return false;
    }
    let middle = speeds.len() / 2;
    let (_, median, _) = speeds.select_nth_unstable_by(middle, f32::total_cmp);
    f64::from(*median) * clip.rate.fps() > f64::from(SLIDING)
}

/// Moves the root so that the lower foot stands still.
pub fn add_root_motion(clip: &mut Clip) {
    let Some(steps) = stance_steps(clip) else {
        return;
    };
    let first_known = steps.iter().flatten().next().copied().unwrap_or_default();
    let (mut place, mut step) = (Vec3::ZERO, first_known);
    for (root, known) in clip.root.iter_mut().skip(1).zip(steps) {
        step = known.unwrap_or(step);
        place -= step;
        *root += place;
    }
}

/// Which feet stand in each frame, by height alone: where the ground slides under a figure, or a
/// run is drawn with a few frames a step, none is found to rest. `None` for a figure without legs.
pub fn stance_contacts(clip: &Clip) -> Option<Vec<Contacts>> {
    let soles = Soles::of(clip)?;
    let parts = Side::BOTH.map(|side| [Contacts::heel(side), Contacts::ball(side)]);
    let contacts = |frame: usize| {
        let parts = parts.as_flattened().iter().enumerate();
        let standing = parts.filter(|(sole, _)| soles.height(*sole, frame) < soles.high);
        standing.fold(Contacts::NONE, |all, (_, part)| all.with(*part))
    };
    Some((0..clip.len()).map(contacts).collect())
}

/// How the standing foot moves over the ground from each frame to the next; `None` in flight, and
/// for a figure without legs. [m]
fn stance_steps(clip: &Clip) -> Option<Vec<Option<Vec3>>> {
    let soles = Soles::of(clip)?;
    let step = |frame: usize| {
        let above = |sole: usize| soles.height(sole, frame).max(soles.height(sole, frame + 1));
        let sole = (0..soles.joints.len()).min_by(|a, b| above(*a).total_cmp(&above(*b)))?;
        let at = |frame: usize| soles.points.joint(FrameId::from(frame), soles.joints[sole]);
        let moved = at(frame + 1) - at(frame);
        (above(sole) < soles.high).then_some(moved.with_y(0.0))
    };
    Some((0..clip.len().saturating_sub(1)).map(step).collect())
}

/// Ankles and balls of both feet, left ones first.
struct Soles {
    points: Positions,
    joints: [JointId; 4],
    /// How low each gets. [m]
    lowest: [f32; 4],
    /// Above that it does not stand. [m]
    high: f32,
}

impl Soles {
    fn of(clip: &Clip) -> Option<Self> {
        let [left, right] = Side::BOTH.map(|side| clip.skeleton.leg(side));
        let (left, right) = (left?, right?);
        let length = clip.skeleton.leg_length()?;
        let joints = [left.ankle, left.ball, right.ankle, right.ball];
        let points = forward_kinematics(clip);
        let lowest = joints.map(|joint| lowest(&points, joint));
        let mut soles = Self {
            points,
            joints,
            lowest,
            high: 0.0,
        };
        let in_a_quarter = soles.height_in_a_quarter(clip.len());
        soles.high = length * (in_a_quarter / length).clamp(STANDING, STANDING_AT_MOST);
        Some(soles)
    }

    /// Of one sole above where it gets lowest. [m]
    fn height(&self, sole: usize, frame: usize) -> f32 {
        let point = self.points.joint(FrameId::from(frame), self.joints[sole]);
        point.y - self.lowest[sole]
    }

    /// What the lower foot stays below in a quarter of the frames. [m]
    fn height_in_a_quarter(&self, frames: usize) -> f32 {
        let of = |frame| (0..4).map(move |sole| self.height(sole, frame));
        let lower = |frame| of(frame).fold(f32::INFINITY, f32::min);
        let mut heights: Vec<f32> = (0..frames).map(lower).collect();
        heights.sort_unstable_by(f32::total_cmp);
        heights.get(frames / 4).copied().unwrap_or_default()
    }
}

fn lowest(points: &Positions, joint: JointId) -> f32 {
    points
        .track(joint.index())
        .map(|point| point.y)
        .fold(f32::INFINITY, f32::min)
}
