//! Real motion and graphs for tests.
#![allow(dead_code, clippy::unwrap_used)] // each test file uses a part

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use afoot_analyze::*;
use afoot_core::*;
use afoot_formats::{ReadOptions, Unit, UnitOption, read_motion};
use afoot_graph::{GraphOptions, MotionGraph, build_graph};
use serde_json::Value;

pub struct Cmu {
    folder: PathBuf,
    sets: Value,
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

    /// The clip at 30 frames a second with floor, contacts and types.
    pub fn clip(&self, name: &str) -> Clip {
        let facts = &self.sets["clips"][name];
        let options = ReadOptions {
            unit: UnitOption::Unit(Unit::Cmu),
            rate: FrameRate::new(facts["fps"].as_u64().unwrap() as u32, 1),
            ..ReadOptions::default()
        };
        let path = self.folder.join("bvh").join(format!("{name}.bvh"));
        let mut clip = read_motion(&path, &options).unwrap().clip;
        let roles = recognise_roles(&clip.skeleton);
        clip.skeleton = Arc::new((*clip.skeleton).clone().with_roles(&roles));
        clip.name = name.into();
        let first = facts["first_frame"].as_u64().unwrap() as u32;
        let clip = cut_clip(&clip, first..clip.len() as u32).unwrap();
        let mut clip = resample_clip(&clip, FrameRate::FPS_30);
        clip.ground = Some(
            estimate_ground(&clip, &GroundOptions::default())
                .unwrap()
                .ground,
        );
        clip.contacts = detect_contacts(&clip, &ContactOptions::default())
            .unwrap()
            .contacts;
        clip.types = classify_clip(&clip, &ClassOptions::default())
            .unwrap()
            .types;
        clip
    }

    /// The walking clips of subject 16 and their mirror images.
    pub fn walks(&self) -> Vec<Clip> {
        let numbers = (11..=32).chain([47, 58]);
        let mut clips: Vec<Clip> = numbers.map(|n| self.clip(&format!("16_{n}"))).collect();
        let skeleton = clips[0].skeleton.clone();
        clips
            .iter_mut()
            .for_each(|clip| clip.skeleton = skeleton.clone());
        let images: Vec<Clip> = clips.iter().map(mirrored).collect();
        clips.extend(images);
        clips
    }
}

pub fn mirrored(clip: &Clip) -> Clip {
    let mut image = mirror_clip(clip);
    image.name.push_str("_mirrored");
    image
}

pub fn graph_of(clips: &[Clip], threshold_cm: f32) -> MotionGraph {
    let options = GraphOptions {
        threshold_cm,
        ..GraphOptions::default()
    };
    build_graph(clips, &options, &|_| ControlFlow::Continue(()))
        .unwrap()
        .0
}
