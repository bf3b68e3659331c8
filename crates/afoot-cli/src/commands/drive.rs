//! `drive`: a figure steered by a script of wishes, as a game would steer it.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use afoot_analyze::{JudgeOptions, SourceStatistics, judge_clip};
use afoot_core::{Clip, Planar};
use afoot_graph::NodeId;
use afoot_library::{ContentHash, Library};
use afoot_synth::{
    ControlOptions, ControlTable, Controller, ControllerOptions, FinishOptions, Reaction,
    ReactionOptions, Repertoire, finish_clip, measure_reaction,
};
use serde_json::json;

use super::graph::planted_repertoire_of;
use super::synthesis::{quality_words, rounded};
use crate::arguments::{Common, DriveArguments, UnitArgument};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::{interrupt, motion};

/// From `at` on, move towards `direction`, as `label` says.
struct Wish {
    at: f64,
    direction: f64,
    label: Option<String>,
}

pub fn drive(arguments: &DriveArguments, common: &Common, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    if !(arguments.seconds > 0.0 && arguments.seconds <= 1e5) {
        return Err(Failure::failed(format!(
            "--seconds {}: expected 0 to 100000",
            arguments.seconds
        )));
    }
    let wishes = parse_wishes(&arguments.steer)?;
    let (repertoire, captured) = planted_repertoire_of(&arguments.library, console)?;
    let repertoire = Arc::new(repertoire);
    let table = Arc::new(control_table(&arguments.library, &repertoire)?);
    let begun = Instant::now();
    let (clip, worst_ms) = steer(&repertoire, &table, &wishes, arguments.seconds)?;
    let seconds = begun.elapsed().as_secs_f64();
    let reaction = reaction(&repertoire, &table, common.seed)?;
    motion::write(&clip, &arguments.output, console)?;
    let unit = arguments.output.output_unit.unwrap_or(UnitArgument::Cm);
    let read = motion::read(&arguments.output.output, unit, false)?;
    let source = SourceStatistics::of_clips(&captured.iter().collect::<Vec<_>>());
    let judge = JudgeOptions {
        source: source.as_ref(),
        path: None,
    };
    let mut quality = judge_clip(&read.clip, &judge);
    quality.took(seconds);
    let (median, p90) = (reaction.quantile(0.5), reaction.quantile(0.9));
    console.result(
        || {
            json!({"quality": rounded(&quality), "worst_call_ms": worst_ms,
                "reaction_s": {"median": median, "p90": p90, "wishes": reaction.times.len(),
                    "given_up": reaction.given_up}})
        },
        || {
            format!(
                "{}longest call {worst_ms:.3} ms; a new direction takes {median:.2} s (median), \
                 {p90:.2} s (nine of ten)",
                quality_words(&quality)
            )
        },
    )
}

/// `SECONDS:DEGREES[:LABEL]`, in the order of time.
fn parse_wishes(texts: &[String]) -> Result<Vec<Wish>, Failure> {
    let wish = |text: &String| -> Result<Wish, Failure> {
        let wrong = || Failure::failed(format!("--steer {text}: expected SECONDS:DEGREES[:LABEL]"));
        let mut parts = text.splitn(3, ':');
        let mut number = || -> Result<f64, Failure> {
            let value = parts
                .next()
                .and_then(|part| part.trim().parse::<f64>().ok());
            value.filter(|value| value.is_finite()).ok_or_else(wrong)
        };
        let (at, degrees) = (number()?, number()?);
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
    let table = ControlTable::new(repertoire, &options, Some(interrupt::flag()))?;
    library.put_artefact(KIND.0, KIND.1, sources, &table.to_bytes())?;
    Ok(table)
}

/// The motion, feet planted, and the longest time that one call took. [ms]
fn steer(
    repertoire: &Arc<Repertoire>,
    table: &Arc<ControlTable>,
    wishes: &[Wish],
    seconds: f64,
) -> Result<(Clip, f64), Failure> {
    let rate = repertoire.graph().rate;
    let start = (NodeId(0), Planar::IDENTITY);
    let options = ControllerOptions::default();
    let mut figure = Controller::new(Arc::clone(repertoire), Arc::clone(table), start, options)?;
    let first = &repertoire.clips()[0];
    let mut clip = Clip::empty("driven", Arc::clone(&first.skeleton), rate);
    clip.ground = first.ground;
    let mut worst = 0.0_f64;
    for frame in 0..rate.frames_in(seconds) {
        let now = frame as f64 * rate.frame_time();
        let wish = wishes
            .iter()
            .rev()
            .find(|wish| wish.at <= now)
            .or(wishes.first());
        let (direction, label) = wish.map_or((0.0, None), |w| (w.direction, w.label.as_deref()));
        let begun = Instant::now();
        let pose = figure.advance(rate.frame_time(), direction, label)?;
        worst = worst.max(begun.elapsed().as_secs_f64() * 1e3);
        clip.push_pose(&pose);
    }
    clip.contacts = vec![Default::default(); clip.len()];
    finish_clip(&mut clip, None, &FinishOptions::default());
    Ok((clip, worst))
}

fn reaction(
    repertoire: &Arc<Repertoire>,
    table: &Arc<ControlTable>,
    seed: u64,
) -> Result<Reaction, Failure> {
    let options = ReactionOptions {
        seconds: 60.0,
        seed,
        ..ReactionOptions::default()
    };
    Ok(measure_reaction(repertoire, table, &options)?)
}
