//! Writes sample motion for checks with other programs: NAME.bvh, NAME.glb, NAME.fbx, NAME.usda, and where we
//! say its joints are, NAME.json; files with several takes, and FBX files as other programs write them
//! (take spans off their keys, other types of inheritance), each with its JSON; and a character
//! that walks. Usage: `outside_fixture FOLDER`.

use std::path::Path;

use afoot_core::{Clip, FrameId, Planar, RetargetOptions, forward_kinematics, retarget_clip};
use afoot_fixtures::fbx_bytes::{with_scaled_joint, with_span};
use afoot_fixtures::hero_glb;
use afoot_formats::files::write_onto_character;
use afoot_formats::{
    ReadOptions, WriteOptions, read_character, write_fbx, write_fbx_takes, write_glb_scene,
    write_glb_takes, write_motion,
};
use afoot_sample::{SampleOptions, sample_library};
use serde_json::{Value, json};

const CLIPS: [&str; 3] = ["walk_turn_left", "run", "sit_and_rise"];

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let folder = std::env::args()
        .nth(1)
        .ok_or("usage: outside_fixture FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| CLIPS.contains(&clip.name.as_str()));
    for clip in &clips {
        for ending in ["bvh", "glb", "fbx", "usda"] {
            let path = folder.join(format!("{}.{ending}", clip.name));
            write_motion(&path, clip, &WriteOptions::default())?;
        }
        note(folder, &clip.name, std::slice::from_ref(clip))?;
    }
    write_takes(folder, &clips)?;
    write_odd_files(folder, &clips[0])?;
    write_hero(folder, &clips[0])?;
    write_scene(&folder.join("scene"))
}

fn write_takes(folder: &Path, clips: &[Clip]) -> Outcome {
    let fbx = write_fbx_takes(clips, &WriteOptions::default())?;
    std::fs::write(folder.join("takes.fbx"), fbx.bytes)?;
    let glb = write_glb_takes(&clips[0], &clips[1..]);
    std::fs::write(folder.join("takes.glb"), glb)?;
    note(folder, "takes", clips)
}

/// The same motion in FBX files that say it in other ways.
fn write_odd_files(folder: &Path, clip: &Clip) -> Outcome {
    let fbx = write_fbx(clip, &WriteOptions::default())?.bytes;
    for (name, seconds) in [("span_short", 0.4), ("span_long", 40.0)] {
        std::fs::write(folder.join(format!("{name}.fbx")), with_span(&fbx, seconds))?;
        note(folder, name, std::slice::from_ref(clip))?;
    }
    // Unscaled: Blender's two importers each place scaled joints elsewhere than the format says. What a
    // scale does under each type is held to the format by a test.
    for inherit_type in 0..3 {
        let name = format!("inherit_{inherit_type}");
        let fbx = with_scaled_joint(&fbx, "Hips", 1.0, inherit_type);
        std::fs::write(folder.join(format!("{name}.fbx")), fbx)?;
        note(folder, &name, std::slice::from_ref(clip))?;
    }
    Ok(())
}

/// Three who move at once in one file, and where each of them is.
fn write_scene(folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder)?;
    let mut clips = sample_library(&SampleOptions::default());
    clips.truncate(3);
    for (clip, x) in clips.iter_mut().zip([-2.0, 0.0, 2.0]) {
        clip.place(Planar::new(x, 0.0, x));
    }
    let names = ["character_001", "character_002", "character_003"];
    let named: Vec<(&str, &Clip)> = names.into_iter().zip(&clips).collect();
    std::fs::write(folder.join("scene.glb"), write_glb_scene(&named, None)?)?;
    for (name, clip) in named {
        std::fs::write(
            folder.join(format!("{name}.json")),
            positions(clip).to_string(),
        )?;
    }
    Ok(())
}

/// A character of another build that walks: `hero.glb`, and `hero_walk.glb` with its JSON.
fn write_hero(folder: &Path, clip: &Clip) -> Outcome {
    let (hero, walk) = (folder.join("hero.glb"), folder.join("hero_walk.glb"));
    std::fs::write(&hero, hero_glb(&clip.skeleton))?;
    let character = read_character(&hero, &ReadOptions::default())?;
    let dressed = retarget_clip(clip, &character.clip.skeleton, &RetargetOptions::default())?;
    write_onto_character(&walk, &dressed, &hero, character.source.metres_per_unit)?;
    note(folder, "hero_walk", std::slice::from_ref(&dressed))
}

fn note(folder: &Path, name: &str, takes: &[Clip]) -> Outcome {
    let takes: Vec<Value> = takes.iter().map(positions).collect();
    std::fs::write(
        folder.join(format!("{name}.json")),
        json!(takes).to_string(),
    )?;
    Ok(())
}

/// Every tenth frame's joint positions.
fn positions(clip: &Clip) -> Value {
    let points = forward_kinematics(clip);
    let sampled: Vec<usize> = (0..clip.len()).step_by(10).collect();
    let of_frame = |&frame: &usize| -> Vec<[f32; 3]> {
        let joints = &points.frame(FrameId::from(frame))[..clip.joint_count()];
        joints.iter().map(|joint| joint.to_array()).collect()
    };
    let joints = clip.skeleton.joints().iter();
    json!({
        "name": clip.name,
        "fps": clip.rate.fps(),
        "frames": clip.len(),
        "joints": joints.map(|joint| joint.name.as_str()).collect::<Vec<_>>(),
        "sampled": sampled,
        "positions": sampled.iter().map(of_frame).collect::<Vec<_>>(),
    })
}
