//! Which axis points up in a file, and turning z-up and x-up motion to y-up and back.
//!
//! z up becomes y up by the quarter turn x, y, z → x, z, −y, x up by x, y, z → −y, x, z, applied to
//! every vector and to the axis of every rotation, so that the rest pose stands upright too and the way
//! back is exact. Found out from how far the figure extends along y and z, in the rest pose and in the
//! motion; where these differ, from where its head is above its feet while it moves. x is up only
//! where the figure stands along it both at rest and while it moves: arms that are spread reach as far
//! as a body is tall, and people lie along x in other files.
//! Weakness: a file of someone lying all the time needs to be told.

use std::borrow::Cow;
use std::sync::Arc;

use afoot_core::{Clip, FrameId, Joint, Quat, Skeleton, Stance, Vec3, pose_kinematics};

/// An axis that points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UpAxis {
    X,
    #[default]
    Y,
    Z,
}

/// Which axis points up in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpOption {
    /// Found out from the figure.
    #[default]
    Auto,
    /// This one.
    Axis(UpAxis),
}

/// Makes a clip read from a file y-up; gives the axis that was up, and a warning if unsure.
pub fn make_y_up(clip: &mut Clip, option: UpOption) -> (UpAxis, Option<String>) {
    let (up, warning) = match option {
        UpOption::Axis(up) => (up, None),
        UpOption::Auto => guess_up(clip),
    };
    match up {
        UpAxis::X => turn(clip, |v| Vec3::new(-v.y, v.x, v.z)),
        UpAxis::Y => {}
        UpAxis::Z => turn(clip, |v| Vec3::new(v.x, v.z, -v.y)),
    }
    (up, warning)
}

/// Turns a y-up clip to another axis, for writing.
pub fn turn_from_y_up(clip: &mut Clip, up: UpAxis) {
    match up {
        UpAxis::X => turn(clip, |v| Vec3::new(v.y, -v.x, v.z)),
        UpAxis::Y => {}
        UpAxis::Z => turn(clip, |v| Vec3::new(v.x, -v.z, v.y)),
    }
}

/// The clip with that axis up, for writing; borrowed if it is so already.
pub(crate) fn with_up(clip: &Clip, up: UpAxis) -> Cow<'_, Clip> {
    let mut clip = Cow::Borrowed(clip);
    if up != UpAxis::Y {
        turn_from_y_up(clip.to_mut(), up);
    }
    clip
}

/// Which axis is up, and a warning where rest pose and motion disagree. The motion is believed: a
/// rest pose may be anything, but people stand on their feet. Only where the figure never stands
/// along an axis does the rest pose decide.
pub fn guess_up(clip: &Clip) -> (UpAxis, Option<String>) {
    let skeleton = &*clip.skeleton;
    let rest: Vec<Quat> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let standing = standing_axis(clip);
    if standing == Some(UpAxis::X) && rest_axis(skeleton, &rest) == standing {
        return (UpAxis::X, None);
    }
    let standing = standing.filter(|up| *up != UpAxis::X);
    let rest_up = taller(extent(skeleton, Vec3::ZERO, &rest), 1.2);
    let motion_up = taller(motion_extent(clip), 1.2);
    if rest_up == motion_up && rest_up.is_some() {
        return (rest_up.unwrap_or_default(), None);
    }
    let up = standing.or(motion_up).or(rest_up).unwrap_or_default();
    let warning = rest_up.filter(|rest| *rest != up).map(|rest| {
        format!("the rest pose lies along {rest:?}, but the motion stands along {up:?}: taken as {up:?} up")
    });
    (up, warning)
}

/// The axis along which a figure whose parts are known has its head above its feet, if it clearly
/// has: within 45° of it in the mean over the frames.
fn standing_axis(clip: &Clip) -> Option<UpAxis> {
    let skeleton = Skeleton::clone(&clip.skeleton).with_recognised_roles();
    let mut sum = Vec3::ZERO;
    for frame in sampled_frames(clip) {
        let root = clip.root[frame.index()];
        let (_, points) = pose_kinematics(&skeleton, root, clip.frame_rotations(frame));
        sum += Stance::of(&skeleton, &points)?.up;
    }
    axis_near(sum / sampled_frames(clip).count().max(1) as f32)
}

/// The axis along which a figure stands at rest.
fn rest_axis(skeleton: &Skeleton, rest: &[Quat]) -> Option<UpAxis> {
    let skeleton = skeleton.clone().with_recognised_roles();
    let (_, points) = pose_kinematics(&skeleton, Vec3::ZERO, rest);
    axis_near(Stance::of(&skeleton, &points)?.up)
}

