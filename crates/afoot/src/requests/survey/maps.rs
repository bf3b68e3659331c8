//! Maps of a world as SVG: what is covered, where holes are, which ways are walked.
//!
//! Seen from above as a drawing of the world is: x runs right, z down, and yaw 0 looks down the page.

use std::fmt::Write;

use afoot_core::Planar;
use afoot_world::{Coverage, Hole, Obstacle, World};

/// Points of the drawing in a metre.
const SCALE: f64 = 60.0;
/// Samples that one square of a map stands for, along each side.
const MERGED: usize = 2;

/// A map that is being drawn.
pub(super) struct Map<'a> {
    world: &'a World,
    body: String,
}

impl<'a> Map<'a> {
    pub(super) fn new(world: &'a World) -> Self {
        let body = String::new();
        Self { world, body }
    }

    /// Fills squares by a value of each place, from 0 (none) to 1 (all of the colour).
    pub(super) fn values(
        mut self,
        coverage: &Coverage,
        value: impl Fn(usize) -> f64,
        colour: &str,
    ) -> Self {
        let [width, depth, _] = coverage.samples.size;
        let [step_x, step_z, _] = coverage.samples.step;
        for j in (0..depth).step_by(MERGED) {
            for i in (0..width).step_by(MERGED) {
                let places = (j..(j + MERGED).min(depth)).flat_map(|row| {
                    (i..(i + MERGED).min(width)).map(move |column| row * width + column)
                });
                let free: Vec<usize> = places.filter(|place| coverage.free[*place]).collect();
                if free.is_empty() {
                    continue;
                }
                let mean = free.iter().map(|place| value(*place)).sum::<f64>() / free.len() as f64;
                let at = [
                    coverage.low[0] + (i as f64 - 0.5) * step_x,
                    coverage.low[1] + (j as f64 - 0.5) * step_z,
                ];
                let [x, y] = self.place(at);
                let side = [step_x, step_z].map(|step| step * MERGED as f64 * SCALE + 0.3);
                let _ = write!(
                    self.body,
                    "<rect x='{x:.1}' y='{y:.1}' width='{:.1}' height='{:.1}' fill='{colour}' fill-opacity='{:.2}'/>",
                    side[0],
                    side[1],
                    mean.clamp(0.0, 1.0)
                );
            }
        }
        self
    }

    /// What stands in the world.
    pub(super) fn shapes(mut self) -> Self {
        let world = self.world;
        for rule in world.rules() {
            self.polygon(&rule.polygon, "#8db4e2", 0.6);
        }
        for obstacle in &world.obstacles {
            match obstacle {
                Obstacle::Circle([x, z, radius]) => {
                    let [x, y] = self.place([*x, *z]);
                    let _ = write!(
                        self.body,
                        "<circle cx='{x:.1}' cy='{y:.1}' r='{:.1}' fill='#5b5b66'/>",
                        radius * SCALE
                    );
                }
                Obstacle::Polygon(corners) => self.polygon(corners, "#5b5b66", 1.0),
            }
        }
        self
    }

    /// Holes as arrows along their headings.
    pub(super) fn holes(mut self, holes: &[Hole]) -> Self {
        for hole in holes {
            let [x, y] = self.place([hole.x, hole.z]);
            let [dx, dy] = [hole.yaw.sin() * 16.0, hole.yaw.cos() * 16.0];
            let _ = write!(
                self.body,
                "<circle cx='{x:.1}' cy='{y:.1}' r='4' fill='#b3261e'/><line x1='{x:.1}' y1='{y:.1}' x2='{:.1}' \
                 y2='{:.1}' stroke='#b3261e' stroke-width='2.5' marker-end='url(#tip)'/>",
                x + dx,
                y + dy
            );
        }
        self
    }

    /// A way, with marks where it starts and ends.
    pub(super) fn way(mut self, way: &[Planar], colour: &str, dashed: bool) -> Self {
        let points: Vec<String> = way
            .iter()
            .map(|pose| self.place([pose.x, pose.z]))
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        let dash = if dashed {
            " stroke-dasharray='6 5'"
        } else {
            ""
        };
        let _ = write!(
            self.body,
            "<polyline points='{}' fill='none' stroke='{colour}' stroke-width='3'{dash}/>",
            points.join(" ")
        );
        for (pose, fill) in way
            .first()
            .map(|p| (p, "white"))
            .into_iter()
            .chain(way.last().map(|p| (p, colour)))
        {
            let [x, y] = self.place([pose.x, pose.z]);
            let _ = write!(
                self.body,
                "<circle cx='{x:.1}' cy='{y:.1}' r='5' fill='{fill}' stroke='{colour}' stroke-width='2'/>"
            );
        }
        self
    }

    pub(super) fn finish(self) -> String {
        let [width, depth] = self.world.size().map(|length| length * SCALE);
        format!(
            "<svg viewBox='0 0 {width:.0} {depth:.0}' role='img'><defs><marker id='tip' viewBox='0 0 6 6' refX='4' \
             refY='3' markerWidth='4' markerHeight='4' orient='auto'><path d='M0,0L6,3L0,6z' fill='#b3261e'/></marker>\
             </defs><rect width='100%' height='100%' fill='#ececef'/>{}<rect width='100%' height='100%' fill='none' \
             stroke='#5b5b66' stroke-width='3'/></svg>",
            self.body
        )
    }

    fn polygon(&mut self, corners: &[[f64; 2]], colour: &str, opacity: f64) {
        let points: Vec<String> = corners
            .iter()
            .map(|corner| self.place(*corner))
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        let _ = write!(
            self.body,
            "<polygon points='{}' fill='{colour}' fill-opacity='{opacity}'/>",
            points.join(" ")
        );
    }

    fn place(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let low = self.world.bounds[0];
        [(x - low[0]) * SCALE, (z - low[1]) * SCALE]
    }
}
