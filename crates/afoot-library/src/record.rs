//! Motion and per-frame facts as bytes. Golden files pin every layout: a change needs a
//! new schema version and a migration.

use std::sync::Arc;

use afoot_core::{
    Clip, Contacts, Ground, JointId, LabelSpan, Locomotion, Quat, Range32, Skeleton, SlidingJoint,
    Vec3,
};
use glam::Vec4;

use crate::annotations::{Annotations, UseRule, UseSpan};
use crate::pack::{pack_bytes, pack_floats, unpack_bytes, unpack_floats};
use afoot_codec::{ContentHash, Digest};
use afoot_codec::{Malformed, Reader, Writer};

const NO_MOTION: Malformed = Malformed("its motion is of another skeleton");
const UNKNOWN: Malformed = Malformed("a code stands for nothing");

/// The hash of a skeleton as stored.
pub(crate) fn skeleton_hash(skeleton: &Skeleton) -> ContentHash {
    ContentHash::of(&skeleton.to_bytes())
}

/// The hash of a clip's motion: skeleton, rate and every number, but no facts found in it.
pub(crate) fn motion_hash(clip: &Clip) -> ContentHash {
    let mut digest = Digest::default();
    digest.add(&clip.skeleton.to_bytes());
    let (numerator, denominator) = clip.rate.parts();
    digest.add(&numerator.to_le_bytes());
    digest.add(&denominator.to_le_bytes());
    digest.add(&floats_as_bytes(root_floats(clip)));
    digest.add(&floats_as_bytes(rotation_floats(clip)));
    for sliding in &clip.sliding {
        digest.add(&sliding.joint.0.to_le_bytes());
        digest.add(&floats_as_bytes(vector_floats(&sliding.offsets)));
    }
    digest.finish()
}

fn floats_as_bytes(floats: &[f32]) -> std::borrow::Cow<'_, [u8]> {
    match cfg!(target_endian = "little") {
        true => bytemuck::cast_slice(floats).into(),
        false => floats.iter().flat_map(|f| f.to_le_bytes()).collect(),
    }
}

fn root_floats(clip: &Clip) -> &[f32] {
    vector_floats(&clip.root)
}

fn vector_floats(vectors: &[Vec3]) -> &[f32] {
    bytemuck::cast_slice(vectors)
}

fn rotation_floats(clip: &Clip) -> &[f32] {
    bytemuck::cast_slice(&clip.rotations)
}

pub(crate) fn write_motion(clip: &Clip) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.block(&pack_floats(root_floats(clip), 3));
    writer.block(&pack_floats(rotation_floats(clip), 4 * clip.joint_count()));
    writer.u32(clip.sliding.len() as u32);
    for sliding in &clip.sliding {
        writer.u32(sliding.joint.0.into());
        writer.block(&pack_floats(vector_floats(&sliding.offsets), 3));
    }
    writer.bytes
}

/// Fills in root, rotations and sliding joints.
pub(crate) fn read_motion(bytes: &[u8], clip: &mut Clip) -> Result<(), Malformed> {
    let mut reader = Reader::new(bytes);
    clip.root = read_vectors(reader.block()?)?;
    let (rotations, channels) = unpack_floats(reader.block()?)?;
    if channels != 4 * clip.joint_count() {
        return Err(NO_MOTION);
    }
    let turn = |q: &[f32]| Quat::from_vec4(Vec4::from_slice(q));
    clip.rotations = rotations.chunks_exact(4).map(turn).collect();
    for _ in 0..reader.count(8)? {
        clip.sliding.push(SlidingJoint {
            joint: u16::try_from(reader.u32()?)
                .map(JointId)
                .map_err(|_| NO_MOTION)?,
            offsets: read_vectors(reader.block()?)?,
        });
    }
    reader.end()
}

fn read_vectors(packed: &[u8]) -> Result<Vec<Vec3>, Malformed> {
    match unpack_floats(packed)? {
        (values, 3) => Ok(values.chunks_exact(3).map(Vec3::from_slice).collect()),
        _ => Err(NO_MOTION),
    }
}

pub(crate) fn write_tracks(clip: &Clip) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.block(&pack_bytes(bytemuck::cast_slice(&clip.contacts)));
    let types: Vec<u8> = clip.types.iter().map(|&kind| kind as u8).collect();
    writer.block(&pack_bytes(&types));
    writer.u32(clip.faults.len() as u32);
    for fault in &clip.faults {
        writer.u32(fault.start);
        writer.u32(fault.end);
    }
    match &clip.ground {
        None => writer.u8(0),
        Some(ground) => {
            writer.u8(1);
            writer.f32s(&ground.to_array());
        }
    }
    writer.bytes
}

