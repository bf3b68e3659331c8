//! Locomotion types from foot plants: walk, run, jump, stand, other, a frame each.
//!
//! Method: Shanbhag 2006, §3.2 and appendix C; the machine itself is in `gait`. Contacts become the
//! tokens L, R, B, N; before they reach the machine, supports and flights shorter than the timing
//! error of contacts are dropped, flights in which nothing falls are taken for contacts that were
//! missed or feet that slid, and uneven take-offs and landings evened. Departures: a long B is
//! a stand, not a double support; a stand needs raised hips (sitting is `other`), a jump a fall out of which one lands
//! with the trunk up; the thesis gives
//! all of the standing around a jump to the jump, we a limited part. In: contacts per frame. Out: a
//! type per frame. Cost: linear. Weakness: steps in place or on a ladder are a walk.

use afoot_core::{Clip, Contacts, FrameRate, Locomotion, Role, Side, forward_kinematics};
use thiserror::Error;

use crate::gait::{Token, run_machine};
use crate::grounded::{ground_steps, take_back_falls};
use crate::series::runs;
use crate::supports::{settled_supports, walking_stance};

/// Durations and heights that [`classify_clip`] goes by.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassifyOptions {
    /// A double support of at least this is a stand, at the pace of a normal walk, whose double
    /// supports last 0.1 to 0.2 s; slower steps make it longer. Half a second to come to rest and
    /// half to shift the weight for the next step leave no rest in a shorter one. [s, > 0]
    pub stand_seconds: f64,
    /// Standing before a take-off and after a landing that belongs to the jump, as preparation and
    /// recovery: people need about 1.5 s to stand still after a landing, and less to crouch for a
    /// take-off. What is left is a stand if it is long enough for one, else it belongs too. [s, >= 0]
    pub jump_margin_seconds: f64,
    /// Double supports and flights of at most this may be errors of contact times, which are good
    /// to a frame at 30 fps at either end. [s, >= 0]
    pub timing_error: f64,
    /// Feet that leave or land at most this much apart do it together: nobody reacts faster, so
    /// they were meant to. [s, >= 0]
    pub uneven_seconds: f64,
    /// Longest time without a foot planted, between one foot and the other or at an end of the clip,
    /// that may be a missed contact. [s, >= 0]
    pub missed_seconds: f64,
    /// What hips fall with in a flight, at the least: runners' do with 0.5 to 1 g, walkers' are
    /// pushed up as they change feet. [g]
    pub flight_fall: f32,
    /// Lowest hips of a standing figure, over the ankles, in leg lengths: with knees bent at a
    /// right angle. On a chair they are half a leg up. [0 to 1]
    pub upright: f32,
}

impl Default for ClassifyOptions {
    fn default() -> Self {
        Self {
            stand_seconds: 1.0,
            jump_margin_seconds: 1.5,
            timing_error: 0.067,
            uneven_seconds: 0.1,
            missed_seconds: 0.4,
            flight_fall: 0.15,
            upright: 0.7,
        }
    }
}

/// Why a clip has no types.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum ClassifyError {
    #[error("clip {clip:?} has {frames} frames but contacts for {contacts}; detect contacts first")]
    NoContacts {
        clip: String,
        frames: usize,
        contacts: usize,
    },
}

/// The type of each frame of a clip whose contacts are known.
pub fn classify_clip(
    clip: &Clip,
    options: &ClassifyOptions,
) -> Result<Vec<Locomotion>, ClassifyError> {
    if clip.contacts.len() != clip.len() {
        return Err(ClassifyError::NoContacts {
            clip: clip.name.clone(),
            frames: clip.len(),
            contacts: clip.contacts.len(),
        });
    }
    let mut tokens = tokens_of(&clip.contacts);
    ground_steps(clip, &mut tokens, options);
    let mut types = classify_tokens(&tokens, clip.rate, options);
    take_back_falls(clip, &tokens, &mut types, options);
    unstand_low_hips(clip, &mut types, options);
    Ok(types)
}

/// The token of each frame.
pub fn tokens_of(contacts: &[Contacts]) -> Vec<Token> {
    let token = |bits: &Contacts| match Side::BOTH.map(|side| bits.any(Contacts::foot(side))) {
        [true, true] => Token::Both,
        [true, false] => Token::Left,
        [false, true] => Token::Right,
        [false, false] => Token::None,
    };
    contacts.iter().map(token).collect()
}

