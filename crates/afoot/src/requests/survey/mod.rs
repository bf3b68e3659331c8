//! What a library's motion can do in a world, before it is used there (Reitsma and Pollard 2004, 2007).

mod field;
mod maps;
mod page;
mod report;

use std::path::Path;
use std::time::Instant;

use afoot_graph::LabelSet;
use afoot_run::Run;
use afoot_world::{
    Connect, CoverageOptions, FreeWays, Grid, QualityOptions, Suggestion, World, switch_times,
};
use serde::{Deserialize, Serialize};

use self::field::{Field, Surveyed};
use self::report::telling_paths;
pub use self::report::{
    Capability, CellSurveyed, EditCoverage, EditSurveyed, HoleFound, Intervals, PathsTold,
    SetSurveyed, SurveyMade, SurveySeconds,
};
use crate::embedded::{EmbedRecipe, Embeddable};
use crate::failure::Failure;
use crate::files::FileName;
use crate::inputs::Input;
use crate::library::Library;
use crate::ranges::Ranged;
use crate::rounding::to_millionths;
use crate::staged_folder::StagedFolder;
use crate::threads::in_threads;

/// Asks what a library's motion can do in a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Survey {
    /// The world.
    pub world: Input,
    /// Only clips whose names fit one of these, in which `*` stands for anything; all if there are none.
    pub clips: Vec<String>,
    /// The graph, and how it is embedded.
    pub embed: EmbedRecipe,
    /// A place is covered if motion passes that near. [m, > 0, at most 100]
    pub epsilon_m: f64,
    /// The turn that counts as much as a metre. [degrees, > 0, at most 36000]
    pub turn_per_metre_deg: f64,
    /// Pairs of places between which paths are sought. [1 to 10000000]
    pub samples: u32,
    /// Other sets of clips to put beside it.
    pub compare: Vec<SurveySet>,
    /// Other editing sizes to try. [cm and degrees for a metre, 0 to 1000]
    pub edits: Vec<f64>,
    /// Other widths of cells to try, headings in proportion. [m, 0.01 to 100]
    pub cells: Vec<f64>,
    /// Whether to try what could be captured next.
    pub suggest: bool,
}

/// A set of clips to compare with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SurveySet {
    /// What it is called.
    pub name: String,
    /// The clips, by names or patterns; all if there are none.
    pub clips: Vec<String>,
    /// Another library.
    pub library: Option<FileName>,
}

impl Default for Survey {
    fn default() -> Self {
        let coverage = CoverageOptions::default();
        Self {
            world: Input::default(),
            clips: Vec::new(),
            embed: EmbedRecipe::default(),
            epsilon_m: coverage.epsilon,
            turn_per_metre_deg: to_millionths(coverage.turn_per_metre.to_degrees()),
            samples: QualityOptions::default().samples as u32,
            compare: Vec::new(),
            edits: Vec::new(),
            cells: Vec::new(),
            suggest: true,
        }
    }
}

impl Survey {
    /// Surveys into a folder: a page, and the report as JSON.
    pub fn run(
        &self,
        library: &Library,
        folder: impl AsRef<Path>,
        run: &Run,
    ) -> Result<SurveyMade, Failure> {
        self.check_ranges()?;
        let folder = folder.as_ref();
        in_threads(run, || self.make(library, folder, run))
    }

