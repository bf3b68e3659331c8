//! Coming into a clip as a search problem: a path followed, with the clip's entries as its end.

use afoot_core::{Planar, wrap_angle};
use afoot_graph::{EdgeKind, NodeId};
use afoot_search::{Problem, Staged};

use super::{ReachError, Target};
use crate::allowed::{Allowed, Wanted};
use crate::follow::FollowOptions;
use crate::follow::problem::{Following, Spot, Step};
use crate::follow::sections::{SectionPlan, travel_to};
use crate::guide::Guide;
use crate::path::distance;
use crate::repertoire::Repertoire;
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
/// Travel over which a clip's direction is taken, before and after a frame. [frames]
const AROUND: usize = 10;
/// Travel beyond the place after which nobody comes in. [m]
const LATEST: f64 = 0.4;

/// A node of the clip that a transition leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    /// The clip's frame that plays next.
    pub(crate) frame: u32,
    /// The frame that must be at the place.
    pub(crate) target: u32,
    /// Where the clip's root is at that frame, in its own coordinates.
    root: Planar,
    late: f64,
}

/// The ends that count, and who can get there.
#[derive(Debug)]
pub(crate) struct Goal {
    entries: Vec<Entry>,
    /// The entry of each node, if it is one.
    entry_of: Vec<Option<u32>>,
    /// Least travel from each node to the place. [m]
    travel: Vec<f32>,
    plan: SectionPlan,
    place: [f64; 2],
    heading: Option<f64>,
    pub(crate) clip_frames: u32,
    /// Direction of travel against the facing, at the place. [rad]
    lean: f64,
}

impl Goal {
    pub(crate) fn new(
        repertoire: &Repertoire,
        target: &Target,
        wanted: Wanted,
        labels: &[String],
    ) -> Result<Self, ReachError> {
        let (entries, entry_of) = find_entries(repertoire, target)?;
        let graph = repertoire.graph();
        let mut ends: Vec<(NodeId, f32)> = Vec::new();
        for edge in &graph.edges {
            let entry = entry_of[edge.to.0 as usize].filter(|_| edge.kind != EdgeKind::Play);
            if let Some(entry) = entry {
                let own = travel_in_clip(repertoire, edge.to, &entries[entry as usize]);
                ends.push((edge.from, (repertoire.edge_length(edge) + own) as f32));
            }
        }
        let mut exits = vec![false; graph.nodes.len()];
        ends.iter()
            .for_each(|(node, _)| exits[node.0 as usize] = true);
        let allowed = Allowed::leading_to(repertoire, wanted, &exits);
        let travel = travel_to(repertoire, &allowed, &ends);
        let reaches = |node: usize| allowed.alive()[node] && travel[node].is_finite();
        let known = &graph.clips[target.clip.index()];
        if !(0..travel.len()).any(reaches) {
            return Err(ReachError::NoWay {
                clip: known.name.clone(),
                labels: if labels.is_empty() {
                    "other".into()
                } else {
                    labels.join("+")
                },
            });
        }
        let lean = travel_lean(repertoire, target, &entries[0]);
        Ok(Self {
            entries,
            entry_of,
            travel,
            plan: SectionPlan::whole(allowed),
            place: target.place,
            heading: target.heading,
            clip_frames: known.frames,
            lean,
        })
    }

    /// The place, with the direction of travel there.
    pub(crate) fn arrival(&self, target: &Target) -> Planar {
        let [x, z] = target.place;
        let (dx, dz) = (x - target.from.x, z - target.from.z);
        let yaw = match target.heading {
            Some(heading) => heading + self.lean,
            None if dx.hypot(dz) > 0.1 => dx.atan2(dz),
            None => target.from.yaw,
        };
        Planar::new(x, z, yaw)
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
        near.then(|| PLACE_ERROR * off * off + TURN_ERROR * turn * turn + LATE_ERROR * entry.late)
    }
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

/// The direction of travel against the facing around the entry's target frame; 0 for who stands.
fn travel_lean(repertoire: &Repertoire, target: &Target, entry: &Entry) -> f64 {
    let clip = &repertoire.clips()[target.clip.index()];
    let at = entry.target as usize;
    let (a, b) = (
        clip.root[at.saturating_sub(AROUND)],
        clip.root[(at + AROUND).min(clip.len() - 1)],
    );
    let (x, z) = (f64::from(b.x - a.x), f64::from(b.z - a.z));
    match x.hypot(z) > 0.15 {
        true => wrap_angle(x.atan2(z) - entry.root.yaw),
        false => 0.0,
    }
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
    /// Where the place is along the way. [m]
    place_along: f64,
}

impl<'a> Approach<'a> {
    pub(crate) fn new(
        repertoire: &'a Repertoire,
        (guide, options): (&'a Guide, &'a FollowOptions<'a>),
        goal: &'a Goal,
    ) -> Self {
        Self {
            repertoire,
            following: Following::new(repertoire, guide, &goal.plan, options),
            goal,
            place_along: guide.length() - OVERSHOOT,
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
        let left = self.place_along + LATEST - spot.along();
        f64::from(self.goal.travel[spot.node().0 as usize]) > left
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
            let Some(index) = entry.filter(|_| edge.kind != EdgeKind::Play) else {
                continue;
            };
            let step = Step {
                edge: id,
                section: 0,
            };
            let Some((error, spot)) = self.following.take(&state.spot, step) else {
                continue;
            };
            let entry = &self.goal.entries[index as usize];
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
