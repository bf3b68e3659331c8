//! Motion at random.

use afoot_run::Run;
use afoot_synth::WanderOptions;
use serde::{Deserialize, Serialize};

use crate::delivery::{MotionRequest, Sink, Told, time_it};
use crate::failure::Failure;
use crate::library::Library;

/// Asks for motion that wanders and uses the library evenly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wander {
    /// How long. [s, > 0]
    pub seconds: f64,
    /// Use only motion with these labels, or of these types.
    #[serde(rename = "as")]
    pub labels: Vec<String>,
}

impl Default for Wander {
    fn default() -> Self {
        let WanderOptions {
            seconds, labels, ..
        } = WanderOptions::default();
        Self { seconds, labels }
    }
}

/// Wandering tells nothing of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WanderDetails {}

impl MotionRequest for Wander {
    type Details = WanderDetails;

    fn make(
        &self,
        library: &Library,
        sink: &mut dyn Sink,
        run: &Run,
    ) -> Result<Told<WanderDetails>, Failure> {
        let stock = library.stock(run)?;
        let options = WanderOptions {
            seconds: self.seconds,
            labels: self.labels.clone(),
            seed: run.seed,
            run: run.clone(),
            ..WanderOptions::default()
        };
        let (played, seconds) = time_it(|| afoot_synth::wander(stock.repertoire(), &options));
        let played = played?;
        sink.begin(&stock, played.clip.len() as u64)?;
        sink.push(played)?;
        Ok(Told {
            seconds,
            ..Told::default()
        })
    }
}
