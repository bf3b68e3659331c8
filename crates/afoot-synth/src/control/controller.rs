//! A figure that is steered: it plays the edges that the table says, and bends them a little.
//!
//! In: the time that passed, a direction and maybe a word. Out: a pose. A new wish is heard at the
//! next node, at the latest in the second half of a transition, which can be left then (`leave`).
//! Meanwhile the figure pivots towards the wish about the foot it stands on (`pivot`). Cost per
//! call: a look-up, or the blend of one transition, per frame that passes, and the legs of the pose
//! that is returned; no search. Captured frames and blends are played as they are, and feet are held
//! in what each call returns (`feet`), so that they stand still between frames too.

use std::sync::Arc;

use afoot_core::{Clip, Contacts, Planar, Pose, Skeleton, Vec3};
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId, Place};
use thiserror::Error;

use super::feet::{Feet, FeetOptions};
use super::leave::{Leave, leaves};
use super::leg::Footing;
use super::pivot::{PivotOptions, Pivots, STANDING};
use super::stream::{Stream, room_for_blend};
use super::table::{ControlTable, TableError};
use crate::allowed::UnknownLabel;
use crate::edges::Edges;
use crate::repertoire::Repertoire;

/// Longest time that one call advances; more is cut, so that a call's time is bounded. [s]
const LONGEST_CALL: f64 = 0.25;
/// How far ahead the captured motion's own turn is looked for, and over how long. [s]
const AHEAD: f64 = 0.2;

/// How a figure is steered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerOptions {
    /// How it is turned beside what the graph does.
    pub pivot: PivotOptions,
    /// How its feet are held; `None` plays them as they are.
    pub feet: Option<FeetOptions>,
    /// A transition isn't left while the figure moves this near to the wish. [rad, ≥ 0]
    pub content: f64,
}

impl Default for ControllerOptions {
    fn default() -> Self {
        Self {
            pivot: PivotOptions::default(),
            feet: Some(FeetOptions::default()),
            content: 30f64.to_radians(),
        }
    }
}

/// A steered figure.
#[derive(Clone, Debug)]
pub struct Controller {
    repertoire: Arc<Repertoire>,
    skeleton: Arc<Skeleton>,
    table: Arc<ControlTable>,
    options: ControllerOptions,
    stream: Stream,
    /// Room for the frames that a transition takes over when it leaves another.
    coming: Clip,
    /// Where the edge can be left early, last to first.
    leaves: Vec<Leave>,
    /// The frames before and after the present, in the world.
    shown: [Shown; 2],
    /// How far the present is from one to the other; at 1 the wish of this very call is seen.
    /// [0 to 1]
    share: f64,
    /// What touches the ground in the last of them.
    contacts: Contacts,
    /// What plays in it.
    playing: Playing,
    pivots: Pivots,
    feet: Feet,
}

/// A frame, and where its feet are to be.
#[derive(Clone, Debug)]
struct Shown {
    pose: Pose,
    footings: [Option<Footing>; 2],
}

/// What a steered figure plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playing {
    /// The captured frame; of a transition, that of the clip which it is nearer to.
    pub place: Place,
    /// How many frames a transition has played before, if this is one.
    pub transition: Option<u32>,
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
    #[error("the graph is empty")]
    EmptyGraph,
}

/// Where a figure begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerStart {
    /// What it plays.
    pub node: NodeId,
    /// Where its root is, and the yaw it faces.
    pub place: Planar,
}

impl ControllerStart {
    /// In the world's middle.
    pub fn in_the_middle(node: NodeId) -> Self {
        Self {
            node,
            place: Planar::IDENTITY,
        }
    }
}

