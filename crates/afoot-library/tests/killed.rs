//! A program that is killed while it writes loses nothing that was committed.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use afoot_library::{ClipFacts, Library};
use support::{Folder, clip};

/// Not a test: the program that is killed. It says each name once its clip is committed.
#[test]
#[ignore = "run by the test below"]
fn writer() {
    let Some(path) = std::env::var_os("AFOOT_TEST_WRITER").map(PathBuf::from) else {
        return;
    };
    let mut library = Library::open(&path).unwrap();
    let first = library.clips().unwrap().len();
    for number in first.. {
        let clip = clip(&format!("clip {number}"), 300, number as u32);
        library.add_clip(&clip, &ClipFacts::default()).unwrap();
        println!("committed {}", clip.name);
    }
}

#[test]
fn every_committed_clip_survives_a_kill() {
    let folder = Folder::new("killed");
    let path = folder.file("lib.afoot");
    Library::create(&path).unwrap();
    let mut committed: Vec<String> = Vec::new();
    for round in 0..6u64 {
        committed.extend(write_until_killed(&path, 2 + round as usize, round * 3));
        let library = Library::open(&path).unwrap();
        assert!(library.check().unwrap().is_whole());
        let clips = library.load_all().unwrap();
        for (number, clip) in clips.iter().enumerate() {
            assert_eq!(*clip, support::clip(&clip.name, 300, number as u32));
        }
        let found: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
        let lost: Vec<&String> = committed
            .iter()
            .filter(|name| !found.contains(&name.as_str()))
            .collect();
        assert!(lost.is_empty(), "round {round} lost {lost:?}");
        // At most one more: committed, but killed before it could say so.
        assert!(
            found.len() <= committed.len() + round as usize + 1,
            "{found:?} {committed:?}"
        );
    }
}

/// Runs the writer until it has committed `count` clips, then for some milliseconds more.
fn write_until_killed(path: &std::path::Path, count: usize, extra_millis: u64) -> Vec<String> {
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "writer", "--nocapture"])
        .env("AFOOT_TEST_WRITER", path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    let name_of = |line: String| {
        line.split_once("committed ")
            .map(|(_, name)| name.to_owned())
    };
    let mut names: Vec<String> = Vec::new();
    while names.len() < count {
        let line = lines.next().expect("the writer writes on").unwrap();
        names.extend(name_of(line));
    }
    std::thread::sleep(Duration::from_millis(extra_millis));
    writer.kill().unwrap();
    writer.wait().unwrap();
    names.extend(lines.map_while(Result::ok).filter_map(name_of));
    names
}
