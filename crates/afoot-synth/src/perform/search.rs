//! The search at several scales (Arikan, Forsyth and O'Brien 2003, §3.3): long blocks drawn at random
//! from every cluster give the structure, shorter ones that are like what was found refine it.
//!
//! An iteration is a restart with other draws. Beside one block of each cluster a slot's active set
//! holds what follows in its clip what was drawn for the slot before, blocks that miss least of what is
//! painted there, and every other time what the best performance so far plays. So labels that are rare
//! are found in any footage, and what is captured in one piece can be played in one piece. Iterations of
//! a batch run side by side and know only what was best before it: the result depends on the seed and
//! the number of iterations alone. Cost an iteration: linear in the length; the footage counts where a
//! promising find is worked on (`refine::replace`), linearly.

use afoot_search::Random;

use super::bridges::bridge;
use super::costs::{Costs, Take, merged};
use super::dynamic::best_sequence;
use super::places::{Pools, Routed};
use super::refine::{refine, replace};
use super::slots::{Slot, divide, halve};

/// Blocks that are drawn for a slot among those that miss least.
const FITTING: usize = 60;
/// Active blocks of a refined slot at most.
const LIKE: usize = 120;
/// What costs up to so many times the best is worked on further.
const PROMISING: f32 = 2.5;
/// Blocks of the footage that are looked at for those that miss least: so many for each that is drawn.
const LOOKED_AT: usize = 8;

/// Where the search starts, and what it knows.
pub(crate) struct Search<'a> {
    pub costs: Costs<'a>,
    /// The level of the footage with which an iteration begins.
    pub top: usize,
    /// Blocks that miss least for each kind of slot, at the top.
    fitting: Vec<Vec<u32>>,
    slots: Vec<Slot>,
    seed: u64,
}

/// What an iteration found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// In order, without gaps; takes that follow each other in a clip are one.
    pub takes: Vec<Take>,
    /// With what places cost.
    pub cost: f32,
    /// What every level found, for the pools.
    pub levels: Vec<Routed>,
}

impl<'a> Search<'a> {
    pub fn new(costs: Costs<'a>, top: usize, seed: u64) -> Self {
        let levels = &costs.footage.levels;
        let top = top.min(levels.len() - 1);
        let shortest = levels[levels.len() - 1].block;
        let slots = divide(costs.timeline, levels[top].block, shortest);
        let fitting = fitting_blocks(&costs, top, &slots);
        Self {
            costs,
            top,
            fitting,
            slots,
            seed,
        }
    }

