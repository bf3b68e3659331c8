//! Least squares over time for both ankles and the root at once, in linear time.
//!
//! Nine unknowns a frame, each frame coupled with the two before and after it. Terms are handed in frame
//! by frame, each at the first frame that it bears on, and a frame is eliminated (block Cholesky) as soon
//! as its terms are complete, so that equations are made, used and left while they are in the cache;
//! what the way back needs is kept, 1 kB a frame: 32 bits suffice for shifts of centimetres. Every
//! unknown needs a term of its own.

use afoot_core::lanes::{Kernel, run_kernel};
use glam::DVec3;

/// Shifts of left ankle, right ankle and root in a frame. [m]
pub type Shifts = [DVec3; 3];
/// Which of them the root's is.
pub const ROOT: usize = 2;

/// Unknowns of a frame.
const UNKNOWNS: usize = 9;
/// A frame's equations: with itself (upper triangle), with the next and the second next frame, and the
/// right side.
type Rows = [[f64; 3 * UNKNOWNS + 1]; UNKNOWNS];
const EMPTY: Rows = [[0.0; 3 * UNKNOWNS + 1]; UNKNOWNS];
const NEXT: usize = UNKNOWNS;
const SECOND: usize = 2 * UNKNOWNS;
const RIGHT: usize = 3 * UNKNOWNS;
/// Pivots are larger than this but for rounding: every unknown has a term that weighs more.
const LEAST_PIVOT: f64 = 1.0;

/// A frame's Cholesky factor.
type Kept = [[f32; 3 * UNKNOWNS + 1]; UNKNOWNS];

/// Normal equations that are solved as they come.
#[derive(Default)]
pub struct Joint {
    kept: Vec<Kept>,
}

impl Joint {
    /// Makes `shifts` the minimum of all terms that `add` gives, called for every frame in turn.
    pub fn solve(&mut self, shifts: &mut [Shifts], add: impl FnMut(&mut Terms, usize)) {
        self.kept.clear();
        run_kernel(Solve {
            kept: &mut self.kept,
            shifts,
            add,
        });
    }
}

/// One solve, compiled for wide registers where there are any.
struct Solve<'a, A> {
    kept: &'a mut Vec<Kept>,
    shifts: &'a mut [Shifts],
    add: A,
}

impl<A: FnMut(&mut Terms, usize)> Kernel for Solve<'_, A> {
    #[inline(always)]
    fn run(mut self) {
        let mut ring = [EMPTY; 3];
        for frame in 0..self.shifts.len() {
            let mut terms = Terms(in_turn(&mut ring, frame));
            (self.add)(&mut terms, frame);
            self.kept.push(eliminate(terms.0));
        }
        for (frame, kept) in self.kept.iter().enumerate().rev() {
            let later = |by: usize| self.shifts.get(frame + by).copied().unwrap_or_default();
            self.shifts[frame] = substitute(kept, later(1), later(2));
        }
    }
}

/// The equations of a frame and of the two that follow it.
fn in_turn(ring: &mut [Rows; 3], frame: usize) -> [&mut Rows; 3] {
    let [a, b, c] = ring;
    match frame % 3 {
        0 => [a, b, c],
        1 => [b, c, a],
        _ => [c, a, b],
    }
}

/// Squared residuals of a frame and the two that follow it, added one by one.
pub struct Terms<'a>([&'a mut Rows; 3]);

