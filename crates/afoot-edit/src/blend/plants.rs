//! The feet's contacts within a blend, sorted into the four cases of Shanbhag 2006, §4.3.1.

use afoot_core::{Contacts, Range32, Side};

/// A stretch of a blend in which a foot touches the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlendPlant {
    /// Which foot.
    pub side: Side,
    /// Frames of the blend.
    pub frames: Range32,
    /// How it lies over the blend.
    pub case: PlantCase,
}

/// How a contact lies over a blend, and so whose motion the foot should follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlantCase {
    /// Over the start: the foot stays where the first clip put it.
    First,
    /// Over the end: the foot stands where the second clip will have it.
    Second,
    /// Inside, nearer to the start: as in the first clip.
    InsideFirst,
    /// Inside, nearer to the end: as in the second clip.
    InsideSecond,
    /// From before the start to past the end: the foot has to come from one place to the other.
    Across,
}

/// The plants of both feet, by side, then time.
pub(super) fn classify(contacts: &[Contacts]) -> Vec<BlendPlant> {
    let frames = contacts.len() as u32;
    let mut plants = Vec::new();
    for side in Side::BOTH {
        let touches: Vec<bool> = contacts
            .iter()
            .map(|c| c.any(Contacts::foot(side)))
            .collect();
        let runs = runs_of(&touches).into_iter();
        plants.extend(runs.map(|run| BlendPlant {
            side,
            frames: run,
            case: case_of(run, frames),
        }));
    }
    plants
}

fn case_of(run: Range32, frames: u32) -> PlantCase {
    match (run.start == 0, run.end == frames) {
        (true, true) => PlantCase::Across,
        (true, false) => PlantCase::First,
        (false, true) => PlantCase::Second,
        (false, false) if run.start + run.end <= frames => PlantCase::InsideFirst,
        (false, false) => PlantCase::InsideSecond,
    }
}

/// The maximal stretches of `true`.
fn runs_of(flags: &[bool]) -> Vec<Range32> {
    let mut runs: Vec<Range32> = Vec::new();
    for (index, _) in flags.iter().enumerate().filter(|(_, on)| **on) {
        let index = index as u32;
        match runs.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => runs.push(Range32 {
                start: index,
                end: index + 1,
            }),
        }
    }
    runs
}
