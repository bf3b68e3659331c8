//! A set of clips in the world of a survey: laid, embedded, and what it covers.

use std::time::Instant;

use afoot_codec::{ContentHash, Digest};
use afoot_run::Run;
use afoot_world::{
    Coverage, CoverageOptions, EmbedOptions, Embedding, FreeWays, Grid, LaidMoves, Moves,
    QualityOptions, SampledPath, World, embed, embed_more, estimate_embedding, lay_moves,
    measure_coverage, sample_paths, suggest,
};

use super::report::{EditCoverage, PathsTold, SetSurveyed, SurveySeconds};
use crate::embedded::{EmbedRecipe, Embeddable};
use crate::failure::Failure;
use crate::library::Library;
use crate::rounding::to_millionths;

/// What the moves of the last survey are kept as: there is one of them, whatever the world.
const LAST: &str = "last survey";
/// More moves times headings times cells than these are not kept: some tens of megabytes.
const MOST_KEPT: u64 = 50_000_000;

/// Candidates for suggestions in most worlds.
const CANDIDATES: f64 = 8.0;
/// Pairs of places that each candidate is tried with: enough to rank them.
const MOST_SUGGESTING: usize = 300;

/// What every set is surveyed in.
pub(super) struct Field<'a> {
    pub(super) world: &'a World,
    pub(super) ways: FreeWays<'a>,
    pub(super) options: EmbedOptions,
    pub(super) coverage: CoverageOptions,
    pub(super) quality: QualityOptions,
}

/// What an embedding covers.
pub(super) struct Covered {
    /// Share of edit regions that hold no cell's middle.
    pub(super) empty_edit_share: f64,
    pub(super) found: EditCoverage,
}

/// A set in the world.
pub(super) struct Surveyed<'a> {
    pub(super) embedding: Embedding<'a>,
    pub(super) coverage: Coverage,
    pub(super) paths: Vec<SampledPath>,
    told: PathsTold,
    /// Without what was laid before.
    seconds: SurveySeconds,
    laid_seconds: f64,
}

