//! Skeletons as bytes. Golden files of libraries pin the layout: a change needs a new format of
//! those, and a way from the old one.

use afoot_codec::{Malformed, Reader, Writer};
use glam::{Quat, Vec3};

use crate::index::JointId;
use crate::roles::{Role, Side};
use crate::skeleton::{Channel, EndSite, Joint, Skeleton};
use crate::stem::Stem;
use crate::surface::SurfacePoint;

const NO_SKELETON: Malformed = Malformed("its joints make no skeleton");
const UNKNOWN: Malformed = Malformed("a code stands for nothing");

impl Skeleton {
    /// As bytes that [`Skeleton::from_bytes`] reads; equal skeletons give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let skeleton = self;
        let mut writer = Writer::default();
        writer.u32(skeleton.len() as u32);
        for joint in skeleton.joints() {
            write_joint(&mut writer, joint);
        }
        writer.u32(skeleton.end_sites().len() as u32);
        for site in skeleton.end_sites() {
            writer.u32(site.parent.0.into());
            writer.f32s(&site.offset.to_array());
        }
        // From format 2 on, and only where there is a mesh or, later, a stem: all other skeletons
        // keep their hashes.
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

    /// What [`Skeleton::to_bytes`] wrote; what makes no skeleton is refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
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
        let skeleton = Skeleton::new(joints, end_sites).map_err(|_| NO_SKELETON)?;
        if reader.end().is_ok() {
            return Ok(skeleton);
        }
        let surface = read_surface(&mut reader)?;
        let skeleton = skeleton.with_surface(surface).map_err(|_| NO_SKELETON)?;
        if reader.end().is_ok() {
            return Ok(skeleton);
        }
        let stem = read_stem(&mut reader)?;
        reader.end()?;
        Ok(skeleton.with_stem(Some(stem)))
    }
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

fn write_stem(writer: &mut Writer, stem: &Stem) {
    writer.u32(stem.joints.len() as u32);
    for joint in &stem.joints {
        write_joint(writer, joint);
    }
    writer.u32(stem.carrier as u32);
    writer.f32s(&stem.hips_offset.to_array());
    writer.f32s(&stem.turn.to_array());
    writer.u8(u8::from(stem.travels));
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
    (whole && tree).then_some(stem).ok_or(NO_SKELETON)
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
    u16::try_from(number).map(JointId).map_err(|_| NO_SKELETON)
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
    CHANNELS.get(usize::from(code)).copied().ok_or(UNKNOWN)
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
        .ok_or(UNKNOWN)
}
