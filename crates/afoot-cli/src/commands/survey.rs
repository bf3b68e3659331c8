//! `survey`: what a library's motion can do in a world.

use std::path::{Path, PathBuf};

use afoot::{
    Connect, EditShape, EmbedRecipe, Failure, Library, Run, Survey, SurveyMade, SurveySet,
};
use clap::{Args, ValueEnum};

use crate::console::Console;
use crate::defaults::typed;
use crate::failure::Outcome;
use crate::recipe::parse_pair;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SurveyArguments {
    /// The library
    library: PathBuf,
    /// The world: bounds, obstacles, regions, radius
    #[arg(long, value_name = "FILE")]
    world: PathBuf,
    /// Folder for the page and the report
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    embed: EmbedArguments,
    /// Only clips of this name, in which * stands for anything
    #[arg(long, value_name = "NAME")]
    clip: Vec<String>,
    /// A place is covered if motion passes this near [m]
    #[arg(long, value_name = "M", default_value_t = Survey::default().epsilon_m)]
    epsilon: f64,
    /// The turn that counts as much as a metre [degrees]
    #[arg(long, value_name = "DEG", default_value_t = Survey::default().turn_per_metre_deg)]
    turn_per_metre: f64,
    /// Pairs of places between which paths are sought
    #[arg(long, value_name = "N", default_value_t = Survey::default().samples)]
    samples: u32,
    /// Put another set beside it: NAME=CLIP,CLIP,... with * for anything, or NAME=LIB.afoot
    #[arg(long, value_name = "NAME=SET")]
    compare: Vec<String>,
    /// Try these editing sizes too, such as 5,10,15
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    edits: Vec<f64>,
    /// Try these widths of cells too, headings in proportion [m]
    #[arg(long, value_name = "WIDTHS", value_delimiter = ',')]
    cells: Vec<f64>,
    /// Do not try what could be captured next
    #[arg(long)]
    no_suggestions: bool,
}

