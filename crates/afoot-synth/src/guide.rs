//! The line that the search follows: a path smoothed and resampled at even steps, so that places
//! are found by arc length at once. About 1 MB per kilometre.

use crate::path::{GroundPath, arc_lengths, between, distance_squared, share_of};

/// How a path is prepared for the search.
#[derive(Clone, Debug, PartialEq)]
pub struct GuideOptions {
    /// Distance of the guide's points. [m, > 0]
    pub step: f64,
    /// Standard deviation of the smoothing along the path; irons out a sketch's jitter and rounds
    /// corners by about half of it. [m, ≥ 0]
    pub smoothing: f64,
}

impl Default for GuideOptions {
    fn default() -> Self {
        Self {
            step: 0.02,
            smoothing: 0.04,
        }
    }
}

/// A path as evenly spaced points, for quick look-up by arc length.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    points: Vec<[f64; 2]>,
    step: f64,
    closed: bool,
    length: f64,
    per_step: f64,
    /// Start of every segment and the sine and cosine of its yaw.
    frames: Vec<[f64; 4]>,
}

/// How far one may get along a guide in a frame. [m]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Guide {
    /// Of a path, which stays as it was asked for.
    pub fn new(path: &GroundPath, options: &GuideOptions) -> Self {
        let asked = path.points();
        let (points, step) = resample(asked, &arc_lengths(asked), options.step);
        let sigma = options.smoothing / step;
        let smooth = smoothed(&points, sigma, path.is_closed());
        // Smoothing shortens the line: even steps have to be found anew.
        let (points, step) = resample(&smooth, &arc_lengths(&smooth), options.step);
        let frame = |pair: &[[f64; 2]]| {
            let (x, z) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            let length = x.hypot(z).max(1e-12);
            [pair[0][0], pair[0][1], x / length, z / length]
        };
        let frames = points.windows(2).map(frame).collect();
        Self {
            length: (points.len() - 1) as f64 * step,
            per_step: 1.0 / step,
            frames,
            points,
            step,
            closed: path.is_closed(),
        }
    }

    /// [m]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The points, `step` apart.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// Distance from point to point. [m]
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Whether its ends meet.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The point `along` the guide; its ends beyond them.
    pub fn point_at(&self, along: f64) -> [f64; 2] {
        let (index, share) = self.locate(along);
        between(self.points[index], self.points[index + 1], share)
    }

    /// The direction of travel there, as a yaw (0 along +z, positive towards +x). [rad]
    pub fn yaw_at(&self, along: f64) -> f64 {
        let (index, _) = self.locate(along);
        let (a, b) = (self.points[index], self.points[index + 1]);
        (b[0] - a[0]).atan2(b[1] - a[1])
    }

    /// The place nearest to `point` on the stretch from `from` to `to`, the first if several: how
    /// far along it is, and the squared distance. [m, m²]
    pub fn nearest_between(&self, point: [f64; 2], from: f64, to: f64) -> (f64, f64) {
        let (first, low) = self.locate(from);
        let (last, high) = self.locate(to.max(from));
        let mut best = (0.0, f64::INFINITY);
        for index in first..=last {
            let (a, b) = (self.points[index], self.points[index + 1]);
            let low = if index == first { low } else { 0.0 };
            let high = if index == last { high } else { 1.0 };
            let share = share_of(point, a, b).clamp(low, high.max(low));
            let apart = distance_squared(point, between(a, b, share));
            if apart < best.1 {
                best = (index as f64 + share, apart);
            }
        }
        (best.0 * self.step, best.1)
    }

    /// The segment's start and the sine and cosine of its yaw there. [m]
    #[inline]
    pub(crate) fn frame_at(&self, along: f64) -> ([f64; 2], [f64; 2]) {
        let [x, z, sin, cos] = self.frames[self.segment(along)];
        ([x, z], [sin, cos])
    }

    /// Follows a point that moved a little: the place nearest to it near `along`, as much
    /// further on as `progress` allows, and the squared distance. One guess and one correction, each
    /// along the tangent: exact where the guide bends little within a frame. [m, m²]
    #[inline]
    pub(crate) fn advance(&self, point: [f64; 2], along: f64, progress: &Progress) -> (f64, f64) {
        let low = (along + progress.least).min(self.length);
        let high = (along + progress.most).min(self.length);
        let guess = self.project(point, along).0.clamp(low, high);
        let (place, beside) = self.project(point, guess);
        let held = place.clamp(low, high);
        (held, beside + (place - held).powi(2))
    }

    /// Where a point falls on the tangent at `along`, and the square of its distance from that.
    #[inline]
    fn project(&self, point: [f64; 2], along: f64) -> (f64, f64) {
        let index = self.segment(along);
        let [x, z, sin, cos] = self.frames[index];
        let (dx, dz) = (point[0] - x, point[1] - z);
        let across = dx * cos - dz * sin;
        (
            index as f64 * self.step + dx * sin + dz * cos,
            across * across,
        )
    }

    #[inline]
    fn segment(&self, along: f64) -> usize {
        // By way of u32, which takes a third of the instructions; a guide is never that long.
        ((along * self.per_step) as u32 as usize).min(self.frames.len() - 1)
    }

    fn locate(&self, along: f64) -> (usize, f64) {
        let place = (along * self.per_step).clamp(0.0, (self.points.len() - 1) as f64);
        let index = (place as usize).min(self.points.len() - 2);
        (index, place - index as f64)
    }
}

