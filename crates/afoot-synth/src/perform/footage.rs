//! A library's frames made ready to be performed from: short feature vectors, and clusters of blocks
//! (Arikan, Forsyth and O'Brien 2003, §3.2 and 3.3).
//!
//! Features (`features`) go down to twenty numbers by principal components, whose distance stays one in
//! metres. Blocks of 0.53, 0.27 and 0.13 s (32, 16 and 8 frames at 60 fps) at all offsets, each the
//! features of its frames side by side, are clustered: the longest into 100, the others into as many
//! that a cluster has a hundred; short stretches between unlike postures are looked for (`bridges`). Frames of all clips are numbered through. Made once and kept.
//! Cost: linear in the frames for the longest blocks, quadratic for the others.

use afoot_analyze::{Manner, STANDING, measure_manner};
use afoot_codec::{Artefact, Kind, Malformed, Reader, Writer};
use afoot_core::{Clip, ClipMismatch, Contacts, FrameRate, JointId, Side};
use afoot_run::{Run, Stopped};
use thiserror::Error;

use super::bridges::Bridges;
use super::clusters::{Blocks, Level, cluster_blocks};
use super::features::{append_frames, compared_joints, width};
use super::reduce::Projection;

/// Numbers of a feature vector.
pub const DIMENSIONS: usize = 20;

/// A frame, to be compared by plain distance. [m]
pub type Feature = [f32; DIMENSIONS];

/// Lengths of blocks. [s]
pub const BLOCKS: [f64; 3] = [32.0 / 60.0, 16.0 / 60.0, 8.0 / 60.0];

/// Two frames of a clip this far apart differ by the unit of a join. [s]
const USUAL: f64 = 0.1;

/// A library's frames, ready to be performed from.
#[derive(Clone, Debug, PartialEq)]
pub struct Footage {
    /// Frames a second.
    pub(crate) rate: FrameRate,
    /// Where each clip starts, and the end.
    pub(crate) starts: Vec<u32>,
    pub(crate) features: Vec<Feature>,
    /// Median distance of frames a tenth of a second apart. [m]
    pub(crate) unit: f32,
    pub(crate) projection: Projection,
    /// How many frames from each on can be played in a row, itself included.
    pub(crate) left: Vec<u32>,
    /// Frames that do what nobody means who does not say so: [`is_odd`].
    pub(crate) odd: Vec<bool>,
    /// From the longest blocks to the shortest.
    pub(crate) levels: Vec<Level>,
    /// Short stretches between unlike postures.
    pub(crate) bridges: Bridges,
}

/// Why clips can't be performed from.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum FootageError {
    #[error("there are no clips to perform from")]
    NoClips,
    #[error(transparent)]
    Mismatch(#[from] ClipMismatch),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Footage {
    /// Of level clips on one skeleton.
    pub fn prepare(clips: &[Clip], run: &Run) -> Result<Self, FootageError> {
        let first = check_clips(clips)?;
        let joints = compared_joints(&first.skeleton);
        let starts = starts_of(clips);
        let mut rows = Vec::with_capacity(starts[clips.len()] as usize * width(&joints));
        for (index, clip) in clips.iter().enumerate() {
            append_frames(clip, &joints, &mut rows);
            run.progress("features", index as u64 + 1, clips.len() as u64);
            run.check()?;
        }
        let projection = Projection::of(&rows, width(&joints));
        let features = projection.project(&rows);
        drop(rows);
        let left = playable(clips);
        let unit = usual_change(&features, &left, first.rate.frames_in(USUAL).max(1));
        let blocks = BLOCKS.map(|seconds| (first.rate.frames_in(seconds) as u32).max(1));
        let mut levels = Vec::new();
        for (index, &block) in blocks.iter().enumerate() {
            run.progress("clusters", index as u64, blocks.len() as u64);
            let blocks = Blocks {
                frames: block,
                is_top: index == 0,
            };
            levels.push(cluster_blocks(&features, &left, blocks, run)?);
        }
        run.check()?;
        let bridges = Bridges::find(&features, &left, first.rate);
        Ok(Self {
            rate: first.rate,
            starts,
            features,
            unit,
            projection,
            left,
            odd: clips.iter().flat_map(odd_frames).collect(),
            levels,
            bridges,
        })
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.features.len()
    }

    /// Share of the frames' variance that their vectors keep. [0 to 1]
    pub fn kept(&self) -> f64 {
        self.projection.kept()
    }

    /// How many clips there are.
    pub fn clips(&self) -> usize {
        self.starts.len() - 1
    }

    /// The features of a motion's frames, for comparing it with these.
    pub fn features_of(&self, motion: &Clip) -> Vec<Feature> {
        let joints: Vec<JointId> = compared_joints(&motion.skeleton);
        let mut rows = Vec::new();
        append_frames(motion, &joints, &mut rows);
        match width(&joints) == self.projection.width() {
            true => self.projection.project(&rows),
            false => Vec::new(),
        }
    }

    /// The clip and the frame within it.
    pub(crate) fn place(&self, frame: u32) -> (usize, u32) {
        let clip = self.starts.partition_point(|start| *start <= frame) - 1;
        (clip, frame - self.starts[clip])
    }

    /// Whether these clips are the ones that it was made of, as far as their lengths say.
    pub fn fits(&self, clips: &[Clip]) -> bool {
        self.starts == starts_of(clips)
    }
}

