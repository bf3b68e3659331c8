//! The world outside of a script: files beside it, libraries, skeletons; each read once.
//!
//! A name is a path from the script's folder, or from that of a script which it imports; a backslash
//! separates folders. A file that is not there is looked for beside the script by its name alone, and a
//! motion file of its stem then, so that scripts of other machines find what was copied beside them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use afoot_core::{Clip, Skeleton};
use afoot_formats::files::asf_of;
use afoot_formats::{Format, ReadOptions, read_amc_with, read_motion, read_skeleton};
use afoot_library::ClipEntry;
use afoot_script::outside::{ClipFacts, Missing, Outside};
use afoot_script::program::ActorFiles;

use super::joints::joint_called;
use crate::failure::Failure;
use crate::files::{FileName, Files};
use crate::library::Library;

/// Endings of motion files that stand for each other.
const MOTION: [&str; 4] = ["bvh", "amc", "glb", "fbx"];

/// A motion file, and the file of its skeleton where that is another.
type MotionKey = (PathBuf, Option<PathBuf>);

/// Files and libraries that a script names.
pub(crate) struct Studio<'a> {
    files: &'a dyn Files,
    /// The script's folder, then those of scripts that it imports.
    folders: Mutex<Vec<PathBuf>>,
    libraries: Mutex<HashMap<PathBuf, Arc<Library>>>,
    clips: Mutex<HashMap<MotionKey, Arc<Clip>>>,
    skeletons: Mutex<HashMap<PathBuf, Arc<Skeleton>>>,
    listed: Mutex<HashMap<PathBuf, Arc<Vec<ClipEntry>>>>,
}

impl<'a> Studio<'a> {
    /// For a script of that name.
    pub fn beside(script: &FileName, files: &'a dyn Files) -> Self {
        let folder = script.as_path().parent().unwrap_or(Path::new(""));
        Self {
            files,
            folders: Mutex::new(vec![folder.to_owned()]),
            libraries: Mutex::default(),
            clips: Mutex::default(),
            skeletons: Mutex::default(),
            listed: Mutex::default(),
        }
    }

    /// The file that a name means.
    pub fn locate(&self, name: &str) -> Result<PathBuf, Missing> {
        let written = PathBuf::from(name.replace('\\', "/"));
        let folders = lock(&self.folders).clone();
        let beside = |name: &Path| -> Option<PathBuf> {
            let named = folders.iter().map(|folder| folder.join(name));
            let mut found = named.filter_map(|path| self.files.locate(&path.into()).ok());
            found.find(|path| path.exists())
        };
        let alone = written.file_name().map(PathBuf::from).unwrap_or_default();
        let is_motion = ending_of(&alone).is_some_and(|own| MOTION.contains(&own.as_str()));
        let alike = || {
            let endings = MOTION.iter().filter(|_| is_motion);
            let mut others = endings.map(|ending| alone.with_extension(ending));
            others.find_map(|other| beside(&other))
        };
        let found = beside(&written).or_else(|| beside(&alone)).or_else(alike);
        found.ok_or_else(|| Missing {
            message: format!("there is no file {name:?}"),
            hint: Some("names are paths from the script's folder, or files beside it".into()),
        })
    }

    /// The library that an actor's clips may come from.
    pub fn library(&self, actor: &ActorFiles) -> Result<Option<Arc<Library>>, Missing> {
        let Some(name) = &actor.library else {
            return Ok(None);
        };
        let path = self.locate(name)?;
        let mut libraries = lock(&self.libraries);
        if let Some(known) = libraries.get(&path) {
            return Ok(Some(Arc::clone(known)));
        }
        let opened = Arc::new(Library::open(&path).map_err(missing)?);
        libraries.insert(path, Arc::clone(&opened));
        Ok(Some(opened))
    }

    /// The clips of a library.
    pub fn listed(&self, library: &Library) -> Result<Arc<Vec<ClipEntry>>, Failure> {
        if let Some(known) = lock(&self.listed).get(library.path()) {
            return Ok(Arc::clone(known));
        }
        let entries = Arc::new(library.read()?.clips()?);
        lock(&self.listed).insert(library.path().to_owned(), Arc::clone(&entries));
        Ok(entries)
    }

    /// A motion file as it is.
    pub fn motion(&self, actor: &ActorFiles, file: &str) -> Result<Arc<Clip>, Missing> {
        let path = self.locate(file)?;
        let asf = self.asf_for(actor, &path);
        let key = (path, asf);
        if let Some(known) = lock(&self.clips).get(&key) {
            return Ok(Arc::clone(known));
        }
        let options = ReadOptions::default();
        let read = match &key.1 {
            Some(asf) => read_amc_with(&key.0, asf, &options),
            None => read_motion(&key.0, &options),
        };
        let clip = Arc::new(read.map_err(|error| missing(error.into()))?.clip);
        lock(&self.clips).insert(key, Arc::clone(&clip));
        Ok(clip)
    }

    /// Files whose bytes a motion file's clip depends on.
    pub fn files_of(&self, actor: &ActorFiles, file: &str) -> Result<Vec<PathBuf>, Missing> {
        let path = self.locate(file)?;
        let is_amc = Format::of_path(&path) == Some(Format::Amc);
        let asf = self
            .asf_for(actor, &path)
            .or_else(|| asf_of(&path).ok().filter(|_| is_amc));
        Ok(std::iter::once(path).chain(asf).collect())
    }

