//! Least squares over time in linear time: normal equations of one vector or number a frame, each coupled
//! with the two frames before and after it, solved by elimination. `joint` is its larger brother.
//!
//! One weight counts for all components of a vector, so that the matrix is one of numbers. Terms are added
//! one by one as squared residuals; every frame needs a term of its own, or the elimination divides
//! by zero.

use std::ops::{AddAssign, Mul, SubAssign};

/// What is unknown in a frame.
pub trait Unknown: Copy + Default + AddAssign + SubAssign + Mul<f64, Output = Self> {}

impl<T: Copy + Default + AddAssign + SubAssign + Mul<f64, Output = T>> Unknown for T {}

/// Normal equations of an unknown a frame.
#[derive(Default)]
pub struct EvenBand<T> {
    own: Vec<f64>,
    next: Vec<f64>,
    second: Vec<f64>,
    right: Vec<T>,
}

impl<T: Unknown> EvenBand<T> {
    /// Starts anew for so many frames.
    pub fn reset(&mut self, frames: usize) {
        for numbers in [&mut self.own, &mut self.next, &mut self.second] {
            numbers.clear();
            numbers.resize(frames, 0.0);
        }
        self.right.clear();
        self.right.resize(frames, T::default());
    }

    /// Adds `weight * |x - target|²`.
    pub fn add_point(&mut self, frame: usize, weight: f64, target: T) {
        self.own[frame] += weight;
        self.right[frame] += target * weight;
    }

    /// Adds `weight * |x[frame + 1] - x[frame] - target|²`.
    pub fn add_step(&mut self, frame: usize, weight: f64, target: T) {
        self.own[frame] += weight;
        self.own[frame + 1] += weight;
        self.next[frame] -= weight;
        self.right[frame] -= target * weight;
        self.right[frame + 1] += target * weight;
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
    pub fn solve(&mut self, solution: &mut [T]) {
        let frames = self.own.len();
        assert_eq!(solution.len(), frames, "one unknown a frame");
        for frame in 0..frames {
            let inverse = 1.0 / self.own[frame];
            let (next, second) = (self.next[frame], self.second[frame]);
            let (by_next, by_second) = (inverse * next, inverse * second);
            let right = self.right[frame];
            if frame + 1 < frames {
                self.own[frame + 1] -= next * by_next;
                self.next[frame + 1] -= next * by_second;
                self.right[frame + 1] -= right * by_next;
            }
            if frame + 2 < frames {
                self.own[frame + 2] -= second * by_second;
                self.right[frame + 2] -= right * by_second;
            }
            (self.own[frame], self.next[frame], self.second[frame]) = (inverse, by_next, by_second);
        }
        for frame in (0..frames).rev() {
            let mut value = self.right[frame] * self.own[frame];
            if frame + 1 < frames {
                value -= solution[frame + 1] * self.next[frame];
            }
            if frame + 2 < frames {
                value -= solution[frame + 2] * self.second[frame];
            }
            solution[frame] = value;
        }
    }
}
