//! What ends a reach: the nodes from which the clip can be entered, and who can get there in time.

use std::ops::RangeInclusive;

use afoot_core::{FrameId, FrameRate, Planar, wrap_angle};
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId, Place};
use afoot_search::Start;

use super::corridor::Corridor;
use super::{ReachError, Target};
use crate::allowed::{Allowed, Wanted};
use crate::edges::Edges;
use crate::follow::FollowOptions;
use crate::follow::sections::SectionPlan;
use crate::path::distance;
use crate::rigid::Rigid;
use crate::steps::least_sums_to;

/// Farthest from the place, and farthest turned away, that an end is worth a correction. [m, rad]
pub(crate) const REACH: f64 = 0.6;
const TURN_REACH: f64 = 0.7;
/// Error of an end one metre off, one radian off, and of entering a clip one second late. [m²]
const PLACE_ERROR: f64 = 10.0;
const TURN_ERROR: f64 = 5.0;
const LATE_ERROR: f64 = 0.2;
/// Most of a part's own lead-in that is played, and most of a whole clip's start that is not. [s]
const LEAD: f64 = 2.0;
const LATE: f64 = 0.5;
/// Frames over which a clip's direction of travel is taken, before and after one.
const AROUND: u32 = 10;

/// A node from which the rest is known: one of the clip, or one that all ways lead through.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// What plays before the clip.
    pub(crate) chain: Vec<EdgeId>,
    /// The clip's frame that plays next.
    pub(crate) frame: u32,
    /// The clip's frame that must be at the place.
    pub(crate) target: u32,
    /// Where the root will be at that frame, in the coordinates of the node's clip.
    root: Planar,
    late: f64,
}

/// The ends that count, and who can get there.
#[derive(Debug)]
pub(crate) struct Goal {
    entries: Vec<Entry>,
    /// The entry of each node, if it is one.
    entry_of: Vec<Option<u32>>,
    pub(crate) left: Left,
    /// Which edges may be taken on the way.
    pub(crate) plan: SectionPlan,
    place: [f64; 2],
    heading: Option<f64>,
    /// Where ways should lead, and in which direction of travel, seen from the root at the place.
    gate: Planar,
}

/// What is left to go from each node to the gate.
#[derive(Debug)]
pub(crate) struct Left {
    /// Least travel; most motion goes straight on. [m]
    pub(crate) travel: Vec<f32>,
    /// Least progress along a way on it, for motion that goes to and fro. [m]
    pub(crate) creep: Vec<f32>,
}

impl Goal {
    pub(crate) fn new(
        graph: &impl Edges,
        target: &Target,
        wanted: Wanted,
        labels: &[String],
    ) -> Result<Self, ReachError> {
        let (mut entries, mut entry_of) = find_entries(graph, target)?;
        let layout = graph.layout();
        let into_clip = edges_into(graph, &entry_of);
        let mut exits = vec![false; layout.places.len()];
        into_clip
            .iter()
            .for_each(|edge| exits[edge.from.0 as usize] = true);
        let allowed = Allowed::leading_to(graph, wanted, &exits);
        let corridor = Corridor::new(graph, &allowed, &entry_of);
        let known = &layout.clips[target.clip.index()];
        if corridor.reaching == 0 {
            return Err(ReachError::NoWay {
                clip: known.name.clone(),
                labels: if labels.is_empty() {
                    "other".into()
                } else {
                    labels.join("+")
                },
            });
        }
        for &node in &corridor.nodes {
            let chain = corridor.chain(node);
            let last = graph.edge(chain[chain.len() - 1]).to;
            let inside = entry_of[last.0 as usize].expect("a chain ends in the clip");
            let entry = entries[inside as usize].behind(graph, chain);
            entry_of[node.0 as usize] = Some(entries.len() as u32);
            entries.push(entry);
        }
        let (gate, gate_entry) = match corridor.nodes.last() {
            Some(&node) => (node, &entries[entries.len() - 1]),
            None => (first_node(&entry_of), &entries[0]),
        };
        Ok(Self {
            gate: gate_from(graph, gate, gate_entry),
            left: what_is_left(graph, &allowed, &entry_of, &entries),
            entries,
            entry_of,
            plan: SectionPlan::whole(allowed, labels),
            place: target.place,
            heading: target.heading,
        })
    }

