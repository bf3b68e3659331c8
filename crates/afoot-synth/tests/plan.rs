//! Plans on a few sample clips: they do what they are asked to, say what they can't, and prove what they say.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_core::Clip;
use afoot_graph::contact::{ContactGraph, ContactOptions, build_contact_graph};
use afoot_graph::level_clip;
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_motion, task_motions};
use afoot_search::{Advance, Solution};
use afoot_synth::World;
use afoot_synth::plan::{Guidance, PlanError, PlanOptions, Planner, SetTask, Task};

fn library() -> (Vec<Clip>, ContactGraph) {
    let wanted = [
        "walk",
        "start",
        "stop",
        "walk_turn_left",
        "walk_turn_right",
        "stand",
        "pick_right_50_42",
        "pick_right_30_42",
    ];
    let clips: Vec<Clip> = task_motions()
        .into_iter()
        .filter(|(name, _)| wanted.contains(&name.as_str()))
        .map(|(name, motion)| level_clip(&sample_motion(&name, motion, &SampleOptions::default())))
        .collect();
    let graph = build_contact_graph(&clips, &ContactOptions::default(), &Run::quiet()).unwrap();
    (clips, graph)
}

fn set(task: &str, world: Option<&str>) -> SetTask {
    SetTask {
        task: Task::from_json(task).unwrap(),
        world: world.map(|text| World::from_json(text).unwrap()),
    }
}

fn options(interpolation: u8, guidance: Guidance) -> PlanOptions {
    PlanOptions {
        interpolation,
        guidance,
        ..PlanOptions::default()
    }
}

/// Searches on to the end, or for so many expansions; every bound on the way holds for what comes after.
fn search(planner: &mut Planner, budget: u64) -> Option<(Solution, bool)> {
    let mut solutions: Vec<Solution> = Vec::new();
    let ended = loop {
        match planner.advance(budget.saturating_sub(planner.expanded()), None) {
            Advance::Improved(solution) => solutions.push(solution),
            Advance::Optimal(solution) => {
                solutions.push(solution);
                break true;
            }
            _ => break false,
        }
    };
    let last = planner.solution()?;
    for solution in &solutions {
        assert!(solution.cost <= solution.bound * last.cost + 1e-9);
    }
    Some((last, ended))
}

#[test]
fn a_walk_ends_where_it_should_and_its_bound_holds() {
    let (clips, graph) = library();
    let task = r#"{"goal": {"x": 0.3, "z": 2.5, "tolerance": 0.15}}"#;
    let mut costs = Vec::new();
    for guidance in [Guidance::Combined, Guidance::Graph, Guidance::Place] {
        let mut planner =
            Planner::new(&graph, &clips, set(task, None), options(0, guidance)).unwrap();
        let (solution, optimal) = search(&mut planner, 150_000).unwrap();
        let planned = planner.play().unwrap();
        assert!(planned.met[0].error < 0.1, "{:?}", planned.met);
        assert!(planned.played.clip.check().is_ok());
        let frames: u64 = planned
            .played
            .sources
            .iter()
            .map(|s| u64::from(s.frames.end - s.frames.start))
            .sum();
        assert_eq!(frames, planned.played.clip.len() as u64);
        if optimal {
            costs.push(solution.cost);
        }
    }
    // Whichever lower bounds came to an end, they agree but for which state of a cell was followed.
    for cost in &costs {
        assert!((cost / costs[0] - 1.0).abs() < 0.05, "{costs:?}");
    }
}

#[test]
fn something_is_picked_up_between_two_captured_heights() {
    let (clips, graph) = library();
    let task =
        r#"{"constraints": [{"kind": "pick", "at": [-0.12, 0.40, 1.9]}], "tolerance": 0.05}"#;
    let mut planner = Planner::new(
        &graph,
        &clips,
        set(task, None),
        options(2, Guidance::Combined),
    )
    .unwrap();
    search(&mut planner, 60_000).unwrap();
    let planned = planner.play().unwrap();
    assert_eq!(planned.met[0].kind, "pick");
    assert!(planned.met[0].error < 0.08, "{:?}", planned.met);
    // Without interpolation nothing in the library is that high.
    let alone = Planner::new(
        &graph,
        &clips,
        set(task, None),
        options(0, Guidance::Combined),
    );
    assert!(matches!(alone, Err(PlanError::Unreachable { .. })));
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is_searched() {
    let (clips, graph) = library();
    let why = |task: &str, world: Option<&str>| {
        let planner = Planner::new(&graph, &clips, set(task, world), PlanOptions::default());
        match planner {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{task} can be done"),
        }
    };
    let high = why(
        r#"{"constraints": [{"kind": "pick", "at": [0, 3, 2]}]}"#,
        None,
    );
    assert!(
        high.contains("constraint 1 (pick)") && high.contains("nearest"),
        "{high}"
    );
    let never = why(
        r#"{"constraints": [{"kind": "sit", "at": [0, 2], "height": 0.4}]}"#,
        None,
    );
    assert!(never.contains("never does"), "{never}");
    let room = r#"{"bounds": [[-3, -3], [3, 6]], "obstacles": [{"circle": [0, 3, 1]}]}"#;
    let inside = why(r#"{"goal": {"x": 0, "z": 3}}"#, Some(room));
    assert!(
        inside.contains("the goal") && inside.contains("no way"),
        "{inside}"
    );
    let begins = why(
        r#"{"start": {"x": 0, "z": 3}, "goal": {"x": 2, "z": 0}}"#,
        Some(room),
    );
    assert!(begins.contains("begin"), "{begins}");
}

#[test]
fn tasks_are_refused_by_what_is_wrong_with_them() {
    for (text, words) in [
        ("", "line 1"),
        ("{}", "nothing to do"),
        (
            r#"{"goal": {"x": 1, "z": 2}, "tolerance": 0}"#,
            "tolerance is 0",
        ),
        (r#"{"goal": {"x": 1, "z": 2}, "gaol": 1}"#, "gaol"),
        (r#"{"constraints": [{"kind": "fly"}]}"#, "fly"),
        (r#"{"goal": {"x": 1e9, "z": 2}}"#, "1000000000"),
    ] {
        let error = Task::from_json(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}
