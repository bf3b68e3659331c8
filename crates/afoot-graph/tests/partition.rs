//! The clusters against the thesis's algorithm as it is written, and against kodama.
#![allow(clippy::unwrap_used)]

mod support;

use afoot_graph::clusters::{Centre, ClusterTree, Merge, Rows, agglomerate};
use support::Random;

/// Shanbhag 2006, §4.2.3: a sorted list of all pairs, of which the first is merged as long as it is at
/// most `threshold`; pairs with either go, and those of the new cluster come. Gives for every row the
/// first row of its cluster. Clusters are called by their first row, of equal pairs the first counts.
fn as_written(width: usize, values: &[f32], centre: Centre, threshold: f32) -> Vec<u32> {
    let row = |index: usize| values[index * width..][..width].to_vec();
    let count = values.len() / width;
    let mut clusters: Vec<Option<(Vec<f32>, Vec<u32>)>> = (0..count)
        .map(|index| Some((row(index), vec![index as u32])))
        .collect();
    let mut list: Vec<(f32, usize, usize)> = Vec::new();
    for i in 0..count {
        list.extend((i + 1..count).map(|j| (squared(&row(i), &row(j)), i, j)));
    }
    loop {
        list.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        let Some(&(distance, i, j)) = list.first().filter(|pair| pair.0.sqrt() <= threshold) else {
            break;
        };
        assert!(distance.is_finite());
        list.retain(|(_, a, b)| ![*a, *b].iter().any(|own| *own == i || *own == j));
        let (other, moved) = clusters[j].take().unwrap();
        let (own, members) = clusters[i].as_mut().unwrap();
        let [x, y] = match centre {
            Centre::OfMembers => [members.len() as f32, moved.len() as f32],
            Centre::OfPair => [1.0, 1.0],
        };
        for (p, q) in own.iter_mut().zip(&other) {
            *p = (*p * x + q * y) / (x + y);
        }
        members.extend(moved);
        let own = own.clone();
        for (index, cluster) in clusters.iter().enumerate().filter(|(index, _)| *index != i) {
            if let Some((other, _)) = cluster {
                list.push((squared(&own, other), i.min(index), i.max(index)));
            }
        }
    }
    let mut first = vec![0; count];
    for (_, members) in clusters.iter().flatten() {
        let least = *members.iter().min().unwrap();
        members
            .iter()
            .for_each(|member| first[*member as usize] = least);
    }
    first
}

fn squared(a: &[f32], b: &[f32]) -> f32 {
    a.iter()
        .zip(b)
        .fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

fn tree(width: usize, values: &[f32], centre: Centre) -> ClusterTree {
    ClusterTree {
        frames: (values.len() / width) as u32,
        merges: agglomerate(&Rows::new(width, values), centre),
    }
}

/// Rows of `width` numbers; with few steps many distances are equal.
fn numbers(random: &mut Random, count: usize, steps: f32) -> Vec<f32> {
    (0..count)
        .map(|_| (random.next() * steps).round() / steps)
        .collect()
}

#[test]
fn partitions_are_those_of_the_thesis_at_every_threshold_ties_included() {
    let mut random = Random(3);
    let mut cuts = 0;
    for round in 0..80 {
        let (rows, width) = (2 + random.below(40), 1 + random.below(4));
        let steps = if round % 2 == 0 { 3.0 } else { 1e5 };
        let values = numbers(&mut random, rows * width, steps);
        for centre in [Centre::OfMembers, Centre::OfPair] {
            let tree = tree(width, &values, centre);
            let mut heights: Vec<f32> = tree.merges.iter().map(|merge| merge.height).collect();
            heights.push(0.0);
            for height in heights.into_iter().step_by(5) {
                for threshold in [height, height * 0.999, height * 1.001] {
                    let expected = as_written(width, &values, centre, threshold);
                    let found = tree.cut(threshold).first;
                    assert_eq!(found, expected, "{centre:?} at {threshold}: {values:?}");
                    cuts += 1;
                }
            }
        }
    }
    assert!(cuts > 1000, "{cuts}");
}

#[test]
fn heights_are_those_of_kodama() {
    let mut random = Random(17);
    for _ in 0..20 {
        let (rows, width) = (3 + random.below(90), 2 + random.below(6));
        let values = numbers(&mut random, rows * width, 1e6);
        for (centre, method) in [
            (Centre::OfMembers, kodama::Method::Centroid),
            (Centre::OfPair, kodama::Method::Median),
        ] {
            let at = |index: usize| &values[index * width..][..width];
            let mut distances: Vec<f32> = Vec::new();
            for i in 0..rows {
                distances.extend((i + 1..rows).map(|j| squared(at(i), at(j)).sqrt()));
            }
            let expected = kodama::linkage(&mut distances, rows, method);
            let sorted = |mut heights: Vec<f32>| {
                heights.sort_by(f32::total_cmp);
                heights
            };
            let expected = expected.steps().iter().map(|step| step.dissimilarity);
            let expected = sorted(expected.collect());
            let found = tree(width, &values, centre).merges;
            let found = sorted(found.iter().map(|merge: &Merge| merge.height).collect());
            for (a, b) in found.iter().zip(&expected) {
                assert!(
                    (a - b).abs() < 1e-3,
                    "{centre:?}: {a} and {b} of {rows} rows"
                );
            }
        }
    }
}
