//! Two whole clips played one after the other, over a blend.

use afoot_core::{Clip, FrameId, Placement, concatenate_clips, cut_clip};

use super::{BlendError, BlendOptions, blend_transition};

/// Plays `a` up to `a_from`, the blend, then `b` from `b_resume` on, all in `a`'s coordinates.
pub fn join_clips(
    (a, a_from): (&Clip, FrameId),
    (b, b_resume): (&Clip, FrameId),
    options: &BlendOptions,
) -> Result<Clip, BlendError> {
    let blend = blend_transition((a, a_from), (b, b_resume), options)?;
    let before = cut_clip(a, 0..a_from.0).expect("the blend starts within the first clip");
    let mut after =
        cut_clip(b, b_resume.0..b.len() as u32).expect("the blend ends within the second clip");
    after.place(blend.placement);
    let parts = [&before, &blend.clip, &after];
    let mut joined = concatenate_clips(&parts, Placement::AsCaptured)
        .expect("the blend checked that skeletons and rates agree");
    joined.name = format!("{} to {}", a.name, b.name);
    joined.ground = a.ground;
    Ok(joined)
}
