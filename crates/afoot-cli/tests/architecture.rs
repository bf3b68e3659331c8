//! The crates' dependencies point downwards only: the layers of ARCHITECTURE.md, checked.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Every crate with its layer; a crate may depend on lower layers and on those named beside it.
const LAYERS: &[(&str, u32, &[&str])] = &[
    ("afoot-search", 0, &[]),
    ("afoot-codec", 0, &[]),
    ("afoot-run", 0, &[]),
    ("afoot-script", 0, &["afoot-search"]),
    ("afoot-learn", 0, &["afoot-search"]),
    ("afoot-core", 1, &[]),
    ("afoot-analyze", 2, &[]),
    ("afoot-edit", 2, &[]),
    ("afoot-physics", 2, &[]),
    ("afoot-draw", 2, &[]),
    ("afoot-limbs", 2, &["afoot-edit"]),
    ("afoot-sample", 2, &["afoot-edit"]),
    ("afoot-graph", 3, &[]),
    ("afoot-world", 4, &[]),
    ("afoot-synth", 5, &[]),
    ("afoot-runtime", 6, &[]),
    ("afoot-formats", 6, &[]),
    ("afoot-library", 6, &["afoot-formats"]),
    ("afoot", 7, &[]),
    ("afoot-serve", 8, &[]),
    ("afoot-python", 8, &[]),
    ("afoot-c", 8, &[]),
    ("afoot-cli", 8, &["afoot-serve"]),
    // For tests: nothing but a dev-dependency may lead here.
    ("afoot-fixtures", 8, &[]),
];

/// What the vocabulary does without: threads, text formats, terminals, storage, pictures.
const CORE_MUST_NOT_NEED: [&str; 5] = ["rayon", "serde", "clap", "rusqlite", "tiny-skia"];

fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs, since it built this test");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let name_of = |package: &Value| package["name"].as_str().unwrap().to_owned();
    let normal = |dependency: &&Value| dependency["kind"].is_null();
    let needed = |package: &Value| {
        package["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(normal)
            .map(name_of)
            .collect()
    };
    let packages = metadata["packages"].as_array().unwrap();
    packages
        .iter()
        .map(|package| (name_of(package), needed(package)))
        .collect()
}

#[test]
fn dependencies_point_downwards() {
    let layer = |name: &str| LAYERS.iter().find(|(crate_name, ..)| *crate_name == name);
    for (name, needed) in dependencies() {
        let Some((_, own, beside)) = layer(&name) else {
            panic!("{name} has no layer: add it to ARCHITECTURE.md and to this test");
        };
        for other in needed.iter().filter(|other| other.starts_with("afoot")) {
            let (_, below, _) = layer(other).expect("every crate has a layer");
            let allowed = below < own || beside.contains(&other.as_str());
            assert!(
                allowed,
                "{name} (layer {own}) must not depend on {other} (layer {below})"
            );
        }
    }
}

/// The command line has arguments, words and exit codes; all else is behind the door.
const CLI_NEEDS: [&str; 9] = [
    "afoot",
    "afoot-serve",
    "clap",
    "clap_complete",
    "crossterm",
    "ctrlc",
    "indicatif",
    "serde",
    "serde_json",
];

#[test]
fn the_command_line_goes_through_the_door() {
    for needed in &dependencies()["afoot-cli"] {
        let allowed = CLI_NEEDS.contains(&needed.as_str());
        assert!(allowed, "afoot-cli needs {needed}");
    }
}

/// Surfaces that see one crate of ours each: the door, or what a game ships.
const ONE_CRATE: [(&str, &str); 3] = [
    ("afoot-serve", "afoot"),
    ("afoot-python", "afoot"),
    ("afoot-c", "afoot-runtime"),
];

#[test]
fn other_surfaces_go_through_one_crate_each() {
    for (surface, door) in ONE_CRATE {
        let mut needed = dependencies()[surface].clone();
        needed.retain(|name| name.starts_with("afoot"));
        assert_eq!(needed, [door], "what {surface} needs of ours");
    }
}

#[test]
fn the_vocabulary_stays_light() {
    let all = dependencies();
    for heavy in CORE_MUST_NOT_NEED {
        assert!(
            !all["afoot-core"].iter().any(|name| name == heavy),
            "afoot-core needs {heavy}"
        );
    }
    assert!(
        all["afoot-search"].is_empty(),
        "afoot-search knows nothing of motion, nor anything else"
    );
}

/// What reaches outside the program, and the files that may use it.
const OUTSIDE: &[(&str, &[&str])] = &[
    (
        "std::fs",
        &["afoot-formats/src/files.rs", "afoot-formats/src/pieces.rs"],
    ),
    ("println!", &[]), // and eprintln!
    ("Instant", &[]),
    ("SystemTime", &[]),
    ("std::env", &[]),
];

/// Crates that compute and nothing else, beside the files named above.
const PURE: &[&str] = &[
    "afoot-learn",
    "afoot-search",
    "afoot-codec",
    "afoot-run",
    "afoot-core",
    "afoot-analyze",
    "afoot-edit",
    "afoot-physics",
    "afoot-draw",
    "afoot-limbs",
    "afoot-sample",
    "afoot-graph",
    "afoot-world",
    "afoot-synth",
    "afoot-formats",
    "afoot-runtime",
    "afoot-script",
];

#[test]
fn what_computes_neither_opens_files_nor_prints_nor_reads_clocks() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in PURE {
        let mut files = Vec::new();
        rust_files(&crates.join(name).join("src"), &mut files);
        assert!(!files.is_empty(), "{name} has no sources");
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let shipped = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let code = shipped
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let code: Vec<&str> = code.collect();
            for (word, allowed) in OUTSIDE {
                let used = code.iter().any(|line| line.contains(word));
                let may = allowed.iter().any(|path| file.ends_with(path));
                assert!(!used || may, "{} uses {word}", file.display());
            }
        }
    }
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_name().is_some_and(|name| name == "tests.rs");
        match path.is_dir() {
            true => rust_files(&path, files),
            false if !is_test => files.push(path),
            false => {}
        }
    }
}
