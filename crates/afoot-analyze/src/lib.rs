//! Facts about clips: the floor, contacts, locomotion types, learned labels, and the quality report.
//!
//! Every stage takes a clip and gives a plain struct; none reads a file, and none but [`faults::repair_faults`]
//! changes the clip.
//!
//! ```
//! use afoot_analyze::{JudgeOptions, judge_clip};
//! use afoot_sample::{SampleOptions, sample_library};
//!
//! let walk = &sample_library(&SampleOptions::default())[0];
//! let quality = judge_clip(walk, &JudgeOptions::default());
//! assert!(quality.skate_cm_s < Some(1.0) && quality.sink_cm < Some(1.0));
//! ```

pub mod classify;
pub mod contacts;
pub mod facts;
pub mod faults;
pub mod feet;
#[cfg(test)]
mod fixture;
pub mod gait;
pub mod ground;
mod grounded;
pub mod judge;
pub mod learn;
pub mod manner;
mod polyline;
mod series;
pub mod skate;
pub mod smoothness;
pub mod speed;
mod supports;
pub mod touch;

pub use classify::{ClassifyError, ClassifyOptions, classify_clip};
pub use contacts::{
    ContactError, ContactOptions, ContactReport, Plant, detect_contacts, plants_of,
};
pub use facts::{FactsError, with_facts};
pub use ground::{GroundError, GroundEstimate, GroundOptions, estimate_ground};
pub use judge::{
    Judge, JudgeOptions, MadeFrom, Quality, SourceSpan, SourceStatistics, Terrain, Verdict,
    judge_clip,
};
pub use manner::{Manner, STANDING, measure_manner};
pub use skate::{Skate, SkateOptions};
pub use smoothness::{Smoothness, measure_smoothness};
pub use touch::{Touch, TouchError, TouchOptions, TouchReport, TouchSpan, detect_touches};
