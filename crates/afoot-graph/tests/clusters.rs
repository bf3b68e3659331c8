//! Cluster graphs of sample motion, and of captured motion where it is at hand.
#![allow(clippy::unwrap_used)]

mod support;

use afoot_core::{Clip, ClipId, FrameId, Locomotion, Role, Side, forward_kinematics, headings};
use afoot_fixtures::Captured;
use afoot_graph::clusters::{
    Centre, ClusterGraph, FrameMetric, LibraryFrames, RouteKind, Stretch, ThroughOptions,
    USUAL_ERROR_CM, Wish, cluster_candidates, cluster_frames, find_cycle, find_loops,
    find_loops_through, find_routes, fit_blend, library_frames, reach_times, synthetic_leap,
    through_routes,
};
use afoot_graph::{
    GraphOptions, LikeOptions, build_from_candidates, find_like, level_clip, prepare_search,
};
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};

fn clustered(clips: &[Clip], error_cm: f32) -> (LibraryFrames, ClusterGraph) {
    let frames = library_frames(clips, None).unwrap();
    let tree = cluster_frames(&frames, Centre::OfMembers, &Run::quiet()).unwrap();
    let graph = ClusterGraph::cut(&tree, &frames, error_cm / 100.0);
    (frames, graph)
}

/// Some walks of the sample.
fn sample() -> Vec<Clip> {
    let wanted = ["walk", "walk_turn_left", "walk_arc_left", "walk_slalom"];
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| wanted.contains(&clip.name.as_str()));
    assert_eq!(clips.len(), wanted.len());
    clips
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
    let clips = sample();
    let frames = library_frames(&clips, None).unwrap();
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
                first: None,
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

/// The way from a walk into another that leaves and enters where it was wished, if there is one node
/// that holds both.
#[test]
fn a_wished_exit_and_entry_in_one_node_come_first() {
    let clips = sample();
    let (frames, graph) = clustered(&clips, USUAL_ERROR_CM);
    let shared = graph.nodes.iter().find_map(|node| {
        let own: Vec<_> = node.sequences.clone().collect();
        let first = &graph.sequences[own[0] as usize];
        let goes_on = |s: &afoot_graph::clusters::Sequence| s.frames.end < frames.frames_of(s.clip);
        let mut others = own.iter().map(|id| &graph.sequences[*id as usize]);
        let other = others.find(|s| s.clip != first.clip && goes_on(s))?;
        goes_on(first).then_some((first, other))
    });
    let (from, to) = shared.expect("walks share nodes");
    let mut wish = Wish {
        from: from.clip,
        near: Some(FrameId(from.frames.start)),
        to: to.clip,
        into: Some(FrameId(to.frames.start)),
        first: None,
        least_play: 10,
    };
    let routes = find_routes(&graph, &frames, &wish, 50);
    assert_eq!(routes[0].kind, RouteKind::Exact);
    assert!(from.frames.contains(&routes[0].leaps[0].from.frame.0));
    let direct = routes.iter().filter(|r| r.kind == RouteKind::Direct);
    let direct: Vec<_> = direct.map(|r| r.leaps[0]).collect();
    let away = |frame: FrameId| frame.0.abs_diff(from.frames.start);
    assert!(
        direct.is_sorted_by_key(|leap| away(leap.from.frame)),
        "{direct:?}"
    );
    assert!(direct.iter().all(|leap| leap.to.frame.0 <= to.frames.start));
    wish.into = Some(FrameId(0));
    let none = find_routes(&graph, &frames, &wish, 5);
    assert!(
        none.iter()
            .all(|r| r.kind == RouteKind::Exact || r.leaps.last().unwrap().to.frame.0 == 0),
        "nothing enters before a clip begins: {none:?}"
    );
}

#[test]
fn ways_and_loops_lead_through_other_clips() {
    let clips = sample();
    let (frames, graph) = clustered(&clips, USUAL_ERROR_CM);
    let walk = ClipId(clips.iter().position(|clip| clip.name == "walk").unwrap() as u32);
    let turn = clips
        .iter()
        .position(|clip| clip.name == "walk_turn_left")
        .unwrap();
    let wish = Wish {
        from: walk,
        near: None,
        to: ClipId(turn as u32),
        into: None,
        first: None,
        least_play: 10,
    };
    let routes = through_routes(&graph, &frames, &wish, 8);
    assert!(!routes.is_empty());
    for route in &routes {
        assert!(route.leaps.len() > 1, "{route:?}");
        assert_ne!(route.leaps[0].to.clip, wish.to, "{route:?}");
        assert_eq!(route.leaps.last().unwrap().to.clip, wish.to);
    }
    let options = ThroughOptions {
        least_play: 10,
        count: 8,
    };
    let loops = find_loops_through(&graph, &frames, walk, options);
    assert!(!loops.is_empty());
    for found in &loops {
        assert!(found.leaps.len() > 1, "{found:?}");
        assert_eq!([found.start().clip, found.exit().clip], [walk, walk]);
        assert!(found.start().frame < found.exit().frame, "{found:?}");
        assert_ne!(found.leaps[0].to.clip, walk, "{found:?}");
        let joined = |pair: &[afoot_graph::clusters::Leap]| pair[0].to.clip == pair[1].from.clip;
        assert!(found.leaps.windows(2).all(joined), "{found:?}");
    }
}

