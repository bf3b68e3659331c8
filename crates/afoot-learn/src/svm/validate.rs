//! How well rows would be told that a machine was not trained on: cross-validation by groups.
//!
//! Rows of one group (the frames of a stretch of motion) are much alike, so a group is either trained on
//! or told, never both. Folds share the examples among them as evenly as groups allow.

use super::kernel::Kernel;
use super::{Examples, SvmError, SvmOptions, train};
use crate::rows::Rows;

/// The decision of each row by machines that were trained without its group, in at most `folds` parts.
/// A row of a fold without which one side would be missing has none.
pub fn held_out_decisions(
    examples: Examples,
    groups: &[u32],
    folds: usize,
    kernel: &Kernel,
    options: &SvmOptions,
) -> Result<Vec<Option<f32>>, SvmError> {
    let Examples {
        rows,
        labels,
        costs,
    } = examples;
    let fold_of = share_groups(labels, groups, folds);
    let mut decisions = vec![None; rows.len()];
    for fold in 0..folds {
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
        let labels: Vec<bool> = trained.iter().map(|row| labels[*row]).collect();
        let costs: Vec<f32> = trained.iter().map(|row| costs[*row]).collect();
        let values = gather(rows, &trained);
        let examples = Examples {
            rows: Rows::new(&values, rows.width()).expect("rows of rows"),
            labels: &labels,
            costs: &costs,
        };
        let options = SvmOptions {
            start: None,
            ..*options
        };
        let svm = train(examples, kernel, &options)?.svm;
        let values = gather(rows, &told);
        let told_rows = Rows::new(&values, rows.width()).expect("rows of rows");
        for (row, decision) in told.iter().zip(svm.decide(told_rows)) {
            decisions[*row] = Some(decision);
        }
    }
    Ok(decisions)
}

fn gather(rows: Rows, chosen: &[usize]) -> Vec<f32> {
    chosen
        .iter()
        .flat_map(|row| rows.row(*row))
        .copied()
        .collect()
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
        let held = held_out_decisions(examples, &groups, 5, &kernel, &options).unwrap();
        let held: Vec<f32> = held.into_iter().map(Option::unwrap).collect();
        assert!(right(held) < 160);
    }
}
