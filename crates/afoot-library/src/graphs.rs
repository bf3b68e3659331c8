//! The motion graph of a library: built once, kept, extended when clips are added.
//!
//! Four artefacts: the candidates (every local minimum of the error, which is what costs time and
//! what additions extend), the graph made of them, what a cleanup changes in its transitions, and the
//! recipe, so that a library whose clips have changed can rebuild the same kind of graph by itself.
//! What requests need of a graph lies ready beside the library as tables that are mapped
//! ([`Library::tables_of_graph`]): a library has one file, and this is a copy that can be lost.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use afoot_codec::{
    Artefact, CodecError, ContentHash, Digest, Flat, FlatWriter, Kind, Malformed, Reader, Writer,
};
use afoot_core::{Clip, Locomotion, adopt_skeleton};
use afoot_formats::files::write_whole;
use afoot_graph::clusters::ClusterError;
use afoot_graph::distance::{BodyPoints, CloudOptions};
use afoot_graph::{
    AutoOptions, Candidates, GraphError, GraphOptions, GraphReport, MotionGraph, PairThreshold,
    build_from_candidates, find_candidates, level_clip,
};
use afoot_run::Run;
use memmap2::Mmap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::artefacts::{Kept, Origin, put, remove_row, tell_replaced};
use crate::clusters::ClusterRecipe;
use crate::entry::SkeletonEntry;
use crate::error::LibraryError;
use crate::library::{Library, beside};
use crate::names::nearest;
use crate::one_skeleton::{difference, most_common, onto};

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
    /// Let transitions be the leaps of the cluster graph of this recipe, up to the threshold, instead of
    /// all local minima of the error.
    pub clusters: Option<ClusterRecipe>,
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
            clusters: None,
        }
    }
}

impl GraphRecipe {
    /// A graph whose transitions are the leaps of a cluster graph, with a threshold to match.
    pub fn of_clusters(clusters: ClusterRecipe) -> Self {
        Self {
            threshold_cm: CLUSTER_THRESHOLD_CM,
            clusters: Some(clusters),
            ..Self::default()
        }
    }

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
    /// Stands for the graph and the content of its clips: the source of what is made from both.
    pub key: ContentHash,
    /// How it was come by.
    pub origin: Origin,
}

/// Why a library has no graph.
#[derive(Debug, Error)]
#[allow(missing_docs)] // the messages say it
pub enum GraphStoreError {
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error("the library has no clips")]
    NoClips,
    #[error("no clip carries {word:?}{}", if near.is_empty() { String::new() } else { format!("; did you mean {near}?") })]
    NoSuchLabel { word: String, near: String },
    #[error("the graph in use takes only clips that carry {word:?}, and there is none any more")]
    LabelGone { word: String },
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    #[error("an error of {0} cm; expected centimetres above 0")]
    BadError(f32),
    #[error("the clusters that are kept are not of these clips")]
    OtherTree,
}

/// Largest error of a transition between frames that lie in one node: these are few, and chosen for all
/// that they have in common; 4 cm would leave out most of them. [cm]
const CLUSTER_THRESHOLD_CM: f32 = 10.0;

/// The recipe under which the graph in use, and what belongs to it, is kept.
const IN_USE: &str = "in use";
/// The recipe under which candidates of graphs that are looked at and not kept are.
const ASIDE: &str = "aside";

impl Artefact for GraphRecipe {
    const KIND: Kind = Kind {
        magic: *b"afootrec",
        version: 1,
        oldest: 1,
        other_hash: 0,
        name: "recipe",
        what: "recipe of a graph",
    };

    fn write(&self, writer: &mut Writer) {
        // Strings and numbers always serialise.
        writer.text(&serde_json::to_string(self).unwrap_or_default());
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let recipe = serde_json::from_str(&reader.text()?);
        recipe.map_err(|_| Malformed("it is no recipe"))
    }
}

/// What a library says of its graph, without the graph.
struct Standing {
    recipe: GraphRecipe,
    key: ContentHash,
    /// Whether the clips are still those it was built from.
    current: bool,
}

