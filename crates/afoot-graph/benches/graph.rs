//! The whole graph of the 24 walks of subject 16, stage by stage.
//!
//! `cargo bench -p afoot-graph --bench graph`; needs the CMU clips (AFOOT_CMU). The best of some
//! rounds counts; all threads are used. Processor time is what counts on a shared machine.

mod spent;
#[path = "../tests/support/mod.rs"]
mod support;

use afoot_core::Clip;
use afoot_graph::{Candidates, GraphOptions, build_from_candidates, find_candidates, level_clip};
use afoot_run::Run;
use spent::Spent;

const ROUNDS: usize = 9;

fn main() {
    let Some(folder) = support::cmu() else { return };
    let clips: Vec<Clip> = support::walks16(&folder)
        .into_iter()
        .map(support::with_facts)
        .map(|clip| level_clip(&clip))
        .collect();
    let options = GraphOptions {
        threshold_cm: 4.0,
        ..GraphOptions::default()
    };
    let mut best = [Spent::MOST; 3];
    let mut last = None;
    for _ in 0..ROUNDS {
        let (mut candidates, mut built) = (None, None);
        let found = Spent::by(|| {
            candidates = find_candidates(&clips, &options, &Candidates::none(), &Run::quiet()).ok()
        });
        let candidates = candidates.expect("the clips fit");
        let graph = Spent::by(|| {
            built = build_from_candidates(&clips, &candidates, &options, &Run::quiet()).ok()
        });
        let built = built.expect("the clips fit");
        let total = found.and(graph);
        for (best, spent) in best.iter_mut().zip([found, graph, total]) {
            *best = best.least(spent);
        }
        last = Some(built);
    }
    let Some((graph, report)) = last else {
        return;
    };
    println!(
        "{} frames, {} candidates up to {} cm, {} transitions at 4 cm",
        report.frames, report.candidates, options.ceiling_cm, report.transitions
    );
    println!(
        "kept: {} transitions, {} nodes, {} edges, {} frames: share {:.4}",
        graph.transitions.len(),
        graph.nodes.len(),
        graph.edges.len(),
        report.component_frames,
        report.component_share
    );
    for (what, spent) in [
        "distances and minima",
        "choice, components, placement",
        "all",
    ]
    .iter()
    .zip(best)
    {
        println!(
            "{what:<32} {:7.1} ms wall {:7.1} ms of processors",
            spent.wall * 1e3,
            spent.processor * 1e3
        );
    }
}
