//! Skeletons, motion and per-frame facts as bytes. Golden files pin every layout: a change needs a
//! new schema version and a migration.

use std::sync::Arc;

use afoot_core::{
    Channel, Clip, Contacts, EndSite, FootRest, Ground, Joint, JointId, LabelSpan, Locomotion,
    Quat, Range32, Role, Side, Skeleton, SlidingJoint, Stem, SurfacePoint, Vec3,
};
use glam::Vec4;

use crate::annotations::Annotations;
use crate::bytes::{Malformed, Reader, Writer};
use crate::digest::{ContentHash, Digest};
use crate::pack::{pack_bytes, pack_floats, unpack_bytes, unpack_floats};

pub(crate) fn write_skeleton(skeleton: &Skeleton) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.u32(skeleton.len() as u32);
    skeleton
        .joints()
        .iter()
        .for_each(|joint| write_joint(&mut writer, joint));
    writer.u32(skeleton.end_sites().len() as u32);
    for site in skeleton.end_sites() {
        writer.u32(site.parent.0.into());
        writer.f32s(&site.offset.to_array());
    }
    // From format 2 on, and only where there is a mesh or, later, a stem: all other skeletons keep
    // their hashes.
    if !skeleton.surface().is_empty() || skeleton.stem().is_some() {
        writer.u32(skeleton.surface().len() as u32);
        for point in skeleton.surface() {
            writer.u32(point.joint.0.into());
            writer.f32s(&point.offset.to_array());
            writer.f32s(&[point.weight]);
        }
    }
    if let Some(stem) = skeleton.stem() {
        write_stem(&mut writer, stem);
    }
    writer.bytes
}

fn write_joint(writer: &mut Writer, joint: &Joint) {
    writer.block(joint.name.as_bytes());
    writer.u32(joint.parent.map_or(u32::MAX, |parent| parent.0.into()));
    writer.f32s(&joint.offset.to_array());
    writer.f32s(&joint.rest.to_array());
    writer.u8(joint.role.map_or(0, role_code));
    let channels: Vec<u8> = joint.channels.iter().map(|&c| channel_code(c)).collect();
    writer.block(&channels);
}

fn write_stem(writer: &mut Writer, stem: &Stem) {
    writer.u32(stem.joints.len() as u32);
    stem.joints
        .iter()
        .for_each(|joint| write_joint(writer, joint));
    writer.u32(stem.carrier as u32);
    writer.f32s(&stem.hips_offset.to_array());
    writer.f32s(&stem.turn.to_array());
    writer.u8(u8::from(stem.travels));
}

pub(crate) fn read_skeleton(bytes: &[u8]) -> Result<Skeleton, Malformed> {
    let mut reader = Reader::new(bytes);
    let mut joints = Vec::new();
    for _ in 0..reader.count(41)? {
        joints.push(read_joint(&mut reader)?);
    }
    let mut end_sites = Vec::new();
    for _ in 0..reader.count(16)? {
        end_sites.push(EndSite {
            parent: joint_id(reader.u32()?)?,
            offset: Vec3::from_array(reader.f32s()?),
        });
    }
    let skeleton = Skeleton::new(joints, end_sites).map_err(|_| Malformed)?;
    if reader.end().is_ok() {
        return Ok(skeleton);
    }
    let surface = read_surface(&mut reader)?;
    let skeleton = skeleton.with_surface(surface).map_err(|_| Malformed)?;
    if reader.end().is_ok() {
        return Ok(skeleton);
    }
    let stem = read_stem(&mut reader)?;
    reader.end()?;
    Ok(skeleton.with_stem(Some(stem)))
}

fn read_joint(reader: &mut Reader) -> Result<Joint, Malformed> {
    Ok(Joint {
        name: reader.text()?,
        parent: match reader.u32()? {
            u32::MAX => None,
            parent => Some(joint_id(parent)?),
        },
        offset: Vec3::from_array(reader.f32s()?),
        rest: Quat::from_array(reader.f32s()?),
        role: match reader.u8()? {
            0 => None,
            code => Some(role_of(code)?),
        },
        channels: {
            let codes = reader.block()?.iter();
            codes
                .map(|&code| channel_of(code))
                .collect::<Result<_, _>>()?
        },
    })
}

fn read_stem(reader: &mut Reader) -> Result<Stem, Malformed> {
    let mut joints = Vec::new();
    for _ in 0..reader.count(41)? {
        joints.push(read_joint(reader)?);
    }
    let stem = Stem {
        joints,
        carrier: reader.u32()? as usize,
        hips_offset: Vec3::from_array(reader.f32s()?),
        turn: Quat::from_array(reader.f32s()?),
        travels: reader.u8()? != 0,
    };
    let whole = stem.joints.is_empty() || stem.carrier < stem.joints.len();
    // A tree, as a skeleton's joints are.
    let tree = stem.joints.is_empty() || Skeleton::new(stem.joints.clone(), Vec::new()).is_ok();
    (whole && tree).then_some(stem).ok_or(Malformed)
}

