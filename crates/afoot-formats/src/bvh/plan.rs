//! Which columns each joint gets in a BVH file, and how its rotation becomes angles.

use afoot_core::{Channel, Clip, FrameId, JointId, Vec3};

use crate::bvh::channel_axis;
use crate::bvh::positions::are_shifts;
use crate::euler::{Axis, Quat64, one_angle, three_angles, two_angles, unit_quat64};

/// One number of a joint in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Column {
    Position(Axis),
    /// An angle by its place among the solved ones.
    Angle(usize),
    /// A rotation channel that the others leave nothing to do.
    Zero,
}

/// How one joint is written.
pub(super) struct JointPlan {
    pub(super) joint: JointId,
    /// Braces open around it.
    pub(super) depth: usize,
    pub(super) channels: Vec<Channel>,
    /// One per channel.
    pub(super) columns: Vec<Column>,
    /// Its place in [`Clip::sliding`].
    pub(super) sliding: Option<usize>,
    /// What is taken from its positions before writing: its offset, or nothing. [m]
    pub(super) subtract: Vec3,
    axes: Vec<Axis>,
    previous: [f64; 3],
}

/// An angle that a joint may be off by because it lacks a channel: 0.1 mm at 3 m. [rad]
const LOSS: f64 = 3e-5;

/// A shift that a joint may be off by because it lacks a channel. [m]
const SHIFT_LOSS: f32 = 1e-6;

/// Plans all joints of a clip, depth first; if it is only the first piece of a motion, with all
/// rotation channels, since later pieces may need them.
pub(super) fn plan_joints(
    clip: &Clip,
    first_piece: bool,
    warnings: &mut Vec<String>,
) -> Vec<JointPlan> {
    let has_channels = clip
        .skeleton
        .joints()
        .iter()
        .any(|joint| !joint.channels.is_empty());
    let mut plans = Vec::with_capacity(clip.joint_count());
    for (joint, depth) in depth_first(clip) {
        let kept = &clip.skeleton.joint(joint).channels;
        let channels = match has_channels {
            true => kept.clone(),
            false => default_channels(joint),
        };
        let sliding = clip
            .sliding
            .iter()
            .position(|sliding| sliding.joint == joint);
        let mut plan = JointPlan::new(joint, depth, channels, sliding);
        if plan.add_missing(clip, first_piece) && has_channels {
            let name = &clip.skeleton.joint(joint).name;
            warnings.push(format!(
                "{name:?} needs more channels than its skeleton gives it"
            ));
        }
        plan.subtract_offset(clip);
        plans.push(plan);
    }
    plans
}

/// The joints, each after its parent and before its parent's next child, and their depths.
fn depth_first(clip: &Clip) -> Vec<(JointId, usize)> {
    let joints = clip.skeleton.joints();
    let mut children: Vec<Vec<JointId>> = vec![Vec::new(); joints.len()];
    for (index, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            children[parent.index()].push(JointId::from(index));
        }
    }
    let mut order = Vec::with_capacity(joints.len());
    let mut open = vec![(JointId(0), 0)];
    while let Some((joint, depth)) = open.pop() {
        order.push((joint, depth));
        open.extend(
            children[joint.index()]
                .iter()
                .map(|&child| (child, depth + 1)),
        );
    }
    order
}

/// z, y, x: the middle angle, whose ±90° are singular, is a twist in most joints.
fn default_channels(joint: JointId) -> Vec<Channel> {
    use Channel::{Xposition, Xrotation, Yposition, Yrotation, Zposition, Zrotation};
    match joint.index() {
        0 => vec![
            Xposition, Yposition, Zposition, Zrotation, Yrotation, Xrotation,
        ],
        _ => vec![Zrotation, Yrotation, Xrotation],
    }
}

impl JointPlan {
    fn new(joint: JointId, depth: usize, channels: Vec<Channel>, sliding: Option<usize>) -> Self {
        let mut plan = Self {
            joint,
            depth,
            channels,
            columns: Vec::new(),
            sliding,
            subtract: Vec3::ZERO,
            axes: Vec::new(),
            previous: [0.0; 3],
        };
        plan.assign_columns();
        plan
    }

