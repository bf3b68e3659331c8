//! The transition error of two clips as a picture.

use std::path::Path;

use afoot_formats::files::write_whole;
use afoot_graph::{GraphOptions, error_matrix};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;
use crate::motion_files::check_picture_file;
use crate::pictures;
use crate::threads::in_threads;

/// Asks for the error of every transition from one clip to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Matrix {
    /// The clip that is left, down the picture.
    pub a: String,
    /// The clip that is entered, across it.
    pub b: String,
    /// Mark minima up to this error. [cm, > 0]
    pub threshold_cm: f32,
    /// Length of the compared windows. [s, > 0]
    pub window: f64,
}

impl Default for Matrix {
    fn default() -> Self {
        let options = GraphOptions::default();
        Self {
            a: String::new(),
            b: String::new(),
            threshold_cm: options.threshold_cm,
            window: options.window,
        }
    }
}

/// A matrix that was drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatrixDrawn {
    /// The picture's file, if it was written.
    pub file: Option<String>,
    /// Minima up to the threshold.
    pub minima: usize,
    /// The least error. [cm]
    pub least_cm: f32,
    /// The picture, a PNG.
    #[serde(skip)]
    pub picture: Vec<u8>,
}

impl Matrix {
    /// Draws the matrix into a file.
    pub fn run(
        &self,
        library: &Library,
        to: impl AsRef<Path>,
        run: &Run,
    ) -> Result<MatrixDrawn, Failure> {
        let to = to.as_ref();
        check_picture_file(Some(to))?;
        let mut drawn = in_threads(run, || self.draw(library))?;
        write_whole(to, &drawn.picture)?;
        drawn.file = Some(to.display().to_string());
        Ok(drawn)
    }

    /// Draws the matrix.
    pub fn draw(&self, library: &Library) -> Result<MatrixDrawn, Failure> {
        let store = library.read()?;
        let (a, b) = (store.clip(&self.a)?, store.clip(&self.b)?);
        let options = GraphOptions {
            threshold_cm: self.threshold_cm,
            window: self.window,
            ..GraphOptions::default()
        };
        let matrix = error_matrix(&a, &b, &options)?;
        if matrix.values.is_empty() {
            return Err(Failure::no_motion(format!(
                "clip {:?} or {:?} has fewer frames than the window's {}",
                a.name, b.name, matrix.window
            )));
        }
        let values = matrix.values.iter().copied();
        Ok(MatrixDrawn {
            file: None,
            picture: pictures::matrix(&matrix, [&a, &b])?,
            minima: matrix.minima.len(),
            least_cm: values.fold(f32::INFINITY, f32::min),
        })
    }
}
