//! The quality of a motion as a command tells it.

use std::time::Instant;

use afoot_analyze::Quality;
use serde_json::{Map, Value};

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

/// Does some work and says how long it took. [s]
pub fn time_it<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