/// The axis within 45° of a direction.
fn axis_near(up: Vec3) -> Option<UpAxis> {
    let axes = [(up.x, UpAxis::X), (up.y, UpAxis::Y), (up.z, UpAxis::Z)];
    let mut near = axes.into_iter().filter(|(along, _)| *along > 0.7);
    match (near.next(), near.next()) {
        (Some((_, axis)), None) => Some(axis),
        _ => None,
    }
}

/// At most 32 frames, spread evenly.
fn sampled_frames(clip: &Clip) -> impl Iterator<Item = FrameId> {
    let step = clip.len().div_ceil(32).max(1);
    (0..clip.len()).step_by(step).map(FrameId::from)
}

/// The axis along which `extent` is larger by `ratio`.
fn taller(extent: Vec3, ratio: f32) -> Option<UpAxis> {
    match (extent.y > ratio * extent.z, extent.z > ratio * extent.y) {
        (true, _) => Some(UpAxis::Y),
        (_, true) => Some(UpAxis::Z),
        _ => None,
    }
}

/// Mean extent of the figure.
fn motion_extent(clip: &Clip) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for frame in sampled_frames(clip) {
        let root = clip.root[frame.index()];
        sum += extent(&clip.skeleton, root, clip.frame_rotations(frame));
    }
    sum
}

fn extent(skeleton: &Skeleton, root: Vec3, rotations: &[Quat]) -> Vec3 {
    let (_, points) = pose_kinematics(skeleton, root, rotations);
    let low = points.iter().copied().fold(points[0], Vec3::min);
    let high = points.iter().copied().fold(points[0], Vec3::max);
    high - low
}

/// Turns every vector, and so every rotation's axis, by `turn`.
fn turn(clip: &mut Clip, turn: impl Fn(Vec3) -> Vec3) {
    let turn_rotation = |q: &Quat| {
        let axis = turn(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(axis.x, axis.y, axis.z, q.w)
    };
    clip.skeleton = Arc::new(turned_skeleton(&clip.skeleton, &turn, turn_rotation));
    clip.root.iter_mut().for_each(|v| *v = turn(*v));
    clip.rotations
        .iter_mut()
        .for_each(|q| *q = turn_rotation(q));
    for sliding in &mut clip.sliding {
        sliding.offsets.iter_mut().for_each(|v| *v = turn(*v));
    }
}

fn turned_skeleton(
    skeleton: &Skeleton,
    turn: impl Fn(Vec3) -> Vec3,
    turn_rotation: impl Fn(&Quat) -> Quat,
) -> Skeleton {
    let turn_joint = |joint: &Joint| Joint {
        offset: turn(joint.offset),
        rest: turn_rotation(&joint.rest),
        ..joint.clone()
    };
    let joints = skeleton.joints().iter().map(turn_joint).collect();
    let mut end_sites = skeleton.end_sites().to_vec();
    end_sites
        .iter_mut()
        .for_each(|site| site.offset = turn(site.offset));
    Skeleton::new(joints, end_sites).expect("turning keeps names, parents and finite numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::{EndSite, FrameRate, JointId, forward_kinematics};

    fn z_up_figure() -> Clip {
        let joints = vec![
            Joint::new("Hips", None, Vec3::ZERO),
            Joint::new("Leg", Some(JointId(0)), Vec3::new(0.1, 0.0, -0.9)),
            Joint::new("Head", Some(JointId(0)), Vec3::new(0.0, 0.02, 0.7)),
        ];
        let site = EndSite {
            parent: JointId(1),
            offset: Vec3::new(0.0, -0.2, 0.0),
        };
        let skeleton = Arc::new(Skeleton::new(joints, vec![site]).unwrap());
        let mut clip = Clip::empty("z", skeleton, FrameRate::FPS_30);
        for step in 0..5 {
            let s = step as f32;
            clip.root.push(Vec3::new(0.1 * s, -0.5 * s, 0.9));
            let turn = Quat::from_rotation_z(0.3 * s);
            clip.rotations
                .extend([turn, Quat::from_rotation_x(0.2 * s), Quat::IDENTITY]);
        }
        clip
    }

    #[test]
    fn z_up_is_found_and_turned_upright() {
        let source = z_up_figure();
        let mut clip = source.clone();
        assert_eq!(make_y_up(&mut clip, UpOption::Auto), (UpAxis::Z, None));
        let (before, after) = (forward_kinematics(&source), forward_kinematics(&clip));
        for (b, a) in before.as_slice().iter().zip(after.as_slice()) {
            assert!(
                (Vec3::new(b.x, b.z, -b.y) - *a).length() < 1e-6,
                "{b} became {a}"
            );
        }
        assert_eq!(
            make_y_up(&mut clip.clone(), UpOption::Auto),
            (UpAxis::Y, None)
        );
        turn_from_y_up(&mut clip, UpAxis::Z);
        assert_eq!(clip, source, "the way back is exact");
    }
}
