//! Foot plants of a clip as stretches of frames, from its contacts.
//!
//! A plant is a run of frames in which heel or ball of a foot touches; gaps and touches shorter than
//! contacts can tell are passed over. What touches at a clip's first or last frame is cut off there.

use std::ops::Range;

use afoot_core::{Clip, Contacts, Side, runs_across};

/// A foot on the ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plant {
    /// Whose.
    pub side: Side,
    /// From the strike to one past the last frame before it lifts.
    pub frames: Range<usize>,
}

/// Gaps in a plant, and touches outside of one, up to this long are errors of the contacts. [s]
const FLICKER: f64 = 0.07;

/// The plants of both feet in the order of their strikes; none where contacts are not known.
pub fn plants_of(clip: &Clip) -> Vec<Plant> {
    if clip.contacts.len() != clip.len() {
        return Vec::new();
    }
    let flicker = clip.rate.frames_in(FLICKER);
    let mut plants: Vec<Plant> = Side::BOTH
        .into_iter()
        .flat_map(|side| plants_of_foot(&clip.contacts, side, flicker))
        .collect();
    plants.sort_by_key(|plant| (plant.frames.start, plant.frames.end, plant.side.index()));
    plants
}

fn plants_of_foot(contacts: &[Contacts], side: Side, flicker: usize) -> Vec<Plant> {
    let down = |frame: usize| contacts[frame].any(Contacts::foot(side));
    let mut runs = runs_across(contacts.len(), flicker, down);
    let cut_off = |run: &Range<usize>| run.start == 0 || run.end == contacts.len();
    runs.retain(|run| run.len() > flicker || cut_off(run));
    let plant = |frames| Plant { side, frames };
    runs.into_iter().map(plant).collect()
}

impl Plant {
    /// The frame in its middle.
    pub fn middle(&self) -> usize {
        self.frames.start.midpoint(self.frames.end - 1)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use afoot_core::{FrameRate, Joint, Skeleton, Vec3};

    use super::*;

    /// A clip of one joint whose feet touch as `feet` says, a letter a frame: l, r, b(oth), n(one).
    pub(crate) fn clip_of(feet: &str) -> Clip {
        let joints = vec![Joint::new("hips", None, Vec3::ZERO)];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let mut clip = Clip::empty("feet", skeleton, FrameRate::FPS_30);
        let [left, right] = Side::BOTH.map(Contacts::foot);
        for foot in feet.chars() {
            clip.root.push(Vec3::ZERO);
            clip.rotations.push(afoot_core::Quat::IDENTITY);
            clip.contacts.push(match foot {
                'l' => left,
                'r' => right,
                'b' => left.with(right),
                _ => Contacts::NONE,
            });
        }
        clip
    }

    fn check(feet: &str, expected: &[(Side, Range<usize>)]) {
        let found: Vec<(Side, Range<usize>)> = plants_of(&clip_of(feet))
            .into_iter()
            .map(|plant| (plant.side, plant.frames))
            .collect();
        assert_eq!(found, expected, "{feet}");
    }

    #[test]
    fn plants_come_in_the_order_of_their_strikes() {
        check(
            "lllllbbrrrrrbblllll",
            &[
                (Side::Left, 0..7),
                (Side::Right, 5..14),
                (Side::Left, 12..19),
            ],
        );
        check("nnnnn", &[]);
    }

    #[test]
    fn flicker_is_passed_over() {
        check("nnlllnlllnnnnrnnnn", &[(Side::Left, 2..9)]);
        check("rnnnnlllll", &[(Side::Right, 0..1), (Side::Left, 5..10)]);
    }
}
