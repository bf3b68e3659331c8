//! From a plan to a clip: balance, feet, posture, then legs that fit exactly.

use std::sync::Arc;

use afoot_core::{
    Clip, Contacts, FootRest, FrameRate, Ground, LabelSpan, Locomotion, Range32, Side, Skeleton,
};

use crate::balance::BodyTrack;
use crate::body::{ANKLE_HEIGHT, BALL_HEIGHT};
use crate::drift::Drift;
use crate::feet::{FootPose, FootTrack};
use crate::limbs::solve;
use crate::plan::Plan;
use crate::posture::Postures;
use crate::signal::{gaussian, slope};

/// Even times that frames are a subset of.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// [s]
    pub start: f64,
    /// [s]
    pub step: f64,
    pub count: usize,
    /// Grid steps a frame.
    pub per_frame: usize,
    /// Grid steps before the first frame.
    pub lead: usize,
}

/// Work goes on this long around the clip, so that its ends know what comes. [s]
const MARGIN: f64 = 2.0;
/// Grid points a second, at least.
const FINENESS: f64 = 120.0;

impl Grid {
    fn new(window: [f64; 2], rate: FrameRate) -> Self {
        let per_frame = (FINENESS / rate.fps()).ceil().max(1.0) as usize;
        let step = rate.frame_time() / per_frame as f64;
        let lead = (MARGIN / step).ceil() as usize;
        let frames = rate.frames_in(window[1] - window[0]);
        Self {
            start: window[0] - lead as f64 * step,
            step,
            count: frames * per_frame + 2 * lead + 1,
            per_frame,
            lead,
        }
    }

    pub fn times(&self) -> impl Iterator<Item = f64> + use<> {
        let Self { start, step, .. } = *self;
        (0..self.count).map(move |index| start + index as f64 * step)
    }

    fn frames(&self) -> usize {
        (self.count - 1 - 2 * self.lead) / self.per_frame
    }
}

/// Performs a plan: poses, contacts, types, labels and ground of every frame.
pub fn perform(plan: &Plan, skeleton: &Arc<Skeleton>, rate: FrameRate, seed: u64) -> Clip {
    let grid = Grid::new(plan.window, rate);
    let drift = Drift::new(seed);
    let body = BodyTrack::new(plan, grid, &drift);
    let tracks = Side::BOTH.map(|side| FootTrack::new(plan, side, &body));
    let feet: Vec<[FootPose; 2]> = grid
        .times()
        .map(|time| [tracks[0].at(time, &body), tracks[1].at(time, &body)])
        .collect();
    let postures = Postures::new(plan, skeleton, &body, &feet, grid, drift);
    let mut clip = Clip::empty(plan.name.clone(), skeleton.clone(), rate);
    for frame in 0..grid.frames() {
        let index = grid.lead + frame * grid.per_frame;
        let time = grid.start + index as f64 * grid.step;
        clip.push_pose(&solve(&postures.at(index), skeleton).pose(skeleton));
        clip.contacts.push(contacts(plan, &feet[index], time));
    }
    clip.types = locomotion(plan, &grid);
    clip.labels = labels(plan, rate, clip.len(), turns(&body, &grid));
    clip.ground = Some(ground(plan));
    debug_assert!(clip.check().is_ok());
    clip
}

fn contacts(plan: &Plan, feet: &[FootPose; 2], time: f64) -> Contacts {
    let mut contacts = Contacts::NONE;
    for (side, foot) in Side::BOTH.into_iter().zip(feet) {
        if foot.heel_down {
            contacts = contacts.with(Contacts::heel(side));
        }
        if foot.ball_down {
            contacts = contacts.with(Contacts::ball(side));
        }
    }
    for reach in &plan.reaches {
        if (reach.touch[0]..reach.touch[1]).contains(&time) {
            contacts = contacts.with(Contacts::hand(reach.side));
        }
    }
    match plan.seat {
        Some([from, to]) if (from..to).contains(&time) => contacts.with(Contacts::SEAT),
        _ => contacts,
    }
}

/// Shortest double support that counts as standing. [s]
const STAND: f64 = 0.6;
/// Longest time on one foot that counts as a step. [s]
const STEP: f64 = 1.0;

