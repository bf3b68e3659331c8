//! Hands that touch and figures that sit, for picking up and sitting down.
//!
//! Asked for by height: a hand is slow within a tolerance of it; the hips are slow just above it.
//! Else found by dwelling: a hand stops away from where it usually is in the figure's own frame;
//! the hips rest although the body's middle (of hips, chest and neck) is not over the feet, so that
//! something else must bear it. Own method; thresholds from the subject of the `actions` set, whose
//! body's middle stays within 8 cm of the line between the feet in crouches and pick-ups and is 15
//! to 40 cm off when seated. In: a clip, its `ground` for heights. Out: bits and spans. Cost:
//! linear. Weakness: a hand that snatches in passing does not dwell; crawling slowly is a seat.

use std::ops::Range;

use afoot_core::{
    Clip, Contacts, Planar, Positions, Range32, Role, Side, Vec3, forward_kinematics,
};
use glam::Vec2;
use thiserror::Error;

use crate::series::{median_point, runs};
use crate::speed::point_speeds;

/// How a touch is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch {
    /// On an object of this height above the floor. [m]
    AtHeight(f32),
    /// Wherever the part comes to rest.
    Dwell,
}

/// What [`detect_touches`] looks for.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchOptions {
    /// How hands are looked for; `None` leaves them out.
    pub hands: Option<Touch>,
    /// How sitting is looked for; `None` leaves it out.
    pub seat: Option<Touch>,
    /// Fastest that a touching hand moves. [m/s, > 0]
    pub hand_speed: f32,
    /// Farthest that a touching wrist is from an object's height. [m, > 0]
    pub hand_tolerance: f32,
    /// Least distance of a dwelling hand from its usual place. [m, >= 0]
    pub hand_away: f32,
    /// Shortest touch of a hand. [s, >= 0]
    pub hand_seconds: f64,
    /// Fastest that seated hips move. [m/s, > 0]
    pub seat_speed: f32,
    /// Highest that the hip joint is above a seat. [m, > 0]
    pub seat_tolerance: f32,
    /// Least distance of the body's middle from the line between the feet, dwelling. [m, >= 0]
    pub seat_off_feet: f32,
    /// Shortest sitting. [s, >= 0]
    pub seat_seconds: f64,
}

impl Default for TouchOptions {
    fn default() -> Self {
        Self {
            hands: Some(Touch::Dwell),
            seat: Some(Touch::Dwell),
            hand_speed: 0.3,
            hand_tolerance: 0.1,
            hand_away: 0.25,
            hand_seconds: 0.1,
            seat_speed: 0.25,
            seat_tolerance: 0.2,
            seat_off_feet: 0.14,
            seat_seconds: 0.4,
        }
    }
}

/// What touches when.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchReport {
    /// Hand and seat bits, a frame each; to be joined with those of the feet.
    pub contacts: Vec<Contacts>,
    /// The same as spans, sorted by their start.
    pub spans: Vec<TouchSpan>,
}

/// A part at rest on something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchSpan {
    /// One hand, or the seat.
    pub part: Contacts,
    /// Half-open.
    pub frames: Range32,
    /// Where the wrist or hip joint is in the middle of it. [m]
    pub at: Vec3,
}

/// Why nothing could be looked for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum TouchError {
    #[error("clip {clip:?}: the skeleton has no joint known as {part}; set the roles first")]
    NoJoint { clip: String, part: &'static str },
    #[error("clip {clip:?}: a touch at a height needs the floor; estimate the ground first")]
    NoGround { clip: String },
}

/// Finds what was asked for.
pub fn detect_touches(clip: &Clip, options: &TouchOptions) -> Result<TouchReport, TouchError> {
    let positions = forward_kinematics(clip);
    let mut contacts = vec![Contacts::NONE; clip.len()];
    let mut spans = Vec::new();
    let mut add = |part: Contacts, joint: usize, frames: Range<usize>| {
        let middle = (frames.start + frames.end) / 2;
        frames
            .clone()
            .for_each(|f| contacts[f] = contacts[f].with(part));
        spans.push(TouchSpan {
            part,
            frames: Range32 {
                start: frames.start as u32,
                end: frames.end as u32,
            },
            at: positions.frame(middle.into())[joint],
        });
    };
    if let Some(touch) = options.hands {
        for side in Side::BOTH {
            let hand = joint_of(clip, Role::Hand(side), "a hand")?;
            for frames in hand_touches(clip, &positions, hand, touch, options)? {
                add(Contacts::hand(side), hand, frames);
            }
        }
    }
    if let Some(touch) = options.seat {
        let hips = joint_of(clip, Role::Hips, "the hips")?;
        for frames in seat_touches(clip, &positions, hips, touch, options)? {
            add(Contacts::SEAT, hips, frames);
        }
    }
    spans.sort_by_key(|span| (span.frames, span.part.0));
    Ok(TouchReport { contacts, spans })
}

