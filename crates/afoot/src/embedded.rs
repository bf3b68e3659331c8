//! A library's graph ready to be embedded into a world: what `survey`, `follow` and `crowd` share.

use std::sync::Arc;

use afoot_core::Clip;
use afoot_graph::{Candidates, GraphReport, MotionGraph, build_from_candidates, find_candidates};
use afoot_library::{GraphRecipe, GraphStoreError};
use afoot_run::Run;
use afoot_synth::{Repertoire, graph_moves};
use afoot_world::{Connect, EditOptions, EditShape, EmbedOptions, Moves};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;
use crate::requests::matches;
use crate::rounding::to_millionths;

/// How a graph is made and embedded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EmbedRecipe {
    /// The graph: other than the one in use, it has a minimum clip length.
    pub graph: GraphRecipe,
    /// Width of a cell. [m, 0.01 to 100]
    pub cell_m: f64,
    /// Angle between headings. [degrees, 1 to 120]
    pub yaw_deg: f64,
    /// How far motion may be bent: cm and degrees, for a metre. [0 to 1000]
    pub edit: f64,
    /// The same for a second. [0 to 1000]
    pub edit_in_time: f64,
    /// Whether to shift and turn to the limit at once.
    pub edit_shape: EditShape,
    /// What becomes of motion that can end in no cell's middle.
    pub connect: Connect,
    /// Whether good transitions may be bent more than poor ones.
    pub edit_by_slack: bool,
    /// Room beyond the world's radius. [m, 0 to 100]
    pub margin_m: f64,
    /// Most memory for the embedded graph and searches in it, beside the library. [MB, 1 to 10000000]
    pub memory_mb: u64,
}

impl Default for EmbedRecipe {
    fn default() -> Self {
        let EmbedOptions {
            cell,
            yaw,
            edit,
            margin,
            memory,
        } = EmbedOptions::default();
        Self {
            graph: GraphRecipe {
                threshold_cm: 8.0,
                minimum_clip: 0.333,
                most_partners: 24,
                ..GraphRecipe::default()
            },
            cell_m: cell,
            yaw_deg: to_millionths(yaw.to_degrees()),
            edit: to_millionths(edit.shift * 100.0),
            edit_in_time: to_millionths(edit.shift_in_time * 100.0),
            edit_shape: edit.shape,
            connect: edit.connect,
            edit_by_slack: edit.by_slack,
            margin_m: margin,
            memory_mb: memory >> 20,
        }
    }
}

impl EmbedRecipe {
    /// The usual one for motion that is finished: with a margin of 3 cm, since planting feet moves roots.
    pub fn for_planted_feet() -> Self {
        Self {
            margin_m: 0.03,
            ..Self::default()
        }
    }

    /// As the world crate wants it.
    pub fn options(&self) -> EmbedOptions {
        EmbedOptions {
            cell: self.cell_m,
            yaw: self.yaw_deg.to_radians(),
            edit: EditOptions {
                shift_in_time: self.edit_in_time / 100.0,
                turn_in_time: self.edit_in_time.to_radians(),
                shape: self.edit_shape,
                connect: self.connect,
                by_slack: self.edit_by_slack,
                ..EditOptions::of_size(self.edit)
            },
            margin: self.margin_m,
            memory: self.memory_mb << 20,
        }
    }
}

/// A graph with its moves.
pub(crate) struct Embeddable {
    pub(crate) graph: Arc<Repertoire>,
    pub(crate) moves: Moves,
    /// Frames of all clips that it was made of.
    pub(crate) source_frames: u64,
    /// Captured frames that the graph plays.
    pub(crate) graph_frames: u64,
}

impl Embeddable {
    /// The graph of a library's clips, or of those whose names fit one of some patterns.
    pub(crate) fn new(
        library: &Library,
        recipe: &GraphRecipe,
        only: &[String],
        run: &Run,
    ) -> Result<Self, Failure> {
        let (clips, graph, frames) = match only.is_empty() {
            true => {
                let (clips, graph, report) = graph_aside(library, recipe, run)?;
                (clips, graph, report.component_frames)
            }
            false => graph_of_some(
                &library.read()?.graph_clips(recipe)?.clips,
                recipe,
                only,
                run,
            )?,
        };
        let source_frames = clips.iter().map(|clip| clip.len() as u64).sum();
        let graph = Arc::new(Repertoire::new(graph, &clips)?);
        Ok(Self {
            moves: graph_moves(&graph),
            graph,
            source_frames,
            graph_frames: frames,
        })
    }
}

/// The graph of all clips. What is kept of it is read; only what has to be made is written.
fn graph_aside(
    library: &Library,
    recipe: &GraphRecipe,
    run: &Run,
) -> Result<(Vec<Clip>, MotionGraph, GraphReport), Failure> {
    let mut reader = library.read()?;
    if reader.has_graph_aside(recipe)? {
        match reader.graph_aside(recipe, run) {
            Err(GraphStoreError::Library(_)) => {} // what is kept can't be read: it is made anew
            ended => return Ok(ended?),
        }
    }
    drop(reader);
    Ok(library.write()?.graph_aside(recipe, run)?)
}

/// The graph of some clips alone.
fn graph_of_some(
    all: &[Clip],
    recipe: &GraphRecipe,
    only: &[String],
    run: &Run,
) -> Result<(Vec<Clip>, MotionGraph, u64), Failure> {
    for pattern in only {
        if !all.iter().any(|clip| matches(pattern, &clip.name)) {
            return Err(Failure::bad_value(
                "clips",
                pattern,
                "the name of a clip, or a pattern with *",
            ));
        }
    }
    let wanted = |clip: &&Clip| only.iter().any(|pattern| matches(pattern, &clip.name));
    let clips: Vec<Clip> = all.iter().filter(wanted).cloned().collect();
    let options = recipe.options();
    let candidates = find_candidates(&clips, &options, &Candidates::none(), run)?;
    let (graph, report) = build_from_candidates(&clips, &candidates, &options, run)?;
    Ok((clips, graph, report.component_frames))
}
