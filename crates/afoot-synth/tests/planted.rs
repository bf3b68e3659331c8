//! Walks played with planted feet: cleaned transitions as kept, or made when they are played.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use afoot_analyze::measure_skate;
use afoot_core::{Clip, Planar, forward_kinematics};
use afoot_graph::{
    CleanTransitions, EdgeId, EdgeKind, MotionGraph, NodeId, clean_transitions, level_clip,
    plant_clips,
};
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{GraphWalk, Repertoire, play_walk};
use support::graph_of;

fn walks() -> Vec<Clip> {
    let mut clips = sample_library(&SampleOptions::default());
    let names = ["walk", "walk_turn_left", "walk_circle_left"];
    clips.retain(|clip| names.contains(&clip.name.as_str()));
    clips.iter().map(level_clip).collect()
}

fn kept(graph: &MotionGraph, clips: &[Clip]) -> CleanTransitions {
    let none = CleanTransitions::default();
    clean_transitions(graph, &plant_clips(clips), &none, &Run::quiet()).unwrap()
}

/// A walk that takes a transition wherever there is one, another each time.
fn restless(graph: &MotionGraph, edges: usize) -> GraphWalk {
    let mut walk = GraphWalk {
        start: NodeId(0),
        placement: Planar::IDENTITY,
        edges: Vec::new(),
        spare: 0,
    };
    let mut node = walk.start;
    for step in 0..edges {
        let first = graph.first_edge[node.0 as usize] as usize;
        let ways = graph.edges_from(node);
        let jumps: Vec<usize> = (0..ways.len())
            .filter(|way| ways[*way].kind() != EdgeKind::Play)
            .collect();
        let way = match jumps.len() {
            0 => 0,
            count => jumps[step * 7 % count],
        };
        walk.edges.push(EdgeId((first + way) as u32));
        node = ways[way].to;
    }
    walk
}

#[test]
fn feet_slide_less_than_as_captured_and_blended() {
    let clips = walks();
    let graph = graph_of(&clips, 6.0);
    let walk = restless(&graph, 60);
    let raw = Repertoire::new(graph.clone(), &clips).unwrap();
    let clean = kept(&graph, &clips);
    let planted = raw.clone().with_planted_feet(Some(clean));
    let speed = |repertoire: &Repertoire| {
        let played = play_walk(repertoire, &walk);
        assert!(played.joins > 10, "{}", played.joins);
        let positions = forward_kinematics(&played.clip);
        let skate = measure_skate(
            &played.clip,
            &positions,
            &played.clip.contacts,
            &Default::default(),
        );
        skate.unwrap().mean_speed
    };
    let [before, after] = [&raw, &planted].map(speed);
    assert!(after < 0.5 * before, "{before} m/s, then {after} m/s");
}

#[test]
fn transitions_are_the_same_kept_or_made_when_played() {
    let clips = walks();
    let graph = graph_of(&clips, 6.0);
    let walk = restless(&graph, 40);
    let planted = |kept: Option<CleanTransitions>| {
        let repertoire = Repertoire::new(graph.clone(), &clips).unwrap();
        play_walk(&repertoire.with_planted_feet(kept), &walk)
    };
    let from_kept = planted(Some(kept(&graph, &clips)));
    assert_eq!(from_kept, planted(None));
    // Those of another graph are not used.
    assert_eq!(from_kept, planted(Some(CleanTransitions::default())));
}
