//! Who performs: a library's clips with their footage, and the search as something that goes on until
//! it is stopped. Each better performance is handed to whoever watches the run, as a [`Better`].

use std::fmt;
use std::sync::Arc;

use afoot_analyze::SourceStatistics;
use afoot_core::{Clip, FrameId, Ground, Planar, Range32};
use afoot_edit::blend::BlendError;
use afoot_run::{Run, Stopped};
use rayon::prelude::*;
use thiserror::Error;

use super::account::{Asked, EntryKept, PlaceMissed, PoseMet};
use super::costs::{Costs, Take};
use super::enact::{Enacted, enact};
use super::exact::{Best, best_of_all};
use super::footage::Footage;
use super::limbs::{LimbError, LimbSource};
use super::missing::{Missing, missing};
use super::neighbours::Neighbours;
use super::places::Pools;
use super::score::{Paint, Score, ScoreError};
use super::search::{Found, Search};
use super::timeline::{CastError, Timeline, Uses};
use crate::finish::FinishOptions;
use crate::floor::shared_floor;
use crate::walk::Played;

/// Iterations that run side by side; they do not know of each other.
const BATCH: u64 = 4;

/// Performances that are kept beside the best.
const RUNNERS_UP: usize = 7;

/// Clips that can be performed from.
#[derive(Clone, Debug)]
pub struct Performer {
    clips: Vec<Clip>,
    footage: Footage,
    statistics: Option<SourceStatistics>,
    floor: Option<Ground>,
    uses: Uses,
}

/// How a score is performed.
#[derive(Clone)]
pub struct PerformOptions {
    /// Restarts of the search. [≥ 1]
    pub iterations: u64,
    /// The blocks with which a restart begins, of [`super::BLOCKS`]: 0 for the longest. [0 to 2]
    pub top: usize,
    /// Asked between batches whether to go on; the number of iterations bounds it in any case.
    pub go_on: Arc<dyn Fn() -> bool + Send + Sync>,
    /// How motion is finished.
    pub finish: FinishOptions,
    /// Who watches; seed.
    pub run: Run,
}

/// A performance that is better than those before it.
#[derive(Clone, Debug)]
pub struct Better {
    /// After how many iterations.
    pub iteration: u64,
    /// Cost by equation 1, in usual joins, with what places cost.
    pub cost: f32,
    /// Captured stretches: clip, first frame, frames.
    pub takes: Vec<(usize, u32, u32)>,
}

/// A score performed.
#[derive(Clone, Debug)]
pub struct Performance {
    /// The motion.
    pub played: Played,
    /// How it was found.
    pub finding: Finding,
    /// Painted entries, in the score's order.
    pub entries: Vec<EntryKept>,
    /// Places, in the order of time.
    pub places: Vec<PlaceMissed>,
    /// Poses, in the order of time.
    pub poses: Vec<PoseMet>,
    /// What limbs play that do something of their own.
    pub limbs: Vec<LimbSource>,
}

/// How a performance was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// Restarts that were made.
    pub iterations: u64,
    /// Cost of what is played: paint, joins and places.
    pub cost: f32,
    /// When a better one was found, and its cost.
    pub better: Vec<(u64, f32)>,
    /// What the best of all costs, where that was looked for; places do not count in it.
    pub bound: Option<f32>,
    /// Paint and joins of what the search had found by then, to be held against the bound.
    pub searched: Option<f32>,
}

