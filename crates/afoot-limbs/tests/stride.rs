//! Walks with other strides, lifts and ground: captured ones where they are at hand, and samples.
#![allow(clippy::unwrap_used, missing_docs)] // a test fails by panicking

mod support;

use std::sync::Arc;

use afoot_core::{Clip, Contacts, FrameId, Quat, Side, Vec3, cut_clip, yaw_of};
use afoot_fixtures::Captured;
use afoot_limbs::plants::plants_of;
use afoot_limbs::stride::{
    Footprint, Measure, Obstacle, Stairs, StrideError, StrideOptions, Strode, Surface,
    change_stride,
};
use support::{leg_points, raw, root_accelerations, sample, settled, usual_peak};

const WALKS: [&str; 5] = ["16_15", "16_21", "08_02", "12_01", "39_05"];

fn stride(factor: f32) -> StrideOptions {
    StrideOptions {
        stride: Measure::Factor(factor),
        ..StrideOptions::default()
    }
}

fn lift(factor: f32) -> StrideOptions {
    StrideOptions {
        lift: Measure::Factor(factor),
        ..StrideOptions::default()
    }
}

fn on(surface: Surface) -> StrideOptions {
    StrideOptions {
        surface,
        ..StrideOptions::default()
    }
}

fn stairs(rise: f32) -> StrideOptions {
    on(Surface::Stairs(Stairs {
        rise,
        tread: 0.29,
        from: None,
    }))
}

/// All that must hold of a changed walk.
fn check(clip: &Clip, options: &StrideOptions) -> Strode {
    let made = change_stride(clip, options).unwrap();
    made.clip.check().unwrap();
    let what = format!(
        "{} {:?} {:?} {:?}",
        clip.name, options.stride, options.lift, options.surface
    );
    for step in &made.report.steps {
        if let Some(asked) = step.asked.filter(|asked| *asked > 0.05) {
            let off = (step.made / asked - 1.0).abs();
            // On a curve a foot's step is longer or shorter than the way's.
            let limit = if clip.name.contains("turn") {
                0.06
            } else {
                0.02
            };
            assert!(
                off < limit,
                "{what}: a step of {} m, asked {asked}",
                step.made
            );
        }
    }
    let own = change_stride(clip, &StrideOptions::default()).unwrap();
    assert!(
        made.report.miss < 0.005,
        "{what}: feet miss by {}",
        made.report.miss
    );
    assert!(
        made.report.planted_off < own.report.planted_off + 0.005,
        "{what}: feet {} m off the surface, captured {}",
        made.report.planted_off,
        own.report.planted_off
    );
    check_plants(clip, &made.clip, &what);
    check_knees(clip, &made.clip, &what);
    made
}

/// Planted balls keep their distances: each plant is moved by one rigid motion.
fn check_plants(clip: &Clip, made: &Clip, what: &str) {
    if clip.len() != made.len() {
        return;
    }
    for plant in plants_of(clip) {
        let [old, new] = [clip, made].map(|clip| leg_points(clip, plant.side));
        let down = |frame: &usize| clip.contacts[*frame].any(Contacts::ball(plant.side));
        let frames: Vec<usize> = plant.frames.clone().filter(down).collect();
        let Some(middle) = frames.get(frames.len() / 2).copied() else {
            continue;
        };
        for frame in frames {
            let slid = |points: &[[Vec3; 4]]| points[frame][3].distance(points[middle][3]);
            let off = (slid(&new) - slid(&old)).abs();
            assert!(off < 0.005, "{what}: frame {frame} slid by {off} m more");
        }
    }
}

/// No knee bends backwards farther than it was captured.
fn check_knees(clip: &Clip, made: &Clip, what: &str) {
    let most_back = |clip: &Clip| {
        let back = |side: Side| {
            let points = leg_points(clip, side);
            let backwards = move |frame: usize| {
                let [hip, knee, ankle, _] = points[frame];
                let axis = (ankle - hip).normalize();
                let bent = (knee - hip) - axis * (knee - hip).dot(axis);
                let yaw = yaw_of(clip.rotation(FrameId::from(frame), afoot_core::JointId(0)));
                let left = Quat::from_rotation_y(yaw) * Vec3::X;
                -bent.dot(axis.cross(left).normalize_or_zero())
            };
            (0..clip.len()).map(backwards).fold(f32::MIN, f32::max)
        };
        back(Side::Left).max(back(Side::Right))
    };
    let (own, new) = (most_back(clip), most_back(made));
    assert!(
        new < own.max(0.0) + 0.004,
        "{what}: a knee bends {new} m backwards, captured {own}"
    );
}

