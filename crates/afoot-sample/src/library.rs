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