fn read_surface(reader: &mut Reader) -> Result<Vec<SurfacePoint>, Malformed> {
    let point = |reader: &mut Reader| {
        Ok(SurfacePoint {
            joint: joint_id(reader.u32()?)?,
            offset: Vec3::from_array(reader.f32s()?),
            weight: reader.f32()?,
        })
    };
    let count = reader.count(20)?;
    (0..count).map(|_| point(reader)).collect()
}

fn joint_id(number: u32) -> Result<JointId, Malformed> {
    u16::try_from(number).map(JointId).map_err(|_| Malformed)
}

/// The hash of a skeleton as stored.
pub(crate) fn skeleton_hash(skeleton: &Skeleton) -> ContentHash {
    ContentHash::of(&write_skeleton(skeleton))
}

/// The hash of a clip's motion: skeleton, rate and every number, but no facts found in it.
pub(crate) fn motion_hash(clip: &Clip) -> ContentHash {
    let mut digest = Digest::default();
    digest.add(&write_skeleton(&clip.skeleton));
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
        return Err(Malformed);
    }
    let turn = |q: &[f32]| Quat::from_vec4(Vec4::from_slice(q));
    clip.rotations = rotations.chunks_exact(4).map(turn).collect();
    for _ in 0..reader.count(8)? {
        clip.sliding.push(SlidingJoint {
            joint: joint_id(reader.u32()?)?,
            offsets: read_vectors(reader.block()?)?,
        });
    }
    reader.end()
}

fn read_vectors(packed: &[u8]) -> Result<Vec<Vec3>, Malformed> {
    match unpack_floats(packed)? {
        (values, 3) => Ok(values.chunks_exact(3).map(Vec3::from_slice).collect()),
        _ => Err(Malformed),
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
            writer.f32s(&[ground.height, ground.slope_x, ground.slope_z]);
            let rest = |rest: &FootRest| [rest.ankle, rest.ball];
            writer.f32s(ground.rest.each_ref().map(rest).as_flattened());
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
        _ => Some(read_ground(&mut reader)?),
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
    codes.map(|code| kind(code).ok_or(Malformed)).collect()
}

fn read_ground(reader: &mut Reader) -> Result<Ground, Malformed> {
    let [height, slope_x, slope_z] = reader.f32s()?;
    let [left_ankle, left_ball, right_ankle, right_ball] = reader.f32s()?;
    let rest = |ankle, ball| FootRest { ankle, ball };
    Ok(Ground {
        height,
        slope_x,
        slope_z,
        rest: [rest(left_ankle, left_ball), rest(right_ankle, right_ball)],
    })
}

/// Denied labels came with format 3 and follow only where there are some: what was stored before
/// keeps its bytes and its digests.
pub(crate) fn write_annotations(annotations: &Annotations) -> Vec<u8> {
    let mut writer = Writer::default();
    write_spans(&mut writer, &annotations.labels);
    if !annotations.denied.is_empty() {
        write_spans(&mut writer, &annotations.denied);
    }
    writer.bytes
}

pub(crate) fn read_annotations(bytes: &[u8]) -> Result<Annotations, Malformed> {
    let mut reader = Reader::new(bytes);
    let labels = read_spans(&mut reader)?;
    let denied = match reader.end() {
        Ok(()) => Vec::new(),
        Err(Malformed) => read_spans(&mut reader)?,
    };
    reader.end()?;
    Ok(Annotations { labels, denied })
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

const CHANNELS: [Channel; 6] = [
    Channel::Xposition,
    Channel::Yposition,
    Channel::Zposition,
    Channel::Xrotation,
    Channel::Yrotation,
    Channel::Zrotation,
];

fn channel_code(channel: Channel) -> u8 {
    CHANNELS.iter().position(|&c| c == channel).unwrap_or(0) as u8
}

fn channel_of(code: u8) -> Result<Channel, Malformed> {
    CHANNELS.get(usize::from(code)).copied().ok_or(Malformed)
}

/// The numbers are part of the format: they stay, whatever the order of the enum.
fn role_code(role: Role) -> u8 {
    let sided = |code: u8, side: Side| code + side.index() as u8;
    match role {
        Role::Hips => 1,
        Role::Spine => 2,
        Role::Chest => 3,
        Role::Neck => 4,
        Role::Head => 5,
        Role::Shoulder(side) => sided(10, side),
        Role::Arm(side) => sided(12, side),
        Role::ForeArm(side) => sided(14, side),
        Role::Hand(side) => sided(16, side),
        Role::Finger(side) => sided(18, side),
        Role::UpLeg(side) => sided(20, side),
        Role::Leg(side) => sided(22, side),
        Role::Foot(side) => sided(24, side),
        Role::Toe(side) => sided(26, side),
    }
}

fn role_of(code: u8) -> Result<Role, Malformed> {
    Role::all()
        .find(|&role| role_code(role) == code)
        .ok_or(Malformed)
}
