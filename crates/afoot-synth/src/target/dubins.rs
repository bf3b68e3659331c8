//! Smooth ways between two places with directions: an arc, a straight line, an arc (Dubins 1957).

use std::f64::consts::TAU;

use afoot_core::Planar;

use crate::path::GroundPath;

/// How far a way goes on beyond its goal, straight: motion may come in a little late. [m]
pub(crate) const OVERSHOOT: f64 = 1.0;
/// Distance of the points. [m]
const STEP: f64 = 0.05;
/// Ways given at most, the shortest ones.
const MOST: usize = 8;

/// Ways from a place and direction of travel to another, the shortest first: of every radius those
/// with both arcs to either side.
pub(crate) fn ways_between(from: Planar, to: Planar, radii: &[f64]) -> Vec<GroundPath> {
    let sides = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
    let mut ways: Vec<Way> = radii
        .iter()
        .flat_map(|&radius| sides.map(|sides| Way::new(from, to, radius, sides)))
        .flatten()
        .collect();
    ways.sort_by(|a, b| a.length().total_cmp(&b.length()));
    ways.truncate(MOST);
    ways.iter()
        .filter_map(|way| GroundPath::new(way.points(from)).ok())
        .collect()
}

/// Turn by an angle, go straight, turn again.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Way {
    radius: f64,
    /// Signed as yaw is. [rad]
    turns: [f64; 2],
    straight: f64,
}

impl Way {
    /// With the first and the second arc to these sides (1 to where yaw grows); `None` where the
    /// circles of opposite sides overlap.
    fn new(from: Planar, to: Planar, radius: f64, [first, second]: [f64; 2]) -> Option<Self> {
        let centre = |at: Planar, side: f64| {
            let (sin, cos) = at.yaw.sin_cos();
            [at.x + side * radius * cos, at.z - side * radius * sin]
        };
        let (a, b) = (centre(from, first), centre(to, second));
        let (x, z) = (b[0] - a[0], b[1] - a[1]);
        let (apart, bearing) = (x.hypot(z), x.atan2(z));
        let (heading, straight) = if first == second {
            (bearing, apart)
        } else {
            let across = 2.0 * radius;
            if apart < across {
                return None;
            }
            let lean = first * (across / apart).asin();
            (bearing + lean, (apart * apart - across * across).sqrt())
        };
        let turns = [
            first * arc(first * (heading - from.yaw)),
            second * arc(second * (to.yaw - heading)),
        ];
        Some(Self {
            radius,
            turns,
            straight,
        })
    }

    fn length(&self) -> f64 {
        self.radius * (self.turns[0].abs() + self.turns[1].abs()) + self.straight
    }

    /// Points all along and [`OVERSHOOT`] beyond.
    fn points(&self, from: Planar) -> Vec<[f64; 2]> {
        let mut pen = Pen {
            at: from,
            points: vec![[from.x, from.z]],
        };
        pen.go(self.radius * self.turns[0].abs(), self.turns[0]);
        pen.go(self.straight, 0.0);
        pen.go(self.radius * self.turns[1].abs(), self.turns[1]);
        pen.go(OVERSHOOT, 0.0);
        pen.points
    }
}

/// An angle brought into 0..2π, where almost a whole turn is none.
fn arc(angle: f64) -> f64 {
    let angle = angle.rem_euclid(TAU);
    if angle > TAU - 1e-6 { 0.0 } else { angle }
}

struct Pen {
    at: Planar,
    points: Vec<[f64; 2]>,
}

impl Pen {
    /// Draws a line of that length that turns by that angle in all.
    fn go(&mut self, length: f64, turn: f64) {
        let steps = (length / STEP).ceil() as usize;
        let part = turn / steps.max(1) as f64;
        // The chord of an arc is shorter than it.
        let chord = if turn.abs() > 1e-9 {
            2.0 * (length / turn.abs()) * (part.abs() / 2.0).sin()
        } else {
            length / steps.max(1) as f64
        };
        for _ in 0..steps {
            let (sin, cos) = (self.at.yaw + part / 2.0).sin_cos();
            self.at.x += chord * sin;
            self.at.z += chord * cos;
            self.at.yaw += part;
            self.points.push([self.at.x, self.at.z]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_passes_the_goal_in_the_wanted_direction() {
        let from = Planar::new(1.0, -2.0, 0.4);
        for (x, z, yaw) in [
            (5.0, 3.0, 2.0),
            (1.0, -1.0, 3.0),
            (-4.0, 0.0, -1.0),
            (1.2, -2.1, 0.3),
        ] {
            let to = Planar::new(x, z, yaw);
            let ways = ways_between(from, to, &[0.5, 1.5]);
            assert!(ways.len() >= 4, "{} ways to {to:?}", ways.len());
            for way in ways {
                let way = way.points();
                let end = way[way.len() - 1];
                let goal = [
                    end[0] - OVERSHOOT * yaw.sin(),
                    end[1] - OVERSHOOT * yaw.cos(),
                ];
                let off = (goal[0] - x).hypot(goal[1] - z);
                assert!(off < 1e-6, "{off} m off {to:?}");
                let (dx, dz) = (way[1][0] - way[0][0], way[1][1] - way[0][1]);
                let turn = afoot_core::wrap_angle(dx.atan2(dz) - from.yaw);
                assert!(turn.abs() < 0.06, "starts {turn} rad off");
                let steps = way
                    .windows(2)
                    .map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1]));
                assert!(steps.fold(0.0, f64::max) < STEP + 1e-9);
            }
        }
    }

    #[test]
    fn straight_ahead_is_the_shortest_way() {
        let ways = ways_between(Planar::IDENTITY, Planar::new(0.0, 4.0, 0.0), &[1.0]);
        assert!(ways[0].points().iter().all(|[x, _]| x.abs() < 1e-9));
        assert_eq!(ways[0].points().len(), 101);
    }
}
