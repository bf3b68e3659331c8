//! Motion as filters give and take it: a clip on a level floor, and where its frames come from.
//!
//! All of a story plays at one rate; a script counts frames at the rate of the file that it names
//! (`counted`), from 1, ends included.

use std::ops::Range;
use std::sync::Arc;

use afoot_codec::{Artefact, Kind, Malformed, Reader, Writer};
use afoot_core::{
    Clip, Contacts, FrameRate, Ground, JointId, Locomotion, Quat, Skeleton, SlidingJoint, Vec3,
    cut_clip,
};

use crate::failure::Failure;

/// Motion of an actor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Motion {
    /// On his skeleton, level, at the story's rate.
    pub clip: Clip,
    /// The rate that a script counts its frames at.
    pub counted: FrameRate,
    /// Where frames come from, in order of `at`.
    pub origins: Vec<Origin>,
    /// Joins of what was captured apart.
    pub joins: u32,
    /// Whether its feet are planted already, as a whole.
    pub settled: bool,
    /// Origins that are no captured clips themselves: frames at another speed.
    pub made: Vec<Clip>,
}

/// A stretch of a captured clip, frame by frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The clip's name among the actor's.
    pub clip: String,
    /// Its first frame that plays.
    pub from: u32,
    /// How many play.
    pub frames: u32,
    /// The first one's frame in the motion.
    pub at: u32,
}

impl Motion {
    /// A clip as it was captured.
    pub fn captured(clip: Clip, counted: FrameRate) -> Self {
        let origin = Origin {
            clip: clip.name.clone(),
            from: 0,
            frames: clip.len() as u32,
            at: 0,
        };
        Self {
            clip,
            counted,
            origins: vec![origin],
            joins: 0,
            settled: false,
            made: Vec::new(),
        }
    }

    /// Its length.
    pub fn frames(&self) -> u32 {
        self.clip.len() as u32
    }

    /// Its frame at the start of a frame as a script counts it. [1..]
    pub fn frame_of(&self, number: f64) -> u32 {
        let seconds = (number - 1.0) * self.counted.frame_time();
        let frame = (seconds / self.clip.rate.frame_time()).round();
        (frame.max(0.0) as u32).min(self.frames())
    }

    /// Its frames from one that a script counts to another, that included; at least one.
    pub fn span_of(&self, first: Option<f64>, last: Option<f64>) -> Range<u32> {
        let start = first.map_or(0, |number| self.frame_of(number));
        let end = last.map_or(self.frames(), |number| self.frame_of(number + 1.0));
        let start = start.min(self.frames().saturating_sub(1));
        start..end.max(start + 1)
    }

    /// Where some of its frames come from, counted from the first of them.
    pub fn origins_of(&self, frames: &Range<u32>) -> Vec<Origin> {
        let part = |origin: &Origin| {
            let start = origin.at.max(frames.start);
            let end = (origin.at + origin.frames).min(frames.end);
            (start < end).then(|| Origin {
                clip: origin.clip.clone(),
                from: origin.from + start - origin.at,
                frames: end - start,
                at: start - frames.start,
            })
        };
        self.origins.iter().filter_map(part).collect()
    }

    /// A part of it.
    pub fn cut(&self, frames: Range<u32>) -> Result<Self, Failure> {
        Ok(Self {
            clip: cut_clip(&self.clip, frames.clone())?,
            counted: self.counted,
            origins: self.origins_of(&frames),
            joins: self.joins,
            settled: self.settled,
            made: self.made.clone(),
        })
    }

    /// Adds origins that are no captured clips, each once.
    pub fn take_made(&mut self, made: &[Clip]) {
        for clip in made {
            if self.made.iter().all(|own| own.name != clip.name) {
                self.made.push(clip.clone());
            }
        }
    }
}

impl Artefact for Motion {
    const KIND: Kind = Kind {
        magic: *b"afootsto",
        version: 1,
        oldest: 1,
        other_hash: 0,
        name: "story filter",
        what: "motion of a story",
    };

