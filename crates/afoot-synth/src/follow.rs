//! Path synthesis.

use std::sync::atomic::AtomicBool;

use afoot_core::Planar;
use afoot_graph::{EdgeId, NodeId};
use afoot_search::{BeamOptions, BeamSearch, Problem, Staged};

use crate::guide::{Guide, GuideOptions};
use crate::path::GroundPath;
use crate::repertoire::Repertoire;
use crate::walk::GraphWalk;

/// Options.
#[derive(Clone, Debug)]
pub struct FollowOptions<'a> {
    /// Guide.
    pub guide: GuideOptions,
    /// Beam.
    pub width: usize,
    /// Stage length.
    pub stage: f64,
    /// Buckets.
    pub lateral: f64,
    /// Buckets.
    pub heading: f64,
    /// quartic
    pub quartic: f64,
    /// per metre weight
    pub by_distance: f64,
    /// look-ahead weight
    pub look: f64,
    /// look-ahead weight
    pub look2: f64,
    /// min progress
    pub least_progress: f64,
    /// Cancel.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for FollowOptions<'_> {
    fn default() -> Self {
        Self {
            guide: GuideOptions::default(),
            width: 300,
            stage: 0.05,
            lateral: 0.03,
            heading: 0.1,
            quartic: 100.0,
            by_distance: 0.0,
            look: 0.0,
            look2: 0.0,
            least_progress: 0.004,
            cancel: None,
        }
    }
}

/// Finds a walk.
pub fn find_walk(
    repertoire: &Repertoire,
    path: &GroundPath,
    tables: &Fan,
    options: &FollowOptions,
) -> Option<(GraphWalk, u64, f64)> {
    let guide = path.guide(&options.guide);
    let problem = Following { tables, repertoire, guide: &guide, options };
    let starts: Vec<(f64, Spot)> = problem.starts().into_iter().map(|s| (0.0, s)).collect();
    let begin = starts.clone();
    let search = BeamSearch::new(
        &problem,
        starts,
        BeamOptions { width: options.width, cancel: options.cancel, ..Default::default() },
    );
    let found = search.finish();
    let best = found.walks.into_iter().next()?;
    let first = repertoire.graph().edges[best.steps[0].0 as usize].from;
    let spot = begin.iter().find(|(_, s)| s.node == first.0)?.1;
    let walk = GraphWalk {
        start: first,
        placement: Planar::new(spot.at.x, spot.at.z, spot.at.sin.atan2(spot.at.cos)),
        edges: best.steps,
        spare: best.end.spare,
    };
    Some((walk, found.expanded, best.error))
}

#[derive(Clone, Copy, Debug)]
struct Rigid {
    x: f64,
    z: f64,
    sin: f64,
    cos: f64,
}

impl Rigid {
    fn new(planar: Planar) -> Self {
        let (sin, cos) = planar.yaw.sin_cos();
        Self { x: planar.x, z: planar.z, sin, cos }
    }
    #[inline(always)]
    fn point(&self, [x, z]: [f32; 2]) -> [f64; 2] {
        let (x, z) = (f64::from(x), f64::from(z));
        [x * self.cos + z * self.sin + self.x, z * self.cos - x * self.sin + self.z]
    }
    fn then_after(&self, inner: &Self) -> Self {
        Self {
            x: inner.x * self.cos + inner.z * self.sin + self.x,
            z: inner.z * self.cos - inner.x * self.sin + self.z,
            sin: self.sin * inner.cos + self.cos * inner.sin,
            cos: self.cos * inner.cos - self.sin * inner.sin,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Spot {
    node: u32,
    spare: u32,
    done: bool,
    along: f64,
    last: [f64; 2],
    at: Rigid,
}

struct Following<'a> {
    tables: &'a Fan,
    repertoire: &'a Repertoire<'a>,
    guide: &'a Guide,
    options: &'a FollowOptions<'a>,
}

impl Following<'_> {
    fn starts(&self) -> Vec<Spot> {
        let graph = self.repertoire.graph();
        let mut out = Vec::new();
        for node in 0..graph.nodes.len() {
            let id = NodeId(node as u32);
            let root = self.repertoire.root_at(id);
            // travel direction in clip over the first outgoing play
            let place = graph.nodes[node];
            let clip = &self.repertoire.clips()[place.clip.index()];
            let f0 = place.frame.index().min(clip.len() - 1);
            let f1 = (f0 + 10).min(clip.len() - 1);
            let d = clip.root[f1] - clip.root[f0];
            let yaw = if d.length() > 0.1 { f64::from(d.x).atan2(f64::from(d.z)) } else { root.yaw };
            let first = self.guide.point_at(0.0);
            let ahead = self.guide.point_at(f64::from(d.length()).max(0.1));
            let want = (ahead[0] - first[0]).atan2(ahead[1] - first[1]);
            let to = Planar::new(first[0], first[1], want);
            let from = Planar::new(root.x, root.z, yaw);
            let at = Rigid::new(Planar::carrying(from, to));
            out.push(Spot { node: id.0, spare: 0, done: false, along: 0.0, last: first, at });
        }
        out
    }
}

impl Problem for Following<'_> {
    type State = Spot;
    type Step = EdgeId;

