//! What is allowed along each section of a path, and where one can change into the next.
//!
//! Changing needs a node that both sections' edges share; the travel from every node to the nearest
//! such node within the section is known, so that a search can tell in time who will miss the change
//! by going straight on. (Who goes to and fro gets less far along the path than it travels.)

use afoot_graph::{Edge, NodeId};
use afoot_search::Start;

use super::{FollowError, FollowOptions};
use crate::allowed::{Allowed, Wanted};
use crate::edges::Edges;
use crate::path::{GroundPath, Section};
use crate::stand::Stand;
use crate::steps::least_sums_to;

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
    /// What its motion must carry.
    pub(crate) labels: Vec<String>,
    /// The same, but for stands at the ends of the path, which `allowed` lets pass.
    pub(crate) on_the_way: Wanted,
    /// Travel from each node to the nearest where the next section may begin. [m]
    to_switch: Vec<f32>,
}

/// A section, and what its motion must carry.
struct Asked<'a> {
    section: &'a Section,
    /// With the stands that the ends of the path may have.
    wanted: Wanted,
    on_the_way: Wanted,
}

/// The section that comes after another.
struct Next<'a> {
    section: &'a Section,
    part: &'a Part,
}

impl SectionPlan {
    pub(crate) fn new(
        graph: &impl Edges,
        path: &GroundPath,
        options: &FollowOptions,
    ) -> Result<Self, FollowError> {
        if graph.layout().places.is_empty() {
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
        let wanted = |section: &Section| Wanted::labels(graph, &section.labels);
        let on_the_way: Vec<Wanted> = sections.iter().map(wanted).collect::<Result<_, _>>()?;
        let mut wanted = on_the_way.clone();
        // Who is to walk, and to stand at an end, stands there.
        if options.from_stand == Stand::Always {
            wanted[0] = wanted[0].or_stand(graph);
        }
        if let Some(last) = wanted
            .last_mut()
            .filter(|_| options.to_stand == Stand::Always)
        {
            *last = last.or_stand(graph);
        }
        let mut parts: Vec<Part> = Vec::new();
        // From the last to the first: a section may end where the one after it can begin.
        for ((section, wanted), on_the_way) in sections.iter().zip(wanted).zip(on_the_way).rev() {
            let asked = Asked {
                section,
                wanted,
                on_the_way,
            };
            let part = match parts.last() {
                None => Part::last(graph, asked)?,
                Some(next) => {
                    let after = &sections[sections.len() - parts.len()];
                    let next = Next {
                        section: after,
                        part: next,
                    };
                    Part::before(graph, asked, next)?
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
    pub(crate) fn whole(allowed: Allowed, labels: &[String]) -> Self {
        let part = Part {
            to: f64::INFINITY,
            allowed,
            labels: labels.to_vec(),
            on_the_way: Wanted::ANYTHING,
            to_switch: Vec::new(),
        };
        Self {
            parts: vec![part],
            zone: 0.0,
        }
    }

    /// Whether a walk in section `index` comes too late for the change into the next one, if it goes
    /// straight on from a node; never in the last section.
    pub(crate) fn misses_switch(&self, index: usize, node: NodeId, along: f64) -> bool {
        let part = &self.parts[index];
        let left = part.to + self.zone - along;
        index + 1 < self.parts.len() && f64::from(part.to_switch[node.0 as usize]) > left
    }
}

impl Part {
    fn last(graph: &impl Edges, asked: Asked<'_>) -> Result<Self, FollowError> {
        let section = asked.section;
        let allowed = Allowed::new(graph, asked.wanted);
        if allowed.is_empty() {
            return Err(FollowError::DeadLabel {
                labels: words(section),
            });
        }
        Ok(Self {
            to: section.to,
            allowed,
            labels: section.labels.clone(),
            on_the_way: asked.on_the_way,
            to_switch: Vec::new(),
        })
    }

    fn before(graph: &impl Edges, asked: Asked<'_>, next: Next) -> Result<Self, FollowError> {
        let section = asked.section;
        let exits = next.part.allowed.alive();
        let allowed = Allowed::leading_to(graph, asked.wanted, exits);
        if allowed.is_empty() {
            return Err(FollowError::DeadLabel {
                labels: words(section),
            });
        }
        let ends = (0..exits.len()).filter(|&node| exits[node]);
        let ends = ends.map(|node| Start {
            node: node as u32,
            sum: 0.0,
        });
        let length = |edge: &Edge| graph.edge_length(edge) as f32;
        let to_switch = least_sums_to(graph, &allowed, ends, length);
        let reaches = |node: usize| allowed.alive()[node] && to_switch[node].is_finite();
        if !(0..to_switch.len()).any(reaches) {
            return Err(FollowError::NoSwitch {
                from: words(section),
                to: words(next.section),
            });
        }
        Ok(Self {
            to: section.to,
            allowed,
            labels: section.labels.clone(),
            on_the_way: asked.on_the_way,
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
