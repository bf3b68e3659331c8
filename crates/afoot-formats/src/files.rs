//! Motion files on disk: the format by the ending, and files that appear whole or not at all.
//!
//! The only module of this crate that touches files, beside `pieces`. A new format is a variant of
//! [`Format`] and an arm in [`read_motion`] or [`encode`].

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use afoot_core::{Clip, Skeleton, with_file_structure};

use crate::acclaim::{Asf, read_amc, read_asf, write_amc};
use crate::bvh::{read_bvh, write_bvh};
use crate::conform::{conform, share_skeleton};
use crate::error::{FormatError, Problem};
use crate::fbx_write::write_fbx;
use crate::gltf::{read_gltf_takes, write_glb, write_onto};
use crate::motion::{Motion, ReadOptions, Take, WriteOptions, Written};
use crate::plausible::check_plausible;
use crate::usda::write_usda;

/// A format that motion comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Format {
    Bvh,
    Gltf,
    Fbx,
    /// With its skeleton in an ASF file beside it.
    Amc,
    /// Written, not read.
    Usd,
}

impl Format {
    /// The format that is read from a file, by its ending in any case.
    pub fn of_path(path: &Path) -> Option<Self> {
        match ending(path)?.as_str() {
            "bvh" => Some(Self::Bvh),
            "glb" | "gltf" | "vrm" | "vrma" => Some(Self::Gltf),
            "fbx" => Some(Self::Fbx),
            "amc" => Some(Self::Amc),
            _ => None,
        }
    }

    /// The format that is written to a file, by its ending in any case.
    pub fn written_to(path: &Path) -> Option<Self> {
        match ending(path)?.as_str() {
            "bvh" => Some(Self::Bvh),
            "glb" => Some(Self::Gltf),
            "fbx" => Some(Self::Fbx),
            "amc" => Some(Self::Amc),
            "usda" => Some(Self::Usd),
            _ => None,
        }
    }

    /// The endings that are written.
    pub const WRITTEN: &'static str = ".bvh, .amc, .glb, .fbx or .usda";
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Reads a motion file in the format its ending says; the clip is named after the file.
pub fn read_motion(path: &Path, options: &ReadOptions) -> Result<Motion, FormatError> {
    let mut takes = read_takes(path, options)?;
    let mut motion = takes.swap_remove(0);
    motion.clip.name = stem_of(path);
    Ok(motion)
}

/// Reads the animations of a file that the options ask for, at least one; each is named after
/// itself where there are several or it was asked for by name, else after the file.
pub fn read_takes(path: &Path, options: &ReadOptions) -> Result<Vec<Motion>, FormatError> {
    let format = format_of(path)?;
    let bytes = read_bytes(path)?;
    let read = match format {
        Format::Bvh => read_bvh(&bytes, options).map(|motion| vec![motion]),
        Format::Amc => {
            let asf = read_asf_file(&asf_of(path)?)?;
            read_amc(&bytes, &asf, options).map(|motion| vec![motion])
        }
        Format::Gltf => read_gltf_takes(&bytes, options, &|uri| read_beside(path, uri)),
        Format::Fbx => read_fbx_takes(&bytes, options),
        Format::Usd => Err(FormatError::new(Problem::Unsupported(
            "USD is not read".into(),
        ))),
    };
    let mut takes = read.map_err(|error| error.in_file(path))?;
    for take in &takes {
        check_plausible(take, &bytes).map_err(|error| error.in_file(path))?;
    }
    if let [only] = &mut takes[..]
        && !matches!(options.take, Take::Named(_))
    {
        only.clip.name = stem_of(path);
    }
    for take in &mut takes {
        conformed(take, path, options)?;
    }
    share_skeleton(&mut takes);
    Ok(takes)
}

/// [`read_motion`] for an AMC file whose skeleton file is known.
pub fn read_amc_with(
    path: &Path,
    asf_path: &Path,
    options: &ReadOptions,
) -> Result<Motion, FormatError> {
    let bytes = read_bytes(path)?;
    let read = read_amc(&bytes, &read_asf_file(asf_path)?, options);
    let mut motion = read.map_err(|error| error.in_file(path))?;
    check_plausible(&motion, &bytes).map_err(|error| error.in_file(path))?;
    motion.clip.name = stem_of(path);
    conformed(&mut motion, path, options)?;
    Ok(motion)
}

fn read_asf_file(path: &Path) -> Result<Asf, FormatError> {
    read_asf(&read_bytes(path)?).map_err(|error| error.in_file(path))
}

/// The skeleton of any file that has one; also of an `.asf` file alone.
pub fn read_skeleton(path: &Path, options: &ReadOptions) -> Result<Arc<Skeleton>, FormatError> {
    if ending(path).as_deref() != Some("asf") {
        return match format_of(path)? {
            Format::Gltf => Ok(read_character(path, options)?.clip.skeleton),
            _ => Ok(read_motion(path, options)?.clip.skeleton),
        };
    }
    let asf = read_asf_file(path)?;
    let read = read_amc(asf.at_rest().as_bytes(), &asf, options);
    let mut motion = read.map_err(|error| error.in_file(path))?;
    conformed(&mut motion, path, options)?;
    Ok(motion.clip.skeleton)
}

/// The skeleton of a glTF character, in a motion of one frame at rest.
pub fn read_character(path: &Path, options: &ReadOptions) -> Result<Motion, FormatError> {
    if format_of(path)? != Format::Gltf {
        let words = "only characters in .glb files are dressed with motion";
        return Err(FormatError::new(Problem::Unsupported(words.into())).in_file(path));
    }
    let bytes = read_bytes(path)?;
    let read = crate::gltf::read_character(&bytes, options, &|uri| read_beside(path, uri));
    let mut motion = read.map_err(|error| error.in_file(path))?;
    motion.clip.name = stem_of(path);
    conformed(&mut motion, path, options)?;
    Ok(motion)
}

/// Writes a clip that is on the skeleton of `hero` ([`read_character`]) as that character's
/// animation; mesh and materials stay. `metres_per_unit` is what the character was read with.
pub fn write_onto_character(
    path: &Path,
    clip: &Clip,
    hero: &Path,
    metres_per_unit: f64,
) -> Result<(), FormatError> {
    let bytes = read_bytes(hero)?;
    let dressed = write_onto(clip, &bytes, metres_per_unit, &|uri| read_beside(hero, uri));
    write_whole(path, &dressed.map_err(|error| error.in_file(hero))?)
}

fn conformed(motion: &mut Motion, path: &Path, options: &ReadOptions) -> Result<(), FormatError> {
    let words = conform(&mut motion.clip, options).map_err(|error| error.in_file(path))?;
    motion.source.conformed.extend(words);
    Ok(())
}

/// A file's name without folder and ending.
pub(crate) fn stem_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy());
    stem.unwrap_or_default().into_owned()
}

