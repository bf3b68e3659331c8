//! A figure steered as it goes, call by call, exactly as a game steers it: for a keyboard or a page.

use std::collections::VecDeque;
use std::sync::Arc;

use afoot_core::{Pose, Side, Skeleton, Vec3, pose_kinematics, wrap_angle};
use afoot_draw::{Capsule, capsules};
use afoot_run::Run;
use afoot_synth::Controller;

use super::drive::figure;
use crate::failure::Failure;
use crate::library::Library;
use crate::shown::Body;

/// A new direction is taken once the root's way over this long lies so near to it, and is this fast.
const OVER: f64 = 0.1;
const NEAR: f64 = 30.0;
const MOVING: f64 = 0.25;

/// A steered figure.
#[derive(Debug)]
pub struct LiveFigure {
    controller: Controller,
    skeleton: Arc<Skeleton>,
    limbs: Vec<LiveLimb>,
    now: f64,
    /// Where the root was over the last moments: time, x, z.
    trace: VecDeque<[f64; 3]>,
    /// The direction that is wanted [degrees], and since when it was not taken yet. [s]
    wish: Option<f64>,
    waiting: Option<f64>,
    reactions: Vec<f64>,
}

/// Two points of a frame that a limb connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveLimb {
    /// One end.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// The side of the body; `None` in the middle.
    pub side: Option<Side>,
}

/// What a figure is doing now.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveFrame {
    /// The pose as it was returned.
    pub pose: Pose,
    /// Joints and end sites in the world; the root is the first. [m]
    pub points: Vec<[f32; 3]>,
    /// How fast the root goes over the ground. [m/s]
    pub speed: f64,
    /// How long the last new direction took, once it was taken. [s]
    pub reaction: Option<f64>,
    /// How long the present one has been waited for. [s]
    pub waiting: Option<f64>,
}

impl Library {
    /// A figure in the world's middle, to be steered.
    pub fn steer_live(&self, run: &Run) -> Result<LiveFigure, Failure> {
        let steering = self.steering(run)?;
        let repertoire = &steering.graph;
        let controller = figure(repertoire, &steering.table)?;
        let skeleton = repertoire.skeleton().map(Arc::clone);
        let skeleton = skeleton.ok_or_else(|| Failure::no_motion("the graph is empty"))?;
        Ok(LiveFigure {
            limbs: limbs_of(&skeleton),
            controller,
            skeleton,
            now: 0.0,
            trace: VecDeque::new(),
            wish: None,
            waiting: None,
            reactions: Vec::new(),
        })
    }
}

impl LiveFigure {
    /// Lets time pass [s, at most a quarter] with the wish to move towards `degrees` (0 along +z, 90
    /// along +x), as `label` says.
    pub fn advance(
        &mut self,
        seconds: f64,
        degrees: f64,
        label: Option<&str>,
    ) -> Result<LiveFrame, Failure> {
        if self.wish != Some(degrees) {
            self.wish = Some(degrees);
            self.waiting = Some(self.now);
        }
        let direction = degrees.to_radians();
        let pose = self.controller.advance(seconds, direction, label)?;
        self.now += seconds;
        let (_, points) = pose_kinematics(&self.skeleton, pose.root, &pose.rotations);
        let speed = self.follow_root(points[0], direction);
        Ok(LiveFrame {
            pose,
            points: points.iter().map(Vec3::to_array).collect(),
            speed,
            reaction: self.reactions.last().copied(),
            waiting: self.waiting.map(|since| self.now - since),
        })
    }

    /// Whose poses they are.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The words that `advance` takes as labels.
    pub fn words(&self) -> &[String] {
        self.controller.words()
    }

    /// The skeleton that is steered.
    pub fn body(&self) -> Body {
        Body::of(&self.skeleton)
    }

    /// What connects the points of a frame.
    pub fn limbs(&self) -> &[LiveLimb] {
        &self.limbs
    }

    /// How long new directions took so far. [s]
    pub fn reactions(&self) -> &[f64] {
        &self.reactions
    }

    /// Notes where the root is, whether the wish is taken, and how fast it goes. [m/s]
    fn follow_root(&mut self, root: Vec3, direction: f64) -> f64 {
        let here = [self.now, f64::from(root.x), f64::from(root.z)];
        self.trace.push_back(here);
        while self.trace.len() > 2 && self.trace[1][0] <= self.now - OVER {
            self.trace.pop_front();
        }
        let [then, x, z] = self.trace[0];
        let way = [here[1] - x, here[2] - z];
        let passed = self.now - then;
        if passed <= 0.0 {
            return 0.0;
        }
        let speed = way[0].hypot(way[1]) / passed;
        let off = wrap_angle(way[0].atan2(way[1]) - direction).abs();
        let taken = speed >= MOVING && off <= NEAR.to_radians();
        if let Some(since) = self.waiting.filter(|_| taken) {
            self.reactions.push(self.now - since);
            self.waiting = None;
        }
        speed
    }
}

fn limbs_of(skeleton: &Skeleton) -> Vec<LiveLimb> {
    let limb = |capsule: Capsule| LiveLimb {
        from: capsule.from,
        to: capsule.to,
        side: capsule.side,
    };
    capsules(skeleton).into_iter().map(limb).collect()
}
