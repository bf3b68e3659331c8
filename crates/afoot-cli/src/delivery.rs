//! Motion that a command made, on its way out: written, read back, judged, told.

use afoot_analyze::{Judge, JudgeOptions, MadeFrom, Quality, SourceSpan, SourceStatistics};
use afoot_core::{Clip, Placement, concatenate_clips};
use afoot_formats::{MotionWriter, PieceLength, WriteOptions, read_in_pieces};
use afoot_synth::{Played, Repertoire, Source};
use serde_json::{Value, json};

use crate::arguments::OutputArguments;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::report::{quality_words, rounded, time_it};
use crate::{interrupt, motion};

/// What is read back and judged together, and for how long plants are followed beyond it. [s]
const PIECE: f64 = 180.0;
const CONTEXT: f64 = 10.0;

/// Frames of a piece of motion that is written while the next is made.
pub fn piece_frames(repertoire: &Repertoire) -> usize {
    repertoire.graph().rate.frames_in(PIECE)
}

/// Motion that a command makes, on its way out, in one piece or in many.
pub struct Delivery<'a> {
    repertoire: &'a Repertoire,
    output: &'a OutputArguments,
    writer: Option<MotionWriter>,
    written: WriteOptions,
    report: Report,
    /// Kept for the picture of figures alone.
    pictured: Vec<Clip>,
    /// Time spent on writing. [s]
    seconds: f64,
}

/// Writes a motion that was made whole, and reports on it.
pub fn deliver_whole(
    repertoire: &Repertoire,
    output: &OutputArguments,
    played: Played,
    told: Told,
    console: &Console,
) -> Outcome {
    let mut delivery = Delivery::new(repertoire, output, played.clip.len() as u64)?;
    delivery.push(played)?;
    delivery.seconds = 0.0; // it was made before
    delivery.finish(&told, console)
}

/// What is known of a motion beside its frames.
#[derive(Default)]
struct Report {
    sources: Vec<Source>,
    joins: u32,
}

/// What a motion is reported with.
#[derive(Default)]
pub struct Told {
    /// What it was to follow, as ground points. [m]
    pub path: Option<Vec<[f64; 2]>>,
    /// Time taken to make it, writing included. [s]
    pub seconds: f64,
    /// Distance from the place asked for, and angle from its heading. [m, degrees]
    pub place_error: Option<[f64; 2]>,
    /// Fields of the command's own for its JSON.
    pub extra: Value,
}

impl<'a> Delivery<'a> {
    /// Of a motion of `frames` frames.
    pub fn new(
        repertoire: &'a Repertoire,
        output: &'a OutputArguments,
        frames: u64,
    ) -> Result<Self, Failure> {
        let written = motion::write_options(output, WriteOptions::default());
        let writer = MotionWriter::new(&output.output, frames as usize, &written)?;
        Ok(Self {
            repertoire,
            output,
            writer: Some(writer),
            written,
            report: Report::default(),
            pictured: Vec::new(),
            seconds: 0.0,
        })
    }

    /// Writes the next frames.
    pub fn push(&mut self, played: Played) -> Outcome {
        if interrupt::stopped() {
            return Err(interrupt::failure());
        }
        self.report.add(&played);
        if self.output.picture.is_some() {
            self.pictured.push(played.clip.clone());
        }
        if let Some(writer) = &mut self.writer {
            let (written, seconds) = time_it(|| writer.write(played.clip));
            self.seconds += seconds;
            written?;
        }
        Ok(())
    }

    /// Puts the file in its place, judges it as written and read back, and prints the report.
    pub fn finish(mut self, told: &Told, console: &Console) -> Outcome {
        let writer = self.writer.take();
        for warning in writer.map_or(Ok(Vec::new()), MotionWriter::finish)? {
            console.warn(warning);
        }
        console.say(format!("wrote {}", self.output.output.display()));
        self.draw_figures()?;
        let source =
            SourceStatistics::of_clips(&self.repertoire.clips().iter().collect::<Vec<_>>());
        let made_from = self.report.made_from(self.repertoire);
        let options = JudgeOptions {
            source: source.as_ref(),
            made_from: Some(&made_from),
            floor: self.repertoire.floor().map(|floor| floor.height),
            path: told.path.as_deref(),
        };
        let mut quality = self.judge(&options)?;
        quality.transitions = Some(self.report.joins as usize);
        quality.place_error_m = told.place_error.map(|[metres, _]| metres);
        quality.place_error_deg = told.place_error.map(|[_, degrees]| degrees);
        quality.took((told.seconds - self.seconds).max(0.0));
        let json = || {
            let sources = sources_json(&self.report.sources, self.repertoire);
            let mut json = json!({"quality": rounded(&quality), "sources": sources});
            if let (Value::Object(fields), Value::Object(extra)) = (&mut json, &told.extra) {
                fields.extend(extra.clone());
            }
            json
        };
        console.result(json, || quality_words(&quality))
    }
}

impl Delivery<'_> {
    fn draw_figures(&mut self) -> Outcome {
        let Some(file) = &self.output.picture else {
            return Ok(());
        };
        let pieces = std::mem::take(&mut self.pictured);
        let pieces: Vec<&Clip> = pieces.iter().collect();
        motion::write_sheet(&concatenate_clips(&pieces, Placement::AsCaptured)?, file)
    }

    /// The quality of the file that was written, as another program would see it.
    fn judge(&self, options: &JudgeOptions) -> Result<Quality, Failure> {
        let rate = self.repertoire.graph().rate;
        let length = PieceLength {
            frames: rate.frames_in(PIECE),
            context: rate.frames_in(CONTEXT),
        };
        let mut judge = Judge::new(*options);
        let look = |clip: &Clip, new| -> Outcome {
            judge.add(clip, new);
            Ok(())
        };
        let read = motion::read_back_options(&self.output.output, &self.written, rate);
        read_in_pieces(&self.output.output, &read, length, look)?;
        Ok(judge.finish())
    }
}

impl Report {
    fn add(&mut self, played: &Played) {
        self.joins += played.joins;
        self.sources.extend(&played.sources);
    }

    /// Where the frames come from. A join lies half on either side of where sources change.
    fn made_from<'a>(&self, repertoire: &'a Repertoire) -> MadeFrom<'a> {
        let window = u64::from(repertoire.graph().window);
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
            clips: repertoire.clips(),
            spans: self.sources.iter().map(span).collect(),
            joins: self.sources.windows(2).filter_map(join).collect(),
        }
    }
}

fn sources_json(sources: &[Source], repertoire: &Repertoire) -> Vec<Value> {
    let graph = repertoire.graph();
    let time = |frame: f64| (frame * graph.rate.frame_time() * 1e4).round() / 1e4;
    let source = |source: &Source| {
        json!({
            "clip": graph.clips[source.clip.index()].name,
            "from": time(f64::from(source.frames.start)),
            "to": time(f64::from(source.frames.end)),
            "at": time(source.at as f64),
        })
    };
    sources.iter().map(source).collect()
}
