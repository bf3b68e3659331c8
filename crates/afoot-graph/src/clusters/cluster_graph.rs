//! The cluster graph: nodes of like frames, joined by the order of the clips (Shanbhag 2006, §4.2).
//!
//! A node's frames, sorted by clip and frame, are clip-frame sequences; where a sequence ends, its
//! clip leads to the node of its next frame. One frame of each sequence, its alignment frame, is
//! where motion leaves it for another of the node, and enters after it (`align`).

use std::collections::BTreeMap;
use std::ops::Range;

use afoot_core::{ClipId, FrameId};
use rayon::prelude::*;

use super::align::alignment_frames;
use super::library_frames::LibraryFrames;
use super::states::PlantState;
use super::tree::{ClusterTree, Cut};

/// A node of one cluster graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterId(pub u32);

/// A sequence of one cluster graph: a position in [`ClusterGraph::sequences`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SequenceId(pub u32);

/// Frames of one clip, in a row, that lie in one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Where they lie.
    pub node: ClusterId,
    /// Whose frames.
    pub clip: ClipId,
    /// Which frames.
    pub frames: Range<u32>,
    /// The one at which motion leaves for another sequence of the node; entering goes on after it.
    pub aligned: FrameId,
}

/// Like frames.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterNode {
    /// Of all its frames.
    pub state: PlantState,
    /// The highest merge within it. [m]
    pub error: f32,
    /// Its sequences, by clip and frame: positions in [`ClusterGraph::sequences`].
    pub sequences: Range<u32>,
    /// Nodes that its clips lead to.
    pub next: Vec<ClusterId>,
    /// Nodes that its clips come from.
    pub previous: Vec<ClusterId>,
}

/// Nodes of like frames over a library's clips.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterGraph {
    /// Nodes in the order of their first frames.
    pub nodes: Vec<ClusterNode>,
    /// Sequences, node by node.
    pub sequences: Vec<Sequence>,
    /// For every clip its sequences in the order of time.
    pub of_clip: Vec<Vec<SequenceId>>,
}

impl ClusterGraph {
    /// The graph of the tree's clusters at `error` [m].
    pub fn cut(tree: &ClusterTree, frames: &LibraryFrames, error: f32) -> Self {
        assert_eq!(
            tree.frames as usize,
            frames.len(),
            "the tree of these frames"
        );
        let (nodes, sequences) = group(&tree.cut(error), frames);
        let of_clip = by_clip(&sequences, frames.clips());
        let mut graph = Self {
            nodes,
            sequences,
            of_clip,
        };
        graph.connect();
        graph.align(frames);
        graph
    }

    /// A node.
    pub fn node(&self, ClusterId(index): ClusterId) -> &ClusterNode {
        &self.nodes[index as usize]
    }

    /// A sequence.
    pub fn sequence(&self, SequenceId(index): SequenceId) -> &Sequence {
        &self.sequences[index as usize]
    }

    /// The sequences of a node.
    pub fn sequences_of(&self, node: ClusterId) -> impl Iterator<Item = SequenceId> + use<> {
        self.node(node).sequences.clone().map(SequenceId)
    }

    /// The sequence that a frame lies in; `None` of a frame that is not to be played.
    pub fn sequence_at(&self, clip: ClipId, frame: FrameId) -> Option<SequenceId> {
        let own = self.of_clip.get(clip.index())?;
        let at = own.partition_point(|id| self.sequence(*id).frames.end <= frame.0);
        let found = own.get(at).copied()?;
        self.sequence(found)
            .frames
            .contains(&frame.0)
            .then_some(found)
    }

    /// The sequence that follows one in its clip without a gap.
    pub fn after(&self, id: SequenceId) -> Option<SequenceId> {
        let sequence = self.sequence(id);
        self.sequence_at(sequence.clip, FrameId(sequence.frames.end))
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.nodes.iter().map(|node| node.next.len()).sum()
    }

    fn connect(&mut self) {
        for index in 0..self.sequences.len() as u32 {
            let from = self.sequence(SequenceId(index)).node;
            if let Some(next) = self.after(SequenceId(index)) {
                let to = self.sequence(next).node;
                self.nodes[from.0 as usize].next.push(to);
                self.nodes[to.0 as usize].previous.push(from);
            }
        }
        for node in &mut self.nodes {
            for ends in [&mut node.next, &mut node.previous] {
                ends.sort_unstable();
                ends.dedup();
            }
        }
    }

    fn align(&mut self, frames: &LibraryFrames) {
        let of_node = |node: &ClusterNode| {
            let range = node.sequences.start as usize..node.sequences.end as usize;
            alignment_frames(&self.sequences[range], frames)
        };
        let aligned: Vec<Vec<FrameId>> = self.nodes.par_iter().map(of_node).collect();
        for (sequence, frame) in self.sequences.iter_mut().zip(aligned.concat()) {
            sequence.aligned = frame;
        }
    }
}

/// Nodes and their sequences.
fn group(cut: &Cut, frames: &LibraryFrames) -> (Vec<ClusterNode>, Vec<Sequence>) {
    let mut runs: BTreeMap<u32, Vec<(ClipId, Range<u32>)>> = BTreeMap::new();
    for clip in 0..frames.clips() {
        let clip = ClipId(clip as u32);
        for frame in 0..frames.frames_of(clip) {
            let index = frames.index(clip, FrameId(frame));
            if frames.state(index).is_none() {
                continue;
            }
            let of_cluster = runs.entry(cut.first[index]).or_default();
            match of_cluster.last_mut() {
                Some((last, run)) if *last == clip && run.end == frame => run.end += 1,
                _ => of_cluster.push((clip, frame..frame + 1)),
            }
        }
    }
    let (mut nodes, mut sequences) = (Vec::new(), Vec::new());
    for (number, (first, runs)) in runs.into_iter().enumerate() {
        let start = sequences.len() as u32;
        sequences.extend(runs.into_iter().map(|(clip, frames)| Sequence {
            node: ClusterId(number as u32),
            clip,
            aligned: FrameId(frames.start),
            frames,
        }));
        nodes.push(ClusterNode {
            state: frames
                .state(first as usize)
                .expect("clusters are of states"),
            error: cut.error[first as usize],
            sequences: start..sequences.len() as u32,
            next: Vec::new(),
            previous: Vec::new(),
        });
    }
    (nodes, sequences)
}

fn by_clip(sequences: &[Sequence], clips: usize) -> Vec<Vec<SequenceId>> {
    let mut of_clip: Vec<Vec<SequenceId>> = vec![Vec::new(); clips];
    for (index, sequence) in sequences.iter().enumerate() {
        of_clip[sequence.clip.index()].push(SequenceId(index as u32));
    }
    for own in &mut of_clip {
        own.sort_unstable_by_key(|id| sequences[id.0 as usize].frames.start);
    }
    of_clip
}
