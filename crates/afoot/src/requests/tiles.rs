//! The graph build in independent pieces, in any order, on any machine.
//!
//! A plan names the recipe and the pieces; a run writes one file a piece; merging puts them
//! together and stores the same graph, byte for byte, as building it at once would.

use std::path::{Path, PathBuf};

use afoot_core::Range32;
use afoot_formats::files::write_whole;
use afoot_formats::{MOST_BYTES, read_file};
use afoot_graph::{Artefact, CandidateSearch, Candidates, Tile, merge, prepare_search};
use afoot_library::GraphRecipe;
use afoot_run::{Run, Stopped};
use serde::{Deserialize, Serialize};

use super::graph::{GraphBuilt, StageClock};
use crate::failure::Failure;
use crate::files::FileName;
use crate::hint::Hint;
use crate::library::Library;
use crate::motion_files::{check_named_as, make_folder};
use crate::ranges::Ranged;
use crate::threads::in_threads;

/// Asks for a build to be cut into pieces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanTiles {
    /// The graph that is to be built.
    pub recipe: GraphRecipe,
    /// Frames of motion on a side of a piece. [1 to 100000000]
    pub size: u32,
}

impl Default for PlanTiles {
    fn default() -> Self {
        Self {
            recipe: GraphRecipe::default(),
            size: 4096,
        }
    }
}

/// Asks for some of the pieces to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunTiles {
    /// The plan.
    pub plan: FileName,
    /// Which pieces: numbers and half-open ranges, such as `0..10,12`; all that are not done if it
    /// is left open.
    pub pieces: Option<String>,
}

/// Asks for the pieces to be put together and the graph to be stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MergeTiles {
    /// The plan.
    pub plan: FileName,
    /// The folder with the results.
    pub folder: FileName,
}

/// A plan that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TilesPlanned {
    /// The plan.
    pub plan: String,
    /// How many pieces there are.
    pub pieces: usize,
}

/// Pieces that were done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TilesRun {
    /// Now.
    pub done: usize,
    /// Before.
    pub already_there: usize,
}

/// A graph that was put together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TilesMerged {
    /// How many pieces there were.
    pub pieces: usize,
    /// Transitions under their threshold, before pruning.
    pub transitions: u64,
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Share of all frames in it.
    pub component_share: f64,
    /// All else that is known of the graph.
    #[serde(skip)]
    pub graph: GraphBuilt,
}

/// The plan as a file.
#[derive(Debug, Serialize, Deserialize)]
struct Plan {
    recipe: GraphRecipe,
    /// Stands for the clips that it was made for.
    sources: String,
    /// Clips as rows and columns of each piece, half-open: from, to, from, to.
    pieces: Vec<[u32; 4]>,
}

impl PlanTiles {
    /// Writes the plan.
    pub fn run(
        &self,
        library: &Library,
        to: impl AsRef<Path>,
        run: &Run,
    ) -> Result<TilesPlanned, Failure> {
        let to = to.as_ref();
        self.check_ranges()?;
        check_named_as(to, &["json"])?;
        let search = in_threads(run, || search(library, &self.recipe))?;
        let number = |tile: &Tile| {
            [
                tile.rows.start,
                tile.rows.end,
                tile.cols.start,
                tile.cols.end,
            ]
        };
        let pieces: Vec<[u32; 4]> = search.plan(self.size as usize).iter().map(number).collect();
        let count = pieces.len();
        let recipe = self.recipe.clone();
        let sources = sources(library, &self.recipe)?;
        let plan = Plan {
            recipe,
            sources,
            pieces,
        };
        write_whole(to, &serde_json::to_vec_pretty(&plan)?)?;
        Ok(TilesPlanned {
            plan: to.display().to_string(),
            pieces: count,
        })
    }
}

impl RunTiles {
    /// Does the pieces that are not there, each into a file of the folder. Stopped, it leaves those
    /// that are done, and goes on with the others next time.
    pub fn run(
        &self,
        library: &Library,
        folder: impl AsRef<Path>,
        run: &Run,
    ) -> Result<TilesRun, Failure> {
        let folder = folder.as_ref();
        in_threads(run, || self.do_pieces(library, folder, run))
    }

    fn do_pieces(&self, library: &Library, folder: &Path, run: &Run) -> Result<TilesRun, Failure> {
        let plan = read_plan(&self.plan, library)?;
        let wanted = match &self.pieces {
            Some(text) => parse_pieces(text, plan.pieces.len())?,
            None => (0..plan.pieces.len()).collect(),
        };
        make_folder(folder)?;
        let open: Vec<usize> = wanted
            .iter()
            .copied()
            .filter(|&piece| !piece_file(folder, piece).exists())
            .collect();
        if !open.is_empty() {
            let search = search(library, &plan.recipe)?;
            // Pieces are what is counted, not the pairs of frames within them.
            let within = run.silent();
            for (done, &piece) in open.iter().enumerate() {
                run.progress("comparing", done as u64, open.len() as u64);
                let found = search.run(&[tile(plan.pieces[piece])], &within);
                let found = found.map_err(|Stopped| stopped_after(done, open.len()))?;
                write_whole(&piece_file(folder, piece), &found.to_bytes())?;
            }
        }
        Ok(TilesRun {
            done: open.len(),
            already_there: wanted.len() - open.len(),
        })
    }
}

