//! Motion graphs as bytes, with every invariant checked on reading.

use afoot_codec::{Artefact, Kind, Malformed, Reader, Table, Writer};
use afoot_core::{ClipId, FrameId, FrameRate, Planar};

use crate::labels::MOST_WORDS;
use crate::motion_graph::{
    Edge, EdgeKind, GraphClip, LabelSet, MotionGraph, NodeId, Place, Transition, TransitionId,
};

/// A play edge's transition number.
const PLAY: u32 = u32::MAX;

impl Artefact for MotionGraph {
    const KIND: Kind = Kind {
        magic: *b"afootgra",
        version: 3,
        oldest: 3,
        other_hash: 1,
        name: "graph",
        what: "motion graph",
    };

    /// All but the traces, which take as long to read as to blend again.
    fn write(&self, writer: &mut Writer) {
        let (numerator, denominator) = self.rate.parts();
        writer.u32s([numerator, denominator, self.window]);
        writer.count(self.clips.len());
        for clip in &self.clips {
            writer.text(&clip.name);
            writer.u32(clip.frames);
        }
        writer.count(self.vocabulary.len());
        self.vocabulary.iter().for_each(|word| writer.text(word));
        writer.count(self.transitions.len());
        self.transitions
            .iter()
            .for_each(|transition| write_transition(writer, transition));
        writer.count(self.nodes.len());
        self.nodes
            .iter()
            .for_each(|place| write_place(writer, *place));
        writer.count(self.edges.len());
        self.edges.iter().for_each(|edge| write_edge(writer, edge));
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let rate = FrameRate::new(reader.u32()?, reader.u32()?);
        let rate = rate.ok_or(Malformed("its frame rate is none"))?;
        let window = reader.u32()?;
        let clips = reader.list(8, |r| {
            Ok(GraphClip {
                name: r.text()?,
                frames: r.u32()?,
            })
        })?;
        let vocabulary = reader.list(4, Reader::text)?;
        let transitions = reader.list(44, read_transition)?;
        let nodes = reader.list(8, read_place)?;
        let edges = reader.list(20, read_edge)?;
        reader.require(vocabulary.len() <= MOST_WORDS, "it has too many words")?;
        let in_order = edges
            .iter()
            .all(|edge| (edge.from.0 as usize) < nodes.len())
            && edges.is_sorted_by_key(|edge| edge.from);
        reader.require(in_order, "its edges are not in order")?;
        let first_edge = first_edges(nodes.len(), &edges);
        let graph = Self {
            clips,
            rate,
            window,
            vocabulary,
            transitions: transitions.into(),
            nodes: nodes.into(),
            edges: edges.into(),
            first_edge: first_edge.into(),
            traces: Table::default(),
        };
        check(&graph).map_or(Ok(()), |why| reader.require(false, why))?;
        Ok(graph)
    }
}

/// Where each node's edges start; `edges` are sorted by the node that they leave.
fn first_edges(nodes: usize, edges: &[Edge]) -> Vec<u32> {
    let mut first = vec![0u32; nodes + 1];
    edges
        .iter()
        .for_each(|edge| first[edge.from.0 as usize + 1] += 1);
    for node in 0..nodes {
        first[node + 1] += first[node];
    }
    first
}

/// What is wrong with a graph.
fn check(graph: &MotionGraph) -> Option<&'static str> {
    let placed = |place: &Place| frames(graph, *place).is_some_and(|f| place.frame.0 <= f);
    let key = |t: &Transition| (t.from, t.to);
    let rising = graph.transitions.is_sorted_by(|x, y| key(x) < key(y));
    let sound = graph
        .transitions
        .iter()
        .all(|transition| fits(graph, transition));
    let checks = [
        (sound, "a transition is outside its clips"),
        (rising, "its transitions are not in order"),
        (graph.nodes.iter().all(placed), "a node is outside its clip"),
        (
            graph.nodes.is_sorted_by(|x, y| x < y),
            "its nodes are not in order",
        ),
        (
            graph.edges.iter().all(|edge| joins(graph, edge)),
            "an edge does not join its nodes",
        ),
    ];
    checks
        .into_iter()
        .find(|(holds, _)| !holds)
        .map(|(_, why)| why)
}

fn frames(graph: &MotionGraph, place: Place) -> Option<u32> {
    graph.clips.get(place.clip.index()).map(|clip| clip.frames)
}

/// Whether a transition's windows lie in its clips and motion goes on after it.
fn fits(graph: &MotionGraph, transition: &Transition) -> bool {
    let (window, from, to) = (graph.window, transition.from, transition.to);
    let ends = from.frame.0.checked_add(window);
    let leaves = ends
        .zip(frames(graph, from))
        .is_some_and(|(end, frames)| end <= frames);
    leaves && frames(graph, to).is_some_and(|f| window <= to.frame.0 && to.frame.0 < f)
}

/// Whether an edge's nodes are where what it plays starts and ends.
fn joins(graph: &MotionGraph, edge: &Edge) -> bool {
    let node = |id: NodeId| graph.nodes.get(id.0 as usize);
    let (Some(from), Some(to)) = (node(edge.from), node(edge.to)) else {
        return false;
    };
    match edge.kind() {
        EdgeKind::Play => from.clip == to.clip && from.frame < to.frame,
        EdgeKind::Transition(TransitionId(index)) => {
            let transition = graph.transitions.get(index as usize);
            transition.is_some_and(|t| (t.from, t.to) == (*from, *to))
        }
    }
}

fn write_place(writer: &mut Writer, place: Place) {
    writer.u32s([place.clip.0, place.frame.0]);
}

pub(crate) fn read_place(reader: &mut Reader<'_>) -> Result<Place, Malformed> {
    Ok(Place {
        clip: ClipId(reader.u32()?),
        frame: FrameId(reader.u32()?),
    })
}

fn write_transition(writer: &mut Writer, transition: &Transition) {
    write_place(writer, transition.from);
    write_place(writer, transition.to);
    writer.f32(transition.error_cm);
    let Planar { x, z, yaw } = transition.placement;
    [x, z, yaw]
        .into_iter()
        .for_each(|number| writer.f64(number));
}

fn read_transition(reader: &mut Reader<'_>) -> Result<Transition, Malformed> {
    let (from, to) = (read_place(reader)?, read_place(reader)?);
    let error_cm = reader.finite()?;
    let placement = Planar::new(reader.finite64()?, reader.finite64()?, reader.finite64()?);
    let unplaced = Transition::new(from, to, error_cm);
    Ok(Transition {
        placement,
        ..unplaced
    })
}

fn write_edge(writer: &mut Writer, edge: &Edge) {
    let kind = match edge.kind() {
        EdgeKind::Play => PLAY,
        EdgeKind::Transition(TransitionId(index)) => index,
    };
    writer.u32s([edge.from.0, edge.to.0, kind]);
    writer.u64(edge.labels.0);
}

fn read_edge(reader: &mut Reader<'_>) -> Result<Edge, Malformed> {
    let (from, to) = (NodeId(reader.u32()?), NodeId(reader.u32()?));
    let kind = match reader.u32()? {
        PLAY => EdgeKind::Play,
        index => EdgeKind::Transition(TransitionId(index)),
    };
    Ok(Edge::new(from, to, kind, LabelSet(reader.u64()?)))
}
