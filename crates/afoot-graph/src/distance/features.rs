//! Clips as the flat arrays that the kernel multiplies.
//!
//! Each frame's points are taken relative to the frame's own weighted centroid on the ground, so
//! that a window's sums split into two parts without cross terms: the shape of the body (a product
//! per frame pair, summed along diagonals) and the centroid's path relative to its mean over the
//! window (a product per window pair). Both stay below a metre wherever the clip is, which is what
//! keeps f32 exact enough. Clips are levelled; from heights the rest pose's are taken away.
//! All numbers are scaled so that the sums are mean squares over the window in cm².
//! Rows are packed in panels of `ROWS` frames that start anew at each clip, columns in panels of
//! `COLS` frames over all clips in a row. About 0.8 KB per frame for 31 joints and 10 frames.

use std::ops::Range;

use afoot_core::{Clip, FrameId, Vec3};
use rayon::prelude::*;

use super::cloud::PointCloud;
use super::lanes::WIDTH;
use crate::level::level_clip;
use crate::motion_graph::Place;

/// Frames in a panel of rows.
pub(super) const ROWS: usize = 4;
/// Frames in a panel of columns: the lanes of a vector.
pub(super) const COLS: usize = WIDTH;

/// How the frames of a window count.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowShape {
    /// Weights of its frames, which sum to 1.
    weights: Vec<f64>,
    tapered: bool,
}

impl WindowShape {
    /// A window of `frames` (at least 2) frames whose ends count less by `taper` (0 to 1).
    pub fn new(frames: usize, taper: f32) -> Self {
        let frames = frames.max(2);
        let taper = if taper.is_finite() {
            taper.clamp(0.0, 1.0)
        } else {
            0.0
        };
        let middle = (frames - 1) as f64 / 2.0;
        let from_middle = |frame: usize| (frame as f64 - middle).abs() / (middle + 0.5);
        let raw: Vec<f64> = (0..frames)
            .map(|f| 1.0 - f64::from(taper) * from_middle(f))
            .collect();
        let total: f64 = raw.iter().sum();
        Self {
            weights: raw.iter().map(|w| w / total).collect(),
            tapered: taper > 0.0,
        }
    }

    /// How many frames it has.
    pub fn frames(&self) -> usize {
        self.weights.len()
    }

    /// The weights of its frames, which sum to 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// For a tapered window, each frame's weight relative to the mean.
    pub(super) fn relative(&self) -> Option<Vec<f32>> {
        let scale = self.frames() as f64;
        self.tapered
            .then(|| self.weights.iter().map(|w| (w * scale) as f32).collect())
    }
}

/// Where a clip lies in the arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub frames: usize,
    pub first_row_panel: usize,
    pub first_col: usize,
}

impl Span {
    pub fn row_panels(&self) -> usize {
        self.frames.div_ceil(ROWS)
    }
}

/// All clips of a comparison, packed.
pub struct Features {
    pub(super) points: usize,
    pub(super) shape: WindowShape,
    pub(super) spans: Vec<Span>,
    pub(super) body_rows: Vec<f32>,
    pub(super) body_cols: Vec<f32>,
    pub(super) path_rows: Vec<f32>,
    pub(super) path_cols: Vec<f32>,
    /// Centred norm of the window that starts at each row; infinite where none may start. [cm²]
    pub(super) norm_rows: Vec<f32>,
    pub(super) norm_cols: Vec<f32>,
}

impl Features {
    /// Packs clips, which must share the cloud's skeleton shape and have passed [`Clip::check`].
    ///
    /// Windows that reach past a clip's end or touch one of its faults are never compared.
    pub fn new(clips: &[&Clip], cloud: &PointCloud, shape: &WindowShape) -> Self {
        let mut features = Self::empty(clips, cloud, shape);
        let described: Vec<_> = clips
            .par_iter()
            .map(|clip| describe(clip, cloud, shape))
            .collect();
        for (index, clip) in described.iter().enumerate() {
            features.pack(index, clip);
        }
        features
    }

    /// How many clips there are.
    pub fn clips(&self) -> usize {
        self.spans.len()
    }

    /// How many frames a clip has.
    pub fn frames(&self, clip: usize) -> usize {
        self.spans[clip].frames
    }

    /// How many frames all clips have.
    pub fn total_frames(&self) -> usize {
        self.spans
            .last()
            .map_or(0, |span| span.first_col + span.frames)
    }

