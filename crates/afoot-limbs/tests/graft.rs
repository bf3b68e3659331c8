//! Grafts: the thesis's examples on captured clips where they are at hand, and sample motion.
#![allow(clippy::unwrap_used, missing_docs)] // a test fails by panicking

mod support;

use afoot_core::{
    Clip, FrameId, FrameRate, JointId, LabelSpan, Quat, Range32, Role, Side, forward_kinematics,
    resample_clip, yaw_of,
};
use afoot_fixtures::Captured;
use afoot_limbs::graft::{
    Correlation, Donation, GraftError, GraftFacts, GraftOptions, Grafted, Posture, graft_limbs,
};
use afoot_limbs::plants::plants_of;
use support::{raw, sample};

fn graft(
    base: &Clip,
    donor: &Clip,
    chains: &str,
    options: &GraftOptions,
) -> Result<Grafted, GraftError> {
    let donation = Donation {
        donor,
        part: None,
        chains: chains.split(',').map(str::to_owned).collect(),
        facts: GraftFacts::default(),
    };
    graft_limbs(base, &[donation], options)
}

/// All that must hold of a graft: legs and root as they were, no jerks, nothing deeper than before.
fn check(base: &Clip, donor: &Clip, chains: &str, options: &GraftOptions) -> Grafted {
    let made = graft(base, donor, chains, options).unwrap();
    let what = format!("{} with {chains} of {}", base.name, donor.name);
    made.clip.check().unwrap();
    assert_eq!(made.clip.root, base.root, "{what}");
    assert_eq!(made.clip.contacts, base.contacts, "{what}");
    let [was, is] = [base, &made.clip].map(forward_kinematics);
    for side in Side::BOTH {
        let leg = base.skeleton.leg(side).unwrap();
        for frame in (0..base.len()).map(FrameId::from) {
            let moved = was
                .joint(frame, leg.ball)
                .distance(is.joint(frame, leg.ball));
            assert!(moved < 0.001, "{what}: a foot moved by {moved} m");
        }
    }
    let score = &made.score;
    assert!(score.jump_ratio <= 1.2, "{what}: {score:?}");
    assert!(score.penetration_beyond < 0.001, "{what}: {score:?}");
    made
}

/// How many frames after the nearest strike of the other foot each forward peak of a hand comes, of those
/// that lie where the graft is not blended.
fn hand_peaks(made: &Grafted) -> Vec<i64> {
    let clip = &made.clip;
    let range = made.parts[0].map.range();
    let blend = clip.rate.frames_in(GraftOptions::default().blend);
    let first = if range.start == 0 {
        3
    } else {
        range.start + blend
    };
    let last = if range.end == clip.len() {
        clip.len() - 3
    } else {
        range.end - blend
    };
    let (at, plants) = (forward_kinematics(clip), plants_of(clip));
    let mut found = Vec::new();
    for side in Side::BOTH {
        let hand = clip.skeleton.with_role(Role::Hand(side)).unwrap();
        let ahead = |frame: usize| {
            let away = at.joint(frame.into(), hand) - clip.root[frame];
            let yaw = yaw_of(clip.rotation(frame.into(), JointId(0)));
            (Quat::from_rotation_y(-yaw) * away).z
        };
        let reach: Vec<f32> = (0..clip.len()).map(ahead).collect();
        let inside = reach[first..last].iter();
        let (low, high) = inside.fold((f32::MAX, f32::MIN), |(low, high), z| {
            (low.min(*z), high.max(*z))
        });
        // The farthest within a quarter of a stride to either side: runners' hands tremble on the way.
        let strikes: Vec<usize> = (plants.iter())
            .filter(|plant| plant.side != side && plant.frames.start > 0)
            .map(|plant| plant.frames.start)
            .collect();
        let stride = strikes
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .min()
            .unwrap_or(24);
        let near = stride / 4;
        let is_peak = |frame: &usize| {
            let around = frame.saturating_sub(near)..(frame + near + 1).min(clip.len());
            let whole = around.len() == 2 * near + 1;
            let farthest = around.clone().all(|f| reach[f] <= reach[*frame]);
            whole && farthest && reach[*frame] > low + 0.5 * (high - low)
        };
        for peak in (first..last).filter(is_peak) {
            let others = plants
                .iter()
                .filter(|plant| plant.side != side && plant.frames.start > 0);
            let late = others.map(|plant| peak as i64 - plant.frames.start as i64);
            found.extend(late.min_by_key(|late| late.abs()));
        }
    }
    found
}

