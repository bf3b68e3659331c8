//! What a person says of many frames at once: that silence means no, that what was learned is right, and
//! how frames may be used.

use afoot_core::{LabelSpan, Range32, runs};
use afoot_library::{Annotations, ClipEntry, UseRule, Verdict};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use super::choice::Choice;
use super::labels::frames_of;
use crate::failure::Failure;
use crate::library::Library;
use crate::ranges::Ranged;
use afoot_search::meant_word;

/// Says that frames of which nothing was said do not carry a label: whoever marked these clips looked
/// at all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerifyLabels {
    /// Clips, by name or pattern.
    pub clips: Vec<String>,
    /// Labels; all that the library knows if none is named.
    pub labels: Vec<String>,
}

/// Says that what was learned of a stretch is right, either way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConfirmLabels {
    /// The clip.
    pub clip: String,
    /// Labels; all that something was learned of if none is named.
    pub labels: Vec<String>,
    /// From there; from the start if it is left open. [s, 0 to 1000000]
    pub from: Option<f64>,
    /// To there; to the end if it is left open. [s, 0 to 1000000]
    pub to: Option<f64>,
}

/// Says how frames of a clip may be used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mark {
    /// The clip.
    pub clip: String,
    /// From there; from the start if it is left open. [s, 0 to 1000000]
    pub from: Option<f64>,
    /// To there; to the end if it is left open. [s, 0 to 1000000]
    pub to: Option<f64>,
    /// What holds for them.
    pub rule: MarkRule,
    /// With bias: how much they are sought (above 0) or avoided, against what a wrong label costs.
    /// [-100 to 100]
    pub bias: Option<f64>,
}

/// How frames may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkRule {
    /// Not at all.
    #[default]
    Exclude,
    /// No transition leads there.
    NoEntry,
    /// Rather, or rather not.
    Bias,
    /// As any others: what was said is forgotten.
    Clear,
}

/// What many clips were told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FramesSaid {
    /// Clips that something new is said of.
    pub clips: usize,
    /// Frames and labels together that something new is said of.
    pub frames: usize,
}

/// How a clip's frames may be used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Marked {
    /// The clip.
    pub clip: String,
    /// All stretches with rules.
    pub uses: Vec<UseTimes>,
}

/// A stretch with a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UseTimes {
    /// From. [s]
    pub from: f64,
    /// To. [s]
    pub to: f64,
    /// What holds.
    pub rule: MarkRule,
    /// How much they are sought or avoided, with bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<f64>,
}

impl VerifyLabels {
    /// Denies labels where nothing was said.
    pub fn run(&self, library: &Library, _: &Run) -> Result<FramesSaid, Failure> {
        let store = library.write()?;
        let known = vocabulary(&store.clips()?);
        let labels = chosen(&self.labels, &known)?;
        let choice = Choice {
            clips: self.clips.clone(),
            ..Choice::default()
        };
        let entries = choice.of(&store)?;
        let say = |entry: &ClipEntry, annotations: &mut Annotations| {
            let mut frames = 0;
            for label in &labels {
                let verdicts = entry.annotations.verdicts(label, entry.frames);
                for run in frames_with(&verdicts, |_, verdict| *verdict == Verdict::Unsaid) {
                    annotations.say(label, run, Verdict::IsNot);
                    frames += (run.end - run.start) as usize;
                }
            }
            frames
        };
        keep(store, &entries, say)
    }
}

impl ConfirmLabels {
    /// Takes what was learned for said.
    pub fn run(&self, library: &Library, _: &Run) -> Result<FramesSaid, Failure> {
        self.check_ranges()?;
        let store = library.write()?;
        let entry = store.entry(&self.clip)?;
        let mut known: Vec<String> = Vec::new();
        for clip in store.clips()? {
            let learned = clip.annotations.learned.iter();
            known.extend(learned.map(|span| span.label.clone()));
        }
        known.sort_unstable();
        known.dedup();
        if known.is_empty() {
            return Err(Failure::bad_request("nothing was learned yet"));
        }
        let labels = chosen(&self.labels, &known)?;
        let times = self.from.unwrap_or(0.0)..self.to.unwrap_or(entry.seconds());
        let stretch = frames_of(&entry, &labels.join(", "), times)?;
        let say = |entry: &ClipEntry, annotations: &mut Annotations| {
            let mut said = 0;
            for label in &labels {
                let verdicts = entry.annotations.verdicts(label, entry.frames);
                let own = |span: &&LabelSpan| span.label == *label;
                let learned = || entry.annotations.learned.iter().filter(own);
                for verdict in [Verdict::Is, Verdict::IsNot] {
                    let is_so = |frame: u32, said: &Verdict| {
                        let is = learned().any(|span| span.frames.contains(frame));
                        let open = stretch.contains(frame) && *said == Verdict::Unsaid;
                        open && is == (verdict == Verdict::Is)
                    };
                    for run in frames_with(&verdicts, is_so) {
                        annotations.say(label, run, verdict);
                        said += (run.end - run.start) as usize;
                    }
                }
            }
            said
        };
        keep(store, &[entry], say)
    }
}

