//! Foot-plant states: frames are compared only with frames of the same one (Shanbhag 2006, §4.2.2).
//!
//! The thesis tells L, LB, LN, R, RB, RN and N apart, by which feet are planted and which were
//! before. That leaves out both feet planted at a clip's start or after flight; such stands, and
//! those that last, are `Both` here, so that a walk which stops can meet a jump.

use afoot_core::{Clip, Contacts, Side};

/// A stance on both feet that lasts longer is a stand, wherever it came from. [s]
///
/// Double support takes 0.1 to 0.25 s in walks and up to 0.4 s in the slowest ones.
const STAND_SECONDS: f64 = 0.5;

/// Which feet are planted, and which were before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlantState {
    /// The left foot alone.
    Left,
    /// Both, after the left alone.
    LeftBoth,
    /// None, after the left alone.
    LeftNone,
    /// The right foot alone.
    Right,
    /// Both, after the right alone.
    RightBoth,
    /// None, after the right alone.
    RightNone,
    /// None, after both or at a clip's start.
    None,
    /// Both at a clip's start, after flight, or for long.
    Both,
}

impl PlantState {
    /// All, in order.
    pub const ALL: [Self; 8] = [
        Self::Left,
        Self::LeftBoth,
        Self::LeftNone,
        Self::Right,
        Self::RightBoth,
        Self::RightNone,
        Self::None,
        Self::Both,
    ];

    /// Its short name: L, LB, LN, R, RB, RN, N, B.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "L",
            Self::LeftBoth => "LB",
            Self::LeftNone => "LN",
            Self::Right => "R",
            Self::RightBoth => "RB",
            Self::RightNone => "RN",
            Self::None => "N",
            Self::Both => "B",
        }
    }

    /// Whether no foot is planted.
    pub const fn is_flight(self) -> bool {
        matches!(self, Self::LeftNone | Self::RightNone | Self::None)
    }
}

/// The state of every frame; a clip whose contacts are unknown flies all through.
pub fn plant_states(clip: &Clip) -> Vec<PlantState> {
    let feet = |frame: usize| {
        let contacts = clip.contacts.get(frame).copied().unwrap_or(Contacts::NONE);
        Side::BOTH.map(|side| contacts.any(Contacts::foot(side)))
    };
    let planted: Vec<[bool; 2]> = (0..clip.len()).map(feet).collect();
    let longest = clip.rate.frames_in(STAND_SECONDS);
    let mut states = Vec::with_capacity(clip.len());
    for stretch in planted.chunk_by(|a, b| a == b) {
        let state = match states.last() {
            _ if stretch[0] == [true, true] && stretch.len() > longest => PlantState::Both,
            before => state_after(before.copied(), stretch[0]),
        };
        states.extend(std::iter::repeat_n(state, stretch.len()));
    }
    states
}

/// The state of feet that come after another.
fn state_after(before: Option<PlantState>, feet: [bool; 2]) -> PlantState {
    use PlantState::{Both, Left, LeftBoth, LeftNone, None, Right, RightBoth, RightNone};
    match (feet, before) {
        ([true, false], _) => Left,
        ([false, true], _) => Right,
        ([true, true], Some(Left)) => LeftBoth,
        ([true, true], Some(Right)) => RightBoth,
        ([true, true], _) => Both,
        ([false, false], Some(Left)) => LeftNone,
        ([false, false], Some(Right)) => RightNone,
        ([false, false], _) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use afoot_core::{FrameRate, Joint, Skeleton, Vec3};

    use super::*;

    /// `feet` has a letter a frame: l, r, b(oth), n(one).
    fn check(feet: &str, expected: &[&str]) {
        let joints = vec![Joint::new("hips", None, Vec3::ZERO)];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let mut clip = Clip::empty("feet", skeleton, FrameRate::new(30, 1).unwrap());
        let [left, right] = Side::BOTH.map(Contacts::foot);
        for foot in feet.chars() {
            clip.root.push(Vec3::ZERO);
            clip.contacts.push(match foot {
                'l' => left,
                'r' => right,
                'b' => left.with(right),
                _ => Contacts::NONE,
            });
        }
        let names: Vec<&str> = plant_states(&clip).iter().map(|s| s.name()).collect();
        assert_eq!(names, expected, "{feet}");
    }

    #[test]
    fn a_walk_goes_through_four_states_and_a_run_through_its_own_four() {
        check(
            "llbbrrbbl",
            &["L", "L", "LB", "LB", "R", "R", "RB", "RB", "L"],
        );
        check("lnnrnl", &["L", "LN", "LN", "R", "RN", "L"]);
    }

    #[test]
    fn stands_and_jumps_are_told_apart_from_steps() {
        check("bbnnbb", &["B", "B", "N", "N", "B", "B"]);
        check("lbn", &["L", "LB", "N"]);
        check("n", &["N"]);
        let long = format!("l{}r", "b".repeat(16));
        let mut expected = vec!["L"];
        expected.extend(["B"; 16]);
        expected.push("R");
        check(&long, &expected);
    }
}
