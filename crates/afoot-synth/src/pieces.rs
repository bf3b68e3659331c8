//! A walk played and finished in pieces, so that memory does not grow with its length.
//!
//! The warp needs roots alone and was worked out for the whole walk beforehand. Feet are planted
//! piece by piece, each with some seconds of context on both sides, over which the influence of
//! frames beyond has died away. A walk of one piece comes out as if it were finished at once.

use std::ops::{ControlFlow, Range};

use afoot_core::{Clip, cut_clip};

use crate::finish::{FinishOptions, plant_feet};
use crate::repertoire::Repertoire;
use crate::rigid::Rigid;
use crate::walk::{GraphWalk, Played, WalkPlayer};
use crate::warp::Warp;

/// Context on both sides of a piece. [s]
const CONTEXT: f64 = 4.0;

/// Plays a walk in pieces of about `frames` frames and hands each, finished, to `sink`, which may
/// stop it. The pieces follow each other without gaps; `Source::at` counts from the first one.
pub fn play_in_pieces<B>(
    repertoire: &Repertoire,
    walk: &GraphWalk,
    (warp, options): (Option<&Warp>, &FinishOptions),
    frames: usize,
    mut sink: impl FnMut(Played) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let context = repertoire.graph().rate.frames_in(CONTEXT);
    let mut player = WalkPlayer::new(repertoire, walk.start, walk.placement);
    let mut window = Window {
        played: player.empty(),
        done: 0,
        first: 0,
    };
    for (index, &edge) in walk.edges.iter().enumerate() {
        let last = index + 1 == walk.edges.len();
        let spare = if last { walk.spare } else { 0 };
        player.play(edge, spare, &mut window.played);
        let wanted = frames.max(1).saturating_add(window.done + context);
        if window.played.clip.len() >= wanted {
            let ready = window.played.clip.len() - context;
            sink(window.emit(ready, context, (warp, options)))?;
        }
    }
    let ready = window.played.clip.len();
    sink(window.emit(ready, context, (warp, options)))
}

/// The root's ground positions over a whole walk. [m]
pub(crate) fn walk_trace(repertoire: &Repertoire, walk: &GraphWalk) -> Vec<[f64; 2]> {
    let mut at = Rigid::from(walk.placement);
    let mut trace = Vec::new();
    for &edge in &walk.edges {
        let edge = repertoire.edge(edge);
        trace.extend(
            repertoire
                .trace(edge)
                .iter()
                .map(|&point| at.point32(point)),
        );
        at = repertoire.after(edge, &at);
    }
    trace.truncate(trace.len().saturating_sub(walk.spare as usize));
    trace
}

/// Raw frames not yet handed out, with some before them that were.
struct Window {
    played: Played,
    /// Frames that were handed out already.
    done: usize,
    /// The number of the first frame in the whole motion.
    first: usize,
}

impl Window {
    /// Finishes everything held, hands out the frames up to `ready`, keeps the last as context.
    fn emit(
        &mut self,
        ready: usize,
        context: usize,
        (warp, options): (Option<&Warp>, &FinishOptions),
    ) -> Played {
        let mut finished = self.played.clip.clone();
        if let Some(warp) = warp {
            warp.apply(&mut finished, self.first);
        }
        plant_feet(&mut finished, options);
        let out = Played {
            clip: cut(&finished, self.done..ready),
            sources: std::mem::take(&mut self.played.sources),
            joins: std::mem::take(&mut self.played.joins),
            captured: std::mem::take(&mut self.played.captured),
        };
        let kept = ready.saturating_sub(context);
        self.played.clip = cut(&self.played.clip, kept..self.played.clip.len());
        self.first += kept;
        self.done = ready - kept;
        out
    }
}

fn cut(clip: &Clip, frames: Range<usize>) -> Clip {
    cut_clip(clip, frames.start as u32..frames.end as u32)
        .expect("the frames lie within the window they were counted in")
}
