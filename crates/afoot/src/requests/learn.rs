//! Labels learned from what was marked, and stretches that a person had better look at.

use std::ops::Range;
use std::time::Instant;

use afoot_analyze::learn::{
    AspectScale, ClipSignals, FrameTold, LabelModel, LearnError, LearnOptions, Lesson, LessonClip,
    Mark, ReviewOptions, SignalTable, SmoothOptions, Stretch, ToldClip, learn_label, measure_scale,
    measure_signals, mirrored_label, review_queue, smooth_labels,
};
use afoot_codec::{ContentHash, Digest};
use afoot_core::Range32;
use afoot_learn::Shape;
use afoot_library::{ClipEntry, Library as Store, Verdict};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use super::marking::{chosen, vocabulary};
use crate::failure::Failure;
use crate::hint::Hint;
use crate::library::Library;
use crate::ranges::Ranged;
use crate::threads::in_threads;

/// Trains on what is annotated, annotates the rest, and lists what is worth a look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Learn {
    /// Labels; all that some frame is marked with if none is named.
    pub labels: Vec<String>,
    /// How many stretches to list for a person to look at, of all these labels together. [0 to 100000]
    pub review: usize,
    /// The kernel's shape.
    pub kernel: KernelShape,
    /// No stretch that is annotated lasts less. [s, 0 to 10]
    pub least_seconds: f64,
}

/// How likeness falls off with distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KernelShape {
    /// exp(-d^2 g).
    #[default]
    Gaussian,
    /// exp(-d/g), as in the paper.
    Exponential,
}

impl Default for Learn {
    fn default() -> Self {
        Self {
            labels: Vec::new(),
            review: 0,
            kernel: KernelShape::Gaussian,
            least_seconds: SmoothOptions::default().least_seconds,
        }
    }
}

/// What was learned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learned {
    /// Each label.
    pub labels: Vec<LabelLearned>,
    /// Labels that could not be learned, and why.
    pub failed: Vec<LabelFailed>,
    /// Stretches that are most worth a look, the first one most.
    pub review: Vec<ReviewStretch>,
    /// Time taken with all that was read and written. [s]
    pub seconds: f64,
}

/// A label that was learned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelLearned {
    /// Which.
    pub label: String,
    /// Frames that taught it, mirror images included.
    pub trained_frames: u32,
    /// Those of them that hold the boundary.
    pub support_vectors: usize,
    /// Time that training took; 0 where nothing that was marked has changed. [s]
    pub seconds: f64,
    /// F1 of marked frames that were told without having seen their clip, where that could be tried.
    pub held_out_f1: Option<f32>,
    /// How narrow the kernels are, against how much motion varies in the library.
    pub narrowness: f32,
    /// What a frame on the wrong side costs.
    pub cost: f32,
    /// Stretches that were annotated.
    pub stretches: usize,
    /// Their length together. [s]
    pub annotated_seconds: f64,
}

/// A label that could not be learned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelFailed {
    /// Which.
    pub label: String,
    /// Why.
    pub error: String,
}

/// A stretch that is worth a look.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewStretch {
    /// The clip.
    pub clip: String,
    /// The label.
    pub label: String,
    /// From. [s]
    pub from: f64,
    /// To. [s]
    pub to: f64,
    /// That it carries the label, in the mean of its frames. [0 to 1]
    pub probability: f32,
    /// How uncertain and how unlike what was taught it is. [0 to 2]
    pub worth: f32,
}

impl Learn {
    /// Learns, annotates and lists.
    pub fn run(&self, library: &Library, run: &Run) -> Result<Learned, Failure> {
        self.check_ranges()?;
        in_threads(run, || self.learn(library, run))
    }

