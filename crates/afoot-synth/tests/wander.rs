//! Wandering on sample motion: evenness against a plain random walk, words, ends, seeds.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use afoot_core::{Clip, ClipId, FrameId, Locomotion};
use afoot_graph::{EdgeId, EdgeKind, MotionGraph, NodeId};
use afoot_run::Stopped;
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{
    Edges, GraphWalk, Repertoire, WanderError, WanderOptions, find_wander, measure_evenness, wander,
};
use support::{graph_of, mirrored};

const NAMES: [&str; 8] = [
    "walk",
    "walk_turn_left",
    "walk_circle_left",
    "walk_slalom",
    "run",
    "run_turn_left",
    "walk_to_run",
    "run_to_walk",
];

fn repertoire() -> Repertoire {
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| NAMES.contains(&clip.name.as_str()));
    let images: Vec<Clip> = clips.iter().map(mirrored).collect();
    clips.extend(images);
    Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap()
}

fn asked(seconds: f64) -> WanderOptions {
    WanderOptions {
        seconds,
        ..WanderOptions::default()
    }
}

/// How often each frame that some play edge plays was played by the edges.
fn plays(graph: &MotionGraph, edges: &[EdgeId]) -> Vec<u32> {
    let mut counts: Vec<Vec<Option<u32>>> = graph
        .clips
        .iter()
        .map(|clip| vec![None; clip.frames as usize])
        .collect();
    let all = graph.edges.iter().map(|edge| (edge, 0));
    let played = edges.iter().map(|id| (&graph.edges[id.0 as usize], 1));
    for (edge, times) in all.chain(played) {
        if edge.kind() == EdgeKind::Play {
            let [from, to] = [edge.from, edge.to].map(|node| graph.nodes[node.0 as usize]);
            let frames = &mut counts[from.clip.index()][from.frame.index()..to.frame.index()];
            frames
                .iter_mut()
                .for_each(|count| *count = Some(count.unwrap_or(0) + times));
        }
    }
    counts.into_iter().flatten().flatten().collect()
}

/// The edges of a walk that takes any way with equal chance, of about the same length.
fn plain_walk(graph: &MotionGraph, frames: u32, mut state: u64) -> Vec<EdgeId> {
    let (mut node, mut edges, mut played) = (NodeId(0), Vec::new(), 0);
    while played < frames {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let ways = graph.edges_from(node);
        let way = (state >> 33) as usize % ways.len();
        edges.push(EdgeId(graph.first_edge[node.0 as usize] + way as u32));
        played += graph.edge_frames(&ways[way]);
        node = ways[way].to;
    }
    edges
}

/// Share of the frames that were played, and the variance of plays over their mean.
fn evenness(counts: &[u32]) -> (f64, f64) {
    let all = counts.len() as f64;
    let seen = counts.iter().filter(|&&count| count > 0).count() as f64 / all;
    let mean = counts.iter().map(|&count| f64::from(count)).sum::<f64>() / all;
    let square = |count: &u32| (f64::from(*count) - mean).powi(2);
    (seen, counts.iter().map(square).sum::<f64>() / all / mean)
}

#[test]
fn the_library_is_used_evenly() {
    let repertoire = repertoire();
    let graph = repertoire.graph();
    // Long enough to play every frame several times over.
    let frames: u32 = 6 * graph.clips.iter().map(|clip| clip.frames).sum::<u32>();
    let seconds = f64::from(frames) / 30.0;
    let wandered = |seed: u64, chance: f64| {
        let options = WanderOptions {
            seed,
            chance,
            ..asked(seconds)
        };
        let walk = find_wander(&repertoire, &options).unwrap();
        evenness(&plays(graph, &walk.edges))
    };
    for seed in 1..4 {
        let (seen, spread) = wandered(seed, WanderOptions::default().chance);
        // The same walk led by chance alone, and one that takes any way at any node.
        let others = [
            wandered(seed, 1e9),
            evenness(&plays(graph, &plain_walk(graph, frames, seed))),
        ];
        for (random_seen, random_spread) in others {
            assert!(seen >= random_seen, "{seen}, at random {random_seen}");
            assert!(
                spread < 0.5 * random_spread,
                "{spread}, at random {random_spread}"
            );
        }
        assert!(seen > 0.95, "{seen}");
    }
}

