//! Labels learned from what was marked: `learn`.

use std::path::PathBuf;

use afoot::{KernelShape, Learn, Learned, Library, Run};
use clap::{Args, ValueEnum};

use crate::console::Console;
use crate::defaults::typed;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(after_help = LEARN_EXAMPLES)]
pub struct LearnArguments {
    /// The library
    library: PathBuf,
    /// A label; may be given several times [default: all that some frame is marked with]
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,
    /// List this many stretches for a person to look at, the least certain and least alike first
    #[arg(long, value_name = "N", default_value_t = Learn::default().review)]
    review: usize,
    /// How likeness falls off with distance
    #[arg(long, value_enum, default_value = typed(Learn::default().kernel))]
    kernel: ShapeWord,
    /// No stretch that is annotated lasts less [s]
    #[arg(long, value_name = "S", default_value_t = Learn::default().least_seconds)]
    least_seconds: f64,
}

/// A kernel's shape, as typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ShapeWord {
    Gaussian,
    Exponential,
}

const LEARN_EXAMPLES: &str = "\
Examples:
  afoot label lib.afoot 16_15 sneak --from 1.5 --to 4
  afoot labels verify lib.afoot 16_15
  afoot learn lib.afoot --review 5
  afoot labels confirm lib.afoot 16_21 --label sneak --from 0 --to 2   what it listed is right
  afoot label lib.afoot 16_22 sneak --from 3 --to 4 --not              or is not
  afoot learn lib.afoot --label sneak --review 5";

pub fn learn(arguments: &LearnArguments, run: &Run, console: &Console) -> Outcome {
    let learn = Learn {
        labels: arguments.labels.clone(),
        review: arguments.review,
        kernel: match arguments.kernel {
            ShapeWord::Gaussian => KernelShape::Gaussian,
            ShapeWord::Exponential => KernelShape::Exponential,
        },
        least_seconds: arguments.least_seconds,
    };
    let learned = learn.run(&Library::open(&arguments.library)?, run)?;
    console.result(&learned, learned_words)
}

fn learned_words(learned: &Learned) -> String {
    let mut words = String::new();
    for label in &learned.labels {
        let held_out = label.held_out_f1.map_or(String::new(), |f1| {
            format!(", F1 {f1:.2} on clips held out")
        });
        words += &format!(
            "{}: {} stretches, {:.1} s, from {} frames ({} hold the boundary{held_out})\n",
            label.label,
            label.stretches,
            label.annotated_seconds,
            label.trained_frames,
            label.support_vectors,
        );
    }
    for failed in &learned.failed {
        words += &format!("not learned: {}\n", failed.error);
    }
    if !learned.review.is_empty() {
        words += "worth a look:\n";
    }
    for stretch in &learned.review {
        words += &format!(
            "  {} {:.2} to {:.2} s: {} with probability {:.2}\n",
            stretch.clip, stretch.from, stretch.to, stretch.label, stretch.probability
        );
    }
    words
}
