//! Frame rates as fractions, so that 29.97 or 120 fps never drift over a long clip.

use std::fmt;

/// Frames per second as a reduced fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameRate {
    numerator: u32,
    denominator: u32,
}

impl FrameRate {
    /// 30 frames a second, the library's default.
    pub const FPS_30: Self = Self {
        numerator: 30,
        denominator: 1,
    };

    /// `numerator / denominator` frames a second; `None` if either is zero.
    pub fn new(numerator: u32, denominator: u32) -> Option<Self> {
        if numerator == 0 || denominator == 0 {
            return None;
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        Some(Self {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        })
    }

    /// The simplest fraction within 10⁻⁴ of `fps`, which undoes the rounding of a file's frame
    /// time (`.0083333` is 120 fps, `.0333667` is 30000/1001). `None` unless finite and within
    /// 0.001 to 1,000,000 frames a second.
    pub fn from_fps(fps: f64) -> Option<Self> {
        if !fps.is_finite() || !(1e-3..=1e6).contains(&fps) {
            return None;
        }
        const NAMED: [(u32, u32); 4] =
            [(30000, 1001), (24000, 1001), (60000, 1001), (120000, 1001)];
        let close = |n: u32, d: u32| (f64::from(n) / f64::from(d) / fps - 1.0).abs() < 1e-4;
        for denominator in 1..=24 {
            let numerator = (fps * f64::from(denominator)).round();
            if numerator >= 1.0 && close(numerator as u32, denominator) {
                return Self::new(numerator as u32, denominator);
            }
        }
        if let Some((n, d)) = NAMED.into_iter().find(|&(n, d)| close(n, d)) {
            return Self::new(n, d);
        }
        let denominator = if fps < 1000.0 { 1_000_000 } else { 1000 };
        Self::new((fps * f64::from(denominator)).round() as u32, denominator)
    }

    /// The rate that a written frame time in seconds means, as far as its digits go: `0.0333` and
    /// `.033` are 30 fps, `0.0334` and `.0333667` are 30000/1001. `None` unless it is a number for
    /// which [`FrameRate::from_fps`] gives a rate.
    ///
    /// A common rate whose frame time the digits could stand for, rounded or cut off, and that is
    /// within 5 % is taken, whole rates before fractional ones, then the nearest; so a rate that is
    /// not common is only safe with digits to spare (62.5 fps as `0.0160000`).
    pub fn from_frame_time_text(text: &str) -> Option<Self> {
        let seconds: f64 = text.trim().parse().ok()?;
        let digit = last_digit(text.trim());
        let could_be = |rate: &Self| {
            let off = rate.frame_time() - seconds;
            let written = -0.5 * digit <= off && off < digit;
            written && off.abs() < 0.05 * seconds || off.abs() < 1e-9 * seconds
        };
        let nearest = |rates: &mut dyn Iterator<Item = Self>| {
            let off = |rate: &Self| (rate.frame_time() - seconds).abs();
            rates
                .filter(could_be)
                .min_by(|a, b| off(a).total_cmp(&off(b)))
        };
        let mut whole = COMMON_FPS.iter().filter_map(|&fps| Self::new(fps, 1));
        let mut broadcast = BROADCAST_FPS
            .iter()
            .filter_map(|&fps| Self::new(fps * 1000, 1001));
        nearest(&mut whole)
            .or_else(|| nearest(&mut broadcast))
            .or_else(|| Self::from_fps(1.0 / seconds))
    }

    /// Frames per second.
    pub fn fps(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    /// Seconds from one frame to the next.
    pub fn frame_time(self) -> f64 {
        f64::from(self.denominator) / f64::from(self.numerator)
    }

    /// The fraction's parts, reduced.
    pub fn parts(self) -> (u32, u32) {
        (self.numerator, self.denominator)
    }

    /// The number of frames nearest to `seconds`; negative times give 0.
    pub fn frames_in(self, seconds: f64) -> usize {
        (seconds * self.fps()).round().max(0.0) as usize
    }
}

impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fps = self.fps();
        if fps.fract() == 0.0 {
            write!(f, "{fps} fps")
        } else {
            write!(f, "{fps:.3} fps")
        }
    }
}

/// Rates that cameras and programs offer.
const COMMON_FPS: [u32; 25] = [
    10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 72, 75, 90, 100, 120, 144, 150, 180, 200, 240, 250,
    300, 360, 480, 500,
];

/// Rates that television has slowed down by 1000/1001.
const BROADCAST_FPS: [u32; 5] = [24, 30, 60, 120, 240];

/// What the last written digit of a decimal number is worth.
fn last_digit(number: &str) -> f64 {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let decimals = mantissa
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let exponent: f64 = exponent.parse().unwrap_or(0.0);
    10f64.powf(exponent - decimals as f64)
}

fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_frame_times_become_the_rate_that_was_meant() {
        for (frame_time, parts) in [
            (0.0083333, (120, 1)),
            (0.008333, (120, 1)),
            (0.0333333, (30, 1)),
            (0.033333, (30, 1)),
            (0.0333667, (30000, 1001)),
            (0.04, (25, 1)),
            (0.08, (25, 2)),
        ] {
            let rate = FrameRate::from_fps(1.0 / frame_time).unwrap();
            assert_eq!(rate.parts(), parts, "frame time {frame_time}");
        }
    }

    #[test]
    fn a_written_frame_time_means_a_common_rate_as_far_as_its_digits_go() {
        for (text, parts) in [
            (".0083333", (120, 1)),
            ("0.0083", (120, 1)),
            ("0.008", (120, 1)),
            ("0.033", (30, 1)),
            ("0.0333", (30, 1)),
            ("0.0333333", (30, 1)),
            ("3.33333e-2", (30, 1)),
            ("0.0334", (30000, 1001)),
            ("0.033367", (30000, 1001)),
            ("0.0333667", (30000, 1001)),
            ("0.0417", (24, 1)),
            ("0.041708", (24000, 1001)),
            ("0.0166", (60, 1)),
            ("0.017", (60, 1)),
            ("0.04", (25, 1)),
            ("0.004", (250, 1)),
            ("0.0160000", (125, 2)),
            ("0.03", (100, 3)),
            ("1", (1, 1)),
            (" 0.05 ", (20, 1)),
        ] {
            let rate = FrameRate::from_frame_time_text(text).unwrap();
            assert_eq!(rate.parts(), parts, "frame time {text}");
        }
        for text in ["", "x", "0", "-0.1", "nan", "inf", "1e99", "1e-99"] {
            assert_eq!(FrameRate::from_frame_time_text(text), None, "{text}");
        }
    }

    #[test]
    fn impossible_rates_are_refused() {
        for fps in [0.0, -30.0, f64::NAN, f64::INFINITY, 1e9] {
            assert_eq!(FrameRate::from_fps(fps), None, "{fps}");
        }
        assert_eq!(FrameRate::new(0, 1), None);
        assert_eq!(FrameRate::new(1, 0), None);
    }
}
