//! Ground reaction, shared among what touches the ground so that the root is left with least.
//!
//! Least squares with the smallest forces (a damped pseudo-inverse of six rows); the ground only
//! pushes, so points that would have to pull are left out and the rest is solved again. Friction is not
//! limited: captured feet do not slide where they are planted.

use glam::DVec3;

use crate::dynamics::{Demand, Push};

/// Where the body can be held: a joint's segment and a point on it.
pub type Footing = (usize, DVec3);

/// The ground's pushes and what they leave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// On each footing that is used.
    pub pushes: Vec<Push>,
    /// What no footing can give. [N]
    pub force: DVec3,
    /// About the root. [N m]
    pub torque: DVec3,
}

/// Moments count as forces at the end of so long a lever. [m]
const LEVER: f64 = 0.25;
/// Keeps forces small where footings coincide, as a share of the rows' size.
const DAMPING: f64 = 1e-6;

/// Shares what a free body asks for at its root among its footings.
pub fn share_ground_reaction(free: &Demand, footings: &[Footing]) -> Share {
    let mut used: Vec<Footing> = footings.to_vec();
    let root = free.places[0];
    loop {
        let forces = least_squares(free, root, &used);
        let pulling = |force: &DVec3| force.y < -1e-9;
        if !forces.iter().any(pulling) {
            return left(free, root, &used, &forces);
        }
        let keep: Vec<bool> = forces.iter().map(|force| !pulling(force)).collect();
        let mut keep = keep.into_iter();
        used.retain(|_| keep.next().unwrap_or(false));
    }
}

fn left(free: &Demand, root: DVec3, used: &[Footing], forces: &[DVec3]) -> Share {
    let push = |(&(joint, at), &force): (&Footing, &DVec3)| Push { joint, at, force };
    let pushes: Vec<Push> = used.iter().zip(forces).map(push).collect();
    let force = pushes
        .iter()
        .fold(free.root_force, |f, push| f - push.force);
    let torque = pushes.iter().fold(free.root_torque, |n, push| {
        n - (push.at - root).cross(push.force)
    });
    Share {
        pushes,
        force,
        torque,
    }
}

/// f = Aᵀ (A Aᵀ + λ)⁻¹ b, where A stacks forces and moments about the root.
fn least_squares(free: &Demand, root: DVec3, used: &[Footing]) -> Vec<DVec3> {
    let columns: Vec<[f64; 6]> = used
        .iter()
        .flat_map(|(_, at)| DVec3::AXES.map(|axis| row_of(axis, (*at - root).cross(axis) / LEVER)))
        .collect();
    let mut square = [[0.0; 6]; 6];
    for column in &columns {
        for (i, row) in square.iter_mut().enumerate() {
            for (j, value) in row.iter_mut().enumerate() {
                *value += column[i] * column[j];
            }
        }
    }
    let size: f64 = (0..6).map(|i| square[i][i]).sum::<f64>() + 1e-12;
    (0..6).for_each(|i| square[i][i] += DAMPING * size);
    let weights = solve(square, row_of(free.root_force, free.root_torque / LEVER));
    let force = |column: &[f64; 6]| column.iter().zip(&weights).map(|(c, w)| c * w).sum::<f64>();
    let forces = columns.chunks_exact(3);
    forces
        .map(|axes| DVec3::new(force(&axes[0]), force(&axes[1]), force(&axes[2])))
        .collect()
}

fn row_of(force: DVec3, moment: DVec3) -> [f64; 6] {
    [force.x, force.y, force.z, moment.x, moment.y, moment.z]
}

/// Solves a symmetric positive definite system (Cholesky).
fn solve(mut a: [[f64; 6]; 6], mut b: [f64; 6]) -> [f64; 6] {
    for i in 0..6 {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            let value = a[i][j] - sum;
            a[i][j] = if i == j {
                value.max(1e-300).sqrt()
            } else {
                value / a[j][j]
            };
        }
    }
    for i in 0..6 {
        let sum: f64 = (0..i).map(|k| a[i][k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i][i];
    }
    for i in (0..6).rev() {
        let sum: f64 = (i + 1..6).map(|k| a[k][i] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(torque: DVec3) -> Demand {
        Demand {
            torques: Vec::new(),
            root_force: DVec3::Y * 700.0,
            root_torque: torque,
            places: vec![DVec3::Y],
        }
    }

    #[test]
    fn two_feet_share_the_weight_by_their_distance() {
        let feet = [(3, DVec3::X * 0.1), (6, DVec3::X * -0.3)];
        let share = share_ground_reaction(&standing(DVec3::ZERO), &feet);
        assert!((share.pushes[0].force.y - 525.0).abs() < 1.0, "{share:?}");
        assert!(share.force.length() < 1.0 && share.torque.length() < 1.0);
    }

    #[test]
    fn the_ground_does_not_pull() {
        // Both feet to the left of the body: the far one would have to pull.
        let feet = [(3, DVec3::X * 0.2), (6, DVec3::X * 0.5)];
        let share = share_ground_reaction(&standing(DVec3::ZERO), &feet);
        assert!(share.pushes.iter().all(|push| push.force.y >= 0.0));
        assert!(share.force.length() > 100.0, "the rest is said: {share:?}");
    }

    #[test]
    fn nothing_holds_who_flies() {
        let share = share_ground_reaction(&standing(DVec3::ZERO), &[]);
        assert_eq!((share.pushes.len(), share.force.y), (0, 700.0));
    }
}
