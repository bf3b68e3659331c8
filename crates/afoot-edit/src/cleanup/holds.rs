//! Which points of a foot are held from frame to frame, from the clip's contacts.
//!
//! Heel and ball are the points of the sole that stand still while a foot rolls: about the heel as it
//! comes down, about the ball as the heel rises. Each run of a part's contact bits is a plant of that
//! point; runs in which it slides from place to place are parted at the quickest frames. While both
//! are down the stiller one counts more, so that one hands over to the other. Cost: linear.

use std::ops::Range;

use afoot_core::{Clip, Contacts, runs_of};
use glam::Vec3;

use super::legs::LegTrack;
use super::pace::step_speed;
use super::{Floor, SettleOptions};

/// A point of the sole held over some frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Hold {
    pub frames: Range<usize>,
    /// The height it is held at. [m]
    pub height: f32,
}

/// The plants of one foot's points, each list sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Holds {
    pub heel: Vec<Hold>,
    pub ankle: Vec<Hold>,
    pub ball: Vec<Hold>,
}

impl Holds {
    /// Of heel, ankle and ball.
    pub fn parts(&self) -> [&[Hold]; 3] {
        [&self.heel, &self.ankle, &self.ball]
    }

    /// The frames in which heel and ball are both held, as runs.
    pub fn flat(&self) -> Vec<Range<usize>> {
        let mut flat = Vec::new();
        let mut balls = self.ball.iter().peekable();
        for heel in self.heel.iter().map(|hold| &hold.frames) {
            while let Some(ball) = balls.peek().map(|hold| &hold.frames) {
                let both = heel.start.max(ball.start)..heel.end.min(ball.end);
                if !both.is_empty() {
                    flat.push(both);
                }
                if ball.end > heel.end {
                    break;
                }
                balls.next();
            }
        }
        flat
    }

    /// The frames in which the ball is held.
    pub fn balls(&self) -> Vec<Range<usize>> {
        self.ball.iter().map(|hold| hold.frames.clone()).collect()
    }

    /// How many stretches of frames there are in which any point is held.
    pub fn plants(&self) -> usize {
        let mut all: Vec<&Range<usize>> = self
            .heel
            .iter()
            .chain(&self.ball)
            .map(|hold| &hold.frames)
            .collect();
        all.sort_unstable_by_key(|frames| frames.start);
        let (mut count, mut end) = (0, 0);
        for frames in all {
            count += usize::from(count == 0 || frames.start > end);
            end = end.max(frames.end);
        }
        count
    }
}

/// Finds the plants of a foot whose heel and ball are at `heel` and `ball`, a frame each.
pub fn find_holds(
    clip: &Clip,
    leg: &LegTrack,
    points: &[Vec<Vec3>; 3],
    (floor, options): (&Floor, &SettleOptions),
) -> Holds {
    let fps = clip.rate.fps() as f32;
    let [heel, ankle, ball] = points;
    let rest = floor.rest[leg.side.index()];
    let limits = hold_limits(clip, options.hold_speed);
    let found = |part: Contacts, track: &[Vec3]| -> Vec<Range<usize>> {
        let down = |frame: usize| clip.contacts[frame].any(part);
        let runs = close_gaps(runs_of(clip.len(), down), track, fps);
        let runs = part_slides(runs, track, fps);
        runs.into_iter()
            .filter_map(|run| trim(run, track, (&limits, fps)))
            .collect()
    };
    let mut runs = match leg.has_ball {
        true => [
            found(Contacts::heel(leg.side), heel),
            found(Contacts::heel(leg.side), ankle),
            found(Contacts::ball(leg.side), ball),
        ],
        false => [
            Vec::new(),
            Vec::new(),
            found(Contacts::foot(leg.side), ball),
        ],
    };
    let steps = steps_between(&runs, [ankle, ball], fps);
    for runs in &mut runs {
        *runs = without(std::mem::take(runs), &steps);
    }
    let rests = match leg.has_ball {
        true => [rest.ball - leg.sole, rest.ankle, rest.ball],
        false => [rest.ankle; 3],
    };
    let [heel, ankle, ball] = [0, 1, 2].map(|part| {
        let runs = std::mem::take(&mut runs[part]).into_iter();
        let height =
            |frames: &Range<usize>| height_of(&points[part][frames.clone()], floor, rests[part]);
        runs.map(|frames| Hold {
            height: height(&frames),
            frames,
        })
        .collect()
    });
    Holds { heel, ankle, ball }
}