/// Points at even steps of about `step`, with the step that fits.
fn resample(points: &[[f64; 2]], along: &[f64], step: f64) -> (Vec<[f64; 2]>, f64) {
    let length = along[along.len() - 1];
    let count = (length / step).ceil().max(1.0) as usize;
    let step = length / count as f64;
    let mut segment = 1;
    let at = |index: usize| {
        let wanted = index as f64 * step;
        while segment + 1 < points.len() && along[segment] < wanted {
            segment += 1;
        }
        let (a, b) = (along[segment - 1], along[segment]);
        let share = if b > a {
            ((wanted - a) / (b - a)).clamp(0.0, 1.0)
        } else {
            0.0
        };
        between(points[segment - 1], points[segment], share)
    };
    ((0..=count).map(at).collect(), step)
}

/// Gaussian average along the line; the ends of an open line stay.
fn smoothed(points: &[[f64; 2]], sigma: f64, closed: bool) -> Vec<[f64; 2]> {
    let reach = (3.0 * sigma).ceil() as isize;
    if reach < 1 || points.len() < 3 {
        return points.to_vec();
    }
    let last = points.len() as isize - 1;
    let weights: Vec<f64> = (0..=reach)
        .map(|k| (-0.5 * (k as f64 / sigma).powi(2)).exp())
        .collect();
    let at = |index: isize| match closed {
        true => points[index.rem_euclid(last) as usize],
        false => points[index.clamp(0, last) as usize],
    };
    let average = |center: isize| {
        // Symmetric and shrinking towards an open end, so that ends stay and lines stay straight.
        let reach = if closed {
            reach
        } else {
            reach.min(center).min(last - center)
        };
        let (mut sum, mut total) = ([0.0; 2], 0.0);
        for offset in -reach..=reach {
            let (weight, [x, z]) = (weights[offset.unsigned_abs()], at(center + offset));
            sum = [sum[0] + weight * x, sum[1] + weight * z];
            total += weight;
        }
        [sum[0] / total, sum[1] / total]
    };
    (0..=last).map(average).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(radius: f64) -> GroundPath {
        let point = |k: i32| {
            let angle = f64::from(k) * std::f64::consts::TAU / 200.0;
            [radius * angle.cos(), radius * angle.sin()]
        };
        GroundPath::new((0..=200).map(|k| point(k % 200)).collect()).unwrap()
    }

    #[test]
    fn a_guide_keeps_ends_steps_and_shape() {
        let path = GroundPath::new(vec![[0.0, 0.0], [0.0, 3.0], [2.0, 3.0]]).unwrap();
        let guide = path.guide(&GuideOptions::default());
        assert_eq!(guide.points()[0], [0.0, 0.0]);
        let last = guide.points()[guide.points().len() - 1];
        assert!((last[0] - 2.0).abs() < 1e-9 && (last[1] - 3.0).abs() < 1e-9);
        for pair in guide.points().windows(2) {
            let apart = distance_squared(pair[0], pair[1]).sqrt();
            assert!((apart - guide.step()).abs() < 0.1 * guide.step(), "{apart}");
        }
        assert!(guide.points().iter().all(|&p| path.distance_to(p) < 0.03));
        assert!(guide.yaw_at(1.0).abs() < 1e-6);
        assert!((guide.yaw_at(4.5) - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
    }

    #[test]
    fn a_closed_guide_stays_closed_and_round() {
        let guide = circle(2.0).guide(&GuideOptions::default());
        let (first, last) = (guide.points()[0], guide.points()[guide.points().len() - 1]);
        assert!(distance_squared(first, last).sqrt() < 1e-6);
        assert!(
            guide
                .points()
                .iter()
                .all(|p| (p[0].hypot(p[1]) - 2.0).abs() < 2e-3)
        );
    }

    #[test]
    fn smoothing_irons_out_jitter() {
        let jitter = |k: usize| {
            [
                k as f64 * 0.02,
                if k.is_multiple_of(2) { 0.01 } else { -0.01 },
            ]
        };
        let path = GroundPath::new((0..200).map(jitter).collect()).unwrap();
        let guide = path.guide(&GuideOptions::default());
        let inner = &guide.points()[20..guide.points().len() - 20];
        assert!(inner.iter().all(|p| p[1].abs() < 1e-3));
    }

    #[test]
    fn nearest_between_agrees_with_trying_every_millimetre() {
        let guide = circle(1.0).guide(&GuideOptions::default());
        for (point, from, to) in [
            ([0.9, 0.8], 0.0, 6.0),
            ([-0.2, 0.1], 1.0, 2.0),
            ([3.0, 3.0], 2.0, 2.0),
            ([1.0, 0.0], 5.0, 9.0),
        ] {
            let (along, squared) = guide.nearest_between(point, from, to);
            let tries = (0..=10_000).map(|k| from + (to - from) * f64::from(k) / 10_000.0);
            let best = tries
                .map(|along| distance_squared(point, guide.point_at(along)))
                .fold(f64::INFINITY, f64::min);
            assert!(
                (squared - best).abs() < 1e-5,
                "{point:?}: {squared} is not {best}"
            );
            assert!((distance_squared(point, guide.point_at(along)) - squared).abs() < 1e-9);
            assert!(along >= from - 1e-9 && along <= to.min(guide.length()) + 1e-9);
        }
    }
}
