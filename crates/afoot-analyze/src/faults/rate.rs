//! The capture's frame rate, told by gravity.
//!
//! Feet push and never pull, so a body's centre of mass can't accelerate downwards faster than g.
//! Where a parabola fits its height to millimetres and falls with clearly more than g, the file's
//! rate is too high by the root of the ratio: twice at 4 g. The error of the centre-of-mass proxy
//! reaches 1.7 g in honest clips (twists, flailing arms), so up to 2.3 g it is only a suspicion. Who
//! does not fly falls with less than g (1.02 g in captured clips, 1.7 g in one of martial arts). Steps
//! that come faster than anybody runs, or too fast for their length, are a suspicion too; with a fall
//! that is one as well they are certain. Clips of one performer share what they show. Cost: one pass.
//! Not seen: a rate that is too low, or what gestures alone could tell.

use std::ops::Range;

use afoot_core::{Clip, FrameRate, Range32, forward_kinematics};

use super::fall::{self, Steps};

/// What bodies fall with. [m/s²]
pub const GRAVITY: f32 = 9.81;
/// A fall this fast can't be at the claimed rate. [g]
const CERTAIN: f32 = 2.3;
/// A fall this fast may be the proxy's error. [g]
const PROXY_ERROR: f32 = 1.75;
/// A fall of a body that never flies. [g]
const GROUNDED: f32 = 1.2;
/// Shorter and faster steps than people make: time of a step times its length in leg lengths. Of 347
/// captured clips that step, 6 are below it (a run on the spot, five walks that are acted); at twice
/// their rate 240. [s]
const HASTY: f32 = 0.265;
/// More steps a second than without a flight phase. [1/s]
const FASTEST_STEPS: f32 = 3.6;
/// Below this rate the flights of a run are too short to be seen, so its steps say nothing. [fps]
const STEPS_COUNT_FROM: f64 = 50.0;

/// The fastest fall of a clip that is a clean parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// Where, counted as in the file.
    pub frames: Range32,
    /// Downward acceleration at the claimed rate. [m/s²]
    pub acceleration: f32,
    /// Root mean square distance from the parabola. [m]
    pub residual: f32,
}

/// What one clip tells of its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateVerdict {
    /// It flies with about g.
    Confirmed,
    /// Nothing speaks against the claimed rate, nor for it.
    Plausible,
    /// Falls or steps faster than bodies should, but not decisively.
    Suspicious,
    /// The claimed rate is so many times the capture's.
    TooHigh(u32),
}

/// A clip's rate and what speaks for or against it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateEvidence {
    /// The rate that the file gives.
    pub claimed: FrameRate,
    /// Its fastest fall, if its skeleton shows a body.
    pub fall: Option<Fall>,
    /// Whether it flies with about g, no foot at rest.
    pub flight: bool,
    /// Its steps at the claimed rate, if it walks or runs at all.
    pub steps: Steps,
}

/// Where a clip's rate comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateReason {
    /// The file's.
    Claimed,
    /// Its own falls.
    Fall,
    /// Falls in so many other clips of the same skeleton.
    SameSkeleton(u32),
}

/// The rate to use for a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct RateDecision {
    /// The capture's rate.
    pub rate: FrameRate,
    /// The file's rate.
    pub claimed: FrameRate,
    /// Why.
    pub reason: RateReason,
    /// What was changed, in words.
    pub repair: Option<String>,
    /// What is suspected, in words.
    pub warning: Option<String>,
}

impl RateEvidence {
    /// Looks at the frames of `kept`; falls that touch one of the `spoilt` frames do not count.
    pub fn of(clip: &Clip, kept: Range<usize>, spoilt: &[Range32]) -> Self {
        let positions = forward_kinematics(clip);
        let heights = fall::centre_heights(clip, &positions);
        let feet = fall::slower_foot(clip, &positions);
        Self {
            claimed: clip.rate,
            fall: heights
                .as_deref()
                .and_then(|heights| fall::fastest_fall(heights, kept.clone(), clip.rate, spoilt)),
            flight: heights
                .zip(feet)
                .is_some_and(|(h, feet)| fall::has_flight(&h, &feet, kept.clone(), clip.rate)),
            steps: fall::steps_of(clip, &positions, kept),
        }
    }

