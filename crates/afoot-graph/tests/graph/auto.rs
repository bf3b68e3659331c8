//! Thresholds that are found instead of given.

use afoot_core::{Clip, Locomotion, Quat};
use afoot_graph::{AutoOptions, GraphOptions, PairThreshold};

use crate::support::wandering;
use crate::{alike, at, build};

/// Frames of clips one after the other, all of one type, the arm turned by some angle.
fn spliced(
    name: &str,
    parts: &[(&Clip, std::ops::Range<usize>)],
    arm: f32,
    kind: Locomotion,
) -> Clip {
    let mut clip = Clip::empty(name, parts[0].0.skeleton.clone(), parts[0].0.rate);
    for (part, frames) in parts {
        clip.root.extend(&part.root[frames.clone()]);
        let rotations = frames.start * 8..frames.end * 8;
        clip.rotations.extend(&part.rotations[rotations]);
    }
    let arms = clip.rotations.chunks_exact_mut(8);
    arms.for_each(|pose| pose[7] *= Quat::from_rotation_y(arm));
    clip.types = vec![kind; clip.len()];
    clip
}

#[test]
fn kinds_of_motion_that_only_lead_back_through_each_other_are_joined_together() {
    let mut walk = alike(5);
    for clip in &mut walk {
        clip.types = vec![Locomotion::Walk; clip.len()];
    }
    let (out, back) = (wandering("out", 60, 40), wandering("back", 60, 41));
    // From the walk into the one, from its end into the other, from that one's end to the walk.
    let there = [(&walk[0], 20..45), (&out, 0..30), (&back, 0..25)];
    let again = [(&back, 0..30), (&out, 30..60), (&walk[1], 40..65)];
    let mut clips = walk.clone();
    clips.push(spliced("there", &there, 0.2, Locomotion::Run));
    clips.push(spliced("again", &again, 0.4, Locomotion::Jump));
    let auto = GraphOptions {
        auto: Some(AutoOptions::default()),
        ..at(4.0)
    };
    let (_, report) = build(&clips, &auto);
    let kept = |label: &str| {
        report
            .sets
            .iter()
            .find(|set| set.labels == label)
            .unwrap()
            .kept
    };
    assert!(kept("run") > 30 && kept("jump") > 30, "{:?}", report.sets);
    let between = |a: &str, b: &str| {
        let found = report.thresholds.iter().find(|t| t.a == a && t.b == b);
        found.map_or(0.0, |found| found.threshold_cm)
    };
    let own = between("walk", "walk");
    let pairs = [("run", "walk"), ("jump", "run"), ("jump", "walk")];
    let looser = pairs.iter().filter(|pair| between(pair.0, pair.1) > own);
    assert!(looser.count() >= 2, "{:?}", report.thresholds);
    // No single pair would do, and the advice names all that are needed.
    let (_, strict) = build(&clips, &at(own));
    let about_run = |warning: &&String| warning.contains("of \"run\"");
    let advice = strict.warnings.iter().find(about_run).unwrap();
    assert!(
        advice.contains(", of ") && advice.ends_with("would help"),
        "{advice}"
    );
    for (a, b) in pairs {
        let mut options = at(own);
        options.pairs.push(PairThreshold {
            a: a.into(),
            b: b.into(),
            threshold_cm: 8.0,
        });
        let (_, report) = build(&clips, &options);
        let run = report.sets.iter().find(|set| set.labels == "run").unwrap();
        assert!(run.kept < 30, "{a},{b}: {run:?}");
    }
}

#[test]
fn automatic_thresholds_join_what_would_stay_apart() {
    let mut clips = alike(8);
    for clip in &mut clips[4..] {
        clip.types = vec![Locomotion::Run; clip.len()];
        // Another way of moving: every pose a little different in the arm.
        clip.rotations
            .chunks_exact_mut(8)
            .for_each(|pose| pose[7] *= Quat::from_rotation_y(0.35));
    }
    let auto = GraphOptions {
        auto: Some(AutoOptions::default()),
        ..at(4.0)
    };
    let (graph, report) = build(&clips, &auto);
    let between = |a: &str, b: &str| {
        report
            .thresholds
            .iter()
            .find(|t| t.a == a && t.b == b)
            .unwrap()
            .threshold_cm
    };
    let own = between("unlabelled", "unlabelled").max(between("run", "run"));
    assert!(
        between("unlabelled", "run") > own,
        "{:?}",
        report.thresholds
    );
    let kinds: Vec<bool> = graph.nodes.iter().map(|node| node.clip.0 < 4).collect();
    assert!(kinds.contains(&true) && kinds.contains(&false));
    let strict = GraphOptions {
        threshold_cm: own,
        ..at(own)
    };
    let (alone, report) = build(&clips, &strict);
    assert!(
        alone
            .nodes
            .iter()
            .all(|node| (node.clip.0 < 4) == (alone.nodes[0].clip.0 < 4))
    );
    assert!(
        report.warnings.iter().any(|w| w.contains("would help")),
        "{:?}",
        report.warnings
    );
}