/// Distance of two vectors. [m]
#[inline(always)]
pub(crate) fn distance(a: &Feature, b: &Feature) -> f32 {
    let mut sums = [0.0f32; 4];
    for chunk in 0..DIMENSIONS / 4 {
        for lane in 0..4 {
            let apart = a[chunk * 4 + lane] - b[chunk * 4 + lane];
            sums[lane] += apart * apart;
        }
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).sqrt()
}

fn check_clips(clips: &[Clip]) -> Result<&Clip, FootageError> {
    let filled = clips.iter().find(|clip| !clip.is_empty());
    let first = filled.ok_or(FootageError::NoClips)?;
    for clip in clips {
        first.check_matches(clip)?;
    }
    Ok(first)
}

fn starts_of(clips: &[Clip]) -> Vec<u32> {
    let mut starts = vec![0];
    for clip in clips {
        starts.push(starts[starts.len() - 1] + clip.len() as u32);
    }
    starts
}

/// How many frames from each on can be played in a row: up to the clip's end or its next fault.
fn playable(clips: &[Clip]) -> Vec<u32> {
    let mut left = Vec::new();
    for clip in clips {
        let first = left.len();
        left.resize(first + clip.len(), 0);
        let mut row = 0;
        for frame in (0..clip.len()).rev() {
            let faulty = clip.faults.iter().any(|f| f.contains(&(frame as u32)));
            row = if faulty { 0 } else { row + 1 };
            left[first + frame] = row;
        }
    }
    left
}

/// Farther than this from the way it goes a figure does not face it. [rad]
const ASIDE: f32 = std::f32::consts::FRAC_PI_6;
/// Feet that bear higher than this stand on something that is not there any more. [m]
const ALOFT: f32 = 0.12;

fn odd_frames(clip: &Clip) -> Vec<bool> {
    let Some(manners) = measure_manner(clip) else {
        return vec![false; clip.len()];
    };
    let feet = Contacts::foot(Side::Left).with(Contacts::foot(Side::Right));
    let bears = |frame: usize| clip.contacts.get(frame).is_some_and(|c| c.any(feet));
    let frames = manners.iter().enumerate();
    frames
        .map(|(frame, manner)| is_odd(manner, bears(frame)))
        .collect()
}

/// Whether a figure goes sideways or backwards, or stands on something beside the floor.
fn is_odd(manner: &Manner, bears: bool) -> bool {
    manner.speed >= STANDING && manner.aside.abs() > ASIDE || bears && manner.raised > ALOFT
}

/// The median distance of frames `apart` frames apart.
fn usual_change(features: &[Feature], left: &[u32], apart: usize) -> f32 {
    let pairs = (0..features.len()).filter(|frame| left[*frame] as usize > apart);
    let mut changes: Vec<f32> = pairs
        .map(|frame| distance(&features[frame], &features[frame + apart]))
        .collect();
    changes.sort_by(f32::total_cmp);
    let median = changes.get(changes.len() / 2).copied().unwrap_or(0.0);
    // Footage that stands still has none to speak of.
    median.max(1e-3)
}

impl Artefact for Footage {
    const KIND: Kind = Kind {
        magic: *b"afootFTG",
        version: 2,
        oldest: 2,
        other_hash: 0,
        name: "footage",
        what: "prepared footage",
    };

