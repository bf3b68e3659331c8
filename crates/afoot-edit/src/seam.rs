//! Small discontinuities smoothed away: where two stretches of motion meet with a jump.
//!
//! The jump at a seam is the step across it less the mean of the steps before and after it. Half of it
//! is added to the frames before, fading in, and half is taken from those after, fading out, so that
//! the seam is left with an ordinary step. Rotations joint by joint, the root's position as well.
//! Meant for jumps of a few centimetres and degrees; larger ones need a blend. A motion that is repeated
//! has its seam between its last frame and its first. Motions that were captured apart also differ in speed
//! there: [`ease_seam`] brings both together.

use afoot_core::{Clip, FrameId, Placement, Planar, concatenate_clips};
use glam::{Quat, Vec3};
use thiserror::Error;

use crate::cleanup::fade_softly;

/// Why a seam can't be smoothed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum SeamError {
    #[error("clip {clip:?} has {frames} frames; there is no seam before frame {seam}")]
    NoSuchSeam {
        clip: String,
        frames: usize,
        seam: u32,
    },
}

/// Smooths the step from the frame before `seam` into `seam`, spread over `spread` seconds to either
/// side.
pub fn smooth_seam(clip: &Clip, seam: FrameId, spread: f64) -> Result<Clip, SeamError> {
    let at = seam.index();
    if at == 0 || at >= clip.len() {
        let (clip, frames) = (clip.name.clone(), clip.len());
        return Err(SeamError::NoSuchSeam {
            clip,
            frames,
            seam: seam.0,
        });
    }
    let reach = clip.rate.frames_in(spread).max(1);
    let (shift, turns) = jump_at(clip, at);
    let mut smooth = clip.clone();
    for frame in at.saturating_sub(reach)..(at + reach).min(clip.len()) {
        let away = if frame < at {
            at - 1 - frame
        } else {
            frame - at
        };
        let half = 0.5 * fade_softly(away, reach);
        let weight = if frame < at { half } else { -half };
        smooth.root[frame] += shift * weight;
        let own = smooth.frame_rotations_mut(FrameId::from(frame));
        for (own, turn) in own.iter_mut().zip(&turns) {
            *own = (Quat::from_scaled_axis(*turn * weight) * *own).normalize();
        }
    }
    Ok(smooth)
}

/// Smooths the step from the last frame into the first, for a motion that goes on where it ends when it
/// is repeated. Its length and where it starts stay but for half of the jump.
pub fn smooth_loop(clip: &Clip, spread: f64) -> Result<Clip, SeamError> {
    let twice = concatenate_clips(&[clip, clip], Placement::Continued)
        .expect("a clip has its own skeleton and rate");
    let length = clip.len();
    let smooth = smooth_seam(&twice, FrameId::from(length), spread)?;
    let second = twice.placement(FrameId::from(length));
    let back = Planar::carrying(second, clip.placement(FrameId(0)));
    let rise = clip.root[0].y - twice.root[length].y;
    let mut looped = clip.clone();
    for frame in 0..length {
        // Ends are those of the first time, beginnings those of the second, brought back.
        let at = FrameId::from(frame);
        if 2 * frame >= length {
            looped.root[frame] = smooth.root[frame];
            looped
                .frame_rotations_mut(at)
                .copy_from_slice(smooth.frame_rotations(at));
        } else {
            let later = FrameId::from(frame + length);
            looped.root[frame] = back.point3(smooth.root[frame + length]) + Vec3::Y * rise;
            let own = looped.frame_rotations_mut(at);
            own.copy_from_slice(smooth.frame_rotations(later));
            own[0] = back.rotate(own[0]);
        }
    }
    Ok(looped)
}

/// The jump of the root [m] and of each joint [rad, scaled axis] into frame `at`.
fn jump_at(clip: &Clip, at: usize) -> (Vec3, Vec<Vec3>) {
    let (before, after) = (at.checked_sub(2), (at + 1 < clip.len()).then_some(at + 1));
    let ordinary = |step: &dyn Fn(usize, usize) -> Vec3| match (before, after) {
        (Some(before), Some(after)) => 0.5 * (step(before, at - 1) + step(at, after)),
        (Some(before), None) => step(before, at - 1),
        (None, Some(after)) => step(at, after),
        (None, None) => Vec3::ZERO,
    };
    let shift = |from: usize, to: usize| clip.root[to] - clip.root[from];
    let joints = clip.joint_count();
    let turn_of = |joint: usize| {
        let turn = |from: usize, to: usize| turn_between(clip, joint, [from, to]);
        turn(at - 1, at) - ordinary(&turn)
    };
    (
        shift(at - 1, at) - ordinary(&shift),
        (0..joints).map(turn_of).collect(),
    )
}

/// A joint's turn from one frame to another. [rad, scaled axis]
fn turn_between(clip: &Clip, joint: usize, [from, to]: [usize; 2]) -> Vec3 {
    let joints = clip.joint_count();
    let at = |frame: usize| clip.rotations[frame * joints + joint];
    let turn = at(to) * at(from).inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    turn.to_scaled_axis()
}

