//! The bars of a motion's quality.

use serde_json::Value;

/// The bars that every synthesis keeps (`docs/judging.md`).
pub fn check_quality(quality: &Value) {
    check_feet(quality);
    check_bars(quality, &[("jump_ratio", 1.5), ("acceleration_ratio", 1.5)]);
}

/// Those for feet. The others are for captured motion: sample motion has hardly an acceleration to
/// measure by.
pub fn check_feet(quality: &Value) {
    let bars = [
        ("skate_cm_s", 5.0),
        ("skate_share", 0.01),
        ("slide_mm", 10.0),
        ("sink_cm", 1.0),
    ];
    check_bars(quality, &bars);
}

pub fn check_bars(quality: &Value, bars: &[(&str, f64)]) {
    for &(field, bar) in bars {
        let value = quality[field]
            .as_f64()
            .unwrap_or_else(|| panic!("no {field} in {quality}"));
        assert!(value <= bar, "{field} is {value}, the bar {bar}");
    }
}
