//! Least squares over time in linear time: normal equations of one 3-vector a frame, each coupled
//! with the two frames before and after it, solved by block elimination.
//!
//! Terms are added one by one as squared residuals; a system without any target has the exact
//! solution zero. Every frame needs a term of its own, or the elimination divides by zero.

use glam::{DMat3, DVec3};

/// Normal equations of a 3-vector a frame.
#[derive(Default)]
pub struct Band {
    /// Each frame with itself, with the next and with the second next.
    own: Vec<DMat3>,
    next: Vec<DMat3>,
    second: Vec<DMat3>,
    right: Vec<DVec3>,
}

impl Band {
    /// Starts anew for so many frames.
    pub fn reset(&mut self, frames: usize) {
        for blocks in [&mut self.own, &mut self.next, &mut self.second] {
            blocks.clear();
            blocks.resize(frames, DMat3::ZERO);
        }
        self.right.clear();
        self.right.resize(frames, DVec3::ZERO);
    }

    /// Adds `weight * (x - target)²` per component.
    pub fn add_point(&mut self, frame: usize, weight: DVec3, target: DVec3) {
        add_diagonal(&mut self.own[frame], weight);
        self.right[frame] += weight * target;
    }

    /// Adds `weight * (x[frame + 1] - x[frame] - target)²` per component.
    pub fn add_step(&mut self, frame: usize, weight: DVec3, target: DVec3) {
        add_diagonal(&mut self.own[frame], weight);
        add_diagonal(&mut self.own[frame + 1], weight);
        add_diagonal(&mut self.next[frame], -weight);
        self.right[frame] -= weight * target;
        self.right[frame + 1] += weight * target;
    }

    /// Adds `weight * |x[frame] - 2 x[frame + 1] + x[frame + 2]|²`.
    pub fn add_bend(&mut self, frame: usize, weight: f64) {
        let all = DVec3::splat(weight);
        add_diagonal(&mut self.own[frame], all);
        add_diagonal(&mut self.own[frame + 1], 4.0 * all);
        add_diagonal(&mut self.own[frame + 2], all);
        add_diagonal(&mut self.next[frame], -2.0 * all);
        add_diagonal(&mut self.next[frame + 1], -2.0 * all);
        add_diagonal(&mut self.second[frame], all);
    }

    /// Adds `weight * (row · x[frame] - target)²`.
    pub fn add_row(&mut self, frame: usize, (row, weight): (DVec3, f64), target: f64) {
        let scaled = weight * row;
        self.own[frame] += outer(scaled, row);
        self.right[frame] += scaled * target;
    }

    /// Adds `weight * (Σ rows[i] · x[frame + i] - target)²`.
    pub fn add_rows(&mut self, frame: usize, (rows, weight): ([DVec3; 3], f64), target: f64) {
        let scaled = rows.map(|row| weight * row);
        for (index, row) in rows.into_iter().enumerate() {
            self.own[frame + index] += outer(scaled[index], row);
            self.right[frame + index] += scaled[index] * target;
        }
        self.next[frame] += outer(scaled[0], rows[1]);
        self.next[frame + 1] += outer(scaled[1], rows[2]);
        self.second[frame] += outer(scaled[0], rows[2]);
    }

    /// The minimum. Uses the equations up.
    pub fn solve(&mut self, solution: &mut [DVec3]) {
        let frames = self.own.len();
        assert_eq!(solution.len(), frames, "one vector a frame");
        // After a frame's elimination its blocks hold the inverse, and the inverse times each coupling.
        for frame in 0..frames {
            let inverse = self.own[frame].inverse();
            let (next, second) = (self.next[frame], self.second[frame]);
            let (by_next, by_second) = (inverse * next, inverse * second);
            let right = self.right[frame];
            if frame + 1 < frames {
                let across = next.transpose();
                self.own[frame + 1] -= across * by_next;
                self.next[frame + 1] -= across * by_second;
                self.right[frame + 1] -= by_next.transpose() * right;
            }
            if frame + 2 < frames {
                self.own[frame + 2] -= second.transpose() * by_second;
                self.right[frame + 2] -= by_second.transpose() * right;
            }
            (self.own[frame], self.next[frame], self.second[frame]) = (inverse, by_next, by_second);
        }
        for frame in (0..frames).rev() {
            let mut value = self.own[frame] * self.right[frame];
            if frame + 1 < frames {
                value -= self.next[frame] * solution[frame + 1];
            }
            if frame + 2 < frames {
                value -= self.second[frame] * solution[frame + 2];
            }
            solution[frame] = value;
        }
    }
}

fn add_diagonal(block: &mut DMat3, weight: DVec3) {
    block.x_axis.x += weight.x;
    block.y_axis.y += weight.y;
    block.z_axis.z += weight.z;
}

/// `a bᵀ`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The same with one weight for all three components: three right sides, one matrix of numbers.
#[derive(Default)]
pub struct EvenBand {
    own: Vec<f64>,
    next: Vec<f64>,
    second: Vec<f64>,
    right: Vec<DVec3>,
}

impl EvenBand {
    /// Starts anew for so many frames.
    pub fn reset(&mut self, frames: usize) {
        for numbers in [&mut self.own, &mut self.next, &mut self.second] {
            numbers.clear();
            numbers.resize(frames, 0.0);
        }
        self.right.clear();
        self.right.resize(frames, DVec3::ZERO);
    }

    /// Adds `weight * |x - target|²`.
    pub fn add_point(&mut self, frame: usize, weight: f64, target: DVec3) {
        self.own[frame] += weight;
        self.right[frame] += weight * target;
    }

    /// Adds `weight * |x[frame + 1] - x[frame] - target|²`.
    pub fn add_step(&mut self, frame: usize, weight: f64, target: DVec3) {
        self.own[frame] += weight;
        self.own[frame + 1] += weight;
        self.next[frame] -= weight;
        self.right[frame] -= weight * target;
        self.right[frame + 1] += weight * target;
    }

    /// Adds `weight * |x[frame] - 2 x[frame + 1] + x[frame + 2]|²`.
    pub fn add_bend(&mut self, frame: usize, weight: f64) {
        self.own[frame] += weight;
        self.own[frame + 1] += 4.0 * weight;
        self.own[frame + 2] += weight;
        self.next[frame] -= 2.0 * weight;
        self.next[frame + 1] -= 2.0 * weight;
        self.second[frame] += weight;
    }

    /// The minimum. Uses the equations up.
    pub fn solve(&mut self, solution: &mut [DVec3]) {
        let frames = self.own.len();
        assert_eq!(solution.len(), frames, "one vector a frame");
        for frame in 0..frames {
            let inverse = 1.0 / self.own[frame];
            let (next, second) = (self.next[frame], self.second[frame]);
            let (by_next, by_second) = (inverse * next, inverse * second);
            let right = self.right[frame];
            if frame + 1 < frames {
                self.own[frame + 1] -= next * by_next;
                self.next[frame + 1] -= next * by_second;
                self.right[frame + 1] -= by_next * right;
            }
            if frame + 2 < frames {
                self.own[frame + 2] -= second * by_second;
                self.right[frame + 2] -= by_second * right;
            }
            (self.own[frame], self.next[frame], self.second[frame]) = (inverse, by_next, by_second);
        }
        for frame in (0..frames).rev() {
            let mut value = self.own[frame] * self.right[frame];
            if frame + 1 < frames {
                value -= self.next[frame] * solution[frame + 1];
            }
            if frame + 2 < frames {
                value -= self.second[frame] * solution[frame + 2];
            }
            solution[frame] = value;
        }
    }
}
