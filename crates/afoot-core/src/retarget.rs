//! Motion of one skeleton for another.
//!
//! Between skeletons of one topology and rest pose, rotations are copied; else each mapped joint
//! takes over the source joint's world turn away from rest, with long bones pointed as the source's
//! (`joint_map`). The root's path is scaled by the ratio of leg lengths. Last the feet are put
//! back: the whole clip is raised until the ball joints rest above the scaled floor as high as they
//! did, scaled, above the source's. Within a clip, legs that differ by more than scale leave small
//! slides for foot-skate cleanup; onto another topology, sliding joints stop sliding. Cost: two
//! forward kinematics. Not here: reaching hands, props.

use std::sync::Arc;

use glam::Vec3;
use thiserror::Error;

use crate::clip::Clip;
use crate::contacts::Contacts;
use crate::ground::{FootRest, Ground};
use crate::index::{FrameId, JointId};
use crate::joint_map::{Transfer, pair_joints};
use crate::kinematics::{Positions, forward_kinematics};
use crate::roles::Side;
use crate::skeleton::Skeleton;

/// How motion goes from one skeleton to another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RetargetOptions {
    /// Which joints correspond.
    pub joints: JointMap,
    /// How much larger the target is; `None` takes the ratio of leg lengths. [> 0]
    pub scale: Option<f32>,
}

/// Which joint of the target follows which of the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum JointMap {
    /// All of them where the topology is the same, else those with the same role or name.
    #[default]
    Automatic,
    /// Pairs of names, target first; other joints keep their rest.
    Named(Vec<(String, String)>),
}

/// Why a clip can't be retargeted.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum RetargetError {
    #[error("the joint map names {name:?}, which is not a joint of the {which} skeleton")]
    UnknownJoint { name: String, which: &'static str },
    #[error(
        "the skeletons have too little in common: no pair for {missing}; name the joints' roles or give a joint map"
    )]
    NothingInCommon { missing: String },
    #[error("the scale is {0}; expected a number above 0")]
    BadScale(f32),
}

/// The same motion on `target`; contacts, types and labels stay, the floor is scaled.
pub fn retarget_clip(
    clip: &Clip,
    target: &Arc<Skeleton>,
    options: &RetargetOptions,
) -> Result<Clip, RetargetError> {
    let pairs = pair_joints(&clip.skeleton, target, &options.joints)?;
    let scale = options
        .scale
        .unwrap_or_else(|| size_ratio(&clip.skeleton, target));
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(RetargetError::BadScale(scale));
    }
    let mut out = Clip {
        skeleton: target.clone(),
        root: Vec::new(),
        rotations: Vec::new(),
        sliding: Vec::new(),
        ..clip.clone()
    };
    match pairs {
        None => copy_rotations(clip, scale, &mut out),
        Some(pairs) => Transfer::new(&clip.skeleton, target, &pairs).run(clip, scale, &mut out),
    }
    put_feet_back(clip, scale, &mut out);
    Ok(out)
}

/// How much larger `target` is than `source`: by leg length, else by the longest way down from the
/// root, else 1.
pub fn size_ratio(source: &Skeleton, target: &Skeleton) -> f32 {
    let reach = |skeleton: &Skeleton| {
        let joints = (0..skeleton.len()).map(JointId::from);
        let lengths = joints.filter_map(|joint| skeleton.path_length(JointId(0), joint));
        lengths.fold(0.0, f32::max)
    };
    let (from, to) = match (source.leg_length(), target.leg_length()) {
        (Some(from), Some(to)) => (from, to),
        _ => (reach(source), reach(target)),
    };
    if from > 0.0 && to > 0.0 {
        to / from
    } else {
        1.0
    }
}

fn copy_rotations(clip: &Clip, scale: f32, out: &mut Clip) {
    out.root = clip.root.iter().map(|&root| root * scale).collect();
    out.rotations = clip.rotations.clone();
    out.sliding = clip.sliding.clone();
    for offset in out
        .sliding
        .iter_mut()
        .flat_map(|sliding| &mut sliding.offsets)
    {
        *offset *= scale;
    }
}

