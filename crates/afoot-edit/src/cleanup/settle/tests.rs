//! Settling the small biped's walk, and the solver against a dense one.

use super::band::{Band, EvenBand};
use super::*;
use crate::cleanup::clean_feet;
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
        assert!(lift < 0.02, "{side:?} lifts at {lift} m/s");
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

#[test]
fn the_band_solves_what_a_dense_solver_does() {
    const FRAMES: usize = 9;
    let (mut band, mut even) = (Band::default(), EvenBand::default());
    band.reset(FRAMES);
    even.reset(FRAMES);
    let mut dense = vec![vec![0.0; 3 * FRAMES + 1]; 3 * FRAMES];
    let mut even_dense = dense.clone();
    let vector = |seed: usize| {
        let number = |k: usize| ((seed * 37 + k * 17) % 23) as f64 / 11.0 - 1.0;
        DVec3::new(number(1), number(2), number(3))
    };
    for frame in 0..FRAMES {
        let (weight, target) = (vector(frame).abs() + 0.5, vector(frame + 50));
        band.add_point(frame, weight, target);
        even.add_point(frame, weight.x, target);
        for axis in 0..3 {
            let term = [(3 * frame + axis, 1.0)];
            add_dense(&mut dense, &term, (weight[axis], target[axis]));
            add_dense(&mut even_dense, &term, (weight.x, target[axis]));
        }
    }
    for frame in 0..FRAMES - 1 {
        let (weight, target) = (vector(frame + 7).abs() * 9.0, vector(frame + 90));
        band.add_step(frame, weight, target);
        even.add_step(frame, weight.y, target);
        for axis in 0..3 {
            let terms = [(3 * frame + axis, -1.0), (3 * frame + 3 + axis, 1.0)];
            add_dense(&mut dense, &terms, (weight[axis], target[axis]));
            add_dense(&mut even_dense, &terms, (weight.y, target[axis]));
        }
    }
    for frame in 0..FRAMES - 2 {
        band.add_bend(frame, 3.0);
        even.add_bend(frame, 3.0);
        let rows = [vector(frame), vector(frame + 1), vector(frame + 2)];
        band.add_rows(frame, (rows, 2.0), 0.3);
        band.add_row(frame, (rows[0], 1.5), -0.2);
        let term = |i: usize, axis: usize| (3 * (frame + i) + axis, rows[i][axis]);
        let terms: Vec<_> = (0..9).map(|k| term(k / 3, k % 3)).collect();
        add_dense(&mut dense, &terms, (2.0, 0.3));
        add_dense(&mut dense, &terms[..3], (1.5, -0.2));
        for axis in 0..3 {
            let at = 3 * frame + axis;
            let terms = [(at, 1.0), (at + 3, -2.0), (at + 6, 1.0)];
            add_dense(&mut dense, &terms, (3.0, 0.0));
            add_dense(&mut even_dense, &terms, (3.0, 0.0));
        }
    }
    let mut found = [vec![DVec3::ZERO; FRAMES], vec![DVec3::ZERO; FRAMES]];
    band.solve(&mut found[0]);
    even.solve(&mut found[1]);
    for (found, dense) in found.into_iter().zip([dense, even_dense]) {
        let expected = solve_dense(dense);
        for (frame, value) in found.into_iter().enumerate() {
            let expected = DVec3::from_slice(&expected[3 * frame..]);
            assert!(
                value.distance(expected) < 1e-9,
                "{frame}: {value}, not {expected}"
            );
        }
    }
}

#[test]
fn what_comes_too_fast_for_the_solver_is_planned() {
    let mut clip = faster(240, 0.05);
    clip.rate = afoot_core::FrameRate::from_fps(120.0).unwrap();
    let planned = clean_feet(&clip, &CleanupOptions::default()).unwrap();
    assert!(planned.0 != clip && settled(&clip) == planned);
}
