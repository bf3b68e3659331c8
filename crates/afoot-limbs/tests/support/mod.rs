//! Captured clips as a library holds them: 30 frames a second, with roles, floor, contacts and types.
#![allow(dead_code, clippy::unwrap_used)] // each test file uses its own part

use afoot_analyze::with_facts;
use afoot_core::{Clip, FrameId, Side, Vec3, forward_kinematics};
use afoot_edit::cleanup::{SettleOptions, settle_feet};
use afoot_fixtures::Captured;

/// A captured clip with its facts, as it was.
pub fn raw(captured: &Captured, name: &str) -> Clip {
    let clip = with_facts(captured.clip(name)).unwrap();
    // The first frames of 16_15 have a flipping arm.
    afoot_core::cut_clip(&clip, 5..clip.len() as u32).unwrap()
}

/// A captured clip with its feet put still.
pub fn settled(captured: &Captured, name: &str) -> Clip {
    settle_feet(&raw(captured, name), &SettleOptions::default())
        .unwrap()
        .0
}

/// The sample library's clip of a name.
pub fn sample(name: &str) -> Clip {
    let clips = afoot_sample::sample_library(&Default::default());
    clips.into_iter().find(|clip| clip.name == name).unwrap()
}

/// Hip, knee, ankle and ball of a leg, a frame each.
pub fn leg_points(clip: &Clip, side: Side) -> Vec<[Vec3; 4]> {
    let at = forward_kinematics(clip);
    let leg = clip.skeleton.leg(side).unwrap();
    let points = |frame: usize| {
        [leg.hip, leg.knee, leg.ankle, leg.ball].map(|joint| at.joint(FrameId::from(frame), joint))
    };
    (0..clip.len()).map(points).collect()
}

/// The largest value but for one in a thousand.
pub fn usual_peak(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    let index = ((values.len() as f32 - 1.0) * 0.999).floor();
    values[index as usize]
}

/// Accelerations of the root in space. [m/s²]
pub fn root_accelerations(clip: &Clip) -> Vec<f32> {
    let fps = clip.rate.fps() as f32;
    let second = |w: &[Vec3]| (w[0] - 2.0 * w[1] + w[2]).length() * fps * fps;
    clip.root.windows(3).map(second).collect()
}
