//! Joins moved to where they show least (Arikan, Forsyth and O'Brien 2003, §4).
//!
//! The paper moves the exit and the entry of each join by gradient descent, which may change the
//! motion's length. Here a take is where it starts in the result and how captured time is shifted against
//! the result's, so that every move keeps the length: a join moves in time, or a take between its two
//! joins. Moves are tried within a block's reach and made where the whole costs less, paint included,
//! until none does. Exits never precede entries: no take gets shorter than the shortest block. What is
//! fixed stays. Beyond the paper a take may be replaced by any other of the footage that fits better
//! between its neighbours ([`replace`]), which finds what random draws rarely do.
//! Cost: joins times reach, a few rounds; replacing, takes times the frames of the footage.

use super::costs::{Costs, Take, merged};

/// Rounds at most; most performances settle in three or four.
const ROUNDS: usize = 12;

/// A performance whose joins lie better; as long, and what is fixed still where it was.
pub(crate) fn refine(costs: &Costs, takes: Vec<Take>) -> Vec<Take> {
    until_settled(takes, |takes| {
        for index in 0..takes.len() {
            slide_take(costs, takes, index);
        }
        for index in 1..takes.len() {
            move_join(costs, takes, index);
        }
        *takes = merged(std::mem::take(takes), costs.footage);
    })
}

/// A performance in which no single take of the footage would do better in a take's stead.
pub(crate) fn replace(costs: &Costs, takes: Vec<Take>) -> Vec<Take> {
    until_settled(takes, |takes| {
        for index in 0..takes.len() {
            replace_take(costs, takes, index);
        }
        *takes = refine(costs, merged(std::mem::take(takes), costs.footage));
    })
}

/// Goes over the takes until that changes nothing.
fn until_settled(mut takes: Vec<Take>, pass: impl Fn(&mut Vec<Take>)) -> Vec<Take> {
    for _ in 0..ROUNDS {
        let before = takes.clone();
        pass(&mut takes);
        if takes == before {
            break;
        }
    }
    takes
}

fn replace_take(costs: &Costs, takes: &mut [Take], index: usize) {
    if is_fixed(costs, &takes[index]) {
        return;
    }
    let own = takes[index];
    let before = index.checked_sub(1).map(|before| takes[before].last());
    let after = takes.get(index + 1).map(|next| next.source);
    let cost_of = |take: &Take, most: f32| {
        let into = before.map_or(0.0, |last| costs.join(last, take.source));
        // Most are far off already.
        if into >= most {
            return f32::INFINITY;
        }
        let on = after.map_or(0.0, |next| costs.join(take.last(), next));
        if into + on >= most {
            return f32::INFINITY;
        }
        into + on + costs.play(take)
    };
    let mut best = (cost_of(&own, f32::INFINITY), own);
    for (source, left) in (0..).zip(&costs.footage.left) {
        if *left < own.frames {
            continue;
        }
        let other = Take { source, ..own };
        let cost = cost_of(&other, best.0);
        if cost < best.0 - 1e-5 {
            best = (cost, other);
        }
    }
    takes[index] = best.1;
}

fn reach(costs: &Costs) -> i64 {
    i64::from(costs.footage.levels[costs.footage.levels.len() - 1].block) * 2
}

fn shortest(costs: &Costs) -> u32 {
    costs.footage.levels[costs.footage.levels.len() - 1].block
}

/// Whether a take holds something fixed.
fn is_fixed(costs: &Costs, take: &Take) -> bool {
    let mut fixed = costs.timeline.fixed.iter();
    fixed.any(|fixed| fixed.at < take.end() && take.at < fixed.at + fixed.frames)
}

/// Plays a take earlier or later in its clip.
fn slide_take(costs: &Costs, takes: &mut [Take], index: usize) {
    if is_fixed(costs, &takes[index]) {
        return;
    }
    let own = takes[index];
    let around = |take: &Take| {
        let into = index
            .checked_sub(1)
            .map_or(0.0, |b| costs.join(takes[b].last(), take.source));
        let on = takes
            .get(index + 1)
            .map_or(0.0, |next| costs.join(take.last(), next.source));
        into + on + costs.play(take)
    };
    let mut best = (around(&own), own);
    for shift in -reach(costs)..=reach(costs) {
        let Some(source) = own.source.checked_add_signed(shift as i32) else {
            continue;
        };
        let moved = Take { source, ..own };
        if !in_one_clip(costs, &own, &moved) {
            continue;
        }
        let cost = around(&moved);
        if cost < best.0 - 1e-5 {
            best = (cost, moved);
        }
    }
    takes[index] = best.1;
}

/// Whether a moved take can be played, and lies in the clip that it was taken from.
fn in_one_clip(costs: &Costs, own: &Take, moved: &Take) -> bool {
    let left = &costs.footage.left;
    let Some(&from) = left.get(moved.source as usize) else {
        return false;
    };
    let (first, second) = (own.source.min(moved.source), own.source.max(moved.source));
    from >= moved.frames && left[first as usize] > second - first
}

/// Goes over from one take to the next earlier or later.
fn move_join(costs: &Costs, takes: &mut [Take], index: usize) {
    let (before, after) = (takes[index - 1], takes[index]);
    let held = |frame: u32| {
        let mut fixed = costs.timeline.fixed.iter();
        fixed.any(|fixed| fixed.at <= frame && frame < fixed.at + fixed.frames)
    };
    let around = |pair: &(Take, Take)| {
        costs.play(&pair.0) + costs.play(&pair.1) + costs.join(pair.0.last(), pair.1.source)
    };
    let least = shortest(costs);
    let mut best = (around(&(before, after)), (before, after));
    for shift in -reach(costs)..=reach(costs) {
        let frames = i64::from(before.frames) + shift;
        let rest = i64::from(after.frames) - shift;
        let source = i64::from(after.source) + shift;
        if frames < i64::from(least.min(before.frames)) || rest < i64::from(least.min(after.frames))
        {
            continue;
        }
        let moved_frames = match shift < 0 {
            true => before.end().saturating_add_signed(shift as i32)..before.end(),
            false => before.end()..before.end() + shift as u32,
        };
        if source < 0 || moved_frames.clone().any(held) {
            continue;
        }
        let pair = (
            Take {
                frames: frames as u32,
                ..before
            },
            Take {
                at: after.at.saturating_add_signed(shift as i32),
                frames: rest as u32,
                source: source as u32,
            },
        );
        let left = &costs.footage.left;
        let plays = left[before.source as usize] >= pair.0.frames
            && left[pair.1.source as usize] >= pair.1.frames;
        if !plays {
            continue;
        }
        let cost = around(&pair);
        if cost < best.0 - 1e-5 {
            best = (cost, pair);
        }
    }
    (takes[index - 1], takes[index]) = best.1;
}
