//! The last step of reading a file: its joints' roles, its hips as the root, its reference pose.
//!
//! What files do differently beyond units and axes ends here, so that no other crate needs to know:
//! joints above the hips, position channels that never move, rest poses that are no pose. Writers
//! bring the file's own structure back (`afoot_core::with_file_structure`).

use std::sync::Arc;

use afoot_core::{
    Clip, JointId, Quat, ReferencePose, Role, Skeleton, SlidingJoint, Vec3, adopt_skeleton,
    guess_roles, recognise_roles, roles_from_map, root_at_hips, set_reference, why_no_person,
};

use crate::error::{FormatError, Problem};
use crate::motion::{Motion, ReadOptions};

/// An offset that moves less than this is fixed. [m]
const FIXED: f32 = 1e-4;

/// An offset that a joint never comes nearer to than this is none of the body: files state anything where positions are
/// keyed. [m]
const ELSEWHERE: f32 = 0.05;

/// Brings a clip as read into the form that everything else expects; says what is worth knowing.
pub(crate) fn conform(clip: &mut Clip, options: &ReadOptions) -> Result<Vec<String>, FormatError> {
    let mut words = name_roles(clip, options)?;
    fix_offsets(clip);
    let root = clip.skeleton.joints()[0].name.clone();
    root_at_hips(clip);
    if clip.skeleton.joints()[0].name != root {
        let hips = &clip.skeleton.joints()[0].name;
        words.push(format!(
            "the path is that of {hips:?}; {root:?} above it returns on export"
        ));
    }
    words.extend(
        match set_reference(clip) {
            ReferencePose::Rest => None,
            ReferencePose::TurnedRest => {
                Some("the rest pose faces another way or lies: turned upright")
            }
            ReferencePose::FirstFrame => {
                Some("the rest pose does not stand: the first frame's T-pose is used")
            }
            ReferencePose::Motion => {
                Some("the rest pose does not stand: one was derived from the motion")
            }
        }
        .map(String::from),
    );
    Ok(words)
}

/// Gives a skeleton's joints their roles: as the map says, else by their names, else, where names tell
/// of no legs, by the shape of the body and its motion.
fn name_roles(clip: &mut Clip, options: &ReadOptions) -> Result<Vec<String>, FormatError> {
    let known = |joint: &afoot_core::Joint| joint.role.is_some();
    let mut roles: Vec<Option<Role>> = match clip.skeleton.joints().iter().any(known) {
        true => clip
            .skeleton
            .joints()
            .iter()
            .map(|joint| joint.role)
            .collect(),
        false => recognise_roles(&clip.skeleton),
    };
    let mut words = Vec::new();
    let has_leg = roles
        .iter()
        .any(|role| matches!(role, Some(Role::UpLeg(_) | Role::Leg(_))));
    if !options.roles.is_empty() {
        let map = options
            .roles
            .iter()
            .map(|(joint, role)| (joint.as_str(), role.as_str()));
        let named = roles_from_map(&clip.skeleton, map);
        roles = named.map_err(|error| FormatError::new(Problem::Unsupported(error.to_string())))?;
    } else if !has_leg && let Some(guessed) = guess_roles(clip) {
        roles = guessed;
        words.push("names tell of no legs: who is who was guessed from shape and motion".into());
    }
    clip.skeleton = Arc::new(Skeleton::clone(&clip.skeleton).with_roles(&roles));
    if options.roles.is_empty()
        && let Some(why) = why_no_person(clip)
    {
        words.push(format!(
            "{why}: taken for no person, whose body parts have no roles"
        ));
        keep_hips_alone(clip);
    }
    Ok(words)
}

/// An animal's path is that of its hips, where they carry all of it; nothing else of it is a person's.
fn keep_hips_alone(clip: &mut Clip) {
    let skeleton = &*clip.skeleton;
    let hips = skeleton.with_role(Role::Hips);
    let hangs = |index: usize| {
        let joint = JointId::from(index);
        Some(joint) == hips || skeleton.ancestors(joint).any(|above| Some(above) == hips)
    };
    let mut parts = (0..skeleton.len()).filter(|&index| skeleton.joints()[index].role.is_some());
    let carries_all = parts.all(hangs);
    let role =
        |index: usize| (carries_all && Some(JointId::from(index)) == hips).then_some(Role::Hips);
    let roles: Vec<Option<Role>> = (0..skeleton.len()).map(role).collect();
    clip.skeleton = Arc::new(Skeleton::clone(&clip.skeleton).with_roles(&roles));
}

