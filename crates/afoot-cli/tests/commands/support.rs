//! Runs the binary in a folder of its own.

use std::path::PathBuf;
use std::process::{Command, Output};

use afoot_fixtures::Folder;
pub use afoot_fixtures::captured_folder as cmu;
use serde_json::Value;

/// A folder that is removed when the test ends, and the commands run in it.
pub struct Bench {
    folder: Folder,
}

impl Bench {
    pub fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        Self { folder }
    }

    /// A bench with some sample clips as BVH files in `bvh/`.
    pub fn with_samples(name: &str, wanted: &[&str]) -> Self {
        let bench = Self::new(name);
        std::fs::create_dir(bench.path("bvh")).unwrap();
        for clip in afoot_sample::sample_library(&Default::default()) {
            if wanted.is_empty() || wanted.contains(&clip.name.as_str()) {
                let path = bench.path("bvh").join(format!("{}.bvh", clip.name));
                afoot_formats::write_motion(&path, &clip, &Default::default()).unwrap();
            }
        }
        bench
    }

    /// Runs a command as typed: words with blanks between them, '' for an empty one.
    pub fn run(&self, command: &str) -> Output {
        let words = command.split_whitespace();
        Command::new(env!("CARGO_BIN_EXE_afoot"))
            .args(words.map(|word| if word == "''" { "" } else { word }))
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    /// Runs a command that must succeed and gives its JSON.
    pub fn json(&self, command: &str) -> Value {
        let output = self.run(&format!("{command} --json"));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command} failed: {told}");
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{command} printed no JSON object: {error}"))
    }

    /// Runs a command that must fail with that status, and gives its message.
    pub fn fails(&self, status: i32, command: &str) -> String {
        let output = self.run(command);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{command} said: {told}");
        assert!(
            output.stdout.is_empty(),
            "{command} printed a result and failed"
        );
        assert!(!told.contains("panicked"), "{command} panicked: {told}");
        told
    }

    /// The same of a command that tells what it could do all the same.
    pub fn fails_with_words(&self, status: i32, command: &str) -> String {
        let output = self.run(command);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{command} said: {told}");
        String::from_utf8_lossy(&output.stdout).into_owned() + &told
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.file(name)
    }
}

/// A bench with one walk in `lib.afoot`.
pub fn with_walk(name: &str) -> Bench {
    let bench = Bench::with_samples(name, &["walk"]);
    bench.json("import lib.afoot bvh");
    bench
}

/// Walks that connect well, with their mirror images.
const WALKS: [&str; 6] = [
    "walk",
    "walk_turn_left",
    "walk_arc_left",
    "walk_circle_left",
    "walk_circle_right",
    "walk_slalom",
];

/// A bench with walks and their graph in `lib.afoot`, and a circle to walk in `circle.json`.
pub fn with_graph(name: &str) -> Bench {
    let bench = Bench::with_samples(name, &WALKS);
    bench.json("import lib.afoot bvh --mirror");
    let graph = bench.json("graph lib.afoot --threshold 4 --plot plot.png");
    assert!(graph["component_share"].as_f64().unwrap() > 0.5, "{graph}");
    assert!(bench.path("plot.png").exists());
    write_circle(&bench, "circle.json", 2.0);
    bench
}

fn write_circle(bench: &Bench, name: &str, radius: f64) {
    let point = |step: i32| {
        let angle = f64::from(step) * 0.05;
        [radius * angle.cos(), radius * angle.sin()]
    };
    let points: Vec<[f64; 2]> = (0..=126).map(point).collect();
    std::fs::write(
        bench.path(name),
        serde_json::json!({"points": points}).to_string(),
    )
    .unwrap();
}
