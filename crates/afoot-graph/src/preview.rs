//! A transition to look at: its frames between those of the clips that it joins, feet settled.

use afoot_core::{Clip, Placement, concatenate_clips, cut_clip};
use afoot_edit::blend::BlendError;
use afoot_edit::cleanup::{CleanupError, SettleOptions, settle_feet};

use crate::motion_graph::{MotionGraph, Transition, TransitionId};
use crate::transitions::blend_of;

/// A transition as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Its frames with some on either side, in the coordinates of the clip it leaves.
    pub clip: Clip,
    /// Why its feet are as they were blended, if they are.
    pub unsettled: Option<CleanupError>,
}

/// What is settled along with the frames that are shown: how long a cut is felt. [s]
const CONTEXT: f64 = 2.0;

/// A transition with up to `around` frames on either side. `clips` are the graph's, level.
pub fn preview_transition(
    graph: &MotionGraph,
    clips: &[Clip],
    id: TransitionId,
    around: u32,
) -> Result<Preview, BlendError> {
    let Transition { from, to, .. } = graph.transitions[id.0 as usize];
    let [a, b] = [from, to].map(|place| &clips[place.clip.index()]);
    let blend = blend_of(graph, clips, id)?;
    let reach = around.saturating_add(graph.rate.frames_in(CONTEXT) as u32);
    let first = from.frame.0.saturating_sub(reach);
    let end = to.frame.0.saturating_add(reach).min(b.len() as u32);
    let before = cut_clip(a, first..from.frame.0).expect("the blend starts within its clip");
    let mut after = cut_clip(b, to.frame.0..end).expect("the blend ends within its clip");
    after.place(blend.placement);
    let parts = [&before, &blend.clip, &after];
    let mut whole = concatenate_clips(&parts, Placement::AsCaptured)
        .expect("the blend checked that skeletons and rates agree");
    whole.name = format!("{} to {}", a.name, b.name);
    whole.ground = a.ground;
    let (whole, unsettled) = match settle_feet(&whole, &SettleOptions::default()) {
        Ok((settled, _)) => (settled, None),
        Err(error) => (whole, Some(error)),
    };
    let shown = (before.len() as u32).saturating_sub(around)
        ..(before.len() as u32 + blend.clip.len() as u32 + around).min(whole.len() as u32);
    let clip = cut_clip(&whole, shown).expect("within what was joined");
    Ok(Preview { clip, unsettled })
}

/// The transition with the largest error, the first of equal ones: what a threshold just lets in.
pub fn worst_transition(graph: &MotionGraph) -> Option<TransitionId> {
    let errors = graph.transitions.iter().enumerate().rev();
    let worst = errors.max_by(|x, y| x.1.error_cm.total_cmp(&y.1.error_cm));
    worst.map(|(index, _)| TransitionId(index as u32))
}
