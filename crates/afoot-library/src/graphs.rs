//! The motion graph of a library: built once, kept, extended when clips are added.
//!
//! Three artefacts: the candidates (every local minimum of the error, which is what costs time and
//! what additions extend), the graph made of them, and what a cleanup changes in its transitions. A
//! graph is kept with its recipe, so that a library whose clips have changed can rebuild the same
//! kind of graph by itself.

use afoot_core::Clip;
use afoot_graph::distance::{BodyPoints, CloudOptions};
use afoot_graph::{
    AutoOptions, Candidates, CleanTransitions, CodecError, GraphError, GraphOptions, GraphReport,
    MotionGraph, PairThreshold, build_from_candidates, clean_transitions, find_candidates,
    level_clip, plant_clips,
};
use afoot_run::Run;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::digest::{ContentHash, Digest};
use crate::error::LibraryError;
use crate::library::Library;

/// What a graph is made of and how, in the user's terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphRecipe {
    /// Largest error of a transition. [cm, > 0]
    pub threshold_cm: f32,
    /// Find thresholds that bring this share of the frames together, instead. [0 to 1]
    pub auto_share: Option<f64>,
    /// Other thresholds between two labels. [cm, > 0]
    pub pairs: Vec<(String, String, f32)>,
    /// Length of windows and transitions. [s, > 0]
    pub window: f64,
    /// Shortest stretch between two choices; 0 keeps every transition. [s, >= 0]
    pub minimum_clip: f64,
    /// Which points of the body are compared.
    pub points: RecipePoints,
    /// Only clips that carry one of these labels, or types, on some frame; empty takes all.
    pub only: Vec<String>,
    /// Transitions are cleaned of foot skate at the build if there are no more than these, and kept:
    /// half a kilobyte and a tenth of a millisecond each. Those of a larger graph are cleaned when
    /// they are played.
    pub clean_limit: u32,
}

/// Which points stand for the body when poses are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecipePoints {
    /// Points of the mesh that a file brought; joints where there is none.
    #[default]
    Mesh,
    /// Joints and end sites.
    Joints,
}

impl Default for GraphRecipe {
    fn default() -> Self {
        let options = GraphOptions::default();
        Self {
            threshold_cm: options.threshold_cm,
            auto_share: None,
            pairs: Vec::new(),
            window: options.window,
            minimum_clip: options.minimum_clip,
            points: RecipePoints::default(),
            only: Vec::new(),
            clean_limit: 200_000,
        }
    }
}

impl GraphRecipe {
    /// As the graph crate wants it.
    pub fn options(&self) -> GraphOptions {
        let pair = |(a, b, threshold_cm): &(String, String, f32)| PairThreshold {
            a: a.clone(),
            b: b.clone(),
            threshold_cm: *threshold_cm,
        };
        GraphOptions {
            threshold_cm: self.threshold_cm,
            auto: self.auto_share.map(|share| AutoOptions { share }),
            pairs: self.pairs.iter().map(pair).collect(),
            window: self.window,
            minimum_clip: self.minimum_clip,
            cloud: CloudOptions {
                points: match self.points {
                    RecipePoints::Mesh => BodyPoints::Mesh,
                    RecipePoints::Joints => BodyPoints::Joints,
                },
                ..CloudOptions::default()
            },
            ..GraphOptions::default()
        }
    }
}

/// A graph with the clips it plays, levelled and in its order.
#[derive(Clone, Debug)]
pub struct LibraryGraph {
    /// How it was made.
    pub recipe: GraphRecipe,
    /// The clips.
    pub clips: Vec<Clip>,
    /// The graph.
    pub graph: MotionGraph,
}

