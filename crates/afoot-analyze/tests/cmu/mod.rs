//! The captured clips for tests, at 30 frames a second, with roles, without T-poses.
#![allow(dead_code, clippy::unwrap_used)] // each test file uses a part

use std::path::PathBuf;
use std::sync::Arc;

use afoot_core::{Clip, FrameRate, cut_clip, recognise_roles, resample_clip};
use afoot_formats::{ReadOptions, Unit, UnitOption, read_motion};
use serde_json::Value;

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

    /// The floor of the clip's subject: y = a + bx·x + bz·z, and rl on top for the right foot.
    pub fn plane(&self, name: &str) -> &Value {
        let subject = name.split('_').next().unwrap();
        &self.sets["meta"]["ground_plane"][subject]
    }

    pub fn clip(&self, name: &str) -> Clip {
        self.clip_at(name, 30)
    }

    pub fn clip_at(&self, name: &str, fps: u32) -> Clip {
        let options = ReadOptions {
            unit: UnitOption::Unit(Unit::Cmu),
            rate: FrameRate::new(self.source_fps(name), 1),
            ..ReadOptions::default()
        };
        let path = self.folder.join("bvh").join(format!("{name}.bvh"));
        let mut clip = read_motion(&path, &options).unwrap().clip;
        let roles = recognise_roles(&clip.skeleton);
        clip.skeleton = Arc::new((*clip.skeleton).clone().with_roles(&roles));
        clip.name = name.into();
        let first = self.sets["clips"][name]["first_frame"].as_u64().unwrap() as u32;
        let clip = cut_clip(&clip, first..clip.len() as u32).unwrap();
        resample_clip(&clip, FrameRate::new(fps, 1).unwrap())
    }
}
