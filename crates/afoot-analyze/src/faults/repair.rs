//! Carrying out what the findings say: bridge, mark, then leave out.

use afoot_core::{Clip, cut_clip};

use super::bridge::bridge;
use super::{Finding, Remedy, kept_frames};

/// Bridges, marks and drops as the findings of this very clip say. Frame numbers in the result's
/// `faults` count from its first frame that is kept. Per-frame facts go along.
pub fn repair_faults(clip: &mut Clip, findings: &[Finding]) {
    let kept = kept_frames(clip, findings);
    for finding in findings {
        let frames = finding.frames.start as usize..finding.frames.end as usize;
        match finding.remedy {
            Remedy::Bridge => bridge(clip, &frames, &finding.joints),
            Remedy::Mark => clip.faults.push(finding.frames.start..finding.frames.end),
            Remedy::Drop | Remedy::None => {}
        }
    }
    clip.faults.sort_by_key(|range| (range.start, range.end));
    if kept != (0..clip.len()) {
        // `kept` lies within the clip, so there is always a cut.
        if let Ok(cut) = cut_clip(clip, kept.start as u32..kept.end as u32) {
            *clip = cut;
        }
    }
    debug_assert!(clip.check().is_ok(), "repairs keep a clip whole");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::fixture::{ARM, FOREARM, LEG, swaying, turn};
    use crate::faults::flips::turn_between;
    use crate::faults::{FaultKind, FaultOptions, find_faults};
    use afoot_core::Vec3;

    fn repaired(mut clip: Clip) -> (Clip, Vec<(FaultKind, Remedy, u32, u32)>) {
        let findings = find_faults(&clip, None, &FaultOptions::default());
        repair_faults(&mut clip, &findings);
        let kinds = findings
            .iter()
            .map(|f| (f.kind, f.remedy, f.frames.start, f.frames.end));
        (clip, kinds.collect())
    }

    fn largest_turn(a: &Clip, b: &Clip) -> f32 {
        let pairs = a.rotations.iter().zip(&b.rotations);
        pairs.map(|(&a, &b)| turn_between(a, b)).fold(0.0, f32::max)
    }

    #[test]
    fn a_short_excursion_is_bridged_and_nothing_else_changes() {
        let good = swaying(300, 120);
        let mut clip = good.clone();
        for frame in 100..104 {
            turn(&mut clip, frame, ARM, 120.0);
            turn(&mut clip, frame, FOREARM, -100.0);
        }
        let (clip, found) = repaired(clip);
        assert_eq!(found, [(FaultKind::Spike, Remedy::Bridge, 100, 104)]);
        let joints = clip.joint_count();
        assert!(
            largest_turn(&clip, &good) < 0.01,
            "{}",
            largest_turn(&clip, &good)
        );
        assert_eq!(
            clip.rotations[..100 * joints],
            good.rotations[..100 * joints]
        );
        assert_eq!(
            clip.rotations[104 * joints..],
            good.rotations[104 * joints..]
        );
    }

    #[test]
    fn a_lasting_flip_is_spread_over_a_tenth_of_a_second() {
        let mut clip = swaying(300, 120);
        (150..300).for_each(|frame| turn(&mut clip, frame, ARM, 60.0));
        let (clip, found) = repaired(clip);
        assert_eq!(found, [(FaultKind::Spike, Remedy::Bridge, 144, 156)]);
        let again = find_faults(&clip, None, &FaultOptions::default());
        assert_eq!(again, []);
    }

    #[test]
    fn a_long_stretch_is_marked_and_kept() {
        let mut clip = swaying(1000, 120);
        (400..520).for_each(|frame| turn(&mut clip, frame, LEG, 150.0));
        let (clip, found) = repaired(clip);
        assert_eq!(found, [(FaultKind::Spike, Remedy::Mark, 400, 520)]);
        assert_eq!((clip.faults.len(), &clip.faults[0]), (1, &(400..520)));
        assert_eq!(clip.len(), 1000);
    }

    #[test]
    fn flips_at_the_ends_are_cut_off() {
        let good = swaying(600, 120);
        let mut clip = good.clone();
        (0..5).for_each(|frame| turn(&mut clip, frame, ARM, 90.0));
        (590..600).for_each(|frame| turn(&mut clip, frame, LEG, 90.0));
        let (clip, found) = repaired(clip);
        assert_eq!(
            found,
            [
                (FaultKind::Spike, Remedy::Drop, 0, 5),
                (FaultKind::Spike, Remedy::Drop, 590, 600)
            ]
        );
        assert_eq!(clip.root, good.root[5..590]);
    }

    #[test]
    fn a_root_that_flips_for_a_frame_is_bridged_whole_and_a_lasting_leap_is_marked() {
        let good = swaying(600, 120);
        let mut clip = good.clone();
        turn(&mut clip, 300, 0, 35.0);
        turn(&mut clip, 300, LEG, -35.0);
        let (clip, found) = repaired(clip);
        assert_eq!(found, [(FaultKind::RootJump, Remedy::Bridge, 300, 301)]);
        assert!(largest_turn(&clip, &good) < 0.01);

        let mut clip = good.clone();
        clip.root[300..]
            .iter_mut()
            .for_each(|p| *p += Vec3::X * 2.0);
        let (clip, found) = repaired(clip);
        assert_eq!(found, [(FaultKind::RootJump, Remedy::Mark, 294, 306)]);
        assert_eq!((clip.faults.len(), &clip.faults[0]), (1, &(294..306)));
    }

    #[test]
    fn nothing_is_changed_when_told_so() {
        let mut clip = swaying(300, 120);
        turn(&mut clip, 100, ARM, 120.0);
        let before = clip.clone();
        let options = FaultOptions {
            repair: false,
            ..FaultOptions::default()
        };
        let findings = find_faults(&clip, None, &options);
        repair_faults(&mut clip, &findings);
        assert_eq!(findings.len(), 1);
        assert_eq!(clip, before);
    }

    #[test]
    fn a_clip_that_flips_everywhere_survives() {
        for frames in [2, 3, 5, 20] {
            let mut clip = swaying(frames, 120);
            (0..frames)
                .step_by(2)
                .for_each(|f| turn(&mut clip, f, ARM, 170.0));
            let (clip, _) = repaired(clip);
            assert!(clip.check().is_ok() && !clip.is_empty());
        }
    }

    #[test]
    fn flips_that_move_nothing_far_cut_nothing_off() {
        // A thigh that twists about itself and a shin that twists back, every second from 3.2 s
        // before the end: the foot stays where it is.
        let mut clip = swaying(1200, 120);
        for frame in [815, 950, 1080, 1190] {
            for (joint, degrees) in [(LEG - 1, 80.0), (LEG, -80.0)] {
                let index = frame * clip.joint_count() + joint;
                let twist = afoot_core::Quat::from_rotation_y(f32::to_radians(degrees));
                let own = clip.rotations[index];
                clip.rotations[index] = if joint == LEG {
                    twist * own
                } else {
                    own * twist
                };
            }
        }
        let (clip, found) = repaired(clip);
        assert_eq!(clip.len(), 1200, "{found:?}");
        assert_eq!((found.len(), &clip.faults[..]), (4, &[][..]), "{found:?}");
    }
}
