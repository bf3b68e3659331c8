//! Learning from rows of numbers, whatever they stand for.
//!
//! [`train()`] finds the boundary between examples and counter-examples (a support vector machine),
//! [`kmeans()`] puts rows into clusters, [`pca()`] finds the directions in which they differ most. All
//! rest on products of rows with rows, blocked for the registers (`product`). No clocks, no hidden
//! randomness: the same rows and seed give the same bits, whatever the machine and its threads.
//!
//! ```
//! use afoot_learn::{KMeansOptions, Rows, kmeans, pca};
//!
//! let values = [0.0, 0.1, 5.0, 5.1, 0.1, 0.0, 5.1, 5.0]; // four rows of two
//! let rows = Rows::new(&values, 2)?;
//! let found = kmeans(rows, 2, 0, &KMeansOptions::default());
//! assert_eq!(found.clusters[0], found.clusters[2]);
//! assert_ne!(found.clusters[0], found.clusters[1]);
//! let places = pca(rows, 1).project(rows);
//! assert_eq!(places.len(), 4); // one number a row
//! # Ok::<(), afoot_learn::RowsError>(())
//! ```

mod eigen;
#[cfg(test)]
mod fixture;
pub mod kmeans;
pub mod pca;
mod product;
pub mod rows;
pub mod svm;

pub use kmeans::{KMeans, KMeansOptions, kmeans};
pub use pca::{Pca, pca};
pub use rows::{Rows, RowsError};
pub use svm::kernel::{Kernel, Part, Shape};
pub use svm::platt::Platt;
pub use svm::validate::{Folds, held_out_decisions};
pub use svm::{Examples, Svm, SvmError, SvmOptions, Told, Trained, train};
