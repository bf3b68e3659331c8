//! From what the body does to joint rotations: legs and reaching arms by two-link solutions.
//!
//! Legs are solved in closed form on their ankles. The plane of a leg is its upright plane (half
//! way between pelvis and foot) carried by the shortest turn from straight down to the ankle's
//! direction, which never degenerates below the hip. Knees are hinges. f64, so that planted feet
//! stay within micrometres.

use afoot_core::{Pose, Quat, Side, Skeleton, Vec3};
use glam::{DMat3, DQuat, DVec3};

use crate::body::{FOREARM, HIP_DROP, HIP_HALF, LEG_BONE, UPPER_ARM, joint, out};
use crate::feet::FootPose;

/// All that a frame's pose follows from.
#[derive(Clone, Debug)]
pub struct Posture {
    pub pelvis: DVec3,
    /// World rotations.
    pub pelvis_rotation: DQuat,
    pub chest_rotation: DQuat,
    pub head_rotation: DQuat,
    /// Heading of the pelvis, unwrapped. [rad]
    pub yaw: f64,
    /// Knees apart. [rad]
    pub splay: f64,
    pub feet: [FootPose; 2],
    pub arms: [ArmPose; 2],
    /// Palm's place and how much it counts, 0 to 1.
    pub reach: [Option<(DVec3, f64)>; 2],
}

/// Angles of one arm against a hanging one. [rad]
#[derive(Clone, Copy, Debug, Default)]
pub struct ArmPose {
    pub forward: f64,
    pub outward: f64,
    pub inward_turn: f64,
    pub elbow: f64,
}

/// World rotations of all joints, which the pose and the positions follow from.
pub struct Solved {
    root: DVec3,
    world: [DQuat; joint::COUNT],
}

/// Longest reach of a leg: the knee keeps 11 degrees, below which it would snap. [m]
pub const LEG_REACH: f64 = 2.0 * LEG_BONE * 0.9954;
/// From the wrist to the palm. [m]
const PALM: f64 = 0.09;

/// Solves all joints.
pub fn solve(posture: &Posture, skeleton: &Skeleton) -> Solved {
    let mut world = [posture.pelvis_rotation; joint::COUNT];
    for side in Side::BOTH {
        solve_leg(posture, side, &mut world);
    }
    solve_trunk(posture, &mut world);
    let mut solved = Solved {
        root: posture.pelvis,
        world,
    };
    for side in Side::BOTH {
        solve_arm(posture, side, &mut solved, skeleton);
    }
    solved
}

/// The hip joint from the pelvis, in the pelvis's frame. [m]
pub fn hip_offset(side: Side) -> DVec3 {
    DVec3::new(out(side) * HIP_HALF, -HIP_DROP, 0.0)
}

fn solve_leg(posture: &Posture, side: Side, world: &mut [DQuat]) {
    let index = side.index();
    let foot = &posture.feet[index];
    let hip = posture.pelvis + posture.pelvis_rotation * hip_offset(side);
    let yaw = (posture.yaw + foot.yaw) * 0.5 + out(side) * posture.splay;
    let upright = DQuat::from_rotation_y(yaw);
    let arm = foot.ankle - hip;
    let distance = arm.length().clamp(1e-3, 2.0 * LEG_BONE - 1e-9);
    let down = arm.normalize_or(DVec3::NEG_Y);
    let carried = DQuat::from_rotation_arc(DVec3::NEG_Y, down) * upright;
    let half_bend = (distance * 0.5 / LEG_BONE).acos();
    world[joint::UP_LEG[index]] = carried * DQuat::from_rotation_x(-half_bend);
    world[joint::LEG[index]] = carried * DQuat::from_rotation_x(half_bend);
    world[joint::FOOT[index]] = foot.rotation;
    world[joint::TOE[index]] = foot.rotation * DQuat::from_rotation_x(-foot.toe);
}

/// Each spine joint takes a third of the turn from pelvis to chest, neck and head half each.
fn solve_trunk(posture: &Posture, world: &mut [DQuat]) {
    let (pelvis, chest) = (posture.pelvis_rotation, posture.chest_rotation);
    for (step, index) in joint::SPINE.into_iter().enumerate() {
        world[index] = pelvis.slerp(chest, (step + 1) as f64 / 3.0);
    }
    world[joint::NECK] = chest.slerp(posture.head_rotation, 0.5);
    world[joint::HEAD] = posture.head_rotation;
}