/// Share of the root's speed at which a point still counts as slow: the fitted feet of fast runs
/// skate at up to an eighth of it in mid-stance.
const ROOT_SHARE: f32 = 0.2;

/// The speed below which a point counts as slow, from each frame to the next. [m/s]
fn hold_limits(clip: &Clip, slow: f32) -> Vec<f32> {
    let fps = clip.rate.fps() as f32;
    let limit = |frame: usize| slow.max(ROOT_SHARE * step_speed(&clip.root, frame, fps));
    (0..clip.len().saturating_sub(1)).map(limit).collect()
}

/// Cuts fast steps off both ends.
fn trim(run: Range<usize>, track: &[Vec3], (limits, fps): (&[f32], f32)) -> Option<Range<usize>> {
    let slow = |step: &usize| step_speed(track, *step, fps) < limits[*step];
    let steps = run.start..run.end - 1;
    let first = steps.clone().find(slow)?;
    let last = steps.rev().find(slow)?;
    Some(first..last + 2)
}

/// Gaps of fewer seconds between runs of one point are closed if it hardly moves. [s]
const GAP: f32 = 0.07;
/// Farthest that it moves in them. [m]
const STILL: f32 = 0.06;

fn close_gaps(runs: Vec<Range<usize>>, track: &[Vec3], fps: f32) -> Vec<Range<usize>> {
    let gap = (GAP * fps) as usize;
    let mut closed: Vec<Range<usize>> = Vec::with_capacity(runs.len());
    for run in runs {
        match closed.last_mut() {
            Some(last)
                if run.start - last.end <= gap
                    && track[last.end - 1].distance(track[run.start]) < STILL =>
            {
                last.end = run.end
            }
            _ => closed.push(run),
        }
    }
    closed
}

/// Farthest from its mean place that a point is held: a foot that strays farther steps. [m]
const DWELL: f32 = 0.15;
/// How fast it steps from one place to the next. [m/s]
const STEP_SPEED: f32 = 1.0;

/// Takes frames out of runs in which a point slides from place to place: around the quickest frame of
/// each slide, for a step.
fn part_slides(runs: Vec<Range<usize>>, track: &[Vec3], fps: f32) -> Vec<Range<usize>> {
    let (mut open, mut held) = (runs, Vec::new());
    while let Some(run) = open.pop() {
        match slide_within(&track[run.clone()], fps) {
            Some(slide) => {
                let parts = [
                    run.start..run.start + slide.start,
                    run.start + slide.end..run.end,
                ];
                open.extend(parts.into_iter().filter(|part| part.len() > 1));
            }
            None => held.push(run),
        }
    }
    held.sort_unstable_by_key(|run| run.start);
    held
}

fn slide_within(track: &[Vec3], fps: f32) -> Option<Range<usize>> {
    let mean = mean_place(track);
    let strays = |place: &Vec3| place.distance_squared(mean) > DWELL * DWELL;
    if track.len() < 3 || !track.iter().any(strays) {
        return None;
    }
    let speed = |frame: usize| track[frame + 1].distance_squared(track[frame - 1]);
    let fastest = (1..track.len() - 1).max_by(|a, b| speed(*a).total_cmp(&speed(*b)))?;
    let [before, after] = [&track[..fastest], &track[fastest..]].map(mean_place);
    let half = (before.distance(after) / STEP_SPEED * fps / 2.0) as usize;
    Some(fastest.saturating_sub(half)..(fastest + half + 1).min(track.len()))
}

/// A foot takes no more than this from one plant to the next, if it shuffles instead of swinging: a blend that turns
/// the body drags it over the floor. [s]
const SHUFFLE: f32 = 0.2;
/// How hard it is moved then, at most; captured swings reach 40. [m/s²]
const SHUFFLE_ACCELERATION: f32 = 60.0;
/// Peak acceleration of the smoothest way between two rests, over distance by time squared.
const SMOOTHEST: f32 = 5.77;

