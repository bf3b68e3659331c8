//! Ways between changes of contact, laid out for a search: where each leads, and the body along it.

use std::collections::BTreeMap;

use afoot_core::{Clip, ClipId, FrameId, Planar, Range32, Side, wrap_angle};

use super::cull::{Film, Way};
use super::merge::event_at;
use super::rate::least_cycle_rate;
use super::{
    BodySample, CompressionReport, ContactGraph, ContactOptions, ContactState, ContactStep, Piece,
};
use crate::distance::{PointCloud, WindowPair, WindowShape};
use crate::motion_graph::Place;
use crate::options::{GraphError, GraphOptions, window_frames};

/// Frames between two samples of a body.
const SAMPLING: usize = 3;

/// Finds where one frame's window fits another's best.
pub(super) struct Aligner<'a> {
    film: &'a Film<'a>,
    cloud: PointCloud,
    shape: WindowShape,
}

impl<'a> Aligner<'a> {
    pub(super) fn new(film: &'a Film<'a>, options: &GraphOptions) -> Result<Self, GraphError> {
        let clips = film.clips;
        let borrowed: Vec<&Clip> = clips.iter().collect();
        let cloud = PointCloud::for_clips(&borrowed, &options.cloud).ok_or(GraphError::NoWeight)?;
        let window = window_frames(options.window, clips[0].rate);
        let shape = WindowShape::new(window, options.cloud.taper);
        Ok(Self { film, cloud, shape })
    }

    /// Carries the coordinates of the second frame's clip to where it fits the first one's: its heading as
    /// their windows fit best, its place such that feet that are planted stay where they are. A body that
    /// is elsewhere above them is eased over; feet that are elsewhere would have to slide.
    fn align(&self, u: usize, v: usize) -> Planar {
        let film = self.film;
        let half = self.shape.frames() / 2;
        let window = |frame: usize| {
            let (clip, own) = film.place(frame);
            let clip = &film.clips[clip];
            let last = clip.len().saturating_sub(self.shape.frames());
            clip.at(FrameId::from(own.saturating_sub(half).min(last)))
        };
        let by_root = || {
            let [a, b] = [u, v].map(|frame| root_at(film, frame));
            Planar::carrying(b, a)
        };
        let fitted = match WindowPair::new(window(u), window(v), &self.cloud, &self.shape) {
            Some(windows) => windows.align().transform,
            None => by_root(),
        };
        let (Some(stands), Some(comes)) = (planted(film, u - 1), planted(film, v - 1)) else {
            return fitted;
        };
        let comes = fitted.point(comes);
        Planar::new(
            fitted.x + stands[0] - comes[0],
            fitted.z + stands[1] - comes[1],
            fitted.yaw,
        )
    }
}

/// The middle of the feet that are planted in a frame. [m]
fn planted(film: &Film, frame: usize) -> Option<[f64; 2]> {
    let (clip, own) = film.place(frame);
    let facts = &film.facts[clip];
    let points = facts.positions.frame(FrameId::from(own));
    let feet = Side::BOTH
        .into_iter()
        .filter(|side| film.phases[frame].foot(*side));
    let balls: Vec<[f64; 2]> = feet
        .map(|side| points[facts.parts.balls[side.index()]])
        .map(|ball| [f64::from(ball.x), f64::from(ball.z)])
        .collect();
    let sum = balls
        .iter()
        .fold([0.0; 2], |sum, ball| [sum[0] + ball[0], sum[1] + ball[1]]);
    (!balls.is_empty()).then(|| sum.map(|value| value / balls.len() as f64))
}

/// Changes of contact, by their frames, and which of them stands for each.
#[derive(Clone, Copy)]
pub(super) struct Groups<'a> {
    pub(super) frames: &'a [usize],
    pub(super) leaders: &'a [usize],
}

