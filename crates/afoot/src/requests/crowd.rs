//! Many characters in a world.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use afoot_analyze::Quality;
use afoot_formats::files::write_whole;
use afoot_run::Run;
use afoot_synth::{Character, CrowdOptions, Repertoire, make_crowd};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::delivery::{MotionHeader, SourceStretch, Told, deliver_with, rounded};
use crate::failure::Failure;
use crate::inputs::Input;
use crate::library::Library;
use crate::motion_files::Output;
use crate::pictures;
use crate::staged_folder::StagedFolder;
use crate::threads::in_threads;

/// Asks for characters who keep clear of each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Crowd {
    /// The world: bounds, obstacles, radius.
    pub world: Input,
    /// How many characters. [≥ 1]
    pub count: u32,
    /// How long. [s, > 0]
    pub seconds: f64,
    /// Styles: each character keeps to one of these labels or types, in turn.
    #[serde(rename = "as")]
    pub labels: Vec<String>,
}

impl Default for Crowd {
    fn default() -> Self {
        let CrowdOptions {
            count,
            seconds,
            labels,
            ..
        } = CrowdOptions::default();
        Self {
            world: Input::default(),
            count: count as u32,
            seconds,
            labels,
        }
    }
}

/// A crowd that was made.
#[derive(Clone, Debug, Serialize)]
pub struct CrowdMade {
    /// Who walks.
    pub characters: Vec<CharacterMade>,
    /// Of the disc that a character takes up. [m]
    pub radius_m: f64,
    /// Least distance of two roots at any frame; infinite for one character. [m]
    #[serde(serialize_with = "finite")]
    pub least_distance_m: f64,
    /// Least distance of a root from an obstacle or the border. [m]
    #[serde(serialize_with = "finite")]
    pub least_clearance_m: f64,
    /// Searches run.
    pub attempts: u32,
    /// Time taken. [s]
    pub compute_seconds: f64,
}

/// One of a crowd.
#[derive(Clone, Debug, Serialize)]
pub struct CharacterMade {
    /// Its file in the folder.
    pub file: String,
    /// Its style.
    #[serde(rename = "as")]
    pub label: Option<String>,
    /// Where it starts. [m]
    pub start: [f64; 2],
    /// The goals that it reached, and the one on its way to at the end. [m]
    pub goals: Vec<[f64; 2]>,
    /// How good its file is.
    #[serde(serialize_with = "rounded")]
    pub quality: Quality,
    /// Where its frames come from.
    pub sources: Vec<SourceStretch>,
}

fn finite<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    value.is_finite().then_some(*value).serialize(to)
}

impl Crowd {
    /// Makes the crowd into a folder: a motion file a character, a picture and the report.
    pub fn run(
        &self,
        library: &Library,
        folder: impl AsRef<Path>,
        run: &Run,
    ) -> Result<CrowdMade, Failure> {
        let folder = folder.as_ref();
        in_threads(run, || self.make(library, folder, run))
    }

    fn make(&self, library: &Library, folder: &Path, run: &Run) -> Result<CrowdMade, Failure> {
        let world = self.world.world(library.files())?;
        let graph = library.ready_graph(run)?;
        let options = CrowdOptions {
            count: self.count as usize,
            seconds: self.seconds,
            labels: self.labels.clone(),
            seed: run.seed,
            run: run.clone(),
            ..CrowdOptions::default()
        };
        let begun = Instant::now();
        let crowd = make_crowd(&graph, &world, &options)?;
        let seconds = begun.elapsed().as_secs_f64();
        let staged = StagedFolder::new(folder)?;
        let delivery = CharacterDelivery {
            graph: &graph,
            folder: staged.path(),
            run: run.warnings_only(),
            share: seconds / crowd.characters.len().max(1) as f64,
        };
        let characters = crowd.characters.par_iter().enumerate();
        let characters = characters.map(|(number, one)| delivery.deliver(number, one));
        let characters = characters.collect::<Result<_, _>>()?;
        let picture = pictures::crowd(&crowd, &world)?;
        write_whole(&staged.path().join("crowd.png"), &picture)?;
        let made = CrowdMade {
            characters,
            radius_m: world.radius,
            least_distance_m: crowd.report.least_distance,
            least_clearance_m: crowd.report.least_clearance,
            attempts: crowd.report.attempts,
            compute_seconds: seconds,
        };
        let report = serde_json::to_value(&made)?.to_string();
        write_whole(&staged.path().join("crowd.json"), report.as_bytes())?;
        run.check()?;
        staged.put_in_place()?;
        run.note(format!("wrote {}", folder.display()));
        Ok(made)
    }
}

/// What all characters are delivered with.
struct CharacterDelivery<'a> {
    graph: &'a Arc<Repertoire>,
    folder: &'a Path,
    run: Run,
    /// One's share of the time taken to make all. [s]
    share: f64,
}

impl CharacterDelivery<'_> {
    fn deliver(&self, number: usize, character: &Character) -> Result<CharacterMade, Failure> {
        let file = format!("character_{:03}.bvh", number + 1);
        let output = Output::to(self.folder.join(&file));
        let played = character.played.clone();
        let mut delivered = deliver_with(&output, &self.run, |outlet| {
            let frames = played.clip.len() as u64;
            outlet.begin(MotionHeader::of_graph(self.graph, frames))?;
            outlet.push(played)?;
            Ok(Told::<()>::default())
        })?;
        delivered.quality.took(self.share);
        Ok(CharacterMade {
            file,
            label: character.label.clone(),
            start: character.start,
            goals: character.goals.clone(),
            quality: delivered.quality,
            sources: delivered.sources,
        })
    }
}
