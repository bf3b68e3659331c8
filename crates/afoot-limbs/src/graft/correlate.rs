//! Lower bodies of two clips brought into step: which frames of a donor go with which of a base (§5.3.1).
//!
//! Both clips become lists of events (`Event`): foot strikes of walks and runs, take-offs and landings of
//! jumps, zero crossings where there are no plants. Events in the same order and of the same kind are
//! paired; every shift of the one list against the other is an alternate correlation (figure 5.5). Spans
//! of a cluster graph that lie in the same step add pairs (figure 5.4). Strikes and not the ends of
//! single support are paired, since between those walks and runs differ: arms would come late.

use std::ops::Range;

use afoot_core::Clip;

use super::frame_map::{FrameMap, Paired};
use crate::plants::plants_of;

/// Something that happens in a clip, by which it is put in step with another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Event {
    /// Only events of one kind go together.
    pub kind: u8,
    /// When. [frames]
    pub at: f64,
}

/// Frames of one clip that lie in one node of a cluster graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Half-open.
    pub frames: Range<u32>,
    /// The node.
    pub node: u32,
}

/// Strikes of both feet, left 0 and right 1, in order.
pub(crate) fn strikes(clip: &Clip) -> Vec<Event> {
    let strike = |plant: &crate::plants::Plant| Event {
        kind: plant.side.index() as u8,
        at: plant.frames.start as f64,
    };
    let struck = plants_of(clip);
    let whole = struck.iter().filter(|plant| plant.frames.start > 0);
    whole.map(strike).collect()
}

/// Take-offs (0) and landings (1): where the last foot leaves the ground and the first comes back.
pub(crate) fn flights(clip: &Clip) -> Vec<Event> {
    let plants = plants_of(clip);
    let borne = |frame: usize| plants.iter().any(|plant| plant.frames.contains(&frame));
    let mut events = Vec::new();
    for frame in 1..clip.len() {
        match (borne(frame - 1), borne(frame)) {
            (true, false) => events.push(Event {
                kind: 0,
                at: frame as f64,
            }),
            (false, true) => events.push(Event {
                kind: 1,
                at: frame as f64,
            }),
            _ => {}
        }
    }
    events
}

/// From the first frame of the first plant to the last of the last: nothing outside is grafted.
pub(crate) fn planted_range(clip: &Clip) -> Option<Range<usize>> {
    let plants = plants_of(clip);
    let start = plants.iter().map(|plant| plant.frames.start).min()?;
    let end = plants.iter().map(|plant| plant.frames.end).max()?;
    Some(start..end)
}

/// All ways in which the events of a donor follow those of a base, each as the pairs of frames; those that
/// overlap longest first.
pub(crate) fn alternates(base: &[Event], donor: &[Event]) -> Vec<Vec<Paired>> {
    let shifts = -(base.len() as isize)..donor.len() as isize;
    let pairs = |shift: isize| -> Vec<Paired> {
        let pair = |(index, event): (usize, &Event)| {
            let other = donor.get(usize::try_from(index as isize + shift).ok()?)?;
            (other.kind == event.kind).then_some(Paired {
                base: event.at,
                donor: other.at,
            })
        };
        let matched: Vec<Option<Paired>> = base.iter().enumerate().map(pair).collect();
        // All that lie on each other must be of one kind, else the order of feet differs.
        let overlap = matched.iter().flatten().count();
        let lies = |index: usize| {
            usize::try_from(index as isize + shift).is_ok_and(|other| other < donor.len())
        };
        let lying = (0..base.len()).filter(|index| lies(*index)).count();
        match overlap == lying {
            true => matched.into_iter().flatten().collect(),
            false => Vec::new(),
        }
    };
    let mut found: Vec<Vec<Paired>> = shifts.map(pairs).filter(|pairs| pairs.len() > 1).collect();
    found.sort_by_key(|pairs| std::cmp::Reverse(pairs.len()));
    found
}

/// Pairs of events with those of cluster spans between them: spans of one node that lie in the same step
/// of both clips start and end together.
pub(crate) fn with_spans(pairs: &[Paired], base: &[Span], donor: &[Span]) -> Vec<Paired> {
    let mut all = pairs.to_vec();
    for step in pairs.windows(2) {
        let (from, to) = (step[0], step[1]);
        for own in inside(base, from.base, to.base) {
            let others: Vec<&Span> = inside(donor, from.donor, to.donor)
                .filter(|other| other.node == own.node)
                .collect();
            // Two spans of one node within a step tell nothing of which is which.
            if let [other] = others[..] {
                let (own, other) = (&own.frames, &other.frames);
                let ends = [(own.start, other.start), (own.end, other.end)];
                all.extend(ends.map(|(base, donor)| Paired {
                    base: base.into(),
                    donor: donor.into(),
                }));
            }
        }
    }
    all.sort_by(|a, b| (a.base.total_cmp(&b.base)).then(a.donor.total_cmp(&b.donor)));
    steady(all, pairs)
}

fn inside(spans: &[Span], from: f64, to: f64) -> impl Iterator<Item = &Span> {
    let within = move |span: &&Span| {
        f64::from(span.frames.start) >= from && f64::from(span.frames.end) <= to
    };
    spans.iter().filter(within)
}

