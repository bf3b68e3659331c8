//! Annotations by hand, one at a time or as a file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use afoot_core::{LabelSpan, Range32};
use afoot_formats::files::write_whole;
use afoot_library::{Annotations, ClipEntry, Verdict};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::FileName;
use crate::library::Library;
use crate::motion_files::check_named_as;
use crate::ranges::Ranged;

/// Says of a clip, or a part of it, whether it carries a label.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Label {
    /// The clip.
    pub clip: String,
    /// A word such as sneak.
    pub label: String,
    /// From there; from the start if it is left open. [s, 0 to 1000000]
    pub from: Option<f64>,
    /// To there; to the end if it is left open. [s, 0 to 1000000]
    pub to: Option<f64>,
    /// What is said.
    pub say: Say,
}

/// What is said of a stretch and a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Say {
    /// It carries the label.
    #[default]
    Is,
    /// It does not.
    IsNot,
    /// It can't be told; rather yes.
    Unsure,
    /// It can't be told; rather no.
    UnsureNot,
    /// Nothing, either way: what was said is forgotten.
    Nothing,
}

impl From<Say> for Verdict {
    fn from(say: Say) -> Self {
        match say {
            Say::Is => Self::Is,
            Say::IsNot => Self::IsNot,
            Say::Unsure => Self::Unsure,
            Say::UnsureNot => Self::UnsureNot,
            Say::Nothing => Self::Unsaid,
        }
    }
}

/// Asks for annotations to be read from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportLabels {
    /// The labels file.
    pub file: FileName,
}

/// Asks for all annotations as a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExportLabels {
    /// Those that were learned too, said to be so.
    pub learned: bool,
}

/// What is said of a clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Labelled {
    /// The clip.
    pub clip: String,
    /// Labels that it carries somewhere.
    pub labels: Vec<String>,
    /// Labels that it is said not to carry somewhere.
    pub denied: Vec<String>,
}

/// Annotations that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LabelsImported {
    /// How many clips were annotated.
    pub clips: usize,
}

/// Annotations that were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelsExported {
    /// How many clips have any.
    pub clips: usize,
    /// The file.
    pub file: String,
}

