//! The fan of motion that opens at a node: where the next metre and a bit may lead.
//!
//! For a node, the root's places after a few even stretches of travel, along the clip itself and
//! along every transition within reach, each played on without another (beyond a clip's end: straight
//! on). A look-ahead for searches along a line: the least error over the fan says how well a state
//! can go on, which the error so far does not. An estimate and no lower bound: a walk may take a
//! second transition, nodes with many ways keep only some, and a few places stand for all frames
//! between them. Up to 2 kB a node for all ways, 256 B more for each eight of its own transitions, and 10
//! to 80 µs, so those of a kept graph are kept too; where labels are asked for they are made for a node
//! when first needed.

use std::sync::OnceLock;

use afoot_codec::Table;
use afoot_core::Planar;
use afoot_graph::{EdgeId, EdgeKind, NodeId};
use rayon::prelude::*;

use crate::allowed::{Allowed, Wanted};
use crate::edges::{Edges, Trace};
use crate::path::{between, distance as apart};
use crate::rigid::Rigid;

/// Places along each way.
pub(crate) const SAMPLES: usize = 4;
/// Travel between the places. Four of them: long enough to prepare a sharp turn. [m]
pub(crate) const STRETCH: f64 = 0.3;
/// Ways kept of a node's fan, spread evenly over its directions.
const MOST_WAYS: usize = 64;
const LANES: usize = 8;
/// Where unused lanes point: farther than any path. [m]
const NOWHERE: f32 = 1e6;

/// Places after each stretch, relative to the node's root in its clip's axes. [m]
pub(crate) type Way = [[f32; 2]; SAMPLES];

/// The fans of all nodes of a graph, for one choice of allowed edges.
#[derive(Debug)]
pub(crate) struct Fans<'a, G> {
    graph: &'a G,
    allowed: &'a Allowed,
    fans: Known<'a>,
}

/// The fans that are known.
#[derive(Debug)]
enum Known<'a> {
    /// All of them, kept with the graph.
    Kept(&'a FanTable),
    /// Those that were asked for.
    Opened(Vec<OnceLock<Fan>>),
}

/// The look-ahead of all nodes of a graph, where everything is allowed.
#[derive(Clone, Debug)]
pub struct FanTable {
    /// Where each node's groups start, and where the last one's end.
    pub(crate) first: Table<u32>,
    pub(crate) groups: Table<Group>,
    /// The same of the ways that begin with each of a node's own transitions, in their order.
    pub(crate) own_first: Table<u32>,
    pub(crate) own: Table<Group>,
}

/// Eight ways side by side: x then z after each stretch.
pub(crate) type Group = [[[f32; LANES]; 2]; SAMPLES];

#[derive(Debug)]
struct Fan {
    groups: Box<[Group]>,
    own: Box<[Group]>,
}

impl<'a, G: Edges> Fans<'a, G> {
    /// As kept, where everything is allowed and they are; else opened when they are asked for.
    pub(crate) fn new(graph: &'a G, allowed: &'a Allowed) -> Self {
        let kept = graph.fans().filter(|_| allowed.is_everything());
        let unopened = || graph.layout().places.iter().map(|_| OnceLock::new());
        Self {
            graph,
            allowed,
            fans: match kept {
                Some(table) => Known::Kept(table),
                None => Known::Opened(unopened().collect()),
            },
        }
    }

    /// The least sum over as many places as there are goals of d² + `quartic` d⁴, d from the goals, which
    /// are relative to the node's root in its clip's axes. Who wants only what is less than `below`
    /// may get that, sooner, where nothing is. [m²]
    pub(crate) fn least_error(
        &self,
        node: NodeId,
        goals: &[[f32; 2]],
        quartic: f32,
        below: f32,
    ) -> f32 {
        let index = node.0 as usize;
        let groups = match &self.fans {
            Known::Kept(table) => table.groups(index),
            Known::Opened(fans) => &fans[index].get_or_init(|| self.open(node)).groups,
        };
        least_of(groups, goals, quartic, below)
    }

    /// The same sum for the way that begins with each of the node's own transitions, in their order;
    /// unused lanes at the end are far off.
    pub(crate) fn errors_of_own(&self, node: NodeId, goals: &[[f32; 2]], quartic: f32) -> Vec<f32> {
        let index = node.0 as usize;
        let own = match &self.fans {
            Known::Kept(table) => table.own(index),
            Known::Opened(fans) => &fans[index].get_or_init(|| self.open(node)).own,
        };
        errors_of_each(own, goals, quartic)
    }

