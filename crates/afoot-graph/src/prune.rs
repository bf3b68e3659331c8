//! Pruning to where motion never ends (Kovar et al. 2002, §3.4).
//!
//! The largest strongly connected component is kept, so that dead ends (no way on) and sinks (no way
//! back) are gone. The paper does so for each label set first, so that motion of one kind can go on
//! for ever; here that is a choice, because labels also name what can't go on for ever: a jump, a
//! kick, the half second of standing before a walk. Sets without a component of a second or more
//! are passages then, and are left to the last step.

use std::collections::BTreeSet;

use crate::assemble::{Footage, Network, largest_component};
use crate::motion_graph::{Edge, EdgeKind, LabelSet, TransitionId};
use crate::possible::PossibleTransition;

/// What is kept of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pruning {
    /// The largest component of the whole.
    #[default]
    Whole,
    /// Of each label set's edges only those in the set's own largest component, then as `Whole`.
    ByLabelSet,
}

/// Whether to keep each edge.
pub(crate) fn prune(
    network: &Network,
    footage: &[Footage],
    possible: &[PossibleTransition],
    pruning: Pruning,
    window: u32,
    second: u64,
) -> Vec<bool> {
    let mut keep = vec![true; network.edges.len()];
    if pruning == Pruning::ByLabelSet {
        let sets = edge_sets(network, footage, possible, window);
        let distinct: BTreeSet<LabelSet> = sets.iter().flatten().copied().collect();
        for set in distinct {
            let of_set: Vec<bool> = sets.iter().map(|other| *other == Some(set)).collect();
            let largest = largest_component(network, &of_set);
            let within = network.within(&largest.nodes);
            for (edge, keep) in keep.iter_mut().enumerate() {
                *keep &= !of_set[edge] || within[edge] || largest.weight < second;
            }
        }
    }
    let within = network.within(&largest_component(network, &keep).nodes);
    keep.iter()
        .zip(within)
        .map(|(keep, within)| *keep && within)
        .collect()
}

/// The set that all frames of an edge carry, of a transition those of both sides; `None` if they differ.
fn edge_sets(
    network: &Network,
    footage: &[Footage],
    possible: &[PossibleTransition],
    window: u32,
) -> Vec<Option<LabelSet>> {
    let side = |clip: usize, start: u32| {
        let frames = &footage[clip].labels[start as usize..(start + window) as usize];
        frames
            .iter()
            .all(|set| *set == frames[0])
            .then_some(frames[0])
    };
    let set = |edge: &Edge| match edge.kind() {
        EdgeKind::Play => Some(edge.labels),
        EdgeKind::Transition(TransitionId(index)) => {
            let PossibleTransition { from, to, .. } = possible[index as usize];
            let first = side(from.clip.index(), from.frame.0);
            first.filter(|_| first == side(to.clip.index(), to.frame.0 - window))
        }
    };
    network.edges.iter().map(set).collect()
}
