//! A step of two paths at once, as motion.
//!
//! Both are brought to one length (equation 2 of Safonova and Hodgins 2007), frames at the same share of it
//! are mixed: rotations joint by joint, the root's place, heading, height and tilt. Feet come to rest when
//! the whole is finished. The paper's scheme mixes feet and centre of mass directly; here feet are held
//! by the cleanup, and flights are not corrected.

use std::sync::Arc;

use afoot_core::{Clip, ClipId, FrameId, Planar, Pose, Quat, Range32, Vec3, yaw_of};
use afoot_graph::contact::{ContactGraph, ContactStep};

use super::pairs::{StepNumber, WEIGHTS, mean, mixed};
use super::space::PlanState;
use crate::walk::{Played, Source};

/// Frames of a step, each with what carries its clip into the step's own frame.
type Frames = Vec<PlacedFrame>;

/// A frame of a clip, with what carries that into a step's own frame.
#[derive(Clone, Copy)]
struct PlacedFrame {
    clip: usize,
    frame: u32,
    placement: Planar,
}

/// The motion of a mixed step.
pub(super) fn play_mixed(
    graph: &ContactGraph,
    clips: &[Clip],
    from: &PlanState,
    step: u32,
) -> Played {
    let (first, second, weight) = match StepNumber::unpack(step) {
        StepNumber::Two {
            first,
            second,
            weight,
        } => (first, second, weight),
        StepNumber::One(step) => (step, step, WEIGHTS),
    };
    let a = frames_of(&graph.steps_of(from.state)[first]);
    let b = frames_of(&graph.steps_of(from.other)[second]);
    let count = mixed_length(a.len(), b.len(), weight);
    let main = if 2 * weight >= WEIGHTS { &a } else { &b };
    let model = &clips[main[0].clip];
    let mut clip = Clip::empty("mixed", Arc::clone(&model.skeleton), model.rate);
    for frame in 0..count {
        let share = frame as f64 / count as f64;
        let pose = mix(
            &root_and_joints(clips, &a, share),
            &root_and_joints(clips, &b, share),
            weight,
        );
        clip.push_pose(&pose.placed(from.place));
        let PlacedFrame {
            clip: own,
            frame: at,
            ..
        } = main[((share * main.len() as f64) as usize).min(main.len() - 1)];
        clip.contacts.extend(clips[own].contacts.get(at as usize));
        clip.types.extend(clips[own].types.get(at as usize));
    }
    let PlacedFrame {
        clip: own,
        frame: start,
        ..
    } = main[0];
    let end = (start + count as u32).min(clips[own].len() as u32);
    let source = Source {
        clip: ClipId::from(own),
        frames: Range32 {
            start: end.saturating_sub(count as u32),
            end,
        },
        at: 0,
    };
    Played {
        clip,
        sources: vec![source],
        joins: 0,
        captured: 0,
    }
}

/// T = √(T₁² w + T₂² (1 − w)), in frames.
fn mixed_length(a: usize, b: usize, weight: u8) -> usize {
    let square = mean((a * a) as f64, (b * b) as f64, weight);
    (square.sqrt().round() as usize).max(1)
}

fn frames_of(step: &ContactStep) -> Frames {
    let pieces = step.pieces.iter().flat_map(|piece| {
        let frames = piece.frames.start..piece.frames.end;
        frames.map(move |frame| PlacedFrame {
            clip: piece.clip as usize,
            frame,
            placement: piece.placement,
        })
    });
    pieces.collect()
}

/// A pose in a step's own frame.
struct Standing {
    root: Planar,
    height: f32,
    tilt: Quat,
    joints: Vec<Quat>,
}

impl Standing {
    fn placed(&self, at: Planar) -> Pose {
        let root = at.then_after(self.root);
        let mut rotations = self.joints.clone();
        rotations[0] = (root.rotation() * self.tilt).normalize();
        Pose {
            root: Vec3::new(root.x as f32, self.height, root.z as f32),
            rotations,
        }
    }
}

/// The pose at a share of a step, between its two nearest frames.
fn root_and_joints(clips: &[Clip], frames: &Frames, share: f64) -> Standing {
    let at = share * frames.len() as f64;
    let (low, part) = (at.floor() as usize, at.fract());
    let low = low.min(frames.len() - 1);
    let one = standing(clips, frames[low]);
    let tenths = ((1.0 - part) * f64::from(WEIGHTS)).round() as u8;
    match frames.get(low + 1).filter(|_| tenths < WEIGHTS) {
        Some(next) => mix(&one, &standing(clips, *next), tenths),
        None => one,
    }
}

fn standing(clips: &[Clip], at: PlacedFrame) -> Standing {
    let PlacedFrame {
        frame, placement, ..
    } = at;
    let clip = &clips[at.clip];
    let joints = clip.frame_rotations(FrameId(frame));
    let place = placement.point3(clip.root[frame as usize]);
    let turned = placement.rotate(joints[0]);
    let yaw = yaw_of(turned);
    Standing {
        root: Planar::new(f64::from(place.x), f64::from(place.z), f64::from(yaw)),
        height: place.y,
        tilt: Quat::from_rotation_y(-yaw) * turned,
        joints: joints.to_vec(),
    }
}

fn mix(a: &Standing, b: &Standing, weight: u8) -> Standing {
    let share = 1.0 - f32::from(weight) / f32::from(WEIGHTS);
    let joints = a.joints.iter().zip(&b.joints);
    Standing {
        root: mixed(a.root, b.root, weight),
        height: a.height + (b.height - a.height) * share,
        tilt: a.tilt.slerp(b.tilt, share).normalize(),
        joints: joints
            .map(|(a, b)| a.slerp(*b, share).normalize())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_mix_by_their_squares() {
        assert_eq!(mixed_length(10, 10, 3), 10);
        assert_eq!(mixed_length(10, 20, 10), 10);
        assert_eq!(mixed_length(10, 20, 0), 20);
        assert_eq!(mixed_length(10, 20, 5), 16);
    }
}
