//! Where joints that slide on what carries them are while the figure is at rest in its reference pose.
//!
//! Such a joint's offset in a file belongs to the file's own rest pose, or to nothing at all: its channels replace it in every
//! frame. Mostly it is a joint of another part of the body (the thighs of 3ds Max's Biped hang on the spine and move with the
//! pelvis), so it stays where it is as that part sees it. The part is the joint above that sees it move least. Weakness: a
//! joint that nothing above holds is put where its carrier sees it in the mean.

use glam::{Quat, Vec3};

use crate::clip::{Clip, SlidingJoint};
use crate::index::{FrameId, JointId};
use crate::kinematics::{forward_kinematics, pose_kinematics};

/// Who sees a joint move by less than this share of what its carrier sees holds it instead.
const STILLER: f32 = 0.25;

/// The offset of every joint in a reference pose: `world` has its rotations, `frames` the frames that tell. [m]
pub(crate) fn offsets_at_rest(clip: &Clip, world: &[Quat], frames: &[FrameId]) -> Vec<Vec3> {
    let joints = clip.skeleton.joints();
    let mut offsets: Vec<Vec3> = joints.iter().map(|joint| joint.offset).collect();
    if clip.sliding.is_empty() || frames.is_empty() {
        return offsets;
    }
    let poses = seen_poses(clip, frames);
    let mut places = vec![Vec3::ZERO; joints.len()];
    for (index, joint) in joints.iter().enumerate() {
        let Some(carrier) = joint.parent.map(JointId::index) else {
            continue;
        };
        let slides = |sliding: &&SlidingJoint| sliding.joint.index() == index;
        if clip.sliding.iter().any(|sliding| slides(&sliding)) {
            let held = hold(clip, &poses, JointId::from(index));
            let place = places[held.by] + world[held.by] * held.at;
            offsets[index] = world[carrier].conjugate() * (place - places[carrier]);
        }
        places[index] = places[carrier] + world[carrier] * offsets[index];
    }
    offsets
}

/// World rotations and places of all joints in a frame.
struct SeenPose {
    turns: Vec<Quat>,
    places: Vec<Vec3>,
}

fn seen_poses(clip: &Clip, frames: &[FrameId]) -> Vec<SeenPose> {
    let positions = forward_kinematics(clip);
    let pose = |frame: &FrameId| SeenPose {
        turns: pose_kinematics(&clip.skeleton, Vec3::ZERO, clip.frame_rotations(*frame)).0,
        places: positions.frame(*frame)[..clip.joint_count()].to_vec(),
    };
    frames.iter().map(pose).collect()
}

/// What holds a joint, and where it sees it.
struct Hold {
    by: usize,
    /// [m]
    at: Vec3,
    /// How far it is from there, squared, in the mean. [m²]
    spread: f32,
}

fn hold(clip: &Clip, poses: &[SeenPose], joint: JointId) -> Hold {
    let seen_by = |by: JointId| {
        let seen = |pose: &SeenPose| {
            let away = pose.places[joint.index()] - pose.places[by.index()];
            pose.turns[by.index()].conjugate() * away
        };
        let count = poses.len() as f32;
        let at = poses.iter().map(seen).sum::<Vec3>() / count;
        let off = |pose: &SeenPose| seen(pose).distance_squared(at);
        let spread = poses.iter().map(off).sum::<f32>() / count;
        let by = by.index();
        Hold { by, at, spread }
    };
    // The nearest first: the carrier.
    let mut above = clip
        .skeleton
        .ancestors(joint)
        .map(seen_by)
        .collect::<Vec<_>>();
    above.sort_by_key(|hold| std::cmp::Reverse(hold.by));
    let carrier = above.remove(0);
    let stillest = above
        .into_iter()
        .min_by(|a, b| a.spread.total_cmp(&b.spread));
    match stillest {
        Some(other) if other.spread < STILLER * STILLER * carrier.spread => other,
        _ => carrier,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;

    #[test]
    fn a_joint_that_moves_with_another_part_is_where_that_part_has_it() {
        let mut clip = swinging_clip(9);
        let hand = clip.skeleton.find("LeftHand").unwrap();
        let above: Vec<JointId> = clip.skeleton.ancestors(hand).collect();
        let root = *above.iter().min().unwrap();
        let carrier = clip.skeleton.joint(hand).parent.unwrap();
        assert_ne!(root, carrier);
        // Held still as the root sees it, whatever the arm does.
        let at = Vec3::new(0.4, 0.3, 0.2);
        let positions = forward_kinematics(&clip);
        let offset = |frame: FrameId| {
            let turns = pose_kinematics(&clip.skeleton, Vec3::ZERO, clip.frame_rotations(frame)).0;
            let place = positions.joint(frame, root) + turns[root.index()] * at;
            turns[carrier.index()].conjugate() * (place - positions.joint(frame, carrier))
        };
        let frames: Vec<FrameId> = (0..clip.len()).map(FrameId::from).collect();
        let offsets: Vec<Vec3> = frames.iter().map(|frame| offset(*frame)).collect();
        assert!(offsets[0].distance(offsets[4]) > 1e-3, "the arm must move");
        clip.sliding.push(SlidingJoint {
            joint: hand,
            offsets,
        });
        let world = clip.skeleton.world_rest_rotations();
        let found = offsets_at_rest(&clip, &world, &frames);
        let mut place = Vec3::ZERO;
        let mut chain: Vec<JointId> = above
            .iter()
            .copied()
            .filter(|joint| *joint != root)
            .collect();
        chain.sort();
        chain.push(hand);
        for joint in chain {
            let parent = clip.skeleton.joint(joint).parent.unwrap();
            place += world[parent.index()] * found[joint.index()];
        }
        let off = (world[root.index()].conjugate() * place).distance(at);
        assert!(off < 1e-5, "{off} m");
        let others = |index: &usize| *index != hand.index();
        let same = |index: usize| found[index] == clip.skeleton.joints()[index].offset;
        assert!((0..found.len()).filter(others).all(same));
    }
}
