//! A chain's motion copied from a donor's frames onto a base's (Shanbhag 2006, §5.4).
//!
//! The joint that a chain hangs on is not copied. Angles are taken over as they are, or so that the limb
//! keeps its posture in space, seen along the heading, whatever hips and trunk it now hangs on do (Heck et
//! al. 2006): arms go on reaching where they reached. Softly at ends that lie within the base.

use afoot_core::{Chain, Clip, FrameId, JointId, Quat, Role, Side, Skeleton, yaw_of};

use glam::{Vec3, Vec4};

use super::Posture;
use super::frame_map::FrameMap;

/// What is copied.
pub(crate) struct Transplant<'a> {
    pub donor: &'a Clip,
    pub chains: &'a [Chain],
    pub map: &'a FrameMap,
    pub posture: Posture,
    /// Frames over which it comes and goes.
    pub blend: usize,
    /// Whether the donor is another body: what is neutral for its hips is not for the base's, so that a trunk's angles
    /// on them would lean as neither does. Its lean is the donor's then, in the mean.
    pub other_body: bool,
}

impl Transplant<'_> {
    /// Copies the chains into a clip of the same skeleton.
    pub fn write(&self, into: &mut Clip) {
        // Trunks first: what hangs on them is turned against them as they are by then.
        let mut chains: Vec<&Chain> = self.chains.iter().collect();
        chains.sort_by_key(|chain| chain.joints[0]);
        let joints = into.joint_count();
        let mut moment = vec![Quat::IDENTITY; joints];
        let leans = self.leans(&chains, into);
        for frame in self.map.range() {
            let weight = self.weight(frame, into.len());
            self.sample(self.map.at(frame), &mut moment);
            let skeleton = into.skeleton.clone();
            let local = into.frame_rotations_mut(FrameId::from(frame));
            for (chain, lean) in chains.iter().zip(&leans) {
                let copied = match (self.posture, lean) {
                    (Posture::Angles, None) => of_chain(chain, &moment),
                    (Posture::Angles, Some(lean)) => {
                        // All at the waist: it is the hips that differ.
                        let heading = Quat::from_rotation_y(yaw_of(local[0]));
                        let missed = heading * *lean * heading.inverse();
                        let carried = world_rotation(&skeleton, chain.base, local);
                        turned_by(chain, (carried, &moment), missed, (0, 1))
                    }
                    (Posture::Space, _) => kept_in_space(&skeleton, chain, (local, &moment)),
                };
                for (joint, rotation) in chain.joints.iter().zip(copied) {
                    let own = local[joint.index()];
                    local[joint.index()] = between(own, rotation, weight);
                }
            }
        }
    }

    /// What the angles of each trunk miss the donor's posture in space by, in the mean and seen along the heading; none of
    /// limbs, and where donor and base are one body.
    fn leans(&self, chains: &[&Chain], into: &Clip) -> Vec<Option<Quat>> {
        let skeleton = &into.skeleton;
        let lean = |chain: &Chain| {
            let mut moment = vec![Quat::IDENTITY; into.joint_count()];
            let mut sum = Vec4::ZERO;
            for frame in self.map.range() {
                self.sample(self.map.at(frame), &mut moment);
                let local = into.frame_rotations(FrameId::from(frame));
                let missed = missed_by(skeleton, chain, (local, &moment), chain.joints.len() - 1);
                let heading = Quat::from_rotation_y(yaw_of(local[0]));
                let seen = Vec4::from(heading.inverse() * missed * heading);
                sum += if seen.w < 0.0 { -seen } else { seen };
            }
            let mean = Quat::from_vec4(sum).normalize();
            // Where it looks stays: a trunk twists with the hips that it is on.
            let up = mean * Vec3::Y;
            Quat::from_rotation_arc(Vec3::Y, up)
        };
        let is_trunk = |chain: &Chain| self.other_body && chain.base == JointId::from(0);
        let chains = chains.iter();
        chains
            .map(|chain| is_trunk(chain).then(|| lean(chain)))
            .collect()
    }

    /// The share of the donor in a frame: 1, but at ends that lie within the base.
    fn weight(&self, frame: usize, frames: usize) -> f32 {
        let range = self.map.range();
        let ramp = |from_end: usize| {
            let share = ((from_end + 1) as f32 / self.blend.saturating_add(1) as f32).min(1.0);
            share * share * (3.0 - 2.0 * share)
        };
        let begins = if range.start == 0 {
            1.0
        } else {
            ramp(frame - range.start)
        };
        let ends = if range.end == frames {
            1.0
        } else {
            ramp(range.end - 1 - frame)
        };
        begins.min(ends)
    }

    fn sample(&self, moment: f64, out: &mut [Quat]) {
        let last = self.donor.len() - 1;
        let before = (moment.max(0.0) as usize).min(last);
        let share = (moment - before as f64).clamp(0.0, 1.0) as f32;
        let from = self.donor.frame_rotations(FrameId::from(before));
        let to = self
            .donor
            .frame_rotations(FrameId::from((before + 1).min(last)));
        for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
            *out = between(*from, *to, share);
        }
    }
}

fn between(from: Quat, to: Quat, share: f32) -> Quat {
    match share {
        ..=0.0 => from,
        1.0.. => to,
        _ => from.slerp(to, share),
    }
}

fn of_chain(chain: &Chain, moment: &[Quat]) -> Vec<Quat> {
    chain
        .joints
        .iter()
        .map(|joint| moment[joint.index()])
        .collect()
}