    fn make(&self, library: &Library, folder: &Path, run: &Run) -> Result<SurveyMade, Failure> {
        let world = self.world.world(library.files())?;
        let staged = StagedFolder::new(folder)?;
        let field = self.field(&world, run)?;
        let begun = Instant::now();
        let main = Embeddable::new(library, &self.embed.graph, &self.clips, run)?;
        let graph_seconds = begun.elapsed().as_secs_f64();
        let surveyed = field.survey_kept(library, &main, run)?;
        let told = surveyed.told("all", &main, graph_seconds);
        run.note(words_of(&told));
        let suggestions = self.suggestions(&surveyed, &field, run)?;
        let made = SurveyMade {
            holes: surveyed
                .coverage
                .holes
                .iter()
                .map(HoleFound::from)
                .collect(),
            capabilities: capabilities(&surveyed),
            switches: switch_times(&main.moves),
            suggestions,
            compare: self.compared(library, &field, run)?,
            edits: self.edited(&main, &field, run)?,
            cells: self.refined(&main, &field, run)?,
            warnings: warnings(&told),
            main: told,
        };
        made.warnings.iter().for_each(|warning| run.warn(warning));
        let chosen = telling_paths(&surveyed.paths);
        let page = page::page(&made, &surveyed, &chosen, self);
        staged.write("survey.html", page.as_bytes())?;
        let report = serde_json::to_string_pretty(&made)?;
        staged.write("survey.json", report.as_bytes())?;
        run.check()?;
        staged.put_in_place()?;
        run.note(format!("wrote {}", folder.join("survey.html").display()));
        Ok(made)
    }

