//! Motion files as requests use them: how to read one, what can be written, how to read that back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use afoot_core::{Clip, FrameRate};
use afoot_formats::files::{may_be_written, words_of, write_whole};
use afoot_formats::{
    Format, Motion, ReadOptions, Take, Unit, UnitOption, UpAxis, UpOption, WriteOptions,
    read_motion,
};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::{FileName, Files};
use crate::hint::Hint;

/// A motion file, and what it does not say itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotionFile {
    /// The file.
    pub file: FileName,
    /// Its unit of length.
    pub unit: LengthUnit,
    /// Take a file that is cut off as far as it goes.
    pub partial: bool,
    /// Which animation of a file with several; the first that moves if it is left open.
    pub take: Option<String>,
    /// A JSON file that says which joint is which body part.
    pub map: Option<FileName>,
    /// The rate at capture, where the file is wrong about it or silent. [frames/s, 1 to 1000]
    pub source_fps: Option<f64>,
}

/// A unit of length in a motion file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the names say it
pub enum LengthUnit {
    /// What the file states, else guessed; of a file that is written, what is usual.
    #[default]
    Auto,
    M,
    Cm,
    Mm,
    In,
    /// 1/0.45 inch, the unit of the CMU database.
    Cmu,
}

/// The axis that points up in a motion file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the names say it
pub enum Up {
    /// Found out from the figure.
    #[default]
    Auto,
    X,
    Y,
    Z,
}

/// Where made or exported motion goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Output {
    /// The motion file: `.bvh`, `.amc` (with an `.asf` beside it), `.glb`, `.fbx` or `.usda`. What is
    /// judged is read back, which `.usda` is not: made motion is written to another first.
    pub file: PathBuf,
    /// The same motion in files of other formats. They are not judged.
    pub also: Vec<PathBuf>,
    /// Unit of length in a `.bvh` or `.amc` file; centimetres, or the source's, if it is left open.
    pub unit: LengthUnit,
    /// The motion as stick figures, a PNG.
    pub picture: Option<PathBuf>,
    /// Replace what would else be kept: the file that is read, a skeleton file of other motion.
    pub force: bool,
    /// The way asked for and the way walked, from above, a PNG.
    pub plan_picture: Option<PathBuf>,
    /// The motion as a page that plays it, one HTML file.
    pub page: Option<PathBuf>,
    /// The user's own character or skeleton that gets the motion. A `.glb` one in a `.glb` file keeps its
    /// mesh and materials.
    pub onto: Option<PathBuf>,
}

impl LengthUnit {
    pub(crate) fn option(self) -> UnitOption {
        self.unit().map_or(UnitOption::Auto, UnitOption::Unit)
    }

    fn unit(self) -> Option<Unit> {
        match self {
            Self::Auto => None,
            Self::M => Some(Unit::Metre),
            Self::Cm => Some(Unit::Centimetre),
            Self::Mm => Some(Unit::Millimetre),
            Self::In => Some(Unit::Inch),
            Self::Cmu => Some(Unit::Cmu),
        }
    }
}

impl Up {
    pub(crate) fn option(self) -> UpOption {
        match self {
            Self::Auto => UpOption::Auto,
            Self::X => UpOption::Axis(UpAxis::X),
            Self::Y => UpOption::Axis(UpAxis::Y),
            Self::Z => UpOption::Axis(UpAxis::Z),
        }
    }
}

impl MotionFile {
    /// A file that says of itself what has to be known.
    pub fn new(file: impl Into<FileName>) -> Self {
        Self {
            file: file.into(),
            ..Self::default()
        }
    }

    /// The motion in it.
    pub fn clip(&self, files: &dyn Files, run: &Run) -> Result<Clip, Failure> {
        let read = self.read(files)?;
        for warning in &read.source.warnings {
            run.warn(warning);
        }
        Ok(read.clip)
    }

