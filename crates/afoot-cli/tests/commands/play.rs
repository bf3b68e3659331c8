//! `play`, `fmt`, and `check` of scripts.

use crate::support::with_graph;

const STORY: &str = r#"actor Ann { library "lib.afoot" actions [
    action go { loop { clipref walk seconds 3 } }
    action off { wander { seconds 2 } } ] }
story { cast [ Ann ann ] scenes [ scene "Our Street" { initialize { ann { position 1 0 2 lookat 1 0 3 } }
    screenplay { ann.go ann.off } } ] screenplay [ "Our Street" ] }
"#;

#[test]
fn a_story_is_checked_formatted_and_played() {
    let bench = with_graph("play");
    std::fs::write(bench.path("street.play"), STORY).unwrap();
    let told = bench.json("check street.play");
    assert_eq!(told["errors"].as_array().unwrap().len(), 0, "{told}");
    let message = bench.fails_with_words(1, "fmt --check street.play");
    assert!(message.contains("1 script"), "{message}");
    bench.json("fmt street.play");
    bench.json("fmt --check street.play");
    let told = bench.json("play street.play -o out");
    let scene = &told["scenes"][0];
    assert_eq!(scene["folder"], "Our_Street");
    assert_eq!(scene["actions"][1]["start"], scene["actions"][0]["end"]);
    assert_eq!(told["computed"].as_array().unwrap().len(), 2);
    for file in ["ann.bvh", "scene.glb", "strip.png", "plan.png"] {
        assert!(bench.path("out/Our_Street").join(file).exists(), "{file}");
    }
    let again = bench.json("play street.play -o out");
    assert_eq!(again["cached"].as_array().unwrap().len(), 2, "{again}");
    let alone = bench.json("play street.play --action off -o off");
    assert_eq!(alone["scenes"][0]["seconds"], 2.0);
    let message = bench.fails(1, "play street.play --action fly -o fly");
    assert!(message.contains("Ann.go, Ann.off"), "{message}");
}

#[test]
fn all_that_is_wrong_with_a_script_is_told_at_once() {
    let bench = with_graph("play_wrong");
    let wrong = STORY
        .replace("clipref walk", "clipref wlk")
        .replace("ann.off", "ann.of");
    std::fs::write(bench.path("wrong.play"), wrong).unwrap();
    let shown = bench.fails_with_words(1, "check wrong.play");
    assert!(shown.contains("2 errors"), "{shown}");
    let message = bench.fails(1, "play wrong.play -o out");
    assert!(message.contains("there is no clip `wlk`"), "{message}");
    assert!(message.contains("did you mean `off`?"), "{message}");
    assert!(!bench.path("out").exists());
    let message = bench.fails(1, "check none.play");
    assert!(message.contains("none.play"), "{message}");
}
