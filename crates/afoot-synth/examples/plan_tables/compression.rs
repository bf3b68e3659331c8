//! Table 1: how large graphs are, and whether what is left does what the whole did.

use afoot_core::Clip;
use afoot_graph::contact::{ContactGraph, ContactOptions, EventKind, Merging, build_contact_graph};
use afoot_run::Run;
use afoot_search::Random;
use afoot_synth::plan::{Constraint, Goal, PlanOptions, Planner, SetTask, Task};

/// Most expansions of a task.
const BUDGET: u64 = 100_000;

pub fn run(clips: &[Clip], options: &ContactOptions, tasks: usize) {
    let begun = std::time::Instant::now();
    let merged = build_contact_graph(clips, options, &Run::quiet()).unwrap();
    let report = &merged.report;
    println!(
        "| MG: states, transitions | changes, cheapest ways | merged: states, steps | states down by | seconds |"
    );
    println!("|---|---|---|---|---|");
    println!(
        "| {}, {} | {}, {} | {}, {} | {:.0} | {:.1} |",
        report.frames,
        report.transitions,
        report.culled_states,
        report.culled_steps,
        report.states,
        report.steps,
        report.frames as f64 / report.states as f64,
        begun.elapsed().as_secs_f64()
    );
    if tasks == 0 {
        return;
    }
    let unmerged = ContactOptions {
        merging: Merging {
            threshold_cm: 0.0,
            ..options.merging
        },
        ..options.clone()
    };
    let culled = build_contact_graph(clips, &unmerged, &Run::quiet()).unwrap();
    compare(clips, [&culled, &merged], tasks);
}

/// Seeded tasks on the graph before and after merging.
fn compare(clips: &[Clip], graphs: [&ContactGraph; 2], count: usize) {
    let mut random = Random::new(2);
    let (mut solved, mut ratios) = ([0, 0], Vec::new());
    for _ in 0..count {
        let task = task(graphs[1], &mut random);
        let costs = graphs.map(|graph| {
            let set = SetTask {
                task: task.clone(),
                world: None,
            };
            let mut planner = Planner::new(graph, clips, set, PlanOptions::default()).ok()?;
            while planner.expanded() < BUDGET {
                match planner.advance(BUDGET - planner.expanded(), None) {
                    afoot_search::Advance::Improved(_) => {}
                    _ => break,
                }
            }
            planner.solution().map(|solution| solution.cost)
        });
        (0..2).for_each(|graph| solved[graph] += usize::from(costs[graph].is_some()));
        if let [Some(before), Some(after)] = costs {
            ratios.push(after / before);
        }
    }
    println!(
        "{count} tasks of {BUDGET} expansions: solved {} before merging, {} after; cost after / before {:.3} over {}",
        solved[0],
        solved[1],
        ratios.iter().sum::<f64>() / ratios.len().max(1) as f64,
        ratios.len()
    );
}

/// A walk, or a pick where something is picked up.
fn task(graph: &ContactGraph, random: &mut Random) -> Task {
    let mut task =
        Task::from_json(r#"{"goal": {"x": 0, "z": 0, "tolerance": 0.3}, "epsilon": 2}"#).unwrap();
    let far = 1.0 + 2.0 * random.unit();
    let bearing = 2.0 * (random.unit() - 0.5);
    let [x, z] = [far * bearing.sin(), far * bearing.cos()];
    let picks = graph.states.iter().filter_map(|state| state.event);
    let picks: Vec<f64> = picks
        .filter(|event| matches!(event.kind, EventKind::Pick(_)))
        .map(|event| event.point[1])
        .collect();
    if picks.is_empty() || random.unit() < 0.5 {
        task.goal = task.goal.map(|goal| Goal { x, z, ..goal });
    } else {
        let height = picks[(random.unit() * picks.len() as f64) as usize % picks.len()];
        task.goal = None;
        task.constraints = vec![Constraint::Pick {
            at: [x, height, z],
            root: None,
        }];
        task.tolerance = 0.1;
    }
    task
}
