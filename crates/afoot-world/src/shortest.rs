//! The shortest free way from cell to cell, at any angle: what path lengths are measured against.
//!
//! A disc's shortest way around obstacles is straight lines and arcs around corners. The arcs are chords
//! that stray into the disc's margin by two millimetres at most, so that lengths are a hair too short and
//! never too long: a lower bound, and with it the estimate of the search in `paths`. Corners that see each
//! other form a graph (Lozano-Pérez and Wesley 1979); a field to one goal takes a search through
//! it and a look from each cell at the corners it sees. On an 8-connected grid the same ways would come
//! out up to 8 % longer, and longer than what the figure walks. A world that wraps around is laid out
//! three by three. Cost: some 0.5 ms a goal and a thousand cells; corners that see each other are found once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::TAU;

use rayon::prelude::*;

use crate::geometry::distance;
use crate::grid::{CellId, Grid};
use crate::shapes::Obstacle;
use crate::world::World;

/// How far chords may stray into the margin. [m]
const SAG: f64 = 2e-3;
/// Corners at most: beyond it, arcs get fewer chords.
const MOST_CORNERS: usize = 6000;

/// Free ways of a world.
pub struct FreeWays<'a> {
    world: &'a World,
    grid: Grid,
    need: f64,
    /// All obstacles, of a wrapped world those around it too.
    obstacles: Vec<Obstacle>,
    corners: Vec<[f64; 2]>,
    /// Corners that each corner sees, and how far they are.
    between: Vec<Vec<(u32, f32)>>,
    /// Corners that each cell sees; none of cells that are not free.
    seen: Vec<Vec<(u32, f32)>>,
    free: Vec<bool>,
    /// Where a goal is, and where it is once more in a world that wraps around. [m]
    shifts: Vec<[f64; 2]>,
}

/// The lengths of the shortest ways from all cells to a goal; infinite where there is none. [m]
pub type WayLengths = Vec<f32>;

impl<'a> FreeWays<'a> {
    /// For discs that keep `need` from everything. [m]
    pub fn new(world: &'a World, grid: &Grid, need: f64) -> Self {
        let cells = 0..grid.cells() as u32;
        let free = cells.map(|cell| world.clearance(grid.centre(CellId(cell))) >= need);
        let free: Vec<bool> = free.collect();
        let shifts = world.repetitions();
        let obstacles: Vec<Obstacle> = shifts
            .iter()
            .flat_map(|shift| world.obstacles.iter().map(|shape| shape.shifted(*shift)))
            .collect();
        let mut ways = Self {
            world,
            grid: *grid,
            need,
            obstacles,
            corners: Vec::new(),
            between: Vec::new(),
            seen: Vec::new(),
            free,
            shifts,
        };
        ways.corners = ways.corners_of();
        let all = 0..ways.corners.len();
        ways.between = all
            .into_par_iter()
            .map(|corner| ways.seen_from(ways.corners[corner]))
            .collect();
        let look = |cell: usize| match ways.free[cell] {
            true => ways.seen_from(grid.centre(CellId(cell as u32))),
            false => Vec::new(),
        };
        ways.seen = (0..ways.free.len()).into_par_iter().map(look).collect();
        ways
    }

    /// Whether the middle of a cell is free.
    pub fn is_free(&self, cell: CellId) -> bool {
        self.free[cell.0 as usize]
    }

    /// The lengths of all ways to the middle of a cell.
    pub fn to(&self, goal: CellId) -> WayLengths {
        let [x, z] = self.grid.centre(goal);
        let goals: Vec<[f64; 2]> = self
            .shifts
            .iter()
            .map(|shift| [x + shift[0], z + shift[1]])
            .collect();
        let from_corners = self.corner_lengths(&goals);
        let length = |cell: usize| {
            if !self.free[cell] {
                return f32::INFINITY;
            }
            let from = self.grid.centre(CellId(cell as u32));
            let straight = goals.iter().filter(|goal| self.sees(from, **goal));
            let straight = straight.map(|goal| distance(from, *goal) as f32);
            let around = self.seen[cell].iter();
            let around = around.map(|&(corner, far)| far + from_corners[corner as usize]);
            straight.chain(around).fold(f32::INFINITY, f32::min)
        };
        (0..self.free.len()).map(length).collect()
    }