/// Brings places and speeds on both sides of the step into `seam` together, half each, fading out within
/// `spread` seconds to either side. A seam without two frames before it and one after it stays as it is.
pub fn ease_seam(clip: &mut Clip, seam: FrameId, spread: f64) {
    let at = seam.index();
    if at < 2 || at + 1 >= clip.len() {
        return;
    }
    let reach = clip.rate.frames_in(spread).max(1) as f32;
    let root = Jump::between(|from, to| clip.root[to] - clip.root[from], at);
    let turn = |joint: usize| Jump::between(|from, to| turn_between(clip, joint, [from, to]), at);
    let turns: Vec<Jump> = (0..clip.joint_count()).map(turn).collect();
    let frames = at.saturating_sub(reach as usize)..(at + reach as usize).min(clip.len());
    for frame in frames {
        let time = frame as f32 - (at as f32 - 0.5);
        clip.root[frame] += root.eased(time, reach);
        let own = clip.frame_rotations_mut(FrameId::from(frame));
        for (own, jump) in own.iter_mut().zip(&turns) {
            *own = (Quat::from_scaled_axis(jump.eased(time, reach)) * *own).normalize();
        }
    }
}

/// How far, and by how much in speed, what lies after a seam is off from what lies before it.
struct Jump {
    place: Vec3,
    /// A frame.
    speed: Vec3,
}

impl Jump {
    fn between(step: impl Fn(usize, usize) -> Vec3, at: usize) -> Self {
        let (before, after) = (step(at - 2, at - 1), step(at, at + 1));
        Self {
            place: step(at - 1, at) - (before + after) / 2.0,
            speed: after - before,
        }
    }

    /// What is added so many frames after the seam, or before it.
    fn eased(&self, time: f32, reach: f32) -> Vec3 {
        let away = (time.abs() / reach).min(1.0);
        let left = (1.0 - away).powi(3);
        let half = if time < 0.0 { 0.5 } else { -0.5 };
        let place = left * (1.0 + 3.0 * away + 6.0 * away * away);
        let speed = left * (1.0 + 3.0 * away);
        half * (self.place * place + self.speed * time * speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::walk;

    /// A walk whose second half is shifted by 3 cm and bent by 10°.
    fn broken() -> Clip {
        let mut clip = walk(80, 0.2, (0.0, 0.0));
        for frame in 40..80 {
            clip.root[frame].x += 0.03;
            let spine = &mut clip.frame_rotations_mut(FrameId(frame as u32))[9];
            *spine = Quat::from_rotation_x(10f32.to_radians()) * *spine;
        }
        clip
    }

    #[test]
    fn a_step_like_its_neighbours_is_left() {
        let (clip, smooth) = (broken(), smooth_seam(&broken(), FrameId(40), 0.3).unwrap());
        smooth.check().unwrap();
        let step = |clip: &Clip, f: usize| (clip.root[f] - clip.root[f - 1]).x;
        assert!((step(&clip, 40) - step(&clip, 39)).abs() > 0.029);
        assert!((step(&smooth, 40) - step(&smooth, 39)).abs() < 0.002);
        let spine = |f: u32| smooth.frame_rotations(FrameId(f))[9];
        assert!(spine(40).angle_between(spine(39)) < 1f32.to_radians());
        for frame in (0..31).chain(49..80) {
            assert_eq!(smooth.root[frame], clip.root[frame], "frame {frame}");
        }
    }

    #[test]
    fn a_repeated_motion_goes_on_smoothly_where_it_ends() {
        let clip = walk(77, 0.2, (1.0, 0.5));
        let looped = smooth_loop(&clip, 0.4).unwrap();
        looped.check().unwrap();
        let step = |clip: &Clip| {
            let (last, first) = (FrameId(76), FrameId(0));
            let joints = clip.frame_rotations(last).iter();
            let turned = joints.zip(clip.frame_rotations(first)).skip(1);
            turned.map(|(a, b)| a.angle_between(*b)).fold(0.0, f32::max)
        };
        assert!(step(&clip) > 0.2, "nothing to smooth: {}", step(&clip));
        assert!(step(&looped) < 0.5 * step(&clip), "{}", step(&looped));
        for frame in 30..46 {
            assert!(looped.root[frame].distance(clip.root[frame]) < 1e-5);
        }
    }

    #[test]
    fn motion_without_a_seam_hardly_changes() {
        let clip = walk(80, 0.2, (0.0, 0.0));
        let smooth = smooth_seam(&clip, FrameId(30), 0.3).unwrap();
        let moved = smooth
            .root
            .iter()
            .zip(&clip.root)
            .map(|(a, b)| a.distance(*b));
        assert!(moved.fold(0.0, f32::max) < 2e-3);
    }

    #[test]
    fn short_clips_and_missing_seams() {
        let two = walk(2, 0.0, (0.0, 0.0));
        assert!(smooth_seam(&two, FrameId(1), 0.3).unwrap().check().is_ok());
        for seam in [0, 2] {
            let error = smooth_seam(&two, FrameId(seam), 0.3).unwrap_err();
            assert!(
                matches!(error, SeamError::NoSuchSeam { frames: 2, .. }),
                "{error}"
            );
        }
    }
}
