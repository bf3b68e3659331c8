//! Crowds: many characters who walk to goals of their own and keep clear of each other (Kovar et
//! al. 2002, §5.3).
//!
//! Characters are planned one after the other. The root traces of those who have their motion are
//! moving obstacles for the next, whose search through the graph (`crossing`) runs in space and time
//! at once: no path that motion must then fit, and nothing left to chance about when it is where.
//! Distances to goals around obstacles steer it (`ground`). Then the feet are planted, which may
//! move roots by millimetres, and the result is held against everyone again. A few characters are planned
//! side by side; who collides with an earlier one of them is planned anew, with other whims, start
//! and goals if need be. Cost: about 0.2 s per character and 30 s, more where it is dense.
//! Weaknesses: earlier characters never make way for later ones; a wrapped world's border is a wall.

mod crossing;
mod embedded;
mod others;
mod planner;

use std::collections::VecDeque;

use afoot_core::{Clip, Quat};
use afoot_run::{Run, Stopped};
use rayon::prelude::*;
use thiserror::Error;

use crate::allowed::UnknownLabel;
use crate::preference::Preference;
use crate::repertoire::Repertoire;
use crate::walk::{GraphWalk, Played};
use afoot_world::{World, WorldError};

use afoot_world::room_at;
pub use embedded::make_embedded_crowd;
use others::Others;
use planner::{Planner, Tried};

/// Characters planned side by side; more would spoil each other's plans too often.
const ABREAST: usize = 4;

/// What everyone's motion may take; a thousand characters for seven minutes at 30 frames a second. [GB]
const MOST_GIGABYTES: f64 = 8.0;

/// Who walks, and how long.
#[derive(Clone, Debug)]
pub struct CrowdOptions {
    /// How many characters. [≥ 1]
    pub count: usize,
    /// How long they walk. [s, > 0]
    pub seconds: f64,
    /// Styles: each character keeps to one of these labels, in turn; none lets all do anything.
    pub labels: Vec<String>,
    /// How they are to move.
    pub preference: Preference,
    /// How much whims decide, so that no two walk alike. [0 to 1]
    pub variety: f64,
    /// States that go on at each frame of a search; more find ways where it is dense. [≥ 1]
    pub width: usize,
    /// Plans that a character may try, each from another start to other goals. [≥ 1]
    pub attempts: u32,
    /// Room around a character in which others are a nuisance, between the discs. [m, > 0]
    pub ease: f64,
    /// Of everything random.
    pub seed: u64,
    /// Hears how far it is, and may stop it.
    pub run: Run,
}

impl Default for CrowdOptions {
    fn default() -> Self {
        Self {
            count: 20,
            seconds: 30.0,
            labels: Vec::new(),
            preference: Preference::default(),
            variety: 0.5,
            width: 24,
            attempts: 24,
            ease: 0.4,
            seed: 1,
            run: Run::quiet(),
        }
    }
}

/// Why there is no crowd.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum CrowdError {
    #[error(transparent)]
    World(#[from] WorldError),
    #[error(transparent)]
    UnknownLabel(#[from] UnknownLabel),
    #[error("a crowd of {count} for {seconds} s; expected at least one character and a frame")]
    Nobody { count: usize, seconds: f64 },
    #[error(
        "a crowd of {count} for {seconds} s takes {gigabytes:.0} GB of memory; at most {MOST_GIGABYTES:.0} GB \
         are allowed"
    )]
    TooLarge {
        count: usize,
        seconds: f64,
        gigabytes: f64,
    },
    #[error("the graph is empty")]
    EmptyGraph,
    #[error("motion labelled {label} can't go on for long: its frames form no loop in the graph")]
    DeadLabel { label: String },
    #[error("the world has no free ground for a character of radius {radius} m")]
    NoGround { radius: f64 },
    #[error(
        "{placed} of {count} characters found a way, the next none in {attempts} \
         attempts"
    )]
    NoRoom {
        placed: usize,
        count: usize,
        attempts: u32,
    },
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl CrowdError {
    /// Whether the request itself is wrong; else the library holds no motion for it.
    pub fn is_bad_request(&self) -> bool {
        matches!(
            self,
            Self::World(_)
                | Self::UnknownLabel(_)
                | Self::Nobody { .. }
                | Self::TooLarge { .. }
                | Self::NoGround { .. }
        )
    }
}

/// One of a crowd.
#[derive(Clone, Debug, PartialEq)]
pub struct Character {
    /// Its style.
    pub label: Option<String>,
    /// Where it starts. [m]
    pub start: [f64; 2],
    /// The goals that it reached, and the one on its way to at the end. [m]
    pub goals: Vec<[f64; 2]>,
    /// The pace it prefers. [m/s]
    pub pace: f64,
    /// The walk that was played.
    pub walk: GraphWalk,
    /// Its motion, finished and in the world.
    pub played: Played,
}

/// Characters who don't collide.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    /// All of equal length.
    pub characters: Vec<Character>,
    /// What it took, and how near they come.
    pub report: CrowdReport,
}