    fn open(&self, node: NodeId) -> Fan {
        let start = Tracer::at(self.graph.root_at(node));
        let edges = self.graph.edges_from(node);
        let transitions = edges.filter(|(_, edge)| edge.kind() != EdgeKind::Play);
        let own: Vec<Way> = transitions
            .map(|(id, _)| self.through(id, &start))
            .collect();
        Fan {
            groups: grouped(&thin_out(self.ways(node))),
            own: grouped(&own),
        }
    }

    /// Every way: on along the clip, or at some node within reach through a transition.
    pub(crate) fn ways(&self, start: NodeId) -> Vec<Way> {
        let mut tracer = Tracer::at(self.graph.root_at(start));
        let mut ways = Vec::new();
        let mut node = Some(start);
        while let Some(here) = node.filter(|_| !tracer.is_full()) {
            node = None;
            for (id, edge) in self.graph.edges_from(here) {
                if !self.allowed.allows(id) {
                    continue;
                }
                if edge.kind() == EdgeKind::Play {
                    node = Some(edge.to);
                } else {
                    ways.push(self.through(id, &tracer));
                }
            }
            if node.is_some() {
                let edge = &self.graph.layout().edges_from(here)[0];
                tracer.follow(&Rigid::IDENTITY, self.graph.trace(edge));
            }
        }
        if tracer.is_full() || ways.is_empty() {
            ways.push(tracer.straight_on());
        }
        ways
    }

    /// The way of `tracer` continued through a transition and then along the clip.
    fn through(&self, id: EdgeId, tracer: &Tracer) -> Way {
        let mut tracer = tracer.clone();
        let edge = self.graph.edge(id);
        tracer.follow(&Rigid::IDENTITY, self.graph.trace(edge));
        if !tracer.is_full() {
            let at = self.graph.after(edge, &Rigid::IDENTITY);
            let run = self.allowed.run(edge.to) as usize;
            let place = self.graph.layout().places[edge.to.0 as usize];
            tracer.follow(&at, self.graph.along(place, run));
        }
        tracer.straight_on()
    }
}

impl FanTable {
    /// Opens every node's fan.
    pub fn new(graph: &impl Edges) -> Self {
        let everything = Allowed::new(graph, Wanted::ANYTHING);
        let fans = Fans {
            graph,
            allowed: &everything,
            fans: Known::Opened(Vec::new()),
        };
        let nodes = 0..graph.layout().places.len() as u32;
        let opened: Vec<Fan> = nodes
            .into_par_iter()
            .map(|node| fans.open(NodeId(node)))
            .collect();
        let (mut first, mut groups) = (vec![0], Vec::new());
        let (mut own_first, mut own) = (vec![0], Vec::new());
        for fan in opened {
            groups.extend(fan.groups);
            first.push(groups.len() as u32);
            own.extend(fan.own);
            own_first.push(own.len() as u32);
        }
        Self {
            first: first.into(),
            groups: groups.into(),
            own_first: own_first.into(),
            own: own.into(),
        }
    }

    fn own(&self, node: usize) -> &[Group] {
        &self.own[self.own_first[node] as usize..self.own_first[node + 1] as usize]
    }

