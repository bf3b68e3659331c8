//! What a walk is taken to: heights over the floor that it was captured on.

use std::sync::Arc;

use glam::Vec3;

/// The ground of a changed walk.
#[derive(Clone, Default)]
pub enum Surface {
    /// The floor it was captured on.
    #[default]
    Own,
    /// A plane that rises along the way on the whole, or falls where it is negative. [rad, -0.6 to 0.6]
    Incline(f32),
    /// Stairs along the way on the whole, a foot to a tread.
    Stairs(Stairs),
    /// Any height over the own floor at x, z. [m]
    Terrain(Heights),
}

/// Heights over a floor at x, z. [m]
pub type Heights = Arc<dyn Fn(f32, f32) -> f32 + Send + Sync>;

impl std::fmt::Debug for Surface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Own => f.write_str("Own"),
            Self::Incline(angle) => f.debug_tuple("Incline").field(angle).finish(),
            Self::Stairs(stairs) => f.debug_tuple("Stairs").field(stairs).finish(),
            Self::Terrain(_) => f.write_str("Terrain"),
        }
    }
}

/// Stairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stairs {
    /// From a tread to the next, down where it is negative. [m, -0.35 to 0.35, not 0]
    pub rise: f32,
    /// How deep a tread is. [m, 0.2 to 1]
    pub tread: f32,
    /// Where the first edge is, from where the walk begins; just before the third plant if it is left
    /// open. [m]
    pub from: Option<f32>,
}

/// Something on the ground to be stepped over, across the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Its near face, from where the walk begins, along its direction on the whole. [m]
    pub at: f32,
    /// [m, > 0]
    pub height: f32,
    /// Along the way. [m, > 0]
    pub depth: f32,
}

/// A surface in its place.
pub(crate) struct Lie<'a> {
    pub surface: &'a Surface,
    pub obstacles: &'a [Obstacle],
    /// Where distances along the way are counted from, and where it goes.
    pub origin: Vec3,
    pub ahead: Vec3,
    /// The first edge of stairs. [m]
    pub first_edge: f32,
}

impl Lie<'_> {
    /// What feet stand on, by itself; none where that is the own floor.
    pub fn heights(&self) -> Option<Heights> {
        let surface = match self.surface {
            Surface::Own => return None,
            other => other.clone(),
        };
        let (origin, ahead, first_edge) = (self.origin, self.ahead, self.first_edge);
        Some(Arc::new(move |x, z| {
            let lie = Lie {
                surface: &surface,
                obstacles: &[],
                origin,
                ahead,
                first_edge,
            };
            lie.height(Vec3::new(x, 0.0, z))
        }))
    }

    /// How far along the way a point is. [m]
    pub fn along(&self, point: Vec3) -> f32 {
        (point - self.origin).with_y(0.0).dot(self.ahead)
    }

    /// Height that feet stand on, over the own floor. [m]
    pub fn height(&self, point: Vec3) -> f32 {
        match self.surface {
            Surface::Own => 0.0,
            Surface::Incline(angle) => angle.tan() * self.along(point),
            Surface::Stairs(stairs) => stairs.height(self.along(point) - self.first_edge),
            Surface::Terrain(height) => height(point.x, point.z),
        }
    }

    /// Height that feet have to pass over, obstacles included. [m]
    pub fn height_to_clear(&self, point: Vec3) -> f32 {
        let along = self.along(point);
        let over =
            |obstacle: &&Obstacle| (obstacle.at..=obstacle.at + obstacle.depth).contains(&along);
        let obstacles = self.obstacles.iter().filter(over);
        let raised = obstacles
            .map(|obstacle| obstacle.height)
            .fold(0.0, f32::max);
        self.height(point) + raised
    }

    /// The slope of what feet stand on around a point: rise along x and z. [m/m]
    pub fn slope(&self, point: Vec3) -> [f32; 2] {
        match self.surface {
            Surface::Own | Surface::Stairs(_) => [0.0; 2],
            Surface::Incline(angle) => {
                let rise = self.ahead * angle.tan();
                [rise.x, rise.z]
            }
            Surface::Terrain(_) => [Vec3::X, Vec3::Z].map(|axis| {
                let step = axis * FOOT;
                (self.height(point + step) - self.height(point - step)) / (2.0 * FOOT)
            }),
        }
    }

    /// Whether there are edges that a swinging foot has to be kept from.
    pub fn has_edges(&self) -> bool {
        !self.obstacles.is_empty()
            || matches!(self.surface, Surface::Stairs(_) | Surface::Terrain(_))
    }
}

/// Half a foot: slopes are taken over a foot's length. [m]
const FOOT: f32 = 0.12;

impl Stairs {
    /// Height at a distance behind the first edge. [m]
    fn height(&self, along: f32) -> f32 {
        let treads = (along / self.tread).floor() + 1.0;
        self.rise * treads.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_those_of_what_was_asked_for() {
        let stairs = Surface::Stairs(Stairs {
            rise: 0.17,
            tread: 0.29,
            from: None,
        });
        let lie = |surface| Lie {
            surface,
            obstacles: &[],
            origin: Vec3::ZERO,
            ahead: Vec3::Z,
            first_edge: 1.0,
        };
        let height = |z: f32| lie(&stairs).height(Vec3::Z * z);
        assert_eq!([height(0.9), height(1.1), height(1.3)], [0.0, 0.17, 0.34]);
        let slope = Surface::Incline(0.2);
        let lie = lie(&slope);
        let rise = lie.height(Vec3::Z * 2.0) - lie.height(Vec3::Z);
        assert!((rise - 0.2f32.tan()).abs() < 1e-6);
        assert_eq!(lie.slope(Vec3::ZERO), [0.0, 0.2f32.tan()]);
    }
}
