//! A walk played and finished in pieces, so that memory does not grow with its length.
//!
//! The warp needs roots alone and was worked out for the whole walk beforehand. Feet are planted
//! block by block, each with some seconds of context on both sides, over which the influence of
//! frames beyond has nearly died away; the seam between two is where they agree best. Blocks lie where
//! they lie whatever pieces are asked for, so that these make no difference to the motion.

use std::ops::{ControlFlow, Range};

use afoot_core::{Clip, Placement, Quat, concatenate_clips, cut_clip};
use afoot_graph::EdgeKind;

use crate::edges::Edges;
use crate::finish::{FinishOptions, hold_feet};
use crate::repertoire::Repertoire;
use crate::rigid::Rigid;
use crate::untwist::Turned;
use crate::walk::{GraphWalk, Played, WalkPlayer};
use crate::warp::Warp;

/// What is finished at once. [s]
const BLOCK: f64 = 60.0;
/// Context on both sides of a block. [s]
const CONTEXT: f64 = 5.0;
/// How far before and after its middle a seam between blocks may be. [s]
const SEAM: f64 = 1.5;

/// The same in frames.
#[derive(Clone, Copy)]
struct Reach {
    context: usize,
    seam: usize,
}

/// How a walk is finished as it is played.
#[derive(Clone, Copy, Debug)]
pub struct Finishing<'a> {
    /// Bends all of it.
    pub warp: Option<&'a Warp>,
    /// What else is done to it.
    pub options: &'a FinishOptions,
}

/// Plays a walk in pieces of about `frames` frames and hands each, finished, to `sink`, which may
/// stop it. The pieces follow each other without gaps; `Source::at` counts from the first one.
pub fn play_in_pieces<B>(
    repertoire: &Repertoire,
    walk: &GraphWalk,
    finishing: Finishing,
    frames: usize,
    mut sink: impl FnMut(Played) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut pending: Option<Played> = None;
    play_in_blocks(repertoire, walk, finishing, |block| {
        let mut rest = match pending.take() {
            Some(before) => before.followed_by(block),
            None => block,
        };
        while rest.clip.len() > frames {
            sink(rest.take_first(frames.max(1)))?;
        }
        pending = Some(rest);
        ControlFlow::Continue(())
    })?;
    match pending {
        Some(rest) => sink(rest),
        None => ControlFlow::Continue(()),
    }
}

impl Played {
    /// What is played one after the other.
    fn followed_by(mut self, next: Self) -> Self {
        self.sources.extend(next.sources);
        Self {
            clip: joined(Some(self.clip), next.clip),
            sources: self.sources,
            joins: self.joins + next.joins,
            captured: self.captured + next.captured,
        }
    }

    /// Takes the first frames out, with all that is known of the rest.
    fn take_first(&mut self, frames: usize) -> Self {
        let rest = cut(&self.clip, frames..self.clip.len());
        let first = cut(&self.clip, 0..frames);
        self.clip = rest;
        Self {
            clip: first,
            sources: std::mem::take(&mut self.sources),
            joins: std::mem::take(&mut self.joins),
            captured: std::mem::take(&mut self.captured),
        }
    }
}

fn play_in_blocks<B>(
    repertoire: &Repertoire,
    walk: &GraphWalk,
    finishing: Finishing,
    mut sink: impl FnMut(Played) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let rate = repertoire.graph().rate;
    let reach = Reach {
        context: rate.frames_in(CONTEXT),
        seam: rate.frames_in(SEAM),
    };
    let mut player = WalkPlayer::new(repertoire, walk.start, walk.placement);
    let mut window = Window {
        played: player.empty(),
        first: 0,
        next: 0,
        blended: Vec::new(),
        held: None,
    };
    let block = rate.frames_in(BLOCK);
    for (index, &edge) in walk.edges.iter().enumerate() {
        let last = index + 1 == walk.edges.len();
        let spare = if last { walk.spare } else { 0 };
        player.play(edge, spare, &mut window.played);
        let blended = repertoire.edge(edge).kind() != EdgeKind::Play;
        window.blended.resize(window.played.clip.len(), blended);
        if !last && window.end() >= block + window.next + reach.context {
            sink(window.emit(window.end() - reach.context, reach, finishing))?;
        }
    }
    sink(window.emit(window.end(), reach, finishing))
}

