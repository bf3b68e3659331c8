//! A figure that is steered: it plays the edges that the table says, and bends them a little.
//!
//! In: the time that passed, a direction and maybe a word. Out: a pose. A new wish is heard at the
//! next node, at the latest after a transition (a third of a second). Meanwhile the figure pivots
//! towards the wish about the foot it stands on, within the edit budget of Reitsma and Pollard 2004
//! (eq. 3), so that the foot does not slide. Cost per call: a look-up, or the blend of one
//! transition, per frame that passes; no search. Feet are as the repertoire has them: held in place
//! also in transitions, if it was made so ([`Repertoire::with_planted_feet`]).

use std::collections::VecDeque;
use std::sync::Arc;

use afoot_core::{
    Contacts, FrameId, JointId, Planar, Pose, Side, Vec3, pose_kinematics, wrap_angle,
};
use afoot_graph::NodeId;
use thiserror::Error;

use super::table::{ControlTable, TableError};
use crate::allowed::UnknownLabel;
use crate::repertoire::Repertoire;
use crate::walk::WalkPlayer;

/// Longest time that one call advances; more is cut, so that a call's time is bounded. [s]
const LONGEST_CALL: f64 = 0.25;
/// Time over which a pivot sets in and out. [s]
const PIVOT_FADE: f64 = 0.1;

/// How a figure is steered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerOptions {
    /// Most that the motion is turned towards the wish per metre travelled. [rad/m, ≥ 0]
    pub pivot: f64,
}

impl Default for ControllerOptions {
    /// 25 degrees per metre, as in the warp.
    fn default() -> Self {
        Self {
            pivot: 25f64.to_radians(),
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
    /// Frames to come, before pivots.
    coming: VecDeque<(Pose, Contacts)>,
    /// The frames before and after the present, in the world.
    shown: [Pose; 2],
    /// How far the present is from one to the other. [0 to 1]
    share: f64,
    pivots: Pivots,
}

/// What the pivots have added up to.
#[derive(Clone, Debug)]
struct Pivots {
    carried: Planar,
    /// Turn in the last frame. [rad]
    turn: f64,
    /// Left and right ball, or ankle, of the foot; `None` where unknown.
    feet: [Option<JointId>; 2],
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
        let feet = Side::BOTH.map(|side| {
            let leg = repertoire.clips()[0].skeleton.leg(side);
            leg.map(|leg| leg.ball)
        });
        let mut figure = Self {
            repertoire,
            table,
            options,
            node,
            placement,
            coming: VecDeque::new(),
            shown: [pose.clone(), pose],
            share: 0.0,
            pivots: Pivots {
                carried: Planar::IDENTITY,
                turn: 0.0,
                feet,
            },
        };
        figure.next_frame(place.yaw, None);
        figure.next_frame(place.yaw, None);
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
        let ahead = self.placement.yaw + self.pivots.carried.yaw;
        let direction = if direction.is_finite() {
            direction
        } else {
            ahead
        };
        self.share += seconds * self.repertoire.graph().rate.fps();
        while self.share >= 1.0 {
            self.next_frame(direction, word);
            self.share -= 1.0;
        }
        Ok(interpolate(
            &self.shown[0],
            &self.shown[1],
            self.share as f32,
        ))
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
        if self.coming.is_empty() {
            self.play_edge(direction, word);
        }
        if let Some((pose, contacts)) = self.coming.pop_front() {
            self.shown.swap(0, 1);
            self.turn_towards(direction, &pose, contacts);
            let carried = self.pivots.carried;
            let mut pose = Pose {
                root: carried.point3(pose.root),
                ..pose
            };
            pose.rotations[0] = carried.rotate(pose.rotations[0]).normalize();
            self.shown[1] = pose;
        }
    }

    fn play_edge(&mut self, direction: f64, word: Option<usize>) {
        let wanted = direction - self.placement.yaw - self.pivots.carried.yaw;
        let edge = self
            .table
            .best_edge(&self.repertoire, self.node, wanted, word);
        let mut player = WalkPlayer::new(&self.repertoire, self.node, self.placement);
        let mut played = player.empty();
        player.play(edge, 0, &mut played);
        let clip = &played.clip;
        let contacts = |frame: usize| clip.contacts.get(frame).copied().unwrap_or_default();
        let frames =
            (0..clip.len()).map(|frame| (clip.pose(FrameId::from(frame)), contacts(frame)));
        self.coming.extend(frames);
        (self.node, self.placement) = (player.node(), player.placement());
    }

    /// Adds a small turn towards the wish, about the foot that stands or, in flight, the root.
    fn turn_towards(&mut self, direction: f64, pose: &Pose, contacts: Contacts) {
        let carried = self.pivots.carried;
        let here = carried.point3(pose.root);
        let step = here - self.shown[0].root;
        let travelled = f64::from(step.x.hypot(step.z));
        let moves = self.shown[0].rotations.len() == pose.rotations.len() && travelled > 1e-3;
        let off = wrap_angle(direction - f64::from(step.x).atan2(f64::from(step.z)));
        let stands = Side::BOTH.map(|side| contacts.any(Contacts::foot(side)));
        let wanted = match moves && stands != [true, true] {
            true => off.clamp(-1.0, 1.0) * self.options.pivot * travelled,
            false => 0.0,
        };
        let frame_time = self.repertoire.graph().rate.frame_time();
        self.pivots.turn += (wanted - self.pivots.turn) * (frame_time / PIVOT_FADE).min(1.0);
        let center = self
            .pivot_point(pose, stands)
            .map_or(here, |foot| carried.point3(foot));
        self.pivots.carried = turn_about(center, self.pivots.turn).then_after(carried);
    }

    /// The ball of the one foot that stands.
    fn pivot_point(&self, pose: &Pose, stands: [bool; 2]) -> Option<Vec3> {
        let side = stands.iter().position(|&stands| stands)?;
        let foot = self.pivots.feet[side]?;
        let skeleton = &self.repertoire.clips()[0].skeleton;
        let (_, points) = pose_kinematics(skeleton, pose.root, &pose.rotations);
        Some(points[foot.index()])
    }
}

fn turn_about(center: Vec3, turn: f64) -> Planar {
    let (x, z) = (f64::from(center.x), f64::from(center.z));
    let [moved_x, moved_z] = Planar::new(0.0, 0.0, turn).point([x, z]);
    Planar::new(x - moved_x, z - moved_z, turn)
}

fn interpolate(from: &Pose, to: &Pose, share: f32) -> Pose {
    let rotations = from.rotations.iter().zip(&to.rotations);
    Pose {
        root: from.root.lerp(to.root, share),
        rotations: rotations.map(|(a, b)| a.slerp(*b, share)).collect(),
    }
}
