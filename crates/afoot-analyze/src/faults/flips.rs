//! Flips: a joint that turns, or a root that leaps, much farther in one frame than it ever does.
//!
//! A joint's step into a frame is compared with its usual fastest step in the same clip: the 99th
//! percentile of a running median over five frames, which single flips and there-and-back flips do
//! not enter. A flip must exceed that by a ratio and be faster than joints turn, and the step before
//! or after it must be less than half of it, since real kicks gather speed over several frames; a turn
//! that goes on the same way is a swing.
//! Angles in radians. Weakness: where a joint flips in more than a fiftieth of the frames the usual
//! step itself is spoilt. Hands, fingers and toes are left out: they are noise in most captures.

use std::ops::Range;

use afoot_core::{Clip, FrameRate, JointId, Quat, Role, Skeleton};

use super::FaultOptions;

/// One step that no body makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flip {
    /// The frame that the step leads into, counted as in the file.
    pub frame: u32,
    /// Who flips; the root's number if the whole figure leaps.
    pub joint: JointId,
    /// How far it turns. [rad]
    pub angle: f32,
    /// How far the root leaps; zero if it only turns, or another joint does. [m]
    pub distance: f32,
}

/// The flips within `kept`, by frame, then joint.
pub fn find_flips(
    clip: &Clip,
    kept: Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
) -> Vec<Flip> {
    let seconds = rate.frame_time() as f32;
    let mut flips = Vec::new();
    for joint in body_joints(&clip.skeleton) {
        let turns = turns(clip, joint, kept.clone());
        let mut found = outliers(&turns, options.flip_ratio, options.flip_speed * seconds);
        found.retain(|&index| !is_swing(clip, joint, kept.start, &turns, index));
        for index in found {
            flips.push(Flip {
                frame: (kept.start + 1 + index) as u32,
                joint,
                angle: turns[index],
                distance: 0.0,
            });
        }
    }
    let leaps: Vec<f32> = clip.root[kept.clone()]
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .collect();
    for index in outliers(&leaps, options.flip_ratio, options.root_speed * seconds) {
        flips.push(Flip {
            frame: (kept.start + 1 + index) as u32,
            joint: JointId(0),
            angle: 0.0,
            distance: leaps[index],
        });
    }
    flips.sort_by_key(|flip| (flip.frame, flip.joint));
    flips
}

/// All joints but hands, toes and what hangs on them.
pub(super) fn body_joints(skeleton: &Skeleton) -> Vec<JointId> {
    let mut left_out = vec![false; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let end = matches!(
            joint.role,
            Some(Role::Hand(_) | Role::Finger(_) | Role::Toe(_))
        );
        left_out[index] = end || joint.parent.is_some_and(|parent| left_out[parent.index()]);
    }
    let kept = |&index: &usize| !left_out[index];
    (0..skeleton.len())
        .filter(kept)
        .map(JointId::from)
        .collect()
}

/// The turn into each frame of `kept` but the first.
pub(super) fn turns(clip: &Clip, joint: JointId, kept: Range<usize>) -> Vec<f32> {
    let joints = clip.joint_count();
    let at = |frame: usize| clip.rotations[frame * joints + joint.index()];
    (kept.start + 1..kept.end)
        .map(|frame| turn_between(at(frame - 1), at(frame)))
        .collect()
}

/// A turn that goes on the same way in the next frame, or came so from the one before, at half its speed
/// or more, by so many times its own angle in the two together: a swing, as keyed animation has them.
const SWING: f32 = 1.3;

/// Whether a sudden step is the start or the end of a swing, not a flip: a flip stays where it got to, or
/// turns back.
fn is_swing(clip: &Clip, joint: JointId, first: usize, turns: &[f32], index: usize) -> bool {
    let at = |step: usize| clip.rotations[(first + step) * clip.joint_count() + joint.index()];
    let goes_on = |from: usize, other: usize| {
        turns[other] >= turns[index] / 2.0
            && turn_between(at(from), at(from + 2)) > SWING * turns[index]
    };
    index > 0 && goes_on(index - 1, index - 1)
        || index + 1 < turns.len() && goes_on(index, index + 1)
}

/// The angle from one rotation to the other, exact for small ones too. [rad, 0 to π]
pub(super) fn turn_between(a: Quat, b: Quat) -> f32 {
    let chord = (a - b).length().min((a + b).length());
    4.0 * (chord / 2.0).min(1.0).asin()
}