/// Figures of a crowd.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CrowdReport {
    /// Least distance of two roots at any frame; infinite for one character. [m]
    pub least_distance: f64,
    /// Least distance of a root from an obstacle or the border at any frame. [m]
    pub least_clearance: f64,
    /// Searches run.
    pub attempts: u32,
    /// Of them, searches whose character collided with one planned beside it.
    pub conflicts: u32,
    /// Of them, searches that found no way.
    pub dead_ends: u32,
    /// States whose successors were tried.
    pub expanded: u64,
}

/// Fills a world with characters.
pub fn make_crowd(
    repertoire: &Repertoire,
    world: &World,
    options: &CrowdOptions,
) -> Result<Crowd, CrowdError> {
    let planner = Planner::new(repertoire, world, options)?;
    let mut others = planner.nobody();
    let mut report = CrowdReport::default();
    let mut placed: Vec<Option<Character>> = vec![None; options.count];
    let mut waiting: VecDeque<(usize, u32)> = (0..options.count).map(|who| (who, 0)).collect();
    while !waiting.is_empty() {
        let abreast: Vec<(usize, u32)> = waiting.drain(..ABREAST.min(waiting.len())).collect();
        let tried: Vec<Tried> = abreast
            .par_iter()
            .map(|&(who, attempt)| planner.attempt(&others, who, attempt))
            .collect();
        let back = settle(
            &planner,
            &mut others,
            &mut report,
            &abreast,
            tried,
            &mut placed,
        )?;
        for again in back.into_iter().rev() {
            if again.1 >= options.attempts.max(1) {
                let placed = placed.iter().flatten().count();
                let (count, attempts) = (options.count, again.1);
                return Err(CrowdError::NoRoom {
                    placed,
                    count,
                    attempts,
                });
            }
            waiting.push_front(again);
        }
    }
    let characters: Vec<Character> = placed.into_iter().flatten().collect();
    report.least_distance = least_distance(&characters);
    report.least_clearance = least_clearance(world, &characters);
    Ok(Crowd { characters, report })
}

/// Frames of everyone's motion, if there is somebody and memory for all of them.
fn frames_of(repertoire: &Repertoire, options: &CrowdOptions) -> Result<u32, CrowdError> {
    let frames = repertoire.graph().rate.frames_in(options.seconds);
    let (count, seconds) = (options.count, options.seconds);
    if count == 0 || frames == 0 || !seconds.is_finite() {
        return Err(CrowdError::Nobody { count, seconds });
    }
    let joints = repertoire.skeleton().map_or(0, |skeleton| skeleton.len());
    let each = size_of::<Quat>() * joints + Others::BYTES;
    let gigabytes = frames as f64 * count as f64 * each as f64 / 1e9;
    if gigabytes > MOST_GIGABYTES || frames > u32::MAX as usize {
        return Err(CrowdError::TooLarge {
            count,
            seconds,
            gigabytes,
        });
    }
    Ok(frames as u32)
}

/// Takes in, in order, whoever keeps clear of all before; gives back who must try again.
fn settle(
    planner: &Planner,
    others: &mut Others,
    report: &mut CrowdReport,
    abreast: &[(usize, u32)],
    tried: Vec<Tried>,
    placed: &mut [Option<Character>],
) -> Result<Vec<(usize, u32)>, CrowdError> {
    let mut back = Vec::new();
    for (&(who, attempt), tried) in abreast.iter().zip(tried) {
        report.attempts += 1;
        report.expanded += tried.expanded;
        planner.options.run.check()?;
        match tried.character {
            None => {
                report.dead_ends += 1;
                back.push((who, attempt + 1));
            }
            Some(character) if planner.fits(others, &character.played.clip) => {
                others.insert(trace(&character.played.clip));
                placed[who] = Some(character);
                let (done, all) = (placed.iter().flatten().count(), placed.len());
                planner
                    .options
                    .run
                    .progress("placing", done as u64, all as u64);
            }
            Some(_) => {
                report.conflicts += 1;
                back.push((who, attempt + u32::from(back.is_empty())));
            }
        }
    }
    Ok(back)
}

fn trace(clip: &Clip) -> impl Iterator<Item = [f32; 2]> + '_ {
    clip.root.iter().map(|root| [root.x, root.z])
}

/// All pairs at all frames: the slow way on purpose, as a check of the quick one.
fn least_distance(characters: &[Character]) -> f64 {
    let traces: Vec<Vec<[f32; 2]>> = characters
        .iter()
        .map(|character| trace(&character.played.clip).collect())
        .collect();
    let of_one = |who: usize| {
        let mut least = f32::INFINITY;
        for other in &traces[..who] {
            for (a, b) in traces[who].iter().zip(other) {
                least = least.min((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2));
            }
        }
        f64::from(least.sqrt())
    };
    let all = (0..traces.len()).into_par_iter().map(of_one);
    all.reduce(|| f64::INFINITY, f64::min)
}

fn least_clearance(world: &World, characters: &[Character]) -> f64 {
    let of_one = |character: &Character| {
        trace(&character.played.clip)
            .map(|point| room_at(world, point.map(f64::from)))
            .fold(f64::INFINITY, f64::min)
    };
    let all = characters.par_iter().map(of_one);
    all.reduce(|| f64::INFINITY, f64::min)
}
