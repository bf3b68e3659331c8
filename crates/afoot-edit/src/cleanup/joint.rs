//! Least squares over time for both ankles and the root at once, in linear time.
//!
//! Nine unknowns a frame, each frame coupled with the two before and after it. Terms are handed in frame
//! by frame, each at the first frame that it bears on, and a frame is eliminated (LDLᵀ, without roots) as soon
//! as its terms are complete, so that equations are made, used and left while they are in the cache;
//! what the way back needs is kept, 1 kB a frame: 32 bits suffice for shifts of centimetres. Every
//! unknown needs a term of its own. Columns are kept by fours, what fills a register: x, y, z of a part, and one
//! to spare. Terms are gathered by legs, which have three unknowns, the ankle as seen from the root, and by
//! axes, and spread out when their frame is eliminated. Cost: 0.3 µs a frame.

use std::ops::{Add, Neg};

use afoot_core::lanes::{Kernel, run_kernel};
use glam::DVec3;

/// Shifts of left ankle, right ankle and root in a frame. [m]
pub type Shifts = [DVec3; PARTS];
/// Which of them the root's is.
pub const ROOT: usize = 2;

const PARTS: usize = 3;
/// Unknowns of a frame.
const UNKNOWNS: usize = 3 * PARTS;
/// A frame's equations are about itself, the next and the second next frame.
const FRAMES: usize = 3;
/// Pivots are larger than this but for rounding: every unknown has a term that weighs more.
const LEAST_PIVOT: f64 = 1.0;

/// Four columns of a row.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Four([f64; 4]);

/// A row: a four for each part of a frame, frame by frame. Only what is right of the diagonal is told, from the
/// four on that has it.
type Row<const FOURS: usize> = [Four; FOURS];

/// Normal equations that are solved as they come.
#[derive(Default)]
pub struct Joint {
    kept: Vec<Eliminated>,
}

impl Joint {
    /// Makes `shifts` the minimum of all terms that `add` gives, called for every frame in turn.
    pub fn solve(&mut self, shifts: &mut [Shifts], add: impl FnMut(&mut Terms, usize)) {
        if self.kept.len() < shifts.len() {
            self.kept = vec![Eliminated::default(); shifts.len()];
        }
        run_kernel(Solve {
            kept: &mut self.kept,
            shifts,
            add,
        });
    }
}

/// One solve, compiled for wide registers where there are any.
struct Solve<'a, A> {
    kept: &'a mut [Eliminated],
    shifts: &'a mut [Shifts],
    add: A,
}

impl<A: FnMut(&mut Terms, usize)> Kernel for Solve<'_, A> {
    #[inline(always)]
    fn run(mut self) {
        let mut ring: [Equations; FRAMES] = Default::default();
        let mut leads = Leads::default();
        let kept = self.kept.iter_mut().take(self.shifts.len());
        for (frame, kept) in kept.enumerate() {
            let mut terms = Terms(in_turn(&mut ring, frame));
            (self.add)(&mut terms, frame);
            eliminate(terms.0, &mut leads);
            leads.keep(kept);
        }
        let mut later = [Four::default(); 2 * PARTS];
        for (shifts, kept) in self.shifts.iter_mut().zip(self.kept.iter()).rev() {
            *shifts = substitute(kept, &later);
            later.copy_within(..PARTS, PARTS);
            (0..PARTS).for_each(|part| later[part] = Four::of(shifts[part]));
        }
    }
}

/// The equations of a frame and of the two that follow it.
#[inline(always)]
fn in_turn(ring: &mut [Equations; FRAMES], frame: usize) -> [&mut Equations; FRAMES] {
    let [a, b, c] = ring;
    match frame % FRAMES {
        0 => [a, b, c],
        1 => [b, c, a],
        _ => [c, a, b],
    }
}

/// A frame's equations.
#[derive(Clone, Copy, Default)]
struct Equations {
    terms: Gathered,
    /// What frames that were eliminated leave of it, and of it with the next; terms of all unknowns of a frame too.
    rows: [Row<{ 2 * PARTS }>; UNKNOWNS],
    right: [Four; PARTS],
}

