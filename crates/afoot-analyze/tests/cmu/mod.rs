//! The captured clips for tests, at 30 frames a second, with roles, without T-poses.
#![allow(dead_code, clippy::unwrap_used)] // each test file uses a part

use std::path::PathBuf;
use std::sync::Arc;

use afoot_core::{Clip, EndSite, FrameRate, Joint, JointId, Quat, Role, Side, Skeleton, Vec3};
use serde_json::Value;

/// One unit of these files in metres.
const UNIT: f32 = 0.056_444_444;

pub struct Cmu {
    folder: PathBuf,
    pub sets: Value,
}

impl Cmu {
    /// `None`, with a word about it, where the data are missing.
    pub fn find() -> Option<Self> {
        let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cmu");
        let folder = std::env::var_os("AFOOT_CMU").map_or_else(beside, PathBuf::from);
        let Ok(text) = std::fs::read_to_string(folder.join("sets.json")) else {
            eprintln!("skipped: no captured motion in {}", folder.display());
            return None;
        };
        let sets = serde_json::from_str(&text).unwrap();
        Some(Self { folder, sets })
    }

    pub fn json(&self, name: &str) -> Value {
        let text = std::fs::read_to_string(self.folder.join(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// The names of all clips there are, sorted.
    pub fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.folder.join("bvh")).unwrap();
        let name = |file: std::fs::DirEntry| file.file_name().into_string().unwrap();
        let mut names: Vec<String> = files
            .map(|file| name(file.unwrap()).replace(".bvh", ""))
            .collect();
        names.sort();
        names
    }

    /// The clip's rate at capture.
    pub fn source_fps(&self, name: &str) -> u32 {
        self.sets["clips"][name]["fps"].as_u64().unwrap() as u32
    }

    pub fn clip(&self, name: &str) -> Clip {
        self.clip_at(name, 30)
    }

    /// The clip at `fps`, which must divide its rate at capture.
    pub fn clip_at(&self, name: &str, fps: u32) -> Clip {
        let facts = &self.sets["clips"][name];
        let path = self.folder.join("bvh").join(format!("{name}.bvh"));
        let text = std::fs::read_to_string(path).unwrap();
        let stride = self.source_fps(name) / fps;
        let first = facts["first_frame"].as_u64().unwrap() as usize;
        read_bvh(name, &text, (first, stride as usize), fps)
    }
}

/// Reads just the one layout that these files have: root position, then z, y, x turns.
fn read_bvh(name: &str, text: &str, (first, stride): (usize, usize), fps: u32) -> Clip {
    let (head, motion) = text.split_once("MOTION").unwrap();
    let skeleton = Arc::new(read_skeleton(head));
    let mut clip = Clip::empty(name, skeleton.clone(), FrameRate::new(fps, 1).unwrap());
    let numbers: Vec<f32> = motion
        .split_whitespace()
        .skip(5)
        .map(|word| word.parse().unwrap())
        .collect();
    let width = 3 + 3 * skeleton.len();
    for frame in numbers.chunks_exact(width).skip(first).step_by(stride) {
        clip.root.push(Vec3::from_slice(frame) * UNIT);
        clip.rotations
            .extend(frame[3..].chunks_exact(3).map(|turn| {
                let [z, y, x] = [turn[0], turn[1], turn[2]].map(f32::to_radians);
                Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x)
            }));
    }
    clip.check().unwrap();
    clip
}

fn read_skeleton(head: &str) -> Skeleton {
    let (mut joints, mut sites): (Vec<Joint>, Vec<EndSite>) = (Vec::new(), Vec::new());
    let mut open: Vec<Option<JointId>> = Vec::new();
    let mut next: Option<String> = None;
    let mut words = head.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "ROOT" | "JOINT" => next = words.next().map(String::from),
            "End" => next = None,
            "{" => open.push(next.as_ref().map(|_| JointId::from(joints.len()))),
            "}" => drop(open.pop()),
            "OFFSET" => {
                let mut number = || words.next().unwrap().parse::<f32>().unwrap();
                let offset = Vec3::new(number(), number(), number()) * UNIT;
                let parent = open.iter().rev().nth(1).copied().flatten();
                match next.take() {
                    Some(name) => joints.push(Joint::new(name, parent, offset)),
                    None => sites.push(EndSite {
                        parent: parent.unwrap(),
                        offset,
                    }),
                }
            }
            _ => {}
        }
    }
    let roles: Vec<Option<Role>> = joints.iter().map(|joint| role_of(&joint.name)).collect();
    Skeleton::new(joints, sites).unwrap().with_roles(&roles)
}

fn role_of(name: &str) -> Option<Role> {
    let side = match name.chars().next()? {
        'L' => Side::Left,
        _ => Side::Right,
    };
    let part = name.trim_start_matches("Left").trim_start_matches("Right");
    Some(match part {
        "Hips" => Role::Hips,
        "UpLeg" => Role::UpLeg(side),
        "Leg" => Role::Leg(side),
        "Foot" => Role::Foot(side),
        "ToeBase" => Role::Toe(side),
        "Arm" => Role::Arm(side),
        "ForeArm" => Role::ForeArm(side),
        "Hand" => Role::Hand(side),
        "FingerBase" | "HandIndex1" | "LThumb" | "RThumb" => Role::Finger(side),
        "Spine" => Role::Spine,
        "Spine1" => Role::Chest,
        "Neck" => Role::Neck,
        "Head" => Role::Head,
        _ => return None,
    })
}
