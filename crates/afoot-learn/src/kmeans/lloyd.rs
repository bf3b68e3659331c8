//! Lloyd's rounds with Hamerly's bounds on blocked products.

use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::{KMeans, KMeansOptions};
use crate::product::{LEFT, Panels, RIGHT, Wide, dot_tile, run_wide};
use crate::rows::Rows;

/// Rows that one thread takes at a time: fixed, so that nothing depends on how many threads there are.
const CHUNK: usize = 1024;
/// Where more than one row in this many may change, all are compared where they lie: gathering costs too.
const GATHERED: usize = 3;
/// What a bound may be off by, as a share: distances are differences of products in f32.
const SLACK: f32 = 1e-4;

/// Clusters between two rounds. Centres and sums are less `origin`.
pub(super) struct Lloyd<'a> {
    rows: Rows<'a>,
    origin: &'a [f32],
    /// All rows less `origin`.
    packed: Panels<RIGHT>,
    pub centres: Vec<f32>,
    sums: Vec<f64>,
    counts: Vec<u32>,
    members: Vec<Member>,
    /// The sum of squares of all rows.
    total: f64,
}

/// What is known of a row.
#[derive(Clone, Copy, Debug)]
struct Member {
    cluster: u32,
    /// It is no farther from its centre.
    upper: f32,
    /// It is no nearer to any other.
    lower: f32,
}

/// A row of no cluster yet.
const NOWHERE: Member = Member {
    cluster: u32::MAX,
    upper: f32::INFINITY,
    lower: 0.0,
};

/// The nearest and the second distance of a panel's rows.
struct Nearest {
    best: [f32; RIGHT],
    second: [f32; RIGHT],
    centre: [u32; RIGHT],
    /// The rows' own squares, which distances are without.
    squares: [f32; RIGHT],
}

/// A row that changed its cluster.
struct Change {
    row: usize,
    from: u32,
}

impl<'a> Lloyd<'a> {
    /// Starts from centres less `origin`.
    pub fn new(rows: Rows<'a>, origin: &'a [f32], centres: Vec<f32>) -> Self {
        let squared = |row: &[f32]| -> f64 {
            let less = row.iter().zip(origin).map(|(a, b)| f64::from(a - b));
            less.map(|value| value * value).sum()
        };
        let clusters = centres.len() / rows.width();
        Self {
            rows,
            origin,
            packed: Panels::new(rows.iter(), origin),
            sums: vec![0.0; centres.len()],
            counts: vec![0; clusters],
            members: vec![NOWHERE; if clusters == 0 { 0 } else { rows.len() }],
            total: rows.iter().map(squared).sum(),
            centres,
        }
    }

    fn len(&self) -> usize {
        self.counts.len()
    }

    /// Rounds until little changes; gives their number.
    pub fn run(&mut self, options: &KMeansOptions) -> u32 {
        let mut last = f64::INFINITY;
        for round in 0..options.rounds {
            let is_stopped = |flag: &std::sync::atomic::AtomicBool| flag.load(Ordering::Relaxed);
            if self.len() == 0 || options.cancel.is_some_and(is_stopped) {
                return round;
            }
            let gaps = self.half_gaps();
            let changes = self.assign(&gaps);
            self.regroup(&changes);
            self.fill_empty();
            self.move_centres();
            let inertia = self.inertia_of_means();
            if changes.is_empty() || last - inertia < options.tolerance * inertia.max(0.0) {
                return round + 1;
            }
            last = inertia;
        }
        options.rounds
    }

    /// Every row with its nearest centre, and the result.
    pub fn finish(mut self, rounds: u32) -> KMeans {
        let gaps = self.half_gaps();
        self.assign(&gaps);
        let width = self.rows.width();
        let own = |(row, member): (&[f32], &Member)| -> f64 {
            let centre = &self.centres[member.cluster as usize * width..][..width];
            let differ = row.iter().zip(self.origin).zip(centre);
            differ
                .map(|((value, origin), centre)| f64::from(value - origin - centre).powi(2))
                .sum()
        };
        let inertia = self.rows.iter().zip(&self.members).map(own).sum();
        let centres = self.centres.chunks_exact(width);
        let back = centres.flat_map(|centre| centre.iter().zip(self.origin));
        KMeans {
            width,
            centres: back.map(|(value, origin)| value + origin).collect(),
            clusters: self.members.iter().map(|member| member.cluster).collect(),
            inertia,
            rounds,
        }
    }

