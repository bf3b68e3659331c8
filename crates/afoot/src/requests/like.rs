//! All stretches of a library that do the same as an example (Kovar and Gleicher 2004).

use std::time::Instant;

use afoot_graph::clusters::Stretch;
use afoot_graph::{LikeOptions, Likeness, find_like};
use afoot_library::ClusterRecipe;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::clustered::Compared;
use crate::failure::Failure;
use crate::hint::Hint;
use crate::library::Library;
use crate::ranges::Ranged;
use crate::threads::in_threads;

/// Asks for all stretches like one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Like {
    /// The example: `NAME[2.0s..4.5s]`, or a whole clip.
    pub example: String,
    /// Mean error of the frames of a stretch and of what it was found by. [cm, > 0, at most 1000]
    pub error_cm: f32,
    /// How often what was found is asked for in turn; 0 compares with the example alone. [0 to 1000]
    pub steps: u32,
    /// Most stretches that are looked for. [1 to 1000000]
    pub most: usize,
    /// What frames are compared by; its error is not used.
    pub recipe: ClusterRecipe,
}

impl Default for Like {
    fn default() -> Self {
        let options = LikeOptions::default();
        Self {
            example: String::new(),
            error_cm: options.error * 100.0,
            steps: options.steps,
            most: options.most,
            recipe: ClusterRecipe::default(),
        }
    }
}

/// Stretches that were found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LikeFound {
    /// By how many lie between each and the example, then by error.
    pub found: Vec<LikeStretch>,
    /// Time taken, with reading the clips. [s]
    pub seconds: f64,
}

/// A stretch that does the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LikeStretch {
    /// Whose frames.
    pub clip: String,
    /// From. [s]
    pub from: f64,
    /// To, half-open. [s]
    pub to: f64,
    /// Mean error of its frames and of those that it was found by. [cm]
    pub error_cm: f64,
    /// What lies between it and the example, as it would be selected.
    pub through: Vec<String>,
}

impl Like {
    /// Looks for stretches in all clips.
    pub fn run(&self, library: &Library, run: &Run) -> Result<LikeFound, Failure> {
        self.check_ranges()?;
        in_threads(run, || {
            let start = Instant::now();
            let options = self.options();
            let compared = library.compared_with(&self.example, &self.recipe, run)?;
            let example = compared.selected(&self.example)?;
            let likenesses = find_like(&compared.frames, &example, &options, run)?;
            if likenesses.is_empty() {
                let message = format!(
                    "nothing else is like {:?} within {} cm",
                    self.example, self.error_cm
                );
                return Err(Failure::no_motion(message).with_hint(Hint::LargerError));
            }
            Ok(LikeFound {
                found: compared.told(&likenesses),
                seconds: start.elapsed().as_secs_f64(),
            })
        })
    }

    fn options(&self) -> LikeOptions {
        LikeOptions {
            error: self.error_cm / 100.0,
            steps: self.steps,
            most: self.most,
        }
    }
}

impl Compared {
    fn told(&self, found: &[Likeness]) -> Vec<LikeStretch> {
        let words = |stretch: &Stretch| {
            let [from, to] =
                [stretch.frames.start, stretch.frames.end].map(|frame| self.seconds(frame));
            format!("{}[{from:.3}s..{to:.3}s]", self.name(stretch.clip))
        };
        let through = |likeness: &Likeness| {
            let mut between: Vec<String> = Vec::new();
            let mut at = likeness.by;
            while let Some(index) = at {
                between.push(words(&found[index].stretch));
                at = found[index].by;
            }
            between.reverse();
            between
        };
        let told = |likeness: &Likeness| LikeStretch {
            clip: self.name(likeness.stretch.clip),
            from: self.seconds(likeness.stretch.frames.start),
            to: self.seconds(likeness.stretch.frames.end),
            error_cm: f64::from(likeness.error) * 100.0,
            through: through(likeness),
        };
        found.iter().map(told).collect()
    }
}
