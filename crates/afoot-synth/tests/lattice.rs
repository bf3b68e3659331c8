//! A graph that is no motion graph, searched by the same code: strides that turn left, go straight or
//! turn right, after each of which any may follow. All of its walks can be tried, by plain sines.

#![allow(clippy::unwrap_used)]

use afoot_codec::Table;
use afoot_core::{ClipId, FrameId, FrameRate, Planar};
use afoot_graph::{Edge, EdgeId, EdgeKind, GraphClip, LabelSet, NodeId, Place, TransitionId};
use afoot_run::Run;
use afoot_synth::edges::{EdgeCosts, play_runs};
use afoot_synth::{
    ControlOptions, ControlTable, Edges, FollowOptions, FollowSearch, GraphWalk, GroundPath, Join,
    Layout, Preference, ReachOptions, Rigid, Target, Trace, WanderOptions, find_entry, find_walk,
    find_wander,
};

/// Frames of a stride, and of either half of it.
const FRAMES: usize = 10;
const HALF: usize = FRAMES / 2;
/// Travel in a frame. [m]
const STEP: f64 = 0.06;
/// Turns in a frame of the strides left, straight and right. [rad]
const TURNS: [f64; 3] = [-0.06, 0.0, 0.06];

/// Where a stride is at a frame when it starts at the origin, facing +z.
fn stride(kind: usize, frame: usize) -> Planar {
    let mut at = Planar::IDENTITY;
    for _ in 0..frame {
        let (sin, cos) = at.yaw.sin_cos();
        at = Planar::new(at.x + STEP * sin, at.z + STEP * cos, at.yaw + TURNS[kind]);
    }
    at
}

/// Two nodes a stride, at its start and halfway; jumps lead from there over its second half.
struct Lattice {
    clips: Vec<GraphClip>,
    places: Vec<Place>,
    first_edge: Vec<u32>,
    edges: Vec<Edge>,
    runs: Table<u32>,
    points: Vec<[f32; 2]>,
    arcs: Vec<f32>,
    exits: Vec<Rigid>,
}

impl Lattice {
    fn new() -> Self {
        let kinds = 0..TURNS.len();
        let place = |clip: usize, frame: usize| Place {
            clip: ClipId::from(clip),
            frame: FrameId::from(frame),
        };
        let node = |clip: usize, half: usize| NodeId((2 * clip + half) as u32);
        let (mut edges, mut first_edge) = (Vec::new(), vec![0]);
        for kind in kinds.clone() {
            let [start, middle] = [node(kind, 0), node(kind, 1)];
            edges.push(Edge::new(start, middle, EdgeKind::Play, LabelSet(1)));
            first_edge.push(edges.len() as u32);
            for next in kinds.clone() {
                let jump = EdgeKind::Transition(TransitionId(kind as u32));
                edges.push(Edge::new(middle, node(next, 0), jump, LabelSet(1)));
            }
            first_edge.push(edges.len() as u32);
        }
        let places: Vec<Place> = kinds
            .clone()
            .flat_map(|kind| [place(kind, 0), place(kind, HALF)])
            .collect();
        let frames = kinds
            .clone()
            .flat_map(|kind| (0..FRAMES).map(move |frame| (kind, frame)));
        let point = |(kind, frame)| {
            let at = stride(kind, frame);
            [at.x as f32, at.z as f32]
        };
        Self {
            clips: ["left", "straight", "right"]
                .map(|name| GraphClip {
                    name: name.into(),
                    frames: FRAMES as u32,
                })
                .into(),
            runs: play_runs(&places, &first_edge, &edges, |_| true).into(),
            points: frames.clone().map(point).collect(),
            arcs: frames
                .map(|(_, frame)| (frame as f64 * STEP) as f32)
                .collect(),
            exits: kinds.map(|kind| stride(kind, FRAMES).into()).collect(),
            places,
            first_edge,
            edges,
        }
    }