    fn successors(&self, state: &Spot, mut out: impl FnMut(EdgeId, f64, Spot)) {
        let graph = self.repertoire.graph();
        let first = graph.first_edge[state.node as usize];
        let length = self.guide.length();
        for (index, edge) in graph.edges_from(NodeId(state.node)).iter().enumerate() {
            let id = EdgeId(first + index as u32);
            let mut along = state.along;
            let mut error = 0.0;
            let mut last = state.last;
            let trace = self.repertoire.trace(id);
            let mut spare = 0;
            let mut done = false;
            let mut lost = false;
            for (k, &point) in trace.iter().enumerate() {
                last = state.at.point(point);
                let (a, d2) = self.guide.advance(last, along, self.options.least_progress, 0.15);
                along = a;
                error += d2 + self.options.quartic * d2 * d2;
                lost |= d2 > 1.0;
                if along >= length - 1e-6 {
                    done = true;
                    spare = (trace.len() - 1 - k) as u32;
                    break;
                }
            }
            if (last[0] - last[0]).abs() > 1.0 || lost { continue; }
            let at = match self.repertoire.exit(edge) {
                Some(exit) => state.at.then_after(&Rigid::new(exit)),
                None => state.at,
            };
            out(id, error, Spot { node: edge.to.0, spare, done, along, last, at });
        }
    }

    fn is_complete(&self, state: &Spot) -> bool {
        state.done
    }

    fn lower_bound(&self, state: &Spot) -> f64 {
        if self.options.look == 0.0 { return 0.0; }
        let fan = &self.tables;
        let mut goals = [[0.0f32; 2]; SAMPLES];
        let root = self.repertoire.root_at(NodeId(state.node));
        for (k, goal) in goals.iter_mut().enumerate() {
            let ahead = state.along + fan.step * (k + 1) as f64;
            let to = self.guide.point_at(ahead);
            let (dx, dz) = (to[0] - state.last[0], to[1] - state.last[1]);
            *goal = [(dx * state.at.cos - dz * state.at.sin) as f32, (dz * state.at.cos + dx * state.at.sin) as f32];
        }
        let _ = root;
        let left = ((self.guide.length() - state.along) / fan.step) as usize;
        self.options.look * f64::from(fan.least(state.node, &goals, left.min(SAMPLES), self.options.quartic as f32))
    }
}

impl Staged for Following<'_> {
    fn stage(&self, state: &Spot) -> u64 {
        (state.along / self.options.stage) as u64
    }

    fn bucket(&self, state: &Spot) -> u64 {
        let p = self.guide.point_at(state.along);
        let yaw = self.guide.yaw_at(state.along);
        let (sin, cos) = yaw.sin_cos();
        let lateral = (state.last[0] - p[0]) * cos - (state.last[1] - p[1]) * sin;
        let heading = state.at.sin.atan2(state.at.cos) - yaw;
        let q = |v: f64, s: f64| ((v / s).round() as i64 & 0xffff) as u64;
        u64::from(state.node) << 32 | q(lateral, self.options.lateral) << 16 | q(heading, self.options.heading)
    }
}


