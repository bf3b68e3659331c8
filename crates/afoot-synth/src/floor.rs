//! The one floor that motion made of many clips stands on.
//!
//! Level clips share the plane, not how high a foot's joints rest above it: that differs between
//! left and right by up to 3 cm where a skeleton fits badly, so that mirror images differ from what
//! they mirror, and it is ill-found in clips with few plants. Feet held at the heights of whichever
//! clip plays first hover or are pulled down in all others. So each rest height is the mean of the
//! middle half over all clips' frames: mirrors meet half-way, and odd clips don't count.

use afoot_core::{Clip, FootRest, Ground};

/// The level floor of level clips, which motion made of them is settled on and judged by; `None` if no clip knows its own.
pub fn shared_floor(clips: &[Clip]) -> Option<Ground> {
    let known: Vec<(Ground, usize)> = clips
        .iter()
        .filter_map(|clip| Some((clip.ground?, clip.len())))
        .collect();
    let first = known.first()?.0;
    let shared = |height: &dyn Fn(&Ground) -> f32| {
        middle_mean(known.iter().map(|(g, frames)| (height(g), *frames)))
    };
    let rest = [0, 1].map(|side| FootRest {
        ankle: shared(&|ground| ground.rest[side].ankle),
        ball: shared(&|ground| ground.rest[side].ball),
    });
    Some(Ground { rest, ..first })
}

/// The mean of values without the lowest and the highest quarter of their weight.
fn middle_mean(values: impl Iterator<Item = (f32, usize)>) -> f32 {
    let mut values: Vec<(f32, usize)> = values.collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: usize = values.iter().map(|(_, weight)| weight).sum();
    let (from, to) = (total as f64 * 0.25, total as f64 * 0.75);
    let (mut sum, mut before) = (0.0, 0.0);
    for (value, weight) in &values {
        let after = before + *weight as f64;
        let inside = (after.min(to) - before.max(from)).max(0.0);
        sum += inside * f64::from(*value);
        before = after;
    }
    match to > from {
        true => (sum / (to - from)) as f32,
        false => values.first().map_or(0.0, |(value, _)| *value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::{FrameRate, Joint, Quat, Skeleton, Vec3};
    use std::sync::Arc;

    fn standing(frames: usize, left: f32, right: f32) -> Clip {
        let joints = vec![Joint::new("hips", None, Vec3::ZERO)];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let mut clip = Clip::empty("standing", skeleton, FrameRate::FPS_30);
        clip.root = vec![Vec3::Y; frames];
        clip.rotations = vec![Quat::IDENTITY; frames];
        let mut ground = Ground::level(0.0);
        (ground.rest[0].ankle, ground.rest[1].ankle) = (left, right);
        clip.ground = Some(ground);
        clip
    }

    fn check(clips: &[Clip], left: f32, right: f32) {
        let rest = shared_floor(clips).unwrap().rest;
        let off = (rest[0].ankle - left)
            .abs()
            .max((rest[1].ankle - right).abs());
        assert!(off < 1e-6, "{rest:?}, not {left} and {right}");
    }

    #[test]
    fn one_clip_keeps_its_own() {
        check(&[standing(40, 0.03, 0.01)], 0.03, 0.01);
        check(&[standing(0, 0.03, 0.01)], 0.03, 0.01);
    }

    #[test]
    fn mirrors_meet_half_way() {
        let clips = [standing(40, 0.03, 0.01), standing(40, 0.01, 0.03)];
        check(&clips, 0.02, 0.02);
    }

    #[test]
    fn an_odd_clip_does_not_count() {
        let odd = standing(30, 0.5, -0.2);
        let clips = [odd, standing(60, 0.03, 0.01), standing(60, 0.03, 0.01)];
        check(&clips, 0.03, 0.01);
    }

    #[test]
    fn clips_without_a_floor_are_passed_over() {
        let mut unknown = standing(100, 0.2, 0.2);
        unknown.ground = None;
        assert_eq!(shared_floor(std::slice::from_ref(&unknown)), None);
        check(&[unknown, standing(10, 0.03, 0.01)], 0.03, 0.01);
    }
}
