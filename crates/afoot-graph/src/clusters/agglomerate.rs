//! Agglomeration: the two nearest clusters are merged, again and again, until one is left.
//!
//! Shanbhag 2006, §4.2.3, with clusters represented by the mean of all their frames (the text
//! there averages the two that are merged, which [`Centre::OfPair`] offers). The thesis sorts all
//! pairs, O(n² log n) in memory; this is the generic algorithm of Müllner 2011: every cluster
//! keeps its nearest among the later ones, or, once that is gone, a bound below it, which is made
//! good when it is the least of all. Nearest-neighbour chains would be quicker, but not exact for
//! centroids, whose distances can fall. Linear memory, O(n²) distances in practice. Clusters are
//! called by their first member; of equally near pairs the first is merged.

use std::ops::Range;

use afoot_core::LANES;
use afoot_run::Stopped;
use rayon::prelude::*;

use super::rows::Rows;

/// What stands for a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Centre {
    /// The mean of all its members.
    #[default]
    OfMembers,
    /// The mean of the two clusters it was merged from, however large each.
    OfPair,
}

/// Two clusters become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merge {
    /// First member of the first cluster, and of what they become.
    pub a: u32,
    /// First member of the second; larger than `a`.
    pub b: u32,
    /// The distance of their centres, in the rows' unit. Can be less than an earlier one.
    pub height: f32,
}

/// All merges of `rows`, in order: one fewer than rows.
pub fn agglomerate(rows: &Rows, centre: Centre) -> Vec<Merge> {
    agglomerate_while(rows, centre, |_| Ok(())).expect("nothing stops it")
}

/// The same as long as `goes_on` says so; it is told how many rows were looked at or merged since it was
/// last asked, each of which is both once.
pub fn agglomerate_while(
    rows: &Rows,
    centre: Centre,
    goes_on: impl Fn(usize) -> Result<(), Stopped>,
) -> Result<Vec<Merge>, Stopped> {
    let mut state = Agglomeration::new(rows.clone(), centre);
    for start in (0..rows.len()).step_by(BETWEEN_LOOKS) {
        let slots = start..(start + BETWEEN_LOOKS).min(rows.len());
        goes_on(slots.len())?;
        state.find_first(slots);
    }
    state.count_anew();
    let mut merges = Vec::with_capacity(rows.len().saturating_sub(1));
    for merge in 1..rows.len() {
        if merge % BETWEEN_LOOKS == 0 {
            goes_on(BETWEEN_LOOKS)?;
        }
        merges.push(state.merge_nearest());
    }
    Ok(merges)
}

/// Rows after which whoever waits is told.
const BETWEEN_LOOKS: usize = 512;

/// The later cluster that is nearest.
#[derive(Clone, Copy)]
struct Nearest {
    squared: f32,
    /// Which, or [`UNSURE`] if `squared` is only a bound below it.
    slot: u32,
}

const UNSURE: u32 = u32::MAX;
const FAR: Nearest = Nearest {
    squared: f32::INFINITY,
    slot: UNSURE,
};

struct Agglomeration {
    centre: Centre,
    /// The centres, in the order of first members; merged ones are infinitely far.
    rows: Rows,
    /// First member and number of members of each slot.
    first: Vec<u32>,
    members: Vec<u32>,
    nearest: Vec<Nearest>,
    least: LeastOf,
    live: usize,
    /// Scratch space.
    near: Vec<(usize, f32)>,
}

impl Agglomeration {
    fn new(rows: Rows, centre: Centre) -> Self {
        let len = rows.len();
        Self {
            centre,
            first: (0..len as u32).collect(),
            members: vec![1; len],
            nearest: vec![FAR; len],
            least: LeastOf::new(&[]),
            live: len,
            near: Vec::new(),
            rows,
        }
    }

    /// Finds the nearest later cluster of some single rows.
    fn find_first(&mut self, slots: Range<usize>) {
        let found: Vec<Nearest> = slots
            .clone()
            .into_par_iter()
            .map(|slot| self.find_nearest(slot))
            .collect();
        self.nearest[slots].copy_from_slice(&found);
    }

