//! Makes the file that a game ships, of a graph with its clips and its control table.
//!
//! What steering needs and no more: the skeleton, the graph (from which transitions are blended as they
//! are played), the clips in few bytes (`clip_bytes`), the best first edges. How far every joint is
//! off is measured on all frames, and told. Cost: some passes over all frames.

use afoot_codec::{Artefact, Bytes, Writer};
use afoot_core::{Clip, ClipId, forward_kinematics};
use afoot_synth::{ControlTable, Repertoire};
use thiserror::Error;

use crate::clip_bytes::{ClipShape, LONGEST_CLIP, pack_clip, unpack_clip};
use crate::pack::{KIND, NO_KEY, PackError};
use crate::steps::Steps;

/// How a pack is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeOptions {
    /// Farthest that a joint may be from where it was captured. [mm, > 0, at most 1]
    pub error_mm: f32,
}

impl Default for BakeOptions {
    /// Half of what may be: below what captured markers are good for.
    fn default() -> Self {
        Self { error_mm: 0.5 }
    }
}

/// A pack, and what is in it.
pub struct Baked {
    /// The file.
    pub bytes: Bytes,
    /// Where its bytes go.
    pub sizes: PackSizes,
    /// How far each joint and end site is off, in the order of the skeleton.
    pub errors: Vec<JointError>,
}

/// Bytes of a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackSizes {
    /// All of it.
    pub all: usize,
    /// Frames of clips.
    pub clips: usize,
    /// The same frames as numbers of four bytes.
    pub clips_unpacked: usize,
    /// Nodes, edges and transitions.
    pub graph: usize,
    /// Best first edges.
    pub control: usize,
}

/// How far a joint is from where it was captured, over all frames.
#[derive(Clone, Debug, PartialEq)]
pub struct JointError {
    /// The joint; an end site is named after the joint that it is on.
    pub joint: String,
    /// Farthest. [mm]
    pub most_mm: f32,
    /// In the mean. [mm]
    pub mean_mm: f32,
}

/// Why a pack can't be made.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum BakeError {
    #[error("the graph is empty")]
    Empty,
    #[error("joints may be off by more than 0 and at most 1 mm, not {0} mm")]
    BadError(f32),
    #[error("clip {0:?} is too long for a pack")]
    TooLong(String),
    #[error(
        "clip {clip:?} goes too far for joints to be off by at most {error_mm} mm: a larger error, or a smaller part \
         of it, would do"
    )]
    TooFar { clip: String, error_mm: f32 },
    /// Numbers of four bytes are themselves off by some of it, the more the farther clips go.
    #[error(
        "joints can't be kept within {asked_mm} mm: {possible_mm} mm is what the numbers of these clips are good for"
    )]
    TooFine { asked_mm: f32, possible_mm: f32 },
    #[error(transparent)]
    Unreadable(#[from] PackError),
}

/// Bakes a graph for steering.
pub fn bake(
    repertoire: &Repertoire,
    table: &ControlTable,
    options: &BakeOptions,
) -> Result<Baked, BakeError> {
    let most = options.error_mm;
    if !(most > 0.0 && most <= 1.0) {
        return Err(BakeError::BadError(most));
    }
    let clips = clips_of(repertoire)?;
    let (packed, errors) = pack_within(&clips, most)?;
    let mut tables = table.to_tables();
    let graph = repertoire.graph().to_bytes();
    let body = packed.bytes.concat();
    tables.table(&head(&clips, &packed).bytes);
    tables.table(&graph);
    tables.table(&body);
    let bytes = tables.finish(KIND, NO_KEY);
    let sizes = PackSizes {
        all: (*bytes).as_ref().len(),
        clips: body.len(),
        clips_unpacked: clips.iter().map(frame_bytes).sum(),
        graph: graph.len(),
        control: table.size(),
    };
    Ok(Baked {
        bytes,
        sizes,
        errors,
    })
}

/// The clips as they are played: one skeleton, no joints that slide.
fn clips_of(repertoire: &Repertoire) -> Result<Vec<Clip>, BakeError> {
    let skeleton = repertoire.skeleton().ok_or(BakeError::Empty)?;
    let clip = |id: usize| {
        let clip = repertoire.clip(ClipId::from(id));
        let mut plain = Clip::empty(&clip.name, skeleton.clone(), clip.rate);
        plain.root.clone_from(&clip.root);
        plain.rotations.clone_from(&clip.rotations);
        plain.contacts.clone_from(&clip.contacts);
        plain.ground = clip.ground;
        plain
    };
    Ok((0..repertoire.graph().clips.len()).map(clip).collect())
}