    fn groups(&self, node: usize) -> &[Group] {
        &self.groups[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Whether it can be a table of so many nodes.
    pub(crate) fn fits(&self, nodes: usize) -> bool {
        let whole = |first: &[u32], rows: usize| {
            first.len() == nodes + 1 && first.last().map(|end| *end as usize) == Some(rows)
        };
        whole(&self.first, self.groups.len()) && whole(&self.own_first, self.own.len())
    }
}

/// Eight ways side by side.
fn grouped(ways: &[Way]) -> Box<[Group]> {
    let groups = ways.chunks(LANES).map(|chunk| {
        let mut group: Group = [[[NOWHERE; LANES]; 2]; SAMPLES];
        for (lane, way) in chunk.iter().enumerate() {
            for (place, [x, z]) in group.iter_mut().zip(way) {
                place[0][lane] = *x;
                place[1][lane] = *z;
            }
        }
        group
    });
    groups.collect()
}

/// The errors of all ways, in their order; eight at a time where the machine can.
fn errors_of_each(groups: &[Group], goals: &[[f32; 2]], quartic: f32) -> Vec<f32> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function asks for.
        #[allow(unsafe_code)]
        return unsafe { errors_of_each_avx2(groups, goals, quartic) };
    }
    errors_of_each_anywhere(groups, goals, quartic)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn errors_of_each_avx2(groups: &[Group], goals: &[[f32; 2]], quartic: f32) -> Vec<f32> {
    errors_of_each_anywhere(groups, goals, quartic)
}

#[inline(always)]
fn errors_of_each_anywhere(groups: &[Group], goals: &[[f32; 2]], quartic: f32) -> Vec<f32> {
    let mut errors = Vec::with_capacity(groups.len() * LANES);
    for group in groups {
        errors.extend_from_slice(&errors_of(group, goals, quartic));
    }
    errors
}

/// The least error of any way, or `below` if none is smaller; eight ways at a time where the machine can.
fn least_of(groups: &[Group], goals: &[[f32; 2]], quartic: f32, below: f32) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function asks for.
        #[allow(unsafe_code)]
        return unsafe { least_of_avx2(groups, goals, quartic, below) };
    }
    least_of_anywhere(groups, goals, quartic, below)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn least_of_avx2(groups: &[Group], goals: &[[f32; 2]], quartic: f32, below: f32) -> f32 {
    least_of_anywhere(groups, goals, quartic, below)
}

/// Never fused, so that it gives the same bits everywhere.
#[inline(always)]
fn least_of_anywhere(groups: &[Group], goals: &[[f32; 2]], quartic: f32, below: f32) -> f32 {
    match goals.last() {
        Some(_) if below < f32::INFINITY => least_below(groups, goals, quartic, below),
        _ => least_of_all(groups, goals, quartic),
    }
}

#[inline(always)]
fn least_of_all(groups: &[Group], goals: &[[f32; 2]], quartic: f32) -> f32 {
    let mut least = [f32::INFINITY; LANES];
    for group in groups {
        let sums = errors_of(group, goals, quartic);
        for lane in 0..LANES {
            // `min` looks for NaN, which there is none of.
            least[lane] = if sums[lane] < least[lane] {
                sums[lane]
            } else {
                least[lane]
            };
        }
    }
    least.into_iter().fold(f32::INFINITY, f32::min)
}

/// A sum is at least its last part. Where that is too much nearly always, a quarter is read of nearly all
/// groups; where it is not, looking first costs more than it saves.
#[inline(always)]
fn least_below(groups: &[Group], goals: &[[f32; 2]], quartic: f32, below: f32) -> f32 {
    let last = goals.len() - 1;
    let mut least = below;
    for group in groups {
        let ends = errors_at(&group[last], &goals[last], quartic);
        if ends.iter().any(|end| *end < least) {
            let sums = errors_of(group, goals, quartic);
            least = sums.into_iter().fold(least, f32::min);
        }
    }
    least
}

/// The errors of eight ways.
#[inline(always)]
fn errors_of(group: &Group, goals: &[[f32; 2]], quartic: f32) -> [f32; LANES] {
    let mut sums = [0.0; LANES];
    for (places, goal) in group.iter().zip(goals) {
        let errors = errors_at(places, goal, quartic);
        for lane in 0..LANES {
            sums[lane] += errors[lane];
        }
    }
    sums
}

/// What eight ways' places after one stretch add to their errors.
#[inline(always)]
fn errors_at([xs, zs]: &[[f32; LANES]; 2], [x, z]: &[f32; 2], quartic: f32) -> [f32; LANES] {
    std::array::from_fn(|lane| {
        let (dx, dz) = (xs[lane] - x, zs[lane] - z);
        let squared = dx * dx + dz * dz;
        squared + quartic * squared * squared
    })
}

/// Follows a root and notes where it is after every stretch of travel.
#[derive(Clone, Debug)]
struct Tracer {
    origin: [f64; 2],
    way: Way,
    filled: usize,
    travelled: f64,
    last: [f64; 2],
    before: [f64; 2],
}

impl Tracer {
    fn at(root: Planar) -> Self {
        let origin = [root.x, root.z];
        let (way, last) = ([[0.0; 2]; SAMPLES], origin);
        Self {
            origin,
            way,
            filled: 0,
            travelled: 0.0,
            last,
            before: origin,
        }
    }

