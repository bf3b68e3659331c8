//! The best first edge from every node, for every direction and word.
//!
//! Where Kovar et al. 2002, §5.3, fit straight paths from every node, this solves for all of them at
//! once: value iteration over (node, direction), a discounted sum over frames of how far the root's
//! movement is off the direction (1 − cos, standing counts as off), plus a price for frames without
//! the wanted word and for transitions. A graph's edges turn the direction by what they turn the
//! figure; values between directions are interpolated. In: a repertoire. Out: an edge per node,
//! direction and word, a byte each, stored as an artefact. Cost: some 0.1 s per word and 10,000 edges.

use std::sync::atomic::{AtomicBool, Ordering};

use afoot_graph::{Edge, EdgeId, EdgeKind, LabelSet, NodeId};
use rayon::prelude::*;
use thiserror::Error;

use crate::repertoire::Repertoire;
use crate::rigid::Rigid;

/// Directions told apart: every 15 degrees.
pub(super) const DIRECTIONS: usize = 24;
const MAGIC: &[u8; 8] = b"afootctl";
const VERSION: u32 = 1;
/// More edges from one node are not looked at: a byte numbers them.
const MOST_EDGES: usize = 255;

/// What the table's figure cares for.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlOptions {
    /// How far it looks ahead: what comes after counts less than a third. [s, > 0]
    pub horizon: f64,
    /// Price of a frame without the wanted word; a frame in the wrong direction costs up to 2. [≥ 0]
    pub word_price: f64,
    /// Price of a transition, in frames that are wholly off. [≥ 0]
    pub join_price: f64,
    /// How far the controller may pivot per metre travelled. [rad/m, ≥ 0]
    pub pivot: f64,
    /// Price of a frame spent standing. [0 to 2]
    pub stand_price: f64,
    /// Slower than this is standing. [m/s, > 0]
    pub stand_speed: f64,
}

impl Default for ControlOptions {
    fn default() -> Self {
        Self {
            horizon: 1.2,
            word_price: 1.5,
            join_price: 0.5,
            pivot: 25f64.to_radians(),
            stand_price: 1.0,
            stand_speed: 0.25,
        }
    }
}

/// The best first edges of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlTable {
    words: Vec<String>,
    nodes: u32,
    edges: u32,
    /// Offset of the edge among its node's, by word, node and direction; word 0 is "anything".
    best: Vec<u8>,
}

/// Why a table can't be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum TableError {
    #[error("stopped")]
    Cancelled,
    #[error("this is no control table of version {VERSION}: {0}")]
    Malformed(&'static str),
    #[error("the control table was made for another graph; make it anew")]
    OtherGraph,
}

impl ControlTable {
    /// For every word of the graph and for "anything".
    pub fn new(
        repertoire: &Repertoire,
        options: &ControlOptions,
        cancel: Option<&AtomicBool>,
    ) -> Result<Self, TableError> {
        let graph = repertoire.graph();
        let costs = EdgeCosts::new(repertoire, options);
        let words: Vec<String> = graph.vocabulary.clone();
        let sets = std::iter::once(None).chain(words.iter().map(|word| graph.label(word)));
        let sets: Vec<Option<LabelSet>> = sets.collect();
        let tables: Vec<Option<Vec<u8>>> = sets
            .par_iter()
            .map(|&set| costs.best_edges(set, cancel))
            .collect();
        let tables: Option<Vec<Vec<u8>>> = tables.into_iter().collect();
        let best = tables.ok_or(TableError::Cancelled)?.concat();
        let (nodes, edges) = (graph.nodes.len() as u32, graph.edges.len() as u32);
        assert_eq!(best.len(), (words.len() + 1) * nodes as usize * DIRECTIONS);
        Ok(Self {
            words,
            nodes,
            edges,
            best,
        })
    }

    /// The words it knows beside "anything".
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether it can have been made for this graph.
    pub fn fits(&self, repertoire: &Repertoire) -> Result<(), TableError> {
        let graph = repertoire.graph();
        let same = graph.nodes.len() == self.nodes as usize
            && graph.edges.len() == self.edges as usize
            && graph.vocabulary == self.words;
        let inside = |(place, &offset): (usize, &u8)| {
            let node = NodeId((place / DIRECTIONS % self.nodes.max(1) as usize) as u32);
            usize::from(offset) < graph.edges_from(node).len()
        };
        let good = same && self.best.iter().enumerate().all(inside);
        if good {
            Ok(())
        } else {
            Err(TableError::OtherGraph)
        }
    }

