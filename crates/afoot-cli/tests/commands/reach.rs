//! `reach`.

use crate::quality::check_feet;
use crate::support::with_graph;

#[test]
fn a_clip_is_reached_at_its_place() {
    let bench = with_graph("reach");
    let told = bench.json("reach lib.afoot walk_slalom --at -2,5 --heading -30 --from 1,0,45 -o there.bvh --plan-picture plan.png");
    check_feet(&told["quality"]);
    assert!(told["place_error_m"].as_f64().unwrap() < 0.05, "{told}");
    assert!(told["place_error_deg"].as_f64().unwrap() < 3.0, "{told}");
    assert_eq!(
        told["quality"]["place_error_m"].as_f64().map(|e| e < 0.05),
        Some(true)
    );
    let last = told["sources"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["clip"], "walk_slalom", "{told}");
    assert!(bench.path("plan.png").exists());

    let reach = |rest: &str| format!("reach lib.afoot {rest} -o no.bvh");
    let message = bench.fails(1, &reach("nobody --at 1,1"));
    assert!(message.contains("nobody"), "{message}");
    let message = bench.fails(1, &reach("walk --at 1"));
    assert!(message.contains("--at 1: expected X,Z"), "{message}");
    let message = bench.fails(1, &reach("walk --at 1,NaN"));
    assert!(message.contains("1,NaN"), "{message}");
    let message = bench.fails(1, &reach("walk --at 1,1 --as swim"));
    assert!(message.contains("swim"), "{message}");
    let message = bench.fails(3, &reach("walk[0..20] --at 1,1"));
    assert!(message.contains("can't be entered"), "{message}");
    assert!(!bench.path("no.bvh").exists());
}
