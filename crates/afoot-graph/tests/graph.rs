//! The graph as a whole: what always holds, whatever the clips.

#![allow(clippy::unwrap_used)] // a test may

mod support;

use std::ops::ControlFlow;
use std::sync::Arc;

use afoot_core::{Clip, FrameRate, LabelSpan, Locomotion, Quat, Range32, Skeleton};
use afoot_graph::{
    AutoOptions, Candidates, EdgeKind, GraphError, GraphOptions, GraphReport, MotionGraph,
    PairThreshold, Progress, Pruning, TransitionId, blend_of, build_from_candidates, build_graph,
    error_matrix, find_candidates, level_clip, merge, prepare_search, strong_components,
};
use support::{Random, cmu, pacing, walks16, wandering};

fn build(clips: &[Clip], options: &GraphOptions) -> (MotionGraph, GraphReport) {
    let built = build_graph(clips, options, &quiet).unwrap();
    check(&built.0, clips);
    built
}

fn quiet(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn at(threshold_cm: f32) -> GraphOptions {
    GraphOptions {
        threshold_cm,
        ceiling_cm: threshold_cm.max(8.0),
        ..GraphOptions::default()
    }
}

/// What must hold of every graph.
fn check(graph: &MotionGraph, clips: &[Clip]) {
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    assert_eq!(graph.first_edge.len(), nodes + 1);
    assert_eq!(graph.first_edge[nodes] as usize, edges);
    let targets: Vec<u32> = graph.edges.iter().map(|edge| edge.to.0).collect();
    let components = strong_components(&graph.first_edge, &targets);
    assert!(
        components.iter().all(|component| *component == 0),
        "one component"
    );
    assert!(nodes == 0 || edges > 0);
    for edge in &graph.edges {
        let [from, to] = [edge.from, edge.to].map(|node| graph.nodes[node.0 as usize]);
        match edge.kind {
            EdgeKind::Play => {
                assert_eq!(from.clip, to.clip);
                assert!(from.frame < to.frame);
                let clip = &clips[from.clip.index()];
                let faulty = |f: u32| clip.faults.iter().any(|fault| fault.contains(&f));
                assert!(!(from.frame.0..to.frame.0).any(faulty));
            }
            EdgeKind::Jump(TransitionId(index)) => {
                let transition = graph.transitions[index as usize];
                assert_eq!((transition.from, transition.to), (from, to));
                assert!(transition.error_cm.is_finite() && transition.placement.yaw.is_finite());
            }
        }
    }
    let jumps = graph
        .edges
        .iter()
        .filter(|edge| edge.kind != EdgeKind::Play)
        .count();
    assert_eq!(jumps, graph.transitions.len());
    assert_eq!(
        MotionGraph::from_bytes(&graph.to_bytes()).as_ref(),
        Ok(graph)
    );
}

/// Clips that resemble each other.
fn alike(count: usize) -> Vec<Clip> {
    let clip = |n: usize| pacing(&format!("part{n}"), 90 + 17 * n % 60, 7 * n, n as u64 + 1);
    (0..count).map(clip).collect()
}

#[test]
fn motions_that_are_alike_connect() {
    let clips = alike(6);
    let (graph, report) = build(&clips, &at(4.0));
    assert!(report.component_share > 0.3, "{report:?}");
    assert_eq!(graph.window, 10);
    let shares: Vec<f64> = report.trade_off.iter().map(|row| row.share).collect();
    assert!(shares.is_sorted(), "{shares:?}");
}

#[test]
fn a_transition_leads_where_its_blend_ends() {
    let clips: Vec<Clip> = alike(5).iter().map(level_clip).collect();
    let (graph, _) = build(&clips, &at(4.0));
    for index in 0..graph.transitions.len() {
        let transition = graph.transitions[index];
        let blend = blend_of(&graph, &clips, TransitionId(index as u32)).unwrap();
        assert_eq!(blend.placement, transition.placement);
        let resumed = clips[transition.to.clip.index()].root[transition.to.frame.index()];
        let last = *blend.clip.root.last().unwrap();
        let step = transition.placement.point3(resumed).distance(last);
        assert!(step < 0.1, "{step} m");
    }
}

#[test]
fn the_same_bytes_from_threads_tiles_and_additions() {
    let clips = alike(9);
    let options = at(4.0);
    let whole = find_candidates(&clips, &options, &Candidates::none(), &quiet).unwrap();
    assert!(whole.list.len() > 20);
    let (graph, report) = build(&clips, &options);
    let same = |candidates: &Candidates, how: &str| {
        assert_eq!(candidates.to_bytes(), whole.to_bytes(), "{how}");
        let built = build_from_candidates(&clips, candidates, &options, &quiet).unwrap();
        assert_eq!(built.0.to_bytes(), graph.to_bytes(), "{how}");
        assert_eq!(built.1, report, "{how}");
    };
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let found = pool.install(|| find_candidates(&clips, &options, &Candidates::none(), &quiet));
        same(&found.unwrap(), "threads");
    }
    let search = prepare_search(&clips, &options).unwrap().unwrap();
    let mut random = Random(5);
    for frames in [1, 150, 400] {
        let mut tiles = search.plan(frames);
        for index in (1..tiles.len()).rev() {
            tiles.swap(index, random.below(index + 1));
        }
        let run = |tile| {
            search
                .run(&[tile], &|_, _| ControlFlow::Continue(()))
                .unwrap()
                .to_bytes()
        };
        let parts: Vec<Candidates> = tiles
            .into_iter()
            .map(|tile| Candidates::from_bytes(&run(tile)).unwrap())
            .collect();
        same(&merge(&parts).unwrap(), "tiles");
        assert!(parts.len() == 1 || merge(&parts[1..]).is_err());
    }
    let mut grown = Candidates::none();
    for count in 1..=clips.len() {
        grown = find_candidates(&clips[..count], &options, &grown, &quiet).unwrap();
    }
    same(&grown, "additions");
    let mut without = clips.clone();
    without.remove(4);
    let fewer = find_candidates(&without, &options, &whole, &quiet).unwrap();
    let direct = find_candidates(&without, &options, &Candidates::none(), &quiet).unwrap();
    assert_eq!(fewer, direct);
    same(
        &find_candidates(&clips, &options, &fewer, &quiet).unwrap(),
        "put back",
    );
    let mut swapped = clips.clone();
    swapped.swap(2, 6);
    let direct = find_candidates(&swapped, &options, &Candidates::none(), &quiet).unwrap();
    assert_eq!(
        find_candidates(&swapped, &options, &whole, &quiet).unwrap(),
        direct
    );
}