    /// What follows from it alone.
    pub fn verdict(&self) -> RateVerdict {
        let fall = self.fall_in_g();
        let hasty = self.hasty();
        if fall > CERTAIN || (fall > GROUNDED && !self.flight && hasty) {
            let possible = |&factor: &u32| fall / (factor * factor) as f32 <= PROXY_ERROR;
            let factor = [2, 4, 8].into_iter().find(possible);
            return factor.map_or(RateVerdict::Suspicious, RateVerdict::TooHigh);
        }
        match self.flight {
            _ if fall > PROXY_ERROR => RateVerdict::Suspicious,
            true => RateVerdict::Confirmed,
            false if fall > GROUNDED || hasty => RateVerdict::Suspicious,
            false => RateVerdict::Plausible,
        }
    }

    /// Whether it steps as nobody does.
    fn hasty(&self) -> bool {
        let Steps { per_second, ratio } = self.steps;
        self.claimed.fps() >= STEPS_COUNT_FROM
            && (per_second.is_some_and(|steps| steps > FASTEST_STEPS)
                || ratio.is_some_and(|ratio| ratio < HASTY))
    }

    fn fall_in_g(&self) -> f32 {
        self.fall.map_or(0.0, |fall| fall.acceleration / GRAVITY)
    }
}

/// What is known of the rate of a clip that is not among those to decide about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownRate {
    /// Its skeleton, by the same numbers as those of the clips to decide about.
    pub skeleton: usize,
    /// The rate that its file gave.
    pub claimed: FrameRate,
    /// What its motion told.
    pub verdict: RateVerdict,
}

/// A rate per clip. `skeletons[i] == skeletons[j]` says that two clips have the same skeleton: a
/// clip that shows nothing itself takes the correction that the clips of its skeleton and claimed
/// rate agree on, if more of them fall too fast than fly as they should.
pub fn decide_rates(
    evidence: &[RateEvidence],
    skeletons: &[usize],
    known: &[KnownRate],
) -> Vec<RateDecision> {
    assert_eq!(evidence.len(), skeletons.len(), "one skeleton per clip");
    let shown = |(own, &skeleton): (&RateEvidence, &usize)| KnownRate {
        skeleton,
        claimed: own.claimed,
        verdict: own.verdict(),
    };
    let mut all: Vec<KnownRate> = evidence.iter().zip(skeletons).map(shown).collect();
    all.extend(known);
    let decide = |(index, own): (usize, &RateEvidence)| {
        let related = |other: &&KnownRate| {
            other.skeleton == all[index].skeleton && other.claimed == own.claimed
        };
        match all[index].verdict {
            RateVerdict::TooHigh(factor) => corrected_by_fall(own, factor),
            RateVerdict::Confirmed => kept_as_claimed(own),
            _ => match shared_factor(all.iter().filter(related).map(|other| other.verdict)) {
                Some((factor, count)) => corrected_by_others(own, factor, count),
                None => kept_as_claimed(own),
            },
        }
    };
    evidence.iter().enumerate().map(decide).collect()
}

/// The factor that all clips with too fast falls show, and how many they are.
fn shared_factor(verdicts: impl Iterator<Item = RateVerdict>) -> Option<(u32, u32)> {
    let (mut found, mut count, mut confirmed) = (None, 0, 0);
    for verdict in verdicts {
        match verdict {
            RateVerdict::TooHigh(factor) if *found.get_or_insert(factor) == factor => count += 1,
            RateVerdict::TooHigh(_) => return None,
            RateVerdict::Confirmed => confirmed += 1,
            _ => {}
        }
    }
    found
        .filter(|_| count > confirmed)
        .map(|factor| (factor, count))
}