fn solve_arm(posture: &Posture, side: Side, solved: &mut Solved, skeleton: &Skeleton) {
    let (index, out) = (side.index(), out(side));
    let arm = &posture.arms[index];
    // The arms of a person who lifts them high bring the shoulders along.
    let raised = (arm.forward.abs().max(arm.outward) - 0.9).max(0.0) * 0.2;
    let shoulder = posture.chest_rotation * DQuat::from_rotation_z(out * raised);
    let hanging = DQuat::from_rotation_z(-out * std::f64::consts::FRAC_PI_2);
    let upper = posture.chest_rotation
        * DQuat::from_rotation_x(-arm.forward)
        * DQuat::from_rotation_z(out * arm.outward)
        * DQuat::from_rotation_y(-out * arm.inward_turn)
        * hanging;
    let fore = upper * DQuat::from_rotation_y(-out * arm.elbow);
    solved.world[joint::SHOULDER[index]] = shoulder;
    solved.set_arm(index, [upper, fore]);
    if let Some((target, weight)) = posture.reach[index].filter(|(_, weight)| *weight > 0.0) {
        let reaching = reach(posture, side, solved.arm_root(skeleton, index), target);
        let mixed = [
            upper.slerp(reaching[0], weight),
            fore.slerp(reaching[1], weight),
        ];
        solved.set_arm(index, mixed);
    }
}

/// Upper arm and forearm that bring the palm to the target, or towards it where it is too far;
/// the elbow points outwards, back and down.
fn reach(posture: &Posture, side: Side, shoulder: DVec3, target: DVec3) -> [DQuat; 2] {
    let out = out(side);
    let (upper, fore) = (UPPER_ARM, FOREARM + PALM);
    let arm = target - shoulder;
    let distance = arm.length().clamp(0.1, (upper + fore) * 0.998);
    let along = arm.normalize_or(DVec3::NEG_Y);
    let pole = posture.chest_rotation * DVec3::new(out * 0.6, -0.3, -0.6);
    let aside = (pole - along * pole.dot(along)).normalize_or(DVec3::X * out);
    let cosine = (upper * upper + distance * distance - fore * fore) / (2.0 * upper * distance);
    let elbow =
        along * (cosine * upper) + aside * (upper * (1.0 - cosine * cosine).max(0.0).sqrt());
    let bones = [elbow / upper, (along * distance - elbow) / fore];
    // Both bones turn about the axis that is square to the arm's plane.
    bones.map(|bone| {
        let (x, bend) = (bone * out, -aside);
        let z = (bend - bone * bend.dot(bone)).normalize_or(DVec3::Z);
        DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x), z))
    })
}

impl Solved {
    fn set_arm(&mut self, index: usize, [upper, fore]: [DQuat; 2]) {
        self.world[joint::ARM[index]] = upper;
        self.world[joint::FOREARM[index]] = fore;
        self.world[joint::HAND[index]] = fore;
    }

    /// Where the upper arm begins.
    fn arm_root(&self, skeleton: &Skeleton, index: usize) -> DVec3 {
        self.positions(skeleton)[joint::ARM[index]]
    }

    /// Local rotations, as a clip stores them.
    pub fn pose(&self, skeleton: &Skeleton) -> Pose {
        let local = |(index, joint): (usize, &afoot_core::Joint)| {
            let world = self.world[index];
            let local = joint
                .parent
                .map_or(world, |p| self.world[p.index()].inverse() * world);
            quat(local.normalize())
        };
        Pose {
            root: Vec3::new(self.root.x as f32, self.root.y as f32, self.root.z as f32),
            rotations: skeleton.joints().iter().enumerate().map(local).collect(),
        }
    }

    /// World positions of the joints, then the end sites.
    pub fn positions(&self, skeleton: &Skeleton) -> Vec<DVec3> {
        let mut places: Vec<DVec3> = Vec::with_capacity(skeleton.point_count());
        for joint in skeleton.joints() {
            places.push(joint.parent.map_or(self.root, |parent| {
                places[parent.index()] + self.world[parent.index()] * joint.offset.as_dvec3()
            }));
        }
        for site in skeleton.end_sites() {
            let parent = site.parent.index();
            places.push(places[parent] + self.world[parent] * site.offset.as_dvec3());
        }
        places
    }
}

