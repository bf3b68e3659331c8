//! Distances from points to a polyline, exact, for long ones too.
//!
//! Segments are grouped; a group whose bounding box is farther than the best segment so far is
//! passed over, and the search starts at the group that held the last point's nearest segment, since
//! a trace goes on where it was. Cost: about a group's segments and all boxes per point.

/// A polyline ready to be asked.
pub struct Polyline<'a> {
    points: &'a [[f64; 2]],
    /// Least and greatest corner of each group of segments.
    boxes: Vec<[[f64; 2]; 2]>,
}

/// Segments in a group.
const GROUP: usize = 32;

impl<'a> Polyline<'a> {
    /// Through `points`; one point is a place, none is nowhere.
    pub fn new(points: &'a [[f64; 2]]) -> Self {
        let groups = points.len().saturating_sub(1).div_ceil(GROUP);
        let bounds = |group: usize| {
            let end = ((group + 1) * GROUP + 1).min(points.len());
            let start = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
            points[group * GROUP..end]
                .iter()
                .fold(start, |[low, high], p| {
                    [
                        [low[0].min(p[0]), low[1].min(p[1])],
                        [high[0].max(p[0]), high[1].max(p[1])],
                    ]
                })
        };
        Self {
            points,
            boxes: (0..groups).map(bounds).collect(),
        }
    }

    /// The distance of each point of a trace; empty where the polyline is. [m]
    pub fn distances(&self, trace: impl Iterator<Item = [f64; 2]>) -> Vec<f64> {
        let mut near = 0;
        let distance = |at: [f64; 2]| match self.points {
            [] => None,
            [only] => Some((at[0] - only[0]).hypot(at[1] - only[1])),
            _ => Some(self.nearest(at, &mut near).sqrt()),
        };
        trace.filter_map(distance).collect()
    }

    /// The squared distance; `near` is the group to start with and becomes the one that held it.
    fn nearest(&self, at: [f64; 2], near: &mut usize) -> f64 {
        let mut best = self.within(at, *near);
        for group in 0..self.boxes.len() {
            if box_distance(at, self.boxes[group]) < best {
                let found = self.within(at, group);
                if found < best {
                    (best, *near) = (found, group);
                }
            }
        }
        best
    }

    fn within(&self, at: [f64; 2], group: usize) -> f64 {
        let end = ((group + 1) * GROUP + 1).min(self.points.len());
        let segments = self.points[group * GROUP..end].windows(2);
        segments
            .map(|ends| segment_distance(at, ends[0], ends[1]))
            .fold(f64::INFINITY, f64::min)
    }
}

/// Squared distance to a box; 0 inside.
fn box_distance(at: [f64; 2], [low, high]: [[f64; 2]; 2]) -> f64 {
    let off = |axis: usize| (low[axis] - at[axis]).max(at[axis] - high[axis]).max(0.0);
    off(0) * off(0) + off(1) * off(1)
}

/// Squared distance to a segment.
fn segment_distance(at: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let off = [at[0] - from[0], at[1] - from[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let share = match length > 0.0 {
        true => ((off[0] * along[0] + off[1] * along[1]) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    let apart = [off[0] - share * along[0], off[1] - share * along[1]];
    apart[0] * apart[0] + apart[1] * apart[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_give_the_same_as_looking_at_every_segment() {
        let wave = |k: u32| [f64::from(k) * 0.1, (f64::from(k) * 0.37).sin() * 2.0];
        let points: Vec<[f64; 2]> = (0..500).map(wave).collect();
        let line = Polyline::new(&points);
        let trace: Vec<[f64; 2]> = (0..300)
            .map(|k| [f64::from(k * 7919 % 50), f64::from(k % 11) - 5.0])
            .collect();
        let slow = |at: &[f64; 2]| {
            let all = points
                .windows(2)
                .map(|ends| segment_distance(*at, ends[0], ends[1]));
            all.fold(f64::INFINITY, f64::min).sqrt()
        };
        let fast = line.distances(trace.iter().copied());
        for (at, fast) in trace.iter().zip(fast) {
            assert!((fast - slow(at)).abs() < 1e-12, "{at:?}: {fast}");
        }
    }

    #[test]
    fn a_point_and_nothing() {
        let at = [[3.0, 4.0]];
        assert_eq!(
            Polyline::new(&[[0.0, 0.0]]).distances(at.into_iter()),
            [5.0]
        );
        assert!(Polyline::new(&[]).distances(at.into_iter()).is_empty());
    }
}
