//! Products of many rows with many rows, in tiles that stay in registers.
//!
//! Rows are interleaved in panels, so that one column of a panel is one or two vectors; a tile is all
//! products of a left panel's rows with a right panel's. What comes of a tile (distances, kernels, the
//! nearest centre) is made of it at once and no matrix of products goes to memory.
//! Every product is a chain of fused multiply-adds in the order of the columns: the same bits on
//! every machine, whichever panel a row is in, and either way round.

mod machine;
mod panels;

pub(crate) use machine::{LEFT, RIGHT, Tile, Wide, dot_tile, exponential, run_wide};
pub(crate) use panels::Panels;
