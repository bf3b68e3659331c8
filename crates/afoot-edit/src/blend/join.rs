//! Two whole clips played one after the other, over a blend.

use std::collections::BTreeMap;

use afoot_core::{Clip, Contacts, FrameId, Locomotion, Planar, Range32};

use super::facts::spans_of;
use super::{Blend, BlendError, BlendOptions, blend_transition};

/// Plays `a` up to `a_from`, the blend, then `b` from `b_resume` on, all in `a`'s coordinates.
pub fn join_clips(
    (a, a_from): (&Clip, FrameId),
    (b, b_resume): (&Clip, FrameId),
    options: &BlendOptions,
) -> Result<Clip, BlendError> {
    let blend = blend_transition((a, a_from), (b, b_resume), options)?;
    let mut joined = Clip::empty(
        format!("{} to {}", a.name, b.name),
        a.skeleton.clone(),
        a.rate,
    );
    joined.ground = a.ground;
    let parts = [
        Part {
            clip: a,
            frames: Range32 {
                start: 0,
                end: a_from.0,
            },
            placement: Planar::IDENTITY,
        },
        whole(&blend),
        Part {
            clip: b,
            frames: Range32 {
                start: b_resume.0,
                end: b.len() as u32,
            },
            placement: blend.placement,
        },
    ];
    append_motion(&mut joined, &parts);
    append_facts(&mut joined, &parts);
    Ok(joined)
}

struct Part<'a> {
    clip: &'a Clip,
    frames: Range32,
    placement: Planar,
}

fn whole(blend: &Blend) -> Part<'_> {
    let frames = Range32 {
        start: 0,
        end: blend.clip.len() as u32,
    };
    Part {
        clip: &blend.clip,
        frames,
        placement: Planar::IDENTITY,
    }
}

fn append_motion(joined: &mut Clip, parts: &[Part]) {
    for part in parts {
        for frame in part.frames.start..part.frames.end {
            let rotations = part.clip.frame_rotations(FrameId(frame));
            let root = part.clip.root[frame as usize];
            if part.placement == Planar::IDENTITY {
                joined.root.push(root);
                joined.rotations.push(rotations[0]);
            } else {
                joined.root.push(part.placement.point3(root));
                joined
                    .rotations
                    .push(part.placement.rotate(rotations[0]).normalize());
            }
            joined.rotations.extend_from_slice(&rotations[1..]);
        }
    }
}

fn append_facts(joined: &mut Clip, parts: &[Part]) {
    joined.contacts = append_track(parts, |clip| &clip.contacts, Contacts::NONE);
    joined.types = append_track(parts, |clip| &clip.types, Locomotion::Other);
    let mut by_label: BTreeMap<&str, Vec<Range32>> = BTreeMap::new();
    let mut at = 0;
    for part in parts {
        for span in &part.clip.labels {
            let common = span.frames.intersect(part.frames);
            if !common.is_empty() {
                let start = common.start - part.frames.start + at;
                let end = common.end - part.frames.start + at;
                by_label
                    .entry(&span.label)
                    .or_default()
                    .push(Range32 { start, end });
            }
        }
        at += part.frames.end - part.frames.start;
    }
    joined.labels = spans_of(by_label);
}

/// A per-frame track over all parts; empty if no part has it, `missing` where one part has not.
fn append_track<T: Copy>(parts: &[Part], track: impl Fn(&Clip) -> &[T], missing: T) -> Vec<T> {
    let has = |part: &Part| !track(part.clip).is_empty();
    if !parts.iter().any(has) {
        return Vec::new();
    }
    let mut joined = Vec::new();
    for part in parts {
        let (start, end) = (part.frames.start as usize, part.frames.end as usize);
        match has(part) {
            true => joined.extend_from_slice(&track(part.clip)[start..end]),
            false => joined.resize(joined.len() + end - start, missing),
        }
    }
    joined
}
