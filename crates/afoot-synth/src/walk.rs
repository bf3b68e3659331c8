//! A walk through the graph made into motion (Kovar et al. 2002, §4.1).
//!
//! Every edge's frames are placed by the planar transform that the transitions before have added up to
//! (f64). Sliding joints, contacts, types and labels come along. Frames are played into whatever clip the caller
//! holds, so that a walk of any length can be written in chunks. Holding planted feet is the
//! cleanup's work (`finish`).

use std::sync::Arc;

use afoot_core::{
    Clip, ClipId, Contacts, FrameId, LabelSpan, Locomotion, Planar, Range32, append_sliding,
};
use afoot_graph::{EdgeId, EdgeKind, NodeId};

use crate::edges::Edges;
use crate::repertoire::Repertoire;

/// A walk, placed in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphWalk {
    /// Where it starts.
    pub start: NodeId,
    /// Carries the first clip's coordinates into the world.
    pub placement: Planar,
    /// Each leaves the node that the one before leads to.
    pub edges: Vec<EdgeId>,
    /// Frames left out at the end of the last edge; fewer than it has.
    pub spare: u32,
}

/// A stretch of captured motion in a synthesised one. A transition counts half to either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The clip.
    pub clip: ClipId,
    /// Its frames that play, half-open.
    pub frames: Range32,
    /// The first one's frame in the result.
    pub at: u64,
}

/// Motion made from a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The frames, in the world.
    pub clip: Clip,
    /// Where they come from, in order and without gaps.
    pub sources: Vec<Source>,
    /// How many transitions there are.
    pub joins: u32,
    /// How many frames lie outside transitions.
    pub captured: u64,
}

impl GraphWalk {
    /// How many frames it plays.
    pub fn frames(&self, repertoire: &Repertoire) -> u64 {
        let graph = repertoire.graph();
        let frames = |edge: &EdgeId| u64::from(graph.edge_frames(repertoire.edge(*edge)));
        self.edges.iter().map(frames).sum::<u64>() - u64::from(self.spare)
    }

    /// Which of them are blends.
    pub(crate) fn blended(&self, repertoire: &Repertoire) -> Vec<bool> {
        let frames = |edge: &EdgeId| {
            let edge = repertoire.edge(*edge);
            let count = repertoire.graph().edge_frames(edge) as usize;
            std::iter::repeat_n(edge.kind() != EdgeKind::Play, count)
        };
        let mut blended: Vec<bool> = self.edges.iter().flat_map(frames).collect();
        blended.truncate(blended.len() - self.spare as usize);
        blended
    }
}

/// Plays a whole walk.
pub fn play_walk(repertoire: &Repertoire, walk: &GraphWalk) -> Played {
    let mut player = WalkPlayer::new(repertoire, walk.start, walk.placement);
    let mut played = player.empty();
    for (index, &edge) in walk.edges.iter().enumerate() {
        let last = index + 1 == walk.edges.len();
        player.play(edge, if last { walk.spare } else { 0 }, &mut played);
    }
    played
}

/// Plays edges one after the other.
#[derive(Clone, Debug)]
pub struct WalkPlayer<'a> {
    repertoire: &'a Repertoire,
    node: NodeId,
    placement: Planar,
    frames: u64,
}

impl<'a> WalkPlayer<'a> {
    /// At a node, with the transform that carries its clip's coordinates into the world.
    pub fn new(repertoire: &'a Repertoire, start: NodeId, placement: Planar) -> Self {
        Self {
            repertoire,
            node: start,
            placement,
            frames: 0,
        }
    }

    /// What to play into.
    pub fn empty(&self) -> Played {
        let first = self.repertoire.clip(self.place().0);
        let mut clip = Clip::empty("synthesised", Arc::clone(&first.skeleton), first.rate);
        clip.ground = self.repertoire.floor();
        Played {
            clip,
            sources: Vec::new(),
            joins: 0,
            captured: 0,
        }
    }

    /// The node that plays next.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Carries the next node's clip coordinates into the world.
    pub fn placement(&self) -> Planar {
        self.placement
    }