    /// Where a way should lead, with the direction of travel there.
    pub(crate) fn arrival(&self, target: &Target) -> Planar {
        let [x, z] = target.place;
        let (dx, dz) = (x - target.from.x, z - target.from.z);
        let yaw = match target.heading {
            Some(heading) => heading,
            None if dx.hypot(dz) > 0.1 => dx.atan2(dz) - self.gate.yaw,
            None => target.from.yaw - self.gate.yaw,
        };
        Planar::new(x, z, yaw).then_after(self.gate)
    }

    pub(crate) fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    /// The number of the entry that an edge leads to, if it may be entered by it: not by playing on
    /// in the clip itself.
    pub(crate) fn entered_by(&self, edge: &Edge) -> Option<u32> {
        let number = self.entry_of[edge.to.0 as usize]?;
        let inside = self.entry(number).chain.is_empty() && edge.kind() == EdgeKind::Play;
        (!inside).then_some(number)
    }

    /// The error of coming in at an entry from a node placed so; `None` where it is too far off.
    pub(crate) fn arrival_error(&self, placement: Planar, number: u32) -> Option<f64> {
        let entry = self.entry(number);
        let root = placement.then_after(entry.root);
        let off = distance([root.x, root.z], self.place);
        let turn = self.heading.map_or(0.0, |yaw| wrap_angle(yaw - root.yaw));
        let near = off <= REACH && turn.abs() <= TURN_REACH;
        let error = PLACE_ERROR * off * off + TURN_ERROR * turn * turn + LATE_ERROR * entry.late;
        near.then_some(error)
    }
}

impl Entry {
    /// The entry that leads here through more edges.
    fn behind(&self, graph: &impl Edges, chain: Vec<EdgeId>) -> Self {
        let mut at = Rigid::IDENTITY;
        for &edge in &chain {
            at = graph.after(graph.edge(edge), &at);
        }
        Self {
            root: at.planar().then_after(self.root),
            chain,
            ..self.clone()
        }
    }
}

fn first_node(entry_of: &[Option<u32>]) -> NodeId {
    let first = entry_of.iter().position(Option::is_some);
    NodeId(first.expect("entries were found") as u32)
}

/// The transitions into entries.
fn edges_into(graph: &impl Edges, entry_of: &[Option<u32>]) -> Vec<Edge> {
    let leads_in =
        |edge: &&Edge| edge.kind() != EdgeKind::Play && entry_of[edge.to.0 as usize].is_some();
    let edges = graph.layout().edges.iter();
    edges.filter(leads_in).copied().collect()
}

/// Least travel and least progress from every node to an entry. [m]
fn what_is_left(
    graph: &impl Edges,
    allowed: &Allowed,
    entry_of: &[Option<u32>],
    entries: &[Entry],
) -> Left {
    let layout = graph.layout();
    let length = |edge: &Edge| graph.edge_length(edge) as f32;
    let creep = FollowOptions::default().least_speed * layout.rate.frame_time();
    let crept = |edge: &Edge| (creep * f64::from(graph.frames(edge))) as f32;
    let (mut ends, mut late_ends) = (Vec::new(), Vec::new());
    for edge in layout.edges {
        let Some(entry) = entry_of[edge.to.0 as usize] else {
            continue;
        };
        let entry = &entries[entry as usize];
        if entry.chain.is_empty() && edge.kind() == EdgeKind::Play {
            continue;
        }
        let own = match entry.chain.is_empty() {
            true => travel_in_clip(graph, edge.to, entry),
            false => 0.0,
        };
        let end = |sum: f32| Start {
            node: edge.from.0,
            sum,
        };
        ends.push(end(length(edge) + own as f32));
        late_ends.push(end(crept(edge)));
    }
    Left {
        travel: least_sums_to(graph, allowed, ends, length),
        creep: least_sums_to(graph, allowed, late_ends, crept),
    }
}

