//! How a graph is built, and what can be wrong with that or with the clips.

use afoot_core::{Clip, ClipError, ClipMismatch, FrameRate};
use afoot_edit::blend::BlendError;
use afoot_run::Stopped;
use thiserror::Error;

use crate::auto::AutoOptions;
use crate::candidates::Candidates;
use crate::distance::CloudOptions;
use crate::fingerprint::compared_hash;
use crate::minima::Candidate;
use crate::prune::Pruning;
use crate::search::SearchOptions;
use crate::thresholds::PairThreshold;

/// How a graph is built.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphOptions {
    /// Length of the windows that are compared and of the transitions. [s, > 0, at most 5]
    ///
    /// A third of a second: Kovar et al. 2002, §3.1.
    pub window: f64,
    /// Largest error of a transition. [cm, > 0]
    pub threshold_cm: f32,
    /// Thresholds between frames that carry certain words; the loosest that applies counts.
    pub pairs: Vec<PairThreshold>,
    /// Finds the thresholds instead; `threshold_cm` and `pairs` are not used then.
    pub auto: Option<AutoOptions>,
    /// Candidates are kept up to this error, or the loosest threshold if that is larger: how far
    /// `auto` and advice can look, and what can be changed later without comparing again. [cm, > 0]
    pub ceiling_cm: f32,
    /// Shortest time from a place where one may leave a clip to the next; transitions count, so that it
    /// is a window at least. 0 keeps all candidates. [s, >= 0]
    pub minimum_clip: f64,
    /// Where places are spaced by `minimum_clip`: like places that each of them keeps, the best first; a pair
    /// stays if either keeps it. 0 keeps all.
    ///
    /// Of motion that repeats itself every place is like hundreds of others, which all do the same.
    pub most_partners: u32,
    /// What is kept of the graph.
    pub pruning: Pruning,
    /// Which points of the body count how much.
    pub cloud: CloudOptions,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self {
            window: 1.0 / 3.0,
            threshold_cm: 4.0,
            pairs: Vec::new(),
            auto: None,
            ceiling_cm: 12.0,
            minimum_clip: 0.0,
            most_partners: 0,
            pruning: Pruning::default(),
            cloud: CloudOptions::default(),
        }
    }
}

/// Why no graph was built.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum GraphError {
    #[error("{what} is {found}; expected {expected}")]
    BadOption {
        what: &'static str,
        found: f64,
        expected: &'static str,
    },
    #[error(transparent)]
    Mismatch(#[from] ClipMismatch),
    #[error("the library uses {0} labels; a graph can tell at most 64 apart")]
    TooManyLabels(usize),
    #[error("every joint has weight 0: nothing is left to compare")]
    NoWeight,
    #[error("the candidates were found for other clips; search again")]
    OtherCandidates,
    #[error(transparent)]
    Clip(#[from] ClipError),
    #[error(transparent)]
    Blend(#[from] BlendError),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl GraphOptions {
    /// How candidates are searched among clips of that rate.
    pub fn search(&self, rate: FrameRate) -> SearchOptions {
        let window = window_frames(self.window, rate);
        SearchOptions {
            window,
            ceiling_cm: self.ceiling_cm(),
            cloud: self.cloud.clone(),
        }
    }

    /// The error up to which candidates are searched. [cm]
    pub(crate) fn ceiling_cm(&self) -> f32 {
        let thresholds = self.pairs.iter().map(|pair| pair.threshold_cm);
        thresholds
            .chain([self.threshold_cm])
            .fold(self.ceiling_cm, f32::max)
    }
}

/// Frames per window at that rate: at least 2.
pub fn window_frames(seconds: f64, rate: FrameRate) -> usize {
    rate.frames_in(seconds).max(2)
}

pub(crate) fn check_options(options: &GraphOptions) -> Result<(), GraphError> {
    let window = options.window;
    let expected = "more than 0 and at most 5 seconds";
    check_option(
        "the window",
        window,
        window > 0.0 && window <= 5.0,
        expected,
    )?;
    let shortest = options.minimum_clip;
    let fits = (0.0..=60.0).contains(&shortest);
    check_option("the shortest clip", shortest, fits, "0 to 60 seconds")?;
    let pairs = options.pairs.iter().map(|pair| pair.threshold_cm);
    for cm in pairs.chain([options.threshold_cm]) {
        let fits = cm > 0.0 && cm.is_finite();
        check_option("a threshold", cm.into(), fits, "more than 0 cm")?;
    }
    if let Some(AutoOptions { share }) = options.auto {
        let fits = (0.0..=1.0).contains(&share);
        check_option("the share of frames wanted", share, fits, "0 to 1")?;
    }
    Ok(())
}

fn check_option(
    what: &'static str,
    found: f64,
    fits: bool,
    expected: &'static str,
) -> Result<(), GraphError> {
    match fits {
        true => Ok(()),
        false => Err(GraphError::BadOption {
            what,
            found,
            expected,
        }),
    }
}

/// Clips must be sound and of one skeleton and rate.
pub(crate) fn check_clips(clips: &[Clip]) -> Result<(), GraphError> {
    let Some(first) = clips.first() else {
        return Ok(());
    };
    for clip in clips {
        clip.check()?;
        first.check_matches(clip)?;
    }
    Ok(())
}

/// Candidates must belong to these clips and options, whatever bytes they were read from.
pub(crate) fn check_candidates(
    clips: &[Clip],
    candidates: &Candidates,
    options: &GraphOptions,
) -> Result<(), GraphError> {
    let Some(first) = clips.first() else {
        return Ok(());
    };
    let search = options.search(first.rate);
    let fits = |clip: u32, start: u32| {
        let end = (start as usize).saturating_add(search.window);
        clips
            .get(clip as usize)
            .is_some_and(|clip| end <= clip.len())
    };
    let sound = |c: &Candidate| fits(c.a, c.i) && fits(c.b, c.s);
    let same = candidates.options == search.fingerprint(clips)
        && clips
            .iter()
            .map(compared_hash)
            .eq(candidates.clips.iter().copied())
        && candidates.missing().is_empty()
        && candidates.list.iter().all(sound);
    if same {
        Ok(())
    } else {
        Err(GraphError::OtherCandidates)
    }
}
