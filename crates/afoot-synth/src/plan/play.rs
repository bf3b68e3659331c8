//! A plan made into motion: stretches of clips, each at its place, smoothed where they meet.
//!
//! Each clip is put where the graph's alignment has it, so that the motion goes exactly where the search
//! said. Joins can be a few frames apart, too near for blends: instead the jump at each is spread over a
//! sixth of a second to either side (`afoot_edit::seam`), one after the other. What is left between where something is done and where it should be (less than
//! the tolerance) is taken out of the root's way there, metre by metre. Feet are planted afterwards.

use std::sync::Arc;

use afoot_core::{Clip, ClipId, FrameId, Placement, Planar, Range32, concatenate_clips, cut_clip};
use afoot_edit::seam::smooth_seam;
use afoot_graph::contact::ContactGraph;

use super::mix::play_mixed;
use super::pairs::StepNumber;
use super::space::PlanState;
use crate::walk::{Played, Source};

/// Frames of a clip at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stretch {
    clip: usize,
    start: u32,
    end: u32,
    /// Carries the clip's coordinates into the world.
    placement: Planar,
}

/// A moment at which something is done, and how far off it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    pub(super) frame: usize,
    /// Where the root should be less where it is. [m]
    pub(super) shift: [f64; 2],
}

/// What does not fit at a join is spread so far to either side. [s]
const SPREAD: f64 = 1.0 / 6.0;
/// What is played after the last change, if nothing changes. [s]
const REST: f64 = 0.5;

/// Plays a trail; gives also the frame at which each of its states begins.
pub(super) fn play(
    graph: &ContactGraph,
    clips: &[Clip],
    trail: &[(u32, PlanState)],
) -> (Played, Vec<usize>) {
    let mut parts: Vec<Played> = Vec::new();
    let (mut starts, mut frames, mut index) = (vec![0], 0, 0);
    let is_mixed =
        |index: usize| matches!(StepNumber::unpack(trail[index].0), StepNumber::Two { .. });
    while index + 1 < trail.len() || parts.is_empty() {
        let plain = trail[index + 1..].iter().enumerate();
        let plain = plain
            .take_while(|(step, _)| !is_mixed(index + 1 + step))
            .count();
        if plain == 0 && index + 1 < trail.len() {
            let part = play_mixed(graph, clips, &trail[index].1, trail[index + 1].0);
            frames += part.clip.len();
            starts.push(frames);
            parts.push(part);
            index += 1;
            continue;
        }
        let ends = index + plain + 1 == trail.len();
        let (own, began) = play_plain(graph, clips, &trail[index..=index + plain], ends);
        starts.extend(began[1..].iter().map(|start| frames + start));
        frames += own.iter().map(|part| part.clip.len()).sum::<usize>();
        parts.extend(own);
        index += plain;
    }
    (joined(parts), starts)
}

/// Parts one after the other, smoothed where they meet.
fn joined(parts: Vec<Played>) -> Played {
    let mut seams = Vec::new();
    let (mut at, mut sources, mut joins, mut captured) = (0, Vec::new(), 0, 0);
    for part in &parts {
        if at > 0 {
            seams.push(at);
        }
        let moved = part.sources.iter().map(|source| Source {
            at: source.at + at as u64,
            ..*source
        });
        sources.extend(moved);
        at += part.clip.len();
        joins += part.joins;
        captured += part.captured;
    }
    let ground = parts[0].clip.ground;
    let clips: Vec<&Clip> = parts.iter().map(|part| &part.clip).collect();
    let mut clip = concatenate_clips(&clips, Placement::AsCaptured)
        .expect("clips of one library share skeleton and rate");
    (clip.name, clip.ground) = ("planned".into(), ground);
    joins += seams.len() as u32;
    let reach = clip.rate.frames_in(SPREAD) as u64;
    captured = captured.saturating_sub(2 * reach * seams.len() as u64);
    for seam in seams {
        if let Ok(smooth) = smooth_seam(&clip, FrameId::from(seam), SPREAD) {
            clip = smooth;
        }
    }
    Played {
        clip,
        sources,
        joins,
        captured,
    }
}

