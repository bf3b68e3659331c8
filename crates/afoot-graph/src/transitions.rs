//! What transitions play: where their blend puts the second clip, and their frames.
//!
//! Frames are not kept: they follow from the clips, here raw, to be cleaned with the whole motion
//! that they end up in; `clean` has them cleaned on their own.

use afoot_codec::Table;
use afoot_core::{Clip, ClipId};
use afoot_edit::blend::{
    Blend, BlendError, BlendOptions, RootBlend, blend_transition, blend_transition_root,
};
use rayon::prelude::*;

use crate::motion_graph::{MotionGraph, Transition, TransitionId};

/// The clips of a graph, in its order, wherever they are kept: those that nothing plays need not be
/// loaded.
pub trait ClipSet {
    /// One of them.
    fn clip(&self, id: ClipId) -> &Clip;
}

impl ClipSet for [Clip] {
    fn clip(&self, id: ClipId) -> &Clip {
        &self[id.index()]
    }
}

impl ClipSet for Vec<Clip> {
    fn clip(&self, id: ClipId) -> &Clip {
        &self[id.index()]
    }
}

/// The transitions with where each one's blend puts the second clip, and where the root is in each
/// of its frames. `clips` are level.
pub(crate) fn place_transitions(
    graph: &MotionGraph,
    clips: &[Clip],
) -> Result<(Table<Transition>, Table<[f32; 2]>), BlendError> {
    let window = graph.window as usize;
    let mut transitions = graph.transitions.to_vec();
    let mut traces = vec![[0.0; 2]; transitions.len() * window];
    let rows = traces.par_chunks_exact_mut(window.max(1));
    transitions
        .par_iter_mut()
        .zip(rows)
        .try_for_each(|(transition, trace)| {
            let root = blend_root(transition, clips, graph.window)?;
            transition.placement = root.placements[1];
            let points = root.path.iter().map(|at| [at.x as f32, at.z as f32]);
            trace.iter_mut().zip(points).for_each(|(to, at)| *to = at);
            Ok(())
        })?;
    Ok((transitions.into(), traces.into()))
}

impl MotionGraph {
    /// The same graph with the traces of its transitions, where it was kept without; `clips` are
    /// those that it was built from, level.
    pub fn with_traces(self, clips: &[Clip]) -> Result<Self, BlendError> {
        if self.traces.len() == self.transitions.len() * self.window as usize {
            return Ok(self);
        }
        let (_, traces) = place_transitions(&self, clips)?;
        Ok(Self { traces, ..self })
    }
}

/// Where the root goes in a transition.
fn blend_root(
    transition: &Transition,
    clips: &[Clip],
    window: u32,
) -> Result<RootBlend, BlendError> {
    let (from, to) = (transition.from, transition.to);
    let (a, b) = (&clips[from.clip.index()], &clips[to.clip.index()]);
    let options = BlendOptions { window, turn: None };
    blend_transition_root((a, from.frame), (b, to.frame), &options)
}

/// The frames of a transition; `clips` are those that the graph was built from, level.
pub fn blend_of(
    graph: &MotionGraph,
    clips: &(impl ClipSet + ?Sized),
    TransitionId(index): TransitionId,
) -> Result<Blend, BlendError> {
    let Transition { from, to, .. } = graph.transitions[index as usize];
    let options = BlendOptions {
        window: graph.window,
        turn: None,
    };
    let (a, b) = (clips.clip(from.clip), clips.clip(to.clip));
    blend_transition((a, from.frame), (b, to.frame), &options)
}
