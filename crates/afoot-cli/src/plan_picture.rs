//! Where a motion goes, seen from above, beside where it was to go.

use std::path::Path;

use afoot_core::Clip;
use afoot_draw::{PathPicture, PathTrace, draw_paths, plants_on_ground, root_trace};
use afoot_formats::files::write_whole;
use afoot_synth::GroundPath;

use crate::failure::Outcome;

/// Where a motion goes, gathered for a picture of it from above.
#[derive(Default)]
pub struct PlanPicture {
    trace: Vec<[f64; 2]>,
    plants: Vec<[f64; 2]>,
}

impl PlanPicture {
    /// The next frames.
    pub fn add(&mut self, clip: &Clip) {
        self.trace.extend(root_trace(clip));
        self.plants.extend(plants_on_ground(clip));
    }

    /// Asked and walked path.
    pub fn draw(self, path: &GroundPath, file: &Path) -> Outcome {
        let picture = PathPicture {
            traces: vec![
                PathTrace::asked("asked", path.points().to_vec()),
                PathTrace::new("walked", self.trace),
            ],
            plants: self.plants,
            ..PathPicture::default()
        };
        Ok(write_whole(file, &draw_paths(&picture)?)?)
    }
}