    fn field<'a>(&self, world: &'a World, run: &Run) -> Result<Field<'a>, Failure> {
        let options = self.embed.options();
        options.check()?;
        let grid = Grid::new(world, options.cell, options.yaw);
        Ok(Field {
            ways: FreeWays::new(world, &grid, world.radius),
            world,
            options,
            coverage: self.coverage(),
            quality: QualityOptions {
                samples: self.samples as usize,
                seed: run.seed,
            },
        })
    }

    fn coverage(&self) -> CoverageOptions {
        CoverageOptions {
            epsilon: self.epsilon_m,
            turn_per_metre: self.turn_per_metre_deg.to_radians(),
            ..CoverageOptions::default()
        }
    }

    /// What could be captured next, if that is asked for; how long trying it takes is said before, if it is long.
    fn suggestions(
        &self,
        surveyed: &Surveyed,
        field: &Field,
        run: &Run,
    ) -> Result<Vec<Suggestion>, Failure> {
        if !self.suggest {
            return Ok(Vec::new());
        }
        let seconds = surveyed.suggesting_seconds();
        if seconds > LONG {
            run.warn(format!(
                "trying what could be captured next takes some {seconds:.0} s more; without suggestions, with \
                 wider cells or with fewer clips a survey is cheaper"
            ));
        }
        field.suggestions(&surveyed.embedding, run)
    }

    /// The sets to compare with, each with the same pairs of places.
    fn compared(
        &self,
        library: &Library,
        field: &Field,
        run: &Run,
    ) -> Result<Vec<SetSurveyed>, Failure> {
        let mut told = Vec::new();
        for set in &self.compare {
            let other = match &set.library {
                Some(file) => Some(Library::open(library.files().locate(file)?)?),
                None => None,
            };
            let begun = Instant::now();
            let library = other.as_ref().unwrap_or(library);
            let graph = Embeddable::new(library, &self.embed.graph, &set.clips, run)?;
            let seconds = begun.elapsed().as_secs_f64();
            let row = match field.survey(&graph, None, run) {
                Ok(surveyed) => surveyed.told(&set.name, &graph, seconds),
                // Worth a row: this set can't do anything here.
                Err(failure) if failure.kind == crate::failure::FailureKind::NoMotion => {
                    run.warn(format!("{}: {}", set.name, failure.message));
                    nothing_of(&set.name, &graph, self.samples)
                }
                Err(failure) => return Err(failure),
            };
            run.note(words_of(&row));
            told.push(row);
        }
        Ok(told)
    }

    /// Coverage with other editing sizes, both ways of linking.
    fn edited(
        &self,
        graph: &Embeddable,
        field: &Field,
        run: &Run,
    ) -> Result<Vec<EditSurveyed>, Failure> {
        let mut rows = Vec::new();
        for &edit in &self.edits {
            let mut row = EditSurveyed {
                edit,
                empty_edit_share: NOT_EMBEDDED,
                ..EditSurveyed::default()
            };
            for connect in [Connect::Always, Connect::Within] {
                let options = EmbedRecipe {
                    edit,
                    connect,
                    ..self.embed.clone()
                };
                let place = match connect {
                    Connect::Always => &mut row.always,
                    Connect::Within => &mut row.within,
                };
                if let Some(covered) = field.covered(graph, &options, run)? {
                    *place = covered.found;
                    row.empty_edit_share = covered.empty_edit_share;
                }
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

impl Survey {
    /// Coverage on other grids.
    fn refined(
        &self,
        graph: &Embeddable,
        field: &Field,
        run: &Run,
    ) -> Result<Vec<CellSurveyed>, Failure> {
        let mut rows = Vec::new();
        for &cell_m in &self.cells {
            let yaw_deg = self.embed.yaw_deg * cell_m / self.embed.cell_m;
            let recipe = EmbedRecipe {
                cell_m,
                yaw_deg,
                ..self.embed.clone()
            };
            let mut row = CellSurveyed {
                cell_m,
                yaw_deg: to_millionths(yaw_deg),
                empty_edit_share: NOT_EMBEDDED,
                ..CellSurveyed::default()
            };
            if let Some(covered) = field.covered(graph, &recipe, run)? {
                row.empty_edit_share = covered.empty_edit_share;
                row.found = covered.found;
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

/// Of edit regions that hold no cell's middle, where nothing can be embedded at all.
const NOT_EMBEDDED: f64 = 1.0;

/// Suggestions that take longer are told of before they are tried. [s]
const LONG: f64 = 10.0;

/// A set that can do nothing in the world.
fn nothing_of(name: &str, graph: &Embeddable, samples: u32) -> SetSurveyed {
    SetSurveyed {
        name: name.into(),
        source_frames: graph.source_frames,
        graph_frames: graph.graph_frames,
        choices: graph.moves.nodes.len(),
        moves: graph.moves.list.len(),
        paths: PathsTold {
            samples: samples as usize,
            unreached: samples as usize,
            ..PathsTold::default()
        },
        ..SetSurveyed::default()
    }
}

fn capabilities(surveyed: &Surveyed) -> Vec<Capability> {
    let words = surveyed.embedding.moves.vocabulary.iter().enumerate();
    let share = |(bit, label): (usize, &String)| Capability {
        label: label.clone(),
        share: to_millionths(surveyed.coverage.share_of(LabelSet(1 << bit))),
    };
    words.map(share).filter(|can| can.share > 0.0).collect()
}

/// Regions that hold no cell's middle make links that break the limits, or none (§5.4).
const MANY_EMPTY: f64 = 0.2;

fn warnings(told: &SetSurveyed) -> Vec<String> {
    let mut warnings = Vec::new();
    if told.empty_edit_share > MANY_EMPTY {
        warnings.push(format!(
            "{:.0} % of the regions that motion can be bent into hold no cell's middle: smaller cells, or more \
             bending, would show what the library can do",
            100.0 * told.empty_edit_share
        ));
    }
    if told.paths.unreached > 0 {
        warnings.push(format!(
            "{} of {} pairs of places are joined by no motion",
            told.paths.unreached, told.paths.samples
        ));
    }
    if told.paths.closed_off > 0 {
        warnings.push(format!(
            "{} pairs of places lie in parts of the world that no way joins",
            told.paths.closed_off
        ));
    }
    warnings
}

fn words_of(told: &SetSurveyed) -> String {
    format!(
        "{}: {} choices, {} moves; {} states, {} links; coverage {:.3} of places, {:.3} with headings; paths {:.4} \
         in the median, {:.3} at the 95th percentile",
        told.name,
        told.choices,
        told.moves,
        told.nodes,
        told.links,
        told.coverage_xz,
        told.coverage_xza,
        told.paths.median,
        told.paths.p95
    )
}
