//! The cluster graph of a library: its nodes, its cycles, and ways between its clips.

use std::time::Instant;

use afoot_core::{ClipId, FrameId};
use afoot_graph::Place;
use afoot_graph::clusters::{
    ClusterId, Leap, Route, RouteKind, SequenceId, Wish as RouteWish, find_cycle, find_routes,
    reach_times,
};
use afoot_library::ClusterRecipe;
use afoot_run::Run;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::looping::listed_loops;
use crate::clustered::Clustered;
use crate::failure::Failure;
use crate::hint::Hint;
use crate::library::Library;
use crate::ranges::Ranged;
use crate::threads::in_threads;

/// A clip that a way goes through plays at least so long. [s]
pub(crate) const LEAST_PLAY: f64 = 0.333;

/// Asks for the cluster graph of all clips.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clusters {
    /// How frames are clustered.
    pub recipe: ClusterRecipe,
    /// List all nodes with their sequences.
    pub nodes: bool,
    /// Say how long it takes at worst to get to each clip.
    pub reach: bool,
}

/// A cluster graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClustersFound {
    /// Frames of all clips.
    pub frames: usize,
    /// Nodes.
    pub nodes: usize,
    /// Edges between them.
    pub edges: usize,
    /// Clip-frame sequences in them.
    pub sequences: usize,
    /// Clips that repeat themselves.
    pub cycles: Vec<CycleFound>,
    /// How long it takes at worst to get to each clip, if that was asked.
    pub reach: Vec<ClipReach>,
    /// All nodes, if they were asked for.
    pub list: Vec<NodeListed>,
    /// Time taken, with reading the clips. [s]
    pub seconds: f64,
}

/// A clip that repeats itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CycleFound {
    /// Which.
    pub clip: String,
    /// A cycle. [s]
    pub period: f64,
    /// Where the first one starts: a left foot comes down. [s]
    pub phase: f64,
    /// How many it holds.
    pub cycles: f64,
    /// How unlike frames a cycle apart are. [cm]
    pub error_cm: f64,
}

/// How soon a clip can be reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipReach {
    /// Which.
    pub clip: String,
    /// From the worst place. [s]
    pub worst_seconds: f64,
    /// Share of the library that it can be reached from.
    pub share: f64,
}

/// A node of a cluster graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeListed {
    /// Its number.
    pub node: u32,
    /// Which feet are planted, and were before: L, LB, LN, R, RB, RN, N, B.
    pub state: &'static str,
    /// The highest merge within it. [cm]
    pub error_cm: f64,
    /// Its sequences.
    pub sequences: Vec<SequenceListed>,
    /// Nodes that it leads to.
    pub next: Vec<u32>,
    /// Nodes that lead to it.
    pub previous: Vec<u32>,
}

/// A clip-frame sequence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SequenceListed {
    /// Its number, to choose it by.
    pub sequence: u32,
    /// Whose frames.
    pub clip: String,
    /// From. [s]
    pub from: f64,
    /// To, half-open. [s]
    pub to: f64,
    /// Where motion leaves it for another of the node. [s]
    pub aligned: f64,
    /// How unlike it is to the node's first sequence there. [cm]
    pub error_cm: f64,
    /// The node that its clip leads to; none where the clip ends.
    pub next: Option<u32>,
}

/// Asks for the best ways from one clip into another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Transitions {
    /// The clip to leave.
    pub from: String,
    /// The clip to enter.
    pub to: String,
    /// Leave about here. [s, 0 to 1000000]
    pub near: Option<f64>,
    /// Enter before what happens here. [s, 0 to 1000000]
    pub into: Option<f64>,
    /// How many to list. [1 to 100000]
    pub count: usize,
    /// How frames are clustered.
    pub recipe: ClusterRecipe,
}

/// Asks for the ways of a clip into itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Loops {
    /// The clip, or a part of it.
    pub clip: String,
    /// Those over other clips, instead of those within the clip.
    pub through: bool,
    /// How many to list. [1 to 100000]
    pub count: usize,
    /// How frames are clustered.
    pub recipe: ClusterRecipe,
}

impl Default for Transitions {
    fn default() -> Self {
        Self {
            from: String::new(),
            to: String::new(),
            near: None,
            into: None,
            count: 10,
            recipe: ClusterRecipe::default(),
        }
    }
}

impl Default for Loops {
    fn default() -> Self {
        Self {
            clip: String::new(),
            through: false,
            count: 10,
            recipe: ClusterRecipe::default(),
        }
    }
}

