//! The free ground of a world as a grid: is a place free, and how far is it to a goal?
//!
//! Distances around obstacles come from fast marching (Sethian 1996), whose level sets are round,
//! unlike those of steps from cell to cell, so that who walks downhill walks straight. Room to obstacles
//! is kept at the grid's nodes; between them it changes by no more than the distance, so that most
//! questions need no look at the obstacles. Cost of a field: 1 µs per node.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use afoot_search::{Weighed, heaviest_component, strong_components};

use crate::geometry::distance;
use crate::world::World;

/// Distance of the nodes; larger where the world is. [m]
const CELL: f64 = 0.2;
/// About as many nodes at most.
const MOST_NODES: f64 = 4e5;

/// The free ground.
pub struct Ground<'a> {
    world: &'a World,
    cell: f64,
    /// Nodes along x and z.
    size: [usize; 2],
    room: Vec<f32>,
    /// Nodes of the largest connected part that has the wanted room.
    open: Vec<u32>,
    is_open: Vec<bool>,
}

/// How far it is from each node to a goal. [m]
pub struct Field {
    /// Where they lead. [m]
    pub goal: [f64; 2],
    distance: Vec<f32>,
}

impl<'a> Ground<'a> {
    /// `need` is the room that a way keeps from obstacles and bounds. [m]
    pub fn new(world: &'a World, need: f64) -> Self {
        let [width, depth] = world.size();
        let cell = CELL.max((width * depth / MOST_NODES).sqrt());
        let size = [width, depth].map(|length| (length / cell).ceil() as usize + 1);
        let mut ground = Self {
            world,
            cell,
            size,
            room: Vec::new(),
            open: Vec::new(),
            is_open: vec![false; size[0] * size[1]],
        };
        let nodes = 0..(size[0] * size[1]) as u32;
        let room = |node| room_at(world, ground.place(node)) as f32;
        ground.room = nodes.map(room).collect();
        ground.open = ground.largest_part(need as f32);
        for &node in &ground.open {
            ground.is_open[node as usize] = true;
        }
        ground
    }

    /// Nodes that can be reached from each other.
    pub fn open(&self) -> &[u32] {
        &self.open
    }

    /// Where a node lies. [m]
    pub fn place(&self, node: u32) -> [f64; 2] {
        let (row, column) = (node as usize / self.size[0], node as usize % self.size[0]);
        let low = self.world.bounds[0];
        [
            low[0] + column as f64 * self.cell,
            low[1] + row as f64 * self.cell,
        ]
    }

    /// The open node nearest to a place.
    pub fn nearest(&self, place: [f64; 2]) -> Option<u32> {
        let apart = |node: &u32| distance(self.place(*node), place);
        let open = self.open.iter().copied();
        open.min_by(|a, b| apart(a).total_cmp(&apart(b)))
    }

    /// Room around a node. [m]
    pub fn room(&self, node: u32) -> f64 {
        f64::from(self.room[node as usize])
    }

    /// Whether a place has at least `need` room. [m]
    #[inline]
    pub fn is_free(&self, point: [f64; 2], need: f64) -> bool {
        let low = self.world.bounds[0];
        let [x, z] = [0, 1].map(|axis| (point[axis] - low[axis]) / self.cell);
        let (column, row) = (x.round(), z.round());
        let inside = column >= 0.0 && row >= 0.0;
        let (i, j) = (column as usize, row as usize);
        if !inside || i >= self.size[0] || j >= self.size[1] {
            return false;
        }
        let room = f64::from(self.room[j * self.size[0] + i]);
        let off = (x - column).hypot(z - row) * self.cell + 1e-4;
        room - off >= need || (room + off >= need && room_at(self.world, point) >= need)
    }

    /// The distances to `goal`.
    pub fn field_to(&self, goal: u32) -> Field {
        let mut distance = vec![f32::INFINITY; self.room.len()];
        let mut front = BinaryHeap::new();
        // Within the goal's room the way is straight. Marching from the goal alone would carry the
        // error of its first steps, where the field bends most, to everywhere.
        for &node in &self.open {
            let ([x, z], [to_x, to_z]) = (self.place(node), self.place(goal));
            let straight = (x - to_x).hypot(z - to_z);
            if node == goal || straight <= self.room(goal) {
                distance[node as usize] = straight as f32;
                front.push(Reverse(((straight as f32).to_bits(), node)));
            }
        }
        // The bits of floats above zero are in their order.
        while let Some(Reverse((bits, node))) = front.pop() {
            if f32::from_bits(bits) > distance[node as usize] {
                continue;
            }
            for next in self.neighbours(node).into_iter().flatten() {
                let reached = self.march(next, &distance);
                if reached < distance[next as usize] {
                    distance[next as usize] = reached;
                    front.push(Reverse((reached.to_bits(), next)));
                }
            }
        }
        let goal = self.place(goal);
        Field { goal, distance }
    }

    /// How far it is from a place; from the nearest open node where it lies between blocked ones.
    pub fn distance(&self, field: &Field, point: [f64; 2]) -> f64 {
        let low = self.world.bounds[0];
        let last = self.size.map(|count| count as f64 - 1.000001);
        let [x, z] =
            [0, 1].map(|axis| ((point[axis] - low[axis]) / self.cell).clamp(0.0, last[axis]));
        let (i, j) = (x as usize, z as usize);
        let (s, t) = (x - i as f64, z - j as f64);
        let corner = |a: usize, b: usize| f64::from(field.distance[(j + b) * self.size[0] + i + a]);
        let corners = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
        let mixed = (corners[0] * (1.0 - s) + corners[1] * s) * (1.0 - t)
            + (corners[2] * (1.0 - s) + corners[3] * s) * t;
        if mixed.is_finite() {
            return mixed;
        }
        let offsets = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let around = corners.iter().zip(offsets);
        around
            .map(|(distance, [a, b])| distance + (s - a).hypot(t - b) * self.cell)
            .fold(f64::INFINITY, f64::min)
    }