pub const SAMPLES: usize = 4;
/// The fan of motion that starts at each node.
#[derive(Debug)]
pub struct Fan { pub step: f64, frames: f32, first: Vec<u32>, x: Vec<[f32; 8]>, z: Vec<[f32; 8]> }

impl Fan {
    /// Enumerate.
    pub fn new(repertoire: &Repertoire, step: f64, jumps: u32) -> Self {
        let nodes = repertoire.graph().nodes.len();
        let (mut first, mut x, mut z) = (vec![0u32], Vec::new(), Vec::new());
        let mut count = 0usize;
        for node in 0..nodes {
            let mut ends: Vec<[[f32; 2]; SAMPLES]> = Vec::new();
            let root = repertoire.root_at(NodeId(node as u32));
            let g = Grow { r: repertoire, step, root: [root.x, root.z] };
            g.grow(node as u32, Rigid::new(Planar::IDENTITY), [root.x, root.z], (0.0, 0), [[0.0; 2]; SAMPLES], jumps, &mut ends);
            count += ends.len();
            for group in ends.chunks(8) {
                for j in 0..SAMPLES {
                    let mut gx = [1e3f32; 8]; let mut gz = [1e3f32; 8];
                    for (k, e) in group.iter().enumerate() { gx[k] = e[j][0]; gz[k] = e[j][1]; }
                    x.push(gx); z.push(gz);
                }
            }
            first.push(x.len() as u32);
        }
        eprintln!("fan: {} ends per node", count / nodes);
        Self { step, frames: (step / 0.043) as f32, first, x, z }
    }
    fn least(&self, node: u32, goals: &[[f32; 2]; SAMPLES], samples: usize, quartic: f32) -> f32 {
        let mut best = [f32::INFINITY; 8];
        let (from, to) = (self.first[node as usize] as usize, self.first[node as usize + 1] as usize);
        let (xs, zs) = (&self.x[from..to], &self.z[from..to]);
        for (gx, gz) in xs.chunks_exact(SAMPLES).zip(zs.chunks_exact(SAMPLES)) {
            let mut sum = [0.0f32; 8];
            for j in 0..samples {
                for k in 0..8 {
                    let (dx, dz) = (gx[j][k] - goals[j][0], gz[j][k] - goals[j][1]);
                    let d2 = dx * dx + dz * dz;
                    sum[k] += d2 + quartic * d2 * d2;
                }
            }
            for k in 0..8 { best[k] = best[k].min(sum[k]); }
        }
        self.frames * best.iter().copied().fold(f32::INFINITY, f32::min)
    }
}

struct Grow<'a> { r: &'a Repertoire<'a>, step: f64, root: [f64; 2] }
impl Grow<'_> {
    fn grow(&self, node: u32, at: Rigid, last: [f64; 2], (arc, sample): (f64, usize), path: [[f32; 2]; SAMPLES], jumps: u32, ends: &mut Vec<[[f32; 2]; SAMPLES]>) {
        let graph = self.r.graph();
        let first = graph.first_edge[node as usize];
        for (index, edge) in graph.edges_from(NodeId(node)).iter().enumerate() {
            let jump = edge.kind != afoot_graph::EdgeKind::Play;
            if jump && jumps == 0 { continue; }
            let (mut last, mut arc, mut sample, mut path) = (last, arc, sample, path);
            for &point in self.r.trace(EdgeId(first + index as u32)) {
                let p = at.point(point);
                arc += (p[0] - last[0]).hypot(p[1] - last[1]);
                last = p;
                while sample < SAMPLES && arc >= self.step * (sample + 1) as f64 {
                    path[sample] = [(p[0] - self.root[0]) as f32, (p[1] - self.root[1]) as f32];
                    sample += 1;
                }
                if sample == SAMPLES { break; }
            }
            if sample == SAMPLES { ends.push(path); continue; }
            let at = match self.r.exit(edge) { Some(exit) => at.then_after(&Rigid::new(exit)), None => at };
            self.grow(edge.to.0, at, last, (arc, sample), path, jumps - u32::from(jump), ends);
        }
    }
}