/// Raises `out` until its balls rest as high above the scaled floor as the source's did.
fn put_feet_back(clip: &Clip, scale: f32, out: &mut Clip) {
    let floor = clip.ground.unwrap_or(Ground::level(0.0));
    let scaled = Ground {
        height: floor.height * scale,
        ..floor
    };
    let (before, after) = (forward_kinematics(clip), forward_kinematics(out));
    let rest_of = |side| {
        let from = rest_heights(clip, &before, &floor, side)?;
        Some((from, rest_heights(out, &after, &scaled, side)?))
    };
    let rests = Side::BOTH.map(rest_of);
    let sinks = rests
        .iter()
        .flatten()
        .map(|(from, to)| from.ball * scale - to.ball);
    let count = sinks.clone().count();
    let lift = if count == 0 {
        0.0
    } else {
        sinks.sum::<f32>() / count as f32
    };
    out.root.iter_mut().for_each(|root| root.y += lift);
    let moved = |rest: f32, from: f32, to: f32| rest * scale + (to + lift - from * scale);
    out.ground = clip.ground.map(|_| {
        let mut ground = scaled;
        for (rest, found) in ground.rest.iter_mut().zip(rests) {
            let (from, to) = found.unwrap_or_default();
            rest.ball = moved(rest.ball, from.ball, to.ball);
            rest.ankle = moved(rest.ankle, from.ankle, to.ankle);
        }
        ground
    });
}

/// How high a foot's joints are above `floor` when it rests: the median over frames in contact
/// where contacts are known, else the 5th percentile over all; `None` without such a foot or frame.
fn rest_heights(clip: &Clip, points: &Positions, floor: &Ground, side: Side) -> Option<FootRest> {
    let leg = clip.skeleton.leg(side)?;
    let height = |joint: JointId, part: Contacts| {
        let above = |point: Vec3| point.y - floor.height_at(point.x, point.z);
        let at = |frame: usize| above(points.joint(FrameId::from(frame), joint));
        let touching = |frame: &usize| clip.contacts.get(*frame).is_some_and(|c| c.any(part));
        let rests: Vec<f32> = (0..clip.len()).filter(touching).map(at).collect();
        match rests.is_empty() {
            true => percentile((0..clip.len()).map(at).collect(), 0.05),
            false => percentile(rests, 0.5),
        }
    };
    Some(FootRest {
        ankle: height(leg.ankle, Contacts::heel(side))?,
        ball: height(leg.ball, Contacts::ball(side))?,
    })
}

