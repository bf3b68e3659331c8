//! Stretches of motion one after the other: blended where both have frames to spare, else smoothed where
//! they meet, always as long as they are together.

use std::ops::Range;

use afoot_core::{Clip, ClipId, FrameId, Placement, concatenate_clips};
use afoot_edit::seam::ease_seam;
use afoot_graph::Place;
use afoot_graph::clusters::{Leap, LibraryFrames, fit_blend, library_frames};
use afoot_synth::{Itinerary, play_itinerary};

use super::motion::{Motion, Origin};
use crate::clustered::LevelClips;
use crate::failure::Failure;

/// Longest half of a blend, the usual one of joined clips. [s]
const LONGEST_HALF: f64 = 0.5;
/// A seam that can't be blended is felt so far to either side. [s]
pub(super) const SEAM: f64 = 0.4;

/// Some frames of one of several motions.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    /// Which.
    pub motion: usize,
    /// Its frames.
    pub frames: Range<u32>,
}

/// Puts stretches after each other. `blend` is how long blends are, if that is said. [frames]
pub(super) fn string_together(
    motions: &[&Motion],
    stretches: &[Stretch],
    blend: Option<u32>,
) -> Result<Motion, Failure> {
    let clips: Vec<Clip> = motions.iter().map(|motion| motion.clip.clone()).collect();
    let frames = library_frames(&clips, None)?;
    let clips = LevelClips::new(clips);
    let mut groups: Vec<Vec<&Stretch>> = Vec::new();
    for stretch in stretches {
        match groups.last_mut() {
            Some(group) if has_room(motions, group[group.len() - 1], stretch) => {
                group.push(stretch);
            }
            _ => groups.push(vec![stretch]),
        }
    }
    let mut pieces = Vec::new();
    for group in &groups {
        let itinerary = itinerary(&frames, group, blend);
        pieces.push(play_itinerary(&clips, &itinerary)?.clip);
    }
    let clip = joined(&pieces)?;
    let mut made = Motion {
        clip,
        counted: motions[stretches[0].motion].counted,
        origins: origins(motions, stretches),
        joins: stretches.len() as u32 - 1,
        settled: false,
        made: Vec::new(),
    };
    for motion in motions {
        made.joins += motion.joins;
        made.take_made(&motion.made);
    }
    Ok(made)
}

/// Clips one after the other, each from where the one before stands, steps between them smoothed.
pub(super) fn joined(pieces: &[Clip]) -> Result<Clip, Failure> {
    let parts: Vec<&Clip> = pieces.iter().filter(|piece| !piece.is_empty()).collect();
    let mut clip = concatenate_clips(&parts, Placement::Continued)?;
    let mut at = 0;
    for piece in &parts[..parts.len().saturating_sub(1)] {
        at += piece.len();
        ease_seam(&mut clip, FrameId::from(at), SEAM);
    }
    Ok(clip)
}

/// Whether both have frames beyond what plays, to blend with.
fn has_room(motions: &[&Motion], before: &Stretch, after: &Stretch) -> bool {
    let beyond = motions[before.motion].frames() - before.frames.end;
    beyond >= 2 && after.frames.start >= 2 && before.frames.len() >= 4 && after.frames.len() >= 4
}

fn itinerary(frames: &LibraryFrames, group: &[&Stretch], blend: Option<u32>) -> Itinerary {
    let place = |motion: usize, frame: u32| Place {
        clip: ClipId::from(motion),
        frame: FrameId(frame),
    };
    let leap = |pair: &[&Stretch]| {
        let (from, to) = (
            place(pair[0].motion, pair[0].frames.end - 1),
            place(pair[1].motion, pair[1].frames.start),
        );
        let index = |place: Place| frames.index(place.clip, place.frame);
        Leap {
            node: None,
            from,
            to,
            error: frames.error(index(from), index(to)),
        }
    };
    let leaps: Vec<Leap> = group.windows(2).map(leap).collect();
    let most = frames.rate().frames_in(LONGEST_HALF) as u32;
    let half = |leap: &Leap| match blend {
        Some(frames) => (frames / 2).max(1),
        None => fit_blend(frames, leap, most, false).half,
    };
    Itinerary {
        start: place(group[0].motion, group[0].frames.start),
        halves: leaps.iter().map(half).collect(),
        end: FrameId(group[group.len() - 1].frames.end),
        leaps,
    }
}

/// Where frames of stretches come from.
pub(super) fn origins(motions: &[&Motion], stretches: &[Stretch]) -> Vec<Origin> {
    let mut at = 0;
    let mut all = Vec::new();
    for stretch in stretches {
        let own = motions[stretch.motion].origins_of(&stretch.frames);
        all.extend(own.into_iter().map(|origin| Origin {
            at: origin.at + at,
            ..origin
        }));
        at += stretch.frames.end - stretch.frames.start;
    }
    all
}

#[cfg(test)]
mod tests {
    use afoot_sample::{SampleOptions, sample_library};

    use super::*;

    #[test]
    fn a_seam_has_no_jump_in_place_or_speed() {
        let samples = sample_library(&SampleOptions::default());
        let find = |name: &str| {
            samples
                .iter()
                .find(|clip| clip.name == name)
                .unwrap()
                .clone()
        };
        let (walk, stand) = (find("walk"), find("stand"));
        let clip = joined(&[walk.clone(), stand]).unwrap();
        let at = walk.len();
        let fastest = |frames: Range<usize>| {
            let second = |frame: usize| {
                let roots = &clip.root[frame - 1..=frame + 1];
                (roots[0] + roots[2] - 2.0 * roots[1]).length() * 900.0
            };
            frames.map(second).fold(0.0, f32::max)
        };
        // A cut would stop the walk between two frames.
        let speed = (walk.root[at - 1] - walk.root[at - 2]).length() * 30.0;
        let seam = fastest(at - 3..at + 3);
        assert!(seam < 0.3 * speed * 30.0, "{seam} m/s² from {speed} m/s");
        let elsewhere = 0..at - 20;
        assert_eq!(clip.root[elsewhere.clone()], walk.root[elsewhere]);
    }
}
