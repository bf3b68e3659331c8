//! What each filter does: the primitives of Shanbhag 2006, §7.2, and motion by what is wanted.
//!
//! Feet are planted where motion of several clips comes together or steps are changed; what only cuts or
//! repeats leaves them to the scene, which settles each actor as a whole.

use std::ops::Range;
use std::path::PathBuf;

use afoot_core::{Clip, FrameId, FrameRate, clip_at};
use afoot_edit::cleanup::{SettleOptions, settle_feet};
use afoot_graph::clusters::Leap;
use afoot_limbs::graft::{Donation, GraftFacts, GraftOptions, graft_limbs};
use afoot_limbs::stride::{Measure, StrideOptions, Surface, change_stride};
use afoot_run::Run;
use afoot_script::lexer::Unit;
use afoot_script::primitives::{Field, Primitive};
use afoot_script::program::{FilterKind, FilterNode, Setting};
use afoot_synth::{Itinerary, Stand};

use super::joints::chain_meant;
use super::motion::{Motion, Origin};
use super::strung::{Stretch, string_together};
use super::studio::{Studio, failed};
use super::waiting::{Wait, wait};
use super::wardrobe::Wardrobe;
use crate::clustered::Clustered;
use crate::delivery::{Account, MotionRequest};
use crate::failure::{Failure, FailureKind};
use crate::inputs::Input;
use crate::ranges::Ranged;
use crate::requests::{Follow, Join, Loop, Perform, Plan, Resequenced, Standing, Wander};

/// A filter that is applied, with all it needs.
pub(super) struct Applied<'a> {
    pub filter: &'a FilterNode,
    pub inputs: Vec<&'a Motion>,
    pub actor: &'a Wardrobe,
    pub studio: &'a Studio<'a>,
    pub run: &'a Run,
}

