//! The minimisation itself: the root's shift and each foot's, a vector a frame, by turns.
//!
//! All terms are squares of something over what weighs as much as one (`SettleOptions`), integrated
//! over time; `mod` lists them. With the others fixed, the cost of the root or of one foot is a least-
//! squares problem that couples three successive frames (knee angles linearised at the last round), so
//! each solve is linear in the frames (`band`). Round by round the cost falls; three rounds suffice,
//! since planted feet hardly answer to the root. Floor and reach count only where they are passed.

use glam::DVec3;

use super::SettleOptions;
use super::band::Band;
use super::foot::Foot;
use super::knee::{Knee, linearise};

/// Rounds over root and feet.
const ROUNDS: usize = 3;

/// Where root and feet go, seen from where they were, a frame each. [m]
pub struct Motion {
    pub root: Vec<DVec3>,
    pub ankles: Vec<Vec<DVec3>>,
}

impl Motion {
    /// The root's shift less an ankle's, a frame each.
    fn seen_from_ankle(&self, index: usize) -> impl Iterator<Item = DVec3> {
        let pairs = self.root.iter().zip(&self.ankles[index]);
        pairs.map(|(root, ankle)| *root - *ankle)
    }
}

/// Finds the shifts of least cost.
pub fn minimise(feet: &[Foot], options: &SettleOptions, frame_time: f64) -> Motion {
    let frames = feet.first().map_or(0, |foot| foot.leg.len());
    let weights = Weights::new(options, frame_time);
    let mut motion = Motion {
        root: vec![DVec3::ZERO; frames],
        ankles: vec![vec![DVec3::ZERO; frames]; feet.len()],
    };
    let mut band = Band::default();
    let mut knees: Vec<Vec<Knee>> = vec![Vec::new(); feet.len()];
    for round in 0..ROUNDS {
        for (index, foot) in feet.iter().enumerate() {
            linearise(&mut knees[index], foot.leg, motion.seen_from_ankle(index));
            solve_foot(
                &mut band,
                foot,
                &knees[index],
                (&mut motion, index),
                &weights,
            );
        }
        if round + 1 < ROUNDS {
            for (index, foot) in feet.iter().enumerate() {
                linearise(&mut knees[index], foot.leg, motion.seen_from_ankle(index));
            }
            solve_root(&mut band, (feet, &knees), &mut motion, &weights);
        }
    }
    motion
}

/// How still a held foot counts as at least: else one that slides through all of its plant would be tied
/// to no place at all. Set by hand.
const LEAST_STILL: f64 = 0.3;

/// How far below the floor a foot may be before it counts: what rounding leaves. [m]
const GIVE: f64 = 0.001;

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
            root_bend: over_time(options.root_acceleration, 2),
            limit: over(options.limit),
        }
    }
}

fn solve_foot(
    band: &mut Band,
    foot: &Foot,
    knees: &[Knee],
    (motion, index): (&mut Motion, usize),
    weights: &Weights,
) {
    let (frames, grip) = (foot.leg.len(), &foot.grip);
    band.reset(frames);
    for (frame, knee) in knees.iter().enumerate() {
        let root = motion.root[frame];
        match grip.held[frame] {
            true => {
                let still = f64::from(grip.still[frame]).max(LEAST_STILL);
                band.add_point(frame, DVec3::splat(still * weights.place), DVec3::ZERO);
            }
            false => band.add_point(frame, DVec3::splat(weights.leg), root),
        }
        for part in 0..3 {
            let hold = f64::from(grip.hold[part][frame]);
            if hold > 0.0 {
                let step = foot.points[part][frame + 1] - foot.points[part][frame];
                band.add_step(frame, hold * weights.slide, -step.as_dvec3());
                let rise = DVec3::Y * f64::from(grip.rise[part][frame]);
                band.add_point(frame, DVec3::Y * (hold * weights.level), rise);
            }
        }
        let sunk = f64::from(grip.sunk[frame]) - GIVE;
        if motion.ankles[index][frame].y < sunk {
            band.add_point(frame, DVec3::Y * weights.limit, DVec3::Y * sunk);
        }
        let target = knee.rest + knee.slope.dot(root);
        band.add_row(frame, (knee.slope, weights.knee), target);
        if let Some(over) = knee.over {
            let target = over + knee.along.dot(root);
            band.add_row(frame, (knee.along, weights.limit), target);
        }
    }
    for frame in 2..frames {
        let centre = frame - 1;
        let held = |frame: usize| grip.hold.iter().any(|hold| hold[frame] > 0.0);
        if !(held(centre - 1) && held(centre)) {
            band.add_bend(frame - 2, weights.ankle_bend);
        }
        let slopes = bent([0, 1, 2].map(|i| knees[frame - 2 + i].slope));
        let at = |i: usize| knees[i].rest + knees[i].slope.dot(motion.root[i]);
        let target = at(frame - 2) - 2.0 * at(centre) + at(frame);
        band.add_rows(frame - 2, (slopes, weights.knee_bend), target);
    }
    band.solve(&mut motion.ankles[index]);
}

fn solve_root(
    band: &mut Band,
    (feet, knees): (&[Foot], &[Vec<Knee>]),
    motion: &mut Motion,
    weights: &Weights,
) {
    let frames = motion.root.len();
    band.reset(frames);
    for frame in 0..frames {
        band.add_point(frame, weights.root, DVec3::ZERO);
    }
    (2..frames).for_each(|frame| band.add_bend(frame - 2, weights.root_bend));
    for ((foot, knees), ankles) in feet.iter().zip(knees).zip(&motion.ankles) {
        for (frame, knee) in knees.iter().enumerate() {
            let ankle = ankles[frame];
            if !foot.grip.held[frame] {
                band.add_point(frame, DVec3::splat(weights.leg), ankle);
            }
            let target = knee.slope.dot(ankle) - knee.rest;
            band.add_row(frame, (knee.slope, weights.knee), target);
            if let Some(over) = knee.over {
                let target = knee.along.dot(ankle) - over;
                band.add_row(frame, (knee.along, weights.limit), target);
            }
        }
        for frame in 2..frames {
            let slopes = bent([0, 1, 2].map(|i| knees[frame - 2 + i].slope));
            let at = |i: usize| knees[i].slope.dot(ankles[i]) - knees[i].rest;
            let target = at(frame - 2) - 2.0 * at(frame - 1) + at(frame);
            band.add_rows(frame - 2, (slopes, weights.knee_bend), target);
        }
    }
    band.solve(&mut motion.root);
}

/// The second difference of three values.
fn bent([before, here, after]: [DVec3; 3]) -> [DVec3; 3] {
    [before, -2.0 * here, after]
}
