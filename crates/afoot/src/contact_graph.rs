//! A library's graph of contact changes, as plans search it.

use std::sync::Arc;

use afoot_codec::ContentHash;
use afoot_core::Clip;
use afoot_graph::contact::{ContactGraph, ContactOptions, Merging, Objective, build_contact_graph};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::clustered::LevelClips;
use crate::failure::Failure;
use crate::library::Library;
use crate::requests::LibraryContacts;

/// How a library's graph of contact changes is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactRecipe {
    /// Largest error of a transition. [cm, > 0, at most 1000]
    pub threshold_cm: f32,
    /// Largest error between changes of contact that become one; 0 merges none. [cm, 0 to 1000]
    pub merge_cm: f32,
    /// What is to be least: torques, acceleration, time, distance.
    pub objective: ObjectiveWord,
    /// What a transition at the threshold costs, in seconds of average motion. [0 to 1000]
    pub transition: f64,
}

/// An objective, as a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // those of `Objective`
pub enum ObjectiveWord {
    #[default]
    Torques,
    Acceleration,
    Time,
    Distance,
}

impl Default for ContactRecipe {
    fn default() -> Self {
        let options = ContactOptions::default();
        Self {
            threshold_cm: options.graph.threshold_cm,
            merge_cm: options.merging.threshold_cm,
            objective: ObjectiveWord::default(),
            transition: options.transition,
        }
    }
}

impl ContactRecipe {
    fn options(&self) -> Result<ContactOptions, Failure> {
        let check = |what: &str, value: f64, good: bool, expected: &str| match good {
            true => Ok(()),
            false => Err(Failure::bad_value(what, value, expected)),
        };
        let (threshold, merge) = (f64::from(self.threshold_cm), f64::from(self.merge_cm));
        check(
            "threshold_cm",
            threshold,
            threshold > 0.0 && threshold < 100.0,
            "centimetres above 0",
        )?;
        check(
            "merge_cm",
            merge,
            (0.0..100.0).contains(&merge),
            "centimetres, 0 or more",
        )?;
        check(
            "transition",
            self.transition,
            self.transition >= 0.0,
            "seconds, 0 or more",
        )?;
        let usual = ContactOptions::default();
        Ok(ContactOptions {
            graph: afoot_graph::GraphOptions {
                threshold_cm: self.threshold_cm,
                ..usual.graph
            },
            objective: match self.objective {
                ObjectiveWord::Torques => Objective::Torques,
                ObjectiveWord::Acceleration => Objective::Acceleration,
                ObjectiveWord::Time => Objective::Time,
                ObjectiveWord::Distance => Objective::Distance,
            },
            transition: self.transition,
            merging: Merging {
                threshold_cm: self.merge_cm,
                ..usual.merging
            },
        })
    }
}

impl Library {
    /// The graph of contact changes of all clips, as it is kept, else made.
    pub(crate) fn load_contacts(
        &self,
        recipe: &ContactRecipe,
        run: &Run,
    ) -> Result<LibraryContacts, Failure> {
        let options = recipe.options()?;
        let store = self.read()?;
        let hashes: Vec<u8> = store
            .clips()?
            .iter()
            .flat_map(|clip| clip.hash().0)
            .collect();
        let clips = LevelClips::level(store.clips_on_one_skeleton("the plan", run)?);
        drop(store);
        let make = |_| Ok(build_contact_graph(clips.clips(), &options, run)?);
        let recipe = serde_json::to_string(recipe)?;
        let graph: ContactGraph = self.kept(&recipe, ContentHash::of(&hashes), run, make)?;
        if !fits(&graph, clips.clips()) {
            return Err(Failure::failed(
                "the kept graph of contact changes is not of these clips",
            ));
        }
        Ok(LibraryContacts {
            graph: Arc::new(graph),
            clips: Arc::new(clips),
        })
    }
}

/// Whether all that a graph plays is there.
fn fits(graph: &ContactGraph, clips: &[Clip]) -> bool {
    let holds = |clip: usize, end: u32| {
        clips
            .get(clip)
            .is_some_and(|clip| end as usize <= clip.len())
    };
    let mut pieces = graph.steps.iter().flat_map(|step| &step.pieces);
    let states = &graph.states;
    pieces.all(|piece| holds(piece.clip as usize, piece.frames.end))
        && states
            .iter()
            .all(|state| holds(state.place.clip.index(), state.place.frame.0 + 1))
}