/// The type of each frame, from tokens alone.
pub fn classify_tokens(
    tokens: &[Token],
    rate: FrameRate,
    options: &ClassifyOptions,
) -> Vec<Locomotion> {
    let supports = settled_supports(tokens, rate, options);
    let types = run_machine(&supports, walking_stance(rate));
    assert_eq!(types.len(), tokens.len(), "every frame has a type");
    types
}

/// Stands with hips below `upright` leg lengths over the higher ankle become `Other`: sitting,
/// kneeling, lying. Skeletons without the roles keep their stands.
fn unstand_low_hips(clip: &Clip, types: &mut [Locomotion], options: &ClassifyOptions) {
    let role = |role| clip.skeleton.with_role(role);
    let ankles = Side::BOTH.map(|side| role(Role::Foot(side)));
    let (Some(leg), Some(hip), [Some(left), Some(right)]) = (
        clip.skeleton.leg_length(),
        role(Role::UpLeg(Side::Left)),
        ankles,
    ) else {
        return;
    };
    let positions = forward_kinematics(clip);
    let low = |frame: usize| {
        let height = |joint| positions.joint(frame.into(), joint).y;
        height(hip) - height(left).max(height(right)) < options.upright * leg
    };
    for run in runs(types.len(), |f| types[f] == Locomotion::Stand && low(f)) {
        types[run].fill(Locomotion::Other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::tokens;

    fn check(words: &str, expected: &[(Locomotion, u32)]) {
        let types = classify_tokens(
            &tokens(words),
            FrameRate::FPS_30,
            &ClassifyOptions::default(),
        );
        let stretches = types.chunk_by(|a, b| a == b);
        let found: Vec<(Locomotion, u32)> = stretches
            .map(|stretch| (stretch[0], stretch.len() as u32))
            .collect();
        assert_eq!(found, expected, "{words}");
    }

    use Locomotion::{Jump, Other, Run, Stand, Walk};

    #[test]
    fn standing_is_told_from_double_support_by_its_length() {
        check("L12 B29 R12", &[(Walk, 53)]);
        check("L20 B45 R20 B45 L20", &[(Walk, 150)]);
        check(
            "L20 B45 L20 B51 R20",
            &[
                (Other, 20),
                (Stand, 45),
                (Other, 20),
                (Stand, 51),
                (Other, 20),
            ],
        );
        check(
            "L12 B5 R12 B30 L12 B5 R12",
            &[(Walk, 29), (Stand, 30), (Walk, 29)],
        );
    }

    #[test]
    fn a_jump_takes_the_standing_around_it_up_to_a_limit() {
        check("B59 N12 B37", &[(Jump, 108)]);
        check(
            "B100 N12 B100",
            &[(Stand, 55), (Jump, 45 + 12 + 45), (Stand, 55)],
        );
        check("B40 N12 B90 N12 B40", &[(Jump, 194)]);
    }

    #[test]
    fn uneven_landings_and_single_frames_do_not_count() {
        check("B45 N18 R1 B39", &[(Jump, 103)]);
        check("B45 L3 N18 B39", &[(Jump, 105)]);
        check("L13 N1 R13 B3 L13", &[(Walk, 43)]);
        check("L7 N5 R7 B1 L7 N5 R7", &[(Run, 39)]);
        check("B1 L7 N5 R7 N4 L7 N1", &[(Run, 32)]);
        check("N3 B3 L13 B3 R13", &[(Walk, 35)]);
    }

    #[test]
    fn the_limits_are_times_not_frames() {
        let slow = tokens("L12 B5 R12 B30 L12 B5 R12");
        let fast: Vec<Token> = slow.iter().flat_map(|token| [*token; 4]).collect();
        let options = ClassifyOptions::default();
        let at_30 = classify_tokens(&slow, FrameRate::FPS_30, &options);
        let at_120 = classify_tokens(&fast, FrameRate::new(120, 1).unwrap(), &options);
        assert!(
            at_120
                .chunks(4)
                .zip(&at_30)
                .all(|(four, one)| four == [*one; 4])
        );
    }
}