/// Fills in contacts, types, faults and ground.
pub(crate) fn read_tracks(bytes: &[u8], clip: &mut Clip) -> Result<(), Malformed> {
    let mut reader = Reader::new(bytes);
    let contacts = unpack_bytes(reader.block()?)?;
    clip.contacts = contacts.into_iter().map(Contacts).collect();
    clip.types = unpack_types(reader.block()?)?;
    for _ in 0..reader.count(8)? {
        clip.faults.push(reader.u32()?..reader.u32()?);
    }
    clip.ground = match reader.u8()? {
        0 => None,
        _ => Some(Ground::from_array(reader.f32s()?)),
    };
    reader.end()
}

/// The types among the tracks, as they were found.
pub(crate) fn read_types(tracks: &[u8]) -> Result<Vec<Locomotion>, Malformed> {
    let mut reader = Reader::new(tracks);
    reader.block()?;
    unpack_types(reader.block()?)
}

fn unpack_types(bytes: &[u8]) -> Result<Vec<Locomotion>, Malformed> {
    let kind = |code: u8| Locomotion::ALL.get(usize::from(code)).copied();
    let codes = unpack_bytes(bytes)?.into_iter();
    codes.map(|code| kind(code).ok_or(UNKNOWN)).collect()
}

/// Denied labels came with format 3, all that follows with format 5; either only where there is some:
/// what was stored before keeps its bytes and its digests.
pub(crate) fn write_annotations(annotations: &Annotations) -> Vec<u8> {
    let Annotations {
        labels,
        denied,
        unsure,
        unsure_not,
        learned,
        uses,
    } = annotations;
    let later = [unsure, unsure_not, learned];
    let has_later = !uses.is_empty() || later.iter().any(|spans| !spans.is_empty());
    let mut writer = Writer::default();
    write_spans(&mut writer, labels);
    if has_later || !denied.is_empty() {
        write_spans(&mut writer, denied);
    }
    if has_later {
        later
            .iter()
            .for_each(|spans| write_spans(&mut writer, spans));
        write_uses(&mut writer, uses);
    }
    writer.bytes
}

pub(crate) fn read_annotations(bytes: &[u8]) -> Result<Annotations, Malformed> {
    let mut reader = Reader::new(bytes);
    let mut annotations = Annotations {
        labels: read_spans(&mut reader)?,
        ..Annotations::default()
    };
    if reader.end().is_err() {
        annotations.denied = read_spans(&mut reader)?;
    }
    if reader.end().is_err() {
        annotations.unsure = read_spans(&mut reader)?;
        annotations.unsure_not = read_spans(&mut reader)?;
        annotations.learned = read_spans(&mut reader)?;
        annotations.uses = read_uses(&mut reader)?;
    }
    reader.end()?;
    Ok(annotations)
}

fn write_uses(writer: &mut Writer, uses: &[UseSpan]) {
    writer.u32(uses.len() as u32);
    for span in uses {
        let (kind, amount) = match span.rule {
            UseRule::Excluded => (0, 0),
            UseRule::NoEntry => (1, 0),
            UseRule::Bias(amount) => (2, amount),
        };
        writer.u32s([span.frames.start, span.frames.end, kind, amount as u32]);
    }
}

fn read_uses(reader: &mut Reader) -> Result<Vec<UseSpan>, Malformed> {
    reader.list(16, |reader| {
        let (start, end) = (reader.u32()?, reader.u32()?);
        let rule = match (reader.u32()?, reader.u32()?) {
            (0, _) => UseRule::Excluded,
            (1, _) => UseRule::NoEntry,
            (2, amount) => UseRule::Bias(amount as i32),
            _ => return Err(UNKNOWN),
        };
        let frames = Range32 { start, end };
        Ok(UseSpan { frames, rule })
    })
}

fn write_spans(writer: &mut Writer, spans: &[LabelSpan]) {
    writer.u32(spans.len() as u32);
    for span in spans {
        writer.u32(span.frames.start);
        writer.u32(span.frames.end);
        writer.block(span.label.as_bytes());
    }
}

fn read_spans(reader: &mut Reader) -> Result<Vec<LabelSpan>, Malformed> {
    let mut spans = Vec::new();
    for _ in 0..reader.count(12)? {
        let (start, end) = (reader.u32()?, reader.u32()?);
        spans.push(LabelSpan {
            frames: Range32 { start, end },
            label: reader.text()?,
        });
    }
    Ok(spans)
}

/// A clip without motion, to be filled in.
pub(crate) fn empty_clip(
    name: &str,
    skeleton: &Arc<Skeleton>,
    rate: afoot_core::FrameRate,
) -> Clip {
    Clip::empty(name, skeleton.clone(), rate)
}
