//! How much room there is at a place, from a grid that most questions need no more than.
//!
//! Room changes by no more than one moves, so that its value at a grid node bounds it around the node.
//! A path is held against it as a tree of discs: a disc with room to spare clears all of the path in it,
//! a middle without room ends the question, and only what lies within a disc's radius of the limit is
//! looked at more closely, in the end with the shapes themselves. Sweeps are continuous: to a tenth of
//! a millimetre no collision between two frames is missed, and what is nearer than that to the limit
//! counts as one.

use afoot_core::Planar;
use rayon::prelude::*;

use crate::geometry::{between, distance};
use crate::rules::Rule;
use crate::shapes::Obstacle;
use crate::world::World;

/// Nodes of a grid, at most.
const MOST_NODES: f64 = 4e6;
/// How closely a sweep looks. [m]
const CLOSE: f64 = 1e-4;

/// Something that has room at every place of a world: obstacles with the bounds, or a rule's area.
pub trait Room: Sync {
    /// Exactly. [m]
    fn room(&self, point: [f64; 2]) -> f64;

    /// Whether a straight line has at least `need` room all along; too close to call is no. [m]
    fn segment_clears(&self, [a, b]: [[f64; 2]; 2], need: f64) -> bool {
        let (middle, half) = (between(a, b, 0.5), distance(a, b) / 2.0);
        let room = self.room(middle);
        if room - half >= need {
            return true;
        }
        if room < need || half < CLOSE {
            return false;
        }
        self.segment_clears([a, middle], need) && self.segment_clears([middle, b], need)
    }
}

/// The room that a world's obstacles and bounds leave, with lines by their formulas.
pub struct Standing<'a> {
    world: &'a World,
    /// All obstacles, of a world that wraps around those beside it too, each with its box.
    shapes: Vec<(Obstacle, [[f64; 2]; 2])>,
}

impl<'a> Standing<'a> {
    /// Of a world.
    pub fn new(world: &'a World) -> Self {
        let shifts = world.repetitions();
        let shapes = shifts.iter().flat_map(|shift| {
            let moved = world.obstacles.iter().map(|shape| shape.shifted(*shift));
            moved.map(|shape| {
                let extent = shape.extent();
                (shape, extent)
            })
        });
        Self {
            shapes: shapes.collect(),
            world,
        }
    }
}

impl Room for Standing<'_> {
    fn room(&self, point: [f64; 2]) -> f64 {
        self.world.clearance(point)
    }

    fn segment_clears(&self, [from, to]: [[f64; 2]; 2], need: f64) -> bool {
        let a = self.world.fold(from);
        let b = [a[0] + to[0] - from[0], a[1] + to[1] - from[1]];
        let inside = |point: [f64; 2]| self.world.bounds_clearance(point) >= need;
        let within = self.world.wrap || (inside(a) && inside(b));
        if !within {
            return false;
        }
        let near = |[low, high]: &[[f64; 2]; 2]| {
            (0..2).all(|axis| {
                a[axis].max(b[axis]) > low[axis] - need && a[axis].min(b[axis]) < high[axis] + need
            })
        };
        let mut shapes = self.shapes.iter().filter(|(_, extent)| near(extent));
        shapes.all(|(shape, _)| shape.segment_clearance(a, b) >= need)
    }
}

/// The room outside a rule's area.
pub struct Outside<'a> {
    world: &'a World,
    rule: Rule,
    area: Obstacle,
}

impl<'a> Outside<'a> {
    /// Of a rule of a world.
    pub fn new(world: &'a World, rule: Rule) -> Self {
        let area = Obstacle::Polygon(rule.polygon.clone());
        Self { world, rule, area }
    }
}

impl Room for Outside<'_> {
    fn room(&self, point: [f64; 2]) -> f64 {
        self.rule.room(self.world.fold(point))
    }

    fn segment_clears(&self, [from, to]: [[f64; 2]; 2], need: f64) -> bool {
        let folded = [from, to].map(|point| self.world.fold(point));
        let plain = self.rule.except.is_empty() && folded == [from, to];
        match plain && need == 0.0 {
            true => self.area.segment_clearance(from, to) > 0.0,
            false => (|point: [f64; 2]| self.room(point)).segment_clears([from, to], need),
        }
    }
}

impl<F: Fn([f64; 2]) -> f64 + Sync> Room for F {
    fn room(&self, point: [f64; 2]) -> f64 {
        self(point)
    }
}

/// Room at the nodes of a grid.
pub struct RoomField<'a> {
    exact: Box<dyn Room + 'a>,
    world: &'a World,
    per_metre: f64,
    spacing: f64,
    size: [usize; 2],
    values: Vec<f32>,
}

impl<'a> RoomField<'a> {
    /// With nodes `spacing` apart, or farther in large worlds. [m]
    pub fn new(world: &'a World, spacing: f64, exact: impl Room + 'a) -> Self {
        let [width, depth] = world.size();
        let spacing = spacing.max((width * depth / MOST_NODES).sqrt());
        let size = [width, depth].map(|length| (length / spacing).ceil() as usize + 2);
        let low = world.bounds[0];
        let value = |index: usize| {
            let (i, j) = (index % size[0], index / size[0]);
            exact.room([low[0] + i as f64 * spacing, low[1] + j as f64 * spacing]) as f32
        };
        let nodes = (0..size[0] * size[1]).into_par_iter();
        let values = nodes.map(value).collect();
        Self {
            exact: Box::new(exact),
            world,
            per_metre: 1.0 / spacing,
            spacing,
            size,
            values,
        }
    }

