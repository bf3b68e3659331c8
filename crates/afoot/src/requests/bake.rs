//! What a game ships: a library's graph, clips and control table in one file; or, where that ends with
//! `.html`, a page in which the character is steered by keys.

use std::path::Path;

use afoot_core::ClipId;
use afoot_draw::{SteeredPage, draw_steered_page};
use afoot_formats::files::write_whole;
use afoot_run::Run;
use afoot_runtime::{BakeError, BakeOptions, Baked, JointError, bake};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;
use crate::motion_files::check_named_as;
use crate::ranges::Ranged;
use crate::requests::drive::warn_of_sliding;
use crate::threads::in_threads;

/// The runtime for pages; empty where it was not built.
const WASM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/afoot.wasm"));

/// Asks for a baked character, to be steered by a game or a page without this library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bake {
    /// Farthest that a joint may be from where it was captured. [mm, > 0, at most 1]
    pub error_mm: f32,
}

impl Default for Bake {
    fn default() -> Self {
        Self {
            error_mm: BakeOptions::default().error_mm,
        }
    }
}

/// A character that was baked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CharacterBaked {
    /// Its file, if it was written.
    pub file: Option<String>,
    /// How large all of it is.
    pub bytes: usize,
    /// Of that, frames of clips.
    pub clip_bytes: usize,
    /// The same frames as they were, four bytes a number.
    pub clip_bytes_unpacked: usize,
    /// Of that, nodes, edges and transitions.
    pub graph_bytes: usize,
    /// Of that, best first edges.
    pub control_bytes: usize,
    /// How many clips it plays.
    pub clips: usize,
    /// How long they are together. [s]
    pub seconds: f64,
    /// Transitions between them.
    pub transitions: usize,
    /// Words that can be wished for.
    pub words: Vec<String>,
    /// Farthest that any joint is off. [mm]
    pub most_mm: f32,
    /// How far each joint and end site is off.
    pub joints: Vec<JointOff>,
}

/// How far a joint is from where it was captured, over all frames.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointOff {
    /// The joint; an end site is named after the joint that it is on.
    pub joint: String,
    /// Farthest. [mm]
    pub most_mm: f32,
    /// In the mean. [mm]
    pub mean_mm: f32,
}

impl Bake {
    /// Bakes the library's graph, which is built now where there is none, into a file.
    pub fn run(
        &self,
        library: &Library,
        to: impl AsRef<Path>,
        run: &Run,
    ) -> Result<CharacterBaked, Failure> {
        self.check_ranges()?;
        let to = to.as_ref();
        let page = to.extension().is_some_and(|ending| ending == "html");
        check_named_as(to, &["afootpack", "html"])?;
        if page && !Self::writes_pages() {
            return Err(Failure::failed(
                "this program was built without the runtime for pages; `make wasm` builds it",
            ));
        }
        let (mut told, baked) = in_threads(run, || self.make(library, run))?;
        let pack = (*baked.bytes).as_ref();
        match page {
            false => write_whole(to, pack)?,
            true => {
                let name = library.path().file_stem().unwrap_or_default();
                let title = &format!("{}, steered", name.to_string_lossy());
                let wasm = WASM;
                let html = draw_steered_page(&SteeredPage { title, wasm, pack });
                write_whole(to, html.as_bytes())?;
            }
        }
        told.file = Some(to.display().to_string());
        Ok(told)
    }

    /// Whether pages can be written: the runtime for them was built.
    pub fn writes_pages() -> bool {
        !WASM.is_empty()
    }

    fn make(&self, library: &Library, run: &Run) -> Result<(CharacterBaked, Baked), Failure> {
        let steering = library.steering(run)?;
        let error_mm = self.error_mm;
        let baked = bake(&steering.graph, &steering.table, &BakeOptions { error_mm })?;
        let graph = steering.graph.graph();
        let clips = (0..graph.clips.len()).map(ClipId::from);
        warn_of_sliding(&steering.graph, clips, run);
        let frames: u64 = graph.clips.iter().map(|clip| u64::from(clip.frames)).sum();
        let joints: Vec<JointOff> = baked.errors.iter().map(JointOff::from).collect();
        let told = CharacterBaked {
            file: None,
            bytes: baked.sizes.all,
            clip_bytes: baked.sizes.clips,
            clip_bytes_unpacked: baked.sizes.clips_unpacked,
            graph_bytes: baked.sizes.graph,
            control_bytes: baked.sizes.control,
            clips: graph.clips.len(),
            seconds: frames as f64 * graph.rate.frame_time(),
            transitions: graph.transitions.len(),
            words: graph.vocabulary.clone(),
            most_mm: joints.iter().map(|joint| joint.most_mm).fold(0.0, f32::max),
            joints,
        };
        Ok((told, baked))
    }
}

impl From<&JointError> for JointOff {
    fn from(error: &JointError) -> Self {
        Self {
            joint: error.joint.clone(),
            most_mm: error.most_mm,
            mean_mm: error.mean_mm,
        }
    }
}

impl From<BakeError> for Failure {
    fn from(error: BakeError) -> Self {
        match error {
            BakeError::Empty => Self::no_motion(error),
            BakeError::BadError(_) | BakeError::TooFine { .. } | BakeError::TooFar { .. } => {
                Self::bad_request(error)
            }
            BakeError::TooLong(_) | BakeError::Unreadable(_) => Self::failed(error),
        }
    }
}