impl Controller {
    /// A figure at a node of the graph.
    pub fn new(
        repertoire: Arc<Repertoire>,
        table: Arc<ControlTable>,
        start: ControllerStart,
        options: ControllerOptions,
    ) -> Result<Self, ControllerError> {
        let ControllerStart { node, place } = start;
        if node.0 as usize >= repertoire.graph().nodes.len() {
            return Err(ControllerError::EmptyGraph);
        }
        table.fits(&*repertoire)?;
        let placement = Planar::carrying(repertoire.root_at(node), place);
        let start = repertoire.graph().nodes[node.0 as usize];
        let skeleton = repertoire.skeleton().ok_or(ControllerError::EmptyGraph)?;
        let skeleton = Arc::clone(skeleton);
        let nothing = Shown {
            pose: skeleton.rest_pose(),
            footings: [None; 2],
        };
        let feet = Feet::new(&repertoire, &skeleton, options.feet.unwrap_or_default());
        let mut figure = Self {
            stream: Stream::at(&repertoire, &skeleton, (node, placement)),
            coming: room_for_blend(repertoire.graph(), &skeleton),
            leaves: Vec::with_capacity(repertoire.graph().window as usize),
            repertoire,
            skeleton,
            table,
            options,
            shown: [nothing.clone(), nothing],
            share: 1.0,
            contacts: Contacts::NONE,
            playing: Playing {
                place: start,
                transition: None,
            },
            pivots: Pivots::new(options.pivot),
            feet,
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
        let mut pose = self.skeleton.rest_pose();
        self.advance_into(seconds, direction, label, &mut pose)?;
        Ok(pose)
    }

    /// [`Controller::advance`] into a pose that is there. No call asks for memory, but the first with
    /// a pose of another skeleton.
    pub fn advance_into(
        &mut self,
        seconds: f64,
        direction: f64,
        label: Option<&str>,
        pose: &mut Pose,
    ) -> Result<(), ControllerError> {
        let word = label.map(|label| self.find_word(label)).transpose()?;
        let seconds = if seconds.is_finite() {
            seconds.clamp(0.0, LONGEST_CALL)
        } else {
            0.0
        };
        let ahead = self.stream.end().1.yaw + self.pivots.carried().yaw;
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
        self.present(pose);
        Ok(())
    }

    /// What touched the ground in the captured motion at the frame last played.
    pub fn contacts(&self) -> Contacts {
        self.contacts
    }

    /// Where the frame last played comes from.
    pub fn playing(&self) -> Playing {
        self.playing
    }

    /// What will play until the next node, without further wishes.
    pub(super) fn outlook(&self) -> Outlook {
        let carried = self.pivots.carried();
        let root = |ahead: usize| carried.point3(self.stream.root(&self.repertoire, ahead));
        let (node, placement) = self.stream.end();
        Outlook {
            coming: (0..self.stream.left()).map(root).collect(),
            node,
            yaw: placement.yaw + carried.yaw,
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
        if self.stream.left() == 0 {
            self.play_edge(direction, word);
        } else {
            self.leave_edge(direction, word);
        }
        let seconds = self.repertoire.graph().rate.frame_time();
        self.shown.swap(0, 1);
        let pose = &mut self.shown[1].pose;
        self.stream.take_pose(&self.repertoire, pose);
        let root = pose.root;
        self.contacts = self.stream.contacts(&self.repertoire, 0);
        self.playing = self.stream.source(&self.repertoire);
        self.feet.look(&self.repertoire, &self.stream);
        let bearing = self.feet.bearing(self.pivots.carried());
        let soon = self.soon();
        self.pivots
            .turn_towards(direction, soon, root, bearing, seconds);
        let (lift, footings) = match self.options.feet {
            Some(_) => {
                let drift = self.feet.drift(self.pivots.carried());
                self.pivots.shift(drift);
                self.feet.place(self.pivots.carried())
            }
            None => (0.0, [None; 2]),
        };
        let carried = self.pivots.carried();
        let shown = &mut self.shown[1];
        shown.pose.root = carried.point3(root) + Vec3::Y * lift;
        shown.pose.rotations[0] = carried.rotate(shown.pose.rotations[0]).normalize();
        shown.footings = footings;
        self.stream.step();
    }

    /// The pose between the two frames, its feet where they are to be then.
    fn present(&self, pose: &mut Pose) {
        let ([from, to], share) = (&self.shown, self.share as f32);
        interpolate(&from.pose, &to.pose, share, pose);
        let footings = [0, 1].map(|side| {
            let (from, to) = (from.footings[side]?, to.footings[side]?);
            Some(Footing::between(&from, &to, share))
        });
        self.feet.reach(&self.skeleton, pose, footings);
    }

    fn play_edge(&mut self, direction: f64, word: Option<usize>) {
        let (node, placement) = self.stream.end();
        let id = self.best_edge(node, placement, direction, word);
        let edge = self.repertoire.edge(id);
        self.stream.play(&self.repertoire, edge);
        note_leaves(&self.repertoire, edge, &mut self.leaves);
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
        let (root, turned) = self.stream.root_turned(&self.repertoire);
        let root = Planar::of_root(root, turned);
        let placement = Planar::carrying(self.repertoire.root_at(leave.node), root);
        let id = self.best_edge(leave.node, placement, direction, word);
        let edge = self.repertoire.edge(id);
        if let EdgeKind::Transition(transition) = edge.kind() {
            let (stream, coming) = (&mut self.stream, &mut self.coming);
            let left = stream.leave(&self.repertoire, (edge, transition), coming);
            if left.is_ok() {
                note_leaves(&self.repertoire, edge, &mut self.leaves);
            }
        }
    }

    /// The node that the present transition passes now, if it can be left there.
    fn leave_here(&mut self) -> Option<Leave> {
        let played = self.stream.played() as u32;
        while self.leaves.last()?.frames < played {
            self.leaves.pop();
        }
        let leave = *self.leaves.last()?;
        (leave.frames == played).then_some(leave)
    }

    /// Which way the root moves a while from now, before pivots; `None` while it stands. [rad]
    fn soon(&self) -> Option<f64> {
        let ahead = self.repertoire.graph().rate.frames_in(AHEAD);
        let root = |ahead: usize| self.stream.root(&self.repertoire, ahead);
        let way = root(2 * ahead) - root(ahead);
        let (x, z) = (f64::from(way.x), f64::from(way.z));
        (x.hypot(z) > STANDING * AHEAD).then(|| x.atan2(z))
    }

    fn best_edge(
        &self,
        node: NodeId,
        placement: Planar,
        direction: f64,
        word: Option<usize>,
    ) -> EdgeId {
        let wanted = direction - placement.yaw - self.pivots.carried().yaw;
        self.table.best_edge(&*self.repertoire, node, wanted, word)
    }
}

/// Where an edge can be left early.
fn note_leaves(repertoire: &Repertoire, edge: &Edge, noted: &mut Vec<Leave>) {
    let frames = repertoire.frames(edge);
    noted.clear();
    noted.extend(leaves(repertoire.layout(), edge, frames));
}

fn interpolate(from: &Pose, to: &Pose, share: f32, into: &mut Pose) {
    let rotations = from.rotations.iter().zip(&to.rotations);
    into.root = from.root.lerp(to.root, share);
    into.rotations.clear();
    into.rotations
        .extend(rotations.map(|(a, b)| a.slerp(*b, share)));
}
