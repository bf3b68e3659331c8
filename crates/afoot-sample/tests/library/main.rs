//! The sample library keeps what it promises: still feet, smooth motion, labels, ground truth.

mod bodies;
mod feet;
mod promises;

use std::sync::OnceLock;

use afoot_core::{Clip, Contacts, FrameRate, JointId, Positions, Role, Side, forward_kinematics};
use afoot_sample::{SampleOptions, sample_library, sample_skeleton};

struct Sample {
    clip: Clip,
    positions: Positions,
}

/// The library at 60 fps with the positions of its joints, made once.
fn library() -> &'static [Sample] {
    static LIBRARY: OnceLock<Vec<Sample>> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let rate = FrameRate::new(60, 1).expect("a rate");
        let options = SampleOptions {
            rate,
            ..SampleOptions::default()
        };
        let clips = sample_library(&options).into_iter();
        clips
            .map(|clip| Sample {
                positions: forward_kinematics(&clip),
                clip,
            })
            .collect()
    })
}

fn joint(role: Role) -> JointId {
    sample_skeleton()
        .with_role(role)
        .expect("every role is there")
}

/// The four joints of the feet with their contact bits.
fn foot_joints() -> Vec<(JointId, Contacts, Side)> {
    let parts = |side| {
        [
            (joint(Role::Foot(side)), Contacts::heel(side), side),
            (joint(Role::Toe(side)), Contacts::ball(side), side),
        ]
    };
    Side::BOTH.into_iter().flat_map(parts).collect()
}

/// Half-open stretches of frames for which `holds`.
fn spans(count: usize, holds: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
    let mut spans: Vec<[usize; 2]> = Vec::new();
    for frame in (0..count).filter(|&f| holds(f)) {
        match spans.last_mut() {
            Some(span) if span[1] == frame => span[1] += 1,
            _ => spans.push([frame, frame + 1]),
        }
    }
    spans
}

fn find(name: &str) -> &'static Sample {
    library()
        .iter()
        .find(|s| s.clip.name == name)
        .expect("a clip of that name")
}
