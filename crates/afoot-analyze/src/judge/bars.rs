//! What a motion must keep to be shown to anybody, and what is said of one that does not.
//!
//! The bars are data: commands print them and never hold numbers of their own. Nothing that makes
//! motion may look here: it aims at what is natural, and this measures it. Where a bar comes from
//! what captured motion does, the comment says what that is; `docs/judging.md` has the tables.

use serde::Serialize;

use super::moments::Moments;
use super::quality::Quality;

/// A measure with its bar.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// The field of [`Quality`].
    pub measure: &'static str,
    /// What it is called in a report.
    pub name: &'static str,
    /// Its unit; empty for ratios.
    pub unit: &'static str,
    /// What is still good.
    pub limit: Limit,
    /// Captured motion need not keep it: markers slide on the skin, so that captured feet creep and
    /// sink; and captured people look where they like.
    pub made_only: bool,
    value: fn(&Quality) -> Option<f64>,
    words: fn(f64, &Findings) -> String,
}

/// What is still good.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Limit {
    AtMost(f64),
    AtLeast(f64),
}

impl Limit {
    /// The number.
    pub fn value(self) -> f64 {
        match self {
            Self::AtMost(value) | Self::AtLeast(value) => value,
        }
    }

    fn keeps(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }
}

/// A measure against its bar.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The field of [`Quality`].
    pub measure: &'static str,
    /// What it is called in a report.
    #[serde(skip)]
    pub name: &'static str,
    /// What was measured.
    pub value: f64,
    /// Its unit; empty for ratios, `%` for shares (the value is a share all the same).
    #[serde(skip)]
    pub unit: &'static str,
    /// The bar.
    pub bar: f64,
    /// Whether it is kept.
    pub kept: bool,
    /// When it is at its worst, of measures that are the largest value of a moment. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
    /// Whether captured motion is known not to keep it.
    #[serde(skip)]
    pub made_only: bool,
    /// What a person would see, if it is not kept; else empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// What the words need beside the measures.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    pub frame_time: f64,
    pub frames: usize,
    /// Frames that travel against the facing by more than 120°.
    pub backwards: usize,
    /// Frames that travel more than 30° off the facing.
    pub unfaced: usize,
    /// Hips against the captured frames, mean; minus is lower. [m]
    pub hip_change: f64,
    /// Knees against the captured frames, mean; minus is more bent. [rad]
    pub knee_change: f64,
    /// The worst of hips and knees outside the source's range; minus is lower, more bent.
    pub hip_off: f64,
    pub knee_off: f64,
    /// Whether it begins, and ends, in mid-step though it was to stand there.
    pub mid_step: [bool; 2],
    /// When it is at its worst.
    pub moments: Moments,
}

impl Findings {
    fn seconds(&self, frames: usize) -> f64 {
        frames as f64 * self.frame_time
    }
}