/// Where a gate's node is and which way the root travels there, seen from the root at the place.
fn gate_from(graph: &impl Edges, node: NodeId, entry: &Entry) -> Planar {
    let place = graph.layout().places[node.0 as usize];
    // A part's lead-in plays inside the clip: the way leads to the place itself.
    let (root, at) = match entry.chain.is_empty() {
        true => (entry.root, entry.target),
        false => (graph.root_at(node), place.frame.0),
    };
    let first = Place {
        frame: FrameId(at.saturating_sub(AROUND)),
        ..place
    };
    let around = graph.along(first, (at - first.frame.0 + AROUND + 1) as usize);
    let ([ax, az], [bx, bz]) = (around.points[0], around.points[around.points.len() - 1]);
    let (x, z) = (f64::from(bx - ax), f64::from(bz - az));
    let yaw = match x.hypot(z) > 0.15 {
        true => x.atan2(z),
        false => root.yaw,
    };
    let gate = Planar::new(root.x, root.z, yaw);
    entry.root.inverse().then_after(gate)
}

/// The nodes where the clip may be entered, earliest first, and the number of each node's.
fn find_entries(
    graph: &impl Edges,
    target: &Target,
) -> Result<(Vec<Entry>, Vec<Option<u32>>), ReachError> {
    let layout = graph.layout();
    let nodes = entered_nodes(graph, target);
    let frame = |node: &usize| layout.places[*node].frame.0;
    let frames: Vec<u32> = nodes.iter().map(frame).collect();
    let name = &layout.clips[target.clip.index()].name;
    let usable = usable_frames(&frames, target, layout.rate).map_err(|late| late.error(name))?;
    let (mut entries, mut entry_of) = (Vec::new(), vec![None; layout.places.len()]);
    for node in nodes
        .into_iter()
        .filter(|node| usable.contains(&frame(node)))
    {
        let wanted = target
            .frames
            .as_ref()
            .map_or(frame(&node), |part| part.start);
        entry_of[node] = Some(entries.len() as u32);
        entries.push(Entry {
            chain: Vec::new(),
            frame: frame(&node),
            target: wanted,
            root: graph.root(Place {
                clip: target.clip,
                frame: FrameId(wanted),
            }),
            late: match target.frames {
                None => f64::from(frame(&node) - frames[0]) * layout.rate.frame_time(),
                Some(_) => 0.0,
            },
        });
    }
    Ok((entries, entry_of))
}

/// The clip's nodes that a transition leads to, earliest first.
fn entered_nodes(graph: &impl Edges, target: &Target) -> Vec<usize> {
    let layout = graph.layout();
    let mut entered = vec![false; layout.places.len()];
    let transitions = layout
        .edges
        .iter()
        .filter(|edge| edge.kind() != EdgeKind::Play);
    transitions.for_each(|edge| entered[edge.to.0 as usize] = true);
    let of_clip = |node: &usize| entered[*node] && layout.places[*node].clip == target.clip;
    (0..layout.places.len()).filter(of_clip).collect()
}

/// Which of the frames that transitions lead to are soon enough: for a whole clip the first and those
/// close behind, for a part the last before it and those close ahead.
fn usable_frames(
    entered: &[u32],
    target: &Target,
    rate: FrameRate,
) -> Result<RangeInclusive<u32>, TooLate> {
    let &first = entered.first().ok_or(TooLate::Never)?;
    let (lead, late) = (rate.frames_in(LEAD) as u32, rate.frames_in(LATE) as u32);
    let Some(part) = &target.frames else {
        return Ok(first..=first + late);
    };
    let last = entered.iter().copied().filter(|f| *f <= part.start).max();
    let frame = part.start;
    let last = last.ok_or(TooLate::Entered { frame, first })?;
    Ok(last.saturating_sub(lead)..=last)
}

/// Why no frame of a clip can be entered in time.
enum TooLate {
    Never,
    Entered { frame: u32, first: u32 },
}

impl TooLate {
    fn error(self, clip: &str) -> ReachError {
        let clip = clip.to_owned();
        match self {
            Self::Never => ReachError::NotInGraph { clip },
            Self::Entered { frame, first } => ReachError::EnteredLate { clip, frame, first },
        }
    }
}

/// How far the root travels from an entry to the frame that must be at the place. [m]
fn travel_in_clip(graph: &impl Edges, node: NodeId, entry: &Entry) -> f64 {
    let frames = (entry.target - entry.frame) as usize + 1;
    let place = graph.layout().places[node.0 as usize];
    let arcs = graph.along(place, frames).arcs;
    f64::from(arcs[frames - 1] - arcs[0])
}
