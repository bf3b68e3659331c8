//! The captured clips that tests measure by, in the folder that `AFOOT_CMU` names. They are not part of
//! the repository; where they are missing, tests say so and pass.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use afoot_core::{Clip, FrameRate, cut_clip, recognise_roles, resample_clip};
use afoot_formats::{ReadOptions, Unit, UnitOption, read_motion};
use serde_json::Value;

/// The folder with captured clips; `None`, with a word about it, where it is missing.
pub fn captured_folder() -> Option<PathBuf> {
    let folder = named_folder("AFOOT_CMU", "cmu");
    if holds_captured(&folder) {
        return Some(folder);
    }
    note_skip(&format!("no captured motion in {}", folder.display()));
    None
}

fn holds_captured(folder: &Path) -> bool {
    folder.join("bvh").is_dir() && folder.join("sets.json").is_file()
}

/// A file of other people's motion, from the folder that `AFOOT_FOREIGN` names; `None`, with a word about it,
/// where it is missing.
pub fn foreign_file(name: &str) -> Option<PathBuf> {
    let file = named_folder("AFOOT_FOREIGN", "foreign").join(name);
    if file.is_file() {
        return Some(file);
    }
    note_skip(&format!("there is no {}", file.display()));
    None
}

/// The folder that a variable names; where it is not set, a place that may hold it.
fn named_folder(variable: &str, name: &str) -> PathBuf {
    let beside = || {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
        shared.join(name)
    };
    std::env::var_os(variable).map_or_else(beside, PathBuf::from)
}

/// Says why the running test tests nothing, and adds the running test to the list that `AFOOT_SKIPPED` names, so that whoever ran the tests can be
/// told at the end which of them tested nothing.
pub fn note_skip(why: &str) {
    eprintln!("skipped: {why}");
    let Some(list) = std::env::var_os("AFOOT_SKIPPED") else {
        return;
    };
    let thread = || Some(std::thread::current().name()?.to_owned());
    let test = std::env::var("NEXTEST_TEST_NAME").ok().or_else(thread);
    let binary = std::env::var("NEXTEST_BINARY_ID").unwrap_or_default();
    let line = format!("{binary} {}\n", test.unwrap_or_default());
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(list);
    // One short write, so that tests that run side by side do not mix their lines.
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the list of skipped tests can be written");
}

/// Captured clips, with what is known about each of them.
pub struct Captured {
    folder: PathBuf,
    /// The index: sets of clips, and facts of every clip.
    pub sets: Value,
}

impl Captured {
    /// `None`, with a word about it, where the clips are missing.
    pub fn find() -> Option<Self> {
        captured_folder().map(Self::of)
    }

    /// The same without a word: for tests that have other motion too.
    pub fn at_hand() -> Option<Self> {
        let folder = Some(named_folder("AFOOT_CMU", "cmu"));
        folder.filter(|folder| holds_captured(folder)).map(Self::of)
    }

    fn of(folder: PathBuf) -> Self {
        let sets = read_json(&folder.join("sets.json"));
        Self { folder, sets }
    }

    /// A JSON file beside the clips.
    pub fn json(&self, name: &str) -> Value {
        read_json(&self.folder.join(name))
    }

    /// The names of all clips there are, sorted.
    pub fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.folder.join("bvh")).unwrap();
        let name = |file: std::fs::DirEntry| file.file_name().into_string().unwrap();
        let mut names: Vec<String> = files
            .map(|file| name(file.unwrap()).replace(".bvh", ""))
            .collect();
        names.sort();
        names
    }

    /// The names of the clips of a set, in its order.
    pub fn names_of(&self, set: &str) -> Vec<String> {
        let names = self.sets["sets"][set]["files"].as_array().unwrap();
        names
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect()
    }

    /// The clip's rate at capture. [frames/s]
    pub fn source_fps(&self, name: &str) -> u32 {
        self.sets["clips"][name]["fps"].as_u64().unwrap() as u32
    }

    /// The floor of the clip's subject: y = a + bx·x + bz·z, and rl on top for the right foot.
    pub fn plane(&self, name: &str) -> &Value {
        let subject = name.split('_').next().unwrap();
        &self.sets["meta"]["ground_plane"][subject]
    }

    /// A clip at 30 frames a second, with roles, without its T-pose.
    pub fn clip(&self, name: &str) -> Clip {
        self.clip_at(name, 30)
    }

    /// [`Captured::clip`] at another rate. [frames/s]
    pub fn clip_at(&self, name: &str, fps: u32) -> Clip {
        let options = ReadOptions {
            unit: UnitOption::Unit(Unit::Cmu),
            rate: FrameRate::new(self.source_fps(name), 1),
            ..ReadOptions::default()
        };
        let path = self.folder.join("bvh").join(format!("{name}.bvh"));
        let mut clip = read_motion(&path, &options).unwrap().clip;
        let roles = recognise_roles(&clip.skeleton);
        clip.skeleton = Arc::new((*clip.skeleton).clone().with_roles(&roles));
        clip.name = name.into();
        let first = self.sets["clips"][name]["first_frame"].as_u64().unwrap() as u32;
        let clip = cut_clip(&clip, first..clip.len() as u32).unwrap();
        resample_clip(&clip, FrameRate::new(fps, 1).unwrap())
    }
}

fn read_json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}
