//! Where a root may be, where feet may stand, and what heads pass under.

use afoot_core::Planar;
use afoot_graph::contact::{ContactState, ContactStep};
use afoot_world::World;
use afoot_world::geometry::{distance_from, is_inside, segments_cross, strip};

use super::field::Ground;
use super::task::{Constraint, SetTask};
use crate::path::GroundPath;

/// What a task's ground allows.
#[derive(Clone, Debug)]
pub(super) struct Terrain {
    world: Option<World>,
    sketch: Option<GroundPath>,
    half_corridor: f64,
    /// Least and greatest corner of where anything may happen. [m]
    pub(super) bounds: [[f64; 2]; 2],
    /// No foot stands here.
    rivers: Vec<Vec<[f64; 2]>>,
    /// Bars to pass under: ends, height.
    bars: Vec<([[f64; 2]; 2], f64)>,
    /// Bars to pass over: ends, height.
    hurdles: Vec<([[f64; 2]; 2], f64)>,
    /// Raised ground: outline, height.
    raised: Vec<(Vec<[f64; 2]>, f64)>,
}

/// Ground around all that a task names, where no world says where it ends. [m]
const AROUND: f64 = 3.0;
/// So far to either side of a bar a head is kept below it. [m]
const BAR_REACH: f64 = 0.3;
/// So near to a bar a foot is over it. [m]
const HURDLE_REACH: f64 = 0.06;
/// Feet that are said to stand at a height do so to within this. [m]
pub(super) const STANDING: f64 = 0.09;
/// As wide as a jump's banks are at least. [m]
const BANKS: f64 = 2.0;

impl Terrain {
    pub(super) fn new(set: &SetTask) -> Self {
        let task = &set.task;
        let mut terrain = Self {
            world: set.world.clone(),
            sketch: GroundPath::new(task.sketch.clone()).ok(),
            half_corridor: 0.5 * task.corridor,
            bounds: set
                .world
                .as_ref()
                .map_or_else(|| around(set), |world| world.bounds),
            rivers: Vec::new(),
            bars: Vec::new(),
            hurdles: Vec::new(),
            raised: Vec::new(),
        };
        if let Some(world) = &set.world {
            terrain
                .rivers
                .extend(world.rivers.iter().map(|river| river.polygon.clone()));
            let bars = world.bars.iter();
            terrain
                .bars
                .extend(bars.map(|bar| ([bar.from, bar.to], bar.height)));
            let beams = world.beams.iter().map(|beam| (beam.outline(), beam.height));
            let heights = world
                .heights
                .iter()
                .map(|high| (high.polygon.clone(), high.height));
            terrain.raised.extend(beams.chain(heights));
        }
        for constraint in &task.constraints {
            match constraint {
                Constraint::Jump { from, to } => {
                    let width = task.corridor.max(BANKS);
                    terrain.rivers.push(strip(*from, *to, width));
                }
                Constraint::Duck { under, height } => terrain.bars.push((*under, *height)),
                Constraint::StepOver { over, height } => terrain.hurdles.push((*over, *height)),
                Constraint::StepOn { polygon, height } => {
                    terrain.raised.push((polygon.clone(), *height));
                }
                _ => {}
            }
        }
        terrain
    }

    /// Whether a step from a place, on to a state, keeps clear of all.
    pub(super) fn allows(&self, at: &Placed, step: &ContactStep, to: &ContactState) -> bool {
        let clear = step.samples.iter().all(|sample| {
            let root = at.point(sample.root);
            self.room(root) >= 0.0
                && self.passes_under(root, f64::from(sample.head))
                && sample
                    .feet
                    .iter()
                    .all(|foot| self.passes_over(at.point([foot[0], foot[1]]), foot[2]))
        });
        clear && self.feet_clear_hurdles(at, step) && self.bears(&at.after(step.motion), to)
    }