    pub(crate) fn read(&self, files: &dyn Files) -> Result<Motion, Failure> {
        let options = ReadOptions {
            unit: self.unit.option(),
            partial: self.partial,
            take: self.take.clone().map_or(Take::First, Take::Named),
            roles: read_role_map(self.map.as_ref(), files)?,
            ..ReadOptions::default()
        };
        let mut motion = read_motion(&files.locate(&self.file)?, &options)?;
        if let Some(rate) = self.source_rate()? {
            motion.clip.rate = rate;
        }
        Ok(motion)
    }

    /// The rate that was told.
    pub(crate) fn source_rate(&self) -> Result<Option<FrameRate>, Failure> {
        let told = self.source_fps;
        told.map(|fps| rate_of(fps, "source_fps")).transpose()
    }
}

/// A rate as a request has it.
pub(crate) fn rate_of(fps: f64, field: &str) -> Result<FrameRate, Failure> {
    let expected = "frames per second, more than 0";
    FrameRate::from_fps(fps).ok_or_else(|| Failure::bad_value(field, fps, expected))
}

impl Output {
    /// Into that file, in centimetres where the format leaves it open.
    pub fn to(file: impl Into<PathBuf>) -> Self {
        Self {
            file: file.into(),
            ..Self::default()
        }
    }

    /// Refuses to replace the file that is read, unless that is wanted.
    pub(crate) fn keep(&self, input: &Path) -> Result<(), Failure> {
        let files = std::iter::once(&self.file).chain(&self.also);
        let mut same = files.filter(|file| is_same_file(file, input));
        match same.next() {
            Some(file) if !self.force => {
                let words = "this is the file that is read, and it would be replaced";
                Err(Failure::at(file, words).with_hint(Hint::Force))
            }
            _ => Ok(()),
        }
    }

    /// Refuses endings that can't be written and folders that are not there, before work is spent on
    /// them.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for file in std::iter::once(&self.file).chain(&self.also) {
            check_motion_file(file)?;
        }
        check_picture_file(self.picture.as_deref())?;
        check_picture_file(self.plan_picture.as_deref())?;
        check_page_file(self.page.as_deref())?;
        let pictures = [&self.picture, &self.plan_picture, &self.page];
        let files = std::iter::once(&self.file).chain(&self.also);
        check_distinct(files.chain(pictures.into_iter().flatten()))?;
        match &self.onto {
            Some(rig) => self.keep(rig),
            None => Ok(()),
        }
    }

    /// Refuses a file that could not be read back and judged.
    pub(crate) fn check_judged(&self) -> Result<(), Failure> {
        self.check()?;
        match Format::of_path(&self.file) {
            None => Err(Failure::at(
                &self.file,
                "made motion is judged as read back, which .usda is not: expected a file that ends in .bvh, .amc, .glb or .fbx; \
                 `convert` makes .usda of one",
            )),
            Some(_) => Ok(()),
        }
    }

    /// The unit that was asked for, else that of `options`.
    pub(crate) fn write_options(&self, mut options: WriteOptions) -> WriteOptions {
        if let Some(unit) = self.unit.unit() {
            options.metres_per_unit = unit.metres();
        }
        options
    }
}

/// Refuses a file that motion can't be written to.
pub(crate) fn check_motion_file(path: &Path) -> Result<(), Failure> {
    match Format::written_to(path) {
        None => Err(Failure::at(
            path,
            format!("expected a file that ends in {}", Format::WRITTEN),
        )),
        Some(_) => check_folder(path),
    }
}

/// Refuses a page, if one is asked for, that would not be named as what it is.
pub(crate) fn check_page_file(path: Option<&Path>) -> Result<(), Failure> {
    let is_page = |path: &Path| {
        let ending = path.extension().unwrap_or_default();
        ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm")
    };
    match path {
        Some(path) if !is_page(path) => {
            Err(Failure::at(path, "expected a file that ends in .html"))
        }
        Some(path) => check_folder(path),
        None => Ok(()),
    }
}

