//! Speeds of points of a figure, the same at any frame rate. Metres a second; cost linear.

use std::ops::Range;

use afoot_core::{Clip, FrameId};
use glam::Vec3;

use crate::series::runs;

/// The speed window on either side of a frame. At 30 fps, the library's rate, one frame. [s]
pub const SPEED_WINDOW: f64 = 1.0 / 30.0;

/// Speed at each frame over a window of about 1/30 s to either side, cut at the clip's ends, so
/// that a clip's speeds mean the same at any rate. A track of one frame stands still. [m/s]
pub fn speeds(track: &[Vec3], frame_time: f64) -> Vec<f32> {
    let velocities = velocities(track, frame_time);
    velocities.into_iter().map(Vec3::length).collect()
}

/// The velocities whose sizes [`speeds`] are. [m/s]
pub fn velocities(track: &[Vec3], frame_time: f64) -> Vec<Vec3> {
    let reach = ((SPEED_WINDOW / frame_time).round() as usize).max(1);
    let last = track.len().saturating_sub(1);
    let velocity = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let seconds = ((to - from).max(1) as f64 * frame_time) as f32;
        (track[to] - track[from]) / seconds
    };
    (0..track.len()).map(velocity).collect()
}

/// [`speeds`] of a point of the figure, except where the whole pose is repeated for up to a fifth
/// of a second, as where capture lost track: there it is the speed at which the repetition ends,
/// since nothing at all, breath included, stands still in captured motion.
pub fn point_speeds(clip: &Clip, track: &[Vec3]) -> Vec<f32> {
    let mut speed = speeds(track, clip.rate.frame_time());
    for held in repeated_poses(clip) {
        let step = |from: usize, to: usize| {
            track[from].distance(track[to]) / clip.rate.frame_time() as f32
        };
        let before = held.start.checked_sub(1).map(|f| step(f, held.start));
        let after = (held.end < track.len()).then(|| step(held.end - 1, held.end));
        let through = before.unwrap_or(0.0).max(after.unwrap_or(0.0));
        held.for_each(|frame| speed[frame] = speed[frame].max(through));
    }
    speed
}

/// Maximal runs of identical poses that last 2 frames to a fifth of a second, but not the clip.
fn repeated_poses(clip: &Clip) -> Vec<Range<usize>> {
    let mut found = runs(clip.len().saturating_sub(1), |f| pose_repeats(clip, f));
    found.iter_mut().for_each(|run| run.end += 1);
    found.retain(|run| run.len() < clip.len() && run.len() <= clip.rate.frames_in(0.2));
    found
}

/// Whether the pose is that of the frames before and after.
pub fn is_frozen(clip: &Clip, frame: usize) -> bool {
    let before = frame.checked_sub(1);
    before.is_none_or(|before| pose_repeats(clip, before))
        && (frame + 1 >= clip.len() || pose_repeats(clip, frame))
}

/// Whether the next frame has the same pose. Not for the last frame.
pub fn pose_repeats(clip: &Clip, frame: usize) -> bool {
    let (a, b) = (FrameId::from(frame), FrameId::from(frame + 1));
    clip.root[frame] == clip.root[frame + 1] && clip.frame_rotations(a) == clip.frame_rotations(b)
}

/// Length of thigh and shank of an adult: 0.49 of a body height of 1.65 m. [m]
const ADULT_LEG: f32 = 0.8;
/// Where an adult starts to run, at a Froude number of ½. [m/s]
const RUN_SPEED: f32 = 2.0;

/// What lengths are, to those of an adult.
pub fn size(clip: &Clip) -> f32 {
    let leg = clip.skeleton.leg_length();
    leg.map_or(1.0, |leg| leg / ADULT_LEG)
}

/// What speeds of feet are at each frame, to those of an adult who walks. They scale with the root
/// of leg length (equal Froude numbers). Past the speed at which people start to run they grow with
/// the root's: a swinging foot moves in proportion to it, and so does a planted one, which marker
/// fits drag along (lowest ball speed within a stance 0.03 to 0.1 m/s in captured walks, 0.3 to
/// 0.45 m/s in a run at 4 m/s).
pub fn paces(clip: &Clip) -> Vec<f32> {
    let walk = size(clip).sqrt();
    let pace = |root: f32| walk.max(root / RUN_SPEED);
    root_speeds(clip).into_iter().map(pace).collect()
}

/// Ground speed of the root over a tenth of a second to either side. [m/s]
pub fn root_speeds(clip: &Clip) -> Vec<f32> {
    let reach = clip.rate.frames_in(0.1).max(1);
    let last = clip.len().saturating_sub(1);
    let level = |frame: usize| clip.root[frame] * Vec3::new(1.0, 0.0, 1.0);
    let speed = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let seconds = ((to - from).max(1) as f64 * clip.rate.frame_time()) as f32;
        level(from).distance(level(to)) / seconds
    };
    (0..clip.len()).map(speed).collect()
}
