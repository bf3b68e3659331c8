//! Many characters in a world.

use std::path::{Path, PathBuf};

use afoot_analyze::Quality;
use afoot_core::Clip;
use afoot_formats::files::write_whole;
use afoot_formats::{WriteOptions, write_glb_scene};
use afoot_run::Run;
use afoot_synth::{Character, CrowdOptions, CrowdReport, make_crowd};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::delivery::{
    Account, Against, ClipNames, Delivery, Outgoing, SourceStretch, rounded, time_it,
};
use crate::failure::Failure;
use crate::inputs::Input;
use crate::library::{Library, Stock};
use crate::motion_files::{Output, check_page_file, make_folder};
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
    /// All characters in one glTF file: a skeleton and an animation each.
    pub scene: Option<PathBuf>,
    /// A page that plays all of them, one HTML file.
    pub page: Option<PathBuf>,
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
            scene: None,
            page: None,
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

/// What a character's file and its part of a scene are called, counted from 1.
fn character_name(number: usize) -> String {
    format!("character_{number:03}")
}

/// Refuses a scene, if one is asked for, that would not be named as what it is.
fn check_scene_file(path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) if path.extension().is_none_or(|ending| ending != "glb") => {
            Err(Failure::at(path, "expected a file that ends in .glb"))
        }
        _ => Ok(()),
    }
}

impl Crowd {
    /// Makes the crowd.
    pub fn run(&self, library: &Library, run: &Run) -> Result<CrowdMade, Failure> {
        check_page_file(self.page.as_deref())?;
        check_scene_file(self.scene.as_deref())?;
        let world = self.world.world()?;
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
        let deliver = |(number, character)| self.deliver(&stock, number, character, run);
        let characters = crowd.characters.par_iter().enumerate().map(deliver);
        let characters = characters.collect::<Result<_, _>>()?;
        self.write_together(&crowd.characters, run)?;
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

    /// The files that hold all characters.
    fn write_together(&self, characters: &[Character], run: &Run) -> Result<(), Failure> {
        let names: Vec<String> = (1..=characters.len()).map(character_name).collect();
        let clips = characters.iter().map(|character| &character.played.clip);
        let named: Vec<(&str, &Clip)> = names.iter().map(String::as_str).zip(clips).collect();
        if let Some(file) = &self.scene {
            write_whole(file, &write_glb_scene(&named)?)?;
            run.note(format!("wrote {}", file.display()));
        }
        if let Some(file) = &self.page {
            let title = format!("{} characters", characters.len());
            let named = named.into_iter();
            let figures = named.map(|(name, clip)| pictures::PageFigure::made(name, clip));
            let figures = figures.collect();
            write_whole(file, &pictures::page(&title, figures)?)?;
            run.note(format!("wrote {}", file.display()));
        }
        Ok(())
    }

    fn deliver(
        &self,
        stock: &Stock,
        number: usize,
        character: &Character,
        run: &Run,
    ) -> Result<CharacterMade, Failure> {
        let file = format!("{}.bvh", character_name(number + 1));
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
