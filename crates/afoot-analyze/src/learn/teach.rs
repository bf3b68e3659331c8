//! A boundary for a label, from what was marked.
//!
//! One support vector machine a label. Its kernel is the mean over the aspects of a second of a radial
//! function each, as wide as the aspect varies in the library; one number narrows them all, and that and
//! the cost are found by cross-validation: the F1 of frames told by machines that did not see their clip.
//! That is done when first asked and again when there is half as much again to learn from; in between a
//! correction starts from the weights that were there. Both kernel shapes are offered: the paper's
//! exp(−d/γ) and the Gaussian, which needs fewer support vectors and is the default.

use std::sync::atomic::AtomicBool;

use afoot_learn::{
    Examples, Folds, Kernel, Part, Platt, Rows, RowsError, Shape, SvmError, SvmOptions,
    held_out_decisions, train,
};
use thiserror::Error;

use super::lesson::{Example, Lesson, balanced_costs};
use super::model::{LabelModel, TrainedFrame};
use super::second::{Image, ROW, aspects};
use super::signals::ClipSignals;

/// Frames that an aspect's variation is measured at. [1/s]
const SCALE_RATE: f64 = 3.0;
/// Rows that cross-validation is done on, at most.
const MOST_VALIDATED: usize = 2400;
/// Parts of cross-validation.
const FOLDS: usize = 5;
/// Stretches that are told apart where all examples are of one clip. [s]
const GROUP_SECONDS: f64 = 4.0;
/// Growth after which width and cost are looked for again.
const GROWN: f64 = 1.5;

/// How a label is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnOptions {
    /// The kernel's shape.
    pub shape: Shape,
    /// How narrow kernels may be, for an aspect that varies by 1; tried in turn. [> 0]
    pub narrowness: Vec<f32>,
    /// Costs of a frame on the wrong side; tried in turn. [> 0]
    pub costs: Vec<f32>,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            shape: Shape::Gaussian,
            narrowness: vec![0.5, 1.0, 2.0, 4.0],
            costs: vec![1.0, 10.0, 100.0],
        }
    }
}

/// Why a label can't be learned.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum LearnError {
    #[error("label {label:?}: no frame is marked to carry it")]
    NoExample { label: String },
    #[error("label {label:?}: every frame is marked to carry it, so nothing tells what does not")]
    NoCounterExample { label: String },
    #[error("label {label:?}: {error}")]
    Rows { label: String, error: RowsError },
    #[error("label {label:?}: {error}")]
    Svm { label: String, error: SvmError },
}

/// How much each aspect varies: the root mean square distance from its mean.
#[derive(Clone, Debug, PartialEq)]
pub struct AspectScale(Vec<f32>);

/// Measures how much aspects vary over clips and their mirror images.
pub fn measure_scale<'a>(clips: impl Iterator<Item = &'a ClipSignals>) -> AspectScale {
    let (mut sums, mut squares, mut count) = (vec![0f64; ROW], vec![0f64; ROW], 0f64);
    let mut row = Vec::with_capacity(ROW);
    for clip in clips {
        let stride = (clip.fps / SCALE_RATE).round().max(1.0) as usize;
        for frame in (0..clip.len()).step_by(stride) {
            for image in [Image::Own, Image::Mirrored] {
                row.clear();
                clip.push_row(frame, image, &mut row);
                for (column, value) in row.iter().enumerate() {
                    sums[column] += f64::from(*value);
                    squares[column] += f64::from(*value) * f64::from(*value);
                }
                count += 1.0;
            }
        }
    }
    let variance = |column: usize| {
        let mean = sums[column] / count.max(1.0);
        (squares[column] / count.max(1.0) - mean * mean).max(0.0)
    };
    let of_aspect = |columns: std::ops::Range<usize>| columns.map(variance).sum::<f64>().sqrt();
    let scales = aspects()
        .into_iter()
        .map(|aspect| of_aspect(aspect.columns));
    AspectScale(scales.map(|scale| scale.max(1e-3) as f32).collect())
}

