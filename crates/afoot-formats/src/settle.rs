//! The last step of reading a file: its joints' roles, its hips as the root, its reference pose.
//!
//! What files do differently beyond units and axes ends here, so that no other crate needs to know:
//! joints above the hips, position channels that never move, rest poses that are no pose. Writers
//! bring the file's own structure back (`afoot_core::with_file_structure`).

use std::sync::Arc;

use afoot_core::{
    Clip, ReferencePose, Role, Skeleton, SlidingJoint, Vec3, guess_roles, recognise_roles,
    roles_from_map, root_at_hips, settle_reference,
};

use crate::error::{FormatError, Problem};
use crate::motion::ReadOptions;

/// An offset that moves less than this is fixed. [m]
const FIXED: f32 = 1e-4;

/// Brings a clip as read into the form that everything else expects; says what is worth knowing.
pub(crate) fn settle(clip: &mut Clip, options: &ReadOptions) -> Result<Vec<String>, FormatError> {
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
        match settle_reference(clip) {
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
    Ok(words)
}

/// Offsets that never move are the skeleton's. Those of joints above the hips stay: they return on
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
    let changes: Vec<(usize, Vec3)> = fixed.iter().filter_map(other).collect();
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
