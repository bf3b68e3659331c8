//! What all commands that make motion share: the graph, the report, the files.

use std::time::Instant;

use afoot_analyze::{JudgeOptions, Quality, SourceStatistics, judge_clip};
use afoot_core::Clip;
use afoot_synth::{Played, Repertoire};
use serde_json::{Map, Value, json};

use crate::arguments::{OutputArguments, UnitArgument};
use crate::console::Console;
use crate::failure::Outcome;
use crate::{interrupt, motion};

/// Does some work and says how long it took. [s]
pub fn time_it<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// The report as JSON, numbers to six digits.
pub fn rounded(quality: &Quality) -> Value {
    let Ok(Value::Object(fields)) = serde_json::to_value(quality) else {
        return Value::Null;
    };
    let round = |(name, value): (String, Value)| match value.as_f64() {
        Some(number) if value.is_f64() => (name, Value::from((number * 1e6).round() / 1e6)),
        _ => (name, value),
    };
    Value::Object(fields.into_iter().map(round).collect::<Map<_, _>>())
}

/// The report as words, a measure a line.
pub fn quality_words(quality: &Quality) -> String {
    let mut text = format!(
        "{} frames at {:.0} fps, {:.2} s\n",
        quality.frames, quality.fps, quality.seconds
    );
    let mut line = |name: &str, value: Option<f64>, unit: &str, bar: Option<f64>| {
        if let Some(value) = value {
            let verdict = bar.map_or("", |bar| {
                if value <= bar {
                    "  ok"
                } else {
                    "  above the bar"
                }
            });
            text += &format!("  {name:<20} {value:>9.3} {unit}{verdict}\n");
        }
    };
    line("foot skate", quality.skate_cm_s, "cm/s", Some(5.0));
    line(
        "skating frames",
        quality.skate_share.map(|share| share * 100.0),
        "%",
        Some(1.0),
    );
    line("slide in a plant", quality.slide_mm, "mm", Some(10.0));
    line("foot below ground", quality.sink_cm, "cm", Some(1.0));
    line("jump ratio", quality.jump_ratio, "", Some(1.5));
    line(
        "acceleration ratio",
        quality.acceleration_ratio,
        "",
        Some(1.5),
    );
    line(
        "transitions",
        quality.transitions.map(|count| count as f64),
        "",
        None,
    );
    line(
        "captured frames",
        quality.source_share.map(|share| share * 100.0),
        "%",
        None,
    );
    line("path, mean", quality.path_mean_m, "m", None);
    line("path, maximum", quality.path_max_m, "m", None);
    line("place", quality.place_error_m, "m", None);
    line("heading", quality.place_error_deg, "degrees", None);
    line(
        "work",
        quality.compute_seconds.filter(|s| *s > 0.0),
        "s",
        None,
    );
    line("times real time", quality.realtime, "", None);
    text
}

/// Motion that a command made, on its way out.
pub struct Made<'a> {
    /// What it came from.
    pub repertoire: &'a Repertoire,
    /// The motion and its sources.
    pub played: Played,
    /// What it was to follow, as ground points. [m]
    pub path: Option<Vec<[f64; 2]>>,
    /// Time taken to make it. [s]
    pub seconds: f64,
    /// Fields of the command's own for its JSON.
    pub extra: Value,
}

impl Made<'_> {
    /// Writes the file, judges it as written and read back, and prints the report.
    pub fn deliver(&self, output: &OutputArguments, console: &Console) -> Outcome {
        if interrupt::stopped() {
            return Err(interrupt::failure());
        }
        motion::write(&self.played.clip, output, console)?;
        let unit = output.output_unit.unwrap_or(UnitArgument::Cm);
        let read = motion::read(&output.output, unit, false)?;
        let quality = self.judge(&read.clip);
        let mut json = json!({"quality": rounded(&quality), "sources": self.sources()});
        if let (Value::Object(fields), Value::Object(extra)) = (&mut json, &self.extra) {
            fields.extend(extra.clone());
        }
        console.result(|| json, || quality_words(&quality))
    }

    /// The report on the motion as another program would see it.
    pub fn judge(&self, read_back: &Clip) -> Quality {
        let source =
            SourceStatistics::of_clips(&self.repertoire.clips().iter().collect::<Vec<_>>());
        let options = JudgeOptions {
            source: source.as_ref(),
            path: self.path.as_deref(),
        };
        let mut quality = judge_clip(read_back, &options);
        quality.transitions = Some(self.played.joins as usize);
        let frames = self.played.clip.len().max(1);
        quality.source_share = Some(self.played.captured as f64 / frames as f64);
        quality.took(self.seconds);
        quality
    }

    fn sources(&self) -> Vec<Value> {
        let graph = self.repertoire.graph();
        let time = |frame: f64| (frame * graph.rate.frame_time() * 1e4).round() / 1e4;
        let source = |source: &afoot_synth::Source| {
            json!({
                "clip": graph.clips[source.clip.index()].name,
                "from": time(f64::from(source.frames.start)),
                "to": time(f64::from(source.frames.end)),
                "at": time(source.at as f64),
            })
        };
        self.played.sources.iter().map(source).collect()
    }
}
