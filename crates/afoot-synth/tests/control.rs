//! Steering on sample motion: the table against exhaustive search, the controller against wishes.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use afoot_codec::{CodecError, ContentHash, Flat, FlatWriter};
use afoot_core::{Clip, FrameId, Planar, Pose, Quat, Side, Vec3, pose_kinematics, wrap_angle};
use afoot_graph::{Edge, EdgeId, EdgeKind, GraphOptions, NodeId, build_graph};
use afoot_run::{Run, Stopped};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{
    ControlOptions, ControlTable, Controller, ControllerError, ControllerOptions, ControllerStart,
    Edges, PivotOptions, ReactionOptions, Repertoire, TableError, measure_reaction,
};
use support::{graph_of, mirrored};

type Steered = (Arc<Repertoire>, Arc<ControlTable>);

fn steered(clips: &[Clip], threshold_cm: f32) -> Steered {
    let repertoire = Repertoire::new(graph_of(clips, threshold_cm), clips).unwrap();
    let table = ControlTable::new(&repertoire, &ControlOptions::default(), &Run::quiet()).unwrap();
    (Arc::new(repertoire), Arc::new(table))
}

/// Some sample clips, and their mirror images.
fn sample(names: &[&str]) -> Vec<Clip> {
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| names.contains(&clip.name.as_str()));
    assert_eq!(clips.len(), names.len());
    let images: Vec<Clip> = clips.iter().map(mirrored).collect();
    clips.extend(images);
    clips
}

fn walks() -> Steered {
    let names = [
        "walk",
        "walk_turn_left",
        "walk_turn_right",
        "walk_circle_left",
    ];
    steered(&sample(&names), 6.0)
}

fn gaits() -> Steered {
    let names = [
        "walk",
        "walk_circle_left",
        "run",
        "run_turn_left",
        "walk_to_run",
        "run_to_walk",
    ];
    steered(&sample(&names), 8.0)
}

fn figure((repertoire, table): &Steered, options: ControllerOptions) -> Controller {
    let start = ControllerStart::in_the_middle(NodeId(0));
    Controller::new(Arc::clone(repertoire), Arc::clone(table), start, options).unwrap()
}

const FRAME: f64 = 1.0 / 30.0;

/// Poses of a drive: from `at` seconds on, `direction` [rad] with a word.
fn drive(steered: &Steered, wishes: &[(f64, f64, Option<&str>)], seconds: f64) -> Vec<Pose> {
    let mut figure = figure(steered, ControllerOptions::default());
    let pose = |frame: usize| {
        let now = frame as f64 * FRAME;
        let wish = wishes.iter().rev().find(|wish| wish.0 <= now).unwrap();
        figure.advance(FRAME, wish.1, wish.2).unwrap()
    };
    (0..(seconds / FRAME) as usize).map(pose).collect()
}

fn moved(poses: &[Pose], from: f64, to: f64) -> Vec3 {
    let at = |seconds: f64| poses[(seconds / FRAME) as usize].root;
    at(to) - at(from)
}

/// What the table minimises, by looking at every walk: a small graph, a short horizon, no pivots.
struct Exhaustive<'a> {
    repertoire: &'a Repertoire,
    options: &'a ControlOptions,
    /// Walks end after this many frames.
    frames: u32,
}

impl Exhaustive<'_> {
    /// Cost of the best walk that begins with an edge; `direction` in the coordinates of its clip.
    fn edge(&self, edge: &Edge, direction: f64, played: u32) -> f64 {
        let graph = self.repertoire.graph();
        let keep = (-FRAME / self.options.horizon).exp();
        let (turn, join) = match edge.kind() {
            EdgeKind::Play => (Planar::IDENTITY, 0.0),
            EdgeKind::Transition(id) => (
                graph.transitions[id.0 as usize].placement,
                self.options.join_price,
            ),
        };
        let next = self.repertoire.root_at(edge.to);
        let end = turn.point([next.x, next.z]).map(|value| value as f32);
        let mut trace = self.repertoire.trace(edge).points.to_vec();
        trace.push(end);
        let mut cost = join * keep.powi(played as i32);
        for (index, pair) in trace.windows(2).enumerate() {
            let (x, z) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            let off = wrap_angle(f64::from(x).atan2(f64::from(z)) - direction).abs();
            let stands = f64::from(x.hypot(z)) / FRAME < self.options.stand_speed;
            let aim = self.options.aim_price / 2.0;
            let frame = match stands {
                true => 1.0 + aim,
                false => f64::from(off > self.options.within) + aim * (1.0 - off.cos()),
            };
            cost += frame * keep.powi((played + index as u32) as i32);
        }
        let played = played + graph.edge_frames(edge);
        match played < self.frames {
            true => cost + self.node(edge.to, direction - turn.yaw, played),
            false => cost,
        }
    }

    fn node(&self, node: NodeId, direction: f64, played: u32) -> f64 {
        let ways = self.repertoire.edges_from(node);
        ways.map(|(_, edge)| self.edge(edge, direction, played))
            .fold(f64::INFINITY, f64::min)
    }
}

