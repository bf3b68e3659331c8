//! The motion graph of a library: built once, kept, extended when clips are added.
//!
//! Three artefacts: the candidates (every local minimum of the error, which is what costs time and
//! what additions extend), the graph made of them, and the recipe (`graph_recipe`). What requests need of
//! a graph lies ready beside the library (`graph_tables`).

use afoot_codec::{Artefact, ContentHash, Digest};
use afoot_core::{Clip, Locomotion, adopt_skeleton};
use afoot_graph::clusters::ClusterError;
use afoot_graph::{
    Candidates, GraphError, GraphReport, MotionGraph, build_from_candidates, find_candidates,
    level_clip,
};
use afoot_run::Run;
use rayon::prelude::*;
use thiserror::Error;

use crate::artefacts::{Origin, put, remove_row, tell_replaced};
use crate::entry::{ClipEntry, SkeletonEntry};
use crate::error::LibraryError;
use crate::graph_recipe::GraphRecipe;
use crate::library::{Library, load};
use crate::one_skeleton::{difference, most_common, onto};
use crate::rows::list_clips;
use afoot_search::near_words;

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

/// The clips that a recipe takes, as they were at one moment.
#[derive(Clone, Debug)]
pub struct GraphClips {
    /// The clips, level, in the library's order.
    pub clips: Vec<Clip>,
    /// Stands for them: what is made of these clips is kept under it, whatever the library holds by then.
    pub sources: ContentHash,
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

/// The recipe under which the graph in use, and what belongs to it, is kept.
const IN_USE: &str = "in use";
/// The recipe under which candidates of graphs that are looked at and not kept are.
const ASIDE: &str = "aside";

/// What a library says of its graph, without the graph.
struct Standing {
    recipe: GraphRecipe,
    /// What stands for the clips it was built from, and its own hash.
    made: [ContentHash; 2],
    /// Whether the clips are still those it was built from.
    current: bool,
}

impl Standing {
    fn key(&self) -> ContentHash {
        graph_key(self.made[0], self.made[1])
    }
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
        self.tell_retargeted(recipe, "the graph", run)?;
        if let Some(clusters) = &recipe.clusters {
            let (clips, candidates) = self.clustered_candidates(recipe, clusters, run)?;
            return self.make_graph(clips, Found::Apart(&candidates), recipe, run);
        }
        let clips = self.graph_clips(recipe)?;
        let candidates = self.candidates(&clips, recipe, IN_USE, run)?;
        self.make_graph(clips, Found::Before(&candidates), recipe, run)
    }

