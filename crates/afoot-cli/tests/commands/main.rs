//! The commands as a user types them: arguments in, JSON, files and exit status out.
#![allow(clippy::unwrap_used)] // a test fails by panicking

mod bodies;
mod captured;
mod clean;
mod clusters;
mod crowd;
mod disks;
mod drive;
mod edit;
mod examples;
mod follow;
mod graph;
mod hostile;
mod labels;
mod library;
mod limbs;
mod making;
mod mend;
mod page;
mod perform;
mod play;
mod quality;
mod reach;
mod refusals;
mod support;
mod survey;
mod wander;
