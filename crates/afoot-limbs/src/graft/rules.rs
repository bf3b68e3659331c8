//! Which upper bodies go with which lower ones (Shanbhag 2006, §5.4.2).

use afoot_core::{Clip, Locomotion};

/// Whether a donor of one kind may give its limbs to a base of another by the thesis's rules.
pub fn may_graft(donor: Locomotion, base: Locomotion) -> bool {
    use Locomotion::{Jump, Other, Run, Stand, Walk};
    match (donor, base) {
        (Other, _) | (_, Other) => false,
        (Stand, _) => true,
        (Walk | Run, Walk | Run) => true,
        (Jump, Jump) => true,
        (Walk | Run | Jump, _) => false,
    }
}

/// The kind of a clip that is homogeneous: the type that at least `share` of its frames have, else
/// `Other`. [0.5 to 1]
pub fn kind_of(clip: &Clip, share: f64) -> Locomotion {
    let frames = clip.types.len().max(1) as f64;
    let part = |kind: Locomotion| {
        let own = clip.types.iter().filter(|other| **other == kind);
        own.count() as f64 / frames
    };
    let kinds = Locomotion::ALL
        .into_iter()
        .filter(|kind| *kind != Locomotion::Other);
    kinds
        .into_iter()
        .find(|kind| part(*kind) >= share.max(0.5))
        .unwrap_or(Locomotion::Other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Locomotion::*;

    #[test]
    fn the_rules_are_the_thesiss() {
        let allowed: Vec<(Locomotion, Locomotion)> = Locomotion::ALL
            .into_iter()
            .flat_map(|donor| Locomotion::ALL.map(|base| (donor, base)))
            .filter(|(donor, base)| may_graft(*donor, *base))
            .collect();
        let mut expected = vec![
            (Stand, Stand),
            (Stand, Walk),
            (Stand, Run),
            (Stand, Jump),
            (Walk, Walk),
            (Walk, Run),
            (Run, Walk),
            (Run, Run),
            (Jump, Jump),
        ];
        expected.sort();
        assert_eq!(allowed, expected);
    }

    #[test]
    fn a_clip_of_two_kinds_is_none() {
        let mut clip = crate::plants::tests::clip_of("llllllllll");
        clip.types = vec![Walk; 10];
        assert_eq!(kind_of(&clip, 0.9), Walk);
        clip.types[..3].fill(Stand);
        assert_eq!(kind_of(&clip, 0.9), Other);
        assert_eq!(kind_of(&clip, 0.6), Walk);
    }
}