impl MergeTiles {
    /// Stores the graph.
    pub fn run(&self, library: &Library, run: &Run) -> Result<TilesMerged, Failure> {
        in_threads(run, || self.merge(library, run))
    }

    fn merge(&self, library: &Library, run: &Run) -> Result<TilesMerged, Failure> {
        let plan = read_plan(&self.plan, library)?;
        let folder = library.files().locate(&self.folder)?;
        let mut parts = Vec::new();
        for piece in 0..plan.pieces.len() {
            let path = piece_file(&folder, piece);
            let named = |error: &dyn std::fmt::Display| {
                Failure::failed(format!("piece {piece}, {}: {error}", path.display()))
            };
            let bytes = read_file(&path, MOST_BYTES).map_err(|error| named(&error))?;
            parts.push(Candidates::from_bytes(&bytes).map_err(|error| named(&error))?);
        }
        let candidates = merge(&parts)?;
        let mut store = library.write()?;
        let clips = store.graph_clips(&plan.recipe)?;
        if clips.sources.to_string() != plan.sources {
            return Err(self.plan.wrong(OTHER_CLIPS));
        }
        let clock = StageClock::start();
        let built = store.finish_graph(clips, &candidates, &plan.recipe, &clock.watch(run));
        let seconds = clock.stop();
        let (built, report) = built?;
        report.warnings.iter().for_each(|warning| run.warn(warning));
        let graph = GraphBuilt::new(&built.graph, report, seconds);
        Ok(TilesMerged {
            pieces: parts.len(),
            transitions: graph.transitions,
            nodes: graph.nodes,
            edges: graph.edges,
            component_share: graph.component_share,
            graph,
        })
    }
}

const OTHER_CLIPS: &str = "this plan is for other clips than the library has now; make it again";

fn search(library: &Library, recipe: &GraphRecipe) -> Result<CandidateSearch, Failure> {
    let clips = library.read()?.graph_clips(recipe)?.clips;
    let none = || Failure::no_motion("the library has no clips").with_hint(Hint::ImportClips);
    prepare_search(&clips, &recipe.options())?.ok_or_else(none)
}

fn tile([row_from, row_to, col_from, col_to]: [u32; 4]) -> Tile {
    Tile {
        rows: Range32 {
            start: row_from,
            end: row_to,
        },
        cols: Range32 {
            start: col_from,
            end: col_to,
        },
    }
}

/// What is said where pieces are left undone: those that are done stay, and are not done again.
fn stopped_after(done: usize, open: usize) -> Failure {
    Failure {
        message: format!("stopped; {done} of {open} pieces are done and stay"),
        ..Failure::from(Stopped)
    }
}

/// Reads a plan; one for other clips, or with pieces that name clips that there are not, is refused.
fn read_plan(file: &FileName, library: &Library) -> Result<Plan, Failure> {
    let plan: Plan = file.json("a plan", library.files())?;
    if plan.sources != sources(library, &plan.recipe)? {
        return Err(file.wrong(OTHER_CLIPS));
    }
    let clips = library.read()?.graph_clips(&plan.recipe)?.clips.len() as u32;
    let is_sound = |[from, to, _, _]: &[u32; 4]| from < to && *to <= clips;
    let turned = |[a, b, c, d]: &[u32; 4]| [*c, *d, *a, *b];
    let bad = plan
        .pieces
        .iter()
        .position(|piece| !is_sound(piece) || !is_sound(&turned(piece)));
    match bad {
        None => Ok(plan),
        Some(piece) => Err(file.wrong(format!(
            "piece {piece} is {:?}; expected ranges within {clips} clips",
            plan.pieces[piece]
        ))),
    }
}

fn sources(library: &Library, recipe: &GraphRecipe) -> Result<String, Failure> {
    Ok(library.read()?.graph_sources(recipe)?.to_string())
}

fn piece_file(folder: &Path, piece: usize) -> PathBuf {
    folder.join(format!("piece_{piece:06}.bin"))
}

/// Numbers and half-open ranges, separated by commas.
fn parse_pieces(text: &str, count: usize) -> Result<Vec<usize>, Failure> {
    let wrong = || {
        let expected = format!("numbers below {count}, such as 0..10,12");
        Failure::bad_value("pieces", text, &expected)
    };
    let mut pieces = Vec::new();
    for part in text.split(',') {
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        match part.split_once("..") {
            Some((from, to)) => {
                let range = number(from)?..number(to)?;
                if range.is_empty() || range.end > count {
                    return Err(wrong());
                }
                pieces.extend(range);
            }
            None => match number(part)? {
                piece if piece < count => pieces.push(piece),
                _ => return Err(wrong()),
            },
        }
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_numbers_and_ranges_of_those_that_there_are() {
        assert_eq!(parse_pieces("0..2, 3", 4).unwrap(), [0, 1, 3]);
        assert_eq!(parse_pieces("3..4", 4).unwrap(), [3]);
        for wrong in ["0..5", "4", "2..2", "x", "", "0..18446744073709551615"] {
            assert!(parse_pieces(wrong, 4).is_err(), "{wrong}");
        }
    }
}