/// The steps that are `ratio` times the usual fastest one, at least `least`, and sudden.
fn outliers(steps: &[f32], ratio: f32, least: f32) -> Vec<usize> {
    if !steps.iter().any(|&step| step >= least) {
        return Vec::new();
    }
    let limit = least.max(ratio * usual_fastest(steps));
    let step = |index: Option<usize>| index.and_then(|i| steps.get(i)).copied().unwrap_or(0.0);
    let sudden =
        |index: usize| step(index.checked_sub(1)).min(step(Some(index + 1))) < steps[index] / 2.0;
    (0..steps.len())
        .filter(|&index| steps[index] >= limit && sudden(index))
        .collect()
}

/// The 99th percentile of the running median over five steps (fewer where there are fewer).
fn usual_fastest(steps: &[f32]) -> f32 {
    let mut medians: Vec<f32> = (0..steps.len())
        .map(|index| {
            let start = index.saturating_sub(2).min(steps.len().saturating_sub(5));
            let mut window = [0.0; 5];
            let near = &steps[start..(start + 5).min(steps.len())];
            window[..near.len()].copy_from_slice(near);
            let window = &mut window[..near.len()];
            window.sort_by(f32::total_cmp);
            window[near.len() / 2]
        })
        .collect();
    let rank = (medians.len() * 99).div_ceil(100).max(1) - 1;
    let (_, value, _) = medians.select_nth_unstable_by(rank, f32::total_cmp);
    *value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::fixture::{ARM, LEG, swaying, turn};
    use afoot_core::Vec3;

    fn check(clip: &Clip, expected: &[(u32, usize)]) {
        let found: Vec<(u32, usize)> =
            find_flips(clip, 0..clip.len(), clip.rate, &FaultOptions::default())
                .iter()
                .map(|flip| (flip.frame, flip.joint.index()))
                .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_flip_there_and_back_shows_twice_and_a_lasting_one_once() {
        check(&swaying(300, 120), &[]);
        let mut clip = swaying(300, 120);
        turn(&mut clip, 100, ARM, 40.0);
        (200..300).for_each(|frame| turn(&mut clip, frame, LEG, 30.0));
        check(&clip, &[(100, ARM), (101, ARM), (200, LEG)]);
    }

    #[test]
    fn a_kick_that_gathers_speed_is_no_flip() {
        // From 0 to 25 degrees a frame and back to 0 within 0.17 s: 3000 degrees a second.
        let mut clip = swaying(2000, 120);
        let mut angle = 0.0;
        for frame in 500..2000 {
            let step: i32 = 10 - (frame as i32 - 510).abs();
            angle += 2.5 * step.max(0) as f32;
            turn(&mut clip, frame, LEG, angle);
        }
        check(&clip, &[]);
    }

    #[test]
    fn the_same_turn_is_a_flip_at_120_and_not_at_30_frames_a_second() {
        for (fps, expected) in [(120, &[(50u32, ARM)][..]), (30, &[])] {
            let mut clip = swaying(100, fps);
            for (frame, rotation) in clip.rotations.iter_mut().enumerate() {
                *rotation = Quat::from_rotation_x(1e-4 * frame as f32); // all but still
            }
            (50..100).for_each(|frame| turn(&mut clip, frame, ARM, 20.0));
            check(&clip, expected);
        }
    }

    #[test]
    fn a_root_that_leaps_is_found() {
        let mut clip = swaying(200, 60);
        clip.root[120..]
            .iter_mut()
            .for_each(|p| *p += Vec3::new(0.8, 0.0, 0.0));
        check(&clip, &[(120, 0)]);
    }

    #[test]
    fn clips_of_few_frames_have_no_flips() {
        (0..3).for_each(|frames| check(&swaying(frames, 60), &[]));
    }

    #[test]
    fn turns_are_exact_for_small_and_large_angles_and_either_sign() {
        for angle in [1e-5f32, 1e-3, 0.5, 2.0, 3.1] {
            let (a, b) = (
                Quat::from_rotation_y(0.7),
                Quat::from_rotation_y(0.7 + angle),
            );
            for b in [b, -b] {
                let found = turn_between(a, b);
                assert!(
                    (found - angle).abs() < 1e-6 + 1e-4 * angle,
                    "{found} {angle}"
                );
            }
        }
    }
}
