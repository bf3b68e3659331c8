//! Legs that pass each other as far apart as they did.
//!
//! A swing leads from a place to the next; where the body turns more than it did, the straight way between them leads
//! through the leg that stands. Such a swing goes around it: aside by a bump, as much as is missing where the feet
//! pass. Planted feet stay.

use afoot_core::{Quat, Side};
use glam::Vec3;

use super::swing::{FootTrack, bump};
use super::walk::Walk;

/// Feet that are farther apart along the way do not pass each other. [m]
const PASSING: f32 = 0.35;
/// Feet this much nearer than they were are as far apart. [m]
const SLACK: f32 = 0.005;
/// No swing goes farther aside. [m]
const MOST_ASIDE: f32 = 0.15;
/// A bump is not asked for more than that where it is low.
const LEAST_BUMP: f32 = 0.4;

/// Moves swinging feet aside; `yaws` is how much farther the body is turned than captured, a frame each.
pub(super) fn keep_apart(walk: &Walk, yaws: &[f32], tracks: &mut [FootTrack; 2]) {
    for side in Side::BOTH {
        let planted = tracks[side.index()].planted.clone();
        let mut start = 0;
        for stretch in planted.chunk_by(|a, b| a == b) {
            let frames = start..start + stretch.len();
            start = frames.end;
            let cut = frames.start == 0 || frames.end == planted.len();
            if stretch[0] || cut {
                continue;
            }
            let whole = (frames.len() + 1) as f32;
            let height = |frame: usize| bump((frame + 1 - frames.start) as f32 / whole);
            let gap = Gap { walk, yaws, side };
            let missing = frames.clone().map(|frame| {
                let missing = gap.missing(tracks, frame);
                match missing > SLACK {
                    true => missing / height(frame).max(LEAST_BUMP),
                    false => 0.0,
                }
            });
            let aside = missing.fold(0.0, f32::max).min(MOST_ASIDE);
            if aside > 0.0 {
                for frame in frames.clone() {
                    let by = gap.outward(frame) * (aside * height(frame));
                    tracks[side.index()].ankle[frame] += by;
                }
            }
        }
    }
}

/// How far a foot is from the other one, to its own side.
struct Gap<'a> {
    walk: &'a Walk<'a>,
    yaws: &'a [f32],
    side: Side,
}

impl Gap<'_> {
    /// To the foot's own side as captured. [1]
    fn captured_outward(&self, frame: usize) -> Vec3 {
        let left = Vec3::Y.cross(self.walk.way.tangent(frame));
        match self.side {
            Side::Left => left,
            Side::Right => -left,
        }
    }

    /// The same as the body is turned now. [1]
    fn outward(&self, frame: usize) -> Vec3 {
        Quat::from_rotation_y(self.yaws[frame]) * self.captured_outward(frame)
    }

    /// How much nearer than captured it passes the other foot. [m]
    fn missing(&self, tracks: &[FootTrack; 2], frame: usize) -> f32 {
        let (own, other) = (self.side.index(), 1 - self.side.index());
        let away = (tracks[own].ankle[frame] - tracks[other].ankle[frame]).with_y(0.0);
        let outward = self.outward(frame);
        let along = (away - outward * away.dot(outward)).length();
        if along > PASSING {
            return 0.0;
        }
        let was = self.walk.poses[own][frame].ankle - self.walk.poses[other][frame].ankle;
        was.dot(self.captured_outward(frame)) - away.dot(outward)
    }
}
