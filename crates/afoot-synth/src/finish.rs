//! What every synthesis ends with: the root path bent towards what was asked, the feet planted.
//!
//! Long motion is finished in pieces, each with some seconds of context on both sides, over which
//! the influence of frames beyond has died away; so memory does not grow with its length.

use std::ops::ControlFlow;

use afoot_analyze::{ContactOptions, detect_contacts};
use afoot_core::{Clip, cut_clip};
use afoot_edit::cleanup::{CleanupOptions, clean_feet};

use crate::guide::Guide;
use crate::repertoire::Repertoire;
use crate::walk::{GraphWalk, Played, WalkPlayer};
use crate::warp::{WarpOptions, progress_along, warp_to_path};

/// How motion is finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishOptions {
    /// Bend the root path; `None` keeps the captured one (`--exact-source`).
    pub warp: Option<WarpOptions>,
    /// Hold planted feet in place; `None` leaves them as they are.
    pub cleanup: Option<CleanupOptions>,
}

impl Default for FinishOptions {
    fn default() -> Self {
        Self {
            warp: Some(WarpOptions::default()),
            cleanup: Some(CleanupOptions::default()),
        }
    }
}

/// Context on both sides of a piece. [s]
const CONTEXT: f64 = 4.0;

/// Bends a motion towards the guide that it meets first at `along`, and plants its feet.
///
/// A clip without known legs or contacts is not cleaned: there is nothing to hold.
pub fn finish_clip(clip: &mut Clip, guide: Option<(&Guide, f64)>, options: &FinishOptions) {
    if let (Some((guide, along)), Some(warp)) = (guide, &options.warp) {
        warp_to_path(clip, guide, along, warp);
    }
    if let Some(cleanup) = &options.cleanup {
        hold_resting_feet(clip);
        if let Ok((clean, _)) = clean_feet(clip, cleanup) {
            *clip = clean;
        }
    }
}

/// Adds contacts where a foot rests now: blends and new neighbours bring feet to rest that moved in
/// their clips, and whoever looks at the result takes them for planted.
fn hold_resting_feet(clip: &mut Clip) {
    if clip.contacts.len() != clip.len() {
        return;
    }
    if let Ok(found) = detect_contacts(clip, &ContactOptions::default()) {
        for (held, found) in clip.contacts.iter_mut().zip(found.contacts) {
            *held = held.with(found);
        }
    }
}

/// Plays a walk in pieces of about `frames` frames and hands each, finished, to `sink`, which may
/// stop it. The pieces follow each other without gaps; `Source::at` counts from the first one.
pub fn play_in_pieces(
    repertoire: &Repertoire,
    walk: &GraphWalk,
    (guide, options): (Option<&Guide>, &FinishOptions),
    frames: usize,
    mut sink: impl FnMut(Played) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let context = repertoire.graph().rate.frames_in(CONTEXT);
    let mut player = WalkPlayer::new(repertoire, walk.start, walk.placement);
    let mut window = Window {
        played: player.empty(),
        before: 0,
        along: 0.0,
    };
    for (index, &edge) in walk.edges.iter().enumerate() {
        let last = index + 1 == walk.edges.len();
        player.play(edge, if last { walk.spare } else { 0 }, &mut window.played);
        if window.played.clip.len() >= window.before + frames.max(1) + context {
            let ready = window.played.clip.len() - context;
            sink(window.emit(ready, context, guide, options))?;
        }
    }
    let ready = window.played.clip.len();
    sink(window.emit(ready, context, guide, options))
}

/// Raw frames not yet handed out, with some before them that were.
struct Window {
    played: Played,
    /// Frames that were handed out already.
    before: usize,
    /// Where the first frame is along the guide. [m]
    along: f64,
}

impl Window {
    /// Finishes everything held, hands out the frames up to `ready`, keeps the last as context.
    fn emit(
        &mut self,
        ready: usize,
        context: usize,
        guide: Option<&Guide>,
        options: &FinishOptions,
    ) -> Played {
        let mut finished = self.played.clip.clone();
        finish_clip(
            &mut finished,
            guide.map(|guide| (guide, self.along)),
            options,
        );
        let out = Played {
            clip: cut(&finished, self.before..ready),
            sources: std::mem::take(&mut self.played.sources),
            joins: std::mem::take(&mut self.played.joins),
            captured: std::mem::take(&mut self.played.captured),
        };
        let first = ready.saturating_sub(context);
        if let Some(guide) = guide {
            let places = progress_along(&self.played.clip, guide, self.along);
            self.along = places.get(first).copied().unwrap_or(self.along);
        }
        let all = self.played.clip.len();
        self.played.clip = cut(&self.played.clip, first..all);
        self.before = ready - first;
        out
    }
}

fn cut(clip: &Clip, frames: std::ops::Range<usize>) -> Clip {
    cut_clip(clip, frames.start as u32..frames.end as u32)
        .expect("the frames lie within the window they were counted in")
}