/// A labels file (`docs/labels.md`).
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelsFile {
    #[serde(default)]
    vocabulary: Vec<String>,
    clips: BTreeMap<String, Vec<LabelRow>>,
    /// Stretches of which nothing is sure, whatever the label. [s]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    unsure: BTreeMap<String, Vec<[f64; 2]>>,
    /// What whoever made the file wants to be known; not kept.
    #[serde(default, skip_serializing)]
    #[allow(dead_code)] // read so that it is not refused
    meta: Option<serde_json::Value>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelRow {
    label: String,
    from: f64,
    to: f64,
    #[serde(default = "yes")]
    is: bool,
    /// Whoever said so was sure.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    sure: bool,
    /// Nobody said so: it was learned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    learned: bool,
    /// What whoever said so remarked; not kept.
    #[serde(default, skip_serializing)]
    #[allow(dead_code)] // read so that it is not refused
    note: Option<String>,
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

impl LabelRow {
    fn verdict(&self) -> Verdict {
        match (self.is, self.sure) {
            (true, true) => Verdict::Is,
            (false, true) => Verdict::IsNot,
            (true, false) => Verdict::Unsure,
            (false, false) => Verdict::UnsureNot,
        }
    }
}

impl Label {
    /// Keeps what is said.
    pub fn run(&self, library: &Library, _: &Run) -> Result<Labelled, Failure> {
        self.check_ranges()?;
        let mut store = library.write()?;
        let entry = store.entry(&self.clip)?;
        let times = self.from.unwrap_or(0.0)..self.to.unwrap_or(entry.seconds());
        let stretch = frames_of(&entry, &self.label, times)?;
        let transaction = store.transaction()?;
        transaction.change_annotations(&self.clip, |_, annotations| {
            annotations.say(&self.label, stretch, self.say.into());
            Ok::<(), Failure>(())
        })?;
        transaction.commit()?;
        let said = store.entry(&self.clip)?.annotations;
        let owned = |names: Vec<&str>| names.into_iter().map(String::from).collect();
        Ok(Labelled {
            clip: self.clip.clone(),
            labels: owned(said.names()),
            denied: owned(said.denied_names()),
        })
    }
}

impl ImportLabels {
    /// Reads the file; clips that the library has not are warned of.
    pub fn run(&self, library: &Library, run: &Run) -> Result<LabelsImported, Failure> {
        let path = &self.file;
        let file: LabelsFile = path.json("a labels file", library.files())?;
        let mut store = library.write()?;
        let transaction = store.transaction()?;
        let mut clips = 0;
        for (name, rows) in &file.clips {
            if transaction.entry(name)?.is_none() {
                run.warn(format!("{path}: clip {name:?} is not in the library"));
                continue;
            }
            let unsure = file.unsure.get(name).map_or(&[][..], Vec::as_slice);
            transaction.change_annotations(name, |entry, annotations| {
                say_rows(annotations, entry, rows)?;
                for [from, to] in unsure {
                    for label in &file.vocabulary {
                        let stretch = frames_of(entry, label, *from..*to)?;
                        annotations.say(label, stretch, Verdict::UnsureNot);
                    }
                }
                Ok::<(), Failure>(())
            })?;
            clips += 1;
        }
        transaction.commit()?;
        Ok(LabelsImported { clips })
    }
}

/// Says what rows say: what is sure first, so that doubts stay where both are said.
fn say_rows(
    annotations: &mut Annotations,
    entry: &ClipEntry,
    rows: &[LabelRow],
) -> Result<(), Failure> {
    let mut learned: BTreeMap<&str, Vec<Range32>> = BTreeMap::new();
    for sure in [true, false] {
        for row in rows.iter().filter(|row| row.sure == sure) {
            let stretch = frames_of(entry, &row.label, row.from..row.to)?;
            match row.learned {
                true => learned.entry(&row.label).or_default().push(stretch),
                false => annotations.say(&row.label, stretch, row.verdict()),
            }
        }
    }
    for (label, stretches) in learned {
        annotations.learn(label, &stretches);
    }
    Ok(())
}

impl ExportLabels {
    /// Writes the file.
    pub fn run(
        &self,
        library: &Library,
        to: impl AsRef<Path>,
        _: &Run,
    ) -> Result<LabelsExported, Failure> {
        let to = to.as_ref();
        check_named_as(to, &["json"])?;
        let mut file = LabelsFile::default();
        for entry in library.read()?.clips()? {
            let rows = rows_of(&entry, self.learned);
            let names = rows.iter().map(|row| row.label.clone());
            file.vocabulary.extend(names);
            if !rows.is_empty() {
                file.clips.insert(entry.name, rows);
            }
        }
        file.vocabulary.sort_unstable();
        file.vocabulary.dedup();
        write_whole(to, serde_json::to_string_pretty(&file)?.as_bytes())?;
        Ok(LabelsExported {
            clips: file.clips.len(),
            file: to.display().to_string(),
        })
    }
}

/// What is said of a clip, in the order of time.
fn rows_of(entry: &ClipEntry, with_learned: bool) -> Vec<LabelRow> {
    let said = &entry.annotations;
    let learned: &[LabelSpan] = if with_learned { &said.learned } else { &[] };
    let kinds = [
        (&said.labels[..], true, true, false),
        (&said.denied, false, true, false),
        (&said.unsure, true, false, false),
        (&said.unsure_not, false, false, false),
        (learned, true, true, true),
    ];
    let mut spans: Vec<(&LabelSpan, [bool; 3])> = kinds
        .into_iter()
        .flat_map(|(spans, is, sure, learned)| {
            spans.iter().map(move |span| (span, [is, sure, learned]))
        })
        .collect();
    spans.sort();
    let time = |frame: u32| f64::from(frame) * entry.rate.frame_time();
    let row = |(span, [is, sure, learned]): (&LabelSpan, [bool; 3])| LabelRow {
        label: span.label.clone(),
        from: time(span.frames.start),
        to: time(span.frames.end),
        is,
        sure,
        learned,
        note: None,
    };
    spans.into_iter().map(row).collect()
}

/// The frames of a clip between two times, cut to it. [s]
pub(super) fn frames_of(
    entry: &ClipEntry,
    label: &str,
    times: Range<f64>,
) -> Result<Range32, Failure> {
    let Range { start, end } = times;
    let frame = |seconds: f64| (entry.rate.frames_in(seconds) as u32).min(entry.frames);
    let stretch = Range32 {
        start: frame(start),
        end: frame(end),
    };
    match start >= 0.0 && end.is_finite() && !stretch.is_empty() {
        true => Ok(stretch),
        false => Err(Failure::bad_request(format!(
            "clip {:?}, label {label:?}: from {start:.3} s to {end:.3} s is no stretch of its {:.3} s",
            entry.name,
            entry.seconds()
        ))),
    }
}
