//! A painted timeline performed: frames chosen from a library so that what is asked for happens when it
//! is asked for, and nothing jumps (Arikan, Forsyth and O'Brien 2003).
//!
//! `score`: what is asked. `footage`: the library's frames, made ready once. `timeline` lays the one over
//! the other, `costs` is the objective, `search` finds takes at several scales with `dynamic`
//! programming on `slots`, `places` cuts them so that they lead somewhere, `refine` moves their joins, `bridges`
//! leads from one posture to an unlike one,
//! `exact` says how far from the best they are, `enact` plays them, `limbs` gives limbs something of their own to do, `harsh` says how hard their joins are, `account` says what came of it, and
//! `verdict` what any motion makes of a score.
//! No motion graph is needed: any frame may follow any other, at a price.

mod account;
mod bridges;
mod clusters;
mod costs;
mod dynamic;
mod enact;
mod exact;
mod features;
mod footage;
mod harsh;
mod limbs;
mod missing;
mod neighbours;
mod performer;
mod places;
mod reduce;
mod refine;
mod score;
mod search;
mod slots;
mod timeline;
mod verdict;

pub use account::{EntryKept, PlaceMissed, PoseMet};
pub use footage::{BLOCKS, DIMENSIONS, Feature, Footage, FootageError};
pub use harsh::join_harshness;
pub use limbs::{LimbError, LimbSource};
pub use missing::Missing;
pub use performer::{
    Better, Finding, PerformError, PerformOptions, Performance, Performer, Rehearsal, perform,
};
pub use score::{Paint, PlaceWish, PoseWish, Score, ScoreError, StartWish};
pub use timeline::{CastError, Uses};
pub use verdict::ScoreKept;

#[cfg(test)]
mod tests;
