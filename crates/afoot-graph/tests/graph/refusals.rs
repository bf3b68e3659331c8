//! Poor libraries, and clips that do not fit.

use std::sync::Arc;

use afoot_core::{Clip, FrameRate, LabelSpan, Range32, Skeleton};
use afoot_graph::{
    Candidates, GraphError, GraphOptions, build_from_candidates, build_graph, find_candidates,
};
use afoot_run::Run;

use crate::support::wandering;
use crate::{alike, at, build};

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
fn clips_that_do_not_fit_are_refused() {
    let clips = alike(2);
    let error = |clips: &[Clip], options: &GraphOptions| {
        build_graph(clips, options, &Run::quiet()).unwrap_err()
    };
    let mut other = clips.clone();
    other[1].skeleton = Arc::new(Skeleton::clone(&clips[0].skeleton).scaled(1.1));
    let message = error(&other, &at(4.0)).to_string();
    assert!(
        message.contains("different skeletons") && message.contains("part1"),
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
    let known = find_candidates(&clips, &at(4.0), &Candidates::none(), &Run::quiet()).unwrap();
    let others = alike(3);
    let built = build_from_candidates(&others, &known, &at(4.0), &Run::quiet());
    assert_eq!(built.unwrap_err(), GraphError::OtherCandidates);
}
