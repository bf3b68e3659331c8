//! `bake`: what a game ships, in one file.

use std::path::PathBuf;

use afoot::{Bake, CharacterBaked, Library, Run};
use clap::Args;

use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct BakeArguments {
    /// The library
    library: PathBuf,
    /// The baked character; a name that ends with .html gets a page in which it is steered by keys
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Farthest that a joint may be from where it was captured [mm, at most 1]
    #[arg(long, value_name = "MM", default_value_t = Bake::default().error_mm)]
    error: f32,
}

const EXAMPLES: &str = "\
Examples:
  afoot bake lib.afoot -o hero.afootpack
  afoot bake lib.afoot --error 1 -o hero.afootpack
  afoot bake lib.afoot -o steer.html";

pub fn bake(arguments: &BakeArguments, run: &Run, console: &Console) -> Outcome {
    let bake = Bake {
        error_mm: arguments.error,
    };
    let library = Library::open(&arguments.library)?;
    let baked = bake.run(&library, &arguments.output, run)?;
    console.done(&baked, |baked| words(arguments, baked))
}

fn words(arguments: &BakeArguments, baked: &CharacterBaked) -> String {
    let kilobytes = |bytes: usize| bytes as f64 / 1e3;
    let mut joints: Vec<_> = baked.joints.iter().collect();
    joints.sort_by(|a, b| b.most_mm.total_cmp(&a.most_mm));
    let worst = joints.iter().take(3);
    let worst = worst.map(|joint| format!("{} {:.2} mm", joint.joint, joint.most_mm));
    format!(
        "{}: {:.0} kB for {} clips, {:.0} s, {} transitions\n\
         clips {:.0} kB ({:.1} times smaller), graph {:.0} kB, control table {:.0} kB\n\
         joints off by at most {:.2} mm; most: {}\n\
         words: {}",
        arguments.output.display(),
        kilobytes(baked.bytes),
        baked.clips,
        baked.seconds,
        baked.transitions,
        kilobytes(baked.clip_bytes),
        baked.clip_bytes_unpacked as f64 / baked.clip_bytes.max(1) as f64,
        kilobytes(baked.graph_bytes),
        kilobytes(baked.control_bytes),
        baked.most_mm,
        worst.collect::<Vec<_>>().join(", "),
        baked.words.join(", "),
    )
}
