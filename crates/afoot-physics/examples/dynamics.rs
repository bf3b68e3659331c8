//! Random motions of the sample performer's body and the torques that they take, as JSON on standard output:
//! what `scripts/check_dynamics.py` holds against Pinocchio.

use afoot_physics::{BodyModel, JointMotion, inverse_dynamics};
use afoot_sample::sample_skeleton;
use glam::{DQuat, DVec3};
use serde_json::{Value, json};

/// A small generator, so that the same motions come every time.
struct Dice(u64);

impl Dice {
    fn unit(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as f64 / (1u64 << 31) as f64) * 2.0 - 1.0
    }

    fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit()) * size
    }
}

fn triple(v: DVec3) -> Value {
    json!([v.x, v.y, v.z])
}

fn main() {
    let body = BodyModel::of_skeleton(&sample_skeleton());
    let joints: Vec<Value> = (0..body.len())
        .map(|joint| {
            let segment = body.segments[joint];
            let rows: Vec<Value> = (0..3).map(|row| triple(segment.inertia.row(row))).collect();
            json!({"parent": body.parents[joint], "offset": triple(body.offsets[joint]), "mass": segment.mass,
                "centre": triple(segment.centre), "inertia": rows})
        })
        .collect();
    let mut dice = Dice(7);
    let cases: Vec<Value> = (0..200)
        .map(|_| {
            let motion = JointMotion {
                rotations: (0..body.len()).map(|_| DQuat::from_scaled_axis(dice.vector(2.0))).collect(),
                rates: (0..body.len()).map(|_| dice.vector(8.0)).collect(),
                accelerations: (0..body.len()).map(|_| dice.vector(60.0)).collect(),
                root: dice.vector(2.0),
                root_acceleration: dice.vector(15.0),
            };
            let demand = inverse_dynamics(&body, &motion, &[]);
            json!({
                "rotations": motion.rotations.iter().map(|q| json!([q.x, q.y, q.z, q.w])).collect::<Vec<_>>(),
                "rates": motion.rates.iter().copied().map(triple).collect::<Vec<_>>(),
                "accelerations": motion.accelerations.iter().copied().map(triple).collect::<Vec<_>>(),
                "root": triple(motion.root), "root_acceleration": triple(motion.root_acceleration),
                "torques": demand.torques.iter().copied().map(triple).collect::<Vec<_>>(),
                "root_force": triple(demand.root_force), "root_torque": triple(demand.root_torque),
            })
        })
        .collect();
    println!("{}", json!({"joints": joints, "cases": cases}));
}