    /// A clip's columns.
    pub fn cols(&self, clip: usize) -> Range<usize> {
        let span = self.spans[clip];
        span.first_col..span.first_col + span.frames
    }

    /// How many frames a window has.
    pub fn window(&self) -> usize {
        self.shape.frames()
    }

    /// How many points a frame has.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The error of the pair of windows that begin at two places, summed in f64. [cm]
    ///
    /// Infinite where no window may start. For a few pairs; `sweep` is for all.
    pub fn error_cm(&self, a: Place, b: Place) -> f32 {
        let start = |place: Place| self.cols(place.clip.index()).start + place.frame.index();
        let (first, second) = (start(a), start(b));
        let norms = self.norm_cols[first] + self.norm_cols[second];
        if !norms.is_finite() {
            return f32::INFINITY;
        }
        let (mut dot, mut cross, mut height) = (0.0, 0.0, 0.0);
        let mut add = |[x, z]: [f64; 2], [x2, z2]: [f64; 2], weight: f64| {
            dot += weight * (x * x2 + z * z2);
            cross += weight * (x * z2 - z * x2);
        };
        for (step, weight) in self.shape.weights().iter().enumerate() {
            let weight = weight * self.window() as f64;
            for point in 0..self.points {
                let [p, q] = [first, second].map(|start| {
                    let at =
                        |axis| self.value(&self.body_cols, 3 * self.points, start + step, axis);
                    [at(3 * point), at(3 * point + 1), at(3 * point + 2)]
                });
                add([p[0], p[1]], [q[0], q[1]], weight);
                height += weight * p[2] * q[2];
            }
            let [p, q] = [first, second].map(|start| {
                let at = |axis| self.value(&self.path_cols, 2 * self.window(), start, axis);
                [at(2 * step), at(2 * step + 1)]
            });
            add(p, q, 1.0);
        }
        let square = f64::from(norms) - 2.0 * (height + dot.hypot(cross));
        square.max(0.0).sqrt() as f32
    }

    /// One of `size` values of a column.
    fn value(&self, panels: &[f32], size: usize, col: usize, axis: usize) -> f64 {
        f64::from(panels[(col / COLS * size + axis) * COLS + col % COLS])
    }

    fn empty(clips: &[&Clip], cloud: &PointCloud, shape: &WindowShape) -> Self {
        let (mut spans, mut row_panels, mut cols) = (Vec::new(), 0, 0);
        for clip in clips {
            let span = Span {
                frames: clip.len(),
                first_row_panel: row_panels,
                first_col: cols,
            };
            row_panels += span.row_panels();
            cols += span.frames;
            spans.push(span);
        }
        let (points, window) = (cloud.len(), shape.frames());
        let col_panels = cols.div_ceil(COLS);
        Self {
            points,
            shape: shape.clone(),
            spans,
            body_rows: vec![0.0; row_panels * points * 3 * ROWS],
            body_cols: vec![0.0; col_panels * points * 3 * COLS],
            path_rows: vec![0.0; row_panels * window * 2 * ROWS],
            path_cols: vec![0.0; col_panels * window * 2 * COLS],
            norm_rows: vec![f32::INFINITY; row_panels * ROWS],
            norm_cols: vec![f32::INFINITY; col_panels * COLS],
        }
    }

    fn pack(&mut self, clip: usize, described: &Described) {
        let span = self.spans[clip];
        let (body, path) = (self.points * 3, self.shape.frames() * 2);
        for frame in 0..span.frames {
            let row = span.first_row_panel * ROWS + frame;
            let col = span.first_col + frame;
            let values = &described.body[frame * body..][..body];
            scatter::<ROWS, 3>(&mut self.body_rows, row, values);
            scatter::<COLS, 1>(&mut self.body_cols, col, values);
            let values = &described.path[frame * path..][..path];
            scatter::<ROWS, 2>(&mut self.path_rows, row, values);
            scatter::<COLS, 1>(&mut self.path_cols, col, values);
            self.norm_rows[row] = described.norms[frame];
            self.norm_cols[col] = described.norms[frame];
        }
    }
}

/// Puts one frame's values into its place in its panel, `TOGETHER` at a time.
///
/// Columns are taken apart into vectors; rows keep a point's coordinates together, which also keeps
/// the compiler from making vectors of rows instead.
fn scatter<const WIDTH: usize, const TOGETHER: usize>(
    panels: &mut [f32],
    index: usize,
    values: &[f32],
) {
    let (panel, lane) = (index / WIDTH, index % WIDTH);
    let panel = &mut panels[panel * values.len() * WIDTH..][..values.len() * WIDTH];
    let slots = panel.chunks_exact_mut(WIDTH * TOGETHER);
    for (slot, values) in slots.zip(values.chunks_exact(TOGETHER)) {
        slot[lane * TOGETHER..][..TOGETHER].copy_from_slice(values);
    }
}

