//! Animation curves: key times and values, sampled at any time by step, linear or cubic rule.

use afoot_core::{Quat, Vec3};

use crate::scene::unit;

/// How values between keys are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    Step,
    Linear,
    /// Keys are triples: in-tangent, value, out-tangent.
    Cubic,
}

/// One animated property: `width` floats per value.
#[derive(Clone, Debug)]
pub struct Curve {
    pub times: Vec<f32>,
    pub values: Vec<f32>,
    pub interpolation: Interpolation,
}

impl Curve {
    /// A position at a time; constant before the first and after the last key.
    pub fn position(&self, time: f64) -> Vec3 {
        let span = self.span(time);
        match self.interpolation {
            Interpolation::Step => self.vec3(span.key),
            Interpolation::Linear => self
                .vec3(span.key)
                .lerp(self.vec3(span.next), span.fraction),
            Interpolation::Cubic => Vec3::from_array(self.hermite(span)),
        }
    }

    /// A rotation at a time, of unit length.
    pub fn rotation(&self, time: f64) -> Quat {
        let span = self.span(time);
        let rotation = match self.interpolation {
            Interpolation::Step => self.quat(span.key),
            Interpolation::Linear => {
                unit(self.quat(span.key)).slerp(unit(self.quat(span.next)), span.fraction)
            }
            Interpolation::Cubic => Quat::from_array(self.hermite(span)),
        };
        unit(rotation)
    }

    /// The keys around a time.
    fn span(&self, time: f64) -> Span {
        let last = self.times.len() - 1;
        let after = self.times.partition_point(|&key| f64::from(key) <= time);
        if after == 0 || after > last {
            let key = if after == 0 { 0 } else { last };
            return Span {
                key,
                next: key,
                fraction: 0.0,
                duration: 0.0,
            };
        }
        let (from, to) = (
            f64::from(self.times[after - 1]),
            f64::from(self.times[after]),
        );
        let fraction = ((time - from) / (to - from)) as f32;
        Span {
            key: after - 1,
            next: after,
            fraction,
            duration: (to - from) as f32,
        }
    }

    fn vec3(&self, key: usize) -> Vec3 {
        Vec3::from_slice(&self.values[3 * key..])
    }

    fn quat(&self, key: usize) -> Quat {
        Quat::from_slice(&self.values[4 * key..])
    }

    /// The specification's cubic spline.
    fn hermite<const WIDTH: usize>(&self, span: Span) -> [f32; WIDTH] {
        let (t, duration) = (span.fraction, span.duration);
        let part =
            |key: usize, which: usize, index: usize| self.values[(3 * key + which) * WIDTH + index];
        let (t2, t3) = (t * t, t * t * t);
        std::array::from_fn(|index| {
            (2.0 * t3 - 3.0 * t2 + 1.0) * part(span.key, 1, index)
                + duration * (t3 - 2.0 * t2 + t) * part(span.key, 2, index)
                + (3.0 * t2 - 2.0 * t3) * part(span.next, 1, index)
                + duration * (t3 - t2) * part(span.next, 0, index)
        })
    }
}

#[derive(Clone, Copy)]
struct Span {
    key: usize,
    next: usize,
    fraction: f32,
    duration: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(interpolation: Interpolation, values: Vec<f32>) -> Curve {
        Curve {
            times: vec![1.0, 2.0, 4.0],
            values,
            interpolation,
        }
    }

    #[test]
    fn step_holds_and_linear_runs_between_uneven_keys() {
        let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0];
        let cases = [
            (0.0, 0.0, 0.0),
            (1.5, 0.0, 0.5),
            (3.0, 1.0, 3.0),
            (9.0, 5.0, 5.0),
        ];
        for (time, step, linear) in cases {
            let at = |kind| curve(kind, values.clone()).position(time).x;
            assert_eq!(
                (at(Interpolation::Step), at(Interpolation::Linear)),
                (step, linear)
            );
        }
    }

    #[test]
    fn cubic_meets_its_keys_and_its_tangents() {
        // x = t² between the keys 1, 2 and 4: values 1, 4, 16, slopes 2, 4, 8.
        let key = |value: f32, slope: f32| [slope, 0., 0., value, 0., 0., slope, 0., 0.];
        let values = [key(1.0, 2.0), key(4.0, 4.0), key(16.0, 8.0)].concat();
        let curve = curve(Interpolation::Cubic, values);
        for time in [1.0, 1.3, 2.0, 2.5, 3.9] {
            let x = f64::from(curve.position(time).x);
            assert!((x - time * time).abs() < 1e-4, "{x} at {time}");
        }
    }
}
