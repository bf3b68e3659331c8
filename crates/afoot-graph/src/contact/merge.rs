//! Changes of contact that are alike become one (Safonova and Hodgins 2007, §5).
//!
//! In the order of their similarity, if their contacts change alike and every member of one group stays
//! within the threshold of every member of the other (so that no chain of small differences grows
//! long). Events are merged only if they happen at the same height and reach.

use std::collections::BTreeMap;

use afoot_core::{ClipId, FrameId};

use super::USUAL_THRESHOLD_CM;
use super::cull::Film;
use super::phases::{Event, Phase};
use crate::distance::Features;
use crate::motion_graph::Place;

/// What is merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Merging {
    /// Largest error between states that become one; 0 merges none. [cm, ≥ 0]
    pub threshold_cm: f32,
    /// Of parallel steps those that end nearer than this to a cheaper one are deleted. [m]
    pub same_place: f64,
    /// As above, for headings. [rad]
    pub same_heading: f64,
}

impl Default for Merging {
    fn default() -> Self {
        Self {
            // What may follow another by a transition may stand for it.
            threshold_cm: USUAL_THRESHOLD_CM,
            // As fine as the cells that the search tells apart.
            same_place: 0.05,
            same_heading: 3f64.to_radians(),
        }
    }
}

/// Events nearer than this are the same. [m]
const SAME_EVENT: f64 = 0.01;

/// For each state the one that stands for it: the member nearest to all others of its group.
pub(super) fn merge_states(
    film: &Film,
    states: &[usize],
    features: &Features,
    merging: Merging,
) -> Vec<usize> {
    let mut kinds: BTreeMap<(Phase, Phase), Vec<usize>> = BTreeMap::new();
    for (index, frame) in states.iter().enumerate() {
        let kind = (film.phases[frame - 1], film.phases[*frame]);
        kinds.entry(kind).or_default().push(index);
    }
    let mut leader: Vec<usize> = (0..states.len()).collect();
    for members in kinds.into_values() {
        let kind = Kind::new(film, states, features, members);
        for group in kind.groups(merging.threshold_cm) {
            let middle = kind.middle(&group);
            for member in group {
                leader[kind.members[member]] = kind.members[middle];
            }
        }
    }
    leader
}

/// States whose contacts change alike, and how unlike each two of them are.
struct Kind {
    members: Vec<usize>,
    /// A row a member. [cm, infinite where two can't be compared]
    errors: Vec<f32>,
}

impl Kind {
    fn new(film: &Film, states: &[usize], features: &Features, members: Vec<usize>) -> Self {
        let count = members.len();
        let half = features.window() / 2;
        let window = |index: usize| {
            let (clip, frame) = film.place(states[members[index]]);
            let start = frame.checked_sub(half)?;
            (start + features.window() <= features.frames(clip)).then(|| Place {
                clip: ClipId::from(clip),
                frame: FrameId::from(start),
            })
        };
        let event = |index: usize| event_at(film, states[members[index]]);
        let mut errors = vec![f32::INFINITY; count * count];
        for a in 0..count {
            for b in a + 1..count {
                if let (Some(first), Some(second)) = (window(a), window(b))
                    && same_event(event(a), event(b))
                {
                    let error = features.error_cm(first, second);
                    (errors[a * count + b], errors[b * count + a]) = (error, error);
                }
            }
        }
        Self { members, errors }
    }

    fn error(&self, a: usize, b: usize) -> f32 {
        self.errors[a * self.members.len() + b]
    }

    /// Groups all of whose members are alike, the most alike joined first.
    fn groups(&self, threshold: f32) -> Vec<Vec<usize>> {
        let count = self.members.len();
        let mut groups: Vec<Vec<usize>> = (0..count).map(|index| vec![index]).collect();
        let mut group_of: Vec<usize> = (0..count).collect();
        for (a, b) in self.pairs_within(threshold) {
            let (ga, gb) = (group_of[a], group_of[b]);
            let is_near = |x: &usize, y: &usize| self.error(*x, *y) <= threshold;
            let alike = |x: &usize| groups[gb].iter().all(|y| is_near(x, y));
            if ga == gb || !groups[ga].iter().all(alike) {
                continue;
            }
            let joining = std::mem::take(&mut groups[gb]);
            joining.iter().for_each(|member| group_of[*member] = ga);
            groups[ga].extend(joining);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Two members each that are alike, the most alike first.
    fn pairs_within(&self, threshold: f32) -> impl Iterator<Item = (usize, usize)> {
        let count = self.members.len();
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (self.error(a, b), a, b)));
        let mut pairs: Vec<_> = all.filter(|pair| pair.0 <= threshold).collect();
        pairs.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        pairs.into_iter().map(|(_, a, b)| (a, b))
    }

    /// The member of a group that is nearest to all others.
    fn middle(&self, group: &[usize]) -> usize {
        let sum = |x: usize| -> f32 {
            let others = group.iter().filter(|y| **y != x);
            others.map(|y| self.error(x, *y)).sum()
        };
        let members = group.iter().copied();
        let middle = members.min_by(|a, b| sum(*a).total_cmp(&sum(*b)).then(a.cmp(b)));
        middle.expect("groups are not empty")
    }
}

pub(super) fn event_at(film: &Film, frame: usize) -> Option<Event> {
    let (clip, own) = film.place(frame);
    let events = &film.facts[clip].events;
    events
        .iter()
        .find(|(at, _)| *at as usize == own)
        .map(|(_, event)| *event)
}

fn same_event(a: Option<Event>, b: Option<Event>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            let near = a
                .point
                .iter()
                .zip(&b.point)
                .all(|(x, y)| (x - y).abs() < SAME_EVENT);
            a.kind == b.kind && near
        }
        _ => false,
    }
}
