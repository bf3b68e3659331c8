//! How well rows would be told that a machine was not trained on: cross-validation by groups.
//!
//! Rows of one group (the frames of a stretch of motion) are much alike, so a group is either trained on
//! or told, never both. Folds share the examples among them as evenly as groups allow.

use super::cache::{Gram, KernelRows};
use super::kernel::Kernel;
use super::smo::{Dual, solve};
use super::{Examples, SvmError, SvmOptions, check};

/// How rows are told by machines that were not trained on their group.
#[derive(Clone, Copy, Debug)]
pub struct Folds<'a> {
    /// The group of each row.
    pub groups: &'a [u32],
    /// Parts that groups are shared among. [≥ 2]
    pub count: usize,
    /// What all costs are multiplied by: one answer for each.
    pub cost_factors: &'a [f32],
}

/// For each cost factor the decision of each row by a machine that was trained without its group. A
/// row of a fold without which one side would be missing has none. Memory: 4 bytes a pair of rows.
pub fn held_out_decisions(
    examples: Examples,
    folds: Folds,
    kernel: &Kernel,
    options: &SvmOptions,
) -> Result<Vec<Vec<Option<f32>>>, SvmError> {
    check(examples, kernel)?;
    let Examples {
        rows,
        labels,
        costs,
    } = examples;
    let gram = Gram::new(kernel, rows);
    let fold_of = share_groups(labels, folds.groups, folds.count);
    let mut decisions = vec![vec![None; rows.len()]; folds.cost_factors.len()];
    for fold in 0..folds.count {
        let part = |own: bool| -> Vec<usize> {
            (0..rows.len())
                .filter(|row| (fold_of[*row] == fold) == own)
                .collect()
        };
        let (told, trained) = (part(true), part(false));
        let both = [true, false].map(|side| trained.iter().any(|row| labels[*row] == side));
        if told.is_empty() || both != [true, true] {
            continue;
        }
        let part_labels: Vec<bool> = trained.iter().map(|row| labels[*row]).collect();
        for (factor, decisions) in folds.cost_factors.iter().zip(&mut decisions) {
            let part_costs: Vec<f32> = trained.iter().map(|row| factor * costs[*row]).collect();
            let dual = Dual {
                labels: &part_labels,
                costs: &part_costs,
                start: vec![0.0; trained.len()],
                tolerance: options.tolerance,
                most_steps: options.steps,
                cancel: options.cancel,
            };
            let solution = solve(KernelRows::of_gram(&gram, &trained), dual);
            for row in &told {
                let alike = gram.row(*row);
                let says = trained.iter().zip(&solution.beta);
                let sum: f64 = says.map(|(k, beta)| beta * f64::from(alike[*k])).sum();
                decisions[*row] = Some((sum + solution.bias) as f32);
            }
        }
    }
    Ok(decisions)
}