/// Types by which feet touch in turn (Shanbhag 2006, §3.2): a flight from one foot to the other
/// is running, any other flight a jump; long double support is standing; steps are walking.
fn locomotion(plan: &Plan, grid: &Grid) -> Vec<Locomotion> {
    let touching = |time: f64| {
        let touches = |side: Side| plan.plants[side.index()].iter().any(|p| p.touches(time));
        [touches(Side::Left), touches(Side::Right)]
    };
    let states: Vec<[bool; 2]> = grid.times().map(touching).collect();
    let runs: Vec<&[[bool; 2]]> = states.chunk_by(|a, b| a == b).collect();
    let kinds: Vec<Locomotion> = (0..runs.len()).map(|i| run_type(&runs, i, grid)).collect();
    let all: Vec<Locomotion> = runs
        .iter()
        .zip(kinds)
        .flat_map(|(run, kind)| std::iter::repeat_n(kind, run.len()))
        .collect();
    let sits = |time: f64| {
        plan.seat
            .is_some_and(|[from, to]| (from..to).contains(&time))
    };
    (0..grid.frames())
        .map(|frame| grid.lead + frame * grid.per_frame)
        .map(|index| match sits(grid.start + index as f64 * grid.step) {
            true => Locomotion::Other,
            false => all[index],
        })
        .collect()
}

/// The type of the `i`th run of equal contacts.
fn run_type(runs: &[&[[bool; 2]]], i: usize, grid: &Grid) -> Locomotion {
    let flight = |i: usize| match (i.checked_sub(1).map(|b| runs[b][0]), runs.get(i + 1)) {
        (Some([true, false]), Some([[false, true], ..])) => Locomotion::Run,
        (Some([false, true]), Some([[true, false], ..])) => Locomotion::Run,
        _ => Locomotion::Jump,
    };
    let is_flight = |i: usize| runs.get(i).is_some_and(|run| run[0] == [false; 2]);
    let seconds = runs[i].len() as f64 * grid.step;
    match runs[i][0] {
        [false, false] => flight(i),
        [true, true] if seconds > STAND => Locomotion::Stand,
        _ if i > 0 && is_flight(i - 1) => flight(i - 1),
        _ if is_flight(i + 1) => flight(i + 1),
        _ if seconds > STEP => Locomotion::Other,
        _ => Locomotion::Walk,
    }
}

/// Stretches in which the heading turns for good: the labels that the CMU actions use, with a
/// threshold of 12 deg/s on a heading smoothed over a step, 25 degrees in all.
fn turns(body: &BodyTrack, grid: &Grid) -> Vec<(&'static str, [f64; 2])> {
    let mut yaw: Vec<f64> = grid.times().map(|time| body.at(time).yaw).collect();
    gaussian(&mut yaw, 0.2 / grid.step);
    let fast = 12f64.to_radians() * grid.step;
    let sense: Vec<i8> = slope(&yaw)
        .into_iter()
        .map(|rate| i8::from(rate > fast) - i8::from(rate < -fast))
        .collect();
    let mut turns = Vec::new();
    let mut start = 0;
    for run in sense.chunk_by(|a, b| a == b) {
        let end = start + run.len();
        let turned = (yaw[end - 1] - yaw[start]).abs();
        if run[0] != 0 && turned > 25f64.to_radians() {
            let word = if run[0] > 0 {
                "turn left"
            } else {
                "turn right"
            };
            turns.push((
                word,
                [start, end].map(|i| grid.start + i as f64 * grid.step),
            ));
        }
        start = end;
    }
    turns
}

fn labels(
    plan: &Plan,
    rate: FrameRate,
    frames: usize,
    turns: Vec<(&'static str, [f64; 2])>,
) -> Vec<LabelSpan> {
    let frame = |time: f64| rate.frames_in(time - plan.window[0]).min(frames) as u32;
    let mut labels: Vec<LabelSpan> = plan
        .labels
        .iter()
        .chain(&turns)
        .map(|&(word, [from, to])| LabelSpan {
            frames: Range32 {
                start: frame(from),
                end: frame(to),
            },
            label: word.into(),
        })
        .filter(|span| !span.frames.is_empty())
        .collect();
    labels.sort();
    labels
}

fn ground(plan: &Plan) -> Ground {
    let steep = plan.steepness();
    let rest = FootRest {
        ankle: ((ANKLE_HEIGHT - BALL_HEIGHT) * steep) as f32,
        ball: 0.0,
    };
    Ground {
        height: (BALL_HEIGHT * steep) as f32,
        slope_x: 0.0,
        slope_z: plan.slope as f32,
        rest: [rest; 2],
    }
}