impl Library {
    /// Builds the graph of a recipe and keeps it as the one in use; comparisons that an earlier
    /// build made are not made again.
    pub fn build_graph(
        &mut self,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(LibraryGraph, GraphReport), GraphStoreError> {
        self.tell_damage(run)?;
        self.tell_retargeted(recipe, run)?;
        let clips = self.graph_clips(recipe)?;
        if let Some(clusters) = &recipe.clusters {
            let candidates = self.clustered_candidates(recipe, clusters, run)?;
            return self.make_graph(clips, Found::Apart(&candidates), recipe, run);
        }
        let sources = self.graph_sources(recipe)?;
        let search = |known: Option<Candidates>| {
            let known = known.unwrap_or_else(Candidates::none);
            find_candidates(&clips, &recipe.options(), &known, run).map_err(GraphStoreError::from)
        };
        // Filed with the options too: others find other candidates among the same clips.
        let asked = ContentHash::of_parts([&sources.0[..], &search_key(recipe)]);
        let candidates = self.get_or_make(IN_USE, asked, run, search)?.value;
        self.make_graph(clips, Found::Before(&candidates), recipe, run)
    }

    /// The graph of a recipe, which does not take the place of the one in use. Its candidates are
    /// kept, so that clips that come later are compared and nothing else.
    pub fn graph_aside(
        &mut self,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(Vec<Clip>, MotionGraph, GraphReport), GraphStoreError> {
        let clips = self.graph_clips(recipe)?;
        let sources = self.graph_sources(recipe)?;
        let search = |known: Option<Candidates>| {
            let known = known.unwrap_or_else(Candidates::none);
            find_candidates(&clips, &recipe.options(), &known, run).map_err(GraphStoreError::from)
        };
        let asked = ContentHash::of_parts([&sources.0[..], &search_key(recipe)]);
        let candidates = self.get_or_make(ASIDE, asked, run, search)?.value;
        let (graph, report) = build_from_candidates(&clips, &candidates, &recipe.options(), run)?;
        Ok((clips, graph, report))
    }

    /// [`Library::build_graph`] from nothing; what was kept stands until the new graph takes its place.
    pub fn rebuild_graph(
        &mut self,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(LibraryGraph, GraphReport), GraphStoreError> {
        self.tell_damage(run)?;
        self.tell_retargeted(recipe, run)?;
        if recipe.clusters.is_some() {
            return self.build_graph(recipe, run);
        }
        let clips = self.graph_clips(recipe)?;
        let none = Candidates::none();
        let candidates = find_candidates(&clips, &recipe.options(), &none, run)?;
        let candidates = Found::Now(&candidates);
        self.make_graph(clips, candidates, recipe, run)
    }

    /// [`Library::build_graph`] from candidates that were found elsewhere.
    pub fn finish_graph(
        &mut self,
        clips: Vec<Clip>,
        candidates: &Candidates,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(LibraryGraph, GraphReport), GraphStoreError> {
        self.make_graph(clips, Found::Now(candidates), recipe, run)
    }

    /// The graph in use; built with the default recipe where there is none, and again where clips
    /// have come or gone since or where it can't be read.
    pub fn graph_in_use(&mut self, run: &Run) -> Result<LibraryGraph, GraphStoreError> {
        let Some(standing) = self.standing_graph()? else {
            if self
                .artefact_hashes(MotionGraph::KIND.name, IN_USE)?
                .is_some()
            {
                run.warn("the graph's recipe can't be read; it is built with the usual one");
            }
            return Ok(self.build_graph(&GraphRecipe::default(), run)?.0);
        };
        let Standing { recipe, key, .. } = standing;
        let kept = match standing.current {
            true => self.last_kept::<MotionGraph>(IN_USE)?,
            false => None,
        };
        let origin = match kept {
            Some((_, Ok(graph))) => {
                return Ok(LibraryGraph {
                    clips: self.graph_clips(&recipe)?,
                    recipe,
                    graph,
                    key,
                    origin: Origin::Kept,
                });
            }
            Some((_, Err(error))) => {
                tell_replaced(&error, run);
                Origin::Replaced(error)
            }
            None => Origin::Renewed,
        };
        let (graph, _) = self
            .build_graph(&recipe, run)
            .map_err(|error| match error {
                GraphStoreError::NoSuchLabel { word, .. } => GraphStoreError::LabelGone { word },
                error => error,
            })?;
        Ok(LibraryGraph { origin, ..graph })
    }

    /// Tables made from the graph in use, mapped from a file beside the library; made by `make`, and
    /// that file written, where there is none that fits.
    ///
    /// The file holds nothing that the library does not: it may be removed, and where it can't be
    /// written the tables are made each time.
    pub fn tables_of_graph<E: From<GraphStoreError> + From<CodecError>>(
        &mut self,
        kind: Kind,
        run: &Run,
        make: impl FnOnce(LibraryGraph) -> Result<FlatWriter, E>,
    ) -> Result<Kept<Flat>, E> {
        let standing = self.standing_graph().map_err(E::from)?;
        let beside = beside(self.path(), &format!("-{}", kind.name));
        let mut origin = Origin::Made;
        if let Some(standing) = standing.filter(|standing| standing.current) {
            match open_tables(&beside, kind, standing.key) {
                Ok(Some(value)) => {
                    let origin = Origin::Kept;
                    return Ok(Kept { value, origin });
                }
                Ok(None) => {}
                Err(error) => {
                    tell_replaced(&error, run);
                    origin = Origin::Replaced(error);
                }
            }
        }
        let graph = self.graph_in_use(run).map_err(E::from)?;
        let key = graph.key;
        let bytes = make(graph)?.finish(kind, key);
        // Without the file the next request makes them again, which is slow but not wrong.
        let _ = write_whole(&beside, (*bytes).as_ref());
        let value = match open_tables(&beside, kind, key) {
            Ok(Some(mapped)) => mapped,
            _ => Flat::open(bytes, kind, key)?,
        };
        Ok(Kept { value, origin })
    }

    /// What stands for the graph in use and its clips; `None` where there is none, or where it is not
    /// the graph of the present clips.
    pub fn graph_key(&mut self) -> Result<Option<ContentHash>, GraphStoreError> {
        let standing = self.standing_graph()?;
        let current = standing.filter(|standing| standing.current);
        Ok(current.map(|standing| standing.key))
    }

    /// Warns of clips that can't be read, and are left out.
    pub fn tell_damage(&self, run: &Run) -> Result<(), LibraryError> {
        let damage = self.damage()?;
        for damage in &damage {
            run.warn(match damage.clip {
                Some(_) => format!("{damage}; it is left out"),
                None => damage.to_string(),
            });
        }
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
                return Err(no_such_label(word, &all));
            }
        }
        let wanted = |clip: &&Clip| {
            recipe.only.is_empty() || recipe.only.iter().any(|word| carries(clip, word))
        };
        let wanted: Vec<Clip> = all.iter().filter(wanted).cloned().collect();
        let Some(skeleton) = most_common(&wanted) else {
            return Err(GraphStoreError::NoClips);
        };
        let placed = |clip: &Clip| Ok(level_clip(&onto(clip, &skeleton)?.0));
        wanted.par_iter().map(placed).collect()
    }

    /// Says which clips of a recipe are brought onto another skeleton for its graph.
    fn tell_retargeted(&self, recipe: &GraphRecipe, run: &Run) -> Result<(), GraphStoreError> {
        let skeletons = self.skeletons()?;
        let same = |pair: &[SkeletonEntry]| pair[0].skeleton.same_shape(&pair[1].skeleton);
        if skeletons.windows(2).all(same) {
            return Ok(());
        }
        let taken = |clip: &Clip| {
            recipe.only.is_empty() || recipe.only.iter().any(|word| carries(clip, word))
        };
        let clips: Vec<Clip> = self.load_all()?.into_iter().filter(taken).collect();
        let Some(target) = most_common(&clips) else {
            return Ok(());
        };
        let own = clips.iter().find(|clip| clip.skeleton.same_shape(&target));
        let own = own.map_or("", |clip| clip.name.as_str());
        let apart = |clip: &&Clip| {
            !clip.skeleton.same_shape(&target) && adopt_skeleton(clip, &target).is_none()
        };
        let others: Vec<&Clip> = clips.iter().filter(apart).collect();
        if let Some(first) = others.first() {
            let how = difference(&first.skeleton, &target);
            run.warn(format!(
                "{} of {} clips have another skeleton than most and are brought onto that of {own} \
                 for the graph ({}: {how}); the library keeps them as captured",
                others.len(),
                clips.len(),
                first.name,
            ));
        }
        Ok(())
    }

    /// The recipe of the graph in use.
    pub fn recipe_in_use(&self) -> Result<Option<GraphRecipe>, LibraryError> {
        let kept = self.last_kept::<GraphRecipe>(IN_USE)?;
        Ok(kept.and_then(|(_, recipe)| recipe.ok()))
    }

    /// What is said of the graph in use; `None` where there is none whose recipe is known.
    fn standing_graph(&mut self) -> Result<Option<Standing>, GraphStoreError> {
        let Some([sources, sum]) = self.artefact_hashes(MotionGraph::KIND.name, IN_USE)? else {
            return Ok(None);
        };
        let Some((made_from, Ok(recipe))) = self.last_kept::<GraphRecipe>(IN_USE)? else {
            return match self.separate_recipe()? {
                true => self.standing_graph(),
                false => Ok(None),
            };
        };
        let current = self.graph_sources(&recipe)? == sources && made_from == sources;
        Ok(Some(Standing {
            recipe,
            key: graph_key(sources, sum),
            current,
        }))
    }

    /// Libraries of earlier programs have the recipe in front of the graph; gives whether it was found
    /// there and filed by itself.
    fn separate_recipe(&mut self) -> Result<bool, LibraryError> {
        let row = match self.last_artefact(MotionGraph::KIND.name, IN_USE) {
            Ok(Some(row)) => row,
            Ok(None) | Err(LibraryError::Damaged { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        let end = row.bytes.iter().position(|byte| *byte == b'\n');
        let Some((text, graph)) = end.and_then(|end| row.bytes.split_at_checked(end)) else {
            return Ok(false);
        };
        let Ok(recipe) = serde_json::from_slice::<GraphRecipe>(text) else {
            return Ok(false);
        };
        // Whether this program can read the graph or has to build it again by the recipe is seen later.
        let graph = graph[1..].to_vec();
        self.write(|connection| put(connection, IN_USE, row.sources, &recipe).map(drop))?;
        self.put_artefact(MotionGraph::KIND.name, IN_USE, row.sources, &graph)?;
        Ok(true)
    }

    /// Makes the graph and all that belongs to it, and puts it in its place at once.
    fn make_graph(
        &mut self,
        clips: Vec<Clip>,
        candidates: Found,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(LibraryGraph, GraphReport), GraphStoreError> {
        let (Found::Now(all) | Found::Before(all) | Found::Apart(all)) = candidates;
        let (graph, report) = build_from_candidates(&clips, all, &recipe.options(), run)?;
        let sources = self.graph_sources(recipe)?;
        let asked = ContentHash::of_parts([&sources.0[..], &search_key(recipe)]);
        let key = self.write(|connection| {
            if let Found::Now(candidates) = candidates {
                put(connection, IN_USE, asked, candidates)?;
            }
            put(connection, IN_USE, sources, recipe)?;
            let key = graph_key(sources, put(connection, IN_USE, sources, &graph)?);
            remove_row(connection, [CLEAN_TRANSITIONS, IN_USE])?;
            Ok(key)
        })?;
        let built = LibraryGraph {
            recipe: recipe.clone(),
            clips,
            graph,
            key,
            origin: Origin::Made,
        };
        Ok((built, report))
    }

    /// The hash of every clip's content and name, in order: what a recipe's graph is made from.
    pub fn graph_sources(&self, recipe: &GraphRecipe) -> Result<ContentHash, GraphStoreError> {
        let mut digest = Digest::default();
        for entry in self.clips()? {
            digest.add(&entry.hash().0);
            digest.add(entry.name.as_bytes());
            digest.add(&[0]);
        }
        digest.add(&serde_json::to_vec(&recipe.only).unwrap_or_default());
        Ok(digest.finish())
    }
}

/// The candidates that a graph is made from.
#[derive(Clone, Copy)]
enum Found<'a> {
    /// Not kept yet: found now, or elsewhere.
    Now(&'a Candidates),
    /// Kept.
    Before(&'a Candidates),
    /// Not all that there are, so that none are kept: others would take them for all.
    Apart(&'a Candidates),
}

/// What earlier versions kept beside a graph; such rows are left alone until a graph is built.
const CLEAN_TRANSITIONS: &str = "clean transitions";

/// What stands for a graph and its clips: their hash and that of the graph's row.
fn graph_key(sources: ContentHash, row_sum: ContentHash) -> ContentHash {
    ContentHash::of_all([&sources, &row_sum])
}

/// The options that decide which candidates there are.
fn search_key(recipe: &GraphRecipe) -> Vec<u8> {
    format!("{:?}", recipe.options()).into_bytes()
}

/// The tables in a file; `None` if there is no such file.
fn open_tables(path: &Path, kind: Kind, key: ContentHash) -> Result<Option<Flat>, CodecError> {
    let Ok(file) = File::open(path) else {
        return Ok(None);
    };
    // SAFETY: the file is never written to once it has its name: a new one takes its place, and
    // whoever has mapped the old one keeps that.
    #[allow(unsafe_code)]
    let Ok(map) = (unsafe { Mmap::map(&file) }) else {
        return Ok(None);
    };
    let tables = Flat::open(Arc::new(map), kind, key)?;
    // Whenever it is, it is some block's turn; a request's result does not depend on which.
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    tables.check_in_turn(now.map_or(0, |now| u64::from(now.subsec_micros())))?;
    Ok(Some(tables))
}

fn no_such_label(word: &str, clips: &[Clip]) -> GraphStoreError {
    let labels = clips.iter().flat_map(|clip| &clip.labels);
    let mut known: Vec<&str> = labels.map(|span| span.label.as_str()).collect();
    known.extend(Locomotion::ALL.map(Locomotion::name));
    known.sort_unstable();
    known.dedup();
    GraphStoreError::NoSuchLabel {
        word: word.into(),
        near: nearest(word, &known).join(" or "),
    }
}

/// Whether any frame of a clip carries a label or is of a type.
fn carries(clip: &Clip, word: &str) -> bool {
    clip.labels.iter().any(|span| span.label == word)
        || clip.types.iter().any(|kind| kind.name() == word)
}
