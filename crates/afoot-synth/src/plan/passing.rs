//! Which states can get past a bar, over a river or onto something: those that a lower bound leads to, and
//! what of the kind a library can do at most.

use afoot_graph::contact::{ContactGraph, ContactStep};

use super::task::Constraint;
use super::terrain::STANDING;

/// States from or in which a pass can be made; none, where nothing in the library can make it.
pub(super) fn passing_states(graph: &ContactGraph, constraint: &Constraint) -> Vec<u32> {
    let all = 0..graph.states.len() as u32;
    let height = constraint.height();
    match constraint {
        Constraint::Duck { .. } => low_states(graph, height),
        Constraint::StepOn { .. } => all
            .filter(|state| {
                foot_heights(graph, *state).any(|foot| (foot - height).abs() < STANDING)
            })
            .collect(),
        _ if can_pass(graph, constraint) => all.collect(),
        _ => Vec::new(),
    }
}

/// What of a pass the library can do that is nearest to what is wanted, in words.
pub(super) fn nearest_pass(graph: &ContactGraph, constraint: &Constraint) -> Option<String> {
    let wanted = constraint.height();
    match constraint {
        Constraint::Duck { .. } => {
            let heads = graph.steps.iter().flat_map(|step| &step.samples);
            let lowest = heads.map(|sample| sample.head).reduce(f32::min)?;
            let lowest = f64::from(lowest);
            Some(format!(
                "the bar is {wanted:.2} m high; heads of the library pass {lowest:.2} m at the lowest"
            ))
        }
        Constraint::StepOver { .. } => {
            let lift = highest_foot(graph)?;
            Some(format!(
                "the bar is {wanted:.2} m high; feet of the library are lifted to {lift:.2} m"
            ))
        }
        Constraint::StepOn { .. } => {
            let states = 0..graph.states.len() as u32;
            let feet = states.flat_map(|state| foot_heights(graph, state));
            let nearest = feet.min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs()))?;
            Some(format!(
                "it is {wanted:.2} m high; feet of the library stand at {nearest:.2} m at the nearest"
            ))
        }
        Constraint::Jump { from, to } => {
            let wide = (to[0] - from[0]).hypot(to[1] - from[1]);
            let most = longest_gap(graph);
            Some(format!(
                "it is {wide:.2} m wide; feet of the library are put down {most:.2} m apart at the farthest"
            ))
        }
        _ => None,
    }
}

fn can_pass(graph: &ContactGraph, constraint: &Constraint) -> bool {
    match constraint {
        Constraint::StepOver { height, .. } => {
            highest_foot(graph).is_some_and(|lift| lift >= *height)
        }
        Constraint::Jump { from, to } => {
            longest_gap(graph) >= (to[0] - from[0]).hypot(to[1] - from[1])
        }
        _ => true,
    }
}

/// States from which a step is low enough for a bar, and those that it leads to.
fn low_states(graph: &ContactGraph, height: f64) -> Vec<u32> {
    let is_low = |step: &&ContactStep| {
        let mut samples = step.samples.iter();
        samples.any(|sample| f64::from(sample.head) <= height)
    };
    let mut states: Vec<u32> = Vec::new();
    for from in 0..graph.states.len() as u32 {
        let onward = graph.steps_of(from).iter().filter(is_low);
        let before = states.len();
        states.extend(onward.map(|step| step.to));
        if states.len() > before {
            states.push(from);
        }
    }
    states.sort_unstable();
    states.dedup();
    states
}

/// How high the feet that stand in a state stand. [m]
fn foot_heights(graph: &ContactGraph, state: u32) -> impl Iterator<Item = f64> {
    let feet = graph.states[state as usize].feet.iter();
    feet.map(|foot| f64::from(foot[2]))
}

/// How high a foot is lifted at most. [m]
fn highest_foot(graph: &ContactGraph) -> Option<f64> {
    let samples = graph.steps.iter().flat_map(|step| &step.samples);
    let feet = samples.flat_map(|sample| sample.feet);
    feet.map(|foot| f64::from(foot[2])).reduce(f64::max)
}

/// The farthest that a foot is put down from one that stood before: nothing wider is got over, since
/// somewhere a foot is on the near bank and the next one on the far bank. Flights lead from a state with feet to one
/// without, and on to one with feet again. [m]
fn longest_gap(graph: &ContactGraph) -> f64 {
    let mut longest: f64 = 0.0;
    for (index, state) in graph.states.iter().enumerate() {
        for step in graph.steps_of(index as u32) {
            let next = &graph.states[step.to as usize];
            let mut landings = vec![(step.motion, next)];
            if next.feet.is_empty() {
                landings = graph
                    .steps_of(step.to)
                    .iter()
                    .map(|fall| {
                        let motion = step.motion.then_after(fall.motion);
                        (motion, &graph.states[fall.to as usize])
                    })
                    .collect();
            }
            for (motion, landed) in landings {
                let feet = landed.feet.iter();
                for [x, z] in
                    feet.map(|foot| motion.point([f64::from(foot[0]), f64::from(foot[1])]))
                {
                    let away = state.feet.iter();
                    let away =
                        away.map(|foot| (x - f64::from(foot[0])).hypot(z - f64::from(foot[1])));
                    longest = away.fold(longest, f64::max);
                }
            }
        }
    }
    longest
}
