//! Inverse dynamics: the torques that a motion takes (Luh, Walker, Paul 1980: recursive Newton–Euler).
//!
//! Outwards velocities and accelerations, inwards forces, all in world axes; every joint but the root is
//! a ball joint. What comes in at the root is what nothing in the body can give: the residual.
//! Cost: linear in the joints, some 2 µs for a body of thirty.

use glam::{DQuat, DVec3};

use crate::model::BodyModel;

/// [m/s²]
pub(crate) const GRAVITY: f64 = 9.81;

/// How a body moves at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMotion {
    /// Of each joint in its parent's frame, the root's in the world.
    pub rotations: Vec<DQuat>,
    /// Angular velocities relative to the parent, in the joint's own frame. [rad/s]
    pub rates: Vec<DVec3>,
    /// Their change, component by component. [rad/s²]
    pub accelerations: Vec<DVec3>,
    /// Where the root is. [m]
    pub root: DVec3,
    /// How its velocity changes, in the world; gravity is not in it. [m/s²]
    pub root_acceleration: DVec3,
}

/// A force from outside on a joint's segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// On which joint's segment.
    pub joint: usize,
    /// Where, in the world. [m]
    pub at: DVec3,
    /// In the world. [N]
    pub force: DVec3,
}

/// What a motion asks for at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// On each joint, in its own frame; the root's is the residual. [N m]
    pub torques: Vec<DVec3>,
    /// At the root, in the world. [N]
    pub root_force: DVec3,
    /// About the root, in the world. [N m]
    pub root_torque: DVec3,
    /// Where the joints are. [m]
    pub places: Vec<DVec3>,
}

/// The torques that a motion takes under gravity and these pushes.
pub fn inverse_dynamics(body: &BodyModel, motion: &JointMotion, pushes: &[Push]) -> Demand {
    let outward = spread(body, motion);
    let mut force = vec![DVec3::ZERO; body.len()];
    let mut torque = vec![DVec3::ZERO; body.len()];
    for push in pushes {
        force[push.joint] -= push.force;
        torque[push.joint] -= (push.at - outward.places[push.joint]).cross(push.force);
    }
    for joint in (0..body.len()).rev() {
        let segment = &body.segments[joint];
        let turn = outward.turns[joint];
        let (spin, change) = (outward.spins[joint], outward.changes[joint]);
        let centre = turn * segment.centre;
        let lift = outward.lifts[joint] + change.cross(centre) + spin.cross(spin.cross(centre));
        let own = segment.mass * lift;
        let inertia = |v: DVec3| turn * (segment.inertia * (turn.inverse() * v));
        force[joint] += own;
        torque[joint] += inertia(change) + spin.cross(inertia(spin)) + centre.cross(own);
        if let Some(parent) = body.parents[joint] {
            let arm = outward.places[joint] - outward.places[parent];
            let (f, n) = (force[joint], torque[joint]);
            force[parent] += f;
            torque[parent] += n + arm.cross(f);
        }
    }
    let own = |joint: usize| outward.turns[joint].inverse() * torque[joint];
    Demand {
        torques: (0..body.len()).map(own).collect(),
        root_force: force[0],
        root_torque: torque[0],
        places: outward.places,
    }
}

/// What each joint does in the world.
struct Outward {
    turns: Vec<DQuat>,
    places: Vec<DVec3>,
    spins: Vec<DVec3>,
    changes: Vec<DVec3>,
    /// Accelerations of the joints, against gravity.
    lifts: Vec<DVec3>,
}

