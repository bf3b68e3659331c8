//! Which results belong to which clips: hashes of what the distances, and the cleanup, depend on.
//!
//! Part of what is kept: changing them makes old candidates unknown, never wrong.

use afoot_codec::{ContentHash, Digest};
use afoot_core::Clip;

/// Of everything about a clip that distances depend on: motion, skeleton, ground, faults. Its name,
/// contacts, types and labels don't count.
pub(crate) fn compared_hash(clip: &Clip) -> ContentHash {
    let mut digest = Digest::default();
    let (numerator, denominator) = clip.rate.parts();
    add_numbers(&mut digest, &[clip.len() as u32, numerator, denominator]);
    for joint in clip.skeleton.joints() {
        digest.add(joint.name.as_bytes());
        let parent = joint.parent.map_or(u32::MAX, |parent| parent.0.into());
        add_numbers(&mut digest, &[parent]);
        add_floats(&mut digest, &joint.offset.to_array());
        add_floats(&mut digest, &joint.rest.to_array());
    }
    for site in clip.skeleton.end_sites() {
        add_numbers(&mut digest, &[site.parent.0.into()]);
        add_floats(&mut digest, &site.offset.to_array());
    }
    add_floats(&mut digest, bytemuck::cast_slice(&clip.root));
    add_floats(&mut digest, bytemuck::cast_slice(&clip.rotations));
    for sliding in &clip.sliding {
        add_numbers(&mut digest, &[sliding.joint.0.into()]);
        add_floats(&mut digest, bytemuck::cast_slice(&sliding.offsets));
    }
    for fault in &clip.faults {
        add_numbers(&mut digest, &[fault.start, fault.end]);
    }
    if let Some(ground) = clip.ground {
        add_floats(
            &mut digest,
            &[ground.height, ground.slope_x, ground.slope_z],
        );
    }
    digest.finish()
}

fn add_numbers(digest: &mut Digest, numbers: &[u32]) {
    digest.add(bytemuck::cast_slice(numbers));
}

fn add_floats(digest: &mut Digest, floats: &[f32]) {
    digest.add(bytemuck::cast_slice(floats));
}