    /// Takes the first three rotation channels that differ from their predecessors.
    fn assign_columns(&mut self) {
        self.axes.clear();
        self.columns.clear();
        for &channel in &self.channels {
            let (is_position, axis) = channel_axis(channel);
            let useful = self.axes.len() < 3 && self.axes.last() != Some(&axis);
            self.columns.push(match (is_position, useful) {
                (true, _) => Column::Position(axis),
                (false, false) => Column::Zero,
                (false, true) => {
                    self.axes.push(axis);
                    Column::Angle(self.axes.len() - 1)
                }
            });
        }
    }

    /// The angles of a rotation, near those of the frame before. [rad]
    pub(super) fn angles(&mut self, q: Quat64) -> [f64; 3] {
        let (angles, _) = self.solve(q);
        self.previous = angles;
        angles
    }

    /// The angles, and the angle that they are off by.
    fn solve(&self, q: Quat64) -> ([f64; 3], f64) {
        let p = self.previous;
        match self.axes[..] {
            [a, b, c, ..] => (three_angles(q, [a, b, c], p), 0.0),
            [a, b] => {
                let ([a, b], error) = two_angles(q, [a, b], [p[0], p[1]]);
                ([a, b, 0.0], error)
            }
            [a] => {
                let (a, error) = one_angle(q, a, p[0]);
                ([a, 0.0, 0.0], error)
            }
            [] => ([0.0; 3], 2.0 * q[3].abs().min(1.0).acos()),
        }
    }

    /// Gives the joint the channels that its motion needs; whether there were any.
    fn add_missing(&mut self, clip: &Clip, first_piece: bool) -> bool {
        let rotations = self.axes.len() < 3 && (first_piece || self.loses_rotation(clip));
        let positions = self.loses_position(clip);
        if rotations {
            use Channel::{Xrotation, Yrotation, Zrotation};
            let missing = [Zrotation, Yrotation, Xrotation];
            let missing = missing
                .into_iter()
                .filter(|&channel| !self.channels.contains(&channel));
            let missing: Vec<Channel> = missing.collect();
            self.channels.extend(missing);
        }
        if positions {
            use Channel::{Xposition, Yposition, Zposition};
            let all = [Xposition, Yposition, Zposition];
            self.channels.retain(|&channel| !all.contains(&channel));
            self.channels.splice(0..0, all);
        }
        if rotations || positions {
            self.assign_columns();
        }
        rotations || positions
    }

    fn loses_rotation(&self, clip: &Clip) -> bool {
        (0..clip.len()).map(FrameId::from).any(|frame| {
            let q = unit_quat64(clip.rotation(frame, self.joint));
            self.solve(q).1 > LOSS
        })
    }

    fn loses_position(&self, clip: &Clip) -> bool {
        let offset = clip.skeleton.joint(self.joint).offset;
        let has = |axis: Axis| self.columns.contains(&Column::Position(axis));
        let lacks = [Axis::X, Axis::Y, Axis::Z].map(|axis| !has(axis));
        let off = |position: &Vec3| {
            let difference = (*position - offset).abs();
            (0..3).any(|axis| lacks[axis] && difference[axis] > SHIFT_LOSS)
        };
        self.positions(clip).iter().any(off)
    }

    fn positions<'a>(&self, clip: &'a Clip) -> &'a [Vec3] {
        match self.sliding {
            _ if self.joint.index() == 0 => &clip.root,
            Some(index) => &clip.sliding[index].offsets,
            None => &[],
        }
    }

    /// Writes shifts instead of offsets where the reader would take them for shifts.
    fn subtract_offset(&mut self, clip: &Clip) {
        let offset = clip.skeleton.joint(self.joint).offset;
        let has = |axis: Axis| self.columns.contains(&Column::Position(axis));
        let known = [Axis::X, Axis::Y, Axis::Z].map(has);
        if self.sliding.is_some() && are_shifts(self.positions(clip), offset, known) {
            self.subtract = offset;
        }
    }
}