/// Ways that were found, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaysFound {
    /// In the order in which a person would try them.
    pub found: Vec<WayFound>,
}

/// A way from clip to clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WayFound {
    /// The last frame that plays before the first leap.
    pub from: Moment,
    /// The first frame that plays after the last one.
    pub to: Moment,
    /// How unlike the frames are where it leaps, all leaps together. [cm]
    pub error_cm: f64,
    /// Clips in between.
    pub through: Vec<String>,
    /// Time between the first leap and the last; of a loop, a cycle. [s]
    pub seconds: f64,
    /// How it answers what was asked: `exact`, `direct`, `through`.
    pub kind: &'static str,
    /// Every change of clip on the way.
    pub leaps: Vec<LeapFound>,
}

/// A change of clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeapFound {
    /// The last frame of the one.
    pub from: Moment,
    /// The first of the other.
    pub to: Moment,
    /// The node that holds both; none of a synthetic leap.
    pub node: Option<u32>,
    /// How unlike they are. [cm]
    pub error_cm: f64,
}

/// A moment of a clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// The clip.
    pub clip: String,
    /// Since its start. [s]
    pub time: f64,
}

impl Clusters {
    /// Clusters the library's frames, or takes what is kept of it.
    pub fn run(&self, library: &Library, run: &Run) -> Result<ClustersFound, Failure> {
        self.check_ranges()?;
        in_threads(run, || {
            let start = Instant::now();
            let (clustered, ()) = library.find_clustered(&[], &self.recipe, run, |_| Ok(()))?;
            let mut found = clustered.told();
            if self.nodes {
                found.list = clustered.listed();
            }
            if self.reach {
                found.reach = clustered.reaches();
            }
            found.seconds = start.elapsed().as_secs_f64();
            Ok(found)
        })
    }
}

impl Transitions {
    /// Looks for ways in the cluster graph.
    pub fn run(&self, library: &Library, run: &Run) -> Result<WaysFound, Failure> {
        self.check_ranges()?;
        in_threads(run, || {
            let named = [self.from.as_str(), self.to.as_str()];
            let find = |clustered: &Clustered| self.routes(clustered);
            let (clustered, routes) = library.find_clustered(&named, &self.recipe, run, find)?;
            let way = |route: &Route| {
                let seconds = clustered.seconds(route.frames_between());
                clustered.way(route.kind, &route.leaps, seconds)
            };
            let found = routes.iter().map(way).collect();
            Ok(WaysFound { found })
        })
    }

    /// The best ways, of which there must be one.
    fn routes(&self, clustered: &Clustered) -> Result<Vec<Route>, Failure> {
        let trees = &clustered.compared;
        let frame = |what, seconds: Option<f64>| {
            let frame = seconds.map(|seconds| trees.frame_at(what, seconds));
            frame.transpose()
        };
        let wish = RouteWish {
            from: trees.id(&self.from)?,
            near: frame("near", self.near)?,
            to: trees.id(&self.to)?,
            into: frame("into", self.into)?,
            first: Some(FrameId(0)),
            least_play: clustered.rate().frames_in(LEAST_PLAY) as u32,
        };
        let routes = find_routes(&clustered.graph, clustered.frames(), &wish, self.count);
        match routes.is_empty() {
            true => Err(no_way(&self.from, &self.to, self.recipe.error_cm)),
            false => Ok(routes),
        }
    }
}

impl Loops {
    /// Looks for loops in the cluster graph.
    pub fn run(&self, library: &Library, run: &Run) -> Result<WaysFound, Failure> {
        self.check_ranges()?;
        in_threads(run, || {
            let find = |clustered: &Clustered| {
                let loops = listed_loops(clustered, &self.clip, self.through, self.count)?;
                match loops.is_empty() {
                    true => Err(no_way(&self.clip, &self.clip, self.recipe.error_cm)),
                    false => Ok(loops),
                }
            };
            let (clustered, mut loops) =
                library.find_clustered(&[&self.clip], &self.recipe, run, find)?;
            loops.truncate(self.count);
            let kind = match self.through {
                true => RouteKind::Through,
                false => RouteKind::Direct,
            };
            let found = loops
                .iter()
                .map(|found| clustered.way(kind, &found.leaps, clustered.seconds(found.period)));
            Ok(WaysFound {
                found: found.collect(),
            })
        })
    }
}

