//! ARA* and ANA* on a lattice of x, y and heading, as robots plan on: expansions a second on one core.
//!
//! Sixteen headings, cells of 2.5 cm, the arcs and straights of a unicycle with their usual multiples of
//! cost (forward 1, turning 2, backward 5, turning in place 5), and a two-dimensional Dijkstra as
//! heuristic: the kind of problem on which SBPL, the library of ARA*'s authors, is measured. The map is
//! made here (rooms with doors); solution costs are checked against Dijkstra on the whole lattice.
//! `cargo bench -p afoot-search --bench lattice`, alone on the machine.

#![allow(clippy::unwrap_used)] // a benchmark fails by panicking

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use afoot_search::{Advance, Ana, Ara, AraOptions, Random, Space};

const HEADINGS: usize = 16;
/// Millimetres a cell.
const CELL: f64 = 25.0;

/// A motion from one heading: where it ends, what it costs, and the cells that it sweeps.
#[derive(Clone)]
struct Primitive {
    dx: i32,
    dy: i32,
    heading: usize,
    cost: u32,
    swept: Vec<(i32, i32)>,
}

#[derive(Clone)]
struct Lattice {
    width: i32,
    height: i32,
    blocked: Vec<bool>,
    primitives: Vec<Vec<Primitive>>,
    goal: u32,
    rest: Vec<u32>,
}

/// End points from headings 0, 22.5 and 45 degrees: x, y, turn, multiple of the cost. The others mirror them.
const ENDS: [[(i32, i32, i32, u32); 7]; 3] = [
    [
        (1, 0, 0, 1),
        (8, 0, 0, 1),
        (-1, 0, 0, 5),
        (8, 1, 1, 2),
        (8, -1, -1, 2),
        (0, 0, 1, 5),
        (0, 0, -1, 5),
    ],
    [
        (2, 1, 0, 1),
        (6, 3, 0, 1),
        (-2, -1, 0, 5),
        (5, 4, 1, 2),
        (7, 2, -1, 2),
        (0, 0, 1, 5),
        (0, 0, -1, 5),
    ],
    [
        (1, 1, 0, 1),
        (6, 6, 0, 1),
        (-1, -1, 0, 5),
        (5, 7, 1, 2),
        (7, 5, -1, 2),
        (0, 0, 1, 5),
        (0, 0, -1, 5),
    ],
];

fn primitives() -> Vec<Vec<Primitive>> {
    (0..HEADINGS)
        .map(|heading| {
            ENDS[0]
                .iter()
                .enumerate()
                .map(|(i, _)| primitive(heading, i))
                .collect()
        })
        .collect()
}

fn primitive(heading: usize, index: usize) -> Primitive {
    // Headings 0, 22.5 and 45 degrees, mirrored at 45 and turned by 90.
    let (quarter, within) = (heading / 4, heading % 4);
    let (table, mirrored) = match within {
        0 => (0, false),
        1 => (1, false),
        2 => (2, false),
        _ => (1, true),
    };
    let (mut x, mut y, mut turn, multiple) = ENDS[table][index];
    if mirrored {
        (x, y, turn) = (y, x, -turn);
    }
    for _ in 0..quarter {
        (x, y) = (-y, x);
    }
    let to = (heading as i32 + turn).rem_euclid(HEADINGS as i32) as usize;
    // Straight on at 1 m/s, turning in place at a sixteenth a second and a bit, in milliseconds.
    let time = match (x, y) {
        (0, 0) => 393.0,
        _ => f64::from(x).hypot(f64::from(y)) * CELL,
    };
    let points = x.abs().max(y.abs()).max(1);
    let swept = (0..=points).map(|k| (x * k / points, y * k / points));
    Primitive {
        dx: x,
        dy: y,
        heading: to,
        cost: (time * f64::from(multiple)).ceil() as u32,
        swept: swept.collect(),
    }
}

impl Lattice {
    fn new(width: i32, height: i32, seed: u64) -> Self {
        let mut lattice = Self {
            width,
            height,
            blocked: vec![false; (width * height) as usize],
            primitives: primitives(),
            goal: 0,
            rest: Vec::new(),
        };
        lattice.build_rooms(seed);
        lattice.goal = lattice.index(width - 20, height - 20, 4);
        lattice.rest = lattice.plane_distances();
        lattice
    }

    /// Walls every 60 cells with a door somewhere in each, and clutter.
    fn build_rooms(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        for wall in (60..self.width).step_by(60) {
            for part in 0..self.height / 100 + 1 {
                let door = part * 100 + random.below(80) as i32;
                for y in part * 100..(part + 1) * 100 {
                    if !(door..door + 18).contains(&y) {
                        self.block(wall, y);
                    }
                }
            }
        }
        for _ in 0..self.width * self.height / 900 {
            let (x, y) = (
                random.below(self.width as usize) as i32,
                random.below(self.height as usize) as i32,
            );
            for (i, j) in (0..9).map(|k| (k % 3, k / 3)) {
                self.block(x + i, y + j);
            }
        }
        let clear =
            |corner: [i32; 2]| (0..40 * 40).map(move |k| (corner[0] + k % 40, corner[1] + k / 40));
        for (x, y) in clear([0, 0]).chain(clear([self.width - 40, self.height - 40])) {
            self.blocked[(y * self.width + x) as usize] = false;
        }
    }

