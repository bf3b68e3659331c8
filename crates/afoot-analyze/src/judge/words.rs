//! The report as words, a measure a line.

use super::bars::Verdict;
use super::quality::Quality;

impl Quality {
    /// The report as text: what has a bar, with what is wrong; then the rest.
    pub fn words(&self) -> String {
        let mut text = format!(
            "{} frames at {:.0} fps, {:.2} s\n",
            self.frames, self.fps, self.seconds
        );
        self.verdicts
            .iter()
            .for_each(|verdict| text += &barred(verdict));
        if let Some(clip) = &self.captured_as {
            text += &format!(
                "  {:<20} {clip}, so feet and facing are as they are\n",
                "captured"
            );
        }
        if let Some(joins) = self.transitions {
            text += &format!("  {:<20} {joins:>9}\n", "transitions");
        }
        let work = self.compute_seconds.filter(|seconds| *seconds > 0.0);
        let plain = [
            ("captured frames", self.source_share, "%"),
            ("nearly captured", self.near_source_share, "%"),
            ("path, mean", self.path_mean_m, "m"),
            ("path, maximum", self.path_max_m, "m"),
            ("path, missed by", self.path_missed_m, "m"),
            ("place", self.place_error_m, "m"),
            ("heading", self.place_error_deg, "degrees"),
            ("room around the root", self.clearance_m, "m"),
            ("bent, of what may be", self.edit_share, "%"),
            ("work", work, "s"),
            ("times real time", self.realtime, ""),
        ];
        for (name, value, unit) in plain {
            let told = value.map(|value| line(name, value, unit) + "\n");
            text += &told.unwrap_or_default();
        }
        text + &self.clip_words()
    }

    /// The clips that were played longest.
    fn clip_words(&self) -> String {
        let shown = self.clips.iter().take(5);
        let told: Vec<String> = shown
            .map(|c| format!("{} {:.1} s", c.clip, c.seconds))
            .collect();
        match self.clips.len() {
            0 => String::new(),
            1..=5 => format!("  {:<20} {}\n", "clips", told.join(", ")),
            more => format!("  {:<20} {}, {} more\n", "clips", told.join(", "), more - 5),
        }
    }
}

fn barred(verdict: &Verdict) -> String {
    let line = line(verdict.name, verdict.value, verdict.unit);
    match verdict.kept {
        true => line + "  ok\n",
        false => line + "  " + &verdict.told() + "\n",
    }
}

impl Verdict {
    /// What is wrong, with the bar: `feet sink 4.1 cm into the floor at 2.4 s (bar: 1 cm)`.
    pub fn told(&self) -> String {
        let (bar, unit) = shown(self.bar, self.unit);
        let bar = format!("{bar} {unit}");
        let at = self.at_s.map(|at| format!(" at {at:.1} s"));
        let at = at.unwrap_or_default();
        format!("{}{at} (bar: {})", self.words, bar.trim_end())
    }
}

fn line(name: &str, value: f64, unit: &str) -> String {
    let (value, unit) = shown(value, unit);
    let line = format!("  {name:<20} {value:>9.3} {unit}");
    line.trim_end().into()
}

/// Shares are shown as per cent.
fn shown(value: f64, unit: &str) -> (f64, &str) {
    let times = if unit == "%" { 100.0 } else { 1.0 };
    (value * times, unit)
}
