//! The extremes and means of a motion in one gait, and how far another one goes beyond them.

use serde::{Deserialize, Serialize};

use super::course::Course;

/// What a motion does in one gait. Peaks are 0 and spreads empty where nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GaitProfile {
    /// How many frames it is of.
    pub frames: usize,
    /// Peak of the root's ground speed. [m/s]
    pub root_speed: Peak,
    /// Peak of the root's acceleration. [m/s²]
    pub root_acceleration: Peak,
    /// Peak acceleration of a knee's angle. [rad/s²]
    pub knee_acceleration: Peak,
    /// Peak angular acceleration of a foot against its shin. [rad/s²]
    pub ankle_acceleration: Peak,
    /// Height of the hips over the floor. [m]
    pub hip_height: Spread,
    /// Angle hip, knee, ankle; π is straight. [rad]
    pub knee: Spread,
    /// Least distance between the lower legs. [m]
    pub gap: Option<f32>,
    /// The frame at which they are that near; of one motion alone.
    #[serde(default)]
    pub gap_at: u64,
}

/// How a value is spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    count: usize,
    /// Of one motion; of several their means tell.
    sum: f64,
    least: f32,
    most: f32,
    /// Least and greatest mean of the motions that were put together.
    means: [f32; 2],
}

impl GaitProfile {
    /// Takes in how a frame of a motion moves; how it is held: [`GaitProfile::see_posture`].
    /// The motion calls the course's `frame` its `number`.
    pub(super) fn see(&mut self, course: &Course, frame: usize, number: u64) {
        let at = |values: &[f32]| values.get(frame).copied();
        let raise = |peak: &mut Peak, values: &[f32]| peak.see(at(values).unwrap_or(0.0), number);
        self.frames += 1;
        raise(&mut self.root_speed, &course.root_speed);
        raise(&mut self.root_acceleration, &course.root_acceleration);
        raise(&mut self.knee_acceleration, &course.knee_acceleration);
        raise(&mut self.ankle_acceleration, &course.ankle_acceleration);
        if let Some(gap) = at(&course.gap)
            && self.gap.is_none_or(|known| gap < known)
        {
            (self.gap, self.gap_at) = (Some(gap), number);
        }
    }

    /// Takes in how hips and knees are held in a frame.
    pub(super) fn see_posture(&mut self, course: &Course, frame: usize) {
        let at = |values: &[f32]| values.get(frame).copied();
        at(&course.hip_height)
            .into_iter()
            .for_each(|height| self.hip_height.see(height));
        for knee in &course.knees {
            at(knee).into_iter().for_each(|angle| self.knee.see(angle));
        }
    }

    /// What several motions do.
    pub(super) fn together<'a>(parts: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let peak = |value: fn(&Self) -> Peak| {
            let peaks = parts.clone().map(|part| value(part).usual());
            Peak::known(peaks.fold(0.0, f32::max))
        };
        let spread = |value: fn(&Self) -> &Spread| {
            let spreads = parts.clone().map(value);
            spreads.fold(Spread::default(), |sum, spread| sum.with(spread))
        };
        Self {
            frames: parts.clone().map(|part| part.frames).sum(),
            root_speed: peak(|part| part.root_speed),
            root_acceleration: peak(|part| part.root_acceleration),
            knee_acceleration: peak(|part| part.knee_acceleration),
            ankle_acceleration: peak(|part| part.ankle_acceleration),
            hip_height: spread(|part| &part.hip_height),
            knee: spread(|part| &part.knee),
            gap: parts.clone().filter_map(|part| part.gap).reduce(f32::min),
            gap_at: 0,
        }
    }
}

/// The largest value of a motion, and whether anything else in it is like it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Peak {
    most: f32,
    at: u64,
    /// The largest that is not of the same moment.
    next: f32,
}

/// How far off frames still belong to a peak's moment: what one wrong frame does to second
/// differences, and one more.
const MOMENT: u64 = 2;
/// How much larger than the next one a peak may be and still be believed: captured clips have one
/// harder step of up to twice the others; feet that flip and roots that pop stand out five times.
const BELIEVED: f32 = 2.0;

impl Peak {
    fn known(most: f32) -> Self {
        Self {
            most,
            at: 0,
            next: most,
        }
    }

    fn see(&mut self, value: f32, frame: u64) {
        let same = frame.abs_diff(self.at) <= MOMENT;
        if value > self.most {
            self.next = if same { self.next } else { self.most };
            (self.most, self.at) = (value, frame);
        } else if !same {
            self.next = self.next.max(value);
        }
    }

    /// The largest value of all.
    pub fn most(self) -> f32 {
        self.most
    }

    /// The frame that it is of.
    pub(super) fn at(self) -> u64 {
        self.at
    }

    /// The largest value that is not a fault by its own motion's measure.
    pub fn usual(self) -> f32 {
        match self.next > 0.0 {
            true => self.most.min(BELIEVED * self.next),
            false => self.most,
        }
    }
}

impl Spread {
    pub(super) fn see(&mut self, value: f32) {
        self.least = if self.count == 0 {
            value
        } else {
            self.least.min(value)
        };
        self.most = if self.count == 0 {
            value
        } else {
            self.most.max(value)
        };
        self.count += 1;
        self.sum += f64::from(value);
        self.means = [(self.sum / self.count as f64) as f32; 2];
    }

    fn with(self, other: &Self) -> Self {
        match (self.count, other.count) {
            (_, 0) => self,
            (0, _) => *other,
            _ => Self {
                count: self.count + other.count,
                sum: self.sum + other.sum,
                least: self.least.min(other.least),
                most: self.most.max(other.most),
                means: [
                    self.means[0].min(other.means[0]),
                    self.means[1].max(other.means[1]),
                ],
            },
        }
    }

    /// The same, its means including that of the frames of it that were played: of a jump the flight alone may be.
    pub(super) fn with_mean_of(mut self, played: &Self) -> Self {
        if self.count > 0 && played.count > 0 {
            let mean = (played.sum / played.count as f64) as f32;
            self.means = [self.means[0].min(mean), self.means[1].max(mean)];
        }
        self
    }

    /// How far this one's mean or extremes lie outside the source's, signed: the worst of them.
    /// `None` if nothing is known of either.
    pub(super) fn beyond(&self, source: &Self) -> Option<f64> {
        if self.count == 0 || source.count == 0 {
            return None;
        }
        let outside = |value: f32, [low, high]: [f32; 2]| {
            f64::from(value - high).max(0.0) + f64::from(value - low).min(0.0)
        };
        let mean = (self.sum / self.count as f64) as f32;
        let range = [source.least, source.most];
        let parts = [
            outside(mean, source.means),
            outside(self.least, range),
            outside(self.most, range),
        ];
        parts
            .into_iter()
            .reduce(|a, b| if b.abs() > a.abs() { b } else { a })
    }
}
