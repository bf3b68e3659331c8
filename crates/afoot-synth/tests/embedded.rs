//! Moves of a graph, and paths of an embedded graph as motion.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_core::{Clip, Planar, wrap_angle};
use afoot_graph::{GraphOptions, build_graph};
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{Edges, FinishOptions, Repertoire, graph_moves, play_path};
use afoot_world::{EmbedOptions, Ends, FreeWays, PathSearch, World, embed};

fn walker() -> Repertoire {
    let wanted = [
        "walk",
        "walk_turn_left",
        "walk_circle_left",
        "walk_circle_right",
        "walk_slalom",
    ];
    let clips: Vec<Clip> = sample_library(&SampleOptions::default())
        .into_iter()
        .filter(|clip| wanted.contains(&clip.name.as_str()))
        .collect();
    let options = GraphOptions {
        threshold_cm: 8.0,
        minimum_clip: 1.0 / 3.0,
        ..GraphOptions::default()
    };
    let (graph, _) = build_graph(&clips, &options, &Run::quiet()).unwrap();
    Repertoire::new(graph, &clips).unwrap()
}

#[test]
fn moves_lead_from_choice_to_choice_and_last_as_long_as_asked() {
    let repertoire = walker();
    let moves = graph_moves(&repertoire);
    assert!(moves.nodes.len() > 2 && moves.list.len() > moves.nodes.len());
    let shortest = (repertoire.graph().window as usize).max(10);
    for step in &moves.list {
        // From choice to choice it takes a third of a second, the jump's window included.
        let jumps = step
            .edges
            .iter()
            .any(|edge| repertoire.join(repertoire.edge(*edge)).is_some());
        assert!(
            !jumps || step.frames() >= shortest,
            "{} frames",
            step.frames()
        );
        assert_eq!(step.poses.len(), step.labels.len() + 1);
        let start = step.poses[0];
        assert!(
            // The first frame of a blend already leans a little towards what it leads to.
            start.x.hypot(start.z) < 1e-3 && start.yaw.abs() < 1e-9,
            "{start:?}"
        );
        // No pose is far from the one before: frames follow each other over joins too.
        for pair in step.poses.windows(2) {
            let far = (pair[1].x - pair[0].x).hypot(pair[1].z - pair[0].z);
            assert!(far < 0.15, "{far} m in a frame");
        }
        let last = repertoire.edge(*step.edges.last().unwrap());
        assert_eq!(last.to, moves.nodes[step.to.0 as usize]);
    }
}

#[test]
fn a_path_plays_where_it_was_embedded_and_touches_nothing() {
    let repertoire = walker();
    let moves = graph_moves(&repertoire);
    let world = World::from_json(
        r#"{"bounds": [[0,0],[6,6]], "obstacles": [{"circle": [3,3,0.4]}], "radius": 0.25}"#,
    )
    .unwrap();
    let options = EmbedOptions {
        cell: 0.25,
        yaw: 30f64.to_radians(),
        margin: 0.03,
        ..EmbedOptions::default()
    };
    let embedding = embed(&moves, &world, &options, &Run::quiet()).unwrap();
    let [start, goal] =
        [[1.0, 1.0], [5.0, 5.0]].map(|place| embedding.grid.cell_at(place).unwrap());
    let left = FreeWays::new(&world, &embedding.grid, world.radius).to(goal);
    let starts: Vec<_> = embedding.states_at(start).collect();
    let ends = Ends {
        starts: &starts,
        goal,
        heading: None,
    };
    let path = PathSearch::new(&embedding).find(&ends, &left).unwrap();
    assert!(path.length >= f64::from(left[start.0 as usize]) - 1e-4);
    let finish = FinishOptions {
        warp: None,
        cleanup: None,
    };
    let played = play_path(&repertoire, &embedding, &path, &finish);
    assert!(played.edit.most <= 1.0 + 1e-6, "{:?}", played.edit);
    let clip = &played.played.clip;
    assert_eq!(clip.len() + 1, played.way.len());
    for frame in 0..clip.len() {
        let (own, way): (Planar, Planar) = (clip.placement(frame.into()), played.way[frame]);
        let far = (own.x - way.x).hypot(own.z - way.z);
        let turned = wrap_angle(own.yaw - way.yaw).to_degrees().abs();
        assert!(
            far < 0.03 && turned < 5.0,
            "frame {frame}: {far} m, {turned} degrees"
        );
        assert!(
            world.clearance([own.x, own.z]) >= world.radius,
            "frame {frame}"
        );
    }
}