#[test]
fn the_table_chooses_as_well_as_exhaustive_search() {
    let clips = sample(&["walk", "walk_turn_left", "walk_circle_left"]);
    let graph = GraphOptions {
        threshold_cm: 6.0,
        minimum_clip: 0.5,
        ..GraphOptions::default()
    };
    let graph = build_graph(&clips, &graph, &Run::quiet()).unwrap();
    let repertoire = Repertoire::new(graph.0, &clips).unwrap();
    let options = ControlOptions {
        horizon: 0.5,
        pivot: 0.0,
        ..ControlOptions::default()
    };
    let table = ControlTable::new(&repertoire, &options, &Run::quiet()).unwrap();
    let exhaustive = Exhaustive {
        repertoire: &repertoire,
        options: &options,
        frames: 75,
    };
    let (mut choices, mut worse) = (0, 0.0);
    for node in 0..repertoire.graph().nodes.len() as u32 {
        let node = NodeId(node);
        if repertoire.edges_from(node).count() < 2 {
            continue;
        }
        for direction in (0..8).map(|index| f64::from(index) * TAU / 8.0) {
            let chosen = table.best_edge(&repertoire, node, direction, None);
            let cost = exhaustive.edge(repertoire.edge(chosen), direction, 0);
            let best = exhaustive.node(node, direction, 0);
            // Directions in steps of 5 degrees, and a soft border of the tolerance.
            assert!(
                cost <= best + 1.5,
                "{node:?} {direction}: {cost} for {best}"
            );
            (choices, worse) = (choices + 1, worse + cost - best);
        }
    }
    assert!(choices >= 80, "{choices}");
    assert!(worse / f64::from(choices) < 0.1, "{worse} in {choices}");
}

#[test]
fn a_new_direction_is_reached_and_kept() {
    let (repertoire, table) = &walks();
    let options = ReactionOptions {
        seconds: 300.0,
        seed: 5,
        ..ReactionOptions::default()
    };
    let reaction = measure_reaction(repertoire, table, &options).unwrap();
    let wishes = reaction.times.len();
    assert!(wishes > 60 && reaction.bounds.len() == wishes);
    assert_eq!(reaction.given_up, 0);
    assert!(
        reaction.kept * 100 >= wishes * 95,
        "{} of {wishes}",
        reaction.kept
    );
    let (median, bound) = (reaction.quantile(0.5), reaction.bound_quantile(0.5));
    assert!(median < bound, "pivots save time: {median} s, {bound} s");
    assert!(reaction.times.is_sorted() && reaction.quantile(1.0) < 5.0);
}

/// A clip whose left foot points outwards by an angle throughout. [rad]
fn splayed(clip: &Clip, by: f32) -> Clip {
    let mut clip = clip.clone();
    clip.name = format!("{}_splayed", clip.name);
    let skeleton = Arc::clone(&clip.skeleton);
    let ankle = skeleton.leg(Side::Left).unwrap().ankle;
    let above = skeleton.joint(ankle).parent.unwrap();
    for frame in (0..clip.len()).map(FrameId::from) {
        let root = clip.root[frame.index()];
        let local = clip.frame_rotations_mut(frame);
        let (world, _) = pose_kinematics(&skeleton, root, local);
        let foot = Quat::from_rotation_y(by) * world[ankle.index()];
        local[ankle.index()] = (world[above.index()].inverse() * foot).normalize();
    }
    clip
}

