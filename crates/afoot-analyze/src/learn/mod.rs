//! Labels learned from what a person marked (Arikan et al. 2003, §3.1).
//!
//! `signals` measures a clip, `second` describes the second around a frame, `lesson` gathers what was marked
//! and its mirror image, `teach` finds a boundary for a label (`model`), which tells every frame of other
//! clips; `smooth` makes stretches of that, `review` says which of them a person had better look at.
//! Beyond the paper: several aspects with a kernel each, mirror images, widths and costs by
//! cross-validation over whole clips, probabilities, least durations.
//! Plain data in and out: what is kept where is the library's business.

mod lesson;
mod model;
mod review;
mod second;
mod signals;
mod smooth;
mod teach;

pub use lesson::{Lesson, LessonClip, Mark, mirrored_label};
pub use model::{FrameTold, LabelModel, TrainedFrame};
pub use review::{ReviewOptions, Stretch, ToldClip, review_queue};
pub use second::{Aspect, Image, MOMENTS, ROW, aspects};
pub use signals::{ClipSignals, SignalTable, measure_signals};
pub use smooth::{SmoothOptions, smooth_labels};
pub use teach::{AspectScale, LearnError, LearnOptions, Settings, learn_label, measure_scale};
