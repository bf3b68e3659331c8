//! Feet held through a blend as in Shanbhag 2006, §4.3.1.
//!
//! A foot that is planted over the start of the blend stays where the first clip has it, one planted
//! over the end stands where the second clip will; one planted inside follows the nearer clip; one
//! planted all through is left to slip, as blended. Beside its plant the shift that this takes fades,
//! to nothing at the ends of the blend. For single transitions: a whole motion is better cleaned as a
//! whole (`cleanup`), which does the same with the frames around the blend in view.

use afoot_core::{Clip, FrameId, JointId, Range32, Skeleton};
use glam::{Quat, Vec3};

use super::plants::{BlendPlant, PlantCase};
use super::{Blend, BlendError, weighted};
use crate::cleanup::fade_softly;
use crate::ik::{EndRotation, LimbGoal, LimbJoints, LimbOptions, reach_with_limb};

/// Moves the planted feet of a blend to where their clips have them. `a` and `b` are what the blend
/// was made from. Skeletons without legs are left as they are.
pub fn hold_plants(
    blend: &mut Blend,
    (a, a_from): (&Clip, FrameId),
    (b, b_resume): (&Clip, FrameId),
) -> Result<(), BlendError> {
    let window = blend.clip.len();
    let b_from = i64::from(b_resume.0) - window as i64;
    weighted::check_range(a, i64::from(a_from.0), window)?;
    weighted::check_range(b, b_from, window)?;
    for index in 0..blend.plants.len() {
        let plant = blend.plants[index];
        let Some(limb) = LimbJoints::leg(&blend.clip.skeleton, plant.side) else {
            continue;
        };
        let wanted = |frame: usize| match plant.case {
            PlantCase::First | PlantCase::InsideFirst => {
                Some(ankle(a, &limb, a_from.index() + frame))
            }
            PlantCase::Second | PlantCase::InsideSecond => {
                let (place, rotation) = ankle(b, &limb, b_from as usize + frame);
                Some((
                    blend.placement.point3(place),
                    blend.placement.rotate(rotation),
                ))
            }
            PlantCase::Across => None,
        };
        let targets: Option<Vec<(Vec3, Quat)>> = (plant.frames.start as usize
            ..plant.frames.end as usize)
            .map(wanted)
            .collect();
        if let Some(targets) = targets {
            let room = room_around(&blend.plants, index, window as u32);
            hold(&mut blend.clip, &limb, (plant, room), &targets);
        }
    }
    Ok(())
}

/// The frames that a plant's shift may fade over: up to the same foot's plants beside it, or the ends.
fn room_around(plants: &[BlendPlant], index: usize, window: u32) -> Range32 {
    let own = plants[index];
    let same = |other: &&BlendPlant| other.side == own.side;
    let before = plants[..index]
        .iter()
        .filter(same)
        .map(|other| other.frames.end)
        .max();
    let after = plants[index + 1..]
        .iter()
        .filter(same)
        .map(|other| other.frames.start)
        .min();
    Range32 {
        start: before.unwrap_or(0),
        end: after.unwrap_or(window),
    }
}

fn hold(
    clip: &mut Clip,
    limb: &LimbJoints,
    (plant, room): (BlendPlant, Range32),
    targets: &[(Vec3, Quat)],
) {
    let (start, end) = (plant.frames.start as usize, plant.frames.end as usize);
    let own = |clip: &Clip, frame: usize| ankle(clip, limb, frame);
    let shifts = [start, end - 1].map(|edge| targets[edge - start].0 - own(clip, edge).0);
    for frame in room.start as usize..room.end as usize {
        let (place, rotation) = own(clip, frame);
        let (target, rotation) = match frame {
            _ if frame < start => {
                let weight = fade_softly(start - frame, start + 1 - room.start as usize);
                (place + shifts[0] * weight, rotation)
            }
            _ if frame >= end => {
                let weight = fade_softly(frame + 1 - end, room.end as usize + 1 - end);
                (place + shifts[1] * weight, rotation)
            }
            _ => targets[frame - start],
        };
        let options = LimbOptions::default();
        let goal = LimbGoal {
            target,
            rotation: EndRotation::Set(rotation),
            options,
        };
        let skeleton = std::sync::Arc::clone(&clip.skeleton);
        let root = clip.root[frame];
        let local = clip.frame_rotations_mut(FrameId::from(frame));
        reach_with_limb(&skeleton, (root, local), limb, &goal)
            .expect("the pose belongs to the skeleton and the target is finite");
    }
}

/// An ankle's place and rotation in the world.
fn ankle(clip: &Clip, limb: &LimbJoints, frame: usize) -> (Vec3, Quat) {
    fn place(skeleton: &Skeleton, root: Vec3, local: &[Quat], joint: JointId) -> (Vec3, Quat) {
        match skeleton.joint(joint).parent {
            None => (root, local[joint.index()]),
            Some(parent) => {
                let (at, rotation) = place(skeleton, root, local, parent);
                let offset = rotation * skeleton.joint(joint).offset;
                (at + offset, rotation * local[joint.index()])
            }
        }
    }
    let local = clip.frame_rotations(FrameId::from(frame));
    place(&clip.skeleton, clip.root[frame], local, limb.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blend::{BlendOptions, blend_transition};
    use crate::fixture::walk;
    use afoot_core::{Contacts, Side, forward_kinematics};

    #[test]
    fn feet_follow_the_clip_that_plants_them() {
        // 8 frames out of phase, so that the blend drags the feet.
        let (a, b) = (walk(80, 0.0, (0.0, 0.0)), walk(80, 2.0, (3.0, 0.0)));
        let sides = ((&a, FrameId(34)), (&b, FrameId(52)));
        let options = BlendOptions {
            window: 14,
            turn: None,
        };
        let mut blend = blend_transition(sides.0, sides.1, &options).unwrap();
        let raw = blend.clone();
        hold_plants(&mut blend, sides.0, sides.1).unwrap();
        blend.clip.check().unwrap();
        let (held, own) = (forward_kinematics(&blend.clip), forward_kinematics(&a));
        let mut compared = 0;
        for plant in blend
            .plants
            .iter()
            .filter(|plant| plant.case == PlantCase::First)
        {
            let foot = blend.clip.skeleton.leg(plant.side).unwrap().ankle;
            for frame in plant.frames.start..plant.frames.end {
                let place = held.joint(FrameId(frame), foot);
                let wanted = own.joint(FrameId(34 + frame), foot);
                assert!(
                    place.distance(wanted) < 2e-3,
                    "frame {frame}: {place}, not {wanted}"
                );
                compared += 1;
            }
        }
        assert!(compared > 3, "{:?}", raw.plants);
        assert_ne!(raw.clip.rotations, blend.clip.rotations);
        assert_eq!(raw.clip.root, blend.clip.root);
    }

    #[test]
    fn a_foot_planted_throughout_is_left_to_slip() {
        let (mut a, b) = (walk(80, 0.0, (0.0, 0.0)), walk(80, 0.0, (0.0, 0.0)));
        a.contacts.fill(Contacts::foot(Side::Left));
        let b = Clip {
            contacts: a.contacts.clone(),
            ..b
        };
        let sides = ((&a, FrameId(34)), (&b, FrameId(52)));
        let mut blend = blend_transition(sides.0, sides.1, &BlendOptions::default()).unwrap();
        let raw = blend.clone();
        hold_plants(&mut blend, sides.0, sides.1).unwrap();
        assert_eq!(raw, blend);
    }
}
