//! A planar transform with its sine and cosine at hand, for loops that place many points.

use afoot_core::Planar;

/// The same map as a [`Planar`]: turn, then shift.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Rigid {
    pub(crate) x: f64,
    pub(crate) z: f64,
    pub(crate) sin: f64,
    pub(crate) cos: f64,
}

impl Rigid {
    pub(crate) const IDENTITY: Self = Self {
        x: 0.0,
        z: 0.0,
        sin: 0.0,
        cos: 1.0,
    };

    pub(crate) fn planar(self) -> Planar {
        Planar::new(self.x, self.z, self.sin.atan2(self.cos))
    }

    #[inline(always)]
    pub(crate) fn point(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [
            x * self.cos + z * self.sin + self.x,
            z * self.cos - x * self.sin + self.z,
        ]
    }

    #[inline(always)]
    pub(crate) fn point32(&self, [x, z]: [f32; 2]) -> [f64; 2] {
        self.point([f64::from(x), f64::from(z)])
    }

    /// Where a world direction points in the coordinates that this carries into the world.
    #[inline(always)]
    pub(crate) fn undo_turn(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [x * self.cos - z * self.sin, z * self.cos + x * self.sin]
    }

    /// First `inner`, then `self`.
    #[inline(always)]
    pub(crate) fn then_after(&self, inner: &Self) -> Self {
        let [x, z] = self.point([inner.x, inner.z]);
        Self {
            x,
            z,
            sin: self.sin * inner.cos + self.cos * inner.sin,
            cos: self.cos * inner.cos - self.sin * inner.sin,
        }
    }
}

impl From<Planar> for Rigid {
    fn from(planar: Planar) -> Self {
        let (sin, cos) = planar.yaw.sin_cos();
        Self {
            x: planar.x,
            z: planar.z,
            sin,
            cos,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_planar() {
        let (a, b) = (Planar::new(1.0, -2.0, 0.7), Planar::new(0.3, 4.0, -2.9));
        let product = Rigid::from(a).then_after(&b.into()).planar();
        let expected = a.then_after(b);
        assert!((product.x - expected.x).abs() < 1e-12 && (product.z - expected.z).abs() < 1e-12);
        assert!((product.yaw - expected.yaw).abs() < 1e-12);
        let [x, z] = Rigid::from(a).point([0.4, 0.2]);
        assert_eq!([x, z], a.point([0.4, 0.2]));
        let turned = Rigid::from(Planar::new(5.0, 6.0, 0.7));
        let [x, z] = turned.undo_turn(Planar::new(0.0, 0.0, 0.7).point([0.4, 0.2]));
        assert!((x - 0.4).abs() < 1e-12 && (z - 0.2).abs() < 1e-12);
    }
}
