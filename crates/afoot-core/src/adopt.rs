//! One skeleton for clips whose files list the same joints in another order or frame.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::clip::{Clip, SlidingJoint};
use crate::index::JointId;
use crate::skeleton::Skeleton;
use crate::stem::reframe;

/// Offsets nearer than this are the same. [m]
const SAME: f32 = 1e-4;

/// The same motion on `target`, which has the same joints: names, parents and lengths within 0.1 mm,
/// in any order; `None` where it has not. Rest pose, roles and what stands above the hips become the
/// target's.
pub fn adopt_skeleton(clip: &Clip, target: &Arc<Skeleton>) -> Option<Clip> {
    let mut out = clip.clone();
    let frame = |skeleton: &Skeleton| skeleton.stem().map_or(Quat::IDENTITY, |stem| stem.turn);
    let turn = (frame(&clip.skeleton).conjugate() * frame(target)).normalize();
    if turn.w.abs() < 1.0 - 1e-6 {
        reframe(&mut out, turn);
    }
    let sources = matching_joints(&out.skeleton, target)?;
    if sources
        .iter()
        .enumerate()
        .any(|(index, source)| source.index() != index)
    {
        reorder(&mut out, &sources);
    }
    out.skeleton = target.clone();
    Some(out)
}

fn reorder(clip: &mut Clip, sources: &[JointId]) {
    let frames = clip.rotations.chunks_exact(sources.len());
    let reordered = frames.flat_map(|frame| sources.iter().map(|source| frame[source.index()]));
    clip.rotations = reordered.collect();
    for sliding in &mut clip.sliding {
        let at = sources.iter().position(|source| *source == sliding.joint);
        sliding.joint = at.map_or(JointId(0), JointId::from);
    }
    clip.sliding
        .sort_by_key(|sliding: &SlidingJoint| sliding.joint);
}

/// For every joint of `target` the joint of `source` that it is; `None` where they are not the same.
fn matching_joints(source: &Skeleton, target: &Skeleton) -> Option<Vec<JointId>> {
    if source.len() != target.len() {
        return None;
    }
    let close = |a: Vec3, b: Vec3| (a - b).abs().max_element() < SAME;
    let parent_name = |skeleton: &Skeleton, joint: JointId| {
        let parent = skeleton.joint(joint).parent;
        parent.map(|parent| skeleton.joint(parent).name.clone())
    };
    let pair = |index: usize| {
        let joint = JointId::from(index);
        let from = match &source.joints()[index].name == &target.joint(joint).name {
            true => joint,
            false => source.find(&target.joint(joint).name)?,
        };
        let same_parent = parent_name(source, from) == parent_name(target, joint);
        let same_place = index == 0 || close(source.joint(from).offset, target.joint(joint).offset);
        (same_parent && same_place).then_some(from)
    };
    (0..target.len()).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;
    use crate::kinematics::forward_kinematics;
    use crate::skeleton::Joint;
    use crate::stem::turn_root_frame;

    #[test]
    fn another_order_and_frame_are_the_same_skeleton() {
        let clip = swinging_clip(4);
        // Right before left, each limb after its parent.
        let order = [
            0, 9, 10, 13, 14, 15, 11, 12, 16, 17, 18, 5, 6, 7, 8, 1, 2, 3, 4,
        ]
        .map(JointId);
        let number = |joint: JointId| {
            order
                .iter()
                .position(|other| *other == joint)
                .map(JointId::from)
        };
        let joint = |id: &JointId| {
            let joint = clip.skeleton.joint(*id);
            Joint {
                parent: joint.parent.and_then(number),
                ..joint.clone()
            }
        };
        let skeleton = Skeleton::new(order.iter().map(joint).collect(), vec![]).unwrap();
        let mut other = clip.clone();
        reorder(&mut other, &order);
        other.skeleton = Arc::new(skeleton);
        turn_root_frame(&mut other, Quat::from_rotation_x(0.4));
        let back = adopt_skeleton(&other, &clip.skeleton).unwrap();
        assert_eq!(back.skeleton, clip.skeleton);
        let (expected, found) = (forward_kinematics(&clip), forward_kinematics(&back));
        for (a, b) in expected.as_slice().iter().zip(found.as_slice()) {
            assert!(a.distance(*b) < 1e-5, "{a} became {b}");
        }
        let longer = Arc::new(Skeleton::clone(&clip.skeleton).scaled(1.01));
        assert_eq!(adopt_skeleton(&clip, &longer), None);
    }
}
