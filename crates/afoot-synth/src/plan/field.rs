//! How far it is to a place, for every place at once: the distance that H_pos counts.
//!
//! Dijkstra on vertices 10 cm apart (farther on ground above 200 m) with sixteen neighbours each, read between vertices by triangles
//! (Safonova and Hodgins 2007, §6, with cells of 20 cm, eight neighbours and no interpolation, overestimates
//! by up to 8 % and jumps from cell to cell). The field is divided by its steepest triangle, so that it
//! never falls by more than a metre a metre: it is consistent, and with that a lower bound.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Where a root may be.
pub(super) trait Ground {
    /// Room around a point: negative where a root must not be. [m]
    fn room(&self, point: [f64; 2]) -> f64;
}

/// A place and how near to it is there. [m]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Disc {
    pub(super) place: [f64; 2],
    pub(super) radius: f64,
}

impl Disc {
    /// How far a point is outside. [m]
    fn room(&self, [x, z]: [f64; 2]) -> f64 {
        (x - self.place[0]).hypot(z - self.place[1]) - self.radius
    }
}

/// Distances to a place.
#[derive(Clone, Debug)]
pub(super) struct DistanceField {
    low: [f64; 2],
    /// Between vertices. [m]
    cell: f64,
    size: [usize; 2],
    /// [m], infinite where no way leads
    values: Vec<f32>,
}

/// Between vertices; more where the ground is so large that there would be too many. [m]
const CELL: f64 = 0.1;
/// About as many vertices at most.
const MOST_VERTICES: f64 = 4e6;

const NEIGHBOURS: [[isize; 2]; 16] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
    [2, 1],
    [1, 2],
    [-1, 2],
    [-2, 1],
    [-2, -1],
    [-1, -2],
    [1, -2],
    [2, -1],
];

impl DistanceField {
    /// The distances to a disc within a rectangle, over ground that is free. What is read within the disc
    /// is 0.
    pub(super) fn new(ground: &impl Ground, [low, high]: [[f64; 2]; 2], disc: Disc) -> Self {
        let cell = cell_over([0, 1].map(|axis| high[axis] - low[axis]));
        let size = [0, 1].map(|axis| ((high[axis] - low[axis]) / cell).ceil() as usize + 2);
        let mut field = Self {
            low,
            cell,
            size,
            values: vec![f32::INFINITY; size[0] * size[1]],
        };
        let free: Vec<bool> = (0..field.values.len())
            .map(|vertex| ground.room(field.place(vertex)) >= -field.slack())
            .collect();
        field.spread(&free, disc);
        field.flatten();
        field
    }

    /// How far it is at least; infinite where no way leads. [m]
    pub(super) fn at(&self, [x, z]: [f64; 2]) -> f64 {
        let (u, v) = ((x - self.low[0]) / self.cell, (z - self.low[1]) / self.cell);
        let (i, j) = (u.floor(), v.floor());
        if i < 0.0 || j < 0.0 || i as usize + 1 >= self.size[0] || j as usize + 1 >= self.size[1] {
            return f64::INFINITY;
        }
        let (u, v) = (u - i, v - j);
        let corner = i as usize + j as usize * self.size[0];
        let value = |offset: usize| f64::from(self.values[corner + offset]);
        let (a, d) = (value(0), value(self.size[0] + 1));
        // Two triangles that share the diagonal; differences of what is infinite are no numbers.
        let third = if u > v { value(1) } else { value(self.size[0]) };
        if !(a.is_finite() && d.is_finite() && third.is_finite()) {
            return f64::INFINITY;
        }
        match u > v {
            true => {
                let b = value(1);
                a + u * (b - a) + v * (d - b)
            }
            false => {
                let c = value(self.size[0]);
                a + v * (c - a) + u * (d - c)
            }
        }
    }

    fn place(&self, vertex: usize) -> [f64; 2] {
        let (i, j) = (vertex % self.size[0], vertex / self.size[0]);
        let [x, z] = self.low;
        [x + i as f64 * self.cell, z + j as f64 * self.cell]
    }

    /// A place that a root may be at has vertices around it that are at most so far beyond the border. [m]
    fn slack(&self) -> f64 {
        self.cell * std::f64::consts::SQRT_2
    }

    /// The least that is read anywhere in a disc. [m]
    pub(super) fn least_within(&self, disc: Disc) -> f64 {
        let inside =
            (0..self.values.len()).filter(|vertex| disc.room(self.place(*vertex)) <= self.slack());
        let values = inside.map(|vertex| f64::from(self.values[vertex]));
        values.fold(f64::INFINITY, f64::min)
    }