/// The root's ground positions over a whole walk. [m]
pub(crate) fn walk_trace(repertoire: &impl Edges, walk: &GraphWalk) -> Vec<[f64; 2]> {
    let mut at = Rigid::from(walk.placement);
    let mut trace = Vec::new();
    for &edge in &walk.edges {
        let edge = repertoire.edge(edge);
        trace.extend(
            repertoire
                .trace(edge)
                .points
                .iter()
                .map(|&point| at.point32(point)),
        );
        at = repertoire.after(edge, &at);
    }
    trace.truncate(trace.len().saturating_sub(walk.spare as usize));
    trace
}

/// Raw frames not yet handed out, with some before them that were. Frames are numbered as in the
/// whole motion.
struct Window {
    played: Played,
    /// The first frame of them.
    first: usize,
    /// The first frame that was not handed out.
    next: usize,
    /// Which of them are blends.
    blended: Vec<bool>,
    /// Frames from `next` on as the last block has them; the next one's may differ a little.
    held: Option<Clip>,
}

impl Window {
    fn end(&self) -> usize {
        self.first + self.played.clip.len()
    }

    /// Finishes everything there is, hands out the frames up to some before `ready`, and keeps the
    /// last as context.
    fn emit(&mut self, ready: usize, reach: Reach, how: Finishing) -> Played {
        let finished = self.finish(how);
        let start = self.next;
        let (head, seam) = match self.held.take() {
            Some(held) => {
                let there = self.cut(&finished, start..start + held.len());
                let seam = best_seam(&held, &there);
                (Some(cut(&held, 0..seam)), start + seam)
            }
            None => (None, start),
        };
        let last = ready == self.end();
        let stop = if last { ready } else { ready - reach.seam };
        let rest = self.cut(&finished, seam..stop.max(seam));
        if !last {
            self.held = Some(self.cut(&finished, stop..ready + reach.seam));
        }
        self.next = stop;
        self.forget(ready.saturating_sub(reach.context));
        Played {
            clip: joined(head, rest),
            sources: std::mem::take(&mut self.played.sources),
            joins: std::mem::take(&mut self.played.joins),
            captured: std::mem::take(&mut self.played.captured),
        }
    }

    fn finish(&self, Finishing { warp, options }: Finishing) -> Clip {
        let mut finished = self.played.clip.clone();
        if let Some(warp) = warp {
            warp.apply(&mut finished, self.first);
        }
        hold_feet(&mut finished, &self.turned(warp), options);
        finished
    }

    fn turned(&self, warp: Option<&Warp>) -> Vec<Turned> {
        let frames = self.blended.iter().zip(self.first..);
        let turned = |(blended, frame): (&bool, usize)| Turned {
            by: warp.map_or(0.0, |warp| warp.turn(frame)),
            blended: *blended,
        };
        frames.map(turned).collect()
    }

    fn forget(&mut self, before: usize) {
        let before = before.max(self.first);
        self.blended.drain(..before - self.first);
        self.played.clip = self.cut(&self.played.clip, before..self.end());
        self.first = before;
    }

    fn cut(&self, clip: &Clip, frames: Range<usize>) -> Clip {
        cut(clip, frames.start - self.first..frames.end - self.first)
    }
}

/// The number of frames to take from `a` before going on in `b`, which has the same frames finished
/// with other neighbours: where they agree best, as near to the middle as can be. Most frames agree
/// to the bit; a foot that is held a frame longer in one of them does not.
fn best_seam(a: &Clip, b: &Clip) -> usize {
    let joints = a.joint_count();
    let apart = |frame: usize| {
        let rotations = frame * joints..(frame + 1) * joints;
        let turn = |(p, q): (&Quat, &Quat)| 1.0 - p.dot(*q).abs();
        let turns = a.rotations[rotations.clone()]
            .iter()
            .zip(&b.rotations[rotations])
            .map(turn);
        turns.fold(a.root[frame].distance(b.root[frame]), f32::max)
    };
    let apart: Vec<f32> = (0..a.len()).map(apart).collect();
    let jump = |seam: &usize| apart[*seam - 1].max(apart[*seam]);
    let middle = a.len() / 2;
    let by_jump = |x: &usize, y: &usize| {
        let nearness = |seam: &usize| seam.abs_diff(middle);
        jump(x)
            .total_cmp(&jump(y))
            .then(nearness(x).cmp(&nearness(y)))
    };
    (1..a.len()).min_by(by_jump).unwrap_or(0)
}

fn joined(head: Option<Clip>, rest: Clip) -> Clip {
    match head {
        Some(head) => concatenate_clips(&[&head, &rest], Placement::AsCaptured)
            .expect("both are cut from one motion"),
        None => rest,
    }
}

fn cut(clip: &Clip, frames: Range<usize>) -> Clip {
    cut_clip(clip, frames.start as u32..frames.end as u32)
        .expect("the frames lie within the window they were counted in")
}
