//! What transitions play: where they put the second clip, and their frames.
//!
//! The second clip lies where its window's points fit the first one's best, which is what the error
//! of a transition was measured with (Kovar et al. 2002, eqs. 2 to 4). Frames are not kept: they follow
//! from the clips, here raw, to be cleaned with the whole motion that they end up in; `clean` has them
//! cleaned on their own.

use afoot_core::{Clip, FrameId};
use afoot_edit::blend::{Blend, BlendError, BlendOptions, blend_transition, blend_transition_root};
use rayon::prelude::*;

use crate::distance::{PointCloud, WindowShape, align_windows};
use crate::motion_graph::{MotionGraph, Transition, TransitionId};

/// Finds where each transition puts the second clip. `clips` are level.
pub(crate) fn place_transitions(
    transitions: &mut [Transition],
    clips: &[Clip],
    (cloud, shape): (&PointCloud, &WindowShape),
) -> Result<(), BlendError> {
    let window = shape.frames() as u32;
    transitions.par_iter_mut().try_for_each(|transition| {
        let (from, to) = (transition.from, transition.to);
        let (a, b) = (&clips[from.clip.index()], &clips[to.clip.index()]);
        let start = FrameId(to.frame.0.saturating_sub(window));
        let aligned = align_windows((a, from.frame), (b, start), cloud, shape);
        transition.placement = match aligned {
            Some(aligned) => aligned.transform,
            None => {
                let options = BlendOptions {
                    window,
                    alignment: None,
                };
                blend_transition_root((a, from.frame), (b, to.frame), &options)?.placements[1]
            }
        };
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
        &BlendOptions {
            window,
            alignment: Some(transition.placement),
        },
    )
}