/// Terms as they come.
#[derive(Clone, Copy, Default)]
struct Gathered {
    /// Of an ankle as seen from the root with itself in each of the frames, for each axis.
    legs: [[Row<FRAMES>; 3]; ROOT],
    /// Likewise, of an axis alone.
    ties: [f64; ROOT],
    /// Of each unknown with itself in each of the frames.
    axes: [[f64; UNKNOWNS]; FRAMES],
    right: [f64; UNKNOWNS],
}

/// Squared residuals of a frame and the two that follow it, added one by one.
pub struct Terms<'a>([&'a mut Equations; FRAMES]);

impl Terms<'_> {
    /// Adds `weight * (x - target)²` per component of one of the shifts.
    #[inline(always)]
    pub fn point(&mut self, part: usize, weight: DVec3, target: DVec3) {
        let own = &mut self.0[0].terms;
        for axis in 0..3 {
            let at = 3 * part + axis;
            own.axes[0][at] += weight[axis];
            own.right[at] += weight[axis] * target[axis];
        }
    }

    /// Adds `weight * (x[1] - x[0] - target)²` per component.
    #[inline(always)]
    pub fn step(&mut self, part: usize, weight: DVec3, target: DVec3) {
        let [own, next, _] = &mut self.0;
        let (own, next) = (&mut own.terms, &mut next.terms);
        for axis in 0..3 {
            let (at, weight) = (3 * part + axis, weight[axis]);
            own.axes[0][at] += weight;
            own.axes[1][at] -= weight;
            next.axes[0][at] += weight;
            own.right[at] -= weight * target[axis];
            next.right[at] += weight * target[axis];
        }
    }

    /// Adds `weight * |x[0] - 2 x[1] + x[2]|²`.
    #[inline(always)]
    pub fn bend(&mut self, part: usize, weight: f64) {
        let [own, next, second] = &mut self.0;
        for at in 3 * part..3 * part + 3 {
            own.terms.axes[0][at] += weight;
            own.terms.axes[1][at] -= 2.0 * weight;
            own.terms.axes[2][at] += weight;
            next.terms.axes[0][at] += 4.0 * weight;
            next.terms.axes[1][at] -= 2.0 * weight;
            second.terms.axes[0][at] += weight;
        }
    }

    /// Adds `weight * |ankle - root|²`.
    #[inline(always)]
    pub fn tie(&mut self, ankle: usize, weight: f64) {
        self.0[0].terms.ties[ankle] += weight;
    }

    /// Adds `weight * (Σ slopes[i] · (root[i] - ankle[i]) - target)²`, for one frame or three.
    #[inline(always)]
    pub fn leg<const OVER: usize>(
        &mut self,
        ankle: usize,
        slopes: [DVec3; OVER],
        (weight, target): (f64, f64),
    ) {
        for (frame, slope) in slopes.iter().enumerate() {
            let own = &mut self.0[frame].terms;
            for (axis, share) in (weight * *slope).to_array().into_iter().enumerate() {
                for (four, slope) in own.legs[ankle][axis].iter_mut().zip(&slopes[frame..]) {
                    four.gain(share, &Four::of(*slope));
                }
                own.right[3 * ankle + axis] -= share * target;
                own.right[3 * ROOT + axis] += share * target;
            }
        }
    }

    /// Adds `weight * (Σ slopes[part] · x[part] - target)²`.
    #[inline(always)]
    pub fn row(&mut self, slopes: Shifts, (weight, target): (f64, f64)) {
        let own = &mut *self.0[0];
        for at in 0..UNKNOWNS {
            let share = weight * slopes[at / 3][at % 3];
            for (four, slope) in own.rows[at].iter_mut().zip(slopes) {
                four.gain(share, &Four::of(slope));
            }
            own.terms.right[at] += share * target;
        }
    }
}

/// An eliminated frame: each unknown is `right` less its row times all unknowns behind it, of its own frame
/// and of the two that follow.
#[derive(Clone, Copy, Default)]
struct Eliminated {
    rows: [[[f32; 3]; FRAMES * PARTS]; UNKNOWNS],
    right: [f32; UNKNOWNS],
}

