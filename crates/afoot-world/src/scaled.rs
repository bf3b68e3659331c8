//! A world made larger or smaller as a whole, about the origin.
//!
//! A taller character's way is longer by the ratio of leg lengths. Who plans for it in a world that is
//! smaller by that ratio, and scales the way afterwards, keeps every clearance in the world as it is.

use crate::shapes::Obstacle;
use crate::world::World;

impl World {
    /// All lengths times `factor`. [> 0]
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let mut world = self.clone();
        let point = |point: &mut [f64; 2]| *point = point.map(|value| value * factor);
        let length = |value: &mut f64| *value *= factor;
        world.bounds.iter_mut().for_each(point);
        world.starts.iter_mut().for_each(point);
        world.goals.iter_mut().for_each(point);
        for obstacle in &mut world.obstacles {
            match obstacle {
                Obstacle::Circle(circle) => circle.iter_mut().for_each(length),
                Obstacle::Polygon(corners) => corners.iter_mut().for_each(point),
            }
        }
        let regions = world.regions.iter_mut().map(|region| &mut region.polygon);
        let rivers = world.rivers.iter_mut().map(|river| &mut river.polygon);
        for corners in regions.chain(rivers) {
            corners.iter_mut().for_each(point);
        }
        for bar in &mut world.bars {
            [&mut bar.from, &mut bar.to].into_iter().for_each(point);
            length(&mut bar.height);
        }
        for beam in &mut world.beams {
            [&mut beam.from, &mut beam.to].into_iter().for_each(point);
            [&mut beam.width, &mut beam.height]
                .into_iter()
                .for_each(length);
        }
        for raised in &mut world.heights {
            raised.polygon.iter_mut().for_each(point);
            length(&mut raised.height);
        }
        length(&mut world.radius);
        world
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_world_has_scaled_clearances() {
        let text = r#"{"bounds": [[0,0],[10,8]], "obstacles": [{"circle": [3,3,1]}, {"polygon": [[6,1],[7,1],[7,2]]}],
            "radius": 0.3, "starts": [[1,1]], "goals": [[9,7]]}"#;
        let world = World::from_json(text).unwrap();
        let half = world.scaled(0.5);
        assert_eq!(half.check(), Ok(()));
        assert_eq!((half.starts[0], half.goals[0]), ([0.5, 0.5], [4.5, 3.5]));
        for place in [[1.0, 1.0], [5.0, 3.0], [6.5, 4.0], [9.0, 7.0]] {
            let near = half.clearance(place.map(|value| value / 2.0));
            assert!(
                (2.0 * near - world.clearance(place)).abs() < 1e-12,
                "{place:?}"
            );
        }
        assert_eq!(half.scaled(2.0), world);
    }
}
