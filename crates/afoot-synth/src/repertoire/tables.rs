//! A repertoire as flat tables, to be mapped instead of made.
//!
//! All that requests need of a graph and its clips: nothing is worked out when they are opened, and
//! what a request does not touch is not read. The head holds what is small: names, skeletons, and what
//! was measured over all clips. 230 bytes a transition, up to 2 kB a node for its fan, and the poses.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use afoot_analyze::SourceStatistics;
use afoot_codec::{CodecError, Flat, FlatWriter, Kind, Malformed, Reader, Table, Writer};
use afoot_core::{
    ClipId, FrameRate, Ground, JointId, LabelSpan, Range32, Skeleton, SlidingJoint, Vec3,
};
use afoot_graph::{GraphClip, MotionGraph};

use crate::allowed::AllowedRows;
use crate::fan::FanTable;
use crate::wander::usually_playable;

use super::clips::{ClipHead, Clips, PoseTables};
use super::roots::Roots;
use super::{FrameManner, Repertoire};

/// The tables, in their order: first those that say where in others to look, which are vital.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Head,
    Nodes,
    Edges,
    FirstEdge,
    Transitions,
    Runs,
    FirstGroup,
    FirstOwn,
    UsualEdges,
    UsualAlive,
    UsualRuns,
    Traces,
    TransitionArcs,
    Exits,
    NodeRoots,
    Points,
    Arcs,
    Root,
    Rotations,
    Contacts,
    Types,
    FanGroups,
    OwnGroups,
    Manners,
}

/// Writes tables by their parts.
struct Parts(FlatWriter);

impl Parts {
    fn put<T: bytemuck::Pod>(&mut self, part: Part, rows: &[T]) {
        assert_eq!(self.0.count(), part as usize, "{part:?} comes in its order");
        self.0.table(rows);
    }
}

/// What is small.
struct Head {
    graph: MotionGraph,
    clips: Vec<ClipHead>,
    floor: Option<Ground>,
    source: Option<SourceStatistics>,
}

impl Repertoire {
    /// What its tables are, beside a library.
    pub const TABLES: Kind = Kind {
        magic: *b"afootrdy",
        version: 9,
        oldest: 8,
        other_hash: 0,
        name: "ready",
        what: "set of tables for requests",
    };

    /// The tables that [`Repertoire::from_tables`] opens.
    pub fn to_tables(&self) -> FlatWriter {
        let clips = (0..self.clips.len()).map(|clip| self.clips.raw(ClipId::from(clip)));
        let poses = PoseTables::of_clips(clips);
        let (graph, roots, fans) = (&self.graph, &self.roots, FanTable::new(self));
        let mut parts = Parts(FlatWriter::default());
        parts.put(Part::Head, &self.head(&poses).bytes);
        parts.put(Part::Nodes, &graph.nodes);
        parts.put(Part::Edges, &graph.edges);
        parts.put(Part::FirstEdge, &graph.first_edge);
        parts.put(Part::Transitions, &graph.transitions);
        parts.put(Part::Runs, &roots.runs);
        parts.put(Part::FirstGroup, &fans.first);
        parts.put(Part::FirstOwn, &fans.own_first);
        let usual = usually_playable(self).map_or_else(AllowedRows::default, |all| all.rows());
        parts.put(Part::UsualEdges, &usual.edges);
        parts.put(Part::UsualAlive, &usual.alive);
        parts.put(Part::UsualRuns, &usual.runs);
        parts.0.end_vital();
        parts.put(Part::Traces, &graph.traces);
        parts.put(Part::TransitionArcs, &roots.transition_arcs);
        parts.put(Part::Exits, &roots.exits);
        parts.put(Part::NodeRoots, &roots.nodes);
        parts.put(Part::Points, &roots.points);
        parts.put(Part::Arcs, &roots.arcs);
        parts.put(Part::Root, &poses.root);
        parts.put(Part::Rotations, &poses.rotations);
        parts.put(Part::Contacts, &poses.contacts);
        parts.put(Part::Types, &poses.types);
        parts.put(Part::FanGroups, &fans.groups);
        parts.put(Part::OwnGroups, &fans.own);
        parts.put(Part::Manners, self.all_manners());
        parts.0
    }

