//! Planning on an embedded graph against search trees computed beforehand (Lau and Kuffner 2006).
//!
//! A tree holds all sequences of moves from a choice, unrolled once without a world, the shortest to each
//! place, heading and choice. In a world the nodes that lie in the goal's cell are followed back, shortest
//! first, until one is free of collisions all along. Both planners get the same questions: from a
//! choice at a place with a heading to a cell. The moves are drawn: 60 choices, seven ways from each.
//!
//!     cargo bench -p afoot-world --bench search_trees

#![allow(clippy::unwrap_used, clippy::print_stdout)] // it measures, and says what it found

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::f64::consts::TAU;
use std::time::Instant;

use afoot_core::{FrameRate, Planar};
use afoot_graph::{LabelSet, NodeId};
use afoot_run::Run;
use afoot_search::Random;
use afoot_world::room::{Room, Standing};
use afoot_world::{
    ChoiceId, EditOptions, EmbedOptions, Embedding, Ends, FreeWays, Move, Moves, PathSearch,
    StateId, World, embed,
};

const ROOM: &str = r#"{"bounds": [[0,0],[7,8]], "radius": 0.25, "obstacles": [{"circle": [1.6,1.5,0.3]},
    {"circle": [3.2,2.2,0.3]}, {"circle": [4.3,1.3,0.3]}, {"circle": [5.6,2.4,0.3]}, {"circle": [1.2,5.2,0.3]},
    {"circle": [3.0,6.2,0.3]}, {"circle": [4.4,5.6,0.3]}, {"polygon": [[5.8,6.4],[6.5,6.4],[6.5,7.4],[5.8,7.4]]}]}"#;
const QUESTIONS: usize = 300;
/// Nodes of a tree at most: it is one of 60.
const MOST_NODES: usize = 60_000;
/// A tree reaches across the room. [m]
const REACH: f64 = 10.0;

fn main() {
    let (moves, world) = (drawn_moves(), World::from_json(ROOM).unwrap());
    let options = EmbedOptions {
        edit: EditOptions::of_size(25.0),
        ..EmbedOptions::default()
    };
    let begun = Instant::now();
    let embedding = embed(&moves, &world, &options, &Run::quiet()).unwrap();
    let embedded = begun.elapsed().as_secs_f64();
    let ways = FreeWays::new(&world, &embedding.grid, world.radius);
    let questions = questions(&embedding, &ways);
    let mut trees = BTreeMap::new();
    let begun = Instant::now();
    for (start, _) in &questions {
        let choice = embedding.parts(*start).0;
        trees
            .entry(choice)
            .or_insert_with(|| Tree::new(&moves, choice));
    }
    let grown = begun.elapsed().as_secs_f64();
    let nodes: usize = trees.values().map(|tree| tree.nodes.len()).sum();
    println!(
        "embedded graph: {} states, {} links, {embedded:.2} s",
        embedding.nodes, embedding.links
    );
    println!("{} trees: {nodes} nodes, {grown:.2} s", trees.len());
    let mut search = PathSearch::new(&embedding);
    let on_graph = ask(&questions, &ways, &embedding, |start, goal, left| {
        let ends = Ends {
            starts: &[start],
            goal,
            heading: None,
        };
        search.find(&ends, left).map(|path| path.length)
    });
    let standing = Standing::new(&world);
    let on_trees = ask(&questions, &ways, &embedding, |start, goal, _| {
        let tree = &trees[&embedding.parts(start).0];
        tree.plan(
            &moves,
            (&standing, world.radius),
            embedding.pose(start),
            embedding.grid.centre(goal),
        )
    });
    for (name, told) in [("embedded graph", on_graph), ("search trees", on_trees)] {
        println!(
            "{name}: {:.3} ms in the median, {:.3} ms at the 95th percentile; {} of {QUESTIONS} reached, {:.4} times the free way in the median",
            told.median, told.p95, told.reached, told.ratio
        );
    }
}

struct Told {
    median: f64,
    p95: f64,
    reached: usize,
    ratio: f64,
}

fn ask(
    questions: &[(StateId, afoot_world::CellId)],
    ways: &FreeWays,
    embedding: &Embedding,
    mut plan: impl FnMut(StateId, afoot_world::CellId, &Vec<f32>) -> Option<f64>,
) -> Told {
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    for (start, goal) in questions {
        // Both may know the shortest free ways: they belong to the world, not to the motion.
        let left = ways.to(*goal);
        let begun = Instant::now();
        let found = plan(*start, *goal, &left);
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        let free = f64::from(left[embedding.parts(*start).2.0 as usize]);
        ratios.extend(found.map(|length| length / free));
    }
    let at = |values: &mut Vec<f64>, share: f64| {
        values.sort_by(f64::total_cmp);
        let last = values.len().saturating_sub(1) as f64;
        values
            .get((share * last) as usize)
            .copied()
            .unwrap_or(f64::NAN)
    };
    Told {
        median: at(&mut times, 0.5),
        p95: at(&mut times, 0.95),
        reached: ratios.len(),
        ratio: at(&mut ratios, 0.5),
    }
}

