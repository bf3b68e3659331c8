//! A transition to look at: its cleaned frames between those of the clips that it joins.

use afoot_core::{Clip, Placement, concatenate_clips, cut_clip};
use afoot_edit::blend::BlendError;

use crate::clean::{CleanTransitions, clean_blend_of};
use crate::motion_graph::{MotionGraph, Transition, TransitionId};

/// A transition with up to `around` frames on either side, in the coordinates of the clip it leaves.
///
/// `planted` are the graph's clips after [`crate::plant_clips`]; what `kept` has not is cleaned now.
pub fn preview_transition(
    graph: &MotionGraph,
    (planted, kept): (&[Clip], Option<&CleanTransitions>),
    id: TransitionId,
    around: u32,
) -> Result<Clip, BlendError> {
    let Transition { from, to, .. } = graph.transitions[id.0 as usize];
    let [a, b] = [from, to].map(|place| &planted[place.clip.index()]);
    let blend = match kept.filter(|kept| kept.fits(graph)) {
        Some(kept) => kept.blend_of(graph, planted, id)?,
        None => clean_blend_of(graph, planted, id)?,
    };
    let first = from.frame.0.saturating_sub(around);
    let end = to.frame.0.saturating_add(around).min(b.len() as u32);
    let before = cut_clip(a, first..from.frame.0).expect("the blend starts within its clip");
    let mut after = cut_clip(b, to.frame.0..end).expect("the blend ends within its clip");
    after.place(blend.placement);
    let parts = [&before, &blend.clip, &after];
    let mut whole = concatenate_clips(&parts, Placement::AsCaptured)
        .expect("the blend checked that skeletons and rates agree");
    whole.name = format!("{} to {}", a.name, b.name);
    whole.ground = a.ground;
    Ok(whole)
}

/// The transition with the largest error, the first of equal ones: what a threshold just lets in.
pub fn worst_transition(graph: &MotionGraph) -> Option<TransitionId> {
    let errors = graph.transitions.iter().enumerate().rev();
    let worst = errors.max_by(|x, y| x.1.error_cm.total_cmp(&y.1.error_cm));
    worst.map(|(index, _)| TransitionId(index as u32))
}