/// Local rotations that let the chain's end be turned in space as the donor's is, seen along the heading:
/// an arm from its upper arm on, other chains a little in each joint.
fn kept_in_space(
    skeleton: &Skeleton,
    chain: &Chain,
    (local, moment): (&[Quat], &[Quat]),
) -> Vec<Quat> {
    let arm = Side::BOTH.into_iter().find_map(|side| {
        let joint = skeleton.with_role(Role::Arm(side))?;
        chain.joints.iter().position(|own| *own == joint)
    });
    let first = arm.unwrap_or(0);
    let spread = if arm.is_some() { 1 } else { chain.joints.len() };
    let decides = if arm.is_some() {
        first
    } else {
        chain.joints.len() - 1
    };
    let missed = missed_by(skeleton, chain, (local, moment), decides);
    let carried = world_rotation(skeleton, chain.base, local);
    turned_by(chain, (carried, moment), missed, (first, spread))
}

/// What the copied angles miss the donor's posture by, in the world, at one of the chain's joints.
fn missed_by(
    skeleton: &Skeleton,
    chain: &Chain,
    (local, moment): (&[Quat], &[Quat]),
    decides: usize,
) -> Quat {
    let heading = |rotations: &[Quat]| Quat::from_rotation_y(yaw_of(rotations[0]));
    let to_base = heading(local) * heading(moment).inverse();
    let mut copied = world_rotation(skeleton, chain.base, local);
    let mut wanted = world_rotation(skeleton, chain.base, moment);
    for joint in &chain.joints[..=decides] {
        copied *= moment[joint.index()];
        wanted *= moment[joint.index()];
    }
    let missed = (to_base * wanted) * copied.inverse();
    if missed.w < 0.0 { -missed } else { missed }
}

/// A chain's angles on a carrier that is turned so, turned further in the world: from joint `first` on, a little in each of
/// `spread` joints.
fn turned_by(
    chain: &Chain,
    (carried, moment): (Quat, &[Quat]),
    missed: Quat,
    (first, spread): (usize, usize),
) -> Vec<Quat> {
    let (mut parent, mut plain) = (carried, carried);
    let turned = chain.joints.iter().enumerate().map(|(index, joint)| {
        plain *= moment[joint.index()];
        let share = match index < first {
            true => 0.0,
            false => ((index - first + 1) as f32 / spread as f32).min(1.0),
        };
        let world = Quat::IDENTITY.slerp(missed, share) * plain;
        let own = parent.inverse() * world;
        parent = world;
        own.normalize()
    });
    turned.collect()
}

/// A joint's rotation in the world.
pub(crate) fn world_rotation(skeleton: &Skeleton, joint: JointId, local: &[Quat]) -> Quat {
    let above = skeleton.ancestors(joint);
    above.fold(local[joint.index()], |rotation, parent| {
        local[parent.index()] * rotation
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::pose_kinematics;
    use afoot_sample::{SampleOptions, sample_library};

    use crate::graft::chains::select_chains;
    use crate::graft::frame_map::Paired;

    fn clips() -> (Clip, Clip) {
        let clips = sample_library(&SampleOptions::default());
        let find = |name: &str| clips.iter().find(|clip| clip.name == name).unwrap().clone();
        (find("walk"), find("run"))
    }

    fn transplanted(posture: Posture, chains: &[&str]) -> (Clip, Clip, Clip) {
        let (base, donor) = clips();
        let names: Vec<String> = chains.iter().map(|name| (*name).to_owned()).collect();
        let chains = select_chains(&base.skeleton, &names).unwrap();
        let from = Paired {
            base: 20.0,
            donor: 10.0,
        };
        let map = FrameMap::own_time(from, 1.0, 20..60, donor.len()).unwrap();
        let mut made = base.clone();
        let plant = Transplant {
            donor: &donor,
            chains: &chains,
            map: &map,
            posture,
            blend: 5,
            other_body: false,
        };
        plant.write(&mut made);
        (base, donor, made)
    }

    #[test]
    fn angles_are_the_donors_within_and_the_bases_without() {
        let (base, donor, made) = transplanted(Posture::Angles, &["left_arm"]);
        let arm = base.skeleton.arm(Side::Left).unwrap();
        let same = |a: Quat, b: Quat| a.angle_between(b) < 1e-3;
        for joint in [arm.shoulder, arm.elbow] {
            assert!(same(
                made.rotation(FrameId(40), joint),
                donor.rotation(FrameId(30), joint)
            ));
            assert!(same(
                made.rotation(FrameId(10), joint),
                base.rotation(FrameId(10), joint)
            ));
        }
        let others = (0..base.joint_count()).filter(|joint| {
            let changed = |frame: usize| {
                made.rotation(frame.into(), (*joint).into())
                    != base.rotation(frame.into(), (*joint).into())
            };
            (0..base.len()).any(changed)
        });
        let chain = &select_chains(&base.skeleton, &["left_arm".into()]).unwrap()[0];
        assert!(
            others
                .into_iter()
                .all(|joint| chain.joints.contains(&joint.into()))
        );
        assert_eq!(made.root, base.root);
    }

    #[test]
    fn a_posture_in_space_does_not_depend_on_the_hips_below() {
        let (base, donor, made) = transplanted(Posture::Space, &["torso", "left_arm"]);
        let arm = base.skeleton.arm(Side::Left).unwrap();
        let seen = |clip: &Clip, frame: usize, joint: JointId| {
            let local = clip.frame_rotations(frame.into());
            let (rotations, _) = pose_kinematics(&clip.skeleton, clip.root[frame], local);
            Quat::from_rotation_y(-yaw_of(local[0])) * rotations[joint.index()]
        };
        let chest = base.skeleton.with_role(Role::Chest).unwrap();
        for joint in [chest, arm.shoulder, arm.elbow] {
            let off = seen(&made, 40, joint).angle_between(seen(&donor, 30, joint));
            assert!(off < 2e-3, "{joint:?} is {off} rad off");
        }
    }
}
