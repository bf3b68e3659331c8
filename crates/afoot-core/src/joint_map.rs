//! Which joints of two skeletons correspond, and the transfer of turns between them.
//!
//! With G a joint's rotation in the world and R that at rest, the source's turn D = G·R⁻¹ becomes
//! the target's G' = D·K·R'. K takes the target's rest pose to the source's: for the long bones of
//! limbs the shortest turn that makes them parallel, so that a T-pose and an A-pose agree;
//! inherited down to hands; for feet only its part in the frontal plane and the heading, so that
//! soles that are flat at rest stay flat. Spine and neck joints between mapped ones share the turn
//! evenly.

use glam::{Quat, Vec3};

use crate::clip::Clip;
use crate::index::JointId;
use crate::kinematics::pose_kinematics;
use crate::pairs::shortest_turn;
use crate::planar::yaw_between;
use crate::retarget::{JointMap, RetargetError};
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;

/// The source joint for every target joint that has one; `None` where rotations can be copied as
/// they are.
pub(crate) fn pair_joints(
    source: &Skeleton,
    target: &Skeleton,
    map: &JointMap,
) -> Result<Option<Vec<Option<JointId>>>, RetargetError> {
    if let JointMap::Named(names) = map {
        return named_pairs(source, target, names).map(Some);
    }
    if source.same_topology(target) {
        let same_rest =
            |(a, b): (&crate::Joint, &crate::Joint)| a.rest.dot(b.rest).abs() > 1.0 - 1e-6;
        if source.joints().iter().zip(target.joints()).all(same_rest) {
            return Ok(None);
        }
        return Ok(Some(
            (0..source.len())
                .map(|joint| Some(JointId::from(joint)))
                .collect(),
        ));
    }
    role_pairs(source, target).map(Some)
}

fn named_pairs(
    source: &Skeleton,
    target: &Skeleton,
    names: &[(String, String)],
) -> Result<Vec<Option<JointId>>, RetargetError> {
    let find = |skeleton: &Skeleton, name: &str, which| {
        skeleton
            .find(name)
            .ok_or_else(|| RetargetError::UnknownJoint {
                name: name.into(),
                which,
            })
    };
    let mut pairs = vec![None; target.len()];
    for (to, from) in names {
        pairs[find(target, to, "target")?.index()] = Some(find(source, from, "source")?);
    }
    Ok(pairs)
}

fn role_pairs(source: &Skeleton, target: &Skeleton) -> Result<Vec<Option<JointId>>, RetargetError> {
    let pair = |joint: &crate::Joint| match joint.role.filter(|role| !role.is_shared()) {
        Some(role) => source.with_role(role),
        None => source
            .find(&joint.name)
            .filter(|&from| source.joint(from).role.is_none_or(Role::is_shared)),
    };
    let pairs: Vec<Option<JointId>> = target.joints().iter().map(pair).collect();
    let needed = [Role::Hips].into_iter().chain(
        Side::BOTH
            .into_iter()
            .flat_map(|side| [Role::UpLeg(side), Role::Leg(side)]),
    );
    let is_missing = |role: &Role| {
        target
            .with_role(*role)
            .is_none_or(|joint| pairs[joint.index()].is_none())
    };
    let missing: Vec<&str> = needed.filter(is_missing).map(Role::name).collect();
    match missing.is_empty() {
        true => Ok(pairs),
        false => Err(RetargetError::NothingInCommon {
            missing: missing.join(", "),
        }),
    }
}

/// Everything about two skeletons that the transfer of a frame needs.
pub(crate) struct Transfer<'a> {
    source: &'a Skeleton,
    target: &'a Skeleton,
    /// The source's rest rotations in the world, inverted.
    source_unrest: Vec<Quat>,
    /// Per target joint, how its turn follows.
    rules: Vec<Rule>,
    /// The target joint whose place is prescribed, and the source's.
    anchor: (JointId, JointId),
}

/// How a target joint gets its rotation.
enum Rule {
    /// D of a source joint, times K·R'.
    Follow(JointId, Quat),
    /// D between those of two source joints, times K·R'.
    Between([JointId; 2], f32, Quat),
    /// Rest rotation in the parent's frame.
    Rest(Quat),
}

impl<'a> Transfer<'a> {
    pub(crate) fn new(
        source: &'a Skeleton,
        target: &'a Skeleton,
        pairs: &[Option<JointId>],
    ) -> Self {
        let corrections = corrections(source, target, pairs);
        let rest = target.world_rest_rotations();
        let rule = |index: usize| {
            let base = corrections[index] * rest[index];
            match (
                pairs[index],
                neighbours(target, pairs, JointId::from(index)),
            ) {
                (Some(from), _) => Rule::Follow(from, base),
                (None, Some((ends, share))) => Rule::Between(ends, share, base),
                (None, None) => Rule::Rest(target.joints()[index].rest),
            }
        };
        let hips = target
            .with_role(Role::Hips)
            .filter(|hips| pairs[hips.index()].is_some());
        let first = pairs.iter().position(Option::is_some).map(JointId::from);
        let to = hips.or(first).unwrap_or(JointId(0));
        Self {
            source,
            target,
            source_unrest: source
                .world_rest_rotations()
                .iter()
                .map(|q| q.conjugate())
                .collect(),
            rules: (0..target.len()).map(rule).collect(),
            anchor: (to, pairs[to.index()].unwrap_or(JointId(0))),
        }
    }

