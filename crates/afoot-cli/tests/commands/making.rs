//! What `make` says of what it downloads and leaves out.
//!
//! The scripts run with stand-ins for cargo, npm and Python in front of the search path, so that nothing is built or fetched.
#![cfg(unix)]

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::Bench;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn script(name: &str) -> PathBuf {
    project().join("scripts").join(name)
}

/// Puts a script that stands in for a program into the bench's `bin` folder.
fn stand_in(bench: &Bench, program: &str, script: &str) {
    let folder = bench.path("bin");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(program);
    std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
}

/// What a command of the project prints, with the stand-ins, and whether it ended well.
fn said(bench: &Bench, command: &mut Command) -> (String, bool) {
    let path = std::env::var("PATH").unwrap();
    let output = command
        .current_dir(project())
        .env("PATH", format!("{}:{path}", bench.path("bin").display()))
        .env("CARGO_TARGET_DIR", bench.path("target"))
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .output()
        .unwrap();
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    (words, output.status.success())
}

#[test]
fn make_test_leaves_the_large_downloads_to_check_tools_and_says_so() {
    let bench = Bench::new("make_test");
    stand_in(&bench, "cargo", "exit 0");
    let (plain, _) = said(
        &bench,
        Command::new("make").args(["-n", "test"]).env_remove("CI"),
    );
    // With `-n` the recipe is printed too; what it says begins a line.
    let told = |words: &str| {
        let mut lines = words.lines();
        lines.any(|line| line.starts_with("not run: make check-tools") && line.contains("0.4 GB"))
    };
    assert!(told(&plain), "{plain}");
    assert!(!plain.contains("scripts/check_tools.sh"), "{plain}");
    let (in_ci, _) = said(
        &bench,
        Command::new("make").args(["-n", "test"]).env("CI", "1"),
    );
    assert!(in_ci.contains("scripts/check_tools.sh"), "{in_ci}");
    assert!(!told(&in_ci), "{in_ci}");
}

#[test]
fn check_tools_announces_every_download_with_its_size() {
    let bench = Bench::new("check_tools");
    stand_in(&bench, "cargo", "exit 0");
    stand_in(&bench, "npm", "exit 1");
    stand_in(&bench, "python3.11", r#"[ "$1" = -c ]"#);
    let (words, ended) = said(&bench, &mut Command::new(script("check_tools.sh")));
    assert!(ended, "{words}");
    for announced in ["with npm: 0.4 MB", "with pip: 374 MB, nearly 1 GB unpacked"] {
        assert!(words.contains(announced), "{words}");
    }
    for skipped in [
        "skipped: the glTF validator could not be installed",
        "skipped: Blender (pip's bpy) could not be installed",
    ] {
        assert!(words.contains(skipped), "{words}");
    }
}

#[test]
fn tests_that_were_skipped_are_counted_and_named_at_the_end() {
    let bench = Bench::new("skipped_tests");
    stand_in(
        &bench,
        "cargo",
        r#"printf 'b::walks\na::runs\nb::walks\n' >> "$AFOOT_SKIPPED"; exit 7"#,
    );
    let (words, ended) = said(&bench, &mut Command::new(script("run_tests.sh")));
    assert!(!ended, "a failure of the tests is one of the script");
    assert!(
        words.contains("2 tests were skipped for lack of captured clips"),
        "{words}"
    );
    assert!(words.ends_with("  a::runs\n  b::walks\n"), "{words}");
    stand_in(&bench, "cargo", "exit 0");
    let (words, ended) = said(&bench, &mut Command::new(script("run_tests.sh")));
    assert!(ended && words.contains("no test was skipped"), "{words}");
}
