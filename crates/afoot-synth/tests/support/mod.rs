//! Real motion and graphs for tests.
#![allow(dead_code, clippy::unwrap_used)] // each test file uses a part

use afoot_analyze::*;
use afoot_core::*;
use afoot_fixtures::Captured;
use afoot_graph::{GraphOptions, MotionGraph, build_graph};
use afoot_run::Run;

/// A captured clip at 30 frames a second with floor, contacts and types.
pub fn captured(source: &Captured, name: &str) -> Clip {
    with_facts(source.clip(name)).unwrap()
}

/// The walking clips of subject 16 and their mirror images.
pub fn captured_walks(source: &Captured) -> Vec<Clip> {
    let numbers = (11..=32).chain([47, 58]);
    let mut clips: Vec<Clip> = numbers
        .map(|n| captured(source, &format!("16_{n}")))
        .collect();
    let skeleton = clips[0].skeleton.clone();
    clips
        .iter_mut()
        .for_each(|clip| clip.skeleton = skeleton.clone());
    let images: Vec<Clip> = clips.iter().map(mirrored).collect();
    clips.extend(images);
    clips
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
    build_graph(clips, &options, &Run::quiet()).unwrap().0
}