fn check(repertoire: &Repertoire, walk: &GraphWalk, frames: u32) {
    let graph = repertoire.graph();
    let mut node = walk.start;
    let mut sum = 0;
    for id in &walk.edges {
        let edge = &graph.edges[id.0 as usize];
        assert_eq!(edge.from, node, "edges follow each other");
        (node, sum) = (edge.to, sum + graph.edge_frames(edge));
    }
    assert_eq!(sum - walk.spare, frames);
}

#[test]
fn it_is_as_long_as_asked_and_starts_at_the_origin() {
    let repertoire = repertoire();
    for (seconds, frames) in [(0.01, 1), (1.0, 30), (12.34, 370)] {
        let walk = find_wander(&repertoire, &asked(seconds)).unwrap();
        check(&repertoire, &walk, frames);
        let played = wander(&repertoire, &asked(seconds)).unwrap();
        assert_eq!(played.clip.len(), frames as usize);
        let credited: u32 = played
            .sources
            .iter()
            .map(|source| source.frames.end - source.frames.start)
            .sum();
        assert_eq!(credited, frames);
        let start = played.clip.placement(FrameId(0));
        assert!(
            start.x.hypot(start.z) < 0.05 && start.yaw.abs() < 0.05,
            "{start:?}"
        );
    }
    for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY, 2e6] {
        let error = find_wander(&repertoire, &asked(seconds)).unwrap_err();
        assert!(matches!(error, WanderError::BadSeconds(_)) && error.is_bad_request());
    }
    let options = asked(5.0);
    options.run.cancel().stop();
    assert_eq!(
        find_wander(&repertoire, &options),
        Err(WanderError::Stopped(Stopped))
    );
}

#[test]
fn a_seed_fixes_the_walk_and_another_gives_another() {
    let repertoire = repertoire();
    let with = |seed: u64| {
        let options = WanderOptions {
            seed,
            ..asked(20.0)
        };
        find_wander(&repertoire, &options).unwrap()
    };
    assert_eq!(with(7), with(7));
    let walks: Vec<GraphWalk> = (0..6).map(with).collect();
    for (index, one) in walks.iter().enumerate() {
        assert!(walks[..index].iter().all(|other| other.edges != one.edges));
    }
    let played = wander(&repertoire, &asked(5.0)).unwrap();
    for threads in [1, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let again = pool
            .build()
            .unwrap()
            .install(|| wander(&repertoire, &asked(5.0)));
        assert!(again.unwrap() == played, "{threads} threads");
    }
}

#[test]
fn words_are_kept_to() {
    let repertoire = repertoire();
    for (word, kind) in [("walk", Locomotion::Walk), ("run", Locomotion::Run)] {
        let options = WanderOptions {
            labels: vec![word.into()],
            ..asked(20.0)
        };
        let walk = find_wander(&repertoire, &options).unwrap();
        let bit = repertoire.graph().label(word).unwrap();
        let edges = walk.edges.iter().map(|&id| repertoire.edge(id));
        assert!(edges.clone().all(|edge| edge.labels.contains(bit)));
        let played = wander(&repertoire, &options).unwrap();
        let fitting = played.clip.types.iter().filter(|&&t| t == kind).count();
        assert!(
            fitting * 10 >= played.clip.len() * 9,
            "{fitting} frames {word}"
        );
    }
    let with = |words: &[&str]| {
        let labels = words.iter().map(|&word| word.into()).collect();
        find_wander(
            &repertoire,
            &WanderOptions {
                labels,
                ..asked(5.0)
            },
        )
    };
    let unknown = with(&["walk", "swim"]).unwrap_err();
    assert!(unknown.is_bad_request() && unknown.to_string().contains("\"swim\""));
}

/// Clips of which one carries the word "rare" in these frames.
fn with_rare(frames: afoot_core::Range32) -> Repertoire {
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| {
        ["walk", "walk_circle_left", "walk_to_run", "run_to_walk"].contains(&clip.name.as_str())
    });
    for clip in &mut clips {
        if clip.name == "walk_to_run" {
            let label = "rare".into();
            clip.labels.push(afoot_core::LabelSpan { frames, label });
        }
    }
    let repertoire = Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap();
    assert!(repertoire.graph().label("rare").is_some());
    repertoire
}