    /// One restart.
    pub fn iterate(&self, iteration: u64, best: Option<&Found>, pools: &Pools) -> Found {
        let mut random = Random::new(self.seed ^ iteration.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let keep = best.filter(|_| iteration % 2 == 1);
        let active = self.draw(&mut random, keep);
        let (mut takes, mut cost) = best_sequence(&self.costs, &self.slots, &active);
        let mut slots = self.slots.clone();
        let mut levels = Vec::new();
        let shortest = self.shortest();
        for level in self.top.. {
            let routed = pools.improve(level, Routed::new(&self.costs, takes, cost), &self.costs);
            takes = routed.takes.clone();
            levels.push(routed);
            if level + 1 >= self.costs.footage.levels.len() {
                break;
            }
            let halves = halve(&slots, shortest);
            let active = self.like(level + 1, &halves, &takes, &mut random);
            slots = halves.into_iter().map(|(slot, _)| slot).collect();
            (takes, cost) = best_sequence(&self.costs, &slots, &active);
        }
        let mut takes = refine(&self.costs, merged(takes, self.costs.footage));
        let bridged = bridge(&self.costs, takes.clone());
        if bridged != takes {
            takes = refine(&self.costs, bridged);
        }
        let promising = |cost: f32| best.is_none_or(|best| cost < PROMISING * best.cost);
        if self.costs.timeline.places.is_empty() && promising(self.costs.whole(&takes)) {
            takes = replace(&self.costs, takes);
        }
        let cost = self.costs.whole(&takes) + pools.place_cost(&self.costs, &takes);
        Found {
            takes,
            cost,
            levels,
        }
    }

    fn shortest(&self) -> u32 {
        let levels = &self.costs.footage.levels;
        levels[levels.len() - 1].block
    }

    /// The active sets of the top.
    fn draw(&self, random: &mut Random, keep: Option<&Found>) -> Vec<Vec<u32>> {
        let level = &self.costs.footage.levels[self.top];
        let left = &self.costs.footage.left;
        let mut active: Vec<Vec<u32>> = Vec::with_capacity(self.slots.len());
        for (index, slot) in self.slots.iter().enumerate() {
            if let Some(source) = slot.source {
                active.push(vec![source]);
                continue;
            }
            let mut starts = Vec::new();
            if let Some(before) = active.last() {
                // What follows in its clip.
                let length = self.slots[index - 1].frames;
                starts.extend(before.iter().filter_map(|start| {
                    (left[*start as usize] > length).then_some(start + length)
                }));
                thin(&mut starts, 2 * FITTING, random);
            }
            for cluster in 0..level.clusters() {
                let members = level.members(cluster);
                starts.push(members[random.below(members.len())]);
            }
            let fitting = &self.fitting[index];
            for _ in 0..FITTING.min(fitting.len()) {
                starts.push(fitting[random.below(fitting.len())]);
            }
            if let Some(keep) = keep {
                starts.extend(played_at(&keep.takes, slot.at));
            }
            active.push(self.playable(starts, slot));
        }
        active
    }

    /// The active sets of a shorter level: what is like what was played.
    fn like(
        &self,
        level: usize,
        halves: &[(Slot, usize)],
        takes: &[Take],
        random: &mut Random,
    ) -> Vec<Vec<u32>> {
        let level = &self.costs.footage.levels[level];
        let left = &self.costs.footage.left;
        let mut before: Option<(u32, u32)> = None;
        let mut active = Vec::with_capacity(halves.len());
        for (slot, _) in halves {
            if let Some(source) = slot.source {
                active.push(vec![source]);
                before = Some((source, slot.frames));
                continue;
            }
            let own = played_at(takes, slot.at).unwrap_or(0);
            let mut starts = level.like(own).to_vec();
            thin(&mut starts, LIKE, random);
            starts.push(own);
            // What was played goes on, in case it is better to stay.
            if let Some((start, frames)) = before
                && left[start as usize] > frames
            {
                starts.push(start + frames);
            }
            before = Some((own, slot.frames));
            active.push(self.playable(starts, slot));
        }
        active
    }

    /// Those that can be played for a slot's length, each once; any that can where none is.
    fn playable(&self, mut starts: Vec<u32>, slot: &Slot) -> Vec<u32> {
        let left = &self.costs.footage.left;
        let lasts = |start: &u32| left[*start as usize] >= slot.frames;
        starts.retain(lasts);
        starts.sort_unstable();
        starts.dedup();
        if starts.is_empty() {
            let all = 0..left.len() as u32;
            starts.extend(
                all.clone()
                    .find(lasts)
                    .or_else(|| all.max_by_key(|start| left[*start as usize])),
            );
        }
        starts
    }
}

/// The captured frame that is played at a frame of the result.
fn played_at(takes: &[Take], at: u32) -> Option<u32> {
    let index = takes.partition_point(|take| take.at <= at);
    let take = &takes[index.checked_sub(1)?];
    Some(take.source + (at - take.at))
}

/// Leaves so many, chosen at random, in order.
fn thin(starts: &mut Vec<u32>, most: usize, random: &mut Random) {
    let total = starts.len();
    if total <= most {
        return;
    }
    let (mut seen, mut kept) = (0, 0);
    starts.retain(|_| {
        let keep = random.below(total - seen) < most - kept;
        seen += 1;
        kept += usize::from(keep);
        keep
    });
}

/// Kinds of wishes in a slot, each with its length.
type Wishes = Vec<(u32, usize)>;

/// For every slot the blocks of the top level that miss least of what is painted there; none where
/// nothing is. Slots that ask for the same share the work.
fn fitting_blocks(costs: &Costs, top: usize, slots: &[Slot]) -> Vec<Vec<u32>> {
    let blocks = costs.footage.levels[top].blocks();
    let mut known: Vec<(Wishes, Vec<u32>)> = Vec::new();
    let mut fitting = Vec::with_capacity(slots.len());
    for slot in slots {
        let wishes = costs.timeline.wishes_of(slot.at, slot.frames);
        if slot.source.is_some() || costs.timeline.is_free(&wishes) {
            fitting.push(Vec::new());
            continue;
        }
        if let Some((_, blocks)) = known.iter().find(|(other, _)| *other == wishes) {
            fitting.push(blocks.clone());
            continue;
        }
        let left = &costs.footage.left;
        let mut missed: Vec<(i32, u32)> = blocks
            .iter()
            .filter(|start| left[**start as usize] >= slot.frames)
            .map(|start| {
                (
                    costs.timeline.misses_of(slot.at, *start, slot.frames),
                    *start,
                )
            })
            .collect();
        let most = (FITTING * LOOKED_AT).min(missed.len());
        let least = missed.iter().map(|(misses, _)| *misses).min().unwrap_or(0);
        let ties = missed.iter().filter(|(misses, _)| *misses == least).count();
        missed.sort_unstable();
        missed.truncate(most.max(ties));
        let blocks: Vec<u32> = missed.into_iter().map(|(_, start)| start).collect();
        known.push((wishes, blocks.clone()));
        fitting.push(blocks);
    }
    fitting
}