/// Refuses a file in a folder that is not there, and one that is never replaced.
pub(crate) fn check_folder(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(Failure::at(folder, "there is no such folder to write to")),
        None => Ok(may_be_written(file)?),
    }
}

/// Endings of files that programs keep motion, libraries and what is asked of them in.
const ENDINGS: [&str; 16] = [
    "afoot",
    "afootpack",
    "amc",
    "asf",
    "bvh",
    "fbx",
    "glb",
    "gltf",
    "html",
    "json",
    "play",
    "png",
    "svg",
    "usda",
    "vrm",
    "vrma",
];

/// Refuses a file that is named as something else than what is written to it.
pub(crate) fn check_named_as(file: &Path, own: &[&str]) -> Result<(), Failure> {
    let ending = file.extension().unwrap_or_default();
    let ending = ending.to_string_lossy().to_ascii_lowercase();
    if ENDINGS.contains(&ending.as_str()) && !own.contains(&ending.as_str()) {
        let words = format!("expected a file that ends in .{}", own.join(" or ."));
        return Err(Failure::at(file, words));
    }
    check_folder(file)
}

/// Refuses outputs of which one would replace another.
pub(crate) fn check_distinct<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    let files: Vec<&PathBuf> = files.into_iter().collect();
    let whole = |path: &Path| std::path::absolute(path).ok();
    for (number, file) in files.iter().enumerate() {
        let same = |other: &&&PathBuf| whole(file) == whole(other) || is_same_file(file, other);
        if files[..number].iter().any(|other| same(&other)) {
            let words = "two results would go to this file; give each a name of its own";
            return Err(Failure::at(file, words));
        }
    }
    Ok(())
}

/// Whether two names lead to one file.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (std::fs::metadata(a), std::fs::metadata(b)) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Refuses a picture, if one is asked for, that would not be named as what it is.
pub(crate) fn check_picture_file(path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) if !is_picture(path) => {
            Err(Failure::at(path, "expected a file that ends in .png"))
        }
        Some(path) => check_folder(path),
        None => Ok(()),
    }
}

/// Whether a file is named as a picture.
pub(crate) fn is_picture(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

/// Which joint is which body part, as a JSON file says: `{"Bone.003": "left_up_leg"}`.
pub(crate) fn read_role_map(
    name: Option<&FileName>,
    files: &dyn Files,
) -> Result<Vec<(String, String)>, Failure> {
    let Some(name) = name else {
        return Ok(Vec::new());
    };
    let map: BTreeMap<String, String> = name.json("joints and body parts", files)?;
    Ok(map.into_iter().collect())
}

/// Refuses a file where a folder is meant, and a place that belongs to a library.
pub(crate) fn check_no_file(path: &Path) -> Result<(), Failure> {
    if path.exists() && !path.is_dir() {
        return Err(Failure::at(path, "expected a folder, found a file"));
    }
    match path.is_dir() {
        true => Ok(()),
        false => Ok(may_be_written(path)?),
    }
}

/// Makes a folder for results, unless it is there.
pub fn make_folder(path: &Path) -> Result<(), Failure> {
    check_no_file(path)?;
    std::fs::create_dir_all(path).map_err(|error| Failure::at(path, words_of(&error)))
}

/// Writes a file, whole or not at all.
pub fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    Ok(write_whole(path, content.as_ref())?)
}

/// How to read a file that was written so, at that rate. A BVH file does not say its unit, an AMC
/// file not its rate, and neither which axis is up; all else is in the files or fixed by the format.
pub(crate) fn read_back_options(
    path: &Path,
    written: &WriteOptions,
    rate: FrameRate,
) -> ReadOptions {
    let (unit, up) = (
        UnitOption::Metres(written.metres_per_unit),
        UpOption::Axis(written.up),
    );
    let usual = ReadOptions::default();
    match Format::of_path(path) {
        Some(Format::Bvh) => ReadOptions { unit, up, ..usual },
        Some(Format::Amc) => ReadOptions {
            up,
            rate: Some(rate),
            ..usual
        },
        _ => usual,
    }
}
