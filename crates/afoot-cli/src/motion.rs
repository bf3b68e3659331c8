//! Motion files as the commands use them: read with the options given, written with a picture.

use std::path::Path;

use afoot_core::{Clip, FrameRate};
use afoot_draw::{SheetOptions, draw_sheet};
use afoot_formats::files::write_whole;
use afoot_formats::{
    Format, Motion, ReadOptions, Unit, UnitOption, UpAxis, UpOption, WriteOptions, read_motion,
    write_motion,
};

use crate::arguments::{OutputArguments, UnitArgument, UpArgument};
use crate::console::Console;
use crate::failure::{Failure, Outcome};

impl UnitArgument {
    pub fn option(self) -> UnitOption {
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

impl UpArgument {
    pub fn option(self) -> UpOption {
        match self {
            Self::Auto => UpOption::Auto,
            Self::Y => UpOption::Axis(UpAxis::Y),
            Self::Z => UpOption::Axis(UpAxis::Z),
        }
    }
}

/// Reads a motion file.
pub fn read(path: &Path, unit: UnitArgument, partial: bool) -> Result<Motion, Failure> {
    let options = ReadOptions {
        unit: unit.option(),
        partial,
        ..ReadOptions::default()
    };
    Ok(read_motion(path, &options)?)
}

/// Which joint is which body part, as a JSON file says: `{"Bone.003": "left_up_leg"}`.
pub fn read_role_map(path: Option<&Path>) -> Result<Vec<(String, String)>, Failure> {
    let Some(path) = path else {
        return Ok(Vec::new());
    };
    let text = std::fs::read(path).map_err(|error| Failure::at(path, error))?;
    let map: std::collections::BTreeMap<String, String> = serde_json::from_slice(&text)
        .map_err(|error| Failure::at(path, format!("expected joints and body parts: {error}")))?;
    Ok(map.into_iter().collect())
}

/// Refuses endings that can't be written, before work is spent on them.
pub fn check_output(output: &OutputArguments) -> Outcome {
    check_motion_file(&output.output)?;
    check_picture_file(output.picture.as_deref())
}

/// Refuses a file that motion can't be written to.
pub fn check_motion_file(path: &Path) -> Outcome {
    match Format::of_path(path) {
        None => Err(Failure::at(
            path,
            "expected a file that ends in .bvh, .amc, .glb or .fbx",
        )),
        Some(_) => Ok(()),
    }
}

/// Refuses a picture, if one is asked for, that would not be named as what it is.
pub fn check_picture_file(path: Option<&Path>) -> Outcome {
    match path {
        Some(path) if !is_picture(path) => {
            Err(Failure::at(path, "expected a file that ends in .png"))
        }
        _ => Ok(()),
    }
}

/// Whether a file is named as a picture.
pub fn is_picture(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

/// Makes a folder for results, unless it is there.
pub fn make_folder(path: &Path) -> Outcome {
    if path.exists() && !path.is_dir() {
        return Err(Failure::at(path, "expected a folder, found a file"));
    }
    std::fs::create_dir_all(path).map_err(|error| Failure::at(path, error))
}

/// Writes motion where the user asked for it, and its picture.
pub fn write(clip: &Clip, output: &OutputArguments, console: &Console) -> Outcome {
    write_like(clip, output, WriteOptions::default(), console)
}

/// [`write()`] with other defaults than centimetres and y up.
pub fn write_like(
    clip: &Clip,
    output: &OutputArguments,
    options: WriteOptions,
    console: &Console,
) -> Outcome {
    let options = write_options(output, options);
    for warning in write_motion(&output.output, clip, &options)? {
        console.warn(warning);
    }
    console.say(format!("wrote {}", output.output.display()));
    match &output.picture {
        Some(path) => write_sheet(clip, path),
        None => Ok(()),
    }
}

/// The unit that the user asked for, else that of `options`.
pub fn write_options(output: &OutputArguments, mut options: WriteOptions) -> WriteOptions {
    if let Some(unit) = output.output_unit.and_then(UnitArgument::unit) {
        options.metres_per_unit = unit.metres();
    }
    options
}

/// How to read a file that was written so, at that rate. A BVH file does not say its unit, an AMC
/// file not its rate, and neither which axis is up; all else is in the files or fixed by the format.
pub fn read_back_options(path: &Path, written: &WriteOptions, rate: FrameRate) -> ReadOptions {
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

/// Draws a clip as stick figures into a file.
pub fn write_sheet(clip: &Clip, path: &Path) -> Outcome {
    Ok(write_whole(
        path,
        &draw_sheet(clip, &SheetOptions::default())?,
    )?)
}
