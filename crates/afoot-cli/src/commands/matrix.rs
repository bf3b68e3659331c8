//! `matrix`: the transition error of two clips as a picture.

use std::path::PathBuf;

use afoot::{Library, Matrix, Run};
use clap::Args;

use crate::console::Console;
use crate::failure::Outcome;

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
    #[arg(long, value_name = "CM", default_value_t = Matrix::default().threshold_cm)]
    threshold: f32,
    /// Length of the compared windows [s]
    #[arg(long, value_name = "S", default_value_t = Matrix::default().window)]
    window: f64,
}

const EXAMPLES: &str = "\
Examples:
  afoot matrix lib.afoot 16_15 16_16 -o matrix.png
  afoot matrix lib.afoot 16_15 16_15 --threshold 8 -o loops.png";

pub fn matrix(arguments: &MatrixArguments, run: &Run, console: &Console) -> Outcome {
    let matrix = Matrix {
        a: arguments.a.clone(),
        b: arguments.b.clone(),
        threshold_cm: arguments.threshold,
        window: arguments.window,
    };
    let library = Library::open(&arguments.library)?;
    let drawn = matrix.run(&library, &arguments.output, run)?;
    console.result(&drawn, |drawn| {
        format!(
            "{}: {} minima up to {} cm, the least {:.2} cm",
            arguments.output.display(),
            drawn.minima,
            arguments.threshold,
            drawn.least_cm
        )
    })
}
