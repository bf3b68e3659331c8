//! Graphs of contact changes on the sample library: what compression keeps.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_core::Clip;
use afoot_graph::contact::{ContactOptions, EventKind, Merging, Objective, build_contact_graph};
use afoot_graph::level_clip;
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};

fn clips(names: &[&str]) -> Vec<Clip> {
    let all = sample_library(&SampleOptions::default());
    let wanted = |clip: &&Clip| names.is_empty() || names.contains(&clip.name.as_str());
    all.iter().filter(wanted).map(level_clip).collect()
}

#[test]
fn steps_go_from_change_to_change() {
    let clips = clips(&[
        "walk",
        "walk_slow",
        "start",
        "stop",
        "stand",
        "pick_up_floor",
    ]);
    let options = ContactOptions::default();
    let graph = build_contact_graph(&clips, &options, &Run::quiet()).unwrap();
    let report = &graph.report;
    println!("{report:?}, {} a metre", graph.cost_per_metre);
    assert!(report.states <= report.culled_states && report.culled_states < report.frames / 5);
    assert!(graph.cost_per_metre >= graph.cheapest_metre && graph.cheapest_metre > 0.0);
    for (index, state) in graph.states.iter().enumerate() {
        assert_ne!(state.phase, state.before);
        for step in graph.steps_of(index as u32) {
            let to = &graph.states[step.to as usize];
            assert_eq!(state.phase, to.before, "contacts hold until they change");
            assert!(step.cost > 0.0 && step.seconds > 0.0);
            assert!(step.cost + 1e-9 >= graph.cheapest_metre * step.length);
            assert!(step.length + 1e-6 >= step.motion.x.hypot(step.motion.z));
        }
    }
    let picks = graph.states.iter().filter_map(|state| state.event);
    let picks: Vec<_> = picks
        .filter(|event| matches!(event.kind, EventKind::Pick(_)))
        .collect();
    assert_eq!(picks.len(), 1);
    assert!((picks[0].point[1] - 0.08).abs() < 0.06, "{picks:?}");
}

/// Every way between two changes, frame by frame, against the steps that were kept.
#[test]
fn unmerged_steps_are_the_captured_ways_where_nothing_is_alike() {
    let clips = clips(&["walk"]);
    let options = ContactOptions {
        merging: Merging {
            threshold_cm: 0.0,
            ..Merging::default()
        },
        objective: Objective::Time,
        graph: afoot_graph::GraphOptions {
            threshold_cm: 0.001,
            ..ContactOptions::default().graph
        },
        ..ContactOptions::default()
    };
    let graph = build_contact_graph(&clips, &options, &Run::quiet()).unwrap();
    for (index, state) in graph.states.iter().enumerate() {
        for step in graph.steps_of(index as u32) {
            let to = &graph.states[step.to as usize];
            let frames = to.place.frame.0 - state.place.frame.0;
            assert_eq!(step.pieces.len(), 1);
            assert!((step.cost - f64::from(frames) / 30.0).abs() < 1e-9);
            let [a, b] = [state, to].map(|state| clips[0].placement(state.place.frame));
            let motion = a.inverse().then_after(b);
            assert!((motion.x - step.motion.x).hypot(motion.z - step.motion.z) < 1e-6);
        }
    }
}

#[test]
fn like_walks_are_compressed_by_more_than_their_changes() {
    let clips = clips(&[
        "walk",
        "walk_slow",
        "walk_fast",
        "walk_turn_left",
        "walk_circle_left",
    ]);
    let graph = build_contact_graph(&clips, &ContactOptions::default(), &Run::quiet()).unwrap();
    println!("{:?}", graph.report);
    assert!(graph.report.frames > 10 * graph.report.states);
    assert!(
        graph.report.culled_states > 2 * graph.report.states,
        "merging counts too"
    );
}
