//! `crowd`.

use crate::quality::check_feet;
use crate::support::with_graph;

#[test]
fn a_small_crowd_keeps_its_distance() {
    let bench = with_graph("crowd");
    let world =
        r#"{"bounds": [[0,0],[12,12]], "obstacles": [{"circle": [6,6,1]}], "radius": 0.25}"#;
    std::fs::write(bench.path("world.json"), world).unwrap();
    let told = bench.json("crowd lib.afoot --world world.json --count 6 --seconds 8 -o crowd");
    assert!(told["least_distance_m"].as_f64().unwrap() >= 0.45, "{told}");
    assert!(
        told["least_clearance_m"].as_f64().unwrap() >= 0.25,
        "{told}"
    );
    for character in told["characters"].as_array().unwrap() {
        check_feet(&character["quality"]);
        assert!(
            bench
                .path("crowd")
                .join(character["file"].as_str().unwrap())
                .exists()
        );
    }
    std::fs::write(bench.path("bad.json"), r#"{"bounds": [[0,0]]}"#).unwrap();
    let message = bench.fails(
        1,
        "crowd lib.afoot --world bad.json --count 2 --seconds 8 -o x",
    );
    assert!(message.contains("bad.json"), "{message}");
}

#[test]
fn starts_and_goals_come_from_the_world_and_all_go_into_one_scene() {
    let bench = with_graph("crowd_scene");
    let world =
        r#"{"bounds": [[0,0],[12,12]], "starts": [[2,2],[10,2]], "goals": [[10,10],[2,10]]}"#;
    std::fs::write(bench.path("world.json"), world).unwrap();
    let told = bench.json(
        "crowd lib.afoot --world world.json --count 3 --seconds 6 -o crowd --scene crowd.glb --page crowd.html",
    );
    let near = |place: &serde_json::Value, x: f64, z: f64| {
        let off = (place[0].as_f64().unwrap() - x).hypot(place[1].as_f64().unwrap() - z);
        assert!(off < 0.2, "{place} is not at {x}, {z}");
    };
    let characters = &told["characters"];
    near(&characters[0]["start"], 2.0, 2.0);
    near(&characters[1]["start"], 10.0, 2.0);
    near(&characters[0]["goals"][0], 10.0, 10.0);
    near(&characters[1]["goals"][0], 2.0, 10.0);
    near(&characters[2]["goals"][0], 10.0, 10.0);

    let scene = std::fs::read(bench.path("crowd.glb")).unwrap();
    let length = u32::from_le_bytes(scene[12..16].try_into().unwrap()) as usize;
    let document: serde_json::Value = serde_json::from_slice(&scene[20..20 + length]).unwrap();
    let count = |part: &str| document[part].as_array().unwrap().len();
    assert_eq!(
        (count("skins"), count("animations"), count("meshes")),
        (3, 3, 1)
    );
    assert_eq!(document["animations"][1]["name"], "character_002");
    // who is read as one motion is the first of them
    let read = afoot_formats::read_motion(&bench.path("crowd.glb"), &Default::default()).unwrap();
    let alone = bench.path("crowd").join("character_001.bvh");
    let alone = afoot_formats::read_motion(&alone, &Default::default()).unwrap();
    let apart = read.clip.root.iter().zip(&alone.clip.root);
    assert!(apart.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) < 1e-3);
    assert!(bench.path("crowd.html").exists());

    let blocked = r#"{"bounds": [[0,0],[12,12]], "starts": [[2,2],[2.1,2]]}"#;
    std::fs::write(bench.path("near.json"), blocked).unwrap();
    let message = bench.fails(
        1,
        "crowd lib.afoot --world near.json --count 2 --seconds 6 -o x",
    );
    assert!(message.contains("starts 0 and 1"), "{message}");
    let outside = r#"{"bounds": [[0,0],[12,12]], "goals": [[20,2]]}"#;
    std::fs::write(bench.path("outside.json"), outside).unwrap();
    let message = bench.fails(
        1,
        "crowd lib.afoot --world outside.json --count 2 --seconds 6 -o x",
    );
    assert!(
        message.contains("goal 0 of the world is [20, 2]"),
        "{message}"
    );
}

#[test]
fn a_crowd_on_the_users_character_keeps_to_the_world_as_it_is() {
    let bench = with_graph("crowd_onto");
    let sample = afoot_sample::sample_library(&Default::default());
    let hero = afoot_fixtures::hero_glb(&sample[0].skeleton);
    std::fs::write(bench.path("hero.glb"), hero).unwrap();
    let world = r#"{"bounds": [[0,0],[12,12]], "obstacles": [{"circle": [6,6,1]}], "radius": 0.3,
        "starts": [[2,2],[10,2],[2,10]], "goals": [[10,10],[2,10],[10,2]]}"#;
    std::fs::write(bench.path("world.json"), world).unwrap();
    let crowd = "crowd lib.afoot --world world.json --count 3 --seconds 6 -o crowd --onto hero.glb --scene all.glb";
    let told = bench.json(crowd);
    assert!(told["least_distance_m"].as_f64().unwrap() >= 0.55, "{told}");
    assert!(told["least_clearance_m"].as_f64().unwrap() >= 0.3, "{told}");
    let starts = [[2.0, 2.0], [10.0, 2.0], [2.0, 10.0]];
    for (character, start) in told["characters"].as_array().unwrap().iter().zip(starts) {
        check_feet(&character["quality"]);
        let file = bench
            .path("crowd")
            .join(character["file"].as_str().unwrap());
        let clip = afoot_formats::read_motion(&file, &Default::default())
            .unwrap()
            .clip;
        assert!(clip.skeleton.find("mixamorig:LeftFoot").is_some());
        let at = |root: &afoot_core::Vec3| [f64::from(root.x), f64::from(root.z)];
        let first = at(&clip.root[0]);
        let off = (first[0] - start[0]).hypot(first[1] - start[1]);
        assert!(off < 0.2, "{first:?} is not at {start:?}");
        for root in &clip.root {
            let [x, z] = at(root);
            assert!(
                (x - 6.0).hypot(z - 6.0) > 1.25,
                "{file:?} walks through the pillar"
            );
        }
    }
    assert!(bench.path("all.glb").exists());
    let missing = bench.fails(
        1,
        "crowd lib.afoot --world world.json --count 2 --seconds 2 -o x --onto nobody.glb",
    );
    assert!(missing.contains("nobody.glb"), "{missing}");
}
