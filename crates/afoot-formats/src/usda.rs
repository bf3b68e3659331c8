//! Writes a clip as USD in its text form: a UsdSkel skeleton and its animation, which Omniverse, Houdini,
//! Blender and usdview take.
//!
//! Metres, y up, a time code a frame. Joints are paths from the root, so their names become words that
//! paths can hold (`Bip01 L Thigh` is `Bip01_L_Thigh`); the names as they were are in `jointNames`. End
//! sites are joints named `..._End`, so that the last bones have a length. Rest and bind pose are the
//! skeleton's rest pose; matrices are written as USD has them, a vector times a matrix. Not read back.

use std::collections::HashSet;
use std::fmt::{Display, Write};

use afoot_core::{Clip, FrameId, Quat, Vec3};
use glam::Mat4;

use crate::error::FormatError;
use crate::motion::{WriteOptions, Written};
use crate::scene::END_SUFFIX;
use crate::written::check_writable;

/// Writes a clip as `.usda`.
pub fn write_usda(clip: &Clip, options: &WriteOptions) -> Result<Written, FormatError> {
    check_writable(clip, options)?;
    let bones = bones_of(clip);
    let mut text = header(clip);
    text += "def SkelRoot \"Motion\"\n{\n    def Skeleton \"Skeleton\" (\n        prepend apiSchemas = [\"SkelBindingAPI\"]\n    )\n    {\n";
    add_skeleton(&mut text, &bones);
    text += "        rel skel:animationSource = </Motion/Skeleton/Animation>\n\n        def SkelAnimation \"Animation\"\n        {\n";
    add_animation(&mut text, clip, &bones);
    text += "        }\n    }\n}\n";
    Ok(Written {
        bytes: text.into_bytes(),
        ..Written::default()
    })
}

fn header(clip: &Clip) -> String {
    let (last, fps) = (clip.len().saturating_sub(1), clip.rate.fps());
    format!(
        "#usda 1.0\n(\n    defaultPrim = \"Motion\"\n    endTimeCode = {last}\n    framesPerSecond = {fps}\n    \
         metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {fps}\n    upAxis = \"Y\"\n)\n\n"
    )
}

/// A joint or end site.
struct Bone {
    name: String,
    /// From the root, with `/` between.
    path: String,
    rest: Mat4,
    /// In the world.
    bind: Mat4,
}

fn bones_of(clip: &Clip) -> Vec<Bone> {
    let skeleton = &clip.skeleton;
    let mut bones: Vec<Bone> = Vec::new();
    let mut taken = HashSet::new();
    let start = clip.root.first().copied();
    let mut add = |name: String, parent: Option<usize>, rest: Mat4| {
        let mut word = path_word(&name);
        while !taken.insert(word.clone()) {
            word.push('_');
        }
        let above = parent.map(|parent| &bones[parent]);
        let path = above.map_or_else(|| word.clone(), |above| format!("{}/{word}", above.path));
        let bind = above.map_or(Mat4::IDENTITY, |above| above.bind) * rest;
        bones.push(Bone {
            name,
            path,
            rest,
            bind,
        });
    };
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let place = start.filter(|_| index == 0).unwrap_or(joint.offset);
        let rest = Mat4::from_rotation_translation(joint.rest.normalize(), place);
        add(
            joint.name.clone(),
            joint.parent.map(|parent| parent.index()),
            rest,
        );
    }
    for site in skeleton.end_sites() {
        let name = format!("{}{END_SUFFIX}", skeleton.joint(site.parent).name);
        let rest = Mat4::from_translation(site.offset);
        add(name, Some(site.parent.index()), rest);
    }
    bones
}

/// A name as a step of a path: letters, digits and `_`, no digit first.
fn path_word(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = name.chars().map(plain).collect();
    match word.chars().next() {
        Some(first) if !first.is_ascii_digit() => word,
        _ => format!("_{word}"),
    }
}

fn add_skeleton(text: &mut String, bones: &[Bone]) {
    let quoted = |word: &str| format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""));
    let paths = list(bones.iter().map(|bone| quoted(&bone.path)));
    let names = list(bones.iter().map(|bone| quoted(&bone.name)));
    let binds = list(bones.iter().map(|bone| matrix(&bone.bind)));
    let rests = list(bones.iter().map(|bone| matrix(&bone.rest)));
    add_line(text, 8, "uniform token[] joints", &paths);
    add_line(text, 8, "uniform token[] jointNames", &names);
    add_line(text, 8, "uniform matrix4d[] bindTransforms", &binds);
    add_line(text, 8, "uniform matrix4d[] restTransforms", &rests);
}

fn add_animation(text: &mut String, clip: &Clip, bones: &[Bone]) {
    let paths = list(bones.iter().map(|bone| format!("\"{}\"", bone.path)));
    let ones = list(bones.iter().map(|_| "(1, 1, 1)"));
    add_line(text, 12, "uniform token[] joints", &paths);
    add_line(text, 12, "half3[] scales", &ones);
    let samples = |one: &dyn Fn(usize) -> String| {
        let rows = (0..clip.len()).map(|frame| format!("{frame}: {}", one(frame)));
        format!("{{ {} }}", rows.collect::<Vec<_>>().join(", "))
    };
    let places = samples(&|frame| list(places_at(clip, bones, frame).into_iter().map(vector)));
    let turns = samples(&|frame| list(turns_at(clip, bones, frame).into_iter().map(turn)));
    add_line(text, 12, "float3[] translations.timeSamples", &places);
    add_line(text, 12, "quatf[] rotations.timeSamples", &turns);
}

/// Every bone's place in its parent's frame.
fn places_at(clip: &Clip, bones: &[Bone], frame: usize) -> Vec<Vec3> {
    let mut places: Vec<Vec3> = bones
        .iter()
        .map(|bone| bone.rest.w_axis.truncate())
        .collect();
    places[0] = clip.root[frame];
    for sliding in &clip.sliding {
        places[sliding.joint.index()] = sliding.offsets[frame];
    }
    places
}

/// Every bone's rotation in its parent's frame; end sites have none.
fn turns_at(clip: &Clip, bones: &[Bone], frame: usize) -> Vec<Quat> {
    let mut turns = clip.frame_rotations(FrameId::from(frame)).to_vec();
    turns.resize(bones.len(), Quat::IDENTITY);
    turns
}

fn add_line(text: &mut String, indent: usize, name: &str, value: &str) {
    writeln!(text, "{:indent$}{name} = {value}", "").expect("strings take any text");
}

fn list<T: Display>(items: impl Iterator<Item = T>) -> String {
    let items: Vec<String> = items.map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

fn vector(v: Vec3) -> String {
    format!("({}, {}, {})", v.x, v.y, v.z)
}

/// The real part first.
fn turn(q: Quat) -> String {
    format!("({}, {}, {}, {})", q.w, q.x, q.y, q.z)
}

/// Rows of USD's matrices are our columns.
fn matrix(m: &Mat4) -> String {
    let row = |r: glam::Vec4| format!("({}, {}, {}, {})", r.x, r.y, r.z, r.w);
    let rows = [m.x_axis, m.y_axis, m.z_axis, m.w_axis].map(row);
    format!("( {} )", rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_steps_of_paths() {
        assert_eq!(path_word("Bip01 L Thigh"), "Bip01_L_Thigh");
        assert_eq!(path_word("mixamorig:Hips"), "mixamorig_Hips");
        assert_eq!(path_word("3rd"), "_3rd");
        assert_eq!(path_word("左足"), "__");
    }
}
