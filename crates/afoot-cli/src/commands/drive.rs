//! `drive`: a figure steered by a script of wishes, as a game would steer it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use afoot_analyze::{JudgeOptions, Quality, SourceStatistics, judge_clip};
use afoot_core::{Clip, FrameRate, Planar};
use afoot_formats::{WriteOptions, read_motion};
use afoot_graph::NodeId;
use afoot_library::{ContentHash, Library};
use afoot_synth::{
    ControlOptions, ControlTable, Controller, ControllerOptions, FinishOptions, Reaction,
    ReactionOptions, Repertoire, finish_clip, measure_reaction, random_directions,
};
use clap::Args;
use serde_json::{Value, json};

use crate::arguments::{Common, OutputArguments};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::graphs::planted_repertoire_of;
use crate::report::{quality_words, rounded, time_it};
use crate::{interrupt, motion};

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct DriveArguments {
    /// The library
    library: PathBuf,
    /// What is wanted when: SECONDS:DEGREES[:LABEL], several [default: random directions]
    #[arg(long, value_name = "S:DEG[:LABEL]", allow_hyphen_values = true)]
    steer: Vec<String>,
    /// Length of the motion [s]
    #[arg(long, value_name = "S")]
    seconds: f64,
    #[command(flatten)]
    output: OutputArguments,
}

const EXAMPLES: &str = "\
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

/// From `at` on, move towards `direction`, as `label` says.
struct Wish {
    at: f64,
    direction: f64,
    label: Option<String>,
}

pub fn drive(arguments: &DriveArguments, common: &Common, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    if !(arguments.seconds > 0.0 && arguments.seconds <= 1e5) {
        let expected = "more than 0 and at most 100000";
        return Err(Failure::option("--seconds", arguments.seconds, expected));
    }
    let wishes = match arguments.steer.is_empty() {
        true => random_wishes(arguments.seconds, common.seed),
        false => parse_wishes(&arguments.steer)?,
    };
    let (repertoire, captured) = planted_repertoire_of(&arguments.library, console)?;
    let repertoire = Arc::new(repertoire);
    let table = Arc::new(control_table(&arguments.library, &repertoire)?);
    let (made, seconds) = time_it(|| {
        let (mut clip, _) = steer(&repertoire, &table, &wishes, arguments.seconds)?;
        let finishing = repertoire.finishing(&FinishOptions::default());
        finish_clip(&mut clip, None, &finishing);
        Ok::<Clip, Failure>(clip)
    });
    let clip = made?;
    let calls = time_calls(&repertoire, &table, common.seed)?;
    let reaction = reaction(&repertoire, &table, common.seed)?;
    if interrupt::stopped() {
        return Err(interrupt::failure());
    }
    motion::write(&clip, &arguments.output, console)?;
    let quality = judge_written(arguments, &captured, seconds)?;
    console.result(
        || {
            json!({
                "quality": rounded(&quality),
                "worst_call_ms": calls.undisturbed_ms,
                "worst_call_with_interruptions_ms": calls.worst_ms,
                "reaction_s": reaction_json(&reaction),
            })
        },
        || quality_words(&quality) + &calls.words() + &reaction_words(&reaction),
    )
}

fn judge_written(
    arguments: &DriveArguments,
    captured: &[Clip],
    seconds: f64,
) -> Result<Quality, Failure> {
    let rate = captured.first().map_or(FrameRate::FPS_30, |clip| clip.rate);
    let (path, usual) = (&arguments.output.output, WriteOptions::default());
    let written = motion::write_options(&arguments.output, usual);
    let read = read_motion(path, &motion::read_back_options(path, &written, rate))?;
    let source = SourceStatistics::of_clips(&captured.iter().collect::<Vec<_>>());
    let judge = JudgeOptions {
        source: source.as_ref(),
        ..JudgeOptions::default()
    };
    let mut quality = judge_clip(&read.clip, &judge);
    quality.took(seconds);
    Ok(quality)
}

fn reaction_json(reaction: &Reaction) -> Value {
    json!({
        "median": rounded_time(reaction.quantile(0.5)),
        "p90": rounded_time(reaction.quantile(0.9)),
        "p95": rounded_time(reaction.quantile(0.95)),
        "bound_median": rounded_time(reaction.bound_quantile(0.5)),
        "bound_p95": rounded_time(reaction.bound_quantile(0.95)),
        "wishes": reaction.times.len(),
        "kept": reaction.kept,
        "given_up": reaction.given_up,
    })
}

fn rounded_time(seconds: f64) -> f64 {
    (seconds * 1e4).round() / 1e4
}

fn reaction_words(reaction: &Reaction) -> String {
    format!(
        "a new direction takes {:.2} s (median), {:.2} s (95 of 100), {:.2} s and {:.2} s at least \
         by captured motion and transitions alone\n",
        reaction.quantile(0.5),
        reaction.quantile(0.95),
        reaction.bound_quantile(0.5),
        reaction.bound_quantile(0.95),
    )
}

