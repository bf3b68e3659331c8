//! A painted timeline performed.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use afoot_core::{Clip, ClipId, Ground};
use afoot_formats::WriteOptions;
use afoot_run::{Event, Run};
use afoot_synth::perform::{
    Better, EntryKept, LimbSource, Missing, PlaceMissed, PoseMet, join_harshness,
};
use afoot_synth::{
    FinishOptions, PerformError, PerformOptions, Performance, Performer, Rehearsal, Score,
};
use serde::{Deserialize, Serialize};

use crate::delivery::{
    Aim, Delivered, Measured, MotionHeader, MotionPiece, MotionRequest, Outlet, PieceSource,
    PlaceError, SourceClips, Told, deliver_with,
};
use crate::failure::Failure;
use crate::files::Files;
use crate::hint::Hint;
use crate::inputs::Input;
use crate::library::Library;
use crate::motion_files::Output;
use crate::ranges::Ranged;
use crate::threads::in_threads;
use crate::workspace::Workspace;

/// Asks for a score to be performed. If nothing says for how long to search, a number of iterations
/// that takes a few seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Perform {
    /// What should happen when.
    pub score: Input,
    /// Restarts of the search; the same number and seed give the same motion. [1 to 1000000]
    pub iterations: Option<u64>,
    /// Search for so long instead. [s, > 0, at most 86400]
    pub seconds_budget: Option<f64>,
    /// Blocks that a restart begins with: 0.53, 0.27 or 0.13, whichever is nearest. [s, > 0, at most 10]
    pub block: f64,
    /// Look for the best motion of all at the end, where library and score are small enough.
    pub exact: bool,
    /// Give the nearest that was found, also where the library can't do what is asked.
    pub best_effort: bool,
    /// Look at the score's file while searching, and go on with what it says then.
    pub watch: bool,
}

/// What performing tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PerformDetails {
    /// Painted entries, in the score's order, by the labels of the frames that play.
    pub entries: Vec<EntryKept>,
    /// Places, in the order of time.
    pub places: Vec<PlaceMissed>,
    /// Poses, in the order of time.
    pub poses: Vec<PoseMet>,
    /// Stretches that no captured frame does as asked.
    pub missing: Vec<Missing>,
    /// Cost of the motion: paint, joins and places.
    pub cost: f64,
    /// What the best motion of all costs, where it was looked for; places do not count in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// Paint and joins of what the search had found, to be held against that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<f64>,
    /// Restarts of the search.
    pub iterations: u64,
    /// When better ones were found.
    pub better: Vec<BetterFound>,
    /// Time taken to make the footage ready, which is kept. [s]
    pub prepared_s: f64,
    /// Time taken by the search. [s]
    pub searched_s: f64,
}

/// A performance that was better than those before it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BetterFound {
    /// After how many restarts.
    pub iteration: u64,
    /// Its cost.
    pub cost: f64,
    /// Since the search began. [s]
    pub seconds: f64,
}

/// A better performance, as who watches the run hears of it.
#[derive(Clone, Debug)]
pub struct PerformanceFound {
    /// Which it is and when it was found.
    pub found: BetterFound,
    /// Its captured stretches: clip, first frame, frames.
    pub takes: Vec<(ClipId, u32, u32)>,
}

/// Better performances, as they were found.
type Heard = Arc<Mutex<Vec<BetterFound>>>;

impl Default for Perform {
    fn default() -> Self {
        Self {
            score: Input::default(),
            iterations: None,
            seconds_budget: None,
            block: afoot_synth::perform::BLOCKS[0],
            exact: false,
            best_effort: false,
            watch: false,
        }
    }
}

/// An entry below this share was not performed.
const FAILED: f64 = 0.5;
/// An entry below this share is warned of.
const POOR: f64 = 0.9;
/// Who is farther from a place, or faces farther from its heading, is not there: within less than half a step everybody
/// would say so. [m, degrees]
const THERE: f64 = 0.3;
const FACES: f64 = 20.0;
/// Performances of nearly the same cost that are looked at more closely, at most.
const AUDITIONED: usize = 6;
/// What a place may be missed by more than by the cheapest performance. [m]
const NEAR: f64 = 0.02;
/// Blends at joins, half of which lie on either side. [s]
const BLEND: f64 = 0.4;