fn hand_touches(
    clip: &Clip,
    positions: &Positions,
    hand: usize,
    touch: Touch,
    options: &TouchOptions,
) -> Result<Vec<Range<usize>>, TouchError> {
    let track: Vec<Vec3> = positions.track(hand).collect();
    let speed = point_speeds(clip, &track);
    let near: Vec<bool> = match touch {
        Touch::AtHeight(height) => {
            let off = |at: f32| (at - height).abs() < options.hand_tolerance;
            heights(clip, &track)?.into_iter().map(off).collect()
        }
        Touch::Dwell => {
            let away = |distance: f32| distance > options.hand_away;
            from_usual_place(clip, &track)
                .into_iter()
                .map(away)
                .collect()
        }
    };
    let holds = |f: usize| near[f] && speed[f] < options.hand_speed;
    Ok(long_runs(clip, holds, options.hand_seconds))
}

fn seat_touches(
    clip: &Clip,
    positions: &Positions,
    hips: usize,
    touch: Touch,
    options: &TouchOptions,
) -> Result<Vec<Range<usize>>, TouchError> {
    let track: Vec<Vec3> = positions.track(hips).collect();
    let speed = point_speeds(clip, &track);
    let seated: Vec<bool> = match touch {
        Touch::AtHeight(height) => {
            let above = |at: f32| (0.0..options.seat_tolerance).contains(&(at - height));
            heights(clip, &track)?.into_iter().map(above).collect()
        }
        Touch::Dwell => {
            let off = off_feet(clip, positions, hips)?;
            let far = |distance: &f32| *distance > options.seat_off_feet;
            off.iter().map(far).collect()
        }
    };
    let holds = |f: usize| seated[f] && speed[f] < options.seat_speed;
    Ok(long_runs(clip, holds, options.seat_seconds))
}

fn joint_of(clip: &Clip, role: Role, part: &'static str) -> Result<usize, TouchError> {
    let joint = clip.skeleton.with_role(role);
    let missing = || TouchError::NoJoint {
        clip: clip.name.clone(),
        part,
    };
    joint.map(|joint| joint.index()).ok_or_else(missing)
}

/// Runs of at least `seconds`, gaps of a tenth of a second closed.
fn long_runs(clip: &Clip, holds: impl Fn(usize) -> bool, seconds: f64) -> Vec<Range<usize>> {
    let gap = clip.rate.frames_in(0.1);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for run in runs(clip.len(), holds) {
        match joined.last_mut() {
            Some(last) if run.start - last.end <= gap => last.end = run.end,
            _ => joined.push(run),
        }
    }
    joined.retain(|run| run.len() as f64 * clip.rate.frame_time() >= seconds - 1e-6);
    joined
}

/// Heights of a joint above the floor itself, which lies below the plane of the ball joints.
fn heights(clip: &Clip, track: &[Vec3]) -> Result<Vec<f32>, TouchError> {
    let ground = clip.ground.ok_or_else(|| TouchError::NoGround {
        clip: clip.name.clone(),
    })?;
    // the ball joint rests 2.5 to 5.5 cm above the floor in captured motion
    let floor = |p: &Vec3| ground.height_at(p.x, p.z) - 0.04;
    Ok(track.iter().map(|p| p.y - floor(p)).collect())
}

