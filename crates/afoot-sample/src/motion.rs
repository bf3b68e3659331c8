//! The sample motions by name, and how one is made.

use std::f64::consts::FRAC_PI_2;

use afoot_core::{Clip, FrameRate, Side};

use crate::actions::{kick, pick_up, pick_up_at, sit, wave_standing, wave_walking};
use crate::body::sample_skeleton;
use crate::drift::mix;
use crate::gait::Gait;
use crate::jumps::{hop, jump};
use crate::locomotion::{
    Pace, change, duck, slope, stand, start, step_over, stop, travel, turn_in_place,
};
use crate::path::Path;
use crate::perform::perform;
use crate::plan::Plan;

/// How sample motion is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleOptions {
    /// Frames a second; any, usually 30 or 60.
    pub rate: FrameRate,
    /// Small variations of steps and posture follow from it.
    pub seed: u64,
}

impl Default for SampleOptions {
    fn default() -> Self {
        Self {
            rate: FrameRate::FPS_30,
            seed: 1,
        }
    }
}

/// A motion that can be made. Angles and sides: left is positive.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // each variant says what its fields mean
pub enum SampleMotion {
    /// Straight on. Speed [m/s, 0.5 to 1.8], length [m].
    Walk { speed: f64, length: f64 },
    /// Straight, a bend, straight. Angle [rad], length of the bend [m].
    WalkTurn { speed: f64, angle: f64, bend: f64 },
    /// Around a circle; a negative radius goes right. Radius [m, ≥ 0.6], length [m].
    WalkCircle {
        speed: f64,
        radius: f64,
        length: f64,
    },
    /// Bends left and right in turn.
    WalkSlalom { speed: f64 },
    /// Stands, then walks. Speed [m/s].
    Start { speed: f64 },
    /// Walks, then stands. Speed [m/s].
    Stop { speed: f64 },
    /// Stands. [s]
    Stand { seconds: f64 },
    /// Turns on the spot. [rad]
    TurnInPlace { angle: f64 },
    /// Sneaks; a bend by an angle in its middle [rad].
    Sneak { angle: f64 },
    /// Straight on. Speed [m/s, 2 to 4], length [m].
    Run { speed: f64, length: f64 },
    /// Straight, a bend, straight. Angle [rad].
    RunTurn { speed: f64, angle: f64 },
    /// Walks, then runs.
    WalkToRun,
    /// Runs, then walks.
    RunToWalk,
    /// Walks, then sneaks.
    WalkToSneak,
    /// Sneaks, then walks.
    SneakToWalk,
    /// From both feet on the spot. [m, 0.05 to 0.5]
    JumpUp { rise: f64 },
    /// From both feet forward. [m, 0.6 to 1.4]
    JumpForward { distance: f64 },
    /// Forward on one foot.
    Hop { count: usize, side: Side },
    /// Stands and waves.
    WaveStanding,
    /// Walks and waves.
    WaveWalking,
    /// From a height above the floor. [m, 0.05 to 1.2]
    PickUp { height: f64 },
    /// From a height above the floor, so far ahead, with a hand. [m, 0.05 to 1.2; 0.25 to 0.6]
    PickUpAt { height: f64, reach: f64, side: Side },
    /// On a seat. [m, 0.35 to 0.6]
    SitAndRise { height: f64 },
    /// Walks under something.
    Duck,
    /// Walks over something. [m, 0.05 to 0.4]
    StepOver { height: f64 },
    /// Kicks forward.
    Kick { side: Side },
    /// Walks uphill, or downhill for a negative angle. [rad, up to 0.2]
    Slope { angle: f64 },
}

/// Makes one motion; its clip has contacts, types, labels and ground.
pub fn sample_motion(name: &str, motion: SampleMotion, options: &SampleOptions) -> Clip {
    let seed = name
        .bytes()
        .fold(options.seed, |seed, byte| mix(seed ^ u64::from(byte)));
    let mut plan = motion.plan(seed);
    plan.name = name.into();
    perform(&plan, &sample_skeleton(), options.rate, seed)
}

impl SampleMotion {
    fn plan(self, seed: u64) -> Plan {
        match self {
            Self::Walk { speed, length } => travel(Gait::Walk, speed, &straight(length), seed),
            Self::WalkTurn { speed, angle, bend } => {
                travel(Gait::Walk, speed, &turn(2.2, bend, angle), seed)
            }
            Self::WalkCircle {
                speed,
                radius,
                length,
            } => {
                let path = Path::new(&[(length, length / radius)], 0.0);
                travel(Gait::Walk, speed, &path, seed)
            }
            Self::WalkSlalom { speed } => travel(Gait::Walk, speed, &slalom(), seed),
            Self::Start { speed } => start(speed, seed),
            Self::Stop { speed } => stop(speed, seed),
            Self::Stand { seconds } => labelled(stand(seconds), "stand"),
            Self::TurnInPlace { angle } => turn_in_place(angle),
            Self::Sneak { angle } => travel(Gait::Sneak, 0.52, &turn(1.3, 1.2, angle), seed),
            Self::Run { speed, length } => travel(Gait::Run, speed, &straight(length), seed),
            Self::RunTurn { speed, angle } => {
                travel(Gait::Run, speed, &turn(4.0, 3.5, angle), seed)
            }
            Self::WalkToRun => change(Pace::new(Gait::Walk, 1.4), Pace::new(Gait::Run, 3.0), seed),
            Self::RunToWalk => change(Pace::new(Gait::Run, 3.0), Pace::new(Gait::Walk, 1.4), seed),
            Self::WalkToSneak => change(
                Pace::new(Gait::Walk, 0.9),
                Pace::new(Gait::Sneak, 0.52),
                seed,
            ),
            Self::SneakToWalk => change(
                Pace::new(Gait::Sneak, 0.52),
                Pace::new(Gait::Walk, 0.9),
                seed,
            ),
            Self::JumpUp { rise } => jump(rise, 0.0),
            Self::JumpForward { distance } => jump(0.16, distance),
            Self::Hop { count, side } => hop(count.max(1), side),
            Self::WaveStanding => wave_standing(Side::Right),
            Self::WaveWalking => wave_walking(Side::Right, seed),
            Self::PickUp { height } => pick_up(height, Side::Right),
            Self::PickUpAt {
                height,
                reach,
                side,
            } => pick_up_at(height, reach, side),
            Self::SitAndRise { height } => sit(height),
            Self::Duck => duck(seed),
            Self::StepOver { height } => step_over(height, seed),
            Self::Kick { side } => kick(side),
            Self::Slope { angle } => slope(angle, seed),
        }
    }
}

fn labelled(mut plan: Plan, word: &'static str) -> Plan {
    plan.labels.push((word, plan.window));
    plan
}

fn straight(length: f64) -> Path {
    Path::new(&[(length, 0.0)], 0.0)
}

fn turn(straight: f64, bend: f64, angle: f64) -> Path {
    Path::new(
        &[(straight, 0.0), (bend, angle), (straight, 0.0)],
        bend * 0.35,
    )
}

fn slalom() -> Path {
    let bend = (1.6, 0.5 * FRAC_PI_2);
    let back = (bend.0, -bend.1);
    Path::new(&[(0.8, 0.0), bend, back, back, bend, (0.8, 0.0)], 0.6)
}
