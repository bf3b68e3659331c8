//! A baked character, opened from bytes wherever they lie.
//!
//! All bytes are checked by their hashes, and all that they say by what must hold, so that whatever was
//! damaged or cut is refused by name. The control table, which is most of a large pack, stays where it
//! is; clips are unpacked at once (`clip_bytes`), so that steering never waits
//! for one.

use std::sync::Arc;

use afoot_codec::{Artefact, Bytes, CodecError, ContentHash, Flat, Kind, Malformed, Reader};
use afoot_core::{Clip, Ground, Planar, Skeleton};
use afoot_graph::{MotionGraph, NodeId};
use afoot_synth::{
    ControlTable, Controller, ControllerError, ControllerOptions, ControllerStart, Repertoire,
    RepertoireError,
};
use thiserror::Error;

use crate::character::Character;
use crate::clip_bytes::{ClipShape, unpack_clip};
use crate::steps::Steps;

/// What packs are.
pub(crate) const KIND: Kind = Kind {
    magic: *b"afootpak",
    version: 1,
    oldest: 1,
    other_hash: 0,
    name: "pack",
    what: "baked character",
};

/// A pack stands for itself: what it was made from is not there to be compared.
pub(crate) const NO_KEY: ContentHash = ContentHash([0; 16]);

/// The tables after those of the control table.
const HEAD: usize = 2;
const GRAPH: usize = 3;
const CLIPS: usize = 4;

/// A baked character, of which many can be steered.
#[derive(Clone, Debug)]
pub struct Pack {
    repertoire: Arc<Repertoire>,
    table: Arc<ControlTable>,
    skeleton: Arc<Skeleton>,
}

/// Why a pack can't be used.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum PackError {
    #[error(transparent)]
    Bytes(#[from] CodecError),
    #[error("this baked character's parts don't fit together: {0}")]
    Unfit(#[from] RepertoireError),
    #[error(transparent)]
    Steering(#[from] ControllerError),
}

impl From<Malformed> for PackError {
    fn from(Malformed(why): Malformed) -> Self {
        let what = KIND.what;
        Self::Bytes(CodecError::Invalid { what, why })
    }
}

impl Pack {
    /// Opens what [`bake`](crate::bake()) made.
    pub fn open(bytes: Bytes) -> Result<Self, PackError> {
        let flat = Flat::open(bytes, KIND, NO_KEY)?;
        flat.check_all()?;
        let head = flat.table::<u8>(HEAD)?;
        let mut head = Reader::new(&head);
        check_control(head.u32()?)?;
        let table = ControlTable::from_tables(&flat)?;
        let skeleton = Arc::new(Skeleton::from_bytes(head.block()?)?);
        let graph = MotionGraph::from_bytes(&flat.table::<u8>(GRAPH)?)?;
        let clips = read_clips(&mut head, &flat.table::<u8>(CLIPS)?, &skeleton, &graph)?;
        check_ways(&graph)?;
        let graph = graph
            .with_traces_in_turn(&clips)
            .map_err(RepertoireError::from)?;
        let repertoire = Repertoire::of_level(graph, clips)?;
        table.fits(&repertoire).map_err(ControllerError::from)?;
        Ok(Self {
            repertoire: Arc::new(repertoire),
            table: Arc::new(table),
            skeleton,
        })
    }

    /// Whose poses characters take.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The words that can be wished for.
    pub fn words(&self) -> &[String] {
        self.table.words()
    }

    /// Frames per second of the captured motion; characters are advanced at any rate.
    pub fn fps(&self) -> f64 {
        self.repertoire.graph().rate.fps()
    }

    /// Its motion: the clips, level, and the graph.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.repertoire
    }

    /// A character at a place. `variant` says which moment of the motion it begins in, so that those who
    /// begin together are not in step; 0 is where `afoot drive` begins.
    pub fn character(&self, place: Planar, variant: u32) -> Result<Character, PackError> {
        let nodes = self.repertoire.graph().nodes.len() as u32;
        // Neighbours are alike, so each next one is a golden share of all nodes on.
        let spread = (f64::from(variant) * 0.618_033_988_749_895).fract();
        let start = ControllerStart {
            node: NodeId((spread * f64::from(nodes)) as u32),
            place,
        };
        let controller = Controller::new(
            Arc::clone(&self.repertoire),
            Arc::clone(&self.table),
            start,
            ControllerOptions::default(),
        )?;
        Ok(Character::new(controller, Arc::clone(&self.skeleton)))
    }
}

fn check_control(found: u32) -> Result<(), CodecError> {
    let tables = ControlTable::TABLES;
    match (tables.oldest..=tables.version).contains(&found) {
        true => Ok(()),
        false => Err(CodecError::OtherVersion {
            what: "baked character's control table",
            found,
            expected: tables.version,
        }),
    }
}

/// From every node motion must go on.
fn check_ways(graph: &MotionGraph) -> Result<(), Malformed> {
    let rising = graph.first_edge.windows(2).all(|pair| pair[0] < pair[1]);
    let windowed = graph.window > 0 && graph.clips.iter().all(|clip| clip.frames > 0);
    match rising && windowed && !graph.nodes.is_empty() {
        true => Ok(()),
        false => Err(Malformed("motion ends somewhere in its graph")),
    }
}

fn read_clips(
    head: &mut Reader<'_>,
    mut bytes: &[u8],
    skeleton: &Arc<Skeleton>,
    graph: &MotionGraph,
) -> Result<Vec<Clip>, Malformed> {
    let steps = Steps::read(head, skeleton.len())?;
    let count = head.count(6)?;
    head.require(count == graph.clips.len(), "clips are missing")?;
    let mut clips = Vec::with_capacity(count);
    for known in &graph.clips {
        let length = head.u32()? as usize;
        let shape = ClipShape {
            name: &known.name,
            skeleton,
            rate: graph.rate,
            frames: known.frames as usize,
            touches: head.u8()? != 0,
        };
        let ground = read_ground(head)?;
        let own = bytes.split_at_checked(length);
        let (own, rest) = own.ok_or(Malformed("a clip ends too early"))?;
        let mut clip = unpack_clip(own, &shape, &steps)?;
        clip.ground = ground;
        clips.push(clip);
        bytes = rest;
    }
    head.end()?;
    Ok(clips)
}

fn read_ground(reader: &mut Reader<'_>) -> Result<Option<Ground>, Malformed> {
    if reader.u8()? == 0 {
        return Ok(None);
    }
    let mut numbers = [0.0; Ground::NUMBERS];
    for number in &mut numbers {
        *number = reader.finite()?;
    }
    Ok(Some(Ground::from_array(numbers)))
}
