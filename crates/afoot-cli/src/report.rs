//! The quality of a motion as a command tells it.

use afoot::{Delivered, Quality};

/// The quality of a motion that was made.
pub fn delivered_words<D>(delivered: &Delivered<D>) -> String {
    quality_words(&delivered.quality) + &held_words(&delivered.quality)
}

/// What is beyond its bar, but for a reason that is not the maker's fault; no words of nothing.
fn held_words(quality: &Quality) -> String {
    let held = quality.verdicts.iter();
    let held = held.filter(|verdict| verdict.kept && !verdict.words.is_empty());
    let told = held.map(|verdict| format!("  {:<20} {}\n", verdict.name, verdict.words));
    told.collect()
}

/// The report as words, a measure a line.
pub fn quality_words(quality: &Quality) -> String {
    quality.words()
}

/// The length of several motions together; 0, without a sign, of none. [s]
pub fn total_seconds(lengths: impl Iterator<Item = f64>) -> f64 {
    lengths.fold(0.0, |total, length| total + length)
}
