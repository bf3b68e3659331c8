//! Every link of an embedded graph, and every one that is missing, held against a simulator that shares
//! nothing with it but the definitions: equation 3, the way a move is bent, circles and polygons.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use std::collections::{BTreeMap, BTreeSet};

use afoot_core::{Planar, wrap_angle};
use afoot_graph::LabelSet;
use afoot_run::Run;
use afoot_world::{
    CellId, ChoiceId, Connect, EditOptions, EditShape, EmbedOptions, Embedding, Move, Moves,
    Obstacle, World, embed,
};
use support::walker;

const ROOM: &str = r#"{"bounds": [[0,0],[3.6,3.2]], "radius": 0.187,
    "obstacles": [{"circle": [1.13,1.04,0.307]}, {"polygon": [[2.213,1.517],[2.729,1.517],[2.729,1.613],[2.213,1.613]]}],
    "regions": [{"polygon": [[-1,2.233],[2.031,2.233],[2.031,2.419],[-1,2.419]], "only": ["step"]}]}"#;

/// A link: choice, heading and cell it leaves, the move, and what it leads to.
type Link = ([u32; 3], u32, [u32; 3]);

/// Why a link is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    BeyondLimits,
    Outside,
    Collision,
    Rule,
}

struct Simulator<'a> {
    moves: &'a Moves,
    world: &'a World,
    options: EmbedOptions,
    size: [i32; 2],
    headings: i32,
}

