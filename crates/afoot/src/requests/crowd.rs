//! Many characters in a world.

use std::path::PathBuf;

use afoot_analyze::Quality;
use afoot_formats::WriteOptions;
use afoot_formats::files::write_whole;
use afoot_run::Run;
use afoot_synth::{Character, CrowdOptions, CrowdReport, make_crowd};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::delivery::{
    Account, Against, ClipNames, Delivery, Outgoing, SourceStretch, rounded, time_it,
};
use crate::failure::Failure;
use crate::hint::Hint;
use crate::inputs::Input;
use crate::library::{Library, Stock};
use crate::motion_files::{Output, make_folder};
use crate::pictures;

/// Asks for characters who keep clear of each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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
    /// Folder for a motion file a character, a picture and the report.
    pub folder: PathBuf,
    /// Take away characters of an earlier, larger crowd in the folder.
    pub force: bool,
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
            folder: PathBuf::new(),
            force: false,
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

fn character_file(number: usize) -> String {
    format!("character_{number:03}.bvh")
}

fn finite<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    value.is_finite().then_some(*value).serialize(to)
}

impl Crowd {
    /// Makes the crowd.
    pub fn run(&self, library: &Library, run: &Run) -> Result<CrowdMade, Failure> {
        let world = self.world.world()?;
        let left_over = self.left_over();
        if let Some(first) = left_over.first().filter(|_| !self.force) {
            let words = "would be left of an earlier, larger crowd";
            return Err(Failure::at(first, words).with_hint(Hint::Force));
        }
        let stock = library.stock(run)?;
        let options = CrowdOptions {
            count: self.count as usize,
            seconds: self.seconds,
            labels: self.labels.clone(),
            seed: run.seed,
            run: run.clone(),
            ..CrowdOptions::default()
        };
        let (made, seconds) = time_it(|| make_crowd(stock.repertoire(), &world, &options));
        let crowd = made?;
        make_folder(&self.folder)?;
        for file in &left_over {
            std::fs::remove_file(file).map_err(|error| Failure::at(file, error))?;
        }
        let deliver = |(number, character)| self.deliver(&stock, number, character, run);
        let characters = crowd.characters.par_iter().enumerate().map(deliver);
        let characters = characters.collect::<Result<_, _>>()?;
        let picture = pictures::crowd(&crowd, &world)?;
        write_whole(&self.folder.join("crowd.png"), &picture)?;
        let CrowdReport {
            least_distance,
            least_clearance,
            attempts,
            ..
        } = crowd.report;
        let made = CrowdMade {
            characters,
            radius_m: world.radius,
            least_distance_m: least_distance,
            least_clearance_m: least_clearance,
            attempts,
            compute_seconds: seconds,
        };
        let report = serde_json::to_value(&made)?.to_string();
        write_whole(&self.folder.join("crowd.json"), report.as_bytes())?;
        Ok(made)
    }

    /// Characters in the folder that this crowd would not replace.
    fn left_over(&self) -> Vec<PathBuf> {
        let numbers = self.count as usize + 1..;
        let files = numbers.map(|number| self.folder.join(character_file(number)));
        files.take_while(|file| file.exists()).collect()
    }

    fn deliver(
        &self,
        stock: &Stock,
        number: usize,
        character: &Character,
        run: &Run,
    ) -> Result<CharacterMade, Failure> {
        let file = character_file(number + 1);
        let output = Output::to(self.folder.join(&file));
        let clip = &character.played.clip;
        let outgoing = Outgoing {
            frames: clip.len(),
            rate: clip.rate,
            like: WriteOptions::default(),
            usual: stock.usual().cloned(),
        };
        let mut delivery = Delivery::new(&output, outgoing)?;
        delivery.push(clip.clone())?;
        let repertoire = stock.repertoire();
        let mut account = Account::default();
        account.add(&character.played, &ClipNames::of(repertoire));
        let against = Against {
            made_from: Some(account.made_from(repertoire)),
            floor: repertoire.floor().map(|floor| floor.height),
            path: None,
        };
        let mut quality = delivery.finish(&against, run)?;
        quality.transitions = Some(account.transitions);
        Ok(CharacterMade {
            file,
            label: character.label.clone(),
            start: character.start,
            goals: character.goals.clone(),
            quality,
            sources: account.sources,
        })
    }
}