fn farthest_apart(a: &Clip, b: &Clip) -> f32 {
    let [one, other] = [a, b].map(afoot_core::forward_kinematics);
    let pairs = one.as_slice().iter().zip(other.as_slice());
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

#[test]
fn factors_of_one_give_a_captured_walk_back() {
    let Some(captured) = Captured::find() else {
        return;
    };
    for name in WALKS {
        let clip = raw(&captured, name);
        let same = change_stride(&clip, &StrideOptions::default()).unwrap();
        let off = farthest_apart(&clip, &same.clip);
        assert!(off < 0.001, "{name} is off by {off} m");
    }
}

#[test]
fn factors_of_one_give_a_sample_walk_back() {
    for name in ["walk", "walk_turn_left", "walk_slow"] {
        let clip = sample(name);
        let same = change_stride(&clip, &StrideOptions::default()).unwrap();
        assert!(farthest_apart(&clip, &same.clip) < 1e-4);
    }
}

/// The root's accelerations against the captured, and what the model asks for.
const ACCELERATION: f32 = 1.1;

#[test]
fn captured_walks_take_other_strides_lifts_and_grounds() {
    let Some(captured) = Captured::find() else {
        return;
    };
    let mut worst = 0.0f32;
    for name in WALKS {
        let clip = settled(&captured, name);
        let own = usual_peak(root_accelerations(&clip));
        let strides = [0.6, 0.8, 1.2, 1.4].map(stride).into_iter();
        let lifts = [0.5, 2.0, 3.0].map(lift).into_iter();
        let slopes = [-15f32, 15.0]
            .map(|d| on(Surface::Incline(d.to_radians())))
            .into_iter();
        let steps = [-0.17, 0.17].map(stairs).into_iter();
        for options in strides.chain(lifts).chain(slopes).chain(steps) {
            let made = check(&clip, &options);
            let peak = usual_peak(root_accelerations(&made.clip));
            let allowed = own * made.report.rise.max(1.0);
            let what = format!("{name} {:?} {:?}", options.stride, options.surface);
            worst = worst.max(peak / allowed);
            println!(
                "{what} {:?}: acceleration {:.2} of the captured, rise {:.2}, through {:.4}, lowered {:.3}",
                options.lift,
                peak / own,
                made.report.rise,
                made.report.through,
                made.report.lowered
            );
            assert!(
                peak < ACCELERATION * allowed,
                "{what}: {peak} m/s², the model allows {allowed}"
            );
            assert!(
                made.report.through < 0.005,
                "{what}: {} m through",
                made.report.through
            );
        }
    }
    println!("the root accelerates by up to {worst:.2} of what the model allows");
}

#[test]
fn sample_walks_take_other_strides_lifts_and_grounds() {
    for name in ["walk", "walk_turn_left"] {
        let clip = sample(name);
        let slope = |degrees: f32| on(Surface::Incline(degrees.to_radians()));
        for options in [
            stride(0.7),
            stride(1.25),
            lift(0.5),
            lift(3.0),
            slope(12.0),
            slope(-12.0),
        ] {
            check(&clip, &options);
        }
    }
}

#[test]
fn lifts_are_as_high_as_asked_for() {
    let clip = sample("walk");
    let highest = |clip: &Clip| {
        let ground = clip.ground.unwrap();
        let over = |side: Side| {
            let rest = ground.rest[side.index()];
            let points = leg_points(clip, side).into_iter();
            points
                .map(|[_, _, ankle, ball]| {
                    let floor = |at: Vec3| ground.height_at(at.x, at.z);
                    (ankle.y - floor(ankle) - rest.ankle).min(ball.y - floor(ball) - rest.ball)
                })
                .fold(0.0, f32::max)
        };
        over(Side::Left).max(over(Side::Right))
    };
    let own = highest(&clip);
    for factor in [0.5, 2.0, 3.0] {
        let made = check(&clip, &lift(factor));
        let ratio = highest(&made.clip) / own;
        // Less lift ends where toes would touch the floor.
        match factor < 1.0 {
            true => assert!(ratio < 0.95 && made.report.through < 0.001, "{ratio}"),
            false => assert!(
                (ratio / factor - 1.0).abs() < 0.06,
                "{ratio}, asked {factor}"
            ),
        }
    }
}

#[test]
fn strides_ramp_and_come_in_metres() {
    let clip = sample("walk");
    let ramp = StrideOptions {
        ramp: -0.05,
        ..stride(1.2)
    };
    let made = check(&clip, &ramp);
    let factors: Vec<f32> = (made.report.steps.iter())
        .map(|s| s.made / s.captured)
        .collect();
    for (index, factor) in factors.iter().enumerate() {
        assert!(
            (factor - (1.2 - 0.05 * index as f32)).abs() < 0.01,
            "{factors:?}"
        );
    }
    let metres = StrideOptions {
        stride: Measure::Metres(0.55),
        ..StrideOptions::default()
    };
    let made = check(&clip, &metres).report.steps;
    let mean = made.iter().map(|step| step.made).sum::<f32>() / made.len() as f32;
    assert!((mean - 0.55).abs() < 0.005, "{mean}");
}

#[test]
fn a_walk_ends_at_a_distance() {
    let clip = sample("walk");
    let gone = |clip: &Clip| {
        (clip.root[clip.len() - 1] - clip.root[0])
            .with_y(0.0)
            .length()
    };
    for share in [0.85, 0.97, 1.1] {
        let distance = gone(&clip) * share;
        let options = StrideOptions {
            distance: Some(distance),
            ..StrideOptions::default()
        };
        let made = check(&clip, &options);
        assert!((gone(&made.clip) - distance).abs() < 0.002);
    }
}

#[test]
fn a_walk_comes_out_of_a_stand_and_ends_in_one() {
    let clip = sample("walk");
    let options = StrideOptions {
        ease_in: 3,
        ease_out: 3,
        ..StrideOptions::default()
    };
    let strode = change_stride(&clip, &options).unwrap();
    let factors: Vec<f32> = (strode.report.steps.iter())
        .map(|step| step.made / step.captured)
        .collect();
    let half_steps = [0.5, 2.0 / 3.0, 5.0 / 6.0, 1.0];
    for (index, wanted) in half_steps.into_iter().enumerate() {
        let ends = [factors[index], factors[factors.len() - 1 - index]];
        assert!(
            ends.iter().all(|factor| (factor - wanted).abs() < 0.03),
            "{factors:?}"
        );
    }
    let longest = factors.iter().copied().fold(0.0, f32::max);
    assert!(longest < 1.02, "a step is stretched: {factors:?}");
    let made = strode.clip;
    for frame in [0, made.len() - 1] {
        let feet = Side::BOTH.map(|side| leg_points(&made, side)[frame][3]);
        assert!(
            (feet[0].z - feet[1].z).abs() < 0.06,
            "feet {feet:?} stand apart"
        );
        assert!(
            Side::BOTH
                .into_iter()
                .all(|side| made.contacts[frame].any(Contacts::foot(side)))
        );
        let middle = 0.5 * (feet[0] + feet[1]);
        assert!((made.root[frame].z - middle.z).abs() < 0.2);
        let hips = Side::BOTH.map(|side| leg_points(&made, side)[frame][0]);
        let apart = |pair: [Vec3; 2]| (pair[0].x - pair[1].x).abs();
        assert!(apart(feet) > 0.9 * apart(hips), "feet {feet:?}");
    }
    let speed = |frame: usize| (made.root[frame + 1].z - made.root[frame].z).abs() * 30.0;
    let ends = [speed(0), speed(made.len() - 2)];
    assert!(
        speed(made.len() / 2) > 1.0 && ends.iter().all(|speed| *speed < 0.1),
        "{ends:?}"
    );
    let few = cut_clip(&clip, 0..35).unwrap();
    let error = change_stride(&few, &options).unwrap_err().to_string();
    assert!(
        error.contains("footfalls") || error.contains("foot plants"),
        "{error}"
    );
}

#[test]
fn a_stand_rises_settles_and_is_held() {
    let clip = sample("walk");
    let options = StrideOptions {
        ease_in: 2,
        ease_out: 2,
        ..StrideOptions::default()
    };
    let strode = change_stride(&clip, &options).unwrap();
    let made = &strode.clip;
    let held = made.rate.frames_in(0.25);
    let last = made.len() - 1;
    assert!(strode.held as usize >= held);
    for frame in (0..held).chain(last - held..last) {
        let moved = made.root[frame].distance(made.root[frame + 1]);
        assert!(moved < 1e-5, "frame {frame} of {last} moves by {moved} m");
    }
    let legs = Side::BOTH.map(|side| leg_points(made, side));
    // The first foot may be cut off with its heel up, so that its knee is bent.
    let knee = |frame: usize| {
        let angle =
            |points: &[Vec3; 4]| (points[0] - points[1]).angle_between(points[2] - points[1]);
        let angles = legs.iter().map(|leg| angle(&leg[frame]));
        let knee = match frame {
            0 => angles.fold(f32::MIN, f32::max),
            _ => angles.fold(f32::MAX, f32::min),
        };
        knee.to_degrees()
    };
    // About as straight as legs are in mid-stance, over the feet.
    let captured = Side::BOTH.map(|side| {
        let flat = Contacts::heel(side).with(Contacts::ball(side));
        let points = leg_points(&clip, side);
        let straight = (points.iter().zip(&clip.contacts))
            .filter(|(_, contacts)| contacts.with(flat) == **contacts)
            .map(|(points, _)| (points[0] - points[1]).angle_between(points[2] - points[1]));
        straight.fold(0.0, f32::max).to_degrees()
    });
    for frame in [0, last] {
        let least = captured[0].min(captured[1]) - 12.0;
        assert!(
            knee(frame) > least,
            "knees at {}, {captured:?} in mid-stance",
            knee(frame)
        );
        let middle = |joint: usize| 0.5 * (legs[0][frame][joint] + legs[1][frame][joint]);
        let ahead = (middle(0) - middle(2)).with_y(0.0);
        assert!(ahead.x.abs() < 0.01, "{} m aside", ahead.x);
        assert!((0.0..0.12).contains(&ahead.z), "{} m ahead", ahead.z);
    }
    let tallest = made.root[last].y;
    let sinks = made.root[last - 12..].iter().map(|root| root.y - tallest);
    assert!(sinks.fold(0.0, f32::max) < 0.005, "it sinks at its end");
    let back = made.root.windows(2).map(|pair| pair[0].z - pair[1].z);
    let back = back.fold(0.0, f32::max);
    assert!(back < 0.003, "it drifts back by {back} m in a frame");
}

#[test]
fn obstacles_are_stepped_over() {
    let clip = sample("walk");
    for at in [2.0, 2.2, 2.4, 2.6] {
        let options = StrideOptions {
            obstacles: vec![Obstacle {
                at,
                height: 0.2,
                depth: 0.1,
            }],
            ..StrideOptions::default()
        };
        let made = change_stride(&clip, &options).unwrap();
        assert!(
            made.report.through < 0.012,
            "{} m through it",
            made.report.through
        );
        for plant in plants_of(&made.clip) {
            let points = leg_points(&made.clip, plant.side)[plant.middle()];
            let along = points.map(|point| point.z - clip.root[0].z);
            assert!(
                along[3] < at || along[2] > at + 0.1,
                "a foot stands on it: {along:?}"
            );
        }
    }
    let deep = StrideOptions {
        obstacles: vec![Obstacle {
            at: 2.0,
            height: 0.2,
            depth: 1.5,
        }],
        ..StrideOptions::default()
    };
    let error = change_stride(&clip, &deep).unwrap_err();
    assert!(
        matches!(error, StrideError::ObstacleTooDeep { .. }),
        "{error}"
    );
}

#[test]
fn feet_go_to_footprints_and_over_terrain() {
    let clip = sample("walk");
    let plants = plants_of(&clip);
    let print = |plant: &afoot_limbs::plants::Plant| {
        let at = leg_points(&clip, plant.side)[plant.middle()][3];
        let aside = if plant.side == Side::Left {
            0.05
        } else {
            -0.03
        };
        Footprint {
            side: plant.side,
            x: at.x + aside,
            z: at.z * 1.05,
            yaw: None,
        }
    };
    let options = StrideOptions {
        footprints: plants.iter().map(print).collect(),
        ..StrideOptions::default()
    };
    let made = check(&clip, &options);
    for (plant, print) in plants.iter().zip(&options.footprints) {
        let at = leg_points(&made.clip, plant.side)[plant.middle()][3];
        assert!(
            (at.x - print.x).hypot(at.z - print.z) < 0.02,
            "{at} for {print:?}"
        );
    }
    let wrong = StrideOptions {
        footprints: options.footprints[1..].to_vec(),
        ..StrideOptions::default()
    };
    let error = change_stride(&clip, &wrong).unwrap_err().to_string();
    assert!(error.contains("footfalls: "), "{error}");
    let hills = on(Surface::Terrain(Arc::new(|x: f32, z: f32| {
        0.1 * (z * 1.2).sin() + 0.05 * x
    })));
    check(&clip, &hills);
}

#[test]
fn a_walk_turns_more() {
    let clip = sample("walk");
    let options = StrideOptions {
        turn: 0.25,
        ..StrideOptions::default()
    };
    let made = change_stride(&clip, &options).unwrap().clip;
    check_plants(&clip, &made, "turning");
    let yaw = |clip: &Clip, frame: usize| clip.placement(FrameId::from(frame)).yaw;
    let last = clip.len() - 1;
    let turned = (yaw(&made, last) - yaw(&made, 0)) - (yaw(&clip, last) - yaw(&clip, 0));
    let length: f32 = clip
        .root
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).with_y(0.0).length())
        .sum();
    let expected = 0.25 * f64::from(length);
    assert!(
        (turned - expected).abs() < 0.12 * expected,
        "{turned} rad, not {expected}"
    );
}