/// Puts states and steps in order; parallel steps that end alike are deleted but for the cheapest.
pub(super) fn lay_out(
    aligner: &Aligner,
    groups: Groups,
    ways: Vec<Way>,
    options: &ContactOptions,
    mut report: CompressionReport,
) -> ContactGraph {
    let Groups { frames, leaders } = groups;
    let index_of: BTreeMap<usize, usize> =
        frames.iter().enumerate().map(|(i, f)| (*f, i)).collect();
    (report.end_spread, report.turn_spread) = spreads(aligner, &ways);
    // Between each pair of groups all ways, cheapest first.
    let mut between: BTreeMap<(usize, usize), Vec<&Way>> = BTreeMap::new();
    for way in &ways {
        let [from, to] = [way.from, way.to].map(|frame| leaders[index_of[&frame]]);
        between.entry((from, to)).or_default().push(way);
    }
    let mut steps: Vec<(usize, usize, ContactStep)> = Vec::new();
    for ((from, to), mut ways) in between {
        ways.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let mut kept: Vec<ContactStep> = Vec::new();
        for way in ways {
            let ends = [frames[from], frames[to]];
            let step = step_of(aligner, way, ends, options.transition);
            let merging = &options.merging;
            let same = |other: &ContactStep| {
                let (a, b) = (step.motion, other.motion);
                (a.x - b.x).hypot(a.z - b.z) < merging.same_place
                    && wrap_angle(a.yaw - b.yaw).abs() < merging.same_heading
            };
            if !kept.iter().any(same) {
                kept.push(step);
            }
        }
        steps.extend(kept.into_iter().map(|step| (from, to, step)));
    }
    assemble(aligner.film, frames, steps, report)
}

/// Keeps the states that steps lead from and to, numbered anew.
fn assemble(
    film: &Film,
    frames: &[usize],
    mut steps: Vec<(usize, usize, ContactStep)>,
    mut report: CompressionReport,
) -> ContactGraph {
    let used: std::collections::BTreeSet<usize> = steps
        .iter()
        .flat_map(|(from, to, _)| [*from, *to])
        .collect();
    let number: BTreeMap<usize, u32> = used
        .iter()
        .enumerate()
        .map(|(n, i)| (*i, n as u32))
        .collect();
    let states: Vec<ContactState> = used
        .iter()
        .map(|index| state_of(film, frames[*index]))
        .collect();
    let mut first = vec![0u32; states.len() + 1];
    for (from, to, step) in &mut steps {
        step.to = number[to];
        first[number[from] as usize + 1] += 1;
    }
    (0..states.len()).for_each(|state| first[state + 1] += first[state]);
    let steps: Vec<ContactStep> = steps.into_iter().map(|(_, _, step)| step).collect();
    let cheapest_metre = steps
        .iter()
        .map(|step| step.cost / step.length.max(1e-6))
        .fold(f64::INFINITY, f64::min);
    (report.states, report.steps) = (states.len() as u64, steps.len() as u64);
    ContactGraph {
        cost_per_metre: least_cycle_rate(&first, &steps),
        cheapest_metre: if cheapest_metre.is_finite() {
            cheapest_metre
        } else {
            0.0
        },
        states,
        first,
        steps,
        report,
    }
}

fn state_of(film: &Film, frame: usize) -> ContactState {
    let (clip, own) = film.place(frame);
    let facts = &film.facts[clip];
    let points = facts.positions.frame(FrameId::from(own));
    let phase = film.phases[frame];
    let feet = Side::BOTH
        .into_iter()
        .filter(|side| phase.foot(*side))
        .map(|side| {
            let ball = points[facts.parts.balls[side.index()]];
            let [x, y, z] = super::phases::local(&film.clips[clip], own, ball);
            [x as f32, z as f32, y as f32]
        });
    ContactState {
        place: Place {
            clip: ClipId::from(clip),
            frame: FrameId::from(own),
        },
        phase,
        before: film.phases[frame - 1],
        event: event_at(film, frame),
        stands: facts.stands[own],
        feet: feet.collect(),
    }
}

fn root_at(film: &Film, frame: usize) -> Planar {
    let (clip, own) = film.place(frame);
    film.clips[clip].placement(FrameId::from(own))
}

/// Placements of a way's runs in the coordinates of its first clip, and of the clip that it leads to.
fn placements(aligner: &Aligner, runs: &[(usize, usize)], to: usize) -> Vec<Planar> {
    let mut placement = Planar::IDENTITY;
    let mut all = vec![placement];
    let nexts = runs[1..].iter().map(|run| run.0).chain([to]);
    for (run, next) in runs.iter().zip(nexts) {
        // What would have played, and what plays instead.
        if run.1 != next {
            placement = placement.then_after(aligner.align(run.1, next));
        }
        all.push(placement);
    }
    all
}

