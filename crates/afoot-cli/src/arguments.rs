//! The command line as typed. What is meant by it is worked out by the commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// New, believable character motion out of motion that was captured before.
#[derive(Debug, Parser)]
#[command(name = "afoot", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  afoot demo                                    show the product on sample motion
  afoot import walks.afoot capture/*.bvh        read a folder of files into a library
  afoot graph walks.afoot --threshold 4         find where its clips connect
  afoot follow walks.afoot --path room.svg -o walk.bvh
  afoot judge walk.bvh --library walks.afoot    how good is it?";

/// Options that every command takes.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Print one JSON object on standard output and nothing else there
    #[arg(long, global = true)]
    pub json: bool,
    /// Print nothing but results and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Threads to work with [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Seed of everything random; the same seed gives the same bytes
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make an empty library
    New(NewArguments),
    /// Read motion files into a library: resample, repair, find contacts, classify
    #[command(after_help = IMPORT_EXAMPLES)]
    Import(ImportArguments),
    /// List the clips, filtered by type, share or label
    List(ListArguments),
    /// Show a library's or a clip's facts, in words or as pictures
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArguments),
    /// Write a clip, or a part of it, to a motion file
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArguments),
    /// Turn one motion file into another, without a library
    Convert(ConvertArguments),
    /// Remove a clip
    Remove(ClipArguments),
    /// Rename a clip
    Rename(RenameArguments),
    /// Annotate a clip, or a part of it, by hand
    Label(LabelArguments),
    /// Read or write all annotations of a library
    #[command(subcommand)]
    Labels(LabelsCommand),
    /// Build or extend the motion graph
    #[command(after_help = GRAPH_EXAMPLES)]
    Graph(GraphArguments),
    /// Draw the transition error of two clips as a picture, minima marked
    Matrix(MatrixArguments),
    /// Build the graph in independent pieces, for a cluster
    #[command(subcommand)]
    Tiles(TilesCommand),
    /// Walk along a path
    #[command(after_help = FOLLOW_EXAMPLES)]
    Follow(FollowArguments),
    /// Reach a clip at a place and heading
    #[command(after_help = REACH_EXAMPLES)]
    Reach(ReachArguments),
    /// Walk at random, using the library evenly
    Wander(WanderArguments),
    /// Steer with a script of directions, as a game would
    #[command(after_help = DRIVE_EXAMPLES)]
    Drive(DriveArguments),
    /// Move many characters without collisions
    Crowd(CrowdArguments),
    /// Remove foot skate from a motion file
    Clean(CleanArguments),
    /// Report the quality of a motion file
    Judge(JudgeArguments),
    /// Make the sample library and show the whole product on it
    Demo(DemoArguments),
    /// Print a shell's completion script
    Completions(CompletionsArguments),
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  afoot import lib.afoot capture/                  every motion file below a folder
  afoot import lib.afoot 16_15.amc                 finds 16.asf beside it
  afoot import lib.afoot *.bvh --mirror            and their mirror images
  afoot import lib.afoot sneak.bvh --label sneak --retarget 16_15";
const SHOW_EXAMPLES: &str = "\
Examples:
  afoot show lib.afoot                             the library
  afoot show lib.afoot 16_15 --picture sheet.png   stick figures on a sheet
  afoot show lib.afoot 16_15 --plot curves.png     heights, speeds, contacts over time";
const EXPORT_EXAMPLES: &str = "\
Examples:
  afoot export lib.afoot 16_15 -o walk.glb
  afoot export lib.afoot '16_15[2.0s..4.5s]' -o part.bvh
  afoot export lib.afoot '16_15[60..135]' -o part.amc --unit m";
const GRAPH_EXAMPLES: &str = "\
Examples:
  afoot graph lib.afoot --threshold 4
  afoot graph lib.afoot --auto --preview worst.png
  afoot graph lib.afoot --threshold 4 --pair walk,jump=8 --plot tradeoff.png";
const FOLLOW_EXAMPLES: &str = "\
Examples:
  afoot follow lib.afoot --path circle.json -o walk.bvh
  afoot follow lib.afoot --path hello.svg --as walk -o hello.glb --picture hello.png
  afoot follow lib.afoot --path hello.svg --exact-source -o hello.bvh";
const DRIVE_EXAMPLES: &str = "\
Directions are degrees: 0 goes along +z, 90 along +x. Beside the quality of the motion the report
tells how long it takes from a new direction to moving within 30 degrees of it (the way of the
root over the last tenth of a second, at 0.25 m/s or more), over half an hour of random directions;
the least time that captured motion and transitions alone would allow; and the longest call of
the controller in ten minutes, each call at its fastest in three equal drives, since other
programs interrupt it.

Examples:
  afoot drive lib.afoot --steer 0:0 --steer 3:90 --steer 6:180 --seconds 10 -o drive.bvh
  afoot drive lib.afoot --steer 0:0:walk --steer 4:-45:run --seconds 8 -o drive.glb --json
  afoot drive lib.afoot --seconds 600 -o random.bvh       random directions, by --seed";
const REACH_EXAMPLES: &str = "\
Examples:
  afoot reach lib.afoot jump --at 3,5 -o jump.bvh
  afoot reach lib.afoot 'kick[1.2s..3s]' --at 3,5 --heading 90 --from 0,0,-45 --as walk -o kick.bvh

The clip's first frame that plays is at the place: of a part, its first; of a whole clip, the first
that a transition leads to. Headings turn from +z towards +x.";

#[derive(Debug, Args)]
pub struct NewArguments {
    /// The library to make
    pub library: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnitArgument {
    Auto,
    M,
    Cm,
    Mm,
    In,
    Cmu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UpArgument {
    Auto,
    Y,
    Z,
}

#[derive(Debug, Args)]
pub struct ImportArguments {
    /// The library; made if it does not exist
    pub library: PathBuf,
    /// Motion files, or folders of them
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// Frames per second in the library; 0 keeps each file's own
    #[arg(long, default_value_t = 30.0)]
    pub fps: f64,
    /// The rate at capture, where the files are wrong about it
    #[arg(long, value_name = "F")]
    pub source_fps: Option<f64>,
    /// The files' unit of length
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    pub unit: UnitArgument,
    /// The axis that points up in the files
    #[arg(long, value_enum, default_value_t = UpArgument::Auto)]
    pub up: UpArgument,
    /// Leave out the first N frames of each file [default: found by itself]
    #[arg(long, value_name = "N")]
    pub drop_first: Option<u32>,
    /// Label all frames; may be given several times
    #[arg(long, value_name = "L")]
    pub label: Vec<String>,
    /// Add each clip's mirror image too
    #[arg(long)]
    pub mirror: bool,
    /// Bring all clips onto this clip's skeleton
    #[arg(long, value_name = "SKELETON")]
    pub retarget: Option<String>,
    /// Take files that are cut off as far as they go
    #[arg(long)]
    pub partial: bool,
    /// Repair nothing: spikes, T-poses and rates stay as they are in the files
    #[arg(long)]
    pub as_is: bool,
}

#[derive(Debug, Args)]
pub struct ListArguments {
    pub library: PathBuf,
    /// Only clips of this type
    #[arg(long = "type", value_name = "walk|run|jump|stand|other")]
    pub kind: Option<String>,
    /// With --type: clips with at least this share of it, instead of clips that are nothing else
    #[arg(long, value_name = "SHARE")]
    pub min_share: Option<f64>,
    /// Only clips with this label
    #[arg(long, value_name = "L")]
    pub label: Option<String>,
}

#[derive(Debug, Args)]
pub struct ShowArguments {
    pub library: PathBuf,
    /// A clip of it
    pub clip: Option<String>,
    /// Draw the clip as stick figures into this PNG
    #[arg(long, value_name = "FILE.png", requires = "clip")]
    pub picture: Option<PathBuf>,
    /// Plot heights, speeds and contacts into this PNG
    #[arg(long, value_name = "FILE.png", requires = "clip")]
    pub plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ExportArguments {
    pub library: PathBuf,
    /// A clip, or a part of it: NAME, NAME[2.0s..4.5s] or NAME[60..135]
    pub clip: String,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Where synthesised or exported motion goes.
#[derive(Debug, Clone, Args)]
pub struct OutputArguments {
    /// The motion file: .bvh, .amc (with an .asf beside it) or .glb
    #[arg(short, long = "output", value_name = "FILE")]
    pub output: PathBuf,
    /// Unit of length in a .bvh or .amc file [default: cm]
    #[arg(long = "unit", value_enum, value_name = "UNIT")]
    pub output_unit: Option<UnitArgument>,
    /// Draw the motion as stick figures into this PNG as well
    #[arg(long, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ConvertArguments {
    /// The motion file to read
    pub input: PathBuf,
    #[command(flatten)]
    pub output: OutputArguments,
    /// The unit of the input, for what is written in another unit
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    pub input_unit: UnitArgument,
    /// Take a file that is cut off as far as it goes
    #[arg(long)]
    pub partial: bool,
}

#[derive(Debug, Args)]
pub struct ClipArguments {
    pub library: PathBuf,
    pub clip: String,
}

#[derive(Debug, Args)]
pub struct RenameArguments {
    pub library: PathBuf,
    pub clip: String,
    pub name: String,
}

#[derive(Debug, Args)]
pub struct LabelArguments {
    pub library: PathBuf,
    pub clip: String,
    pub label: String,
    /// From this second [default: the start]
    #[arg(long, value_name = "S")]
    pub from: Option<f64>,
    /// To this second [default: the end]
    #[arg(long, value_name = "S")]
    pub to: Option<f64>,
    /// Take the label off instead
    #[arg(long)]
    pub not: bool,
}

#[derive(Debug, Subcommand)]
pub enum LabelsCommand {
    /// Read annotations from a JSON file
    Import(LabelsFileArguments),
    /// Write all annotations to a JSON file
    Export(LabelsFileArguments),
}

#[derive(Debug, Args)]
pub struct LabelsFileArguments {
    pub library: PathBuf,
    pub file: PathBuf,
}

#[derive(Debug, Clone, Args)]
pub struct GraphOptionArguments {
    /// Accept transitions up to this error [cm; default 4]
    #[arg(long, value_name = "CM", conflicts_with = "auto")]
    pub threshold: Option<f32>,
    /// Find the smallest thresholds that connect the library
    #[arg(long)]
    pub auto: bool,
    /// Share of the frames that --auto wants in the connected part
    #[arg(long, value_name = "SHARE", default_value_t = 0.75)]
    pub wanted_share: f64,
    /// Another threshold between two labels, such as walk,jump=8
    #[arg(long, value_name = "A,B=CM")]
    pub pair: Vec<String>,
    /// Length of the compared windows and of transitions [s]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 3.0)]
    pub window: f64,
    /// Shortest stretch between two choices [s]; 0 keeps every transition
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    pub min_clip: f64,
    /// Only clips with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    pub only: Vec<String>,
    /// Points of the body that are compared: those of a mesh that came with the files, or joints
    #[arg(long, value_enum, default_value_t = PointsArgument::Mesh)]
    pub points: PointsArgument,
    /// Clean transitions of foot skate now, unless there are more than these; then when they play
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub clean_limit: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointsArgument {
    Mesh,
    Joints,
}

#[derive(Debug, Args)]
pub struct GraphArguments {
    pub library: PathBuf,
    #[command(flatten)]
    pub options: GraphOptionArguments,
    /// Plot threshold against transitions, frames kept and mean error
    #[arg(long, value_name = "FILE.png")]
    pub plot: Option<PathBuf>,
    /// Show the kept transition with the largest error, cleaned, as a picture or as motion
    #[arg(long, value_name = "FILE.png|.bvh|.glb")]
    pub preview: Option<PathBuf>,
    /// Build anew even if the graph is there
    #[arg(long)]
    pub rebuild: bool,
}

#[derive(Debug, Args)]
pub struct MatrixArguments {
    pub library: PathBuf,
    pub a: String,
    pub b: String,
    /// The picture
    #[arg(short, long, value_name = "FILE.png")]
    pub output: PathBuf,
    /// Mark minima up to this error [cm]
    #[arg(long, value_name = "CM", default_value_t = 4.0)]
    pub threshold: f32,
    /// Length of the compared windows [s]
    #[arg(long, value_name = "S", default_value_t = 1.0 / 3.0)]
    pub window: f64,
}

#[derive(Debug, Subcommand)]
pub enum TilesCommand {
    /// Cut the build into pieces and write the list of them
    Plan(TilesPlanArguments),
    /// Do some of the pieces
    Run(TilesRunArguments),
    /// Put the pieces together and store the graph
    Merge(TilesMergeArguments),
}

#[derive(Debug, Args)]
pub struct TilesPlanArguments {
    pub library: PathBuf,
    #[command(flatten)]
    pub options: GraphOptionArguments,
    /// The plan to write
    #[arg(short, long, value_name = "PLAN.json")]
    pub output: PathBuf,
    /// Frames of motion on a side of a piece
    #[arg(long, default_value_t = 4096)]
    pub size: u32,
}

#[derive(Debug, Args)]
pub struct TilesRunArguments {
    pub library: PathBuf,
    /// The plan
    #[arg(long, value_name = "PLAN.json")]
    pub plan: PathBuf,
    /// Which pieces: numbers and half-open ranges, such as 0..10,12 [default: all not done yet]
    #[arg(long)]
    pub pieces: Option<String>,
    /// Folder for the results, one file a piece
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct TilesMergeArguments {
    pub library: PathBuf,
    #[arg(long, value_name = "PLAN.json")]
    pub plan: PathBuf,
    /// The folder with the results
    #[arg(long, value_name = "DIR")]
    pub results: PathBuf,
}

#[derive(Debug, Args)]
pub struct FollowArguments {
    pub library: PathBuf,
    /// The path: JSON, or the first <path> of an SVG, one user unit a metre
    #[arg(long, value_name = "FILE")]
    pub path: PathBuf,
    /// Use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    pub style: Vec<String>,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Leave captured motion where it is: do not warp the root's path
    #[arg(long)]
    pub exact_source: bool,
    /// The path is closed: end where it began
    #[arg(long)]
    pub closed: bool,
    /// Start in this clip, at a time of it: CLIP or CLIP@1.5
    #[arg(long, value_name = "CLIP[@S]")]
    pub start: Option<String>,
    /// Draw the path asked for and the path walked, from above
    #[arg(long, value_name = "FILE.png")]
    pub plan_picture: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ReachArguments {
    pub library: PathBuf,
    /// The clip to reach: NAME, NAME[2.0s..4.5s] or NAME[60..135]
    pub clip: String,
    /// Where its root is to be at its first frame [m]
    #[arg(long, value_name = "X,Z", allow_hyphen_values = true)]
    pub at: String,
    /// Which way it is to face there [degrees] [default: any]
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    pub heading: Option<f64>,
    /// Where to start, and in which direction [m, degrees] [default: 0,0,0]
    #[arg(long, value_name = "X,Z,DEG", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// Up to the clip use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    pub style: Vec<String>,
    #[command(flatten)]
    pub output: OutputArguments,
    /// Draw the way asked for and the way walked, from above
    #[arg(long, value_name = "FILE.png")]
    pub plan_picture: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct WanderArguments {
    pub library: PathBuf,
    #[arg(long, value_name = "S")]
    pub seconds: f64,
    /// Use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    pub style: Vec<String>,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Debug, Args)]
pub struct DriveArguments {
    pub library: PathBuf,
    /// What is wanted when: SECONDS:DEGREES[:LABEL], several [default: random directions]
    #[arg(long, value_name = "S:DEG[:LABEL]", allow_hyphen_values = true)]
    pub steer: Vec<String>,
    /// Length of the motion [s]
    #[arg(long, value_name = "S")]
    pub seconds: f64,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[derive(Debug, Args)]
pub struct CrowdArguments {
    pub library: PathBuf,
    /// The world: bounds, obstacles, radius
    #[arg(long, value_name = "FILE")]
    pub world: PathBuf,
    #[arg(long, value_name = "N")]
    pub count: u32,
    #[arg(long, value_name = "S")]
    pub seconds: f64,
    /// Use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    pub style: Vec<String>,
    /// Folder for one motion file a character, and a report
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct CleanArguments {
    /// The motion file to clean
    pub input: PathBuf,
    #[command(flatten)]
    pub output: OutputArguments,
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    pub input_unit: UnitArgument,
}

#[derive(Debug, Args)]
pub struct JudgeArguments {
    /// The motion file
    pub file: PathBuf,
    /// The library it was made from, for what is usual there
    #[arg(long, value_name = "LIB")]
    pub library: Option<PathBuf>,
    /// The path it was to follow
    #[arg(long, value_name = "FILE")]
    pub path: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    pub unit: UnitArgument,
}

#[derive(Debug, Args)]
pub struct DemoArguments {
    /// Folder for the results
    #[arg(default_value = "demo")]
    pub folder: PathBuf,
}

#[derive(Debug, Args)]
pub struct CompletionsArguments {
    pub shell: clap_complete::Shell,
}