impl Applied<'_> {
    /// Its motion.
    pub fn motion(&self) -> Result<Motion, Failure> {
        match &self.filter.what {
            FilterKind::Clip(file) => {
                let counted = self
                    .studio
                    .motion(&self.actor.files, file)
                    .map_err(failed)?
                    .rate;
                let clip = self.actor.file_clip(self.studio, file)?;
                Ok(Motion::captured(Clip::clone(&clip), counted))
            }
            FilterKind::LibraryClip(name) => {
                let clip = self.actor.library_clip(name)?;
                Ok(Motion::captured(Clip::clone(&clip), clip.rate))
            }
            FilterKind::Apply(primitive, settings) => {
                let settings = Settings(settings);
                self.apply(*primitive, &settings)
            }
        }
    }

    fn apply(&self, primitive: Primitive, said: &Settings) -> Result<Motion, Failure> {
        match primitive {
            Primitive::Concatenate => self.concatenate(),
            Primitive::Subclip => {
                let input = self.inputs[0];
                input.cut(
                    input.span_of(said.number(Field::StartFrame), said.number(Field::EndFrame)),
                )
            }
            Primitive::Resample => self.resample(said),
            Primitive::Loop => self.repeat(said),
            Primitive::Transition => self.transition(said),
            Primitive::Graft => self.graft(said),
            Primitive::Alterwalk => self.alter_walk(said),
            // A clip's file is named in `FilterKind::Clip`; these two hand on what comes in.
            Primitive::Load | Primitive::Save | Primitive::Display => Ok(self.inputs[0].clone()),
            Primitive::Follow => self.ask(&Follow {
                path: self.file(said, Field::Path)?,
                labels: said.names(Field::As),
                standing: self.standing(),
                ..Follow::default()
            }),
            Primitive::Perform => self.ask(&Perform {
                score: self.file(said, Field::Score)?,
                ..Perform::default()
            }),
            Primitive::Plan => self.ask(&Plan {
                task: self.file(said, Field::Task)?,
                ..Plan::default()
            }),
            Primitive::Wander => self.ask(&Wander {
                seconds: said.number(Field::Seconds).unwrap_or_default(),
                labels: said.names(Field::As),
                ..Wander::default()
            }),
        }
    }

    fn concatenate(&self) -> Result<Motion, Failure> {
        let whole = |(motion, input): (usize, &&Motion)| Stretch {
            motion,
            frames: 0..input.frames(),
        };
        let all: Vec<Stretch> = self.inputs.iter().enumerate().map(whole).collect();
        string_together(&self.inputs, &all, None)
    }

    /// Frames at another speed; they are their own origin, since no captured frames play like them.
    fn resample(&self, said: &Settings) -> Result<Motion, Failure> {
        let input = self.inputs[0];
        let span = input.span_of(said.number(Field::StartFrame), said.number(Field::EndFrame));
        let count = said.number(Field::FrameCount).unwrap_or(1.0);
        let seconds = count * input.counted.frame_time();
        if seconds > LONGEST {
            let most = (LONGEST / input.counted.frame_time()).round();
            let expected = format!("at most {LONGEST} s of motion, {most} frames");
            return Err(Failure::bad_value("framecount", count, &expected));
        }
        let frames = ((seconds / input.clip.rate.frame_time()).round() as u32).max(1);
        let step = f64::from(span.end - span.start - 1) / f64::from((frames - 1).max(1));
        let moments: Vec<f64> = (0..frames)
            .map(|frame| f64::from(span.start) + f64::from(frame) * step)
            .collect();
        let mut clip = clip_at(&input.clip, &moments, input.clip.rate);
        clip.name = format!("{} in {frames} frames", input.clip.name);
        Ok(Motion {
            made: vec![clip.clone()],
            joins: input.joins,
            ..Motion::captured(clip, input.counted)
        })
    }

    fn repeat(&self, said: &Settings) -> Result<Motion, Failure> {
        let input = self.inputs[0];
        let part = input.span_of(said.number(Field::StartFrame), said.number(Field::EndFrame));
        let (seconds, metres) = (said.number(Field::Seconds), said.number(Field::Distance));
        if let Some(seconds) = seconds.filter(|seconds| *seconds > LONGEST) {
            let expected = format!("at most {LONGEST} s of motion");
            return Err(Failure::bad_value("seconds", seconds, &expected));
        }
        let count = said.number(Field::LoopCount).map(|count| count as usize);
        let Some(first) = said.number(Field::LoopStart) else {
            return self.repeat_cycle(part, count, seconds, metres);
        };
        let around = input.span_of(Some(first), said.number(Field::LoopEnd));
        let most = input.clip.rate.frames_in(LONGEST) as u32 / (around.end - around.start);
        let count = match (count, seconds, metres) {
            (Some(count), ..) => count as u32,
            // As often as it takes; what is too long is cut off.
            (None, Some(seconds), _) => {
                let wanted = input.clip.rate.frames_in(seconds) as u32;
                wanted.div_ceil(around.end - around.start)
            }
            (None, None, metres) => {
                let gone = way(&input.clip, around.clone()).max(0.01);
                (metres.unwrap_or_default() / gone).ceil() as u32
            }
        };
        if count > most {
            let words = format!("{count} times around are more than {LONGEST} s of motion");
            return Err(Failure::bad_request(words));
        }
        let stretch = |frames: Range<u32>| Stretch { motion: 0, frames };
        let start = part.start.min(around.start);
        let mut all = vec![stretch(start..around.end)];
        all.extend((1..count).map(|_| stretch(around.clone())));
        all.push(stretch(around.start..part.end.max(around.end)));
        let whole = string_together(&self.inputs, &all, None)?;
        cut_to(whole, seconds, metres)
    }

    /// Loops where the clip is most like itself.
    fn repeat_cycle(
        &self,
        part: Range<u32>,
        count: Option<usize>,
        seconds: Option<f64>,
        metres: Option<f64>,
    ) -> Result<Motion, Failure> {
        let input = self.inputs[0].cut(part)?;
        let cycle = Loop {
            clip: "a".into(),
            cycles: count.map(|count| count as f64 + 1.0),
            seconds: seconds.filter(|_| count.is_none()),
            metres: metres.filter(|_| count.is_none() && seconds.is_none()),
            ..Loop::default()
        };
        cycle.check_ranges()?;
        let clustered = self.clustered(&[&input])?;
        cycle.check_ranges()?;
        let mut itinerary = match cycle.itinerary(&clustered) {
            Ok(itinerary) => itinerary,
            // What has no cycle, as a stand has none, can be played for long all the same.
            Err(failure) if failure.kind == FailureKind::NoMotion && cycle.seconds.is_some() => {
                return wait(&Wait {
                    before: None,
                    after: None,
                    idle: &input,
                    frames: input
                        .clip
                        .rate
                        .frames_in(seconds.unwrap_or_default())
                        .max(1) as u32,
                });
            }
            Err(failure) => return Err(named(failure, &[&input])),
        };
        // What comes before the loop plays first.
        itinerary.start.frame = FrameId(0);
        if count.is_some() {
            itinerary.end = FrameId(input.frames());
        }
        let whole = self.play(&[&input], &itinerary)?;
        cut_to(whole, seconds, metres)
    }

    fn transition(&self, said: &Settings) -> Result<Motion, Failure> {
        let [a, b] = [self.inputs[0], self.inputs[1]];
        let blend = said.number(Field::Blend);
        let blend = blend.map(|frames| {
            let seconds = frames * a.counted.frame_time();
            a.clip.rate.frames_in(seconds) as u32
        });
        let (out, into) = (said.number(Field::OutFrame), said.number(Field::InFrame));
        if let (Some(out), Some(into)) = (out, into) {
            let frames = [
                0..a.frame_of(out + 1.0).max(1),
                b.frame_of(into)..b.frames(),
            ];
            let all = frames.into_iter().enumerate();
            let all: Vec<Stretch> = all
                .map(|(motion, frames)| Stretch { motion, frames })
                .collect();
            return string_together(&self.inputs, &all, blend);
        }
        // One end may be said: then what lies beyond it is out of the question.
        let end = out.map_or(a.frames(), |out| a.frame_of(out + 1.0).max(1));
        let start = into.map_or(0, |into| b.frame_of(into));
        let parts = [a.cut(0..end)?, b.cut(start..b.frames())?];
        let inputs: Vec<&Motion> = parts.iter().collect();
        let clustered = self.clustered(&inputs)?;
        let join = Join {
            clips: vec!["a".into(), "b".into()],
            blend: blend.map(|frames| f64::from(frames) * a.clip.rate.frame_time()),
            synthetic: true,
            ..Join::default()
        };
        join.check_ranges()?;
        let itinerary = join.itinerary(&clustered);
        let itinerary = itinerary.map_err(|failure| named(failure, &inputs))?;
        self.play(&inputs, &itinerary)
    }

    /// The clips `a`, `b`, ... and which of their frames are alike.
    fn clustered(&self, inputs: &[&Motion]) -> Result<Clustered, Failure> {
        let lettered = |(number, input): (usize, &&Motion)| Clip {
            name: letter(number),
            ..input.clip.clone()
        };
        let clips: Vec<Clip> = inputs.iter().enumerate().map(lettered).collect();
        Clustered::of_clips(clips, self.run)
    }

    /// What an itinerary plays of some motions.
    fn play(&self, inputs: &[&Motion], itinerary: &Itinerary) -> Result<Motion, Failure> {
        let mut all = Vec::new();
        let mut at = itinerary.start;
        for Leap { from, to, .. } in &itinerary.leaps {
            all.push((at, from.frame.0 + 1));
            at = *to;
        }
        all.push((at, itinerary.end.0));
        let all: Vec<Stretch> = all
            .into_iter()
            .map(|(at, end)| Stretch {
                motion: at.clip.index(),
                frames: at.frame.0..end.max(at.frame.0 + 1),
            })
            .collect();
        string_together(inputs, &all, None)
    }

    /// The donor's limbs on the base; outside of its frames that are meant, the base stays.
    fn graft(&self, said: &Settings) -> Result<Motion, Failure> {
        let [base, donor] = [self.inputs[0], self.inputs[1]];
        let meant = base.span_of(
            said.number(Field::BaseStartFrame),
            said.number(Field::BaseEndFrame),
        );
        let (first, last) = (
            said.number(Field::GraftStartFrame),
            said.number(Field::GraftEndFrame),
        );
        let given = donor.span_of(first, last);
        let part = base.cut(meant.clone())?;
        let donation = Donation {
            donor: &donor.clip,
            part: (given != (0..donor.frames()))
                .then_some(given.start as usize..given.end as usize),
            chains: self.chains(said)?,
            facts: GraftFacts::default(),
        };
        let grafted = graft_limbs(&part.clip, &[donation], &GraftOptions::default())?;
        for words in &grafted.warnings {
            self.run.warn(words.clone());
        }
        let mut made = base.clone();
        let blend = base.clip.rate.frames_in(GraftOptions::default().blend) as u32;
        for frame in meant.clone() {
            let weight = ramp(frame, &meant, base.frames(), blend);
            let own = made.clip.frame_rotations_mut(FrameId(frame));
            let given = grafted.clip.frame_rotations(FrameId(frame - meant.start));
            for (own, given) in own.iter_mut().zip(given) {
                *own = own.slerp(*given, weight).normalize();
            }
        }
        made.clip.name = format!("{} with limbs of {}", base.clip.name, donor.clip.name);
        Ok(made)
    }

    /// The skeleton's names of the chains that are meant.
    fn chains(&self, said: &Settings) -> Result<Vec<String>, Failure> {
        let mut chains = Vec::new();
        for name in said.names(Field::GraftChains) {
            let own = self.actor.chains.iter();
            let mut own = own.filter(|chain| chain.name.eq_ignore_ascii_case(&name));
            chains.push(match own.next() {
                Some(chain) => chain_meant(&self.actor.skeleton, chain)?,
                None => name,
            });
        }
        Ok(chains)
    }

    fn alter_walk(&self, said: &Settings) -> Result<Motion, Failure> {
        let input = self.inputs[0];
        let measure = |field: Field| match said.with_unit(field) {
            Some((metres, Unit::Metres)) => Measure::Metres(metres as f32),
            Some((factor, _)) => Measure::Factor(factor as f32),
            None => Measure::Factor(1.0),
        };
        let incline = said.number(Field::Incline).unwrap_or_default();
        let options = StrideOptions {
            stride: measure(Field::Stride),
            lift: measure(Field::FootLift),
            surface: match incline == 0.0 {
                true => Surface::Own,
                false => Surface::Incline(incline.to_radians() as f32),
            },
            ..StrideOptions::default()
        };
        let settled = settle_feet(&input.clip, &SettleOptions::default())?.0;
        let strode = change_stride(&settled, &options)?;
        let frames = strode.frames.clone();
        Ok(Motion {
            clip: strode.clip,
            settled: false,
            origins: input.origins_of(&frames),
            ..input.clone()
        })
    }

    /// Who does something else while he waits is to stand before and after a walk.
    fn standing(&self) -> Standing {
        match self.actor.waits {
            true => Standing {
                from_stand: Stand::Always,
                to_stand: Stand::Always,
            },
            false => Standing::default(),
        }
    }

    /// A file that a request reads.
    fn file(&self, said: &Settings, field: Field) -> Result<Input, Failure> {
        let path: PathBuf = self.studio.locate(said.text(field)).map_err(failed)?;
        Ok(path.into())
    }

    /// What a request makes of the actor's library.
    fn ask<R: MotionRequest>(&self, request: &R) -> Result<Motion, Failure> {
        let library = self.actor.needed_library()?;
        let made = library.make(request, &self.run.warnings_only())?;
        let origins = origins_of(&made.account, made.clip.rate);
        let joins = made.account.transitions as u32;
        if made.clip.rate != self.actor.rate {
            let words = format!(
                "actor `{}`: his library plays at {}, the story at {}",
                self.actor.name, made.clip.rate, self.actor.rate
            );
            return Err(Failure::bad_request(words));
        }
        Ok(Motion {
            clip: self.actor.dressed(&made.clip)?,
            counted: made.clip.rate,
            origins,
            joins,
            settled: true,
            made: Vec::new(),
        })
    }
}