/// The least distance of the two lower legs. [m]
fn legs_apart(clip: &Clip) -> f32 {
    let [left, right] = Side::BOTH.map(|side| leg_points(clip, side));
    let along = |[_, knee, ankle, _]: [Vec3; 4]| {
        (0..=8).map(move |part| knee.lerp(ankle, part as f32 / 8.0))
    };
    let pairs = left.into_iter().zip(right);
    let distances = pairs.flat_map(|(left, right)| {
        along(left).flat_map(move |a| along(right).map(move |b| a.distance(b)))
    });
    distances.fold(f32::MAX, f32::min)
}

#[test]
fn legs_pass_each_other_on_a_curve_as_far_apart_as_captured() {
    let mut walks = vec![sample("walk")];
    if let Some(captured) = Captured::at_hand() {
        walks.extend(["16_15", "16_21"].map(|name| settled(&captured, name)));
    }
    for clip in walks {
        for turn in [-0.5, 0.5] {
            let options = StrideOptions {
                turn,
                ..StrideOptions::default()
            };
            let made = change_stride(&clip, &options).unwrap().clip;
            let [was, is] = [&clip, &made].map(legs_apart);
            assert!(
                is > was - 0.04,
                "{} at {turn}: {is} m, captured {was} m",
                clip.name
            );
        }
    }
}