    /// Plays an edge that leaves the present node, less `spare` frames at its end.
    pub fn play(&mut self, edge: EdgeId, spare: u32, out: &mut Played) {
        let graph = self.repertoire.graph();
        let edge = &graph.edges[edge.0 as usize];
        assert_eq!(edge.from, self.node, "edges of a walk follow each other");
        let count = graph.edge_frames(edge).saturating_sub(spare);
        let (clip, first) = self.place();
        match edge.kind() {
            EdgeKind::Play => {
                let frames = Range32 {
                    start: first.0,
                    end: first.0 + count,
                };
                self.append(self.repertoire.clip(clip), frames, out);
                self.credit(clip, frames, out);
                out.captured += u64::from(count);
            }
            EdgeKind::Transition(transition) => {
                let blend = self.repertoire.blend(transition);
                self.append(
                    &blend.clip,
                    Range32 {
                        start: 0,
                        end: count,
                    },
                    out,
                );
                self.credit_transition(clip, first, edge.to, count, out);
                self.placement = self.placement.then_after(blend.placement);
                out.joins += 1;
            }
        }
        self.node = edge.to;
    }

    /// Plays the present node's clip on for `count` frames, whether the graph goes there or not: the
    /// end of a motion.
    pub fn play_on(self, count: u32, out: &mut Played) {
        let (clip, first) = self.place();
        let frames = Range32 {
            start: first.0,
            end: first.0 + count,
        };
        let mut player = self;
        player.append(player.repertoire.clip(clip), frames, out);
        player.credit(clip, frames, out);
        out.captured += u64::from(count);
    }

    fn place(&self) -> (ClipId, FrameId) {
        let place = self.repertoire.graph().nodes[self.node.0 as usize];
        (place.clip, place.frame)
    }

    fn append(&self, from: &Clip, frames: Range32, out: &mut Played) {
        let at = out.clip.len();
        let range = frames.start as usize..frames.end as usize;
        append_sliding(&mut out.clip, &from.sliding, range.clone());
        for frame in frames.start..frames.end {
            let rotations = from.frame_rotations(FrameId(frame));
            out.clip
                .root
                .push(self.placement.point3(from.root[frame as usize]));
            out.clip
                .rotations
                .push(self.placement.rotate(rotations[0]).normalize());
            out.clip.rotations.extend_from_slice(&rotations[1..]);
        }
        append_track(
            &mut out.clip.contacts,
            at,
            &from.contacts,
            range.clone(),
            Contacts::NONE,
        );
        append_track(
            &mut out.clip.types,
            at,
            &from.types,
            range,
            Locomotion::Other,
        );
        append_labels(&mut out.clip.labels, at as u32, &from.labels, frames);
    }

    fn credit(&mut self, clip: ClipId, frames: Range32, out: &mut Played) {
        if frames.is_empty() {
            return;
        }
        match out.sources.last_mut() {
            Some(last) if last.clip == clip && last.frames.end == frames.start => {
                last.frames.end = frames.end;
            }
            _ => out.sources.push(Source {
                clip,
                frames,
                at: self.frames,
            }),
        }
        self.frames += u64::from(frames.end - frames.start);
    }

    /// The first half of a transition is the old clip's, the rest the new one's.
    fn credit_transition(
        &mut self,
        clip: ClipId,
        first: FrameId,
        to: NodeId,
        count: u32,
        out: &mut Played,
    ) {
        let graph = self.repertoire.graph();
        let half = (graph.window / 2).min(count);
        let resumed = graph.nodes[to.0 as usize];
        let start = resumed.frame.0 - graph.window + half;
        self.credit(
            clip,
            Range32 {
                start: first.0,
                end: first.0 + half,
            },
            out,
        );
        self.credit(
            resumed.clip,
            Range32 {
                start,
                end: start + count - half,
            },
            out,
        );
    }
}

/// Appends a per-frame track; a source without one counts as `missing` once any source has it.
fn append_track<T: Copy>(
    out: &mut Vec<T>,
    at: usize,
    from: &[T],
    range: std::ops::Range<usize>,
    missing: T,
) {
    if from.is_empty() && out.is_empty() {
        return;
    }
    out.resize(at, missing);
    match from.is_empty() {
        true => out.resize(at + range.len(), missing),
        false => out.extend_from_slice(&from[range]),
    }
}

/// Appends the spans that lie in `frames`, moved to `at`; touching spans of a label become one.
fn append_labels(out: &mut Vec<LabelSpan>, at: u32, from: &[LabelSpan], frames: Range32) {
    for span in from {
        let common = span.frames.intersect(frames);
        if common.is_empty() {
            continue;
        }
        let moved = Range32 {
            start: common.start - frames.start + at,
            end: common.end - frames.start + at,
        };
        let before = out.iter_mut().rev().find(|s| s.label == span.label);
        match before {
            Some(before) if before.frames.end >= moved.start => {
                before.frames.end = before.frames.end.max(moved.end);
            }
            _ => out.push(LabelSpan {
                frames: moved,
                label: span.label.clone(),
            }),
        }
    }
}
