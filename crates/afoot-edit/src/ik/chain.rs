//! Reaching with a chain of any length: damped least squares on the joints' rotations.
//!
//! Each joint turns freely about its own centre; the step solves (J Jᵀ + λ²I) f = e for the error e
//! and turns every joint by rᵢ × f, rᵢ the arm from the joint to the end (Wampler 1986). J Jᵀ is a
//! 3×3 sum, so a step costs one pass over the chain. Limits are cones about the starting pose, and
//! weights say how willing each joint is. Two-link limbs are solved exactly in `limb`.

use afoot_core::{JointId, Skeleton};
use glam::{Mat3, Quat, Vec3};

use super::reach::ReachError;

/// A chain of joints and how it may move.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainOptions {
    /// Close enough. [m, > 0]
    pub tolerance: f32,
    /// At most this many steps. [1..]
    pub steps: usize,
    /// Damping as a share of the chain's length: more is calmer and slower. [> 0]
    pub damping: f32,
    /// Farthest any joint may turn from where it started. [rad, 0..=π]
    pub max_turn: f32,
    /// How willing each joint of the chain is, from its base on; missing ones are 1. [0..=1]
    pub weights: Vec<f32>,
}

impl Default for ChainOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            steps: 64,
            damping: 0.05,
            max_turn: 2.0,
            weights: Vec::new(),
        }
    }
}

/// Where the chain got to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainReach {
    /// The end joint now. [m]
    pub end: Vec3,
    /// Its distance from the target; above the tolerance if out of reach. [m]
    pub miss: f32,
    /// Steps taken.
    pub steps: usize,
}

/// Moves joint `end` to `target` [m, world] by turning the joints from `base` down to `end`'s
/// parent. Out of reach: stretched towards it as far as the limits go.
pub fn reach_with_chain(
    skeleton: &Skeleton,
    (root, local): (Vec3, &mut [Quat]),
    (base, end): (JointId, JointId),
    (target, options): (Vec3, &ChainOptions),
) -> Result<ChainReach, ReachError> {
    if local.len() != skeleton.len() {
        let (found, expected) = (local.len(), skeleton.len());
        return Err(ReachError::WrongPose { found, expected });
    }
    if !target.is_finite() {
        return Err(ReachError::NotFinite(target));
    }
    let mut chain = Chain::new(skeleton, (root, local), (base, end), options)?;
    let mut best = chain.miss(target);
    let mut steps = 0;
    let mut damping = options.damping.max(1e-4);
    while best > options.tolerance && steps < options.steps {
        steps += 1;
        let kept = chain.clone();
        chain.step(target, damping);
        let miss = chain.miss(target);
        if miss < best {
            best = miss;
            damping = (damping * 0.5).max(1e-3);
        } else {
            chain = kept;
            damping *= 4.0;
            if damping > 1e3 {
                break;
            }
        }
    }
    chain.write(local);
    Ok(ChainReach {
        end: chain.end(),
        miss: best,
        steps,
    })
}

/// One joint of the chain.
#[derive(Clone)]
struct Link {
    joint: JointId,
    /// To the next joint of the chain, in this joint's frame.
    offset: Vec3,
    start: Quat,
    local: Quat,
    weight: f32,
    position: Vec3,
}

#[derive(Clone)]
struct Chain {
    links: Vec<Link>,
    base_position: Vec3,
    base_parent: Quat,
    end: Vec3,
    length: f32,
    max_turn: f32,
}

impl Chain {
    fn new(
        skeleton: &Skeleton,
        (root, local): (Vec3, &[Quat]),
        (base, end): (JointId, JointId),
        options: &ChainOptions,
    ) -> Result<Self, ReachError> {
        let mut joints = vec![end];
        while joints[joints.len() - 1] != base {
            match skeleton.joint(joints[joints.len() - 1]).parent {
                Some(parent) => joints.push(parent),
                None => {
                    let name = |id| skeleton.joint(id).name.clone();
                    return Err(ReachError::NotAChain {
                        upper: name(base),
                        lower: name(end),
                    });
                }
            }
        }
        joints.reverse();
        let link = |(index, pair): (usize, &[JointId])| Link {
            joint: pair[0],
            offset: skeleton.joint(pair[1]).offset,
            start: local[pair[0].index()],
            local: local[pair[0].index()],
            weight: options.weights.get(index).copied().unwrap_or(1.0),
            position: Vec3::ZERO,
        };
        let links: Vec<Link> = joints.windows(2).enumerate().map(link).collect();
        let length = links.iter().map(|link| link.offset.length()).sum();
        let (base_position, base_parent) = place_base(skeleton, (root, local), base);
        let (end, max_turn) = (base_position, options.max_turn);
        let mut chain = Self {
            links,
            base_position,
            base_parent,
            end,
            length,
            max_turn,
        };
        chain.place();
        Ok(chain)
    }

    fn place(&mut self) {
        let (mut position, mut rotation) = (self.base_position, self.base_parent);
        for link in &mut self.links {
            link.position = position;
            rotation *= link.local;
            position += rotation * link.offset;
        }
        self.end = position;
    }