impl MotionRequest for Perform {
    type Details = PerformDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<PerformDetails>, Failure> {
        let library = from.library()?;
        let mut score = self.score.score(from.files())?;
        let begun = Instant::now();
        let performer = outlet.aside(|| library.performer(run))?;
        let prepared = begun.elapsed();
        let mut rehearsal = self.begin(&performer, &score)?;
        let searched = self.rehearse(&mut rehearsal, &mut score, from.files(), run)?;
        let mut told = self.play(&performer, &rehearsal, searched, outlet, run)?;
        told.details.prepared_s = prepared.as_secs_f64();
        Ok(told)
    }
}

impl Perform {
    /// Performs the score several times, each time otherwise, into numbered files.
    pub fn deliver_alternatives(
        &self,
        library: &Library,
        output: &Output,
        count: usize,
        run: &Run,
    ) -> Result<Vec<Delivered<PerformDetails>>, Failure> {
        self.check_ranges()?;
        in_threads(run, || {
            let mut score = self.score.score(library.files())?;
            let performer = library.performer(run)?;
            let mut rehearsal = self.begin(&performer, &score)?;
            let mut delivered = Vec::new();
            for index in 0..count.max(1) {
                if index > 0 {
                    rehearsal = rehearsal.alternative();
                }
                let output = numbered(output, index);
                delivered.push(deliver_with(&output, run, |outlet| {
                    let files = library.files();
                    let searched = self.rehearse(&mut rehearsal, &mut score, files, run)?;
                    self.play(&performer, &rehearsal, searched, outlet, run)
                })?);
            }
            Ok(delivered)
        })
    }

    /// The level of blocks whose length is nearest.
    fn top(&self) -> usize {
        let off = |level: &usize| {
            (afoot_synth::perform::BLOCKS[*level] / self.block)
                .ln()
                .abs()
        };
        let levels = 0..afoot_synth::perform::BLOCKS.len();
        levels.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
    }

    /// A rehearsal of a score that the library can do, or that is to be done as well as it can.
    fn begin<'a>(&self, performer: &'a Performer, score: &Score) -> Result<Rehearsal<'a>, Failure> {
        let rehearsal = Rehearsal::new(performer, score, self.top());
        let rehearsal = rehearsal.map_err(|error| match Failure::from(error) {
            failure if failure.field.is_none() => self.score.wrong(failure.message),
            failure => failure,
        })?;
        let missing = rehearsal.missing();
        match missing.first() {
            Some(_) if !self.best_effort => {
                let told: Vec<String> = missing.iter().map(ToString::to_string).collect();
                let message = self.score.wrong(told.join("; ")).message;
                Err(Failure::no_motion(message).with_hint(Hint::OtherPaint))
            }
            _ => Ok(rehearsal),
        }
    }

    /// Searches for as long as asked; a score that changes meanwhile is gone on with.
    fn rehearse(
        &self,
        rehearsal: &mut Rehearsal,
        score: &mut Score,
        files: &dyn Files,
        run: &Run,
    ) -> Result<Searched, Failure> {
        let (heard, first) = (Heard::default(), Instant::now());
        let file = match &self.score {
            Input::File(name) if self.watch => Some(files.locate(name)?),
            _ => None,
        };
        loop {
            let begun = Instant::now();
            let stamp = changed_at(file.as_ref());
            let budget = self.seconds_budget.map(Duration::from_secs_f64);
            let (watched, seen) = (file.clone(), stamp);
            let go_on = move || {
                let in_time = budget.is_none_or(|budget| begun.elapsed() < budget);
                in_time && changed_at(watched.as_ref()) == seen
            };
            let defaults = PerformOptions::default();
            let iterations = match (self.iterations, budget) {
                (Some(iterations), _) => iterations,
                (None, Some(_)) => u64::MAX / 2,
                (None, None) => defaults.iterations,
            };
            let options = PerformOptions {
                iterations,
                go_on: Arc::new(go_on),
                run: telling(run, begun, &heard),
                ..defaults
            };
            rehearsal.go_on(&options)?;
            if changed_at(file.as_ref()) == stamp {
                if self.exact && !rehearsal.prove(&options.run)? {
                    run.warn("score and library are too large for the best motion of all");
                }
                let better = heard.lock().map(|heard| heard.clone());
                return Ok(Searched {
                    better: better.unwrap_or_default(),
                    seconds: first.elapsed().as_secs_f64(),
                });
            }
            match self.score.score(files) {
                Ok(changed) => {
                    rehearsal.change(&changed)?;
                    *score = changed;
                    run.note("the score has changed");
                }
                Err(failure) => run.warn(failure),
            }
        }
    }

    /// Plays what is best, and says what came of it.
    fn play(
        &self,
        performer: &Arc<Performer>,
        rehearsal: &Rehearsal,
        searched: Searched,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<PerformDetails>, Failure> {
        let performance = self.with_limbs(rehearsal, audition(rehearsal, run)?, run)?;
        self.check_entries(&performance, run)?;
        self.check_places(&performance.places, run)?;
        let rate = performance.played.clip.rate;
        outlet.begin(MotionHeader {
            frames: performance.played.clip.len() as u64,
            rate,
            transition: rate.frames_in(BLEND) as u32,
            clips: Arc::clone(performer) as Arc<dyn SourceClips>,
            like: WriteOptions::default(),
        })?;
        let told = told(&performance, rehearsal.missing(), searched);
        let mut piece = MotionPiece::from(performance.played);
        piece
            .sources
            .extend(performance.limbs.into_iter().map(limb_source));
        outlet.push(piece)?;
        Ok(told)
    }

    /// The same performance, with limbs that do what is painted on them.
    fn with_limbs(
        &self,
        rehearsal: &Rehearsal,
        performance: Performance,
        run: &Run,
    ) -> Result<Performance, Failure> {
        let options = PerformOptions {
            run: run.clone(),
            ..PerformOptions::default()
        };
        match rehearsal.with_limbs(performance.clone(), &options) {
            Err(PerformError::Limbs(error)) if self.best_effort => {
                run.warn(error);
                Ok(performance)
            }
            made => Ok(made?),
        }
    }

    /// Refuses a performance without what was painted, and warns of one with little of it.
    fn check_entries(&self, performance: &Performance, run: &Run) -> Result<(), Failure> {
        let worst = performance
            .entries
            .iter()
            .filter(|entry| entry.share < POOR);
        for entry in worst {
            let word = if entry.want { "" } else { "not " };
            let on = on_chains(entry);
            let words = format!(
                "{word}{:?}{on} from {} to {} s: {:.0} of 100 frames carry it so",
                entry.label,
                entry.from,
                entry.to,
                100.0 * entry.share
            );
            if entry.share < FAILED && !self.best_effort {
                return Err(Failure::no_motion(words).with_hint(Hint::OtherPaint));
            }
            run.warn(words);
        }
        Ok(())
    }
}

