//! Libraries of several skeletons, and motion onto others: what plays on which body, and what is said of it.

use serde_json::json;

use crate::mend::two_skeletons;
use crate::support::{Bench, with_graph};

/// How long the left thigh of a file is. [m]
fn thigh(bench: &Bench, file: &str) -> f32 {
    let read = afoot_formats::read_motion(&bench.path(file), &Default::default()).unwrap();
    let skeleton = read.clip.skeleton;
    let knee = skeleton.leg(afoot_core::Side::Left).unwrap().knee;
    skeleton.joint(knee).offset.length()
}

fn told(bench: &Bench, command: &str) -> String {
    let ran = bench.run(command);
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{command}: {told}");
    told
}

const BROUGHT: &str = "another skeleton than most";

#[test]
fn what_is_made_of_one_body_stays_on_it() {
    let bench = two_skeletons("own-body");
    let (tall, usual) = (thigh(&bench, "bvh/tall.bvh"), thigh(&bench, "bvh/walk.bvh"));
    assert!(tall > 1.05 * usual);
    for (command, own) in [
        ("loop lib.afoot tall --cycles 3 -o a.bvh", tall),
        ("loop lib.afoot walk --cycles 3 -o a.bvh --force", usual),
        ("join lib.afoot tall tall -o a.bvh --force", tall),
    ] {
        let told = told(&bench, command);
        assert!(!told.contains(BROUGHT), "{command}: {told}");
        let made = thigh(&bench, "a.bvh");
        assert!(
            (made - own).abs() < 1e-4,
            "{command}: {made} m, not {own} m"
        );
    }
    assert!(!told(&bench, "loops lib.afoot tall").contains(BROUGHT));
}

#[test]
fn clips_of_several_bodies_are_brought_onto_one_and_it_is_said() {
    let bench = two_skeletons("one-body");
    let score = json!({"seconds": 4, "paint": [{"label": "walk", "from": 0, "to": 4}]});
    std::fs::write(bench.path("score.json"), score.to_string()).unwrap();
    let usual = thigh(&bench, "bvh/walk.bvh");
    for command in [
        "join lib.afoot tall walk_turn_left -o a.bvh",
        "perform lib.afoot --score score.json --iterations 4 -o a.bvh --force",
    ] {
        let told = told(&bench, command);
        assert!(
            told.contains("1 of 4 clips") && told.contains(BROUGHT),
            "{command}: {told}"
        );
        assert!((thigh(&bench, "a.bvh") - usual).abs() < 1e-4, "{command}");
    }
    assert!(told(&bench, "clusters lib.afoot").contains(BROUGHT));
}

#[test]
fn a_path_and_a_place_are_met_by_the_body_that_gets_the_motion() {
    let bench = with_graph("onto-path");
    let sample = afoot_sample::sample_library(&Default::default());
    let small = afoot_fixtures::hero_glb(&sample[0].skeleton.as_ref().clone().scaled(0.5));
    std::fs::write(bench.path("hero.glb"), small).unwrap();
    let made = bench.json("follow lib.afoot --path circle.json -o a.glb --onto hero.glb");
    let judged = bench.json("judge a.glb --path circle.json");
    for measure in ["path_mean_m", "path_max_m", "path_missed_m"] {
        let (made, judged) = (&made["quality"][measure], &judged[measure]);
        let [made, judged] = [made, judged].map(|value| value.as_f64().unwrap());
        assert!(
            (made - judged).abs() < 2e-3,
            "{measure}: {made}, in the file {judged}"
        );
    }
    assert!(judged["path_mean_m"].as_f64().unwrap() < 0.1, "{judged}");
    assert!(judged["path_missed_m"].as_f64().unwrap() < 0.4, "{judged}");
    let made = bench.json(
        "reach lib.afoot walk_circle_left --at 2,3 --heading 90 -o b.glb --onto hero.glb --tolerance 0.3",
    );
    let read = afoot_formats::read_motion(&bench.path("b.glb"), &Default::default()).unwrap();
    let at = (made["at"].as_f64().unwrap() * read.clip.rate.fps()).round() as usize;
    let root = read.clip.root[at];
    let missed = (root.x - 2.0).hypot(root.z - 3.0);
    let told = made["place_error_m"].as_f64().unwrap() as f32;
    assert!((missed - told).abs() < 0.05, "{missed} m, told {told} m");
}

/// Two people among three clips of a fox, whose body most clips have.
#[test]
fn who_has_little_in_common_with_most_is_found_on_his_own_body() {
    let Some(fox) = afoot_fixtures::foreign_file("kh_Fox.glb") else {
        return;
    };
    let bench = two_skeletons("few-people");
    std::fs::copy(fox, bench.path("fox.glb")).unwrap();
    bench.json("import mixed.afoot fox.glb bvh/walk.bvh bvh/tall.bvh");
    let like = bench.json("like mixed.afoot walk[0s..1s]");
    let mut found = like["found"].as_array().unwrap().iter();
    assert!(found.all(|one| one["clip"] == "walk"), "{like}");
    let told = bench.fails(1, "join mixed.afoot walk tall -o a.bvh");
    assert!(
        told.contains("\"walk\" can't be brought onto the body that most clips have"),
        "{told}"
    );
}