/// Pairs closer than this make slopes of whatever noise there is. [frames]
const APART: f64 = 2.0;
/// Limbs are not played faster or slower by more than this against the step around them.
const LEAST_SLOPE: f64 = 0.6;

/// Drops pairs that would hurry or halt the donor; event pairs stay.
fn steady(all: Vec<Paired>, events: &[Paired]) -> Vec<Paired> {
    let is_event = |pair: &Paired| events.contains(pair);
    let mut kept: Vec<Paired> = Vec::with_capacity(all.len());
    for pair in all {
        let next = events.iter().find(|event| event.base > pair.base);
        let fits = |last: &Paired| {
            let (run, rise) = (pair.base - last.base, pair.donor - last.donor);
            let around = next.map_or(1.0, |next| {
                (next.donor - last.donor) / (next.base - last.base).max(1e-9)
            });
            let slope = rise / run.max(1e-9) / around.max(1e-9);
            run >= APART && (LEAST_SLOPE..=1.0 / LEAST_SLOPE).contains(&slope)
        };
        let reaches = next.is_none_or(|next| {
            let (run, rise) = (next.base - pair.base, next.donor - pair.donor);
            run >= APART && rise / run > 0.1
        });
        match kept.last() {
            _ if is_event(&pair) => kept.push(pair),
            Some(last) if fits(last) && reaches => kept.push(pair),
            _ => {}
        }
    }
    kept
}

/// Pairs without those that would play the donor twice as fast or half as fast as it plays on the whole: the
/// same slopes that time warping allows. The first and the last stay.
pub(crate) fn evenly(pairs: &[Paired]) -> Vec<Paired> {
    let [first, .., last] = pairs else {
        return pairs.to_vec();
    };
    let pace = |a: &Paired, b: &Paired| (b.donor - a.donor) / (b.base - a.base).max(1e-9);
    let whole = pace(first, last);
    let even = |a: &Paired, b: &Paired| (0.5..=2.0).contains(&(pace(a, b) / whole));
    let mut kept = vec![*first];
    for pair in &pairs[1..pairs.len() - 1] {
        let before = &kept[kept.len() - 1];
        if even(before, pair) && even(pair, last) {
            kept.push(*pair);
        }
    }
    kept.push(*last);
    kept
}

/// The maps of all alternate correlations, longest first.
pub(crate) fn maps(
    alternates: &[Vec<Paired>],
    within: &Range<usize>,
    donor: &Range<usize>,
) -> Vec<FrameMap> {
    let map = |pairs: &Vec<Paired>| {
        let map = FrameMap::through(pairs, within.clone(), donor.end)?;
        let reaches = |frame: &usize| map.at(*frame) >= donor.start as f64 - 1e-6;
        let start = map.range().find(reaches)?;
        let end = map.range().end;
        Some(map.within(start..end))
    };
    let mut maps: Vec<FrameMap> = alternates.iter().filter_map(map).collect();
    maps.sort_by_key(|map| std::cmp::Reverse(map.range().len()));
    maps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<Event> {
        let event = |(index, side): (usize, char)| Event {
            kind: u8::from(side == 'r'),
            at: 10.0 * index as f64,
        };
        text.chars().enumerate().map(event).collect()
    }

    #[test]
    fn feet_are_paired_with_the_same_feet_longest_first() {
        let found = alternates(&events("lrlr"), &events("rlrlr"));
        let pairs: Vec<(usize, f64)> = found
            .iter()
            .map(|a| (a.len(), a[0].donor - a[0].base))
            .collect();
        assert_eq!(pairs, [(4, 10.0), (3, -10.0), (2, 30.0)]);
        assert!(alternates(&events("lll"), &events("rrr")).is_empty());
    }

    #[test]
    fn pairs_that_hurry_or_halt_a_donor_are_left_out() {
        let even = Paired::all([(0.0, 0.0), (10.0, 11.0), (20.0, 19.0), (30.0, 30.0)]);
        assert_eq!(evenly(&even), even);
        let hurried = Paired::all([(0.0, 0.0), (10.0, 3.0), (14.0, 25.0), (30.0, 30.0)]);
        assert_eq!(evenly(&hurried), [hurried[0], hurried[3]]);
        assert_eq!(evenly(&even[..1]), even[..1]);
        // Twice as fast on the whole is nobody's hurry.
        let fast = Paired::all([(0.0, 0.0), (10.0, 20.0), (20.0, 40.0)]);
        assert_eq!(evenly(&fast), fast);
    }

    #[test]
    fn spans_of_one_step_are_aligned() {
        let span = |from, to, node| Span {
            frames: from..to,
            node,
        };
        let steps = Paired::all([(0.0, 100.0), (20.0, 140.0)]);
        let base = [span(5, 10, 1), span(10, 15, 2)];
        let donor = [span(116, 126, 1), span(126, 128, 3)];
        let all = with_spans(&steps, &base, &donor);
        assert_eq!(
            all,
            Paired::all([(0.0, 100.0), (5.0, 116.0), (10.0, 126.0), (20.0, 140.0)])
        );
        // A span of another step does not count.
        let elsewhere = [span(216, 226, 1)];
        assert_eq!(with_spans(&steps, &base, &elsewhere), steps);
    }
}
