//! `follow`: motion along a path.

use std::path::PathBuf;

use afoot::{Failure, Follow, FollowSearch, Input, Library, Output, Run, Start, Through};
use clap::{Args, ValueEnum};

use crate::arguments::{DrawingArguments, MovingArguments, OutputArguments, StandingArguments};
use crate::console::Console;
use crate::defaults::typed;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct FollowArguments {
    /// The library
    library: PathBuf,
    /// The path: JSON in metres, or an SVG drawing, one user unit a metre unless told otherwise
    #[arg(long, value_name = "FILE", required_unless_present = "world")]
    path: Option<PathBuf>,
    /// Instead of a path: walk through this world, from one place to another around what stands there
    #[arg(long, value_name = "FILE", requires_all = ["from", "to"], conflicts_with = "path")]
    world: Option<PathBuf>,
    /// Where to start in the world, and which way to face
    #[arg(long, value_name = "X,Z[,DEG]", requires = "world")]
    from: Option<String>,
    /// Where to end in the world, and which way to face
    #[arg(long, value_name = "X,Z[,DEG]", requires = "world")]
    to: Option<String>,
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
    #[arg(long, value_enum, default_value = typed(Follow::default().search))]
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
  afoot follow lib.afoot --world room.json --from 1,1 --to 6,1 -o walk.bvh
  afoot follow lib.afoot --path hello.svg --exact-source -o hello.bvh
  afoot follow lib.afoot --path hello.svg -o hero_walks.glb --onto hero.glb";

pub fn follow(arguments: &FollowArguments, run: &Run, console: &Console) -> Outcome {
    let follow = Follow {
        path: arguments.path.clone().map(Input::from).unwrap_or_default(),
        through: through(arguments)?,
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

fn through(arguments: &FollowArguments) -> Result<Option<Through>, Failure> {
    let (Some(world), Some(from), Some(to)) = (&arguments.world, &arguments.from, &arguments.to)
    else {
        return Ok(None);
    };
    let (from, from_heading) = parse_place("from", from)?;
    let (to, to_heading) = parse_place("to", to)?;
    Ok(Some(Through {
        world: world.clone().into(),
        from,
        to,
        from_heading,
        to_heading,
        ..Through::default()
    }))
}

/// `X,Z` or `X,Z,DEGREES`.
fn parse_place(field: &str, text: &str) -> Result<([f64; 2], Option<f64>), Failure> {
    let wrong = || Failure::bad_value(field, text, "X,Z in metres, or X,Z,DEGREES");
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse()).collect();
    let numbers = numbers.map_err(|_| wrong())?;
    match numbers[..] {
        _ if numbers.iter().any(|number| !number.is_finite()) => Err(wrong()),
        [x, z] => Ok(([x, z], None)),
        [x, z, degrees] => Ok(([x, z], Some(degrees))),
        _ => Err(wrong()),
    }
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
