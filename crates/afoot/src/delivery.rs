//! Motion on its way out: made, then written whole, read back, judged; all of it here and nowhere else.
//!
//! A request that makes motion pushes it into a [`Sink`], whole or in pieces. A `Delivery` writes
//! the pieces as they come, so that memory does not grow with the motion's length; a `Collector`
//! keeps them for programs that want the clip.

use std::sync::Arc;
use std::time::Instant;

use afoot_analyze::{Judge, JudgeOptions, MadeFrom, Quality, SourceSpan, SourceStatistics};
use afoot_core::{Clip, FrameRate, Placement, concatenate_clips};
use afoot_formats::files::write_whole;
use afoot_formats::{MotionWriter, PieceLength, WriteOptions, read_in_pieces};
use afoot_run::Run;
use afoot_synth::{Played, Repertoire, Source};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::failure::Failure;
use crate::library::{Library, Stock};
use crate::motion_files::{Output, read_back_options};
use crate::pictures;

/// What is read back and judged together, and for how long plants are followed beyond it. [s]
const PIECE: f64 = 180.0;
const CONTEXT: f64 = 10.0;

/// Frames of a piece of motion that is written while the next is made.
pub(crate) fn piece_frames(repertoire: &Repertoire) -> usize {
    repertoire.graph().rate.frames_in(PIECE)
}

/// A request that makes one motion out of a library.
pub trait MotionRequest {
    /// What it tells beside quality and sources.
    type Details: Serialize;

    /// Makes the motion and pushes it into the sink.
    fn make(
        &self,
        library: &Library,
        sink: &mut dyn Sink,
        run: &Run,
    ) -> Result<Told<Self::Details>, Failure>;
}

/// Takes motion as it is made.
pub trait Sink {
    /// The motion will have `frames` frames and is made of this.
    fn begin(&mut self, stock: &Stock, frames: u64) -> Result<(), Failure>;
    /// The next frames.
    fn push(&mut self, played: Played) -> Result<(), Failure>;
}

/// What is known of a motion when it has been made.
#[derive(Clone, Debug, Default)]
pub struct Told<D> {
    /// Time taken to make it. [s]
    pub seconds: f64,
    /// What it was to follow, as ground points. [m]
    pub path: Option<Vec<[f64; 2]>>,
    /// How far it is from the place asked for.
    pub place_error: Option<PlaceError>,
    /// The request's own.
    pub details: D,
}

/// How far a motion is from where it was asked to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaceError {
    /// Distance. [m]
    pub metres: f64,
    /// Angle between the headings. [degrees]
    pub degrees: f64,
}

/// A motion in memory.
#[derive(Clone, Debug)]
pub struct Made<D> {
    /// The frames.
    pub clip: Clip,
    /// Where they come from.
    pub account: Account,
    /// What else is known.
    pub told: Told<D>,
}

/// A motion that was written, read back and judged.
#[derive(Clone, Debug, Serialize)]
pub struct Delivered<D> {
    /// How good the file is.
    #[serde(serialize_with = "rounded")]
    pub quality: Quality,
    /// Where its frames come from.
    pub sources: Vec<SourceStretch>,
    /// The request's own.
    #[serde(flatten)]
    pub details: D,
}

/// A stretch of captured motion in a made one. A transition counts half to either side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceStretch {
    /// The clip's name.
    pub clip: String,
    /// Where the stretch starts in it. [s]
    pub from: f64,
    /// Where it ends in it. [s]
    pub to: f64,
    /// Where it starts in the made motion. [s]
    pub at: f64,
}

/// Where a motion's frames come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// Stretches of clips, in order and without gaps.
    pub sources: Vec<SourceStretch>,
    /// How many transitions there are.
    pub transitions: usize,
    /// How many frames lie outside transitions.
    pub captured: u64,
    /// The stretches as the judge compares them.
    spans: Vec<Source>,
}

impl Library {
    /// Makes a motion in memory.
    pub fn make<R: MotionRequest>(
        &self,
        request: &R,
        run: &Run,
    ) -> Result<Made<R::Details>, Failure> {
        let mut collector = Collector {
            pieces: Vec::new(),
            ledger: Ledger::new(run),
        };
        let told = request.make(self, &mut collector, run)?;
        let (clip, account) = (joined(collector.pieces)?, collector.ledger.account);
        Ok(Made {
            clip,
            account,
            told,
        })
    }