#[test]
fn a_synthetic_leap_is_the_least_unlike_pair_of_one_state() {
    let clips = sample();
    let frames = library_frames(&clips, None).unwrap();
    let whole = |clip: u32| Stretch {
        clip: ClipId(clip),
        frames: 0..clips[clip as usize].len() as u32,
    };
    let leap = synthetic_leap(&frames, &whole(0), &whole(1)).unwrap();
    assert_eq!(leap.node, None);
    let mut least = f32::INFINITY;
    for i in 0..clips[0].len() as u32 - 1 {
        for j in 0..clips[1].len() as u32 - 1 {
            let [a, b] = [(0, i), (1, j)].map(|(c, f)| frames.index(ClipId(c), FrameId(f)));
            if frames.state(a).is_some() && frames.state(a) == frames.state(b) {
                least = least.min(frames.error(a, b));
            }
        }
    }
    assert_eq!(leap.error, least);
    let fit = fit_blend(&frames, &leap, 15, false);
    assert!((1..=15).contains(&fit.half), "{fit:?}");
    let exact = fit_blend(&frames, &leap, 3, true);
    let room = leap.to.frame.0.min(leap.from.frame.0 + 1);
    assert_eq!(exact.half, 3.min(room), "{leap:?}");
}

#[test]
fn parts_of_the_body_and_places_can_be_compared() {
    let clips = sample();
    let skeleton = &clips[0].skeleton;
    let parts = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        FrameMetric::of_parts(skeleton, &names)
    };
    let legs = parts(&["legs"]).unwrap();
    let names: Vec<&str> = legs.weights.keys().map(String::as_str).collect();
    assert_eq!(names, ["left_leg", "right_leg", "root"]);
    assert!(
        parts(&["upper_body"])
            .unwrap()
            .weights
            .contains_key("torso")
    );
    let error = parts(&["tail"]).unwrap_err().to_string();
    assert!(
        error.contains("tail") && error.contains("left_leg"),
        "{error}"
    );
    // The same motion elsewhere and otherwise turned is the same, unless places count.
    let mut moved = clips[0].clone();
    moved.place(afoot_core::Planar::new(3.0, -2.0, 1.2));
    let pair = [clips[0].clone(), moved];
    for (absolute, near) in [(false, true), (true, false)] {
        let metric = FrameMetric {
            absolute,
            ..FrameMetric::of_body(skeleton)
        };
        let frames = library_frames(&pair, Some(&metric)).unwrap();
        let [a, b] = [0, 1].map(|clip| frames.index(ClipId(clip), FrameId(20)));
        assert_eq!(frames.error(a, b) < 1e-3, near, "absolute: {absolute}");
    }
}

#[test]
fn cycles_like_one_are_found_all_over_the_walks() {
    let clips = sample();
    let frames = library_frames(&clips, None).unwrap();
    let graph = clustered(&clips, USUAL_ERROR_CM).1;
    let walk = ClipId(clips.iter().position(|clip| clip.name == "walk").unwrap() as u32);
    let cycle = find_cycle(&graph, &frames, walk).unwrap();
    let example = Stretch {
        clip: walk,
        frames: cycle.phase.0..cycle.phase.0 + cycle.period,
    };
    let options = LikeOptions::default();
    let found = find_like(&frames, &example, &options, &Run::quiet()).unwrap();
    let own = found
        .iter()
        .filter(|like| like.stretch.clip == walk)
        .count();
    assert!(own + 2 >= cycle.cycles as usize, "{own} of {cycle:?}");
    let others = found.iter().filter(|like| like.stretch.clip != walk);
    let named = |like: &afoot_graph::Likeness| clips[like.stretch.clip.index()].name.as_str();
    let others: Vec<&str> = others.map(named).collect();
    assert!(
        others.iter().any(|name| name.contains("turn")),
        "{others:?}"
    );
    for like in &found {
        assert!(like.error <= options.error);
        let length = like.stretch.frames.len() as f64 / f64::from(cycle.period);
        assert!((0.5..=2.0).contains(&length), "{like:?}");
        assert_eq!(like.by.is_some(), like.steps > 0);
    }
    let alone = LikeOptions {
        steps: 0,
        ..options
    };
    let alone = find_like(&frames, &example, &alone, &Run::quiet()).unwrap();
    assert!(alone.len() <= found.len());
    assert_eq!(
        alone[..],
        found[..alone.len()],
        "the direct ones come first"
    );
}

