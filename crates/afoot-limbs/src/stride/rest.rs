//! Bodies that come to rest over their feet in a stand, and stay there for a moment.
//!
//! A walk that is cut off over a foot goes on with its bob and its sway: it sinks and drifts to a side while both
//! feet stand. So the root is led to where a stance has it: hips between the feet sideways and a little ahead of the
//! ankles, as high as legs carry that are as straight as in captured stands, or else as in the walk's
//! straightest mid-stance. Ahead and back it is led there before the last foot lands, so that it never drifts back.
//! The stand is held. Constants are those of captured stands of 16, 138 and 143: hips 0.6 to 1.0 foot ahead of ankles.

use afoot_core::{Clip, Contacts, Locomotion, Quat, Side, Vec3, clip_at, runs_of};

use super::body::Carried;
use super::height::Hips;
use super::options::StrideOptions;
use super::plan::Plan;
use super::swing::FootTrack;
use super::walk::Walk;
use crate::leg::{REACH, legs_of};
use crate::series::smooth_step;

/// Hips that rest are so far ahead of the ankles, in parts of the way from ankle to ball.
const AHEAD: f32 = 0.7;
/// How long a stand is held. [s]
const HELD: f64 = 0.3;
/// Slower than this a body stands, for so long at least. [m/s, s]
const STILL: f32 = 0.12;
const LASTS: f64 = 0.3;
/// Whose legs span less does not stand upright. [leg lengths]
const UPRIGHT: f32 = 0.9;

/// How a body is to be moved in a frame of a stand. [m]
pub(super) struct Rest {
    /// The frame in which it stands.
    pub frame: usize,
    /// Over the ground.
    pub shift: Vec3,
    ahead: Vec3,
}

impl Rest {
    /// Of the ends that are asked for, with the feet of a plan whose body does not lead them.
    pub fn of(
        plan: &Plan,
        tracks: &[FootTrack; 2],
        hips: &Hips,
        yaws: &[f32],
    ) -> [Option<Self>; 2] {
        let walk = plan.walk;
        [0, walk.clip.len() - 1].map(|frame| {
            let end = usize::from(frame > 0);
            (plan.ease[end] > 0).then(|| {
                let tangent = walk.way.tangent(frame).with_y(0.0).normalize_or_zero();
                let ahead = Quat::from_rotation_y(yaws[frame]) * tangent;
                let feet = [0, 1].map(|side| {
                    let (pose, track) = (&walk.poses[side][frame], &tracks[side]);
                    let arm = track.foot[frame] * (pose.foot.inverse() * (pose.ball - pose.ankle));
                    track.ankle[frame] + ahead * (AHEAD * arm.dot(ahead).max(0.0))
                });
                let shift = 0.5 * (feet[0] + feet[1] - hips[0][frame] - hips[1][frame]);
                Self {
                    frame,
                    shift: shift.with_y(0.0),
                    ahead,
                }
            })
        })
    }
}

impl Carried {
    /// Leads the body to rest at the ends that are asked for; true if there are any.
    pub(super) fn come_to_rest(&mut self, plan: &Plan, options: &StrideOptions) -> bool {
        let walk = plan.walk;
        let hips = self.hips(walk);
        let rests = Rest::of(plan, &self.tracks, &hips, self.yaws());
        let falls = &walk.falls;
        let (last, count) = (walk.clip.len() - 1, falls.len());
        for rest in rests.iter().flatten() {
            let at = rest.frame;
            let landed = if at == 0 {
                falls[2].plant.frames.start
            } else {
                falls[count - 2].flat
            };
            let (rests_from, leads_from) = match at {
                0 => (at, falls[2].flat),
                _ => (
                    falls[count - 1].plant.frames.start.min(last),
                    falls[count - 3].flat,
                ),
            };
            let rise = self.rise(walk, &hips, rest, options);
            let stands_at = self.height_at(at) + rise;
            let (along, across) = {
                let along = rest.ahead * rest.shift.dot(rest.ahead);
                (along, rest.shift - along)
            };
            let still = self.root_at(at) + across;
            for frame in 0..=last {
                let share = smooth_step(share_of(frame, landed, at));
                let leads = smooth_step(share_of(frame, leads_from, rests_from));
                if share <= 0.0 && leads <= 0.0 {
                    continue;
                }
                let sway = still - self.root_at(frame);
                let sway = sway - rest.ahead * sway.dot(rest.ahead);
                let up = stands_at - self.height_at(frame);
                self.shift(frame, along * leads + sway.with_y(0.0) * share, up * share);
            }
        }
        rests.iter().any(Option::is_some)
    }

