//! Upper bodies put in step: which of several correlations, and where a graft begins and ends (§5.3.2).
//!
//! Where base and donor have frames of their upper bodies in one node of a cluster graph, and of their
//! trunks in one node of another (§5.4.1(5)), limbs can change over. Of the alternate correlations that is
//! taken whose frames come nearest to such a pair at its beginning: on it where transition points are in
//! phase with the steps (figure 5.7), else the fewest frames apart (figure 5.8).

use std::ops::Range;

use super::correlate::Span;
use super::frame_map::FrameMap;

/// Which frames of two clips are alike: spans of the base, then of the donor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alike {
    /// Of the base.
    pub base: Vec<Span>,
    /// Of the donor.
    pub donor: Vec<Span>,
}

/// A correlation that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Synchronised {
    pub map: FrameMap,
    /// How many frames the transition points are apart; `None` where there are none.
    pub apart: Option<f64>,
}

/// A shorter graft is taken for a better transition only if this share of the longest is left.
const LEAST_LENGTH: f64 = 0.6;
/// Transition points are looked for in this share of a graft at either end.
const AT_ENDS: f64 = 0.15;
/// Transition points nearer than this are in phase: their blend hides it. [frames]
const IN_PHASE: f64 = 2.0;

/// Chooses among maps, longest first.
pub(crate) fn synchronise(
    maps: Vec<FrameMap>,
    upper: &Alike,
    torso: &Alike,
) -> Option<Synchronised> {
    let longest = maps.first()?.range().len() as f64;
    let long = |map: &FrameMap| map.range().len() as f64 >= LEAST_LENGTH * longest;
    let candidates = maps.into_iter().filter(long).map(|map| {
        let start = nearest_transition(&map, ends(&map).0, (upper, torso));
        (map, start)
    });
    let best = candidates.min_by(|a, b| {
        let cost = |start: &Option<(usize, f64)>| {
            start.map_or(f64::INFINITY, |(_, apart)| apart.max(IN_PHASE))
        };
        cost(&a.1).total_cmp(&cost(&b.1))
    })?;
    let (map, start) = best;
    let end = nearest_transition(&map, ends(&map).1, (upper, torso));
    let range = map.range();
    let in_phase = |found: Option<(usize, f64)>| found.filter(|(_, apart)| *apart <= IN_PHASE);
    let from = in_phase(start).map_or(range.start, |(frame, _)| frame);
    let to = in_phase(end).map_or(range.end, |(frame, _)| frame + 1);
    let map = map.within(from..to.max(from + 1));
    Some(Synchronised {
        map,
        apart: start.map(|(_, apart)| apart),
    })
}

fn ends(map: &FrameMap) -> (Range<usize>, Range<usize>) {
    let range = map.range();
    let share = (range.len() as f64 * AT_ENDS).ceil() as usize;
    (
        range.start..range.start + share,
        range.end.saturating_sub(share).max(range.start)..range.end,
    )
}

/// The base frame among `frames` whose donor frame comes nearest to one that is alike, and how near.
fn nearest_transition(
    map: &FrameMap,
    frames: Range<usize>,
    (upper, torso): (&Alike, &Alike),
) -> Option<(usize, f64)> {
    let node = |spans: &[Span], frame: usize| {
        let holds = |span: &&Span| span.frames.contains(&(frame as u32));
        spans.iter().find(holds).map(|span| span.node)
    };
    let apart = |frame: usize| {
        let own = (node(&upper.base, frame)?, node(&torso.base, frame)?);
        let moment = map.at(frame);
        let distance = |span: &Span| {
            let (start, end) = (
                f64::from(span.frames.start),
                f64::from(span.frames.end) - 1.0,
            );
            (start - moment).max(moment - end).max(0.0)
        };
        let alike = upper.donor.iter().filter(|span| span.node == own.0);
        let safe = alike.filter(|span| {
            let trunks = torso.donor.iter().filter(|other| other.node == own.1);
            trunks.into_iter().any(|other| {
                other.frames.start < span.frames.end && span.frames.start < other.frames.end
            })
        });
        safe.map(distance).min_by(f64::total_cmp)
    };
    let found = frames.filter_map(|frame| Some((frame, apart(frame)?)));
    found.min_by(|a, b| a.1.total_cmp(&b.1))
}

impl Synchronised {
    /// Whether its transition points are in phase with the steps; `None` where there are none.
    pub fn in_phase(&self) -> Option<bool> {
        self.apart.map(|apart| apart <= IN_PHASE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graft::frame_map::Paired;

    fn span(frames: Range<u32>, node: u32) -> Span {
        Span { frames, node }
    }

    fn map(shift: f64) -> FrameMap {
        let pairs = Paired::all([(0.0, shift), (10.0, 10.0 + shift)]);
        FrameMap::through(&pairs, 0..40, 80).unwrap()
    }

    #[test]
    fn the_correlation_with_the_nearest_transition_is_taken() {
        let upper = Alike {
            base: vec![span(2..6, 7)],
            donor: vec![span(22..26, 7)],
        };
        let chosen = synchronise(vec![map(0.0), map(20.0)], &upper, &upper).unwrap();
        assert_eq!((chosen.map.at(5), chosen.in_phase()), (25.0, Some(true)));
        assert_eq!(
            chosen.map.range().start,
            2,
            "it begins where the upper bodies are alike"
        );
        let chosen = synchronise(vec![map(0.0), map(14.0)], &upper, &upper).unwrap();
        assert_eq!((chosen.map.at(5), chosen.in_phase()), (19.0, Some(false)));
        assert_eq!(
            chosen.map.range().start,
            0,
            "out of phase the graft is as long as it can be"
        );
    }

    #[test]
    fn trunks_that_differ_make_no_transition() {
        let upper = Alike {
            base: vec![span(2..6, 7)],
            donor: vec![span(22..26, 7)],
        };
        let torso = Alike {
            base: vec![span(0..40, 1)],
            donor: vec![span(0..80, 2)],
        };
        let chosen = synchronise(vec![map(0.0), map(20.0)], &upper, &torso).unwrap();
        assert_eq!((chosen.map.at(5), chosen.in_phase()), (5.0, None));
    }
}