    fn merge_nearest(&mut self) -> Merge {
        let a = loop {
            let slot = self.least.first();
            if self.nearest[slot].slot != UNSURE {
                break slot;
            }
            let nearest = self.find_nearest(slot);
            self.set(slot, nearest);
        };
        let Nearest { squared, slot: b } = self.nearest[a];
        let merge = Merge {
            a: self.first[a],
            b: self.first[b as usize],
            height: squared.sqrt(),
        };
        self.join(a, b as usize);
        if self.live * 2 < self.rows.len() && self.rows.len() > 64 {
            self.close_up();
        }
        merge
    }

    /// Lets slot `a` stand for `a` and `b`.
    fn join(&mut self, a: usize, b: usize) {
        let centre = self.common_centre(a, b);
        self.members[a] += self.members[b];
        self.members[b] = 0;
        self.live -= 1;
        self.rows.set(a, &centre);
        self.rows.remove(b);
        self.set(b, FAR);
        self.tell_earlier(a, b, &centre);
        for slot in a + 1..b {
            if self.nearest[slot].slot == b as u32 {
                self.nearest[slot].slot = UNSURE;
            }
        }
        let nearest = self.find_nearest(a);
        self.set(a, nearest);
    }

    fn common_centre(&self, a: usize, b: usize) -> Vec<f32> {
        let [x, y] = match self.centre {
            Centre::OfMembers => [a, b].map(|slot| self.members[slot] as f32),
            Centre::OfPair => [1.0, 1.0],
        };
        let mean = |(p, q): (f32, f32)| (p * x + q * y) / (x + y);
        let (a, b) = (self.rows.row(a), self.rows.row(b));
        a.into_iter().zip(b).map(mean).collect()
    }

    /// Clusters before `a` learn how far its new centre is.
    fn tell_earlier(&mut self, a: usize, b: usize, centre: &[f32]) {
        let mut near = std::mem::take(&mut self.near);
        self.rows.within(centre, a, &self.least.values, &mut near);
        let lost = self.lose([a as u32, b as u32], a);
        for &(slot, squared) in &near {
            let known = self.nearest[slot];
            let was_it = lost.binary_search(&slot).is_ok();
            let first = was_it || (known.slot != UNSURE && known.slot > a as u32);
            if squared < known.squared || (squared == known.squared && first) {
                let nearest = Nearest {
                    squared,
                    slot: a as u32,
                };
                self.set(slot, nearest);
            }
        }
        self.near = near;
    }

    /// Clusters before `end` whose nearest was one of two are no longer sure of it; gives them in order.
    fn lose(&mut self, gone: [u32; 2], end: usize) -> Vec<usize> {
        let mut lost = Vec::new();
        for (slot, nearest) in self.nearest[..end].iter_mut().enumerate() {
            if gone.contains(&nearest.slot) {
                nearest.slot = UNSURE;
                lost.push(slot);
            }
        }
        lost
    }

    /// The nearest of the clusters after `slot`; the first of equally near ones.
    fn find_nearest(&self, slot: usize) -> Nearest {
        let (after, len) = (slot + 1, self.rows.len());
        if after >= len {
            return FAR;
        }
        let found = self.rows.nearest(&self.rows.row(slot), after..len);
        found.map_or(FAR, |(slot, squared)| Nearest {
            squared,
            slot: slot as u32,
        })
    }

    fn set(&mut self, slot: usize, nearest: Nearest) {
        self.nearest[slot] = nearest;
        self.least.set(slot, nearest.squared);
    }

    /// Takes the slots of merged clusters out.
    fn close_up(&mut self) {
        let lives: Vec<bool> = self.members.iter().map(|members| *members > 0).collect();
        let mut moved = vec![UNSURE; lives.len()];
        for (new, old) in (0..lives.len()).filter(|slot| lives[*slot]).enumerate() {
            moved[old] = new as u32;
        }
        self.rows = self.rows.retain(|slot| lives[slot]);
        let kept = |slot: &usize| lives[*slot];
        let slots: Vec<usize> = (0..lives.len()).filter(kept).collect();
        self.first = slots.iter().map(|slot| self.first[*slot]).collect();
        self.members = slots.iter().map(|slot| self.members[*slot]).collect();
        let renamed = |slot: &usize| {
            let Nearest { squared, slot } = self.nearest[*slot];
            let slot = if slot == UNSURE {
                UNSURE
            } else {
                moved[slot as usize]
            };
            Nearest { squared, slot }
        };
        self.nearest = slots.iter().map(renamed).collect();
        self.count_anew();
    }

