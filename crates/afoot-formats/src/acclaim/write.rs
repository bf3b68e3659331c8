//! A clip as AMC text, with the ASF text that belongs to it.
//!
//! ASF knows bones without gaps: all children of a bone start at its end. A joint whose children
//! and end sites share one offset becomes a bone of that vector; where they differ, the joint's
//! bone has no length and a fixed bone leads to each child, so that every joint of the clip is a
//! bone of its own name. All axes are global, so the motion's rotations are written as they are,
//! as turns about x, then y, then z. Joints that never turn get no degrees of freedom.
//! The root is named `root`, whatever it was; names lose their blanks.

use std::collections::HashSet;

use afoot_core::{Clip, FrameId, JointId, Quat, Vec3};

use crate::error::FormatError;
use crate::euler::{Axis, three_angles, unit_quat64};
use crate::fixed::push_fixed;
use crate::motion::{WriteOptions, Written};
use crate::units::Unit;
use crate::up_axis::with_up;
use crate::written::{ANGLE_DECIMALS, check_writable, length_decimals};

/// The format has no place for the rate, so it stands in a comment, which every reader passes over.
pub(super) const RATE_COMMENT: &str = "frames per second:";

/// Writes a clip as AMC, with its ASF as the companion.
pub fn write_amc(clip: &Clip, options: &WriteOptions) -> Result<Written, FormatError> {
    check_writable(clip, options)?;
    let clip = &*with_up(clip, options.up);
    let bones = lay_out_bones(clip);
    let asf = asf_text(&bones, options.metres_per_unit);
    let amc = amc_text(clip, &bones, options.metres_per_unit);
    Ok(Written {
        bytes: amc,
        companion: Some(("asf", asf)),
        warnings: Vec::new(),
    })
}

/// A bone to be written. The first stands for the root.
struct Bone {
    name: String,
    /// In the list of bones; the root's own is meaningless.
    parent: usize,
    /// The joint it moves; `None` if it only fills a gap.
    joint: Option<JointId>,
    vector: Vec3,
    turns: bool,
    sliding: Option<usize>,
}

/// Bones for all joints, parents first.
fn lay_out_bones(clip: &Clip) -> Vec<Bone> {
    let skeleton = &*clip.skeleton;
    let mut names = Names::default();
    let mut bones = vec![Bone {
        name: "root".into(),
        parent: 0,
        joint: Some(JointId(0)),
        vector: Vec3::ZERO,
        turns: true,
        sliding: None,
    }];
    // The names of joints come before those of the fillers.
    let own: Vec<String> = skeleton.joints()[1..]
        .iter()
        .map(|j| names.unused(&j.name))
        .collect();
    let vectors = common_vectors(clip);
    // Which bone carries each joint.
    let mut carrier = vec![0; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let id = JointId::from(index);
        if let Some(parent) = joint.parent {
            let gap = joint.offset - vectors[parent.index()];
            let mut hangs_on = carrier[parent.index()];
            if gap != Vec3::ZERO {
                let name = names.unused(&format!("to_{}", own[index - 1]));
                bones.push(Bone::filler(name, hangs_on, gap));
                hangs_on = bones.len() - 1;
            }
            let turns = (0..clip.len()).any(|f| !is_identity(clip.rotation(FrameId::from(f), id)));
            carrier[index] = bones.len();
            bones.push(Bone {
                name: own[index - 1].clone(),
                parent: hangs_on,
                joint: Some(id),
                vector: vectors[index],
                turns,
                sliding: clip.sliding.iter().position(|sliding| sliding.joint == id),
            });
        }
    }
    for site in skeleton.end_sites() {
        let gap = site.offset - vectors[site.parent.index()];
        if gap != Vec3::ZERO {
            let carrier = carrier[site.parent.index()];
            let name = names.unused(&format!("end_of_{}", bones[carrier].name));
            bones.push(Bone::filler(name, carrier, gap));
        }
    }
    bones
}

/// Per joint the offset that all its children and end sites share, else zero; zero for the root.
fn common_vectors(clip: &Clip) -> Vec<Vec3> {
    let skeleton = &*clip.skeleton;
    let mut vectors: Vec<Option<Vec3>> = vec![None; skeleton.len()];
    let children = skeleton
        .joints()
        .iter()
        .filter_map(|j| Some((j.parent?, j.offset)));
    let ends = skeleton
        .end_sites()
        .iter()
        .map(|site| (site.parent, site.offset));
    for (parent, offset) in children.chain(ends) {
        let vector = vectors[parent.index()].get_or_insert(offset);
        if *vector != offset {
            *vector = Vec3::ZERO;
        }
    }
    vectors[0] = None;
    vectors.into_iter().map(Option::unwrap_or_default).collect()
}

impl Bone {
    fn filler(name: String, parent: usize, vector: Vec3) -> Self {
        Self {
            name,
            parent,
            joint: None,
            vector,
            turns: false,
            sliding: None,
        }
    }
}

/// Whether a rotation is none at all, sign aside.
fn is_identity(rotation: Quat) -> bool {
    rotation.xyz() == Vec3::ZERO
}

/// Names already given out.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// `name` without what separates words, and with a number if it is taken.
    fn unused(&mut self, name: &str) -> String {
        let separates = |c: char| c <= ' ' || ",()#:".contains(c);
        let name = name.replace(separates, "_");
        // A name of digits alone would be a frame's number.
        let is_number = name
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
        let base = if is_number {
            format!("bone_{name}")
        } else {
            name
        };
        let mut unused = base.clone();
        let mut number = 2;
        while is_keyword(&unused) || !self.0.insert(unused.clone()) {
            unused = format!("{base}_{number}");
            number += 1;
        }
        unused
    }
}