impl AspectScale {
    /// The kernel over aspects, `narrow` times as narrow as they vary.
    fn kernel(&self, shape: Shape, narrow: f32) -> Kernel {
        let part = |(aspect, scale): (super::second::Aspect, &f32)| Part {
            columns: aspect.columns,
            gamma: narrow / (scale * scale),
        };
        let parts = aspects().into_iter().zip(&self.0).map(part).collect();
        Kernel { shape, parts }
    }
}

/// Learns a label; from an earlier model where there is one, which makes a correction quick.
pub fn learn_label(
    lesson: &Lesson,
    scale: &AspectScale,
    earlier: Option<&LabelModel>,
    options: &LearnOptions,
    cancel: Option<&AtomicBool>,
) -> Result<LabelModel, LearnError> {
    let examples = lesson.examples();
    check_sides(lesson, &examples)?;
    let wrong = |error| LearnError::Svm {
        label: lesson.label.into(),
        error,
    };
    let settings = match earlier.filter(|earlier| earlier.still_fits(&examples, options.shape)) {
        Some(earlier) => earlier.settings,
        None => find_settings(lesson, &examples, scale, options, cancel)?,
    };
    let values = lesson.rows(&examples);
    let labels: Vec<bool> = examples.iter().map(|example| example.is).collect();
    let costs = balanced_costs(&examples, settings.cost);
    let start = earlier.map(|earlier| earlier.weights_of(lesson, &examples));
    let svm_options = SvmOptions {
        start: start.as_deref(),
        cancel,
        ..SvmOptions::default()
    };
    let given = Examples {
        rows: as_rows(lesson, &values)?,
        labels: &labels,
        costs: &costs,
    };
    let kernel = scale.kernel(options.shape, settings.narrow);
    let trained = train(given, &kernel, &svm_options).map_err(wrong)?;
    let weighted = examples.iter().zip(&trained.weights);
    Ok(LabelModel {
        svm: trained.svm,
        settings,
        rows: examples.len() as u32,
        trained: weighted
            .filter(|(_, weight)| **weight != 0.0)
            .map(|(example, weight)| TrainedFrame {
                motion: lesson.clips[example.clip].signals.motion,
                frame: example.frame as u32,
                image: example.image,
                weight: *weight,
            })
            .collect(),
    })
}

fn check_sides(lesson: &Lesson, examples: &[Example]) -> Result<(), LearnError> {
    let label = || lesson.label.to_owned();
    if !examples.iter().any(|example| example.is) {
        return Err(LearnError::NoExample { label: label() });
    }
    match examples.iter().any(|example| !example.is) {
        true => Ok(()),
        false => Err(LearnError::NoCounterExample { label: label() }),
    }
}

fn as_rows<'a>(lesson: &Lesson, values: &'a [f32]) -> Result<Rows<'a>, LearnError> {
    Rows::new(values, ROW).map_err(|error| LearnError::Rows {
        label: lesson.label.into(),
        error,
    })
}

/// What cross-validation found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How narrow the kernels are.
    pub narrow: f32,
    /// What a frame on the wrong side costs.
    pub cost: f32,
    /// How fast the odds grow with a decision.
    pub steepness: f32,
    /// F1 of frames that were told without having seen their clip; none where that could not be tried.
    pub held_out_f1: Option<f32>,
    /// How many rows there were.
    pub rows: u32,
}