#[test]
fn a_transition_that_drags_a_standing_foot_round_is_known_and_costs() {
    let mut clips = sample(&["walk", "walk_circle_left"]);
    let all: Vec<Clip> = clips.iter().map(|clip| splayed(clip, 1.2)).collect();
    clips.extend(all);
    let repertoire = Repertoire::new(graph_of(&clips, 12.0), &clips).unwrap();
    let graph = repertoire.graph();
    let (mut within, mut across) = (0.0f64, 0.0f64);
    for edge in &graph.edges {
        let EdgeKind::Transition(id) = edge.kind() else {
            continue;
        };
        let transition = &graph.transitions[id.0 as usize];
        let [from, to] = [transition.from, transition.to].map(|place| place.clip.index());
        let most = match (from < clips.len() / 2) == (to < clips.len() / 2) {
            true => &mut within,
            false => &mut across,
        };
        *most = most.max(repertoire.swivel(edge));
    }
    assert!(within < 0.45, "{within} rad");
    assert!((0.9..1.7).contains(&across), "{across} rad");
    let crossings = |swivel_price: f64| {
        let options = ControlOptions {
            swivel_price,
            ..ControlOptions::default()
        };
        let table = ControlTable::new(&repertoire, &options, &Run::quiet()).unwrap();
        let chosen = (0..graph.nodes.len() as u32).flat_map(|node| {
            let directions = (0..24).map(|step| f64::from(step) * TAU / 24.0);
            let table = &table;
            let repertoire = &repertoire;
            directions.map(move |to| table.best_edge(repertoire, NodeId(node), to, None))
        });
        let drags = |id: &EdgeId| repertoire.swivel(&graph.edges[id.0 as usize]) > 0.9;
        chosen.filter(drags).count()
    };
    let (free, priced) = (crossings(0.0), crossings(15.0));
    assert!(2 * priced < free, "{priced} of {free}");
}

#[test]
fn without_pivots_the_bound_holds_and_is_nearly_reached() {
    let (repertoire, _) = &walks();
    let options = ControlOptions {
        pivot: 0.0,
        ..ControlOptions::default()
    };
    let table = Arc::new(ControlTable::new(&**repertoire, &options, &Run::quiet()).unwrap());
    let plain = ControllerOptions {
        pivot: PivotOptions {
            per_metre: 0.0,
            ..PivotOptions::default()
        },
        content: TAU,
        ..ControllerOptions::default()
    };
    let options = ReactionOptions {
        seconds: 300.0,
        controller: plain,
        ..ReactionOptions::default()
    };
    let reaction = measure_reaction(repertoire, &table, &options).unwrap();
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let (times, bounds) = (mean(&reaction.times), mean(&reaction.bounds));
    // Each bound is rounded to 3 degrees and a clip's own past.
    assert!(times > bounds - 0.02, "{times} s, {bounds} s");
    assert!(times < 1.35 * bounds, "{times} s, {bounds} s");
}

#[test]
fn wanted_words_are_followed() {
    let steered = &gaits();
    let wishes = [
        (0.0, 0.0, Some("walk")),
        (6.0, 0.0, Some("run")),
        (12.0, PI, Some("walk")),
    ];
    let poses = drive(steered, &wishes, 18.0);
    let speed = |from: f64| f64::from(moved(&poses, from, from + 2.0).length()) / 2.0;
    let speeds = [speed(3.9), speed(9.9), speed(15.9)];
    assert!((0.7..1.8).contains(&speeds[0]), "walks at {speeds:?} m/s");
    assert!(speeds[1] > 2.0, "runs at {speeds:?} m/s");
    assert!((0.7..1.8).contains(&speeds[2]), "walks at {speeds:?} m/s");
    assert!(moved(&poses, 9.9, 11.9).z > 3.0 && moved(&poses, 15.9, 17.9).z < -1.2);

    let mut figure = figure(steered, ControllerOptions::default());
    assert!(figure.words().iter().any(|word| word == "run"));
    let error = figure.advance(FRAME, 0.0, Some("swim")).unwrap_err();
    assert!(matches!(error, ControllerError::UnknownLabel(_)));
    assert!(error.to_string().contains("\"swim\"") && error.to_string().contains("walk"));
}

