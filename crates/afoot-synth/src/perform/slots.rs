//! The result cut into slots, each to be filled with one block.
//!
//! Between what is fixed, slots of a block's length; a rest too short for a block belongs to the slot
//! before it. A shorter level halves each slot.

use super::timeline::{Fixed, Timeline};

/// A stretch of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub at: u32,
    pub frames: u32,
    /// The captured frame that must be played first, if it is fixed.
    pub source: Option<u32>,
}

/// Slots of so many frames; rests below `shortest` are joined to what is before.
pub(crate) fn divide(timeline: &Timeline, block: u32, shortest: u32) -> Vec<Slot> {
    let mut slots = Vec::new();
    let mut at = 0;
    let end = Fixed {
        at: timeline.frames,
        frames: 0,
        source: 0,
        asked: afoot_core::Range32 { start: 0, end: 0 },
    };
    for fixed in timeline.fixed.iter().chain([&end]) {
        divide_gap(at..fixed.at, block, shortest, &mut slots);
        if fixed.frames > 0 {
            slots.push(Slot {
                at: fixed.at,
                frames: fixed.frames,
                source: Some(fixed.source),
            });
        }
        at = fixed.at + fixed.frames;
    }
    debug_assert_eq!(
        slots.iter().map(|slot| slot.frames).sum::<u32>(),
        timeline.frames
    );
    slots
}

fn divide_gap(gap: std::ops::Range<u32>, block: u32, shortest: u32, slots: &mut Vec<Slot>) {
    let first = slots.len();
    let mut at = gap.start;
    while at < gap.end {
        let frames = block.min(gap.end - at);
        match slots[first..].last_mut() {
            Some(before) if frames < shortest => before.frames += frames,
            _ => slots.push(Slot {
                at,
                frames,
                source: None,
            }),
        }
        at += frames;
    }
}

/// Each slot in two, where both halves are long enough; with the slot that each comes from.
pub(crate) fn halve(slots: &[Slot], shortest: u32) -> Vec<(Slot, usize)> {
    let mut halves = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        let half = slot.frames / 2;
        if slot.source.is_some() || half < shortest {
            halves.push((*slot, index));
            continue;
        }
        let first = Slot {
            frames: half,
            ..*slot
        };
        let second = Slot {
            at: slot.at + half,
            frames: slot.frames - half,
            source: None,
        };
        halves.extend([(first, index), (second, index)]);
    }
    halves
}