    /// Exactly. [m]
    pub fn room(&self, point: [f64; 2]) -> f64 {
        self.exact.room(point)
    }

    /// What the room at a point is at least and at most. [m]
    #[inline]
    fn bounds(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, z] = self.world.fold(point);
        let low = self.world.bounds[0];
        let (u, v) = ((x - low[0]) * self.per_metre, (z - low[1]) * self.per_metre);
        let (i, j) = ((u + 0.5).floor(), (v + 0.5).floor());
        let inside = i >= 0.0 && j >= 0.0 && i < self.size[0] as f64 && j < self.size[1] as f64;
        if !inside {
            let exact = self.exact.room(point);
            return [exact, exact];
        }
        let room = f64::from(self.values[j as usize * self.size[0] + i as usize]);
        let (du, dv) = (u - i, v - j);
        let off = (du * du + dv * dv).sqrt() * self.spacing + 1e-5;
        [room - off, room + off]
    }

    /// Whether a path, moved by `origin`, has at least `need` room all along. [m]
    pub fn clears(&self, path: &Discs, origin: [f64; 2], need: f64) -> bool {
        let mut stack = [0u32; 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let node = stack[depth] as usize;
            let disc = &path.discs[node];
            let middle = [origin[0] + disc.middle[0], origin[1] + disc.middle[1]];
            let [least, most] = self.bounds(middle);
            if least - disc.radius >= need {
                continue;
            }
            if most < need {
                return false;
            }
            if disc.is_leaf {
                let ends = disc.ends.map(|[x, z]| [origin[0] + x, origin[1] + z]);
                if !self.exact.segment_clears(ends, need) {
                    return false;
                }
                continue;
            }
            stack[depth] = 2 * node as u32 + 1;
            stack[depth + 1] = 2 * node as u32 + 2;
            depth += 2;
        }
        true
    }
}

/// A path as a tree of discs around points of it, in heap order.
#[derive(Clone, Debug)]
pub struct Discs {
    discs: Vec<Disc>,
}

#[derive(Clone, Copy, Debug)]
struct Disc {
    /// A point of the path. [m]
    middle: [f64; 2],
    /// All of its stretch of path is that near. [m]
    radius: f64,
    /// Of a leaf's segment.
    ends: [[f64; 2]; 2],
    is_leaf: bool,
}

impl Discs {
    /// Of the segments that join points; one point is a path too.
    pub fn new(poses: &[Planar]) -> Self {
        let points: Vec<[f64; 2]> = poses.iter().map(|pose| [pose.x, pose.z]).collect();
        let segments = points.len().max(2) - 1;
        let leaves = segments.next_power_of_two();
        let none = Disc {
            middle: points[0],
            radius: 0.0,
            ends: [points[0]; 2],
            is_leaf: true,
        };
        let mut discs = vec![none; 2 * leaves - 1];
        fill(&mut discs, 0, &points);
        Self { discs }
    }
}

/// Fills the tree below a node with a stretch of points.
fn fill(discs: &mut [Disc], node: usize, points: &[[f64; 2]]) {
    let segments = points.len().max(2) - 1;
    if segments == 1 {
        let ends = [points[0], points[points.len() - 1]];
        discs[node] = Disc {
            middle: between(ends[0], ends[1], 0.5),
            radius: distance(ends[0], ends[1]) / 2.0,
            ends,
            is_leaf: true,
        };
        return;
    }
    let half = segments.next_power_of_two() / 2;
    let middle = points[segments / 2];
    let far = points.iter().map(|point| distance(*point, middle));
    discs[node] = Disc {
        middle,
        radius: far.fold(0.0, f64::max),
        ends: [middle; 2],
        is_leaf: false,
    };
    fill(discs, 2 * node + 1, &points[..=half]);
    fill(discs, 2 * node + 2, &points[half..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_search::Random;

    #[test]
    fn sweeps_find_what_dense_samples_find() {
        let world = World::from_json(
            r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"circle": [2,2,0.5]},
                {"polygon": [[4,4],[6,4],[6,4.1],[4,4.1]]}]}"#,
        )
        .unwrap();
        let field = RoomField::new(&world, 0.05, Standing::new(&world));
        let mut random = Random::new(3);
        let (mut free, mut hit) = (0, 0);
        for _ in 0..2000 {
            let origin = [random.between(0.0, 7.0), random.between(0.0, 8.0)];
            let count = 1 + random.below(9);
            let mut at = [0.0, 0.0];
            let poses: Vec<Planar> = (0..count)
                .map(|_| {
                    at = [
                        at[0] + random.between(-0.4, 0.4),
                        at[1] + random.between(-0.4, 0.4),
                    ];
                    Planar::new(at[0], at[1], 0.0)
                })
                .collect();
            let point = |pose: &Planar| [origin[0] + pose.x, origin[1] + pose.z];
            let dense = |pair: &[Planar]| {
                let (a, b) = (point(&pair[0]), point(&pair[1]));
                (0..=1000)
                    .map(|k| world.clearance(between(a, b, f64::from(k) / 1000.0)))
                    .fold(f64::INFINITY, f64::min)
            };
            let least = poses.windows(2).map(dense);
            let least = least.fold(world.clearance(point(&poses[0])), f64::min);
            let clears = field.clears(&Discs::new(&poses), origin, 0.25);
            if (least - 0.25).abs() > 1e-3 {
                assert_eq!(clears, least > 0.25, "{origin:?} {poses:?}");
            }
            *(if clears { &mut free } else { &mut hit }) += 1;
        }
        assert!(free > 200 && hit > 200);
    }
}