/// A way as a step between the frames that stand for its ends.
fn step_of(aligner: &Aligner, way: &Way, [from, to]: [usize; 2], join: f64) -> ContactStep {
    let film = aligner.film;
    let between = |a: usize, b: usize| match a == b {
        true => Planar::IDENTITY,
        false => aligner.align(a, b),
    };
    // Into the root's frame at the state that stands for the first, by way of its clip.
    let base = root_at(film, from)
        .inverse()
        .then_after(between(from, way.from));
    let placements = placements(aligner, &way.runs, way.to);
    let piece = |(run, placement): (&(usize, usize), &Planar)| {
        let (clip, own) = film.place(run.0);
        Piece {
            clip: clip as u32,
            frames: Range32 {
                start: own as u32,
                end: (own + run.1 - run.0) as u32,
            },
            placement: base.then_after(*placement),
        }
    };
    let pieces: Vec<Piece> = way.runs.iter().zip(&placements).map(piece).collect();
    let last = base.then_after(placements[placements.len() - 1]);
    let motion = last
        .then_after(between(way.to, to))
        .then_after(root_at(film, to));
    let frames: u32 = pieces
        .iter()
        .map(|piece| piece.frames.end - piece.frames.start)
        .sum();
    let end = (film.place(way.to), last);
    let samples = samples(film, &pieces, end);
    ContactStep {
        to: 0,
        // Where another frame stands for an end there is likely a join: half of its least price at each.
        cost: way.cost
            + 0.25 * join * f64::from(u8::from(from != way.from) + u8::from(to != way.to)),
        seconds: f64::from(frames) * film.clips[0].rate.frame_time(),
        length: way_length(&samples, motion),
        motion,
        pieces,
        samples,
    }
}

/// The body at every few frames of a step, at its first one and at the one that it leads to, so that what
/// lies between two samples is always known.
fn samples(
    film: &Film,
    pieces: &[Piece],
    (end, placement): ((usize, usize), Planar),
) -> Vec<BodySample> {
    let frames = pieces.iter().flat_map(|piece| {
        let frames = piece.frames.start..piece.frames.end;
        frames.map(|frame| ((piece.clip as usize, frame as usize), piece.placement))
    });
    frames
        .step_by(SAMPLING)
        .chain([(end, placement)])
        .map(|((clip, frame), placement)| {
            let facts = &film.facts[clip];
            let points = facts.positions.frame(FrameId::from(frame));
            let at = |point: usize| placement.point3(points[point]);
            let root = at(0);
            BodySample {
                root: [root.x, root.z],
                head: points[facts.parts.head].y,
                feet: facts.parts.balls.map(|ball| {
                    let ball = at(ball);
                    [ball.x, ball.z, ball.y]
                }),
            }
        })
        .collect()
}

/// From sample to sample, from the first root to the last.
fn way_length(samples: &[BodySample], motion: Planar) -> f64 {
    let mut at = [0.0, 0.0];
    let mut length = 0.0;
    let points = samples.iter().map(|sample| sample.root.map(f64::from));
    for point in points.chain([[motion.x, motion.z]]) {
        length += (point[0] - at[0]).hypot(point[1] - at[1]);
        at = point;
    }
    length
}

/// How far apart the ends of a kept way and its second-best lie, in place and heading.
fn spreads(aligner: &Aligner, ways: &[Way]) -> ([f64; 2], [f64; 2]) {
    let some = ways.iter().filter(|way| way.second.is_some());
    let every = (some.clone().count() / 2000).max(1);
    let (mut places, mut turns) = (Vec::new(), Vec::new());
    for way in some.step_by(every) {
        let end = |runs: &[(usize, usize)]| {
            let all = placements(aligner, runs, way.to);
            all[all.len() - 1].then_after(root_at(aligner.film, way.to))
        };
        let (a, b) = (
            end(&way.runs),
            end(way.second.as_deref().unwrap_or(&way.runs)),
        );
        places.push((a.x - b.x).hypot(a.z - b.z));
        turns.push(wrap_angle(a.yaw - b.yaw).abs());
    }
    (percentiles(places), percentiles(turns))
}

fn percentiles(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * values.len() as f64) as usize;
        values
            .get(index.min(values.len().saturating_sub(1)))
            .copied()
    };
    [at(0.5).unwrap_or(0.0), at(0.95).unwrap_or(0.0)]
}