#[test]
fn the_thesiss_grafts_are_believable() {
    let Some(captured) = Captured::find() else {
        return;
    };
    let clip = |name: &str| raw(&captured, name);
    let options = GraftOptions::default();
    // Figure 5.10: run and walk; figure 5.11: walk and exaggerated stride.
    for (base, donor) in [
        ("16_15", "16_36"),
        ("16_36", "16_15"),
        ("08_02", "08_07"),
        ("08_07", "08_02"),
    ] {
        let made = check(&clip(base), &clip(donor), "arms", &options);
        let late = hand_peaks(&made);
        assert!(!late.is_empty(), "{base} with arms of {donor} has no peaks");
        assert!(
            late.iter().all(|late| late.abs() <= 3),
            "{base} with arms of {donor}: peaks {late:?} frames after strikes"
        );
    }
    // The wave keeps its own time.
    for base in ["16_15", "16_36"] {
        let made = check(&clip(base), &clip("143_25"), "right_arm", &options);
        assert_eq!(made.parts[0].correlation, "own_time");
        let wave = clip("143_25");
        let highest = |clip: &Clip| {
            let hand = clip.skeleton.with_role(Role::Hand(Side::Right)).unwrap();
            let at = forward_kinematics(clip);
            let over = |frame: usize| at.joint(frame.into(), hand).y - clip.root[frame].y;
            (0..clip.len()).map(over).fold(f32::MIN, f32::max)
        };
        assert!(
            highest(&made.clip) > highest(&wave) - 0.15,
            "the hand is raised as in the wave"
        );
    }
}

#[test]
fn sample_grafts_keep_legs_and_step() {
    let [walk, run, wave] = ["walk", "run", "wave_standing"].map(sample);
    let options = GraftOptions::default();
    for (base, donor) in [(&walk, &run), (&run, &walk)] {
        let made = check(base, donor, "arms", &options);
        assert_eq!(made.parts[0].correlation, "plants");
        let late = hand_peaks(&made);
        assert!(late.iter().all(|late| late.abs() <= 4), "{late:?}");
    }
    for posture in [Posture::Angles, Posture::Space] {
        let options = GraftOptions {
            posture,
            force: true,
            ..options
        };
        check(&walk, &wave, "right_arm", &options);
    }
}

#[test]
fn each_chain_may_have_its_own_donor() {
    let [walk, run, slow] = ["walk", "run", "walk_slow"].map(sample);
    let donation = |donor, chains: &str| Donation {
        donor,
        part: None,
        chains: vec![chains.into()],
        facts: GraftFacts::default(),
    };
    let both = [donation(&run, "left_arm"), donation(&slow, "right_arm")];
    let made = graft_limbs(&walk, &both, &GraftOptions::default()).unwrap();
    assert_eq!(made.parts.len(), 2);
    let twice = [donation(&run, "arms"), donation(&slow, "right_arm")];
    let error = graft_limbs(&walk, &twice, &GraftOptions::default()).unwrap_err();
    assert_eq!(
        error,
        GraftError::GivenTwice {
            chain: "right_arm".into()
        }
    );
}

#[test]
fn a_part_of_a_donor_at_another_rate_is_the_same_part() {
    let [walk, run, stand] = ["walk", "run", "wave_standing"].map(sample);
    let twice = FrameRate::new(60, 1).unwrap();
    let correlations = [
        Correlation::Plants,
        Correlation::TimeWarp,
        Correlation::ZeroCrossings,
    ];
    for (donor, correlation) in [&run, &stand]
        .into_iter()
        .flat_map(|donor| correlations.map(|correlation| (donor, correlation)))
    {
        let options = GraftOptions {
            correlation,
            force: true,
            ..GraftOptions::default()
        };
        let last = donor.len();
        let map = |donor: &Clip, part| {
            let donation = Donation {
                donor,
                part: Some(part),
                chains: vec!["arms".into()],
                facts: GraftFacts::default(),
            };
            let made = graft_limbs(&walk, &[donation], &options).unwrap();
            made.parts[0].map.clone()
        };
        let own = map(donor, last / 3..last);
        let fast = resample_clip(donor, twice);
        let doubled = map(&fast, 2 * (last / 3)..fast.len());
        assert_eq!(
            doubled.range(),
            own.range(),
            "{} {correlation:?}",
            donor.name
        );
        for frame in own.range() {
            let (own, doubled) = (own.at(frame), doubled.at(frame));
            assert!((own - doubled).abs() < 1.5, "{frame}: {own}, {doubled}");
        }
    }
}

#[test]
fn three_ways_of_correlation_agree_on_walks() {
    let [walk, slow] = ["walk", "walk_slow"].map(sample);
    let mapped = |correlation: Correlation| {
        let options = GraftOptions {
            correlation,
            ..GraftOptions::default()
        };
        let made = graft(&walk, &slow, "arms", &options).unwrap();
        let map = made.parts[0].map.clone();
        // Where the donor is within its stride, whatever stride that is.
        let period = 2.0 * 30.0 / 1.7;
        let phase = |frame: usize| map.at(frame).rem_euclid(period);
        (map.range(), map.range().map(phase).collect::<Vec<f64>>())
    };
    let (plants, _) = mapped(Correlation::Plants);
    for correlation in [Correlation::TimeWarp, Correlation::ZeroCrossings] {
        let (range, _) = mapped(correlation);
        let common = range
            .end
            .min(plants.end)
            .saturating_sub(range.start.max(plants.start));
        assert!(
            common > walk.len() / 3,
            "{correlation:?}: {range:?}, plants {plants:?}"
        );
    }
}

