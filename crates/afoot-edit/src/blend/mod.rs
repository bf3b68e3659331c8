//! Transitions: the end of one clip blended into the start of another.
//!
//! Weights and frames after Kovar et al. 2002, §3.3; the root after Shanbhag 2006, §3.3.1, as
//! `weighted` says. Contacts come from either half of the window; the feet themselves are left to `cleanup`, which
//! holds them in each of the four cases of Shanbhag 2006, §4.3.1 (tests: `plants`). Labels are united. Cost: one pass over the window. Both clips must stand on the same
//! level floor.

use afoot_core::{Clip, ClipFrame, ClipMismatch, FrameId, Planar};
use thiserror::Error;

mod facts;
#[cfg(test)]
mod plants;
mod weighted;

#[cfg(test)]
mod tests;

pub use weighted::{BlendInto, RootBlend};
use weighted::{BlendRoom, BlendSource};

/// How a transition is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlendOptions {
    /// Length of the blend. [frames, 1..]
    pub window: u32,
    /// Carries the second clip's coordinates to where its body fits the first one's best over the
    /// window, where that is known (Kovar et al. 2002, eqs. 2 to 4); it is then the blend's placement.
    /// Else both roots face the same way, and their steps say the rest.
    pub alignment: Option<Planar>,
}

impl Default for BlendOptions {
    /// A third of a second at 30 fps, as in Kovar et al. 2002.
    fn default() -> Self {
        Self {
            window: 10,
            alignment: None,
        }
    }
}

/// A transition from clip A into clip B.
#[derive(Clone, Debug, PartialEq)]
pub struct Blend {
    /// The blended frames, in A's coordinates, with contacts, types and labels.
    pub clip: Clip,
    /// Carries B's coordinates to where its frames follow the blend in A's.
    pub placement: Planar,
}

/// Why clips can't be blended.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum BlendError {
    #[error(transparent)]
    Mismatch(#[from] ClipMismatch),
    #[error("clip {clip:?} has {frames} frames; the blend needs frames {from} to {to} of it")]
    OutOfRange {
        clip: String,
        frames: usize,
        from: i64,
        to: i64,
    },
    #[error("a blend needs at least one frame")]
    NoFrame,
}

/// Blends `window` frames from `a` on with as many of the other clip before `b`, so that frame `b`, moved by
/// the blend's placement, plays next.
pub fn blend_transition(
    a: ClipFrame,
    b: ClipFrame,
    options: &BlendOptions,
) -> Result<Blend, BlendError> {
    let sources = transition_sources(a, b, options)?;
    let window = options.window as usize;
    let (mut room, mut clip) = (BlendRoom::default(), weighted::empty_blend(&sources[0]));
    let placement = push_blend(&sources, options, &mut room, &mut clip);
    clip.sliding = weighted::blend_sliding(&sources, &room.weights);
    clip.types
        .extend(facts::halved(&sources, window, |clip| &clip.types));
    clip.labels = facts::united_labels(&sources, window);
    clip.ground = a.clip.ground;
    Ok(Blend { clip, placement })
}

/// The frames of such a transition with their contacts, and no other facts, in the clip of `into`, which is
/// emptied for them, and the blend's placement. Asks for no memory once `into` has grown.
pub fn blend_frames(
    a: ClipFrame,
    b: ClipFrame,
    options: &BlendOptions,
    into: &mut BlendInto,
) -> Result<Planar, BlendError> {
    let sources = transition_sources(a, b, options)?;
    let BlendInto { room, clip } = into;
    clip.root.clear();
    clip.rotations.clear();
    clip.contacts.clear();
    Ok(push_blend(&sources, options, room, clip))
}

fn push_blend(
    sources: &[BlendSource; 2],
    options: &BlendOptions,
    room: &mut BlendRoom,
    clip: &mut Clip,
) -> Planar {
    let window = options.window as usize;
    room.weigh(window);
    weighted::blend_into(sources, room, clip);
    clip.contacts
        .extend(facts::halved(sources, window, |clip| &clip.contacts));
    options
        .alignment
        .unwrap_or_else(|| room.placement(1, &sources[1]))
}

impl BlendRoom {
    /// The weights of a transition.
    fn weigh(&mut self, window: usize) {
        let pair = |p| [blend_weight(p, window), 1.0 - blend_weight(p, window)];
        self.weights.clear();
        self.weights.extend((0..window).flat_map(pair));
    }
}

/// Where the root goes in such a transition: the blend's path, and the placement of `b`. Costs a
/// small part of the whole blend.
pub fn blend_transition_root(
    a: ClipFrame,
    b: ClipFrame,
    options: &BlendOptions,
) -> Result<RootBlend, BlendError> {
    let sources = transition_sources(a, b, options)?;
    let mut room = BlendRoom::default();
    room.weigh(options.window as usize);
    room.blend_roots(&sources);
    Ok(RootBlend {
        placements: room.placements(&sources),
        path: room.path,
    })
}

/// Both sides of a transition, checked.
fn transition_sources<'a>(
    a: ClipFrame<'a>,
    b: ClipFrame<'a>,
    options: &BlendOptions,
) -> Result<[BlendSource<'a>; 2], BlendError> {
    let window = options.window as usize;
    let b_from = i64::from(b.frame.0) - window as i64;
    a.clip.check_matches(b.clip)?;
    weighted::check_range(a.clip, i64::from(a.frame.0), window)?;
    weighted::check_range(b.clip, b_from, window)?;
    let first = BlendSource {
        clip: a.clip,
        from: a.frame,
        alignment: None,
    };
    let second = BlendSource {
        clip: b.clip,
        from: FrameId(b_from as u32),
        alignment: options.alignment,
    };
    Ok([first, second])
}

/// The first clip's weight at frame `p` of a window of `k`: Kovar et al. 2002, eq. 7.
pub fn blend_weight(p: usize, k: usize) -> f32 {
    let t = (p + 1) as f32 / k as f32;
    ((2.0 * t - 3.0) * t * t + 1.0).clamp(0.0, 1.0)
}
