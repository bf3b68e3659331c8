//! What a new user and a hostile one ran into, a test each.

use std::process::Command;

use serde_json::json;

use crate::support::{Bench, with_graph, with_walk};

/// A file's text with one value changed.
fn spoil(bench: &Bench, from: &str, to: &str, change: impl FnOnce(&str) -> String) {
    let text = std::fs::read_to_string(bench.path(from)).unwrap();
    std::fs::write(bench.path(to), change(&text)).unwrap();
}

/// The x of the root in the third frame replaced.
fn with_root(text: &str, value: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("Frame Time"))
        .unwrap();
    let row = &lines[first + 3];
    let rest = row.trim_start().split_once(' ').unwrap().1;
    lines[first + 3] = format!("{value} {rest}");
    lines.join("\n") + "\n"
}

#[test]
fn an_implausible_number_is_refused_with_file_line_and_value() {
    let bench = Bench::with_samples("implausible", &["walk", "run"]);
    spoil(&bench, "bvh/walk.bvh", "bvh/bad.bvh", |text| {
        with_root(text, "1e21")
    });
    let output = bench.run("import lib.afoot bvh --json");
    assert_eq!(output.status.code(), Some(1));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let error = told["failed"][0]["error"].as_str().unwrap();
    let line = error.split("bad.bvh:").nth(1).unwrap_or_default();
    assert!(
        line.starts_with(|letter: char| letter.is_ascii_digit()) && line.contains("1e21"),
        "{error}"
    );
    assert_eq!(
        bench.json("list lib.afoot")["clips"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(bench.json("check lib.afoot")["whole"], true);
    let message = bench.fails(1, "convert bvh/bad.bvh -o x.glb");
    assert!(message.contains("1e21"), "{message}");
}

#[test]
fn a_damaged_row_costs_that_clip_alone_and_can_be_removed_or_repaired() {
    for way in ["remove lib.afoot walk", "check lib.afoot --repair"] {
        let bench = Bench::with_samples("damaged", &["walk", "run"]);
        bench.json("import lib.afoot bvh");
        let sql = "UPDATE clips SET facts = '{\"findings\":[{\"flips\":[[1,\"x\",1.0,null]]}]}' WHERE name = 'walk'";
        let library = rusqlite::Connection::open(bench.path("lib.afoot")).unwrap();
        library.execute(sql, []).unwrap();
        drop(library);
        let listed = bench.run("list lib.afoot");
        let (words, warned) = (&listed.stdout, &listed.stderr);
        assert!(listed.status.success() && String::from_utf8_lossy(words).contains("run"));
        assert!(String::from_utf8_lossy(warned).contains("clip \"walk\" is damaged"));
        let output = bench.run("check lib.afoot");
        assert_eq!(output.status.code(), Some(1));
        bench.json(way);
        assert_eq!(bench.json("check lib.afoot")["clips"], 1);
        bench.json("import lib.afoot bvh/walk.bvh");
        assert_eq!(bench.json("check lib.afoot")["clips"], 2);
    }
}

#[test]
fn every_damaged_artefact_is_made_again_by_itself_and_that_is_said() {
    let bench = with_graph("artefacts");
    bench.json("drive lib.afoot --steer 0:0 --seconds 2 -o a.bvh");
    let kinds: Vec<String> = bench.json("show lib.afoot")["artefacts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|artefact| artefact["kind"].as_str().unwrap().to_owned())
        .collect();
    for kind in ["graph", "recipe", "candidates"] {
        assert!(kinds.iter().any(|known| known == kind), "{kinds:?}");
    }
    for kind in &kinds {
        let library = rusqlite::Connection::open(bench.path("lib.afoot")).unwrap();
        let sql = "UPDATE artefacts SET body = zeroblob(40) WHERE kind = ?1";
        library.execute(sql, [kind]).unwrap();
        drop(library);
        let _ = std::fs::remove_file(bench.path("lib.afoot-ready"));
        let command = "graph lib.afoot --threshold 4";
        let ran = match kind.as_str() {
            "candidates" => bench.run(command),
            _ => bench.run("drive lib.afoot --steer 0:0 --seconds 2 -o b.bvh"),
        };
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{kind}: {told}");
        assert!(!told.contains("restore"), "{kind}: {told}");
        assert!(
            told.contains("made again") || told.contains("can't be read"),
            "{kind}: {told}"
        );
    }
    for tables in ["lib.afoot-ready", "lib.afoot-control"] {
        let file = bench.path(tables);
        let mut bytes = std::fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&file, bytes).unwrap();
        let ran = bench.run("drive lib.afoot --steer 0:0 --seconds 2 -o c.bvh");
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(
            ran.status.success() && told.contains("made again"),
            "{tables}: {told}"
        );
    }
}

#[test]
fn nothing_is_replaced_unasked() {
    let bench = Bench::with_samples("replaced", &["walk", "run"]);
    let before = std::fs::read(bench.path("bvh/walk.bvh")).unwrap();
    for command in ["convert", "clean"] {
        let message = bench.fails(1, &format!("{command} bvh/walk.bvh -o bvh/../bvh/walk.bvh"));
        assert!(message.contains("--force"), "{message}");
    }
    assert_eq!(std::fs::read(bench.path("bvh/walk.bvh")).unwrap(), before);
    bench.json("convert bvh/walk.bvh -o bvh/walk.bvh --force");
    let told = bench.json("convert bvh/walk.bvh -o w.amc");
    assert_eq!(told["beside"], "w.asf");
    bench.json("convert bvh/run.bvh -o w.amc"); // the same skeleton
    spoil(&bench, "w.asf", "w.asf", |text| {
        text.replacen("length", "length ", 1) + "\n"
    });
    let message = bench.fails(1, "convert bvh/walk.bvh -o w.amc");
    assert!(
        message.contains("w.asf") && message.contains("--force"),
        "{message}"
    );
    bench.json("convert bvh/walk.bvh -o w.amc --force");
    let message = bench.fails(1, "convert bvh/walk.bvh -o w.gltf");
    assert!(message.contains(".glb"), "{message}");
    let message = bench.fails(1, "convert bvh/walk.bvh -o nowhere/w.bvh");
    assert!(
        message.contains("nowhere: there is no such folder"),
        "{message}"
    );
}

#[test]
fn an_import_that_adds_nothing_leaves_no_library_and_nothing_beside_one() {
    let bench = Bench::with_samples("empty", &["walk"]);
    std::fs::write(bench.path("bad.bvh"), "HIERARCHY").unwrap();
    let message = bench.fails_with_words(1, "import lib.afoot bad.bvh");
    assert_eq!(
        message.matches("bad.bvh").count(),
        1,
        "said once: {message}"
    );
    bench.fails(1, "import lib.afoot bvh --fps -3");
    bench.json("import lib.afoot bvh");
    bench.json("list lib.afoot");
    bench.json("show lib.afoot walk");
    let mut names: Vec<String> = std::fs::read_dir(bench.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["bad.bvh", "bvh", "lib.afoot"]);
}

#[test]
fn an_amc_file_keeps_its_rate_and_can_be_resampled() {
    let bench = with_walk("amc-rate");
    let written = bench.json("export lib.afoot walk -o w.amc");
    let seconds = written["seconds"].as_f64().unwrap();
    let same = |value: &serde_json::Value| (value.as_f64().unwrap() - seconds).abs() < 0.05;
    assert!(same(&bench.json("judge w.amc")["seconds"]));
    let imported = bench.json("import other.afoot w.amc");
    assert!(same(&imported["clips"][0]["seconds"]), "{imported}");
    assert_eq!(imported["clips"][0]["source_fps"], 30.0, "{imported}");
    let fast = bench.json("export lib.afoot walk -o fast.amc --fps 120");
    assert!(same(&fast["seconds"]) && fast["fps"] == 120.0, "{fast}");
    let told = bench.json("judge w.amc --source-fps 60");
    assert!(
        (told["seconds"].as_f64().unwrap() - seconds / 2.0).abs() < 0.05,
        "{told}"
    );
    bench.json("convert w.amc -o half.bvh --source-fps 15 --source-unit in");
    assert!(
        (bench.json("judge half.bvh")["seconds"].as_f64().unwrap() - 2.0 * seconds).abs() < 0.1
    );
}

#[test]
fn cleaning_a_sample_walk_plants_its_feet_and_drops_its_t_pose() {
    let bench = Bench::with_samples("clean-sample", &["walk"]);
    let told = bench.json("clean bvh/walk.bvh -o clean.bvh");
    let (before, after) = (&told["before"], &told["quality"]);
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    assert!(
        number(&after["skate_cm_s"]) <= number(&before["skate_cm_s"]).max(0.5),
        "{told}"
    );
    assert!(
        number(&after["slide_mm"]) <= 10.0 && number(&after["sink_cm"]) <= 1.0,
        "{told}"
    );
    // A first frame in which all angles are 0, as many captures have.
    spoil(&bench, "bvh/walk.bvh", "posed.bvh", |text| {
        let (head, rows) = text.split_once("Frame Time").unwrap();
        let (time, rows) = rows.split_once('\n').unwrap();
        let frames: usize = rows.lines().count();
        let columns = rows.lines().next().unwrap().split_whitespace().count();
        let head = head.replace(
            &format!("Frames: {frames}"),
            &format!("Frames: {}", frames + 1),
        );
        let pose = format!("0 90 0{}", " 0".repeat(columns - 3));
        format!("{head}Frame Time{time}\n{pose}\n{rows}")
    });
    let ran = bench.run("clean posed.bvh -o posed_clean.bvh --json");
    assert!(ran.status.success());
    let told: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let frames = |value: &serde_json::Value| value["frames"].as_u64().unwrap();
    assert_eq!(
        frames(&told["quality"]) + 1,
        frames(&told["before"]),
        "{told}"
    );
    assert!(String::from_utf8_lossy(&ran.stderr).contains("repaired"));
}

/// Files of two people: the sample's, and the same a tenth larger.
pub fn two_skeletons(name: &str) -> Bench {
    let bench = Bench::with_samples(name, &["walk", "walk_turn_left", "walk_circle_left"]);
    bench.json("convert bvh/walk.bvh -o large.bvh --source-unit cm --unit m");
    // A tenth larger: written in metres, read in units of 1.1 m.
    let text = std::fs::read_to_string(bench.path("bvh/walk.bvh")).unwrap();
    let scaled: Vec<String> = text
        .lines()
        .map(|line| match line.trim_start().strip_prefix("OFFSET ") {
            Some(numbers) => {
                let numbers = numbers
                    .split_whitespace()
                    .map(|n| n.parse::<f64>().unwrap() * 1.1);
                let numbers: Vec<String> = numbers.map(|n| format!("{n:.6}")).collect();
                format!("OFFSET {}", numbers.join(" "))
            }
            None => line.into(),
        })
        .collect();
    std::fs::write(bench.path("bvh/tall.bvh"), scaled.join("\n") + "\n").unwrap();
    bench.json("import lib.afoot bvh");
    bench
}

#[test]
fn a_graph_of_two_skeletons_is_built_on_the_more_common_one_and_says_so() {
    let bench = two_skeletons("skeletons");
    let shown = bench.json("show lib.afoot");
    assert_eq!(shown["skeletons"].as_array().unwrap().len(), 2, "{shown}");
    let ran = bench.run("graph lib.afoot --threshold 6 --json");
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{told}");
    assert!(
        told.contains("1 of 4 clips") && told.contains(" cm "),
        "by how much: {told}"
    );
    assert_eq!(
        bench.json("show lib.afoot")["skeletons"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    bench.json("wander lib.afoot --seconds 2 -o a.bvh");
    let changed = bench.json("retarget lib.afoot walk");
    assert_eq!(changed["clips"][0]["name"], "tall", "{changed}");
    assert_eq!(changed["clips"].as_array().unwrap().len(), 1, "{changed}");
    let listed = bench.json("list lib.afoot");
    let names: Vec<&str> = listed["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["tall", "walk", "walk_circle_left", "walk_turn_left"],
        "in their order"
    );
    assert_eq!(
        bench.json("show lib.afoot")["skeletons"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(bench.json("check lib.afoot")["whole"], true);
}

#[test]
fn clips_are_chosen_by_patterns_words_labels_and_types() {
    let bench = Bench::with_samples("choice", &["walk", "walk_turn_left", "run", "jump_up"]);
    bench.json("import lib.afoot bvh --mirror");
    let names = |command: &str| {
        let listed = bench.json(command);
        let clips = listed["clips"].as_array().unwrap();
        clips
            .iter()
            .map(|clip| clip["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("list lib.afoot walk*left"), ["walk_turn_left"]);
    assert_eq!(names("list lib.afoot --search TURN").len(), 2);
    bench.json("label lib.afoot jump_up clumsy");
    bench.json("rename lib.afoot run* sprint*");
    assert_eq!(names("list lib.afoot sprint*"), ["sprint", "sprint_mirror"]);
    bench.json("remove lib.afoot *_mirror");
    bench.json("remove lib.afoot --label clumsy");
    assert_eq!(
        names("list lib.afoot"),
        ["sprint", "walk", "walk_turn_left"]
    );
    for (command, near) in [
        ("show lib.afoot wlak", "did you mean walk"),
        ("show lib.afoot Walk", "did you mean walk"),
        ("list lib.afoot --type wlak", "did you mean walk"),
        (
            "remove lib.afoot walk_trun_left",
            "did you mean walk_turn_left",
        ),
    ] {
        let message = bench.fails(1, command);
        assert!(message.contains(near), "{command}: {message}");
    }
    assert_eq!(
        names("list lib.afoot --label walk"),
        ["walk", "walk_turn_left"]
    );
    bench.json("label lib.afoot walk sneak");
    let message = bench.fails(1, "list lib.afoot --label snaek");
    assert!(message.contains("did you mean sneak"), "{message}");
    let message = bench.fails(3, "graph lib.afoot --as snaek");
    assert!(message.contains("did you mean sneak"), "{message}");
    let message = bench.fails(1, "remove lib.afoot");
    assert!(message.contains("expected clips"), "{message}");
}

#[test]
fn the_path_error_counts_from_the_walker_to_the_path_and_from_the_path_to_the_walker() {
    let bench = with_walk("both_ways");
    bench.json("export lib.afoot walk -o walk.bvh");
    let clip = afoot_formats::read_motion(&bench.path("walk.bvh"), &Default::default());
    let root = clip.unwrap().clip.root;
    let ground = |at: usize| [f64::from(root[at].x), f64::from(root[at].z)];
    let (start, middle, end) = (ground(0), ground(root.len() / 2), ground(root.len() - 1));
    let way = [end[0] - start[0], end[1] - start[1]];
    let beyond = [end[0] + way[0], end[1] + way[1]];
    let off = |name: &str, points: &[[f64; 2]]| {
        std::fs::write(bench.path(name), json!({"points": points}).to_string()).unwrap();
        let told = bench.json(&format!("judge walk.bvh --path {name}"));
        ["path_max_m", "path_missed_m"].map(|field| told[field].as_f64().unwrap())
    };
    let [walker, path] = off("whole.json", &[start, end]);
    assert!(walker < 0.1 && path < 0.1, "{walker} {path}");
    // Who stops half way is on the path all the time, and misses its other half.
    let [walker, path] = off("long.json", &[start, beyond]);
    let length = way[0].hypot(way[1]);
    assert!(
        walker < 0.1 && (path - length).abs() < 0.1,
        "{walker} {path}"
    );
    // Who goes on beyond its end misses nothing of it, and is off it.
    let [walker, path] = off("short.json", &[start, middle]);
    let rest = (end[0] - middle[0]).hypot(end[1] - middle[1]);
    assert!((walker - rest).abs() < 0.1 && path < 0.1, "{walker} {path}");
}

#[test]
fn reach_that_misses_its_goal_exits_3_and_names_the_bar() {
    let bench = with_graph("reach-miss");
    let reach = "reach lib.afoot walk_slalom --at -2,5 --heading -30 --start 1,0,45 -o there.bvh";
    let message = bench.fails(3, &format!("{reach} --tolerance 0.0000001"));
    assert!(
        message.contains("bars are") && message.contains("--best-effort"),
        "{message}"
    );
    assert!(!bench.path("there.bvh").exists());
    bench.json(&format!("{reach} --tolerance 0.0000001 --best-effort"));
    assert!(bench.path("there.bvh").exists());
    let message = bench.fails(1, &format!("{reach} --tolerance -1"));
    assert!(message.contains("--tolerance -1"), "{message}");
}

#[test]
fn a_graph_says_its_thresholds_and_its_recipe_and_the_way_out_of_a_lost_label() {
    let bench = with_graph("recipe");
    bench.json("label lib.afoot walk_slalom sneak");
    let ran = bench.run("graph lib.afoot --auto --wanted-share 0.5");
    let words = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(words.contains("thresholds found"), "{words}");
    let shown = bench.run("show lib.afoot");
    let words = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(words.contains("--auto --wanted-share 0.5"), "{words}");
    bench.json("graph lib.afoot --as sneak --threshold 30");
    bench.json("remove lib.afoot walk_slalom");
    let message = bench.fails(3, "wander lib.afoot --seconds 2 -o a.bvh");
    assert!(
        message.contains("sneak") && message.contains("afoot graph LIB"),
        "{message}"
    );
    bench.json("graph lib.afoot --threshold 4");
    bench.json("wander lib.afoot --seconds 2 -o a.bvh");
}

#[test]
fn a_smaller_crowd_does_not_leave_characters_of_a_larger_one() {
    let bench = with_graph("crowds");
    std::fs::write(bench.path("w.json"), r#"{"bounds": [[0,0],[12,12]]}"#).unwrap();
    let crowd =
        |count: u32| format!("crowd lib.afoot --world w.json --seconds 2 -o out --count {count}");
    bench.json(&crowd(3));
    let message = bench.fails(1, &crowd(2));
    assert!(
        message.contains("character_003.bvh") && message.contains("--force"),
        "{message}"
    );
    bench.json(&format!("{} --force", crowd(2)));
    assert!(!bench.path("out/character_003.bvh").exists());
}

#[test]
fn quiet_is_quiet_and_cut_off_files_name_the_option() {
    let bench = with_walk("quiet");
    for command in [
        "export lib.afoot walk -o a.bvh",
        "label lib.afoot walk calm",
        "labels export lib.afoot -o l.json",
    ] {
        let ran = bench.run(&format!("{command} -q"));
        assert!(
            ran.status.success() && ran.stdout.is_empty() && ran.stderr.is_empty(),
            "{command}"
        );
    }
    assert!(!bench.run("list lib.afoot -q").stdout.is_empty());
    spoil(&bench, "bvh/walk.bvh", "cut.bvh", |text| {
        text[..text.len() * 2 / 3].into()
    });
    for command in [
        "convert cut.bvh -o x.glb",
        "judge cut.bvh",
        "clean cut.bvh -o x.bvh",
    ] {
        let message = bench.fails(1, command);
        assert!(message.contains("--partial"), "{command}: {message}");
    }
    let message = bench.fails_with_words(1, "import other.afoot cut.bvh");
    assert!(message.contains("--partial"), "{message}");
    bench.json("convert cut.bvh -o x.glb --partial");
}

#[test]
fn a_plan_of_tiles_for_other_clips_is_refused() {
    let bench = Bench::with_samples(
        "stale-plan",
        &["walk", "walk_turn_left", "walk_circle_left"],
    );
    bench.json("import lib.afoot bvh");
    bench.json("tiles plan lib.afoot -o plan.json --size 100");
    let run = "tiles run lib.afoot --plan plan.json -o pieces";
    spoil(&bench, "plan.json", "plan.json", |text| {
        text.replacen("    0,", "    77,", 1)
    });
    let message = bench.fails(1, run);
    assert!(
        message.contains("piece 0 is") && message.contains("3 clips"),
        "{message}"
    );
    bench.json("tiles plan lib.afoot -o plan.json --size 100");
    bench.json("remove lib.afoot walk");
    let message = bench.fails(1, run);
    assert!(
        message.contains("plan.json") && message.contains("make it again"),
        "{message}"
    );
}

#[test]
fn schemas_are_printed_and_their_examples_are_read() {
    let bench = with_walk("schema");
    for name in [
        "path",
        "score",
        "world",
        "task",
        "labels",
        "map",
        "plan",
        "weights",
        "terrain",
        "footprints",
    ] {
        assert!(bench.json(&format!("schema {name}"))["title"].is_string());
    }
    let message = bench.fails(1, "schema pth");
    assert!(message.contains("did you mean path"), "{message}");
}

/// A short version of `scripts/kill_commands.py`: whatever moment a command is killed at, the library
/// is whole and holds what was committed.
#[test]
fn commands_that_are_killed_lose_nothing_committed() {
    let bench = Bench::with_samples("killed", &["walk", "walk_turn_left", "run"]);
    bench.json("import lib.afoot bvh");
    bench.json("graph lib.afoot --threshold 6");
    let commands = [
        "graph lib.afoot --rebuild --threshold 6",
        "label lib.afoot walk calm",
        "import lib.afoot bvh --mirror",
    ];
    for (round, delay) in [5u64, 20, 60, 120, 250, 10].into_iter().enumerate() {
        let words = commands[round % 3].split_whitespace();
        let mut child = Command::new(env!("CARGO_BIN_EXE_afoot"))
            .args(words)
            .current_dir(bench.path("."))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(delay));
        let _ = child.kill();
        child.wait().unwrap();
        let checked = bench.json("check lib.afoot");
        assert_eq!(checked["whole"], true, "{checked}");
        assert!(checked["clips"].as_u64().unwrap() >= 3, "{checked}");
        assert!(checked["artefacts"].as_u64().unwrap() >= 3, "{checked}");
    }
}

/// A thing without legs.
const STICK: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition \
    Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 90 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.0333333\n\
    0 0 0 0 0 0\n";

#[test]
fn motion_goes_onto_the_users_own_skeleton_from_every_command() {
    let bench = with_graph("onto");
    let sample = afoot_sample::sample_library(&Default::default());
    let hero = afoot_fixtures::hero_glb(&sample[0].skeleton);
    std::fs::write(bench.path("hero.glb"), hero).unwrap();
    bench.json("convert bvh/walk.bvh -o rig.fbx --onto hero.glb");
    for (command, file) in [
        (
            "wander lib.afoot --seconds 3 -o a.glb --onto hero.glb",
            "a.glb",
        ),
        (
            "wander lib.afoot --seconds 3 -o b.bvh --onto hero.glb",
            "b.bvh",
        ),
        (
            "wander lib.afoot --seconds 3 -o c.fbx --onto rig.fbx",
            "c.fbx",
        ),
        ("clean bvh/walk.bvh -o d.bvh --onto rig.fbx", "d.bvh"),
        ("export lib.afoot walk -o e.glb --onto hero.glb", "e.glb"),
    ] {
        let told = bench.json(command);
        let read = afoot_formats::read_motion(&bench.path(file), &Default::default()).unwrap();
        let skeleton = &read.clip.skeleton;
        assert!(skeleton.find("mixamorig:LeftFoot").is_some(), "{command}");
        let ratio = skeleton.leg_length().unwrap() / sample[0].skeleton.leg_length().unwrap();
        assert!((ratio - 1.15).abs() < 0.01, "{command}: {ratio}");
        if let Some(slide) = told["quality"]["slide_mm"].as_f64() {
            assert!(slide < 10.0, "{command}: {told}");
        }
    }
    let hero = std::fs::read(bench.path("hero.glb")).unwrap();
    assert!(std::fs::read(bench.path("a.glb")).unwrap().len() > hero.len());
    let message = bench.fails(
        1,
        "wander lib.afoot --seconds 3 -o hero.glb --onto hero.glb",
    );
    assert!(message.contains("--force"), "{message}");
    std::fs::write(bench.path("stick.bvh"), STICK).unwrap();
    let message = bench.fails(1, "wander lib.afoot --seconds 3 -o a.bvh --onto stick.bvh");
    assert!(
        message.contains("stick.bvh: can't walk as a person does"),
        "{message}"
    );
    let message = bench.fails(1, "wander lib.afoot --seconds 3 -o a.bvh --onto nobody.glb");
    assert!(message.contains("nobody.glb"), "{message}");
    let names = std::fs::read_dir(bench.path(".")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let drafts: Vec<String> = names.filter(|name| name.contains("draft")).collect();
    assert!(drafts.is_empty(), "{drafts:?}");
}

#[test]
fn folders_that_are_not_there_are_refused_before_the_work_and_mistyped_labels_bring_the_nearest() {
    let bench = with_graph("before-work");
    std::fs::write(bench.path("p.json"), r#"{"points": [[0,0],[0,3]]}"#).unwrap();
    std::fs::write(bench.path("w.json"), r#"{"bounds": [[0,0],[12,12]]}"#).unwrap();
    for command in [
        "wander lib.afoot --seconds 2 -o a.bvh --page nowhere/a.html",
        "follow lib.afoot --path p.json -o nowhere/a.bvh",
        "crowd lib.afoot --world w.json --seconds 1 --count 1 -o out --scene nowhere/a.glb",
    ] {
        let message = bench.fails(1, command);
        assert!(
            message.contains("nowhere: there is no such folder"),
            "{message}"
        );
    }
    assert!(!bench.path("a.bvh").exists() && !bench.path("out").exists());
    let message = bench.fails(
        1,
        "crowd lib.afoot --world w.json --seconds 1 --count 1 -o p.json",
    );
    assert!(message.contains("expected a folder"), "{message}");
    for command in [
        "follow lib.afoot --path p.json --as wlak -o a.bvh",
        "wander lib.afoot --seconds 2 --as Walk -o a.bvh",
        "crowd lib.afoot --world w.json --seconds 1 --count 1 --as wlak -o out",
    ] {
        let message = bench.fails(1, command);
        assert!(
            message.contains("did you mean walk?"),
            "{command}: {message}"
        );
    }
}

#[test]
fn a_motion_without_frames_is_refused_by_edit_and_no_panic() {
    let bench = Bench::with_samples("no-frames", &["walk"]);
    spoil(&bench, "bvh/walk.bvh", "empty.bvh", |text| {
        let (head, rows) = text.split_once("Frame Time").unwrap();
        let (time, rows) = rows.split_once('\n').unwrap();
        let count = format!("Frames: {}", rows.lines().count());
        format!("{}Frame Time{time}\n", head.replace(&count, "Frames: 0"))
    });
    for change in ["--turn 9", "--to 1,1", "--move 1,0", "--loop-seam", ""] {
        let message = bench.fails(1, &format!("edit empty.bvh {change} -o out.bvh"));
        assert!(message.contains("empty.bvh: it has no frames"), "{message}");
    }
}

/// Four legs of like length, and a walk of theirs that needs no more than to be there.
#[test]
fn who_is_no_person_is_refused_by_name_where_legs_are_needed_and_served_where_not() {
    let Some(fox) = afoot_fixtures::foreign_file("kh_Fox.glb") else {
        return;
    };
    let bench = with_walk("fox");
    std::fs::copy(fox, bench.path("fox.glb")).unwrap();
    bench.json("import fox.afoot fox.glb");
    bench.json("convert fox.glb -o fox.bvh");
    bench.json("graph fox.afoot --threshold 15");
    bench.json("wander fox.afoot --seconds 3 -o roams.bvh");
    for command in [
        "clean fox.bvh -o x.bvh",
        "stride fox.afoot Walk --stride 1.1 -o x.bvh",
        "convert bvh/walk.bvh --onto fox.glb -o x.glb",
    ] {
        let message = bench.fails(1, command);
        assert!(
            message.contains("leg") || message.contains("no person"),
            "{command}: {message}"
        );
        assert!(!message.contains("contacts"), "{command}: {message}");
    }
}

#[test]
fn a_type_in_place_of_a_clip_is_told_to_be_one() {
    let bench = with_walk("a_type");
    let message = bench.fails(1, "show lib.afoot Run");
    assert!(message.contains("run is a type of motion"), "{message}");
    let message = bench.fails(1, "show lib.afoot rnu");
    assert!(message.contains("run is a type of motion"), "{message}");
    bench.json("label lib.afoot walk sneak");
    let message = bench.fails(1, "list lib.afoot snaek");
    assert!(message.contains("sneak is a label"), "{message}");
    let message = bench.fails(1, "list lib.afoot --label wlak");
    assert!(message.contains("did you mean walk"), "{message}");
}

#[test]
fn a_world_of_kilometres_is_refused_at_once_by_who_embeds() {
    let bench = with_graph("kilometres");
    std::fs::write(
        bench.path("w.json"),
        r#"{"bounds": [[0,0],[100000,100000]]}"#,
    )
    .unwrap();
    let command = "follow lib.afoot --world w.json --from 1,1 --to 3,3 -o x.bvh";
    let message = bench.fails(1, command);
    assert!(message.contains("MB are allowed"), "{message}");
    let message = bench.fails(1, "graft lib.afoot --all --least-score=nan");
    assert!(message.contains("least"), "{message}");
}

#[test]
fn numbers_out_of_all_proportion_are_refused() {
    let bench = with_graph("proportion");
    let world = r#"{"bounds": [[0,0],[7,8]]}"#;
    std::fs::write(bench.path("w.json"), world).unwrap();
    std::fs::write(bench.path("p.json"), r#"{"points": [[0,0],[0,3]]}"#).unwrap();
    for (command, words) in [
        (
            "survey lib.afoot --world w.json -o s --cell 0",
            "expected m, 0.01 to 100",
        ),
        (
            "survey lib.afoot --world w.json -o s --cell 1e-30",
            "expected m, 0.01 to 100",
        ),
        (
            "survey lib.afoot --world w.json -o s --yaw 0",
            "expected degrees, 1 to 120",
        ),
        (
            "survey lib.afoot --world w.json -o s --yaw 1e-30",
            "expected degrees, 1 to 120",
        ),
        (
            "follow lib.afoot --path p.json --facing 1e308 -o x.bvh",
            "degrees, -360 to 360",
        ),
    ] {
        let message = bench.fails(1, command);
        assert!(message.contains(words), "{command}: {message}");
    }
}

#[test]
fn motion_is_written_as_usd() {
    let bench = with_walk("usd");
    bench.json("export lib.afoot walk -o walk.usda");
    let text = std::fs::read_to_string(bench.path("walk.usda")).unwrap();
    assert!(text.starts_with("#usda 1.0"), "{}", &text[..80]);
}

#[test]
fn a_library_is_retargeted_onto_the_skeleton_of_a_file() {
    let bench = with_walk("retarget_file");
    let sample = afoot_sample::sample_library(&Default::default());
    let hero = afoot_fixtures::hero_glb(&sample[0].skeleton);
    std::fs::write(bench.path("hero.glb"), hero).unwrap();
    bench.json("convert bvh/walk.bvh -o rig.bvh --onto hero.glb");
    let told = bench.json("retarget lib.afoot rig.bvh");
    assert!(!told["clips"].as_array().unwrap().is_empty(), "{told}");
    let shown = bench.run("show lib.afoot walk");
    let text = String::from_utf8(shown.stdout).unwrap();
    assert!(text.contains("mixamorig"), "{text}");
    let message = bench.fails(1, "retarget lib.afoot nobody.bvh");
    assert!(message.contains("nobody.bvh"), "{message}");
}

/// Runs the program in a terminal of its own until it shows how far it is, then asks it to end, and prints what it showed.
const WATCHED: &str = r#"
import os, pty, select, signal, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execve(sys.argv[1], sys.argv[1:], {**os.environ, "TERM": "xterm"})
shown, asked, end = b"", False, time.time() + 60
while time.time() < end:
    if select.select([terminal], [], [], 0.05)[0]:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        shown += part
    if not asked and b" left)" in shown:
        asked = True
        os.kill(pid, signal.SIGINT)
if not asked:
    os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
sys.stdout.buffer.write(shown)
"#;

#[test]
fn a_search_that_takes_long_shows_how_far_it_is_and_ends_when_asked() {
    let bench = with_graph("watched");
    let far = r#"{"points": [[0, 0], [100000, 0]]}"#;
    std::fs::write(bench.path("far.json"), far).unwrap();
    let python = std::process::Command::new("python3")
        .args(["-c", WATCHED, env!("CARGO_BIN_EXE_afoot")])
        .args(["follow", "lib.afoot", "--path", "far.json", "-o", "far.bvh"])
        .current_dir(bench.path("."))
        .output();
    let Ok(output) = python else {
        afoot_fixtures::note_skip("no python3 here, which makes a terminal for the test");
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains('%') && shown.contains("left)"), "{shown}");
    assert!(shown.contains("stopped; nothing was written"), "{shown}");
    assert!(!bench.path("far.bvh").exists());
}
