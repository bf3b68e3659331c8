//! Which moment of a donor belongs to which frame of a base: linear between known pairs (§5.3.1).

use std::ops::Range;

/// A frame of a base and the donor's moment that goes with it. [frames]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// Of the base.
    pub base: f64,
    /// Of the donor.
    pub donor: f64,
}

impl Paired {
    /// How fast the donor plays from here to there. [donor frames for a base frame]
    pub fn pace(self, to: Self) -> f64 {
        (to.donor - self.donor) / (to.base - self.base)
    }
}

#[cfg(test)]
impl Paired {
    /// Base frames and donor frames.
    pub fn all<const N: usize>(pairs: [(f64, f64); N]) -> [Self; N] {
        pairs.map(|(base, donor)| Self { base, donor })
    }
}

/// A rising map from base frames to moments of the donor, both counted in frames.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameMap {
    /// Rising in both, at least one; beyond the first and last the map goes on as far as its range says.
    knots: Vec<Paired>,
    /// The base frames it is for.
    range: Range<usize>,
}

impl FrameMap {
    /// Through pairs of frames (rising in both; others are left out), for the base frames of `within`
    /// whose moments lie in a donor of so many frames.
    pub fn through(pairs: &[Paired], within: Range<usize>, donor: usize) -> Option<Self> {
        let mut knots: Vec<Paired> = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let last = knots.last();
            if last.is_none_or(|last| pair.base > last.base && pair.donor > last.donor) {
                knots.push(*pair);
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
    pub fn own_time(from: Paired, tempo: f64, within: Range<usize>, donor: usize) -> Option<Self> {
        let next = Paired {
            base: from.base + 1.0,
            donor: from.donor + tempo,
        };
        let knots = [from, next];
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
            return knots[0].donor + at - knots[0].base;
        }
        let next = knots
            .partition_point(|knot| knot.base <= at)
            .clamp(1, knots.len() - 1);
        let (a, b) = (knots[next - 1], knots[next]);
        a.donor + (at - a.base) * (b.donor - a.donor) / (b.base - a.base)
    }

    /// The same where a donor is hurried by more than `most`: evenly over `reach` frames to either side, so that it sets
    /// out earlier and arrives later; beyond its first and last pair it keeps its own time.
    pub fn calmed(self, most: f64, reach: usize) -> Self {
        let pace = |pair: &[Paired]| pair[0].pace(pair[1]);
        if self.knots.windows(2).map(pace).fold(0.0, f64::max) <= most {
            return self;
        }
        let reach = reach as isize;
        // What lies beyond the known pairs plays in its own time.
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        let moment = |frame: isize| match frame as f64 {
            at if at < first.base => first.donor - (first.base - at),
            at if at > last.base => last.donor + (at - last.base),
            _ => self.at(frame as usize),
        };
        let mean = |frame: usize| {
            let around = frame as isize - reach..=frame as isize + reach;
            around.map(moment).sum::<f64>() / (2 * reach + 1) as f64
        };
        let knots = self.range.clone().map(|frame| Paired {
            base: frame as f64,
            donor: mean(frame),
        });
        Self {
            knots: knots.collect(),
            range: self.range.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_linear_between_its_pairs_and_ends_with_the_donor() {
        let map = FrameMap::through(
            &Paired::all([(10.0, 5.0), (20.0, 25.0), (30.0, 30.0)]),
            0..60,
            41,
        )
        .unwrap();
        assert_eq!([map.at(10), map.at(15), map.at(25)], [5.0, 15.0, 27.5]);
        // Before 10 it goes back two donor frames a frame, after 30 half a frame each.
        assert_eq!(map.range(), 8..51);
        assert_eq!(map.clone().within(0..20).range(), 8..20);
    }

    #[test]
    fn a_donor_that_is_hurried_sets_out_earlier() {
        let knots = Paired::all([(0.0, 0.0), (20.0, 20.0), (26.0, 38.0), (60.0, 72.0)]);
        let map = FrameMap::through(&knots, 0..60, 80).unwrap();
        let fastest = |map: &FrameMap| {
            let step = |frame: usize| map.at(frame + 1) - map.at(frame);
            (0..58).map(step).fold(0.0, f64::max)
        };
        assert!((fastest(&map) - 3.0).abs() < 1e-9);
        assert_eq!(map.clone().calmed(3.5, 6), map);
        let calmed = map.clone().calmed(1.5, 6);
        assert!(fastest(&calmed) < 2.0, "{}", fastest(&calmed));
        // In the middle of the hurry, and far from it, it is where it was.
        assert!((calmed.at(23) - map.at(23)).abs() < 1e-6);
        assert!((calmed.at(50) - map.at(50)).abs() < 1e-6);
        let one_flight =
            FrameMap::through(&Paired::all([(20.0, 30.0), (26.0, 42.0)]), 5..40, 80).unwrap();
        let calmed = one_flight.clone().calmed(1.5, 6);
        assert_eq!((fastest(&one_flight), calmed.range()), (2.0, 5..40));
        assert!(fastest(&calmed) < 1.5, "{}", fastest(&calmed));
        assert!((calmed.at(10) - 20.0).abs() < 1e-6);
    }

    #[test]
    fn pairs_that_do_not_rise_are_left_out() {
        let map = FrameMap::through(
            &Paired::all([(0.0, 0.0), (5.0, -1.0), (8.0, 8.0)]),
            0..10,
            10,
        )
        .unwrap();
        assert_eq!(map.knots, Paired::all([(0.0, 0.0), (8.0, 8.0)]));
        assert_eq!(FrameMap::through(&[], 0..10, 10), None);
    }
}
