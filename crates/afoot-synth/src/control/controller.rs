//! A figure that is steered: it plays the edges that the table says, and bends them a little.
//!
//! In: the time that passed, a direction and maybe a word. Out: a pose. A new wish is heard at the
//! next node, at the latest in the last third of a transition, which can be left then (`leave`).
//! Meanwhile the figure pivots towards the wish about the foot it stands on (`pivot`). Cost per
//! call: a look-up, or the blend of one transition, per frame that passes; no search. Feet are as
//! the repertoire has them, held in place also in transitions if it was made so
//! ([`Repertoire::with_planted_feet`]); a foot pivoted about turns on its ball.

use std::ops::Range;
use std::sync::Arc;

use afoot_core::{Clip, Contacts, FrameId, Planar, Pose, Vec3};
use afoot_edit::blend::{Blend, BlendError, BlendOptions, blend_transition};
use afoot_graph::{EdgeId, EdgeKind, NodeId, TransitionId};
use thiserror::Error;

use super::leave::{Leave, leaves};
use super::pivot::{PivotOptions, Pivots, STANDING};
use super::table::{ControlTable, TableError};
use crate::allowed::UnknownLabel;
use crate::repertoire::Repertoire;
use crate::walk::WalkPlayer;

/// Longest time that one call advances; more is cut, so that a call's time is bounded. [s]
const LONGEST_CALL: f64 = 0.25;
/// How far ahead the captured motion's own turn is looked for, and over how long. [s]
const AHEAD: f64 = 0.2;

/// How a figure is steered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerOptions {
    /// How it is turned beside what the graph does.
    pub pivot: PivotOptions,
    /// A transition isn't left while the figure moves this near to the wish. [rad, ≥ 0]
    pub content: f64,
}

impl Default for ControllerOptions {
    fn default() -> Self {
        Self {
            pivot: PivotOptions::default(),
            content: 30f64.to_radians(),
        }
    }
}

/// A steered figure.
#[derive(Clone, Debug)]
pub struct Controller {
    repertoire: Arc<Repertoire>,
    table: Arc<ControlTable>,
    options: ControllerOptions,
    node: NodeId,
    placement: Planar,
    /// The frames of the present edge, before pivots; those from `next` on are to come.
    edge: Clip,
    next: usize,
    /// Where the edge can be left early, last to first.
    leaves: Vec<Leave>,
    /// The frames before and after the present, in the world.
    shown: [Pose; 2],
    /// How far the present is from one to the other; at 1 the wish of this very call is seen.
    /// [0 to 1]
    share: f64,
    pivots: Pivots,
}

/// What has been decided already.
pub(super) struct Outlook {
    /// Where the root will be at the frames before the next node, in the world.
    pub(super) coming: Vec<Vec3>,
    /// The next node.
    pub(super) node: NodeId,
    /// Turns the coordinates of its clip into the world's. [rad]
    pub(super) yaw: f64,
}

/// Why a figure can't be steered.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum ControllerError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    UnknownLabel(#[from] UnknownLabel),
    #[error("the graph is empty; a higher threshold or more clips would help")]
    EmptyGraph,
}

impl Controller {
    /// A figure at a node of the graph, its root at `place` and facing its yaw.
    pub fn new(
        repertoire: Arc<Repertoire>,
        table: Arc<ControlTable>,
        (node, place): (NodeId, Planar),
        options: ControllerOptions,
    ) -> Result<Self, ControllerError> {
        if node.0 as usize >= repertoire.graph().nodes.len() {
            return Err(ControllerError::EmptyGraph);
        }
        table.fits(&repertoire)?;
        let placement = Planar::carrying(repertoire.root_at(node), place);
        let pose = Pose {
            root: Vec3::ZERO,
            rotations: Vec::new(),
        };
        let clip = &repertoire.clips()[0];
        let (skeleton, rate) = (Arc::clone(&clip.skeleton), clip.rate);
        let pivots = Pivots::new(&skeleton, options.pivot);
        let mut figure = Self {
            repertoire,
            table,
            options,
            node,
            placement,
            edge: Clip::empty("driven", skeleton, rate),
            next: 0,
            leaves: Vec::new(),
            shown: [pose.clone(), pose],
            share: 1.0,
            pivots,
        };
        figure.next_frame(place.yaw, None);
        figure.shown[0] = figure.shown[1].clone();
        Ok(figure)
    }