/// What a motion is called among those that go in: two may have one name.
fn letter(number: usize) -> String {
    char::from(b'a' + number as u8).to_string()
}

/// A failure that calls motions by their own names again.
fn named(failure: Failure, inputs: &[&Motion]) -> Failure {
    // In one go, since a motion may itself be called by a letter.
    let called = |part: &str| {
        let number = (0..inputs.len()).find(|number| letter(*number) == part)?;
        let own = format!("{:?}", inputs[number].clip.name);
        Some(own[1..own.len() - 1].to_owned())
    };
    let parts: Vec<&str> = failure.message.split('"').collect();
    let last = parts.len() - 1;
    let own = |(index, part): (usize, &&str)| {
        let quoted = index > 0 && index < last;
        let own = quoted.then(|| called(part)).flatten();
        own.unwrap_or_else(|| part.to_string())
    };
    let parts: Vec<String> = parts.iter().enumerate().map(own).collect();
    let message = parts.join("\"");
    Failure { message, ..failure }
}

/// No loop is longer. [s]
const LONGEST: f64 = 600.0;

/// Where a made motion's frames come from.
fn origins_of(account: &Account, rate: FrameRate) -> Vec<Origin> {
    let frame = |seconds: f64| (seconds / rate.frame_time()).round() as u32;
    let whole = account.sources.iter();
    let whole = whole.filter(|source| source.chains.is_empty() && source.weight > 0.5);
    let origin = |source: &crate::delivery::SourceStretch| Origin {
        clip: source.clip.clone(),
        from: frame(source.from),
        frames: frame(source.to) - frame(source.from),
        at: frame(source.at),
    };
    whole.map(origin).collect()
}