    /// The strides of a walk, the first of which may be entered halfway, with its root at every frame.
    fn roots(&self, walk: &GraphWalk) -> Vec<Planar> {
        let mut at = walk.placement;
        let mut roots = Vec::new();
        for &edge in &walk.edges {
            let edge = self.edge(edge);
            let from = self.places[edge.from.0 as usize];
            let (kind, first) = (from.clip.index(), from.frame.index());
            roots.extend((first..first + HALF).map(|frame| at.then_after(stride(kind, frame))));
            if first == HALF {
                at = at.then_after(stride(kind, FRAMES));
            }
        }
        roots
    }
}

impl Edges for Lattice {
    fn layout(&self) -> Layout<'_> {
        Layout {
            rate: FrameRate::FPS_30,
            vocabulary: &[],
            clips: &self.clips,
            places: &self.places,
            first_edge: &self.first_edge,
            edges: &self.edges,
            runs: &self.runs,
        }
    }

    fn root(&self, place: Place) -> Planar {
        stride(place.clip.index(), place.frame.index())
    }

    fn trace(&self, edge: &Edge) -> Trace<'_> {
        self.along(self.places[edge.from.0 as usize], HALF)
    }

    fn along(&self, from: Place, frames: usize) -> Trace<'_> {
        let first = from.clip.index() * FRAMES + from.frame.index();
        let end = first + frames.min(FRAMES - from.frame.index());
        Trace {
            points: &self.points[first..end],
            arcs: &self.arcs[first..end],
        }
    }

    fn join(&self, edge: &Edge) -> Option<Join<'_>> {
        match edge.kind() {
            EdgeKind::Play => None,
            EdgeKind::Transition(TransitionId(kind)) => Some(Join {
                exit: &self.exits[kind as usize],
                error: 0.0,
            }),
        }
    }

    fn costs(&self, _: &Preference, _: &[String]) -> EdgeCosts<'_> {
        Box::new(|_| 0.0)
    }
}

/// Points every centimetre of a bend to the left and back, 4.5 m long.
fn winding() -> Vec<[f64; 2]> {
    let mut at = Planar::IDENTITY;
    let mut points = Vec::new();
    for step in 0..=450 {
        points.push([at.x, at.z]);
        let bend = if step < 200 { -0.6 } else { 0.7 };
        let (sin, cos) = at.yaw.sin_cos();
        at = Planar::new(at.x + 0.01 * sin, at.z + 0.01 * cos, at.yaw + 0.01 * bend);
    }
    points
}

/// Squared distances from the path, summed up to the frame that comes to its end, each from the nearest
/// point at or after the last one's; `None` if the end is not reached.
fn deviation(path: &[[f64; 2]], roots: impl Iterator<Item = Planar>) -> Option<f64> {
    let (mut along, mut sum) = (0, 0.0);
    for root in roots {
        let off = |index: &usize| {
            let [x, z] = path[*index];
            (x - root.x).powi(2) + (z - root.z).powi(2)
        };
        let near = along..(along + 30).min(path.len());
        along = near.min_by(|a, b| off(a).total_cmp(&off(b)))?;
        sum += off(&along);
        if along + 1 == path.len() {
            return Some(sum);
        }
    }
    None
}

/// Every series of so many strides, placed so that it starts at the origin and goes along +z.
fn all_walks(strides: u32) -> impl Iterator<Item = Vec<Planar>> {
    (0..3usize.pow(strides)).map(move |number| {
        let kind = |place: u32| number / 3usize.pow(place) % 3;
        let first = stride(kind(0), 5);
        let mut at = Planar::carrying(
            Planar::new(0.0, 0.0, first.x.atan2(first.z)),
            Planar::IDENTITY,
        );
        let mut roots = Vec::new();
        for place in 0..strides {
            roots.extend((0..FRAMES).map(|frame| at.then_after(stride(kind(place), frame))));
            at = at.then_after(stride(kind(place), FRAMES));
        }
        roots.push(at);
        roots
    })
}