    fn learn(&self, library: &Library, run: &Run) -> Result<Learned, Failure> {
        let start = Instant::now();
        let mut store = library.write()?;
        let entries = store.clips()?;
        let labels = self.wanted(&entries)?;
        let signals = signals_of(&mut store, &entries, run)?;
        let school = School {
            ask: self,
            scale: measure_scale(signals.clips.iter()),
            entries,
            signals,
        };
        let mut learned = Learned {
            labels: Vec::new(),
            failed: Vec::new(),
            review: Vec::new(),
            seconds: 0.0,
        };
        let mut stretches: Vec<Vec<(String, Vec<Range32>)>> =
            vec![Vec::new(); school.entries.len()];
        let mut models = Vec::new();
        let count = labels.len();
        for (index, label) in labels.into_iter().enumerate() {
            run.check()?;
            run.progress("learning", index as u64, count as u64);
            let taught = match school.teach(&store, &label, run) {
                Ok(taught) => taught,
                Err(failure) if self.labels.is_empty() && failure.is_label() => {
                    let error = failure.to_string();
                    learned.failed.push(LabelFailed { label, error });
                    continue;
                }
                Err(failure) => return Err(failure.into()),
            };
            for (own, found) in stretches.iter_mut().zip(&taught.stretches) {
                own.push((label.clone(), found.clone()));
            }
            learned.review.extend(taught.review);
            learned.labels.push(taught.report);
            if let Some((sources, model)) = taught.new_model {
                models.push((label, sources, model));
            }
        }
        let by_worth = |a: &ReviewStretch, b: &ReviewStretch| b.worth.total_cmp(&a.worth);
        learned.review.sort_by(by_worth);
        learned.review.truncate(self.review);
        run.check()?;
        school.keep(&mut store, stretches, &models)?;
        learned.seconds = start.elapsed().as_secs_f64();
        Ok(learned)
    }

    /// The labels that are asked for.
    fn wanted(&self, entries: &[ClipEntry]) -> Result<Vec<String>, Failure> {
        if !self.labels.is_empty() {
            return chosen(&self.labels, &vocabulary(entries));
        }
        let spans = entries.iter().flat_map(|entry| &entry.annotations.labels);
        let mut names: Vec<String> = spans.map(|span| span.label.clone()).collect();
        names.sort_unstable();
        names.dedup();
        match names.is_empty() {
            false => Ok(names),
            true => {
                let words = "no frame of the library is marked with a label";
                Err(Failure::bad_request(words).with_hint(Hint::MarkExamples))
            }
        }
    }

    fn options(&self) -> LearnOptions {
        let shape = match self.kernel {
            KernelShape::Gaussian => Shape::Gaussian,
            KernelShape::Exponential => Shape::Exponential,
        };
        LearnOptions {
            shape,
            ..LearnOptions::default()
        }
    }
}

/// What one run of learning shares.
struct School<'a> {
    ask: &'a Learn,
    scale: AspectScale,
    entries: Vec<ClipEntry>,
    /// Of the clips in their order; empty for those that have no legs.
    signals: SignalTable,
}

/// What came of one label.
struct Taught {
    report: LabelLearned,
    /// Of each clip.
    stretches: Vec<Vec<Range32>>,
    review: Vec<ReviewStretch>,
    /// Where it is not the one that was kept.
    new_model: Option<(ContentHash, LabelModel)>,
}

/// Why a label was not learned.
enum TeachError {
    Label(LearnError),
    Other(Failure),
}

impl TeachError {
    fn is_label(&self) -> bool {
        matches!(self, Self::Label(_))
    }
}

impl std::fmt::Display for TeachError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Label(error) => error.fmt(f),
            Self::Other(failure) => failure.fmt(f),
        }
    }
}

impl From<TeachError> for Failure {
    fn from(error: TeachError) -> Self {
        match error {
            TeachError::Label(error) => Failure::bad_request(error).with_hint(Hint::MarkExamples),
            TeachError::Other(failure) => failure,
        }
    }
}

