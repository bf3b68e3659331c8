//! The centre of mass of a figure: what limbs that were put on another body do to its balance.
//!
//! Masses of segments are shares of an adult's (de Leva 1996, rounded, men and women in the mean), at the
//! middle of each bone.

use afoot_core::{Clip, FrameId, JointId, Role, Side, Skeleton, Vec3, forward_kinematics};

/// The farthest that the centre of mass of a frame is over ground from that of the other clip's. [m]
pub fn balance_shift(clip: &Clip, other: &Clip) -> f32 {
    let [own, others] = [clip, other].map(centres_of_mass);
    let pairs = own.iter().zip(&others);
    pairs
        .map(|(a, b)| (*a - *b).with_y(0.0).length())
        .fold(0.0, f32::max)
}

/// The centre of mass of every frame; the root where the body's parts are not known. [m]
pub fn centres_of_mass(clip: &Clip) -> Vec<Vec3> {
    let segments = segments_of(&clip.skeleton);
    let points = forward_kinematics(clip);
    let total: f32 = segments.iter().map(|segment| segment.2).sum();
    let centre = |frame: usize| {
        let at = points.frame(FrameId::from(frame));
        let sum: Vec3 = segments
            .iter()
            .map(|(a, b, mass)| 0.5 * *mass * (at[a.index()] + at[b.index()]))
            .sum();
        match total > 0.0 {
            true => sum / total,
            false => at[0],
        }
    };
    (0..clip.len()).map(centre).collect()
}

fn segments_of(skeleton: &Skeleton) -> Vec<(JointId, JointId, f32)> {
    let sided = |side: Side| {
        [
            (Role::Arm(side), Role::ForeArm(side), 0.026),
            (Role::ForeArm(side), Role::Hand(side), 0.021),
            (Role::UpLeg(side), Role::Leg(side), 0.145),
            (Role::Leg(side), Role::Foot(side), 0.045),
            (Role::Foot(side), Role::Toe(side), 0.013),
        ]
    };
    let middle = [
        (Role::Hips, Role::Chest, 0.3),
        (Role::Chest, Role::Neck, 0.13),
        (Role::Neck, Role::Head, 0.068),
    ];
    let all = middle
        .into_iter()
        .chain(Side::BOTH.into_iter().flat_map(sided));
    all.filter_map(|(from, to, mass)| {
        Some((skeleton.with_role(from)?, skeleton.with_role(to)?, mass))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persons_centre_of_mass_is_near_its_hips_and_goes_with_its_arms() {
        let clips = afoot_sample::sample_library(&Default::default());
        let clip = clips.into_iter().find(|clip| clip.name == "walk").unwrap();
        let centre = centres_of_mass(&clip)[30];
        assert!(centre.distance(clip.root[30]) < 0.25, "{centre}");
        let mut reaching = clip.clone();
        let arm = clip.skeleton.arm(Side::Left).unwrap();
        for frame in 0..clip.len() {
            let local = reaching.frame_rotations_mut(FrameId::from(frame));
            local[arm.shoulder.index()] =
                afoot_core::Quat::from_rotation_x(-1.5) * local[arm.shoulder.index()];
        }
        let shift = balance_shift(&reaching, &clip);
        assert!((0.003..0.05).contains(&shift), "{shift}");
        assert_eq!(balance_shift(&clip, &clip), 0.0);
    }
}
