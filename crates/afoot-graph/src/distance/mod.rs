//! Exact transition errors between all pairs of windows of a library (Kovar et al. 2002, §3.1).
//!
//! `cloud` says which points of the body count, `features` turns clips into flat arrays, `kernel`
//! multiplies blocks of them, `sweep` sums the products over the windows and hands out rows of
//! errors, `align` evaluates one pair in f64 as the paper writes it.

mod align;
mod cloud;
mod features;
mod kernel;
mod lanes;
mod sweep;

pub use align::{Alignment, WindowPair};
pub use cloud::{BodyPoints, CloudOptions, PointCloud, used_surface};
pub use features::{Features, WindowShape};
pub use sweep::{Block, RowSink, Rows, multiply_adds, sweep};
