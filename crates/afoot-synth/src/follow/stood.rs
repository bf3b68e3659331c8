//! Stands at the ends of a walk, drawn out: a walk that leaves its stand at once, or comes to it with its last frame, is seen to
//! begin and end in mid-step. What is captured before and after is played too, as long as it stands.

use afoot_core::FrameId;
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId, Place};

use crate::edges::Edges;
use crate::walk::GraphWalk;

/// How long a figure stands at an end. [s]
const STOOD: f64 = 0.3;

/// Draws out the stands that a walk begins and ends with; whether it stands long enough at either end, of those that are
/// `stands`.
pub(super) fn draw_out_stands(
    graph: &impl Edges,
    walk: &mut GraphWalk,
    stands: [bool; 2],
) -> [bool; 2] {
    let long = graph.layout().rate.frames_in(STOOD) as u32;
    let first = stands[0] && stand_first(graph, walk, long);
    let last = stands[1] && stand_last(graph, walk, long);
    [first, last]
}

fn stand_first(graph: &impl Edges, walk: &mut GraphWalk, long: u32) -> bool {
    let mut stood = 0;
    for id in &walk.edges {
        let (edge, frames) = (graph.edge(*id), graph.frames(graph.edge(*id)));
        let still = (0..frames)
            .take_while(|frame| is_still(graph, edge, *frame))
            .count();
        stood += still as u32;
        if still < frames as usize {
            break;
        }
    }
    while stood < long
        && let Some(id) = edge_into(graph, walk.start).filter(|id| is_stand(graph, *id))
    {
        stood += graph.frames(graph.edge(id));
        walk.start = graph.edge(id).from;
        walk.edges.insert(0, id);
    }
    stood >= long
}

fn stand_last(graph: &impl Edges, walk: &mut GraphWalk, long: u32) -> bool {
    let mut stood = 0;
    let mut spare = walk.spare;
    for id in walk.edges.iter().rev() {
        let edge = graph.edge(*id);
        let frames = graph.frames(edge) - spare;
        spare = 0;
        let still = (0..frames)
            .rev()
            .take_while(|frame| is_still(graph, edge, *frame))
            .count();
        stood += still as u32;
        if still < frames as usize {
            break;
        }
    }
    while stood < long {
        if walk.spare == 0 {
            let Some(next) = edge_out_of(graph, walk) else {
                break;
            };
            walk.spare = graph.frames(graph.edge(next));
            walk.edges.push(next);
        }
        let Some(edge) = walk.edges.last().map(|id| graph.edge(*id)) else {
            break;
        };
        let frame = graph.frames(edge) - walk.spare;
        if !is_still(graph, edge, frame) {
            if frame == 0 {
                walk.edges.pop();
                walk.spare = 0;
            }
            break;
        }
        walk.spare -= 1;
        stood += 1;
    }
    stood >= long
}

/// Whether all of an edge is captured and stands.
fn is_stand(graph: &impl Edges, id: EdgeId) -> bool {
    let edge = graph.edge(id);
    (0..graph.frames(edge)).all(|frame| is_still(graph, edge, frame))
}

/// Whether a frame of an edge is captured and stands.
fn is_still(graph: &impl Edges, edge: &Edge, frame: u32) -> bool {
    let Place { clip, frame: first } = graph.layout().places[edge.from.0 as usize];
    let frame = FrameId(first.0 + frame);
    edge.kind() == EdgeKind::Play && graph.stands(Place { clip, frame })
}

/// What is captured before a node.
fn edge_into(graph: &impl Edges, node: NodeId) -> Option<EdgeId> {
    let before = NodeId(node.0.checked_sub(1)?);
    played_edge(graph, before).filter(|id| graph.edge(*id).to == node)
}

/// What is captured after a walk.
fn edge_out_of(graph: &impl Edges, walk: &GraphWalk) -> Option<EdgeId> {
    let last = graph.edge(*walk.edges.last()?);
    played_edge(graph, last.to)
}

fn played_edge(graph: &impl Edges, from: NodeId) -> Option<EdgeId> {
    let mut edges = graph.edges_from(from);
    let played = edges.find(|(_, edge)| edge.kind() == EdgeKind::Play);
    played.map(|(id, _)| id)
}
