//! Clips at high rates: settled at about 30 frames a second, then refined.
//!
//! Between closer frames accelerations are mostly noise, and a planted foot that is stilled takes its
//! noise out of the knee, which the cost would then fight for. So the cost is minimised over every n-th
//! frame, shifts between follow smoothly (Catmull and Rom), and what planted feet still move between
//! those frames is taken from them along the floor, foot by foot, the more the stiller they are.

use afoot_core::{Clip, FrameId, FrameRate};
use glam::DVec3;

use super::band::EvenBand;
use super::foot::Foot;
use super::joint::Shifts;

/// The rate that is aimed at. [frames/s]
const RATE: f64 = 30.0;

/// Every how many frames of a clip the cost is minimised.
pub fn stride_of(rate: FrameRate) -> usize {
    ((rate.fps() / RATE).round() as usize).max(1)
}

/// Every n-th frame of a clip; `None` where that gives no rate.
pub fn thinned(clip: &Clip, stride: usize) -> Option<Clip> {
    let frames = || (0..clip.len()).step_by(stride);
    let mut thin = Clip::empty(
        clip.name.clone(),
        clip.skeleton.clone(),
        FrameRate::from_fps(clip.rate.fps() / stride as f64)?,
    );
    thin.root = frames().map(|frame| clip.root[frame]).collect();
    thin.contacts = frames().map(|frame| clip.contacts[frame]).collect();
    for frame in frames() {
        let rotations = clip.frame_rotations(FrameId::from(frame));
        thin.rotations.extend_from_slice(rotations);
    }
    thin.sliding = clip.sliding.clone();
    for sliding in &mut thin.sliding {
        sliding.offsets = frames().map(|frame| sliding.offsets[frame]).collect();
    }
    Some(thin)
}

/// Shifts of every frame from those of every n-th.
pub fn spread(thin: &[Shifts], stride: usize, frames: usize) -> Vec<Shifts> {
    let last = thin.len().saturating_sub(1);
    let shifts = |frame: usize| {
        let (at, part) = (frame / stride, (frame % stride) as f64 / stride as f64);
        let near = [at.saturating_sub(1), at, at + 1, at + 2].map(|at| thin[at.min(last)]);
        [0, 1, 2].map(|of| between(near.map(|shifts| shifts[of]), part))
    };
    (0..frames).map(shifts).collect()
}

/// The smooth way from the second to the third of four points.
fn between([a, b, c, d]: [DVec3; 4], t: f64) -> DVec3 {
    let (out, back) = (0.5 * (c - a), 0.5 * (d - b));
    let (t2, t3) = (t * t, t * t * t);
    b * (2.0 * t3 - 3.0 * t2 + 1.0)
        + out * (t3 - 2.0 * t2 + t)
        + c * (3.0 * t2 - 2.0 * t3)
        + back * (t3 - t2)
}

/// What weighs as much as one: a planted foot's speed, its distance from where it was put, the
/// acceleration of that distance. [m/s, m, m/s²]
const SLIDE: f64 = 0.005;
const AWAY: f64 = 0.003;
const BEND: f64 = 3.0;

/// Takes from a foot what it still moves along the floor while it is held.
pub fn still(foot: &Foot, index: usize, shifts: &mut [Shifts], frame_time: f64) {
    let frames = shifts.len();
    let mut band = EvenBand::default();
    band.reset(frames);
    for frame in 0..frames {
        band.add_point(frame, AWAY.powi(-2), DVec3::ZERO);
        if frame + 2 < frames {
            band.add_bend(frame, (BEND * frame_time * frame_time).powi(-2));
        }
        for part in (0..3).filter(|_| frame + 1 < frames) {
            let still = foot.grip.still[frame]
                .min(foot.grip.still[frame + 1])
                .min(1.0);
            let hold = f64::from(foot.grip.hold[part][frame] * still);
            if hold > 0.0 {
                let own = foot.points[part][frame + 1] - foot.points[part][frame];
                let mut step = own.as_dvec3() + shifts[frame + 1][index] - shifts[frame][index];
                step.y = 0.0;
                band.add_step(frame, hold * (SLIDE * frame_time).powi(-2), -step);
            }
        }
    }
    let mut more = vec![DVec3::ZERO; frames];
    band.solve(&mut more);
    for (shifts, more) in shifts.iter_mut().zip(more) {
        shifts[index] += more;
    }
}
