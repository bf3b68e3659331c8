//! What is measured on an embedded graph, and what would help.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use std::sync::{Arc, Mutex};

use afoot_codec::Artefact;
use afoot_run::{Event, Run};
use afoot_world::{
    Connect, CoverageOptions, EditOptions, EmbedOptions, Embedding, FreeWays, LaidMoves, Moves,
    QualityOptions, StateId, World, embed, embed_more, lay_moves, measure_coverage, sample_paths,
    suggest, switch_times,
};
use support::walker;

const ROOM: &str =
    r#"{"bounds": [[0,0],[7,7]], "radius": 0.2, "obstacles": [{"circle": [3.5,3.5,0.4]}]}"#;

fn options(edit: f64) -> EmbedOptions {
    EmbedOptions {
        yaw: 30f64.to_radians(),
        edit: EditOptions::of_size(edit),
        ..EmbedOptions::default()
    }
}

#[test]
fn more_bending_covers_more_and_paths_are_never_shorter_than_free_ways() {
    let (moves, world) = (walker(), World::from_json(ROOM).unwrap());
    let mut last = [0.0; 2];
    for edit in [20.0, 25.0, 30.0, 35.0] {
        let embedding = embed(&moves, &world, &options(edit), &Run::quiet()).unwrap();
        let coverage = measure_coverage(&embedding, &CoverageOptions::default());
        assert!(coverage.xz >= last[0] && coverage.xza >= last[1], "{edit}");
        assert!(coverage.xza <= coverage.xz && coverage.xz <= 1.0);
        last = [coverage.xz, coverage.xza];
        let ways = FreeWays::new(&world, &embedding.grid, world.radius);
        let asked = QualityOptions {
            samples: 60,
            seed: 3,
        };
        let (paths, quality) = sample_paths(&embedding, &ways, &asked, &Run::quiet()).unwrap();
        assert_eq!(quality.samples + quality.closed_off, 60);
        let ratios: Vec<f64> = paths.iter().filter_map(|path| path.ratio()).collect();
        assert_eq!(
            ratios.len() + quality.unreached,
            quality.samples,
            "{edit}: {quality:?}"
        );
        assert!(ratios.len() > 20, "{edit}: {quality:?}");
        assert!(ratios.iter().all(|ratio| *ratio > 1.0 - 1e-3), "{ratios:?}");
    }
    assert!(last[0] > 0.5, "{last:?}");
}

#[test]
fn turning_on_the_spot_is_what_a_walker_without_it_lacks() {
    let (moves, world) = (walker(), World::from_json(ROOM).unwrap());
    let embedding = embed(&moves, &world, &options(25.0), &Run::quiet()).unwrap();
    let asked = QualityOptions {
        samples: 40,
        seed: 3,
    };
    let found = suggest(
        &embedding,
        &CoverageOptions::default(),
        &asked,
        &Run::quiet(),
    )
    .unwrap();
    assert!(found.len() >= 7);
    assert!(
        found[0].gain_xza + found[0].gain_poor > 0.0,
        "{:?}",
        found[0]
    );
    let worth = |index: usize| found[index].gain_xza + found[index].gain_poor;
    assert!((1..found.len()).all(|index| worth(index - 1) >= worth(index)));
    // Both turns on the spot end in cells' middles though they may not be bent at all.
    let turns = found
        .iter()
        .filter(|one| one.words.starts_with("turn on the spot"));
    let gains: Vec<f64> = turns.map(|one| one.gain_xza).collect();
    assert!(
        gains.len() == 2 && gains.iter().all(|gain| *gain > 0.0),
        "{gains:?}"
    );
    let times = switch_times(&moves);
    let to_step = times
        .iter()
        .find(|time| (time.from.as_str(), time.to.as_str()) == ("walk", "step"));
    assert!(to_step.is_some_and(|time| time.seconds > 0.0 && time.seconds <= time.most));
}

