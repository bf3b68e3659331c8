//! Ways over the ground by arc length: straight pieces and bends with eased curvature.

use afoot_core::Planar;

/// Step of the table. [m]
const STEP: f64 = 0.01;

/// A way that starts at the origin along +z. Before its start and after its end it goes on with
/// the curvature it has there.
#[derive(Clone, Debug)]
pub struct Path {
    places: Vec<Planar>,
    /// Unwrapped, unlike those in `places`. [rad]
    yaws: Vec<f64>,
}

impl Path {
    /// Pieces as (length [m], turn [rad, left positive]); the curvature between two pieces is
    /// eased over `ease` metres.
    pub fn new(pieces: &[(f64, f64)], ease: f64) -> Self {
        let mut curvature: Vec<f64> = pieces
            .iter()
            .flat_map(|&(length, turn)| vec![turn / length; (length / STEP).round() as usize])
            .collect();
        if ease > 0.0 {
            crate::signal::gaussian(&mut curvature, ease / STEP / 2.0);
        }
        let mut path = Self {
            places: vec![Planar::IDENTITY],
            yaws: vec![0.0],
        };
        curvature.into_iter().for_each(|bend| path.extend(bend));
        path
    }

    /// Place and heading after `distance` metres, and the heading unwrapped.
    pub fn at(&self, distance: f64) -> (Planar, f64) {
        let last = self.places.len() - 1;
        let index = (distance / STEP).floor().clamp(0.0, (last - 1) as f64) as usize;
        let rest = distance - index as f64 * STEP;
        let bend = (self.yaws[index + 1] - self.yaws[index]) / STEP;
        let piece = arc(rest, bend);
        let yaw = self.yaws[index] + bend * rest;
        (self.places[index].then_after(piece), yaw)
    }

    /// Length of the pieces. [m]
    pub fn length(&self) -> f64 {
        (self.places.len() - 1) as f64 * STEP
    }

    fn extend(&mut self, bend: f64) {
        let (place, yaw) = (
            self.places[self.places.len() - 1],
            self.yaws[self.yaws.len() - 1],
        );
        self.places.push(place.then_after(arc(STEP, bend)));
        self.yaws.push(yaw + bend * STEP);
    }
}

/// The end of an arc that starts at the origin along +z.
fn arc(length: f64, bend: f64) -> Planar {
    let turn = bend * length;
    if turn.abs() < 1e-9 {
        return Planar::new(0.0, length, turn);
    }
    let radius = 1.0 / bend;
    Planar::new(radius * (1.0 - turn.cos()), radius * turn.sin(), turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn a_left_circle_closes_on_the_left() {
        let path = Path::new(&[(2.0 * PI, 2.0 * PI)], 0.0);
        let (quarter, yaw) = path.at(FRAC_PI_2);
        assert!((yaw - FRAC_PI_2).abs() < 0.01, "{yaw}");
        assert!(
            (quarter.x - 1.0).abs() < 0.01 && (quarter.z - 1.0).abs() < 0.01,
            "{quarter:?}"
        );
        let (round, _) = path.at(2.0 * PI + 0.5);
        assert!(
            (round.x - (1.0 - 0.5f64.cos())).abs() < 0.02,
            "goes on bending: {round:?}"
        );
    }

    #[test]
    fn easing_keeps_the_whole_turn() {
        let path = Path::new(&[(3.0, 0.0), (1.0, FRAC_PI_2), (3.0, 0.0)], 0.5);
        assert!((path.at(7.0).1 - FRAC_PI_2).abs() < 1e-6);
        assert!(path.at(2.0).1.abs() < 1e-3);
        let (before, _) = path.at(-1.0);
        assert!((before.z + 1.0).abs() < 1e-9 && before.x.abs() < 1e-9);
    }
}
