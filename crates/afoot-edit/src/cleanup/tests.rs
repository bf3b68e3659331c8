//! Settling the small biped's walk, and the solver against a dense one.

use super::band::EvenBand;
use super::joint::{Joint, ROOT, Shifts};
use super::*;
use crate::fixture::walk;
use afoot_core::{Contacts, FrameId, JointId, Role, forward_kinematics};
use glam::DVec3;

/// The walk with its root some share too fast, so that planted feet slide.
fn faster(frames: usize, share: f32) -> Clip {
    let mut clip = walk(frames, 0.4, (1.0, 2.0));
    let start = clip.root[0];
    for root in &mut clip.root {
        *root += (*root - start) * share;
    }
    clip
}

fn joint(clip: &Clip, role: Role) -> JointId {
    clip.skeleton.with_role(role).unwrap()
}

fn settled(clip: &Clip) -> (Clip, CleanupReport) {
    let (settled, report) = settle_feet(clip, &SettleOptions::default()).unwrap();
    settled.check().unwrap();
    (settled, report)
}

/// The largest speeds of a joint, along the floor and up or down, over frames whose neighbours are in
/// contact too. [m/s]
fn planted_speeds(clip: &Clip, role: Role, bit: Contacts) -> (f32, f32) {
    let (at, joint) = (forward_kinematics(clip), joint(clip, role));
    let down = |frame: usize| clip.contacts[frame].any(bit);
    let inner = (1..clip.len() - 1).filter(|f| down(f - 1) && down(*f) && down(f + 1));
    let place = |frame: usize| at.joint(FrameId::from(frame), joint);
    let velocity = |f: usize| (place(f + 1) - place(f - 1)) * 15.0;
    inner.map(velocity).fold((0.0, 0.0), |(level, rise), v| {
        (v.x.hypot(v.z).max(level), v.y.abs().max(rise))
    })
}

/// Angles of the left knee, a frame each. [rad]
fn knees(clip: &Clip) -> Vec<f32> {
    let (at, leg) = (
        forward_kinematics(clip),
        clip.skeleton.leg(Side::Left).unwrap(),
    );
    let place = |f: usize, joint| at.joint(FrameId::from(f), joint);
    let angle = |f: usize| {
        let knee = place(f, leg.knee);
        (place(f, leg.hip) - knee).angle_between(place(f, leg.ankle) - knee)
    };
    (0..clip.len()).map(angle).collect()
}

#[test]
fn a_plant_is_held() {
    let clip = faster(120, 0.05);
    let (settled, report) = settled(&clip);
    for side in Side::BOTH {
        let (role, bit) = (Role::Toe(side), Contacts::ball(side));
        assert!(planted_speeds(&clip, role, bit).0 > 0.02);
        // Along the floor firmly; up and down it gives a little, for the knee's sake.
        let (slide, lift) = planted_speeds(&settled, role, bit);
        assert!(slide < 1e-3, "{side:?} slides at {slide} m/s");
        assert!(lift < 0.03, "{side:?} lifts at {lift} m/s");
    }
    assert!(
        report.plants >= 6 && report.largest_miss < 1e-3,
        "{report:?}"
    );
}

#[test]
fn knees_stay_as_they_were() {
    let clip = faster(120, 0.05);
    let (before, after) = (knees(&clip), knees(&settled(&clip).0));
    let change = |(a, b): (&f32, &f32)| (a - b).abs().to_degrees();
    let mean = before.iter().zip(&after).map(change).sum::<f32>() / before.len() as f32;
    assert!(mean < 2.5, "{mean} degrees");
}

#[test]
fn a_faultless_walk_stays_as_it_is() {
    let clip = walk(120, 0.4, (1.0, 2.0));
    let at = [&clip, &settled(&clip).0].map(forward_kinematics);
    let pairs = at[0].as_slice().iter().zip(at[1].as_slice());
    let moved = pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(moved < 1e-3, "{moved} m");
}

#[test]
fn frames_without_contacts_keep_their_bits() {
    let mut clip = faster(120, 0.2);
    clip.contacts.fill(Contacts::NONE);
    clip.root.iter_mut().for_each(|root| root.y += 0.3);
    let (same, report) = settled(&clip);
    assert_eq!((&same.root, &same.rotations), (&clip.root, &clip.rotations));
    assert_eq!(report, CleanupReport::default());
}

