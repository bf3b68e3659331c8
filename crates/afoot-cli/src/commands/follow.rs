//! `follow`: motion along a path.

use std::path::PathBuf;

use afoot::{Failure, Follow, FollowSearch, Library, Output, Run, Start};
use clap::{Args, ValueEnum};

use crate::arguments::{DrawingArguments, MovingArguments, OutputArguments, StandingArguments};
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FollowArguments {
    /// The library
    library: PathBuf,
    /// The path: JSON in metres, or an SVG drawing, one user unit a metre unless told otherwise
    #[arg(long, value_name = "FILE")]
    path: PathBuf,
    #[command(flatten)]
    drawing: DrawingArguments,
    /// Use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    only: Vec<String>,
    #[command(flatten)]
    moving: MovingArguments,
    #[command(flatten)]
    standing: StandingArguments,
    #[command(flatten)]
    output: OutputArguments,
    /// Leave captured motion where it is: do not warp the root's path
    #[arg(long)]
    exact_source: bool,
    /// The path is closed: end where it began
    #[arg(long)]
    closed: bool,
    /// Start in this clip, at a time of it: CLIP or CLIP@1.5
    #[arg(long, value_name = "CLIP[@S]")]
    start: Option<String>,
    /// How the walk is searched for
    #[arg(long, value_enum, default_value = "beam")]
    search: SearchArgument,
    /// Draw the path asked for and the path walked, from above
    #[arg(long, value_name = "FILE.png")]
    plan_picture: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchArgument {
    /// Many states side by side: best on long paths
    Beam,
    /// Branch and bound over the whole path, for short ones
    Branch,
    /// Branch and bound over three seconds at a time, of which one is kept
    Incremental,
}

const EXAMPLES: &str = "\
Examples:
  afoot follow lib.afoot --path circle.json -o walk.bvh
  afoot follow lib.afoot --path hello.svg --as walk -o hello.glb --picture hello.png
  afoot follow lib.afoot --path plan.svg --fit 12m --stroke 2 -o walk.bvh
  afoot follow lib.afoot --path hello.svg --exact-source -o hello.bvh
  afoot follow lib.afoot --path hello.svg -o hero_walks.glb --onto hero.glb";

pub fn follow(arguments: &FollowArguments, run: &Run, console: &Console) -> Outcome {
    let follow = Follow {
        path: arguments.path.clone().into(),
        drawing: (&arguments.drawing).into(),
        labels: arguments.only.clone(),
        moving: arguments.moving.moving()?,
        standing: arguments.standing.standing(),
        closed: arguments.closed,
        exact_source: arguments.exact_source,
        start: arguments.start.as_deref().map(parse_start).transpose()?,
        search: match arguments.search {
            SearchArgument::Beam => FollowSearch::Beam,
            SearchArgument::Branch => FollowSearch::BRANCH,
            SearchArgument::Incremental => FollowSearch::INCREMENTAL,
        },
    };
    let library = Library::open(&arguments.library)?;
    let output = Output {
        plan_picture: arguments.plan_picture.clone(),
        ..Output::from(&arguments.output)
    };
    let delivered = library.deliver(&follow, &output, run)?;
    console.done(&delivered, delivered_words)
}

/// `CLIP` or `CLIP@SECONDS`.
fn parse_start(text: &str) -> Result<Start, Failure> {
    let Some((clip, seconds)) = text.rsplit_once('@') else {
        let (clip, seconds) = (text.into(), 0.0);
        return Ok(Start { clip, seconds });
    };
    let wrong = || Failure::bad_value("start", text, "CLIP or CLIP@SECONDS, from 0 s on");
    let good = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
    let seconds = seconds.parse().ok().filter(good).ok_or_else(wrong)?;
    let clip = clip.into();
    Ok(Start { clip, seconds })
}