/// Why a library has no graph.
#[derive(Debug, Error)]
#[allow(missing_docs)] // the messages say it
pub enum GraphStoreError {
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error("the kept graph can't be read ({0}); build it again with --rebuild")]
    Kept(#[from] CodecError),
    #[error("the kept graph's recipe can't be read ({0}); build it again with --rebuild")]
    Recipe(#[from] serde_json::Error),
    #[error("the library has no clips; import some first")]
    NoClips,
    #[error("no clip carries {0:?}; see `afoot list` for labels and types")]
    NoSuchLabel(String),
}

/// Artefact kinds, and the options under which the graph in use is kept.
const GRAPH: &str = "graph";
const CANDIDATES: &str = "candidates";
const CLEAN: &str = "clean transitions";
const IN_USE: &str = "in use";

impl Library {
    /// Builds the graph of a recipe and keeps it as the one in use; comparisons that an earlier
    /// build made are not made again.
    pub fn build_graph(
        &mut self,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(LibraryGraph, GraphReport), GraphStoreError> {
        let clips = self.graph_clips(recipe)?;
        let candidates = self.graph_candidates(&clips, recipe, run)?;
        self.finish_graph(clips, &candidates, recipe, run)
    }

    /// [`Library::build_graph`] from candidates that were found elsewhere.
    pub fn finish_graph(
        &mut self,
        clips: Vec<Clip>,
        candidates: &Candidates,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(LibraryGraph, GraphReport), GraphStoreError> {
        let (graph, report) = build_from_candidates(&clips, candidates, &recipe.options(), run)?;
        let mut body = serde_json::to_vec(recipe)?;
        body.push(b'\n');
        body.extend(graph.to_bytes());
        let sources = self.graph_sources(recipe)?;
        let graph = LibraryGraph {
            recipe: recipe.clone(),
            clips,
            graph,
        };
        self.keep_clean_transitions(&graph, run)?;
        self.put_artefact(GRAPH, IN_USE, sources, &body)?;
        Ok((graph, report))
    }

    /// The graph in use; built with the default recipe where there is none, and again where clips
    /// have come or gone since.
    pub fn graph_in_use(&mut self, run: &Run) -> Result<LibraryGraph, GraphStoreError> {
        let Some(kept) = self.last_artefact(GRAPH, IN_USE)? else {
            return Ok(self.build_graph(&GraphRecipe::default(), run)?.0);
        };
        let end = kept
            .bytes
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap_or(0);
        let recipe: GraphRecipe = serde_json::from_slice(&kept.bytes[..end])?;
        if self.graph_sources(&recipe)? != kept.sources {
            return Ok(self.build_graph(&recipe, run)?.0);
        }
        let graph = MotionGraph::from_bytes(&kept.bytes[end + 1..])?;
        Ok(LibraryGraph {
            clips: self.graph_clips(&recipe)?,
            recipe,
            graph,
        })
    }

    /// The cleaned transitions of a graph of this library; `None` where they were not made at the
    /// build, so that they are made when they are played.
    pub fn clean_transitions(
        &self,
        graph: &LibraryGraph,
    ) -> Result<Option<CleanTransitions>, GraphStoreError> {
        let sources = self.clean_sources(graph)?;
        let kept = self.artefact(CLEAN, IN_USE, sources)?;
        let clean = kept.map(|bytes| CleanTransitions::from_bytes(&bytes));
        Ok(clean.transpose()?.filter(|clean| clean.fits(&graph.graph)))
    }

    /// Forgets the graph and its candidates, so that the next build starts from nothing.
    pub fn forget_graphs(&mut self) -> Result<(), LibraryError> {
        self.remove_artefact(GRAPH, IN_USE)?;
        self.remove_artefact(CANDIDATES, IN_USE)?;
        self.remove_artefact(CLEAN, IN_USE)?;
        Ok(())
    }

    /// The clips that a recipe takes, level, in the library's order.
    pub fn graph_clips(&self, recipe: &GraphRecipe) -> Result<Vec<Clip>, GraphStoreError> {
        let all = self.load_all()?;
        if all.is_empty() {
            return Err(GraphStoreError::NoClips);
        }
        for word in &recipe.only {
            if !all.iter().any(|clip| carries(clip, word)) {
                return Err(GraphStoreError::NoSuchLabel(word.clone()));
            }
        }
        let wanted = |clip: &&Clip| {
            recipe.only.is_empty() || recipe.only.iter().any(|word| carries(clip, word))
        };
        Ok(all
            .iter()
            .filter(wanted)
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(level_clip)
            .collect())
    }

    fn keep_clean_transitions(
        &mut self,
        graph: &LibraryGraph,
        run: &Run,
    ) -> Result<(), GraphStoreError> {
        if graph.graph.transitions.len() > graph.recipe.clean_limit as usize {
            self.remove_artefact(CLEAN, IN_USE)?;
            return Ok(());
        }
        let known = match self.last_artefact(CLEAN, IN_USE)? {
            Some(kept) => CleanTransitions::from_bytes(&kept.bytes).unwrap_or_default(),
            None => CleanTransitions::default(),
        };
        let planted = plant_clips(&graph.clips);
        let clean = clean_transitions(&graph.graph, &planted, &known, run)?;
        let sources = self.clean_sources(graph)?;
        self.put_artefact(CLEAN, IN_USE, sources, &clean.to_bytes())?;
        Ok(())
    }

    fn graph_candidates(
        &mut self,
        clips: &[Clip],
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<Candidates, GraphStoreError> {
        let known = match self.last_artefact(CANDIDATES, IN_USE)? {
            Some(kept) => {
                Candidates::from_bytes(&kept.bytes).unwrap_or_else(|_| Candidates::none())
            }
            None => Candidates::none(),
        };
        let found = find_candidates(clips, &recipe.options(), &known, run)?;
        if found != known {
            let sources = self.graph_sources(recipe)?;
            self.put_artefact(CANDIDATES, IN_USE, sources, &found.to_bytes())?;
        }
        Ok(found)
    }

    /// The hash of a graph and its clips' content.
    fn clean_sources(&self, graph: &LibraryGraph) -> Result<ContentHash, GraphStoreError> {
        let mut digest = Digest::default();
        digest.add(&self.graph_sources(&graph.recipe)?.0);
        digest.add(&graph.graph.to_bytes());
        Ok(digest.finish())
    }

    /// The hash of every clip's content and name, in order.
    fn graph_sources(&self, recipe: &GraphRecipe) -> Result<ContentHash, GraphStoreError> {
        let mut digest = Digest::default();
        for entry in self.clips()? {
            digest.add(&entry.hash().0);
            digest.add(entry.name.as_bytes());
            digest.add(&[0]);
        }
        digest.add(&serde_json::to_vec(&recipe.only)?);
        Ok(digest.finish())
    }
}

/// Whether any frame of a clip carries a label or is of a type.
fn carries(clip: &Clip, word: &str) -> bool {
    clip.labels.iter().any(|span| span.label == word)
        || clip.types.iter().any(|kind| kind.name() == word)
}