/// How much of a graft shows in a frame: it comes and goes within the base, not where that begins or ends.
fn ramp(frame: u32, meant: &Range<u32>, frames: u32, blend: u32) -> f32 {
    let share = |away: u32| (f64::from(away + 1) / f64::from(blend.max(1) + 1)).min(1.0) as f32;
    let begins = match meant.start {
        0 => 1.0,
        start => share(frame - start),
    };
    let ends = match meant.end == frames {
        true => 1.0,
        false => share(meant.end - 1 - frame),
    };
    let linear = f32::min(begins, ends);
    linear * linear * (3.0 - 2.0 * linear)
}

/// How far a root goes over ground. [m]
fn way(clip: &Clip, frames: Range<u32>) -> f64 {
    let roots = &clip.root[frames.start as usize..frames.end as usize];
    let step = |pair: &[afoot_core::Vec3]| {
        let step = pair[1] - pair[0];
        f64::from(step.x).hypot(f64::from(step.z))
    };
    roots.windows(2).map(step).sum()
}

/// As much of a motion as takes so long, or goes so far.
fn cut_to(motion: Motion, seconds: Option<f64>, metres: Option<f64>) -> Result<Motion, Failure> {
    let most = motion.frames();
    if let Some(seconds) = seconds {
        let end = motion.clip.rate.frames_in(seconds) as u32;
        return motion.cut(0..end.clamp(1, most));
    }
    let Some(metres) = metres else {
        return Ok(motion);
    };
    let mut gone = 0.0;
    let end = (1..most).find(|frame| {
        gone += way(&motion.clip, frame - 1..frame + 1);
        gone >= metres
    });
    motion.cut(0..end.map_or(most, |frame| frame + 1))
}

