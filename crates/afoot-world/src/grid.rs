//! The cells that a world's ground and the headings on it are divided into.
//!
//! Cells fit the bounds evenly, so that a world that wraps around joins without a seam: they may be a
//! little smaller than asked for. A heading is a multiple of the yaw step; cell and heading centres are
//! where moves begin and end.

use crate::world::World;

/// Cells over x and z, and headings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Least corner. [m]
    pub low: [f64; 2],
    /// Along x and z. [m]
    pub cell: [f64; 2],
    /// Cells along x and z.
    pub size: [usize; 2],
    /// How many headings there are.
    pub headings: usize,
    /// Whether who leaves on one side comes in on the other.
    pub wrap: bool,
}

/// A cell of the ground: row after row along z, columns along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

impl Grid {
    /// Cells of about that size [m] and headings about that far apart. [rad]
    pub fn new(world: &World, cell: f64, yaw: f64) -> Self {
        let size = world.size();
        let counts = size.map(|length| (length / cell - 1e-6).ceil().max(1.0));
        Self {
            low: world.bounds[0],
            cell: [size[0] / counts[0], size[1] / counts[1]],
            size: counts.map(|count| count as usize),
            headings: (std::f64::consts::TAU / yaw).round().max(1.0) as usize,
            wrap: world.wrap,
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        // Cells of next to no width are refused later, by what they would take.
        self.size[0].saturating_mul(self.size[1])
    }

    /// Angle between neighbouring headings. [rad]
    pub fn yaw_step(&self) -> f64 {
        std::f64::consts::TAU / self.headings as f64
    }

    /// The middle of a cell. [m]
    pub fn centre(&self, cell: CellId) -> [f64; 2] {
        let [i, j] = self.column_row(cell);
        [
            self.low[0] + (i as f64 + 0.5) * self.cell[0],
            self.low[1] + (j as f64 + 0.5) * self.cell[1],
        ]
    }

    /// A cell's column and row.
    pub fn column_row(&self, cell: CellId) -> [usize; 2] {
        let index = cell.0 as usize;
        [index % self.size[0], index / self.size[0]]
    }

    /// The cell that holds a point.
    pub fn cell_at(&self, point: [f64; 2]) -> Option<CellId> {
        let place = |axis: usize| {
            let at = ((point[axis] - self.low[axis]) / self.cell[axis]).floor() as i64;
            self.fold(at, axis)
        };
        Some(self.id(place(0)?, place(1)?))
    }

    /// The cell so many columns and rows away.
    #[inline]
    pub fn shifted(&self, cell: CellId, [di, dj]: [i32; 2]) -> Option<CellId> {
        let [i, j] = self.column_row(cell);
        let i = self.fold(i as i64 + i64::from(di), 0)?;
        let j = self.fold(j as i64 + i64::from(dj), 1)?;
        Some(self.id(i, j))
    }

    /// The heading nearest to a yaw.
    pub fn heading_of(&self, yaw: f64) -> usize {
        let steps = (yaw / self.yaw_step()).round() as i64;
        steps.rem_euclid(self.headings as i64) as usize
    }

    fn id(&self, column: usize, row: usize) -> CellId {
        CellId((row * self.size[0] + column) as u32)
    }

    #[inline]
    fn fold(&self, at: i64, axis: usize) -> Option<usize> {
        let count = self.size[axis] as i64;
        match self.wrap {
            true => Some(at.rem_euclid(count) as usize),
            false => (0..count).contains(&at).then_some(at as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_fit_and_wrap() {
        let world = r#"{"bounds": [[-1,0],[6,8]], "wrap": true}"#;
        let grid = Grid::new(&World::from_json(world).unwrap(), 0.2, 20f64.to_radians());
        assert_eq!((grid.size, grid.headings), ([35, 40], 18));
        let cell = grid.cell_at([-0.95, 7.9]).unwrap();
        assert_eq!(grid.column_row(cell), [0, 39]);
        let [x, z] = grid.centre(cell);
        assert!((x + 0.9).abs() < 1e-9 && (z - 7.9).abs() < 1e-9);
        assert_eq!(
            grid.column_row(grid.shifted(cell, [-1, 2]).unwrap()),
            [34, 1]
        );
        let flat = Grid {
            wrap: false,
            ..grid
        };
        assert_eq!(flat.shifted(cell, [-1, 0]), None);
        assert_eq!(grid.heading_of(-0.2), 17);
    }
}