    fn count_anew(&mut self) {
        let squared: Vec<f32> = self.nearest.iter().map(|nearest| nearest.squared).collect();
        self.least = LeastOf::new(&squared);
    }
}

/// The least of many numbers that change one by one; the first of equal ones.
struct LeastOf {
    /// A tree of winners: `tree[leaves + i]` is `i`, and `tree[k]` the lesser of its two children.
    tree: Vec<u32>,
    values: Vec<f32>,
    leaves: usize,
}

impl LeastOf {
    fn new(values: &[f32]) -> Self {
        let leaves = values.len().next_power_of_two().max(LANES);
        let mut values = values.to_vec();
        values.resize(leaves, f32::INFINITY);
        let mut tree = vec![0; leaves];
        tree.extend(0..leaves as u32);
        let mut least = Self {
            tree,
            values,
            leaves,
        };
        (1..leaves).rev().for_each(|node| least.decide(node));
        least
    }

    fn first(&self) -> usize {
        self.tree[1.min(self.tree.len() - 1)] as usize
    }

    fn set(&mut self, index: usize, value: f32) {
        self.values[index] = value;
        let mut node = (self.leaves + index) / 2;
        while node > 0 {
            self.decide(node);
            node /= 2;
        }
    }

    fn decide(&mut self, node: usize) {
        let [left, right] = [self.tree[2 * node], self.tree[2 * node + 1]];
        let right_wins = self.values[right as usize] < self.values[left as usize];
        self.tree[node] = if right_wins { right } else { left };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The thesis's algorithm as it stands: look at all pairs, merge the nearest.
    fn reference(rows: &Rows, centre: Centre) -> Vec<Merge> {
        let mut clusters: Vec<(u32, Vec<f32>, f32)> = (0..rows.len())
            .map(|row| (row as u32, rows.row(row), 1.0))
            .collect();
        let mut merges = Vec::new();
        while clusters.len() > 1 {
            let mut best = (f32::INFINITY, 0, 1);
            for i in 0..clusters.len() {
                for j in i + 1..clusters.len() {
                    let pairs = clusters[i].1.iter().zip(&clusters[j].1);
                    let squared = pairs.fold(0.0, |sum, (a, b)| sum + (b - a) * (b - a));
                    if squared < best.0 {
                        best = (squared, i, j);
                    }
                }
            }
            let (squared, i, j) = best;
            let (b, other, n) = clusters.remove(j);
            let (a, own, m) = &mut clusters[i];
            let (x, y) = match centre {
                Centre::OfMembers => (*m, n),
                Centre::OfPair => (1.0, 1.0),
            };
            own.iter_mut()
                .zip(&other)
                .for_each(|(p, q)| *p = (*p * x + q * y) / (x + y));
            *m += n;
            merges.push(Merge {
                a: *a,
                b,
                height: squared.sqrt(),
            });
        }
        merges
    }

    fn check(width: usize, values: &[f32]) {
        let rows = Rows::new(width, values);
        for centre in [Centre::OfMembers, Centre::OfPair] {
            assert_eq!(
                agglomerate(&rows, centre),
                reference(&rows, centre),
                "{centre:?} {values:?}"
            );
        }
    }

    #[test]
    fn nearest_pairs_merge_first() {
        check(1, &[0.0, 10.0, 1.0, 12.0, 3.0]);
        check(1, &[]);
        check(2, &[1.0, 2.0]);
    }

    #[test]
    fn heights_may_fall() {
        // An equilateral triangle: the third corner is nearer to the middle of the first two.
        let values = [0.0, 0.0, 2.0, 0.0, 1.0, 1.8];
        let merges = agglomerate(&Rows::new(2, &values), Centre::OfMembers);
        assert!(merges[1].height < merges[0].height, "{merges:?}");
        check(2, &values);
    }

    #[test]
    fn random_rows_merge_as_by_the_direct_algorithm() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as u32
        };
        for round in 0..60 {
            let (len, width) = (next() as usize % 150 + 2, next() as usize % 5 + 1);
            // Coarse numbers on every other round, so that many distances are equal.
            let steps = if round % 2 == 0 { 4 } else { 1 << 20 };
            let values: Vec<f32> = (0..len * width)
                .map(|_| (next() % steps) as f32 / steps as f32)
                .collect();
            check(width, &values);
        }
    }
}
