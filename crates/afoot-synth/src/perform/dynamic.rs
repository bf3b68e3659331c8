//! The best sequence of blocks, one out of each slot's active set: equations 3 and 4 of Arikan,
//! Forsyth and O'Brien 2003, on blocks.
//!
//! Exact for the active sets. A slot's blocks are looked at in the order of what it costs to get
//! there, so that the search for the best one before a block ends as soon as getting there alone
//! costs more than what was found. Cost: slots times the square of an active set at worst.

use super::costs::{Costs, Take};
use super::footage::{Feature, distance};
use super::slots::Slot;

/// A block that can be played last, with what getting to its end costs.
struct Reached {
    cost: f32,
    /// Its place in the active set.
    index: u32,
    last: u32,
    /// What would come next.
    beyond: Feature,
    leaves: bool,
}

/// One captured frame for each slot, to be played from there, so that the whole costs least. Every
/// active set has a block, and each block can be played for its slot's length.
pub(crate) fn best_sequence(
    costs: &Costs,
    slots: &[Slot],
    active: &[Vec<u32>],
) -> (Vec<Take>, f32) {
    let mut before: Vec<Vec<u32>> = Vec::with_capacity(slots.len());
    let mut reached: Vec<Reached> = Vec::new();
    for (slot, starts) in slots.iter().zip(active) {
        let mut from = vec![0; starts.len()];
        let mut next: Vec<Reached> = Vec::with_capacity(starts.len());
        for (index, &source) in starts.iter().enumerate() {
            let take = take_of(slot, source);
            let (entered, best) = enter(costs, &reached, source);
            from[index] = best;
            next.push(reach(costs, &take, entered + costs.play(&take), index));
        }
        next.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.index.cmp(&b.index)));
        before.push(from);
        reached = next;
    }
    let best = reached
        .first()
        .map_or((0, 0.0), |best| (best.index, best.cost));
    (trace_back(slots, active, &before, best.0), best.1)
}

fn take_of(slot: &Slot, source: u32) -> Take {
    Take {
        at: slot.at,
        frames: slot.frames,
        source,
    }
}

fn reach(costs: &Costs, take: &Take, cost: f32, index: usize) -> Reached {
    let last = take.last();
    let goes_on = costs.footage.left[last as usize] > 1;
    let beyond = if goes_on { last + 1 } else { last };
    Reached {
        cost,
        index: index as u32,
        last,
        beyond: costs.footage.features[beyond as usize],
        leaves: costs.can_leave(last),
    }
}

/// What it costs at least to come to a captured frame, and from which block.
fn enter(costs: &Costs, reached: &[Reached], source: u32) -> (f32, u32) {
    let Some(first) = reached.first() else {
        return (0.0, 0);
    };
    let own = &costs.footage.features[source as usize];
    let (per_metre, rough) = costs.join_weights();
    let enters = costs.can_enter(source);
    let mut best = (f32::INFINITY, first.index);
    for before in reached {
        if before.cost >= best.0 {
            break;
        }
        let follows = before.last + 1 == source && costs.footage.left[before.last as usize] > 1;
        let joined = match follows {
            true => 0.0,
            false => {
                let roughly = if enters && before.leaves { 0.0 } else { rough };
                per_metre * distance(&before.beyond, own) + roughly
            }
        };
        if before.cost + joined < best.0 {
            best = (before.cost + joined, before.index);
        }
    }
    best
}

fn trace_back(slots: &[Slot], active: &[Vec<u32>], before: &[Vec<u32>], last: u32) -> Vec<Take> {
    let mut index = last as usize;
    let mut takes = Vec::with_capacity(slots.len());
    for ((slot, starts), before) in slots.iter().zip(active).zip(before).rev() {
        takes.push(take_of(slot, starts[index]));
        index = before[index] as usize;
    }
    takes.reverse();
    takes
}