impl Field<'_> {
    /// The set of a library's graph, with moves that stay laid for the next survey.
    pub(super) fn survey_kept<'a>(
        &'a self,
        library: &Library,
        graph: &'a Embeddable,
        run: &Run,
    ) -> Result<Surveyed<'a>, Failure> {
        let size = estimate_embedding(&graph.moves, self.world, &self.options)?;
        run.note(format!(
            "{} moves: up to {} states and {} links, at most {} MB",
            graph.moves.list.len(),
            size.states,
            size.links,
            size.bytes.div_ceil(1 << 20)
        ));
        let begun = Instant::now();
        let laid = self.laid(library, &graph.moves, run)?;
        let laid_seconds = begun.elapsed().as_secs_f64();
        Ok(Surveyed {
            laid_seconds,
            ..self.survey(graph, laid.as_ref(), run)?
        })
    }

    /// Moves laid in the world: those that the last survey laid there as they were, the others now. They
    /// are kept with the library, unless there are too many.
    fn laid(
        &self,
        library: &Library,
        moves: &Moves,
        run: &Run,
    ) -> Result<Option<LaidMoves>, Failure> {
        let cells = Grid::new(self.world, self.options.cell, self.options.yaw);
        let sets = (moves.list.len() as u64).saturating_mul(cells.headings as u64);
        if sets.saturating_mul(cells.cells() as u64) > MOST_KEPT {
            return Ok(None);
        }
        let lay = |old: Option<LaidMoves>| {
            let laid = lay_moves(moves, self.world, &self.options, old.as_ref(), run)?;
            Ok::<_, Failure>(laid)
        };
        let sources = self.hash_with(moves);
        Ok(Some(library.kept(LAST, sources, run, lay)?))
    }

    /// Of all that laying depends on.
    fn hash_with(&self, moves: &Moves) -> ContentHash {
        let mut digest = Digest::default();
        digest.add(format!("{:?} {:?}", self.world, self.options).as_bytes());
        digest.add(format!("{:?} {:?}", moves.rate, moves.vocabulary).as_bytes());
        for step in &moves.list {
            digest.add(format!("{:?} {}", step.labels, step.slack).as_bytes());
            for pose in &step.poses {
                let place = [pose.x, pose.z, pose.yaw].map(f64::to_le_bytes);
                digest.add(place.as_flattened());
            }
        }
        digest.finish()
    }

    pub(super) fn survey<'a>(
        &'a self,
        graph: &'a Embeddable,
        laid: Option<&LaidMoves>,
        run: &Run,
    ) -> Result<Surveyed<'a>, Failure> {
        let mut seconds = SurveySeconds::default();
        let begun = Instant::now();
        let embedding = embed_more(&graph.moves, self.world, &self.options, laid, run)?;
        seconds.embed = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let coverage = measure_coverage(&embedding, &self.coverage);
        seconds.coverage = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let (paths, quality) = sample_paths(&embedding, &self.ways, &self.quality, run)?;
        seconds.paths = begun.elapsed().as_secs_f64();
        Ok(Surveyed {
            embedding,
            coverage,
            paths,
            told: (&quality).into(),
            seconds,
            laid_seconds: 0.0,
        })
    }

    /// What the graph covers if it is embedded like this; `None` if it can't do anything here then.
    pub(super) fn covered(
        &self,
        graph: &Embeddable,
        recipe: &EmbedRecipe,
        run: &Run,
    ) -> Result<Option<Covered>, Failure> {
        match embed(&graph.moves, self.world, &recipe.options(), run) {
            Ok(embedding) => {
                let stencils = &embedding.stencils;
                let share = stencils.empty_regions as f64 / stencils.regions.max(1) as f64;
                let coverage = measure_coverage(&embedding, &self.coverage);
                Ok(Some(Covered {
                    empty_edit_share: to_millionths(share),
                    found: EditCoverage::new(&embedding, &coverage),
                }))
            }
            Err(error) if !error.is_bad_request() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn suggestions(
        &self,
        base: &Embedding,
        run: &Run,
    ) -> Result<Vec<afoot_world::Suggestion>, Failure> {
        let quality = QualityOptions {
            samples: self.quality.samples.min(MOST_SUGGESTING),
            ..self.quality
        };
        Ok(suggest(base, &self.coverage, &quality, run)?)
    }
}

impl Surveyed<'_> {
    /// How long trying suggestions will take, by what was measured: each is an embedding, with coverage and paths. [s]
    pub(super) fn suggesting_seconds(&self) -> f64 {
        let SurveySeconds {
            embed,
            coverage,
            paths,
            ..
        } = self.seconds;
        let tried = self.paths.len().min(MOST_SUGGESTING) as f64 / self.paths.len().max(1) as f64;
        CANDIDATES * (embed + coverage + paths * tried)
    }

    pub(super) fn told(&self, name: &str, graph: &Embeddable, graph_seconds: f64) -> SetSurveyed {
        let Self {
            embedding,
            coverage,
            ..
        } = self;
        let regions = embedding.stencils.regions.max(1) as f64;
        SetSurveyed {
            name: name.into(),
            source_frames: graph.source_frames,
            graph_frames: graph.graph_frames,
            choices: graph.moves.nodes.len(),
            moves: graph.moves.list.len(),
            nodes: embedding.nodes,
            links: embedding.links,
            other_components: embedding.components.iter().skip(1).copied().collect(),
            culled: embedding.culled,
            empty_edit_share: to_millionths(embedding.stencils.empty_regions as f64 / regions),
            memory_mb: to_millionths(embedding.estimate.bytes as f64 / f64::from(1 << 20)),
            coverage_xz: to_millionths(coverage.xz),
            coverage_xza: to_millionths(coverage.xza),
            paths: self.told,
            seconds: SurveySeconds {
                graph: graph_seconds,
                embed: self.seconds.embed + self.laid_seconds,
                ..self.seconds
            },
        }
    }
}
