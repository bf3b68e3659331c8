//! `graft`: limbs of one clip on the body of another.

use std::path::PathBuf;

use afoot::{
    Donor, Failure, Graft, GraftAll, GraftDetails, GraftPosture, GraftsFound, InStep, Library,
    Output, Run,
};
use clap::{Args, ValueEnum};

use crate::console::Console;
use crate::defaults::typed;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct GraftArguments {
    /// The library
    library: PathBuf,
    /// The clip that keeps its legs, its way and all that is not grafted
    #[arg(required_unless_present = "all")]
    base: Option<String>,
    /// The clip that gives its limbs, or a part of it as NAME[2.0s..4.5s]
    donor: Option<String>,
    /// Which of the donor's chains: left_arm, right_arm, torso, head, ..., or arms, upper, lower
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = typed(GraftAll::default().chains)
    )]
    chains: Vec<String>,
    /// Another donor for other chains, such as 16_15:head,torso; may be given several times
    #[arg(long, value_name = "CLIP:LIST")]
    with: Vec<String>,
    /// How the clips are brought into step
    #[arg(long, value_name = "BY", value_enum, default_value = typed(Graft::default().in_step))]
    in_step: InStepArgument,
    /// Keep postures as they are in space, so that what reaches goes on reaching there
    #[arg(long)]
    in_space: bool,
    /// Length of the blend where a graft begins or ends within the base [s]
    #[arg(long, value_name = "S", default_value_t = Graft::default().blend)]
    blend: f64,
    /// How fast a donor plays that stands, and so keeps its own time
    #[arg(long, value_name = "X", default_value_t = Graft::default().tempo)]
    tempo: f64,
    /// Share of a clip's frames that must be of one type for the rules
    #[arg(long, value_name = "SHARE", default_value_t = Graft::default().share)]
    min_share: f64,
    /// Keep the graft in the library too, as a clip of this name, with labels of both
    #[arg(long, value_name = "NAME")]
    keep: Option<String>,
    /// Make and score all grafts that the rules allow, instead of one
    #[arg(long, conflicts_with_all = ["base", "donor", "with", "keep", "output"])]
    all: bool,
    /// Of all, list those that score this much
    #[arg(long, value_name = "SCORE", default_value_t = GraftAll::default().least_score)]
    least_score: f64,
    /// Of all, keep this one in the library, BASE+DONOR; may be given several times
    #[arg(long, value_name = "GRAFT", requires = "all")]
    accept: Vec<String>,
    /// Of all, keep those that score this much
    #[arg(long, value_name = "SCORE", requires = "all")]
    accept_above: Option<f64>,
    /// Of all, never list this one again; may be given several times
    #[arg(long, value_name = "GRAFT", requires = "all")]
    reject: Vec<String>,
    /// The motion file to write: .bvh, .amc, .glb, .fbx
    #[arg(short, long, value_name = "FILE", required_unless_present = "all")]
    output: Option<PathBuf>,
    /// Draw it too, as a picture
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// Write a page that plays it beside its base
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
    /// Graft against the rules too, with a warning; and replace what is there
    #[arg(long)]
    force: bool,
}

/// How clips are brought into step.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum InStepArgument {
    /// By foot plants and like frames of the legs between them
    Clusters,
    /// By foot plants alone
    Plants,
    /// By dynamic time warping of the legs
    TimeWarp,
    /// By zero crossings of the legs' accelerations
    ZeroCrossings,
}

const EXAMPLES: &str = "\
What stands goes with all; walks and runs with walks and runs; jumps with jumps (--force: all with all). Legs and root of the base stay as they are.

Examples:
  afoot graft lib.afoot walk wave --chains right_arm -o waving_walk.bvh
  afoot graft lib.afoot walk run --chains arms -o jogger.bvh
  afoot graft lib.afoot walk run --chains arms --with wave:head -o both.glb
  afoot graft lib.afoot run 'wave[1s..4s]' --chains left_arm --keep run_wave -o run_wave.bvh
  afoot graft lib.afoot --all --least-score 0.5
  afoot graft lib.afoot --all --accept run+wave --reject walk+wave";

pub fn graft(arguments: &GraftArguments, run: &Run, console: &Console) -> Outcome {
    let library = Library::open(&arguments.library)?;
    if arguments.all {
        let found = all_meant(arguments).run(&library, run)?;
        return console.done(&found, found_words);
    }
    let graft = meant(arguments)?;
    let output = Output {
        picture: arguments.picture.clone(),
        page: arguments.page.clone(),
        force: arguments.force,
        ..Output::to(arguments.output.clone().unwrap_or_default())
    };
    let grafted = library.deliver(&graft, &output, run)?;
    console.done(&grafted, |grafted| {
        graft_words(&grafted.details) + &delivered_words(grafted)
    })
}