    /// Makes a motion into a file, and judges the file.
    pub fn deliver<R: MotionRequest>(
        &self,
        request: &R,
        output: &Output,
        run: &Run,
    ) -> Result<Delivered<R::Details>, Failure> {
        output.check_judged()?;
        let mut sink = FileSink {
            output,
            delivery: None,
            repertoire: None,
            ledger: Ledger::new(run),
        };
        let told = request.make(self, &mut sink, run)?;
        let (delivery, account) = (sink.delivery, sink.ledger.account);
        let delivery = delivery.ok_or_else(|| Failure::no_motion("no motion was made"))?;
        let repertoire = sink.repertoire.as_deref();
        let against = Against {
            path: told.path.as_deref(),
            made_from: repertoire.map(|repertoire| account.made_from(repertoire)),
            floor: repertoire
                .and_then(|repertoire| repertoire.floor())
                .map(|floor| floor.height),
        };
        let mut quality = delivery.finish(&against, run)?;
        quality.transitions = Some(account.transitions);
        quality.place_error_m = told.place_error.map(|error| error.metres);
        quality.place_error_deg = told.place_error.map(|error| error.degrees);
        quality.took(told.seconds);
        Ok(Delivered {
            quality,
            sources: account.sources,
            details: told.details,
        })
    }
}

/// A piece of motion as it was made: the partial results that a run's watcher gets.
#[derive(Clone, Debug)]
pub struct MotionPiece {
    /// The next frames.
    pub clip: Clip,
}

/// What is known of a motion before it is written.
pub(crate) struct Outgoing {
    pub(crate) frames: usize,
    pub(crate) rate: FrameRate,
    /// How it is written where the output leaves it open.
    pub(crate) like: WriteOptions,
    /// What is usual in its sources.
    pub(crate) usual: Option<SourceStatistics>,
}

/// What a motion is held against when it is judged.
#[derive(Default)]
pub(crate) struct Against<'a> {
    /// What it was to follow, as ground points. [m]
    pub(crate) path: Option<&'a [[f64; 2]]>,
    /// Where its frames come from.
    pub(crate) made_from: Option<MadeFrom<'a>>,
    /// Height of the floor that its clips stand on. [m]
    pub(crate) floor: Option<f32>,
}

/// Motion written to files as it comes, then judged as read back.
pub(crate) struct Delivery<'a> {
    output: &'a Output,
    writers: Vec<MotionWriter>,
    written: WriteOptions,
    rate: FrameRate,
    /// What is usual in the motion's sources.
    usual: Option<SourceStatistics>,
    /// Kept for the picture of figures alone.
    pictured: Vec<Clip>,
}

impl<'a> Delivery<'a> {
    /// Of a motion that will be made.
    pub(crate) fn new(output: &'a Output, outgoing: Outgoing) -> Result<Self, Failure> {
        let Outgoing {
            frames,
            rate,
            like,
            usual,
        } = outgoing;
        let written = output.write_options(like);
        let files = std::iter::once(&output.file).chain(&output.also);
        let writers = files.map(|file| MotionWriter::new(file, frames, &written));
        Ok(Self {
            output,
            writers: writers.collect::<Result<_, _>>()?,
            written,
            rate,
            usual,
            pictured: Vec::new(),
        })
    }

    /// Writes the next frames.
    pub(crate) fn push(&mut self, clip: Clip) -> Result<(), Failure> {
        if self.output.picture.is_some() {
            self.pictured.push(clip.clone());
        }
        if let [one] = self.writers.as_mut_slice() {
            return Ok(one.write(clip)?);
        }
        for writer in &mut self.writers {
            writer.write(clip.clone())?;
        }
        Ok(())
    }

    /// Puts the files in their places and draws them; judges the first as written and read back.
    pub(crate) fn finish(mut self, against: &Against, run: &Run) -> Result<Quality, Failure> {
        self.put_in_place(run)?;
        let rate = self.rate;
        let length = PieceLength {
            frames: rate.frames_in(PIECE),
            context: rate.frames_in(CONTEXT),
        };
        let mut judge = Judge::new(JudgeOptions {
            source: self.usual.as_ref(),
            made_from: against.made_from.as_ref(),
            floor: against.floor,
            path: against.path,
        });
        let look = |clip: &Clip, new| -> Result<(), Failure> {
            judge.add(clip, new);
            Ok(())
        };
        let read = read_back_options(&self.output.file, &self.written, rate);
        read_in_pieces(&self.output.file, &read, length, look)?;
        Ok(judge.finish())
    }

    /// Puts the files in their places and draws them.
    pub(crate) fn put_in_place(&mut self, run: &Run) -> Result<(), Failure> {
        run.check()?;
        for writer in self.writers.drain(..) {
            for warning in writer.finish()? {
                run.warn(warning);
            }
        }
        run.note(format!("wrote {}", self.output.file.display()));
        let Some(file) = &self.output.picture else {
            return Ok(());
        };
        let whole = joined(std::mem::take(&mut self.pictured))?;
        Ok(write_whole(file, &pictures::sheet(&whole)?)?)
    }
}

/// Pieces of a motion as one clip.
fn joined(mut pieces: Vec<Clip>) -> Result<Clip, Failure> {
    if pieces.len() == 1 {
        return Ok(pieces.remove(0));
    }
    let pieces: Vec<&Clip> = pieces.iter().collect();
    Ok(concatenate_clips(&pieces, Placement::AsCaptured)?)
}