impl Perform {
    /// Refuses a performance that is not where it was to be, or warns of it where the nearest is wanted.
    fn check_places(&self, places: &[PlaceMissed], run: &Run) -> Result<(), Failure> {
        let missed: Vec<String> = (places.iter().filter(|place| !is_there(place)))
            .map(|place| {
                format!(
                    "the place at {} s is missed by {:.2} m and {:.0} degrees (bars {THERE} m and {FACES} degrees)",
                    place.at, place.error_m, place.error_deg
                )
            })
            .collect();
        match missed.is_empty() {
            true => Ok(()),
            false if self.best_effort => {
                missed.into_iter().for_each(|words| run.warn(words));
                Ok(())
            }
            false => Err(Failure::no_motion(missed.join("; ")).with_hint(Hint::NearerPlace)),
        }
    }
}

/// Whether a place that was asked for is reached: within 0.3 m and, where it has a heading, 20 degrees.
pub fn is_there(place: &PlaceMissed) -> bool {
    place.error_m <= THERE && place.error_deg <= FACES
}

/// Of performances that cost nearly the same, the one that is calmest at its joins: what frames look like tells
/// only in part what a blend of them does. None that misses a place by more than the cheapest does: who is asked to be
/// somewhere is there, however calmly he could be elsewhere.
fn audition(rehearsal: &Rehearsal, run: &Run) -> Result<Performance, Failure> {
    let finish = FinishOptions::default();
    let mut best: Option<(f32, Performance)> = None;
    let mut allowed = f64::INFINITY;
    for candidate in 0..rehearsal.candidates().clamp(1, AUDITIONED) {
        run.check()?;
        let performance = rehearsal.enact_candidate(candidate, &finish)?;
        let missed = performance.places.iter().map(|place| place.error_m);
        let missed = missed.fold(0.0, f64::max);
        if candidate == 0 {
            allowed = missed + NEAR;
        }
        let harshness = join_harshness(&performance.played, BLEND);
        let calmer = best.as_ref().is_none_or(|(least, _)| harshness < *least);
        if calmer && missed <= allowed {
            best = Some((harshness, performance));
        }
    }
    let none = || Failure::no_motion("nothing was found");
    best.map(|(_, performance)| performance).ok_or_else(none)
}

