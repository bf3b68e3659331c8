//! What ends every search: an error that is good enough, a budget, a wish to stop.

use std::sync::atomic::AtomicBool;

use afoot_search::*;

use crate::{Line, distances, random_graph};

#[test]
fn good_enough_and_budget_and_cancel_end_the_search() {
    let graph = random_graph(3, 16, true);
    let best = distances(&graph)[0];
    let options = BranchOptions {
        good_enough: best + 1.0,
        ..Default::default()
    };
    let found = branch_and_bound(&graph, [0], &options);
    assert_eq!(found.stop, Stop::GoodEnough);
    assert!(found.walks[0].error < best + 1.0);

    let found = branch_and_bound(
        &graph,
        [0],
        &BranchOptions {
            budget: 2,
            ..Default::default()
        },
    );
    assert_eq!((found.stop, found.expanded), (Stop::OutOfBudget, 2));

    let cancel = AtomicBool::new(true);
    let options = BranchOptions {
        cancel: Some(&cancel),
        ..Default::default()
    };
    assert_eq!(
        branch_and_bound(&graph, [0], &options).stop,
        Stop::Cancelled
    );
    let options = BestFirstOptions {
        cancel: Some(&cancel),
        ..Default::default()
    };
    assert_eq!(best_first(&graph, [0], &options).stop, Stop::Cancelled);
    let options = BeamOptions {
        cancel: Some(&cancel),
        ..Default::default()
    };
    assert_eq!(
        BeamSearch::new(&Line(&graph), [(0.0, (0, 0))], options)
            .finish()
            .stop,
        Stop::Cancelled
    );
}