/// Between every two plants of a ball the frames that the foot takes at least to get from one to the other: were
/// any part of it held in them, it would snap over in what is left. A foot whose ankle stays there turns about that,
/// and one whose heel or ankle is held all the while stands. `runs`: of heel, ankle, ball; `tracks`: of the last two.
fn steps_between(
    [heels, ankles, plants]: &[Vec<Range<usize>>; 3],
    tracks: [&[Vec3]; 2],
    fps: f32,
) -> Vec<Range<usize>> {
    let step = |pair: &[Range<usize>]| {
        let [before, after] = [&pair[0], &pair[1]];
        let stands = [heels, ankles].into_iter().any(|runs| {
            let at = runs.partition_point(|run| run.end <= after.start);
            runs.get(at).is_some_and(|run| run.start < before.end)
        });
        let ways = tracks.map(|track| {
            let [from, to] = [before, after].map(|plant| mean_place(&track[plant.clone()]));
            from.distance(to)
        });
        let way = ways[0].min(ways[1]);
        let seconds = (SMOOTHEST * way / SHUFFLE_ACCELERATION).sqrt().min(SHUFFLE);
        let frames = (seconds * fps).round() as usize;
        let first = (before.end + after.start + 1).saturating_sub(frames) / 2;
        (frames > 1 && way > DWELL && !stands).then(|| first..first + frames - 1)
    };
    plants.windows(2).filter_map(step).collect()
}

/// Takes frames out of runs; both are sorted.
fn without(runs: Vec<Range<usize>>, out: &[Range<usize>]) -> Vec<Range<usize>> {
    let (mut left, mut at) = (Vec::with_capacity(runs.len()), 0);
    for mut run in runs {
        while out.get(at).is_some_and(|out| out.end <= run.start) {
            at += 1;
        }
        for out in out[at..].iter().take_while(|out| out.start < run.end) {
            left.push(run.start..out.start);
            run.start = run.start.max(out.end);
        }
        left.push(run);
    }
    left.retain(|run| run.len() > 1);
    left
}

fn mean_place(track: &[Vec3]) -> Vec3 {
    track.iter().sum::<Vec3>() / track.len().max(1) as f32
}

/// A plant this far above the floor stands on something else: three times the scatter of rest heights
/// in badly fitted feet (2 cm), and less than a low step. [m]
const OFF_FLOOR: f32 = 0.06;

/// The floor's height under a plant, or its own where that is too far off.
fn height_of(track: &[Vec3], floor: &Floor, rest: f32) -> f32 {
    let mean = mean_place(track);
    let height = (floor.height)(mean.x, mean.z) + rest;
    if mean.y - height < OFF_FLOOR {
        height
    } else {
        mean.y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_that_shuffles_is_let_go_by_all_of_its_parts() {
        // The ball stands at 0, is off for three frames, stands 20 cm farther.
        let track: Vec<Vec3> = (0..40)
            .map(|frame| Vec3::X * if frame < 20 { 0.0 } else { 0.2 })
            .collect();
        let plants = [5..19, 22..40];
        let parts =
            |plants: &[Range<usize>], heel: Range<usize>| [vec![heel], Vec::new(), plants.to_vec()];
        let between = |plants: &[Range<usize>], ankle: &[Vec3], ball: &[Vec3]| {
            steps_between(&parts(plants, 2..21), [ankle, ball], 30.0)
        };
        let steps = between(&plants, &track, &track);
        assert_eq!((steps.len(), &steps[0]), (1, &(19..22)));
        // Its heel was held for longer than its ball.
        assert_eq!(without(vec![2..21, 25..30], &steps), [2..19, 25..30]);
        assert_eq!(
            without(vec![2..18, 20..21, 22..30], &steps),
            [2..18, 22..30]
        );
        assert_eq!(without(plants.to_vec(), &steps), plants);
        // One that stands where it stood is not let go.
        assert_eq!(between(&plants, &[Vec3::ZERO; 40], &[Vec3::ZERO; 40]), []);
        // Nor one that is not far from there.
        let near: Vec<Vec3> = track.iter().map(|at| *at * 0.5).collect();
        assert_eq!(between(&plants, &near, &near), []);
        // Nor one that turns about its heel, which stays.
        assert_eq!(between(&plants, &near, &track), []);
        // Nor one whose heel is held all the while.
        let held = steps_between(&parts(&plants, 10..30), [&track, &track], 30.0);
        assert_eq!(held, []);
        // A swing has time enough.
        let steps = between(&[5..12, 26..40], &track, &track);
        assert_eq!(without(vec![3..15, 23..30], &steps), [3..15, 23..30]);
    }
}