fn told(
    performance: &Performance,
    missing: Vec<Missing>,
    searched: Searched,
) -> Told<PerformDetails> {
    let Performance {
        entries,
        places,
        poses,
        finding,
        ..
    } = performance;
    let worst = |value: fn(&PlaceMissed) -> f64| places.iter().map(value).fold(0.0, f64::max);
    Told {
        aim: Aim::default(),
        measured: Measured {
            label_share: label_share(entries),
            place_error: (!places.is_empty()).then(|| PlaceError {
                metres: worst(|place| place.error_m),
                degrees: worst(|place| place.error_deg),
            }),
            ..Measured::default()
        },
        details: PerformDetails {
            entries: entries.clone(),
            places: places.clone(),
            poses: poses.clone(),
            missing,
            cost: f64::from(finding.cost),
            bound: finding.bound.map(f64::from),
            searched: finding.searched.map(f64::from),
            iterations: finding.iterations,
            better: searched.better,
            prepared_s: 0.0,
            searched_s: searched.seconds,
        },
    }
}

/// Share of all that is painted that is kept, if anything is.
pub(crate) fn label_share(entries: &[EntryKept]) -> Option<f64> {
    let length = |entry: &EntryKept| entry.to - entry.from;
    let painted: f64 = entries.iter().map(length).sum();
    let kept: f64 = entries
        .iter()
        .map(|entry| entry.share * length(entry))
        .sum();
    (painted > 0.0).then(|| kept / painted)
}

/// The limbs that an entry is painted on, in words.
fn on_chains(entry: &EntryKept) -> String {
    match entry.chains.is_empty() {
        true => String::new(),
        false => format!(" on {}", entry.chains.join(" and ")),
    }
}

fn limb_source(limb: LimbSource) -> PieceSource {
    PieceSource {
        chains: limb.chains,
        ..PieceSource::whole(limb.clip, limb.frames, limb.at)
    }
}

/// What a search told of itself.
struct Searched {
    better: Vec<BetterFound>,
    /// [s]
    seconds: f64,
}

/// The same run, whose watchers hear of better performances with their time; so does `heard`.
fn telling(run: &Run, begun: Instant, heard: &Heard) -> Run {
    let (told, heard) = (run.clone(), Arc::clone(heard));
    let watched = Run::watched(move |event| match event {
        Event::Partial(part) => {
            let Some(better) = part.get::<Better>() else {
                return;
            };
            let found = BetterFound {
                iteration: better.iteration,
                cost: f64::from(better.cost),
                seconds: begun.elapsed().as_secs_f64(),
            };
            if let Ok(mut heard) = heard.lock() {
                heard.push(found);
            }
            let take = |&(clip, first, frames): &_| (ClipId::from(clip), first, frames);
            told.partial(|| PerformanceFound {
                found,
                takes: better.takes.iter().map(take).collect(),
            });
        }
        Event::Progress(progress) => told.progress(progress.stage, progress.done, progress.total),
        Event::Note(words) => told.note(words),
        Event::Warning(words) => told.warn(words),
    });
    let watched = watched
        .with_cancel(run.cancel().clone())
        .with_seed(run.seed);
    match run.threads {
        Some(threads) => watched.with_threads(threads),
        None => watched,
    }
}

fn changed_at(file: Option<&PathBuf>) -> Option<SystemTime> {
    let facts = std::fs::metadata(file?).ok()?;
    facts.modified().ok()
}

/// The second output beside `walk.bvh` is `walk-2.bvh`.
fn numbered(output: &Output, index: usize) -> Output {
    if index == 0 {
        return output.clone();
    }
    let number = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        path.with_file_name(format!("{stem}-{}.{ending}", index + 1))
    };
    Output {
        file: number(&output.file),
        also: output.also.iter().map(number).collect(),
        picture: output.picture.as_ref().map(number),
        page: output.page.as_ref().map(number),
        plan_picture: output.plan_picture.as_ref().map(number),
        ..output.clone()
    }
}

impl SourceClips for Performer {
    fn name(&self, clip: ClipId) -> &str {
        &self.clips()[clip.index()].name
    }

    fn captured(&self, clip: ClipId) -> &Clip {
        &self.clips()[clip.index()]
    }

    fn statistics(&self) -> Option<&afoot_analyze::SourceStatistics> {
        Performer::statistics(self)
    }

    fn floor(&self) -> Option<f32> {
        Performer::floor(self).map(|floor| floor.height)
    }

    fn ground(&self) -> Option<Ground> {
        Performer::floor(self)
    }
}
