//! Many characters in a world.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use afoot_analyze::Quality;
use afoot_core::Clip;
use afoot_formats::files::write_whole;
use afoot_formats::{Format, write_glb_scene};
use afoot_run::Run;
use afoot_synth::{
    Character, Crowd as Planned, CrowdError, CrowdOptions, Repertoire, make_crowd,
    make_embedded_crowd,
};
use afoot_world::{Moves, World, embed};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::delivery::{MotionHeader, Rig, SourceStretch, Told, deliver_with, rounded};
use crate::embedded::{EmbedRecipe, Embeddable};
use crate::failure::Failure;
use crate::hint::Hint;
use crate::inputs::Input;
use crate::library::Library;
use crate::motion_files::{Output, check_distinct, check_folder, check_no_file, check_page_file};
use crate::pictures;
use crate::ranges::Ranged;
use crate::requests::moving::{Moving, OddMotion, Tally};
use crate::staged_folder::StagedFolder;
use crate::threads::in_threads;

/// Asks for characters who keep clear of each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Crowd {
    /// The world: bounds, obstacles, radius.
    pub world: Input,
    /// How many characters. [1 to 10000]
    pub count: u32,
    /// How long. [s, > 0, at most 86400]
    pub seconds: f64,
    /// Styles: each character keeps to one of these labels or types, in turn.
    #[serde(rename = "as")]
    pub labels: Vec<String>,
    /// How they are to move.
    pub moving: Moving,
    /// Walk on the graph embedded into the world: no dead ends, and its regions are kept to.
    pub embedded: bool,
    /// How the graph is embedded.
    pub embed: EmbedRecipe,
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
            moving: Moving::default(),
            embedded: false,
            embed: EmbedRecipe::for_planted_feet(),
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
    /// What it does that was not asked for, longest first.
    pub oddities: Vec<OddMotion>,
}

fn finite<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    value.is_finite().then_some(*value).serialize(to)
}

/// Where a crowd goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrowdFiles {
    /// Folder for a motion file a character, a picture and the report.
    pub folder: PathBuf,
    /// All characters in one glTF file: a skeleton and an animation each.
    pub scene: Option<PathBuf>,
    /// A page that plays all of them, one HTML file.
    pub page: Option<PathBuf>,
    /// A character or skeleton that all of them get, as [`Output::onto`]; of a `.glb` character each gets a
    /// file with its mesh, while `scene` has skeletons alone.
    pub onto: Option<PathBuf>,
}