    fn is_full(&self) -> bool {
        self.filled == SAMPLES
    }

    /// Goes on through a trace placed by `at`.
    fn follow(&mut self, at: &Rigid, Trace { points, arcs }: Trace) {
        let (Some(&first), Some(&start)) = (points.first(), arcs.first()) else {
            return;
        };
        let before = self.travelled + apart(self.last, at.point32(first));
        let mut index = 0;
        while !self.is_full() {
            let left = (self.filled + 1) as f64 * STRETCH - before;
            index += first_at(&arcs[index..], |arc| f64::from(arc - start) >= left);
            let Some(&point) = points.get(index) else {
                break;
            };
            self.note(at.point32(point));
        }
        let end = points.len() - 1;
        self.travelled = before + f64::from(arcs[end] - start);
        self.before = if end > 0 {
            at.point32(points[end - 1])
        } else {
            self.last
        };
        self.last = at.point32(points[end]);
    }

    /// The way, its open end filled up straight ahead.
    fn straight_on(&self) -> Way {
        let mut tracer = self.clone();
        let step = apart(self.before, self.last).max(1e-6);
        while !tracer.is_full() {
            let left = (tracer.filled + 1) as f64 * STRETCH - self.travelled;
            tracer.note(between(self.before, self.last, 1.0 + left / step));
        }
        tracer.way
    }

    fn note(&mut self, point: [f64; 2]) {
        let relative = [point[0] - self.origin[0], point[1] - self.origin[1]];
        self.way[self.filled] = relative.map(|value| value as f32);
        self.filled += 1;
    }
}

/// The first of rising values that has come far enough, looked for from the start on in growing
/// steps: it is near, and the end of a clip is not.
fn first_at(arcs: &[f32], is_there: impl Fn(f32) -> bool) -> usize {
    let mut end = 8;
    while arcs.get(end).is_some_and(|arc| !is_there(*arc)) {
        end *= 2;
    }
    let near = &arcs[..arcs.len().min(end)];
    near.partition_point(|arc| !is_there(*arc))
}

/// At most [`MOST_WAYS`], evenly over the directions of their ends.
fn thin_out(mut ways: Vec<Way>) -> Vec<Way> {
    if ways.len() <= MOST_WAYS {
        return ways;
    }
    ways.sort_by_cached_key(|way| {
        let [x, z] = way[SAMPLES - 1];
        (x.atan2(z) * 1e6) as i32
    });
    let last = ways.len() - 1;
    (0..MOST_WAYS)
        .map(|k| ways[k * last / (MOST_WAYS - 1)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_error_is_that_of_all_ways_one_by_one() {
        let mut random = afoot_search::Random::new(7);
        let mut place = |reach: f64| [0; 2].map(|_| (reach * (random.unit() - 0.5)) as f32);
        for count in [1, 8, 30] {
            let ways: Vec<Way> = (0..count)
                .map(|_| std::array::from_fn(|_| place(1.0)))
                .collect();
            let goals: Way = std::array::from_fn(|_| place(1.0));
            for ahead in 1..=SAMPLES {
                let error = |way: &Way| {
                    let apart = |(p, g): (&[f32; 2], &[f32; 2])| {
                        let squared = (p[0] - g[0]).powi(2) + (p[1] - g[1]).powi(2);
                        squared + 40.0 * squared * squared
                    };
                    way.iter().zip(&goals[..ahead]).map(apart).sum::<f32>()
                };
                let least = ways.iter().map(error).fold(f32::INFINITY, f32::min);
                let of = |below| least_of(&grouped(&ways), &goals[..ahead], 40.0, below);
                assert!((of(f32::INFINITY) - least).abs() <= 1e-5 * least);
                assert_eq!(of(2.0 * least), of(f32::INFINITY));
                assert_eq!(of(0.5 * least), 0.5 * least);
            }
        }
    }

    #[test]
    fn what_is_near_is_found_as_in_the_whole() {
        for length in 0..70 {
            let arcs: Vec<f32> = (0..length).map(|frame| (frame / 2) as f32).collect();
            for wanted in 0..40 {
                let there = |arc: f32| arc >= wanted as f32;
                let expected = arcs.partition_point(|arc| !there(*arc));
                assert_eq!(first_at(&arcs, there), expected, "{wanted} of {length}");
            }
        }
    }
}
