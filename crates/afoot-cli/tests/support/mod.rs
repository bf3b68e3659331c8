//! Runs the binary in a folder of its own.

#![allow(dead_code)] // every test file uses its part
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A folder that is removed when the test ends, and the commands run in it.
pub struct Bench {
    pub folder: PathBuf,
}

impl Bench {
    pub fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("afoot-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    /// A bench with some sample clips as BVH files in `bvh/`.
    pub fn with_samples(name: &str, wanted: &[&str]) -> Self {
        let bench = Self::new(name);
        std::fs::create_dir(bench.folder.join("bvh")).unwrap();
        for clip in afoot_sample::sample_library(&Default::default()) {
            if wanted.is_empty() || wanted.contains(&clip.name.as_str()) {
                let path = bench.folder.join("bvh").join(format!("{}.bvh", clip.name));
                afoot_formats::write_motion(&path, &clip, &Default::default()).unwrap();
            }
        }
        bench
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_afoot"))
            .args(arguments)
            .current_dir(&self.folder)
            .output()
            .unwrap()
    }

    /// Runs a command that must succeed and gives its JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let arguments = [arguments, &["--json"]].concat();
        let output = self.run(&arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} failed: {told}");
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?} printed no JSON object: {error}"))
    }

    /// Runs a command that must fail with that status, and gives its message.
    pub fn fails(&self, status: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?} said: {told}"
        );
        assert!(
            output.stdout.is_empty(),
            "{arguments:?} printed a result and failed"
        );
        assert!(!told.contains("panicked"), "{arguments:?} panicked: {told}");
        told
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The CMU clips, or `None` with a note where they are not at hand.
pub fn cmu() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cmu");
    let folder = std::env::var_os("AFOOT_CMU").map_or(beside, PathBuf::from);
    if folder.join("bvh").is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: the CMU clips are not at hand (AFOOT_CMU names their folder)");
    None
}