    /// A repertoire whose tables stay where they are.
    pub fn from_tables(tables: &Flat) -> Result<Self, CodecError> {
        let invalid = |Malformed(why)| CodecError::Invalid {
            what: Self::TABLES.what,
            why,
        };
        let cut = || invalid(Malformed("its tables don't fit together"));
        let bytes = tables.table::<u8>(Part::Head as usize)?;
        let head = Head::read(&mut Reader::new(&bytes)).map_err(invalid)?;
        let graph = MotionGraph {
            nodes: tables.table(Part::Nodes as usize)?,
            edges: tables.table(Part::Edges as usize)?,
            first_edge: tables.table(Part::FirstEdge as usize)?,
            transitions: tables.table(Part::Transitions as usize)?,
            traces: tables.table(Part::Traces as usize)?,
            ..head.graph
        };
        let roots = Roots {
            points: tables.table(Part::Points as usize)?,
            arcs: tables.table(Part::Arcs as usize)?,
            transition_arcs: tables.table(Part::TransitionArcs as usize)?,
            exits: tables.table(Part::Exits as usize)?,
            nodes: tables.table(Part::NodeRoots as usize)?,
            runs: tables.table(Part::Runs as usize)?,
            first: Vec::new(),
        }
        .fitted_to(&graph);
        let clips = Clips::of_tables(PoseTables {
            heads: head.clips,
            root: tables.table(Part::Root as usize)?,
            rotations: tables.table(Part::Rotations as usize)?,
            contacts: tables.table(Part::Contacts as usize)?,
            types: tables.table(Part::Types as usize)?,
        });
        let fans = FanTable {
            first: tables.table(Part::FirstGroup as usize)?,
            groups: tables.table(Part::FanGroups as usize)?,
            own_first: tables.table(Part::FirstOwn as usize)?,
            own: tables.table(Part::OwnGroups as usize)?,
        };
        let fans = Some(fans).filter(|fans| fans.fits(graph.nodes.len()));
        let usual = AllowedRows {
            edges: tables.table(Part::UsualEdges as usize)?,
            alive: tables.table(Part::UsualAlive as usize)?,
            runs: tables.table(Part::UsualRuns as usize)?,
        };
        let manners: Table<FrameManner> = tables.table(Part::Manners as usize)?;
        if manners.len()
            != graph
                .clips
                .iter()
                .map(|clip| clip.frames as usize)
                .sum::<usize>()
        {
            return Err(cut());
        }
        Ok(Self {
            graph,
            fans: Some(fans.ok_or_else(cut)?),
            roots: roots.ok_or_else(cut)?,
            clips: clips.ok_or_else(cut)?,
            usual: Some(usual),
            key: Some(tables.key()),
            floor: head.floor,
            source: OnceLock::from(head.source),
            manners: OnceLock::from(manners),
        })
    }

    fn head(&self, poses: &PoseTables) -> Writer {
        let mut writer = Writer::default();
        let (numerator, denominator) = self.graph.rate.parts();
        writer.u32s([numerator, denominator, self.graph.window]);
        writer.count(self.graph.vocabulary.len());
        self.graph
            .vocabulary
            .iter()
            .for_each(|word| writer.text(word));
        let mut skeletons: Vec<&Arc<Skeleton>> = Vec::new();
        for head in &poses.heads {
            if !skeletons.contains(&&head.skeleton) {
                skeletons.push(&head.skeleton);
            }
        }
        writer.count(skeletons.len());
        skeletons
            .iter()
            .for_each(|skeleton| writer.block(&skeleton.to_bytes()));
        writer.count(poses.heads.len());
        for (head, clip) in poses.heads.iter().zip(&self.graph.clips) {
            let skeleton = skeletons.iter().position(|s| **s == head.skeleton);
            writer.text(&clip.name);
            writer.count(skeleton.unwrap_or(0));
            write_clip(&mut writer, head);
        }
        write_ground(&mut writer, self.floor.as_ref());
        // Some hundred values a clip, in a spelling that changes with what is measured.
        writer.block(&serde_json::to_vec(&self.source()).unwrap_or_default());
        writer
    }
}

