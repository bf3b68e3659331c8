//! Cluster graphs of sample motion, and of captured motion where it is at hand.
#![allow(clippy::unwrap_used)]

mod support;

use afoot_core::{Clip, ClipId, FrameId, Role, Side, forward_kinematics, headings};
use afoot_fixtures::Captured;
use afoot_graph::clusters::{
    Centre, ClusterGraph, LibraryFrames, RouteKind, USUAL_ERROR_CM, Wish, cluster_candidates,
    cluster_frames, find_cycle, find_loops, find_routes, library_frames, reach_times,
};
use afoot_graph::{GraphOptions, build_from_candidates, level_clip, prepare_search};
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};

fn clustered(clips: &[Clip], error_cm: f32) -> (LibraryFrames, ClusterGraph) {
    let frames = library_frames(clips, None).unwrap();
    let tree = cluster_frames(&frames, Centre::OfMembers, &Run::quiet()).unwrap();
    let graph = ClusterGraph::cut(&tree, &frames, error_cm / 100.0);
    (frames, graph)
}

fn sample() -> Vec<Clip> {
    sample_library(&SampleOptions::default())
}

#[test]
fn every_playable_frame_lies_in_one_sequence_of_a_node_of_its_state() {
    let clips = sample();
    let (frames, graph) = clustered(&clips, USUAL_ERROR_CM);
    let mut held = 0;
    for (index, clip) in clips.iter().enumerate() {
        let clip_id = ClipId(index as u32);
        for frame in (0..clip.len() as u32).map(FrameId) {
            let state = frames.state(frames.index(clip_id, frame));
            let found = graph.sequence_at(clip_id, frame);
            let node_state = found.map(|id| graph.node(graph.sequence(id).node).state);
            assert_eq!(node_state, state, "{} frame {}", clip.name, frame.0);
            held += usize::from(found.is_some());
        }
    }
    let in_sequences: u32 = graph
        .sequences
        .iter()
        .map(|s| s.frames.end - s.frames.start)
        .sum();
    assert_eq!(in_sequences as usize, held);
    for sequence in &graph.sequences {
        assert!(
            sequence.frames.contains(&sequence.aligned.0),
            "{sequence:?}"
        );
    }
}

#[test]
fn a_larger_error_makes_fewer_nodes() {
    let clips = &sample()[..4];
    let frames = library_frames(clips, None).unwrap();
    let tree = cluster_frames(&frames, Centre::OfMembers, &Run::quiet()).unwrap();
    let nodes = |cm: f32| ClusterGraph::cut(&tree, &frames, cm / 100.0).nodes.len();
    let counts: Vec<usize> = [0.0, 2.0, 8.0, 32.0, 1e6].map(nodes).to_vec();
    assert!(counts.is_sorted_by(|a, b| a >= b), "{counts:?}");
    assert!(counts[4] <= 8, "a node a state at most: {counts:?}");
    assert!(counts[0] > 10 * counts[4], "{counts:?}");
}

#[test]
fn one_thread_and_many_give_the_same_tree() {
    let clips = &sample()[..3];
    let frames = library_frames(clips, None).unwrap();
    let tree = || cluster_frames(&frames, Centre::OfMembers, &Run::quiet()).unwrap();
    let single = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    assert_eq!(single.install(tree), tree());
}

#[test]
fn ways_lead_from_every_walk_of_the_sample_to_every_other() {
    let clips = sample();
    let (frames, graph) = clustered(&clips, USUAL_ERROR_CM);
    let walks: Vec<u32> = (0..clips.len() as u32)
        .filter(|clip| clips[*clip as usize].name.contains("walk"))
        .collect();
    assert!(walks.len() > 1);
    for &a in &walks {
        for &b in walks.iter().filter(|b| **b != a) {
            let wish = Wish {
                from: ClipId(a),
                near: None,
                to: ClipId(b),
                into: None,
                least_play: 10,
            };
            let routes = find_routes(&graph, &frames, &wish, 5);
            let names = [a, b].map(|clip| &clips[clip as usize].name);
            assert!(!routes.is_empty(), "{names:?}");
            for route in &routes {
                assert_eq!(route.leaps[0].from.clip, ClipId(a));
                assert_eq!(route.leaps.last().unwrap().to.clip, ClipId(b));
                assert_eq!(route.kind == RouteKind::Through, route.leaps.len() > 1);
                let joined = |pair: &[afoot_graph::clusters::Leap]| {
                    pair[0].to.clip == pair[1].from.clip
                        && pair[0].to.frame.0 + 10 <= pair[1].from.frame.0 + 1
                };
                assert!(route.leaps.windows(2).all(joined), "{route:?}");
            }
        }
    }
    let times = reach_times(&graph, &frames, 10);
    assert_eq!(times.len(), clips.len());
    assert!(
        walks
            .iter()
            .all(|walk| times[*walk as usize].reached_share > 0.3),
        "{times:?}"
    );
}

#[test]
fn a_cluster_graph_becomes_a_motion_graph() {
    let clips: Vec<Clip> = sample()[..6].iter().map(level_clip).collect();
    let (frames, graph) = clustered(&clips, USUAL_ERROR_CM);
    let options = GraphOptions {
        threshold_cm: 10.0,
        ..GraphOptions::default()
    };
    let search = prepare_search(&clips, &options).unwrap().unwrap();
    let candidates = cluster_candidates(&graph, &frames, &search, &Run::quiet()).unwrap();
    let (built, report) =
        build_from_candidates(&clips, &candidates, &options, &Run::quiet()).unwrap();
    assert!(built.transitions.len() > 10, "{report:?}");
    assert!(report.component_share > 0.3, "{report:?}");
}

