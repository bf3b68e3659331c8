//! A plan made into motion: stretches of clips, each at its place, mixed where they meet (`voices`).
//!
//! Each clip is put where the graph's alignment has it, so that the motion goes exactly where the search
//! said. Steps of two paths are brought to one length (equation 2 of Safonova and Hodgins 2007) and play with
//! their weights. What is left between where something is done and where it should be (less than the
//! tolerance) is taken out of the root's way there, metre by metre. Feet are planted afterwards.
//! The paper's scheme mixes feet and centre of mass directly; here feet are held by the cleanup, and
//! flights are not corrected.

use afoot_core::{Clip, ClipId, Planar, Range32};
use afoot_graph::contact::{ContactGraph, ContactStep};

use super::pairs::{StepNumber, WEIGHTS, mean};
use super::space::PlanState;
use super::voices::{Voice, sing};
use crate::walk::{Played, Source};

/// A moment at which something is done, and how far off it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    pub(super) frame: usize,
    /// Where the root should be less where it is. [m]
    pub(super) shift: [f64; 2],
}

/// What is played after the last change, if nothing changes. [s]
const REST: f64 = 0.5;

/// Plays a trail; gives also the frame at which each of its states begins.
pub(super) fn play(
    graph: &ContactGraph,
    clips: &[Clip],
    trail: &[(u32, PlanState)],
) -> (Played, Vec<usize>) {
    let (mut voices, mut starts, mut frames) = (Vec::new(), vec![0], 0);
    for pair in trail.windows(2) {
        let (from, number) = (pair[0].1, pair[1].0);
        frames += add_step(graph, &from, number, frames, &mut voices);
        starts.push(frames);
    }
    if let Some((_, last)) = trail.last() {
        frames += add_rest(graph, clips, last, frames, &mut voices);
    }
    let voices = going_on(voices);
    let chorus = sing(clips, &voices, frames);
    let sources = sources(clips, &voices, frames);
    let played = Played {
        clip: chorus.clip,
        joins: sources.len() as u32 - 1,
        sources,
        captured: chorus.alone,
    };
    (played, starts)
}

/// The voices of a step from a frame on; gives how many frames it takes.
fn add_step(
    graph: &ContactGraph,
    from: &PlanState,
    number: u32,
    at: usize,
    voices: &mut Vec<Voice>,
) -> usize {
    match StepNumber::unpack(number) {
        StepNumber::One(step) => {
            let step = &graph.steps_of(from.state)[step];
            let frames = length(step);
            add_path(step, from.place, at..at + frames, 1.0, voices);
            frames
        }
        StepNumber::Two {
            first,
            second,
            weight,
        } => {
            let a = &graph.steps_of(from.state)[first];
            let b = &graph.steps_of(from.other)[second];
            let frames = mixed_length(length(a), length(b), weight);
            let share = f64::from(weight) / f64::from(WEIGHTS);
            add_path(a, from.place, at..at + frames, share, voices);
            add_path(b, from.place, at..at + frames, 1.0 - share, voices);
            frames
        }
    }
}

/// One path's pieces, brought to the length of a span.
fn add_path(
    step: &ContactStep,
    place: Planar,
    span: std::ops::Range<usize>,
    share: f64,
    voices: &mut Vec<Voice>,
) {
    let pace = length(step) as f64 / span.len() as f64;
    let mut begun = span.start as f64;
    for piece in &step.pieces {
        let own = f64::from(piece.frames.end - piece.frames.start) / pace;
        voices.push(Voice {
            clip: piece.clip as usize,
            start: f64::from(piece.frames.start),
            pace,
            span: begun..begun + own,
            placement: place.then_after(piece.placement),
            share,
        });
        begun += own;
    }
}