fn connected(graph: &Lattice, walk: &GraphWalk) -> bool {
    let mut at = walk.start;
    walk.edges.iter().all(|&edge| {
        let edge = graph.edge(edge);
        std::mem::replace(&mut at, edge.to) == edge.from
    })
}

#[test]
fn a_path_is_followed_as_well_as_by_any_walk() {
    let (graph, points) = (Lattice::new(), winding());
    let best = all_walks(8)
        .filter_map(|roots| deviation(&points, roots.into_iter()))
        .fold(f64::INFINITY, f64::min);
    let path = GroundPath::new(points.clone()).unwrap();
    for search in [FollowSearch::Beam, FollowSearch::INCREMENTAL] {
        let options = FollowOptions {
            search,
            join_cost: 0.0,
            tolerance: 1e3,
            ..FollowOptions::default()
        };
        let found = find_walk(&graph, &path, &options).unwrap();
        assert!(connected(&graph, &found.walk));
        let own = deviation(&points, graph.roots(&found.walk).into_iter()).unwrap();
        assert!(
            (found.error - own).abs() < 0.1 * own + 1e-3,
            "{} is not {own}",
            found.error
        );
        let bar = if search == FollowSearch::Beam {
            1.02
        } else {
            1.5
        };
        assert!(
            own < bar * best + 1e-3,
            "{search:?}: {own}, all walks {best}"
        );
    }
}

#[test]
fn a_clip_is_reached_where_some_walk_reaches_it() {
    let graph = Lattice::new();
    // Where straight, left, left, straight, straight and right lead.
    let wanted = [1, 0, 0, 1, 1, 2]
        .into_iter()
        .fold(Planar::IDENTITY, |at, kind| {
            at.then_after(stride(kind, FRAMES))
        });
    let target = Target {
        clip: ClipId(2),
        frames: None,
        place: [wanted.x, wanted.z],
        heading: Some(wanted.yaw),
        from: Planar::IDENTITY,
    };
    let found = find_entry(&graph, &target, &ReachOptions::default()).unwrap();
    assert!(connected(&graph, &found.walk));
    assert_eq!((found.frame, found.target), (0, 0));
    let last = graph.edge(found.walk.edges[found.walk.edges.len() - 1]);
    assert_eq!(graph.places[last.to.0 as usize].clip, target.clip);
    let end = *graph.roots(&found.walk).last().unwrap();
    let far = STEP + 0.1;
    let off = (end.x - wanted.x).hypot(end.z - wanted.z);
    assert!(off < far, "{off:.3} m off, a frame before the clip");
    // Nor is it luck: most walks of as many strides end elsewhere.
    let ends = all_walks(6).map(|roots| roots[roots.len() - 1]);
    let near = ends.filter(|end| (end.x - wanted.x).hypot(end.z - wanted.z) < far);
    assert!(near.count() < 729 / 10);
}

#[test]
fn all_of_it_is_wandered_through_and_steered() {
    let graph = Lattice::new();
    let options = WanderOptions {
        seconds: 20.0,
        ..WanderOptions::default()
    };
    let walk = find_wander(&graph, &options).unwrap();
    assert!(connected(&graph, &walk));
    for node in 0..graph.places.len() as u32 {
        let passes = walk
            .edges
            .iter()
            .filter(|&&e| graph.edge(e).to == NodeId(node));
        assert!(passes.count() >= 10, "node {node}");
    }
    // Halfway through a straight stride, the best edge towards each side turns that way.
    let table = ControlTable::new(&graph, &ControlOptions::default(), &Run::quiet()).unwrap();
    for (yaw, next) in [(-1.5, 0), (1.5, 2)] {
        let EdgeId(edge) = table.best_edge(&graph, NodeId(3), yaw, None);
        let to = graph.edges[edge as usize].to;
        assert_eq!(graph.places[to.0 as usize].clip, ClipId(next), "{yaw}");
    }
}