/// Offsets that never move are the skeleton's, and of those that move, where the file states another place, the mean. Those of joints above the hips stay: they return on
/// export.
fn fix_offsets(clip: &mut Clip) {
    let is_fixed = |sliding: &SlidingJoint| {
        let first = sliding.offsets.first().copied().unwrap_or_default();
        sliding
            .offsets
            .iter()
            .all(|offset| offset.distance(first) < FIXED)
    };
    let above: Vec<_> = match clip.skeleton.with_role(Role::Hips) {
        Some(hips) => clip.skeleton.ancestors(hips).chain([hips]).collect(),
        None => Vec::new(),
    };
    let (fixed, sliding): (Vec<_>, Vec<_>) = std::mem::take(&mut clip.sliding)
        .into_iter()
        .partition(|sliding| !above.contains(&sliding.joint) && is_fixed(sliding));
    clip.sliding = sliding;
    let other = |own: &SlidingJoint| -> Option<(usize, Vec3)> {
        let (at, offset) = (own.joint.index(), *own.offsets.first()?);
        let changed = clip.skeleton.joints()[at].offset.distance(offset) > FIXED;
        changed.then_some((at, offset))
    };
    let elsewhere = |own: &SlidingJoint| -> Option<(usize, Vec3)> {
        let at = own.joint.index();
        let stated = clip.skeleton.joints()[at].offset;
        let far = own
            .offsets
            .iter()
            .all(|offset| offset.distance(stated) > ELSEWHERE);
        let mean = own.offsets.iter().sum::<Vec3>() / own.offsets.len().max(1) as f32;
        (far && !above.contains(&own.joint)).then_some((at, mean))
    };
    let changes: Vec<(usize, Vec3)> = fixed
        .iter()
        .filter_map(other)
        .chain(clip.sliding.iter().filter_map(elsewhere))
        .collect();
    if changes.is_empty() {
        return;
    }
    let mut joints = clip.skeleton.joints().to_vec();
    for (at, offset) in changes {
        joints[at].offset = offset;
    }
    let surface = clip.skeleton.surface().to_vec();
    clip.skeleton = Arc::new(
        Skeleton::new(joints, clip.skeleton.end_sites().to_vec())
            .and_then(|skeleton| skeleton.with_surface(surface))
            .expect("finite offsets leave a skeleton valid"),
    );
}

/// Gives the animations of one file the first one's skeleton. Where an animation holds a joint at
/// another place, that joint slides.
pub(crate) fn share_skeleton(takes: &mut [Motion]) {
    let Some((first, others)) = takes.split_first_mut() else {
        return;
    };
    let shared = &first.clip.skeleton;
    let frame = |skeleton: &Skeleton| skeleton.stem().map_or(Quat::IDENTITY, |stem| stem.turn);
    for clip in others.iter_mut().map(|take| &mut take.clip) {
        if let Some(adopted) = adopt_skeleton(clip, shared) {
            *clip = adopted;
            continue;
        }
        let same_frame = frame(&clip.skeleton).dot(frame(shared)).abs() > 1.0 - 1e-6;
        if !(same_frame && clip.skeleton.same_topology(shared)) {
            continue;
        }
        let own = clip.skeleton.clone();
        for (index, (own, other)) in own.joints().iter().zip(shared.joints()).enumerate().skip(1) {
            let joint = JointId::from(index);
            let slides = clip.sliding.iter().any(|sliding| sliding.joint == joint);
            if !slides && own.offset.distance(other.offset) > FIXED {
                let offsets = vec![own.offset; clip.len()];
                clip.sliding.push(SlidingJoint { joint, offsets });
            }
        }
        clip.sliding.sort_by_key(|sliding| sliding.joint);
        clip.skeleton = shared.clone();
    }
}
