//! Coming into a clip as a search problem: a path followed, with the clip's entries as its end.

use afoot_core::{Planar, wrap_angle};
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId};
use afoot_search::{Problem, Staged};

use super::{ReachError, Target};
use crate::allowed::{Allowed, Wanted};
use crate::follow::FollowOptions;
use crate::follow::problem::{Following, Spot, Step};
use crate::follow::sections::{SectionPlan, least_sum_to};
use crate::guide::Guide;
use crate::path::distance;
use crate::repertoire::Repertoire;
use crate::rigid::Rigid;
use crate::target::corridor::Corridor;
use crate::target::dubins::OVERSHOOT;
use crate::walk::GraphWalk;

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
/// Travel beyond the place after which nobody comes in. [m]
const LATEST: f64 = 0.4;

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
    /// Least travel from each node to the gate; most motion goes straight on. [m]
    travel: Vec<f32>,
    /// Least progress along a way on it, for motion that goes to and fro. [m]
    creep: Vec<f32>,
    plan: SectionPlan,
    place: [f64; 2],
    heading: Option<f64>,
    pub(crate) clip_frames: u32,
    /// Where ways should lead, and in which direction of travel, seen from the root at the place.
    gate: Planar,
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
        let (travel, creep) = what_is_left(repertoire, &allowed, &entry_of, &entries);
        Ok(Self {
            gate: gate_from(repertoire, gate),
            entries,
            entry_of,
            travel,
            creep,
            plan: SectionPlan::whole(allowed),
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

    pub(crate) fn entry(&self, end: &Spotted) -> &Entry {
        let index = end.arrived.expect("complete walks have arrived");
        &self.entries[index as usize]
    }

    /// The error of coming in at an entry; `None` where it is too far off.
    fn arrival_error(&self, spot: &Spot, entry: &Entry) -> Option<f64> {
        let root = spot.placement().then_after(entry.root);
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
        |edge: &&Edge| edge.kind != EdgeKind::Play && entry_of[edge.to.0 as usize].is_some();
    let edges = repertoire.graph().edges.iter();
    edges.filter(leads_in).copied().collect()
}

/// Least travel and least progress from every node to an entry. [m]
fn what_is_left(
    repertoire: &Repertoire,
    allowed: &Allowed,
    entry_of: &[Option<u32>],
    entries: &[Entry],
) -> (Vec<f32>, Vec<f32>) {
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
        if entry.chain.is_empty() && edge.kind == EdgeKind::Play {
            continue;
        }
        let own = match entry.chain.is_empty() {
            true => travel_in_clip(repertoire, edge.to, entry),
            false => 0.0,
        };
        ends.push((edge.from, length(edge) + own as f32));
        late_ends.push((edge.from, crept(edge)));
    }
    (
        least_sum_to(repertoire, allowed, &ends, length),
        least_sum_to(repertoire, allowed, &late_ends, crept),
    )
}

/// Where a gate's node is and which way the root travels there, seen from the root at the place.
fn gate_from(repertoire: &Repertoire, (node, entry): (NodeId, &Entry)) -> Planar {
    let place = repertoire.graph().nodes[node.0 as usize];
    let clip = &repertoire.clips()[place.clip.index()];
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
    let name = || graph.clips[target.clip.index()].name.clone();
    let mut entered = vec![false; graph.nodes.len()];
    for edge in graph
        .edges
        .iter()
        .filter(|edge| edge.kind != EdgeKind::Play)
    {
        entered[edge.to.0 as usize] = true;
    }
    let of_clip = |node: &usize| entered[*node] && graph.nodes[*node].clip == target.clip;
    let nodes: Vec<usize> = (0..graph.nodes.len()).filter(of_clip).collect();
    let frame = |node: &usize| graph.nodes[*node].frame.0;
    let Some(first) = nodes.first().map(frame) else {
        return Err(ReachError::NotInGraph { clip: name() });
    };
    let rate = graph.rate;
    let (lead, late) = (rate.frames_in(LEAD) as u32, rate.frames_in(LATE) as u32);
    let usable = match &target.frames {
        None => first..=first + late,
        Some(part) => {
            let last = nodes.iter().map(frame).filter(|f| *f <= part.start).max();
            let Some(last) = last else {
                let (clip, frame) = (name(), part.start);
                return Err(ReachError::EnteredLate { clip, frame, first });
            };
            last.saturating_sub(lead)..=last
        }
    };
    let clip = &repertoire.clips()[target.clip.index()];
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
            root: clip.placement(afoot_core::FrameId(wanted)),
            late: match target.frames {
                None => f64::from(frame(&node) - first) * rate.frame_time(),
                Some(_) => 0.0,
            },
        });
    }
    Ok((entries, entry_of))
}

