//! Curves over time: keys joined by quintics, and a cubic spline with given end slopes.

/// A value with its velocity and acceleration at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// [s]
    pub time: f64,
    pub value: f64,
    /// [1/s]
    pub velocity: f64,
    /// [1/s²]
    pub acceleration: f64,
}

/// Keys joined by quintic polynomials (twice continuously differentiable); constant outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    keys: Vec<Key>,
}

impl Track {
    /// Rests at each of the `(time, value)` keys, which are in order of time.
    pub fn eased(keys: &[(f64, f64)]) -> Self {
        keys.iter().fold(Self::default(), |track, &(time, value)| {
            track.key(time, value, [0.0; 2])
        })
    }

    /// Adds a key after the last: value, then velocity and acceleration.
    pub fn key(mut self, time: f64, value: f64, [velocity, acceleration]: [f64; 2]) -> Self {
        debug_assert!(
            self.keys.last().is_none_or(|last| last.time < time),
            "keys in order"
        );
        self.keys.push(Key {
            time,
            value,
            velocity,
            acceleration,
        });
        self
    }

    /// The value at a time; 0 without keys.
    pub fn at(&self, time: f64) -> f64 {
        let after = self.keys.partition_point(|key| key.time <= time);
        match (
            after.checked_sub(1).map(|i| self.keys[i]),
            self.keys.get(after),
        ) {
            (None, None) => 0.0,
            (None, Some(key)) => key.value,
            (Some(key), None) => key.value,
            (Some(from), Some(to)) => quintic(from, *to, time),
        }
    }
}

/// Hermite's quintic between two keys.
fn quintic(from: Key, to: Key, time: f64) -> f64 {
    let span = to.time - from.time;
    let u = (time - from.time) / span;
    let (v0, v1) = (from.velocity * span, to.velocity * span);
    let (a0, a1) = (
        from.acceleration * span * span,
        to.acceleration * span * span,
    );
    let step = to.value - from.value;
    let c3 = 10.0 * step - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1;
    let c4 = -15.0 * step + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1;
    let c5 = 6.0 * step - 3.0 * v0 - 3.0 * v1 - 0.5 * a0 + 0.5 * a1;
    from.value + u * (v0 + u * (0.5 * a0 + u * (c3 + u * (c4 + u * c5))))
}

/// Rises from 0 to 1 between two times, resting at both.
pub fn ease(time: f64, from: f64, to: f64) -> f64 {
    let u = ((time - from) / (to - from)).clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// A cubic spline through points with given slopes at its ends.
#[derive(Clone, Debug)]
pub struct Spline {
    points: Vec<(f64, f64)>,
    slopes: Vec<f64>,
}

impl Spline {
    /// At least two `(time, value)` points in order of time; `ends` are the slopes there.
    pub fn new(points: Vec<(f64, f64)>, ends: [f64; 2]) -> Self {
        let slopes = spline_slopes(&points, ends);
        Self { points, slopes }
    }

    /// The value at a time within the points; the end pieces go on outside.
    pub fn at(&self, time: f64) -> f64 {
        let inner = &self.points[1..self.points.len() - 1];
        let i = inner.partition_point(|p| p.0 <= time);
        let ((t0, y0), (t1, y1)) = (self.points[i], self.points[i + 1]);
        let (h, u) = (t1 - t0, (time - t0) / (t1 - t0));
        let (m0, m1) = (self.slopes[i] * h, self.slopes[i + 1] * h);
        let (c2, c3) = (3.0 * (y1 - y0) - 2.0 * m0 - m1, m0 + m1 - 2.0 * (y1 - y0));
        y0 + u * (m0 + u * (c2 + u * c3))
    }
}

/// Slopes that make the second derivative continuous: a tridiagonal system.
fn spline_slopes(points: &[(f64, f64)], ends: [f64; 2]) -> Vec<f64> {
    let last = points.len() - 1;
    let mut slopes = vec![0.0; points.len()];
    (slopes[0], slopes[last]) = (ends[0], ends[1]);
    let width = |i: usize| points[i + 1].0 - points[i].0;
    let rise = |i: usize| (points[i + 1].1 - points[i].1) / width(i);
    let mut upper = vec![0.0; points.len()];
    for i in 1..last {
        let (h0, h1) = (width(i - 1), width(i));
        let right = 3.0 * (h1 * rise(i - 1) + h0 * rise(i)) - h1 * slopes[i - 1];
        let right = if i + 1 == last {
            right - h0 * ends[1]
        } else {
            right
        };
        let diagonal = 2.0 * (h0 + h1) - h1 * upper[i - 1];
        upper[i] = if i + 1 == last { 0.0 } else { h0 / diagonal };
        slopes[i] = right / diagonal;
    }
    for i in (1..last.max(1)).rev() {
        slopes[i] -= upper[i] * slopes[i + 1];
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fall_between_two_keys_is_a_parabola() {
        let g = 9.81;
        let track = Track::default().key(1.0, 0.5, [2.0, -g]).key(
            1.4,
            0.5 + 0.8 - g * 0.08,
            [2.0 - 0.4 * g, -g],
        );
        for time in [1.0, 1.1, 1.27, 1.4] {
            let t: f64 = time - 1.0;
            assert!((track.at(time) - (0.5 + 2.0 * t - 0.5 * g * t * t)).abs() < 1e-12);
        }
        assert_eq!(track.at(0.0), 0.5);
    }

    #[test]
    fn a_spline_gives_a_cubic_back() {
        let cubic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t + 3.0 * t * t * t;
        let slope = |t: f64| -2.0 + t + 9.0 * t * t;
        for times in [
            vec![0.0, 1.0],
            vec![0.0, 0.3, 1.0],
            vec![0.0, 0.2, 0.5, 0.8, 1.0],
        ] {
            let points = times.iter().map(|&t| (t, cubic(t))).collect();
            let spline = Spline::new(points, [slope(0.0), slope(1.0)]);
            for t in [0.0, 0.1, 0.25, 0.55, 0.9, 1.0] {
                assert!((spline.at(t) - cubic(t)).abs() < 1e-12, "{times:?} {t}");
            }
        }
    }
}
