//! A library's cluster graph: the tree of its frames, made once and kept, cut where a request wants.

use std::collections::BTreeMap;
use std::sync::Arc;

use afoot_analyze::SourceStatistics;
use afoot_codec::ContentHash;
use afoot_core::{Clip, ClipId, FrameRate};
use afoot_graph::clusters::{
    Centre, ClusterGraph, ClusterTree, FrameMetric, LibraryFrames, USUAL_ERROR_CM, Weights,
    cluster_frames, library_frames,
};
use afoot_graph::{ClipSet, level_clip};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::delivery::SourceClips;
use crate::failure::Failure;
use crate::library::Library;

/// How a library's frames are clustered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClusterRecipe {
    /// Largest error within a cluster. [cm, > 0]
    pub error_cm: f32,
    /// Compare these chains and the root alone (`left_leg`, `torso`, ...); the whole body if empty.
    pub chains: Vec<String>,
    /// Weights of position, velocity and acceleration of `root` and chains, instead of the usual.
    pub weights: BTreeMap<String, [f32; 3]>,
    /// Compare where figures are and look too.
    pub absolute: bool,
    /// Let the mean of the two that merge stand for a cluster, instead of the mean of all its frames.
    pub pair_centres: bool,
}

impl Default for ClusterRecipe {
    fn default() -> Self {
        Self {
            error_cm: USUAL_ERROR_CM,
            chains: Vec::new(),
            weights: BTreeMap::new(),
            absolute: false,
            pair_centres: false,
        }
    }
}

/// Clips on one level floor, in the library's order.
pub(crate) struct LevelClips {
    clips: Vec<Clip>,
    statistics: Option<SourceStatistics>,
}

/// A library's frames and their clusters.
pub(crate) struct Clustered {
    pub clips: Arc<LevelClips>,
    pub frames: LibraryFrames,
    pub graph: ClusterGraph,
}

impl Library {
    /// The clusters of all clips at a recipe's error; the tree is made where it is not kept.
    pub(crate) fn clustered(
        &self,
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<Clustered, Failure> {
        if !(recipe.error_cm > 0.0 && recipe.error_cm.is_finite()) {
            return Err(Failure::bad_value(
                "error",
                recipe.error_cm,
                "centimetres above 0",
            ));
        }
        let mut store = self.write()?;
        let hashes: Vec<u8> = store
            .clips()?
            .iter()
            .flat_map(|clip| clip.hash().0)
            .collect();
        let clips = LevelClips::new(store.load_all()?);
        let metric = match clips.clips.first() {
            Some(first) => Some(recipe.metric(first)?),
            None => None,
        };
        let frames = library_frames(&clips.clips, metric.as_ref())?;
        let centre = match recipe.pair_centres {
            true => Centre::OfPair,
            false => Centre::OfMembers,
        };
        let make = |_| Ok::<_, Failure>(cluster_frames(&frames, centre, run)?);
        let kept = store.get_or_make(&recipe.key()?, ContentHash::of(&hashes), run, make)?;
        let tree: ClusterTree = kept.value;
        if tree.frames as usize != frames.len() {
            return Err(Failure::failed("the kept clusters are not of these clips"));
        }
        let graph = ClusterGraph::cut(&tree, &frames, recipe.error_cm / 100.0);
        Ok(Clustered {
            clips: Arc::new(clips),
            frames,
            graph,
        })
    }
}

impl ClusterRecipe {
    /// What the tree depends on, which is not the error.
    fn key(&self) -> Result<String, Failure> {
        let tree = Self {
            error_cm: 0.0,
            ..self.clone()
        };
        Ok(serde_json::to_string(&tree)?)
    }

    fn metric(&self, clip: &Clip) -> Result<FrameMetric, Failure> {
        let skeleton = &clip.skeleton;
        let mut metric = match self.chains.is_empty() {
            true => FrameMetric::of_body(skeleton),
            false => FrameMetric::of_chains(skeleton, |chain| {
                self.chains.contains(&chain.name).then_some(1.0)
            }),
        };
        let chosen = self
            .chains
            .iter()
            .filter(|name| !metric.weights.contains_key(*name));
        let unknown: Vec<(String, Weights)> = chosen
            .map(|name| (name.clone(), Weights::of(1.0)))
            .collect();
        metric.weights.extend(unknown);
        for (name, [position, velocity, acceleration]) in &self.weights {
            let weights = Weights {
                position: *position,
                velocity: *velocity,
                acceleration: *acceleration,
            };
            metric.weights.insert(name.clone(), weights);
        }
        metric.absolute = self.absolute;
        Ok(metric)
    }
}

impl Clustered {
    /// A clip by its name.
    pub fn id(&self, name: &str) -> Result<ClipId, Failure> {
        let clips = &self.clips.clips;
        let names = || {
            clips
                .iter()
                .map(|clip| clip.name.as_str())
                .collect::<Vec<_>>()
        };
        match clips.iter().position(|clip| clip.name == name) {
            Some(index) => Ok(ClipId(index as u32)),
            None => Err(Failure::bad_request(
                match crate::nearest::nearest(name, &names()) {
                    Some(meant) => format!("there is no clip {name:?}; did you mean {meant:?}?"),
                    None => format!("there is no clip {name:?}"),
                },
            )),
        }
    }

    /// Frames a second.
    pub fn rate(&self) -> FrameRate {
        self.frames.rate()
    }

    /// A moment of a clip. [s]
    pub fn seconds(&self, frame: u32) -> f64 {
        f64::from(frame) * self.rate().frame_time()
    }
}

impl LevelClips {
    pub(crate) fn new(clips: Vec<Clip>) -> Self {
        let clips: Vec<Clip> = clips.iter().map(level_clip).collect();
        let statistics = SourceStatistics::of_clips(&clips.iter().collect::<Vec<_>>());
        Self { clips, statistics }
    }
}

impl LevelClips {
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
        self.statistics.as_ref()
    }

    fn floor(&self) -> Option<f32> {
        self.clips.iter().find_map(|clip| clip.ground).map(|_| 0.0)
    }
}
