//! Feet of a steered figure, as each call returns them: they stand still, at any rate of calls.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::sync::Arc;

use afoot_analyze::{JudgeOptions, Quality, judge_clip};
use afoot_core::{Clip, ClipId, Contacts, Pose, Side, Vec3, pose_kinematics};
use afoot_fixtures::Captured;
use afoot_graph::NodeId;
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{
    ControlOptions, ControlTable, Controller, ControllerOptions, ControllerStart, Repertoire,
    random_directions,
};
use support::{captured_walks, graph_of, mirrored};

struct Steered {
    repertoire: Arc<Repertoire>,
    table: Arc<ControlTable>,
}

/// A call's time, pose, and what touched the ground in its frame.
type Call = (f64, Pose, Contacts);

impl Steered {
    fn on(clips: &[Clip], threshold_cm: f32) -> Self {
        let repertoire = Repertoire::new(graph_of(clips, threshold_cm), clips).unwrap();
        let table = ControlTable::new(
            &repertoire,
            &ControlOptions::default(),
            &afoot_run::Run::quiet(),
        )
        .unwrap();
        let (repertoire, table) = (Arc::new(repertoire), Arc::new(table));
        Self { repertoire, table }
    }

    fn on_samples() -> Self {
        let mut clips = sample_library(&SampleOptions::default());
        let names = ["walk", "walk_turn_left", "walk_circle_left"];
        clips.retain(|clip| names.contains(&clip.name.as_str()));
        let images: Vec<Clip> = clips.iter().map(mirrored).collect();
        clips.extend(images);
        Self::on(&clips, 6.0)
    }

    /// Random directions, with a call every `pauses` in turn. [s]
    fn drive(&self, seconds: f64, pauses: &[f64], options: ControllerOptions) -> Vec<Call> {
        let start = ControllerStart::in_the_middle(NodeId(0));
        let shared = (Arc::clone(&self.repertoire), Arc::clone(&self.table));
        let mut figure = Controller::new(shared.0, shared.1, start, options).unwrap();
        let wishes = random_directions(seconds, 0.5..2.0, 7);
        let (mut calls, mut now) = (Vec::new(), 0.0);
        for pause in pauses.iter().cycle() {
            now += pause;
            if now > seconds {
                break;
            }
            let wish = wishes.iter().rev().find(|wish| wish.at <= now);
            let direction = wish.unwrap().direction;
            let pose = figure.advance(*pause, direction, None).unwrap();
            calls.push((now, pose, figure.contacts()));
        }
        calls
    }

    fn judge(&self, calls: &[Call]) -> Quality {
        let first = self.repertoire.clip(ClipId(0));
        let mut clip = Clip::empty("driven", Arc::clone(&first.skeleton), first.rate);
        calls.iter().for_each(|(_, pose, _)| clip.push_pose(pose));
        clip.ground = self.repertoire.floor();
        judge_clip(&clip, &JudgeOptions::default())
    }

    /// How far the ball of a foot comes from where it stood a tenth of a second after it touched the
    /// ground, at most, in each plant. [m]
    fn slides(&self, calls: &[Call]) -> Vec<f32> {
        let skeleton = self.repertoire.skeleton().unwrap();
        let mut slides = Vec::new();
        for side in Side::BOTH {
            let ball = skeleton.leg(side).unwrap().ball.index();
            let (mut touched, mut stood): (Option<f64>, Option<Vec3>) = (None, None);
            for (now, pose, contacts) in calls {
                if !contacts.any(Contacts::ball(side)) {
                    (touched, stood) = (None, None);
                    continue;
                }
                if now - *touched.get_or_insert(*now) < 0.1 {
                    continue;
                }
                let at = pose_kinematics(skeleton, pose.root, &pose.rotations).1[ball];
                match stood {
                    None => {
                        stood = Some(at);
                        slides.push(0.0);
                    }
                    Some(stood) => {
                        let slide = (at - stood).with_y(0.0).length();
                        let last = slides.last_mut().unwrap();
                        *last = slide.max(*last);
                    }
                }
            }
        }
        slides.sort_by(f32::total_cmp);
        slides
    }
}

