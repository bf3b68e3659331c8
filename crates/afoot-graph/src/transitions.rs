//! What transitions play: where they put the second clip, and their frames.
//!
//! The second clip lies where its window's points fit the first one's best, which is what the error
//! of a transition was measured with (Kovar et al. 2002, eqs. 2 to 4). Frames are not kept: they follow
//! from the clips, here raw, to be settled with the whole motion that they end up in; `preview` shows one
//! settled on its own.

use afoot_codec::Table;
use afoot_core::{Clip, ClipFrame, ClipId, FrameId, Planar};
use afoot_edit::blend::{
    Blend, BlendError, BlendInto, BlendOptions, RootBlend, blend_frames, blend_transition,
    blend_transition_root,
};
use rayon::prelude::*;

use crate::distance::{PointCloud, WindowPair, WindowShape};
use crate::motion_graph::{MotionGraph, Transition, TransitionId};

/// The clips of a graph, in its order, wherever they are kept: those that nothing plays need not be
/// loaded.
pub trait ClipSet {
    /// One of them.
    fn clip(&self, id: ClipId) -> &Clip;
}

impl ClipSet for [Clip] {
    fn clip(&self, id: ClipId) -> &Clip {
        &self[id.index()]
    }
}

impl ClipSet for Vec<Clip> {
    fn clip(&self, id: ClipId) -> &Clip {
        &self[id.index()]
    }
}

/// The transitions with where each puts the second clip. `clips` are level.
pub(crate) fn place_transitions(
    graph: &MotionGraph,
    clips: &[Clip],
    cloud: &PointCloud,
    shape: &WindowShape,
) -> Result<Table<Transition>, BlendError> {
    let mut transitions = graph.transitions.to_vec();
    transitions.par_iter_mut().try_for_each(|transition| {
        let (from, to) = (transition.from, transition.to);
        let (a, b) = (&clips[from.clip.index()], &clips[to.clip.index()]);
        let start = FrameId(to.frame.0.saturating_sub(graph.window));
        let windows = WindowPair::new(a.at(from.frame), b.at(start), cloud, shape);
        transition.placement = match windows {
            Some(windows) => windows.align().transform,
            None => blend_root(transition, clips, graph.window, None)?.placements[1],
        };
        Ok::<(), BlendError>(())
    })?;
    Ok(transitions.into())
}

impl MotionGraph {
    /// The same graph with where the root is in each frame of its transitions, if it is without;
    /// `clips` are those that it was built from, level.
    pub fn with_traces(self, clips: &[Clip]) -> Result<Self, BlendError> {
        let window = self.window as usize;
        if self.traces.len() == self.transitions.len() * window {
            return Ok(self);
        }
        let mut traces = vec![[0.0; 2]; self.transitions.len() * window];
        let rows = traces.par_chunks_exact_mut(window.max(1));
        self.transitions
            .par_iter()
            .zip(rows)
            .try_for_each(|(transition, trace)| trace_transition(transition, clips, trace))?;
        let traces = traces.into();
        Ok(Self { traces, ..self })
    }

    /// The same on the calling thread alone.
    pub fn with_traces_in_turn(self, clips: &[Clip]) -> Result<Self, BlendError> {
        let window = self.window as usize;
        let mut traces = vec![[0.0; 2]; self.transitions.len() * window];
        let rows = traces.chunks_exact_mut(window.max(1));
        for (transition, trace) in self.transitions.iter().zip(rows) {
            trace_transition(transition, clips, trace)?;
        }
        let traces = traces.into();
        Ok(Self { traces, ..self })
    }
}

/// Where the root is in each frame of a transition, as many as there are in `trace`.
fn trace_transition(
    transition: &Transition,
    clips: &[Clip],
    trace: &mut [[f32; 2]],
) -> Result<(), BlendError> {
    let alignment = Some(transition.placement);
    let root = blend_root(transition, clips, trace.len() as u32, alignment)?;
    let points = root.path.iter().map(|at| [at.x as f32, at.z as f32]);
    trace.iter_mut().zip(points).for_each(|(to, at)| *to = at);
    Ok(())
}

/// Where the root goes in a transition.
fn blend_root(
    transition: &Transition,
    clips: &[Clip],
    window: u32,
    alignment: Option<Planar>,
) -> Result<RootBlend, BlendError> {
    let (from, to) = (transition.from, transition.to);
    let (a, b) = (&clips[from.clip.index()], &clips[to.clip.index()]);
    let options = BlendOptions { window, alignment };
    blend_transition_root(a.at(from.frame), b.at(to.frame), &options)
}

/// The frames of a transition; `clips` are those that the graph was built from, level.
pub fn blend_of(
    graph: &MotionGraph,
    clips: &(impl ClipSet + ?Sized),
    transition: TransitionId,
) -> Result<Blend, BlendError> {
    let Sides { from, to, options } = Sides::of(graph, clips, transition);
    blend_transition(from, to, &options)
}

/// The same into memory that is there, as [`blend_frames`] does; gives the blend's placement.
pub fn blend_frames_of(
    graph: &MotionGraph,
    clips: &(impl ClipSet + ?Sized),
    transition: TransitionId,
    into: &mut BlendInto,
) -> Result<Planar, BlendError> {
    let Sides { from, to, options } = Sides::of(graph, clips, transition);
    blend_frames(from, to, &options, into)
}

/// What a transition blends, and how.
struct Sides<'a> {
    from: ClipFrame<'a>,
    to: ClipFrame<'a>,
    options: BlendOptions,
}

impl<'a> Sides<'a> {
    fn of(
        graph: &MotionGraph,
        clips: &'a (impl ClipSet + ?Sized),
        TransitionId(index): TransitionId,
    ) -> Self {
        let Transition {
            from,
            to,
            placement,
            ..
        } = graph.transitions[index as usize];
        let options = BlendOptions {
            window: graph.window,
            alignment: Some(placement),
        };
        Self {
            from: clips.clip(from.clip).at(from.frame),
            to: clips.clip(to.clip).at(to.frame),
            options,
        }
    }
}