/// Writes a clip in the format the path's ending says, and gives the warnings. The file, and one
/// that belongs beside it, appear whole or not at all.
pub fn write_motion(
    path: &Path,
    clip: &Clip,
    options: &WriteOptions,
) -> Result<Vec<String>, FormatError> {
    let in_file = |error: FormatError| error.in_file(path);
    let written = encode(clip, written_format_of(path)?, options).map_err(in_file)?;
    let mut files = vec![stage(path, &written.bytes)?];
    if let Some((extension, bytes)) = &written.companion {
        files.push(stage(&path.with_extension(extension), bytes)?);
    }
    // The companion first: the file that was asked for never stands without it.
    files.into_iter().rev().try_for_each(Staged::rename)?;
    Ok(written.warnings)
}

/// The file that [`write_motion`] would write beside `path`, if it is there with other contents: an
/// `.asf` that other motion may be read with.
pub fn would_replace(
    path: &Path,
    clip: &Clip,
    options: &WriteOptions,
) -> Result<Option<PathBuf>, FormatError> {
    if written_format_of(path)? != Format::Amc {
        return Ok(None);
    }
    let written = encode(clip, Format::Amc, options).map_err(|error| error.in_file(path))?;
    let companion = written
        .companion
        .map(|(ending, bytes)| (path.with_extension(ending), bytes));
    let differs =
        |(beside, bytes): &(PathBuf, Vec<u8>)| fs::read(beside).is_ok_and(|there| there != *bytes);
    Ok(companion.filter(differs).map(|(beside, _)| beside))
}

/// A clip as bytes in a format.
pub fn encode(clip: &Clip, format: Format, options: &WriteOptions) -> Result<Written, FormatError> {
    let clip = &*with_file_structure(clip);
    match format {
        Format::Bvh => write_bvh(clip, options),
        Format::Gltf => Ok(Written {
            bytes: write_glb(clip),
            ..Written::default()
        }),
        Format::Fbx => write_fbx(clip, options),
        Format::Amc => write_amc(clip, options),
        Format::Usd => write_usda(clip, options),
    }
}

