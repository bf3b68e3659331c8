//! What is allowed along each section of a path, and where one can change into the next.
//!
//! Changing needs a node that both sections' edges share; the travel from every node to the nearest
//! such node within the section is known, so that a search can tell in time who will miss the change.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use afoot_graph::{Edge, NodeId};

use super::{FollowError, FollowOptions};
use crate::allowed::{Allowed, Wanted};
use crate::path::{GroundPath, Section};
use crate::repertoire::Repertoire;

/// The sections of a path as edges that may be used.
#[derive(Debug)]
pub(crate) struct SectionPlan {
    pub(crate) parts: Vec<Part>,
    pub(crate) zone: f64,
}

/// One section.
#[derive(Debug)]
pub(crate) struct Part {
    /// Where it ends, along the path. [m]
    pub(crate) to: f64,
    pub(crate) allowed: Allowed,
    /// Travel from each node to the nearest where the next section may begin. [m]
    to_switch: Vec<f32>,
}

impl SectionPlan {
    pub(crate) fn new(
        repertoire: &Repertoire,
        path: &GroundPath,
        options: &FollowOptions,
    ) -> Result<Self, FollowError> {
        if repertoire.graph().nodes.is_empty() {
            return Err(FollowError::EmptyGraph);
        }
        let whole = [Section {
            to: path.length(),
            labels: Vec::new(),
        }];
        let sections = if path.sections().is_empty() {
            &whole[..]
        } else {
            path.sections()
        };
        let wanted = |section: &Section| Wanted::labels(repertoire.graph(), &section.labels);
        let wanted: Vec<Wanted> = sections.iter().map(wanted).collect::<Result<_, _>>()?;
        let mut parts: Vec<Part> = Vec::new();
        // From the last to the first: a section may end where the one after it can begin.
        for (section, wanted) in sections.iter().zip(wanted).rev() {
            let part = match parts.last() {
                None => Part::last(repertoire, section, wanted)?,
                Some(next) => {
                    let after = &sections[sections.len() - parts.len()];
                    Part::before(repertoire, (section, wanted), (after, next))?
                }
            };
            parts.push(part);
        }
        parts.reverse();
        Ok(Self {
            parts,
            zone: options.switch_zone,
        })
    }

    /// One section without end.
    pub(crate) fn whole(allowed: Allowed) -> Self {
        let part = Part {
            to: f64::INFINITY,
            allowed,
            to_switch: Vec::new(),
        };
        Self {
            parts: vec![part],
            zone: 0.0,
        }
    }

    /// Whether a walk in section `index` at a node can still change in time; it must not be last.
    pub(crate) fn misses_switch(&self, index: usize, node: NodeId, along: f64) -> bool {
        let part = &self.parts[index];
        let left = part.to + self.zone - along;
        index + 1 < self.parts.len() && f64::from(part.to_switch[node.0 as usize]) > left
    }
}

impl Part {
    fn last(
        repertoire: &Repertoire,
        section: &Section,
        wanted: Wanted,
    ) -> Result<Self, FollowError> {
        let allowed = Allowed::new(repertoire, wanted);
        if allowed.is_empty() {
            return Err(FollowError::DeadLabel {
                labels: words(section),
            });
        }
        Ok(Self {
            to: section.to,
            allowed,
            to_switch: Vec::new(),
        })
    }

    fn before(
        repertoire: &Repertoire,
        (section, wanted): (&Section, Wanted),
        (after, next): (&Section, &Self),
    ) -> Result<Self, FollowError> {
        let exits = next.allowed.alive();
        let allowed = Allowed::leading_to(repertoire, wanted, exits);
        if allowed.is_empty() {
            return Err(FollowError::DeadLabel {
                labels: words(section),
            });
        }
        let ends: Vec<(NodeId, f32)> = (0..exits.len())
            .filter(|&node| exits[node])
            .map(|node| (NodeId(node as u32), 0.0))
            .collect();
        let length = |edge: &Edge| repertoire.edge_length(edge) as f32;
        let to_switch = least_sum_to(repertoire, &allowed, &ends, length);
        let reaches = |node: usize| allowed.alive()[node] && to_switch[node].is_finite();
        if !(0..to_switch.len()).any(reaches) {
            return Err(FollowError::NoSwitch {
                from: words(section),
                to: words(after),
            });
        }
        Ok(Self {
            to: section.to,
            allowed,
            to_switch,
        })
    }
}

fn words(section: &Section) -> String {
    match section.labels.is_empty() {
        true => "anything".into(),
        false => section.labels.join("+"),
    }
}

/// The least sum of `of`, not negative, over allowed edges from every node to one of `ends`, with
/// what is left there (Dijkstra, backwards).
pub(crate) fn least_sum_to(
    repertoire: &Repertoire,
    allowed: &Allowed,
    ends: &[(NodeId, f32)],
    of: impl Fn(&Edge) -> f32,
) -> Vec<f32> {
    let graph = repertoire.graph();
    let mut into: Vec<Vec<(u32, f32)>> = vec![Vec::new(); graph.nodes.len()];
    for node in (0..graph.nodes.len() as u32).map(NodeId) {
        for (_, edge) in repertoire
            .edges_from(node)
            .filter(|(id, _)| allowed.allows(*id))
        {
            into[edge.to.0 as usize].push((node.0, of(edge)));
        }
    }
    let mut sums = vec![f32::INFINITY; graph.nodes.len()];
    let mut open = BinaryHeap::new();
    for &(NodeId(node), left) in ends {
        let left = left.max(0.0);
        if left < sums[node as usize] {
            sums[node as usize] = left;
            open.push((Reverse(left.to_bits()), node));
        }
    }
    // Not negative, so the bits of the floats are ordered as they are.
    while let Some((Reverse(bits), node)) = open.pop() {
        let so_far = f32::from_bits(bits);
        if so_far > sums[node as usize] {
            continue;
        }
        for &(before, length) in &into[node as usize] {
            let total = so_far + length;
            if total < sums[before as usize] {
                sums[before as usize] = total;
                open.push((Reverse(total.to_bits()), before));
            }
        }
    }
    sums
}