    /// Whether feet may stand where a state has them.
    pub(super) fn bears(&self, at: &Placed, state: &ContactState) -> bool {
        state.feet.iter().all(|foot| {
            let place = at.point([foot[0], foot[1]]);
            let on = self
                .raised
                .iter()
                .filter(|(outline, _)| is_inside(place, outline));
            let ground = on
                .map(|(_, height)| *height)
                .fold(f64::NEG_INFINITY, f64::max);
            if ground.is_finite() {
                return (f64::from(foot[2]) - ground).abs() < STANDING;
            }
            f64::from(foot[2]) < STANDING
                && !self.rivers.iter().any(|river| is_inside(place, river))
        })
    }

    fn passes_under(&self, root: [f64; 2], head: f64) -> bool {
        let near = |ends: &[[f64; 2]; 2]| distance_from(root, ends[0], ends[1]) < BAR_REACH;
        !self
            .bars
            .iter()
            .any(|(ends, height)| head > *height && near(ends))
    }

    /// Whether feet are high enough where they cross hurdles between samples.
    fn feet_clear_hurdles(&self, at: &Placed, step: &ContactStep) -> bool {
        self.hurdles.iter().all(|(ends, height)| {
            step.samples.windows(2).all(|pair| {
                [0, 1].iter().all(|side| {
                    let [a, b] = [0, 1].map(|sample: usize| pair[sample].feet[*side]);
                    let [from, to] = [a, b].map(|foot| at.point([foot[0], foot[1]]));
                    if !segments_cross(from, to, ends[0], ends[1]) {
                        return true;
                    }
                    let [near, far] = [from, to].map(|foot| distance_from(foot, ends[0], ends[1]));
                    let share = near / (near + far).max(1e-9);
                    let lift = f64::from(a[2]) + share * f64::from(b[2] - a[2]);
                    lift >= *height
                })
            })
        })
    }

    fn passes_over(&self, foot: [f64; 2], height: f32) -> bool {
        let near = |ends: &[[f64; 2]; 2]| distance_from(foot, ends[0], ends[1]) < HURDLE_REACH;
        !self
            .hurdles
            .iter()
            .any(|(ends, bar)| f64::from(height) < *bar && near(ends))
    }
}

impl Ground for Terrain {
    fn room(&self, [x, z]: [f64; 2]) -> f64 {
        let [low, high] = self.bounds;
        let mut room = (x - low[0])
            .min(high[0] - x)
            .min(z - low[1])
            .min(high[1] - z);
        if let Some(sketch) = &self.sketch {
            room = room.min(self.half_corridor - sketch.distance_to([x, z]));
        }
        if let Some(world) = &self.world {
            room = room.min(world.clearance([x, z]) - world.radius);
        }
        room
    }
}

/// All that a task names, with room around it.
fn around(set: &SetTask) -> [[f64; 2]; 2] {
    let task = &set.task;
    let mut points = vec![[task.start.x, task.start.z]];
    points.extend(task.goal().map(|goal| [goal.x, goal.z]));
    points.extend(&task.sketch);
    points.extend(task.constraints.iter().flat_map(Constraint::ground));
    let fold = |axis: usize, start: f64, pick: fn(f64, f64) -> f64| {
        points.iter().map(|point| point[axis]).fold(start, pick)
    };
    let low = [0, 1].map(|axis| fold(axis, f64::INFINITY, f64::min) - AROUND);
    let high = [0, 1].map(|axis| fold(axis, f64::NEG_INFINITY, f64::max) + AROUND);
    [low, high]
}

/// A place on the ground with its sine and cosine at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    at: Planar,
    sin: f64,
    cos: f64,
}

impl Placed {
    pub(super) fn new(at: Planar) -> Self {
        let (sin, cos) = at.yaw.sin_cos();
        Self { at, sin, cos }
    }

    /// Where a point of the root's frame is.
    pub(super) fn point(&self, [x, z]: [f32; 2]) -> [f64; 2] {
        let (x, z) = (f64::from(x), f64::from(z));
        [
            x * self.cos + z * self.sin + self.at.x,
            z * self.cos - x * self.sin + self.at.z,
        ]
    }

    pub(super) fn after(&self, motion: Planar) -> Self {
        Self::new(self.at.then_after(motion))
    }

    pub(super) fn planar(&self) -> Planar {
        self.at
    }
}