/// The frames after the last change, as long as nothing changes; of two paths the shorter time.
fn add_rest(
    graph: &ContactGraph,
    clips: &[Clip],
    last: &PlanState,
    at: usize,
    voices: &mut Vec<Voice>,
) -> usize {
    let share = f64::from(last.weight) / f64::from(WEIGHTS);
    let ends = match last.is_plain() {
        true => vec![(last.state, 1.0)],
        false => vec![(last.state, share), (last.other, 1.0 - share)],
    };
    let holds = ends.iter().map(|(state, _)| holds(graph, clips, *state));
    let frames = holds.min().unwrap_or(1);
    for (state, share) in ends {
        let place = graph.states[state as usize].place;
        let clip = &clips[place.clip.index()];
        voices.push(Voice {
            clip: place.clip.index(),
            start: f64::from(place.frame.0),
            pace: 1.0,
            span: at as f64..(at + frames) as f64,
            placement: last.place.then_after(clip.placement(place.frame).inverse()),
            share,
        });
    }
    frames
}

/// How many frames nothing changes after a state.
fn holds(graph: &ContactGraph, clips: &[Clip], state: u32) -> usize {
    let place = graph.states[state as usize].place;
    let clip = &clips[place.clip.index()];
    let most = clip.rate.frames_in(REST).max(1);
    let end = (place.frame.index() + most).min(clip.len());
    let own = clip.contacts.get(place.frame.index());
    let same = |frame: &usize| clip.contacts.get(*frame) == own;
    let holds = (place.frame.index()..end).take_while(same).count();
    holds.max(1)
}

fn length(step: &ContactStep) -> usize {
    let frames = step.pieces.iter();
    let frames: u32 = frames
        .map(|piece| piece.frames.end - piece.frames.start)
        .sum();
    (frames as usize).max(1)
}

/// T = √(T₁² w + T₂² (1 − w)), in frames.
fn mixed_length(a: usize, b: usize, weight: u8) -> usize {
    let square = mean((a * a) as f64, (b * b) as f64, weight);
    (square.sqrt().round() as usize).max(1)
}

/// Voices whose clips simply go on become one.
fn going_on(voices: Vec<Voice>) -> Vec<Voice> {
    let mut joined: Vec<Voice> = Vec::new();
    for voice in voices {
        match joined.iter_mut().find(|last| goes_on(last, &voice)) {
            Some(last) => last.span.end = voice.span.end,
            None => joined.push(voice),
        }
    }
    joined
}

fn goes_on(last: &Voice, next: &Voice) -> bool {
    let off = last.placement.inverse().then_after(next.placement);
    let same = off.x.hypot(off.z) < 1e-4 && off.yaw.abs() < 1e-4;
    let reached = last.start + (last.span.end - last.span.start) * last.pace;
    last.clip == next.clip
        && last.span.end == next.span.start
        && (reached - next.start).abs() < 1e-6
        && (last.pace, last.share) == (next.pace, next.share)
        && same
}

/// Where frames come from: of paths that are mixed the one that counts more.
fn sources(clips: &[Clip], voices: &[Voice], frames: usize) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    let mut leads: Vec<&Voice> = voices.iter().filter(|voice| voice.share >= 0.5).collect();
    leads.sort_by(|a, b| a.span.start.total_cmp(&b.span.start));
    let begins = |voice: &Voice| voice.span.start.round() as u64;
    // Of two halves the first.
    leads.dedup_by_key(|voice| begins(voice));
    for (index, voice) in leads.iter().enumerate() {
        let end = leads
            .get(index + 1)
            .map_or(frames as u64, |next| begins(next));
        let count = (end - begins(voice)) as u32;
        let last = clips[voice.clip].len() as u32;
        let end = (voice.start as u32 + count).min(last);
        sources.push(Source {
            clip: ClipId::from(voice.clip),
            frames: Range32 {
                start: end.saturating_sub(count),
                end,
            },
            at: begins(voice),
        });
    }
    sources
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_mix_by_their_squares() {
        assert_eq!(mixed_length(10, 10, 3), 10);
        assert_eq!(mixed_length(10, 20, 10), 10);
        assert_eq!(mixed_length(10, 20, 0), 20);
        assert_eq!(mixed_length(10, 20, 5), 16);
    }
}
