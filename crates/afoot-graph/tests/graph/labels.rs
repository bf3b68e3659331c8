//! Labels: edges between them, what is kept of each, thresholds between two.

use afoot_core::{LabelSpan, Locomotion, Range32};
use afoot_graph::{EdgeKind, GraphOptions, PairThreshold, Pruning};
use afoot_search::strong_components;

use crate::{alike, at, build};

#[test]
fn labels_split_edges_and_unite_on_jumps() {
    let mut clips = alike(6);
    for clip in &mut clips {
        let frames = clip.len() as u32;
        clip.types = vec![Locomotion::Walk; clip.len()];
        let span = Range32 {
            start: frames / 2,
            end: frames,
        };
        clip.labels = vec![LabelSpan {
            frames: span,
            label: "wave".into(),
        }];
    }
    let (graph, _) = build(&clips, &at(4.0));
    assert_eq!(graph.vocabulary, ["walk", "wave"]);
    let [walk, wave] = ["walk", "wave"].map(|word| graph.label(word).unwrap());
    let mut seen = [0; 2];
    for edge in &graph.edges {
        let [from, to] = [edge.from, edge.to].map(|node| graph.nodes[node.0 as usize]);
        if edge.kind() == EdgeKind::Play {
            let half = clips[from.clip.index()].len() as u32 / 2;
            let waving = from.frame.0 >= half;
            assert!(
                waving || to.frame.0 <= half,
                "no edge crosses a change of labels"
            );
            assert_eq!(edge.labels, if waving { walk.union(wave) } else { walk });
            seen[usize::from(waving)] += 1;
        } else {
            let start = to.frame.0 - graph.window;
            let waves = [(from.clip, from.frame.0), (to.clip, start)]
                .map(|(clip, at)| at + graph.window > clips[clip.index()].len() as u32 / 2);
            assert_eq!(edge.labels.contains(wave), waves[0] || waves[1]);
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0);
}

#[test]
fn pruning_by_label_set_keeps_each_kind_going() {
    let mut clips = alike(8);
    for (index, clip) in clips.iter_mut().enumerate() {
        let word = ["calm", "wild"][index % 2];
        let frames = Range32 {
            start: 0,
            end: clip.len() as u32,
        };
        clip.labels = vec![LabelSpan {
            frames,
            label: word.into(),
        }];
    }
    let options = GraphOptions {
        pruning: Pruning::ByLabelSet,
        ..at(4.0)
    };
    let (graph, _) = build(&clips, &options);
    for word in ["calm", "wild"] {
        let set = graph.label(word).unwrap();
        let mut first = vec![0u32];
        let mut targets = Vec::new();
        for node in 0..graph.nodes.len() {
            let edges = graph.edges_from(afoot_graph::NodeId(node as u32)).iter();
            targets.extend(
                edges
                    .filter(|edge| edge.labels == set)
                    .map(|edge| edge.to.0),
            );
            first.push(targets.len() as u32);
        }
        let components = strong_components(&first, &targets);
        let own = graph
            .edges
            .iter()
            .filter(|e| e.labels == set && e.kind() == EdgeKind::Play);
        let mut of_own: Vec<u32> = own.map(|edge| components[edge.from.0 as usize]).collect();
        of_own.dedup();
        assert_eq!(of_own.len(), 1, "{word} is strongly connected by itself");
    }
}

#[test]
fn thresholds_for_pairs_of_labels_hold() {
    let mut clips = alike(6);
    for (index, clip) in clips.iter_mut().enumerate() {
        clip.types = vec![
            if index < 3 {
                Locomotion::Walk
            } else {
                Locomotion::Run
            };
            clip.len()
        ];
    }
    let pair = |a: &str, b: &str, threshold_cm| PairThreshold {
        a: a.into(),
        b: b.into(),
        threshold_cm,
    };
    let options = GraphOptions {
        threshold_cm: 3.0,
        pairs: vec![pair("walk", "run", 6.0), pair("run", "run", 1.0)],
        ..at(8.0)
    };
    let (graph, _) = build(&clips, &options);
    let run = |clip: afoot_core::ClipId| clip.0 >= 3;
    let mut most = [0.0f32; 3];
    for transition in &graph.transitions {
        let kinds = usize::from(run(transition.from.clip)) + usize::from(run(transition.to.clip));
        most[kinds] = most[kinds].max(transition.error_cm);
    }
    assert!(
        most[0] <= 3.0 && most[1] <= 6.0 && most[2] <= 1.0,
        "{most:?}"
    );
    assert!(most[1] > 3.0, "{most:?}");
}
