//! The sample library: some four minutes of clips that connect well.

use afoot_core::{Clip, Side};

use crate::motion::{SampleMotion, SampleOptions, sample_motion};

/// All clips of the sample library, in a fixed order.
pub fn sample_library(options: &SampleOptions) -> Vec<Clip> {
    sample_motions()
        .into_iter()
        .map(|(name, motion)| sample_motion(name, motion, options))
        .collect()
}

/// The sample library's motions by name.
pub fn sample_motions() -> Vec<(&'static str, SampleMotion)> {
    let mut motions = walks();
    motions.extend(runs_and_sneaks());
    motions.extend(actions());
    motions
}

/// Motions that plans are tried on, with the walks of the sample library: picks at five heights and three
/// reaches with either hand, steps and jumps of several lengths.
pub fn task_motions() -> Vec<(String, SampleMotion)> {
    use SampleMotion::*;
    let named = |(name, motion): (&str, SampleMotion)| (name.to_owned(), motion);
    let mut motions: Vec<(String, SampleMotion)> = walks().into_iter().map(named).collect();
    motions.push(("stand".into(), Stand { seconds: 6.0 }));
    for (side, word) in [(Side::Left, "left"), (Side::Right, "right")] {
        for height in [0.1, 0.3, 0.5, 0.7, 0.9] {
            for reach in [0.3, 0.42, 0.54] {
                let [high, far] = [height, reach].map(|metres: f64| (metres * 100.0).round());
                let name = format!("pick_{word}_{high:02}_{far:02}");
                let motion = PickUpAt {
                    height,
                    reach,
                    side,
                };
                motions.push((name, motion));
            }
        }
    }
    for speed in [0.6, 0.75, 1.05, 1.45, 1.75] {
        let name = format!("stones_{:03}", (speed * 100.0_f64).round());
        motions.push((name, Walk { speed, length: 5.0 }));
    }
    for distance in [0.6, 0.8, 1.0, 1.2, 1.4] {
        let name = format!("jump_{:03}", (distance * 100.0_f64).round());
        motions.push((name, JumpForward { distance }));
    }
    motions.push(("duck".into(), Duck));
    motions.push(("step_over".into(), StepOver { height: 0.25 }));
    for (name, height) in [("sit_low", 0.40), ("sit", 0.45), ("sit_high", 0.52)] {
        motions.push((name.into(), SitAndRise { height }));
    }
    motions
}

/// All clips that plans are tried on, in a fixed order.
pub fn task_library(options: &SampleOptions) -> Vec<Clip> {
    task_motions()
        .into_iter()
        .map(|(name, motion)| sample_motion(&name, motion, options))
        .collect()
}

fn walks() -> Vec<(&'static str, SampleMotion)> {
    use SampleMotion::*;
    let turn = |speed: f64, degrees: f64, bend: f64| WalkTurn {
        speed,
        angle: degrees.to_radians(),
        bend,
    };
    let circle = |speed: f64, radius: f64, length: f64| WalkCircle {
        speed,
        radius,
        length,
    };
    vec![
        (
            "walk_slow",
            Walk {
                speed: 0.9,
                length: 5.5,
            },
        ),
        (
            "walk",
            Walk {
                speed: 1.3,
                length: 8.0,
            },
        ),
        (
            "walk_fast",
            Walk {
                speed: 1.6,
                length: 8.0,
            },
        ),
        ("walk_turn_left_slow", turn(1.0, 45.0, 2.0)),
        ("walk_turn_right_slow", turn(1.0, -45.0, 2.0)),
        ("walk_turn_left", turn(1.3, 45.0, 2.2)),
        ("walk_turn_right", turn(1.3, -45.0, 2.2)),
        ("walk_sharp_left", turn(1.1, 90.0, 0.9)),
        ("walk_sharp_right", turn(1.1, -90.0, 0.9)),
        ("walk_sharp_left_fast", turn(1.4, 90.0, 1.2)),
        ("walk_sharp_right_fast", turn(1.4, -90.0, 1.2)),
        ("walk_about_left", turn(1.0, 170.0, 1.5)),
        ("walk_about_right", turn(1.0, -170.0, 1.5)),
        ("walk_circle_left", circle(1.2, 1.0, 6.3)),
        ("walk_circle_right", circle(1.2, -1.0, 6.3)),
        ("walk_arc_left", circle(1.3, 2.2, 7.0)),
        ("walk_arc_right", circle(1.3, -2.2, 7.0)),
        ("walk_slalom", WalkSlalom { speed: 1.2 }),
        ("start", Start { speed: 1.2 }),
        ("start_fast", Start { speed: 1.5 }),
        ("stop", Stop { speed: 1.2 }),
        ("stop_fast", Stop { speed: 1.5 }),
    ]
}

fn runs_and_sneaks() -> Vec<(&'static str, SampleMotion)> {
    use SampleMotion::*;
    let run_turn = |degrees: f64| RunTurn {
        speed: 2.7,
        angle: degrees.to_radians(),
    };
    let sneak = |degrees: f64| Sneak {
        angle: degrees.to_radians(),
    };
    vec![
        (
            "run",
            Run {
                speed: 3.0,
                length: 14.0,
            },
        ),
        (
            "jog",
            Run {
                speed: 2.3,
                length: 11.0,
            },
        ),
        ("run_turn_left", run_turn(70.0)),
        ("run_turn_right", run_turn(-70.0)),
        ("walk_to_run", WalkToRun),
        ("run_to_walk", RunToWalk),
        ("walk_to_sneak", WalkToSneak),
        ("sneak_to_walk", SneakToWalk),
        ("sneak", sneak(0.0)),
        ("sneak_turn_left", sneak(60.0)),
        ("sneak_turn_right", sneak(-60.0)),
    ]
}

fn actions() -> Vec<(&'static str, SampleMotion)> {
    use SampleMotion::*;
    let spin = |degrees: f64| TurnInPlace {
        angle: degrees.to_radians(),
    };
    vec![
        ("stand", Stand { seconds: 6.0 }),
        ("turn_in_place_left", spin(90.0)),
        ("turn_in_place_right", spin(-90.0)),
        ("turn_in_place_about", spin(180.0)),
        ("jump_up", JumpUp { rise: 0.28 }),
        ("jump_forward", JumpForward { distance: 1.1 }),
        (
            "hop",
            Hop {
                count: 5,
                side: Side::Left,
            },
        ),
        ("wave_standing", WaveStanding),
        ("wave_walking", WaveWalking),
        ("pick_up_floor", PickUp { height: 0.08 }),
        ("pick_up_knee", PickUp { height: 0.45 }),
        ("pick_up_table", PickUp { height: 0.8 }),
        ("sit_and_rise", SitAndRise { height: 0.45 }),
        ("duck", Duck),
        ("step_over", StepOver { height: 0.25 }),
        ("kick", Kick { side: Side::Right }),
        ("slope_up", Slope { angle: 0.12 }),
        ("slope_down", Slope { angle: -0.12 }),
    ]
}