/// Whether a hierarchy would take a name for something else.
fn is_keyword(name: &str) -> bool {
    ["root", "begin", "end"]
        .iter()
        .any(|keyword| name.eq_ignore_ascii_case(keyword))
}

fn asf_text(bones: &[Bone], metres_per_unit: f64) -> Vec<u8> {
    let length = Unit::Inch.metres() / metres_per_unit;
    let mut out = Vec::new();
    let header = format!(
        ":version 1.10\n:name afoot\n:units\n  mass 1.0\n  length {length:.12}\n  angle deg\n\
         :root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n\
         :bonedata\n"
    );
    out.extend_from_slice(header.as_bytes());
    for (index, bone) in bones.iter().enumerate().skip(1) {
        push_bone(&mut out, index, bone, metres_per_unit);
    }
    out.extend_from_slice(b":hierarchy\n  begin\n");
    push_hierarchy(&mut out, bones);
    out.extend_from_slice(b"  end\n");
    out
}

fn push_bone(out: &mut Vec<u8>, id: usize, bone: &Bone, metres_per_unit: f64) {
    let vector = bone.vector.as_dvec3() / metres_per_unit;
    let length = vector.length();
    let direction = if length > 0.0 {
        vector / length
    } else {
        glam::DVec3::Y
    };
    let glam::DVec3 { x, y, z } = direction;
    let shifts = if bone.sliding.is_some() {
        " tx ty tz"
    } else {
        ""
    };
    let turns = if bone.turns { " rx ry rz" } else { "" };
    let name = &bone.name;
    let text = format!(
        "  begin\n    id {id}\n    name {name}\n    direction {x:.9} {y:.9} {z:.9}\n    \
         length {length:.9}\n    axis 0 0 0 XYZ\n"
    );
    out.extend_from_slice(text.as_bytes());
    if bone.sliding.is_some() || bone.turns {
        out.extend_from_slice(format!("    dof{shifts}{turns}\n").as_bytes());
    }
    out.extend_from_slice(b"  end\n");
}

fn push_hierarchy(out: &mut Vec<u8>, bones: &[Bone]) {
    let mut children = vec![Vec::new(); bones.len()];
    for (index, bone) in bones.iter().enumerate().skip(1) {
        children[bone.parent].push(index);
    }
    for (bone, children) in bones.iter().zip(&children) {
        if children.is_empty() {
            continue;
        }
        out.extend_from_slice(b"    ");
        out.extend_from_slice(bone.name.as_bytes());
        for &child in children {
            out.push(b' ');
            out.extend_from_slice(bones[child].name.as_bytes());
        }
        out.push(b'\n');
    }
}

fn amc_text(clip: &Clip, bones: &[Bone], metres_per_unit: f64) -> Vec<u8> {
    let rate = format!("# {RATE_COMMENT} {}\n", clip.rate.fps());
    let mut out = [rate.as_bytes(), b":FULLY-SPECIFIED\n:DEGREES\n"].concat();
    let mut writer = AmcWriter {
        units_per_metre: 1.0 / metres_per_unit,
        decimals: length_decimals(metres_per_unit),
        previous: vec![[0.0; 3]; bones.len()],
    };
    for frame in (0..clip.len()).map(FrameId::from) {
        out.extend_from_slice((frame.index() + 1).to_string().as_bytes());
        out.push(b'\n');
        for (index, bone) in bones.iter().enumerate() {
            writer.bone_line(&mut out, clip, frame, index, bone);
        }
    }
    out
}

struct AmcWriter {
    units_per_metre: f64,
    decimals: usize,
    /// Angles about z, y, x of the frame before. [rad]
    previous: Vec<[f64; 3]>,
}

impl AmcWriter {
    fn bone_line(
        &mut self,
        out: &mut Vec<u8>,
        clip: &Clip,
        frame: FrameId,
        index: usize,
        bone: &Bone,
    ) {
        let Some(joint) = bone.joint.filter(|_| bone.turns || bone.sliding.is_some()) else {
            return;
        };
        out.extend_from_slice(bone.name.as_bytes());
        let shift = match bone.sliding {
            _ if index == 0 => Some(clip.root[frame.index()]),
            Some(sliding) => {
                let offset = clip.skeleton.joint(joint).offset;
                Some(clip.sliding[sliding].offsets[frame.index()] - offset)
            }
            None => None,
        };
        for value in shift.into_iter().flat_map(|shift| shift.to_array()) {
            out.push(b' ');
            push_fixed(out, f64::from(value) * self.units_per_metre, self.decimals);
        }
        if bone.turns {
            self.push_angles(out, index, clip.rotation(frame, joint));
        }
        out.push(b'\n');
    }

    fn push_angles(&mut self, out: &mut Vec<u8>, index: usize, rotation: Quat) {
        let axes = [Axis::Z, Axis::Y, Axis::X];
        let angles = three_angles(unit_quat64(rotation), axes, self.previous[index]);
        self.previous[index] = angles;
        for angle in angles.into_iter().rev() {
            out.push(b' ');
            push_fixed(out, angle.to_degrees(), ANGLE_DECIMALS);
        }
    }
}
