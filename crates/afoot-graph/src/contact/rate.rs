//! What a metre costs at the least, however motion goes on: the least ratio of cost to way over all
//! cycles of a graph.
//!
//! Some steps cost next to nothing a metre (a flight asks for no torque), but none can be taken again and
//! again without others that pay for it. Bisection over the ratio; cycles that cost less than it are
//! found by Bellman and Ford's rounds. A walk costs at least that ratio times its way, less what one
//! step after another can save, which the tables of the heuristic know.

use super::ContactStep;

/// Rounds of the bisection: a thousandth of the range, from below.
const ROUNDS: usize = 24;

/// The least ratio, from below. [1/m]
pub(super) fn least_cycle_rate(first: &[u32], steps: &[ContactStep]) -> f64 {
    let ratio = |step: &ContactStep| step.cost / step.length.max(1e-6);
    let mut low = steps.iter().map(ratio).fold(f64::INFINITY, f64::min);
    if !low.is_finite() {
        return 0.0;
    }
    // The dearest metre of any step that moves bounds it from above; most cycles are far below.
    let moving = steps.iter().filter(|step| step.length > 0.1);
    let mut high = moving.map(ratio).fold(low, f64::max).min(low + 10.0);
    for _ in 0..ROUNDS {
        let middle = 0.5 * (low + high);
        match has_saving_cycle(first, steps, middle) {
            true => high = middle,
            false => low = middle,
        }
    }
    low
}

/// Whether some cycle costs less than `rate` a metre.
pub(super) fn has_saving_cycle(first: &[u32], steps: &[ContactStep], rate: f64) -> bool {
    let states = first.len() - 1;
    let mut least = vec![0.0f64; states];
    for _ in 0..=states {
        let mut fell = false;
        for from in 0..states {
            for step in &steps[first[from] as usize..first[from + 1] as usize] {
                let through = least[from] + step.cost - rate * step.length;
                if through < least[step.to as usize] - 1e-9 {
                    least[step.to as usize] = through;
                    fell = true;
                }
            }
        }
        if !fell {
            return false;
        }
    }
    true
}