#[test]
fn additions_compare_only_what_is_new() {
    let clips = alike(6);
    let known = find_candidates(&clips[..5], &at(4.0), &Candidates::none(), &quiet).unwrap();
    let pairs = std::sync::atomic::AtomicU64::new(0);
    let count = |progress: Progress| {
        pairs.fetch_max(progress.total, std::sync::atomic::Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    find_candidates(&clips, &at(4.0), &known, &count).unwrap();
    let frames: usize = clips.iter().map(Clip::len).sum();
    assert_eq!(pairs.into_inner() as usize, frames * clips[5].len());
}

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
        if edge.kind == EdgeKind::Play {
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
            .filter(|e| e.labels == set && e.kind == EdgeKind::Play);
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

#[test]
fn a_minimum_clip_length_holds() {
    let clips = alike(8);
    let options = GraphOptions {
        minimum_clip: 0.5,
        ..at(4.0)
    };
    let (graph, _) = build(&clips, &options);
    let (all, _) = build(&clips, &at(4.0));
    assert!(!graph.transitions.is_empty() && graph.transitions.len() < all.transitions.len());
    assert!(graph.transitions.iter().all(|t| t.error_cm <= 4.0));
    let mut starts: Vec<_> = graph
        .transitions
        .iter()
        .flat_map(|t| {
            [
                (t.from.clip, t.from.frame.0),
                (t.to.clip, t.to.frame.0 - graph.window),
            ]
        })
        .collect();
    starts.sort();
    starts.dedup();
    for pair in starts.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        assert!(pair[1].1 - pair[0].1 >= 15 + graph.window, "{pair:?}");
    }
}

#[test]
fn a_matrix_shows_the_errors_and_minima_of_two_clips() {
    let clips = alike(2);
    let matrix = error_matrix(&clips[0], &clips[1], &at(4.0)).unwrap();
    assert_eq!(
        (matrix.rows, matrix.cols),
        (clips[0].len() - 9, clips[1].len() - 9)
    );
    let known = find_candidates(&clips, &at(4.0), &Candidates::none(), &quiet).unwrap();
    let cross = known
        .list
        .iter()
        .filter(|c| (c.a, c.b) == (0, 1) && c.error_cm <= 4.0);
    let cross: Vec<_> = cross.map(|c| ([c.i, c.s], c.error_cm)).collect();
    assert_eq!(matrix.minima, cross.iter().map(|c| c.0).collect::<Vec<_>>());
    for ([row, col], error) in cross {
        assert_eq!(
            matrix.values[row as usize * matrix.cols + col as usize],
            error
        );
    }
    let own = error_matrix(&clips[0], &clips[0], &at(4.0)).unwrap();
    for row in 0..own.rows {
        for col in 0..own.cols {
            assert_eq!(
                own.values[row * own.cols + col],
                own.values[col * own.cols + row]
            );
        }
        assert!(own.values[row * own.cols + row] <= 0.051);
    }
    assert!(own.minima.iter().all(|[row, col]| row.abs_diff(*col) >= 10));
    assert!(
        own.minima
            .iter()
            .all(|[row, col]| own.minima.contains(&[*col, *row]))
    );
    let short = error_matrix(&wandering("short", 5, 1), &clips[0], &at(4.0)).unwrap();
    assert_eq!((short.rows, short.values.len()), (0, 0));
}

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

#[test]
fn poor_libraries_give_a_graph_or_an_empty_one() {
    let options = at(4.0);
    let (empty, report) = build(&[], &options);
    assert_eq!((empty.nodes.len(), report.frames), (0, 0));
    for clips in [
        vec![wandering("one", 50, 1)],
        vec![wandering("short", 4, 1), wandering("long", 60, 2)],
        vec![
            wandering("none", 0, 1),
            wandering("exact", 10, 2),
            wandering("more", 11, 2),
        ],
        vec![wandering("frame", 1, 1)],
    ] {
        let (_, report) = build(&clips, &options);
        let short = clips.iter().filter(|clip| clip.len() < 10).count();
        assert_eq!(
            report
                .warnings
                .iter()
                .filter(|w| w.contains("window"))
                .count(),
            short
        );
    }
    let same = wandering("same", 100, 7);
    let (graph, _) = build(&[same.clone(), same.clone()], &options);
    assert!(graph.transitions.iter().all(|t| t.error_cm < 4.0));
    let mut faulty = alike(4);
    faulty[1].faults = vec![20..30, 85..107];
    faulty[2].faults.push(0..124);
    let (graph, _) = build(&faulty, &options);
    assert!(graph.nodes.iter().all(|node| node.clip.0 != 2));
}

#[test]
fn identical_clips_connect_all_along() {
    let clip = wandering("same", 100, 7);
    let known =
        find_candidates(&[clip.clone(), clip], &at(4.0), &Candidates::none(), &quiet).unwrap();
    let cross = known
        .list
        .iter()
        .filter(|c| (c.a, c.b) == (0, 1) && c.i == c.s);
    let starts: Vec<u32> = cross.map(|c| c.i).collect();
    assert_eq!(starts, (0..10).map(|n| n * 10).collect::<Vec<u32>>());
}

#[test]
fn clips_that_do_not_fit_are_refused() {
    let clips = alike(2);
    let error =
        |clips: &[Clip], options: &GraphOptions| build_graph(clips, options, &quiet).unwrap_err();
    let mut other = clips.clone();
    other[1].skeleton = Arc::new(Skeleton::clone(&clips[0].skeleton).scaled(1.1));
    let message = error(&other, &at(4.0)).to_string();
    assert!(
        message.contains("--retarget") && message.contains("part1"),
        "{message}"
    );
    let mut other = clips.clone();
    other[1].rate = FrameRate::new(60, 1).unwrap();
    assert!(error(&other, &at(4.0)).to_string().contains("60 fps"));
    let mut other = clips.clone();
    other[0].root[3].x = f32::NAN;
    assert!(matches!(error(&other, &at(4.0)), GraphError::Clip(_)));
    let mut other = clips.clone();
    let span = |n: u32| LabelSpan {
        frames: Range32 { start: 0, end: 5 },
        label: format!("word{n}"),
    };
    other[0].labels = (0..65).map(span).collect();
    assert_eq!(error(&other, &at(4.0)), GraphError::TooManyLabels(65));
    for options in [
        at(0.0),
        at(f32::NAN),
        GraphOptions {
            window: 0.0,
            ..at(4.0)
        },
    ] {
        assert!(
            matches!(error(&clips, &options), GraphError::BadOption { .. }),
            "{options:?}"
        );
    }
    let known = find_candidates(&clips, &at(4.0), &Candidates::none(), &quiet).unwrap();
    let others = alike(3);
    let built = build_from_candidates(&others, &known, &at(4.0), &quiet);
    assert_eq!(built.unwrap_err(), GraphError::OtherCandidates);
}

#[test]
fn a_build_can_be_stopped() {
    let stop = |_: Progress| ControlFlow::Break(());
    assert_eq!(
        build_graph(&alike(3), &at(4.0), &stop).unwrap_err(),
        GraphError::Stopped
    );
}

#[test]
fn damaged_bytes_are_refused() {
    let clips = alike(4);
    let candidates = find_candidates(&clips, &at(4.0), &Candidates::none(), &quiet).unwrap();
    let graph = build(&clips, &at(4.0)).0.to_bytes();
    let candidates = candidates.to_bytes();
    let mut random = Random(11);
    for round in 0..4000 {
        for bytes in [&graph, &candidates] {
            let mut damaged = bytes.clone();
            match round % 3 {
                0 => damaged.truncate(random.below(damaged.len())),
                1 => {
                    let at = random.below(damaged.len());
                    damaged[at] ^= 1 << random.below(8);
                }
                _ => {
                    // The body and a checksum that fits: only the content can give it away.
                    let at = 28 + random.below(damaged.len() - 28);
                    damaged[at] = damaged[at].wrapping_add(1 + random.below(255) as u8);
                    let sum = afoot_graph::Fingerprint::of_bytes(&damaged[28..]).0;
                    damaged[12..28].copy_from_slice(&sum.to_le_bytes());
                }
            }
            let read = MotionGraph::from_bytes(&damaged);
            if round % 3 < 2 {
                assert!(read.is_err());
                assert!(Candidates::from_bytes(&damaged).is_err());
            } else if let Ok(graph) = read {
                for edge in &graph.edges {
                    graph.edge_frames(edge);
                }
            } else if let Ok(known) = Candidates::from_bytes(&damaged) {
                let _ = build_from_candidates(&clips, &known, &at(4.0), &quiet);
            }
        }
    }
}

#[test]
fn captured_walks_hold_three_quarters_at_four_centimetres() {
    let Some(folder) = cmu() else { return };
    let clips = walks16(&folder);
    let (graph, report) = build(&clips, &at(4.0));
    assert!(report.component_share >= 0.75, "{report:?}");
    assert!((3400..3900).contains(&report.transitions), "{report:?}");
    assert!(graph.transitions.iter().all(|t| t.error_cm <= 4.0));
}
