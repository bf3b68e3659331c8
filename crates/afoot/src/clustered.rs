//! A library's cluster graph at one error, with the clips that it joins.

use std::sync::{Arc, OnceLock};

use afoot_analyze::SourceStatistics;
use afoot_codec::ContentHash;
use afoot_core::{Clip, ClipId, FrameId, FrameRate, Ground};
use afoot_graph::clusters::{
    Centre, ClusterGraph, ClusterTree, LibraryFrames, Stretch, cluster_frames, library_frames,
};
use afoot_graph::{ClipSet, level_clip};
use afoot_library::{ClusterRecipe, ComparedFrames, LibraryClusters, OneBody};
use afoot_run::Run;
use afoot_synth::floor::shared_floor;

use crate::delivery::SourceClips;
use crate::failure::{Failure, FailureKind};
use crate::library::Library;
use crate::selection::Selection;

/// Clips on one skeleton and a level floor, in the library's order.
#[derive(Debug)]
pub(crate) struct LevelClips {
    pub clips: Vec<Clip>,
    /// What motion made of them stands on.
    floor: Option<Ground>,
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

    /// The clusters that serve clips named as requests name them: where they share a body that is not the most common
    /// one, those of the clips of that body, as they were captured. `None` where all clips' serve.
    fn clustered_on_own_body(
        &self,
        named: &[&str],
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<Option<Clustered>, Failure> {
        let Some((compared, sources)) = self.compared_on_own_body(named, recipe)? else {
            return Ok(None);
        };
        let frames = &compared.frames;
        let first = compared.clips.clips().first();
        let first = first.map_or("", |clip| clip.name.as_str());
        let kept_as = format!("{} on the body of {first}", recipe.tree_key());
        let make = |_| Ok(cluster_frames(frames, recipe.centre(), run)?);
        let tree: ClusterTree = self.kept(&kept_as, sources, run, make)?;
        if tree.frames as usize != frames.len() {
            return Err(Failure::failed(
                "the clusters that are kept are not of these clips",
            ));
        }
        let graph = ClusterGraph::cut(&tree, frames, recipe.error_cm / 100.0);
        Ok(Some(Clustered { compared, graph }))
    }

    /// The clips of the body that named ones share, as they were captured, with the hash of what they are; `None` where
    /// that is the most common one, or they share none.
    fn compared_on_own_body(
        &self,
        named: &[&str],
        recipe: &ClusterRecipe,
    ) -> Result<Option<(Arc<Compared>, ContentHash)>, Failure> {
        let names = named.iter().map(|text| Ok(Selection::parse(text)?.name));
        let names = names.collect::<Result<Vec<String>, Failure>>()?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Some(OneBody { clips, sources }) = self.read()?.clips_of_own_body(&names)? else {
            return Ok(None);
        };
        let metric = clips.first().map(|first| recipe.metric(first));
        let frames = library_frames(&clips, metric.transpose()?.as_ref())?;
        let clips = Arc::new(LevelClips::level(clips));
        Ok(Some((Arc::new(Compared { clips, frames }), sources)))
    }

    /// All clips on the body that most of them have, which is said; where a named one can't be brought onto it, those of
    /// its own body.
    pub(crate) fn compared_with(
        &self,
        named: &str,
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<Arc<Compared>, Failure> {
        let common = self.compared(recipe, run)?;
        if self.check_not_left_out(&common, named).is_err()
            && let Some((own, _)) = self.compared_on_own_body(&[named], recipe)?
        {
            return Ok(own);
        }
        self.read()?.tell_bodies("the comparison", run)?;
        Ok(common)
    }

    /// What is found in the clusters that serve named clips: on their own body where they share one, else on the most
    /// common one, which is said; there too where clips of that body alone do not do it.
    pub(crate) fn find_clustered<T>(
        &self,
        named: &[&str],
        recipe: &ClusterRecipe,
        run: &Run,
        find: impl Fn(&Clustered) -> Result<T, Failure>,
    ) -> Result<(Clustered, T), Failure> {
        if let Some(own) = self.clustered_on_own_body(named, recipe, run)? {
            match find(&own) {
                Err(failure) if failure.kind == FailureKind::NoMotion => {}
                found => return found.map(|found| (own, found)),
            }
        }
        let clustered = self.clustered_on_common_body(named, recipe, run)?;
        let found = find(&clustered)?;
        Ok((clustered, found))
    }

    /// [`Library::clustered`]; says whose body that is if one of the named clips has another, or if none is named.
    fn clustered_on_common_body(
        &self,
        named: &[&str],
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<Clustered, Failure> {
        let on_it = |text: &&str| -> Result<bool, Failure> {
            let name = Selection::parse(text)?.name;
            Ok(self.read()?.has_common_body(&name)?)
        };
        let all_on_it = named.iter().map(on_it).collect::<Result<Vec<_>, _>>()?;
        if named.is_empty() || all_on_it.contains(&false) {
            self.read()?.tell_bodies("the cluster graph", run)?;
        }
        let clustered = self.clustered(recipe, run)?;
        for text in named {
            self.check_not_left_out(&clustered.compared, text)?;
        }
        Ok(clustered)
    }

    /// Refuses a clip that the library has, but not on the body that frames are compared on.
    fn check_not_left_out(&self, on: &Compared, text: &str) -> Result<(), Failure> {
        let name = Selection::parse(text)?.name;
        let left_out = on.clips.clips.iter().all(|clip| clip.name != name);
        if left_out && self.read()?.clips()?.iter().any(|entry| entry.name == name) {
            let words = format!(
                "clip {name:?} can't be brought onto the body that most clips have: expected clips of one body"
            );
            return Err(Failure::bad_request(words));
        }
        Ok(())
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
        Self {
            clips: Arc::new(LevelClips::level(compared.clips)),
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
        Self::level(clips.iter().map(level_clip).collect())
    }

    /// Clips that are level.
    pub(crate) fn level(clips: Vec<Clip>) -> Self {
        Self {
            floor: shared_floor(&clips),
            clips,
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
        self.floor.map(|floor| floor.height)
    }

    fn ground(&self) -> Option<Ground> {
        self.floor
    }
}
