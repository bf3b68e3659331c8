//! Flights that are none: contacts that were missed, told by hips that do not fall.
//!
//! Contacts are lost where a foot drags along the floor or a marker wobbles. Between such gaps and real
//! flights the hips decide: runners' and jumpers' fall, walkers' are pushed up as they change feet. A jump has a flight,
//! out of which one comes down with the trunk up: who is knocked over, lies down or sits down does not.
//! In: a token per frame. Out: the same, with false flights filled. Cost: linear. Limits and their
//! reasons: `ClassifyOptions`. Weakness: keyed animation may float.

use std::ops::Range;

use afoot_core::{
    Clip, FrameRate, JointId, Locomotion, Positions, Range32, Role, Side, forward_kinematics,
};

use crate::classify::ClassifyOptions;
use crate::faults::fall::fit_fall;
use crate::faults::rate::GRAVITY;
use crate::gait::Token;
use crate::series::runs;
use crate::supports::walking_stance;

/// Takes back flights in which the hips do not fall: contacts that were missed. Where the feet change
/// across one, beside a stance too long for a run, it was a double support; where they do not, and a
/// foot stays on the floor, that foot slid. Too short ones tell nothing, and skeletons without hips.
pub(crate) fn ground_steps(clip: &Clip, tokens: &mut [Token], options: &ClassifyOptions) {
    let Some(hips) = clip.skeleton.with_role(Role::Hips) else {
        return;
    };
    let flights = runs(tokens.len(), |frame| tokens[frame] == Token::None);
    let doubtful = flights.into_iter().map(|flight| {
        let held = missed_step(tokens, &flight, clip.rate, options)
            .or_else(|| slid_support(tokens, &flight));
        (flight, held.unwrap_or(Held::Turn))
    });
    let doubtful: Vec<(Range<usize>, Held)> = doubtful.collect();
    if doubtful.is_empty() {
        return;
    }
    let positions = forward_kinematics(clip);
    let heights: Vec<f32> = positions.track(hips.index()).map(|hips| hips.y).collect();
    for (flight, held) in doubtful {
        let grounded = match held {
            Held::Step => true,
            Held::Slide(_) | Held::Turn => stays_low(clip, &positions, &flight),
        };
        // Nobody leaves the floor for less and comes back onto the same foot.
        let hop = matches!(held, Held::Slide(_))
            && flight.len() <= clip.rate.frames_in(options.uneven_seconds);
        if grounded && (hop || !falls(&heights, &flight, clip.rate, options)) {
            tokens[flight].fill(match held {
                Held::Step | Held::Turn => Token::Both,
                Held::Slide(token) => token,
            });
        }
    }
}

/// What a flight may have been instead.
#[derive(Clone, Copy)]
enum Held {
    /// A double support whose contacts were missed.
    Step,
    /// A support that slid.
    Slide(Token),
    /// Feet that both slid, between one that stood alone and the other: who turns on the spot or shifts his weight.
    Turn,
}

/// Frames of jumps out of which nobody comes down with the trunk up, or in which nothing falls, become `Other`.
/// Skeletons without hips and head keep them.
pub(crate) fn take_back_falls(
    clip: &Clip,
    tokens: &[Token],
    types: &mut [Locomotion],
    options: &ClassifyOptions,
) {
    let roles = [Role::Hips, Role::Head].map(|role| clip.skeleton.with_role(role));
    let [Some(hips), Some(head)] = roles else {
        return;
    };
    let jumps = runs(types.len(), |frame| types[frame] == Locomotion::Jump);
    if jumps.is_empty() {
        return;
    }
    let positions = forward_kinematics(clip);
    let heights: Vec<f32> = positions.track(hips.index()).map(|hips| hips.y).collect();
    let is_up = |frame: usize| {
        let trunk = positions.joint(frame.into(), head) - positions.joint(frame.into(), hips);
        trunk.y > TRUNK_UP * trunk.length()
    };
    let flies = |flight: &Range<usize>| {
        let lands = flight.end < tokens.len();
        let off = || goes_high(clip, &positions, flight);
        (falls(&heights, flight, clip.rate, options) || off()) && (!lands || is_up(flight.end))
    };
    for jump in jumps {
        let flights = runs(jump.len(), |frame| {
            tokens[jump.start + frame] == Token::None
        });
        let mut flights = flights
            .into_iter()
            .map(|flight| jump.start + flight.start..jump.start + flight.end)
            .peekable();
        if flights.peek().is_some() && !flights.any(|flight| flies(&flight)) {
            types[jump].fill(Locomotion::Other);
        }
    }
}

