//! A random walk without end that uses the library evenly.
//!
//! It goes where it has not been: the nearest frames that were played least, played on from there as
//! long as they are new, and so on (`explore`); when all have been, a new round begins. How a figure moves
//! is wished for as in every request, but motion has no goal here that would be worth an odd way: where the
//! ordinary frames lead on for ever, only they play (upright, facing the way, on the floor; walks, runs and
//! stands if no words are given), else all, and what is odd about them is the caller's to say. Words whose
//! motion leads back into itself within seconds, or nowhere (a jump ends in a stand), are joined by other
//! motion, as little as possible. How even it came out is measured by `evenness`. Cost: linear in the
//! library, then a look at what is near for every stretch that plays.

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
    /// Words that frames must carry, but for what joins stretches that else lead nowhere; none allows all.
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
    repertoire.finish(&mut played.clip, (&walk, None), &options.finish);
    Ok(played)
}

/// The walk that [`wander`] plays.
pub fn find_wander(graph: &impl Edges, options: &WanderOptions) -> Result<GraphWalk, WanderError> {
    if !(options.seconds > 0.0 && options.seconds <= 1e6) {
        return Err(WanderError::BadSeconds(options.seconds));
    }
    let playable = playable(graph, options)?;
    let frames = graph.layout().rate.frames_in(options.seconds).max(1);
    Explorer::new(graph, &playable, options).walk(frames as u64, &options.run)
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
/// Motion that goes on for ever in less than this is seen as a loop; what leads on to more of its kind
/// through other motion is better. [s]
const LEAST_LOOP: f64 = 10.0;
/// Ordinary motion that goes on for ever, but for less than this, is no choice. [s]
const LEAST_ORDINARY: f64 = 3.0;

/// What may play where nothing else is asked for, to be kept with a graph.
pub(crate) fn usually_playable(graph: &impl Edges) -> Option<Allowed> {
    let playable = find_playable(graph, &WanderOptions::default()).ok()?;
    Some(playable.allowed)
}

/// [`find_playable`], or what is kept.
fn playable(graph: &impl Edges, options: &WanderOptions) -> Result<Playable, WanderError> {
    let is_usual = options.labels.is_empty() && options.preference == Preference::default();
    match graph.usual().filter(|_| is_usual) {
        Some(allowed) => Ok(Playable {
            allowed,
            wanted: None,
        }),
        None => find_playable(graph, options),
    }
}

/// What may play.
struct Playable {
    allowed: Allowed,
    /// Of every frame of every clip: whether it carries the words asked for and plays on some way. What
    /// else is allowed leads from one such stretch to another. `None` where all that is allowed is wanted.
    wanted: Option<Vec<Vec<bool>>>,
}

impl Playable {
    fn new(graph: &impl Edges, wanted: Wanted, allowed: Allowed) -> Self {
        let wanted = Some(wanted_frames(graph, wanted, &allowed));
        Self { allowed, wanted }
    }

    /// Whether a frame of a clip is to be played.
    #[inline]
    fn is_wanted(&self, clip: usize, frame: usize) -> bool {
        let wanted = self.wanted.as_ref();
        wanted.is_none_or(|wanted| wanted[clip][frame])
    }

    /// Of every frame of every clip: whether it is to be played and can be.
    fn frames(self, graph: &impl Edges) -> Vec<Vec<bool>> {
        let all = |allowed: &Allowed| wanted_frames(graph, Wanted::ANYTHING, allowed);
        self.wanted.unwrap_or_else(|| all(&self.allowed))
    }

    /// The one with more of the words.
    fn or_more_of(self, other: Self) -> Self {
        match other.count() > self.count() {
            true => other,
            false => self,
        }
    }

    /// How much captured motion with the words may play. [frames]
    fn count(&self) -> usize {
        let frames = self.wanted.iter().flatten().flatten();
        frames.filter(|wanted| **wanted).count()
    }
}

/// Of every frame of every clip: whether allowed edges play it that carry the words.
fn wanted_frames(graph: &impl Edges, wanted: Wanted, allowed: &Allowed) -> Vec<Vec<bool>> {
    let layout = graph.layout();
    let clips = layout.clips.iter().map(|clip| clip.frames as usize);
    let mut frames: Vec<Vec<bool>> = clips.map(|frames| vec![false; frames]).collect();
    for (id, edge) in (0..).map(EdgeId).zip(layout.edges) {
        let plays = edge.kind() == EdgeKind::Play && allowed.allows(id);
        if plays && wanted.allows(edge.labels) {
            let [from, to] = [edge.from, edge.to].map(|node| layout.places[node.0 as usize]);
            frames[from.clip.index()][from.frame.index()..to.frame.index()].fill(true);
        }
    }
    frames
}

/// What may play: motion with the words alone, where that goes on without end and is no loop that is seen as
/// such within the time asked for; else also motion without them, ordinary where that leads to enough.
fn find_playable(graph: &impl Edges, options: &WanderOptions) -> Result<Playable, WanderError> {
    let wanted = Wanted::labels(graph, &options.labels)?;
    let in_seconds = |seconds: f64| graph.layout().rate.frames_in(seconds.min(options.seconds));
    let mut playable = strictly(graph, wanted, options);
    if !options.labels.is_empty() {
        if playable.count() < in_seconds(LEAST_LOOP) {
            playable = playable.or_more_of(with_bridges(graph, wanted, options));
        }
        if playable.count() < in_seconds(LEAST_ORDINARY) {
            playable = playable.or_more_of(with_any_bridges(graph, wanted));
        }
    }
    if playable.count() == 0 {
        return Err(WanderError::NoLoop(options.labels.join(", ")));
    }
    if options.labels.is_empty() {
        playable.wanted = None;
    }
    Ok(playable)
}

/// Frames with the words alone: the ordinary ones where they lead on without end, else all.
fn strictly(graph: &impl Edges, wanted: Wanted, options: &WanderOptions) -> Playable {
    if options.preference.weight > 0.0 {
        let words = wander_words(&options.labels);
        let ordinary = is_ordinary(graph, &options.preference, &words);
        let allowed = Allowed::connected_where(graph, wanted, ordinary);
        let playable = Playable::new(graph, wanted, allowed);
        if playable.count() >= graph.layout().rate.frames_in(LEAST_ORDINARY) {
            return playable;
        }
    }
    Playable::new(graph, wanted, Allowed::connected(graph, wanted))
}

/// Frames with the words, and what people do to get about between them.
fn with_bridges(graph: &impl Edges, wanted: Wanted, options: &WanderOptions) -> Playable {
    let words = wander_words(&options.labels);
    let as_asked = is_ordinary(graph, &options.preference, &words);
    let about = is_ordinary(graph, &options.preference, &wander_words(&[]));
    let either = |edge: &Edge| about(edge) || (wanted.allows(edge.labels) && as_asked(edge));
    let allowed = Allowed::connected_where(graph, Wanted::ANYTHING, either);
    Playable::new(graph, wanted, allowed)
}

/// Frames with the words, and whatever else leads from one of them to another.
fn with_any_bridges(graph: &impl Edges, wanted: Wanted) -> Playable {
    let allowed = Allowed::connected(graph, Wanted::ANYTHING);
    Playable::new(graph, wanted, allowed)
}

/// Whether an edge is what one would expect of motion with some words.
fn is_ordinary<'a, G: Edges>(
    graph: &'a G,
    preference: &Preference,
    words: &[String],
) -> impl Fn(&Edge) -> bool + use<'a, G> {
    let odd_frames = graph.odd_frames(preference, words);
    let cares = preference.weight > 0.0;
    move |edge| {
        let odd = if cares { odd_frames(edge) } else { 0 };
        odd <= ODD_FRAMES && 2 * odd <= graph.frames(edge)
    }
}
