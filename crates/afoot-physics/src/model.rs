//! A body of rigid segments around a skeleton.
//!
//! Shares of the mass and where along a segment its centre lies are Winter's (Biomechanics and Motor
//! Control of Human Movement, 4th ed. 2009, table 4.1, after Dempster); lengths are the skeleton's own.
//! Stature follows from the legs (thigh and shank are 0.491 of it), mass from stature (22 kg/m²).
//! Moments of inertia are those of solid cylinders of the body's density, an approximation that
//! torques of everyday motion hardly see. Joints that are no body part of their own (twist joints,
//! fingers) weigh nothing. A skeleton without roles gets its mass along its bones, by length.

use afoot_core::{JointId, Role, Side, Skeleton};
use glam::{DMat3, DQuat, DVec3};

/// A rigid segment, in the frame of the joint that moves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// [kg, ≥ 0]
    pub mass: f64,
    /// Centre of mass from the joint. [m]
    pub centre: DVec3,
    /// About the centre, in the joint's axes. [kg m²]
    pub inertia: DMat3,
}

/// Segments of a skeleton, a joint each.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyModel {
    /// A joint each; parents come first.
    pub parents: Vec<Option<usize>>,
    /// From the parent's joint, in its frame. [m]
    pub offsets: Vec<DVec3>,
    /// A joint each.
    pub segments: Vec<Segment>,
    /// Of the whole body. [kg]
    pub mass: f64,
    /// How tall it stands. [m]
    pub stature: f64,
}

/// Of flesh and bone together. [kg/m³]
const DENSITY: f64 = 1050.0;
/// Mass over stature squared. [kg/m²]
const BUILD: f64 = 22.0;
/// Thigh and shank together, as a share of the stature.
const LEGS: f64 = 0.491;
/// Segments are at least so long, so that their cylinders don't become discs. [m]
const SHORTEST: f64 = 0.06;

/// A segment on either side, the share of the body's mass that it has, and its centre's share of the way to its far end.
type SegmentShare = (fn(Side) -> Role, f64, f64);

/// Of a segment: share of the body's mass, and its centre's share of the way to its far end.
const PARTS: [SegmentShare; 6] = [
    (Role::UpLeg, 0.100, 0.433),
    (Role::Leg, 0.0465, 0.433),
    (Role::Foot, 0.0145, 0.5),
    (Role::Arm, 0.028, 0.436),
    (Role::ForeArm, 0.016, 0.43),
    (Role::Hand, 0.006, 0.506),
];
/// Pelvis, abdomen, thorax, head with neck.
const TRUNK: [(Role, f64, f64); 4] = [
    (Role::Hips, 0.142, 0.5),
    (Role::Spine, 0.139, 0.5),
    (Role::Chest, 0.216, 0.5),
    (Role::Head, 0.081, 0.5),
];

impl BodyModel {
    /// The body of an average person with that skeleton.
    pub fn of_skeleton(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints();
        let stature = stature(skeleton);
        let mass = BUILD * stature * stature;
        let massless = Segment {
            mass: 0.0,
            centre: DVec3::ZERO,
            inertia: DMat3::ZERO,
        };
        let mut model = Self {
            parents: joints
                .iter()
                .map(|j| j.parent.map(JointId::index))
                .collect(),
            offsets: joints.iter().map(|j| j.offset.as_dvec3()).collect(),
            segments: vec![massless; joints.len()],
            mass,
            stature,
        };
        let shares = shares(skeleton);
        let total: f64 = shares.iter().map(|share| share.1).sum();
        for (joint, share, centre) in shares {
            let end = far_end(skeleton, joint);
            let added = cylinder(mass * share / total, end, centre);
            model.segments[joint.index()] = joined(model.segments[joint.index()], added);
        }
        model
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Never: a skeleton has a root.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// What torques are measured by: the weight at the end of a lever as long as the body. [N m]
    pub fn scale(&self) -> f64 {
        self.mass * crate::dynamics::GRAVITY * self.stature
    }
}

/// Joints with their share of the mass and their centre's share of the way to the far end.
fn shares(skeleton: &Skeleton) -> Vec<(JointId, f64, f64)> {
    let limbs = Side::BOTH
        .into_iter()
        .flat_map(|side| PARTS.map(|(role, share, centre)| (role(side), share, centre)));
    let known: Vec<(JointId, f64, f64)> = TRUNK
        .into_iter()
        .chain(limbs)
        .filter_map(|(role, share, centre)| Some((bearer(skeleton, role)?, share, centre)))
        .collect();
    if known.len() >= 8 {
        return known;
    }
    let along = |index: usize| {
        let joint = JointId::from(index);
        (joint, far_end(skeleton, joint).length().max(1e-3), 0.5)
    };
    (0..skeleton.len()).map(along).collect()
}

/// The joint that carries a part's mass: of the trunk the next lower one where it is missing.
fn bearer(skeleton: &Skeleton, role: Role) -> Option<JointId> {
    let or = |role, other| {
        skeleton
            .with_role(role)
            .or_else(|| skeleton.with_role(other))
    };
    match role {
        Role::Spine => or(Role::Spine, Role::Chest).or_else(|| skeleton.with_role(Role::Hips)),
        Role::Chest => or(Role::Chest, Role::Spine).or_else(|| skeleton.with_role(Role::Hips)),
        Role::Head => or(Role::Head, Role::Neck),
        other => skeleton.with_role(other),
    }
}

/// From a joint to the farthest of what hangs on it directly, of the trunk along the spine. [m]
fn far_end(skeleton: &Skeleton, joint: JointId) -> DVec3 {
    let children = skeleton.children(joint).map(|child| {
        let joint = skeleton.joint(child);
        (joint.role, joint.offset.as_dvec3())
    });
    let sites = skeleton.end_sites().iter();
    let sites = sites.filter(|site| site.parent == joint);
    let ends: Vec<(Option<Role>, DVec3)> = children
        .chain(sites.map(|site| (None, site.offset.as_dvec3())))
        .collect();
    let is_trunk = |role: Option<Role>| {
        matches!(
            role,
            Some(Role::Spine | Role::Chest | Role::Neck | Role::Head)
        )
    };
    let onward = ends
        .iter()
        .find(|(role, end)| is_trunk(*role) && end.length() > 0.02);
    let farthest = || {
        let lengths = ends.iter().map(|(_, end)| *end);
        lengths.fold(DVec3::ZERO, |best, end| {
            match end.length() > best.length() {
                true => end,
                false => best,
            }
        })
    };
    let end = onward.map_or_else(farthest, |(_, end)| *end);
    match end.length() < SHORTEST && skeleton.joint(joint).role.is_some() {
        true => end.normalize_or(DVec3::Y) * SHORTEST,
        false => end,
    }
}

/// A solid cylinder from the joint to `end`.
fn cylinder(mass: f64, end: DVec3, centre: f64) -> Segment {
    let length = end.length().max(SHORTEST);
    let square = mass / (DENSITY * std::f64::consts::PI * length);
    let along = 0.5 * mass * square;
    let across = mass * (3.0 * square + length * length) / 12.0;
    let axis = end.normalize_or(DVec3::Y);
    let turn = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Y, axis));
    Segment {
        mass,
        centre: end * centre,
        inertia: turn * DMat3::from_diagonal(DVec3::new(across, along, across)) * turn.transpose(),
    }
}

