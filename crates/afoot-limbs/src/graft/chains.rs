//! The chains of a body and which half they belong to (Shanbhag 2006, §5.1.3, §5.2).
//!
//! Chains are `afoot_core::kinematic_chains`. Those that hold a leg carry the body and are its lower half;
//! of figures whose legs are not known, those that reach down to the lowest points of the rest pose.

use afoot_core::{Chain, JointId, Side, Skeleton, kinematic_chains, pose_kinematics};

use super::GraftError;

/// Which half of the body a chain belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Legs: what carries and moves the body.
    Lower,
    /// All else.
    Upper,
}

/// A word and the chains that it means.
type Group = (&'static str, fn(&Chain, Half) -> bool);

/// Words for several chains at once.
const GROUPS: [Group; 3] = [
    ("upper", |_, half| half == Half::Upper),
    ("lower", |_, half| half == Half::Lower),
    ("arms", |chain, _| {
        ["left_arm", "right_arm"].contains(&chain.name.as_str())
    }),
];

/// A leaf this near to the lowest point, in parts of the height, is a foot.
const NEAR_GROUND: f32 = 0.15;

/// The chains of a skeleton with their halves.
pub fn body_chains(skeleton: &Skeleton) -> Vec<(Chain, Half)> {
    let chains = kinematic_chains(skeleton);
    let known = Side::BOTH
        .into_iter()
        .any(|side| skeleton.leg(side).is_some());
    let half = |chain: &Chain| match known {
        true => holds_leg(skeleton, chain),
        false => reaches_ground(skeleton, chain),
    };
    chains
        .into_iter()
        .map(|chain| {
            let half = if half(&chain) {
                Half::Lower
            } else {
                Half::Upper
            };
            (chain, half)
        })
        .collect()
}

/// The chains of these names; `upper`, `lower` and `arms` stand for several.
pub fn select_chains(skeleton: &Skeleton, names: &[String]) -> Result<Vec<Chain>, GraftError> {
    let all = body_chains(skeleton);
    let mut chosen: Vec<Chain> = Vec::new();
    for name in names {
        let group = GROUPS.iter().find(|(word, _)| word == name);
        let fits = |(chain, half): &&(Chain, Half)| match group {
            Some((_, fits)) => fits(chain, *half),
            None => chain.name == *name,
        };
        let found: Vec<&Chain> = all.iter().filter(fits).map(|(chain, _)| chain).collect();
        if found.is_empty() {
            let known = all.iter().map(|(chain, _)| chain.name.clone());
            let groups = GROUPS.iter().map(|(word, _)| (*word).to_owned());
            return Err(GraftError::UnknownChain {
                name: name.clone(),
                known: known.chain(groups).collect::<Vec<_>>().join(", "),
            });
        }
        for chain in found {
            if !chosen.contains(chain) {
                chosen.push(chain.clone());
            }
        }
    }
    Ok(chosen)
}

fn holds_leg(skeleton: &Skeleton, chain: &Chain) -> bool {
    let legs = Side::BOTH.into_iter().filter_map(|side| skeleton.leg(side));
    legs.into_iter().any(|leg| chain.joints.contains(&leg.knee))
}

fn reaches_ground(skeleton: &Skeleton, chain: &Chain) -> bool {
    let rest = skeleton.rest_pose();
    let (_, points) = pose_kinematics(skeleton, rest.root, &rest.rotations);
    let heights = points.iter().map(|point| point.y);
    let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| {
        (low.min(y), high.max(y))
    });
    let sites = skeleton.end_sites().iter().enumerate();
    let tips = sites
        .filter(|(_, site)| chain.joints.contains(&site.parent))
        .map(|(index, _)| skeleton.len() + index);
    let joints = chain.joints.iter().copied().map(JointId::index);
    let lowest = joints
        .chain(tips)
        .map(|point| points[point].y)
        .fold(f32::MAX, f32::min);
    lowest < low + NEAR_GROUND * (high - low)
}

#[cfg(test)]
mod tests {
    use afoot_core::{Joint, Vec3};

    use super::*;

    fn names(skeleton: &Skeleton, half: Half) -> Vec<String> {
        let chains = body_chains(skeleton).into_iter();
        chains
            .filter(|(_, own)| *own == half)
            .map(|(chain, _)| chain.name)
            .collect()
    }

    #[test]
    fn a_persons_legs_are_its_lower_half() {
        let skeleton = afoot_sample::sample_skeleton();
        let mut lower = names(&skeleton, Half::Lower);
        lower.sort();
        assert_eq!(lower, ["left_leg", "right_leg"]);
        assert!(names(&skeleton, Half::Upper).contains(&"head".to_owned()));
        let arms = select_chains(&skeleton, &["arms".into(), "left_arm".into()]).unwrap();
        assert_eq!(arms.len(), 2);
        let error = select_chains(&skeleton, &["tail".into()])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("\"tail\"") && error.contains("left_arm"),
            "{error}"
        );
    }

    #[test]
    fn a_beasts_lower_half_reaches_the_ground() {
        // Body, two legs, a neck and a tail.
        let parts = [
            ("body", None, Vec3::Y),
            ("fore", Some(0), Vec3::new(0.0, 0.0, 0.5)),
            ("hoof", Some(1), Vec3::new(0.0, -0.95, 0.0)),
            ("hind", Some(0), Vec3::new(0.0, 0.0, -0.5)),
            ("paw", Some(3), Vec3::new(0.0, -1.0, 0.0)),
            ("neck", Some(0), Vec3::new(0.0, 0.4, 0.6)),
            ("tail", Some(0), Vec3::new(0.0, -0.3, -0.8)),
        ];
        let joint = |(name, parent, offset): (&str, Option<usize>, Vec3)| {
            Joint::new(name, parent.map(JointId::from), offset)
        };
        let skeleton = Skeleton::new(parts.map(joint).to_vec(), Vec::new()).unwrap();
        assert_eq!(names(&skeleton, Half::Lower), ["fore", "hind"]);
        assert_eq!(names(&skeleton, Half::Upper), ["neck", "tail"]);
    }
}