/// One clip's features, frame by frame.
struct Described {
    /// x, z, y of each point. [scaled cm]
    body: Vec<f32>,
    /// x, z of the centroid at each frame of the window that starts here. [scaled cm]
    path: Vec<f32>,
    norms: Vec<f32>,
}

fn describe(clip: &Clip, cloud: &PointCloud, shape: &WindowShape) -> Described {
    let (body, centroids) = describe_bodies(clip, cloud, shape.frames());
    let path = describe_paths(&centroids, shape);
    let norms = window_norms(clip, &body, &path, shape);
    Described { body, path, norms }
}

/// Points around each frame's centroid, and the centroids. [scaled cm], [m]
fn describe_bodies(clip: &Clip, cloud: &PointCloud, window: usize) -> (Vec<f32>, Vec<[f64; 2]>) {
    let mut at_origin = level_clip(clip);
    let roots = std::mem::replace(&mut at_origin.root, vec![Vec3::ZERO; clip.len()]);
    let positions = cloud.positions(&at_origin);
    let scales: Vec<f64> = cloud
        .weights
        .iter()
        .map(|w| 100.0 * (w / window as f64).sqrt())
        .collect();
    let mut body = Vec::with_capacity(clip.len() * cloud.len() * 3);
    let mut centroids = Vec::with_capacity(clip.len());
    for (index, root) in roots.iter().enumerate() {
        let all = positions.frame(FrameId::from(index));
        let root = root.as_dvec3();
        let points = || cloud.points.iter().map(|&p| all[p].as_dvec3());
        let centroid = points()
            .zip(&cloud.weights)
            .fold([0.0; 2], |sum, (point, weight)| {
                [sum[0] + weight * point.x, sum[1] + weight * point.z]
            });
        for (number, point) in points().enumerate() {
            let height = root.y + point.y - cloud.rest_heights[number];
            let around = [point.x - centroid[0], point.z - centroid[1], height];
            body.extend(around.map(|value| (value * scales[number]) as f32));
        }
        centroids.push([root.x + centroid[0], root.z + centroid[1]]);
    }
    (body, centroids)
}

/// The centroid's path over each window, relative to its mean. [scaled cm]
fn describe_paths(centroids: &[[f64; 2]], shape: &WindowShape) -> Vec<f32> {
    let window = shape.frames();
    let mut path = vec![0.0; centroids.len() * window * 2];
    for (points, out) in centroids
        .windows(window)
        .zip(path.chunks_exact_mut(window * 2))
    {
        let mean = points
            .iter()
            .zip(shape.weights())
            .fold([0.0; 2], |sum, (point, weight)| {
                [sum[0] + weight * point[0], sum[1] + weight * point[1]]
            });
        for ((point, weight), out) in points
            .iter()
            .zip(shape.weights())
            .zip(out.chunks_exact_mut(2))
        {
            let scale = 100.0 * weight.sqrt();
            out[0] = ((point[0] - mean[0]) * scale) as f32;
            out[1] = ((point[1] - mean[1]) * scale) as f32;
        }
    }
    path
}

/// What a window's distance to an empty one would be; infinite where no window may start.
fn window_norms(clip: &Clip, body: &[f32], path: &[f32], shape: &WindowShape) -> Vec<f32> {
    let (frames, window) = (clip.len(), shape.frames());
    let mut norms = vec![f32::INFINITY; frames];
    if frames < window {
        return norms;
    }
    let square = |values: &[f32]| values.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
    let frame_norms: Vec<f64> = body.chunks_exact(body.len() / frames).map(square).collect();
    for start in 0..=frames - window {
        let end = start + window;
        let faulty =
            |fault: &Range<u32>| (fault.start as usize) < end && start < fault.end as usize;
        if clip.faults.iter().any(faulty) {
            continue;
        }
        let bodies = frame_norms[start..end].iter().zip(shape.weights());
        let bodies: f64 = bodies
            .map(|(norm, weight)| norm * weight * window as f64)
            .sum();
        norms[start] = (bodies + square(&path[start * window * 2..][..window * 2])) as f32;
    }
    norms
}
