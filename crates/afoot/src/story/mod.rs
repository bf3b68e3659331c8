//! Stories played: scripts of `afoot-script` made into motion (Shanbhag 2006, chapter 7).
//!
//! `studio`: what a script finds outside, files and libraries. `wardrobe`: what one actor has, his skeleton
//! and captured clips. `motion`: what filters give and take. `filters`: what each of them does. `evaluate`:
//! the graph of filters, shared results made once, side by side, kept in the actor's library. `strung`:
//! stretches one after the other. `waiting`: idle motion that fills a gap. `stage`: a scene's actors, when
//! the schedule says. `film`: pictures and video.

mod evaluate;
mod film;
mod filters;
mod joints;
mod motion;
mod stage;
mod strung;
mod studio;
mod waiting;
mod wardrobe;

pub use evaluate::FilterDone;
pub(crate) use evaluate::{Evaluation, evaluate};
pub(crate) use film::{FIELD_OF_VIEW, eye_of, picture_strip, video};
pub(crate) use motion::{Motion, Origin};
pub(crate) use stage::{Part, Staged, stage};
pub(crate) use studio::Studio;
pub(crate) use wardrobe::{Wardrobe, wardrobes};
