//! What connects, and where transitions lead.

use afoot_core::{Clip, FrameId, Planar};
use afoot_graph::distance::{PointCloud, WindowPair, WindowShape};
use afoot_graph::{Candidates, GraphOptions, TransitionId, blend_of, find_candidates, level_clip};
use afoot_run::Run;

use crate::support::{cmu, walks16, wandering};
use crate::{alike, at, build};

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
fn a_transition_is_as_good_where_it_is_put_as_where_it_was_measured() {
    let clips: Vec<Clip> = alike(5).iter().map(level_clip).collect();
    let options = at(4.0);
    let (graph, _) = build(&clips, &options);
    let borrowed: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&borrowed, &options.cloud).unwrap();
    let shape = WindowShape::new(graph.window as usize, options.cloud.taper);
    assert!(!graph.transitions.is_empty());
    for transition in &graph.transitions {
        let (from, to) = (transition.from, transition.to);
        let a = clips[from.clip.index()].at(from.frame);
        let b = clips[to.clip.index()].at(FrameId(to.frame.0 - graph.window));
        let windows = WindowPair::new(a, b, &cloud, &shape).unwrap();
        let error = |placement| windows.error_cm(placement);
        let placed = error(transition.placement);
        assert!((placed - f64::from(transition.error_cm)).abs() < 0.01);
        // And no place or direction near it is better.
        let nudge = |x, z, yaw| Planar::new(x, z, yaw).then_after(transition.placement);
        for (x, z, yaw) in [
            (0.01, 0.0, 0.0),
            (0.0, -0.01, 0.0),
            (0.0, 0.0, 0.01),
            (0.0, 0.0, -0.01),
        ] {
            assert!(error(nudge(x, z, yaw)) > placed);
        }
    }
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
        assert!(pair[1].1 - pair[0].1 >= 15.max(graph.window), "{pair:?}");
    }
}

#[test]
fn identical_clips_connect_all_along() {
    let clip = wandering("same", 100, 7);
    let known = find_candidates(
        &[clip.clone(), clip],
        &at(4.0),
        &Candidates::none(),
        &Run::quiet(),
    )
    .unwrap();
    let cross = known
        .list
        .iter()
        .filter(|c| (c.a, c.b) == (0, 1) && c.i == c.s);
    let starts: Vec<u32> = cross.map(|c| c.i).collect();
    assert_eq!(starts, (0..10).map(|n| n * 10).collect::<Vec<u32>>());
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
