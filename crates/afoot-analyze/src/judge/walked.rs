//! How far a walker is from the asked path, and the path from where the walker went.
//!
//! The second shows corners that were cut or skipped, and ends that were never reached. The path is
//! looked at every 10 cm and at its corners. Cost: see `polyline`.

use std::collections::HashSet;

use glam::Vec3;

use super::quality::Quality;
use crate::polyline::Polyline;

/// How densely the path is looked at. [m]
const STEP: f64 = 0.1;

/// Where the walker went.
#[derive(Debug, Default)]
pub(super) struct Walked {
    trace: Vec<[f64; 2]>,
    /// The path, made ready with the first frames.
    asked: Option<Polyline>,
    sum: f64,
    farthest: Option<f64>,
}

impl Walked {
    /// Takes in the next frames.
    pub fn add(&mut self, roots: &[Vec3], path: &[[f64; 2]]) {
        let ground = roots.iter().map(|p| [f64::from(p.x), f64::from(p.z)]);
        let asked = self.asked.get_or_insert_with(|| Polyline::new(path));
        let distances = asked.distances(ground.clone());
        self.trace.extend(ground);
        self.sum += distances.iter().sum::<f64>();
        let farthest = distances.into_iter().chain(self.farthest);
        self.farthest = farthest.reduce(f64::max);
    }

    /// Fills in the fields; nothing for an empty path or without frames.
    pub fn report(&self, path: &[[f64; 2]], quality: &mut Quality) {
        if self.farthest.is_none() {
            return;
        }
        quality.path_mean_m = Some(self.sum / self.trace.len() as f64);
        quality.path_max_m = self.farthest;
        // A path that goes over itself is looked at once.
        let mut seen = HashSet::new();
        let points = points_along(path).filter(|point| seen.insert(point.map(f64::to_bits)));
        let distances = Polyline::new(&self.trace).distances(points);
        quality.path_missed_m = distances.into_iter().reduce(f64::max);
    }
}

/// The corners of a path and points between them, no farther apart than [`STEP`].
fn points_along(path: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let between = |ends: &[[f64; 2]]| {
        let [from, to] = [ends[0], ends[1]];
        let parts = ((to[0] - from[0]).hypot(to[1] - from[1]) / STEP)
            .ceil()
            .max(1.0);
        (0..parts as usize).map(move |part| {
            let share = part as f64 / parts;
            [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]))
        })
    };
    path.windows(2)
        .flat_map(between)
        .chain(path.last().copied())
}
