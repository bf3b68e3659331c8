//! What footage some transitions would connect, without making the network: for trying many thresholds.
//!
//! The same nodes and the same component as `assemble` and `largest_component` find, from flat
//! arrays alone: 4 bytes a transition and 10 a frame. Cost: linear.

use std::ops::Range;

use crate::assemble::Footage;
use crate::motion_graph::Place;
use crate::possible::{Material, PossibleTransition};
use afoot_search::{Weighed, heaviest_component, strong_components};

/// The largest strongly connected part of a network.
pub(crate) struct Reach<'a> {
    footage: &'a [Footage],
    /// Where each clip's places start; a clip has one more than frames.
    first: Vec<usize>,
    /// The node at each place, `NONE` where there is none.
    node: Vec<u32>,
    /// Whether each node is in the component.
    inside: Vec<bool>,
}

const NONE: u32 = u32::MAX;

/// What the accepted transitions connect.
pub(crate) fn reach<'a>(
    material: &Material<'a>,
    accept: impl Fn(&PossibleTransition) -> bool,
) -> Reach<'a> {
    let mut reach = Reach::new(material.footage);
    let mut flags = reach.borders();
    for transition in material
        .possible
        .iter()
        .filter(|transition| accept(transition))
    {
        flags[reach.at(transition.from)] = true;
        flags[reach.at(transition.to)] = true;
    }
    let nodes = reach.number(&flags);
    let (mut first, mut targets) = (Vec::with_capacity(nodes + 1), Vec::new());
    let mut possible = material
        .possible
        .iter()
        .filter(|transition| accept(transition))
        .peekable();
    for (place, _) in flags.iter().enumerate().filter(|(_, flag)| **flag) {
        first.push(targets.len() as u32);
        targets.extend(reach.next_node(place));
        while let Some(transition) =
            possible.next_if(|transition| reach.at(transition.from) <= place)
        {
            targets.push(reach.node[reach.at(transition.to)]);
        }
    }
    first.push(targets.len() as u32);
    let frames = reach.plays().map(|([from, to], _, frames)| Weighed {
        from,
        to,
        weight: frames.len() as u64,
    });
    reach.inside = heaviest_component(&strong_components(&first, &targets), frames).nodes;
    reach
}

impl<'a> Reach<'a> {
    fn new(footage: &'a [Footage]) -> Self {
        let mut first = Vec::with_capacity(footage.len());
        let mut places = 0;
        for clip in footage {
            first.push(places);
            places += clip.usable.len() + 1;
        }
        Self {
            footage,
            first,
            node: vec![NONE; places],
            inside: Vec::new(),
        }
    }

    /// Whether a transition's both ends are in the component.
    pub fn holds(&self, transition: &PossibleTransition) -> bool {
        [transition.from, transition.to].into_iter().all(|place| {
            let node = self.node[self.at(place)];
            node != NONE && self.inside[node as usize]
        })
    }

    /// The stretches between neighbouring nodes that it plays: a clip, and frames of it.
    pub fn stretches(&self) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        self.plays()
            .filter(|(ends, _, _)| {
                let [from, to] = *ends;
                self.inside[from as usize] && self.inside[to as usize]
            })
            .map(|(_, clip, frames)| (clip, frames))
    }

    /// All edges that play frames: their nodes, clip and frames.
    fn plays(&self) -> impl Iterator<Item = ([u32; 2], usize, Range<usize>)> + '_ {
        self.footage
            .iter()
            .enumerate()
            .flat_map(move |(clip, footage)| {
                let first = self.first[clip];
                let frames = footage.usable.len();
                let mut nodes = (0..=frames)
                    .map(move |frame| (frame, self.node[first + frame]))
                    .filter(|(_, node)| *node != NONE)
                    .peekable();
                std::iter::from_fn(move || {
                    let from = nodes.next()?;
                    let to = *nodes.peek()?;
                    Some((from, to))
                })
                .filter(|((frame, _), _)| footage.usable[*frame])
                .map(move |((start, from), (end, to))| ([from, to], clip, start..end))
            })
    }

    fn at(&self, place: Place) -> usize {
        self.first[place.clip.index()] + place.frame.index()
    }

    /// Where nodes are whatever the transitions: at both ends, and where labels or usability change.
    fn borders(&self) -> Vec<bool> {
        let mut flags = Vec::with_capacity(self.node.len());
        for Footage { labels, usable } in self.footage {
            let frames = usable.len();
            flags.extend((0..=frames).map(|f| {
                f == 0
                    || f == frames
                    || usable[f] != usable[f - 1]
                    || usable[f] && labels[f] != labels[f - 1]
            }));
        }
        flags
    }

    fn number(&mut self, flags: &[bool]) -> usize {
        let mut nodes = 0;
        for (node, _) in self.node.iter_mut().zip(flags).filter(|(_, flag)| **flag) {
            *node = nodes;
            nodes += 1;
        }
        nodes as usize
    }

    /// The node that playing from the one at `place` leads to: the next one of its clip.
    fn next_node(&self, place: usize) -> Option<u32> {
        let clip = self.first.partition_point(|first| *first <= place) - 1;
        let usable = self.footage[clip].usable.get(place - self.first[clip])?;
        usable.then(|| self.node[place] + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::{assemble, largest_component};
    use crate::minima::Candidate;
    use crate::motion_graph::{EdgeKind, LabelSet};

    /// A clip of a few stretches of labels and faults.
    fn footage(random: &mut impl FnMut(u32) -> u32) -> Footage {
        let (mut labels, mut usable) = (Vec::new(), Vec::new());
        for _ in 0..1 + random(4) {
            let (label, good) = (LabelSet(u64::from(random(3))), random(5) > 0);
            for _ in 0..6 + random(20) {
                labels.push(label);
                usable.push(good);
            }
        }
        Footage { labels, usable }
    }

    #[test]
    fn it_is_the_largest_component_of_the_network() {
        let mut state = 7u64;
        let mut random = |below: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(11);
            (state >> 40) as u32 % below
        };
        let mut connected = 0;
        for _ in 0..200 {
            let clips: Vec<Footage> = (0..1 + random(4)).map(|_| footage(&mut random)).collect();
            let mut window = |clip: u32| random(clips[clip as usize].usable.len() as u32 - 3);
            let mut candidates: Vec<Candidate> = Vec::new();
            for n in 0..30 {
                let (a, b) = (n % clips.len() as u32, n / 3 % clips.len() as u32);
                let (i, s, error_cm) = (window(a), window(b), n as f32 * 0.2);
                candidates.push(Candidate {
                    a,
                    i,
                    b,
                    s,
                    error_cm,
                });
            }
            let material = Material::new(&clips, &candidates, 3);
            let accept = |transition: &PossibleTransition| transition.error_cm < 4.0;
            let found = reach(&material, accept);
            let possible: Vec<PossibleTransition> =
                material.possible.iter().copied().filter(accept).collect();
            let network = assemble(&clips, &possible);
            let all = vec![true; network.edges.len()];
            let largest = largest_component(&network, &all);
            assert_eq!(found.inside, largest.nodes);
            let played: usize = found.stretches().map(|(_, frames)| frames.len()).sum();
            assert_eq!(played as u64, largest.weight);
            let inside = network.edges.iter().zip(network.within(&largest.nodes));
            let kept = inside.filter(|(edge, kept)| *kept && edge.kind() != EdgeKind::Play);
            let held = possible.iter().filter(|transition| found.holds(transition));
            assert_eq!(held.count(), kept.count());
            connected += usize::from(largest.weight > 0);
        }
        assert!(connected > 50, "{connected}");
    }
}
