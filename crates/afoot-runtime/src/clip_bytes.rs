//! A clip in few bytes: whole numbers of steps, foretold from those before, what is left as Rice codes.
//!
//! Channels one after the other: the root's coordinates, the rotation vector of each joint, contacts.
//! A value is foretold as 0, as the one before, or as going on as it went; each channel says which, and
//! the length of its codes. At least five times smaller than as numbers (`tests/packs.rs`).
//! Unpacked as a whole: a clip is played from anywhere, and a game has room for it.
//! Weakness: a rotation that passes half a turn about its axis jumps, which costs some bytes.

use std::sync::Arc;

use afoot_codec::Malformed;
use afoot_core::{Clip, Contacts, FrameRate, Quat, Skeleton, Vec3};

use crate::bits::{BitReader, BitWriter, FARTHEST, rice_length};
use crate::steps::Steps;

/// How many values before one it is foretold from: 0 to 2.
const ORDERS: [u32; 3] = [0, 1, 2];
/// Bits that say a channel's order and code.
const ORDER_BITS: u32 = 2;
const CODE_BITS: u32 = 5;
/// Longest clip. [frames]
pub(crate) const LONGEST_CLIP: usize = 1 << 24;

/// What a clip is unpacked as.
pub(crate) struct ClipShape<'a> {
    pub(crate) name: &'a str,
    pub(crate) skeleton: &'a Arc<Skeleton>,
    pub(crate) rate: FrameRate,
    pub(crate) frames: usize,
    /// Whether its contacts are known.
    pub(crate) touches: bool,
}

/// A clip's frames as bytes; `None` if it goes so far that its numbers are too large.
pub(crate) fn pack_clip(clip: &Clip, steps: &Steps) -> Option<Vec<u8>> {
    let joints = clip.joint_count();
    let mut writer = BitWriter::default();
    let mut values = Vec::with_capacity(clip.len());
    let mut put = |values: &mut Vec<i64>| {
        write_channel(&mut writer, values)?;
        values.clear();
        Some(())
    };
    for axis in 0..3 {
        let roots = clip.root.iter();
        values.extend(roots.map(|root| whole(root[axis], steps.root)));
        put(&mut values)?;
    }
    for joint in 0..joints {
        let turns: Vec<Vec3> = clip.rotations[joint..]
            .iter()
            .step_by(joints)
            .map(|turn| rotation_vector(*turn))
            .collect();
        for axis in 0..3 {
            let turns = turns.iter();
            values.extend(turns.map(|turn| whole(turn[axis], steps.joints[joint])));
            put(&mut values)?;
        }
    }
    values.extend(clip.contacts.iter().map(|contacts| i64::from(contacts.0)));
    put(&mut values)?;
    Some(writer.finish())
}

/// What [`pack_clip`] packed.
pub(crate) fn unpack_clip(
    bytes: &[u8],
    shape: &ClipShape<'_>,
    steps: &Steps,
) -> Result<Clip, Malformed> {
    let (frames, joints) = (shape.frames, shape.skeleton.len());
    // Every value takes a bit at least.
    let values = frames.saturating_mul(3 * (joints + 1));
    if frames > LONGEST_CLIP || values > bytes.len().saturating_mul(8) {
        return Err(Malformed("a clip ends too early"));
    }
    let mut clip = Clip::empty(shape.name, Arc::clone(shape.skeleton), shape.rate);
    clip.root = vec![Vec3::ZERO; frames];
    clip.rotations = vec![Quat::IDENTITY; frames * joints];
    let mut reader = BitReader::new(bytes);
    let mut channel = Vec::with_capacity(frames);
    for axis in 0..3 {
        read_channel(&mut reader, frames, &mut channel)?;
        for (root, value) in clip.root.iter_mut().zip(&channel) {
            root[axis] = *value as f32 * steps.root;
        }
    }
    let mut turns = vec![Vec3::ZERO; frames];
    for joint in 0..joints {
        for axis in 0..3 {
            read_channel(&mut reader, frames, &mut channel)?;
            for (turn, value) in turns.iter_mut().zip(&channel) {
                turn[axis] = *value as f32 * steps.joints[joint];
            }
        }
        let rotations = clip.rotations[joint.min(frames * joints)..].iter_mut();
        for (rotation, turn) in rotations.step_by(joints).zip(&turns) {
            *rotation = Quat::from_scaled_axis(*turn);
        }
    }
    let touches = if shape.touches { frames } else { 0 };
    read_channel(&mut reader, touches, &mut channel)?;
    let contacts = channel.iter().map(|value| Contacts(*value as u8));
    clip.contacts = contacts.collect();
    Ok(clip)
}

/// Axis times angle, the angle at most half a turn. [rad]
fn rotation_vector(turn: Quat) -> Vec3 {
    let shorter = if turn.w < 0.0 { -turn } else { turn };
    shorter.to_scaled_axis()
}

fn whole(value: f32, step: f32) -> i64 {
    (f64::from(value) / f64::from(step)).round() as i64
}

fn write_channel(writer: &mut BitWriter, values: &[i64]) -> Option<()> {
    let small = |value: &i64| value.abs() < FARTHEST / 4;
    if !values.iter().all(small) {
        return None;
    }
    let residuals = ORDERS.map(|order| residuals(values, order));
    let choices = ORDERS.into_iter().flat_map(|order| {
        let middle = code_near(&residuals[order as usize]);
        (middle.saturating_sub(1)..=middle + 1).map(move |code| (order, code))
    });
    let length = |(order, code): &(u32, u32)| {
        let each = residuals[*order as usize].iter();
        each.map(|residual| rice_length(*residual, *code))
            .sum::<u64>()
    };
    let (order, code) = choices.min_by_key(length)?;
    writer.bits(order.into(), ORDER_BITS);
    writer.bits(code.into(), CODE_BITS);
    let residuals = residuals[order as usize].iter();
    residuals.for_each(|residual| writer.rice(*residual, code));
    Some(())
}

/// The code that suits numbers whose sizes fall off as they usually do: the best is this or a neighbour.
fn code_near(residuals: &[i64]) -> u32 {
    let sum: u64 = residuals
        .iter()
        .map(|residual| residual.unsigned_abs())
        .sum();
    let mean = 2 * sum / residuals.len().max(1) as u64;
    mean.max(1).ilog2().min((1 << CODE_BITS) - 2)
}

fn residuals(values: &[i64], order: u32) -> Vec<i64> {
    let residual = |index: usize| values[index] - foretold(&values[..index], order);
    (0..values.len()).map(residual).collect()
}

fn read_channel(
    reader: &mut BitReader<'_>,
    frames: usize,
    values: &mut Vec<i64>,
) -> Result<(), Malformed> {
    let order = reader.bits(ORDER_BITS)? as u32;
    let code = reader.bits(CODE_BITS)? as u32;
    if !ORDERS.contains(&order) {
        return Err(Malformed(
            "a channel is foretold in a way that is not known",
        ));
    }
    values.clear();
    for _ in 0..frames {
        let value = foretold(values, order).saturating_add(reader.rice(code)?);
        if value.abs() >= FARTHEST {
            return Err(Malformed("a value is too large"));
        }
        values.push(value);
    }
    Ok(())
}

/// What comes after some values.
fn foretold(before: &[i64], order: u32) -> i64 {
    match (order, before) {
        (2, [.., a, b]) => 2 * b - a,
        (1 | 2, [.., b]) => *b,
        _ => 0,
    }
}
