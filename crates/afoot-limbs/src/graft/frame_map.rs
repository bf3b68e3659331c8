//! Which moment of a donor belongs to which frame of a base: linear between known pairs (§5.3.1).

use std::ops::Range;

/// A rising map from base frames to moments of the donor, both counted in frames.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameMap {
    /// Base frame and donor frame, rising in both, at least one; beyond the first and last the map goes
    /// on as far as its range says.
    knots: Vec<(f64, f64)>,
    /// The base frames it is for.
    range: Range<usize>,
}

impl FrameMap {
    /// Through pairs of frames (rising in both; others are left out), for the base frames of `within`
    /// whose moments lie in a donor of so many frames.
    pub fn through(pairs: &[(f64, f64)], within: Range<usize>, donor: usize) -> Option<Self> {
        let mut knots: Vec<(f64, f64)> = Vec::with_capacity(pairs.len());
        for &(base, moment) in pairs {
            let rises = knots
                .last()
                .is_none_or(|last| base > last.0 && moment > last.1);
            if rises {
                knots.push((base, moment));
            }
        }
        knots.first()?;
        let mut map = Self {
            knots,
            range: within.clone(),
        };
        let last = donor.checked_sub(1)? as f64;
        let inside = |frame: &usize| {
            let moment = map.at(*frame);
            moment >= -1e-6 && moment <= last + 1e-6
        };
        let start = within.clone().find(inside)?;
        let end = within.clone().rev().find(inside)? + 1;
        map.range = start..end;
        Some(map)
    }

    /// The donor's own time, from a pair of frames on, `tempo` times as fast.
    pub fn own_time(
        (base, moment): (usize, f64),
        tempo: f64,
        within: Range<usize>,
        donor: usize,
    ) -> Option<Self> {
        let knots = [(base as f64, moment), (base as f64 + 1.0, moment + tempo)];
        Self::through(&knots, within, donor)
    }

    /// The base frames it is for.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The same for fewer frames.
    pub fn within(mut self, frames: Range<usize>) -> Self {
        let start = self.range.start.max(frames.start);
        self.range = start..self.range.end.min(frames.end).max(start);
        self
    }

    /// The donor's moment at a base frame. [frames]
    pub fn at(&self, frame: usize) -> f64 {
        let at = frame as f64;
        let knots = &self.knots;
        if knots.len() == 1 {
            return knots[0].1 + at - knots[0].0;
        }
        let next = knots
            .partition_point(|knot| knot.0 <= at)
            .clamp(1, knots.len() - 1);
        let (a, b) = (knots[next - 1], knots[next]);
        a.1 + (at - a.0) * (b.1 - a.1) / (b.0 - a.0)
    }

    /// The pairs it goes through.
    pub fn knots(&self) -> &[(f64, f64)] {
        &self.knots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_linear_between_its_pairs_and_ends_with_the_donor() {
        let map = FrameMap::through(&[(10.0, 5.0), (20.0, 25.0), (30.0, 30.0)], 0..60, 41).unwrap();
        assert_eq!([map.at(10), map.at(15), map.at(25)], [5.0, 15.0, 27.5]);
        // Before 10 it goes back two donor frames a frame, after 30 half a frame each.
        assert_eq!(map.range(), 8..51);
        assert_eq!(map.clone().within(0..20).range(), 8..20);
    }

    #[test]
    fn pairs_that_do_not_rise_are_left_out() {
        let map = FrameMap::through(&[(0.0, 0.0), (5.0, -1.0), (8.0, 8.0)], 0..10, 10).unwrap();
        assert_eq!(map.knots(), [(0.0, 0.0), (8.0, 8.0)]);
        assert_eq!(FrameMap::through(&[], 0..10, 10), None);
    }
}
