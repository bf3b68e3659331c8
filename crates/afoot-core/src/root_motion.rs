//! Clips that walk in place, and the path that their feet would make (Mixamo, engine exports).
//!
//! In an in-place clip the body stays where it is while the foot that stands slides back under it.
//! Where the stance foot is held still instead, the root moves as it must: each frame's step is the
//! reverse of the lower foot's. In flight the last step goes on. Only the way over the ground is
//! given back: height and heading stay.

use glam::Vec3;

use crate::clip::Clip;
use crate::index::{FrameId, JointId};
use crate::kinematics::{Positions, forward_kinematics};
use crate::roles::Side;

/// A body that gets this far from where it was walks somewhere. [m]
const SOMEWHERE: f32 = 0.6;
/// Feet that stand slide at least so fast under a body that walks in place. [m/s]
const SLIDING: f32 = 0.4;
/// A foot this far above its lowest place does not stand. [share of the leg's length]
const STANDING: f32 = 0.07;

/// Whether the figure walks without getting anywhere.
pub fn is_in_place(clip: &Clip) -> bool {
    let Some(steps) = stance_steps(clip) else {
        return false;
    };
    let first = clip.root.first().copied().unwrap_or_default();
    let far = |root: &Vec3| (*root - first).with_y(0.0).length() > SOMEWHERE;
    let mut speeds: Vec<f32> = steps.iter().flatten().map(|step| step.length()).collect();
    if speeds.len() < 4 || clip.root.iter().any(far) {
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

/// How the standing foot moves over the ground from each frame to the next; `None` in flight, and
/// for a figure without legs. [m]
fn stance_steps(clip: &Clip) -> Option<Vec<Option<Vec3>>> {
    let legs = [
        clip.skeleton.leg(Side::Left)?,
        clip.skeleton.leg(Side::Right)?,
    ];
    let high = STANDING * clip.skeleton.leg_length()?;
    let points = forward_kinematics(clip);
    let soles: Vec<[JointId; 2]> = legs.iter().map(|leg| [leg.ankle, leg.ball]).collect();
    let lowest = soles
        .as_flattened()
        .iter()
        .map(|&joint| lowest(&points, joint))
        .collect::<Vec<_>>();
    let step = |frame: usize| {
        let above = |index: usize, joint: &JointId| {
            let at = |frame: usize| points.joint(FrameId::from(frame), *joint).y;
            at(frame).max(at(frame + 1)) - lowest[index]
        };
        let joints = soles.as_flattened().iter().enumerate();
        let (height, joint) = joints
            .map(|(index, joint)| (above(index, joint), *joint))
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
        let moved = points.joint(FrameId::from(frame + 1), joint)
            - points.joint(FrameId::from(frame), joint);
        (height < high).then_some(moved.with_y(0.0))
    };
    Some((0..clip.len().saturating_sub(1)).map(step).collect())
}

fn lowest(points: &Positions, joint: JointId) -> f32 {
    points
        .track(joint.index())
        .map(|point| point.y)
        .fold(f32::INFINITY, f32::min)
}
