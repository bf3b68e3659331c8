//! What an anytime search needs to know of the graph it searches.

/// A graph that is listed as it is searched.
///
/// States may be finer than cells: of all states that fall into one cell only the cheapest is
/// followed, as it is, so that walks fit together exactly however coarse the cells are. What is proven
/// is proven of that graph. Where every state has its own cell, that is all of it.
pub trait Space {
    /// All that the rest of a walk depends on.
    type State: Copy;

    /// The dense index of a state's cell: counted from 0, given out as states are met.
    fn cell(&mut self, state: &Self::State) -> u32;

    /// Calls `out` once per step with its number, its cost c > 0 and the state behind it, always in the
    /// same order.
    fn successors(&self, state: &Self::State, out: impl FnMut(u32, f64, Self::State));

    /// Never more than what a goal still costs from here, 0 at goals; infinite where none can be
    /// reached. Consistent: h(s) ≤ c(s, s') + h(s').
    fn heuristic(&self, state: &Self::State) -> f64;

    /// Whether a walk may end here.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Whether the heuristic keeps the two promises above. Of one that does not, walks are found and
    /// nothing is proven; of one that says it does, debug builds check every edge that is expanded.
    fn is_proof(&self) -> bool {
        true
    }
}

/// Numbers keys from 0 on, in the order in which they are met: open addressing, a table of 12 bytes an
/// entry at most two thirds full.
#[derive(Clone, Debug)]
pub struct CellTable {
    keys: Vec<u64>,
    cells: Vec<u32>,
    count: u32,
}

/// No cell.
const VACANT: u32 = u32::MAX;

impl Default for CellTable {
    fn default() -> Self {
        Self {
            keys: vec![0; 1024],
            cells: vec![VACANT; 1024],
            count: 0,
        }
    }
}

impl CellTable {
    /// The number of a key, which gets the next one if it is new.
    pub fn number(&mut self, key: u64) -> u32 {
        if 3 * (self.count as usize + 1) > 2 * self.cells.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.cells[slot] == VACANT {
            (self.keys[slot], self.cells[slot]) = (key, self.count);
            self.count += 1;
        }
        self.cells[slot]
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Where a key is or belongs.
    fn slot(&self, key: u64) -> usize {
        let mask = self.cells.len() - 1;
        let mut slot = scattered(key) as usize & mask;
        while self.cells[slot] != VACANT && self.keys[slot] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = 2 * self.cells.len();
        let keys = std::mem::replace(&mut self.keys, vec![0; size]);
        let cells = std::mem::replace(&mut self.cells, vec![VACANT; size]);
        for (key, cell) in keys.into_iter().zip(cells) {
            if cell != VACANT {
                let slot = self.slot(key);
                (self.keys[slot], self.cells[slot]) = (key, cell);
            }
        }
    }
}

/// The finaliser of SplitMix64: every bit of the key reaches every bit of the result.
fn scattered(key: u64) -> u64 {
    let mixed = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashMap;

    #[test]
    fn keys_are_numbered_in_the_order_in_which_they_come() {
        let (mut table, mut slow) = (CellTable::default(), HashMap::new());
        let mut random = Random::new(4);
        for _ in 0..20_000 {
            let key = random.next_u64() >> (64 - 14) << 40;
            let next = slow.len() as u32;
            assert_eq!(table.number(key), *slow.entry(key).or_insert(next));
        }
        assert_eq!(table.len(), slow.len());
    }
}