#[test]
fn a_graph_that_grew_is_embedded_as_if_from_the_start() {
    let (moves, world) = (walker(), World::from_json(ROOM).unwrap());
    let options = options(25.0);
    let fewer = Moves::new(
        moves.rate,
        moves.vocabulary.clone(),
        moves.nodes.clone(),
        moves.list[..3].to_vec(),
    );
    let run = Run::quiet();
    let laid = lay_moves(&fewer, &world, &options, None, &run).unwrap();
    let read = LaidMoves::from_bytes(&laid.to_bytes()).unwrap();
    assert_eq!(read, laid);
    assert!(LaidMoves::from_bytes(&laid.to_bytes()[..200]).is_err());
    let grown = embed_more(&moves, &world, &options, Some(&read), &run).unwrap();
    let whole = embed(&moves, &world, &options, &run).unwrap();
    assert_eq!((grown.nodes, grown.links), (whole.nodes, whole.links));
    assert_eq!(grown.culled, whole.culled);
    for stencil in 0..whole.stencils.list.len() {
        assert_eq!(grown.starts_of(stencil), whole.starts_of(stencil));
        assert_eq!(
            grown.length_of(stencil as u32),
            whole.length_of(stencil as u32)
        );
    }
    // What was laid on another grid is of no use, and does no harm.
    let finer = EmbedOptions {
        cell: 0.15,
        ..options
    };
    let other = embed_more(&moves, &world, &finer, Some(&laid), &run).unwrap();
    let own = embed(&moves, &world, &finer, &run).unwrap();
    assert_eq!(other.links, own.links);
}

#[test]
fn suggestions_keep_within_the_memory_that_is_allowed_and_say_what_was_not_tried() {
    let (moves, world) = (walker(), World::from_json(ROOM).unwrap());
    let needed = embed(&moves, &world, &options(25.0), &Run::quiet()).unwrap();
    let options = EmbedOptions {
        memory: needed.estimate.bytes,
        ..options(25.0)
    };
    let embedding = embed(&moves, &world, &options, &Run::quiet()).unwrap();
    let told = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&told);
    let run = Run::watched(move |event| {
        if let Event::Warning(words) = event {
            noted.lock().unwrap().push(words.clone());
        }
    });
    let asked = QualityOptions {
        samples: 5,
        seed: 3,
    };
    let found = suggest(&embedding, &CoverageOptions::default(), &asked, &run).unwrap();
    assert!(found.is_empty(), "{found:?}");
    let told = told.lock().unwrap().join("\n");
    assert!(told.contains("were not tried"), "{told}");
}

/// Whoever may bend more keeps every way that there was, so coverage grows with the editing size.
#[test]
fn what_a_smaller_editing_size_covers_a_larger_one_does_too() {
    let (moves, world, run) = (walker(), World::from_json(ROOM).unwrap(), Run::quiet());
    for connect in [Connect::Always, Connect::Within] {
        let mut before: Option<(Links, [f64; 2])> = None;
        for size in [5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0] {
            let mut options = options(size);
            options.edit.connect = connect;
            let Ok(embedding) = embed(&moves, &world, &options, &run) else {
                assert!(before.is_none(), "{size} cm do less than fewer");
                continue;
            };
            let covered = measure_coverage(&embedding, &CoverageOptions::default());
            let now = (links_of(&embedding), [covered.xz, covered.xza]);
            if let Some((links, [xz, xza])) = before {
                assert!(links.is_subset(&now.0), "{connect:?} {size}");
                assert!(now.1[0] >= xz && now.1[1] >= xza, "{connect:?} {size}");
            }
            before = Some(now);
        }
        assert!(before.is_some_and(|(links, _)| links.len() > 1000));
    }
}

type Links = std::collections::BTreeSet<(u32, u32, u32)>;

/// All links: move, and the states at its ends.
fn links_of(embedding: &Embedding) -> Links {
    let states = (0..embedding.states()).map(StateId);
    let alive = states.filter(|state| embedding.holds(*state));
    let of = |state: StateId| {
        let links = embedding.links_from(state);
        links.map(move |(stencil, end)| {
            let step = embedding.stencils.list[stencil as usize].step;
            (step.0, state.0, end.0)
        })
    };
    alive.flat_map(of).collect()
}
