//! The open list: a heap with four children a node, sixteen bytes an entry.
//!
//! An entry is one number of 128 bits (priority, then the tie-breaker, then the node), so that two are
//! compared without branches and four children fill a cache line. Entries are never changed: a node
//! whose priority falls gets another, and who takes the old one out sees that it is stale.

/// Priorities and the nodes that have them.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenList {
    entries: Vec<u128>,
}

/// A node that is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Due {
    /// Not negative, not NaN.
    pub(super) priority: f64,
    /// Between equal priorities the least comes first; not negative.
    pub(super) tie: f32,
    pub(super) node: u32,
}

impl Due {
    fn pack(self) -> u128 {
        // Floats that are not negative are ordered as their bits are.
        u128::from(self.priority.to_bits()) << 64
            | u128::from(self.tie.to_bits()) << 32
            | u128::from(self.node)
    }

    fn unpack(entry: u128) -> Self {
        Self {
            priority: f64::from_bits((entry >> 64) as u64),
            tie: f32::from_bits((entry >> 32) as u32),
            node: entry as u32,
        }
    }
}

impl OpenList {
    pub(super) fn push(&mut self, due: Due) {
        let entry = due.pack();
        let mut at = self.entries.len();
        self.entries.push(entry);
        while at > 0 {
            let above = (at - 1) / 4;
            if self.entries[above] <= entry {
                break;
            }
            self.entries[at] = self.entries[above];
            at = above;
        }
        self.entries[at] = entry;
    }

    pub(super) fn peek(&self) -> Option<Due> {
        self.entries.first().map(|entry| Due::unpack(*entry))
    }

    pub(super) fn pop(&mut self) -> Option<Due> {
        let last = self.entries.pop()?;
        if self.entries.is_empty() {
            return Some(Due::unpack(last));
        }
        let first = std::mem::replace(&mut self.entries[0], last);
        self.sink(0);
        Some(Due::unpack(first))
    }

    /// All entries in no order, the list being empty afterwards.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Due> + '_ {
        self.entries.drain(..).map(Due::unpack)
    }

    /// All entries in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Due> + '_ {
        self.entries.iter().map(|entry| Due::unpack(*entry))
    }

    /// Puts these in, into a list that is empty: linear in their number.
    pub(super) fn fill(&mut self, due: impl Iterator<Item = Due>) {
        self.entries.extend(due.map(Due::pack));
        for at in (0..self.entries.len().div_ceil(4)).rev() {
            self.sink(at);
        }
    }

    pub(super) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    fn sink(&mut self, mut at: usize) {
        let entries = &mut self.entries[..];
        let entry = entries[at];
        loop {
            let first = 4 * at + 1;
            let least = if let Some(children) = entries.get(first..first + 4) {
                let pair = |a: usize, b: usize| if children[b] < children[a] { b } else { a };
                let (left, right) = (pair(0, 1), pair(2, 3));
                first
                    + if children[right] < children[left] {
                        right
                    } else {
                        left
                    }
            } else {
                let end = entries.len();
                match (first..end).min_by_key(|child| entries[*child]) {
                    Some(child) => child,
                    None => break,
                }
            };
            if entries[least] >= entry {
                break;
            }
            entries[at] = entries[least];
            at = least;
        }
        entries[at] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn some(count: usize, seed: u64) -> Vec<Due> {
        let mut random = Random::new(seed);
        let due = |node: usize| Due {
            priority: (random.below(20) as f64) / 4.0,
            tie: random.below(3) as f32,
            node: node as u32,
        };
        (0..count).map(due).collect()
    }

    fn check(mut list: OpenList, mut expected: Vec<Due>) {
        expected.sort_by(|a, b| {
            (a.priority, a.tie, a.node)
                .partial_cmp(&(b.priority, b.tie, b.node))
                .unwrap()
        });
        let taken: Vec<Due> = std::iter::from_fn(|| list.pop()).collect();
        assert_eq!(taken, expected);
    }

    #[test]
    fn entries_come_out_in_order_however_they_went_in() {
        for count in [0, 1, 2, 4, 5, 6, 17, 300] {
            let due = some(count, count as u64);
            let mut pushed = OpenList::default();
            due.iter().for_each(|due| pushed.push(*due));
            check(pushed, due.clone());
            let mut filled = OpenList::default();
            filled.fill(due.iter().copied());
            check(filled, due);
        }
    }
}
