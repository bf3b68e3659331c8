//! The minimisation itself: shifts of both ankles and the root, together, a vector a frame each.
//!
//! All terms are squares of something over what weighs as much as one (`SettleOptions`), integrated
//! over time; `mod` lists them. Each couples at most three successive frames, so that a round of Gauss
//! and Newton is one solve in linear time (`joint`): knees linearised at the last round, floor,
//! reach and gap counted where they are passed. A step far from the last round costs a little, which
//! leaves the optimum where it is and keeps rounds from overshooting. Rounds end where nothing moves.

use glam::DVec3;

use super::SettleOptions;
use super::apart::Gaps;
use super::foot::Foot;
use super::heights::Heights;
use super::joint::{Joint, ROOT, Shifts, Terms};
use super::knee::{Knee, linearise};

/// Most rounds there are.
const ROUNDS: usize = 8;
/// Less than this is no move: the next round would go a fifth of it. [m]
const CONVERGED: f64 = 1e-3;
/// What a round may go for the price of one. [m]
const STRIDE: f64 = 0.2;
/// Motion begins where it was asked to: its first frame weighs as much as so many seconds of such a
/// shift of the root along the ground. Else it is free to one side, and 100 walkers started up to 6 cm
/// from their places. [m], [s]
const START: f32 = 0.01;
const START_SECONDS: f64 = 1.0;

/// Finds the shifts of least cost, a frame each.
pub fn minimise(feet: &[Foot], options: &SettleOptions, frame_time: f64) -> Vec<Shifts> {
    let frames = feet.first().map_or(0, |foot| foot.leg.len());
    let mut problem = Problem {
        feet,
        weights: Weights::new(options, frame_time),
        gaps: Gaps::new(feet),
        knees: vec![Vec::new(); feet.len()],
        heights: Heights::new(feet, options, (frames, frame_time)),
    };
    let mut shifts = vec![Shifts::default(); frames];
    let mut joint = Joint::default();
    for _ in 0..ROUNDS {
        let last = shifts.clone();
        problem.linearise(&last);
        joint.solve(&mut shifts, |terms, frame| {
            problem.add_terms(terms, frame, &last)
        });
        let pairs = shifts.as_flattened().iter().zip(last.as_flattened());
        let moved = pairs.map(|(now, last)| now.distance_squared(*last));
        if moved.fold(0.0, f64::max) < CONVERGED * CONVERGED {
            break;
        }
    }
    for (shifts, rise) in shifts.iter_mut().zip(&problem.heights.carried) {
        shifts.iter_mut().for_each(|shift| shift.y += rise);
    }
    shifts
}

/// The terms of a round.
struct Problem<'a> {
    feet: &'a [Foot<'a>],
    weights: Weights,
    gaps: Gaps,
    knees: Vec<Vec<Knee>>,
    heights: Heights,
}

impl Problem<'_> {
    fn linearise(&mut self, last: &[Shifts]) {
        for (index, (foot, knees)) in self.feet.iter().zip(&mut self.knees).enumerate() {
            let seen_from_ankle = last.iter().map(|shifts| shifts[ROOT] - shifts[index]);
            linearise(knees, foot.leg, seen_from_ankle);
        }
    }

    /// Adds all terms of which this frame is the first.
    #[inline(always)]
    fn add_terms(&self, terms: &mut Terms, frame: usize, last: &[Shifts]) {
        let weights = &self.weights;
        for (part, shift) in last[frame].into_iter().enumerate() {
            terms.point(part, DVec3::splat(STRIDE.powi(-2)), shift);
        }
        terms.point(ROOT, weights.root, DVec3::ZERO);
        if frame == 0 {
            terms.point(ROOT, weights.start, DVec3::ZERO);
        }
        let bends = frame + 2 < last.len();
        if bends {
            terms.bend(ROOT, weights.root_bend);
        }
        for (index, foot) in self.feet.iter().enumerate() {
            self.add_hold(terms, (index, foot), frame);
            let sunk = f64::from(foot.grip.sunk[frame]) - self.heights.depth(frame);
            if last[frame][index].y < sunk {
                terms.point(index, DVec3::Y * weights.limit, DVec3::Y * sunk);
            }
            let knees = &self.knees[index][frame..];
            self.add_knee(terms, index, &knees[0]);
            if bends {
                let slopes = [knees[0].slope, -2.0 * knees[1].slope, knees[2].slope];
                let target = -(knees[0].rest - 2.0 * knees[1].rest + knees[2].rest);
                terms.leg(index, slopes, (weights.knee_bend, target));
            }
        }
        for gap in self.gaps.at(frame) {
            if gap.is_short(&last[frame]) {
                terms.row(gap.slopes, (weights.limit, gap.least));
            }
        }
    }

    /// What holds a foot in place, or lets it swing as it did.
    #[inline(always)]
    fn add_hold(&self, terms: &mut Terms, (index, foot): (usize, &Foot), frame: usize) {
        let (weights, grip) = (&self.weights, &foot.grip);
        match grip.held[frame] {
            true => {
                let tie = f64::from(grip.still[frame]) * weights.place;
                terms.point(index, DVec3::splat(tie), DVec3::ZERO);
            }
            false => terms.tie(index, weights.leg),
        }
        for part in 0..3 {
            let hold = f64::from(grip.hold[part][frame]);
            if hold > 0.0 {
                let mut step = foot.points[part][frame + 1] - foot.points[part][frame];
                step.y = 0.0;
                terms.step(index, hold * weights.slide, -step.as_dvec3());
                let rise = DVec3::Y * self.heights.rise(grip.rise[part][frame], frame);
                terms.point(index, DVec3::Y * (hold * weights.level), rise);
            }
        }
        let held = |frame: usize| grip.hold.iter().any(|hold| hold[frame] > 0.0);
        if frame + 2 < grip.held.len() && !(held(frame) && held(frame + 1)) {
            terms.bend(index, weights.ankle_bend);
        }
    }

    #[inline(always)]
    fn add_knee(&self, terms: &mut Terms, index: usize, knee: &Knee) {
        terms.leg(index, [knee.slope], (self.weights.knee, -knee.rest));
        if let Some(over) = knee.over {
            terms.leg(index, [knee.along], (self.weights.limit, -over));
        }
    }
}

/// One over the squares of what weighs as much as one, for differences over frames.
struct Weights {
    slide: DVec3,
    level: f64,
    place: f64,
    leg: f64,
    ankle_bend: f64,
    knee: f64,
    knee_bend: f64,
    root: DVec3,
    start: DVec3,
    root_bend: f64,
    limit: f64,
}

impl Weights {
    fn new(options: &SettleOptions, time: f64) -> Self {
        let over = |scale: f32| 1.0 / f64::from(scale.max(1e-6)).powi(2);
        let over_time = |scale: f32, power| over(scale) / time.powi(2 * power);
        let slide = over_time(options.slide, 1);
        let (hip, shift) = (over(options.hip), over(options.shift));
        Self {
            slide: DVec3::new(slide, over_time(options.lift, 1), slide),
            level: over(options.level),
            place: over(options.place),
            leg: over(options.leg),
            ankle_bend: over_time(options.ankle_acceleration, 2),
            knee: over(options.knee),
            knee_bend: over_time(options.knee_acceleration, 2),
            root: DVec3::new(shift, hip, shift),
            start: DVec3::new(1.0, 0.0, 1.0) * (over(START) * START_SECONDS / time),
            root_bend: over_time(options.root_acceleration, 2),
            limit: over(options.limit),
        }
    }
}