struct Packed {
    steps: Steps,
    bytes: Vec<Vec<u8>>,
}

/// Each try comes this near to what is allowed.
const AIM: f32 = 0.97;
/// Tries to make steps as large as they may be.
const TRIES: usize = 4;

/// Packs with steps as large as the error lets them be: those that are sure to do are a few times too
/// fine, since joints are not all off the same way at once. Where rounding alone takes more than is
/// allowed, no try does.
fn pack_within(clips: &[Clip], most_mm: f32) -> Result<(Packed, Vec<JointError>), BakeError> {
    let first = clips.first().ok_or(BakeError::Empty)?;
    let mut bound = most_mm / 1000.0;
    let (mut best, mut least) = (None, f32::INFINITY);
    for _ in 0..TRIES {
        let packed = pack_with(clips, Steps::within(&first.skeleton, bound), most_mm)?;
        let errors = measure(clips, &packed)?;
        let found = errors.iter().map(|joint| joint.most_mm).fold(0.0, f32::max);
        least = least.min(found);
        if found <= most_mm {
            best = Some((packed, errors));
        }
        if best.is_some() && (AIM * AIM..=1.0).contains(&(found / most_mm)) || found == 0.0 {
            break;
        }
        bound *= AIM * most_mm / found;
    }
    best.ok_or(BakeError::TooFine {
        asked_mm: most_mm,
        possible_mm: least,
    })
}

fn pack_with(clips: &[Clip], steps: Steps, error_mm: f32) -> Result<Packed, BakeError> {
    let pack = |clip: &Clip| {
        let name = || clip.name.clone();
        if clip.len() > LONGEST_CLIP {
            return Err(BakeError::TooLong(name()));
        }
        pack_clip(clip, &steps).ok_or_else(|| BakeError::TooFar {
            clip: name(),
            error_mm,
        })
    };
    let bytes = clips.iter().map(pack).collect::<Result<_, _>>()?;
    Ok(Packed { steps, bytes })
}

/// How far every joint and end site of the unpacked clips is off.
fn measure(clips: &[Clip], packed: &Packed) -> Result<Vec<JointError>, BakeError> {
    let skeleton = &clips[0].skeleton;
    let mut most = vec![0f32; skeleton.point_count()];
    let mut sums = vec![0f64; skeleton.point_count()];
    let mut frames = 0;
    for (clip, bytes) in clips.iter().zip(&packed.bytes) {
        let unpacked = unpack_clip(bytes, &shape_of(clip), &packed.steps);
        let unpacked = unpacked.map_err(PackError::from)?;
        let [was, is] = [clip, &unpacked].map(forward_kinematics);
        let pairs = was.as_slice().iter().zip(is.as_slice());
        for (index, (was, is)) in pairs.enumerate() {
            let (point, off) = (index % most.len(), was.distance(*is));
            most[point] = most[point].max(off);
            sums[point] += f64::from(off);
        }
        frames += clip.len();
    }
    let joints = skeleton.joints().iter().map(|joint| joint.name.clone());
    let ends = skeleton.end_sites().iter();
    let ends = ends.map(|site| format!("{} end", skeleton.joint(site.parent).name));
    let error = |(index, joint): (usize, String)| JointError {
        joint,
        most_mm: 1000.0 * most[index],
        mean_mm: (1000.0 * sums[index] / frames.max(1) as f64) as f32,
    };
    Ok(joints.chain(ends).enumerate().map(error).collect())
}

fn head(clips: &[Clip], packed: &Packed) -> Writer {
    let mut head = Writer::default();
    head.u32(ControlTable::TABLES.version);
    head.block(&clips[0].skeleton.to_bytes());
    packed.steps.write(&mut head);
    head.count(clips.len());
    for (clip, bytes) in clips.iter().zip(&packed.bytes) {
        head.count(bytes.len());
        head.u8((!clip.contacts.is_empty()).into());
        head.u8(clip.ground.is_some().into());
        if let Some(ground) = &clip.ground {
            head.f32s(&ground.to_array());
        }
    }
    head
}

fn shape_of(clip: &Clip) -> ClipShape<'_> {
    ClipShape {
        name: &clip.name,
        skeleton: &clip.skeleton,
        rate: clip.rate,
        frames: clip.len(),
        touches: !clip.contacts.is_empty(),
    }
}

fn frame_bytes(clip: &Clip) -> usize {
    size_of_val(&clip.root[..]) + size_of_val(&clip.rotations[..]) + clip.contacts.len()
}