/// Steps of one path, a part for each stretch; gives also where each state begins.
fn play_plain(
    graph: &ContactGraph,
    clips: &[Clip],
    trail: &[(u32, PlanState)],
    ends: bool,
) -> (Vec<Played>, Vec<usize>) {
    let (stretches, starts) = stretches(graph, clips, trail, ends);
    let part = |stretch: &Stretch| {
        let clip = &clips[stretch.clip];
        let mut part = match cut_clip(clip, stretch.start..stretch.end) {
            Ok(part) => part,
            Err(_) => Clip::empty(&clip.name, Arc::clone(&clip.skeleton), clip.rate),
        };
        part.place(stretch.placement);
        let frames = Range32 {
            start: stretch.start,
            end: stretch.end,
        };
        let clip = ClipId::from(stretch.clip);
        Played {
            clip: part,
            sources: vec![Source {
                clip,
                frames,
                at: 0,
            }],
            joins: 0,
            captured: u64::from(stretch.end - stretch.start),
        }
    };
    (stretches.iter().map(part).collect(), starts)
}

/// The stretches of a trail, joined where a clip simply goes on, and where each state begins.
fn stretches(
    graph: &ContactGraph,
    clips: &[Clip],
    trail: &[(u32, PlanState)],
    ends: bool,
) -> (Vec<Stretch>, Vec<usize>) {
    let mut stretches: Vec<Stretch> = Vec::new();
    let (mut frames, mut starts) = (0, vec![0]);
    let mut add = |stretch: Stretch| match stretches.last_mut() {
        Some(last) if goes_on(last, &stretch) => last.end = stretch.end,
        _ => stretches.push(stretch),
    };
    for pair in trail.windows(2) {
        let (from, step) = (pair[0].1, pair[1].0);
        let StepNumber::One(step) = StepNumber::unpack(step) else {
            continue;
        };
        for piece in &graph.steps_of(from.state)[step].pieces {
            frames += (piece.frames.end - piece.frames.start) as usize;
            add(Stretch {
                clip: piece.clip as usize,
                start: piece.frames.start,
                end: piece.frames.end,
                placement: from.place.then_after(piece.placement),
            });
        }
        starts.push(frames);
    }
    if let Some((_, last)) = trail.last().filter(|_| ends) {
        add(rest(graph, clips, last));
    }
    (stretches, starts)
}

/// The frames after the last change, as long as nothing changes.
fn rest(graph: &ContactGraph, clips: &[Clip], last: &PlanState) -> Stretch {
    let place = graph.states[last.state as usize].place;
    let clip = &clips[place.clip.index()];
    let most = clip.rate.frames_in(REST).max(1) as u32;
    let end = (place.frame.0 + most).min(clip.len() as u32);
    let same = |frame: &u32| {
        let own = clip.contacts.get(place.frame.index());
        clip.contacts.get(*frame as usize) == own
    };
    let holds = (place.frame.0..end).take_while(same).count() as u32;
    Stretch {
        clip: place.clip.index(),
        start: place.frame.0,
        end: place.frame.0 + holds.max(1),
        placement: last.place.then_after(clip.placement(place.frame).inverse()),
    }
}

fn goes_on(last: &Stretch, next: &Stretch) -> bool {
    let off = last.placement.inverse().then_after(next.placement);
    let same = off.x.hypot(off.z) < 1e-4 && off.yaw.abs() < 1e-4;
    last.clip == next.clip && last.end == next.start && same
}

/// Shifts the root so that each moment is where it should be: the more the farther it has gone since the
/// moment before.
pub(super) fn correct(clip: &mut Clip, moments: &[Moment]) {
    let mut gone = vec![0.0f64];
    for pair in clip.root.windows(2) {
        let step = f64::from((pair[1] - pair[0]).with_y(0.0).length());
        // Standing still moves nothing, but for a little so that there is always some way.
        gone.push(gone[gone.len() - 1] + step + 1e-4);
    }
    let mut keys: Vec<(usize, [f64; 2])> = vec![(0, [0.0; 2])];
    for moment in moments.iter().filter(|moment| moment.frame < clip.len()) {
        keys.push((moment.frame, moment.shift));
    }
    keys.sort_by_key(|key| key.0);
    for frame in 0..clip.len() {
        let after = keys.partition_point(|key| key.0 <= frame);
        let (from, a) = keys[after - 1];
        let shift = match keys.get(after) {
            None => a,
            Some(&(to, b)) => {
                let share = (gone[frame] - gone[from]) / (gone[to] - gone[from]).max(1e-9);
                [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
            }
        };
        clip.root[frame].x += shift[0] as f32;
        clip.root[frame].z += shift[1] as f32;
    }
}