#[test]
fn nothing_sinks() {
    let mut clip = faster(120, 0.05);
    clip.root.iter_mut().for_each(|root| root.y -= 0.02);
    let settled = settled(&clip).0;
    let (at, ball) = (
        forward_kinematics(&settled),
        joint(&clip, Role::Toe(Side::Left)),
    );
    let lowest = (0..120).map(|f| at.joint(FrameId(f), ball).y);
    let lowest = lowest.fold(f32::INFINITY, f32::min);
    assert!(lowest > -0.005, "{lowest} m");
}

#[test]
fn the_same_clip_gives_the_same_bytes() {
    let clip = faster(90, 0.1);
    assert_eq!(settled(&clip), settled(&clip));
}

#[test]
fn odd_clips_and_options_do_no_harm() {
    for frames in 0..5 {
        assert_eq!(settled(&faster(frames.max(1), 0.1)).0.len(), frames.max(1));
    }
    for scale in [-1.0, 0.0, f32::NAN, f32::INFINITY] {
        let options = SettleOptions {
            slide: scale,
            knee: scale,
            root_acceleration: scale,
            ..SettleOptions::default()
        };
        let (clean, _) = settle_feet(&faster(60, 0.1), &options).unwrap();
        clean.check().unwrap();
    }
}

/// Solves dense equations by elimination with pivots.
fn solve_dense(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for column in 0..n {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..n)
            .max_by(|a, b| size(a).total_cmp(&size(b)))
            .unwrap();
        rows.swap(column, pivot);
        let lead = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let share = row[column] / lead[column];
            row.iter_mut().zip(&lead).for_each(|(a, b)| *a -= share * b);
        }
    }
    (0..n).map(|i| rows[i][n] / rows[i][i]).collect()
}

/// Adds a squared residual of some of the unknowns to dense normal equations.
fn add_dense(rows: &mut [Vec<f64>], terms: &[(usize, f64)], (weight, target): (f64, f64)) {
    let n = rows.len();
    for &(i, a) in terms {
        for &(j, b) in terms {
            rows[i][j] += weight * a * b;
        }
        rows[i][n] += weight * a * target;
    }
}

/// Numbers of no meaning, the same for the same seed.
fn vector(seed: usize) -> DVec3 {
    let number = |k: usize| ((seed * 37 + k * 17) % 23) as f64 / 11.0 - 1.0;
    DVec3::new(number(1), number(2), number(3))
}

#[test]
fn the_band_solves_what_a_dense_solver_does() {
    const FRAMES: usize = 9;
    let mut band = EvenBand::default();
    band.reset(FRAMES);
    let mut dense = vec![vec![0.0; 3 * FRAMES + 1]; 3 * FRAMES];
    for frame in 0..FRAMES {
        let (weight, target) = (vector(frame).x.abs() + 0.5, vector(frame + 50));
        let (firm, step) = (vector(frame + 7).y.abs() * 9.0, vector(frame + 90));
        band.add_point(frame, weight, target);
        if frame + 1 < FRAMES {
            band.add_step(frame, firm, step);
        }
        if frame + 2 < FRAMES {
            band.add_bend(frame, 3.0);
        }
        for axis in 0..3 {
            let at = 3 * frame + axis;
            add_dense(&mut dense, &[(at, 1.0)], (weight, target[axis]));
            if frame + 1 < FRAMES {
                add_dense(&mut dense, &[(at, -1.0), (at + 3, 1.0)], (firm, step[axis]));
            }
            if frame + 2 < FRAMES {
                let terms = [(at, 1.0), (at + 3, -2.0), (at + 6, 1.0)];
                add_dense(&mut dense, &terms, (3.0, 0.0));
            }
        }
    }
    let mut found = vec![DVec3::ZERO; FRAMES];
    band.solve(&mut found);
    let expected = solve_dense(dense);
    for (frame, value) in found.into_iter().enumerate() {
        let expected = DVec3::from_slice(&expected[3 * frame..]);
        assert!(
            value.distance(expected) < 1e-9,
            "{frame}: {value}, not {expected}"
        );
    }
}