#[test]
fn what_is_like_a_jump_flies() {
    let Some(captured) = Captured::find() else {
        return;
    };
    let subject = captured.names_of("loco").into_iter();
    let of_16 = subject.filter(|name| name.starts_with("16_"));
    let clips: Vec<Clip> = of_16
        .map(|name| level_clip(&support::with_facts(captured.clip(&name))))
        .collect();
    let frames = library_frames(&clips, None).unwrap();
    for name in ["16_01", "16_03", "16_05"] {
        let clip = clips.iter().position(|clip| clip.name == name).unwrap();
        let example = Stretch {
            clip: ClipId(clip as u32),
            frames: 0..clips[clip].len() as u32,
        };
        let options = LikeOptions::default();
        let found = find_like(&frames, &example, &options, &Run::quiet()).unwrap();
        assert!(found.len() >= 5, "{name}: {found:?}");
        for like in &found {
            let own = like.stretch.frames.clone().map(FrameId);
            let states = own.map(|frame| frames.state(frames.index(like.stretch.clip, frame)));
            let flights = states.filter(|state| state.is_some_and(|state| state.is_flight()));
            // A fifth of a second; steps of a run fly for less.
            assert!(flights.count() >= 6, "{name}: {like:?}");
        }
    }
}

#[test]
fn a_cluster_graph_becomes_a_motion_graph() {
    let clips: Vec<Clip> = sample().iter().map(level_clip).collect();
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

/// Whether every loop of a clip lasts as long as legs need, and goes away before it comes back.
fn check_loops(clips: &[Clip]) {
    let (frames, graph) = clustered(clips, USUAL_ERROR_CM);
    for clip in (0..clips.len() as u32).map(ClipId) {
        for found in find_loops(&graph, &frames, clip) {
            let name = &clips[clip.index()].name;
            assert!(
                frames.rate().frame_time() * f64::from(found.period) >= 0.4,
                "{name}: {found:?}"
            );
            let at = |frame: u32| frames.index(clip, FrameId(frame));
            let start = found.start().frame.0;
            let away = (start..start + found.period).map(|f| frames.error(at(start), at(f)));
            let away = away.fold(0.0, f32::max);
            assert!(away > found.error(), "{name}: {found:?} goes {away} m away");
        }
    }
}

#[test]
fn loops_are_cycles_and_no_two_frames_at_the_border_of_a_node() {
    check_loops(&sample_library(&SampleOptions::default()));
    let Some(folder) = support::cmu() else { return };
    let clips: Vec<Clip> = support::loco200(&folder)
        .into_iter()
        .map(|clip| level_clip(&support::with_facts(clip)))
        .collect();
    check_loops(&clips);
}

/// From the jump 16_03 the run 16_36 is come to without another jump.
#[test]
fn captured_ways_do_not_act_where_nobody_asked_for_it() {
    let Some(folder) = support::cmu() else { return };
    let clips: Vec<Clip> = support::loco200(&folder)
        .into_iter()
        .map(|clip| level_clip(&support::with_facts(clip)))
        .collect();
    let (frames, graph) = clustered(&clips, USUAL_ERROR_CM);
    let id = |name: &str| ClipId(clips.iter().position(|clip| clip.name == name).unwrap() as u32);
    let from = id("16_03");
    for to in ["16_36", "16_17"] {
        let wish = Wish {
            from,
            near: Some(FrameId(clips[from.index()].len() as u32 - 1)),
            to: id(to),
            into: None,
            first: Some(FrameId(0)),
            least_play: 10,
        };
        let best = &through_routes(&graph, &frames, &wish, 1)[0];
        for pair in best.leaps.windows(2) {
            let (entered, left) = (pair[0].to, pair[1].from);
            let clip = &clips[entered.clip.index()];
            let types = &clip.types[entered.frame.index()..left.frame.index()];
            let jumps = types.iter().filter(|own| **own == Locomotion::Jump).count();
            assert_eq!(jumps, 0, "{} on the way to {to}", clip.name);
        }
    }
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
                first: None,
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
