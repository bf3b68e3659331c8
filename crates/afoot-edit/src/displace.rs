//! Displacement maps: a pose keyed at a frame, and the change spread smoothly around it.
//!
//! After Witkin and Popović 1995 ("Motion warping") with the rotations' difference kept as a turn per
//! joint: at a key the clip takes exactly the key's pose, away from it the turn fades, to nothing at
//! `spread` or at the next key, whichever is nearer. What the clip does in between stays on top.
//! Cost: frames within the spread × joints. Feet leave their plants: clean them afterwards.

use afoot_core::{Clip, FrameId, Pose};
use glam::{Quat, Vec3};
use thiserror::Error;

use crate::cleanup::fade_softly;

/// A pose that a clip shall take.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseKey {
    /// When.
    pub frame: FrameId,
    /// What.
    pub pose: Pose,
}

/// Why poses can't be keyed.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum DisplaceError {
    #[error("clip {clip:?} has {frames} frames; there is no frame {key} to key")]
    NoSuchFrame {
        clip: String,
        frames: usize,
        key: u32,
    },
    #[error(
        "keys must come in order of their frames; frame {0} does not come after the one before"
    )]
    NotInOrder(u32),
    #[error("the pose for frame {key} has {found} rotations, the skeleton {expected} joints")]
    WrongPose {
        key: u32,
        found: usize,
        expected: usize,
    },
    #[error("the pose for frame {0} is not finite")]
    NotFinite(u32),
}

/// The clip bent so that it takes every key's pose, each change spread over `spread` seconds to
/// either side.
pub fn displace_clip(clip: &Clip, keys: &[PoseKey], spread: f64) -> Result<Clip, DisplaceError> {
    check_keys(clip, keys)?;
    let reach = clip.rate.frames_in(spread).max(1);
    let mut bent = clip.clone();
    for (index, key) in keys.iter().enumerate() {
        let change = Change::to_reach(clip, key);
        let at = key.frame.index();
        let before = index
            .checked_sub(1)
            .map_or(0, |i| keys[i].frame.index() + 1);
        let after = keys
            .get(index + 1)
            .map_or(clip.len(), |next| next.frame.index());
        // Fades end at the neighbouring keys, which must not feel this one.
        let down = reach.min(if index > 0 { at + 1 - before } else { reach });
        let up = reach.min(if index + 1 < keys.len() {
            after - at
        } else {
            reach
        });
        for frame in before.max((at + 1).saturating_sub(down))..after.min(at + up) {
            let length = if frame < at { down } else { up };
            change.apply(&mut bent, frame, fade_softly(frame.abs_diff(at), length));
        }
    }
    Ok(bent)
}

fn check_keys(clip: &Clip, keys: &[PoseKey]) -> Result<(), DisplaceError> {
    let mut before = None;
    for PoseKey { frame, pose } in keys {
        let (key, expected, found) = (frame.0, clip.joint_count(), pose.rotations.len());
        if frame.index() >= clip.len() {
            let (clip, frames) = (clip.name.clone(), clip.len());
            return Err(DisplaceError::NoSuchFrame { clip, frames, key });
        }
        if before.is_some_and(|before| key <= before) {
            return Err(DisplaceError::NotInOrder(key));
        }
        if found != expected {
            return Err(DisplaceError::WrongPose {
                key,
                found,
                expected,
            });
        }
        if !pose.root.is_finite() || !pose.rotations.iter().all(|q| q.is_finite()) {
            return Err(DisplaceError::NotFinite(key));
        }
        before = Some(key);
    }
    Ok(())
}

/// What turns a clip's frame into a key's pose.
struct Change {
    shift: Vec3,
    turns: Vec<Quat>,
}

impl Change {
    fn to_reach(clip: &Clip, key: &PoseKey) -> Self {
        let own = clip.frame_rotations(key.frame);
        let turn = |(wanted, own): (&Quat, &Quat)| {
            let turn = (*wanted * own.inverse()).normalize();
            if turn.w < 0.0 { -turn } else { turn }
        };
        Self {
            shift: key.pose.root - clip.root[key.frame.index()],
            turns: key.pose.rotations.iter().zip(own).map(turn).collect(),
        }
    }

    fn apply(&self, clip: &mut Clip, frame: usize, weight: f32) {
        clip.root[frame] += self.shift * weight;
        let own = clip.frame_rotations_mut(FrameId::from(frame));
        for (own, turn) in own.iter_mut().zip(&self.turns) {
            *own = (Quat::IDENTITY.slerp(*turn, weight) * *own).normalize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::walk;

    fn key(clip: &Clip, frame: u32, bend: f32) -> PoseKey {
        let mut pose = clip.pose(FrameId(frame));
        pose.root += Vec3::new(0.1, -0.05, 0.0);
        pose.rotations[9] = Quat::from_rotation_x(bend);
        PoseKey {
            frame: FrameId(frame),
            pose,
        }
    }

    #[test]
    fn keyed_poses_are_met_and_the_rest_stays() {
        let clip = walk(90, 0.3, (0.0, 0.0));
        let keys = [
            key(&clip, 20, 0.5),
            key(&clip, 26, -0.5),
            key(&clip, 80, 0.4),
        ];
        let bent = displace_clip(&clip, &keys, 0.5).unwrap();
        bent.check().unwrap();
        for PoseKey { frame, pose } in &keys {
            assert!(
                bent.root[frame.index()].distance(pose.root) < 1e-5,
                "{frame:?}"
            );
            let own = bent.frame_rotations(*frame);
            for (own, wanted) in own.iter().zip(&pose.rotations) {
                assert!(own.angle_between(*wanted) < 2e-3, "{frame:?}");
            }
        }
        for frame in (0..5).chain(42..65) {
            assert_eq!(bent.root[frame], clip.root[frame], "frame {frame}");
        }
    }

    #[test]
    fn the_change_comes_and_goes_smoothly() {
        let clip = walk(90, 0.0, (0.0, 0.0));
        let bent = displace_clip(&clip, &[key(&clip, 45, 0.6)], 0.5).unwrap();
        let off: Vec<f32> = bent
            .root
            .iter()
            .zip(&clip.root)
            .map(|(a, b)| a.x - b.x)
            .collect();
        let sharpest = off
            .windows(3)
            .map(|w| (w[0] - 2.0 * w[1] + w[2]).abs())
            .fold(0.0, f32::max);
        assert!(sharpest < 0.1 * 6.5 / (15.0 * 15.0), "{sharpest}");
    }

    #[test]
    fn impossible_keys_are_refused() {
        let clip = walk(30, 0.0, (0.0, 0.0));
        let ask = |keys: &[PoseKey]| displace_clip(&clip, keys, 0.2).unwrap_err();
        let late = PoseKey {
            frame: FrameId(30),
            ..key(&clip, 29, 0.1)
        };
        assert!(matches!(
            ask(&[late]),
            DisplaceError::NoSuchFrame { key: 30, .. }
        ));
        let twice = [key(&clip, 9, 0.1), key(&clip, 9, 0.2)];
        assert_eq!(ask(&twice), DisplaceError::NotInOrder(9));
        let mut short = key(&clip, 9, 0.1);
        short.pose.rotations.pop();
        assert!(matches!(
            ask(&[short]),
            DisplaceError::WrongPose { found: 9, .. }
        ));
        let mut odd = key(&clip, 9, 0.1);
        odd.pose.root.x = f32::NAN;
        assert_eq!(ask(&[odd]), DisplaceError::NotFinite(9));
        assert_eq!(displace_clip(&clip, &[], 0.2).unwrap(), clip);
    }
}