    /// The actor's skeleton file for a motion file that has none of its own beside it.
    fn asf_for(&self, actor: &ActorFiles, path: &Path) -> Option<PathBuf> {
        let hierarchy = actor.hierarchy.as_deref()?;
        let is_amc = Format::of_path(path) == Some(Format::Amc);
        let is_asf = ending_of(Path::new(hierarchy)).as_deref() == Some("asf");
        let own = || asf_of(path).is_ok();
        (is_amc && is_asf && !own())
            .then(|| self.locate(hierarchy).ok())
            .flatten()
    }

    /// The skeleton that an actor's files say he has, if they do: that of his hierarchy, else his library's.
    pub fn said_skeleton(&self, actor: &ActorFiles) -> Result<Option<Arc<Skeleton>>, Missing> {
        if let Some(name) = &actor.hierarchy {
            let path = self.locate(name)?;
            if let Some(known) = lock(&self.skeletons).get(&path) {
                return Ok(Some(Arc::clone(known)));
            }
            let read = read_skeleton(&path, &ReadOptions::default());
            let skeleton = read.map_err(|error| missing(error.into()))?;
            lock(&self.skeletons).insert(path, Arc::clone(&skeleton));
            return Ok(Some(skeleton));
        }
        let Some(library) = self.library(actor)? else {
            return Ok(None);
        };
        let path = library.path().to_owned();
        if let Some(known) = lock(&self.skeletons).get(&path) {
            return Ok(Some(Arc::clone(known)));
        }
        let first = || -> Result<Clip, Failure> {
            let entries = self.listed(&library)?;
            let none = || Failure::at(&path, "the library has no clips");
            library.clip(&entries.first().ok_or_else(none)?.name)
        };
        let skeleton = first().map_err(missing)?.skeleton;
        lock(&self.skeletons).insert(path.clone(), Arc::clone(&skeleton));
        Ok(Some(skeleton))
    }
}

/// Something that can't be had, as a script is told.
pub(super) fn missing(failure: Failure) -> Missing {
    Missing::new(failure.message)
}

/// The same as a request fails.
pub(super) fn failed(missing: Missing) -> Failure {
    let hint = missing.hint.map(|hint| format!("; {hint}"));
    Failure::bad_request(format!("{}{}", missing.message, hint.unwrap_or_default()))
}

fn ending_of(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_lowercase())
}

pub(super) fn lock<T>(held: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Whoever panicked has stored nothing.
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Outside for Studio<'_> {
    fn script(&self, name: &str, beside: &str) -> Result<(String, String), Missing> {
        let folder = Path::new(beside).parent().unwrap_or(Path::new(""));
        let path = folder.join(name.replace('\\', "/"));
        let file = FileName::from(path.clone());
        let text = file.text(self.files).map_err(|_| Missing {
            message: format!("there is no script {name:?}"),
            hint: Some(format!("it was looked for as {}", path.display())),
        })?;
        let mut folders = lock(&self.folders);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if !folders.contains(&folder) {
            folders.push(folder);
        }
        Ok((path.display().to_string(), text))
    }

    fn clip(&self, actor: &ActorFiles, file: &str) -> Result<ClipFacts, Missing> {
        let frames = self.motion(actor, file)?.len() as u32;
        Ok(ClipFacts { frames })
    }

    fn library(&self, actor: &ActorFiles) -> Result<(), Missing> {
        Studio::library(self, actor).map(drop)
    }

    fn library_clip(&self, actor: &ActorFiles, name: &str) -> Result<Option<ClipFacts>, Missing> {
        let Some(library) = self.library(actor)? else {
            return Ok(None);
        };
        let entries = self.listed(&library).map_err(missing)?;
        let found = entries
            .iter()
            .find(|entry| entry.name.eq_ignore_ascii_case(name));
        Ok(found.map(|entry| ClipFacts {
            frames: entry.frames,
        }))
    }

    fn skeleton(&self, actor: &ActorFiles) -> Result<(), Missing> {
        self.said_skeleton(actor).map(drop)
    }

    fn body(&self, actor: &ActorFiles) -> Result<(), Missing> {
        let name = actor.geometry.as_deref().unwrap_or_default();
        match ending_of(Path::new(&name.replace('\\', "/"))).as_deref() {
            Some("glb") => self.locate(name).map(drop),
            _ => Err(Missing::new(format!("a body is a .glb file, not {name:?}"))),
        }
    }

    fn joint(&self, actor: &ActorFiles, joint: &str) -> Result<(), Missing> {
        // A skeleton that can't be had is told where it is named.
        let Ok(Some(skeleton)) = self.said_skeleton(actor) else {
            return Ok(());
        };
        match joint_called(&skeleton, joint) {
            Some(_) => Ok(()),
            None => {
                let names: Vec<&str> = skeleton.joints().iter().map(|j| j.name.as_str()).collect();
                let meant = afoot_search::meant_word(joint, &names);
                Err(Missing {
                    message: format!("the skeleton has no joint {joint:?}"),
                    hint: meant.map(|meant| format!("did you mean {meant:?}?")),
                })
            }
        }
    }

    fn file(&self, name: &str) -> Result<(), Missing> {
        self.locate(name).map(drop)
    }
}
