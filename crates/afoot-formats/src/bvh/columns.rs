//! Where each joint's numbers stand in a row, and blocks of rows turned into frames.
//!
//! Every joint turns its own columns of a block of [`LANES`] frames into quaternions, all lanes at
//! once, whatever its channel order.

use afoot_core::{Clip, JointId, Quat, Skeleton, SlidingJoint, Vec3};

use crate::bvh::channel_axis;
use crate::euler::Axis;
use crate::lanes::{Lanes, QuatLanes};
use crate::plausible::MOST_DEGREES;

/// Where each joint's numbers stand in a row.
pub(super) struct Columns {
    pub(super) joints: Vec<JointColumns>,
    /// Rotation axes and their columns, joint by joint.
    turns: Vec<(Axis, u32)>,
    /// Joints other than the root that have position channels.
    sliding: Vec<JointId>,
    /// Numbers in a row.
    pub(super) count: usize,
}

#[derive(Clone, Copy, Default)]
pub(super) struct JointColumns {
    /// Its part of `turns`: start and end.
    turns: (u32, u32),
    /// Columns of x, y and z.
    pub(super) position: [Option<u32>; 3],
}

impl JointColumns {
    pub(super) fn moves(&self) -> bool {
        self.position.iter().any(Option::is_some)
    }
}

impl Columns {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let count = skeleton
            .joints()
            .iter()
            .map(|joint| joint.channels.len())
            .sum();
        let mut columns = Self {
            joints: Vec::with_capacity(skeleton.len()),
            turns: Vec::with_capacity(count),
            sliding: Vec::new(),
            count,
        };
        let mut column = 0;
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let mut own = JointColumns::default();
            own.turns.0 = columns.turns.len() as u32;
            for &channel in &joint.channels {
                match channel_axis(channel) {
                    (true, axis) => own.position[axis as usize] = Some(column),
                    (false, axis) => columns.turns.push((axis, column)),
                }
                column += 1;
            }
            own.turns.1 = columns.turns.len() as u32;
            if index > 0 && own.moves() {
                columns.sliding.push(JointId::from(index));
            }
            columns.joints.push(own);
        }
        columns
    }

    /// The lane and column of an angle in a block that no capture has, if there is one.
    pub(super) fn wild_turn(&self, block: &[Lanes], filled: usize) -> Option<(usize, usize)> {
        let largest = |lanes: &Lanes| {
            lanes[..filled]
                .iter()
                .fold(0.0, |most, a| a.abs().max(most))
        };
        let mut columns = self.turns.iter().map(|(_, column)| *column as usize);
        let column = columns.find(|&column| largest(&block[column]) > MOST_DEGREES)?;
        let lane = block[column].iter().position(|a| a.abs() > MOST_DEGREES)?;
        Some((lane, column))
    }

    pub(super) fn empty_sliding(&self) -> Vec<SlidingJoint> {
        let empty = |&joint| SlidingJoint {
            joint,
            offsets: Vec::new(),
        };
        self.sliding.iter().map(empty).collect()
    }

    /// Bytes that a frame of the clip takes.
    pub(super) fn frame_bytes(&self) -> usize {
        16 * self.joints.len() + 12 * (1 + self.sliding.len())
    }
}

/// Adds the first `filled` lanes of a block to the clip, positions still in file units.
pub(super) fn append_block(block: &[Lanes], filled: usize, columns: &Columns, clip: &mut Clip) {
    let joints = columns.joints.len();
    let start = clip.rotations.len();
    clip.rotations
        .resize(start + filled * joints, Quat::IDENTITY);
    let out = &mut clip.rotations[start..];
    convert_block(block, columns, filled, out);
    let place = |joint: usize, lane: usize| {
        let read =
            |column: Option<u32>| column.map_or(f32::NAN, |c| block[c as usize][lane] as f32);
        Vec3::from(columns.joints[joint].position.map(read))
    };
    clip.root.extend((0..filled).map(|lane| place(0, lane)));
    for sliding in &mut clip.sliding {
        let joint = sliding.joint.index();
        sliding
            .offsets
            .extend((0..filled).map(|lane| place(joint, lane)));
    }
}

/// The rotations of a block, frame by frame.
fn convert_block(block: &[Lanes], columns: &Columns, filled: usize, out: &mut [Quat]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, which is all that the function asks for.
        #[allow(unsafe_code)]
        unsafe {
            convert_block_avx2(block, columns, filled, out);
        }
        return;
    }
    convert_block_anywhere(block, columns, filled, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn convert_block_avx2(block: &[Lanes], columns: &Columns, filled: usize, out: &mut [Quat]) {
    convert_block_anywhere(block, columns, filled, out);
}

#[inline(always)]
fn convert_block_anywhere(block: &[Lanes], columns: &Columns, filled: usize, out: &mut [Quat]) {
    let joints = columns.joints.len();
    for (index, joint) in columns.joints.iter().enumerate() {
        let mut rotation = QuatLanes::IDENTITY;
        for &(axis, column) in &columns.turns[joint.turns.0 as usize..joint.turns.1 as usize] {
            rotation.turn(axis, &block[column as usize]);
        }
        for lane in 0..filled {
            out[lane * joints + index] = rotation.get(lane);
        }
    }
}