/// A few frames lead nowhere by themselves: other motion leads from them back to them.
#[test]
fn words_without_a_loop_are_joined_by_other_motion() {
    let repertoire = with_rare(afoot_core::Range32 { start: 20, end: 60 });
    let options = WanderOptions {
        labels: vec!["rare".into()],
        ..asked(60.0)
    };
    let played = wander(&repertoire, &options).unwrap();
    let even = measure_evenness(&repertoire, &options, &played.sources).unwrap();
    assert!(even.seen_share > 0.9, "{even:?}");
    assert!(even.between_s > 10.0 && even.between_s < 58.0, "{even:?}");
    let rare = |clip: ClipId| repertoire.graph().clips[clip.index()].name == "walk_to_run";
    let visits = played.sources.iter().filter(|source| rare(source.clip));
    assert!(visits.count() >= 6, "{:?}", played.sources);
}

/// Frames that no way leads to can't be wandered in.
#[test]
fn words_without_a_way_are_said() {
    let walk_to_run = sample_library(&SampleOptions::default())
        .into_iter()
        .find(|clip| clip.name == "walk_to_run")
        .unwrap();
    let end = walk_to_run.len() as u32;
    let start = end - 3;
    let repertoire = with_rare(afoot_core::Range32 { start, end });
    let options = WanderOptions {
        labels: vec!["rare".into()],
        ..asked(5.0)
    };
    let error = find_wander(&repertoire, &options).unwrap_err();
    assert!(matches!(error, WanderError::NoLoop(_)), "{error}");
    assert!(!error.is_bad_request() && error.to_string().contains("rare"));
}

/// With long stays between transitions many ways out of a loop are missed: then they are taken in haste.
#[test]
fn no_loop_holds_the_walk() {
    let repertoire = repertoire();
    for labels in [vec![], vec!["run".to_owned()]] {
        let mut options = WanderOptions {
            labels,
            least_play: 2.0,
            ..asked(10.0)
        };
        let playable = |options: &WanderOptions| {
            let even = measure_evenness(&repertoire, options, &[]).unwrap();
            even.playable_s
        };
        options.seconds = 5.0 * playable(&options);
        let played = wander(&repertoire, &options).unwrap();
        let even = measure_evenness(&repertoire, &options, &played.sources).unwrap();
        assert!(even.seen_share > 0.95, "{even:?}");
        assert!(even.longest_repeat_s < 5.0, "{even:?}");
    }
}

#[test]
fn clips_play_on_for_a_while_between_transitions() {
    let repertoire = repertoire();
    let graph = repertoire.graph();
    let walk = find_wander(&repertoire, &asked(60.0)).unwrap();
    let least = graph.rate.frames_in(WanderOptions::default().least_play) as u32;
    let mut since = least;
    for id in &walk.edges {
        let edge = repertoire.edge(*id);
        let plays_on = graph.edges_from(edge.from)[0].kind() == EdgeKind::Play;
        match edge.kind() {
            EdgeKind::Play => since += graph.edge_frames(edge),
            EdgeKind::Transition(_) => {
                assert!(since >= least || !plays_on, "after {since} frames");
                since = 0;
            }
        }
    }
}

#[test]
fn a_walk_stays_where_everything_leads_to_everything() {
    let repertoire = repertoire();
    let graph = repertoire.graph();
    let options = WanderOptions {
        labels: vec!["run".into()],
        ..asked(120.0)
    };
    let walk = find_wander(&repertoire, &options).unwrap();
    // whoever was anywhere can come back: the first edge is in reach of the last
    let allowed = |id: u32| {
        graph.edges[id as usize]
            .labels
            .meets(graph.label("run").unwrap())
    };
    let mut seen = vec![false; graph.nodes.len()];
    let mut open = vec![graph.edges[walk.edges.last().unwrap().0 as usize].to];
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut seen[node.0 as usize], true) {
            continue;
        }
        let edges = graph.first_edge[node.0 as usize]..graph.first_edge[node.0 as usize + 1];
        open.extend(
            edges
                .filter(|id| allowed(*id))
                .map(|id| graph.edges[id as usize].to),
        );
    }
    assert!(
        seen[walk.start.0 as usize],
        "there is no way back to the start"
    );
}