impl CrowdFiles {
    /// Into a folder alone.
    pub fn to(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            ..Self::default()
        }
    }

    fn check(&self) -> Result<(), Failure> {
        check_no_file(&self.folder)?;
        check_page_file(self.page.as_deref())?;
        if let Some(rig) = self.onto.as_deref().filter(|rig| !rig.exists()) {
            return Err(Failure::at(rig, "there is no such file"));
        }
        // A rig in the folder of the results may be one of them, or not be there any longer.
        let own: Vec<PathBuf> = match self.onto {
            Some(_) => self.left_over(0),
            None => Vec::new(),
        };
        let outputs = self.scene.iter().chain(&self.page).chain(&own);
        check_distinct(self.onto.iter().chain(outputs))?;
        match &self.scene {
            Some(path) if path.extension().is_none_or(|ending| ending != "glb") => {
                Err(Failure::at(path, "expected a file that ends in .glb"))
            }
            Some(path) => check_folder(path),
            None => Ok(()),
        }
    }

    /// A character's file in the folder, counted from 1.
    fn character_file(&self, number: usize) -> String {
        let rig = self.onto.as_deref();
        let ending = match rig.and_then(Format::of_path) {
            Some(Format::Gltf) => "glb",
            _ => "bvh",
        };
        format!("{}.{ending}", character_name(number))
    }

    /// Characters in the folder that a crowd of that size would not replace.
    fn left_over(&self, count: u32) -> Vec<PathBuf> {
        let numbers = count as usize + 1..;
        let files = numbers.map(|number| self.folder.join(self.character_file(number)));
        files.take_while(|file| file.exists()).collect()
    }

    /// Writes the files that hold all characters.
    fn write_together(&self, characters: &[Character], run: &Run) -> Result<(), Failure> {
        let names: Vec<String> = (1..=characters.len()).map(character_name).collect();
        let clips = characters.iter().map(|character| &character.played.clip);
        let named: Vec<(&str, &Clip)> = names.iter().map(String::as_str).zip(clips).collect();
        if let Some(file) = &self.scene {
            write_whole(file, &write_glb_scene(&named, None)?)?;
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
}

/// What a character's file and its part of a scene are called, counted from 1.
fn character_name(number: usize) -> String {
    format!("character_{number:03}")
}

impl Crowd {
    /// Makes the crowd into a folder: a motion file a character, a picture and the report.
    pub fn run(
        &self,
        library: &Library,
        folder: impl AsRef<Path>,
        run: &Run,
    ) -> Result<CrowdMade, Failure> {
        self.run_into(library, &CrowdFiles::to(folder.as_ref()), run)
    }

    /// The same, with files that hold all characters.
    pub fn run_into(
        &self,
        library: &Library,
        files: &CrowdFiles,
        run: &Run,
    ) -> Result<CrowdMade, Failure> {
        self.check_ranges()?;
        files.check()?;
        in_threads(run, || self.make(library, files, run))
    }

    fn make(&self, library: &Library, files: &CrowdFiles, run: &Run) -> Result<CrowdMade, Failure> {
        let world = self.world.world(library.files())?;
        let left_over = self.left_over(files)?;
        let ground = self.ground(library, run)?;
        let rig = files.onto.as_deref().map(|rig| Rig::read(rig, run));
        let rig = rig.transpose()?;
        let ratio = rig.as_ref().zip(ground.graph.skeleton());
        let ratio = ratio.map_or(1.0, |(rig, own)| f64::from(rig.ratio(own)));
        let begun = Instant::now();
        // Ways grow with the legs: what is planned in a smaller world fits this one afterwards.
        let planned = self.plan(&ground, &world.scaled(1.0 / ratio), run)?;
        let shown = match &rig {
            Some(rig) => Cow::Owned(on_rig(&planned, rig, ratio)?),
            None => Cow::Borrowed(&planned),
        };
        let seconds = begun.elapsed().as_secs_f64();
        let staged = StagedFolder::new(&files.folder)?;
        let delivery = CharacterDelivery {
            graph: &ground.graph,
            moving: &self.moving,
            files,
            folder: staged.path(),
            run: match rig {
                Some(_) => run.silent(), // said once, not by every character
                None => run.warnings_only(),
            },
            share: seconds / planned.characters.len().max(1) as f64,
        };
        let characters = delivery.deliver_all(&planned, &shown);
        let made = CrowdMade {
            characters: characters.map_err(|failure| staged.told(failure))?,
            radius_m: world.radius,
            least_distance_m: shown.report.least_distance,
            least_clearance_m: shown.report.least_clearance,
            attempts: planned.report.attempts,
            compute_seconds: seconds,
        };
        let picture = pictures::crowd(&shown, &world)?;
        staged.write("crowd.png", &picture)?;
        let report = serde_json::to_value(&made)?.to_string();
        staged.write("crowd.json", report.as_bytes())?;
        run.check()?;
        staged.put_in_place()?;
        for file in &left_over {
            std::fs::remove_file(file).map_err(|error| Failure::at(file, error))?;
        }
        files.write_together(&shown.characters, run)?;
        run.note(format!("wrote {}", files.folder.display()));
        Ok(made)
    }

    /// What an earlier, larger crowd left in the folder; only removed if that is asked for.
    fn left_over(&self, files: &CrowdFiles) -> Result<Vec<PathBuf>, Failure> {
        let left_over = files.left_over(self.count);
        match left_over.first().filter(|_| !self.force) {
            Some(first) => {
                let words = "would be left of an earlier, larger crowd";
                Err(Failure::at(first, words).with_hint(Hint::Force))
            }
            None => Ok(left_over),
        }
    }

    fn ground(&self, library: &Library, run: &Run) -> Result<Ground, Failure> {
        if !self.embedded {
            let graph = library.ready_graph(run)?;
            return Ok(Ground { graph, moves: None });
        }
        let Embeddable { graph, moves, .. } =
            Embeddable::new(library, &self.embed.graph, &[], run)?;
        let moves = Some(moves);
        Ok(Ground { graph, moves })
    }

    /// Everybody's motion in a world.
    fn plan(&self, ground: &Ground, world: &World, run: &Run) -> Result<Planned, Failure> {
        let Ground { graph, moves } = ground;
        let options = CrowdOptions {
            count: self.count as usize,
            seconds: self.seconds,
            labels: self.labels.clone(),
            preference: self.moving.preference(graph)?,
            seed: run.seed,
            run: run.clone(),
            ..CrowdOptions::default()
        };
        let planned = match moves {
            None => make_crowd(graph, world, &options),
            Some(moves) => {
                let embedding = embed(moves, world, &self.embed.options(), run)?;
                make_embedded_crowd(graph, &embedding, &options)
            }
        };
        planned.map_err(|error| self.of_world(error))
    }
}

/// What a crowd is planned on: a graph, with its moves where it is laid out in the world first.
struct Ground {
    graph: Arc<Repertoire>,
    moves: Option<Moves>,
}

impl Crowd {
    /// Says of which world something is wrong.
    fn of_world(&self, error: CrowdError) -> Failure {
        let about_world = matches!(
            error,
            CrowdError::World(_) | CrowdError::NoGround { .. } | CrowdError::NoRoom { .. }
        );
        let failure = Failure::from(error);
        let message = match about_world {
            true => self.world.wrong(&failure.message).message,
            false => failure.message,
        };
        Failure { message, ..failure }
    }
}

/// A crowd planned in a smaller world, on another skeleton in the world as it is.
fn on_rig(planned: &Planned, rig: &Rig, ratio: f64) -> Result<Planned, Failure> {
    let mut crowd = planned.clone();
    let place = |place: &mut [f64; 2]| *place = place.map(|value| value * ratio);
    crowd.characters.par_iter_mut().try_for_each(|character| {
        character.played.clip = rig.dressed_and_settled(character.played.clip.clone())?;
        place(&mut character.start);
        character.goals.iter_mut().for_each(place);
        Ok::<(), Failure>(())
    })?;
    crowd.report.least_distance *= ratio;
    crowd.report.least_clearance *= ratio;
    Ok(crowd)
}

/// What all characters are delivered with.
struct CharacterDelivery<'a> {
    graph: &'a Arc<Repertoire>,
    moving: &'a Moving,
    files: &'a CrowdFiles,
    folder: &'a Path,
    run: Run,
    /// One's share of the time taken to make all. [s]
    share: f64,
}

impl CharacterDelivery<'_> {
    /// Delivers everybody as planned; `shown` says where in the world that is.
    fn deliver_all(
        &self,
        planned: &Planned,
        shown: &Planned,
    ) -> Result<Vec<CharacterMade>, Failure> {
        let all = planned.characters.par_iter().enumerate();
        let made = all.map(|(number, character)| {
            let Character { start, goals, .. } = shown.characters[number].clone();
            Ok(CharacterMade {
                start,
                goals,
                ..self.deliver(number, character)?
            })
        });
        made.collect()
    }

    fn deliver(&self, number: usize, character: &Character) -> Result<CharacterMade, Failure> {
        let file = self.files.character_file(number + 1);
        let output = Output {
            onto: self.files.onto.clone(),
            ..Output::to(self.folder.join(&file))
        };
        let mut tally = Tally::default();
        tally.add(&character.played);
        let words: Vec<String> = character.label.iter().cloned().collect();
        let oddities = self
            .moving
            .oddities(self.graph, &words, &tally, &Run::quiet())?;
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
            oddities,
        })
    }
}