    /// How much higher the body stands at rest. [m]
    fn rise(&self, walk: &Walk, hips: &Hips, rest: &Rest, options: &StrideOptions) -> f32 {
        let rises = [0, 1].map(|side| {
            let leg = &walk.legs[side];
            let span = match options.stand_span {
                Some(share) => share * leg.length(),
                None => tallest(walk),
            };
            let span = span.min(REACH * leg.length());
            let hip = hips[side][rest.frame] + rest.shift + Vec3::Y * self.heights()[rest.frame];
            let away = hip - self.tracks[side].ankle[rest.frame];
            let up = span * span - away.with_y(0.0).length_squared();
            up.max(0.0).sqrt() - away.y
        });
        rises[0].min(rises[1])
    }
}

/// The share of the way from a frame to another, either way in time. [0 to 1]
fn share_of(frame: usize, from: usize, to: usize) -> f32 {
    let [frame, from, to] = [frame, from, to].map(|frame| frame as f32);
    match from == to {
        true => 0.0,
        false => ((frame - from) / (to - from)).clamp(0.0, 1.0),
    }
}

/// The longest span of a leg that bears the body on a flat foot. [m]
fn tallest(walk: &Walk) -> f32 {
    let spans = walk.falls.iter().map(|fall| {
        let side = fall.plant.side.index();
        walk.poses[side][fall.flat].span()
    });
    spans.fold(0.0, f32::max)
}

/// The clip with its stands held.
pub(super) fn hold(made: Clip, options: &StrideOptions) -> (Clip, u32) {
    let held = made.rate.frames_in(HELD);
    let before = if options.ease_in > 0 { held } else { 0 };
    let after = if options.ease_out > 0 { held } else { 0 };
    if before + after == 0 {
        return (made, 0);
    }
    let last = made.len() - 1;
    let moments =
        (0..before + made.len() + after).map(|frame| frame.saturating_sub(before).min(last) as f64);
    let moments: Vec<f64> = moments.collect();
    let mut held = clip_at(&made, &moments, made.rate);
    held.ground = made.ground;
    (held, before as u32)
}

/// How far hips are from ankles where a body stands upright in some clips, in the median of what stands there for some
/// time; none if it never does. [leg lengths]
pub fn stand_span<'a>(clips: impl IntoIterator<Item = &'a Clip>) -> Option<f32> {
    let mut spans: Vec<f32> = clips.into_iter().flat_map(spans_of_stands).collect();
    spans.sort_by(f32::total_cmp);
    spans.get(spans.len() / 2).copied()
}

fn spans_of_stands(clip: &Clip) -> Vec<f32> {
    let Some(legs) = legs_of(&clip.skeleton).filter(|_| clip.contacts.len() == clip.len()) else {
        return Vec::new();
    };
    let slow = STILL * clip.rate.frame_time() as f32;
    let still = |frame: usize| {
        let next = (frame + 1).min(clip.len() - 1);
        let down = Side::BOTH.into_iter();
        let mut down = down.map(|side| clip.contacts[frame].any(Contacts::foot(side)));
        let stands = clip
            .types
            .get(frame)
            .is_none_or(|way| *way == Locomotion::Stand);
        stands && down.all(|down| down) && clip.root[next].distance(clip.root[frame]) < slow
    };
    let long = clip.rate.frames_in(LASTS);
    let stands = runs_of(clip.len(), still).into_iter();
    let span = |frame: usize| {
        let spans = legs
            .iter()
            .map(|leg| leg.of_frame(clip, frame).span() / leg.length());
        spans.sum::<f32>() / legs.len() as f32
    };
    stands
        .filter(|stand| stand.len() >= long)
        .flatten()
        .map(span)
        .filter(|span| *span > UPRIGHT)
        .collect()
}
