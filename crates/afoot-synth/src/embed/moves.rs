//! The moves of a motion graph.

use afoot_core::{FrameId, Planar, wrap_angle};
use afoot_graph::{EdgeId, EdgeKind, NodeId};
use afoot_world::{ChoiceId, Move, Moves};
use rayon::prelude::*;

use crate::edges::Edges;
use crate::repertoire::Repertoire;

/// The moves of a graph: all ways from choice to choice.
pub fn graph_moves(repertoire: &Repertoire) -> Moves {
    let graph = repertoire.graph();
    let nodes = 0..graph.nodes.len() as u32;
    let is_choice = |node: &NodeId| graph.edges_from(*node).len() > 1;
    let choices: Vec<NodeId> = nodes.map(NodeId).filter(is_choice).collect();
    let loosest = graph.transitions.iter().map(|t| t.error_cm);
    let loosest = loosest.fold(0.0, f32::max);
    let list: Vec<Move> = choices
        .par_iter()
        .enumerate()
        .flat_map_iter(|(index, node)| {
            let starts = repertoire.edges_from(*node).map(|(edge, _)| edge);
            let choices = &choices;
            starts.map(move |edge| {
                let from = ChoiceId(index as u32);
                string_together(repertoire, choices, from, edge, loosest)
            })
        })
        .collect();
    Moves::new(graph.rate, graph.vocabulary.clone(), choices, list)
}

/// The move that an edge out of a choice begins.
fn string_together(
    repertoire: &Repertoire,
    choices: &[NodeId],
    from: ChoiceId,
    first: EdgeId,
    loosest: f32,
) -> Move {
    let graph = repertoire.graph();
    let start = repertoire.root_at(choices[from.0 as usize]);
    let mut step = Move {
        from,
        to: from,
        poses: Vec::new(),
        labels: Vec::new(),
        slack: 1.0,
        edges: Vec::new(),
    };
    let mut at = start.inverse();
    let mut next = first;
    loop {
        let edge = repertoire.edge(next);
        step.edges.push(next);
        let place = graph.nodes[edge.from.0 as usize];
        let count = graph.edge_frames(edge);
        match edge.kind() {
            EdgeKind::Play => {
                let clip = repertoire.clip(place.clip);
                let frames = place.frame.0..place.frame.0 + count;
                let poses = frames.map(|frame| at.then_after(clip.placement(FrameId(frame))));
                step.poses.extend(poses);
            }
            EdgeKind::Transition(transition) => {
                let blend = repertoire.blend(transition);
                let frames = 0..count;
                let poses = frames.map(|frame| at.then_after(blend.clip.placement(FrameId(frame))));
                step.poses.extend(poses);
                at = at.then_after(blend.placement);
                let error = graph.transitions[transition.0 as usize].error_cm;
                let slack = 1.0 - f64::from(error / loosest.max(f32::MIN_POSITIVE));
                step.slack = step.slack.min(slack);
            }
        }
        let labels = (0..count).map(|_| edge.labels);
        step.labels.extend(labels);
        if let Ok(to) = choices.binary_search(&edge.to) {
            step.to = ChoiceId(to as u32);
            step.poses.push(at.then_after(repertoire.root_at(edge.to)));
            break;
        }
        // A pruned graph leads on for ever, and from where no choice is it has one way.
        next = EdgeId(graph.first_edge[edge.to.0 as usize]);
    }
    unwrap_headings(&mut step.poses);
    step
}

/// Headings that change by less than half a turn from frame to frame, from 0 on.
fn unwrap_headings(poses: &mut [Planar]) {
    let mut yaw = 0.0;
    let mut last = poses.first().map_or(0.0, |pose| pose.yaw);
    for pose in poses {
        yaw += wrap_angle(pose.yaw - last);
        last = pose.yaw;
        pose.yaw = yaw;
    }
}
