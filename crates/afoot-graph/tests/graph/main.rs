//! The graph as a whole: what always holds, whatever the clips.
#![allow(clippy::unwrap_used)] // a test fails by panicking

#[path = "../support/mod.rs"]
mod support;

mod auto;
mod connection;
mod labels;
mod matrix;
mod pieces;
mod refusals;

use afoot_core::Clip;
use afoot_graph::{
    Artefact, EdgeKind, GraphOptions, GraphReport, MotionGraph, TransitionId, build_graph,
};
use afoot_run::Run;
use afoot_search::strong_components;

use support::pacing;

fn build(clips: &[Clip], options: &GraphOptions) -> (MotionGraph, GraphReport) {
    let built = build_graph(clips, options, &Run::quiet()).unwrap();
    check(&built.0, clips);
    built
}

fn at(threshold_cm: f32) -> GraphOptions {
    GraphOptions {
        threshold_cm,
        ceiling_cm: threshold_cm.max(8.0),
        ..GraphOptions::default()
    }
}

/// What must hold of every graph.
fn check(graph: &MotionGraph, clips: &[Clip]) {
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    assert_eq!(graph.first_edge.len(), nodes + 1);
    assert_eq!(graph.first_edge[nodes] as usize, edges);
    let targets: Vec<u32> = graph.edges.iter().map(|edge| edge.to.0).collect();
    let components = strong_components(&graph.first_edge, &targets);
    assert!(
        components.iter().all(|component| *component == 0),
        "one component"
    );
    assert!(nodes == 0 || edges > 0);
    for edge in &graph.edges {
        let [from, to] = [edge.from, edge.to].map(|node| graph.nodes[node.0 as usize]);
        match edge.kind() {
            EdgeKind::Play => {
                assert_eq!(from.clip, to.clip);
                assert!(from.frame < to.frame);
                let clip = &clips[from.clip.index()];
                let faulty = |f: u32| clip.faults.iter().any(|fault| fault.contains(&f));
                assert!(!(from.frame.0..to.frame.0).any(faulty));
            }
            EdgeKind::Transition(TransitionId(index)) => {
                let transition = graph.transitions[index as usize];
                assert_eq!((transition.from, transition.to), (from, to));
                assert!(transition.error_cm.is_finite() && transition.placement.yaw.is_finite());
            }
        }
    }
    let jumps = graph
        .edges
        .iter()
        .filter(|edge| edge.kind() != EdgeKind::Play)
        .count();
    assert_eq!(jumps, graph.transitions.len());
    assert_eq!(
        MotionGraph::from_bytes(&graph.to_bytes()).as_ref(),
        Ok(graph)
    );
}

/// Clips that resemble each other.
fn alike(count: usize) -> Vec<Clip> {
    let clip = |n: usize| pacing(&format!("part{n}"), 90 + 17 * n % 60, 7 * n, n as u64 + 1);
    (0..count).map(clip).collect()
}