    /// The direction in which a field falls, as a yaw. [rad]
    pub fn downhill(&self, field: &Field, [x, z]: [f64; 2]) -> f64 {
        let step = self.cell;
        let at = |x, z| self.distance(field, [x, z]).min(1e6);
        let slope_x = at(x + step, z) - at(x - step, z);
        let slope_z = at(x, z + step) - at(x, z - step);
        (-slope_x).atan2(-slope_z)
    }

    /// The arrival at a node from its neighbours' (upwind differences of first order).
    fn march(&self, node: u32, distance: &[f32]) -> f32 {
        let around = self.neighbours(node);
        let least = |a: Option<u32>, b: Option<u32>| {
            let of = |n: Option<u32>| n.map_or(f32::INFINITY, |n| distance[n as usize]);
            of(a).min(of(b))
        };
        let (x, z) = (least(around[0], around[1]), least(around[2], around[3]));
        let cell = self.cell as f32;
        let apart = (x - z).abs();
        if apart.is_nan() || apart >= cell {
            return x.min(z) + cell;
        }
        0.5 * (x + z + (2.0 * cell * cell - apart * apart).sqrt())
    }

    /// Open nodes before and behind along x, then z.
    fn neighbours(&self, node: u32) -> [Option<u32>; 4] {
        let width = self.size[0] as u32;
        let (row, column) = (node / width, node % width);
        [
            (column > 0).then(|| node - 1),
            (column + 1 < width).then(|| node + 1),
            (row > 0).then(|| node - width),
            (row + 1 < self.size[1] as u32).then(|| node + width),
        ]
        .map(|near| near.filter(|&near| self.is_open[near as usize]))
    }

    fn largest_part(&mut self, need: f32) -> Vec<u32> {
        self.is_open = self.room.iter().map(|&room| room >= need).collect();
        let nodes = 0..self.room.len() as u32;
        let (mut first, mut targets) = (vec![0u32], Vec::new());
        for node in nodes.clone() {
            if self.is_open[node as usize] {
                targets.extend(self.neighbours(node).into_iter().flatten());
            }
            first.push(targets.len() as u32);
        }
        let open = nodes.clone().filter(|&node| self.is_open[node as usize]);
        let weights = open.map(|node| Weighed {
            from: node,
            to: node,
            weight: 1,
        });
        let largest = heaviest_component(&strong_components(&first, &targets), weights);
        self.is_open.fill(false);
        nodes.filter(|&node| largest.nodes[node as usize]).collect()
    }
}

/// The bounds count also where the world wraps around: nobody crosses them.
pub fn room_at(world: &World, point: [f64; 2]) -> f64 {
    world
        .obstacle_clearance(point)
        .min(world.bounds_clearance(point))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walled() -> World {
        World::from_json(
            r#"{"bounds": [[0,0],[10,6]], "obstacles": [{"polygon": [[4.9,0],[5.1,0],[5.1,4],[4.9,4]]}]}"#,
        )
        .unwrap()
    }

    #[test]
    fn distances_go_straight_and_around() {
        let world = walled();
        let ground = Ground::new(&world, 0.3);
        let goal = ground.open().iter().copied().find(|&node| {
            let [x, z] = ground.place(node);
            (x - 2.0).abs() < 0.01 && (z - 2.0).abs() < 0.01
        });
        let field = ground.field_to(goal.unwrap());
        // Around the wall's end by two straight lines that meet at z = 4.4, the first row of nodes
        // with 0.3 m of room.
        for (point, expected) in [
            ([4.0, 5.0], 13.0f64.sqrt()),
            ([2.0, 5.0], 3.0),
            ([3.1, 2.5], 1.1f64.hypot(0.5)),
            ([8.0, 2.0], 3.0f64.hypot(2.4) * 2.0),
        ] {
            let found = ground.distance(&field, point);
            assert!(
                (found - expected).abs() < 0.05 * expected + 0.1,
                "{point:?}: {found}"
            );
        }
        let yaw = ground.downhill(&field, [4.0, 4.0]);
        assert!((yaw - (-2.0f64).atan2(-2.0)).abs() < 0.1, "{yaw}");
    }

    #[test]
    fn the_grid_answers_as_the_obstacles_do() {
        let world = walled();
        let ground = Ground::new(&world, 0.3);
        for k in 0..4000u32 {
            let point = [
                f64::from(k * 7919 % 1200) / 100.0 - 1.0,
                f64::from(k * 104_729 % 800) / 100.0 - 1.0,
            ];
            let expected = world.clearance(point) >= 0.25;
            assert_eq!(ground.is_free(point, 0.25), expected, "{point:?}");
        }
    }

    #[test]
    fn only_the_largest_part_is_open() {
        let mut world = walled();
        world.obstacles = vec![crate::shapes::Obstacle::Polygon(vec![
            [2.9, -1.0],
            [3.1, -1.0],
            [3.1, 7.0],
            [2.9, 7.0],
        ])];
        let ground = Ground::new(&world, 0.3);
        assert!(!ground.open().is_empty());
        assert!(
            ground
                .open()
                .iter()
                .all(|&node| ground.place(node)[0] > 3.1)
        );
    }
}
