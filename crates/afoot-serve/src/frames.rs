//! Motion as bytes for the page: a head in JSON, then numbers.
//!
//! Little-endian: the head's length (u32), the head ([`MotionHead`], padded with spaces to a multiple of
//! four), x, y, z of every point frame after frame (f32, m), a byte of planted feet for each frame.

use afoot::{Body, Clip, ShownFrames};
use axum::body::Bytes;

use crate::api::MotionHead;

/// A stretch of motion; with the body where it is the first.
pub(crate) fn encode(clip: &Clip, head: MotionHead, every: usize) -> Bytes {
    let shown = ShownFrames::of(clip, every);
    let head = MotionHead {
        fps: clip.rate.fps() / every.max(1) as f64,
        frames: shown.planted.len(),
        points: shown.points,
        floor: shown.floor,
        body: (head.first == 0).then(|| Body::of(&clip.skeleton)),
        ..head
    };
    pack(&head, &shown.places, &shown.planted)
}

/// A head and its numbers.
pub(crate) fn pack(head: &MotionHead, places: &[f32], planted: &[u8]) -> Bytes {
    let mut json = serde_json::to_vec(head).unwrap_or_default();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = Vec::with_capacity(4 + json.len() + 4 * places.len() + planted.len());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(json);
    bytes.extend(places.iter().flat_map(|place| place.to_le_bytes()));
    bytes.extend(planted);
    bytes.into()
}
