//! Distances from points to a polyline, exact, for long ones and for such as go over themselves.
//!
//! Segments lie in a tree of bounding boxes that is split by place and not by order, so that a path
//! that is walked a hundred times is as quick as one walked once; equal segments are kept once. A
//! branch whose box is farther than the best so far is passed over, and the search starts with the
//! segment that was nearest to the last point, since a trace goes on where it was. Cost: about the
//! logarithm of the segments per point.

use std::collections::HashSet;
use std::ops::Range;

use afoot_core::bounds_of;

/// A polyline ready to be asked.
#[derive(Debug)]
pub struct Polyline {
    /// The first point, where there is no segment.
    only: Option<[f64; 2]>,
    /// In the order of the tree's leaves.
    segments: Vec<[[f64; 2]; 2]>,
    /// The tree: node `k` has the children `2k + 1` and `2k + 2`; each halves its segments.
    boxes: Vec<[[f64; 2]; 2]>,
}

/// Most segments of a leaf.
const LEAF: usize = 8;

impl Polyline {
    /// Through `points`; one point is a place, none is nowhere.
    pub fn new(points: &[[f64; 2]]) -> Self {
        let mut seen = HashSet::new();
        let bits = |ends: &[[f64; 2]]| [ends[0], ends[1]].map(|p| p.map(f64::to_bits));
        let segments = points.windows(2).filter(|ends| seen.insert(bits(ends)));
        let mut line = Self {
            only: points.first().copied(),
            segments: segments.map(|ends| [ends[0], ends[1]]).collect(),
            boxes: Vec::new(),
        };
        if !line.segments.is_empty() {
            line.split(0, 0, line.segments.len());
        }
        line
    }

    /// Makes node `node` of a range of segments, and all below it.
    fn split(&mut self, node: usize, from: usize, to: usize) {
        let bounds = bounds_of(self.segments[from..to].iter().flatten());
        if self.boxes.len() <= node {
            self.boxes.resize(node + 1, [[f64::INFINITY; 2]; 2]);
        }
        self.boxes[node] = bounds;
        if to - from <= LEAF {
            return;
        }
        let [low, high] = bounds;
        let axis = usize::from(high[1] - low[1] > high[0] - low[0]);
        let middle = |ends: &[[f64; 2]; 2]| ends[0][axis] + ends[1][axis];
        let half = (to - from) / 2;
        self.segments[from..to]
            .select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
        self.split(2 * node + 1, from, from + half);
        self.split(2 * node + 2, from + half, to);
    }

    /// The distance of each point of a trace; empty where the polyline is. [m]
    pub fn distances(&self, trace: impl Iterator<Item = [f64; 2]>) -> Vec<f64> {
        let mut near = 0;
        let distance = |at: [f64; 2]| match self.segments.is_empty() {
            true => (self.only).map(|only| (at[0] - only[0]).hypot(at[1] - only[1])),
            false => Some(self.nearest(at, &mut near).sqrt()),
        };
        trace.filter_map(distance).collect()
    }

    /// The squared distance; `near` is the segment to start with and becomes the one that held it.
    fn nearest(&self, at: [f64; 2], near: &mut usize) -> f64 {
        let [from, to] = self.segments[*near];
        let mut best = (segment_distance(at, from, to), *near);
        self.search(at, 0, 0..self.segments.len(), &mut best);
        *near = best.1;
        best.0
    }

    /// Looks through a node and its range for what is nearer than the best.
    fn search(&self, at: [f64; 2], node: usize, range: Range<usize>, best: &mut (f64, usize)) {
        if range.len() <= LEAF {
            for index in range {
                let [a, b] = self.segments[index];
                let apart = segment_distance(at, a, b);
                if apart < best.0 {
                    *best = (apart, index);
                }
            }
            return;
        }
        let Range {
            start: from,
            end: to,
        } = range;
        let middle = from + (to - from) / 2;
        let mut halves = [(2 * node + 1, from..middle), (2 * node + 2, middle..to)]
            .map(|(half, range)| (box_distance(at, self.boxes[half]), half, range));
        if halves[1].0 < halves[0].0 {
            halves.swap(0, 1);
        }
        for (apart, half, range) in halves {
            if apart < best.0 {
                self.search(at, half, range, best);
            }
        }
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
    fn the_tree_gives_the_same_as_looking_at_every_segment() {
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
    fn a_path_walked_a_hundred_times_is_kept_once() {
        let round = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let points: Vec<[f64; 2]> = (0..401).map(|k| round[k % 4]).collect();
        let line = Polyline::new(&points);
        assert_eq!(line.segments.len(), 4);
        assert_eq!(line.distances([[0.5, 0.25]].into_iter()), [0.25]);
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
