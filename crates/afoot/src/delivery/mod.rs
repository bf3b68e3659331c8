//! Motion on its way out: made, then written whole, read back, judged; all of it here and nowhere else.
//!
//! A request that makes motion implements [`MotionRequest`] and pushes it into an [`Outlet`], whole or
//! in pieces. `motion`: what is pushed, and the [`Sink`] that takes it. `outlet`: notes, events, time.
//! `account`: where frames come from. `sinks`: files, memory. `judging`: the file as read back. `onto`:
//! the user's own character.

mod account;
mod any_motion;
mod judging;
mod motion;
mod onto;
mod outlet;
mod sinks;

use afoot_analyze::Quality;
use afoot_core::{Clip, FrameRate};
use afoot_formats::{WriteOptions, read_motion};
use afoot_library::ClipFacts;
use afoot_run::Run;
use afoot_world::World;
use serde::{Serialize, Serializer};
use serde_json::Value;

pub use self::account::{Account, SourceStretch};
pub(crate) use self::any_motion::AnyMotion;
pub(crate) use self::judging::{LegChanges, LegsAsked, least_room, piece_frames};
pub use self::motion::{MotionHeader, MotionPiece, OneClip, PieceSource, Sink, SourceClips};
pub(crate) use self::onto::Rig;
pub use self::outlet::Outlet;
pub(crate) use self::sinks::MotionFiles;

use self::judging::judge_file;
use self::onto::Draft;
use self::outlet::Ended;
use self::sinks::{ClipSink, FileSink};
use crate::failure::Failure;
use crate::files::FileName;
use crate::library::Library;
use crate::motion_files::{Output, read_back_options};
use crate::ranges::Ranged;
use crate::threads::in_threads;
use crate::workspace::Workspace;

/// A request that makes one motion.
pub trait MotionRequest: Sync + Ranged {
    /// What it tells beside quality and sources.
    type Details: Serialize + Send;

    /// The motion file that it reads, if it reads one: not to be replaced unasked.
    fn reads(&self) -> Option<&FileName> {
        None
    }

    /// Makes the motion and pushes it.
    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<Self::Details>, Failure>;
}

/// What a request knows of the motion that it has made.
#[derive(Clone, Debug, Default)]
pub struct Told<D> {
    /// What the motion was to do.
    pub aim: Aim,
    /// What the request found out about it, which the file does not show.
    pub measured: Measured,
    /// The request's own.
    pub details: D,
}

impl<D> Told<D> {
    /// Of motion that had nothing to follow and was not measured.
    pub fn of(details: D) -> Self {
        Self {
            aim: Aim::default(),
            measured: Measured::default(),
            details,
        }
    }

    /// The same with its details as data.
    fn into_data(self) -> Result<Told<Value>, Failure>
    where
        D: Serialize,
    {
        Ok(Told {
            details: serde_json::to_value(self.details)?,
            aim: self.aim,
            measured: self.measured,
        })
    }
}

/// What a motion is judged and drawn beside.
#[derive(Clone, Debug, Default)]
pub struct Aim {
    /// What it was to follow, as ground points, where it is judged by that. [m]
    pub path: Option<Vec<[f64; 2]>>,
    /// A way to draw beside the one that was walked, if it is another than `path`. [m]
    pub way: Option<Vec<[f64; 2]>>,
    /// The world that it was to go through, where it is judged by that.
    pub world: Option<World>,
}

impl Aim {
    /// What is drawn beside the way that was walked.
    fn drawn(&self) -> Option<&[[f64; 2]]> {
        self.way.as_deref().or(self.path.as_deref())
    }

    /// The same in a world so many times as large. [> 0]
    fn scaled(self, factor: f64) -> Self {
        let longer = |points: Vec<[f64; 2]>| {
            let points = points.into_iter();
            points.map(|point| point.map(|x| x * factor)).collect()
        };
        Self {
            path: self.path.map(longer),
            way: self.way.map(longer),
            world: self.world.map(|world| world.scaled(factor)),
        }
    }
}

/// What a request measures of its motion, each where it can.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// How far it is from the place asked for.
    pub place_error: Option<PlaceError>,
    /// Share of what was painted that its sources carry, of a score.
    pub label_share: Option<f64>,
    /// The most of what may be bent that it was bent by.
    pub edit_share: Option<f64>,
    /// What it costs, of a plan.
    pub plan: Option<PlanCost>,
}

impl Measured {
    fn note(&self, quality: &mut Quality) {
        quality.place_error_m = self.place_error.map(|error| error.metres);
        quality.place_error_deg = self.place_error.map(|error| error.degrees);
        quality.label_share = self.label_share;
        quality.edit_share = self.edit_share;
        quality.cost = self.plan.map(|plan| plan.cost);
        quality.bound = self.plan.map(|plan| plan.bound);
        quality.expanded = self.plan.map(|plan| plan.expanded);
    }
}

/// What a plan costs, and what is proven of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanCost {
    /// Its cost.
    pub cost: f64,
    /// It costs at most so many times the least. [≥ 1]
    pub bound: f64,
    /// States expanded.
    pub expanded: u64,
}

/// How far a motion is from where it was asked to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaceError {
    /// Distance. [m]
    pub metres: f64,
    /// Angle between the headings. [degrees]
    pub degrees: f64,
}