fn quat(q: DQuat) -> Quat {
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    Quat::from_xyzw(
        (sign * q.x) as f32,
        (sign * q.y) as f32,
        (sign * q.z) as f32,
        (sign * q.w) as f32,
    )
}

/// The centre of mass of a body whose joints are there (segment masses after Winter 2009).
pub fn centre_of_mass(places: &[DVec3]) -> DVec3 {
    let middle = |a: usize, b: usize| (places[a] + places[b]) * 0.5;
    let mut sum = places[joint::HIPS] * 0.142
        + middle(joint::SPINE[0], joint::NECK) * 0.355
        + places[joint::HEAD] * 0.081;
    for index in 0..2 {
        sum += middle(joint::UP_LEG[index], joint::LEG[index]) * 0.100
            + middle(joint::LEG[index], joint::FOOT[index]) * 0.0465
            + middle(joint::FOOT[index], joint::TOE[index]) * 0.0145
            + middle(joint::ARM[index], joint::FOREARM[index]) * 0.028
            + middle(joint::FOREARM[index], joint::HAND[index]) * 0.022;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::sample_skeleton;

    fn standing(ankle: DVec3) -> Posture {
        let foot = |ankle| FootPose {
            ankle,
            rotation: DQuat::from_rotation_x(0.3),
            yaw: 0.4,
            toe: 0.1,
            heel_down: false,
            ball_down: false,
        };
        Posture {
            pelvis: DVec3::new(1.0, 0.9, -2.0),
            pelvis_rotation: DQuat::from_rotation_y(0.2) * DQuat::from_rotation_z(0.1),
            chest_rotation: DQuat::from_rotation_x(0.3),
            head_rotation: DQuat::IDENTITY,
            yaw: 0.2,
            splay: 0.05,
            feet: [foot(ankle), foot(DVec3::new(0.9, 0.1, -2.0))],
            arms: [ArmPose::default(); 2],
            reach: [None; 2],
        }
    }

    #[test]
    fn ankles_come_exactly_where_they_are_asked_for() {
        let skeleton = sample_skeleton();
        for ankle in [
            [1.1, 0.08, -2.0],
            [1.1, 0.4, -1.5],
            [1.3, 0.2, -2.3],
            [1.08, 0.05, -1.9],
        ] {
            let posture = standing(ankle.into());
            let places = solve(&posture, &skeleton).positions(&skeleton);
            let miss = places[joint::FOOT[0]].distance(ankle.into());
            assert!(miss < 1e-7, "{miss} m from {ankle:?}");
            let pose = solve(&posture, &skeleton).pose(&skeleton);
            let (_, points) = afoot_core::pose_kinematics(&skeleton, pose.root, &pose.rotations);
            let miss = points[joint::FOOT[0]].as_dvec3().distance(ankle.into());
            assert!(miss < 1e-6, "{miss} m from {ankle:?} in single precision");
        }
    }

    #[test]
    fn knees_point_forward() {
        let skeleton = sample_skeleton();
        let solved = solve(&standing(DVec3::new(1.1, 0.3, -2.0)), &skeleton);
        let places = solved.positions(&skeleton);
        let (hip, knee, ankle) = (
            places[joint::UP_LEG[0]],
            places[joint::LEG[0]],
            places[joint::FOOT[0]],
        );
        assert!(
            knee.z > hip.z + 0.1 && knee.z > ankle.z + 0.1,
            "{hip} {knee} {ankle}"
        );
    }

    #[test]
    fn a_reaching_palm_arrives() {
        let skeleton = sample_skeleton();
        let mut posture = standing(DVec3::new(1.1, 0.08, -2.0));
        for (index, target) in [(0, [1.3, 1.0, -1.6]), (1, [0.8, 0.9, -1.7])] {
            let target: DVec3 = target.into();
            posture.reach[index] = Some((target, 1.0));
            let places = solve(&posture, &skeleton).positions(&skeleton);
            let (elbow, wrist) = (places[joint::FOREARM[index]], places[joint::HAND[index]]);
            let palm = wrist + (wrist - elbow).normalize() * PALM;
            assert!(palm.distance(target) < 1e-6, "{palm} instead of {target}");
        }
    }
}
