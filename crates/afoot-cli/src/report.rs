//! The quality of a motion as a command tells it.

use std::time::Instant;

use afoot_analyze::Quality;
use serde_json::Value;

/// The report as JSON, numbers to six digits.
pub fn rounded(quality: &Quality) -> Value {
    serde_json::to_value(quality).map_or(Value::Null, rounded_value)
}

fn rounded_value(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let exact = number.as_f64().unwrap_or_default();
            Value::from((exact * 1e6).round() / 1e6)
        }
        Value::Array(values) => values.into_iter().map(rounded_value).collect(),
        Value::Object(fields) => {
            let round = |(name, value)| (name, rounded_value(value));
            Value::Object(fields.into_iter().map(round).collect())
        }
        other => other,
    }
}

/// The report as words, a measure a line.
pub fn quality_words(quality: &Quality) -> String {
    quality.words()
}

/// The length of several motions together; 0, without a sign, of none. [s]
pub fn total_seconds(lengths: impl Iterator<Item = f64>) -> f64 {
    lengths.fold(0.0, |total, length| total + length)
}

/// Does some work and says how long it took. [s]
pub fn time_it<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