/// How a graph is made and embedded.
#[derive(Debug, Clone, Args)]
pub struct EmbedArguments {
    /// Accept transitions up to this error [cm]
    #[arg(long, value_name = "CM", default_value_t = EmbedRecipe::default().graph.threshold_cm)]
    threshold: f32,
    /// Another threshold between two labels, such as walk,step=12
    #[arg(long, value_name = "A,B=CM")]
    pair: Vec<String>,
    /// Shortest stretch between two choices [s]
    #[arg(long, value_name = "S", default_value_t = EmbedRecipe::default().graph.minimum_clip)]
    min_clip: f64,
    /// Like places that each choice keeps, the best first; 0 keeps all
    #[arg(long, value_name = "N", default_value_t = EmbedRecipe::default().graph.most_partners)]
    most_partners: u32,
    /// Width of a cell [m]
    #[arg(long, value_name = "M", default_value_t = EmbedRecipe::default().cell_m)]
    cell: f64,
    /// Angle between headings [degrees]
    #[arg(long, value_name = "DEG", default_value_t = EmbedRecipe::default().yaw_deg)]
    yaw: f64,
    /// How far motion may be bent for a metre [cm and degrees]
    #[arg(long, value_name = "SIZE", default_value_t = EmbedRecipe::default().edit)]
    edit: f64,
    /// How far motion may be bent for a second [cm and degrees]
    #[arg(long, value_name = "SIZE", default_value_t = EmbedRecipe::default().edit_in_time)]
    edit_in_time: f64,
    /// Whether motion may be shifted and turned to the limit at once
    #[arg(long, value_enum, default_value = typed(EmbedRecipe::default().edit_shape))]
    edit_shape: ShapeArgument,
    /// What becomes of motion that can be bent to end in no cell's middle
    #[arg(long, value_enum, default_value = typed(EmbedRecipe::default().connect))]
    connect: ConnectArgument,
    /// Bend motion with good transitions more, with poor ones less
    #[arg(long)]
    edit_by_slack: bool,
    /// Room kept beyond the world's radius [m]
    #[arg(long, value_name = "M", default_value_t = EmbedRecipe::default().margin_m)]
    margin: f64,
    /// Most memory for the embedded graph and searches in it, beside the library [MB]
    #[arg(long, value_name = "MB", default_value_t = EmbedRecipe::default().memory_mb)]
    memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ShapeArgument {
    /// x, z and yaw each within its limit
    Box,
    /// The squares of their shares sum to one at most
    Ellipsoid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ConnectArgument {
    /// Link it to the nearest cell, beyond the limits
    Always,
    /// Link only what is within the limits
    Within,
}

const EXAMPLES: &str = "\
Examples:
  afoot survey lib.afoot --world room.json -o survey
  afoot survey lib.afoot --world room.json -o survey --edits 5,15,25,35 --samples 5000 --no-suggestions
  afoot survey lib.afoot --world room.json -o survey --compare 'turns=turn_*,walk' --compare other=other.afoot

A world: {\"bounds\": [[0,0],[7,8]], \"obstacles\": [{\"circle\": [2,3,0.3]}, {\"polygon\": [[4,4],[5,4],[5,5]]}],
\"regions\": [{\"polygon\": [[0,6],[7,6],[7,6.3],[0,6.3]], \"only\": [\"step\"]}], \"radius\": 0.25}, in metres.
--seed draws other pairs of places.";

impl EmbedArguments {
    pub fn recipe(&self) -> Result<EmbedRecipe, Failure> {
        let mut recipe = EmbedRecipe {
            cell_m: self.cell,
            yaw_deg: self.yaw,
            edit: self.edit,
            edit_in_time: self.edit_in_time,
            edit_shape: match self.edit_shape {
                ShapeArgument::Box => EditShape::Box,
                ShapeArgument::Ellipsoid => EditShape::Ellipsoid,
            },
            connect: match self.connect {
                ConnectArgument::Always => Connect::Always,
                ConnectArgument::Within => Connect::Within,
            },
            edit_by_slack: self.edit_by_slack,
            margin_m: self.margin,
            memory_mb: self.memory,
            ..EmbedRecipe::default()
        };
        recipe.graph.threshold_cm = self.threshold;
        recipe.graph.minimum_clip = self.min_clip;
        recipe.graph.most_partners = self.most_partners;
        let pairs = self.pair.iter().map(|text| parse_pair(text));
        recipe.graph.pairs = pairs.collect::<Result<_, _>>()?;
        Ok(recipe)
    }
}

pub fn survey(arguments: &SurveyArguments, run: &Run, console: &Console) -> Outcome {
    let sets = arguments.compare.iter().map(|text| parse_set(text));
    let survey = Survey {
        world: arguments.world.clone().into(),
        clips: arguments.clip.clone(),
        embed: arguments.embed.recipe()?,
        epsilon_m: arguments.epsilon,
        turn_per_metre_deg: arguments.turn_per_metre,
        samples: arguments.samples,
        compare: sets.collect::<Result<_, _>>()?,
        edits: arguments.edits.clone(),
        cells: arguments.cells.clone(),
        suggest: !arguments.no_suggestions,
    };
    let library = Library::open(&arguments.library)?;
    let made = survey.run(&library, &arguments.output, run)?;
    console.done(&made, words)
}

/// `NAME=CLIP,CLIP` or `NAME=LIB.afoot`.
fn parse_set(text: &str) -> Result<SurveySet, Failure> {
    let wrong = || Failure::bad_value("compare", text, "NAME=CLIP,CLIP,... or NAME=LIB.afoot");
    let (name, set) = text.split_once('=').ok_or_else(wrong)?;
    if name.is_empty() || set.is_empty() {
        return Err(wrong());
    }
    let is_library = Path::new(set)
        .extension()
        .is_some_and(|ending| ending == "afoot");
    Ok(SurveySet {
        name: name.into(),
        clips: match is_library {
            true => Vec::new(),
            false => set.split(',').map(String::from).collect(),
        },
        library: is_library.then(|| PathBuf::from(set).into()),
    })
}

fn words(made: &SurveyMade) -> String {
    let set = |set: &afoot::SetSurveyed| {
        format!(
            "{}: {} states, {} links; coverage {:.3} of places, {:.3} with headings; paths {:.4} in the median, \
             {:.3} at the 95th percentile, {:.1} % above 1.1, {} of {} unreached",
            set.name,
            set.nodes,
            set.links,
            set.coverage_xz,
            set.coverage_xza,
            set.paths.median,
            set.paths.p95,
            100.0 * set.paths.above_1_1,
            set.paths.unreached,
            set.paths.samples
        )
    };
    let sets = std::iter::once(&made.main).chain(&made.compare).map(set);
    let edits = made.edits.iter().map(|row| {
        format!(
            "bent by {}: coverage {:.3} and {:.3} always linked, {:.3} and {:.3} within limits",
            row.edit,
            row.always.coverage_xz,
            row.always.coverage_xza,
            row.within.coverage_xz,
            row.within.coverage_xza
        )
    });
    let next = made.suggestions.first().map(|best| {
        format!(
            "to capture next: {} ({:+.1} % of places and headings, {:+.1} % of paths poor)",
            best.words,
            100.0 * best.gain_xza,
            -100.0 * best.gain_poor
        )
    });
    sets.chain(edits).chain(next).collect::<Vec<_>>().join("\n")
}
