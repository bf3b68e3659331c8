//! A random walk without end that uses the library evenly.
//!
//! It goes where it has not been: the nearest frames that were played least, played on from there as
//! long as they are new, and so on (`explore`); when all have been, a new round begins. How a figure moves
//! is wished for as in every request, but motion has no goal here that would be worth an odd way: where the
//! ordinary frames lead on for ever, only they play (upright, facing the way, on the floor; walks, runs and
//! stands if no words are given), else all, and what is odd about them is the caller's to say. How even it
//! came out is measured by `evenness`. Cost: linear in the library, then a look at what is near for every
//! stretch that plays.

mod evenness;
mod explore;

use afoot_core::Locomotion;
use afoot_graph::{Edge, EdgeId, EdgeKind};
use afoot_run::{Run, Stopped};
use thiserror::Error;

use crate::allowed::{Allowed, UnknownLabel, Wanted};
use crate::edges::Edges;
use crate::finish::FinishOptions;
use crate::preference::Preference;
use crate::repertoire::Repertoire;
use crate::walk::{GraphWalk, Played, play_walk};

pub use evenness::{Evenness, measure_evenness};
use explore::Explorer;

/// How to wander.
#[derive(Clone, Debug)]
pub struct WanderOptions {
    /// How long. [s, > 0]
    pub seconds: f64,
    /// Words that all frames must carry; none allows all.
    pub labels: Vec<String>,
    /// How the figure is to move.
    pub preference: Preference,
    /// Shortest stretch of captured motion between two transitions, where there is one. [s, ≥ 0]
    pub least_play: f64,
    /// Longest stay in one clip while others have frames that were played less. [s, > 0]
    pub longest_stay: f64,
    /// Share of the choices that are left to chance. [0 to 1]
    pub chance: f64,
    /// Of the chance.
    pub seed: u64,
    /// Feet; a wandering root is not bent.
    pub finish: FinishOptions,
    /// Hears how far it is, and may stop it.
    pub run: Run,
}

impl Default for WanderOptions {
    fn default() -> Self {
        Self {
            seconds: 10.0,
            labels: Vec::new(),
            preference: Preference::default(),
            least_play: 0.5,
            longest_stay: 8.0,
            chance: 0.02,
            seed: 0,
            finish: FinishOptions::default(),
            run: Run::quiet(),
        }
    }
}

/// Why there is no wandering.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum WanderError {
    #[error(transparent)]
    UnknownLabel(#[from] UnknownLabel),
    #[error("{0} seconds: expected more than 0 and at most a million")]
    BadSeconds(f64),
    #[error("motion labelled {0} can't go on for long: its frames form no loop in the graph")]
    NoLoop(String),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl WanderError {
    /// Whether the request itself is wrong; else the library holds no motion for it.
    pub fn is_bad_request(&self) -> bool {
        matches!(self, Self::UnknownLabel(_) | Self::BadSeconds(_))
    }
}

/// Motion that wanders, from the origin, facing +z.
pub fn wander(repertoire: &Repertoire, options: &WanderOptions) -> Result<Played, WanderError> {
    let walk = find_wander(repertoire, options)?;
    let mut played = play_walk(repertoire, &walk);
    repertoire.finish(&mut played.clip, &options.finish);
    Ok(played)
}

/// The walk that [`wander`] plays.
pub fn find_wander(graph: &impl Edges, options: &WanderOptions) -> Result<GraphWalk, WanderError> {
    if !(options.seconds > 0.0 && options.seconds <= 1e6) {
        return Err(WanderError::BadSeconds(options.seconds));
    }
    let allowed = playable(graph, options)?;
    let frames = graph.layout().rate.frames_in(options.seconds).max(1);
    Explorer::new(graph, &allowed, options).walk(frames as u64, &options.run)
}

/// The words that say what is ordinary while one wanders: those asked for, else all that people do to
/// get about.
pub fn wander_words(labels: &[String]) -> Vec<String> {
    let about = [Locomotion::Walk, Locomotion::Run, Locomotion::Stand];
    match labels.is_empty() {
        true => about.iter().map(|gait| gait.name().to_owned()).collect(),
        false => labels.to_vec(),
    }
}

/// An edge may have this many odd frames, and no more than half: hips sway and turn within a step. [frames]
const ODD_FRAMES: u32 = 3;
/// Ordinary motion that goes on for ever, but for less than this, is no choice. [s]
const LEAST_LOOP: f64 = 3.0;

/// What may play where nothing else is asked for, to be kept with a graph.
pub(crate) fn usually_playable(graph: &impl Edges) -> Option<Allowed> {
    find_playable(graph, &WanderOptions::default()).ok()
}

/// [`find_playable`], or what is kept.
fn playable(graph: &impl Edges, options: &WanderOptions) -> Result<Allowed, WanderError> {
    let is_usual = options.labels.is_empty() && options.preference == Preference::default();
    match graph.usual().filter(|_| is_usual) {
        Some(kept) => Ok(kept),
        None => find_playable(graph, options),
    }
}

/// The edges that may play: the ordinary ones where they lead on without end, else all with the words.
fn find_playable(graph: &impl Edges, options: &WanderOptions) -> Result<Allowed, WanderError> {
    let wanted = Wanted::labels(graph, &options.labels)?;
    let words = wander_words(&options.labels);
    let odd_frames = graph.odd_frames(&options.preference, &words);
    let ordinary = |edge: &Edge| {
        let odd = odd_frames(edge);
        odd <= ODD_FRAMES && 2 * odd <= graph.frames(edge)
    };
    if options.preference.weight > 0.0 {
        let allowed = Allowed::connected_where(graph, wanted, ordinary);
        if played_frames(graph, &allowed) >= graph.layout().rate.frames_in(LEAST_LOOP) {
            return Ok(allowed);
        }
    }
    let allowed = Allowed::connected(graph, wanted);
    match allowed.is_empty() {
        true => Err(WanderError::NoLoop(options.labels.join(", "))),
        false => Ok(allowed),
    }
}

/// How many captured frames may play.
fn played_frames(graph: &impl Edges, allowed: &Allowed) -> usize {
    let edges = (0..).map(EdgeId).zip(graph.layout().edges);
    let played = edges.filter(|(id, edge)| edge.kind() == EdgeKind::Play && allowed.allows(*id));
    played.map(|(_, edge)| graph.frames(edge) as usize).sum()
}
