//! Takes made into motion (Arikan, Forsyth and O'Brien 2003, §4): cut out, joined, put in its place.
//!
//! Around each join lies a blend over captured frames beyond the exit and before the entry, as long as
//! these and what is played between two joins allow, which is where the paper smooths. Where a clip
//! has none left, the frames are put side by side and the seam is smoothed. What the way misses places
//! by is spread over the metres before them, within the budget of Reitsma and Pollard 2004; last the feet are planted.

use afoot_core::{Clip, ClipId, FrameId, Planar, Range32};
use afoot_edit::blend::BlendError;
use afoot_edit::seam::smooth_seam;

use super::account::{Asked, squared_error};
use super::costs::Take;
use super::footage::Footage;
use super::timeline::{Goal, HALF_BLEND};
use crate::finish::{FinishOptions, plant_feet};
use crate::resequence::{Joined, Stretch, join_stretches};
use crate::target::correct::{Arrival, correction};
use crate::walk::{Played, Source};

/// Over how much to either side a seam without a blend is smoothed. [s]
const SEAM: f64 = 0.2;

/// A motion, and where it was at its places before its way was bent.
pub(crate) struct Enacted {
    pub played: Played,
    pub unbent: Vec<Planar>,
}

/// Plays takes from the score's start on, by its places.
pub(crate) fn enact(
    asked: Asked,
    takes: &[Take],
    finish: &FinishOptions,
) -> Result<Enacted, BlendError> {
    let Asked {
        timeline,
        clips,
        footage,
    } = asked;
    let stretches: Vec<Cut> = takes.iter().map(|take| Cut::new(take, footage)).collect();
    let halves = half_blends(&stretches, footage);
    let played: Vec<Stretch> = stretches.iter().map(|own| own.of(clips)).collect();
    let Joined { mut clip, captured } = join_stretches(&played, &halves)?;
    for (index, _) in halves.iter().enumerate().filter(|(_, half)| **half == 0) {
        let seam = FrameId(takes[index + 1].at);
        if let Ok(smooth) = smooth_seam(&clip, seam, SEAM) {
            clip = smooth;
        }
    }
    clip.place(Planar::carrying(clip.placement(FrameId(0)), timeline.start));
    clip.ground = crate::floor::shared_floor(clips);
    let root_at = |goal: &Goal| clip.placement(FrameId(goal.frame));
    let unbent = timeline.places.iter().map(root_at).collect();
    if let Some(budget) = &finish.warp {
        for (index, goal) in timeline.places.iter().enumerate() {
            let from = index
                .checked_sub(1)
                .map_or(0, |before| timeline.places[before].frame);
            bend_to(&mut clip, from, goal, budget);
        }
    }
    let unsettled = clip.clone();
    plant_feet(&mut clip, finish);
    for fixed in &timeline.fixed {
        restore_pose(&mut clip, &unsettled, fixed.asked);
    }
    assert_eq!(clip.len(), timeline.frames as usize, "as long as asked for");
    let played = Played {
        clip,
        sources: sources(&stretches),
        joins: halves.len() as u32,
        captured,
    };
    Ok(Enacted { played, unbent })
}

/// A take in terms of clips.
struct Cut {
    clip: usize,
    frames: Range32,
    take: Take,
}

impl Cut {
    fn new(take: &Take, footage: &Footage) -> Self {
        let (clip, start) = footage.place(take.source);
        let end = start + take.frames;
        Self {
            clip,
            frames: Range32 { start, end },
            take: *take,
        }
    }

    fn of<'a>(&self, clips: &'a [Clip]) -> Stretch<'a> {
        Stretch {
            clip: &clips[self.clip],
            frames: self.frames,
        }
    }
}

/// Half the length of each blend; 0 where there is nothing to blend. [frames]
fn half_blends(stretches: &[Cut], footage: &Footage) -> Vec<u32> {
    let most = footage.rate.frames_in(HALF_BLEND) as u32;
    let played = |stretch: &Cut, at_end: bool| match at_end {
        true => stretch.take.frames,
        false => stretch.take.frames / 2,
    };
    let half = |index: usize| {
        let (out, into) = (&stretches[index], &stretches[index + 1]);
        let beyond = footage.left[out.take.last() as usize] - 1;
        let before = (1..=most.min(into.frames.start))
            .take_while(|back| footage.left[(into.take.source - back) as usize] > 0)
            .count() as u32;
        let is_last = index + 2 == stretches.len();
        let room = [
            most,
            beyond,
            before,
            played(out, index == 0),
            played(into, is_last),
        ];
        room.into_iter().min().unwrap_or(0)
    };
    (0..stretches.len().saturating_sub(1)).map(half).collect()
}

/// Bends the way from a frame on so that it comes by a place; what the budget does not allow is left.
fn bend_to(clip: &mut Clip, from: u32, goal: &Goal, budget: &crate::warp::WarpOptions) {
    let (from, at) = (from as usize, goal.frame as usize);
    if at <= from {
        return;
    }
    let trace: Vec<[f64; 2]> = clip.root[from..]
        .iter()
        .map(|root| [f64::from(root.x), f64::from(root.z)])
        .collect();
    let arrival = Arrival {
        approach: at - from,
        at: at - from,
        yaw: clip.placement(FrameId::from(at)).yaw,
        place: [goal.x, goal.z],
        heading: goal.yaw,
    };
    let bent = correction(&trace, &arrival, budget);
    bent.delayed(from).apply(clip, 0);
}

/// Settled feet may take a pose that was asked for this far from how it was captured. [m]
const POSE_KEPT: f64 = 0.008;
/// Over how much to either side a pose is led back. [s]
const LED_BACK: f64 = 0.2;

/// Leads frames that were asked for back towards how they were before feet were settled, as far as it takes for them to be as captured.
fn restore_pose(clip: &mut Clip, before: &Clip, asked: Range32) {
    let off = |frame: u32| squared_error(before.at(FrameId(frame)), clip.at(FrameId(frame)));
    let frames = asked.start..asked.end;
    let worst = frames.map(off).fold(0.0, f64::max).sqrt();
    if worst <= POSE_KEPT {
        return;
    }
    let share = (1.0 - POSE_KEPT / worst) as f32;
    let reach = clip.rate.frames_in(LED_BACK) as u32;
    let from = asked.start.saturating_sub(reach);
    let to = (asked.end + reach).min(clip.len() as u32);
    for frame in from..to {
        let outside = asked
            .start
            .saturating_sub(frame)
            .max((frame + 1).saturating_sub(asked.end));
        let near = 1.0 - outside as f32 / (reach + 1) as f32;
        let weight = share * near * near * (3.0 - 2.0 * near);
        let frame = FrameId(frame);
        let root = before.root[frame.index()];
        clip.root[frame.index()] = clip.root[frame.index()].lerp(root, weight);
        let captured = before.frame_rotations(frame).to_vec();
        let own = clip.frame_rotations_mut(frame).iter_mut();
        own.zip(captured)
            .for_each(|(own, other)| *own = own.slerp(other, weight));
    }
}

/// Where the frames come from: a blend counts half to either side.
fn sources(stretches: &[Cut]) -> Vec<Source> {
    let source = |stretch: &Cut| Source {
        clip: ClipId::from(stretch.clip),
        frames: stretch.frames,
        at: u64::from(stretch.take.at),
    };
    stretches.iter().map(source).collect()
}
