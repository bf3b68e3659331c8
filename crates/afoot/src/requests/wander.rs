//! Motion at random.

use afoot_run::Run;
use afoot_synth::{Evenness, WanderOptions, measure_evenness, wander_words};
use serde::{Deserialize, Serialize};

use crate::delivery::{MotionHeader, MotionRequest, Outlet, Told};
use crate::failure::Failure;
use crate::requests::moving::{Moving, OddMotion, Tally};
use crate::workspace::Workspace;

/// Asks for motion that wanders and uses the library evenly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wander {
    /// How long. [s, > 0, at most 1000000]
    pub seconds: f64,
    /// Use only motion with these labels, or of these types, and what joins it where it leads nowhere.
    #[serde(rename = "as")]
    pub labels: Vec<String>,
    /// How the figure is to move.
    pub moving: Moving,
}

impl Default for Wander {
    fn default() -> Self {
        let WanderOptions {
            seconds, labels, ..
        } = WanderOptions::default();
        Self {
            seconds,
            labels,
            moving: Moving::default(),
        }
    }
}

/// What wandering tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WanderDetails {
    /// What was not asked for, longest first.
    pub oddities: Vec<OddMotion>,
    /// How evenly the library is used.
    pub evenness: Evenness,
}

/// Who repeats himself for longer than this does so for ever. [s]
const FOR_EVER: f64 = 10.0;
/// Joins bring some frames of other motion everywhere; more than this share of it is worth a word.
const MUCH: f64 = 0.2;

impl MotionRequest for Wander {
    type Details = WanderDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<WanderDetails>, Failure> {
        let library = from.library()?;
        let graph = outlet.aside(|| library.ready_graph(run))?;
        let options = WanderOptions {
            seconds: self.seconds,
            labels: self.labels.clone(),
            preference: self.moving.preference(&graph)?,
            seed: run.seed,
            run: run.clone(),
            ..WanderOptions::default()
        };
        let played = afoot_synth::wander(&graph, &options)?;
        let words = wander_words(&self.labels);
        let mut tally = Tally::default();
        tally.add(&played);
        let details = WanderDetails {
            oddities: self.moving.oddities(&graph, &words, &tally, run)?,
            evenness: measure_evenness(&*graph, &options, &played.sources)?,
        };
        let loops = details.evenness;
        if loops.longest_repeat_s > FOR_EVER {
            run.warn(format!(
                "{:.0} s of it repeat the same {:.1} s: no more of such motion leads on without end; mirror images, a \
                 higher threshold or longer clips would help",
                loops.longest_repeat_s, loops.playable_s
            ));
        }
        if !self.labels.is_empty() && loops.between_s > MUCH * self.seconds {
            run.warn(format!(
                "{:.0} of {:.0} s are other motion: {:.1} s labelled {} can play, which lead nowhere without it",
                loops.between_s,
                self.seconds,
                loops.playable_s,
                self.labels.join(", ")
            ));
        }
        outlet.faces_ahead(self.moving.faces_ahead(&graph, &self.labels)?);
        outlet.begin(MotionHeader::of_graph(&graph, played.clip.len() as u64))?;
        outlet.push(played)?;
        Ok(Told::of(details))
    }
}
