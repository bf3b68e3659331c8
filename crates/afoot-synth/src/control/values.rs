//! What it costs to go on from every node in every direction, by value iteration.
//!
//! A discounted sum over frames: 1 while the root moves more than the tolerance off the direction
//! or stands, so that the sum is foremost the time until it moves as wanted; a little for what is
//! left of the angle (1 − cos), for frames without the wanted word, for frames that move otherwise than
//! is wished (`preference`) and for transitions, more for those that drag a standing foot round. An edge
//! turns the direction by what it turns the figure and by what the controller may pivot meanwhile.
//! Directions are whole steps of 5 degrees, since values interpolated at every frame would blur
//! into each other: pivots are counted along the clip and taken when a whole step has gathered.
//! Cost: some 10 ms per word and 10,000 edges.

use std::f32::consts::{PI, TAU};

use afoot_graph::{Edge, EdgeKind, LabelSet, NodeId};
use afoot_run::{Run, Stopped};
use rayon::prelude::*;

use super::foothold::TWIST;
use super::leave::{Leave, leaves};
use crate::edges::Edges;
use crate::preference::Preference;
use crate::rigid::Rigid;
use crate::wander::wander_words;

/// What the table's figure cares for.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlOptions {
    /// How far it looks ahead: what comes after counts less than a third. [s, > 0]
    pub horizon: f64,
    /// Moving this near to the wish is moving towards it. [rad, > 0]
    pub within: f64,
    /// Price of moving wholly the wrong way rather than just off by more than `within`, which
    /// costs 1 per frame. [≥ 0]
    pub aim_price: f64,
    /// Price of a frame without the wanted word. [≥ 0]
    pub word_price: f64,
    /// How the figure is to move beside where; without a word it walks, runs or stands.
    pub preference: Preference,
    /// Price of a frame that clearly does otherwise, where the preference weighs as usual. [≥ 0]
    pub manner_price: f64,
    /// Price of a transition, in frames that are off. [≥ 0]
    pub join_price: f64,
    /// Price of each radian by which a transition turns a foot that stands beyond what hips give, in frames that are
    /// off. [≥ 0]
    pub swivel_price: f64,
    /// How far the controller may pivot per metre travelled. [rad/m, ≥ 0]
    pub pivot: f64,
    /// Slower than this is standing, which is no direction. [m/s, > 0]
    pub stand_speed: f64,
}

impl Default for ControlOptions {
    fn default() -> Self {
        Self {
            horizon: 2.0,
            within: 30f64.to_radians(),
            aim_price: 2.0,
            word_price: 1.5,
            preference: Preference::default(),
            // As a frame that moves another way: who turns his back to get there sooner gains nothing.
            manner_price: 1.0,
            join_price: 0.5,
            // Half a second for a foot that is dragged round by a quarter of a turn.
            swivel_price: 15.0,
            pivot: 25f64.to_radians(),
            stand_speed: 0.25,
        }
    }
}

/// Directions told apart within the iteration.
pub(super) const FINE: usize = 72;
/// One value per direction.
pub(super) type Row = [f32; FINE];

/// What the edges cost in each direction, apart from words.
pub(super) struct EdgeCosts<'a, G> {
    repertoire: &'a G,
    options: &'a ControlOptions,
    /// Discount per frame.
    keep: f32,
    steps: Vec<EdgeStep>,
}

/// An edge as one step of the iteration.
struct EdgeStep {
    /// Discounted cost of its frames.
    row: Row,
    /// What the costs after it count.
    later: f32,
    /// Where it leads: a transition, as far as it must be played.
    to: NodeId,
    /// How far it turns the figure, which way it moves and how far it may be pivoted. [directions]
    turn: i32,
    heading: i32,
    pivot: i32,
}

impl<'a, G: Edges> EdgeCosts<'a, G> {
    pub(super) fn new(repertoire: &'a G, options: &'a ControlOptions) -> Self {
        let layout = repertoire.layout();
        let keep = (-layout.rate.frame_time() / options.horizon.max(1e-3)).exp() as f32;
        let mut costs = Self {
            repertoire,
            options,
            keep,
            steps: Vec::new(),
        };
        let steps = layout.edges.par_iter().map(|edge| costs.step(edge));
        costs.steps = steps.collect();
        costs
    }