/// The skeleton file of a motion file: of its name, else of its name up to the first underscore
/// (`16.asf` for `16_15.amc`), else the only one in its folder.
pub fn asf_of(amc: &Path) -> Result<PathBuf, FormatError> {
    let stem = amc.file_stem().unwrap_or_default().to_string_lossy();
    let subject = stem.split('_').next().unwrap_or_default();
    let folder = amc.with_file_name("");
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        &folder
    };
    let entries = fs::read_dir(folder).map_err(|error| unread(folder, &error))?;
    let is_asf = |path: &PathBuf| {
        path.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("asf"))
    };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_asf)
        .collect();
    found.sort();
    let named = |name: &str| {
        let same = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem == name);
        found.iter().find(same).cloned()
    };
    let only = || (found.len() == 1).then(|| found[0].clone());
    named(&stem)
        .or_else(|| named(subject))
        .or_else(only)
        .ok_or_else(|| {
            let problem = Problem::Expected {
                expected: match stem == subject {
                    true => format!("a skeleton {stem}.asf beside it"),
                    false => format!("a skeleton {stem}.asf or {subject}.asf beside it"),
                },
                found: "none".into(),
            };
            FormatError::new(problem).in_file(amc)
        })
}

/// Writes a file so that it appears whole or not at all: beside its place first, then renamed. What is not
/// a plain file (a pipe, a device) is written to as it is; a motion library, and what belongs to one, is never replaced.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FormatError> {
    stage(path, bytes)?.rename()
}

/// [`write_whole`] for a library's own files ([`belongs_to_library`]).
pub fn write_beside_library(path: &Path, bytes: &[u8]) -> Result<(), FormatError> {
    may_be_file(path)?;
    let (file, staged) = stage_at(path)?;
    let filled = staged.filled(file, bytes);
    filled.map_err(|error| unwritten(path, &error))?.put()
}

/// A file written beside its place; gone again unless it is renamed.
pub(crate) struct Staged {
    /// None of what can't be replaced, a pipe or a device, and is written to as it is.
    beside: Option<PathBuf>,
    path: PathBuf,
}

fn stage(path: &Path, bytes: &[u8]) -> Result<Staged, FormatError> {
    let (file, staged) = stage_open(path)?;
    let filled = staged.filled(file, bytes);
    filled.map_err(|error| unwritten(path, &error))
}

/// A file to write to beside its place.
pub(crate) fn stage_open(path: &Path) -> Result<(fs::File, Staged), FormatError> {
    may_be_written(path)?;
    stage_at(path)
}

fn stage_at(path: &Path) -> Result<(fs::File, Staged), FormatError> {
    let failed = |error: std::io::Error| unwritten(path, &error);
    if fs::metadata(path).is_ok_and(|facts| !facts.is_file()) {
        let file = fs::OpenOptions::new().write(true).open(path);
        let path = path.to_owned();
        return Ok((file.map_err(failed)?, Staged { beside: None, path }));
    }
    // Through a link: what it leads to is replaced, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = temporary_beside(&path);
    let file = fs::File::create(&beside).map_err(failed)?;
    let beside = Some(beside);
    Ok((file, Staged { beside, path }))
}

/// What every SQLite file, and so every motion library, begins with.
const LIBRARY: &[u8] = b"SQLite format 3\0";

/// How the names of files that lie beside a motion library and belong to it go on after its own: SQLite's journals, in
/// which what was committed last may stand, and the tables that are made of it.
const BESIDE_LIBRARY: [&str; 5] = ["-wal", "-shm", "-journal", "-ready", "-control"];

/// The motion library that a place beside it belongs to, whether anything is there or not.
pub fn belongs_to_library(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let of = |ending: &&str| Some(path.with_file_name(name.strip_suffix(*ending)?));
    let mut libraries = BESIDE_LIBRARY.iter().filter_map(of);
    libraries.find(|library| is_library(library))
}

/// Refuses a folder, a motion library that would be replaced by something else, and a place that belongs to one. The
/// one door that every output goes through.
pub fn may_be_written(path: &Path) -> Result<(), FormatError> {
    let linked = fs::canonicalize(path).ok();
    let places = std::iter::once(path).chain(linked.as_deref());
    if let Some(library) = places.filter_map(belongs_to_library).next() {
        let words = format!(
            "this place belongs to the motion library {}; give another name",
            library.display()
        );
        return Err(unwritten(path, &std::io::Error::other(words)));
    }
    may_be_file(path)
}

fn may_be_file(path: &Path) -> Result<(), FormatError> {
    let Ok(facts) = fs::metadata(path) else {
        return Ok(());
    };
    let refused = |words: &str| Err(unwritten(path, &std::io::Error::other(words)));
    if facts.is_dir() {
        return refused("expected a file, found a folder");
    }
    if is_library(path) {
        return refused("this is a motion library, and it would be replaced; give another name");
    }
    Ok(())
}

fn is_library(path: &Path) -> bool {
    let mut first = Vec::new();
    fs::metadata(path).is_ok_and(|facts| facts.is_file())
        && fs::File::open(path)
            .and_then(|file| file.take(LIBRARY.len() as u64).read_to_end(&mut first))
            .is_ok()
        && first == LIBRARY
}