#[test]
fn ankles_and_root_together_are_what_a_dense_solver_finds() {
    for frames in [1, 2, 3, 8] {
        let mut found = vec![Shifts::default(); frames];
        let mut dense = vec![vec![0.0; 9 * frames + 1]; 9 * frames];
        let mut joint = Joint::default();
        joint.solve(&mut found, |terms, frame| {
            let at = |by: usize, part: usize, axis: usize| 9 * (frame + by) + 3 * part + axis;
            for part in 0..3 {
                let seed = 3 * frame + part;
                let (weight, target) = (vector(seed).abs() + 2.0, vector(seed + 50));
                let (firm, step) = (vector(seed + 7).abs() * 9.0, vector(seed + 90));
                terms.point(part, weight, target);
                if frame + 1 < frames {
                    terms.step(part, firm, step);
                }
                if frame + 2 < frames {
                    terms.bend(part, 3.0);
                }
                for axis in 0..3 {
                    let here = at(0, part, axis);
                    add_dense(&mut dense, &[(here, 1.0)], (weight[axis], target[axis]));
                    if frame + 1 < frames {
                        let terms = [(here, -1.0), (here + 9, 1.0)];
                        add_dense(&mut dense, &terms, (firm[axis], step[axis]));
                    }
                    if frame + 2 < frames {
                        let terms = [(here, 1.0), (here + 9, -2.0), (here + 18, 1.0)];
                        add_dense(&mut dense, &terms, (3.0, 0.0));
                    }
                }
            }
            for ankle in 0..2 {
                terms.tie(ankle, 1.5);
                let slopes = [1, 2, 3].map(|k| vector(frame + 11 * k + ankle));
                terms.leg(ankle, [slopes[0]], (2.5, 0.3));
                let leg = |by: usize, axis: usize| {
                    let slope = slopes[by][axis];
                    [(at(by, ROOT, axis), slope), (at(by, ankle, axis), -slope)]
                };
                let one: Vec<_> = (0..3).flat_map(|axis| leg(0, axis)).collect();
                add_dense(&mut dense, &one, (2.5, 0.3));
                if frame + 2 < frames {
                    terms.leg(ankle, slopes, (4.0, -0.7));
                    let all: Vec<_> = (0..9).flat_map(|k| leg(k / 3, k % 3)).collect();
                    add_dense(&mut dense, &all, (4.0, -0.7));
                }
                for axis in 0..3 {
                    let tied = [(at(0, ankle, axis), 1.0), (at(0, ROOT, axis), -1.0)];
                    add_dense(&mut dense, &tied, (1.5, 0.0));
                }
            }
            let slopes = [0, 1, 2].map(|part| vector(frame + 5 * part));
            terms.row(slopes, (6.0, 0.2));
            let row: Vec<_> = (0..9)
                .map(|k| (at(0, k / 3, k % 3), slopes[k / 3][k % 3]))
                .collect();
            add_dense(&mut dense, &row, (6.0, 0.2));
        });
        let expected = solve_dense(dense);
        for (k, value) in found.as_flattened().iter().enumerate() {
            let expected = DVec3::from_slice(&expected[3 * k..]);
            assert!(
                value.distance(expected) < 1e-6,
                "{k}: {value}, not {expected}"
            );
        }
    }
}

#[test]
fn weights_as_far_apart_as_those_of_feet_lose_less_than_a_tenth_of_a_millimetre() {
    let frames = 60;
    let mut found = vec![Shifts::default(); frames];
    let mut dense = vec![vec![0.0; 9 * frames + 1]; 9 * frames];
    Joint::default().solve(&mut found, |terms, frame| {
        let at = |by: usize, part: usize, axis: usize| 9 * (frame + by) + 3 * part + axis;
        for part in 0..3 {
            let target = 0.03 * vector(3 * frame + part);
            terms.point(part, DVec3::splat(25.0), target);
            // A plant of half a second, then a swing.
            let held = part != ROOT && (frame / 15 + part) % 2 == 0;
            let bend = if part == ROOT { 9e6 } else { 3e4 };
            let step = 0.001 * vector(frame + part);
            if held && frame + 1 < frames {
                terms.step(part, DVec3::splat(9e8), step);
            } else if frame + 2 < frames {
                terms.bend(part, bend);
            }
            for axis in 0..3 {
                let here = at(0, part, axis);
                add_dense(&mut dense, &[(here, 1.0)], (25.0, target[axis]));
                if held && frame + 1 < frames {
                    let terms = [(here, -1.0), (here + 9, 1.0)];
                    add_dense(&mut dense, &terms, (9e8, step[axis]));
                } else if frame + 2 < frames {
                    let terms = [(here, 1.0), (here + 9, -2.0), (here + 18, 1.0)];
                    add_dense(&mut dense, &terms, (bend, 0.0));
                }
            }
        }
        for ankle in 0..2 {
            let slopes = [0, 1, 2].map(|k| 10.0 * vector(frame + k + ankle));
            let (one, three) = (800.0, 9e3);
            let leg = |by: usize, axis: usize, slope: DVec3| {
                let (root, ankle) = (at(by, ROOT, axis), at(by, ankle, axis));
                [(root, slope[axis]), (ankle, -slope[axis])]
            };
            terms.leg(ankle, [slopes[0]], (one, 0.1));
            let all: Vec<_> = (0..3).flat_map(|axis| leg(0, axis, slopes[0])).collect();
            add_dense(&mut dense, &all, (one, 0.1));
            if frame + 2 < frames {
                let slopes = [slopes[0], -2.0 * slopes[1], slopes[2]];
                terms.leg(ankle, slopes, (three, 0.01));
                let all = (0..9).flat_map(|k| leg(k / 3, k % 3, slopes[k / 3]));
                add_dense(&mut dense, &all.collect::<Vec<_>>(), (three, 0.01));
            }
        }
    });
    let expected = solve_dense(dense);
    for (k, value) in found.as_flattened().iter().enumerate() {
        let off = value.distance(DVec3::from_slice(&expected[3 * k..]));
        assert!(off < 1e-4, "{k}: {off} m");
    }
}

