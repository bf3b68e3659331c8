//! What transitions play: where their blend puts the second clip, and their frames.
//!
//! Frames are not kept: they follow from the clips, here raw, to be cleaned with the whole motion
//! that they end up in; `clean` has them cleaned on their own.

use afoot_core::Clip;
use afoot_edit::blend::{Blend, BlendError, BlendOptions, blend_transition, blend_transition_root};
use rayon::prelude::*;

use crate::motion_graph::{MotionGraph, Transition, TransitionId};

/// Finds where each transition's blend puts the second clip. `clips` are level.
pub(crate) fn place_transitions(
    transitions: &mut [Transition],
    clips: &[Clip],
    window: u32,
) -> Result<(), BlendError> {
    transitions.par_iter_mut().try_for_each(|transition| {
        let (from, to) = (transition.from, transition.to);
        let (a, b) = (&clips[from.clip.index()], &clips[to.clip.index()]);
        let options = BlendOptions { window, turn: None };
        let root = blend_transition_root((a, from.frame), (b, to.frame), &options)?;
        transition.placement = root.placements[1];
        Ok(())
    })
}

/// The frames of a transition; `clips` are those that the graph was built from, level.
pub fn blend_of(
    graph: &MotionGraph,
    clips: &[Clip],
    TransitionId(index): TransitionId,
) -> Result<Blend, BlendError> {
    blend(&graph.transitions[index as usize], clips, graph.window)
}

fn blend(transition: &Transition, clips: &[Clip], window: u32) -> Result<Blend, BlendError> {
    let (from, to) = (transition.from, transition.to);
    let (a, b) = (&clips[from.clip.index()], &clips[to.clip.index()]);
    blend_transition(
        (a, from.frame),
        (b, to.frame),
        &BlendOptions { window, turn: None },
    )
}
