//! For every captured frame the frames from which a join into it costs least, nearest first.
//!
//! By comparing all pairs, which for minutes of footage is a matter of seconds; kept by whoever asks
//! again. Frames that no join can enter or leave have none and are in none.

use afoot_run::{Run, Stopped};
use rayon::prelude::*;

use super::costs::Costs;
use super::footage::distance;

/// Frames of a list.
const LIST: usize = 96;
/// Frames whose lists are made between two looks at whether to go on.
const CHUNK: usize = 512;

/// A frame that can be left, and how unlike what follows it is. [m]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Neighbour {
    pub last: u32,
    pub apart: f32,
}

/// Lists of the nearest exits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Neighbours {
    lists: Vec<Neighbour>,
    /// How many of each list there are.
    pub length: usize,
}

impl Neighbours {
    pub fn find(costs: &Costs, run: &Run) -> Result<Self, Stopped> {
        let footage = costs.footage;
        let total = footage.frames();
        let exits: Vec<u32> = (0..total as u32).filter(|f| costs.can_leave(*f)).collect();
        let length = LIST.min(exits.len());
        let mut lists = vec![Neighbour::default(); total * length];
        for (index, chunk) in lists.chunks_mut((CHUNK * length).max(1)).enumerate() {
            run.check()?;
            let first = index * CHUNK;
            run.progress("neighbours", first as u64, total as u64);
            let rows = chunk.par_chunks_mut(length.max(1)).enumerate();
            rows.for_each(|(row, list)| {
                let frame = (first + row) as u32;
                if costs.can_enter(frame) {
                    fill(costs, &exits, frame, list);
                }
            });
        }
        Ok(Self { lists, length })
    }

    /// The nearest exits of a frame that can be entered.
    pub fn of(&self, frame: u32) -> &[Neighbour] {
        &self.lists[frame as usize * self.length..][..self.length]
    }
}

fn fill(costs: &Costs, exits: &[u32], frame: u32, list: &mut [Neighbour]) {
    let features = &costs.footage.features;
    let own = &features[frame as usize];
    let mut all: Vec<Neighbour> = exits
        .iter()
        .map(|&last| Neighbour {
            last,
            apart: distance(&features[last as usize + 1], own),
        })
        .collect();
    let order =
        |a: &Neighbour, b: &Neighbour| a.apart.total_cmp(&b.apart).then(a.last.cmp(&b.last));
    let most = list.len();
    if most < all.len() {
        all.select_nth_unstable_by(most - 1, order);
        all.truncate(most);
    }
    all.sort_unstable_by(order);
    list.copy_from_slice(&all);
}
