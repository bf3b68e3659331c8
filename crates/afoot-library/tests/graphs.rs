//! Graphs and their cleaned transitions, kept in a library.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use std::sync::atomic::{AtomicU32, Ordering};

use afoot_graph::{GraphError, Stage, TransitionId, clean_blend_of, plant_clips};
use afoot_library::{ClipFacts, GraphRecipe, GraphStoreError, Library, LibraryGraph};
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
fn transitions_are_cleaned_at_the_build_and_kept() {
    let folder = Folder::new("clean");
    let mut library = library(&folder, "a.afoot", 3);
    let built = build(&mut library, &GraphRecipe::default());
    assert!(built.graph.transitions.len() > 20);
    let kept = library.clean_transitions(&built).unwrap().unwrap();
    let planted = plant_clips(&built.clips);
    for index in 0..built.graph.transitions.len() as u32 {
        let id = TransitionId(index);
        let cleaned = clean_blend_of(&built.graph, &planted, id);
        assert_eq!(kept.blend_of(&built.graph, &planted, id), cleaned);
    }
    let in_use = library.graph_in_use(&Run::quiet()).unwrap();
    assert_eq!(library.clean_transitions(&in_use).unwrap(), Some(kept));
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
    let [a, b] = [(&whole, &built), (&grown, &added)]
        .map(|(library, graph)| library.clean_transitions(graph).unwrap().unwrap());
    assert_eq!(a.to_bytes(), b.to_bytes());
}

#[test]
fn more_transitions_than_the_limit_are_left_to_be_cleaned_when_played() {
    let folder = Folder::new("clean-limit");
    let mut library = library(&folder, "a.afoot", 3);
    build(&mut library, &GraphRecipe::default());
    let recipe = GraphRecipe {
        clean_limit: 5,
        ..GraphRecipe::default()
    };
    let built = build(&mut library, &recipe);
    assert!(built.graph.transitions.len() > 5);
    assert_eq!(library.clean_transitions(&built).unwrap(), None);
}

#[test]
fn a_build_that_is_stopped_while_cleaning_leaves_the_graph_before() {
    let folder = Folder::new("clean-stopped");
    let mut library = library(&folder, "a.afoot", 3);
    let before = build(&mut library, &GraphRecipe::default());
    let other = GraphRecipe {
        threshold_cm: 2.0,
        ..GraphRecipe::default()
    };
    let cancel = Cancel::default();
    let (flag, seen) = (cancel.clone(), AtomicU32::new(0));
    let stop = Run::watched(move |event| match event {
        Event::Progress(progress) if progress.stage == Stage::Transitions.name() => {
            if seen.fetch_add(1, Ordering::Relaxed) > 0 {
                flag.stop();
            }
        }
        _ => {}
    })
    .with_cancel(cancel);
    let stopped = library.build_graph(&other, &stop).unwrap_err();
    assert!(
        matches!(stopped, GraphStoreError::Graph(GraphError::Stopped(_))),
        "{stopped}"
    );
    let now = library.graph_in_use(&Run::quiet()).unwrap();
    assert_eq!((now.graph, now.recipe), (before.graph, before.recipe));
}