/// Two segments that move as one.
fn joined(a: Segment, b: Segment) -> Segment {
    if a.mass == 0.0 {
        return b;
    }
    let mass = a.mass + b.mass;
    let centre = (a.centre * a.mass + b.centre * b.mass) / mass;
    let moved = |part: Segment| {
        let r = part.centre - centre;
        let outer = DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        part.inertia + (DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer) * part.mass
    };
    Segment {
        mass,
        centre,
        inertia: moved(a) + moved(b),
    }
}

/// By the legs; of a figure without legs, by its extent at rest. [m]
fn stature(skeleton: &Skeleton) -> f64 {
    let length = |role| {
        let joint = skeleton.with_role(role)?;
        Some(f64::from(skeleton.joint(joint).offset.length()))
    };
    let leg = |side| Some(length(Role::Leg(side))? + length(Role::Foot(side))?);
    let legs: Vec<f64> = Side::BOTH.into_iter().filter_map(leg).collect();
    if !legs.is_empty() {
        return legs.iter().sum::<f64>() / legs.len() as f64 / LEGS;
    }
    let rest: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let (_, points) = afoot_core::pose_kinematics(skeleton, afoot_core::Vec3::ZERO, &rest);
    let heights = points.iter().map(|point| f64::from(point.y));
    let (low, high) = heights.fold((f64::MAX, f64::MIN), |(l, h), y| (l.min(y), h.max(y)));
    (high - low).max(0.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_sample::sample_skeleton;

    #[test]
    fn a_person_weighs_what_people_weigh() {
        let model = BodyModel::of_skeleton(&sample_skeleton());
        assert!((1.5..2.0).contains(&model.stature), "{}", model.stature);
        let total: f64 = model.segments.iter().map(|segment| segment.mass).sum();
        assert!((total - model.mass).abs() < 1e-9);
        assert!((50.0..90.0).contains(&model.mass), "{}", model.mass);
        for segment in &model.segments {
            let [a, b, c] = [0, 1, 2].map(|i| segment.inertia.col(i)[i]);
            assert!(a >= 0.0 && b >= 0.0 && c >= 0.0);
            assert!(a + b >= c - 1e-12 && b + c >= a - 1e-12 && c + a >= b - 1e-12);
        }
    }

    #[test]
    fn two_halves_of_a_rod_are_the_rod() {
        let end = DVec3::new(0.0, 0.8, 0.0);
        let half = cylinder(2.0, end * 0.5, 0.5);
        let upper = Segment {
            centre: half.centre + end * 0.5,
            ..half
        };
        let (both, whole) = (joined(half, upper), cylinder(4.0, end, 0.5));
        assert!((both.centre - whole.centre).length() < 1e-12);
        let off = both.inertia - whole.inertia;
        assert!((0..3).all(|i| off.col(i).length() < 1e-9), "{off:?}");
    }
}
