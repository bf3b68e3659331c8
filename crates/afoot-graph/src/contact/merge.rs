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
        merge_kind(
            film,
            states,
            features,
            Kind {
                members: &members,
                threshold: merging.threshold_cm,
            },
            &mut leader,
        );
    }
    leader
}

/// States of one kind, and how unlike they may be. [cm]
struct Kind<'a> {
    members: &'a [usize],
    threshold: f32,
}

fn merge_kind(
    film: &Film,
    states: &[usize],
    features: &Features,
    kind: Kind,
    leader: &mut [usize],
) {
    let Kind { members, threshold } = kind;
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
    let mut errors = vec![f32::INFINITY; count * count];
    let mut pairs = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            let (Some(first), Some(second)) = (window(a), window(b)) else {
                continue;
            };
            let same = same_event(
                event_at(film, states[members[a]]),
                event_at(film, states[members[b]]),
            );
            let error = if same {
                features.error_cm(first, second)
            } else {
                f32::INFINITY
            };
            (errors[a * count + b], errors[b * count + a]) = (error, error);
            if error <= threshold {
                pairs.push((error, a, b));
            }
        }
    }
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let mut groups: Vec<Vec<usize>> = (0..count).map(|index| vec![index]).collect();
    let mut group_of: Vec<usize> = (0..count).collect();
    for (_, a, b) in pairs {
        let (ga, gb) = (group_of[a], group_of[b]);
        let alike = |x: &usize| {
            groups[gb]
                .iter()
                .all(|y| errors[x * count + y] <= threshold)
        };
        if ga == gb || !groups[ga].iter().all(alike) {
            continue;
        }
        let joining = std::mem::take(&mut groups[gb]);
        joining.iter().for_each(|member| group_of[*member] = ga);
        groups[ga].extend(joining);
    }
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let sum = |x: usize| -> f32 {
            let others = group.iter().filter(|y| **y != x);
            others.map(|y| errors[x * count + y]).sum()
        };
        let middle = group
            .iter()
            .copied()
            .min_by(|a, b| sum(*a).total_cmp(&sum(*b)).then(a.cmp(b)));
        if let Some(middle) = middle {
            group
                .iter()
                .for_each(|member| leader[members[*member]] = members[middle]);
        }
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
