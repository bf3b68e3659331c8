//! Graphs, kept in a library.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use std::path::Path;
use std::sync::Once;

use afoot_codec::{Artefact, FlatWriter, Kind};
use afoot_graph::{GraphError, Stage};
use afoot_library::{
    ClipFacts, ContentHash, GraphRecipe, GraphStoreError, Library, LibraryError, LibraryGraph,
    Origin,
};
use afoot_run::{Cancel, Event, Run};
use support::{Folder, clip};

/// A library of clips that repeat themselves and each other.
fn library(folder: &Folder, name: &str, clips: u32) -> Library {
    let mut library = Library::create(&folder.file(name)).unwrap();
    (0..clips).for_each(|n| add(&mut library, n));
    library
}

fn add(library: &mut Library, number: u32) {
    let mut clip = clip(&format!("part{number}"), 200 + 13 * number as usize, 0);
    clip.faults.clear();
    clip.root.iter_mut().for_each(|at| at.x += number as f32);
    library.add_clip(&clip, &ClipFacts::default()).unwrap();
}

fn build(library: &mut Library, recipe: &GraphRecipe) -> LibraryGraph {
    library.build_graph(recipe, &Run::quiet()).unwrap().0
}

#[test]
fn transitions_that_an_earlier_version_kept_go_with_the_next_build() {
    let folder = Folder::new("clean");
    let mut library = library(&folder, "a.afoot", 3);
    build(&mut library, &GraphRecipe::default());
    let sources = ContentHash::of_parts([&[1u8][..]]);
    library
        .put_artefact("clean transitions", "in use", sources, &[7; 9])
        .unwrap();
    let kinds = |library: &Library| -> Vec<String> {
        let rows = library.artefacts().unwrap();
        rows.into_iter().map(|row| row.kind).collect()
    };
    assert!(kinds(&library).contains(&"clean transitions".to_owned()));
    library.graph_in_use(&Run::quiet()).unwrap();
    build(&mut library, &GraphRecipe::default());
    assert!(!kinds(&library).contains(&"clean transitions".to_owned()));
}

#[test]
fn clips_added_later_give_the_bytes_of_a_whole_build() {
    let folder = Folder::new("clean-grown");
    let (mut whole, mut grown) = (
        library(&folder, "whole.afoot", 4),
        library(&folder, "grown.afoot", 2),
    );
    let recipe = GraphRecipe::default();
    let built = build(&mut whole, &recipe);
    for number in 2..4 {
        build(&mut grown, &recipe);
        add(&mut grown, number);
    }
    let added = build(&mut grown, &recipe);
    assert_eq!(added.graph.to_bytes(), built.graph.to_bytes());
}

/// A run that is stopped as soon as transitions are blended.
fn stopped_while_blending() -> Run {
    let cancel = Cancel::default();
    let flag = cancel.clone();
    Run::watched(move |event| {
        if let Event::Progress(progress) = event
            && progress.stage == Stage::Transitions.name()
        {
            flag.stop();
        }
    })
    .with_cancel(cancel)
}

#[test]
fn a_build_that_is_stopped_while_blending_leaves_the_graph_before() {
    let folder = Folder::new("clean-stopped");
    let mut library = library(&folder, "a.afoot", 3);
    let before = build(&mut library, &GraphRecipe::default());
    let other = GraphRecipe {
        threshold_cm: 2.0,
        ..GraphRecipe::default()
    };
    let stop = stopped_while_blending();
    let stopped = library.build_graph(&other, &stop).unwrap_err();
    assert!(
        matches!(stopped, GraphStoreError::Graph(GraphError::Stopped(_))),
        "{stopped}"
    );
    let now = library.graph_in_use(&Run::quiet()).unwrap();
    assert_eq!((now.graph, now.recipe), (before.graph, before.recipe));
}

/// A run during which, as transitions are blended, another program adds a clip.
fn joined_while_blending(path: &Path, number: u32) -> Run {
    let (path, once) = (path.to_owned(), Once::new());
    Run::watched(move |event| {
        if let Event::Progress(progress) = event
            && progress.stage == Stage::Transitions.name()
        {
            once.call_once(|| add(&mut Library::open(&path).unwrap(), number));
        }
    })
}

#[test]
fn a_graph_whose_library_changes_while_it_is_built_is_not_taken_for_the_graph_of_the_new_clips() {
    let folder = Folder::new("changed-meanwhile");
    let recipe = GraphRecipe::default();
    let mut whole = library(&folder, "whole.afoot", 5);
    let whole = build(&mut whole, &recipe);
    let mut library = library(&folder, "a.afoot", 3);
    let path = folder.file("a.afoot");
    for (number, rebuild) in [(3, false), (4, true)] {
        let run = joined_while_blending(&path, number);
        let (built, _) = match rebuild {
            true => library.rebuild_graph(&recipe, &run).unwrap(),
            false => library.build_graph(&recipe, &run).unwrap(),
        };
        assert_eq!(built.clips.len() as u32, number);
        assert_eq!(
            library.graph_key().unwrap(),
            None,
            "it is not of these clips"
        );
        let now = library.graph_in_use(&Run::quiet()).unwrap();
        assert_eq!(now.origin, Origin::Renewed);
        assert_eq!(now.graph.clips.len() as u32, number + 1);
    }
    let now = library.graph_in_use(&Run::quiet()).unwrap();
    assert_eq!(now.graph.to_bytes(), whole.graph.to_bytes());
}

const TABLES: Kind = Kind {
    magic: *b"afoottst",
    version: 1,
    oldest: 1,
    other_hash: 0,
    name: "test",
    what: "test",
};

