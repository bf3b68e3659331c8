//! Plans on a few sample clips: they do what they are asked to, say what they can't, and prove what they say.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_core::Clip;
use afoot_graph::contact::{ContactGraph, ContactOptions, build_contact_graph};
use afoot_graph::level_clip;
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_motion, task_motions};
use afoot_search::{Advance, Solution};
use afoot_synth::World;
use afoot_synth::plan::{PlanOptions, Planner, SetTask, Task};

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

/// Searches on to the end, or for so many expansions; every bound on the way holds for what comes after.
fn search(planner: &mut Planner, budget: u64) -> Option<Solution> {
    let mut solutions: Vec<Solution> = Vec::new();
    loop {
        match planner.advance(budget.saturating_sub(planner.expanded()), None) {
            Advance::Improved(solution) => solutions.push(solution),
            Advance::Optimal(solution) => {
                solutions.push(solution);
                break;
            }
            _ => break,
        }
    }
    let last = planner.solution()?;
    for solution in &solutions {
        assert!(solution.cost <= solution.bound * last.cost + 1e-9);
    }
    Some(last)
}

#[test]
fn a_walk_ends_where_it_should_and_its_bound_holds() {
    let (clips, graph) = library();
    let task = r#"{"goal": {"x": 0, "z": 2, "tolerance": 0.3}}"#;
    let options = PlanOptions::default();
    let mut planner = Planner::new(&graph, &clips, set(task, None), options).unwrap();
    search(&mut planner, 300_000).unwrap();
    let planned = planner.play().unwrap();
    assert!(planned.met[0].error < 0.3, "{:?}", planned.met);
    assert!(planned.played.clip.check().is_ok());
    let frames = planned.played.sources.iter();
    let frames: u64 = frames
        .map(|s| u64::from(s.frames.end - s.frames.start))
        .sum();
    assert_eq!(frames, planned.played.clip.len() as u64);
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
    for (task, words) in [
        (
            r#"{"kind": "duck", "under": [[-1, 2], [1, 2]], "height": 0.3}"#,
            "heads of the library pass",
        ),
        (
            r#"{"kind": "step_over", "over": [[-1, 2], [1, 2]], "height": 1.5}"#,
            "feet of the library are lifted",
        ),
        (
            r#"{"kind": "jump", "from": [0, 2], "to": [0, 6]}"#,
            "4.00 m wide",
        ),
        (
            r#"{"kind": "step_on", "polygon": [[-1, 2], [1, 2], [1, 3], [-1, 3]], "height": 1}"#,
            "feet of the library stand at",
        ),
    ] {
        let passed = why(&format!(r#"{{"constraints": [{task}]}}"#), None);
        assert!(
            passed.contains("constraint 1") && passed.contains(words),
            "{passed}"
        );
    }
    let room = r#"{"bounds": [[-3, -3], [3, 6]], "obstacles": [{"circle": [0, 3, 1]}]}"#;
    let inside = why(r#"{"goal": {"x": 0, "z": 3}}"#, Some(room));
    assert!(
        inside.contains("the goal") && inside.contains("no way") && inside.contains("comes to"),
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