    /// The place nearest to a point from which a way leads. [m]
    pub(super) fn nearest_to(&self, [x, z]: [f64; 2]) -> Option<[f64; 2]> {
        let reached = (0..self.values.len()).filter(|vertex| self.values[*vertex].is_finite());
        let places = reached.map(|vertex| self.place(vertex));
        let away = |place: &[f64; 2]| (place[0] - x).hypot(place[1] - z);
        places.min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    fn spread(&mut self, free: &[bool], disc: Disc) {
        let mut open = BinaryHeap::new();
        for (vertex, free) in free.iter().enumerate() {
            let away = (disc.room(self.place(vertex)) - self.slack()).max(0.0);
            if away < 2.5 * self.cell && *free {
                self.values[vertex] = away as f32;
                open.push((Reverse((away as f32).to_bits()), vertex));
            }
        }
        let [width, depth] = self.size.map(|size| size as isize);
        while let Some((Reverse(bits), vertex)) = open.pop() {
            let so_far = f32::from_bits(bits);
            if so_far > self.values[vertex] {
                continue;
            }
            let (i, j) = ((vertex as isize) % width, (vertex as isize) / width);
            for [di, dj] in NEIGHBOURS {
                let (x, z) = (i + di, j + dj);
                if x < 0 || z < 0 || x >= width || z >= depth {
                    continue;
                }
                let next = (x + z * width) as usize;
                let passed = beside([di, dj]).map(|[a, b]| (i + a + (j + b) * width) as usize);
                if passed.iter().any(|vertex| !free[*vertex]) {
                    continue;
                }
                let way = so_far + (((di * di + dj * dj) as f64).sqrt() * self.cell) as f32;
                if free[next] && way < self.values[next] {
                    self.values[next] = way;
                    open.push((Reverse(way.to_bits()), next));
                }
            }
        }
    }

    /// Divides by the steepest triangle's slope, and takes away what the place's own cell adds.
    fn flatten(&mut self) {
        let mut steepest: f64 = 1.0;
        for j in 0..self.size[1] - 1 {
            for i in 0..self.size[0] - 1 {
                let at =
                    |di: usize, dj: usize| f64::from(self.values[i + di + (j + dj) * self.size[0]]);
                let (a, b, c, d) = (at(0, 0), at(1, 0), at(0, 1), at(1, 1));
                for [along, across] in [[b - a, d - b], [d - c, c - a]] {
                    let slope = along.hypot(across) / self.cell;
                    if slope.is_finite() {
                        steepest = steepest.max(slope);
                    }
                }
            }
        }
        for value in &mut self.values {
            *value = (f64::from(*value) / steepest) as f32;
        }
    }
}

/// Between vertices over ground of that size, so that there are not too many. [m]
fn cell_over([width, depth]: [f64; 2]) -> f64 {
    let even = (width * depth / MOST_VERTICES).sqrt();
    let narrow = 4.0 * width.max(depth) / MOST_VERTICES; // no row alone has more than a quarter
    CELL.max(even).max(narrow)
}

/// The two vertices that a step passes between: a way that is free has only free ones around it, and a step
/// between others would lead through a thin wall. A step along an axis passes none but its own ends.
fn beside([di, dj]: [isize; 2]) -> [[isize; 2]; 2] {
    let (x, z) = (di.signum(), dj.signum());
    match (di.abs(), dj.abs()) {
        (2, 1) => [[x, 0], [x, z]],
        (1, 2) => [[0, z], [x, z]],
        (1, 1) => [[x, 0], [0, z]],
        _ => [[0, 0], [di, dj]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Wall;

    impl Ground for Wall {
        fn room(&self, [x, z]: [f64; 2]) -> f64 {
            // A wall along x at z = 2 with a gap at x > 3.
            let past = 3.0 - x;
            let wall = (z - 2.0).abs() - 0.2;
            if past > 0.0 { wall } else { wall.max(-past) }
        }
    }

    struct Open;

    fn disc(place: [f64; 2]) -> Disc {
        Disc { place, radius: 0.1 }
    }

    impl Ground for Open {
        fn room(&self, _: [f64; 2]) -> f64 {
            1.0
        }
    }

    #[test]
    fn it_never_counts_more_than_the_straight_line_and_hardly_less() {
        let field = DistanceField::new(&Open, [[-5.0, -5.0], [5.0, 5.0]], disc([0.33, -0.21]));
        for k in 0..400 {
            let point = [
                f64::from(k * 37 % 99) / 10.0 - 4.9,
                f64::from(k * 53 % 97) / 10.0 - 4.8,
            ];
            let straight = (point[0] - 0.33).hypot(point[1] + 0.21);
            let found = field.at(point);
            assert!(
                found <= straight + 1e-4,
                "{point:?}: {found} above {straight}"
            );
            assert!(
                found >= 0.9 * straight - 0.35,
                "{point:?}: {found} below {straight}"
            );
        }
    }

    #[test]
    fn large_ground_has_larger_cells() {
        for high in [[1e4, 1e4], [1e4, 3.0]] {
            let low = high.map(|far: f64| -far);
            let field = DistanceField::new(&Open, [low, high], disc([0.0, 0.0]));
            assert!((field.values.len() as f64) < 2.0 * MOST_VERTICES);
            let point = [0.6 * high[0], 0.0];
            let found = field.at(point);
            assert!(
                found > 0.85 * point[0] && found <= point[0],
                "{found} of {point:?}"
            );
        }
    }

    #[test]
    fn it_falls_by_no_more_than_a_metre_a_metre() {
        let field = DistanceField::new(&Wall, [[-1.0, -1.0], [6.0, 5.0]], disc([0.0, 4.0]));
        for k in 0..4000 {
            let a = [
                f64::from(k * 37 % 63) / 10.0 - 0.6,
                f64::from(k * 53 % 51) / 10.0 - 0.3,
            ];
            for step in [[0.03, 0.0], [0.0, 0.07], [-0.2, 0.1]] {
                let b = [a[0] + step[0], a[1] + step[1]];
                let length = step[0].hypot(step[1]);
                if Wall.room(a) > 0.25 && Wall.room(b) > 0.25 {
                    assert!((field.at(a) - field.at(b)).abs() <= length + 1e-4, "{a:?}");
                }
            }
        }
        assert!(
            // Straight through it would be 3.9 m, around it 6.9; the steepest triangle, at its end, takes the rest.
            field.at([0.0, 0.0]) > 4.8,
            "around the wall: {}",
            field.at([0.0, 0.0])
        );
    }
}