fn percentile(mut values: Vec<f32>, share: f32) -> Option<f32> {
    let at = (values.len().checked_sub(1)? as f32 * share).round() as usize;
    values.select_nth_unstable_by(at, f32::total_cmp);
    Some(values[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{small_figure, swinging_clip};
    use crate::skeleton::Joint;
    use glam::Quat;

    fn retarget(clip: &Clip, target: Skeleton) -> Clip {
        retarget_clip(clip, &Arc::new(target), &RetargetOptions::default()).unwrap()
    }

    /// The small figure under other names, with other rest rotations, arms hanging down at rest and
    /// one more joint above the hips.
    fn other_figure() -> Skeleton {
        let figure = small_figure();
        let shifted = |joint: &Joint| {
            joint
                .parent
                .map_or(JointId(0), |parent| JointId(parent.0 + 1))
        };
        let mut joints = vec![Joint::new("root", None, Vec3::ZERO)];
        joints.extend(figure.joints().iter().map(|joint| {
            let (plain, side) = match joint.name.strip_prefix("Left") {
                Some(rest) => (rest, "_l"),
                None => joint
                    .name
                    .strip_prefix("Right")
                    .map_or((joint.name.as_str(), ""), |rest| (rest, "_r")),
            };
            Joint::new(format!("{plain}{side}"), Some(shifted(joint)), joint.offset)
        }));
        for joint in &mut joints {
            let down = if joint.name.ends_with("_l") {
                -1.2
            } else {
                1.2
            };
            if joint.name.starts_with("ForeArm") || joint.name.starts_with("Hand_") {
                joint.offset = Quat::from_rotation_z(down) * joint.offset;
            }
        }
        turned_frames(joints).with_recognised_roles()
    }

    /// The same rest pose with every joint's frame turned its own way.
    fn turned_frames(mut joints: Vec<Joint>) -> Skeleton {
        for (index, joint) in joints.iter_mut().enumerate() {
            joint.rest =
                Quat::from_rotation_x(0.7 * index as f32) * Quat::from_rotation_z(index as f32);
        }
        let rest = Skeleton::new(joints.clone(), vec![])
            .unwrap()
            .world_rest_rotations();
        for joint in &mut joints {
            let above = joint
                .parent
                .map_or(Quat::IDENTITY, |parent| rest[parent.index()]);
            joint.offset = above.conjugate() * joint.offset;
        }
        Skeleton::new(joints, vec![]).unwrap()
    }

    #[test]
    fn onto_itself_nothing_changes() {
        let mut clip = swinging_clip(6);
        clip.ground = Some(Ground {
            slope_x: 0.01,
            ..Ground::level(0.04)
        });
        assert_eq!(retarget(&clip, small_figure()), clip);
        let empty = swinging_clip(0);
        assert_eq!(retarget(&empty, small_figure()), empty);
    }

    #[test]
    fn onto_a_larger_figure_everything_grows_and_the_feet_rest_on_the_floor() {
        let mut clip = swinging_clip(12);
        let mut ground = Ground::level(0.1);
        ground.rest[0] = FootRest {
            ankle: 0.06,
            ball: 0.01,
        };
        clip.ground = Some(ground);
        let large = retarget(&clip, small_figure().scaled(1.5));
        let (before, after) = (forward_kinematics(&clip), forward_kinematics(&large));
        for (a, b) in before.as_slice().iter().zip(after.as_slice()) {
            assert!((*a * 1.5 - *b).length() < 1e-5);
        }
        let floor = large.ground.unwrap();
        assert!((floor.height - 0.15).abs() < 1e-6 && (floor.rest[0].ankle - 0.09).abs() < 1e-5);
    }

    #[test]
    fn longer_feet_lift_the_figure() {
        let clip = swinging_clip(12);
        let mut joints = small_figure().joints().to_vec();
        for joint in joints
            .iter_mut()
            .filter(|joint| joint.name.ends_with("ToeBase"))
        {
            joint.offset.y -= 0.05;
        }
        let target = Skeleton::new(joints, vec![]).unwrap();
        let out = retarget(&clip, target);
        let lowest = |clip: &Clip| {
            let points = forward_kinematics(clip);
            let balls = [Side::Left, Side::Right].map(|side| clip.skeleton.leg(side).unwrap().ball);
            let track = |ball: JointId| {
                points
                    .track(ball.index())
                    .map(|p| p.y)
                    .fold(f32::MAX, f32::min)
            };
            balls.map(track).iter().sum::<f32>()
        };
        assert!((lowest(&out) - lowest(&clip)).abs() < 0.02);
        assert!(out.root[0].y > clip.root[0].y + 0.02);
    }

    #[test]
    fn another_topology_has_its_bones_where_the_source_has_them() {
        let clip = swinging_clip(5);
        let out = retarget(&clip, other_figure());
        out.check().unwrap();
        let (before, after) = (forward_kinematics(&clip), forward_kinematics(&out));
        for (index, joint) in out.skeleton.joints().iter().enumerate() {
            let Some(from) = joint.role.and_then(|role| clip.skeleton.with_role(role)) else {
                continue;
            };
            for frame in (0..clip.len()).map(FrameId::from) {
                let off = after.joint(frame, JointId::from(index)) - before.joint(frame, from);
                assert!(off.length() < 1e-4, "{} is off by {off}", joint.name);
            }
        }
    }

    #[test]
    fn named_pairs_move_only_what_they_name() {
        let clip = swinging_clip(2);
        let target = Arc::new(crate::skeleton::tests::skeleton_of(&[
            "base", "bone", "tip",
        ]));
        let pair = |to: &str, from: &str| (to.to_string(), from.to_string());
        let options = |names| RetargetOptions {
            joints: JointMap::Named(names),
            scale: Some(1.0),
        };
        let out = retarget_clip(
            &clip,
            &target,
            &options(vec![pair("base", "Hips"), pair("bone", "Spine")]),
        )
        .unwrap();
        assert!(
            out.rotation(FrameId(1), JointId(1))
                .dot(clip.rotation(FrameId(1), JointId(9)))
                .abs()
                > 1.0 - 1e-6
        );
        assert!(
            out.rotation(FrameId(1), JointId(2))
                .dot(Quat::IDENTITY)
                .abs()
                > 1.0 - 1e-6
        );
        let wrong =
            retarget_clip(&clip, &target, &options(vec![pair("base", "Pelvis")])).unwrap_err();
        assert!(wrong.to_string().contains("\"Pelvis\"") && wrong.to_string().contains("source"));
    }

    #[test]
    fn strangers_and_bad_scales_are_refused() {
        let clip = swinging_clip(2);
        let snake = Arc::new(crate::skeleton::tests::skeleton_of(&["a", "b"]));
        let refused = retarget_clip(&clip, &snake, &RetargetOptions::default()).unwrap_err();
        assert!(refused.to_string().contains("left_up_leg"), "{refused}");
        let options = RetargetOptions {
            scale: Some(0.0),
            ..Default::default()
        };
        assert_eq!(
            retarget_clip(&clip, &clip.skeleton, &options),
            Err(RetargetError::BadScale(0.0))
        );
    }
}
