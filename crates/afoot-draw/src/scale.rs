//! Axes: from values to pixels, and the round numbers to write beside them.

/// A linear or logarithmic map from values to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f32,
    to: f32,
    logarithmic: bool,
}

impl Scale {
    /// Maps `low..high` onto pixels `from..to`; an empty or absurd range is widened to one.
    pub fn new([low, high]: [f64; 2], [from, to]: [f32; 2], logarithmic: bool) -> Self {
        let logarithmic = logarithmic && low > 0.0;
        let (low, high) = match (low.is_finite() && high.is_finite(), high > low) {
            (true, true) => (low, high),
            (true, false) => (low - 0.5, low + 0.5),
            (false, _) => (0.0, 1.0),
        };
        Self {
            low,
            high,
            from,
            to,
            logarithmic: logarithmic && low > 0.0,
        }
    }

    /// The pixel of a value.
    pub fn pixel(&self, value: f64) -> f32 {
        let share = match self.logarithmic {
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        self.from + (self.to - self.from) * share as f32
    }

    /// Round values along the axis, about `count` of them.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        match self.logarithmic && self.high / self.low > 8.0 {
            true => self.decades(),
            false => self.round_steps(count.max(2)),
        }
    }

    /// `value` with as many decimals as this axis needs to tell its ticks apart.
    pub fn label(&self, value: f64, count: usize) -> String {
        if self.logarithmic {
            return format!("{value}");
        }
        let step = round_step((self.high - self.low) / count.max(2) as f64);
        let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        let value = if value.abs() < step * 1e-6 {
            0.0
        } else {
            value
        };
        format!("{value:.decimals$}")
    }

    fn round_steps(&self, count: usize) -> Vec<f64> {
        let step = round_step((self.high - self.low) / count as f64);
        let slack = (self.high - self.low) * 1e-9;
        let first = ((self.low - slack) / step).ceil() as i64;
        let last = ((self.high + slack) / step).floor() as i64;
        (first..=last).map(|index| index as f64 * step).collect()
    }

    fn decades(&self) -> Vec<f64> {
        let (first, last) = (
            self.low.log10().floor() as i32,
            self.high.log10().ceil() as i32,
        );
        (first..=last)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
            .filter(|tick| (self.low * 0.999..=self.high * 1.001).contains(tick))
            .collect()
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// The range of the finite values, or `None`.
pub fn range_of(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values
        .filter(|v| v.is_finite())
        .fold(None, |range, v| match range {
            None => Some([v, v]),
            Some([low, high]) => Some([v.min(low), v.max(high)]),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(range: [f64; 2], count: usize, expected: &[&str]) {
        let scale = Scale::new(range, [0.0, 100.0], false);
        let labels: Vec<_> = scale
            .ticks(count)
            .iter()
            .map(|&t| scale.label(t, count))
            .collect();
        assert_eq!(labels, expected);
    }

    #[test]
    fn ticks_are_round() {
        check([0.0, 1.0], 5, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check([-3.2, 11.0], 4, &["0", "5", "10"]);
        check([0.0, 0.0031], 3, &["0.000", "0.002"]);
        check([7.0, 7.0], 2, &["6.5", "7.0", "7.5"]);
    }

    #[test]
    fn pixels_follow_the_values() {
        let scale = Scale::new([1.0, 100.0], [200.0, 0.0], true);
        assert!((scale.pixel(10.0) - 100.0).abs() < 1e-3);
        assert_eq!(scale.ticks(5), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        let scale = Scale::new([0.0, 4.0], [10.0, 50.0], false);
        assert_eq!(scale.pixel(1.0), 20.0);
    }
}
