//! How much room there is at a place, and whether a straight line has enough all along.
//!
//! Room changes by no more than one moves. Sweeps are continuous: lines are held against shapes by their
//! formulas; where there is none (areas cut out of others, worlds that wrap around) a line is halved until
//! its middle's room clears or blocks it, to a tenth of a millimetre, and what is nearer than that to the
//! limit counts as touching.

use crate::geometry::{between, distance};
use crate::rules::Rule;
use crate::shapes::Obstacle;
use crate::world::World;

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

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::Planar;
    use afoot_search::Random;

    #[test]
    fn sweeps_find_what_dense_samples_find() {
        let world = World::from_json(
            r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"circle": [2,2,0.5]},
                {"polygon": [[4,4],[6,4],[6,4.1],[4,4.1]]}]}"#,
        )
        .unwrap();
        let standing = Standing::new(&world);
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
            let clears =
                |pair: &[Planar]| standing.segment_clears([point(&pair[0]), point(&pair[1])], 0.25);
            let clears = standing.room(point(&poses[0])) >= 0.25 && poses.windows(2).all(clears);
            if (least - 0.25).abs() > 1e-3 {
                assert_eq!(clears, least > 0.25, "{origin:?} {poses:?}");
            }
            *(if clears { &mut free } else { &mut hit }) += 1;
        }
        assert!(free > 200 && hit > 200);
    }
}
