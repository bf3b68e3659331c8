//! The transition error of two clips as a picture.

use std::path::Path;

use afoot_formats::files::write_whole;
use afoot_graph::{ErrorMatrix, GraphOptions, error_matrix};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;
use crate::motion_files::check_picture_file;
use crate::pictures;
use crate::ranges::Ranged;
use crate::threads::in_threads;

/// Asks for the error of every transition from one clip to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Matrix {
    /// The clip that is left, down the picture.
    pub a: String,
    /// The clip that is entered, across it.
    pub b: String,
    /// Mark minima up to this error. [cm, > 0, at most 1000]
    pub threshold_cm: f32,
    /// Length of the compared windows. [s, > 0, at most 60]
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
    /// The best minima, best first.
    pub best: Vec<MatrixMinimum>,
    /// The picture, a PNG.
    #[serde(skip)]
    pub picture: Vec<u8>,
}

/// A local minimum of the error: a good place for a transition.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MatrixMinimum {
    /// Where the first clip is left, in the window's middle. [s]
    pub from: f64,
    /// Where the second one is entered. [s]
    pub to: f64,
    /// The error there. [cm]
    pub error_cm: f32,
}

/// Minima that are listed.
const BEST: usize = 40;

impl Matrix {
    /// Draws the matrix into a file.
    pub fn run(
        &self,
        library: &Library,
        to: impl AsRef<Path>,
        run: &Run,
    ) -> Result<MatrixDrawn, Failure> {
        self.check_ranges()?;
        let to = to.as_ref();
        check_picture_file(Some(to))?;
        let mut drawn = in_threads(run, || self.draw(library))?;
        write_whole(to, &drawn.picture)?;
        drawn.file = Some(to.display().to_string());
        Ok(drawn)
    }

    /// Draws the matrix.
    pub fn draw(&self, library: &Library) -> Result<MatrixDrawn, Failure> {
        self.check_ranges()?;
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
            best: best_minima(&matrix, a.rate.frame_time()),
            least_cm: values.fold(f32::INFINITY, f32::min),
        })
    }
}

fn best_minima(matrix: &ErrorMatrix, frame_time: f64) -> Vec<MatrixMinimum> {
    let half = f64::from(matrix.window as u32) / 2.0;
    let time = |frame: u32| (f64::from(frame) + half) * frame_time;
    let minimum = |&[row, column]: &[u32; 2]| MatrixMinimum {
        from: time(row),
        to: time(column),
        error_cm: matrix.values[row as usize * matrix.cols + column as usize],
    };
    let mut best: Vec<MatrixMinimum> = matrix.minima.iter().map(minimum).collect();
    best.sort_by(|a, b| a.error_cm.total_cmp(&b.error_cm));
    best.truncate(BEST);
    best
}