    /// The best edge of every node and direction for a word, as an offset among the node's.
    pub(super) fn best_edges(
        &self,
        word: Option<&str>,
        run: &Run,
    ) -> Result<Vec<[u8; FINE]>, Stopped> {
        let prices = self.prices(word);
        let values = self.values(&prices, run)?;
        let nodes = 0..self.repertoire.layout().places.len() as u32;
        Ok(nodes
            .map(|node| self.best_of(NodeId(node), &prices, &values))
            .collect())
    }

    /// What each edge costs in any direction: without the word, and moving otherwise than is wished.
    fn prices(&self, word: Option<&str>) -> Vec<f32> {
        let layout = self.repertoire.layout();
        let wanted = word.and_then(|word| layout.label(word));
        let words: Vec<String> = word.map(str::to_owned).into_iter().collect();
        let costs = self
            .repertoire
            .costs(&self.options.preference, &wander_words(&words));
        let usual = self.options.manner_price / Preference::default().weight;
        let price = |(edge, step): (&Edge, &EdgeStep)| {
            let frames = f64::from(self.repertoire.frames(edge).max(1));
            let manner = usual * costs(edge) / frames;
            let missing = |word: LabelSet| !edge.labels.contains(word);
            let without = f64::from(u8::from(wanted.is_some_and(missing)));
            let frame = (manner + without * self.options.word_price) as f32;
            frame * (1.0 - step.later) / (1.0 - self.keep)
        };
        layout.edges.iter().zip(&self.steps).map(price).collect()
    }

    /// Value iteration with the edges' prices.
    fn values(&self, prices: &[f32], run: &Run) -> Result<Vec<Row>, Stopped> {
        let nodes = self.repertoire.layout().places.len();
        let mut values = vec![[0.0f32; FINE]; nodes];
        for _ in 0..SWEEPS {
            run.check()?;
            let mut change = 0.0f32;
            // Backwards: a play edge leads to the next node, whose value is then new already.
            for node in (0..nodes).rev() {
                let mut row = [f32::INFINITY; FINE];
                self.each_way(NodeId(node as u32), prices, &values, |_, way| {
                    for (least, cost) in row.iter_mut().zip(way) {
                        *least = least.min(*cost);
                    }
                });
                for (new, old) in row.iter().zip(&values[node]) {
                    change = change.max((new - old).abs());
                }
                values[node] = row;
            }
            if change < CLOSE {
                break;
            }
        }
        Ok(values)
    }

    fn best_of(&self, node: NodeId, prices: &[f32], values: &[Row]) -> [u8; FINE] {
        let (mut least, mut best) = ([f32::INFINITY; FINE], [0; FINE]);
        self.each_way(node, prices, values, |offset, way| {
            for bin in 0..FINE {
                if way[bin] < least[bin] {
                    (least[bin], best[bin]) = (way[bin], offset);
                }
            }
        });
        best
    }

    /// Hands out what each edge from a node costs, with all that follows.
    fn each_way(
        &self,
        node: NodeId,
        prices: &[f32],
        values: &[Row],
        mut each: impl FnMut(u8, &Row),
    ) {
        let ways = self.repertoire.edges_from(node).take(MOST_EDGES);
        for (offset, (id, _)) in ways.enumerate() {
            let (step, price) = (&self.steps[id.0 as usize], prices[id.0 as usize]);
            let mut way = step.carry(&values[step.to.0 as usize]);
            for (cost, row) in way.iter_mut().zip(&step.row) {
                *cost = row + price + step.later * *cost;
            }
            each(offset as u8, &way);
        }
    }

    fn step(&self, edge: &Edge) -> EdgeStep {
        let frames = self.repertoire.frames(edge);
        let whole = Leave {
            frames,
            node: edge.to,
        };
        let leaves = leaves(self.repertoire.layout(), edge, frames);
        let left = leaves.last().unwrap_or(whole);
        let turn = self.repertoire.turn(edge);
        let points = self.points(edge, left.frames as usize);
        let ([x, z], [end_x, end_z]) = (points[0], points[points.len() - 1]);
        EdgeStep {
            row: self.edge_row(edge, &points),
            later: self.keep.powi(left.frames as i32),
            to: left.node,
            turn: nearest_bin(turn as f32),
            heading: nearest_bin((end_x - x).atan2(end_z - z)),
            pivot: self.pivot_steps(edge, &points),
        }
    }