/// Whether hips are higher in a flight than legs are long: drawn jumps may hang in the air.
fn goes_high(clip: &Clip, positions: &Positions, flight: &Range<usize>) -> bool {
    let (Some(ground), Some(length)) = (clip.ground, clip.skeleton.leg_length()) else {
        return false;
    };
    let legs = Side::BOTH.into_iter().zip(ground.rest);
    let mut legs = legs.filter_map(|(side, rest)| Some((clip.skeleton.leg(side)?, rest)));
    legs.any(|(leg, rest)| {
        let above = |frame: usize| {
            let hip = positions.joint(frame.into(), leg.hip);
            hip.y - ground.height_at(hip.x, hip.z) - rest.ankle
        };
        flight.clone().any(|frame| above(frame) > HIGH * length)
    })
}

/// Hips this high are out of reach of the floor: on tiptoe they are up to a tenth higher. [leg lengths]
const HIGH: f32 = 1.15;

/// How upright the line from hips to head is at the least as one lands, as the cosine of its angle to the
/// vertical: who lands in a crouch leans forward by up to 60 degrees, who falls comes down flat.
const TRUNK_UP: f32 = 0.35;

/// A change of feet beside a stance too long for a run.
fn missed_step(
    tokens: &[Token],
    flight: &Range<usize>,
    rate: FrameRate,
    options: &ClassifyOptions,
) -> Option<Held> {
    let [before, after] = beside(tokens, flight);
    let known = [before, after].into_iter().flatten();
    let change = before != after && known.clone().all(Token::is_single);
    let stance = |foot: Option<Token>, frames: &mut dyn Iterator<Item = usize>| {
        frames
            .take_while(|&frame| Some(tokens[frame]) == foot)
            .count()
    };
    let longest = stance(before, &mut (0..flight.start).rev())
        .max(stance(after, &mut (flight.end..tokens.len())));
    let walks = longest >= walking_stance(rate);
    // The slower the steps, the longer what is missed between them.
    let short = flight.len() <= longest.max(rate.frames_in(options.missed_seconds));
    (change && walks && known.count() > 0 && short).then_some(Held::Step)
}

/// The support that goes on across a flight, where one does.
fn slid_support(tokens: &[Token], flight: &Range<usize>) -> Option<Held> {
    let [Some(before), Some(after)] = beside(tokens, flight) else {
        return None;
    };
    let token = match (before, after) {
        (before, after) if before == after => before,
        (Token::Both, single) | (single, Token::Both) => single,
        _ => return None,
    };
    Some(Held::Slide(token))
}

/// The tokens before and after a flight, within the clip.
fn beside(tokens: &[Token], flight: &Range<usize>) -> [Option<Token>; 2] {
    let before = flight.start.checked_sub(1).map(|frame| tokens[frame]);
    [before, tokens.get(flight.end).copied()]
}

/// Whether the hips fall in a flight, or it is too short to tell.
fn falls(
    heights: &[f32],
    flight: &Range<usize>,
    rate: FrameRate,
    options: &ClassifyOptions,
) -> bool {
    // A frame more on either side, for a parabola through flights of three frames.
    let start = flight.start.saturating_sub(1) as u32;
    let end = (flight.end + 1).min(heights.len()) as u32;
    let told = flight.len() >= 3 && end - start >= 5;
    let fall = || fit_fall(heights, Range32 { start, end }, rate).acceleration;
    !told || fall() >= options.flight_fall * GRAVITY
}