    /// Lets `seconds` pass (at most a quarter) with the wish to move towards `direction`, a yaw in
    /// the world [rad], as `label` says; `None` leaves the kind of motion open.
    pub fn advance(
        &mut self,
        seconds: f64,
        direction: f64,
        label: Option<&str>,
    ) -> Result<Pose, ControllerError> {
        let word = label.map(|label| self.find_word(label)).transpose()?;
        let seconds = if seconds.is_finite() {
            seconds.clamp(0.0, LONGEST_CALL)
        } else {
            0.0
        };
        let ahead = self.placement.yaw + self.pivots.carried().yaw;
        let direction = if direction.is_finite() {
            direction
        } else {
            ahead
        };
        self.share += seconds * self.repertoire.graph().rate.fps();
        while self.share > 1.0 {
            self.next_frame(direction, word);
            self.share -= 1.0;
        }
        Ok(interpolate(
            &self.shown[0],
            &self.shown[1],
            self.share as f32,
        ))
    }

    /// What touched the ground in the captured motion at the frame last played.
    pub fn contacts(&self) -> Contacts {
        let last = self.edge.contacts.get(self.next.saturating_sub(1));
        last.copied().unwrap_or(Contacts::NONE)
    }

    /// What will play until the next node, without further wishes.
    pub(super) fn outlook(&self) -> Outlook {
        let carried = self.pivots.carried();
        let coming = self.edge.root[self.next..].iter();
        Outlook {
            coming: coming.map(|&root| carried.point3(root)).collect(),
            node: self.node,
            yaw: self.placement.yaw + carried.yaw,
        }
    }

    /// The words that `advance` understands.
    pub fn words(&self) -> &[String] {
        self.table.words()
    }

    fn find_word(&self, label: &str) -> Result<usize, UnknownLabel> {
        let words = self.table.words();
        words
            .iter()
            .position(|word| word == label)
            .ok_or_else(|| UnknownLabel {
                label: label.into(),
                known: words.to_vec(),
            })
    }

    /// Moves on by a frame of the library.
    fn next_frame(&mut self, direction: f64, word: Option<usize>) {
        if self.next == self.edge.len() {
            self.play_edge(direction, word);
        } else {
            self.leave_edge(direction, word);
        }
        let pose = self.edge.pose(FrameId::from(self.next));
        let contacts = self.edge.contacts.get(self.next).copied();
        let frame = (
            &*self.edge.skeleton,
            &pose,
            contacts.unwrap_or(Contacts::NONE),
        );
        let seconds = self.edge.rate.frame_time();
        let soon = self.soon();
        self.pivots.turn_towards((direction, soon), frame, seconds);
        self.shown.swap(0, 1);
        self.shown[1] = placed(pose, self.pivots.carried());
        self.next += 1;
    }

    fn play_edge(&mut self, direction: f64, word: Option<usize>) {
        let edge = self.best_edge((self.node, self.placement), direction, word);
        let mut player = WalkPlayer::new(&self.repertoire, self.node, self.placement);
        let mut played = player.empty();
        player.play(edge, 0, &mut played);
        (self.node, self.placement) = (player.node(), player.placement());
        self.start_edge(played.clip, edge);
    }

    /// Starts another transition out of the present one, where that can be left and the figure
    /// moves the wrong way.
    fn leave_edge(&mut self, direction: f64, word: Option<usize>) {
        let Some(leave) = self.leave_here() else {
            return;
        };
        let off = self.pivots.off(direction);
        if off.is_some_and(|off| off.abs() < self.options.content) {
            return;
        }
        let rotation = self.edge.frame_rotations(FrameId::from(self.next))[0];
        let root = Planar::of_root(self.edge.root[self.next], rotation);
        let placement = Planar::carrying(self.repertoire.root_at(leave.node), root);
        let edge = self.best_edge((leave.node, placement), direction, word);
        if let EdgeKind::Jump(transition) = self.repertoire.edge(edge).kind
            && let Ok(blend) = self.blend_into(transition)
        {
            (self.node, self.placement) = (self.repertoire.edge(edge).to, blend.placement);
            self.start_edge(blend.clip, edge);
        }
    }