/// Why a score can't be performed.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum PerformError {
    #[error(transparent)]
    Score(#[from] ScoreError),
    #[error(transparent)]
    Cast(#[from] CastError),
    #[error(transparent)]
    Limbs(#[from] LimbError),
    #[error(transparent)]
    Blend(#[from] BlendError),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Default for PerformOptions {
    fn default() -> Self {
        Self {
            iterations: 60,
            top: 0,
            go_on: Arc::new(|| true),
            finish: FinishOptions::default(),
            run: Run::default(),
        }
    }
}

impl fmt::Debug for PerformOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PerformOptions")
            .field("iterations", &self.iterations)
            .field("top", &self.top)
            .field("finish", &self.finish)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}

impl Performer {
    /// Of level clips and what was prepared of them.
    pub fn new(clips: Vec<Clip>, footage: Footage) -> Self {
        assert!(footage.fits(&clips), "the footage is of these clips");
        let statistics = SourceStatistics::of_clips(&clips.iter().collect::<Vec<_>>());
        Self {
            floor: shared_floor(&clips),
            clips,
            footage,
            statistics,
            uses: Uses::default(),
        }
    }

    /// The same, whose frames may be used so.
    pub fn using(self, uses: Uses) -> Self {
        Self { uses, ..self }
    }

    /// The clips.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// Their frames, prepared.
    pub fn footage(&self) -> &Footage {
        &self.footage
    }

    /// What is usual in them.
    pub fn statistics(&self) -> Option<&SourceStatistics> {
        self.statistics.as_ref()
    }

    /// What performances stand on.
    pub fn floor(&self) -> Option<Ground> {
        self.floor
    }

    pub(super) fn uses(&self) -> &Uses {
        &self.uses
    }

    fn roots(&self) -> Vec<Planar> {
        let roots = |clip: &Clip| {
            let frames = (0..clip.len()).map(FrameId::from);
            frames
                .map(|frame| clip.placement(frame))
                .collect::<Vec<_>>()
        };
        self.clips.iter().flat_map(roots).collect()
    }
}

/// Performs a score: searches as long as the options say, then plays what is best.
pub fn perform(
    performer: &Performer,
    score: &Score,
    options: &PerformOptions,
) -> Result<Performance, PerformError> {
    let mut rehearsal = Rehearsal::new(performer, score, options.top)?;
    rehearsal.go_on(options)?;
    let performance = rehearsal.enact(&options.finish)?;
    rehearsal.with_limbs(performance, options)
}

/// A search that can be gone on with, and whose score can be changed meanwhile.
#[derive(Clone, Debug)]
pub struct Rehearsal<'a> {
    performer: &'a Performer,
    score: Score,
    timeline: Arc<Timeline>,
    top: usize,
    pools: Pools,
    best: Option<Found>,
    /// Others that cost hardly more, cheapest first.
    runners_up: Vec<Found>,
    finding: Finding,
    /// Motions of other rehearsals that are to be avoided.
    avoided: Arc<Vec<Vec<Take>>>,
}

impl<'a> Rehearsal<'a> {
    /// Of a score, begun with blocks of that level.
    pub fn new(performer: &'a Performer, score: &Score, top: usize) -> Result<Self, PerformError> {
        let rehearsal = Self::using(performer, score, &performer.uses)?;
        Ok(Self { top, ..rehearsal })
    }

    /// Of a score, where frames may be used so.
    pub(super) fn using(
        performer: &'a Performer,
        score: &Score,
        uses: &Uses,
    ) -> Result<Self, PerformError> {
        score.check()?;
        let timeline = Timeline::new(score, &performer.clips, &performer.footage)?;
        let timeline = timeline.using(uses);
        let pools = pools_for(performer, &timeline, score);
        Ok(Self {
            performer,
            score: score.clone(),
            timeline: Arc::new(timeline),
            top: 0,
            pools,
            best: None,
            runners_up: Vec::new(),
            finding: Finding::default(),
            avoided: Arc::default(),
        })
    }

    /// Another motion for the same score: what this one found is avoided.
    pub fn alternative(&self) -> Self {
        let mut other = self.clone();
        let avoided = self.avoided.iter().cloned();
        let found = self.best.iter().map(|best| best.takes.clone());
        other.avoided = Arc::new(avoided.chain(found).collect());
        other.best = None;
        other.runners_up.clear();
        other.finding = Finding::default();
        other.pools = pools_for(self.performer, &self.timeline, &self.score);
        other
    }

    /// Changes the score; where its length stays and what is fixed too, what was found is kept as a start.
    pub fn change(&mut self, score: &Score) -> Result<(), PerformError> {
        let changed = Self::new(self.performer, score, self.top)?;
        let same = changed.timeline.frames == self.timeline.frames
            && changed.timeline.fixed == self.timeline.fixed;
        let best = self.best.take().filter(|_| same);
        *self = Self {
            avoided: std::mem::take(&mut self.avoided),
            ..changed
        };
        if let Some(best) = best {
            let (timeline, avoided) = self.shared();
            let costs = self.costs(&timeline, &avoided);
            let cost = costs.whole(&best.takes) + self.pools.place_cost(&costs, &best.takes);
            self.finding.cost = cost;
            self.best = Some(Found { cost, ..best });
        }
        Ok(())
    }

    /// Searches on for as long as the options say.
    pub fn go_on(&mut self, options: &PerformOptions) -> Result<(), PerformError> {
        let run = &options.run;
        let (timeline, avoided) = self.shared();
        let search = Search::new(self.costs(&timeline, &avoided), self.top, run.seed);
        let end = self.finding.iterations + options.iterations.max(1);
        while self.finding.iterations < end {
            let first = self.finding.iterations;
            // The first by itself, so that there is something to show.
            let count = if first == 0 {
                1
            } else {
                BATCH.min(end - first)
            };
            let found = self.iterate(&search, first..first + count);
            for (iteration, found) in (first..).zip(found) {
                self.keep(iteration, found, run);
            }
            self.finding.iterations += count;
            run.progress("performing", self.finding.iterations, end);
            if self.finding.iterations < end && !(options.go_on)() {
                break;
            }
            // Who stops it after the first gets what there is only by `go_on`.
            run.check()?;
        }
        Ok(())
    }

    /// Looks for the best performance of all, where footage and score are small enough for that;
    /// without places it is then the best here too. Whether it could.
    pub fn prove(&mut self, run: &Run) -> Result<bool, PerformError> {
        let Some(best) = self.best.take() else {
            return Ok(false);
        };
        let (timeline, avoided) = self.shared();
        let costs = self.costs(&timeline, &avoided);
        let known = costs.whole(&best.takes);
        let neighbours = Neighbours::find(&costs, run)?;
        let proved = best_of_all(&costs, &neighbours, known, run);
        let iteration = self.finding.iterations;
        let found = match proved {
            Ok(Best::Found { takes, cost }) => Some((cost, Some(takes))),
            Ok(Best::Known) => Some((known, None)),
            Ok(Best::TooLarge) => None,
            Err(stopped) => return Err(stopped.into()),
        };
        self.best = Some(best);
        let Some((bound, takes)) = found else {
            return Ok(false);
        };
        self.finding.bound = Some(bound.min(known));
        self.finding.searched = Some(known);
        if let (Some(takes), true) = (takes, timeline.places.is_empty()) {
            let levels = Vec::new();
            let cost = bound;
            self.keep(
                iteration,
                Found {
                    takes,
                    cost,
                    levels,
                },
                run,
            );
        }
        Ok(true)
    }

    /// What is asked for that no captured frame does.
    pub fn missing(&self) -> Vec<Missing> {
        missing(&self.score, &self.timeline, &self.performer.footage)
    }

    /// Cost of the best so far.
    pub fn cost(&self) -> Option<f32> {
        self.best.as_ref().map(|best| best.cost)
    }

    /// How many performances there are: the best, and others that cost hardly more.
    pub fn candidates(&self) -> usize {
        let dear = self.best.as_ref().map_or(0.0, |best| 1.5 * best.cost + 1.0);
        let near = self
            .runners_up
            .iter()
            .take_while(|found| found.cost <= dear);
        usize::from(self.best.is_some()) + near.count()
    }

    /// Plays the best so far.
    pub fn enact(&self, finish: &FinishOptions) -> Result<Performance, PerformError> {
        self.enact_candidate(0, finish)
    }

    /// Plays one of the candidates, cheapest first.
    pub fn enact_candidate(
        &self,
        candidate: usize,
        finish: &FinishOptions,
    ) -> Result<Performance, PerformError> {
        let found = match candidate {
            0 => self.best.as_ref(),
            other => self.runners_up.get(other - 1),
        };
        let takes = found.map_or(&[][..], |found| &found.takes);
        let asked = Asked {
            timeline: &self.timeline,
            clips: &self.performer.clips,
            footage: &self.performer.footage,
        };
        let Enacted { played, unbent } = enact(asked, takes, finish)?;
        Ok(Performance {
            entries: asked.entries(&self.score, takes),
            places: asked.places(&played.clip, &unbent),
            poses: asked.poses(&played.clip),
            finding: Finding {
                cost: found.map_or(0.0, |found| found.cost),
                ..self.finding.clone()
            },
            limbs: Vec::new(),
            played,
        })
    }

    pub(super) fn performer(&self) -> &'a Performer {
        self.performer
    }

    pub(super) fn score(&self) -> &Score {
        &self.score
    }

    /// The frames of a painted entry.
    pub(super) fn painted(&self, paint: &Paint) -> Range32 {
        self.timeline.painted(paint, &self.performer.footage)
    }

    fn shared(&self) -> (Arc<Timeline>, Arc<Vec<Vec<Take>>>) {
        (Arc::clone(&self.timeline), Arc::clone(&self.avoided))
    }

    fn costs<'t>(&self, timeline: &'t Timeline, avoided: &'t [Vec<Take>]) -> Costs<'t>
    where
        'a: 't,
    {
        let costs = Costs::new(&self.performer.footage, timeline, self.score.smoothness);
        costs.avoiding(avoided)
    }

    fn iterate(&self, search: &Search, iterations: std::ops::Range<u64>) -> Vec<Found> {
        iterations
            .into_par_iter()
            .map(|iteration| search.iterate(iteration, self.best.as_ref(), &self.pools))
            .collect()
    }

    /// Keeps what an iteration found, and tells of it if it is the best.
    fn keep(&mut self, iteration: u64, mut found: Found, run: &Run) {
        self.pools.keep(self.top, std::mem::take(&mut found.levels));
        if self
            .best
            .as_ref()
            .is_some_and(|best| best.cost <= found.cost)
        {
            return;
        }
        self.finding.cost = found.cost;
        self.finding.better.push((iteration + 1, found.cost));
        let footage = &self.performer.footage;
        run.partial(|| Better {
            iteration: iteration + 1,
            cost: found.cost,
            takes: found
                .takes
                .iter()
                .map(|take| {
                    let (clip, frame) = footage.place(take.source);
                    (clip, frame, take.frames)
                })
                .collect(),
        });
        if let Some(before) = self.best.replace(found) {
            self.keep_runner_up(before);
        }
    }

    /// Keeps one that is not the best, unless a cheaper one is much the same.
    fn keep_runner_up(&mut self, found: Found) {
        let near = self.performer.footage.levels[0].block;
        let same = |other: &Found| are_alike(&other.takes, &found.takes, near);
        if self.best.iter().any(same) {
            return;
        }
        let others = &mut self.runners_up;
        if others
            .iter()
            .any(|other| other.cost <= found.cost && same(other))
        {
            return;
        }
        others.retain(|other| !same(other));
        let at = others.partition_point(|other| other.cost <= found.cost);
        others.insert(at, found);
        others.truncate(RUNNERS_UP);
    }
}

/// Whether performances play the same stretches, up to so many frames.
fn are_alike(a: &[Take], b: &[Take], near: u32) -> bool {
    let alike = |(a, b): (&Take, &Take)| {
        a.at.abs_diff(b.at) < near && (a.source + b.at).abs_diff(b.source + a.at) < near
    };
    a.len() == b.len() && a.iter().zip(b).all(alike)
}

fn pools_for(performer: &Performer, timeline: &Timeline, score: &Score) -> Pools {
    let roots = match timeline.places.is_empty() {
        true => Vec::new(),
        false => performer.roots(),
    };
    Pools::new(roots, score.place_weight, performer.footage.levels.len())
}