    /// The edge to take from `node` towards `direction`, a yaw in its clip's coordinates. [rad]
    pub fn best_edge(
        &self,
        repertoire: &Repertoire,
        node: NodeId,
        direction: f64,
        word: Option<usize>,
    ) -> EdgeId {
        let bins = DIRECTIONS as f64 / std::f64::consts::TAU;
        let bin = (direction * bins).round().rem_euclid(DIRECTIONS as f64) as usize % DIRECTIONS;
        let row = word.map_or(0, |word| word + 1) * self.nodes as usize + node.0 as usize;
        let offset = self.best[row * DIRECTIONS + bin];
        EdgeId(repertoire.graph().first_edge[node.0 as usize] + u32::from(offset))
    }

    /// As an artefact.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let counts = [VERSION, self.nodes, self.edges, self.words.len() as u32];
        counts
            .iter()
            .for_each(|count| bytes.extend(count.to_le_bytes()));
        for word in &self.words {
            bytes.extend((word.len() as u32).to_le_bytes());
            bytes.extend(word.as_bytes());
        }
        bytes.extend(&self.best);
        bytes
    }

    /// From an artefact.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableError> {
        let mut rest = bytes
            .strip_prefix(MAGIC)
            .ok_or(TableError::Malformed("other kind"))?;
        let mut count = || take_u32(&mut rest);
        let (version, nodes, edges, word_count) = (count()?, count()?, count()?, count()?);
        if version != VERSION {
            return Err(TableError::Malformed("other version"));
        }
        let mut words = Vec::new();
        for _ in 0..word_count {
            let length = take_u32(&mut rest)? as usize;
            let word = take(&mut rest, length)?.to_vec();
            let word = String::from_utf8(word).map_err(|_| TableError::Malformed("bad word"))?;
            words.push(word);
        }
        let expected = (words.len() as u64 + 1) * u64::from(nodes) * DIRECTIONS as u64;
        if rest.len() as u64 != expected {
            return Err(TableError::Malformed("wrong length"));
        }
        Ok(Self {
            words,
            nodes,
            edges,
            best: rest.to_vec(),
        })
    }
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], TableError> {
    let (taken, left) = rest
        .split_at_checked(length)
        .ok_or(TableError::Malformed("cut off"))?;
    *rest = left;
    Ok(taken)
}

fn take_u32(rest: &mut &[u8]) -> Result<u32, TableError> {
    let bytes = take(rest, 4)?;
    Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

/// One value per direction.
type Row = [f32; DIRECTIONS];

/// What the edges cost in each direction, apart from words.
struct EdgeCosts<'a> {
    repertoire: &'a Repertoire,
    options: &'a ControlOptions,
    /// Discount per frame.
    keep: f32,
    rows: Vec<Row>,
    /// How far each edge turns the figure, in directions.
    turns: Vec<f32>,
    /// Which way each edge moves, and how far the controller may pivot on it, in directions.
    pivots: Vec<[f32; 2]>,
}

impl<'a> EdgeCosts<'a> {
    fn new(repertoire: &'a Repertoire, options: &'a ControlOptions) -> Self {
        let graph = repertoire.graph();
        let keep = (-graph.rate.frame_time() / options.horizon.max(1e-3)).exp() as f32;
        let per_turn = DIRECTIONS as f64 / std::f64::consts::TAU;
        let turn = |edge: &Edge| match edge.kind {
            EdgeKind::Play => 0.0,
            EdgeKind::Jump(transition) => {
                (repertoire.exit(transition).planar().yaw * per_turn) as f32
            }
        };
        let mut costs = Self {
            repertoire,
            options,
            keep,
            rows: Vec::new(),
            turns: graph.edges.iter().map(turn).collect(),
            pivots: Vec::new(),
        };
        costs.pivots = graph
            .edges
            .par_iter()
            .map(|edge| costs.edge_pivot(edge))
            .collect();
        costs.rows = graph
            .edges
            .par_iter()
            .map(|edge| costs.edge_row(edge))
            .collect();
        costs
    }

    /// The discounted cost of an edge's frames in every direction.
    fn edge_row(&self, edge: &Edge) -> Row {
        let repertoire = self.repertoire;
        let trace = repertoire.trace(edge);
        let after = repertoire.after(edge, &Rigid::IDENTITY);
        let next = repertoire.root_at(edge.to);
        let end = after.point([next.x, next.z]).map(|value| value as f32);
        let mut row = [0.0; DIRECTIONS];
        let mut weight = 1.0;
        for (frame, here) in trace.iter().enumerate() {
            let there = trace.get(frame + 1).unwrap_or(&end);
            self.add_frame(&mut row, [there[0] - here[0], there[1] - here[1]], weight);
            weight *= self.keep;
        }
        if edge.kind != EdgeKind::Play {
            row.iter_mut()
                .for_each(|cost| *cost += self.options.join_price as f32);
        }
        row
    }