/// Farthest that root, ankles or balls are apart in frames that are the same moments. [m]
fn farthest_apart(pairs: impl Iterator<Item = [(usize, usize); 1]>, clips: [&Clip; 2]) -> f32 {
    let at = clips.map(forward_kinematics);
    let legs = Side::BOTH.map(|side| clips[0].skeleton.leg(side).unwrap());
    let joints: Vec<JointId> = legs
        .into_iter()
        .flat_map(|leg| [leg.ankle, leg.ball])
        .chain([JointId(0)])
        .collect();
    let apart = |[(a, b)]: [(usize, usize); 1]| {
        let places = joints.iter().map(|joint| {
            let place = |of: usize, frame: usize| at[of].joint(FrameId::from(frame), *joint);
            place(0, a).distance(place(1, b))
        });
        places.fold(0.0, f32::max)
    };
    pairs.map(apart).fold(0.0, f32::max)
}

#[test]
fn the_rate_makes_no_difference() {
    let slow = faster(120, 0.05);
    let (clean, _) = settled(&slow);
    for times in [2, 4] {
        let fast = at_rate(&slow, 30.0 * f64::from(times));
        let (fast, _) = settled(&fast);
        let moments = (0..slow.len()).map(|frame| [(frame, frame * times as usize)]);
        let apart = farthest_apart(moments, [&clean, &fast]);
        assert!(apart < 0.005, "{apart} m at {times} times the rate");
    }
}

/// The same motion with more frames a second; contacts are those of the frame before.
fn at_rate(clip: &Clip, fps: f64) -> Clip {
    let rate = afoot_core::FrameRate::from_fps(fps).unwrap();
    let mut fast = afoot_core::resample_clip(clip, rate);
    let before = |frame: usize| clip.contacts[(frame as f64 * 30.0 / fps) as usize];
    fast.contacts = (0..fast.len()).map(before).collect();
    fast
}

#[test]
fn a_cut_is_forgotten_after_two_seconds() {
    let clip = faster(600, 0.05);
    let whole = settled(&clip).0;
    for start in [37, 100, 163] {
        let mut part = afoot_core::cut_clip(&clip, start..start + 300).unwrap();
        part.ground = clip.ground;
        let part = settled(&part).0;
        let inner = (60..240).map(|frame| [(frame + start as usize, frame)]);
        let apart = farthest_apart(inner, [&whole, &part]);
        assert!(apart < 0.002, "{apart} m from {start} on");
    }
}

#[test]
fn legs_that_settle_do_not_meet() {
    let mut clip = walk(120, 0.4, (1.0, 2.0));
    let before = least_gap(&clip);
    // Feet whose plants lie across the middle would have to pass through each other.
    for (frame, root) in clip.root.iter_mut().enumerate() {
        root.x += 0.12 * (frame as f32 * 0.1).sin();
    }
    let after = least_gap(&settled(&clip).0);
    assert!(
        after > before.min(0.06) - 0.005,
        "{after} m, captured {before} m"
    );
}

/// The least distance between the lines from knee to ankle. [m]
fn least_gap(clip: &Clip) -> f32 {
    let at = forward_kinematics(clip);
    let legs = Side::BOTH.map(|side| clip.skeleton.leg(side).unwrap());
    let point = |frame: usize, side: usize, k: usize| {
        let place = |joint| at.joint(FrameId::from(frame), joint);
        place(legs[side].knee).lerp(place(legs[side].ankle), k as f32 / 20.0)
    };
    let gap = |frame: usize| {
        let pairs = (0..=20).flat_map(|i| (0..=20).map(move |j| (i, j)));
        let apart = pairs.map(|(i, j)| point(frame, 0, i).distance(point(frame, 1, j)));
        apart.fold(f32::INFINITY, f32::min)
    };
    (0..clip.len()).map(gap).fold(f32::INFINITY, f32::min)
}
