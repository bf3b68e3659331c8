//! Writes sample motion for checks with other programs: NAME.bvh, NAME.glb, NAME.fbx, and where we say its
//! joints are, NAME.json. Usage: `outside_fixture FOLDER`.

use std::path::Path;

use afoot_core::{Clip, FrameId, Planar, forward_kinematics};
use afoot_formats::{WriteOptions, write_glb_scene, write_motion};
use afoot_sample::{SampleOptions, sample_library};
use serde_json::json;

const CLIPS: [&str; 3] = ["walk_turn_left", "run", "sit_and_rise"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("usage: outside_fixture FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for clip in sample_library(&SampleOptions::default()) {
        if CLIPS.contains(&clip.name.as_str()) {
            for ending in ["bvh", "glb", "fbx"] {
                let path = folder.join(format!("{}.{ending}", clip.name));
                write_motion(&path, &clip, &WriteOptions::default())?;
            }
            std::fs::write(folder.join(format!("{}.json", clip.name)), positions(&clip))?;
        }
    }
    write_scene(&folder.join("scene"))
}

/// Three who move at once in one file, and where each of them is.
fn write_scene(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder)?;
    let mut clips = sample_library(&SampleOptions::default());
    clips.truncate(3);
    for (clip, x) in clips.iter_mut().zip([-2.0, 0.0, 2.0]) {
        clip.place(Planar::new(x, 0.0, x));
    }
    let names = ["character_001", "character_002", "character_003"];
    let named: Vec<(&str, &Clip)> = names.into_iter().zip(&clips).collect();
    std::fs::write(folder.join("scene.glb"), write_glb_scene(&named)?)?;
    for (name, clip) in named {
        std::fs::write(folder.join(format!("{name}.json")), positions(clip))?;
    }
    Ok(())
}

/// Every tenth frame's joint positions.
fn positions(clip: &Clip) -> String {
    let points = forward_kinematics(clip);
    let sampled: Vec<usize> = (0..clip.len()).step_by(10).collect();
    let of_frame = |&frame: &usize| -> Vec<[f32; 3]> {
        let joints = &points.frame(FrameId::from(frame))[..clip.joint_count()];
        joints.iter().map(|joint| joint.to_array()).collect()
    };
    let names: Vec<&str> = clip
        .skeleton
        .joints()
        .iter()
        .map(|j| j.name.as_str())
        .collect();
    json!({
        "fps": clip.rate.fps(),
        "frames": clip.len(),
        "joints": names,
        "sampled": sampled,
        "positions": sampled.iter().map(of_frame).collect::<Vec<_>>(),
    })
    .to_string()
}