/// The lag at which the ankles, as seen from the hips, are most like themselves. [frames]
fn ankle_period(clip: &Clip) -> u32 {
    let positions = forward_kinematics(clip);
    let headings = headings(clip);
    let track = |side: Side| -> Vec<f64> {
        let ankle = clip.skeleton.with_role(Role::Foot(side)).unwrap();
        let forward = |frame: usize| {
            let away = positions.joint(FrameId(frame as u32), ankle) - clip.root[frame];
            let (sin, cos) = headings[frame].sin_cos();
            f64::from(away.x) * sin + f64::from(away.z) * cos
        };
        (0..clip.len()).map(forward).collect()
    };
    let tracks = Side::BOTH.map(track);
    let correlation = |lag: usize| -> f64 {
        let of = |track: &Vec<f64>| {
            let (a, b) = (&track[..track.len() - lag], &track[lag..]);
            let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
            let (ma, mb) = (mean(a), mean(b));
            let dot = |x: &[f64], mx: f64, y: &[f64], my: f64| -> f64 {
                x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum()
            };
            dot(a, ma, b, mb) / (dot(a, ma, a, ma) * dot(b, mb, b, mb)).sqrt()
        };
        tracks.iter().map(of).sum()
    };
    let lags = 12..(clip.len() - 10).min(54);
    lags.max_by(|a, b| correlation(*a).total_cmp(&correlation(*b)))
        .unwrap() as u32
}

#[test]
fn periods_of_captured_walks_and_runs_are_those_of_their_ankles() {
    let Some(captured) = Captured::find() else {
        return;
    };
    let groups = &captured.sets["sets"]["thesis"]["groups"];
    let names = ["walk", "walk_turn", "run"].into_iter().flat_map(|group| {
        let names = groups[group].as_array().unwrap().iter();
        names.map(|name| name.as_str().unwrap().to_owned())
    });
    let short = ["08_07", "16_35", "16_45", "16_46"];
    let names: Vec<String> = std::iter::once("08_02".to_owned()).chain(names).collect();
    let (mut right, mut all) = (0, 0);
    for name in names.iter().filter(|name| !short.contains(&name.as_str())) {
        let clip = level_clip(&support::with_facts(captured.clip(name)));
        let expected = ankle_period(&clip);
        let (frames, graph) = clustered(std::slice::from_ref(&clip), USUAL_ERROR_CM);
        let found = find_cycle(&graph, &frames, ClipId(0));
        let close = found.is_some_and(|cycle| cycle.period.abs_diff(expected) <= 1);
        println!(
            "{name}: period {:?}, ankles {expected}, {} frames",
            found,
            clip.len()
        );
        right += usize::from(close);
        all += 1;
    }
    println!("{right} of {all} within a frame");
    assert_eq!(all, 24);
    assert!(right >= 23, "{right} of {all}");
}

#[test]
fn a_captured_walk_cycle_has_five_to_ten_nodes() {
    let Some(captured) = Captured::find() else {
        return;
    };
    let clip = level_clip(&support::with_facts(captured.clip("16_15")));
    let (frames, graph) = clustered(std::slice::from_ref(&clip), USUAL_ERROR_CM);
    let cycle = find_cycle(&graph, &frames, ClipId(0)).unwrap();
    let start = cycle.phase.0;
    let during = graph.of_clip[0]
        .iter()
        .map(|id| graph.sequence(*id))
        .filter(|sequence| {
            sequence.frames.start >= start && sequence.frames.start < start + cycle.period
        });
    let nodes = during.count();
    println!("16_15: {nodes} nodes a cycle of {} frames", cycle.period);
    assert!((5..=10).contains(&nodes), "{nodes} of {cycle:?}");
    assert!(!find_loops(&graph, &frames, ClipId(0)).is_empty());
}

/// 5 clips of loco200, each to each other: walk, run, jump, walk that stops, turn.
#[test]
fn captured_walks_runs_jumps_and_stops_lead_to_each_other() {
    let Some(folder) = support::cmu() else { return };
    let clips: Vec<Clip> = support::loco200(&folder)
        .into_iter()
        .map(|clip| level_clip(&support::with_facts(clip)))
        .collect();
    let (frames, graph) = clustered(&clips, USUAL_ERROR_CM);
    println!(
        "{} nodes, {} sequences",
        graph.nodes.len(),
        graph.sequences.len()
    );
    let wanted = ["16_15", "16_36", "16_03", "16_34", "16_17"]
        .map(|name| ClipId(clips.iter().position(|clip| clip.name == name).unwrap() as u32));
    let mut delivered = 0;
    for from in wanted {
        for to in wanted.into_iter().filter(|to| *to != from) {
            let wish = Wish {
                from,
                near: None,
                to,
                into: None,
                least_play: 10,
            };
            let best = find_routes(&graph, &frames, &wish, 1);
            let told = best
                .first()
                .map(|r| (r.kind, r.leaps.len(), r.error() * 100.0));
            let names = [from, to].map(|clip| clips[clip.index()].name.as_str());
            println!("{names:?}: {told:?}");
            delivered += usize::from(!best.is_empty());
        }
    }
    assert!(delivered >= 18, "{delivered} of 20");
}
