//! How hard the joins of a motion are.
//!
//! The costs of the search compare frames before they are blended and before feet are settled; what comes of
//! that shows only in the motion. In: a motion as it is played. Out: the largest acceleration of any joint
//! within a join, in the world. It orders motions that are otherwise alike, and is held against no limit.

use afoot_core::{FrameId, forward_kinematics};

use crate::walk::Played;

/// The hardest of all joins, each of which spreads over `blend` seconds; 0 if there are none. [m/s²]
pub fn join_harshness(played: &Played, blend: f64) -> f32 {
    let clip = &played.clip;
    let half = (clip.rate.frames_in(blend) / 2).max(1);
    let positions = forward_kinematics(clip);
    let fps = 1.0 / clip.rate.frame_time() as f32;
    let mut hardest: f32 = 0.0;
    for source in played.sources.iter().skip(1) {
        let at = source.at as usize;
        let last = (at + half).min(clip.len().saturating_sub(1));
        for frame in at.saturating_sub(half).max(1)..last {
            let [before, now, after] =
                [frame - 1, frame, frame + 1].map(|frame| positions.frame(FrameId::from(frame)));
            for joint in 0..clip.joint_count() {
                let bend = before[joint] - 2.0 * now[joint] + after[joint];
                hardest = hardest.max(bend.length() * fps * fps);
            }
        }
    }
    hardest
}