    fn write(&self, writer: &mut Writer) {
        writer.block(&self.clip.skeleton.to_bytes());
        let (numerator, denominator) = self.counted.parts();
        writer.u32s([numerator, denominator, self.joins]);
        writer.u8(u8::from(self.settled));
        writer.count(self.origins.len());
        for origin in &self.origins {
            writer.text(&origin.clip);
            writer.u32s([origin.from, origin.frames, origin.at]);
        }
        writer.count(1 + self.made.len());
        std::iter::once(&self.clip)
            .chain(&self.made)
            .for_each(|clip| write_clip(writer, clip));
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let skeleton = Arc::new(Skeleton::from_bytes(reader.block()?)?);
        let counted = read_rate(reader)?;
        let joins = reader.u32()?;
        let settled = reader.u8()? != 0;
        let origins = reader.list(16, |reader| {
            Ok(Origin {
                clip: reader.text()?,
                from: reader.u32()?,
                frames: reader.u32()?,
                at: reader.u32()?,
            })
        })?;
        let mut clips = reader.list(16, |reader| read_clip(reader, &skeleton))?;
        reader.require(!clips.is_empty(), "it has no motion")?;
        let clip = clips.remove(0);
        Ok(Self {
            clip,
            counted,
            origins,
            joins,
            settled,
            made: clips,
        })
    }
}

fn write_clip(writer: &mut Writer, clip: &Clip) {
    writer.text(&clip.name);
    let (numerator, denominator) = clip.rate.parts();
    writer.u32s([numerator, denominator]);
    writer.count(clip.len());
    clip.root
        .iter()
        .for_each(|root| writer.f32s(&root.to_array()));
    let turns = clip.rotations.iter();
    turns.for_each(|turn| writer.f32s(&turn.to_array()));
    writer.count(clip.sliding.len());
    for sliding in &clip.sliding {
        writer.u32(sliding.joint.0.into());
        let offsets = sliding.offsets.iter();
        offsets.for_each(|offset| writer.f32s(&offset.to_array()));
    }
    let contacts: Vec<u8> = clip.contacts.iter().map(|contacts| contacts.0).collect();
    writer.block(&contacts);
    let types: Vec<u8> = clip.types.iter().map(|kind| *kind as u8).collect();
    writer.block(&types);
    let ground = clip.ground.unwrap_or_else(|| Ground::level(0.0));
    writer.u8(u8::from(clip.ground.is_some()));
    writer.f32s(&ground.to_array());
}

fn read_rate(reader: &mut Reader) -> Result<FrameRate, Malformed> {
    let parts = [reader.u32()?, reader.u32()?];
    FrameRate::new(parts[0], parts[1]).ok_or(Malformed("it has no rate"))
}

fn read_clip(reader: &mut Reader, skeleton: &Arc<Skeleton>) -> Result<Clip, Malformed> {
    let name = reader.text()?;
    let rate = read_rate(reader)?;
    let mut clip = Clip::empty(name, Arc::clone(skeleton), rate);
    let frames = reader.count(12)?;
    for _ in 0..frames {
        clip.root.push(Vec3::from_array(reader.f32s()?));
    }
    for _ in 0..frames * skeleton.len() {
        clip.rotations.push(Quat::from_array(reader.f32s()?));
    }
    for _ in 0..reader.count(4)? {
        let joint = u16::try_from(reader.u32()?).map_err(|_| Malformed("no such joint"))?;
        let offsets: Result<Vec<Vec3>, Malformed> = (0..frames)
            .map(|_| Ok(Vec3::from_array(reader.f32s()?)))
            .collect();
        clip.sliding.push(SlidingJoint {
            joint: JointId(joint),
            offsets: offsets?,
        });
    }
    clip.contacts = reader.block()?.iter().map(|bits| Contacts(*bits)).collect();
    let kind = |code: &u8| Locomotion::ALL.get(usize::from(*code)).copied();
    let types: Option<Vec<Locomotion>> = reader.block()?.iter().map(kind).collect();
    clip.types = types.ok_or(Malformed("a gait is not known"))?;
    let known = reader.u8()? != 0;
    let ground = Ground::from_array(reader.f32s()?);
    clip.ground = known.then_some(ground);
    clip.check()
        .map_err(|_| Malformed("its arrays do not fit"))?;
    Ok(clip)
}