/// What is said of a filter.
struct Settings<'a>(&'a [(Field, Setting)]);

impl Settings<'_> {
    fn with_unit(&self, field: Field) -> Option<(f64, Unit)> {
        self.0.iter().find_map(|(own, setting)| match setting {
            Setting::Number(value, unit) if *own == field => Some((*value, *unit)),
            _ => None,
        })
    }

    fn number(&self, field: Field) -> Option<f64> {
        self.with_unit(field).map(|(value, _)| value)
    }

    fn text(&self, field: Field) -> &str {
        let text = self.0.iter().find_map(|(own, setting)| match setting {
            Setting::Text(text) if *own == field => Some(text.as_str()),
            _ => None,
        });
        text.unwrap_or_default()
    }

    fn names(&self, field: Field) -> Vec<String> {
        let names = self.0.iter().find_map(|(own, setting)| match setting {
            Setting::Names(names) if *own == field => Some(names.clone()),
            _ => None,
        });
        names.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_are_called_by_their_own_names_also_if_those_are_letters() {
        let sample = afoot_sample::sample_library(&Default::default()).remove(0);
        let called = |name: &str| {
            let mut clip = sample.clone();
            clip.name = name.into();
            let rate = clip.rate;
            Motion::captured(clip, rate)
        };
        let [b, walk] = ["b", "walk"].map(called);
        let failure = Failure::no_motion("no way from \"a\" to \"b\", \"c\"");
        let told = named(failure, &[&b, &walk]).message;
        assert_eq!(told, "no way from \"b\" to \"walk\", \"c\"");
    }
}