impl Simulator<'_> {
    fn centre(&self, [i, j]: [i32; 2]) -> [f64; 2] {
        let cell = self.options.cell;
        [(f64::from(i) + 0.5) * cell, (f64::from(j) + 0.5) * cell]
    }

    fn yaw(&self, heading: i32) -> f64 {
        f64::from(heading) * self.options.yaw
    }

    /// All links, and for each pair of move and end that is none a reason.
    fn links(&self) -> (BTreeSet<Link>, BTreeMap<Reason, u64>, BTreeSet<Link>) {
        let mut reasons = BTreeMap::new();
        let (mut links, mut unsure) = (BTreeSet::new(), BTreeSet::new());
        for (index, step) in self.moves.list.iter().enumerate() {
            for heading in 0..self.headings {
                for end in self.ends_near(step, heading) {
                    let Some(way) = self.bent(step, heading, end) else {
                        *reasons.entry(Reason::BeyondLimits).or_insert(0) += 1;
                        continue;
                    };
                    for j in 0..self.size[1] {
                        for i in 0..self.size[0] {
                            let link = self.link(index, step, heading, [i, j], end);
                            match self.walk(step, &way, [i, j], end) {
                                Ok(margin) => {
                                    if let Some(link) = link {
                                        links.insert(link);
                                        if margin.abs() < 2e-4 {
                                            unsure.insert(link);
                                        }
                                    }
                                }
                                Err((reason, margin)) => {
                                    *reasons.entry(reason).or_insert(0) += 1;
                                    if margin.abs() < 2e-4 {
                                        unsure.extend(link);
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        (links, reasons, unsure)
    }

    fn link(
        &self,
        index: usize,
        step: &Move,
        heading: i32,
        [i, j]: [i32; 2],
        end: [i32; 3],
    ) -> Option<Link> {
        let (x, z) = (i + end[0], j + end[1]);
        let inside = x >= 0 && z >= 0 && x < self.size[0] && z < self.size[1];
        let cell = |i: i32, j: i32| (j * self.size[0] + i) as u32;
        inside.then(|| {
            (
                [step.from.0, heading as u32, cell(i, j)],
                index as u32,
                [
                    step.to.0,
                    end[2].rem_euclid(self.headings) as u32,
                    cell(x, z),
                ],
            )
        })
    }

    /// Ends in cells' middles that might do, and more.
    fn ends_near(&self, step: &Move, heading: i32) -> Vec<[i32; 3]> {
        let end = Planar::new(0.0, 0.0, self.yaw(heading)).then_after(step.end());
        let cell = self.options.cell;
        let middle = [end.x / cell, end.z / cell].map(|at| at.round() as i32);
        let yaw = ((self.yaw(heading) + step.end().yaw) / self.options.yaw).round() as i32;
        let mut ends = Vec::new();
        for dx in -3..=3 {
            for dz in -3..=3 {
                for turn in -3..=3 {
                    ends.push([middle[0] + dx, middle[1] + dz, yaw + turn]);
                }
            }
        }
        ends
    }

    /// The way to an end, if equation 3 allows it; it does at every frame then.
    fn bent(&self, step: &Move, heading: i32, end: [i32; 3]) -> Option<Vec<[f64; 3]>> {
        let edit = &self.options.edit;
        let count = step.poses.len();
        let start = self.yaw(heading);
        let mut arcs = vec![0.0];
        for pair in step.poses.windows(2) {
            let far = ((pair[1].x - pair[0].x).powi(2) + (pair[1].z - pair[0].z).powi(2)).sqrt();
            arcs.push(arcs[arcs.len() - 1] + far);
        }
        let limit = |frame: usize| {
            let time = frame as f64 / 30.0;
            [
                edit.shift * arcs[frame] + edit.shift_in_time * time,
                edit.turn * arcs[frame] + edit.turn_in_time * time,
            ]
        };
        let own: Vec<[f64; 3]> = step
            .poses
            .iter()
            .map(|pose| {
                let (sin, cos) = start.sin_cos();
                [
                    pose.x * cos + pose.z * sin,
                    pose.z * cos - pose.x * sin,
                    start + pose.yaw,
                ]
            })
            .collect();
        let goal = [
            f64::from(end[0]) * self.options.cell,
            f64::from(end[1]) * self.options.cell,
        ];
        let turn = wrap_angle(self.yaw(end[2]) - own[count - 1][2]);
        let within = |off: [f64; 3], frame: usize| {
            let [shift, most] = limit(frame);
            match edit.shape {
                EditShape::Box => {
                    off[0].abs() <= shift + 1e-9
                        && off[1].abs() <= shift + 1e-9
                        && off[2].abs() <= most + 1e-9
                }
                EditShape::Ellipsoid => {
                    let shares = (off[0] / shift).powi(2)
                        + (off[1] / shift).powi(2)
                        + (off[2] / most).powi(2);
                    shares <= 1.0 + 1e-9
                }
            }
        };
        let last = own[count - 1];
        if !within([goal[0] - last[0], goal[1] - last[1], turn], count - 1) {
            return None;
        }
        let way = own.iter().enumerate().map(|(frame, pose)| {
            let part = |axis: usize| limit(frame)[axis] / limit(count - 1)[axis];
            let bent = [
                pose[0] + (goal[0] - last[0]) * part(0),
                pose[1] + (goal[1] - last[1]) * part(0),
                pose[2] + turn * part(1),
            ];
            let off = [0, 1, 2].map(|axis| bent[axis] - pose[axis]);
            assert!(frame == 0 || within(off, frame), "frame {frame}: {off:?}");
            bent
        });
        Some(way.collect())
    }

    /// Walks a way from a cell in steps of 4 mm: the least room left, or what is wrong. Between two steps the
    /// room to a corner 20 cm off is less by a hundredth of a millimetre; areas may be cut by 2 mm.
    fn walk(
        &self,
        step: &Move,
        way: &[[f64; 3]],
        cell: [i32; 2],
        end: [i32; 3],
    ) -> Result<f64, (Reason, f64)> {
        let origin = self.centre(cell);
        let goal = self.centre([cell[0] + end[0], cell[1] + end[1]]);
        let rooms = [self.room(origin), self.room(goal)];
        if rooms.iter().any(|room| *room < 0.0) {
            return Err((Reason::Outside, 1.0));
        }
        let (mut least, mut rule) = (f64::INFINITY, f64::INFINITY);
        for (frame, pair) in way.windows(2).enumerate() {
            let (dx, dz) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            let pieces = (dx.hypot(dz) / 4e-3).ceil().max(1.0) as usize;
            for piece in 0..=pieces {
                let share = piece as f64 / pieces as f64;
                let point = [
                    origin[0] + pair[0][0] + share * dx,
                    origin[1] + pair[0][1] + share * dz,
                ];
                least = least.min(self.room(point));
                rule = rule.min(self.rule_room(point, step.labels[frame]));
            }
        }
        if least < 0.0 {
            return Err((Reason::Collision, least));
        }
        if rule < 0.0 {
            return Err((Reason::Rule, rule / 20.0));
        }
        Ok(least.min(rule / 20.0))
    }

    /// Room beyond the radius, from the shapes' formulas.
    fn room(&self, [x, z]: [f64; 2]) -> f64 {
        let [low, high] = self.world.bounds;
        let border = (x - low[0])
            .min(high[0] - x)
            .min(z - low[1])
            .min(high[1] - z);
        let shapes = self.world.obstacles.iter().map(|shape| match shape {
            Obstacle::Circle([a, b, radius]) => ((x - a).powi(2) + (z - b).powi(2)).sqrt() - radius,
            Obstacle::Polygon(corners) => outside(corners, [x, z]),
        });
        shapes.fold(border, f64::min) - self.world.radius
    }

    fn rule_room(&self, point: [f64; 2], labels: LabelSet) -> f64 {
        let region = &self.world.regions[0];
        match labels.0 & 2 != 0 {
            true => f64::INFINITY,
            false => outside(&region.polygon, point),
        }
    }
}

/// Distance from an upright rectangle, negative inside.
fn outside(corners: &[[f64; 2]], [x, z]: [f64; 2]) -> f64 {
    let least = |axis: usize| {
        corners
            .iter()
            .map(|c| c[axis])
            .fold(f64::INFINITY, f64::min)
    };
    let most = |axis: usize| {
        corners
            .iter()
            .map(|c| c[axis])
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let dx = (least(0) - x).max(x - most(0));
    let dz = (least(1) - z).max(z - most(1));
    match dx > 0.0 && dz > 0.0 {
        true => dx.hypot(dz),
        false => dx.max(dz),
    }
}

fn links_of(embedding: &Embedding) -> BTreeSet<Link> {
    let mut links = BTreeSet::new();
    let key = |state| {
        let (choice, heading, cell): (ChoiceId, u32, CellId) = embedding.parts(state);
        [choice.0, heading, cell.0]
    };
    for (index, stencil) in embedding.stencils.list.iter().enumerate() {
        for cell in embedding.starts_of(index) {
            let from =
                embedding.state(embedding.moves.of(stencil.step).from, stencil.heading, cell);
            let to = embedding.end_of(index as u32, cell);
            links.insert((key(from), stencil.step.0, key(to)));
        }
    }
    links
}

/// The states that a state reaches along links.
fn reached(
    start: [u32; 3],
    links: impl Iterator<Item = ([u32; 3], [u32; 3])>,
) -> BTreeSet<[u32; 3]> {
    let mut next: BTreeMap<[u32; 3], Vec<[u32; 3]>> = BTreeMap::new();
    links.for_each(|(from, to)| next.entry(from).or_default().push(to));
    let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some(state) = open.pop() {
        for to in next.get(&state).into_iter().flatten() {
            if seen.insert(*to) {
                open.push(*to);
            }
        }
    }
    seen
}

fn check(shape: EditShape, edit: f64) {
    let (moves, world) = (walker(), World::from_json(ROOM).unwrap());
    let options = EmbedOptions {
        cell: 0.2,
        yaw: 30f64.to_radians(),
        edit: EditOptions {
            shape,
            connect: Connect::Within,
            ..EditOptions::of_size(edit)
        },
        ..EmbedOptions::default()
    };
    let embedding = embed(&moves, &world, &options, &Run::quiet()).unwrap();
    let simulator = Simulator {
        moves: &moves,
        world: &world,
        options,
        size: [18, 16],
        headings: 12,
    };
    let (all, reasons, unsure) = simulator.links();
    let found = links_of(&embedding);
    assert!(found.len() > 1000, "{} links", found.len());
    assert_eq!(found.len() as u64, embedding.links);
    for link in found.iter().filter(|link| !unsure.contains(link)) {
        assert!(all.contains(link), "{link:?} is not possible");
    }
    // What is missing was culled with everything that lies outside the component, and for no other reason.
    // What is too close to call is taken as the embedding has it.
    let links: BTreeSet<Link> = all
        .difference(&unsure)
        .copied()
        .chain(found.iter().copied())
        .collect();
    let start = found.first().unwrap().0;
    let ahead = reached(start, links.iter().map(|(from, _, to)| (*from, *to)));
    let back = reached(start, links.iter().map(|(from, _, to)| (*to, *from)));
    let component: BTreeSet<[u32; 3]> = ahead.intersection(&back).copied().collect();
    for link in &links {
        let inside = component.contains(&link.0) && component.contains(&link.2);
        let alive = |state: &[u32; 3]| {
            embedding.holds(embedding.state(ChoiceId(state[0]), state[1], CellId(state[2])))
        };
        let both = (alive(&link.0), alive(&link.2));
        assert_eq!(found.contains(link), inside, "{link:?}; alive: {both:?}");
    }
    for reason in [
        Reason::BeyondLimits,
        Reason::Outside,
        Reason::Collision,
        Reason::Rule,
    ] {
        assert!(
            reasons.get(&reason).is_some_and(|count| *count > 10),
            "{reason:?}: {reasons:?}"
        );
    }
    // What the embedding says of links that are not there is what the simulator says, reason by reason.
    let culled = embedding.culled;
    let close = |told: u64, reason: Reason| {
        let found = reasons.get(&reason).copied().unwrap_or(0);
        assert!(
            told.abs_diff(found) <= unsure.len() as u64,
            "{reason:?}: {told} told, {found} found"
        );
    };
    close(culled.no_start + culled.no_end, Reason::Outside);
    close(culled.collision, Reason::Collision);
    close(culled.rule, Reason::Rule);
    let told = culled.no_start + culled.no_end + culled.collision + culled.rule + culled.dead_end;
    let tried = (embedding.stencils.list.len() * embedding.free.len()) as u64;
    assert_eq!(told + embedding.links, tried, "a link without a reason");
    let share = unsure.len() as f64 / all.len() as f64;
    assert!(share < 0.01, "{share} of the links are too close to call");
}

#[test]
fn links_in_an_ellipsoid_are_those_of_the_simulator() {
    check(EditShape::Ellipsoid, 30.0);
}

#[test]
fn links_in_a_box_are_those_of_the_simulator() {
    check(EditShape::Box, 25.0);
}