fn spread(body: &BodyModel, motion: &JointMotion) -> Outward {
    let count = body.len();
    let mut out = Outward {
        turns: Vec::with_capacity(count),
        places: Vec::with_capacity(count),
        spins: Vec::with_capacity(count),
        changes: Vec::with_capacity(count),
        lifts: Vec::with_capacity(count),
    };
    for joint in 0..count {
        let local = motion.rotations[joint];
        let (rate, change) = (motion.rates[joint], motion.accelerations[joint]);
        let (turn, place, spin, turning, lift) = match body.parents[joint] {
            None => {
                let lift = motion.root_acceleration + DVec3::Y * GRAVITY;
                (local, motion.root, DVec3::ZERO, DVec3::ZERO, lift)
            }
            Some(parent) => {
                let (spin, turning) = (out.spins[parent], out.changes[parent]);
                let arm = out.turns[parent] * body.offsets[joint];
                let lift = out.lifts[parent] + turning.cross(arm) + spin.cross(spin.cross(arm));
                let place = out.places[parent] + arm;
                (out.turns[parent] * local, place, spin, turning, lift)
            }
        };
        let own = turn * rate;
        out.turns.push(turn);
        out.places.push(place);
        out.spins.push(spin + own);
        out.changes.push(turning + spin.cross(own) + turn * change);
        out.lifts.push(lift);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Segment;
    use glam::DMat3;

    /// A rod of 2 kg and 1 m that hangs on a massless root, as a pendulum.
    fn pendulum() -> BodyModel {
        let segment = |mass: f64| Segment {
            mass,
            centre: DVec3::new(0.0, -0.5, 0.0),
            inertia: DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0)) * (mass / 12.0),
        };
        BodyModel {
            parents: vec![None, Some(0)],
            offsets: vec![DVec3::ZERO, DVec3::ZERO],
            segments: vec![segment(0.0), segment(2.0)],
            mass: 2.0,
            stature: 1.0,
        }
    }

    fn check(angle: f64, rate: f64, acceleration: f64, expected: f64) {
        let motion = JointMotion {
            rotations: vec![DQuat::IDENTITY, DQuat::from_rotation_z(angle)],
            rates: vec![DVec3::ZERO, DVec3::Z * rate],
            accelerations: vec![DVec3::ZERO, DVec3::Z * acceleration],
            root: DVec3::ZERO,
            root_acceleration: DVec3::ZERO,
        };
        let demand = inverse_dynamics(&pendulum(), &motion, &[]);
        assert!((demand.torques[1].z - expected).abs() < 1e-9, "{demand:?}");
    }

    #[test]
    fn a_pendulum_takes_what_the_textbook_says() {
        let about_end = 2.0 / 3.0;
        check(0.0, 0.0, 0.0, 0.0);
        check(0.3, 0.0, 0.0, 2.0 * GRAVITY * 0.5 * 0.3f64.sin());
        check(0.3, 5.0, 0.0, 2.0 * GRAVITY * 0.5 * 0.3f64.sin());
        check(0.0, 2.0, 4.0, about_end * 4.0);
    }

    #[test]
    fn what_falls_freely_asks_for_nothing() {
        let motion = JointMotion {
            rotations: vec![DQuat::IDENTITY, DQuat::from_rotation_z(0.7)],
            rates: vec![DVec3::ZERO; 2],
            accelerations: vec![DVec3::ZERO; 2],
            root: DVec3::ZERO,
            root_acceleration: -DVec3::Y * GRAVITY,
        };
        let demand = inverse_dynamics(&pendulum(), &motion, &[]);
        assert!(demand.root_force.length() < 1e-9 && demand.torques[1].length() < 1e-9);
    }

    #[test]
    fn a_push_through_the_joint_takes_the_weight_off_the_root() {
        let motion = JointMotion {
            rotations: vec![DQuat::IDENTITY; 2],
            rates: vec![DVec3::ZERO; 2],
            accelerations: vec![DVec3::ZERO; 2],
            root: DVec3::Y,
            root_acceleration: DVec3::ZERO,
        };
        let push = Push {
            joint: 1,
            at: DVec3::ZERO,
            force: DVec3::Y * 2.0 * GRAVITY,
        };
        let demand = inverse_dynamics(&pendulum(), &motion, &[push]);
        assert!(demand.root_force.length() < 1e-9 && demand.root_torque.length() < 1e-9);
    }
}
