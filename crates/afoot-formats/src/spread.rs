//! A few points that stand for a whole surface: far from each other, weighted by area.
//!
//! Farthest point sampling: each next point is the vertex that is farthest from those chosen, in
//! the rest pose. Each then weighs as much as the area of the vertices that are nearest to it. Cost:
//! vertices times points.

use afoot_core::{JointId, SurfacePoint, Vec3};

/// A vertex of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    pub joint: JointId,
    /// From the joint, in its frame. [m]
    pub offset: Vec3,
    /// In the rest pose. [m]
    pub at_rest: Vec3,
    /// Of the surface around it. [m²]
    pub area: f32,
}

impl Vertex {
    /// One that is never chosen.
    pub const NOWHERE: Self = Self {
        joint: JointId(0),
        offset: Vec3::ZERO,
        at_rest: Vec3::NAN,
        area: 0.0,
    };

    fn counts(&self) -> bool {
        self.at_rest.is_finite() && self.offset.is_finite() && self.area.is_finite()
    }
}

/// At most `count` of the vertices, spread over all; none where there is no area.
pub fn spread_points(vertices: &[Vertex], count: usize) -> Vec<SurfacePoint> {
    let with_area = |v: &&Vertex| v.counts() && v.area > 0.0;
    let total: f64 = vertices
        .iter()
        .filter(with_area)
        .map(|v| f64::from(v.area))
        .sum();
    if !(total > 0.0 && total.is_finite()) {
        return Vec::new();
    }
    // Per vertex the distance to the nearest chosen one, and which that is.
    let mut nearest: Vec<(f32, u32)> = vec![(f32::INFINITY, 0); vertices.len()];
    let mut chosen: Vec<usize> = Vec::new();
    let mut next = vertices.iter().position(|v| with_area(&v));
    while let Some(index) = next.filter(|_| chosen.len() < count) {
        let number = chosen.len() as u32;
        chosen.push(index);
        let at = vertices[index].at_rest;
        let mut farthest = (0.0, None);
        for (position, vertex) in vertices.iter().enumerate().filter(|(_, v)| with_area(v)) {
            let nearest = &mut nearest[position];
            let square = vertex.at_rest.distance_squared(at);
            if square < nearest.0 {
                *nearest = (square, number);
            }
            if nearest.0 > farthest.0 {
                farthest = (nearest.0, Some(position));
            }
        }
        next = farthest.1;
    }
    weigh(vertices, &chosen, &nearest, total)
}

/// Gives each chosen vertex the area of those that are nearest to it, as a share of all.
fn weigh(
    vertices: &[Vertex],
    chosen: &[usize],
    nearest: &[(f32, u32)],
    total: f64,
) -> Vec<SurfacePoint> {
    let mut areas = vec![0.0_f64; chosen.len()];
    for (vertex, (_, number)) in vertices.iter().zip(nearest).filter(|(v, _)| v.counts()) {
        areas[*number as usize] += f64::from(vertex.area);
    }
    let point = |(&index, area): (&usize, f64)| SurfacePoint {
        joint: vertices[index].joint,
        offset: vertices[index].offset,
        weight: (area / total) as f32,
    };
    chosen.iter().zip(areas).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(x: f32, area: f32) -> Vertex {
        let at_rest = Vec3::new(x, 1.0, 0.0);
        Vertex {
            joint: JointId(x as u16),
            offset: at_rest - Vec3::X,
            at_rest,
            area,
        }
    }

    #[test]
    fn the_ends_come_first_and_areas_go_to_the_nearest() {
        let line: Vec<Vertex> = (0..11).map(|n| vertex(n as f32, 1.0)).collect();
        let points = spread_points(&line, 3);
        let joints: Vec<u16> = points.iter().map(|point| point.joint.0).collect();
        assert_eq!(joints, [0, 10, 5]);
        // 0 to 2, 8 to 10, 3 to 7.
        let weights = points.iter().map(|point| (point.weight * 11.0).round());
        assert_eq!(weights.collect::<Vec<_>>(), [3.0, 3.0, 5.0]);
        assert_eq!(points[1].offset, Vec3::new(9.0, 1.0, 0.0));
    }

    #[test]
    fn equal_places_are_taken_once_and_no_area_gives_nothing() {
        let same = [vertex(2.0, 1.0), vertex(2.0, 3.0), Vertex::NOWHERE];
        let points = spread_points(&same, 8);
        assert_eq!((points.len(), points[0].weight), (1, 1.0));
        assert_eq!(spread_points(&[vertex(2.0, 0.0)], 8), []);
        assert_eq!(spread_points(&[Vertex::NOWHERE], 8), []);
        assert_eq!(spread_points(&[], 8), []);
    }
}