    /// Where the root is at an edge's first frames and the one after.
    fn points(&self, edge: &Edge, frames: usize) -> Vec<[f32; 2]> {
        let trace = self.repertoire.trace(edge).points;
        let after = self.repertoire.after(edge, &Rigid::IDENTITY);
        let next = self.repertoire.root_at(edge.to);
        let end = after.point([next.x, next.z]).map(|value| value as f32);
        trace
            .iter()
            .copied()
            .chain([end])
            .take(frames + 1)
            .collect()
    }

    /// The discounted cost of an edge's frames in every direction.
    fn edge_row(&self, edge: &Edge, points: &[[f32; 2]]) -> Row {
        let mut row = [0.0; FINE];
        let mut weight = 1.0;
        for pair in points.windows(2) {
            let ([x, z], [next_x, next_z]) = (pair[0], pair[1]);
            self.add_frame(&mut row, [next_x - x, next_z - z], weight);
            weight *= self.keep;
        }
        if edge.kind() != EdgeKind::Play {
            let swivel = (self.repertoire.swivel(edge) - f64::from(TWIST)).max(0.0);
            let price = (self.options.join_price + self.options.swivel_price * swivel) as f32;
            row.iter_mut().for_each(|cost| *cost += price);
        }
        row
    }

    fn add_frame(&self, row: &mut Row, [x, z]: [f32; 2], weight: f32) {
        let fps = self.repertoire.layout().rate.fps() as f32;
        let moving = x.hypot(z) * fps >= self.options.stand_speed as f32;
        let (within, aim) = (
            self.options.within as f32,
            self.options.aim_price as f32 / 2.0,
        );
        let heading = x.atan2(z);
        for (bin, cost) in row.iter_mut().enumerate() {
            let angle = bin as f32 * TAU / FINE as f32 - heading;
            let off = (angle - TAU * (angle / TAU).round()).abs();
            // Two steps wide, so that rounding to whole steps moves the border little.
            let outside = ((off - within) * FINE as f32 / TAU / 2.0 + 0.5).clamp(0.0, 1.0);
            *cost += weight
                * match moving {
                    true => outside + aim * (1.0 - off.cos()),
                    false => 1.0 + aim,
                };
        }
    }

    /// How many whole steps the controller may pivot on an edge. Along a clip they fall where the
    /// clip's length so far reaches them, so that short edges lose none.
    fn pivot_steps(&self, edge: &Edge, points: &[[f32; 2]]) -> i32 {
        let per_metre = SINGLE_SUPPORT * self.options.pivot as f32 * FINE as f32 / TAU;
        let steps = points.windows(2);
        let length: f32 = steps
            .map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]))
            .sum();
        match edge.kind() {
            EdgeKind::Play => {
                let first = self.repertoire.trace(edge).arcs[0];
                ((first + length) * per_metre) as i32 - (first * per_metre) as i32
            }
            EdgeKind::Transition(_) => (length * per_metre).round() as i32,
        }
    }
}

impl EdgeStep {
    /// The values at the edge's end, by the directions at its start.
    fn carry(&self, next: &Row) -> Row {
        let mut carried = [0.0; FINE];
        let all = FINE as i32;
        let from = (-self.turn).rem_euclid(all) as usize;
        if self.pivot == 0 {
            carried[..FINE - from].copy_from_slice(&next[from..]);
            carried[FINE - from..].copy_from_slice(&next[..from]);
            return carried;
        }
        for (bin, value) in carried.iter_mut().enumerate() {
            let off = (bin as i32 - self.heading + all / 2).rem_euclid(all) - all / 2;
            let pivoted = bin as i32 - self.turn - off.clamp(-self.pivot, self.pivot);
            *value = next[pivoted.rem_euclid(all) as usize];
        }
        carried
    }
}

/// Most rounds of value iteration; they end earlier where nothing changes by more than `CLOSE`.
const SWEEPS: usize = 400;
const CLOSE: f32 = 1e-2;
/// More edges from one node are not looked at: a byte numbers them.
const MOST_EDGES: usize = 255;
/// The share of travel on one foot, on which the controller pivots.
const SINGLE_SUPPORT: f32 = 0.7;

fn nearest_bin(angle: f32) -> i32 {
    debug_assert!(angle.abs() <= 4.0 * PI);
    (angle * FINE as f32 / TAU).round() as i32
}
