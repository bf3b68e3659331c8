//! The frames that a steered figure plays next: those of the present edge, then on along the clip
//! that it leads to. Captured frames are taken one at a time where they are, so that an edge's
//! length costs nothing; a transition's are blended at once, in memory that is kept for it: steering
//! asks for none. All before pivots.

use std::sync::Arc;

use afoot_core::{Clip, ClipId, Contacts, FrameId, Planar, Pose, Quat, Skeleton, Vec3};
use afoot_edit::blend::{BlendError, BlendInto, BlendOptions, blend_frames};
use afoot_graph::{Edge, EdgeKind, MotionGraph, NodeId, Place, TransitionId};

use super::controller::Playing;
use crate::repertoire::Repertoire;

/// An edge that is being played, and where it leads.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// A transition's frames, placed, in memory that is kept.
    blend: BlendInto,
    /// Whether the edge is a transition.
    blended: bool,
    /// What played when the transition began.
    left_at: Place,
    /// How many frames the edge has, and how many have played.
    frames: usize,
    played: usize,
    /// Where it leads, and what carries that clip's coordinates to where they play.
    node: NodeId,
    placement: Planar,
}

impl Stream {
    /// About to choose an edge from a node; `skeleton` is the repertoire's.
    pub(super) fn at(
        repertoire: &Repertoire,
        skeleton: &Arc<Skeleton>,
        (node, placement): (NodeId, Planar),
    ) -> Self {
        let graph = repertoire.graph();
        Self {
            blend: BlendInto::for_transitions(
                room_for_blend(graph, skeleton),
                graph.window as usize,
            ),
            blended: false,
            left_at: Place {
                clip: ClipId(0),
                frame: FrameId(0),
            },
            frames: 0,
            played: 0,
            node,
            placement,
        }
    }

    /// Plays an edge from where the present one has ended.
    pub(super) fn play(&mut self, repertoire: &Repertoire, edge: &Edge) {
        debug_assert!(edge.from == self.node && self.left() == 0);
        match edge.kind() {
            EdgeKind::Play => {
                self.blended = false;
                self.frames = repertoire.graph().edge_frames(edge) as usize;
                (self.played, self.node) = (0, edge.to);
            }
            EdgeKind::Transition(transition) => {
                let end = repertoire.blend_frames(transition, &mut self.blend);
                self.blend.clip.place(self.placement);
                self.left_at = repertoire.graph().nodes[edge.from.0 as usize];
                self.start(self.placement.then_after(end), edge.to);
            }
        }
    }

    /// Starts a transition now, out of the frames to come instead of its own clip's, which are copied
    /// to `coming`.
    pub(super) fn leave(
        &mut self,
        repertoire: &Repertoire,
        (edge, TransitionId(index)): (&Edge, TransitionId),
        coming: &mut Clip,
    ) -> Result<(), BlendError> {
        let graph = repertoire.graph();
        let to = graph.transitions[index as usize].to;
        let clip = repertoire.clip(to.clip);
        let (window, alignment) = (graph.window, None);
        self.copy_coming(repertoire, window as usize, coming);
        let options = BlendOptions { window, alignment };
        let left_at = self.source(repertoire).place;
        let (from, to) = (coming.at(FrameId(0)), clip.at(to.frame));
        let placement = blend_frames(from, to, &options, &mut self.blend)?;
        self.left_at = left_at;
        self.start(placement, edge.to);
        Ok(())
    }

    /// The blend plays from here on.
    fn start(&mut self, placement: Planar, node: NodeId) {
        (self.frames, self.played) = (self.blend.clip.len(), 0);
        (self.node, self.placement) = (node, placement);
        self.blended = true;
    }

    /// Where the edge leads, and what carries its clip's coordinates to where they play.
    pub(super) fn end(&self) -> (NodeId, Planar) {
        (self.node, self.placement)
    }

    /// How many frames of the edge have played, and how many have not.
    pub(super) fn played(&self) -> usize {
        self.played
    }

    pub(super) fn left(&self) -> usize {
        self.frames - self.played
    }

    /// A frame of the edge has been shown.
    pub(super) fn step(&mut self) {
        self.played = (self.played + 1).min(self.frames);
    }

