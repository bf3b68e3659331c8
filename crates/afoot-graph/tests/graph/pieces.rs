//! The same bytes whatever the threads, tiles and additions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use afoot_core::Clip;
use afoot_graph::{
    Artefact, Candidates, GraphError, MotionGraph, build_from_candidates, build_graph,
    find_candidates, merge, prepare_search,
};
use afoot_run::{Event, Run, Stopped};

use crate::support::Random;
use crate::{alike, at, build};

#[test]
fn the_same_bytes_from_threads_tiles_and_additions() {
    let clips = alike(9);
    let options = at(4.0);
    let whole = find_candidates(&clips, &options, &Candidates::none(), &Run::quiet()).unwrap();
    assert!(whole.list.len() > 20);
    let (graph, report) = build(&clips, &options);
    let same = |candidates: &Candidates, how: &str| {
        assert_eq!(candidates.to_bytes(), whole.to_bytes(), "{how}");
        let built = build_from_candidates(&clips, candidates, &options, &Run::quiet()).unwrap();
        assert_eq!(built.0.to_bytes(), graph.to_bytes(), "{how}");
        assert_eq!(built.1, report, "{how}");
    };
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let found =
            pool.install(|| find_candidates(&clips, &options, &Candidates::none(), &Run::quiet()));
        same(&found.unwrap(), "threads");
    }
    let search = prepare_search(&clips, &options).unwrap().unwrap();
    let mut random = Random(5);
    for frames in [1, 150, 400] {
        let mut tiles = search.plan(frames);
        for index in (1..tiles.len()).rev() {
            tiles.swap(index, random.below(index + 1));
        }
        let run = |tile| search.run(&[tile], &Run::quiet()).unwrap().to_bytes();
        let parts: Vec<Candidates> = tiles
            .into_iter()
            .map(|tile| Candidates::from_bytes(&run(tile)).unwrap())
            .collect();
        same(&merge(&parts).unwrap(), "tiles");
        assert!(parts.len() == 1 || merge(&parts[1..]).is_err());
    }
    let mut grown = Candidates::none();
    for count in 1..=clips.len() {
        grown = find_candidates(&clips[..count], &options, &grown, &Run::quiet()).unwrap();
    }
    same(&grown, "additions");
    let mut without = clips.clone();
    without.remove(4);
    let fewer = find_candidates(&without, &options, &whole, &Run::quiet()).unwrap();
    let direct = find_candidates(&without, &options, &Candidates::none(), &Run::quiet()).unwrap();
    assert_eq!(fewer, direct);
    same(
        &find_candidates(&clips, &options, &fewer, &Run::quiet()).unwrap(),
        "put back",
    );
    let mut swapped = clips.clone();
    swapped.swap(2, 6);
    let direct = find_candidates(&swapped, &options, &Candidates::none(), &Run::quiet()).unwrap();
    assert_eq!(
        find_candidates(&swapped, &options, &whole, &Run::quiet()).unwrap(),
        direct
    );
}

#[test]
fn additions_compare_only_what_is_new() {
    let clips = alike(6);
    let known = find_candidates(&clips[..5], &at(4.0), &Candidates::none(), &Run::quiet()).unwrap();
    let pairs = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&pairs);
    let count = Run::watched(move |event| {
        if let Event::Progress(progress) = event {
            seen.fetch_max(progress.total, Ordering::Relaxed);
        }
    });
    find_candidates(&clips, &at(4.0), &known, &count).unwrap();
    let frames: usize = clips.iter().map(Clip::len).sum();
    assert_eq!(
        pairs.load(Ordering::Relaxed) as usize,
        frames * clips[5].len()
    );
}

#[test]
fn a_build_can_be_stopped() {
    let run = Run::quiet();
    run.cancel().stop();
    assert_eq!(
        build_graph(&alike(3), &at(4.0), &run).unwrap_err(),
        GraphError::Stopped(Stopped)
    );
}

#[test]
fn damaged_bytes_are_refused() {
    let clips = alike(4);
    let candidates = find_candidates(&clips, &at(4.0), &Candidates::none(), &Run::quiet()).unwrap();
    let graph = build(&clips, &at(4.0)).0.to_bytes();
    let candidates = candidates.to_bytes();
    let mut random = Random(11);
    for round in 0..4000 {
        for bytes in [&graph, &candidates] {
            let mut damaged = bytes.clone();
            match round % 3 {
                0 => damaged.truncate(random.below(damaged.len())),
                1 => {
                    let at = random.below(damaged.len());
                    damaged[at] ^= 1 << random.below(8);
                }
                _ => {
                    // The body and a checksum that fits: only the content can give it away.
                    let at = 28 + random.below(damaged.len() - 28);
                    damaged[at] = damaged[at].wrapping_add(1 + random.below(255) as u8);
                    let sum = afoot_codec::ContentHash::of(&damaged[28..]).0;
                    damaged[12..28].copy_from_slice(&sum);
                }
            }
            let read = MotionGraph::from_bytes(&damaged);
            if round % 3 < 2 {
                assert!(read.is_err());
                assert!(Candidates::from_bytes(&damaged).is_err());
            } else if let Ok(graph) = read {
                for edge in &graph.edges {
                    graph.edge_frames(edge);
                }
            } else if let Ok(known) = Candidates::from_bytes(&damaged) {
                let _ = build_from_candidates(&clips, &known, &at(4.0), &Run::quiet());
            }
        }
    }
}
