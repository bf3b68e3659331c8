//! What transitions play: where their blend puts the second clip, and their frames.
//!
//! Frames are not kept: they follow from the clips, raw (`blend_of`, to be cleaned with the whole
//! motion they end up in) or cleaned on their own (`clean_blend_of`, for previews and exports).

use std::ops::Range;

use afoot_core::{Clip, Planar};
use afoot_edit::blend::{Blend, BlendError, BlendOptions, blend_transition, blend_transition_root};
use afoot_edit::cleanup::{CleanupOptions, clean_feet};
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

/// The frames of a transition with its planted feet held; `clips` as for [`blend_of`].
///
/// Feet are cleaned with the frames before and after the transition in view. Corrections fade to
/// nothing at both ends, where captured frames follow as they are: a plant that outlasts the
/// transition still slides a little, until the whole motion is cleaned. Without contacts or legs
/// the blend stays as it is.
pub fn clean_blend_of(
    graph: &MotionGraph,
    clips: &[Clip],
    TransitionId(index): TransitionId,
) -> Result<Blend, BlendError> {
    let transition = &graph.transitions[index as usize];
    let mut blend = blend(transition, clips, graph.window)?;
    if let Some(cleaned) = clean_in_context(&blend, transition, clips) {
        fade_towards(&mut blend.clip, &cleaned);
    }
    Ok(blend)
}

/// [`clean_blend_of`] for all transitions of a graph: some 5 KB each with 31 joints and 10 frames.
pub fn clean_blends(graph: &MotionGraph, clips: &[Clip]) -> Result<Vec<Blend>, BlendError> {
    let all = (0..graph.transitions.len() as u32).into_par_iter();
    all.map(|index| clean_blend_of(graph, clips, TransitionId(index)))
        .collect()
}

/// The blend's frames, cleaned together with those on either side that a correction reaches.
fn clean_in_context(blend: &Blend, transition: &Transition, clips: &[Clip]) -> Option<Clip> {
    let (from, to) = (transition.from, transition.to);
    let [a, b] = [from, to].map(|place| &clips[place.clip.index()]);
    let options = CleanupOptions::default();
    let (window, reach) = (blend.clip.len(), a.rate.frames_in(options.fade));
    let before = from.frame.index().saturating_sub(reach)..from.frame.index();
    let after = to.frame.index()..(to.frame.index() + reach).min(b.len());
    let start = before.len();
    let mut whole = Clip {
        ground: blend.clip.ground,
        ..Clip::empty("", blend.clip.skeleton.clone(), blend.clip.rate)
    };
    append(&mut whole, a, before, Planar::IDENTITY)?;
    append(&mut whole, &blend.clip, 0..window, Planar::IDENTITY)?;
    append(&mut whole, b, after, blend.placement)?;
    let (cleaned, _) = clean_feet(&whole, &options).ok()?;
    let joints = cleaned.joint_count();
    let mut middle = Clip::empty("", cleaned.skeleton.clone(), cleaned.rate);
    middle.root = cleaned.root[start..start + window].to_vec();
    middle.rotations = cleaned.rotations[start * joints..(start + window) * joints].to_vec();
    Some(middle)
}

/// Appends some frames, placed; `None` if their contacts aren't known.
fn append(to: &mut Clip, from: &Clip, frames: Range<usize>, placement: Planar) -> Option<()> {
    let joints = from.joint_count();
    to.contacts.extend(from.contacts.get(frames.clone())?);
    for frame in frames {
        to.root.push(placement.point3(from.root[frame]));
        let rotations = &from.rotations[frame * joints..][..joints];
        to.rotations
            .push(placement.rotate(rotations[0]).normalize());
        to.rotations.extend(&rotations[1..]);
    }
    Some(())
}

/// Moves poses towards `cleaned`: wholly in the middle, not at all just outside.
fn fade_towards(clip: &mut Clip, cleaned: &Clip) {
    let (frames, joints) = (clip.len(), clip.joint_count());
    let ramp = (frames as f32 * 0.4).max(1.0);
    for frame in 0..frames {
        let weight = smooth_step((frame + 1).min(frames - frame) as f32 / ramp);
        clip.root[frame] = clip.root[frame].lerp(cleaned.root[frame], weight);
        let poses = frame * joints..(frame + 1) * joints;
        for (own, other) in clip.rotations[poses.clone()]
            .iter_mut()
            .zip(&cleaned.rotations[poses])
        {
            if own != other {
                *own = own.slerp(*other, weight);
            }
        }
    }
}

fn smooth_step(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
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