    /// Half the distance of each centre from the next one: no row within it belongs elsewhere.
    fn half_gaps(&self) -> Vec<f32> {
        let width = self.rows.width();
        let none = vec![0.0; width];
        let centres = || self.centres.chunks_exact(width);
        let (lefts, rights) = (
            Panels::<LEFT>::new(centres(), &none),
            Panels::<RIGHT>::new(centres(), &none),
        );
        let of_panel = |panel: usize| {
            let found = nearest_of(&lefts, &rights, panel);
            let own = *rights.panel_squares(panel);
            // The nearest is itself.
            let half = move |lane: usize| 0.5 * (found.second[lane] + own[lane]).max(0.0).sqrt();
            (0..RIGHT).map(half).collect::<Vec<f32>>()
        };
        let mut gaps: Vec<f32> = (0..rights.count())
            .into_par_iter()
            .flat_map_iter(of_panel)
            .collect();
        gaps.truncate(self.len());
        gaps.iter_mut().for_each(|gap| *gap *= 1.0 - SLACK);
        gaps
    }

    /// Finds the nearest centre of every row that may have another one now; gives those that do.
    fn assign(&mut self, gaps: &[f32]) -> Vec<Change> {
        let (rows, origin, packed) = (self.rows, self.origin, &self.packed);
        let none = vec![0.0; rows.width()];
        let lefts = Panels::<LEFT>::new(self.centres.chunks_exact(rows.width()), &none);
        let members = self.members.par_chunks_mut(CHUNK).enumerate();
        let of_chunk = |(chunk, members): (usize, &mut [Member])| {
            let first = chunk * CHUNK;
            let may_change = |index: &usize| {
                let member = members[*index];
                let gap = gaps.get(member.cluster as usize).copied().unwrap_or(0.0);
                member.upper > member.lower.max(gap)
            };
            let open: Vec<usize> = (0..members.len()).filter(may_change).collect();
            let mut changes = Vec::new();
            if open.len() * GATHERED > members.len() {
                // Most of them: panels as they lie, rows that can't change included.
                for (panel, members) in members.chunks_mut(RIGHT).enumerate() {
                    let panel = first / RIGHT + panel;
                    let own: Vec<usize> = (0..members.len()).collect();
                    let told = nearest_of(&lefts, packed, panel);
                    note(members, &own, &told, panel * RIGHT, &mut changes);
                }
                return changes;
            }
            let mut panels = Panels::<RIGHT>::new(std::iter::empty(), origin);
            for group in open.chunks(RIGHT) {
                panels.clear();
                group
                    .iter()
                    .for_each(|index| panels.push(rows.row(first + index), origin));
                let told = nearest_of(&lefts, &panels, 0);
                note(members, group, &told, first, &mut changes);
            }
            changes
        };
        members.flat_map_iter(of_chunk).collect()
    }

    /// Takes rows that changed from the sums of their old clusters to those of their new ones.
    fn regroup(&mut self, changes: &[Change]) {
        for change in changes {
            let to = self.members[change.row].cluster;
            if change.from != u32::MAX {
                self.add(change.row, change.from, -1.0);
                self.counts[change.from as usize] -= 1;
            }
            self.add(change.row, to, 1.0);
            self.counts[to as usize] += 1;
        }
    }

    fn add(&mut self, row: usize, cluster: u32, sign: f64) {
        let width = self.rows.width();
        let sums = &mut self.sums[cluster as usize * width..][..width];
        let row = self.rows.row(row).iter().zip(self.origin);
        for (sum, (value, origin)) in sums.iter_mut().zip(row) {
            *sum += sign * f64::from(value - origin);
        }
    }

    /// Gives clusters without rows the row that is farthest from its own centre.
    fn fill_empty(&mut self) {
        while let Some(empty) = self.counts.iter().position(|count| *count == 0) {
            let shares = |row: &usize| self.counts[self.members[*row].cluster as usize] > 1;
            let by_distance =
                |a: &usize, b: &usize| self.members[*a].upper.total_cmp(&self.members[*b].upper);
            let Some(row) = (0..self.members.len()).filter(shares).max_by(by_distance) else {
                return;
            };
            let from = self.members[row].cluster;
            self.members[row] = Member {
                cluster: empty as u32,
                ..NOWHERE
            };
            self.regroup(&[Change { row, from }]);
            // Others may be nearest to it.
            self.members
                .iter_mut()
                .for_each(|member| member.lower = 0.0);
        }
    }

