//! The frames that a steered figure plays next: those of the present edge, then on along the clip
//! that it leads to. Captured frames are taken one at a time where they are, so that an edge's
//! length costs nothing; a transition's are blended at once. All before pivots.

use afoot_core::{Clip, ClipId, Contacts, FrameId, Planar, Pose, Quat, Vec3};
use afoot_edit::blend::{Blend, BlendError, BlendOptions, blend_transition};
use afoot_graph::{Edge, EdgeKind, NodeId, Place, TransitionId};

use super::controller::Playing;
use crate::repertoire::Repertoire;

/// An edge that is being played, and where it leads.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// A transition's frames, placed; none on captured edges.
    blend: Option<Clip>,
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
    /// About to choose an edge from a node.
    pub(super) fn at(node: NodeId, placement: Planar) -> Self {
        Self {
            blend: None,
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
                self.blend = None;
                self.frames = repertoire.graph().edge_frames(edge) as usize;
                (self.played, self.node) = (0, edge.to);
            }
            EdgeKind::Transition(transition) => {
                let mut blend = repertoire.blend(transition);
                blend.clip.place(self.placement);
                blend.placement = self.placement.then_after(blend.placement);
                self.left_at = repertoire.graph().nodes[edge.from.0 as usize];
                self.start(blend, edge.to);
            }
        }
    }

    /// Starts a transition now, out of the frames to come instead of its own clip's.
    pub(super) fn leave(
        &mut self,
        repertoire: &Repertoire,
        (edge, TransitionId(index)): (&Edge, TransitionId),
    ) -> Result<(), BlendError> {
        let graph = repertoire.graph();
        let to = graph.transitions[index as usize].to;
        let clip = repertoire.clip(to.clip);
        let (window, alignment) = (graph.window, None);
        let coming = self.coming(repertoire, window as usize);
        let options = BlendOptions { window, alignment };
        let blend = blend_transition((&coming, FrameId(0)), (clip, to.frame), &options)?;
        self.left_at = self.source(repertoire).place;
        self.start(blend, edge.to);
        Ok(())
    }

    fn start(&mut self, blend: Blend, node: NodeId) {
        (self.frames, self.played) = (blend.clip.len(), 0);
        (self.node, self.placement) = (node, blend.placement);
        self.blend = Some(blend.clip);
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

    /// The frame that comes after `ahead` others; beyond the clip's end the last.
    pub(super) fn pose(&self, repertoire: &Repertoire, ahead: usize) -> Pose {
        let (clip, frame, placement) = self.frame(repertoire, self.played + ahead);
        let mut pose = clip.pose(FrameId::from(frame));
        pose.root = placement.point3(pose.root);
        pose.rotations[0] = placement.rotate(pose.rotations[0]).normalize();
        pose
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
        let blended = self.blend.is_some() && self.left() > 0;
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

    /// The next frames as a clip.
    fn coming(&self, repertoire: &Repertoire, count: usize) -> Clip {
        let (skeleton, rate) = (
            self.frame(repertoire, 0).0.skeleton.clone(),
            repertoire.graph().rate,
        );
        let mut coming = Clip::empty("driven", skeleton, rate);
        coming.ground = repertoire.floor();
        for ahead in 0..count {
            coming.push_pose(&self.pose(repertoire, ahead));
            coming.contacts.push(self.contacts(repertoire, ahead));
        }
        coming
    }

    /// The frame `index` of the edge or beyond: of which clip, and where it plays.
    fn frame<'a>(&'a self, repertoire: &'a Repertoire, index: usize) -> (&'a Clip, usize, Planar) {
        if let Some(blend) = self.blend.as_ref().filter(|blend| index < blend.len()) {
            return (blend, index, Planar::IDENTITY);
        }
        // A captured edge ends where its clip goes on, so that its frames count back from there.
        let place = repertoire.graph().nodes[self.node.0 as usize];
        let clip = repertoire.clip(place.clip);
        let frame = (place.frame.index() + index).saturating_sub(self.frames);
        (clip, frame.min(clip.len() - 1), self.placement)
    }
}
