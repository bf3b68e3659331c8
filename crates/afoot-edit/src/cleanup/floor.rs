//! The floor under a clip that knows of none: where its planted joints are.

use afoot_core::{Clip, FootRest, Ground, Side};
use glam::Vec3;

use super::legs::LegTrack;
use super::{Floor, SettleOptions};

/// A level floor under the planted frames of a clip: the median heights of its held joints.
pub fn ground_under(clip: &Clip) -> Ground {
    let mut ground = Ground::level(0.0);
    let mut lowest = f32::INFINITY;
    let floor = Floor {
        height: &|_, _| 0.0,
        rest: [FootRest::default(); 2],
    };
    let options = SettleOptions::default();
    let leg = |side: Side| LegTrack::new(clip, side, (&floor, &options));
    for leg in Side::BOTH.into_iter().filter_map(leg) {
        let side = leg.side;
        let held = |track: &[Vec3], bit| {
            let pairs = track.iter().zip(&clip.contacts);
            median(
                pairs
                    .filter(|(_, c)| c.any(bit))
                    .map(|(p, _)| p.y)
                    .collect(),
            )
        };
        let ball = held(&leg.ball, afoot_core::Contacts::ball(side));
        let ankle = held(&leg.ankle, afoot_core::Contacts::heel(side));
        if let Some(height) = ball.or(ankle) {
            let rest = FootRest {
                ankle: ankle.unwrap_or(height),
                ball: ball.unwrap_or(height),
            };
            ground.rest[side.index()] = rest;
            lowest = lowest.min(rest.ball);
        }
    }
    if lowest.is_finite() {
        ground.height = lowest;
        for rest in &mut ground.rest {
            rest.ankle -= lowest;
            rest.ball -= lowest;
        }
    }
    ground
}

/// A floor whose rest heights are not known (all zero) with those of the planted frames.
pub fn with_rests(ground: Ground, clip: &Clip) -> Ground {
    if ground.rest != [FootRest::default(); 2] {
        return ground;
    }
    let measured = ground_under(clip).rest.map(|rest| FootRest {
        ankle: rest.ankle - rest.ball,
        ball: 0.0,
    });
    Ground {
        rest: measured,
        ..ground
    }
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}