/// A heel or ball that stays nearer than this to where it rests is on the floor, and slides. [leg lengths]
const SLIDING_HEIGHT: f32 = 0.05;

/// Whether in every frame of a flight a heel or a ball is as low as it is when it stands.
fn stays_low(clip: &Clip, positions: &Positions, flight: &Range<usize>) -> bool {
    let (Some(ground), Some(length)) = (clip.ground, clip.skeleton.leg_length()) else {
        return false;
    };
    let rests: Vec<(JointId, f32)> = Side::BOTH
        .into_iter()
        .zip(ground.rest)
        .filter_map(|(side, rest)| Some((clip.skeleton.leg(side)?, rest)))
        .flat_map(|(leg, rest)| [(leg.ankle, rest.ankle), (leg.ball, rest.ball)])
        .collect();
    let above = |frame: usize, &(joint, rest): &(JointId, f32)| {
        let point = positions.joint(frame.into(), joint);
        point.y - ground.height_at(point.x, point.z) - rest
    };
    let low = |frame: usize| {
        rests
            .iter()
            .any(|own| above(frame, own) < SLIDING_HEIGHT * length)
    };
    flight.clone().all(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::classify_clip;
    use crate::fixture::tokens;
    use afoot_core::Contacts;

    /// A figure whose hips go up and down by `rise` a step, lowest as the feet change, or highest.
    fn bouncing(rise: f32, words: &str) -> Clip {
        let joints = vec![
            afoot_core::Joint::new("Hips", None, afoot_core::Vec3::ZERO),
            afoot_core::Joint::new(
                "LeftFoot",
                Some(afoot_core::JointId(0)),
                afoot_core::Vec3::ZERO,
            ),
        ];
        let skeleton = afoot_core::Skeleton::new(joints, Vec::new()).unwrap();
        let skeleton = std::sync::Arc::new(skeleton.with_recognised_roles());
        let mut clip = Clip::empty("bouncing", skeleton, FrameRate::FPS_30);
        for (frame, token) in tokens(words).into_iter().enumerate() {
            let phase = std::f32::consts::TAU * (frame as f32 - 2.0) / 19.0;
            clip.root
                .push(afoot_core::Vec3::new(0.0, 0.9 - rise * phase.cos(), 0.0));
            clip.rotations.extend([afoot_core::Quat::IDENTITY; 2]);
            clip.contacts.push(match token {
                Token::Left => Contacts::foot(Side::Left),
                Token::Right => Contacts::foot(Side::Right),
                _ => Contacts::default(),
            });
        }
        clip
    }

    /// The type that every frame is found to be of.
    fn only_type(clip: &Clip) -> Option<Locomotion> {
        let types = classify_clip(clip, &ClassifyOptions::default()).unwrap();
        let first = types.first().copied();
        first.filter(|first| types.iter().all(|found| found == first))
    }

    #[test]
    fn a_walk_whose_contacts_were_missed_is_no_run() {
        // Six frames without a plant at each change of feet, from -1 to 5 of each step of 19.
        let words = "N5 L13 N6 R13 N6 L13 N6 R13";
        let walk = bouncing(0.02, words);
        assert_eq!(only_type(&walk), Some(Locomotion::Walk));
        // Who falls in between, or is fast on the feet, does fly.
        for (rise, words) in [(-0.05, words), (0.02, "L8 N6 R8 N6 L8 N6 R8")] {
            let run = bouncing(rise, words);
            assert_eq!(only_type(&run), Some(Locomotion::Run));
        }
    }

    /// A figure on two straight legs, 0.8 m long, that stands for a second, turns for a quarter while both
    /// feet slide, and stands again; its hips and feet rise by `leap` meanwhile.
    fn turning(leap: f32) -> Clip {
        use afoot_core::{Ground, Joint, JointId, Quat, Skeleton, Vec3};
        let mut joints = vec![Joint::new("Hips", None, Vec3::ZERO)];
        for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
            let hips = JointId(0);
            let first = joints.len();
            joints.push(Joint::new(format!("{side}UpLeg"), Some(hips), Vec3::X * x));
            for (n, part) in ["Leg", "Foot", "ToeBase"].into_iter().enumerate() {
                let offset = if n < 2 {
                    Vec3::Y * -0.4
                } else {
                    Vec3::new(0.0, -0.1, 0.1)
                };
                let parent = Some(JointId::from(first + n));
                joints.push(Joint::new(format!("{side}{part}"), parent, offset));
            }
        }
        let skeleton = Skeleton::new(joints, Vec::new())
            .unwrap()
            .with_recognised_roles();
        let mut clip = Clip::empty("turning", std::sync::Arc::new(skeleton), FrameRate::FPS_30);
        clip.ground = Some(Ground::level(0.0));
        for frame in 0..68 {
            let through = ((frame as f32 - 30.0) / 8.0).clamp(0.0, 1.0);
            let up = leap * 4.0 * through * (1.0 - through);
            clip.root.push(Vec3::new(0.0, 0.9 + up, 0.0));
            clip.rotations.push(Quat::from_rotation_y(through));
            clip.rotations.extend([Quat::IDENTITY; 8]);
            let both = Contacts(Contacts::foot(Side::Left).0 | Contacts::foot(Side::Right).0);
            let stands = through == 0.0 || through == 1.0;
            clip.contacts
                .push(if stands { both } else { Contacts::default() });
        }
        clip
    }

    #[test]
    fn who_turns_on_sliding_feet_stands_and_does_not_jump() {
        assert_eq!(only_type(&turning(0.0)), Some(Locomotion::Stand));
        assert_eq!(only_type(&turning(0.08)), Some(Locomotion::Jump));
    }

    /// A figure that is off the floor for half a second, its hips rising by `rise`, and comes down with
    /// the trunk leaning by so many degrees; with nobody's weight on the feet to the end if it does not land.
    fn leaping(rise: f32, lean: f32, lands: bool) -> Clip {
        use afoot_core::{Joint, JointId, Quat, Skeleton, Vec3};
        let joints = vec![
            Joint::new("Hips", None, Vec3::ZERO),
            Joint::new("Spine", Some(JointId(0)), Vec3::Y * 0.2),
            Joint::new("Head", Some(JointId(1)), Vec3::Y * 0.4),
        ];
        let skeleton = Skeleton::new(joints, Vec::new()).unwrap();
        let skeleton = std::sync::Arc::new(skeleton.with_recognised_roles());
        let mut clip = Clip::empty("leaping", skeleton, FrameRate::FPS_30);
        let words = if lands { "B10 N15 B10" } else { "B10 N15" };
        for (frame, token) in tokens(words).into_iter().enumerate() {
            let through = ((frame as f32 - 9.0) / 16.0).clamp(0.0, 1.0);
            let up = rise * 4.0 * through * (1.0 - through);
            clip.root.push(Vec3::new(0.0, 0.9 + up, 0.0));
            clip.rotations
                .push(Quat::from_rotation_x(lean.to_radians() * through));
            clip.rotations.extend([Quat::IDENTITY; 2]);
            let both = Contacts(Contacts::foot(Side::Left).0 | Contacts::foot(Side::Right).0);
            clip.contacts.push(match token {
                Token::Both => both,
                _ => Contacts::default(),
            });
        }
        clip
    }

    #[test]
    fn who_falls_over_or_lies_down_does_not_jump() {
        for (rise, lean, lands, expected) in [
            (0.3, 0.0, true, Locomotion::Jump),
            (0.3, 50.0, true, Locomotion::Jump),
            (0.3, 0.0, false, Locomotion::Jump),
            (0.3, 85.0, true, Locomotion::Other),
            (-0.3, 85.0, true, Locomotion::Other),
            (0.0, 0.0, false, Locomotion::Other),
        ] {
            let found = only_type(&leaping(rise, lean, lands));
            assert_eq!(found, Some(expected), "{rise} m, {lean} degrees, {lands}");
        }
    }
}