/// Takes the first frame out of the equations of the two that follow, and leaves its own without terms for the
/// third that does.
#[inline(always)]
fn eliminate([own, next, second]: [&mut Equations; FRAMES], leads: &mut Leads) {
    // One by one, so that each knows where it begins when it is compiled.
    leads.add::<0, 9>(own, 0);
    leads.add::<0, 9>(own, 1);
    leads.add::<0, 9>(own, 2);
    leads.add::<1, 8>(own, 0);
    leads.add::<1, 8>(own, 1);
    leads.add::<1, 8>(own, 2);
    leads.add::<2, 7>(own, 0);
    leads.add::<2, 7>(own, 1);
    leads.add::<2, 7>(own, 2);
    own.terms = Gathered::default();
    (0..3).for_each(|axis| {
        leads.take_out_of_next::<0, 6>(next, axis);
        leads.take_out_of_next::<1, 5>(next, axis);
        leads.take_out_of_next::<2, 4>(next, axis);
        leads.leave_second::<0, 3>(second, axis);
        leads.leave_second::<1, 2>(second, axis);
        leads.leave_second::<2, 1>(second, axis);
    });
    leads.take_out_of_right(next, second);
}

/// The eliminated rows of a frame.
#[derive(Default)]
struct Leads {
    rows: [Row<{ FRAMES * PARTS }>; UNKNOWNS],
    right: [f64; UNKNOWNS],
    /// One over the pivots, and the rows times that.
    inverse: [f64; UNKNOWNS],
    scaled: [Row<{ FRAMES * PARTS }>; UNKNOWNS],
}

impl Leads {
    /// Adds the row of an axis of a part, in which so many fours are told; those before it are taken out.
    #[inline(always)]
    fn add<const PART: usize, const WIDE: usize>(&mut self, own: &Equations, axis: usize) {
        let pivot = 3 * PART + axis;
        let mut row = [Four::default(); WIDE];
        for (at, four) in row.iter_mut().enumerate() {
            *four = own.of::<PART>(at + PART, axis);
        }
        let mut right = own.terms.right[pivot] + own.right[PART].0[axis];
        for lead in 0..pivot {
            let share = -self.rows[lead][PART].0[axis] * self.inverse[lead];
            for (at, four) in row.iter_mut().enumerate() {
                four.gain(share, &self.rows[lead][PART + at]);
            }
            right += share * self.right[lead];
        }
        let inverse = row[0].0[axis].max(LEAST_PIVOT).recip();
        for (at, four) in row.iter().enumerate() {
            self.rows[pivot][PART + at] = *four;
            self.scaled[pivot][PART + at] = four.times(inverse);
        }
        (self.right[pivot], self.inverse[pivot]) = (right, inverse);
    }

    /// Takes them out of a row of the next frame.
    #[inline(always)]
    fn take_out_of_next<const PART: usize, const WIDE: usize>(
        &self,
        next: &mut Equations,
        axis: usize,
    ) {
        let row = &mut next.rows[3 * PART + axis];
        // Nothing was taken from what it has in common with the frame behind it.
        let mut sum = [Four::default(); WIDE];
        (PART..PARTS).for_each(|part| sum[part - PART] = row[part]);
        for (lead, scaled) in self.rows.iter().zip(&self.scaled) {
            let share = -scaled[PARTS + PART].0[axis];
            for (at, four) in sum.iter_mut().enumerate() {
                four.gain(share, &lead[PARTS + PART + at]);
            }
        }
        (0..WIDE).for_each(|at| row[PART + at] = sum[at]);
    }

    /// What they leave of a row of the second next frame, of which nothing was taken before.
    #[inline(always)]
    fn leave_second<const PART: usize, const WIDE: usize>(
        &self,
        second: &mut Equations,
        axis: usize,
    ) {
        let mut sum = [Four::default(); WIDE];
        for (lead, scaled) in self.rows.iter().zip(&self.scaled) {
            let share = -scaled[2 * PARTS + PART].0[axis];
            for (at, four) in sum.iter_mut().enumerate() {
                four.gain(share, &lead[2 * PARTS + PART + at]);
            }
        }
        (0..WIDE).for_each(|at| second.rows[3 * PART + axis][PART + at] = sum[at]);
    }