    /// The lengths of the ways from all corners to the nearest of some goals.
    fn corner_lengths(&self, goals: &[[f64; 2]]) -> Vec<f32> {
        let mut lengths = vec![f32::INFINITY; self.corners.len()];
        let mut front = BinaryHeap::new();
        for goal in goals {
            for (corner, far) in self.seen_from(*goal) {
                if far < lengths[corner as usize] {
                    lengths[corner as usize] = far;
                    front.push(Reverse((far.to_bits(), corner)));
                }
            }
        }
        while let Some(Reverse((bits, corner))) = front.pop() {
            let far = f32::from_bits(bits);
            if far > lengths[corner as usize] {
                continue;
            }
            for &(next, step) in &self.between[corner as usize] {
                let length = far + step;
                if length < lengths[next as usize] {
                    lengths[next as usize] = length;
                    front.push(Reverse((length.to_bits(), next)));
                }
            }
        }
        lengths
    }

    fn seen_from(&self, from: [f64; 2]) -> Vec<(u32, f32)> {
        let corners = self.corners.iter().enumerate();
        let seen = corners.filter(|(_, corner)| **corner != from && self.sees(from, **corner));
        seen.map(|(index, corner)| (index as u32, distance(from, *corner) as f32))
            .collect()
    }

    fn sees(&self, a: [f64; 2], b: [f64; 2]) -> bool {
        let need = self.need - SAG * 1.01;
        let mut shapes = self.obstacles.iter();
        shapes.all(|shape| is_far([a, b], shape, need) || shape.segment_clearance(a, b) >= need)
    }

    /// Points on the arcs around corners and circles, where there is room.
    fn corners_of(&self) -> Vec<[f64; 2]> {
        let mut sag = SAG;
        loop {
            let each = self.obstacles.iter();
            let points = each.flat_map(|shape| arc_points(shape, self.need, sag));
            let corners: Vec<[f64; 2]> = points.filter(|point| self.has_room(*point)).collect();
            if corners.len() <= MOST_CORNERS || sag > 1.0 {
                return corners;
            }
            sag *= 2.0;
        }
    }

    fn has_room(&self, point: [f64; 2]) -> bool {
        let need = self.need - 1e-6;
        let inside = self.world.wrap || self.world.bounds_clearance(point) >= need;
        inside
            && self
                .obstacles
                .iter()
                .all(|shape| shape.clearance(point) >= need)
    }
}

/// Whether a segment's box is far from a shape's: a quick no.
#[inline]
fn is_far([a, b]: [[f64; 2]; 2], shape: &Obstacle, need: f64) -> bool {
    let Obstacle::Circle([x, z, radius]) = shape else {
        return false;
    };
    let reach = radius + need;
    a[0].min(b[0]) > x + reach
        || a[0].max(b[0]) < x - reach
        || a[1].min(b[1]) > z + reach
        || a[1].max(b[1]) < z - reach
}

/// Points around a shape at that distance, so close that chords stray by `sag` at most.
fn arc_points(shape: &Obstacle, need: f64, sag: f64) -> Vec<[f64; 2]> {
    let chord = |radius: f64| 2.0 * (1.0 - (sag / radius).min(1.0)).acos();
    match shape {
        Obstacle::Circle([x, z, radius]) => {
            let reach = radius + need;
            let count = (TAU / chord(reach)).ceil().max(8.0) as usize;
            let angle = |side: usize| side as f64 * TAU / count as f64;
            (0..count)
                .map(|side| [x + reach * angle(side).cos(), z + reach * angle(side).sin()])
                .collect()
        }
        Obstacle::Polygon(corners) => {
            let count = corners.len();
            let mut points = Vec::new();
            let around = |at: usize| {
                let (before, here, after) = (
                    corners[(at + count - 1) % count],
                    corners[at],
                    corners[(at + 1) % count],
                );
                (before, here, after)
            };
            let turns = signed_area(corners).signum();
            for at in 0..count {
                let (before, here, after) = around(at);
                points.extend(corner_points(
                    [before, here, after],
                    turns,
                    need,
                    chord(need),
                ));
            }
            points
        }
    }
}