/// `SECONDS:DEGREES[:LABEL]`, in the order of time.
fn parse_wishes(texts: &[String]) -> Result<Vec<Wish>, Failure> {
    let wish = |text: &String| -> Result<Wish, Failure> {
        let wrong = || Failure::option("--steer", text, "SECONDS:DEGREES[:LABEL], from 0 s on");
        let mut parts = text.splitn(3, ':');
        let mut number = || -> Result<f64, Failure> {
            let value = parts
                .next()
                .and_then(|part| part.trim().parse::<f64>().ok());
            value.filter(|value| value.is_finite()).ok_or_else(wrong)
        };
        let (at, degrees) = (number()?, number()?);
        if at < 0.0 {
            return Err(wrong());
        }
        Ok(Wish {
            at,
            direction: degrees.to_radians(),
            label: parts.next().map(str::to_owned),
        })
    };
    let mut wishes = texts.iter().map(wish).collect::<Result<Vec<_>, _>>()?;
    wishes.sort_by(|a, b| a.at.total_cmp(&b.at));
    Ok(wishes)
}

/// The library's table of best edges, made once and kept.
fn control_table(library: &Path, repertoire: &Repertoire) -> Result<ControlTable, Failure> {
    const KIND: (&str, &str) = ("control", "in use");
    let mut library = Library::open(library)?;
    let sources = ContentHash::of(&repertoire.graph().to_bytes());
    let kept = library.artefact(KIND.0, KIND.1, sources)?;
    if let Some(table) = kept.and_then(|bytes| ControlTable::from_bytes(&bytes).ok()) {
        return Ok(table);
    }
    let options = ControlOptions::default();
    let table = ControlTable::new(repertoire, &options, &interrupt::run())?;
    library.put_artefact(KIND.0, KIND.1, sources, &table.to_bytes())?;
    Ok(table)
}

fn random_wishes(seconds: f64, seed: u64) -> Vec<Wish> {
    let wish = |(at, direction)| Wish {
        at,
        direction,
        label: None,
    };
    let pause = ReactionOptions::default().pause;
    let directions = random_directions(seconds, pause, seed);
    directions.into_iter().map(wish).collect()
}

/// The motion as the controller gives it, and how long each call took. [ms]
fn steer(
    repertoire: &Arc<Repertoire>,
    table: &Arc<ControlTable>,
    wishes: &[Wish],
    seconds: f64,
) -> Result<(Clip, Vec<f64>), Failure> {
    let rate = repertoire.graph().rate;
    let start = (NodeId(0), Planar::IDENTITY);
    let options = ControllerOptions::default();
    let mut figure = Controller::new(Arc::clone(repertoire), Arc::clone(table), start, options)?;
    let first = &repertoire.clips()[0];
    let mut clip = Clip::empty("driven", Arc::clone(&first.skeleton), rate);
    clip.ground = first.ground;
    let (mut times, mut wish) = (Vec::new(), 0);
    for frame in 0..rate.frames_in(seconds) {
        if interrupt::stopped() {
            return Err(interrupt::failure());
        }
        let now = frame as f64 * rate.frame_time();
        while wishes.get(wish + 1).is_some_and(|next| next.at <= now) {
            wish += 1;
        }
        let (direction, label) = wishes
            .get(wish)
            .map_or((0.0, None), |wish| (wish.direction, wish.label.as_deref()));
        let begun = Instant::now();
        let pose = figure.advance(rate.frame_time(), direction, label)?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        clip.push_pose(&pose);
        clip.contacts.push(figure.contacts());
    }
    Ok((clip, times))
}

/// The longest calls of ten minutes of random directions.
struct Calls {
    /// In one drive, with whatever else the computer did. [ms]
    worst_ms: f64,
    /// The same drive three times, each call at its fastest. [ms]
    undisturbed_ms: f64,
}

impl Calls {
    fn words(&self) -> String {
        format!(
            "longest call {:.3} ms, {:.3} ms with what else the computer did\n",
            self.undisturbed_ms, self.worst_ms
        )
    }
}

/// Calls are timed, and reactions counted, over this long. [s]
const RANDOM_DRIVE: f64 = 600.0;
const REACTION_DRIVE: f64 = 1800.0;

fn time_calls(
    repertoire: &Arc<Repertoire>,
    table: &Arc<ControlTable>,
    seed: u64,
) -> Result<Calls, Failure> {
    let wishes = random_wishes(RANDOM_DRIVE, seed);
    let (_, mut fastest) = steer(repertoire, table, &wishes, RANDOM_DRIVE)?;
    let worst = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    let worst_ms = worst(&fastest);
    for _ in 0..2 {
        let (_, times) = steer(repertoire, table, &wishes, RANDOM_DRIVE)?;
        let pairs = fastest.iter_mut().zip(times);
        pairs.for_each(|(fastest, time)| *fastest = fastest.min(time));
    }
    Ok(Calls {
        worst_ms,
        undisturbed_ms: worst(&fastest),
    })
}

fn reaction(
    repertoire: &Arc<Repertoire>,
    table: &Arc<ControlTable>,
    seed: u64,
) -> Result<Reaction, Failure> {
    let options = ReactionOptions {
        seconds: REACTION_DRIVE,
        seed,
        ..ReactionOptions::default()
    };
    Ok(measure_reaction(repertoire, table, &options)?)
}
