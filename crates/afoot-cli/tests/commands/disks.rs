//! Places that are not free, disks that are full, and commands that change one library at once.

use std::process::{Child, Command, Stdio};

use afoot_fixtures::note_skip;

use crate::support::{Bench, with_walk};

#[test]
fn every_output_refuses_a_place_that_belongs_to_a_library() {
    let bench = with_walk("own-places");
    std::fs::write(bench.path("world.json"), r#"{"bounds": [[0,0],[8,8]]}"#).unwrap();
    std::fs::write(bench.path("lib.afoot-wal"), "").unwrap();
    let library = std::fs::read(bench.path("lib.afoot")).unwrap();
    let outputs = [
        "labels export lib.afoot -o",
        "bake lib.afoot -o",
        "tiles plan lib.afoot -o",
        "crowd lib.afoot --world world.json --count 1 --seconds 2 -o",
        "survey lib.afoot --world world.json -o",
        "new",
        "import --label new_one",
    ];
    for ending in ["-ready", "-control", "-wal", "-shm", "-journal"] {
        for output in outputs {
            let place = format!("lib.afoot{ending}");
            let command = match output.strip_prefix("import") {
                Some(rest) => format!("import {place} bvh {rest}"),
                None => format!("{output} {place}"),
            };
            let there = std::fs::read(bench.path(&place)).ok();
            let message = bench.fails(1, &command);
            assert!(message.contains(&place), "{command}: {message}");
            let left = std::fs::read(bench.path(&place)).ok();
            assert!(left == there, "{command} left something else");
        }
    }
    for output in &outputs[..3] {
        bench.fails(1, &format!("{output} lib.afoot"));
    }
    // Through a link, and of no library at all.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("lib.afoot-ready", bench.path("labels.json")).unwrap();
        std::fs::write(bench.path("lib.afoot-ready"), "tables").unwrap();
        let message = bench.fails(1, "labels export lib.afoot -o labels.json");
        assert!(
            message.contains("belongs to the motion library"),
            "{message}"
        );
    }
    bench.json("labels export lib.afoot -o other-ready");
    assert_eq!(std::fs::read(bench.path("lib.afoot")).unwrap(), library);
    assert_eq!(bench.json("check lib.afoot")["clips"], 1);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_called_that_with_the_file_that_was_named() {
    let bench = with_walk("full-device");
    for ending in ["bvh", "glb", "fbx", "png"] {
        let file = bench.path(&format!("w.{ending}"));
        std::os::unix::fs::symlink("/dev/full", file).unwrap();
    }
    for command in [
        "export lib.afoot walk -o w.bvh",
        "export lib.afoot walk -o w.glb",
        "convert bvh/walk.bvh -o w.fbx",
        "show lib.afoot walk --picture w.png",
    ] {
        let message = bench.fails(1, command);
        let file = command.split(' ').next_back().unwrap();
        let words = format!("{file}: can't be written: the disk is full");
        assert!(message.contains(&words), "{command}: {message}");
    }
}

/// Runs lines of a shell in a folder on a disk of its own of so many kilobytes; `None` where that can't be had.
#[cfg(target_os = "linux")]
fn on_a_small_disk(bench: &Bench, kilobytes: u32, lines: &str) -> Option<String> {
    let folder = bench.path("small");
    std::fs::create_dir_all(&folder).unwrap();
    let script = format!(
        "mount -t tmpfs -o size={kilobytes}k tmpfs {} || exit 99\ncd {}\nafoot() {{ {} \"$@\" 2>&1; }}\n{lines}",
        folder.display(),
        folder.display(),
        env!("CARGO_BIN_EXE_afoot")
    );
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
        .output();
    match output {
        Ok(output) if output.status.success() => {
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        _ => {
            note_skip("no disk of its own can be mounted here");
            None
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn on_a_full_disk_nothing_committed_is_lost_and_no_scratch_file_is_named() {
    let bench = Bench::with_samples("full-disk", &["walk", "run", "walk_slalom", "jog"]);
    let lines = "
        afoot import lib.afoot ../bvh/walk.bvh > told || cat told
        dd if=/dev/zero of=fill bs=1k count=$(($(df --output=avail . | tail -1) - 40)) 2> /dev/null
        afoot import new.afoot ../bvh && echo wrong
        afoot import lib.afoot ../bvh/run.bvh ../bvh/jog.bvh && echo wrong
        afoot graph lib.afoot && echo wrong
        afoot list lib.afoot
        dd if=/dev/zero of=rest bs=512 2> /dev/null
        afoot label lib.afoot walk quick && echo wrong
        afoot list lib.afoot
        afoot check lib.afoot
        ls -A | tr '\\n' ' '
        true
    ";
    let Some(told) = on_a_small_disk(&bench, 1000, lines) else {
        return;
    };
    assert!(!told.contains("wrong"), "{told}");
    assert!(
        told.contains("afoot: new.afoot: the disk is full"),
        "{told}"
    );
    assert!(
        told.matches("lib.afoot: the disk is full").count() >= 2,
        "{told}"
    );
    assert_eq!(told.matches("1 clips").count(), 3, "{told}");
    assert!(
        !told.contains(".import") && !told.contains(".new"),
        "{told}"
    );
}

/// Starts a command and does not wait for it.
fn start(bench: &Bench, command: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_afoot"))
        .args(command.split_whitespace())
        .current_dir(bench.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for it; it must succeed.
fn ended(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    told
}

#[test]
fn imports_of_a_new_library_at_once_all_arrive() {
    const NAMES: [&str; 8] = [
        "walk", "run", "jog", "hop", "stand", "kick", "start", "stop",
    ];
    let bench = Bench::with_samples("at-once", &NAMES);
    let imports = NAMES.map(|name| start(&bench, &format!("import lib.afoot bvh/{name}.bvh")));
    for import in imports {
        ended(import);
    }
    let listed = bench.json("list lib.afoot");
    let mut names: Vec<&str> = listed["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|clip| clip["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    let mut expected = NAMES;
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(bench.json("check lib.afoot")["clips"], 8);
}

#[test]
fn retargeting_beside_removing_calls_nothing_damaged() {
    const NAMES: [&str; 6] = ["walk", "run", "jog", "hop", "walk_slalom", "walk_arc_left"];
    let bench = Bench::with_samples("retarget-remove", &NAMES);
    bench.json("import all.afoot bvh --mirror");
    bench.json("import other.afoot bvh/walk.bvh");
    bench.json("export all.afoot walk -o small.bvh --unit in");
    let text = std::fs::read_to_string(bench.path("small.bvh")).unwrap();
    std::fs::write(bench.path("other.bvh"), longer_shins(&text)).unwrap();
    for round in 0..6 {
        let library = format!("lib{round}.afoot");
        std::fs::copy(bench.path("all.afoot"), bench.path(&library)).unwrap();
        let retarget = start(&bench, &format!("retarget {library} other.bvh"));
        std::thread::sleep(std::time::Duration::from_millis(20 * round));
        let removes = NAMES[1..].iter();
        let removes: Vec<Child> = removes
            .map(|name| start(&bench, &format!("remove {library} {name} {name}_mirror")))
            .collect();
        let told = [ended(retarget)]
            .into_iter()
            .chain(removes.into_iter().map(ended));
        for words in told {
            assert!(!words.contains("damaged"), "{words}");
        }
        let left = bench.json(&format!("list {library}"));
        assert_eq!(left["clips"].as_array().unwrap().len(), 2, "{left}");
        assert_eq!(bench.json(&format!("check {library}"))["clips"], 2);
    }
}

/// A BVH file whose shins are a tenth longer.
fn longer_shins(text: &str) -> String {
    let mut shin = false;
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let joint = words.first() == Some(&"JOINT");
        let foot = joint && words[1].ends_with("Foot");
        let offset = words.first() == Some(&"OFFSET") && shin;
        shin = foot || shin && !offset;
        match offset {
            true => {
                let longer = words[1..].iter().map(|n| n.parse::<f64>().unwrap() * 1.1);
                let longer: Vec<String> = longer.map(|n| n.to_string()).collect();
                format!("OFFSET {}", longer.join(" "))
            }
            false => line.to_owned(),
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn a_rate_that_cannot_be_in_a_comment_is_told_and_can_be_said_otherwise() {
    let bench = with_walk("odd-rate");
    bench.json("export lib.afoot walk -o w.amc");
    let text = std::fs::read_to_string(bench.path("w.amc")).unwrap();
    let said = "# frames per second: 30\n";
    assert!(text.starts_with(said), "{text:.60}");
    for wrong in ["1e-9", "0", "-5", "nan", "1e9", "thirty", ""] {
        let other = text.replacen(said, &format!("# frames per second: {wrong}\n"), 1);
        std::fs::write(bench.path("w.amc"), other).unwrap();
        let told = bench.fails_with_words(0, "judge w.amc");
        let words = format!("its comment says {wrong:?} frames per second");
        assert!(told.contains(&words), "{wrong:?}: {told}");
        let _ = std::fs::remove_file(bench.path("odd.afoot"));
        let imported = bench.json("import odd.afoot w.amc");
        let warnings = imported["clips"][0]["warnings"].to_string();
        assert!(warnings.contains("frames per second"), "{imported}");
        let said = bench.json("judge w.amc --source-fps 30");
        assert_eq!(said["fps"], 30.0);
    }
}

#[test]
fn the_unit_of_imported_files_is_not_that_of_the_skeleton_they_are_brought_onto() {
    let bench = with_walk("unit-of-target");
    bench.json("convert bvh/walk.bvh -o metres.bvh --unit m");
    bench.json("import onto.afoot metres.bvh --unit m --retarget bvh/walk.bvh");
    let legs = |library: &str, clip: &str| {
        let output = bench.run(&format!("show {library} {clip}"));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|line| line.contains("legs"));
        line.unwrap_or_default().to_owned()
    };
    let expected = legs("lib.afoot", "walk");
    assert!(expected.contains("legs 0."), "{expected}");
    assert_eq!(legs("onto.afoot", "metres"), expected);
}