/// States and free cells that a free way joins.
fn questions(embedding: &Embedding, ways: &FreeWays) -> Vec<(StateId, afoot_world::CellId)> {
    let mut random = Random::new(7);
    let mut found = Vec::new();
    while found.len() < QUESTIONS {
        let start = StateId(random.below(embedding.states() as usize) as u32);
        let goal = afoot_world::CellId(random.below(embedding.free.len()) as u32);
        if embedding.holds(start) && ways.is_free(goal) && embedding.parts(start).2 != goal {
            found.push((start, goal));
        }
    }
    found
}

/// Seven arcs from each of 60 choices: 0.4 to 1.2 m, up to 60 degrees to either side.
fn drawn_moves() -> Moves {
    let (choices, mut random) = (60, Random::new(11));
    let mut list = Vec::new();
    for from in 0..choices {
        for way in 0..7 {
            let to = if way == 0 {
                (from + 1) % choices
            } else {
                random.below(choices as usize) as u32
            };
            let (length, turn) = (
                random.between(0.4, 1.2),
                random.between(-TAU / 6.0, TAU / 6.0),
            );
            let frames = (length / 1.2 * 30.0).ceil() as usize;
            let mut poses = vec![Planar::IDENTITY];
            for frame in 0..frames {
                let yaw = turn * (frame as f64 + 0.5) / frames as f64;
                let step = length / frames as f64;
                let at = poses[frame];
                let next = turn * (frame + 1) as f64 / frames as f64;
                poses.push(Planar::new(
                    at.x + step * yaw.sin(),
                    at.z + step * yaw.cos(),
                    next,
                ));
            }
            list.push(Move {
                from: ChoiceId(from),
                to: ChoiceId(to),
                labels: vec![LabelSet(1); frames],
                poses,
                slack: 1.0,
                edges: Vec::new(),
            });
        }
    }
    let nodes = (0..choices).map(NodeId).collect();
    Moves::new(
        FrameRate::new(30, 1).unwrap(),
        vec!["walk".into()],
        nodes,
        list,
    )
}

/// All that a choice leads to.
struct Tree {
    nodes: Vec<Node>,
    /// Nodes by the cell they lie in, the nearest along the tree first.
    at: BTreeMap<[i32; 2], Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    step: u32,
    pose: Planar,
    length: f64,
}

const CELL: f64 = 0.2;

fn cell_of(x: f64, z: f64) -> [i32; 2] {
    [x, z].map(|at| (at / CELL).round() as i32)
}

impl Tree {
    fn new(moves: &Moves, choice: ChoiceId) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            at: BTreeMap::new(),
        };
        let (mut front, mut seen, mut waiting) = (BinaryHeap::new(), HashSet::new(), Vec::new());
        let root = Node {
            parent: 0,
            step: u32::MAX,
            pose: Planar::IDENTITY,
            length: 0.0,
        };
        waiting.push((root, choice));
        front.push((Reverse(0u64), 0usize));
        while let Some((_, index)) = front.pop() {
            let (node, choice) = waiting[index];
            let Planar { x, z, yaw, .. } = node.pose;
            let heading = (yaw.rem_euclid(TAU) / TAU * 18.0).round() as i32 % 18;
            if !seen.insert((cell_of(x, z), heading, choice)) || x.hypot(z) > REACH {
                continue;
            }
            if tree.nodes.len() == MOST_NODES {
                break;
            }
            let id = tree.nodes.len() as u32;
            tree.nodes.push(node);
            tree.at.entry(cell_of(x, z)).or_default().push(id);
            for (step, motion) in moves.from(choice) {
                let next = Node {
                    parent: id,
                    step: step.0,
                    pose: node.pose.then_after(motion.end()),
                    length: node.length + motion.length(),
                };
                front.push((Reverse(next.length.to_bits()), waiting.len()));
                waiting.push((next, motion.to));
            }
        }
        tree
    }

    /// Length of the shortest branch from a pose to within half a cell of a goal that touches nothing.
    fn plan(
        &self,
        moves: &Moves,
        (room, radius): (&Standing, f64),
        start: Planar,
        goal: [f64; 2],
    ) -> Option<f64> {
        let [x, z] = start.inverse().point(goal);
        // Nothing is known of a branch until it is asked for; then it is kept for this question.
        let mut known: BTreeMap<u32, bool> = BTreeMap::new();
        let ends = self.at.get(&cell_of(x, z))?;
        let free = ends.iter().find(|end| {
            **end != 0 && self.is_free(**end, (moves, start), (room, radius), &mut known)
        });
        free.map(|end| self.nodes[*end as usize].length)
    }

    fn is_free(
        &self,
        end: u32,
        (moves, start): (&Moves, Planar),
        (room, radius): (&Standing, f64),
        known: &mut BTreeMap<u32, bool>,
    ) -> bool {
        let mut branch = vec![];
        let (mut at, mut is_free) = (end, true);
        while at != 0 {
            if let Some(before) = known.get(&at) {
                is_free = *before;
                break;
            }
            branch.push(at);
            at = self.nodes[at as usize].parent;
        }
        for id in branch.into_iter().rev() {
            if is_free {
                let node = &self.nodes[id as usize];
                let from = start.then_after(self.nodes[node.parent as usize].pose);
                let poses = moves.list[node.step as usize].poses.iter();
                let points: Vec<[f64; 2]> =
                    poses.map(|pose| from.point([pose.x, pose.z])).collect();
                is_free = points
                    .windows(2)
                    .all(|pair| room.segment_clears([pair[0], pair[1]], radius));
            }
            known.insert(id, is_free);
        }
        is_free
    }
}
