//! A figure's motion as the player reads it.

use afoot_core::{Clip, FrameId, Positions, Side, Skeleton, forward_kinematics};
use serde_json::{Value, json};

use super::PageFigure;
use crate::body::{Capsule, capsules};
use crate::figure::{feet, ground_of};
use crate::path_plot::spans_of;

/// More frames than this are thinned: ten minutes at 30 a second.
const MOST_FRAMES: usize = 18_000;
/// Points of a path that are kept, evenly chosen.
const MOST_POINTS: usize = 4_000;

pub(super) fn figure_json(figure: &PageFigure) -> Value {
    let clip = figure.clip;
    let positions = forward_kinematics(clip);
    let every = clip.len().div_ceil(MOST_FRAMES);
    let frames: Vec<usize> = (0..clip.len()).step_by(every).collect();
    let (unit, offsets) = pack_offsets(&positions, &frames);
    let roots: Vec<u8> = frames
        .iter()
        .flat_map(|&frame| positions.frame(FrameId::from(frame))[0].to_array())
        .flat_map(f32::to_le_bytes)
        .collect();
    json!({
        "name": figure.name,
        "kind": if figure.captured { "captured" } else { "made" },
        "fps": clip.rate.fps() / every as f64,
        "frames": frames.len(),
        "points": positions.points_per_frame(),
        "bones": bones(&clip.skeleton),
        "floor": ground_of(clip, &positions).height,
        "unit": unit,
        "roots": base64(&roots),
        "offsets": base64(&offsets),
        "plants": plants(clip, &positions, every),
        "path": thinned(figure.path),
    })
}

/// Every point's offset from the root, as 16 bits, and their unit. [m]
fn pack_offsets(positions: &Positions, frames: &[usize]) -> (f32, Vec<u8>) {
    let offsets = || {
        frames.iter().flat_map(|&frame| {
            let points = positions.frame(FrameId::from(frame));
            points
                .iter()
                .flat_map(|&point| (point - points[0]).to_array())
        })
    };
    let farthest = offsets().map(f32::abs).fold(0.0, f32::max);
    let unit = (farthest / f32::from(i16::MAX)).max(1e-4);
    let packed = offsets().map(|offset| (offset / unit).round() as i16);
    (unit, packed.flat_map(i16::to_le_bytes).collect())
}

/// From, to, side (0 neither, 1 left, 2 right) and the radius at both ends of every limb. [m]
fn bones(skeleton: &Skeleton) -> Vec<Value> {
    let side = |side: Option<Side>| match side {
        None => 0,
        Some(Side::Left) => 1,
        Some(Side::Right) => 2,
    };
    let row = |capsule: Capsule| {
        let Capsule {
            from, to, radii, ..
        } = capsule;
        json!([from, to, side(capsule.side), radii[0], radii[1]])
    };
    capsules(skeleton).into_iter().map(row).collect()
}

/// Where and when feet are planted: x, z, side (0 left, 1 right), from and to in the page's frames.
fn plants(clip: &Clip, positions: &Positions, every: usize) -> Vec<Value> {
    if clip.contacts.len() != clip.len() {
        return Vec::new();
    }
    let rounded = |metres: f32| (f64::from(metres) * 1e3).round() / 1e3;
    let mut plants = Vec::new();
    for (joint, part) in feet(&clip.skeleton) {
        let side = usize::from(part.any(afoot_core::Contacts::foot(Side::Right)));
        for [from, to] in spans_of(&clip.contacts, part) {
            let place = positions.frame(FrameId::from((from + to) / 2))[joint];
            plants.push(json!([
                rounded(place.x),
                rounded(place.z),
                side,
                from / every,
                to / every
            ]));
        }
    }
    plants
}

fn thinned(path: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let every = path.len().div_ceil(MOST_POINTS).max(1);
    let rounded = |point: &[f64; 2]| point.map(|metres| (metres * 1e3).round() / 1e3);
    let kept = path.iter().step_by(every).chain(path.last());
    kept.map(rounded).collect()
}

/// RFC 4648, with padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for letter in 0..4 {
            match letter <= group.len() {
                true => text.push(LETTERS[(bits >> (18 - 6 * letter) & 63) as usize].into()),
                false => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_as_the_standard_writes_it() {
        let expected = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        for (length, expected) in expected.iter().enumerate() {
            assert_eq!(base64(&b"foobar"[..length]), *expected);
        }
    }
}
