//! The transition error of two clips as a whole matrix, for looking at (Kovar et al. 2002, fig. 3).

use afoot_core::Clip;

use crate::distance::{Block, Features, PointCloud, RowSink, Rows, WindowShape, sweep};
use crate::fingerprint::compared_hash;
use crate::minima::{Candidate, find_minima};
use crate::options::{GraphError, GraphOptions, check_clips, check_options, window_frames};

/// Errors between all windows of two clips. A row is a window of the first clip, a column one of
/// the second, by their first frames.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorMatrix {
    /// Windows of the first clip.
    pub rows: usize,
    /// Windows of the second clip.
    pub cols: usize,
    /// Frames in a window.
    pub window: usize,
    /// Row by row; infinite where a window touches a fault. [cm]
    pub values: Vec<f32>,
    /// Row and column of the local minima up to the threshold, sorted.
    pub minima: Vec<[u32; 2]>,
}

/// The errors between two clips; a clip against itself gives a symmetric matrix, whose minima lie at
/// least a window off the diagonal. Clips shorter than the window give a matrix without rows.
pub fn error_matrix(a: &Clip, b: &Clip, options: &GraphOptions) -> Result<ErrorMatrix, GraphError> {
    check_options(options)?;
    let own = compared_hash(a) == compared_hash(b);
    let pair = [a.clone(), b.clone()];
    let clips = if own { &pair[..1] } else { &pair[..] };
    check_clips(clips)?;
    let clips: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&clips, &options.cloud).ok_or(GraphError::NoWeight)?;
    let window = window_frames(options.window, a.rate);
    let features = Features::new(
        &clips,
        &cloud,
        &WindowShape::new(window, options.cloud.taper),
    );
    let block = Block {
        clips: 0..1,
        cols: features.cols(clips.len() - 1),
    };
    let [rows, cols] = [a, b].map(|clip| (clip.len() + 1).saturating_sub(window));
    let mut matrix = ErrorMatrix {
        rows,
        cols,
        window,
        values: vec![f32::INFINITY; rows * cols],
        minima: Vec::new(),
    };
    sweep(&features, &block, &mut matrix);
    let found = find_minima(&features, &block, options.threshold_cm);
    matrix.minima = found
        .iter()
        .map(|Candidate { i, s, .. }| [*i, *s])
        .collect();
    if own {
        matrix.mirror();
    }
    matrix.minima.sort_unstable();
    Ok(matrix)
}

impl RowSink for ErrorMatrix {
    fn rows(&mut self, rows: &Rows<'_>) {
        for frame in rows.first..(rows.first + rows.count).min(self.rows) {
            let out = &mut self.values[frame * self.cols..][..self.cols];
            for (out, square) in out.iter_mut().zip(rows.row(frame as isize)) {
                *out = square.sqrt();
            }
        }
    }
}

impl ErrorMatrix {
    /// Copies what is above the diagonal to below it.
    fn mirror(&mut self) {
        for row in 0..self.rows {
            for col in 0..row {
                self.values[row * self.cols + col] = self.values[col * self.cols + row];
            }
        }
        let below: Vec<[u32; 2]> = self.minima.iter().map(|[row, col]| [*col, *row]).collect();
        self.minima.extend(below);
    }
}