impl Staged {
    /// Makes sure that it is on the disk, if it is to be there.
    pub(crate) fn sync(&self, file: &fs::File) -> std::io::Result<()> {
        match self.beside {
            Some(_) => file.sync_all(),
            None => Ok(()),
        }
    }

    /// With these bytes in it, on the disk.
    fn filled(self, mut file: fs::File, bytes: &[u8]) -> std::io::Result<Self> {
        file.write_all(bytes)?;
        self.sync(&file)?;
        Ok(self)
    }

    pub(crate) fn rename(self) -> Result<(), FormatError> {
        may_be_written(&self.path)?; // it may have come meanwhile
        self.put()
    }

    fn put(self) -> Result<(), FormatError> {
        match &self.beside {
            Some(beside) => {
                fs::rename(beside, &self.path).map_err(|error| unwritten(&self.path, &error))
            }
            None => Ok(()),
        }
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // After a rename there is nothing to remove; else the error that counts is already known.
            let _ = fs::remove_file(beside);
        }
    }
}

fn temporary_beside(path: &Path) -> PathBuf {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}-{number}.tmp", std::process::id()));
    path.with_file_name(name)
}

pub(crate) fn format_of(path: &Path) -> Result<Format, FormatError> {
    let endings = ".bvh, .amc, .glb, .gltf, .vrm, .vrma or .fbx";
    Format::of_path(path).ok_or_else(|| other_ending(path, endings))
}

pub(crate) fn written_format_of(path: &Path) -> Result<Format, FormatError> {
    Format::written_to(path).ok_or_else(|| other_ending(path, Format::WRITTEN))
}

fn other_ending(path: &Path, endings: &str) -> FormatError {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let problem = Problem::Expected {
        expected: format!("a file that ends in {endings}"),
        found: format!("{extension:?}"),
    };
    FormatError::new(problem).in_file(path)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, FormatError> {
    read_file(path, MOST_BYTES).map_err(|error| unread(path, &error))
}

/// No file that is read whole is larger: hours of motion. [bytes]
pub const MOST_BYTES: u64 = 4 << 30;

/// Reads a file that is one, of at most so many bytes. Pipes and devices are refused: they may never end.
pub fn read_file(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let facts = fs::metadata(path)?;
    let kind = facts.file_type();
    if kind.is_dir() {
        return Err(std::io::Error::other("expected a file, found a folder"));
    }
    if !kind.is_file() {
        let words = "expected a file, found a pipe or a device";
        return Err(std::io::Error::other(words));
    }
    let too_large = || {
        let words = format!(
            "it has more than {} MB, which is more than is read",
            most >> 20
        );
        std::io::Error::other(words)
    };
    if facts.len() > most {
        return Err(too_large());
    }
    // What a file says of its size need not be true: those of /proc say nothing.
    let mut bytes = Vec::with_capacity(facts.len() as usize);
    fs::File::open(path)?
        .take(most + 1)
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_large()),
        false => Ok(bytes),
    }
}

/// A buffer of a glTF file: a file in the same folder or below it.
fn read_beside(path: &Path, uri: &str) -> Result<Vec<u8>, String> {
    let name = Path::new(uri);
    let inside = |part| matches!(part, std::path::Component::Normal(_));
    if uri.contains("://") || !name.components().all(inside) {
        return Err("only files beside the glTF file are read".into());
    }
    read_file(&path.with_file_name(name), MOST_BYTES).map_err(|error| error.to_string())
}

#[cfg(feature = "fbx")]
use crate::fbx::read_fbx_takes;

/// Without the feature `fbx`.
#[cfg(not(feature = "fbx"))]
fn read_fbx_takes(_: &[u8], _: &ReadOptions) -> Result<Vec<Motion>, FormatError> {
    let words = "this build reads no FBX; build it with the cargo feature \"fbx\"";
    Err(FormatError::new(Problem::Unsupported(words.into())))
}

pub(crate) fn unread(path: &Path, error: &std::io::Error) -> FormatError {
    FormatError::new(Problem::Unread(error.to_string())).in_file(path)
}

pub(crate) fn unwritten(path: &Path, error: &std::io::Error) -> FormatError {
    FormatError::new(Problem::Unwritten(words_of(error))).in_file(path)
}

/// What the system says of a file, in our words: a disk without room is called that.
pub fn words_of(error: &std::io::Error) -> String {
    use std::io::ErrorKind as E;
    match error.kind() {
        E::StorageFull => "the disk is full".into(),
        E::QuotaExceeded => "the room that you have on this disk is used up".into(),
        E::FileTooLarge => "the file would be larger than this disk or its limits allow".into(),
        _ => error.to_string(),
    }
}