/// Takes a motion into files.
struct FileSink<'a> {
    output: &'a Output,
    delivery: Option<Delivery<'a>>,
    repertoire: Option<Arc<Repertoire>>,
    ledger: Ledger<'a>,
}

impl Sink for FileSink<'_> {
    fn begin(&mut self, stock: &Stock, frames: u64) -> Result<(), Failure> {
        self.ledger.begin(stock);
        self.repertoire = Some(Arc::clone(stock.repertoire()));
        let outgoing = Outgoing {
            frames: frames as usize,
            rate: self.ledger.names.rate,
            like: WriteOptions::default(),
            usual: stock.usual().cloned(),
        };
        self.delivery = Some(Delivery::new(self.output, outgoing)?);
        Ok(())
    }

    fn push(&mut self, played: Played) -> Result<(), Failure> {
        self.ledger.note(&played)?;
        match &mut self.delivery {
            Some(delivery) => delivery.push(played.clip),
            None => Ok(()),
        }
    }
}

/// Keeps a motion in memory.
struct Collector<'a> {
    pieces: Vec<Clip>,
    ledger: Ledger<'a>,
}

impl Sink for Collector<'_> {
    fn begin(&mut self, stock: &Stock, _: u64) -> Result<(), Failure> {
        self.ledger.begin(stock);
        Ok(())
    }

    fn push(&mut self, played: Played) -> Result<(), Failure> {
        self.ledger.note(&played)?;
        self.pieces.push(played.clip);
        Ok(())
    }
}

/// Notes where frames come from, and tells the run of them.
struct Ledger<'a> {
    run: &'a Run,
    account: Account,
    names: ClipNames,
}

impl<'a> Ledger<'a> {
    fn new(run: &'a Run) -> Self {
        Self {
            run,
            account: Account::default(),
            names: ClipNames::default(),
        }
    }

    fn begin(&mut self, stock: &Stock) {
        self.names = ClipNames::of(stock.repertoire());
    }

    fn note(&mut self, played: &Played) -> Result<(), Failure> {
        self.run.check()?;
        self.account.add(played, &self.names);
        let clip = &played.clip;
        self.run.partial(|| MotionPiece { clip: clip.clone() });
        Ok(())
    }
}

/// What turns a walk's sources into names and times.
pub(crate) struct ClipNames {
    names: Vec<String>,
    rate: FrameRate,
}

impl Default for ClipNames {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            rate: FrameRate::FPS_30,
        }
    }
}

impl ClipNames {
    pub(crate) fn of(repertoire: &Repertoire) -> Self {
        let graph = repertoire.graph();
        Self {
            names: graph.clips.iter().map(|clip| clip.name.clone()).collect(),
            rate: graph.rate,
        }
    }

    fn stretch(&self, source: &Source) -> SourceStretch {
        let time = |frame: f64| (frame * self.rate.frame_time() * 1e4).round() / 1e4;
        SourceStretch {
            clip: self.names[source.clip.index()].clone(),
            from: time(f64::from(source.frames.start)),
            to: time(f64::from(source.frames.end)),
            at: time(source.at as f64),
        }
    }
}

impl Account {
    pub(crate) fn add(&mut self, played: &Played, names: &ClipNames) {
        self.transitions += played.joins as usize;
        self.captured += played.captured;
        let stretches = played.sources.iter().map(|source| names.stretch(source));
        self.sources.extend(stretches);
        self.spans.extend(&played.sources);
    }

    /// Where the frames come from. A transition lies half on either side of where sources change.
    pub(crate) fn made_from<'a>(&self, repertoire: &'a Repertoire) -> MadeFrom<'a> {
        let window = u64::from(repertoire.graph().window);
        let clip = |source: &Source| (source.clip.index(), repertoire.captured_clip(source.clip));
        let span = |source: &Source| SourceSpan {
            clip: source.clip.index(),
            from: source.frames.start,
            frames: source.frames.end - source.frames.start,
            at: source.at,
        };
        let join = |pair: &[Source]| {
            let (before, after) = (pair[0], pair[1]);
            let goes_on = before.clip == after.clip && before.frames.end == after.frames.start;
            let start = after.at.saturating_sub(window / 2);
            (!goes_on).then_some(start..start + window)
        };
        MadeFrom {
            clips: self.spans.iter().map(clip).collect(),
            spans: self.spans.iter().map(span).collect(),
            joins: self.spans.windows(2).filter_map(join).collect(),
        }
    }
}

/// A report with numbers to six digits.
pub(crate) fn rounded<S: Serializer>(quality: &Quality, to: S) -> Result<S::Ok, S::Error> {
    let value = serde_json::to_value(quality).map_or(Value::Null, rounded_value);
    value.serialize(to)
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

/// Does some work and says how long it took. [s]
pub(crate) fn time_it<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