impl From<Failure> for TeachError {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

/// A model of a label.
struct TaughtModel {
    /// Of all that it was learned from.
    sources: ContentHash,
    model: LabelModel,
    /// How long it took, if it is new.
    seconds: Option<f64>,
}

impl School<'_> {
    /// Learns a label, or takes what is kept of it, and tells all clips.
    fn teach(&self, store: &Store, label: &str, run: &Run) -> Result<Taught, TeachError> {
        let start = Instant::now();
        let marks = self.marks(label);
        let mirrored = self.marks(&mirrored_label(label));
        let sources = self.sources(&marks, &mirrored);
        let earlier = store
            .last::<LabelModel>(label, run)
            .map_err(Failure::from)?;
        let model = match earlier {
            Some(kept) if kept.sources == sources => TaughtModel {
                sources,
                model: kept.value,
                seconds: None,
            },
            earlier => {
                let clips: Vec<LessonClip> = (0..self.entries.len())
                    .map(|index| LessonClip {
                        signals: &self.signals.clips[index],
                        marks: &marks[index],
                        mirrored_marks: &mirrored[index],
                    })
                    .collect();
                let lesson = Lesson {
                    label,
                    clips: &clips,
                };
                let earlier = earlier.as_ref().map(|kept| &kept.value);
                let options = self.ask.options();
                let cancel = Some(run.cancel().flag());
                let model = learn_label(&lesson, &self.scale, earlier, &options, cancel)
                    .map_err(TeachError::Label)?;
                run.check().map_err(Failure::from)?;
                TaughtModel {
                    sources,
                    model,
                    seconds: Some(start.elapsed().as_secs_f64()),
                }
            }
        };
        Ok(self.tell(label, &marks, model))
    }

    /// What a model says of all clips.
    fn tell(&self, label: &str, marks: &[Vec<Mark>], taught: TaughtModel) -> Taught {
        let TaughtModel {
            sources,
            model,
            seconds,
        } = taught;
        let signals = &self.signals.clips;
        let told: Vec<Vec<FrameTold>> = signals.iter().map(|clip| model.tell(clip)).collect();
        let found = self.smoothed(&told);
        let told_clips = (0..signals.len()).map(|index| ToldClip {
            fps: signals[index].fps,
            told: &told[index],
            marks: &marks[index],
            stretches: &found[index],
        });
        let options = ReviewOptions {
            count: self.ask.review,
            ..ReviewOptions::default()
        };
        let review = review_queue(&told_clips.collect::<Vec<_>>(), &options);
        let frame_seconds = |(stretches, clip): (&Vec<Range<usize>>, &ClipSignals)| {
            let frames: usize = stretches.iter().map(|stretch| stretch.len()).sum();
            frames as f64 / clip.fps
        };
        let report = LabelLearned {
            label: label.into(),
            trained_frames: model.rows,
            support_vectors: model.svm.support_vectors(),
            seconds: seconds.unwrap_or(0.0),
            held_out_f1: model.settings.held_out_f1,
            narrowness: model.settings.narrow,
            cost: model.settings.cost,
            stretches: found.iter().map(Vec::len).sum(),
            annotated_seconds: found.iter().zip(signals).map(frame_seconds).sum(),
        };
        let as_frames = |stretch: &Range<usize>| Range32 {
            start: stretch.start as u32,
            end: stretch.end as u32,
        };
        Taught {
            report,
            stretches: found
                .iter()
                .map(|stretches| stretches.iter().map(as_frames).collect())
                .collect(),
            review: review
                .iter()
                .map(|stretch| self.listed(label, stretch))
                .collect(),
            new_model: seconds.map(|_| (sources, model)),
        }
    }

    /// Stretches of each clip that carry the label.
    fn smoothed(&self, told: &[Vec<FrameTold>]) -> Vec<Vec<Range<usize>>> {
        let options = SmoothOptions {
            least_seconds: self.ask.least_seconds,
            ..SmoothOptions::default()
        };
        let clips = told.iter().zip(&self.signals.clips);
        let stretches = clips.map(|(told, clip)| {
            let probabilities: Vec<f32> = told.iter().map(|frame| frame.probability).collect();
            smooth_labels(&probabilities, clip.fps, &options)
        });
        stretches.collect()
    }

