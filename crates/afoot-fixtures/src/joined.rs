//! Two whole clips played one after the other, over a blend that a test made.

use afoot_core::{Clip, ClipFrame, Placement, Planar, concatenate_clips, cut_clip};

/// The first clip up to its frame, the blend, then the second from its frame on, put where `placement` carries
/// it; all in the first one's coordinates.
pub fn joined(a: ClipFrame, blend: &Clip, b: ClipFrame, placement: Planar) -> Clip {
    let before = cut_clip(a.clip, 0..a.frame.0).unwrap();
    let mut after = cut_clip(b.clip, b.frame.0..b.clip.len() as u32).unwrap();
    after.place(placement);
    let mut joined = concatenate_clips(&[&before, blend, &after], Placement::AsCaptured).unwrap();
    joined.name = format!("{} to {}", a.clip.name, b.clip.name);
    joined.ground = a.clip.ground;
    joined
}
