//! What somebody who means harm, or mistypes, would try: numbers, files and signals.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::support::{Bench, with_graph, with_walk};

/// Runs a command that may take ten seconds, so that one that waits for ever fails.
fn within_seconds(bench: &Bench, command: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_afoot"))
        .args(command.split_whitespace())
        .current_dir(bench.path("."))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
            panic!("{command} waits for ever");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

fn refused(bench: &Bench, command: &str) -> String {
    let output = within_seconds(bench, command);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{command}: {told}");
    told
}

#[test]
fn numbers_outside_of_their_range_are_refused_by_the_option_that_was_typed() {
    let bench = with_walk("ranges");
    std::fs::write(bench.path("p.json"), r#"{"points": [[0,0],[0,3]]}"#).unwrap();
    std::fs::write(bench.path("w.json"), r#"{"bounds": [[0,0],[7,8]]}"#).unwrap();
    for (command, told) in [
        (
            "clusters lib.afoot --tau 1e12",
            "--tau 1e12: expected s, > 0, at most 10",
        ),
        (
            "loop lib.afoot walk --cycles 2 --tau 1e12 -o x.bvh",
            "--tau 1e12",
        ),
        ("clusters lib.afoot --error -1", "--error -1: expected cm"),
        (
            "transitions lib.afoot walk walk --count 0",
            "--count 0: expected 1 to",
        ),
        ("like lib.afoot walk --error 1e30", "--error 1e30"),
        ("graph lib.afoot --threshold 1e9", "--threshold 1e9"),
        ("graph lib.afoot --window 1e9", "--window 1e9"),
        (
            "wander lib.afoot --seconds 1e300 -o x.bvh",
            "--seconds 1e300",
        ),
        (
            "crowd lib.afoot --world w.json --count 4000000000 --seconds 1 -o x",
            "--count 4e9",
        ),
        (
            "crowd lib.afoot --world w.json --count 0 --seconds 1 -o x",
            "--count 0",
        ),
        (
            "survey lib.afoot --world w.json -o s --memory 18446744073709551615",
            "--memory",
        ),
        (
            "survey lib.afoot --world w.json -o s --samples 4294967295",
            "--samples",
        ),
        (
            "follow lib.afoot --path p.json --speed 1e9 -o x.bvh",
            "--speed 1e9",
        ),
        ("export lib.afoot walk -o x.bvh --fps 1e9", "--fps 1e9"),
        (
            "convert bvh/walk.bvh -o x.bvh --fps 1e-320 --source-fps 1e9",
            "--source-fps 1e9",
        ),
        ("import other.afoot bvh --fps 1e9", "--fps 1e9"),
        (
            "perform lib.afoot --score p.json -o x.bvh --seconds-budget 1e30",
            "--seconds-budget 1e30",
        ),
        (
            "matrix lib.afoot walk walk -o m.png --window 1e9",
            "--window 1e9",
        ),
        (
            "drive lib.afoot --steer 0:0 --seconds 1e30 -o x.bvh",
            "--seconds 1e30",
        ),
        (
            "clusters lib.afoot --tau nan",
            "--tau NaN: expected a finite number",
        ),
        ("wander lib.afoot --seconds inf -o x.bvh", "--seconds inf"),
    ] {
        let message = refused(&bench, command);
        assert!(message.contains(told), "{command}: {message}");
    }
    assert!(!bench.path("other.afoot").exists());
    // At its end a range is still served.
    let told = bench.json("clusters lib.afoot --tau 10");
    assert!(told["nodes"].as_u64().unwrap() > 0, "{told}");
}

#[test]
fn pipes_and_devices_are_refused_where_a_file_is_named() {
    let bench = with_walk("pipes");
    for name in [
        "pipe",
        "pipe.bvh",
        "pipe.glb",
        "pipe.json",
        "pipe.afoot",
        "pipe.play",
        "pipe.amc",
    ] {
        let made = Command::new("mkfifo").arg(bench.path(name)).status();
        assert!(made.unwrap().success());
    }
    std::os::unix::fs::symlink("/dev/zero", bench.path("zero.bvh")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", bench.path("zero.json")).unwrap();
    for command in [
        "import lib.afoot pipe.bvh",
        "import new.afoot zero.bvh",
        "convert pipe.glb -o x.bvh",
        "convert zero.bvh -o x.glb",
        "judge pipe.bvh",
        "judge bvh/walk.bvh --path pipe.json",
        "judge bvh/walk.bvh --world zero.json",
        "clean zero.bvh -o x.bvh",
        "follow lib.afoot --path /dev/zero -o x.bvh",
        "follow lib.afoot --path pipe.json -o x.bvh",
        "crowd lib.afoot --world pipe.json --count 1 --seconds 1 -o out",
        "labels import lib.afoot pipe.json",
        "convert bvh/walk.bvh -o x.glb --map pipe.json",
        "convert bvh/walk.bvh -o x.glb --onto pipe.glb",
        "clusters lib.afoot --weights pipe.json",
        "check pipe.play",
        "list pipe.afoot",
        "tiles run lib.afoot --plan zero.json -o pieces",
    ] {
        let message = refused(&bench, command);
        assert!(message.contains("pipe or a device"), "{command}: {message}");
    }
}

#[test]
fn being_asked_to_end_leaves_nothing_behind() {
    let bench = with_graph("terminated");
    std::fs::write(bench.path("w.json"), r#"{"bounds": [[0,0],[30,30]]}"#).unwrap();
    let names = |bench: &Bench| {
        let entries = std::fs::read_dir(bench.path(".")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names
            .filter(|name| !name.starts_with("lib.afoot"))
            .collect();
        names.sort();
        names
    };
    let before = names(&bench);
    for command in [
        "wander lib.afoot --seconds 900000 -o long.bvh",
        "crowd lib.afoot --world w.json --count 30 --seconds 3600 -o people",
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_afoot"))
            .args(command.split_whitespace())
            .current_dir(bench.path("."))
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        assert!(child.try_wait().unwrap().is_none(), "{command} has ended");
        let sent = Command::new("kill")
            .args(["-TERM", &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let ended = child.wait().unwrap();
        assert!(!ended.success(), "{command}");
        assert_eq!(names(&bench), before, "{command}");
    }
}

#[test]
fn a_damaged_clip_that_a_graph_does_not_take_is_in_nobodys_way() {
    let wanted = ["walk", "walk_turn_left", "walk_circle_left", "kick"];
    let bench = Bench::with_samples("not_taken", &wanted);
    bench.json("import lib.afoot bvh");
    bench.json("graph lib.afoot --threshold 6 --as walk");
    std::fs::write(bench.path("p.json"), r#"{"points": [[0,0],[0,3]]}"#).unwrap();
    let library = rusqlite::Connection::open(bench.path("lib.afoot")).unwrap();
    let sql = "UPDATE motions SET motion = zeroblob(40) WHERE clip = (SELECT id FROM clips WHERE name = 'kick')";
    assert_eq!(library.execute(sql, []).unwrap(), 1);
    drop(library);
    let _ = std::fs::remove_file(bench.path("lib.afoot-ready"));
    bench.json("follow lib.afoot --path p.json -o x.bvh");
    bench.json("graph lib.afoot --threshold 5 --as walk");
    let message = bench.fails(1, "show lib.afoot kick --picture k.png");
    assert!(
        message.contains("kick") && message.contains("damaged"),
        "{message}"
    );
}

/// A walk on the spot, whose feet have to slide.
#[test]
fn cleaning_never_makes_feet_worse_and_says_when_it_leaves_them() {
    let bench = Bench::with_samples("in_place", &["walk"]);
    let text = std::fs::read_to_string(bench.path("bvh/walk.bvh")).unwrap();
    let (head, rows) = text.split_once("Frame Time").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let still: Vec<String> = rows
        .lines()
        .map(|row| {
            let numbers: Vec<&str> = row.split_whitespace().collect();
            format!("0 {} 0 {}", numbers[1], numbers[3..].join(" "))
        })
        .collect();
    let text = format!("{head}Frame Time{time}\n{}\n", still.join("\n"));
    std::fs::write(bench.path("spot.bvh"), text).unwrap();
    let mut files = vec![bench.path("spot.bvh")];
    files.extend(afoot_fixtures::foreign_file("kh_CesiumMan.glb"));
    for file in files {
        let told = bench.json(&format!("clean {} -o clean.bvh", file.display()));
        let [before, after] = ["before", "quality"].map(|of| told[of].clone());
        for (measure, bar) in [("skate_cm_s", 5.0), ("slide_mm", 10.0), ("sink_cm", 1.0)] {
            let [was, is] = [&before, &after].map(|of| of[measure].as_f64().unwrap_or(0.0));
            let worse = is > bar && is > 1.3 * was;
            assert!(
                !worse,
                "{}: {measure} {was} {is}: {}",
                file.display(),
                told["left"]
            );
        }
    }
    let told = bench.json("clean bvh/walk.bvh -o clean.bvh");
    assert!(told.get("left").is_none(), "{told}");
}

#[test]
fn a_place_in_an_obstacle_is_refused_before_the_graph_is_embedded() {
    let bench = with_walk("in_an_obstacle"); // of which there is no graph that could be embedded
    let world =
        r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"circle": [6,7,0.5]}], "radius": 0.25}"#;
    std::fs::write(bench.path("w.json"), world).unwrap();
    for (from, to, named) in [
        ("1,1", "6,7", "--to 6,7"),
        ("6,6.3", "1,1", "--from 6,6.3"),
        ("1,1", "9,1", "--to 9,1"),
    ] {
        let command = format!("follow lib.afoot --world w.json --from {from} --to {to} -o x.bvh");
        let message = bench.fails(1, &command);
        assert!(
            message.contains(named) && message.contains("free ground"),
            "{message}"
        );
    }
}

#[test]
fn import_says_a_line_a_clip_and_more_on_request() {
    let bench = Bench::with_samples("few_words", &["walk", "run"]);
    // A root that pops: repaired, and so told.
    let text = std::fs::read_to_string(bench.path("bvh/walk.bvh")).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let first = lines
        .iter()
        .position(|line| line.starts_with("Frame Time"))
        .unwrap();
    for at in [20, 40, 60] {
        let row = lines[first + at].clone();
        let rest = row.trim_start().split_once(' ').unwrap().1;
        lines[first + at] = format!("900 {rest}");
    }
    std::fs::write(bench.path("bvh/popping.bvh"), lines.join("\n") + "\n").unwrap();
    let words = |command: &str| String::from_utf8(bench.run(command).stdout).unwrap();
    let short = words("import lib.afoot bvh");
    assert_eq!(short.lines().count(), 4, "{short}");
    assert!(
        short.lines().last().unwrap().starts_with("3 clips, "),
        "{short}"
    );
    assert!(short.contains("--verbose says what"), "{short}");
    let long = words("import other.afoot bvh --verbose");
    assert!(
        long.lines().count() > 4 && long.contains("  repaired: "),
        "{long}"
    );
    let told = bench.json("import third.afoot bvh");
    let repairs = told["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|clip| &clip["repairs"]);
    assert!(
        repairs
            .map(|list| list.as_array().unwrap().len())
            .sum::<usize>()
            > 0,
        "{told}"
    );
}

#[test]
fn a_crowd_goes_into_one_file_if_that_is_asked() {
    let bench = with_graph("one_file");
    let world = r#"{"bounds": [[0,0],[12,12]], "starts": [[2,2],[9,9]], "goals": [[9,2],[2,9]]}"#;
    std::fs::write(bench.path("w.json"), world).unwrap();
    let told = bench.json("crowd lib.afoot --world w.json --count 2 --seconds 4 -o all.glb");
    assert_eq!(told["characters"].as_array().unwrap().len(), 2, "{told}");
    let start: Vec<f64> = serde_json::from_value(told["characters"][0]["start"].clone()).unwrap();
    assert!(
        (start[0] - 2.0).abs() < 0.5 && (start[1] - 2.0).abs() < 0.5,
        "{start:?}"
    );
    let bytes = std::fs::read(bench.path("all.glb")).unwrap();
    assert_eq!(&bytes[..4], b"glTF");
    let names = std::fs::read_dir(bench.path(".")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let hidden: Vec<String> = names.filter(|name| name.starts_with('.')).collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}

/// Time of work on one path walked to and fro so many times. [s]
fn retracing(bench: &Bench, times: usize) -> f64 {
    let arc: Vec<[f64; 2]> = (0..=20)
        .map(|k| f64::from(k) / 20.0)
        .map(|part| [1.2 * (part * std::f64::consts::PI).sin(), 6.0 * part])
        .collect();
    let mut points: Vec<[f64; 2]> = Vec::new();
    for time in 0..times {
        match time % 2 {
            0 => points.extend(&arc),
            _ => points.extend(arc.iter().rev().map(|[x, z]| [-x, *z])),
        }
    }
    points.dedup();
    let text = serde_json::json!({"points": points}).to_string();
    std::fs::write(bench.path("retraced.json"), text).unwrap();
    let told = bench.json("follow lib.afoot --path retraced.json -o retraced.bvh");
    told["quality"]["compute_seconds"].as_f64().unwrap()
}

#[test]
fn a_path_that_is_retraced_takes_time_in_proportion() {
    let bench = with_graph("retraced");
    retracing(&bench, 4); // tables are made
    // Another program may take the processor meanwhile: the best of three.
    let best = |times| {
        (0..3)
            .map(|_| retracing(&bench, times))
            .fold(f64::INFINITY, f64::min)
    };
    let [few, many] = [8, 40].map(best);
    assert!(
        many < 12.0 * few,
        "five times as long took {few} s and {many} s"
    );
}

/// A person, a fox and a robot in one folder: a graph of the person, and a word of the others.
#[test]
fn bodies_that_have_nothing_in_common_are_left_out_of_a_graph_and_that_is_said() {
    let Some(fox) = afoot_fixtures::foreign_file("kh_Fox.glb") else {
        return;
    };
    let bench = Bench::with_samples(
        "menagerie",
        &["walk", "walk_turn_left", "walk_circle_left", "run"],
    );
    std::fs::copy(fox, bench.path("bvh/fox.glb")).unwrap();
    bench.json("import lib.afoot bvh");
    let ran = bench.run("graph lib.afoot --threshold 6");
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{told}");
    assert!(
        told.contains("left out of the graph") && told.contains("Survey"),
        "{told}"
    );
    bench.json("wander lib.afoot --seconds 2 -o a.bvh");
    assert_eq!(
        bench.json("list lib.afoot")["clips"]
            .as_array()
            .unwrap()
            .len(),
        7
    );
}