    /// Moves every centre to its rows' mean, and the bounds with it.
    fn move_centres(&mut self) {
        let width = self.rows.width();
        let mut moves = vec![0f32; self.len()];
        for (cluster, moved) in moves.iter_mut().enumerate() {
            let count = f64::from(self.counts[cluster].max(1));
            let centre = &mut self.centres[cluster * width..][..width];
            let mut squared = 0f64;
            for (value, sum) in centre.iter_mut().zip(&self.sums[cluster * width..]) {
                let mean = (sum / count) as f32;
                squared += f64::from(mean - *value).powi(2);
                *value = mean;
            }
            *moved = squared.sqrt() as f32 * (1.0 + SLACK);
        }
        let (farthest, next) = two_largest(&moves);
        for member in &mut self.members {
            let own = moves[member.cluster as usize];
            member.upper += own;
            let is_farthest = own >= farthest;
            member.lower -= if is_farthest { next } else { farthest };
        }
    }

    /// The inertia about the means, by Σ|x|² − Σ n·|mean|².
    fn inertia_of_means(&self) -> f64 {
        let width = self.rows.width();
        let of_cluster = |(sums, count): (&[f64], &u32)| {
            let squared: f64 = sums.iter().map(|sum| sum * sum).sum();
            squared / f64::from((*count).max(1))
        };
        let means = self.sums.chunks_exact(width).zip(&self.counts);
        self.total - means.map(of_cluster).sum::<f64>()
    }
}

/// Notes what was found of some rows; `first` is the row of member 0.
fn note(
    members: &mut [Member],
    group: &[usize],
    told: &Nearest,
    first: usize,
    changes: &mut Vec<Change>,
) {
    for (lane, index) in group.iter().enumerate() {
        let distance = |less: f32| (less + told.squares[lane]).max(0.0).sqrt();
        let from = members[*index].cluster;
        members[*index] = Member {
            cluster: told.centre[lane],
            upper: distance(told.best[lane]) * (1.0 + SLACK),
            lower: distance(told.second[lane]) * (1.0 - SLACK),
        };
        if from != told.centre[lane] {
            let row = first + index;
            changes.push(Change { row, from });
        }
    }
}

/// The largest and the next; where the largest occurs twice, both.
fn two_largest(values: &[f32]) -> (f32, f32) {
    let mut found = (0f32, 0f32);
    for value in values {
        if *value > found.0 {
            found = (*value, found.0);
        } else if *value > found.1 {
            found.1 = *value;
        }
    }
    found
}

/// The nearest two of all centres for each row of a panel: squared distances less the row's own square.
fn nearest_of(centres: &Panels<LEFT>, rows: &Panels<RIGHT>, panel: usize) -> Nearest {
    let mut found = Nearest {
        best: [f32::INFINITY; RIGHT],
        second: [f32::INFINITY; RIGHT],
        centre: [0; RIGHT],
        squares: *rows.panel_squares(panel),
    };
    let mut tile = [[0.0; RIGHT]; LEFT];
    for left in 0..centres.count() {
        dot_tile(centres.panel(left), rows.panel(panel), &mut tile);
        let first = left * LEFT;
        run_wide(Compare {
            tile: &tile[..LEFT.min(centres.len() - first)],
            squares: centres.panel_squares(left),
            first: first as u32,
            found: &mut found,
        });
    }
    found
}

/// Compares the centres of a tile with the nearest two so far.
struct Compare<'a> {
    tile: &'a [[f32; RIGHT]],
    squares: &'a [f32; LEFT],
    first: u32,
    found: &'a mut Nearest,
}

impl Wide for Compare<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Nearest {
            best,
            second,
            centre,
            ..
        } = self.found;
        for (index, (products, square)) in self.tile.iter().zip(self.squares).enumerate() {
            let own = self.first + index as u32;
            for lane in 0..RIGHT {
                let less = square - 2.0 * products[lane];
                let is_best = less < best[lane];
                let rest = if is_best { best[lane] } else { less };
                second[lane] = if rest < second[lane] {
                    rest
                } else {
                    second[lane]
                };
                best[lane] = if is_best { less } else { best[lane] };
                centre[lane] = if is_best { own } else { centre[lane] };
            }
        }
    }
}