/// Pairs of the set `thesis` that jumped by up to 1.95 before paces were evened.
#[test]
fn no_correlation_makes_arms_leap() {
    let Some(captured) = Captured::find() else {
        return;
    };
    let (warp, crossings) = (Correlation::TimeWarp, Correlation::ZeroCrossings);
    let pairs = [
        ("16_02", "13_39", warp),
        ("16_02", "13_41", warp),
        ("16_04", "13_41", warp),
        ("142_22", "16_55", warp),
        ("16_05", "124_11", crossings),
        ("16_01", "124_11", crossings),
        ("13_39", "124_11", crossings),
    ];
    let jump = |(base, donor, correlation)| {
        let options = GraftOptions {
            correlation,
            ..GraftOptions::default()
        };
        let [base, donor] = [base, donor].map(|name| raw(&captured, name));
        let made = graft(&base, &donor, "upper", &options).unwrap();
        let jump = made.score.jump_ratio;
        println!("{} + {} {correlation:?}: {jump:.2}", base.name, donor.name);
        jump
    };
    let worst = pairs.into_iter().map(jump).fold(0.0, f32::max);
    assert!(worst <= 1.2, "{worst}");
}

#[test]
fn rules_forbid_and_force_warns() {
    let [walk, mut jump] = ["walk", "jump_up"].map(sample);
    jump.types.fill(afoot_core::Locomotion::Jump);
    let error = graft(&walk, &jump, "arms", &GraftOptions::default()).unwrap_err();
    assert!(matches!(error, GraftError::AgainstRules { .. }), "{error}");
    assert!(error.to_string().contains("jumps with jumps"));
    let forced = GraftOptions {
        force: true,
        correlation: Correlation::TimeWarp,
        ..GraftOptions::default()
    };
    let made = graft(&walk, &jump, "arms", &forced).unwrap();
    assert_eq!(made.warnings.len(), 1);
    let error = graft(&walk, &walk, "tail", &GraftOptions::default()).unwrap_err();
    assert!(error.to_string().contains("left_arm"), "{error}");
    let mut blind = walk.clone();
    blind.contacts.clear();
    let error = graft(&blind, &walk, "arms", &GraftOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("0 foot plants"), "{error}");
}

#[test]
fn labels_of_both_are_on_the_graft() {
    let [mut walk, mut run] = ["walk", "run"].map(sample);
    let label = |start, end, label: &str| LabelSpan {
        frames: Range32 { start, end },
        label: label.into(),
    };
    walk.labels = vec![label(0, 50, "happy")];
    run.labels = vec![label(0, run.len() as u32, "pumping")];
    let made = graft(&walk, &run, "arms", &GraftOptions::default()).unwrap();
    let names: Vec<&str> = made
        .clip
        .labels
        .iter()
        .map(|span| span.label.as_str())
        .collect();
    assert!(
        names.contains(&"happy") && names.contains(&"pumping"),
        "{names:?}"
    );
    let pumped = made
        .clip
        .labels
        .iter()
        .find(|span| span.label == "pumping")
        .unwrap();
    let range = made.parts[0].map.range();
    assert_eq!(
        (pumped.frames.start as usize, pumped.frames.end as usize),
        (range.start, range.end)
    );
}

/// How far a trunk leans from upright, in the mean over some frames. [rad]
fn mean_lean(clip: &Clip, frames: std::ops::Range<usize>) -> f32 {
    let points = forward_kinematics(clip);
    let chest = clip.skeleton.with_role(Role::Chest).unwrap();
    let lean = |frame: usize| {
        let frame = FrameId::from(frame);
        let up = points.joint(frame, chest) - points.joint(frame, JointId::from(0));
        up.angle_between(afoot_core::Vec3::Y)
    };
    let count = frames.len() as f32;
    frames.map(lean).sum::<f32>() / count
}

#[test]
fn trunks_of_other_bodies_lean_about_as_base_or_donor() {
    let Some(captured) = Captured::find() else {
        return;
    };
    for (base, donor) in [("16_15", "39_01"), ("39_01", "16_21")] {
        let [base, donor] = [base, donor].map(|name| raw(&captured, name));
        let made = graft(&base, &donor, "upper", &GraftOptions::default()).unwrap();
        let blend = base.rate.frames_in(GraftOptions::default().blend);
        let range = made.parts[0].map.range();
        let within = range.start + blend..range.end - blend;
        let most = mean_lean(&base, 0..base.len()).max(mean_lean(&donor, 0..donor.len()));
        let lean = mean_lean(&made.clip, within);
        let what = format!("{} with the upper body of {}", base.name, donor.name);
        // Spines of other proportions lean a little otherwise; bare angles lean by 0.2 to 0.3 more.
        assert!(
            lean < most + 0.1,
            "{what} leans by {lean} rad, they by {most}"
        );
    }
}
