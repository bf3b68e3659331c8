//! Writes sample motion for checks with other programs: NAME.bvh, NAME.glb, NAME.fbx, and where we say its
//! joints are, NAME.json. Usage: `outside_fixture FOLDER`.

use std::path::Path;

use afoot_core::{Clip, FrameId, forward_kinematics};
use afoot_formats::{WriteOptions, write_motion};
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
