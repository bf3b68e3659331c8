//! The best first edge from every node, for every direction and word.
//!
//! Where Kovar et al. 2002, §5.3, fit straight paths from every node, `values` solves for all of
//! them at once. In: a repertoire. Out: an edge per node, direction and word, a byte each, laid out flat,
//! to be mapped: of an hour's 10 MB a figure that is steered touches a few pages. So nobody looks through
//! all of it when it is opened: an entry that no edge has, of a damaged file, leads along the node's last.

use afoot_codec::{CodecError, Flat, FlatWriter, Kind, Malformed, Reader, Table, Writer};
use afoot_graph::{EdgeId, NodeId};
use afoot_run::{Run, Stopped};
use rayon::prelude::*;
use thiserror::Error;

use super::values::{ControlOptions, EdgeCosts, FINE};
use crate::edges::Edges;

/// Directions told apart: every 15 degrees.
pub(super) const DIRECTIONS: usize = 24;

/// The best first edges of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlTable {
    words: Vec<String>,
    nodes: u32,
    edges: u32,
    /// Offset of the edge among its node's, by word, node and direction; word 0 is "anything".
    best: Table<u8>,
}

/// Why a table can't be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum TableError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("the control table was made for another graph; make it anew")]
    OtherGraph,
}

impl ControlTable {
    /// For every word of the graph and for "anything".
    pub fn new(
        repertoire: &impl Edges,
        options: &ControlOptions,
        run: &Run,
    ) -> Result<Self, TableError> {
        let graph = repertoire.layout();
        let costs = EdgeCosts::new(repertoire, options);
        let words: Vec<String> = graph.vocabulary.to_vec();
        let asked = std::iter::once(None).chain(words.iter().map(|word| Some(word.as_str())));
        let asked: Vec<Option<&str>> = asked.collect();
        let tables = asked
            .par_iter()
            .map(|&word| Ok(every_third(&costs.best_edges(word, run)?)))
            .collect::<Result<Vec<Vec<u8>>, Stopped>>()?;
        let best = tables.concat();
        let (nodes, edges) = (graph.places.len() as u32, graph.edges.len() as u32);
        assert_eq!(best.len(), (words.len() + 1) * nodes as usize * DIRECTIONS);
        Ok(Self {
            words,
            nodes,
            edges,
            best: best.into(),
        })
    }

    /// What its tables are, beside a library. Version 7 minded no feet that transitions drag round; such a table is
    /// used as it is, in packs and beside libraries, until the graph changes.
    pub const TABLES: Kind = Kind {
        magic: *b"afootctl",
        version: 8,
        oldest: 7,
        other_hash: 0,
        name: "control",
        what: "control table",
    };

    /// The tables that [`ControlTable::from_tables`] opens.
    pub fn to_tables(&self) -> FlatWriter {
        let mut head = Writer::default();
        head.u32s([self.nodes, self.edges]);
        head.count(self.words.len());
        self.words.iter().for_each(|word| head.text(word));
        let mut tables = FlatWriter::default();
        tables.table(&head.bytes);
        tables.end_vital();
        tables.table(&self.best);
        tables
    }

    /// A table that stays where it is.
    pub fn from_tables(tables: &Flat) -> Result<Self, CodecError> {
        let invalid = |Malformed(why)| CodecError::Invalid {
            what: Self::TABLES.what,
            why,
        };
        let (head, best) = (tables.table::<u8>(0)?, tables.table::<u8>(1)?);
        let mut reader = Reader::new(&head);
        let mut read = || {
            let (nodes, edges) = (reader.u32()?, reader.u32()?);
            let words = reader.list(4, Reader::text)?;
            reader.end()?;
            Ok((nodes, edges, words))
        };
        let (nodes, edges, words) = read().map_err(invalid)?;
        match best.len() == (words.len() + 1) * nodes as usize * DIRECTIONS {
            true => Ok(Self {
                words,
                nodes,
                edges,
                best,
            }),
            false => Err(invalid(Malformed("it has another size than it says"))),
        }
    }

    /// Bytes of its best edges.
    pub fn size(&self) -> usize {
        self.best.len()
    }

    /// The words it knows beside "anything".
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether it can have been made for this graph.
    pub fn fits(&self, repertoire: &impl Edges) -> Result<(), TableError> {
        let graph = repertoire.layout();
        let same = graph.places.len() == self.nodes as usize
            && graph.edges.len() == self.edges as usize
            && graph.vocabulary == self.words;
        match same {
            true => Ok(()),
            false => Err(TableError::OtherGraph),
        }
    }

    /// The edge to take from `node` towards `direction`, a yaw in its clip's coordinates. [rad]
    pub fn best_edge(
        &self,
        repertoire: &impl Edges,
        node: NodeId,
        direction: f64,
        word: Option<usize>,
    ) -> EdgeId {
        let bins = DIRECTIONS as f64 / std::f64::consts::TAU;
        let bin = (direction * bins).round().rem_euclid(DIRECTIONS as f64) as usize % DIRECTIONS;
        let row = word.map_or(0, |word| word + 1) * self.nodes as usize + node.0 as usize;
        let graph = repertoire.layout();
        let last = graph.edges_from(node).len().saturating_sub(1) as u32;
        let offset = u32::from(self.best[row * DIRECTIONS + bin]).min(last);
        EdgeId(graph.first_edge[node.0 as usize] + offset)
    }
}

/// The iteration's directions thinned to the table's.
fn every_third(best: &[[u8; FINE]]) -> Vec<u8> {
    let rows = best
        .iter()
        .flat_map(|row| row.iter().step_by(FINE / DIRECTIONS));
    rows.copied().collect()
}
