//! The quality of a motion as a command tells it.

use afoot::{Delivered, Quality};

/// What a motion must keep to be shown to anybody.
pub mod bars {
    /// Mean speed of a planted foot. [cm/s]
    pub const SKATE_CM_S: f64 = 5.0;
    /// Share of the planted frames above 15 cm/s.
    pub const SKATE_SHARE: f64 = 0.01;
    /// Way of a foot within one plant. [mm]
    pub const SLIDE_MM: f64 = 10.0;
    /// Depth of a foot below the ground. [cm]
    pub const SINK_CM: f64 = 1.0;
    /// Largest step and second difference, over what is usual in the library.
    pub const RATIO: f64 = 1.5;
}

/// The quality of a motion that was made.
pub fn delivered_words<D>(delivered: &Delivered<D>) -> String {
    quality_words(&delivered.quality)
}

/// The report as words, a measure a line.
pub fn quality_words(quality: &Quality) -> String {
    let percent = |share: f64| share * 100.0;
    let skating = quality.skate_share.map(percent);
    let barred = [
        ("foot skate", quality.skate_cm_s, "cm/s", bars::SKATE_CM_S),
        ("skating frames", skating, "%", percent(bars::SKATE_SHARE)),
        ("slide in a plant", quality.slide_mm, "mm", bars::SLIDE_MM),
        ("foot below ground", quality.sink_cm, "cm", bars::SINK_CM),
        ("jump ratio", quality.jump_ratio, "", bars::RATIO),
        (
            "acceleration ratio",
            quality.acceleration_ratio,
            "",
            bars::RATIO,
        ),
    ];
    let captured = quality.source_share.map(percent);
    let work = quality.compute_seconds.filter(|seconds| *seconds > 0.0);
    let plain = [
        ("captured frames", captured, "%"),
        ("path, mean", quality.path_mean_m, "m"),
        ("path, maximum", quality.path_max_m, "m"),
        ("place", quality.place_error_m, "m"),
        ("heading", quality.place_error_deg, "degrees"),
        ("work", work, "s"),
        ("times real time", quality.realtime, ""),
    ];
    let mut text = format!(
        "{} frames at {:.0} fps, {:.2} s\n",
        quality.frames, quality.fps, quality.seconds
    );
    for (name, value, unit, bar) in barred {
        let verdict = |value| if value <= bar { "ok" } else { "above the bar" };
        let told = value.map(|value| line(name, value, unit) + "  " + verdict(value) + "\n");
        text += &told.unwrap_or_default();
    }
    if let Some(joins) = quality.transitions {
        text += &format!("  {:<20} {joins:>9}\n", "transitions");
    }
    for (name, value, unit) in plain {
        let told = value.map(|value| line(name, value, unit) + "\n");
        text += &told.unwrap_or_default();
    }
    text
}

fn line(name: &str, value: f64, unit: &str) -> String {
    let line = format!("  {name:<20} {value:>9.3} {unit}");
    line.trim_end().into()
}

/// The length of several motions together; 0, without a sign, of none. [s]
pub fn total_seconds(lengths: impl Iterator<Item = f64>) -> f64 {
    lengths.fold(0.0, |total, length| total + length)
}