#[test]
fn a_call_does_a_bounded_amount_and_takes_any_number() {
    let mut long = figure(&walks(), ControllerOptions::default());
    let mut quarter = long.clone();
    let (far, near) = (
        long.advance(1e9, 1.0, None).unwrap(),
        quarter.advance(0.25, 1.0, None).unwrap(),
    );
    assert_eq!(far, near, "a quarter of a second at most");
    assert!(far.root.length() < 1.0);
    let still = long.advance(0.0, 1.0, None).unwrap();
    for seconds in [f64::NAN, f64::INFINITY, -1.0] {
        assert_eq!(long.advance(seconds, 1.0, None).unwrap(), still);
    }
    for direction in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -7.0] {
        for _ in 0..30 {
            let pose = long.advance(FRAME, direction, None).unwrap();
            assert!(pose.root.is_finite() && pose.rotations.iter().all(|r| r.is_finite()));
        }
    }
}

/// No joint jumps: not within transitions, not where one is left, not by pivots.
#[test]
fn motion_is_smooth_whatever_is_wished() {
    let steered @ (repertoire, _) = &walks();
    let skeleton = repertoire.skeleton().unwrap();
    let points = |pose: &Pose| pose_kinematics(skeleton, pose.root, &pose.rotations).1;
    let bend = |poses: &[Pose]| -> f32 {
        let points: Vec<Vec<Vec3>> = poses.iter().map(points).collect();
        let joints = 0..skeleton.joints().len();
        let bends = points.windows(3).flat_map(|w| {
            let bend = |j: usize| (w[2][j] - 2.0 * w[1][j] + w[0][j]).length();
            joints.clone().map(bend).collect::<Vec<_>>()
        });
        bends.fold(0.0, f32::max)
    };
    let clips = (0..repertoire.graph().clips.len()).map(|clip| repertoire.clip(clip.into()));
    let captured = clips.map(|clip| {
        let poses: Vec<Pose> = (0..clip.len()).map(|f| clip.pose(f.into())).collect();
        bend(&poses)
    });
    let captured = captured.fold(0.0, f32::max);
    let wishes: Vec<_> = afoot_synth::random_directions(60.0, 0.2..1.5, 3)
        .into_iter()
        .map(|wish| (wish.at, wish.direction, None))
        .collect();
    let driven = bend(&drive(steered, &wishes, 60.0));
    assert!(driven < 1.5 * captured, "{driven} m, captured {captured} m");
}

#[test]
fn the_rate_of_calls_does_not_matter() {
    let mut whole = figure(&walks(), ControllerOptions::default());
    let mut half = whole.clone();
    for frame in 0..300 {
        let direction = f64::from(frame / 60);
        let one = whole.advance(FRAME, direction, None).unwrap();
        half.advance(FRAME / 2.0, direction, None).unwrap();
        let two = half.advance(FRAME / 2.0, direction, None).unwrap();
        assert!((one.root - two.root).length() < 1e-4, "frame {frame}");
    }
}

/// A file's words in memory.
struct Memory(Vec<u64>);

