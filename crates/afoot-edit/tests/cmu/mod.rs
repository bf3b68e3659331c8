//! Captured clips for tests: 30 frames a second, with roles, floor and contacts, on a floor at 0.

use std::path::PathBuf;
use std::sync::Arc;

use afoot_analyze::{detect_contacts, estimate_ground};
use afoot_core::{Clip, FrameRate, Skeleton, cut_clip, resample_clip};
use afoot_formats::{ReadOptions, Unit, UnitOption, read_motion};
use serde_json::Value;

/// The clips of a set that begin with `subject`; `None`, with a word about it, without the data.
pub fn load_set(set: &str, subject: &str) -> Option<Vec<Clip>> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cmu");
    let folder = std::env::var_os("AFOOT_CMU").map_or_else(beside, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join("sets.json")) else {
        eprintln!("skipped: no captured motion in {}", folder.display());
        return None;
    };
    let sets: Value = serde_json::from_str(&text).unwrap();
    let spikes = std::fs::read_to_string(folder.join("spikes.json")).unwrap();
    let names = sets["sets"][set]["files"].as_array().unwrap().iter();
    let wanted = names
        .filter_map(Value::as_str)
        .filter(|name| name.starts_with(subject));
    // Clips with flipping joints have no percentile worth the name.
    let whole = wanted.filter(|name| !spikes.contains(&format!("\"{name}\"")));
    Some(
        whole
            .map(|name| load_clip(&folder, name, &sets["clips"][name]))
            .collect(),
    )
}

fn load_clip(folder: &std::path::Path, name: &str, facts: &Value) -> Clip {
    let fps = facts["fps"].as_u64().unwrap() as u32;
    let options = ReadOptions {
        unit: UnitOption::Unit(Unit::Cmu),
        rate: FrameRate::new(fps, 1),
        ..ReadOptions::default()
    };
    let path = folder.join("bvh").join(format!("{name}.bvh"));
    let mut clip = read_motion(&path, &options).unwrap().clip;
    clip.skeleton = Arc::new(Skeleton::clone(&clip.skeleton).with_recognised_roles());
    clip.name = name.into();
    let first = facts["first_frame"].as_u64().unwrap() as u32;
    let clip = cut_clip(&clip, first..clip.len() as u32).unwrap();
    let mut clip = resample_clip(&clip, FrameRate::FPS_30);
    clip.ground = Some(estimate_ground(&clip, &Default::default()).unwrap().ground);
    clip.contacts = detect_contacts(&clip, &Default::default())
        .unwrap()
        .contacts;
    let middle = clip.root[clip.len() / 2];
    let floor = clip.ground.unwrap().height_at(middle.x, middle.z);
    clip.raise(-floor);
    clip
}