impl Mark {
    /// Keeps the rule.
    pub fn run(&self, library: &Library, _: &Run) -> Result<Marked, Failure> {
        self.check_ranges()?;
        let mut store = library.write()?;
        let entry = store.entry(&self.clip)?;
        let times = self.from.unwrap_or(0.0)..self.to.unwrap_or(entry.seconds());
        let stretch = frames_of(&entry, "use", times)?;
        let rule = self.rule()?;
        let transaction = store.transaction()?;
        transaction.change_annotations(&self.clip, |_, annotations| {
            annotations.set_use(stretch, rule);
            Ok::<(), Failure>(())
        })?;
        transaction.commit()?;
        let entry = store.entry(&self.clip)?;
        let time = |frame: u32| f64::from(frame) * entry.rate.frame_time();
        let told = |span: &afoot_library::UseSpan| {
            let (rule, bias) = match span.rule {
                UseRule::Excluded => (MarkRule::Exclude, None),
                UseRule::NoEntry => (MarkRule::NoEntry, None),
                UseRule::Bias(amount) => (MarkRule::Bias, Some(f64::from(amount) / 100.0)),
            };
            UseTimes {
                from: time(span.frames.start),
                to: time(span.frames.end),
                rule,
                bias,
            }
        };
        Ok(Marked {
            clip: self.clip.clone(),
            uses: entry.annotations.uses.iter().map(told).collect(),
        })
    }

    fn rule(&self) -> Result<Option<UseRule>, Failure> {
        let bias = match (self.rule, self.bias) {
            (MarkRule::Bias, None) => return Err(Failure::bad_request("a bias needs its amount")),
            (MarkRule::Bias, Some(bias)) => (100.0 * bias).round() as i32,
            (_, Some(_)) => return Err(Failure::bad_request("an amount goes with a bias alone")),
            (_, None) => 0,
        };
        Ok(match self.rule {
            MarkRule::Exclude => Some(UseRule::Excluded),
            MarkRule::NoEntry => Some(UseRule::NoEntry),
            MarkRule::Bias => Some(UseRule::Bias(bias)),
            MarkRule::Clear => None,
        })
    }
}

/// Stretches of frames of which something holds.
fn frames_with(verdicts: &[Verdict], holds: impl Fn(u32, &Verdict) -> bool) -> Vec<Range32> {
    let held = (0..).zip(verdicts);
    let held = held.filter(|&(frame, verdict)| holds(frame, verdict));
    runs(held.map(|(frame, _)| frame))
}

/// Every label that something is said of.
pub(super) fn vocabulary(entries: &[ClipEntry]) -> Vec<String> {
    let said = entries
        .iter()
        .flat_map(|entry| entry.annotations.vocabulary());
    let mut names: Vec<String> = said.map(String::from).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The labels that are named, each known; all if none is.
pub(super) fn chosen(named: &[String], known: &[String]) -> Result<Vec<String>, Failure> {
    if named.is_empty() {
        return Ok(known.to_vec());
    }
    let words: Vec<&str> = known.iter().map(String::as_str).collect();
    for label in named {
        if words.contains(&label.as_str()) {
            continue;
        }
        let expected = match meant_word(label, &words) {
            Some(meant) => format!("a label of the library; did you mean {meant}?"),
            None if words.is_empty() => "a label, but nothing is labelled yet".into(),
            None => format!("a label of the library: {}", words.join(", ")),
        };
        return Err(Failure::bad_value("label", label, &expected));
    }
    Ok(named.to_vec())
}

/// Says something of clips, all or none.
fn keep(
    mut store: impl std::ops::DerefMut<Target = afoot_library::Library>,
    entries: &[ClipEntry],
    say: impl Fn(&ClipEntry, &mut Annotations) -> usize,
) -> Result<FramesSaid, Failure> {
    let mut told = FramesSaid {
        clips: 0,
        frames: 0,
    };
    let transaction = store.transaction()?;
    for entry in entries {
        let frames = transaction.change_annotations(&entry.name, |entry, annotations| {
            Ok::<usize, Failure>(say(entry, annotations))
        })?;
        if frames > 0 {
            told.clips += 1;
            told.frames += frames;
        }
    }
    transaction.commit()?;
    Ok(told)
}