    /// The node that the present transition passes now, if it can be left there.
    fn leave_here(&mut self) -> Option<Leave> {
        while self.leaves.last()?.frames < self.next as u32 {
            self.leaves.pop();
        }
        let leave = *self.leaves.last()?;
        (leave.frames == self.next as u32).then_some(leave)
    }

    /// A transition that starts now, out of the frames to come.
    fn blend_into(&self, TransitionId(index): TransitionId) -> Result<Blend, BlendError> {
        let graph = self.repertoire.graph();
        let to = graph.transitions[index as usize].to;
        let clip = &self.repertoire.clips()[to.clip.index()];
        let (window, turn) = (graph.window, None);
        blend_transition(
            (&self.frames_to_come(window as usize), FrameId(0)),
            (clip, to.frame),
            &BlendOptions { window, turn },
        )
    }

    /// The frames that would play next without another transition: the rest of the present one,
    /// then the clip that it leads to.
    fn frames_to_come(&self, count: usize) -> Clip {
        let mut coming = Clip::empty("driven", self.edge.skeleton.clone(), self.edge.rate);
        coming.ground = self.edge.ground;
        append(
            &mut coming,
            (&self.edge, self.next..self.edge.len()),
            Planar::IDENTITY,
        );
        let place = self.repertoire.graph().nodes[self.node.0 as usize];
        let clip = &self.repertoire.clips()[place.clip.index()];
        let first = place.frame.index();
        let last = first + count.saturating_sub(coming.len());
        append(
            &mut coming,
            (clip, first..last.min(clip.len())),
            self.placement,
        );
        coming
    }

    /// Which way the root moves a while from now, before pivots; `None` while it stands. [rad]
    fn soon(&self) -> Option<f64> {
        let ahead = self.edge.rate.frames_in(AHEAD);
        let (from, to) = (self.root_in(ahead), self.root_in(2 * ahead));
        let (x, z) = (f64::from(to.x - from.x), f64::from(to.z - from.z));
        (x.hypot(z) > STANDING * AHEAD).then(|| x.atan2(z))
    }

    /// Where the root will be in some frames, before pivots.
    fn root_in(&self, frames: usize) -> Vec3 {
        let left = self.edge.len() - self.next;
        if frames < left {
            return self.edge.root[self.next + frames];
        }
        let place = self.repertoire.graph().nodes[self.node.0 as usize];
        let roots = &self.repertoire.clips()[place.clip.index()].root;
        let last = roots.len() - 1;
        self.placement
            .point3(roots[(place.frame.index() + frames - left).min(last)])
    }

    fn best_edge(
        &self,
        (node, placement): (NodeId, Planar),
        direction: f64,
        word: Option<usize>,
    ) -> EdgeId {
        let wanted = direction - placement.yaw - self.pivots.carried().yaw;
        self.table.best_edge(&self.repertoire, node, wanted, word)
    }

    fn start_edge(&mut self, frames: Clip, edge: EdgeId) {
        let edge = self.repertoire.edge(edge);
        self.leaves = leaves(self.repertoire.graph(), edge).collect();
        (self.edge, self.next) = (frames, 0);
    }
}

/// Appends some frames of a clip, placed, with their contacts.
fn append(to: &mut Clip, (from, frames): (&Clip, Range<usize>), placement: Planar) {
    for frame in frames {
        to.push_pose(&placed(from.pose(FrameId::from(frame)), placement));
        let contacts = from.contacts.get(frame).copied();
        to.contacts.push(contacts.unwrap_or(Contacts::NONE));
    }
}

fn placed(mut pose: Pose, placement: Planar) -> Pose {
    pose.root = placement.point3(pose.root);
    pose.rotations[0] = placement.rotate(pose.rotations[0]).normalize();
    pose
}

fn interpolate(from: &Pose, to: &Pose, share: f32) -> Pose {
    let rotations = from.rotations.iter().zip(&to.rotations);
    Pose {
        root: from.root.lerp(to.root, share),
        rotations: rotations.map(|(a, b)| a.slerp(*b, share)).collect(),
    }
}
