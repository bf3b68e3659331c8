//! Motion at random.

use afoot_run::Run;
use afoot_synth::WanderOptions;
use serde::{Deserialize, Serialize};

use crate::delivery::{MotionHeader, MotionRequest, Outlet, Told};
use crate::failure::Failure;
use crate::workspace::Workspace;

/// Asks for motion that wanders and uses the library evenly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
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
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<WanderDetails>, Failure> {
        let library = from.library()?;
        let graph = outlet.aside(|| library.ready_graph(run))?;
        let options = WanderOptions {
            seconds: self.seconds,
            labels: self.labels.clone(),
            seed: run.seed,
            run: run.clone(),
            ..WanderOptions::default()
        };
        let played = afoot_synth::wander(&graph, &options)?;
        outlet.begin(MotionHeader::of_graph(&graph, played.clip.len() as u64))?;
        outlet.push(played)?;
        Ok(Told::default())
    }
}