    fn listed(&self, label: &str, stretch: &Stretch) -> ReviewStretch {
        let entry = &self.entries[stretch.clip];
        let time = |frame: usize| frame as f64 * entry.rate.frame_time();
        ReviewStretch {
            clip: entry.name.clone(),
            label: label.into(),
            from: time(stretch.frames.start),
            to: time(stretch.frames.end),
            probability: stretch.probability,
            worth: stretch.worth,
        }
    }

    /// What was said of a label at every frame of every clip.
    fn marks(&self, label: &str) -> Vec<Vec<Mark>> {
        let mark = |verdict: &Verdict| match verdict {
            Verdict::Is => Mark::Yes,
            Verdict::IsNot => Mark::No,
            Verdict::Unsure | Verdict::UnsureNot => Mark::Unsure,
            Verdict::Unsaid => Mark::Open,
        };
        let of_clip = |(entry, signals): (&ClipEntry, &ClipSignals)| {
            let verdicts = entry.annotations.verdicts(label, entry.frames);
            let mut marks: Vec<Mark> = verdicts.iter().map(mark).collect();
            for span in entry.annotations.excluded() {
                marks[span.start as usize..span.end as usize].fill(Mark::Unsure);
            }
            marks.truncate(signals.len());
            marks
        };
        self.entries
            .iter()
            .zip(&self.signals.clips)
            .map(of_clip)
            .collect()
    }

    /// The hash of all that a model is made from.
    fn sources(&self, marks: &[Vec<Mark>], mirrored: &[Vec<Mark>]) -> ContentHash {
        let mut digest = Digest::default();
        digest.add(&[u8::from(self.ask.kernel == KernelShape::Exponential)]);
        for (index, clip) in self.signals.clips.iter().enumerate() {
            digest.add(&clip.motion.0);
            for marks in [&marks[index], &mirrored[index]] {
                let bytes: Vec<u8> = marks.iter().map(|mark| *mark as u8).collect();
                digest.add(&bytes);
            }
        }
        digest.finish()
    }

    /// Keeps what was learned: annotations and models, all or nothing of the annotations.
    fn keep(
        &self,
        store: &mut Store,
        stretches: Vec<Vec<(String, Vec<Range32>)>>,
        models: &[(String, ContentHash, LabelModel)],
    ) -> Result<(), Failure> {
        let transaction = store.transaction()?;
        for (entry, found) in self.entries.iter().zip(stretches) {
            transaction.change_annotations(&entry.name, |_, annotations| {
                for (label, stretches) in found {
                    annotations.learn(&label, &stretches);
                }
                Ok::<(), Failure>(())
            })?;
        }
        transaction.commit()?;
        for (label, sources, model) in models {
            store.keep(label, *sources, model)?;
        }
        Ok(())
    }
}

/// What is measured of clips, as kept; clips that are new are measured now.
fn signals_of(store: &mut Store, entries: &[ClipEntry], run: &Run) -> Result<SignalTable, Failure> {
    const RECIPE: &str = "second";
    let hashes: Vec<u8> = entries.iter().flat_map(|entry| entry.hash().0).collect();
    let sources = ContentHash::of(&hashes);
    let old = store.last::<SignalTable>(RECIPE, run)?;
    let known = old.map_or_else(Vec::new, |old| old.value.clips);
    let mut table = SignalTable::default();
    let mut is_new = known.len() != entries.len();
    for entry in entries {
        // Motion, floor and role of joints: whatever signals depend on.
        let motion = entry.measured_hash();
        if let Some(found) = known.iter().find(|clip| clip.motion == motion) {
            table.clips.push(found.clone());
            continue;
        }
        run.check()?;
        is_new = true;
        let clip = store.clip(&entry.name)?;
        let signals = measure_signals(&clip, motion).unwrap_or_else(|| {
            run.warn(format!(
                "clip {:?} has no legs to be described by; it is left out",
                entry.name
            ));
            ClipSignals::none(motion, entry.rate.fps())
        });
        table.clips.push(signals);
    }
    if is_new {
        store.keep(RECIPE, sources, &table)?;
    }
    Ok(table)
}
