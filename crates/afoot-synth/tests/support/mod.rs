//! Graphs for tests: the walking clips of subject 16, or a drawn walker, through a plain builder.
#![allow(dead_code)] // each test file uses a part

#[path = "../../../afoot-analyze/tests/cmu/mod.rs"]
pub mod cmu;
pub mod plain_graph;