/// There is no way between two clips.
pub(crate) fn no_way(from: &str, to: &str, error_cm: f32) -> Failure {
    let message = match from == to {
        true => format!("clip {from:?} never comes back to a pose within {error_cm} cm"),
        false => format!("no way leads from {from:?} to {to:?} within {error_cm} cm"),
    };
    Failure::no_motion(message).with_hint(Hint::LargerError)
}

impl Clustered {
    fn name(&self, clip: ClipId) -> String {
        self.compared.name(clip)
    }

    fn clip_ids(&self) -> Vec<ClipId> {
        (0..self.frames().clips() as u32).map(ClipId).collect()
    }

    /// A place as it is told.
    pub(super) fn moment(&self, place: Place) -> Moment {
        Moment {
            clip: self.name(place.clip),
            time: self.seconds(place.frame.0),
        }
    }

    fn leap(&self, leap: &Leap) -> LeapFound {
        LeapFound {
            from: self.moment(leap.from),
            to: self.moment(leap.to),
            node: leap.node.map(|node| node.0),
            error_cm: f64::from(leap.error) * 100.0,
        }
    }

    fn way(&self, kind: RouteKind, leaps: &[Leap], seconds: f64) -> WayFound {
        let [first, last] =
            [leaps.first(), leaps.last()].map(|leap| leap.expect("a way has leaps"));
        let error: f32 = leaps.iter().map(|leap| leap.error).sum();
        WayFound {
            from: self.moment(first.from),
            to: self.moment(last.to),
            error_cm: f64::from(error) * 100.0,
            through: leaps[1..]
                .iter()
                .map(|leap| self.name(leap.from.clip))
                .collect(),
            seconds,
            kind: match kind {
                RouteKind::Exact => "exact",
                RouteKind::Direct => "direct",
                RouteKind::Through => "through",
            },
            leaps: leaps.iter().map(|leap| self.leap(leap)).collect(),
        }
    }

    fn told(&self) -> ClustersFound {
        let cycle = |clip: ClipId| {
            let cycle = find_cycle(&self.graph, self.frames(), clip)?;
            Some(CycleFound {
                clip: self.name(clip),
                period: self.seconds(cycle.period),
                phase: self.seconds(cycle.phase.0),
                cycles: cycle.cycles,
                error_cm: f64::from(cycle.error) * 100.0,
            })
        };
        ClustersFound {
            frames: self.frames().len(),
            nodes: self.graph.nodes.len(),
            edges: self.graph.edges(),
            sequences: self.graph.sequences.len(),
            cycles: self.clip_ids().into_par_iter().filter_map(cycle).collect(),
            reach: Vec::new(),
            list: Vec::new(),
            seconds: 0.0,
        }
    }

    fn reaches(&self) -> Vec<ClipReach> {
        let least = self.rate().frames_in(LEAST_PLAY) as u32;
        let told = |time: afoot_graph::clusters::ReachTime| ClipReach {
            clip: self.name(time.clip),
            worst_seconds: time.worst_seconds,
            share: time.reached_share,
        };
        let times = reach_times(&self.graph, self.frames(), least);
        times.into_iter().map(told).collect()
    }

    fn listed(&self) -> Vec<NodeListed> {
        let nodes = self.graph.nodes.iter().enumerate();
        nodes
            .map(|(number, _)| self.listed_node(number as u32))
            .collect()
    }

    fn listed_node(&self, number: u32) -> NodeListed {
        let node = self.graph.node(ClusterId(number));
        let aligned = |id: SequenceId| {
            let own = self.graph.sequence(id);
            self.frames().index(own.clip, own.aligned)
        };
        let first = aligned(SequenceId(node.sequences.start));
        let sequence = |id: SequenceId| {
            let own = self.graph.sequence(id);
            let after = self.graph.after(id);
            SequenceListed {
                sequence: id.0,
                clip: self.name(own.clip),
                from: self.seconds(own.frames.start),
                to: self.seconds(own.frames.end),
                aligned: self.seconds(own.aligned.0),
                error_cm: f64::from(self.frames().error(first, aligned(id))) * 100.0,
                next: after.map(|next| self.graph.sequence(next).node.0),
            }
        };
        let sequences = self.graph.sequences_of(ClusterId(number));
        NodeListed {
            node: number,
            state: node.state.name(),
            error_cm: f64::from(node.error) * 100.0,
            sequences: sequences.map(sequence).collect(),
            next: node.next.iter().map(|next| next.0).collect(),
            previous: node.previous.iter().map(|previous| previous.0).collect(),
        }
    }
}