/// How far the root travels from an entry to the frame that must be at the place. [m]
fn travel_in_clip(repertoire: &Repertoire, node: NodeId, entry: &Entry) -> f64 {
    let frames = (entry.target - entry.frame) as usize + 1;
    let (_, arcs) = repertoire.clip_from(node, frames);
    f64::from(arcs[frames - 1] - arcs[0])
}

/// A spot on the way, or the end of it in an entry.
#[derive(Clone, Debug)]
pub(crate) struct Spotted {
    spot: Spot,
    arrived: Option<u32>,
}

/// Following a way that passes the place.
pub(crate) struct Approach<'a> {
    repertoire: &'a Repertoire,
    following: Following<'a>,
    goal: &'a Goal,
    /// Where along the way nobody comes in any more. [m]
    latest: f64,
    /// What each node has to go at the least. [m]
    left: &'a [f32],
}

/// Who is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Those who would pass the place if they went straight on.
    Brisk,
    /// Only those who would pass it whatever they do, shuffle to and fro or stand.
    Patient,
}

impl<'a> Approach<'a> {
    pub(crate) fn new(
        repertoire: &'a Repertoire,
        (guide, options): (&'a Guide, &'a FollowOptions<'a>),
        (goal, patience): (&'a Goal, Patience),
    ) -> Self {
        let place_along = guide.length() - OVERSHOOT;
        Self {
            repertoire,
            following: Following::new(repertoire, guide, &goal.plan, options),
            goal,
            latest: match patience {
                Patience::Brisk => place_along + LATEST,
                Patience::Patient => guide.length(),
            },
            left: match patience {
                Patience::Brisk => &goal.travel,
                Patience::Patient => &goal.creep,
            },
        }
    }

    pub(crate) fn starts(&self) -> Vec<Spotted> {
        let spots = self.following.starts().unwrap_or_default();
        let spotted = spots.into_iter().map(|spot| Spotted {
            spot,
            arrived: None,
        });
        spotted.filter(|start| !self.misses(&start.spot)).collect()
    }

    /// The walk of a list of steps.
    pub(crate) fn walk(&self, starts: &[Spotted], steps: &[Step]) -> GraphWalk {
        let first = steps.first().map(|step| self.following.edge_start(step));
        let start = starts.iter().find(|s| Some(s.spot.node()) == first);
        let start = &start.unwrap_or(&starts[0]).spot;
        GraphWalk {
            start: start.node(),
            placement: start.placement(),
            edges: steps.iter().map(|step| step.edge).collect(),
            spare: 0,
        }
    }

    /// Whether the place will be passed before any entry can be reached.
    fn misses(&self, spot: &Spot) -> bool {
        let left = self.latest - spot.along();
        f64::from(self.left[spot.node().0 as usize]) > left
    }
}

impl Problem for Approach<'_> {
    type State = Spotted;
    type Step = Step;

    fn successors(&self, state: &Spotted, mut out: impl FnMut(Step, f64, Spotted)) {
        self.following.successors(&state.spot, |step, error, spot| {
            if !spot.is_done() {
                let arrived = None;
                out(step, error, Spotted { spot, arrived });
            }
        });
        for (id, edge) in self.repertoire.edges_from(state.spot.node()) {
            let entry = self.goal.entry_of[edge.to.0 as usize];
            let Some(index) = entry else {
                continue;
            };
            let entry = &self.goal.entries[index as usize];
            if entry.chain.is_empty() && edge.kind == EdgeKind::Play {
                continue;
            }
            let step = Step {
                edge: id,
                section: 0,
            };
            let Some((error, spot)) = self.following.take(&state.spot, step) else {
                continue;
            };
            if let Some(end) = self.goal.arrival_error(&spot, entry) {
                let arrived = Some(index);
                out(step, error + end, Spotted { spot, arrived });
            }
        }
    }

    fn is_complete(&self, state: &Spotted) -> bool {
        state.arrived.is_some()
    }

    fn lower_bound(&self, state: &Spotted) -> f64 {
        match self.misses(&state.spot) {
            true => f64::INFINITY,
            false => self.following.lower_bound(&state.spot),
        }
    }
}

impl Staged for Approach<'_> {
    fn stage(&self, state: &Spotted) -> u64 {
        self.following.stage(&state.spot)
    }

    fn bucket(&self, state: &Spotted) -> u64 {
        self.following.bucket(&state.spot)
    }
}