fn corrected_by_fall(own: &RateEvidence, factor: u32) -> RateDecision {
    let rate = divided(own.claimed, factor);
    let repair = format!(
        "frame rate {rate} instead of {}: at the file's rate the body falls with {:.1} g{}",
        own.claimed,
        own.fall_in_g(),
        if own.fall_in_g() > CERTAIN {
            ""
        } else {
            " and steps too hastily"
        },
    );
    RateDecision {
        rate,
        claimed: own.claimed,
        reason: RateReason::Fall,
        repair: Some(repair),
        warning: None,
    }
}

fn corrected_by_others(own: &RateEvidence, factor: u32, count: u32) -> RateDecision {
    let rate = divided(own.claimed, factor);
    let clips = if count == 1 { "clip" } else { "clips" };
    let repair = format!(
        "frame rate {rate} instead of {}: taken from {count} {clips} of the same skeleton",
        own.claimed
    );
    RateDecision {
        rate,
        claimed: own.claimed,
        reason: RateReason::SameSkeleton(count),
        repair: Some(repair),
        warning: Some("the frame rate is inferred: this clip has no free fall of its own".into()),
    }
}

fn kept_as_claimed(own: &RateEvidence) -> RateDecision {
    let warning = (own.verdict() == RateVerdict::Suspicious).then(|| {
        let sign = match (own.fall_in_g() > GROUNDED, own.steps.per_second) {
            (true, _) => format!("the body falls with {:.1} g", own.fall_in_g()),
            (false, Some(steps)) => format!("{steps:.1} steps a second, hasty for their length"),
            (false, None) => "steps too hasty for their length".into(),
        };
        format!("{sign}: the frame rate may be too high")
    });
    RateDecision {
        rate: own.claimed,
        claimed: own.claimed,
        reason: RateReason::Claimed,
        repair: None,
        warning,
    }
}

