//! When a motion is at its worst by each measure that is a largest value.

use std::collections::BTreeMap;

/// A value, and the frame of the motion that it is of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Worst {
    pub value: f64,
    pub frame: u64,
}

impl Worst {
    /// The same in another unit.
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            ..self
        }
    }
}

/// The frames of the worst values, by measure.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments(BTreeMap<&'static str, u64>);

impl Moments {
    /// Keeps the larger of what is known, and its frame.
    pub fn raise(
        &mut self,
        measure: &'static str,
        largest: &mut Option<f64>,
        value: Option<Worst>,
    ) {
        let Some(worst) = value else {
            return;
        };
        if largest.is_none_or(|known| worst.value > known) {
            *largest = Some(worst.value);
            self.0.insert(measure, worst.frame);
        }
    }

    /// The frame at which a measure is worst, if it is of one.
    pub fn of(&self, measure: &str) -> Option<u64> {
        self.0.get(measure).copied()
    }
}

/// The largest of some values, the first of equals, and where.
pub(super) fn worst_of(values: impl Iterator<Item = (u64, f32)>) -> Option<Worst> {
    let larger = |worst: (u64, f32), next: (u64, f32)| match next.1 > worst.1 {
        true => next,
        false => worst,
    };
    values.reduce(larger).map(|(frame, value)| Worst {
        value: f64::from(value),
        frame,
    })
}
