//! What was learned of a label: a boundary, and what tells how sure it is.

use std::collections::BTreeMap;

use afoot_codec::{Artefact, ContentHash, Kind, Malformed, Reader, Writer};
use afoot_learn::{Kernel, Part, Platt, Rows, Shape, Svm};

use super::lesson::{Example, Lesson};
use super::second::{Image, ROW};
use super::signals::ClipSignals;
use super::teach::Settings;

/// A frame that holds the boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainedFrame {
    /// The motion it is of.
    pub motion: ContentHash,
    /// The frame in it.
    pub frame: u32,
    /// As captured, or mirrored.
    pub image: Image,
    /// Above 0 for an example.
    pub weight: f32,
}

/// What was learned of a label.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelModel {
    /// The boundary between seconds that carry it and those that do not.
    pub svm: Svm,
    /// What cross-validation found.
    pub settings: Settings,
    /// Frames that it was trained on, mirror images included.
    pub rows: u32,
    /// The frames that hold the boundary, in the order of its support vectors.
    pub trained: Vec<TrainedFrame>,
}

/// What a model says of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTold {
    /// That it carries the label, both being as likely beforehand. [0 to 1]
    pub probability: f32,
    /// How alike it is to what the model was trained on. [0 to 1]
    pub likeness: f32,
}

impl LabelModel {
    /// What it says of every frame of a clip.
    pub fn tell(&self, clip: &ClipSignals) -> Vec<FrameTold> {
        if clip.is_empty() {
            return Vec::new();
        }
        let values = clip.rows(Image::Own);
        let rows = Rows::new(&values, ROW).expect("signals are finite");
        let sigmoid = Platt {
            a: -f64::from(self.settings.steepness),
            b: 0.0,
        };
        let told = self.svm.tell(rows).into_iter().map(|told| FrameTold {
            probability: sigmoid.probability(told.decision) as f32,
            likeness: told.likeness,
        });
        told.collect()
    }

    /// The weights that examples had here, for another training to start from.
    pub(super) fn weights_of(&self, lesson: &Lesson, examples: &[Example]) -> Vec<f32> {
        let key = |frame: &TrainedFrame| (frame.motion.0, frame.frame, frame.image);
        let known: BTreeMap<_, f32> = self
            .trained
            .iter()
            .map(|frame| (key(frame), frame.weight))
            .collect();
        let weight = |example: &Example| {
            let motion = lesson.clips[example.clip].signals.motion.0;
            let key = (motion, example.frame as u32, example.image);
            known.get(&key).copied().unwrap_or(0.0)
        };
        examples.iter().map(weight).collect()
    }
}

impl Artefact for LabelModel {
    const KIND: Kind = Kind {
        magic: *b"afootlbl",
        version: 1,
        oldest: 1,
        other_hash: 0,
        name: "label",
        what: "model of a label",
    };

    fn write(&self, writer: &mut Writer) {
        let Kernel { shape, parts } = &self.svm.kernel;
        writer.u8(u8::from(*shape == Shape::Exponential));
        writer.count(parts.len());
        for part in parts {
            writer.u32s([part.columns.start as u32, part.columns.end as u32]);
            writer.f32(part.gamma);
        }
        writer.f32(self.svm.bias);
        let Settings {
            narrow,
            cost,
            steepness,
            held_out_f1,
            rows,
        } = self.settings;
        writer.f32s(&[narrow, cost, steepness, held_out_f1.unwrap_or(-1.0)]);
        writer.u32s([rows, self.rows]);
        writer.count(self.trained.len());
        for (index, frame) in self.trained.iter().enumerate() {
            writer.bytes.extend(frame.motion.0);
            writer.u32(frame.frame);
            writer.u8(u8::from(frame.image == Image::Mirrored));
            writer.f32(frame.weight);
            writer.f32s(&self.svm.support[index * ROW..][..ROW]);
        }
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let shape = match reader.u8()? {
            0 => Shape::Gaussian,
            _ => Shape::Exponential,
        };
        let parts = reader.list(12, |reader| {
            let columns = reader.u32()? as usize..reader.u32()? as usize;
            let gamma = reader.finite()?;
            Ok(Part { columns, gamma })
        })?;
        let kernel = Kernel { shape, parts };
        reader.require(kernel.fits(ROW), "its kernel does not fit its rows")?;
        let bias = reader.finite()?;
        let [narrow, cost, steepness, f1] = reader.f32s()?;
        let settings = Settings {
            narrow,
            cost,
            steepness,
            held_out_f1: (f1 >= 0.0).then_some(f1),
            rows: reader.u32()?,
        };
        let rows = reader.u32()?;
        let mut support = Vec::new();
        let trained = reader.list(25 + 4 * ROW, |reader| {
            let frame = TrainedFrame {
                motion: ContentHash(reader.array()?),
                frame: reader.u32()?,
                image: if reader.u8()? == 0 {
                    Image::Own
                } else {
                    Image::Mirrored
                },
                weight: reader.finite()?,
            };
            let row = reader.f32s::<ROW>()?;
            reader.require(row.iter().all(|n| n.is_finite()), "a number is not finite")?;
            support.extend(row);
            Ok(frame)
        })?;
        Ok(Self {
            svm: Svm {
                kernel,
                width: ROW,
                support,
                weights: trained.iter().map(|frame| frame.weight).collect(),
                bias,
            },
            settings,
            rows,
            trained,
        })
    }
}