    fn block(&mut self, x: i32, y: i32) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.blocked[(y * self.width + x) as usize] = true;
        }
    }

    fn index(&self, x: i32, y: i32, heading: usize) -> u32 {
        ((y * self.width + x) as usize * HEADINGS + heading) as u32
    }

    /// To the goal over free cells with eight neighbours, each step as dear as its length at most: consistent,
    /// since no primitive goes farther than the sum of the cells that it crosses.
    fn plane_distances(&self) -> Vec<u32> {
        let mut rest = vec![u32::MAX; self.blocked.len()];
        let goal = self.goal as usize / HEADINGS;
        rest[goal] = 0;
        let mut open = BinaryHeap::from([(Reverse(0u32), goal)]);
        while let Some((Reverse(so_far), cell)) = open.pop() {
            if so_far > rest[cell] {
                continue;
            }
            let (x, y) = (cell as i32 % self.width, cell as i32 / self.width);
            for (dx, dy) in (0..9).map(|k| (k % 3 - 1, k / 3 - 1)) {
                let (x, y) = (x + dx, y + dy);
                if !(0..self.width).contains(&x) || !(0..self.height).contains(&y) {
                    continue;
                }
                let next = (y * self.width + x) as usize;
                // Eight neighbours overestimate by 8.3 % at most: taken off.
                let step = (f64::from(dx).hypot(f64::from(dy)) * CELL / 1.083).floor() as u32;
                if !self.blocked[next] && so_far + step < rest[next] {
                    rest[next] = so_far + step;
                    open.push((Reverse(rest[next]), next));
                }
            }
        }
        rest
    }
}

impl Space for Lattice {
    type State = u32;

    fn cell(&mut self, state: &u32) -> u32 {
        *state
    }

    fn successors(&self, state: &u32, mut out: impl FnMut(u32, f64, u32)) {
        let (cell, heading) = (*state as usize / HEADINGS, *state as usize % HEADINGS);
        let (x, y) = (cell as i32 % self.width, cell as i32 / self.width);
        for (index, primitive) in self.primitives[heading].iter().enumerate() {
            let free = primitive.swept.iter().all(|(dx, dy)| {
                let (x, y) = (x + dx, y + dy);
                (x as u32) < self.width as u32
                    && (y as u32) < self.height as u32
                    && !self.blocked[(y * self.width + x) as usize]
            });
            if free {
                let to = self.index(x + primitive.dx, y + primitive.dy, primitive.heading);
                out(index as u32, f64::from(primitive.cost), to);
            }
        }
    }

    fn heuristic(&self, state: &u32) -> f64 {
        match self.rest[*state as usize / HEADINGS] {
            u32::MAX => f64::INFINITY,
            rest => f64::from(rest),
        }
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == self.goal
    }
}

/// The least cost from the start, by Dijkstra over the whole lattice.
fn reference(lattice: &Lattice, start: u32) -> f64 {
    let mut costs = vec![f64::INFINITY; lattice.blocked.len() * HEADINGS];
    costs[start as usize] = 0.0;
    let mut open = BinaryHeap::from([(Reverse(0u64), start)]);
    while let Some((Reverse(bits), state)) = open.pop() {
        let so_far = f64::from_bits(bits);
        if state == lattice.goal {
            return so_far;
        }
        if so_far > costs[state as usize] {
            continue;
        }
        lattice.successors(&state, |_, cost, to| {
            if so_far + cost < costs[to as usize] {
                costs[to as usize] = so_far + cost;
                open.push((Reverse((so_far + cost).to_bits()), to));
            }
        });
    }
    f64::INFINITY
}

fn main() {
    println!("map          search  epsilon   cost  bound   expanded  seconds  expansions/s");
    for (width, height, seed) in [(600, 600, 1), (1000, 1000, 2)] {
        let lattice = Lattice::new(width, height, seed);
        let start = lattice.index(20, 20, 0);
        let best = reference(&lattice, start);
        for epsilon in [1.0, 3.0] {
            let options = AraOptions {
                epsilon,
                ..AraOptions::default()
            };
            let mut search = Ara::new(lattice.clone(), [start], options);
            let begun = Instant::now();
            loop {
                let told = search.advance(u64::MAX, None);
                let (solution, done) = match told {
                    Advance::Improved(solution) => (solution, false),
                    Advance::Optimal(solution) => (solution, true),
                    other => panic!("{other:?}"),
                };
                let seconds = begun.elapsed().as_secs_f64();
                println!(
                    "{width:5}x{height:<5}  ARA*    {:6.2} {:8.0} {:6.3} {:10} {seconds:8.3} {:12.0}",
                    solution.epsilon,
                    solution.cost,
                    solution.bound,
                    solution.expanded,
                    solution.expanded as f64 / seconds
                );
                assert!(solution.cost <= solution.bound * best + 1e-6);
                if done {
                    assert!(
                        (solution.cost - best).abs() < 1e-6,
                        "{} is not {best}",
                        solution.cost
                    );
                    break;
                }
            }
        }
        let mut search = Ana::new(lattice.clone(), [start]);
        let begun = Instant::now();
        let found = loop {
            match search.advance(u64::MAX, None) {
                Advance::Improved(_) => {}
                Advance::Optimal(found) => break found,
                other => panic!("{other:?}"),
            }
        };
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "{width:5}x{height:<5}  ANA*         - {:8.0} {:6.3} {:10} {seconds:8.3} {:12.0}",
            found.cost,
            found.bound,
            found.expanded,
            found.expanded as f64 / seconds
        );
        assert!((found.cost - best).abs() < 1e-6);
    }
}