    /// The direction of an edge's movement, and the pivot that its length allows.
    fn edge_pivot(&self, edge: &Edge) -> [f32; 2] {
        let per_turn = DIRECTIONS as f64 / std::f64::consts::TAU;
        let (from, to) = (
            self.repertoire.root_at(edge.from),
            self.repertoire.root_at(edge.to),
        );
        let after = self.repertoire.after(edge, &Rigid::IDENTITY);
        let [x, z] = after.point([to.x, to.z]);
        let (x, z) = (x - from.x, z - from.z);
        let free = SINGLE_SUPPORT * self.options.pivot * x.hypot(z);
        [x.atan2(z), free].map(|angle| (angle * per_turn) as f32)
    }

    fn add_frame(&self, row: &mut Row, [x, z]: [f32; 2], weight: f32) {
        let step = x.hypot(z);
        let fps = self.repertoire.graph().rate.fps() as f32;
        let moving = step * fps >= self.options.stand_speed as f32;
        for (bin, cost) in row.iter_mut().enumerate() {
            let (sin, cos) = (bin as f32 * std::f32::consts::TAU / DIRECTIONS as f32).sin_cos();
            *cost += weight
                * match moving {
                    true => 1.0 - (x * sin + z * cos) / step,
                    false => self.options.stand_price as f32,
                };
        }
    }

    /// Value iteration with the word's price, then the best edge of every node and direction.
    fn best_edges(&self, word: Option<LabelSet>, cancel: Option<&AtomicBool>) -> Option<Vec<u8>> {
        let graph = self.repertoire.graph();
        let nodes = graph.nodes.len();
        let mut values = vec![[0.0f32; DIRECTIONS]; nodes];
        let mut best = vec![0u8; nodes * DIRECTIONS];
        for _ in 0..SWEEPS {
            if cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return None;
            }
            let mut change = 0.0f32;
            // Backwards: a play edge leads to the next node, whose value is then new already.
            for node in (0..nodes).rev() {
                let row = self.node_row(NodeId(node as u32), word, &values, |bin, edge| {
                    best[node * DIRECTIONS + bin] = edge;
                });
                let differences = row.iter().zip(&values[node]).map(|(a, b)| (a - b).abs());
                change = differences.fold(change, f32::max);
                values[node] = row;
            }
            if change < CLOSE {
                break;
            }
        }
        Some(best)
    }

    fn node_row(
        &self,
        node: NodeId,
        word: Option<LabelSet>,
        values: &[Row],
        mut choose: impl FnMut(usize, u8),
    ) -> Row {
        let mut row = [f32::INFINITY; DIRECTIONS];
        for (offset, (id, edge)) in self
            .repertoire
            .edges_from(node)
            .take(MOST_EDGES)
            .enumerate()
        {
            let index = id.0 as usize;
            let frames = self.repertoire.graph().edge_frames(edge);
            let later = self.keep.powi(frames as i32);
            let price = match word {
                Some(word) if !edge.labels.contains(word) => {
                    self.options.word_price as f32 * (1.0 - later) / (1.0 - self.keep)
                }
                _ => 0.0,
            };
            let next = &values[edge.to.0 as usize];
            let [heading, free] = self.pivots[index];
            let pivot = |bin: usize| wrap_bins(bin as f32 - heading).clamp(-free, free);
            for (bin, least) in row.iter_mut().enumerate() {
                let value = self.rows[index][bin]
                    + price
                    + later * interpolate(next, bin as f32 - self.turns[index] - pivot(bin));
                if value < *least {
                    *least = value;
                    choose(bin, offset as u8);
                }
            }
        }
        row
    }
}

/// Most rounds of value iteration; they end earlier where nothing changes by more than `CLOSE`.
const SWEEPS: usize = 200;
const CLOSE: f32 = 1e-3;

/// The share of travel on one foot, on which the controller pivots.
const SINGLE_SUPPORT: f64 = 0.7;

/// A difference of directions, the short way round.
fn wrap_bins(difference: f32) -> f32 {
    let all = DIRECTIONS as f32;
    difference - all * (difference / all).round()
}

/// The value at a direction between the table's.
#[inline]
fn interpolate(row: &Row, bin: f32) -> f32 {
    let low = bin.floor();
    let share = bin - low;
    let index = (low as i32).rem_euclid(DIRECTIONS as i32) as usize;
    let next = if index + 1 == DIRECTIONS {
        0
    } else {
        index + 1
    };
    row[index] * (1.0 - share) + row[next] * share
}
