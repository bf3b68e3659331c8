//! `matrix`: the transition error of two clips as a picture.

use std::path::{Path, PathBuf};

use afoot_core::Clip;
use afoot_draw::{Colour, Mark, MatrixPicture, draw_matrix};
use afoot_formats::files::write_whole;
use afoot_graph::{GraphOptions, error_matrix};
use afoot_library::Library;
use clap::Args;
use serde_json::json;

use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::motion;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct MatrixArguments {
    /// The library
    library: PathBuf,
    /// The clip that is left, down the picture
    a: String,
    /// The clip that is entered, across it
    b: String,
    /// The picture
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
    /// Mark minima up to this error [cm]
    #[arg(long, value_name = "CM", default_value_t = 4.0)]
    threshold: f32,
    /// Length of the compared windows [s]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 3.0)]
    window: f64,
}

const EXAMPLES: &str = "\
Examples:
  afoot matrix lib.afoot 16_15 16_16 -o matrix.png
  afoot matrix lib.afoot 16_15 16_15 --threshold 8 -o loops.png";

pub fn matrix(arguments: &MatrixArguments, console: &Console) -> Outcome {
    motion::check_picture_file(Some(&arguments.output))?;
    let library = Library::open_read_only(&arguments.library)?;
    let (a, b) = (library.clip(&arguments.a)?, library.clip(&arguments.b)?);
    let options = GraphOptions {
        threshold_cm: arguments.threshold,
        window: arguments.window,
        ..GraphOptions::default()
    };
    let (minima, least) = write_matrix(&a, &b, &options, &arguments.output)?;
    let file = arguments.output.display().to_string();
    console.result(
        || json!({"file": file, "minima": minima, "least_cm": least}),
        || {
            format!(
                "{file}: {minima} minima up to {} cm, the least {least:.2} cm",
                arguments.threshold
            )
        },
    )
}

/// Draws the errors of two clips; gives the number of minima and the least error. [cm]
pub fn write_matrix(
    a: &Clip,
    b: &Clip,
    options: &GraphOptions,
    path: &Path,
) -> Result<(usize, f32), Failure> {
    let matrix = error_matrix(a, b, options)?;
    if matrix.values.is_empty() {
        return Err(Failure::no_motion(format!(
            "clip {:?} or {:?} has fewer frames than the window's {}",
            a.name, b.name, matrix.window
        )));
    }
    let mark = |[row, column]: &[u32; 2]| Mark {
        row: *row as usize,
        column: *column as usize,
        colour: Colour::RIGHT,
    };
    let marks: Vec<Mark> = matrix.minima.iter().map(mark).collect();
    let title = format!("{} against {}: error of a transition [cm]", a.name, b.name);
    let labels = [format!("{} [s]", b.name), format!("{} [s]", a.name)];
    let picture = MatrixPicture {
        values: &matrix.values,
        width: matrix.cols,
        height: matrix.rows,
        marks: &marks,
        title: &title,
        labels: [&labels[0], &labels[1]],
        cell: [a.rate.frame_time(); 2],
        ..MatrixPicture::default()
    };
    write_whole(path, &draw_matrix(&picture)?)?;
    let least = matrix.values.iter().copied().fold(f32::INFINITY, f32::min);
    Ok((marks.len(), least))
}