    /// Makes `pose` the frame that comes next; beyond the clip's end the last.
    pub(super) fn take_pose(&self, repertoire: &Repertoire, pose: &mut Pose) {
        let (root, local, placement) = self.stored(repertoire, 0);
        pose.root = placement.point3(root);
        pose.rotations.clear();
        pose.rotations.extend(local);
        pose.rotations[0] = placement.rotate(local[0]).normalize();
    }

    /// Where its root is, and how that is turned.
    pub(super) fn root_turned(&self, repertoire: &Repertoire) -> (Vec3, Quat) {
        let (root, local, placement) = self.stored(repertoire, 0);
        let turned = placement.rotate(local[0]).normalize();
        (placement.point3(root), turned)
    }

    /// The root of that frame.
    pub(super) fn root(&self, repertoire: &Repertoire, ahead: usize) -> Vec3 {
        let (clip, frame, placement) = self.frame(repertoire, self.played + ahead);
        placement.point3(clip.root[frame])
    }

    /// The frame that comes after `ahead` others as it is stored: root, local rotations, and what
    /// carries them to where they play.
    pub(super) fn stored<'a>(
        &'a self,
        repertoire: &'a Repertoire,
        ahead: usize,
    ) -> (Vec3, &'a [Quat], Planar) {
        let (clip, frame, placement) = self.frame(repertoire, self.played + ahead);
        let rotations = clip.frame_rotations(FrameId::from(frame));
        (clip.root[frame], rotations, placement)
    }

    /// What touches the ground at that frame.
    pub(super) fn contacts(&self, repertoire: &Repertoire, ahead: usize) -> Contacts {
        let (clip, frame, _) = self.frame(repertoire, self.played + ahead);
        clip.contacts.get(frame).copied().unwrap_or(Contacts::NONE)
    }

    /// The captured frame that comes next; of a transition, that of the clip which it is nearer to.
    pub(super) fn source(&self, repertoire: &Repertoire) -> Playing {
        let blended = self.blended && self.left() > 0;
        let ahead = repertoire.graph().nodes[self.node.0 as usize];
        let place = if blended && 2 * self.played < self.frames {
            let frame = self.left_at.frame.index() + self.played;
            let last = repertoire.clip(self.left_at.clip).len() - 1;
            Place {
                frame: FrameId::from(frame.min(last)),
                ..self.left_at
            }
        } else {
            let frame = (ahead.frame.index() + self.played).saturating_sub(self.frames);
            Place {
                frame: FrameId::from(frame),
                ..ahead
            }
        };
        let transition = blended.then_some(self.played as u32);
        Playing { place, transition }
    }

    /// Copies the next frames, so that a blend of them can take their place.
    fn copy_coming(&self, repertoire: &Repertoire, count: usize, coming: &mut Clip) {
        coming.root.clear();
        coming.rotations.clear();
        coming.contacts.clear();
        for ahead in 0..count {
            let (root, local, placement) = self.stored(repertoire, ahead);
            let first = coming.rotations.len();
            coming.root.push(placement.point3(root));
            coming.rotations.extend(local);
            coming.rotations[first] = placement.rotate(local[0]).normalize();
            coming.contacts.push(self.contacts(repertoire, ahead));
        }
    }

    /// The frame `index` of the edge or beyond: of which clip, and where it plays.
    fn frame<'a>(&'a self, repertoire: &'a Repertoire, index: usize) -> (&'a Clip, usize, Planar) {
        if self.blended && index < self.blend.clip.len() {
            return (&self.blend.clip, index, Planar::IDENTITY);
        }
        // A captured edge ends where its clip goes on, so that its frames count back from there.
        let place = repertoire.graph().nodes[self.node.0 as usize];
        let clip = repertoire.clip(place.clip);
        let frame = (place.frame.index() + index).saturating_sub(self.frames);
        (clip, frame.min(clip.len() - 1), self.placement)
    }
}

/// Memory for the frames of a transition.
pub(super) fn room_for_blend(graph: &MotionGraph, skeleton: &Arc<Skeleton>) -> Clip {
    let frames = graph.window as usize;
    let mut clip = Clip::empty("driven", Arc::clone(skeleton), graph.rate);
    clip.root.reserve(frames);
    clip.rotations.reserve(frames * skeleton.len());
    clip.contacts.reserve(frames);
    clip
}