    pub(crate) fn run(&self, clip: &Clip, scale: f32, out: &mut Clip) {
        let positions = crate::kinematics::forward_kinematics(clip);
        let mut turns = vec![Quat::IDENTITY; self.source.len()];
        for (index, frame) in clip.rotations.chunks_exact(self.source.len()).enumerate() {
            self.world_turns(frame, &mut turns);
            let local = self.target_locals(&turns);
            let (_, points) = pose_kinematics(self.target, Vec3::ZERO, &local);
            let place = positions.joint(crate::FrameId::from(index), self.anchor.1) * scale;
            out.root.push(place - points[self.anchor.0.index()]);
            out.rotations.extend(local);
        }
    }

    /// D of every source joint.
    fn world_turns(&self, local: &[Quat], turns: &mut [Quat]) {
        for (index, joint) in self.source.joints().iter().enumerate() {
            let above = joint
                .parent
                .map_or(Quat::IDENTITY, |parent| turns[parent.index()]);
            turns[index] = above * local[index];
        }
        for (turn, unrest) in turns.iter_mut().zip(&self.source_unrest) {
            *turn *= *unrest;
        }
    }

    fn target_locals(&self, turns: &[Quat]) -> Vec<Quat> {
        let mut world: Vec<Quat> = Vec::with_capacity(self.target.len());
        let mut local = Vec::with_capacity(self.target.len());
        for (joint, rule) in self.target.joints().iter().zip(&self.rules) {
            let above = joint
                .parent
                .map_or(Quat::IDENTITY, |parent| world[parent.index()]);
            let turned = match rule {
                Rule::Follow(from, base) => turns[from.index()] * *base,
                Rule::Between([a, b], share, base) => {
                    turns[a.index()].slerp(turns[b.index()], *share) * *base
                }
                Rule::Rest(rest) => above * *rest,
            };
            world.push(turned.normalize());
            local.push((above.conjugate() * turned).normalize());
        }
        local
    }
}

/// For an unmapped joint within spine or neck: the sources of the mapped ones around it, and how
/// far it is from the lower to the upper.
fn neighbours(
    target: &Skeleton,
    pairs: &[Option<JointId>],
    joint: JointId,
) -> Option<([JointId; 2], f32)> {
    for (low, high) in [(Role::Spine, Role::Chest), (Role::Neck, Role::Head)] {
        let (Some(low), Some(high)) = (target.with_role(low), target.with_role(high)) else {
            continue;
        };
        let (Some(from), Some(to)) = (pairs[low.index()], pairs[high.index()]) else {
            continue;
        };
        let path: Vec<JointId> = target
            .ancestors(high)
            .take_while(|&above| above != low)
            .collect();
        if let Some(steps) = path.iter().position(|&between| between == joint)
            && target.path_length(low, joint).is_some()
        {
            let share = 1.0 - (steps + 1) as f32 / (path.len() + 1) as f32;
            return Some(([from, to], share));
        }
    }
    None
}

/// K of every target joint.
fn corrections(source: &Skeleton, target: &Skeleton, pairs: &[Option<JointId>]) -> Vec<Quat> {
    let at_rest = |skeleton: &Skeleton| {
        let pose = skeleton.rest_pose();
        pose_kinematics(skeleton, pose.root, &pose.rotations).1
    };
    let (from, to) = (at_rest(source), at_rest(target));
    let bone = |start: JointId, end: JointId| {
        let ends = pairs[start.index()].zip(pairs[end.index()])?;
        Some((
            from[ends.1.index()] - from[ends.0.index()],
            to[end.index()] - to[start.index()],
        ))
    };
    let mut corrections: Vec<Quat> = Vec::with_capacity(target.len());
    for (index, joint) in target.joints().iter().enumerate() {
        let inherited = joint
            .parent
            .map_or(Quat::IDENTITY, |parent| corrections[parent.index()]);
        let next = |role| {
            target
                .with_role(role)
                .and_then(|end| bone(JointId::from(index), end))
        };
        corrections.push(match joint.role {
            Some(Role::UpLeg(side)) => aligned(inherited, next(Role::Leg(side))),
            Some(Role::Leg(side)) => aligned(inherited, next(Role::Foot(side))),
            Some(Role::Arm(side)) => aligned(inherited, next(Role::ForeArm(side))),
            Some(Role::ForeArm(side)) => aligned(inherited, next(Role::Hand(side))),
            Some(Role::Foot(side)) => {
                let shank = target
                    .with_role(Role::Leg(side))
                    .and_then(|knee| bone(knee, JointId::from(index)));
                foot_correction(shank, next(Role::Toe(side)))
            }
            _ => inherited,
        });
    }
    corrections
}

/// `inherited`, and then the shortest turn that makes the target's bone parallel to the source's.
fn aligned(inherited: Quat, bone: Option<(Vec3, Vec3)>) -> Quat {
    let Some((wanted, have)) = bone else {
        return inherited;
    };
    shortest_turn(inherited * have, wanted) * inherited
}

/// With both shanks turned upright in the frontal plane: the turn between the feet's headings.
fn foot_correction(shank: Option<(Vec3, Vec3)>, foot: Option<(Vec3, Vec3)>) -> Quat {
    let upright = |shank: Vec3| shortest_turn(Vec3::new(shank.x, shank.y, 0.0), Vec3::NEG_Y);
    let (wanted_up, have_up) = shank.map_or((Quat::IDENTITY, Quat::IDENTITY), |(wanted, have)| {
        (upright(wanted), upright(have))
    });
    let heading = foot.map_or(0.0, |(wanted, have)| {
        yaw_between(have_up * have, wanted_up * wanted)
    });
    wanted_up.conjugate() * Quat::from_rotation_y(heading) * have_up
}
