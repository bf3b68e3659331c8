//! What ends a reach: the nodes from which the clip can be entered, and who can get there in time.

use std::ops::RangeInclusive;

use afoot_core::{FrameId, FrameRate, Planar, wrap_angle};
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId};
use afoot_search::Start;

use super::corridor::Corridor;
use super::{ReachError, Target};
use crate::allowed::{Allowed, Wanted};
use crate::follow::FollowOptions;
use crate::follow::sections::SectionPlan;
use crate::path::distance;
use crate::repertoire::Repertoire;
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
const AROUND: usize = 10;

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
    pub(crate) clip_frames: u32,
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
        repertoire: &Repertoire,
        target: &Target,
        wanted: Wanted,
        labels: &[String],
    ) -> Result<Self, ReachError> {
        let (mut entries, mut entry_of) = find_entries(repertoire, target)?;
        let graph = repertoire.graph();
        let into_clip = edges_into(repertoire, &entry_of);
        let mut exits = vec![false; graph.nodes.len()];
        into_clip
            .iter()
            .for_each(|edge| exits[edge.from.0 as usize] = true);
        let allowed = Allowed::leading_to(repertoire, wanted, &exits);
        let corridor = Corridor::new(repertoire, &allowed, &entry_of);
        let known = &graph.clips[target.clip.index()];
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
            let last = repertoire.edge(chain[chain.len() - 1]).to;
            let inside = entry_of[last.0 as usize].expect("a chain ends in the clip");
            let entry = entries[inside as usize].behind(repertoire, chain);
            entry_of[node.0 as usize] = Some(entries.len() as u32);
            entries.push(entry);
        }
        let gate = match corridor.nodes.last() {
            Some(&node) => (node, &entries[entries.len() - 1]),
            None => (first_node(&entry_of), &entries[0]),
        };
        Ok(Self {
            gate: gate_from(repertoire, gate),
            left: what_is_left(repertoire, &allowed, &entry_of, &entries),
            entries,
            entry_of,
            plan: SectionPlan::whole(allowed, labels),
            place: target.place,
            heading: target.heading,
            clip_frames: known.frames,
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
    fn behind(&self, repertoire: &Repertoire, chain: Vec<EdgeId>) -> Self {
        let mut at = Rigid::IDENTITY;
        for &edge in &chain {
            at = repertoire.after(repertoire.edge(edge), &at);
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
fn edges_into(repertoire: &Repertoire, entry_of: &[Option<u32>]) -> Vec<Edge> {
    let leads_in =
        |edge: &&Edge| edge.kind() != EdgeKind::Play && entry_of[edge.to.0 as usize].is_some();
    let edges = repertoire.graph().edges.iter();
    edges.filter(leads_in).copied().collect()
}

/// Least travel and least progress from every node to an entry. [m]
fn what_is_left(
    repertoire: &Repertoire,
    allowed: &Allowed,
    entry_of: &[Option<u32>],
    entries: &[Entry],
) -> Left {
    let graph = repertoire.graph();
    let length = |edge: &Edge| repertoire.edge_length(edge) as f32;
    let creep = FollowOptions::default().least_speed * graph.rate.frame_time();
    let crept = |edge: &Edge| (creep * f64::from(graph.edge_frames(edge))) as f32;
    let (mut ends, mut late_ends) = (Vec::new(), Vec::new());
    for edge in &graph.edges {
        let Some(entry) = entry_of[edge.to.0 as usize] else {
            continue;
        };
        let entry = &entries[entry as usize];
        if entry.chain.is_empty() && edge.kind() == EdgeKind::Play {
            continue;
        }
        let own = match entry.chain.is_empty() {
            true => travel_in_clip(repertoire, edge.to, entry),
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
        travel: least_sums_to(repertoire, allowed, ends, length),
        creep: least_sums_to(repertoire, allowed, late_ends, crept),
    }
}

/// Where a gate's node is and which way the root travels there, seen from the root at the place.
fn gate_from(repertoire: &Repertoire, (node, entry): (NodeId, &Entry)) -> Planar {
    let place = repertoire.graph().nodes[node.0 as usize];
    let clip = repertoire.clip(place.clip);
    // A part's lead-in plays inside the clip: the way leads to the place itself.
    let (root, at) = match entry.chain.is_empty() {
        true => (entry.root, entry.target as usize),
        false => (repertoire.root_at(node), place.frame.index()),
    };
    let (a, b) = (
        clip.root[at.saturating_sub(AROUND)],
        clip.root[(at + AROUND).min(clip.len() - 1)],
    );
    let (x, z) = (f64::from(b.x - a.x), f64::from(b.z - a.z));
    let yaw = match x.hypot(z) > 0.15 {
        true => x.atan2(z),
        false => root.yaw,
    };
    let gate = Planar::new(root.x, root.z, yaw);
    entry.root.inverse().then_after(gate)
}

/// The nodes where the clip may be entered, earliest first, and the number of each node's.
fn find_entries(
    repertoire: &Repertoire,
    target: &Target,
) -> Result<(Vec<Entry>, Vec<Option<u32>>), ReachError> {
    let graph = repertoire.graph();
    let nodes = entered_nodes(repertoire, target);
    let frame = |node: &usize| graph.nodes[*node].frame.0;
    let frames: Vec<u32> = nodes.iter().map(frame).collect();
    let name = &graph.clips[target.clip.index()].name;
    let usable = usable_frames(&frames, target, graph.rate).map_err(|late| late.error(name))?;
    let clip = repertoire.clip(target.clip);
    let (mut entries, mut entry_of) = (Vec::new(), vec![None; graph.nodes.len()]);
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
            root: clip.placement(FrameId(wanted)),
            late: match target.frames {
                None => f64::from(frame(&node) - frames[0]) * graph.rate.frame_time(),
                Some(_) => 0.0,
            },
        });
    }
    Ok((entries, entry_of))
}

/// The clip's nodes that a transition leads to, earliest first.
fn entered_nodes(repertoire: &Repertoire, target: &Target) -> Vec<usize> {
    let graph = repertoire.graph();
    let mut entered = vec![false; graph.nodes.len()];
    let jumps = graph
        .edges
        .iter()
        .filter(|edge| edge.kind() != EdgeKind::Play);
    jumps.for_each(|edge| entered[edge.to.0 as usize] = true);
    let of_clip = |node: &usize| entered[*node] && graph.nodes[*node].clip == target.clip;
    (0..graph.nodes.len()).filter(of_clip).collect()
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
fn travel_in_clip(repertoire: &Repertoire, node: NodeId, entry: &Entry) -> f64 {
    let frames = (entry.target - entry.frame) as usize + 1;
    let (_, arcs) = repertoire.clip_from(node, frames);
    f64::from(arcs[frames - 1] - arcs[0])
}