fn meant(arguments: &GraftArguments) -> Result<Graft, Failure> {
    let first = arguments.donor.iter().map(|clip| {
        Ok(Donor {
            clip: clip.clone(),
            chains: arguments.chains.clone(),
        })
    });
    let donors: Result<Vec<Donor>, Failure> = first
        .chain(arguments.with.iter().map(|text| parse_donor(text)))
        .collect();
    Ok(Graft {
        base: arguments.base.clone().unwrap_or_default(),
        donors: donors?,
        in_step: arguments.in_step.into(),
        posture: posture(arguments),
        blend: arguments.blend,
        tempo: arguments.tempo,
        share: arguments.min_share,
        force: arguments.force,
        keep: arguments.keep.clone(),
    })
}

fn all_meant(arguments: &GraftArguments) -> GraftAll {
    GraftAll {
        chains: arguments.chains.clone(),
        in_step: arguments.in_step.into(),
        posture: posture(arguments),
        blend: arguments.blend,
        share: arguments.min_share,
        least_score: arguments.least_score,
        accept: arguments.accept.clone(),
        accept_above: arguments.accept_above,
        reject: arguments.reject.clone(),
    }
}

fn posture(arguments: &GraftArguments) -> GraftPosture {
    match arguments.in_space {
        true => GraftPosture::Space,
        false => GraftPosture::Angles,
    }
}

impl From<InStepArgument> for InStep {
    fn from(argument: InStepArgument) -> Self {
        match argument {
            InStepArgument::Clusters => Self::Clusters,
            InStepArgument::Plants => Self::Plants,
            InStepArgument::TimeWarp => Self::TimeWarp,
            InStepArgument::ZeroCrossings => Self::ZeroCrossings,
        }
    }
}

fn found_words(found: &GraftsFound) -> String {
    let line = |graft: &afoot::GraftFound| {
        format!(
            "{:.2}  {:<28} {:>6.2} s  limbs {:.1} cm, balance {:.1} cm, steps {:.2}  ({})\n",
            graft.score,
            graft.name,
            graft.seconds,
            graft.penetration_beyond_cm,
            graft.balance_cm,
            graft.jump_ratio,
            graft.in_step.replace('_', " ")
        )
    };
    let lines: String = found.grafts.iter().map(line).collect();
    let failed = match found.failed.len() {
        0 => String::new(),
        count => format!(
            "{count} could not be made; the first: {}\n",
            found.failed[0].error
        ),
    };
    let kept: String = found
        .kept
        .iter()
        .map(|name| format!("kept {name}\n"))
        .collect();
    format!(
        "{lines}{} pairs allowed, {} forbidden; {} clips are not of one type; {} rejected\n{failed}{kept}",
        found.allowed, found.forbidden, found.mixed, found.rejected
    )
}

/// `CLIP:CHAIN,CHAIN`.
fn parse_donor(text: &str) -> Result<Donor, Failure> {
    let expected = "a clip and its chains, such as 16_15:head,torso";
    let (clip, chains) = text
        .rsplit_once(':')
        .ok_or_else(|| Failure::bad_value("with", text, expected))?;
    Ok(Donor {
        clip: clip.into(),
        chains: chains.split(',').map(str::to_owned).collect(),
    })
}

fn graft_words(details: &GraftDetails) -> String {
    let line = |part: &afoot::GraftPartMade| {
        let phase = match part.in_phase {
            Some(true) => ", transitions in phase",
            Some(false) => ", transitions out of phase",
            None => "",
        };
        format!(
            "{} of {} from {:.2} to {:.2} s, in step by {}{phase}\n",
            part.chains.join(", "),
            part.donor,
            part.from,
            part.to,
            part.in_step.replace('_', " ")
        )
    };
    let parts: String = details.grafts.iter().map(line).collect();
    let kept = details
        .kept
        .as_ref()
        .map_or(String::new(), |name| format!("kept as {name}\n"));
    format!(
        "{parts}score {:.2}: limbs {:.1} cm into each other beyond the sources, balance off by {:.1} cm\n{kept}",
        details.score, details.penetration_beyond_cm, details.balance_cm
    )
}
