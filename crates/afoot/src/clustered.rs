//! A library's cluster graph at one error, with the clips that it joins.

use std::sync::{Arc, OnceLock};

use afoot_analyze::SourceStatistics;
use afoot_core::{Clip, ClipId, FrameId, FrameRate};
use afoot_graph::clusters::{
    Centre, ClusterGraph, ClusterTree, LibraryFrames, Stretch, cluster_frames, library_frames,
};
use afoot_graph::{ClipSet, level_clip};
use afoot_library::{ClusterRecipe, ComparedFrames, LibraryClusters};
use afoot_run::Run;

use crate::delivery::SourceClips;
use crate::failure::Failure;
use crate::library::Library;
use crate::selection::Selection;

/// Clips on one skeleton and a level floor, in the library's order.
#[derive(Debug)]
pub(crate) struct LevelClips {
    pub clips: Vec<Clip>,
    statistics: OnceLock<Option<SourceStatistics>>,
}

/// A library's clips and their frames as they are compared.
#[derive(Debug)]
pub(crate) struct Compared {
    pub clips: Arc<LevelClips>,
    pub frames: LibraryFrames,
}

/// How they merge, at any error.
#[derive(Clone, Debug)]
pub(crate) struct Trees {
    pub compared: Arc<Compared>,
    pub tree: Arc<ClusterTree>,
}

/// A library's frames and their clusters at one error.
pub(crate) struct Clustered {
    pub compared: Arc<Compared>,
    pub graph: ClusterGraph,
}

impl Library {
    /// The clusters of all clips at a recipe's error; the tree is made where it is neither held nor kept.
    pub(crate) fn clustered(
        &self,
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<Clustered, Failure> {
        let error = recipe.error_cm;
        if !(error > 0.0 && error.is_finite()) {
            return Err(Failure::bad_value("error", error, "centimetres above 0"));
        }
        let Trees { compared, tree } = self.trees(recipe, run)?;
        let graph = ClusterGraph::cut(&tree, &compared.frames, error / 100.0);
        Ok(Clustered { compared, graph })
    }
}

impl Clustered {
    /// The clusters of a few clips of one skeleton and rate that belong to no library, at the usual error.
    pub fn of_clips(clips: Vec<Clip>, run: &Run) -> Result<Self, Failure> {
        let recipe = ClusterRecipe::default();
        let clips = LevelClips::new(clips);
        let frames = library_frames(&clips.clips, None)?;
        let tree = cluster_frames(&frames, Centre::OfMembers, &run.warnings_only())?;
        let graph = ClusterGraph::cut(&tree, &frames, recipe.error_cm / 100.0);
        let compared = Arc::new(Compared {
            clips: Arc::new(clips),
            frames,
        });
        Ok(Self { compared, graph })
    }

    /// The clips.
    pub fn clips(&self) -> &Arc<LevelClips> {
        &self.compared.clips
    }

    /// All frames.
    pub fn frames(&self) -> &LibraryFrames {
        &self.compared.frames
    }

    /// Frames a second.
    pub fn rate(&self) -> FrameRate {
        self.frames().rate()
    }

    /// A moment of a clip. [s]
    pub fn seconds(&self, frame: u32) -> f64 {
        self.compared.seconds(frame)
    }
}

impl Compared {
    /// A clip by its name.
    pub fn id(&self, name: &str) -> Result<ClipId, Failure> {
        let clips = &self.clips.clips;
        let names = || clips.iter().map(|clip| clip.name.as_str());
        match names().position(|known| known == name) {
            Some(index) => Ok(ClipId(index as u32)),
            None => Err(Failure::bad_request(
                match afoot_search::meant_word(name, &names().collect::<Vec<_>>()) {
                    Some(meant) => format!("there is no clip {name:?}; did you mean {meant:?}?"),
                    None => format!("there is no clip {name:?}"),
                },
            )),
        }
    }

    /// A clip and the part of it that is meant.
    pub fn selected(&self, text: &str) -> Result<Stretch, Failure> {
        let selection = Selection::parse(text)?;
        let clip = self.id(&selection.name)?;
        let length = self.frames.frames_of(clip) as usize;
        let frames = selection.frames(length, self.frames.rate())?;
        let frames = frames.start as u32..frames.end as u32;
        Ok(Stretch { clip, frames })
    }

    /// A moment of a clip. [s]
    pub fn seconds(&self, frame: u32) -> f64 {
        f64::from(frame) * self.frames.rate().frame_time()
    }

    /// The frame at a moment of a clip. [s]
    pub fn frame_at(&self, what: &str, seconds: f64) -> Result<FrameId, Failure> {
        match seconds >= 0.0 && seconds.is_finite() {
            true => Ok(FrameId(self.frames.rate().frames_in(seconds) as u32)),
            false => Err(Failure::bad_value(what, seconds, "seconds from 0 on")),
        }
    }

    /// A clip's name.
    pub fn name(&self, clip: ClipId) -> String {
        self.clips.name(clip).to_owned()
    }
}

impl From<ComparedFrames> for Compared {
    fn from(compared: ComparedFrames) -> Self {
        let clips = LevelClips {
            clips: compared.clips,
            statistics: OnceLock::new(),
        };
        Self {
            clips: Arc::new(clips),
            frames: compared.frames,
        }
    }
}

impl From<LibraryClusters> for Trees {
    fn from(clusters: LibraryClusters) -> Self {
        Self {
            compared: Arc::new(clusters.compared.into()),
            tree: Arc::new(clusters.tree),
        }
    }
}

impl LevelClips {
    /// Clips as they were captured, levelled.
    pub(crate) fn new(clips: Vec<Clip>) -> Self {
        Self {
            clips: clips.iter().map(level_clip).collect(),
            statistics: OnceLock::new(),
        }
    }

    /// All of them.
    pub(crate) fn clips(&self) -> &[Clip] {
        &self.clips
    }
}

impl ClipSet for LevelClips {
    fn clip(&self, id: ClipId) -> &Clip {
        &self.clips[id.index()]
    }
}

impl SourceClips for LevelClips {
    fn name(&self, clip: ClipId) -> &str {
        &self.clips[clip.index()].name
    }

    fn captured(&self, clip: ClipId) -> &Clip {
        &self.clips[clip.index()]
    }

    fn statistics(&self) -> Option<&SourceStatistics> {
        let measure = || SourceStatistics::of_clips(&self.clips.iter().collect::<Vec<_>>());
        self.statistics.get_or_init(measure).as_ref()
    }

    fn floor(&self) -> Option<f32> {
        self.clips.iter().find_map(|clip| clip.ground).map(|_| 0.0)
    }
}
