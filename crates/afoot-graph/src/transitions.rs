//! Transitions from candidates: both directions of each pair that its threshold lets through.

use afoot_core::{Clip, ClipId, FrameId, Planar};
use afoot_edit::blend::{Blend, BlendError, BlendOptions, blend_transition};
use rayon::prelude::*;

use crate::minima::Candidate;
use crate::motion_graph::{MotionGraph, Place, Transition, TransitionId};

/// The two transitions that a candidate allows, where the clip goes on after them.
///
/// Their placement is still to be found.
pub(crate) fn both_ways(
    candidate: &Candidate,
    window: u32,
    frames: impl Fn(u32) -> u32,
) -> impl Iterator<Item = Transition> {
    let Candidate {
        a,
        b,
        i,
        s,
        error_cm,
    } = *candidate;
    let ways = [((a, i), (b, s)), ((b, s), (a, i))];
    let lengths = [frames(b), frames(a)];
    ways.into_iter()
        .zip(lengths)
        .filter_map(move |((from, to), length)| {
            let place = |(clip, frame)| Place {
                clip: ClipId(clip),
                frame: FrameId(frame),
            };
            let resume = (to.0, to.1 + window);
            (resume.1 < length).then(|| Transition {
                from: place(from),
                to: place(resume),
                error_cm,
                placement: Planar::IDENTITY,
            })
        })
}

/// Finds where each transition's blend puts the second clip. `clips` are level.
pub(crate) fn place_transitions(
    transitions: &mut [Transition],
    clips: &[Clip],
    window: u32,
) -> Result<(), BlendError> {
    transitions.par_iter_mut().try_for_each(|transition| {
        transition.placement = blend(transition, clips, window)?.placement;
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
