//! The clusters of a library's frames: the tree is made once and kept, and cut where a request wants.
//!
//! Frames are compared on one skeleton, level, as a motion graph's are, so that what is found can be
//! played. The error is no part of what a tree is kept under: another one only cuts it elsewhere.

use std::collections::BTreeMap;

use afoot_codec::{Artefact, ContentHash};
use afoot_core::Clip;
use afoot_graph::clusters::{
    Centre, ClusterError, ClusterGraph, ClusterTree, FrameMetric, LibraryFrames, USUAL_ERROR_CM,
    USUAL_TAU, Weights, cluster_candidates, cluster_frames, library_frames,
};
use afoot_graph::{Candidates, GraphError, prepare_search};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::graph_recipe::GraphRecipe;
use crate::graphs::{GraphClips, GraphStoreError};
use crate::library::Library;

/// How a library's frames are clustered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClusterRecipe {
    /// Largest error within a cluster. [cm, > 0, at most 10000]
    pub error_cm: f32,
    /// Compare these parts of the body and the root alone: chains (`left_leg`, `torso`, ...) or groups
    /// of them (`legs`, `arms`, `upper_body`); the whole body if empty.
    pub chains: Vec<String>,
    /// Weights of position, velocity and acceleration of `root` and chains, instead of the usual. [0 to 1000]
    pub weights: BTreeMap<String, [f32; 3]>,
    /// What a velocity is multiplied with, and an acceleration twice, to be a length. [s, > 0, at most 10]
    pub tau: f32,
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
            tau: USUAL_TAU,
            absolute: false,
            pair_centres: false,
        }
    }
}

/// A library's clips, on one skeleton and level, and their frames as they are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedFrames {
    /// In the library's order.
    pub clips: Vec<Clip>,
    /// Of all of them.
    pub frames: LibraryFrames,
    /// What stands for the clips.
    pub sources: ContentHash,
}

/// A library's frames, and how they merge.
#[derive(Clone, Debug, PartialEq)]
pub struct LibraryClusters {
    /// What merges.
    pub compared: ComparedFrames,
    /// At any error.
    pub tree: ClusterTree,
}

impl ClusterRecipe {
    /// What the tree depends on, which is not the error; also the name that it is kept under.
    pub fn tree_key(&self) -> String {
        let tree = Self {
            error_cm: 0.0,
            ..self.clone()
        };
        // Strings and numbers always serialise.
        serde_json::to_string(&tree).unwrap_or_default()
    }

    /// What two frames of this body are compared by.
    pub fn metric(&self, clip: &Clip) -> Result<FrameMetric, ClusterError> {
        let skeleton = &clip.skeleton;
        let wrong = |source| ClusterError::Metric {
            clip: clip.name.clone(),
            source,
        };
        let mut metric = match self.chains.is_empty() {
            true => FrameMetric::of_body(skeleton),
            false => FrameMetric::of_parts(skeleton, &self.chains).map_err(wrong)?,
        };
        for (name, [position, velocity, acceleration]) in &self.weights {
            let weights = Weights {
                position: *position,
                velocity: *velocity,
                acceleration: *acceleration,
            };
            metric.weights.insert(name.clone(), weights);
        }
        metric.tau = self.tau;
        metric.absolute = self.absolute;
        Ok(metric)
    }

    /// What stands for a cluster.
    pub fn centre(&self) -> Centre {
        match self.pair_centres {
            true => Centre::OfPair,
            false => Centre::OfMembers,
        }
    }
}

impl Library {
    /// The clusters of all clips; the tree is made where it is not kept.
    pub fn clusters(
        &mut self,
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<LibraryClusters, GraphStoreError> {
        self.tell_damage(run)?;
        self.clusters_among(&GraphRecipe::default(), recipe, run)
    }

    /// The frames of all clips as a recipe compares them.
    pub fn compared_frames(
        &self,
        recipe: &ClusterRecipe,
    ) -> Result<ComparedFrames, GraphStoreError> {
        self.frames_among(&GraphRecipe::default(), recipe)
    }

    /// Whether the tree of a recipe is kept, of the clips that there are now.
    pub fn has_clusters(&self, recipe: &ClusterRecipe) -> Result<bool, GraphStoreError> {
        let kept = self.artefact_hashes(ClusterTree::KIND.name, &recipe.tree_key())?;
        let sources = self.graph_sources(&GraphRecipe::default())?;
        Ok(kept.is_some_and(|[made_from, _]| made_from == sources))
    }

    /// The clusters of the clips that a graph's recipe takes.
    pub(crate) fn clusters_among(
        &mut self,
        taken: &GraphRecipe,
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<LibraryClusters, GraphStoreError> {
        let compared = self.frames_among(taken, recipe)?;
        let sources = compared.sources;
        let frames = &compared.frames;
        let make = |_| {
            let tree = cluster_frames(frames, recipe.centre(), run).map_err(ClusterError::from)?;
            Ok::<_, GraphStoreError>(tree)
        };
        let tree: ClusterTree = self
            .get_or_make(&recipe.tree_key(), sources, run, make)?
            .value;
        // A tree is kept under the hash of these very clips; one that does not fit them was tampered with.
        if tree.frames as usize != frames.len() {
            return Err(GraphStoreError::OtherTree);
        }
        Ok(LibraryClusters { compared, tree })
    }

    /// The frames of the clips that a graph's recipe takes.
    fn frames_among(
        &self,
        taken: &GraphRecipe,
        recipe: &ClusterRecipe,
    ) -> Result<ComparedFrames, GraphStoreError> {
        if !(recipe.error_cm > 0.0 && recipe.error_cm.is_finite()) {
            return Err(GraphStoreError::BadError(recipe.error_cm));
        }
        let GraphClips { clips, sources } = self.graph_clips(taken)?;
        let first = clips.first().map(|first| recipe.metric(first));
        let frames = library_frames(&clips, first.transpose()?.as_ref())?;
        Ok(ComparedFrames {
            clips,
            frames,
            sources,
        })
    }

    /// Candidates of a motion graph that are the leaps of a cluster graph.
    pub(crate) fn clustered_candidates(
        &mut self,
        taken: &GraphRecipe,
        recipe: &ClusterRecipe,
        run: &Run,
    ) -> Result<(GraphClips, Candidates), GraphStoreError> {
        let LibraryClusters { compared, tree } = self.clusters_among(taken, recipe, run)?;
        let ComparedFrames {
            clips,
            frames,
            sources,
        } = compared;
        let graph = ClusterGraph::cut(&tree, &frames, recipe.error_cm / 100.0);
        let found = match prepare_search(&clips, &taken.options())? {
            Some(search) => cluster_candidates(&graph, &frames, &search, run),
            None => Ok(Candidates::none()),
        };
        let found = found.map_err(GraphError::from)?;
        Ok((GraphClips { clips, sources }, found))
    }
}