impl Steered {
    /// How far each planted foot turns on the floor from a tenth of a second after its ball touched it, and how far it
    /// does in the frames that are played. [degrees]
    fn twists(&self, calls: &[Call]) -> Vec<f32> {
        let skeleton = self.repertoire.skeleton().unwrap();
        let mut twists = Vec::new();
        for side in Side::BOTH {
            let leg = skeleton.leg(side).unwrap();
            let (mut touched, mut range): (Option<f64>, Option<[f32; 2]>) = (None, None);
            for (now, pose, contacts) in calls {
                // Heels that rise are on their way.
                if !contacts.any(Contacts::ball(side)) || !contacts.any(Contacts::heel(side)) {
                    twists.extend(
                        range
                            .take()
                            .map(|[least, most]| (most - least).to_degrees()),
                    );
                    touched = None;
                    continue;
                }
                if now - *touched.get_or_insert(*now) < 0.1 {
                    continue;
                }
                let points = pose_kinematics(skeleton, pose.root, &pose.rotations).1;
                let foot = points[leg.ball.index()] - points[leg.ankle.index()];
                let yaw = foot.x.atan2(foot.z);
                let [least, most] = range.get_or_insert([yaw, yaw]);
                let middle = 0.5 * (*least + *most);
                let near = middle + afoot_core::wrap_angle(f64::from(yaw - middle)) as f32;
                (*least, *most) = (least.min(near), most.max(near));
            }
        }
        twists.sort_by(f32::total_cmp);
        twists
    }
}

/// The body turns over its feet, which stay as they point: how far they turn in half of the plants, and in 19 of
/// 20, as returned and as played. [degrees]
fn twists_of(steered: &Steered) -> [[f32; 2]; 2] {
    let most = |options| {
        let twists = steered.twists(&steered.drive(120.0, &[1.0 / 30.0], options));
        assert!(twists.len() > 60, "{} plants", twists.len());
        [0.5, 0.95].map(|share| twists[(twists.len() as f32 * share) as usize])
    };
    [most(held()), most(free())]
}

#[test]
fn feet_do_not_swivel_under_who_turns() {
    let [held, free] = twists_of(&Steered::on_samples());
    assert!(
        held[0] < 3.0 && held[1] < 10.0,
        "{held:?}, {free:?} as played"
    );
    assert!(
        free[0] > 2.0 * held[0] && free[1] > 2.0 * held[1],
        "{held:?}, {free:?}"
    );
}

/// Captured walkers who turn on the spot swivel on their feet, which is theirs to do; others don't.
#[test]
fn nor_do_they_on_captured_walks() {
    let Some(source) = Captured::find() else {
        return;
    };
    let [held, free] = twists_of(&Steered::on(&captured_walks(&source), 4.0));
    assert!(
        held[0] < 3.0 && free[0] > 2.0 * held[0],
        "{held:?}, {free:?} as played"
    );
    assert!(held[1] < 0.85 * free[1], "{held:?}, {free:?} as played");
}

fn held() -> ControllerOptions {
    ControllerOptions::default()
}

fn free() -> ControllerOptions {
    let feet = None;
    ControllerOptions { feet, ..held() }
}

#[test]
fn planted_feet_stay_at_any_rate_of_calls() {
    let steered = Steered::on_samples();
    let irregular = [0.004, 0.021, 0.033, 0.009, 0.05, 0.0];
    let rates: [&[f64]; 4] = [&[1.0 / 30.0], &[1.0 / 60.0], &[1.0 / 144.0], &irregular];
    for pauses in rates {
        let slides = steered.slides(&steered.drive(60.0, pauses, held()));
        let free = steered.slides(&steered.drive(60.0, pauses, free()));
        let most = |slides: &[f32], share: f32| slides[(slides.len() as f32 * share) as usize];
        assert!(slides.len() > 60, "{} plants", slides.len());
        let (held, free) = (most(&slides, 0.95), most(&free, 0.95));
        assert!(held < 0.004, "{held} m at pauses of {pauses:?} s");
        assert!(free > 4.0 * held, "{free} m as blended, {held} m held");
    }
}

#[test]
fn what_is_returned_keeps_the_bars_of_feet() {
    let steered = Steered::on_samples();
    check(&steered.judge(&steered.drive(120.0, &[1.0 / 30.0], held())));
}

#[test]
fn so_it_does_on_captured_walks() {
    let Some(source) = Captured::find() else {
        return;
    };
    let steered = Steered::on(&captured_walks(&source), 4.0);
    let calls = steered.drive(300.0, &[1.0 / 30.0], held());
    check(&steered.judge(&calls));
    // Hips stay as high as captured: a like drive with its feet let go.
    let heights = |calls: &[Call]| -> f32 {
        calls.iter().map(|(_, pose, _)| pose.root.y).sum::<f32>() / calls.len() as f32
    };
    let free = heights(&steered.drive(300.0, &[1.0 / 30.0], free()));
    let lower = (heights(&calls) - free).abs();
    assert!(lower < 0.01, "{lower} m");
}

fn check(quality: &Quality) {
    let (speed, share) = (quality.skate_cm_s.unwrap(), quality.skate_share.unwrap());
    let (slide, sink) = (quality.slide_mm.unwrap(), quality.sink_cm.unwrap());
    assert!(speed < 3.0 && share < 0.02, "{speed} cm/s, {share}");
    assert!(slide < 15.0 && sink < 1.0, "{slide} mm, {sink} cm");
}