/// A motion that went into a sink.
#[derive(Clone, Debug)]
pub struct Streamed<D> {
    /// Where its frames come from.
    pub account: Account,
    /// Time taken to make it. [s]
    pub seconds: f64,
    /// What else is known.
    pub told: Told<D>,
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

impl Workspace<'_> {
    /// Makes a motion into a sink.
    pub fn stream<R: MotionRequest>(
        &self,
        request: &R,
        sink: &mut dyn Sink,
        run: &Run,
    ) -> Result<Streamed<R::Details>, Failure> {
        request.check_ranges()?;
        in_threads(run, || {
            let mut outlet = Outlet::new(sink, run);
            let told = request.make(self, &mut outlet, run)?;
            let kept = outlet.take_kept();
            let ended = outlet.end()?;
            self.keep(kept)?;
            Ok(Streamed {
                account: ended.account,
                seconds: ended.seconds,
                told,
            })
        })
    }

    /// Makes a motion in memory.
    pub fn make<R: MotionRequest>(
        &self,
        request: &R,
        run: &Run,
    ) -> Result<Made<R::Details>, Failure> {
        let mut sink = ClipSink::default();
        let Streamed { account, told, .. } = self.stream(request, &mut sink, run)?;
        Ok(Made {
            clip: sink.clip()?,
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
        request.check_ranges()?;
        if let Some(input) = request.reads() {
            output.keep(&self.files().locate(input)?)?;
        }
        in_threads(run, || {
            let mut kept = None;
            let delivered = deliver_with(output, run, |outlet| {
                let told = request.make(self, outlet, run)?;
                kept = outlet.take_kept();
                Ok(told)
            })?;
            self.keep(kept)?;
            Ok(delivered)
        })
    }

    fn keep(&self, kept: Option<(Clip, ClipFacts)>) -> Result<(), Failure> {
        if let Some((clip, facts)) = kept {
            self.library()?.write()?.add_clip(&clip, &facts)?;
        }
        Ok(())
    }
}

impl Library {
    /// [`Workspace::stream`] from this library.
    pub fn stream<R: MotionRequest>(
        &self,
        request: &R,
        sink: &mut dyn Sink,
        run: &Run,
    ) -> Result<Streamed<R::Details>, Failure> {
        Workspace::from(self).stream(request, sink, run)
    }

    /// [`Workspace::make`] from this library.
    pub fn make<R: MotionRequest>(
        &self,
        request: &R,
        run: &Run,
    ) -> Result<Made<R::Details>, Failure> {
        Workspace::from(self).make(request, run)
    }

    /// [`Workspace::deliver`] from this library.
    pub fn deliver<R: MotionRequest>(
        &self,
        request: &R,
        output: &Output,
        run: &Run,
    ) -> Result<Delivered<R::Details>, Failure> {
        Workspace::from(self).deliver(request, output, run)
    }
}

/// Writes, reads back and judges the motion that `make` pushes.
pub(crate) fn deliver_with<D>(
    output: &Output,
    run: &Run,
    make: impl FnOnce(&mut Outlet) -> Result<Told<D>, Failure>,
) -> Result<Delivered<D>, Failure> {
    output.check_judged()?;
    match &output.onto {
        Some(rig) => deliver_onto(&Rig::read(rig, run)?, output, run, make),
        None => Ok(deliver_as_is(output, None, run, make)?.0),
    }
}

/// The same onto another skeleton: judged on its own, where it can be held against its sources, and then
/// its feet and its way on the other one.
fn deliver_onto<D>(
    rig: &Rig,
    output: &Output,
    run: &Run,
    make: impl FnOnce(&mut Outlet) -> Result<Told<D>, Failure>,
) -> Result<Delivered<D>, Failure> {
    let draft = Draft::beside(&output.file);
    let own = draft.output();
    let (mut delivered, aim) = deliver_as_is(&own, Some(rig), &run.warnings_only(), make)?;
    let read = read_back_options(&own.file, &WriteOptions::default(), FrameRate::FPS_30);
    let mut clip = read_motion(&own.file, &read)?.clip;
    let stem = output.file.file_stem().unwrap_or_default();
    clip.name = stem.to_string_lossy().into_owned();
    let ratio = rig.ratio(&clip.skeleton);
    let dressed = rig.dressed_and_settled(clip)?;
    if (ratio - 1.0).abs() > 0.01 {
        run.warn(format!(
            "legs are {ratio:.2} times as long on that skeleton, and so is the way over the ground"
        ));
    }
    rig.write(&dressed, output, aim.drawn(), run)?;
    delivered
        .quality
        .take_other_body(rig.judge(&dressed, output, &aim)?);
    Ok(delivered)
}

/// Gives with it what was asked of the motion, in the world that it was asked with.
fn deliver_as_is<D>(
    output: &Output,
    rig: Option<&Rig>,
    run: &Run,
    make: impl FnOnce(&mut Outlet) -> Result<Told<D>, Failure>,
) -> Result<(Delivered<D>, Aim), Failure> {
    let mut sink = FileSink::new(output);
    let mut outlet = Outlet::new(&mut sink, run);
    if let Some(rig) = rig {
        outlet = outlet.onto(rig);
    }
    let told = make(&mut outlet)?;
    let made: Ended = outlet.end()?;
    let file = sink.put_in_place(made.header.rate, told.aim.drawn(), run)?;
    let mut quality = judge_file(&file, &made, &told.aim, run)?;
    quality.transitions = Some(made.account.transitions);
    told.measured.note(&mut quality);
    let delivered = Delivered {
        quality,
        sources: made.account.sources,
        details: told.details,
    };
    Ok((delivered, told.aim.scaled(made.longer)))
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