/// The fold of each row: groups with the most examples first, each into the fold with the fewest.
fn share_groups(labels: &[bool], groups: &[u32], folds: usize) -> Vec<usize> {
    let mut counts: std::collections::BTreeMap<u32, [usize; 2]> = Default::default();
    for (label, group) in labels.iter().zip(groups) {
        counts.entry(*group).or_default()[usize::from(!label)] += 1;
    }
    let mut order: Vec<(u32, [usize; 2])> = counts.into_iter().collect();
    order.sort_by_key(|(group, counts)| (std::cmp::Reverse(*counts), *group));
    let mut filled = vec![[0usize; 2]; folds.max(1)];
    let mut fold_of: std::collections::BTreeMap<u32, usize> = Default::default();
    for (group, [examples, others]) in order {
        let by = |fold: &usize| match examples > 0 {
            true => (filled[*fold][0], filled[*fold][1]),
            false => (filled[*fold][1], filled[*fold][0]),
        };
        let fold = (0..filled.len()).min_by_key(by).unwrap_or(0);
        filled[fold][0] += examples;
        filled[fold][1] += others;
        fold_of.insert(group, fold);
    }
    groups.iter().map(|group| fold_of[group]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::noise;
    use crate::rows::Rows;
    use crate::svm::train;

    #[test]
    fn groups_stay_whole_and_examples_are_shared() {
        let groups: Vec<u32> = (0..60).map(|row| row / 5).collect();
        let labels: Vec<bool> = groups.iter().map(|group| group % 3 == 0).collect();
        let folds = share_groups(&labels, &groups, 4);
        for group in 0..12 {
            let own: Vec<usize> = (0..60).filter(|row| groups[*row] == group).collect();
            assert!(own.iter().all(|row| folds[*row] == folds[own[0]]));
        }
        for fold in 0..4 {
            let examples = (0..60)
                .filter(|row| folds[*row] == fold && labels[*row])
                .count();
            assert_eq!(examples, 5);
        }
    }

    /// Labels that only the group decides can't be told from outside of it, and are learned by heart
    /// within.
    #[test]
    fn what_was_learned_by_heart_does_not_count() {
        let groups: Vec<u32> = (0..200).map(|row| row / 10).collect();
        let centres = noise(20 * 4, 9);
        let spread = noise(200 * 4, 10);
        let values: Vec<f32> = (0..200 * 4)
            .map(|at| 3.0 * centres[groups[at / 4] as usize * 4 + at % 4] + 0.01 * spread[at])
            .collect();
        let labels: Vec<bool> = groups.iter().map(|group| (group * 7) % 5 < 2).collect();
        let examples = Examples {
            rows: Rows::new(&values, 4).unwrap(),
            labels: &labels,
            costs: &[10.0; 200],
        };
        let kernel = Kernel::gaussian(4, 1.0);
        let options = SvmOptions::default();
        let svm = train(examples, &kernel, &options).unwrap().svm;
        let right = |decisions: Vec<f32>| {
            let right = decisions
                .iter()
                .zip(&labels)
                .filter(|(d, l)| (**d > 0.0) == **l);
            right.count()
        };
        assert_eq!(right(svm.decide(examples.rows)), 200);
        let folds = Folds {
            groups: &groups,
            count: 5,
            cost_factors: &[1.0, 0.1],
        };
        let held = held_out_decisions(examples, folds, &kernel, &options).unwrap();
        assert_eq!(held.len(), 2);
        for held in held {
            let held: Vec<f32> = held.into_iter().map(Option::unwrap).collect();
            assert!(right(held) < 160);
        }
    }

    /// The same decisions as from machines that are trained on the other folds' rows.
    #[test]
    fn decisions_are_those_of_machines_trained_apart() {
        let values = noise(120 * 3, 5);
        let rows = Rows::new(&values, 3).unwrap();
        let labels: Vec<bool> = rows.iter().map(|row| row[0] + row[1] > 0.3).collect();
        let groups: Vec<u32> = (0..120).map(|row| row / 8).collect();
        let costs = [2.0; 120];
        let examples = Examples {
            rows,
            labels: &labels,
            costs: &costs,
        };
        let folds = Folds {
            groups: &groups,
            count: 3,
            cost_factors: &[1.0],
        };
        let kernel = Kernel::gaussian(3, 0.5);
        let options = SvmOptions::default();
        let held = &held_out_decisions(examples, folds, &kernel, &options).unwrap()[0];
        let fold_of = share_groups(&labels, &groups, 3);
        for fold in 0..3 {
            let part: Vec<usize> = (0..120).filter(|row| fold_of[*row] != fold).collect();
            let values: Vec<f32> = part
                .iter()
                .flat_map(|row| rows.row(*row))
                .copied()
                .collect();
            let part_labels: Vec<bool> = part.iter().map(|row| labels[*row]).collect();
            let apart = Examples {
                rows: Rows::new(&values, 3).unwrap(),
                labels: &part_labels,
                costs: &costs[..part.len()],
            };
            let decisions = train(apart, &kernel, &options).unwrap().svm.decide(rows);
            for row in (0..120).filter(|row| fold_of[*row] == fold) {
                assert!(
                    (held[row].unwrap() - decisions[row]).abs() < 1e-2,
                    "row {row}"
                );
            }
        }
    }
}