/// Distance of a joint from its median place in the figure's own frame: x, z and heading of the
/// root removed.
fn from_usual_place(clip: &Clip, track: &[Vec3]) -> Vec<f32> {
    let own = |(frame, at): (usize, &Vec3)| {
        let rotation = clip.rotations[frame * clip.joint_count()];
        let place = Planar::of_root(clip.root[frame], rotation);
        place.inverse().point3(*at)
    };
    let local: Vec<Vec3> = track.iter().enumerate().map(own).collect();
    let usual = median_point(local.iter().copied()).unwrap_or(Vec3::ZERO);
    local.iter().map(|at| at.distance(usual)).collect()
}

/// Distance along the ground of the body's middle from the line between the feet.
fn off_feet(clip: &Clip, positions: &Positions, hips: usize) -> Result<Vec<f32>, TouchError> {
    let skeleton = &clip.skeleton;
    let upper = [Role::Chest, Role::Neck].map(|role| skeleton.with_role(role));
    let trunk: Vec<usize> = upper
        .into_iter()
        .flatten()
        .map(|joint| joint.index())
        .collect();
    let foot = |side: Side| -> Result<[usize; 2], TouchError> {
        let ankle = joint_of(clip, Role::Foot(side), "a foot")?;
        let ball = skeleton.with_role(Role::Toe(side));
        Ok([ankle, ball.map_or(ankle, |ball| ball.index())])
    };
    let feet = [foot(Side::Left)?, foot(Side::Right)?];
    let distance = |frame: usize| {
        let points = positions.frame(frame.into());
        let flat = |joint: usize| Vec2::new(points[joint].x, points[joint].z);
        let sum = trunk
            .iter()
            .fold(flat(hips), |sum, joint| sum + flat(*joint));
        let middle = sum / (trunk.len() + 1) as f32;
        let [left, right] = feet.map(|[ankle, ball]| 0.5 * (flat(ankle) + flat(ball)));
        let along = right - left;
        let share = (middle - left).dot(along) / along.length_squared().max(1e-9);
        middle.distance(left + along * share.clamp(0.0, 1.0))
    };
    Ok((0..positions.frames()).map(distance).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{flat, scripted, skeleton};

    #[test]
    fn what_is_missing_is_named() {
        let stand = |_: f64| (Vec3::Y, [flat(0.1, 0.03, 0.0), flat(-0.1, 0.03, 0.0)]);
        let clip = scripted((1.0, 30), stand);
        let hands = detect_touches(&clip, &TouchOptions::default());
        assert!(matches!(
            hands,
            Err(TouchError::NoJoint { part: "a hand", .. })
        ));
        let seat = TouchOptions {
            hands: None,
            seat: Some(Touch::AtHeight(0.4)),
            ..TouchOptions::default()
        };
        assert!(matches!(
            detect_touches(&clip, &seat),
            Err(TouchError::NoGround { .. })
        ));
        let nothing = TouchOptions {
            hands: None,
            seat: None,
            ..TouchOptions::default()
        };
        let mut bare = clip.clone();
        bare.skeleton = std::sync::Arc::new(skeleton(true).with_roles(&[None; 5]));
        let report = detect_touches(&bare, &nothing).unwrap();
        assert_eq!(
            (report.contacts, report.spans),
            (vec![Contacts::NONE; 30], vec![])
        );
    }

    #[test]
    fn a_seat_is_where_the_hips_rest_beside_the_feet_or_at_its_height() {
        // sits down at 1 s: the hips go back by 0.4 m and down to 0.5 m
        let sit = |time: f64| {
            let down = (4.0 * (time - 1.0)).clamp(0.0, 1.0) as f32;
            let hips = Vec3::new(0.0, 0.9 - 0.4 * down, -0.4 * down);
            (hips, [flat(0.1, 0.04, 0.0), flat(-0.1, 0.04, 0.0)])
        };
        let mut clip = scripted((3.0, 30), sit);
        clip.ground = Some(afoot_core::Ground::level(0.04));
        for touch in [Touch::Dwell, Touch::AtHeight(0.42)] {
            let options = TouchOptions {
                hands: None,
                seat: Some(touch),
                ..TouchOptions::default()
            };
            let spans = detect_touches(&clip, &options).unwrap().spans;
            assert_eq!(spans.len(), 1, "{touch:?}: {spans:?}");
            assert!(
                (37..=39).contains(&spans[0].frames.start),
                "{touch:?}: {spans:?}"
            );
            assert_eq!((spans[0].frames.end, spans[0].part), (90, Contacts::SEAT));
        }
    }
}
