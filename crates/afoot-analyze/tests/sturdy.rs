//! Contacts of captured motion that is made worse: other rates and sizes, tilted, noisy, without
//! toes, cut short. They are to stay as they were on the motion as captured.
#![allow(clippy::unwrap_used)]

mod cmu;

use std::sync::Arc;

use afoot_analyze::{ContactOptions, GroundOptions, detect_contacts, estimate_ground};
use afoot_core::{Clip, Contacts, Quat, Role, Side, Vec3, cut_clip};
use cmu::Cmu;

fn contacts_of(mut clip: Clip) -> Vec<Contacts> {
    let ground = estimate_ground(&clip, &GroundOptions::default());
    clip.ground = ground.ok().map(|found| found.ground);
    let options = ContactOptions::default();
    detect_contacts(&clip, &options).unwrap().contacts
}

/// Frames planted in both, in either one alone.
#[derive(Clone, Copy, Debug, Default)]
struct Agreement {
    both: usize,
    either: usize,
}

impl Agreement {
    /// Adds two detections, of which the second has `rate` frames for one of the first and starts
    /// at frame `start` of it.
    fn add(&mut self, before: &[Contacts], after: &[Contacts], (start, rate): (usize, f64)) {
        for (frame, bits) in after.iter().enumerate() {
            let Some(old) = before.get(start + (frame as f64 / rate).round() as usize) else {
                continue;
            };
            for side in Side::BOTH {
                let on = [bits, old].map(|bits| bits.any(Contacts::foot(side)));
                self.both += usize::from(on == [true; 2]);
                self.either += usize::from(on[0] != on[1]);
            }
        }
    }

    fn f1(self) -> f64 {
        2.0 * self.both as f64 / (2 * self.both + self.either).max(1) as f64
    }
}

/// Checks that contacts of every third clip agree with those that `others` finds and adds to the
/// agreement, given the clip and its contacts.
fn check(what: &str, least: f64, others: impl Fn(&Cmu, &Clip, &[Contacts], &mut Agreement)) {
    let Some(cmu) = Cmu::find() else { return };
    let mut sum = Agreement::default();
    for name in cmu.names().into_iter().step_by(3) {
        let clip = cmu.clip(&name);
        others(&cmu, &clip, &contacts_of(clip.clone()), &mut sum);
    }
    println!("{what}: F1 {:.4}", sum.f1());
    assert!(sum.f1() >= least, "{what}: {sum:?}");
}

/// [`check`] of clips changed frame by frame.
fn check_changed(what: &str, least: f64, change: impl Fn(&mut Clip)) {
    check(what, least, |_, clip, before, sum| {
        let mut changed = clip.clone();
        change(&mut changed);
        sum.add(before, &contacts_of(changed), (0, 1.0));
    });
}

#[test]
fn at_other_rates() {
    for fps in [24, 60, 120] {
        check(&format!("{fps} fps"), 0.99, |cmu, clip, before, sum| {
            let after = contacts_of(cmu.clip_at(&clip.name, fps));
            sum.add(before, &after, (0, f64::from(fps) / 30.0));
        });
    }
}

#[test]
fn at_other_sizes() {
    for size in [0.6, 1.3] {
        check_changed(&format!("{size} times as large"), 0.985, |clip| {
            clip.skeleton = Arc::new((*clip.skeleton).clone().scaled(size));
            clip.root.iter_mut().for_each(|at| *at *= size);
        });
    }
}

#[test]
fn on_a_tilted_floor() {
    for axis in [Vec3::X, Vec3::Z] {
        let tilt = Quat::from_axis_angle(axis, 3f32.to_radians());
        check_changed(&format!("tilted by 3° about {axis}"), 0.995, |clip| {
            let joints = clip.joint_count();
            clip.root.iter_mut().for_each(|at| *at = tilt * *at);
            let roots = clip.rotations.iter_mut().step_by(joints);
            roots.for_each(|root| *root = tilt * *root);
        });
    }
}

/// White noise from a counter, of deviation 1 or nearly so.
fn noise(counter: usize) -> f32 {
    let mut bits = (counter as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^= bits >> 32;
    let parts = [0, 16, 32, 48].map(|from| ((bits >> from) & 0xffff) as f32 / 65536.0 - 0.5);
    parts.iter().sum::<f32>() * 3f32.sqrt()
}

/// Moves the whole figure and, by turns of the hips, each foot by noise of `deviation`. [m]
fn shake(clip: &mut Clip, deviation: f32) {
    let leg = clip.skeleton.leg_length().unwrap();
    let thighs = Side::BOTH.map(|side| clip.skeleton.with_role(Role::UpLeg(side)).unwrap());
    let joints = clip.joint_count();
    for frame in 0..clip.len() {
        let vector = |part: usize| {
            let at = |axis: usize| noise(9 * frame + 3 * part + axis);
            deviation * std::f32::consts::FRAC_1_SQRT_2 * Vec3::new(at(0), at(1), at(2))
        };
        clip.root[frame] += vector(0);
        for (index, thigh) in thighs.iter().enumerate() {
            let turn = Quat::from_scaled_axis(vector(1 + index) / leg);
            let local = &mut clip.rotations[frame * joints + thigh.index()];
            *local = turn * *local;
        }
    }
}

#[test]
fn with_noise() {
    for (deviation, least) in [(0.002, 0.995), (0.005, 0.99)] {
        let what = format!("noise of {deviation} m");
        check_changed(&what, least, |clip| shake(clip, deviation));
    }
}

/// Ankles leave the floor before the toes do, so that stances end earlier.
#[test]
fn without_toes() {
    check_changed("without toes", 0.94, |clip| {
        let roles = clip.skeleton.joints().iter().map(|joint| joint.role);
        let kept = roles.map(|role| role.filter(|role| !matches!(role, Role::Toe(_))));
        let roles: Vec<Option<Role>> = kept.collect();
        clip.skeleton = Arc::new((*clip.skeleton).clone().with_roles(&roles));
    });
}

#[test]
fn cut_to_twenty_frames() {
    check("twenty frames", 0.99, |_, clip, before, sum| {
        for start in (0..clip.len().saturating_sub(20)).step_by(37) {
            let part = cut_clip(clip, start as u32..start as u32 + 20).unwrap();
            sum.add(before, &contacts_of(part), (start, 1.0));
        }
    });
}