    #[inline(always)]
    fn take_out_of_right(&self, next: &mut Equations, second: &mut Equations) {
        second.right = Default::default();
        for (scaled, right) in self.scaled.iter().zip(self.right) {
            for part in 0..PARTS {
                next.right[part].gain(-right, &scaled[PARTS + part]);
                second.right[part].gain(-right, &scaled[2 * PARTS + part]);
            }
        }
    }

    #[inline(always)]
    fn keep(&self, kept: &mut Eliminated) {
        for (row, scaled) in kept.rows.iter_mut().zip(&self.scaled) {
            for (short, four) in row.iter_mut().zip(scaled) {
                let [x, y, z, _] = four.0;
                *short = [x as f32, y as f32, z as f32];
            }
        }
        for (at, right) in kept.right.iter_mut().enumerate() {
            *right = (self.right[at] * self.inverse[at]) as f32;
        }
    }
}

impl Equations {
    /// A four of the row of an axis of a part, all told.
    #[inline(always)]
    fn of<const PART: usize>(&self, at: usize, axis: usize) -> Four {
        let (frame, part, row) = (at / PARTS, at % PARTS, 3 * PART + axis);
        let leg = |ankle: usize| {
            let leg = self.terms.legs[ankle][axis][frame];
            match frame {
                0 => leg + Four::unit(axis, self.terms.ties[ankle]),
                _ => leg,
            }
        };
        let legs = match (PART, part) {
            (ROOT, ROOT) => leg(0) + leg(1),
            (ROOT, ankle) | (ankle, ROOT) => -leg(ankle),
            (one, other) if one == other => leg(one),
            _ => Four::default(),
        };
        let all = match part == PART {
            true => legs + Four::unit(axis, self.terms.axes[frame][row]),
            false => legs,
        };
        match frame {
            0 | 1 => all + self.rows[row][at],
            _ => all,
        }
    }
}

impl Four {
    #[inline(always)]
    fn of(vector: DVec3) -> Self {
        Self([vector.x, vector.y, vector.z, 0.0])
    }

    #[inline(always)]
    fn unit(axis: usize, value: f64) -> Self {
        let mut unit = Self::default();
        unit.0[axis] = value;
        unit
    }

    #[inline(always)]
    fn times(self, by: f64) -> Self {
        let [a, b, c, d] = self.0;
        Self([a * by, b * by, c * by, d * by])
    }

    /// Adds a share of another.
    #[inline(always)]
    fn gain(&mut self, share: f64, other: &Self) {
        *self = *self + other.times(share);
    }
}

impl Add for Four {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a + e, b + f, c + g, d + h])
    }
}

impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.times(-1.0)
    }
}

/// The unknowns of a frame, those of the two that follow being known.
#[inline(always)]
fn substitute(frame: &Eliminated, later: &[Four; 2 * PARTS]) -> Shifts {
    let mut found = [0.0; UNKNOWNS];
    for ((found, right), row) in found.iter_mut().zip(frame.right).zip(&frame.rows) {
        let mut sum = [0.0; 3];
        for (row, later) in row[PARTS..].iter().zip(later) {
            for axis in 0..3 {
                sum[axis] += f64::from(row[axis]) * later.0[axis];
            }
        }
        *found = f64::from(right) - (sum[0] + sum[1] + sum[2]);
    }
    for pivot in (0..UNKNOWNS).rev() {
        for at in (pivot + 1..UNKNOWNS).rev() {
            found[pivot] -= f64::from(frame.rows[pivot][at / 3][at % 3]) * found[at];
        }
    }
    let [a, b, c, d, e, f, g, h, i] = found;
    [
        DVec3::new(a, b, c),
        DVec3::new(d, e, f),
        DVec3::new(g, h, i),
    ]
}