    /// The graph of a recipe, which does not take the place of the one in use. Its candidates are
    /// kept, so that clips that come later are compared and nothing else.
    pub fn graph_aside(
        &mut self,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(Vec<Clip>, MotionGraph, GraphReport), GraphStoreError> {
        let taken = self.graph_clips(recipe)?;
        let candidates = self.candidates(&taken, recipe, ASIDE, run)?;
        let clips = taken.clips;
        let (graph, report) = build_from_candidates(&clips, &candidates, &recipe.options(), run)?;
        Ok((clips, graph, report))
    }

    /// Whether the candidates that [`Library::graph_aside`] needs are kept.
    pub fn has_graph_aside(&self, recipe: &GraphRecipe) -> Result<bool, GraphStoreError> {
        let kept = self.artefact_hashes(Candidates::KIND.name, ASIDE)?;
        let asked = asked_for(self.graph_sources(recipe)?, recipe);
        Ok(kept.is_some_and(|[made_from, _]| made_from == asked))
    }

    /// The candidates of some clips, kept under a name; those of earlier clips are extended.
    fn candidates(
        &mut self,
        taken: &GraphClips,
        recipe: &GraphRecipe,
        name: &str,
        run: &Run,
    ) -> Result<Candidates, GraphStoreError> {
        let asked = asked_for(taken.sources, recipe);
        let search = |known: Option<Candidates>| {
            let known = known.unwrap_or_else(Candidates::none);
            find_candidates(&taken.clips, &recipe.options(), &known, run)
                .map_err(GraphStoreError::from)
        };
        Ok(self.get_or_make(name, asked, run, search)?.value)
    }

    /// [`Library::build_graph`] with all candidates found anew (a cluster graph's tree is kept with its clips, and
    /// is not); what was kept stands until the new graph takes its place.
    pub fn rebuild_graph(
        &mut self,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(LibraryGraph, GraphReport), GraphStoreError> {
        if recipe.clusters.is_some() {
            return self.build_graph(recipe, run);
        }
        self.tell_damage(run)?;
        self.tell_retargeted(recipe, "the graph", run)?;
        let clips = self.graph_clips(recipe)?;
        let none = Candidates::none();
        let candidates = find_candidates(&clips.clips, &recipe.options(), &none, run)?;
        let candidates = Found::Now(&candidates);
        self.make_graph(clips, candidates, recipe, run)
    }

    /// [`Library::build_graph`] from candidates that were found elsewhere.
    pub fn finish_graph(
        &mut self,
        clips: GraphClips,
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
        let kept = match standing.current {
            true => self.last_kept::<MotionGraph>(IN_USE)?,
            false => None,
        };
        let (key, recipe) = (standing.key(), standing.recipe);
        let origin = match kept {
            Some((_, Ok(graph))) => {
                let taken = self.graph_clips(&recipe)?;
                let now = self.artefact_hashes(MotionGraph::KIND.name, IN_USE)?;
                if taken.sources != standing.made[0] || now != Some(standing.made) {
                    return self.graph_in_use(run); // another program changed it meanwhile
                }
                return Ok(LibraryGraph {
                    clips: taken.clips,
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

    /// What stands for the graph in use and its clips; `None` where there is none, or where it is not
    /// the graph of the present clips.
    pub fn graph_key(&mut self) -> Result<Option<ContentHash>, GraphStoreError> {
        let standing = self.standing_graph()?;
        let current = standing.filter(|standing| standing.current);
        Ok(current.map(|standing| standing.key()))
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

    /// The clips that a recipe takes, without those whose bodies have too little in common with the others'.
    pub fn graph_clips(&self, recipe: &GraphRecipe) -> Result<GraphClips, GraphStoreError> {
        let (entries, wanted) = self.clips_of(recipe)?;
        if entries.is_empty() {
            return Err(GraphStoreError::NoClips);
        }
        for word in &recipe.only {
            if !wanted.iter().any(|clip| carries(clip, word)) {
                return Err(no_such_label(word, &entries));
            }
        }
        let Some(skeleton) = most_common(wanted.iter().map(|clip| &clip.skeleton)) else {
            return Err(GraphStoreError::NoClips);
        };
        let placed = |clip: &Clip| match onto(clip, &skeleton) {
            Ok((clip, _)) => Some(Ok(level_clip(&clip))),
            Err(LibraryError::Retarget { .. }) => None, // told when a graph is built
            Err(error) => Some(Err(error.into())),
        };
        let clips: Result<_, GraphStoreError> = wanted.par_iter().filter_map(placed).collect();
        Ok(GraphClips {
            clips: clips?,
            sources: sources_of(&entries, recipe),
        })
    }

    /// The rows of all clips, and the clips that a recipe takes as they were captured, at one moment. Others are
    /// not read, so that one of them that is damaged is in nobody's way.
    fn clips_of(&self, recipe: &GraphRecipe) -> Result<(Vec<ClipEntry>, Vec<Clip>), LibraryError> {
        let is_any =
            |word: &dyn Fn(&String) -> bool| recipe.only.is_empty() || recipe.only.iter().any(word);
        let (entries, mut clips) = self.read(|connection| {
            let entries = list_clips(connection)?.entries;
            let mut wanted = entries.clone();
            wanted.retain(|entry| is_any(&|word| may_carry(entry, word)));
            let clips = load(connection, wanted)?;
            Ok((entries, clips))
        })?;
        clips.retain(|clip| is_any(&|word| carries(clip, word)));
        Ok((entries, clips))
    }

    /// All clips, level and on the skeleton that most have; says which are brought onto it, and what for.
    pub fn clips_on_one_skeleton(
        &self,
        what_for: &str,
        run: &Run,
    ) -> Result<Vec<Clip>, GraphStoreError> {
        self.tell_bodies(what_for, run)?;
        Ok(self.graph_clips(&GraphRecipe::default())?.clips)
    }

    /// Says which clips are brought onto another skeleton where all need one, and what for.
    pub fn tell_bodies(&self, what_for: &str, run: &Run) -> Result<(), GraphStoreError> {
        self.tell_retargeted(&GraphRecipe::default(), what_for, run)
    }

    /// Says which clips of a recipe are brought onto another skeleton, and what for.
    fn tell_retargeted(
        &self,
        recipe: &GraphRecipe,
        what_for: &str,
        run: &Run,
    ) -> Result<(), GraphStoreError> {
        let skeletons = self.skeletons()?;
        let same = |pair: &[SkeletonEntry]| pair[0].skeleton.same_shape(&pair[1].skeleton);
        if skeletons.windows(2).all(same) {
            return Ok(());
        }
        let (_, clips) = self.clips_of(recipe)?;
        let Some(target) = most_common(clips.iter().map(|clip| &clip.skeleton)) else {
            return Ok(());
        };
        let own = clips.iter().find(|clip| clip.skeleton.same_shape(&target));
        let own = own.map_or("", |clip| clip.name.as_str());
        let apart = |clip: &&Clip| {
            !clip.skeleton.same_shape(&target) && adopt_skeleton(clip, &target).is_none()
        };
        let (others, unlike): (Vec<&Clip>, Vec<&Clip>) = clips
            .iter()
            .filter(apart)
            .partition(|clip| onto(clip, &target).is_ok());
        if !unlike.is_empty() {
            let names: Vec<&str> = unlike.iter().map(|clip| clip.name.as_str()).collect();
            let some = names[..names.len().min(5)].join(", ");
            let more = if names.len() > 5 { ", ..." } else { "" };
            run.warn(format!(
                "{} of {} clips are of bodies that have too little in common with that of {own} and are left out \
                 of {what_for}: {some}{more}",
                names.len(),
                clips.len(),
            ));
        }
        if let Some(first) = others.first() {
            let how = difference(&first.skeleton, &target);
            run.warn(format!(
                "{} of {} clips have another skeleton than most and are brought onto that of {own} \
                 for {what_for} ({}: {how}); the library keeps them as captured",
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
            made: [sources, sum],
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
        taken: GraphClips,
        candidates: Found,
        recipe: &GraphRecipe,
        run: &Run,
    ) -> Result<(LibraryGraph, GraphReport), GraphStoreError> {
        let (Found::Now(all) | Found::Before(all) | Found::Apart(all)) = candidates;
        let GraphClips { clips, sources } = taken;
        let (graph, report) = build_from_candidates(&clips, all, &recipe.options(), run)?;
        let key = self.write(|connection| {
            if let Found::Now(candidates) = candidates {
                put(connection, IN_USE, asked_for(sources, recipe), candidates)?;
            }
            put(connection, IN_USE, sources, recipe)?;
            let key = graph_key(sources, put(connection, IN_USE, sources, &graph)?);
            for kind in KEPT_BEFORE {
                remove_row(connection, [kind, IN_USE])?;
            }
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

    /// What stands for the clips that a recipe takes now.
    pub fn graph_sources(&self, recipe: &GraphRecipe) -> Result<ContentHash, GraphStoreError> {
        Ok(sources_of(&self.clips()?, recipe))
    }
}

/// The hash of every clip's content and name, in order: what a recipe's graph is made from.
fn sources_of(entries: &[ClipEntry], recipe: &GraphRecipe) -> ContentHash {
    let mut digest = Digest::default();
    for entry in entries {
        digest.add(&entry.hash().0);
        digest.add(entry.name.as_bytes());
        digest.add(&[0]);
    }
    digest.add(&serde_json::to_vec(&recipe.only).unwrap_or_default());
    digest.finish()
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
const KEPT_BEFORE: [&str; 2] = ["clean transitions", "control"];

/// What candidates are filed under: their clips, and the options that decide which there are.
fn asked_for(sources: ContentHash, recipe: &GraphRecipe) -> ContentHash {
    ContentHash::of_parts([&sources.0[..], &recipe.search_key()])
}

/// What stands for a graph and its clips: their hash and that of the graph's row.
fn graph_key(sources: ContentHash, row_sum: ContentHash) -> ContentHash {
    ContentHash::of_all([&sources, &row_sum])
}

fn no_such_label(word: &str, clips: &[ClipEntry]) -> GraphStoreError {
    let labels = clips.iter().flat_map(|clip| clip.annotations.vocabulary());
    let mut known: Vec<&str> = labels.collect();
    known.extend(Locomotion::ALL.map(Locomotion::name));
    known.sort_unstable();
    known.dedup();
    GraphStoreError::NoSuchLabel {
        word: word.into(),
        near: near_words(word, &known).join(" or "),
    }
}

/// Whether a frame of a clip may carry a label or be of a type, by what its row says of it.
fn may_carry(entry: &ClipEntry, word: &str) -> bool {
    let said = entry.annotations.all_spans().any(|span| span.label == word);
    let kinds = Locomotion::ALL.iter().zip(entry.shares);
    said || kinds
        .into_iter()
        .any(|(kind, share)| share > 0.0 && kind.name() == word)
}

/// Whether any frame of a clip carries a label or is of a type.
fn carries(clip: &Clip, word: &str) -> bool {
    clip.labels.iter().any(|span| span.label == word)
        || clip.types.iter().any(|kind| kind.name() == word)
}
