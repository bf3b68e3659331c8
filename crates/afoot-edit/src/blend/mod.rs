//! Transitions: the end of one clip blended into the start of another.
//!
//! Weights and frames after Kovar et al. 2002, §3.3; the root after Shanbhag 2006, §3.3.1, as
//! `weighted` says. Contacts come from either half of the window and are sorted into the four cases
//! of Shanbhag 2006, §4.3.1, in `plants`; the feet themselves are left to `cleanup`, which holds them
//! in each case. Labels are united. Cost: one pass over the window. Both clips must stand on the same
//! level floor.

use afoot_core::{Clip, ClipMismatch, FrameId, Planar};
use thiserror::Error;

mod facts;
mod join;
mod plants;
mod weighted;

#[cfg(test)]
mod tests;

pub use join::join_clips;
pub use plants::{BlendPlant, PlantCase};
pub use weighted::{BlendRoom, BlendSource, RootBlend, Weighted, blend_weighted};

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
    /// The foot contacts that the window holds, and whose motion each should follow.
    pub plants: Vec<BlendPlant>,
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
    #[error("a blend needs at least one {0}")]
    Nothing(&'static str),
    #[error("{found} weights given; one per frame and source makes {expected}")]
    WrongWeights { found: usize, expected: usize },
    #[error("the weights of frame {frame} must be at least 0 and sum to more than 0")]
    BadWeights { frame: usize },
}

/// Blends `window` frames of `a` from `a_from` on with as many of `b` before `b_resume`, so that
/// frame `b_resume` of `b`, moved by the blend's placement, plays next.
pub fn blend_transition(
    a: (&Clip, FrameId),
    b: (&Clip, FrameId),
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
    clip.ground = a.0.ground;
    let plants = plants::classify(&clip.contacts);
    Ok(Blend {
        clip,
        placement,
        plants,
    })
}

/// The frames of such a transition with their contacts, and no other facts, in a clip that is emptied
/// for them, and the blend's placement. Asks for no memory once `room` and `clip` have grown.
pub fn blend_frames(
    a: (&Clip, FrameId),
    b: (&Clip, FrameId),
    options: &BlendOptions,
    (room, clip): (&mut BlendRoom, &mut Clip),
) -> Result<Planar, BlendError> {
    let sources = transition_sources(a, b, options)?;
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
    a: (&Clip, FrameId),
    b: (&Clip, FrameId),
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
    (a, a_from): (&'a Clip, FrameId),
    (b, b_resume): (&'a Clip, FrameId),
    options: &BlendOptions,
) -> Result<[BlendSource<'a>; 2], BlendError> {
    let window = options.window as usize;
    let b_from = i64::from(b_resume.0) - window as i64;
    a.check_matches(b)?;
    weighted::check_range(a, i64::from(a_from.0), window)?;
    weighted::check_range(b, b_from, window)?;
    let first = BlendSource {
        clip: a,
        from: a_from,
        alignment: None,
    };
    let second = BlendSource {
        clip: b,
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