fn divided(rate: FrameRate, factor: u32) -> FrameRate {
    let (numerator, denominator) = rate.parts();
    FrameRate::new(numerator, denominator.saturating_mul(factor)).unwrap_or(rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::fixture::{jumping, swaying};

    fn evidence(clip: &afoot_core::Clip) -> RateEvidence {
        RateEvidence::of(clip, 0..clip.len(), &[])
    }

    #[test]
    fn a_jump_tells_the_rate() {
        let check = |true_fps, claimed, expected| {
            let clip = jumping(6 * true_fps as usize, true_fps, claimed, 0.5);
            assert_eq!(
                evidence(&clip).verdict(),
                expected,
                "{true_fps} as {claimed}"
            );
        };
        check(120, 120, RateVerdict::Confirmed);
        check(60, 120, RateVerdict::TooHigh(2));
        check(30, 120, RateVerdict::TooHigh(4));
        check(60, 60, RateVerdict::Confirmed);
        check(30, 60, RateVerdict::TooHigh(2));
        check(30, 30, RateVerdict::Confirmed);
    }

    #[test]
    fn a_clip_without_a_fall_follows_the_others_of_its_skeleton() {
        let (jump, sway) = (jumping(360, 60, 120, 0.5), swaying(360, 120));
        let all = [evidence(&jump), evidence(&sway), evidence(&sway)];
        let rates: Vec<f64> = decide_rates(&all, &[0, 0, 1], &[])
            .iter()
            .map(|d| d.rate.fps())
            .collect();
        assert_eq!(rates, [60.0, 60.0, 120.0]);
        let decisions = decide_rates(&all, &[0, 0, 1], &[]);
        assert_eq!(decisions[1].reason, RateReason::SameSkeleton(1));
        assert!(decisions[1].warning.is_some() && decisions[2].warning.is_none());
    }

    #[test]
    fn clips_known_from_before_count_too() {
        let sway = evidence(&swaying(360, 120));
        let known = |skeleton, fps| KnownRate {
            skeleton,
            claimed: FrameRate::new(fps, 1).unwrap(),
            verdict: RateVerdict::TooHigh(2),
        };
        let rate = |known| decide_rates(&[sway], &[0], &[known])[0].rate.fps();
        assert_eq!(rate(known(0, 120)), 60.0);
        assert_eq!(rate(known(1, 120)), 120.0, "another skeleton");
        assert_eq!(rate(known(0, 100)), 120.0, "another claimed rate");
    }

    #[test]
    fn a_clip_that_flies_as_it_should_is_never_halved() {
        let (wrong, right) = (jumping(360, 60, 120, 0.5), jumping(360, 120, 120, 0.5));
        let all = [evidence(&wrong), evidence(&wrong), evidence(&right)];
        let rates = decide_rates(&all, &[0, 0, 0], &[]);
        assert_eq!(rates[2].rate.fps(), 120.0);
        assert_eq!(rates[2].reason, RateReason::Claimed);
    }

    #[test]
    fn spoilt_frames_do_not_count() {
        let clip = jumping(60, 60, 120, 0.5);
        let spoilt = [Range32 { start: 0, end: 60 }];
        let found = RateEvidence::of(&clip, 0..60, &spoilt);
        assert_eq!(found.fall, None);
    }

    /// A figure whose ankles pass each other `rate` times a second, and which gets on by `length` leg
    /// lengths each time.
    fn stepping(rate: f32, length: f32, fps: u32) -> afoot_core::Clip {
        let mut clip = swaying(6 * fps as usize, fps);
        let leg = clip.skeleton.leg_length().unwrap();
        let joints = clip.joint_count();
        for frame in 0..clip.len() {
            let time = frame as f32 / fps as f32;
            let swing = 0.4 * (std::f32::consts::PI * rate * time).sin();
            clip.root[frame] = afoot_core::Vec3::new(0.0, 0.95, length * leg * rate * time);
            for joint in 0..joints {
                let turn = match joint {
                    11 => swing,
                    15 => -swing,
                    _ => 0.0,
                };
                clip.rotations[frame * joints + joint] = afoot_core::Quat::from_rotation_x(turn);
            }
        }
        clip
    }

    #[test]
    fn a_walk_at_twice_its_rate_is_suspected_aloud_and_never_halved() {
        for (rate, length, expected) in [
            (1.8, 0.8, RateVerdict::Plausible),
            (3.4, 0.7, RateVerdict::Suspicious),
            (2.8, 0.6, RateVerdict::Suspicious),
            (2.8, 0.9, RateVerdict::Plausible),
        ] {
            let own = evidence(&stepping(rate, length, 120));
            assert_eq!(own.verdict(), expected, "{rate} {length} {own:?}");
            let decision = &decide_rates(&[own], &[0], &[])[0];
            assert_eq!(decision.rate.fps(), 120.0);
            let suspected = expected == RateVerdict::Suspicious;
            assert_eq!(decision.warning.is_some(), suspected, "{decision:?}");
        }
        // at 30 frames a second steps are too coarse to tell
        let own = evidence(&stepping(3.4, 0.7, 30));
        assert_eq!(own.verdict(), RateVerdict::Plausible);
    }

    #[test]
    fn two_signs_together_are_certain() {
        let walk = evidence(&stepping(3.4, 0.7, 120));
        let fall = Fall {
            frames: Range32 { start: 0, end: 14 },
            acceleration: 1.5 * GRAVITY,
            residual: 0.0,
        };
        let both = RateEvidence {
            fall: Some(fall),
            ..walk
        };
        assert_eq!(both.verdict(), RateVerdict::TooHigh(2));
        let flies = RateEvidence {
            flight: true,
            ..both
        };
        assert_eq!(flies.verdict(), RateVerdict::Confirmed);
        let words = decide_rates(&[both], &[0], &[])[0].repair.clone().unwrap();
        assert!(words.contains("1.5 g and steps too hastily"), "{words}");
    }
}