/// All bars, in the order of the report.
pub const BARS: &[Bar] = &[
    // People notice sliding from about 21 mm in a step (Pražák et al. 2011); half of it, and what
    // that is in speed. Captured feet creep at 3 to 12 cm/s.
    Bar {
        measure: "skate_cm_s",
        name: "foot skate",
        unit: "cm/s",
        limit: Limit::AtMost(5.0),
        made_only: true,
        value: |q| q.skate_cm_s,
        words: |v, _| format!("planted feet slide at {v:.1} cm/s"),
    },
    Bar {
        measure: "skate_share",
        name: "skating frames",
        unit: "%",
        limit: Limit::AtMost(0.01),
        made_only: true,
        value: |q| q.skate_share,
        words: |v, _| format!("feet slide in {:.0} % of the planted frames", 100.0 * v),
    },
    Bar {
        measure: "slide_mm",
        name: "slide in a plant",
        unit: "mm",
        limit: Limit::AtMost(10.0),
        made_only: true,
        value: |q| q.slide_mm,
        words: |v, _| format!("feet slide {v:.0} mm within a step"),
    },
    // A foot that is 25 cm long moves its toes by 4 cm then. Captured feet go beyond what is usual in their
    // turns by more than that where people spin on a heel or ball.
    Bar {
        measure: "twist_deg",
        name: "swivel of a plant",
        unit: "degrees",
        limit: Limit::AtMost(10.0),
        made_only: true,
        value: |q| q.twist_deg,
        words: |v, _| format!("a planted foot swivels {v:.0}° more than captured in such turns"),
    },
    // Skate is along the floor; this is the rest of a planted foot's motion, beyond what captured feet do. Set by
    // hand: a quarter of a bob that anybody sees (2 cm).
    Bar {
        measure: "bob_mm",
        name: "bob in a plant",
        unit: "mm",
        limit: Limit::AtMost(5.0),
        made_only: true,
        value: |q| q.bob_mm,
        words: |v, _| format!("planted feet bob by {v:.0} mm more than captured ones"),
    },
    Bar {
        measure: "sink_cm",
        name: "foot below ground",
        unit: "cm",
        limit: Limit::AtMost(1.0),
        made_only: true,
        value: |q| q.sink_cm,
        words: |v, _| format!("a foot goes {v:.1} cm into the floor"),
    },
    Bar {
        measure: "glide_cm_s",
        name: "gliding",
        unit: "cm/s",
        limit: Limit::AtMost(45.0),
        made_only: false,
        value: |q| q.glide_cm_s,
        words: |v, _| format!("glides over the floor at {v:.0} cm/s"),
    },
    Bar {
        measure: "unsupported_share",
        name: "unsupported frames",
        unit: "%",
        limit: Limit::AtMost(0.01),
        made_only: false,
        value: |q| q.unsupported_share,
        words: |v, f| {
            let frames = (v * f.frames as f64).round() as usize;
            format!("floats for {:.1} s", f.seconds(frames))
        },
    },
    Bar {
        measure: "jump_ratio",
        name: "jump ratio",
        unit: "",
        limit: Limit::AtMost(1.5),
        made_only: false,
        value: |q| q.jump_ratio,
        words: |v, _| format!("a joint moves {v:.1} times as fast as any in the library"),
    },
    Bar {
        measure: "acceleration_ratio",
        name: "acceleration ratio",
        unit: "",
        limit: Limit::AtMost(1.5),
        made_only: false,
        value: |q| q.acceleration_ratio,
        words: |v, _| format!("a joint accelerates {v:.1} times as hard as any in the library"),
    },
    Bar {
        measure: "root_speed_ratio",
        name: "root speed ratio",
        unit: "",
        limit: Limit::AtMost(1.5),
        made_only: false,
        value: |q| q.root_speed_ratio,
        words: |v, _| format!("the body moves {v:.1} times as fast as captured in its gait"),
    },
    Bar {
        measure: "root_acceleration_ratio",
        name: "root acceleration",
        unit: "",
        limit: Limit::AtMost(1.5),
        made_only: false,
        value: |q| q.root_acceleration_ratio,
        words: |v, _| format!("the body lurches {v:.1} times as hard as captured in its gait"),
    },
    Bar {
        measure: "knee_acceleration_ratio",
        name: "knee acceleration",
        unit: "",
        limit: Limit::AtMost(1.5),
        made_only: false,
        value: |q| q.knee_acceleration_ratio,
        words: |v, _| format!("a knee snaps {v:.1} times as hard as captured in its gait"),
    },
    Bar {
        measure: "ankle_acceleration_ratio",
        name: "ankle acceleration",
        unit: "",
        limit: Limit::AtMost(1.5),
        made_only: false,
        value: |q| q.ankle_acceleration_ratio,
        words: |v, _| format!("a foot flips {v:.1} times as hard as captured in its gait"),
    },
    Bar {
        measure: "hip_change_cm",
        name: "hip change",
        unit: "cm",
        limit: Limit::AtMost(1.0),
        made_only: false,
        value: |q| q.hip_change_cm,
        words: |v, f| match f.hip_change.abs() * 100.0 > 0.5 * v {
            true => format!("hips {v:.1} cm {} than captured", lower(f.hip_change)),
            false => format!("hips up and down by {v:.1} cm against captured"),
        },
    },
    Bar {
        measure: "knee_change_deg",
        name: "knee change",
        unit: "degrees",
        limit: Limit::AtMost(2.5),
        made_only: false,
        value: |q| q.knee_change_deg,
        words: |v, f| match f.knee_change.abs().to_degrees() > 0.5 * v {
            true => format!("knees {v:.1}° {} than captured", bent(f.knee_change)),
            false => format!("knees {v:.1}° off the captured ones"),
        },
    },
    Bar {
        measure: "hip_off_cm",
        name: "hips out of range",
        unit: "cm",
        limit: Limit::AtMost(2.0),
        made_only: false,
        value: |q| q.hip_off_cm,
        words: |v, f| {
            format!(
                "hips {v:.1} cm {} than any captured in this gait",
                lower(f.hip_off)
            )
        },
    },
    Bar {
        measure: "knee_off_deg",
        name: "knees out of range",
        unit: "degrees",
        limit: Limit::AtMost(7.0),
        made_only: false,
        value: |q| q.knee_off_deg,
        words: |v, f| {
            format!(
                "knees {v:.0}° {} than any captured in this gait",
                bent(f.knee_off)
            )
        },
    },
    Bar {
        measure: "frozen_s",
        name: "frozen leg",
        unit: "s",
        limit: Limit::AtMost(0.2),
        made_only: false,
        value: |q| q.frozen_s,
        words: |v, _| format!("a leg is frozen for {v:.1} s while its foot is carried along"),
    },
    Bar {
        measure: "penetration_cm",
        name: "legs in each other",
        unit: "cm",
        limit: Limit::AtMost(2.0),
        made_only: false,
        value: |q| q.penetration_cm,
        words: |v, _| format!("lower legs come {v:.1} cm closer than ever captured in this gait"),
    },
    Bar {
        measure: "faced_share",
        name: "faced frames",
        unit: "%",
        limit: Limit::AtLeast(0.95),
        made_only: true,
        value: |q| q.faced_share,
        words: |_, f| match 2 * f.backwards > f.unfaced {
            true => format!("walks backwards for {:.1} s", f.seconds(f.backwards)),
            false => format!(
                "looks aside from where it goes for {:.1} s",
                f.seconds(f.unfaced)
            ),
        },
    },
    // Whoever halts for a second in half a minute is seen to.
    Bar {
        measure: "halt_share",
        name: "halts on the way",
        unit: "%",
        limit: Limit::AtMost(0.03),
        made_only: true,
        value: |q| q.halt_share,
        words: |v, f| {
            let frames = (v * f.frames as f64).round() as usize;
            format!("nearly stops on its way, for {:.1} s", f.seconds(frames))
        },
    },
    Bar {
        measure: "mid_step_ends",
        name: "ends in mid-step",
        unit: "",
        limit: Limit::AtMost(0.0),
        made_only: true,
        value: |q| q.mid_step_ends,
        words: |_, f| {
            let which = match f.mid_step {
                [true, true] => "begins and ends",
                [true, _] => "begins",
                _ => "ends",
            };
            format!("{which} in mid-step, not in a stand")
        },
    },
];

/// The bar of a measure.
pub fn bar_of(measure: &str) -> Option<&'static Bar> {
    BARS.iter().find(|bar| bar.measure == measure)
}

/// Every measure that is known, against its bar.
pub(super) fn verdicts(quality: &Quality, findings: &Findings) -> Vec<Verdict> {
    let verdict = |bar: &Bar| {
        let value = (bar.value)(quality)?;
        let kept = bar.limit.keeps(value);
        Some(Verdict {
            measure: bar.measure,
            name: bar.name,
            value,
            unit: bar.unit,
            bar: bar.limit.value(),
            kept,
            at_s: findings
                .moments
                .of(bar.measure)
                .map(|frame| findings.seconds(frame as usize)),
            made_only: bar.made_only,
            words: if kept {
                String::new()
            } else {
                (bar.words)(value, findings)
            },
        })
    };
    BARS.iter().filter_map(verdict).collect()
}

fn lower(change: f64) -> &'static str {
    if change < 0.0 { "lower" } else { "higher" }
}

fn bent(change: f64) -> &'static str {
    if change < 0.0 {
        "more bent"
    } else {
        "straighter"
    }
}