    fn end(&self) -> Vec3 {
        self.end
    }

    fn miss(&self, target: Vec3) -> f32 {
        self.end.distance(target)
    }

    /// One damped step towards the target, at most a quarter of the chain's length.
    fn step(&mut self, target: Vec3, damping: f32) {
        let error = (target - self.end).clamp_length_max(0.25 * self.length);
        let damped = (damping * self.length).powi(2).max(1e-12);
        let mut normal = Mat3::from_diagonal(Vec3::splat(damped));
        for link in &self.links {
            let arm = self.end - link.position;
            let outer = Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            let turned = Mat3::from_diagonal(Vec3::splat(arm.length_squared())) - outer;
            normal += turned * link.weight;
        }
        let force = normal.inverse() * error;
        let mut parent = self.base_parent;
        for link in &mut self.links {
            let old = parent * link.local;
            let turn = (self.end - link.position).cross(force) * link.weight;
            let wanted =
                parent.inverse() * Quat::from_scaled_axis(turn.clamp_length_max(1.0)) * old;
            link.local = within_cone(link.start, wanted.normalize(), self.max_turn);
            // The next joint's turn is meant in the world before this step.
            parent = old;
        }
        self.place();
    }

    fn write(&self, local: &mut [Quat]) {
        for link in &self.links {
            local[link.joint.index()] = link.local;
        }
    }
}

fn place_base(skeleton: &Skeleton, (root, local): (Vec3, &[Quat]), joint: JointId) -> (Vec3, Quat) {
    match skeleton.joint(joint).parent {
        None => (root, Quat::IDENTITY),
        Some(parent) => {
            let (position, above) = place_base(skeleton, (root, local), parent);
            let rotation = above * local[parent.index()];
            (position + rotation * skeleton.joint(joint).offset, rotation)
        }
    }
}

/// `wanted`, or the rotation towards it that is `limit` away from `start`.
fn within_cone(start: Quat, wanted: Quat, limit: f32) -> Quat {
    let angle = start.angle_between(wanted);
    if angle <= limit {
        wanted
    } else {
        start.slerp(wanted, limit / angle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::{Joint, pose_kinematics};

    const ROOT: Vec3 = Vec3::new(0.0, 1.0, 0.0);

    /// Five links of 0.2 m along +x, the first fixed in place.
    fn arm() -> Skeleton {
        let joint = |index: usize| match index {
            0 => Joint::new("0", None, Vec3::ZERO),
            _ => Joint::new(
                index.to_string(),
                Some(JointId::from(index - 1)),
                Vec3::X * 0.2,
            ),
        };
        Skeleton::new((0..6).map(joint).collect(), Vec::new()).unwrap()
    }

    fn check(target: Vec3, options: &ChainOptions) -> (ChainReach, Vec<Quat>) {
        let skeleton = arm();
        let mut local = vec![Quat::from_rotation_z(0.1); 6];
        let ends = (JointId(0), JointId(5));
        let reach =
            reach_with_chain(&skeleton, (ROOT, &mut local), ends, (target, options)).unwrap();
        let (_, points) = pose_kinematics(&skeleton, ROOT, &local);
        assert!(points[5].distance(reach.end) < 1e-5);
        assert!((points[5].distance(target) - reach.miss).abs() < 1e-5);
        (reach, local)
    }

    #[test]
    fn targets_in_reach_are_met() {
        for angle in 0..24 {
            let (sin, cos) = (angle as f32 * 0.26).sin_cos();
            for radius in [0.3, 0.6, 0.95] {
                let target = ROOT + radius * Vec3::new(cos, 0.6 * sin, 0.8 * sin);
                let options = ChainOptions {
                    max_turn: std::f32::consts::PI,
                    ..Default::default()
                };
                let (reach, _) = check(target, &options);
                assert!(reach.miss < 2e-4, "{reach:?} to {target}");
            }
        }
    }

    #[test]
    fn out_of_reach_stretches_towards_it() {
        let (reach, _) = check(ROOT + Vec3::Y * 3.0, &ChainOptions::default());
        assert!((reach.miss - 2.0).abs() < 0.02, "{reach:?}");
    }

    #[test]
    fn limits_and_weights_hold() {
        let weights = vec![0.0, 1.0, 1.0, 1.0, 1.0];
        let options = ChainOptions {
            max_turn: 0.3,
            weights,
            ..Default::default()
        };
        let (_, local) = check(ROOT + Vec3::Y, &options);
        let start = Quat::from_rotation_z(0.1);
        assert!(
            local[0].angle_between(start) < 1e-3,
            "an unwilling joint stays"
        );
        for rotation in &local[1..5] {
            assert!(rotation.angle_between(start) < 0.301);
        }
    }

    #[test]
    fn a_base_off_the_chain_is_refused() {
        let skeleton = arm();
        let mut local = vec![Quat::IDENTITY; 6];
        let ask = (Vec3::ZERO, &ChainOptions::default());
        let result = reach_with_chain(&skeleton, (ROOT, &mut local), (JointId(5), JointId(2)), ask);
        assert!(matches!(result, Err(ReachError::NotAChain { .. })));
    }
}