/// Width and cost by cross-validation: the best F1, of those within a hundredth of it the smoothest.
fn find_settings(
    lesson: &Lesson,
    examples: &[Example],
    scale: &AspectScale,
    options: &LearnOptions,
    cancel: Option<&AtomicBool>,
) -> Result<Settings, LearnError> {
    let stride = examples.len().div_ceil(MOST_VALIDATED).max(1);
    let few: Vec<Example> = examples.iter().copied().step_by(stride).collect();
    let few = match check_sides(lesson, &few) {
        Ok(()) => few,
        Err(_) => examples.to_vec(),
    };
    let values = lesson.rows(&few);
    let labels: Vec<bool> = few.iter().map(|example| example.is).collect();
    let groups = groups_of(lesson, &few);
    let costs = balanced_costs(&few, 1.0);
    let given = Examples {
        rows: as_rows(lesson, &values)?,
        labels: &labels,
        costs: &costs,
    };
    let folds = Folds {
        groups: &groups,
        count: FOLDS,
        cost_factors: &options.costs,
    };
    let svm_options = SvmOptions {
        cancel,
        ..SvmOptions::default()
    };
    let mut tried = Vec::new();
    for narrow in &options.narrowness {
        let kernel = scale.kernel(options.shape, *narrow);
        let found = held_out_decisions(given, folds, &kernel, &svm_options);
        let found = found.map_err(|error| LearnError::Svm {
            label: lesson.label.into(),
            error,
        })?;
        for (cost, decisions) in options.costs.iter().zip(found) {
            tried.push(score(&few, &decisions, *narrow, *cost, examples.len()));
        }
    }
    let f1 = |settings: &Settings| settings.held_out_f1.unwrap_or(0.0);
    let best = tried.iter().map(f1).fold(0.0, f32::max);
    let good = tried.iter().filter(|settings| f1(settings) >= best - 0.01);
    let smoothest = good.min_by(|a, b| {
        let by = |settings: &Settings| (settings.narrow, settings.cost);
        by(a)
            .partial_cmp(&by(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    Ok(*smoothest.expect("something is as good as the best"))
}

/// Groups that are told without having been seen: clips, or stretches where one clip has all examples.
fn groups_of(lesson: &Lesson, examples: &[Example]) -> Vec<u32> {
    let mut clips: Vec<usize> = examples
        .iter()
        .filter(|example| example.is)
        .map(|example| example.clip)
        .collect();
    clips.dedup();
    clips.sort_unstable();
    clips.dedup();
    let group = |example: &Example| match clips.len() {
        0 | 1 => {
            let fps = lesson.clips[example.clip].signals.fps;
            let stretch = (example.frame as f64 / (GROUP_SECONDS * fps)) as u32;
            (example.clip as u32) << 12 | stretch.min(0xfff)
        }
        _ => example.clip as u32,
    };
    examples.iter().map(group).collect()
}

fn score(
    examples: &[Example],
    decisions: &[Option<f32>],
    narrow: f32,
    cost: f32,
    rows: usize,
) -> Settings {
    let (mut hits, mut misses, mut alarms) = (0u32, 0u32, 0u32);
    let (mut told, mut truth) = (Vec::new(), Vec::new());
    for (example, decision) in examples.iter().zip(decisions) {
        let Some(decision) = decision else { continue };
        told.push(*decision);
        truth.push(example.is);
        match (*decision > 0.0, example.is) {
            (true, true) => hits += 1,
            (false, true) => misses += 1,
            (true, false) => alarms += 1,
            (false, false) => {}
        }
    }
    let could = hits + misses > 0 && told.len() > (hits + misses) as usize;
    let f1 = 2.0 * hits as f32 / (2 * hits + misses + alarms).max(1) as f32;
    Settings {
        narrow,
        cost,
        // Odds as if both were as likely before: the boundary stays where it is.
        steepness: -Platt::fit(&told, &truth).a as f32,
        held_out_f1: could.then_some(f1),
        rows: rows as u32,
    }
}

impl LabelModel {
    /// Whether its width and cost may serve for these examples.
    fn still_fits(&self, examples: &[Example], shape: Shape) -> bool {
        let known = f64::from(self.settings.rows.max(1));
        self.svm.kernel.shape == shape && (examples.len() as f64) < GROWN * known
    }
}