    fn write(&self, writer: &mut Writer) {
        let (numerator, denominator) = self.rate.parts();
        writer.u32s([numerator, denominator]);
        writer.count(self.starts.len());
        self.starts.iter().for_each(|start| writer.u32(*start));
        writer.f32(self.unit);
        self.projection.write(writer);
        writer.count(self.features.len());
        self.features
            .iter()
            .for_each(|feature| writer.f32s(feature));
        self.left.iter().for_each(|left| writer.u32(*left));
        self.odd.iter().for_each(|odd| writer.u8(u8::from(*odd)));
        writer.count(self.levels.len());
        self.levels.iter().for_each(|level| level.write(writer));
        self.bridges.write(writer);
    }

    fn read(reader: &mut Reader<'_>, _: u32) -> Result<Self, Malformed> {
        let rate = FrameRate::new(reader.u32()?, reader.u32()?).ok_or(Malformed("a rate of 0"))?;
        let starts = reader.list(4, Reader::u32)?;
        let unit = reader.finite()?;
        let projection = Projection::read(reader)?;
        let count = reader.count(4 * DIMENSIONS)?;
        let features: Vec<Feature> = (0..count)
            .map(|_| reader.f32s())
            .collect::<Result<_, _>>()?;
        let left: Vec<u32> = (0..count).map(|_| reader.u32()).collect::<Result<_, _>>()?;
        let odd: Vec<bool> = (0..count)
            .map(|_| Ok(reader.u8()? != 0))
            .collect::<Result<_, Malformed>>()?;
        let levels = reader.list(1, |reader| Level::read(reader, count))?;
        let bridges = Bridges::read(reader, &left)?;
        let footage = Self {
            rate,
            starts,
            features,
            unit,
            projection,
            left,
            odd,
            levels,
            bridges,
        };
        reader.require(footage.is_consistent(), "its tables do not fit")?;
        Ok(footage)
    }
}

impl Footage {
    fn is_consistent(&self) -> bool {
        let count = self.features.len() as u32;
        let ends = self.starts.first() == Some(&0) && self.starts.last() == Some(&count);
        let within =
            |clip: &[u32]| (clip[0]..clip[1]).all(|f| self.left[f as usize] <= clip[1] - f);
        self.starts.is_sorted()
            && ends
            && self.starts.windows(2).all(within)
            && self.unit > 0.0
            && self.levels.len() == BLOCKS.len()
            && self.levels.iter().all(|level| level.fits(&self.left))
            && self
                .features
                .iter()
                .flatten()
                .all(|value| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_graph::level_clip;
    use afoot_sample::{SampleOptions, sample_library};

    fn footage() -> (Vec<Clip>, Footage) {
        let clips: Vec<Clip> = sample_library(&SampleOptions::default())[..4]
            .iter()
            .map(level_clip)
            .collect();
        let footage = Footage::prepare(&clips, &Run::quiet()).unwrap();
        (clips, footage)
    }

    #[test]
    fn the_footage_is_read_back_and_damage_is_refused() {
        let (clips, footage) = footage();
        assert!(footage.fits(&clips) && !footage.fits(&clips[1..]));
        let bytes = footage.to_bytes();
        assert_eq!(Footage::from_bytes(&bytes).unwrap(), footage);
        for at in (0..bytes.len()).step_by(bytes.len() / 50) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            assert!(Footage::from_bytes(&damaged).is_err(), "byte {at}");
        }
    }

    #[test]
    fn frames_next_to_each_other_are_nearer_than_others() {
        let (_, footage) = footage();
        let near = distance(&footage.features[40], &footage.features[41]);
        let far = distance(&footage.features[40], &footage.features[50]);
        assert!(near < 0.5 * far, "{near} {far}");
        assert!(footage.unit > near, "{} {near}", footage.unit);
    }

    #[test]
    fn frames_at_faults_are_not_played() {
        let mut clips = vec![sample_library(&SampleOptions::default())[0].clone()];
        clips[0].faults.push(10..12);
        let left = playable(&clips);
        assert_eq!(&left[8..13], [2, 1, 0, 0, clips[0].len() as u32 - 12]);
    }

    #[test]
    fn clips_that_do_not_fit_are_named() {
        assert_eq!(
            Footage::prepare(&[], &Run::quiet()),
            Err(FootageError::NoClips)
        );
        let mut clips = sample_library(&SampleOptions::default())[..2].to_vec();
        clips[1].rate = FrameRate::new(60, 1).unwrap();
        let error = Footage::prepare(&clips, &Run::quiet()).unwrap_err();
        assert!(
            matches!(error, FootageError::Mismatch(ClipMismatch::Rate { .. })),
            "{error}"
        );
    }
}