fn signed_area(corners: &[[f64; 2]]) -> f64 {
    let edges = crate::geometry::edges_of(corners);
    edges.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum()
}

/// Points of the arc around a corner that sticks out; none around one that does not.
fn corner_points(
    [before, here, after]: [[f64; 2]; 3],
    turns: f64,
    need: f64,
    chord: f64,
) -> Vec<[f64; 2]> {
    let direction = |a: [f64; 2], b: [f64; 2]| (b[1] - a[1]).atan2(b[0] - a[0]);
    let (come, go) = (direction(before, here), direction(here, after));
    let turn = afoot_core::wrap_angle(go - come) * turns;
    if turn <= 1e-9 {
        return Vec::new();
    }
    // The outward normal of an edge lies to the right of it in a polygon that turns left.
    let first = come - turns * TAU / 4.0;
    let count = (turn / chord).ceil().max(1.0) as usize;
    (0..=count)
        .map(|part| first + turns * turn * part as f64 / count as f64)
        .map(|angle| [here[0] + need * angle.cos(), here[1] + need * angle.sin()])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(world: &str, from: [f64; 2], to: [f64; 2]) -> f64 {
        let world = World::from_json(world).unwrap();
        let grid = Grid::new(&world, 0.2, 0.35);
        let ways = FreeWays::new(&world, &grid, world.radius);
        let [from, to] = [from, to].map(|point| grid.cell_at(point).unwrap());
        f64::from(ways.to(to)[from.0 as usize])
    }

    #[test]
    fn straight_ways_are_straight_and_others_go_around() {
        let open = r#"{"bounds": [[0,0],[7,8]]}"#;
        let found = lengths(open, [0.5, 0.5], [6.5, 7.5]);
        assert!((found - 6f64.hypot(7.0)).abs() < 1e-5, "{found}");
        // Around a circle of radius 1 with its margin: two tangents and an arc.
        let barrel = r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"circle": [3.5, 4.1, 1]}]}"#;
        let found = lengths(barrel, [1.1, 4.1], [5.9, 4.1]);
        let (far, reach) = (2.4f64, 1.25f64);
        let tangent = (far * far - reach * reach).sqrt();
        let arc = reach * (std::f64::consts::PI - 2.0 * (reach / far).acos());
        let exact = 2.0 * tangent + arc;
        assert!(
            found <= exact + 1e-6 && found > exact * 0.998,
            "{found} {exact}"
        );
        // Around a wall's end.
        let wall = r#"{"bounds": [[0,0],[8,6]], "obstacles": [{"polygon": [[3.9,-1],[4.1,-1],[4.1,3],[3.9,3]]}]}"#;
        let found = lengths(wall, [2.1, 1.1], [5.9, 1.1]);
        let corner = |radius: f64| 2.0 * (1.8f64 - radius).hypot(1.9) + 0.2;
        assert!(found > corner(0.25) && found < corner(0.0) + 0.6, "{found}");
        let closed = r#"{"bounds": [[0,0],[8,6]], "obstacles": [{"polygon": [[3.9,-1],[4.1,-1],[4.1,7],[3.9,7]]}]}"#;
        assert!(lengths(closed, [2.1, 1.1], [5.9, 1.1]).is_infinite());
    }

    #[test]
    fn a_torus_is_crossed_over_its_border() {
        let torus = r#"{"bounds": [[0,0],[8,8]], "wrap": true}"#;
        let found = lengths(torus, [0.5, 4.1], [7.5, 4.1]);
        assert!((found - 1.0).abs() < 1e-5, "{found}");
    }
}