impl Terms<'_> {
    /// Adds `weight * (x - target)²` per component of one of the shifts.
    #[inline(always)]
    pub fn point(&mut self, part: usize, weight: DVec3, target: DVec3) {
        for axis in 0..3 {
            let at = 3 * part + axis;
            self.0[0][at][at] += weight[axis];
            self.0[0][at][RIGHT] += weight[axis] * target[axis];
        }
    }

    /// Adds `weight * (x[1] - x[0] - target)²` per component.
    #[inline(always)]
    pub fn step(&mut self, part: usize, weight: DVec3, target: DVec3) {
        for axis in 0..3 {
            let (at, weight) = (3 * part + axis, weight[axis]);
            self.0[0][at][at] += weight;
            self.0[1][at][at] += weight;
            self.0[0][at][NEXT + at] -= weight;
            self.0[0][at][RIGHT] -= weight * target[axis];
            self.0[1][at][RIGHT] += weight * target[axis];
        }
    }

    /// Adds `weight * |x[0] - 2 x[1] + x[2]|²`.
    #[inline(always)]
    pub fn bend(&mut self, part: usize, weight: f64) {
        for at in 3 * part..3 * part + 3 {
            self.0[0][at][at] += weight;
            self.0[1][at][at] += 4.0 * weight;
            self.0[2][at][at] += weight;
            self.0[0][at][NEXT + at] -= 2.0 * weight;
            self.0[1][at][NEXT + at] -= 2.0 * weight;
            self.0[0][at][SECOND + at] += weight;
        }
    }

    /// Adds `weight * |ankle - root|²`.
    #[inline(always)]
    pub fn tie(&mut self, ankle: usize, weight: f64) {
        for axis in 0..3 {
            let (a, r) = (3 * ankle + axis, 3 * ROOT + axis);
            self.0[0][a][a] += weight;
            self.0[0][r][r] += weight;
            self.0[0][a][r] -= weight;
        }
    }

    /// Adds `weight * (Σ slopes[i] · (root[i] - ankle[i]) - target)²`, for one frame or three.
    #[inline(always)]
    pub fn leg<const FRAMES: usize>(
        &mut self,
        ankle: usize,
        slopes: [DVec3; FRAMES],
        (weight, target): (f64, f64),
    ) {
        let (a, r) = (3 * ankle, 3 * ROOT);
        for (i, slope) in slopes.iter().enumerate() {
            let scaled = (weight * *slope).to_array();
            let rows = &mut *self.0[i];
            for axis in 0..3 {
                rows[a + axis][RIGHT] -= scaled[axis] * target;
                rows[r + axis][RIGHT] += scaled[axis] * target;
            }
            for (j, other) in slopes.iter().enumerate().skip(i) {
                let (other, column) = (other.to_array(), (j - i) * UNKNOWNS);
                for (x, along) in scaled.into_iter().enumerate() {
                    for (y, across) in other.into_iter().enumerate() {
                        let product = along * across;
                        rows[a + x][column + a + y] += product;
                        rows[r + x][column + r + y] += product;
                        rows[a + x][column + r + y] -= product;
                        rows[r + x][column + a + y] -= product;
                    }
                }
            }
        }
    }

    /// Adds `weight * (Σ slopes[part] · x[part] - target)²`.
    #[inline(always)]
    pub fn row(&mut self, slopes: Shifts, (weight, target): (f64, f64)) {
        let slope = |at: usize| slopes[at / 3][at % 3];
        for x in 0..UNKNOWNS {
            let scaled = weight * slope(x);
            self.0[0][x][RIGHT] += scaled * target;
            for y in x..UNKNOWNS {
                self.0[0][x][y] += scaled * slope(y);
            }
        }
    }
}

/// Takes the first frame out of the equations of the two that follow, and leaves its own empty for the
/// third that does.
#[inline(always)]
fn eliminate([own, next, second]: [&mut Rows; 3]) -> Kept {
    for pivot in 0..UNKNOWNS {
        let (done, rest) = own.split_at_mut(pivot);
        let mut row = rest[0];
        for lead in done.iter() {
            subtract(&mut row, lead[pivot], lead);
        }
        let scale = row[pivot].max(LEAST_PIVOT).sqrt().recip();
        rest[0] = row.map(|value| value * scale);
    }
    for (at, row) in next.iter_mut().enumerate() {
        let mut sum: [f64; SECOND] = part(row, 0);
        for lead in own.iter() {
            subtract(&mut sum, lead[NEXT + at], &part(lead, NEXT));
            row[RIGHT] -= lead[NEXT + at] * lead[RIGHT];
        }
        row[..SECOND].copy_from_slice(&sum);
    }
    for (at, row) in second.iter_mut().enumerate() {
        let mut sum: [f64; UNKNOWNS] = part(row, 0);
        for lead in own.iter() {
            subtract(&mut sum, lead[SECOND + at], &part(lead, SECOND));
            row[RIGHT] -= lead[SECOND + at] * lead[RIGHT];
        }
        row[..UNKNOWNS].copy_from_slice(&sum);
    }
    std::mem::replace(own, EMPTY).map(|row| row.map(|value| value as f32))
}

/// So many values of a row from one on.
#[inline(always)]
fn part<const WIDTH: usize>(row: &[f64; 3 * UNKNOWNS + 1], from: usize) -> [f64; WIDTH] {
    row[from..from + WIDTH].try_into().expect("of that width")
}

#[inline(always)]
fn subtract<const WIDTH: usize>(row: &mut [f64; WIDTH], share: f64, lead: &[f64; WIDTH]) {
    for (value, lead) in row.iter_mut().zip(lead) {
        *value -= share * lead;
    }
}

/// The unknowns of a frame, those of the two that follow being known.
#[inline(always)]
fn substitute(rows: &Kept, next: Shifts, second: Shifts) -> Shifts {
    let mut rest = rows.map(|row| f64::from(row[RIGHT]));
    for (shifts, from) in [(next, NEXT), (second, SECOND)] {
        for (at, known) in shifts.iter().flat_map(|shift| shift.to_array()).enumerate() {
            (0..UNKNOWNS).for_each(|row| rest[row] -= f64::from(rows[row][from + at]) * known);
        }
    }
    for pivot in (0..UNKNOWNS).rev() {
        rest[pivot] /= f64::from(rows[pivot][pivot]);
        let known = rest[pivot];
        (0..pivot).for_each(|row| rest[row] -= f64::from(rows[row][pivot]) * known);
    }
    [0, 3, 6].map(|at| DVec3::from_slice(&rest[at..]))
}