impl Head {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let rate = FrameRate::new(reader.u32()?, reader.u32()?);
        let rate = rate.ok_or(Malformed("its frame rate is none"))?;
        let window = reader.u32()?;
        let vocabulary = reader.list(4, Reader::text)?;
        let skeletons = reader.list(4, |r| Skeleton::from_bytes(r.block()?).map(Arc::new))?;
        let mut ends = Ends::default();
        let clips = reader.list(4, |r| read_clip(r, &skeletons, rate, &mut ends))?;
        let head = Self {
            graph: MotionGraph {
                clips: clips.iter().map(GraphClip::from).collect(),
                rate,
                window,
                vocabulary,
                transitions: Default::default(),
                nodes: Default::default(),
                edges: Default::default(),
                first_edge: Default::default(),
                traces: Default::default(),
            },
            clips,
            floor: read_ground(reader)?,
            source: serde_json::from_slice(reader.block()?)
                .map_err(|_| Malformed("what its clips do can't be read"))?,
        };
        reader.end()?;
        Ok(head)
    }
}

impl From<&ClipHead> for GraphClip {
    fn from(head: &ClipHead) -> Self {
        Self {
            name: head.name.clone(),
            frames: head.frames.len() as u32,
        }
    }
}

/// How far the tables are taken by the clips so far.
#[derive(Default)]
struct Ends {
    frames: usize,
    rotations: usize,
    contacts: usize,
    types: usize,
}

fn write_clip(writer: &mut Writer, head: &ClipHead) {
    let lengths = [&head.frames, &head.contacts, &head.types];
    lengths.iter().for_each(|range| writer.count(range.len()));
    write_ground(writer, head.ground.as_ref());
    writer.count(head.labels.len());
    for span in &head.labels {
        writer.u32s([span.frames.start, span.frames.end]);
        writer.text(&span.label);
    }
    writer.count(head.faults.len());
    head.faults
        .iter()
        .for_each(|fault| writer.u32s([fault.start, fault.end]));
    writer.count(head.sliding.len());
    for sliding in &head.sliding {
        writer.u32(sliding.joint.0.into());
        writer.count(sliding.offsets.len());
        sliding
            .offsets
            .iter()
            .for_each(|offset| writer.f32s(&offset.to_array()));
    }
}

fn read_clip(
    reader: &mut Reader<'_>,
    skeletons: &[Arc<Skeleton>],
    rate: FrameRate,
    ends: &mut Ends,
) -> Result<ClipHead, Malformed> {
    let name = reader.text()?;
    let skeleton = skeletons.get(reader.u32()? as usize);
    let skeleton = skeleton.ok_or(Malformed("a clip has no skeleton"))?;
    let frames = reader.u32()? as usize;
    let rotations = frames
        .checked_mul(skeleton.len())
        .ok_or(Malformed("a clip is too long"))?;
    Ok(ClipHead {
        name,
        skeleton: Arc::clone(skeleton),
        rate,
        frames: next(&mut ends.frames, frames)?,
        rotations: next(&mut ends.rotations, rotations)?,
        contacts: next(&mut ends.contacts, reader.u32()? as usize)?,
        types: next(&mut ends.types, reader.u32()? as usize)?,
        ground: read_ground(reader)?,
        labels: reader.list(12, |r| {
            Ok(LabelSpan {
                frames: Range32 {
                    start: r.u32()?,
                    end: r.u32()?,
                },
                label: r.text()?,
            })
        })?,
        faults: reader.list(8, |r| Ok(r.u32()?..r.u32()?))?,
        sliding: reader.list(8, |r| {
            Ok(SlidingJoint {
                joint: JointId(r.u32()? as u16),
                offsets: r.list(12, |r| r.f32s().map(Vec3::from_array))?,
            })
        })?,
    })
}

/// The next `count` rows of a table.
fn next(end: &mut usize, count: usize) -> Result<Range<usize>, Malformed> {
    let start = *end;
    *end = start
        .checked_add(count)
        .ok_or(Malformed("a clip is too long"))?;
    Ok(start..*end)
}

fn write_ground(writer: &mut Writer, ground: Option<&Ground>) {
    writer.u8(ground.is_some().into());
    if let Some(ground) = ground {
        writer.f32s(&ground.to_array());
    }
}

fn read_ground(reader: &mut Reader<'_>) -> Result<Option<Ground>, Malformed> {
    match reader.u8()? {
        0 => Ok(None),
        _ => Ok(Some(Ground::from_array(reader.f32s()?))),
    }
}