/// The number of transitions as a table; and how it was come by.
fn counted(library: &mut Library) -> (u32, Origin) {
    let make = |built: LibraryGraph| -> Result<FlatWriter, Box<dyn std::error::Error>> {
        let mut writer = FlatWriter::default();
        writer.table(&[built.graph.transitions.len() as u32]);
        Ok(writer)
    };
    let kept = library
        .tables_of_graph(TABLES, &Run::quiet(), make)
        .unwrap();
    (kept.value.table::<u32>(0).unwrap()[0], kept.origin)
}

#[test]
fn tables_lie_beside_the_library_until_it_changes() {
    let folder = Folder::new("tables");
    let mut library = library(&folder, "a.afoot", 2);
    let transitions = build(&mut library, &GraphRecipe::default())
        .graph
        .transitions
        .len() as u32;
    let beside = folder.file("a.afoot-test");
    assert_eq!(counted(&mut library), (transitions, Origin::Made));
    assert_eq!(counted(&mut library), (transitions, Origin::Kept));
    std::fs::remove_file(&beside).unwrap();
    assert_eq!(counted(&mut library), (transitions, Origin::Made));
    let whole = std::fs::read(&beside).unwrap();
    for damaged in [&whole[..whole.len() / 2], b"", &[0; 300]] {
        std::fs::write(&beside, damaged).unwrap();
        let (count, origin) = counted(&mut library);
        assert_eq!(count, transitions);
        assert_ne!(origin, Origin::Kept);
    }
    add(&mut library, 2);
    let (more, origin) = counted(&mut library);
    assert!(more > transitions && origin != Origin::Kept, "{more}");
    assert_eq!(counted(&mut library), (more, Origin::Kept));
}

#[test]
fn a_graph_of_an_older_version_is_built_again_by_the_recipe_in_front_of_it() {
    let folder = Folder::new("old-graph");
    let mut library = library(&folder, "a.afoot", 2);
    let recipe = GraphRecipe {
        threshold_cm: 5.0,
        ..GraphRecipe::default()
    };
    let built = build(&mut library, &recipe);
    let row = library.last_artefact("graph", "in use").unwrap().unwrap();
    let mut old = serde_json::to_vec(&recipe).unwrap();
    old.push(b'\n');
    old.extend(&row.bytes[..8]);
    old.extend(1u32.to_le_bytes()); // the version with another hash
    old.extend([7; 16]);
    old.extend(&row.bytes[28..]);
    library
        .put_artefact("graph", "in use", row.sources, &old)
        .unwrap();
    library.remove_artefact("recipe", "in use").unwrap();
    let read = library.graph_in_use(&Run::quiet()).unwrap();
    assert_eq!((read.graph, read.recipe), (built.graph, recipe));
    assert!(
        matches!(read.origin, Origin::Replaced(_)),
        "{:?}",
        read.origin
    );
}

#[test]
fn a_graph_that_cannot_be_read_is_built_again_and_that_is_told() {
    let folder = Folder::new("unreadable");
    let mut library = library(&folder, "a.afoot", 2);
    let built = build(&mut library, &GraphRecipe::default());
    let row = library.last_artefact("graph", "in use").unwrap().unwrap();
    let mut newer = row.bytes.clone();
    newer[8] = 99;
    library
        .put_artefact("graph", "in use", row.sources, &newer)
        .unwrap();
    let again = library.graph_in_use(&Run::quiet()).unwrap();
    assert_eq!(again.graph, built.graph);
    assert!(
        matches!(again.origin, Origin::Replaced(_)),
        "{:?}",
        again.origin
    );
    let kept = library.graph_in_use(&Run::quiet()).unwrap();
    assert_eq!(kept.origin, Origin::Kept);
}

#[test]
fn a_rebuild_that_is_stopped_leaves_all_as_it_was() {
    let folder = Folder::new("rebuild-stopped");
    let mut library = library(&folder, "a.afoot", 3);
    build(&mut library, &GraphRecipe::default());
    let rows = |library: &Library| library.artefacts().unwrap();
    let before = rows(&library);
    let stop = stopped_while_blending();
    assert!(
        library
            .rebuild_graph(&GraphRecipe::default(), &stop)
            .is_err()
    );
    assert_eq!(rows(&library), before);
    library
        .rebuild_graph(&GraphRecipe::default(), &Run::quiet())
        .unwrap();
    assert_eq!(rows(&library), before, "the same clips give the same graph");
}

#[test]
fn artefacts_are_kept_renewed_and_replaced() {
    let folder = Folder::new("get-or-make");
    let mut library = library(&folder, "a.afoot", 1);
    let recipe = |threshold_cm| GraphRecipe {
        threshold_cm,
        ..GraphRecipe::default()
    };
    let [old, new] = [b"old", b"new"].map(|text| ContentHash::of(text));
    let mut ask = |sources, made: f32, expected: Option<f32>| {
        let make = |known: Option<GraphRecipe>| {
            assert_eq!(known.map(|known| known.threshold_cm), expected);
            Ok::<_, LibraryError>(recipe(made))
        };
        let kept = library
            .get_or_make("mine", sources, &Run::quiet(), make)
            .unwrap();
        (kept.value.threshold_cm, kept.origin)
    };
    assert_eq!(ask(old, 1.0, None), (1.0, Origin::Made));
    assert_eq!(ask(old, 2.0, None), (1.0, Origin::Kept));
    assert_eq!(ask(new, 3.0, Some(1.0)), (3.0, Origin::Renewed));
    library
        .put_artefact("recipe", "mine", new, b"something else")
        .unwrap();
    let make = |_: Option<GraphRecipe>| Ok::<_, LibraryError>(recipe(4.0));
    let kept = library
        .get_or_make("mine", new, &Run::quiet(), make)
        .unwrap();
    assert!(matches!(kept.origin, Origin::Replaced(_)));
}
