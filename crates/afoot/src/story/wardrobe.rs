//! What an actor has: his skeleton, his library, and all clips that he was captured in, on that skeleton.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use afoot_analyze::with_facts;
use afoot_core::{Clip, FrameRate, RetargetOptions, Skeleton, resample_clip, retarget_clip};
use afoot_graph::level_clip;
use afoot_script::program::{ActorFiles, FilterKind, Program, ProgramChain};
use rayon::prelude::*;

use super::studio::{Studio, failed, lock};
use crate::failure::Failure;
use crate::library::Library;

/// What one actor has.
pub(crate) struct Wardrobe {
    /// What he is called.
    pub name: String,
    /// As the script says.
    pub files: ActorFiles,
    /// Parts of his body.
    pub chains: Vec<ProgramChain>,
    /// Whether he has something to do while he waits.
    pub waits: bool,
    /// Where his clips come from and results are kept.
    pub library: Option<Arc<Library>>,
    /// All his motion is on it.
    pub skeleton: Arc<Skeleton>,
    /// The story's.
    pub rate: FrameRate,
    captured: OnceLock<BTreeMap<String, Arc<Clip>>>,
    from_files: Mutex<BTreeMap<String, Arc<Clip>>>,
}

/// What all actors of a program have. All motion gets the rate of the first library, else 30 frames a second.
pub(crate) fn wardrobes(program: &Program, studio: &Studio) -> Result<Vec<Wardrobe>, Failure> {
    let mut rate = None;
    for actor in &program.actors {
        if let Some(library) = studio.library(&actor.files).map_err(failed)?
            && let Some(first) = studio.listed(&library)?.first()
        {
            rate = rate.or(Some(first.rate));
        }
    }
    let rate = rate.unwrap_or(FrameRate::FPS_30);
    (0..program.actors.len())
        .map(|number| Wardrobe::new(program, number, studio, rate))
        .collect()
}

impl Wardrobe {
    fn new(
        program: &Program,
        number: usize,
        studio: &Studio,
        rate: FrameRate,
    ) -> Result<Self, Failure> {
        let actor = &program.actors[number];
        let files = &actor.files;
        let first_file = program
            .filters
            .iter()
            .find_map(|filter| match &filter.what {
                FilterKind::Clip(file) if filter.actor.0 as usize == number => Some(file),
                _ => None,
            });
        let said = studio.said_skeleton(files).map_err(failed)?;
        let skeleton = match (said, first_file) {
            (Some(skeleton), _) => skeleton,
            (None, Some(file)) => {
                let clip = studio.motion(files, file).map_err(failed)?;
                Arc::clone(&clip.skeleton)
            }
            (None, None) => {
                let words = format!("actor `{}` has neither clips nor a library", actor.name);
                return Err(Failure::bad_request(words));
            }
        };
        Ok(Self {
            name: actor.name.clone(),
            files: files.clone(),
            chains: actor.chains.clone(),
            waits: actor.idle.is_some(),
            library: studio.library(files).map_err(failed)?,
            skeleton,
            rate,
            captured: OnceLock::new(),
            from_files: Mutex::default(),
        })
    }

    /// The library, of filters that search one.
    pub fn needed_library(&self) -> Result<&Library, Failure> {
        let none = || {
            let words = format!(
                "actor `{}` has no library to make this from: say library \"FILE.afoot\"",
                self.name
            );
            Failure::bad_request(words)
        };
        self.library.as_deref().ok_or_else(none)
    }

    /// A clip of the library, by its name whatever the case.
    pub fn library_clip(&self, name: &str) -> Result<Arc<Clip>, Failure> {
        let all = self.library_clips()?;
        let found = all.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        let none = || Failure::bad_request(format!("there is no clip {name:?}"));
        found.map(|(_, clip)| Arc::clone(clip)).ok_or_else(none)
    }

    /// A motion file's clip, with its facts, called as the script calls the file.
    pub fn file_clip(&self, studio: &Studio, file: &str) -> Result<Arc<Clip>, Failure> {
        if let Some(known) = lock(&self.from_files).get(file) {
            return Ok(Arc::clone(known));
        }
        let read = studio.motion(&self.files, file).map_err(failed)?;
        let clip = with_facts(resample_clip(&read, self.rate))?;
        let mut dressed = self.dressed(&clip)?;
        dressed.name = file.into();
        let dressed = Arc::new(dressed);
        lock(&self.from_files).insert(file.into(), Arc::clone(&dressed));
        Ok(dressed)
    }

    /// Every clip that motion of his may come from, by name.
    pub fn captured(&self) -> Result<BTreeMap<String, Arc<Clip>>, Failure> {
        let mut all = match self.library {
            Some(_) => self.library_clips()?.clone(),
            None => BTreeMap::new(),
        };
        let files = lock(&self.from_files);
        all.extend(
            files
                .iter()
                .map(|(name, clip)| (name.clone(), Arc::clone(clip))),
        );
        Ok(all)
    }

    fn library_clips(&self) -> Result<&BTreeMap<String, Arc<Clip>>, Failure> {
        if let Some(known) = self.captured.get() {
            return Ok(known);
        }
        let clips = self.needed_library()?.read()?.load_all()?;
        let dressed: Result<Vec<Clip>, Failure> = clips
            .par_iter()
            .map(|clip| self.dressed(&resample_clip(clip, self.rate)))
            .collect();
        let named = dressed?
            .into_iter()
            .map(|clip| (clip.name.clone(), Arc::new(clip)));
        Ok(self.captured.get_or_init(|| named.collect()))
    }

    /// A clip on his skeleton and a level floor.
    pub fn dressed(&self, clip: &Clip) -> Result<Clip, Failure> {
        let mut level = level_clip(clip);
        match level.skeleton.same_shape(&self.skeleton) {
            true => {
                level.skeleton = Arc::clone(&self.skeleton);
                Ok(level)
            }
            false => {
                let fitted = retarget_clip(&level, &self.skeleton, &RetargetOptions::default());
                let fitted = fitted.map_err(Failure::bad_request)?;
                Ok(level_clip(&fitted))
            }
        }
    }
}