#[test]
fn stairs_want_a_walk_that_goes_straight_on() {
    let mut walks = vec![sample("walk_about_left")];
    if let Some(captured) = Captured::at_hand() {
        walks.extend(["143_32", "143_28", "142_11"].map(|name| settled(&captured, name)));
    }
    for clip in walks {
        let error = change_stride(&clip, &stairs(0.17)).unwrap_err();
        let StrideError::NotStraightOn { straight, .. } = &error else {
            panic!("{}: {error}", clip.name);
        };
        // What it says is possible is.
        if let Some((from, to, _)) = straight {
            let frame = |seconds: f64| clip.rate.frames_in(seconds) as u32;
            let part = cut_clip(&clip, frame(*from)..frame(*to)).unwrap();
            let made = change_stride(&part, &stairs(0.17));
            let made =
                made.unwrap_or_else(|error| panic!("{} from {from} to {to}: {error}", clip.name));
            assert!(
                made.report.lowered < 0.2,
                "{}: {:?}",
                clip.name,
                made.report
            );
        }
    }
}

#[test]
fn what_can_not_be_done_is_said_with_what_can() {
    let clip = sample("walk");
    let message = |options: &StrideOptions| change_stride(&clip, options).unwrap_err().to_string();
    let too_long = message(&stride(3.0));
    assert!(
        too_long.contains("at most") && too_long.contains("times the captured"),
        "{too_long}"
    );
    assert!(message(&stride(0.0)).contains("stride 0"));
    assert!(message(&stride(f32::NAN)).contains("stride NaN"));
    assert!(message(&on(Surface::Incline(1.2))).contains("incline 1.2"));
    let ramp = StrideOptions {
        ramp: -0.5,
        ..StrideOptions::default()
    };
    assert!(message(&ramp).contains("above 0"));
    let stand = sample("stand");
    let error = change_stride(&stand, &StrideOptions::default()).unwrap_err();
    assert!(
        matches!(
            error,
            StrideError::TooFewPlants { .. } | StrideError::NoTravel { .. }
        ),
        "{error}"
    );
    let mut blind = clip.clone();
    blind.contacts.clear();
    let error = change_stride(&blind, &StrideOptions::default()).unwrap_err();
    assert!(matches!(error, StrideError::NoContacts { .. }));
}