impl AsRef<[u8]> for Memory {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

/// A table as it is mapped from a file with these words.
fn mapped(words: Vec<u64>) -> Result<ControlTable, CodecError> {
    let key = ContentHash::of(b"key");
    let tables = Flat::open(Arc::new(Memory(words)), ControlTable::TABLES, key)?;
    ControlTable::from_tables(&tables)
}

fn words_of(table: &ControlTable) -> Vec<u64> {
    let key = ContentHash::of(b"key");
    let bytes = table.to_tables().finish(ControlTable::TABLES, key);
    bytemuck::cast_slice((*bytes).as_ref()).to_vec()
}

/// The same table with entries that no node has edges for, and hashes that fit them.
fn with_wild_entries(words: Vec<u64>) -> Vec<u64> {
    let key = ContentHash::of(b"key");
    let tables = Flat::open(Arc::new(Memory(words)), ControlTable::TABLES, key).unwrap();
    let mut best = tables.table::<u8>(1).unwrap().to_vec();
    let middle = best.len() / 2;
    best[middle..middle + 100].fill(u8::MAX);
    let mut wild = FlatWriter::default();
    wild.table(&tables.table::<u8>(0).unwrap());
    wild.end_vital();
    wild.table(&best);
    let bytes = wild.finish(ControlTable::TABLES, key);
    bytemuck::cast_slice((*bytes).as_ref()).to_vec()
}

#[test]
fn mapped_tables_say_the_same_and_what_is_wrong_is_refused_or_does_no_harm() {
    let (repertoire, table) = &walks();
    let words = words_of(table);
    let read = mapped(words.clone()).unwrap();
    read.fits(&**repertoire).unwrap();
    let nodes = repertoire.graph().nodes.len() as u32;
    let edges = |table: &ControlTable| -> Vec<EdgeId> {
        let edge = |(node, bin): (u32, u32)| {
            let direction = f64::from(bin) * std::f64::consts::TAU / 24.0;
            table.best_edge(&**repertoire, NodeId(node), direction, Some(0))
        };
        let all = (0..nodes).flat_map(|node| (0..24).map(move |bin| (node, bin)));
        all.map(edge).collect()
    };
    assert_eq!(edges(&read), edges(table));
    for length in (0..16).chain([words.len() / 2, words.len() - 1]) {
        assert!(mapped(words[..length].to_vec()).is_err(), "{length} words");
    }
    // Behind the head and the list of tables lies nothing for a while.
    for word in 0..12 {
        let mut other = words.clone();
        other[word] ^= 0x55;
        assert!(mapped(other).is_err(), "word {word}");
    }
    let mut other = words.clone();
    other[words.len() / 2] ^= 0x55;
    assert!(mapped(other).is_err(), "an entry");
    // Entries of large tables are checked in turn: one that is no edge's leads along an edge of its node.
    let wild = mapped(with_wild_entries(words)).unwrap();
    for (edge, number) in edges(&wild).into_iter().zip(0..) {
        let from = repertoire.graph().edges[edge.0 as usize].from;
        assert_eq!(from, NodeId(number / 24));
    }
    let (other, _) = &gaits();
    assert_eq!(table.fits(&**other), Err(TableError::OtherGraph));
    let start = ControllerStart::in_the_middle(NodeId(0));
    let options = ControllerOptions::default();
    let refused = Controller::new(Arc::clone(other), Arc::clone(table), start, options);
    assert_eq!(refused.unwrap_err(), TableError::OtherGraph.into());
    let start = ControllerStart::in_the_middle(NodeId(u32::MAX));
    let refused = Controller::new(Arc::clone(repertoire), Arc::clone(table), start, options);
    assert_eq!(refused.unwrap_err(), ControllerError::EmptyGraph);
}

#[test]
fn the_same_wishes_give_the_same_motion_on_any_number_of_threads() {
    let steered @ (repertoire, table) = &walks();
    for threads in [1, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let again = pool.build().unwrap().install(|| {
            ControlTable::new(&**repertoire, &ControlOptions::default(), &Run::quiet())
        });
        assert!(again.unwrap() == **table, "{threads} threads");
    }
    let wishes = [
        (0.0, 0.5, None),
        (2.0, -2.0, Some("walk")),
        (3.0, 3.0, None),
    ];
    let (one, two) = (drive(steered, &wishes, 6.0), drive(steered, &wishes, 6.0));
    assert!(one == two);
    let run = Run::quiet();
    run.cancel().stop();
    let stopped = ControlTable::new(&**repertoire, &ControlOptions::default(), &run);
    assert_eq!(stopped.unwrap_err(), TableError::Stopped(Stopped));
}

#[test]
fn a_figure_says_which_captured_frames_it_plays() {
    let steered = walks();
    // Held feet would turn legs.
    let options = ControllerOptions {
        feet: None,
        ..ControllerOptions::default()
    };
    let mut figure = figure(&steered, options);
    let (mut captured, mut transitions, mut last) = (0, 0, None);
    for frame in 0..600 {
        let direction = if frame < 200 { 0.0 } else { 2.0 };
        let pose = figure.advance(FRAME, direction, None).unwrap();
        let playing = figure.playing();
        let clip = steered.0.clip(playing.place.clip);
        match (playing.transition, last) {
            (None, _) => {
                captured += 1;
                // Pivots turn the root alone.
                let source = clip.frame_rotations(playing.place.frame);
                let same =
                    |(a, b): (&afoot_core::Quat, &afoot_core::Quat)| a.dot(*b).abs() > 0.9999;
                assert!(
                    pose.rotations.iter().zip(source).skip(1).all(same),
                    "{frame}"
                );
            }
            (Some(0), _) => transitions += 1,
            (Some(played), Some(before)) => assert_eq!(played, before + 1, "{frame}"),
            (Some(played), None) => panic!("a transition starts at its frame {played}"),
        }
        last = playing.transition;
    }
    assert!(captured > 50 && transitions > 2, "{captured} {transitions}");
}
