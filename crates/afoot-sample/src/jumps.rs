//! Plans of leaving the ground: jumps from both feet, hops on one.
//!
//! Between take-off and landing the root's height is a parabola under gravity. Before, the body
//! sinks and swings its arms back; after, the legs absorb the fall.

use afoot_core::{Planar, Side};

use crate::balance::foot_place;
use crate::body::{ANKLE_HEIGHT, BALL_FORWARD, BALL_HEIGHT, HIP_DROP, STAND_HEIGHT};
use crate::gait::{STAND_HALF_WIDTH, TOE_OUT, shuffle_swing};
use crate::locomotion::stand;
use crate::plan::{Channel, Plan, Plant, Swing};
use crate::track::Track;

const GRAVITY: f64 = 9.81;

/// Jumps from both feet, `rise` metres high and `distance` metres forward.
pub fn jump(rise: f64, distance: f64) -> Plan {
    let leap = Leap::new(1.36, rise, distance);
    let mut plan = stand(leap.land + 1.7);
    plan.layers.push((Channel::Height, leap.heights()));
    if distance > 0.0 {
        plan.leap = Some(leap.way());
    }
    for side in Side::BOTH {
        leap.lay_feet(&mut plan, side);
    }
    leap.move_trunk_and_arms(&mut plan);
    plan.labels.push(("jump", [0.7, leap.land + 0.35]));
    plan.labels.push(("stand", [0.0, 0.6]));
    plan.labels
        .push(("stand", [leap.land + 0.6, plan.window[1]]));
    plan
}

/// Times and heights of a leap; heights are of the root against standing.
struct Leap {
    takeoff: f64,
    land: f64,
    rise: f64,
    distance: f64,
}

/// The root's height at take-off (on the toes) and at the landing. [m]
const TAKEOFF_HEIGHT: f64 = 0.07;
const LANDING_HEIGHT: f64 = -0.01;
/// Pitches of the feet then. [rad]
const OFF_PITCH: f64 = 0.9;
const LAND_PITCH: f64 = 0.40;

impl Leap {
    fn new(takeoff: f64, rise: f64, distance: f64) -> Self {
        let up = (2.0 * rise / GRAVITY).sqrt();
        let down = (2.0 * (rise + TAKEOFF_HEIGHT - LANDING_HEIGHT) / GRAVITY).sqrt();
        Self {
            takeoff,
            land: takeoff + up + down,
            rise,
            distance,
        }
    }

    /// Take-off and landing speeds, up positive. [m/s]
    fn speeds(&self) -> [f64; 2] {
        let up = (2.0 * self.rise * GRAVITY).sqrt();
        [up, up - GRAVITY * (self.land - self.takeoff)]
    }

    fn heights(&self) -> Track {
        let [up, down] = self.speeds();
        Track::default()
            .key(0.6, 0.0, [0.0; 2])
            .key(self.takeoff - 0.30, -0.27, [0.0, 3.0])
            .key(self.takeoff, TAKEOFF_HEIGHT, [up, -GRAVITY])
            .key(self.land, LANDING_HEIGHT, [down, -GRAVITY])
            .key(self.land + 0.22, -0.26, [0.0, 2.0])
            .key(self.land + 0.9, 0.0, [0.0; 2])
    }

    /// The body's way: pushed off ahead of the feet, thrown, caught behind them.
    fn way(&self) -> Track {
        let (ahead, behind) = (0.22, 0.26);
        let speed = (self.distance - ahead - behind) / (self.land - self.takeoff);
        Track::default()
            .key(0.6, 0.0, [0.0; 2])
            .key(self.takeoff - 0.35, -0.01, [0.05, 0.0])
            .key(self.takeoff, ahead, [speed, 0.0])
            .key(self.land, self.distance - behind, [speed, 0.0])
            .key(self.land + 0.75, self.distance, [0.0; 2])
    }

    /// The foot leaves from the toes, is drawn up a little and lands on the ball.
    fn lay_feet(&self, plan: &mut Plan, side: Side) {
        plan.lift(side, [self.takeoff - 0.17, self.takeoff], OFF_PITCH);
        let body = Planar::new(0.0, self.distance, 0.0);
        plan.plants[side.index()].push(Plant {
            strike: self.land,
            flat: self.land + 0.08,
            strike_pitch: LAND_PITCH,
            swing: self.swing(),
            ..Plant::standing(foot_place(body, side, STAND_HALF_WIDTH, TOE_OUT), 0.0)
        });
    }

    fn swing(&self) -> Swing {
        let far = self.distance;
        let [up, down] = self.speeds();
        let height = |share: f64, leg: f64, pitch: f64| {
            let t = (self.land - self.takeoff) * share;
            let root = STAND_HEIGHT + TAKEOFF_HEIGHT + up * t - 0.5 * GRAVITY * t * t;
            (share, ball_height(root, leg, pitch))
        };
        Swing {
            forward: match far > 0.0 {
                true => vec![(0.45, -0.02 + 0.1 * far), (0.75, 0.08 + 0.2 * far)],
                false => vec![(0.5, 0.06)],
            },
            height: vec![
                height(0.3, 0.838 - 0.08 * far, 0.85),
                height(0.65, 0.835 - 0.17 * far, 0.7),
            ],
            pitch: vec![(0.3, 0.85), (0.65, 0.7)],
            departure: [0.9 * far, 1.3],
            arrival: [0.25 * far, -down * 0.85],
            ..Swing::default()
        }
    }

    fn move_trunk_and_arms(&self, plan: &mut Plan) {
        let (takeoff, land) = (self.takeoff, self.land);
        let crouch = takeoff - 0.3;
        let phases = |crouched: f64, flying: f64, landed: f64| {
            [
                (0.6, 0.0),
                (crouch, crouched),
                (takeoff, flying),
                (land, flying),
                (land + 0.24, landed),
                (land + 0.9, 0.0),
            ]
        };
        let arm = [
            (0.6, 0.0),
            (crouch - 0.06, -0.7),
            (takeoff + 0.05, 1.6),
            (land, 0.95),
            (land + 0.3, 0.35),
            (land + 1.0, 0.0),
        ];
        plan.layer(Channel::Tilt, &phases(0.42, -0.06, 0.32));
        plan.layer(Channel::Bend, &phases(0.42, -0.04, 0.28));
        plan.layer(Channel::Nod, &phases(-0.25, -0.05, -0.1));
        for side in Side::BOTH {
            plan.layer(Channel::ArmForward(side), &arm);
            plan.layer(Channel::Elbow(side), &phases(0.15, 0.35, 0.45));
            plan.layer(Channel::ArmOut(side), &phases(0.1, 0.05, 0.25));
        }
    }
}

/// The ball's height under a root when the leg is `leg` long and upright. [m]
fn ball_height(root: f64, leg: f64, pitch: f64) -> f64 {
    let foot = BALL_FORWARD * pitch.sin() + (ANKLE_HEIGHT - BALL_HEIGHT) * pitch.cos();
    root - HIP_DROP - leg - foot
}

/// Hops forward on one foot.
pub fn hop(count: usize, side: Side) -> Plan {
    let mut plan = stand(0.0);
    plan.layers.push((Channel::Height, hop_heights(count)));
    for index in 0..count {
        lay_hop(&mut plan, side, index);
    }
    let end = landing(count - 1);
    hold_foot(
        &mut plan,
        side.other(),
        [0.85, end + 0.62],
        count as f64 * HOP_REACH,
    );
    let held = |value: f64| [(0.6, 0.0), (1.2, value), (end, value), (end + 0.8, 0.0)];
    for arm in Side::BOTH {
        plan.layer(Channel::ArmOut(arm), &held(0.45));
        plan.layer(Channel::Elbow(arm), &held(0.7));
    }
    plan.layer(Channel::Bend, &held(0.12));
    plan.window = [0.0, end + 1.7];
    for word in ["hop", "jump"] {
        plan.labels.push((word, [FIRST_HOP - 0.4, end + 0.25]));
    }
    plan.labels.push(("stand", [0.0, 0.6]));
    plan
}

/// Seconds on the foot and in the air, metres from hop to hop, and the first take-off.
const HOP_STANCE: f64 = 0.30;
const HOP_FLIGHT: f64 = 0.22;
const HOP_REACH: f64 = 0.34;
const FIRST_HOP: f64 = 1.55;

/// When a hop comes down. [s]
fn landing(index: usize) -> f64 {
    FIRST_HOP + HOP_FLIGHT + index as f64 * (HOP_STANCE + HOP_FLIGHT)
}

fn hop_heights(count: usize) -> Track {
    let (off_height, land_height) = (0.03, -0.02);
    // The speed that brings the root from the one height to the other in a flight's time.
    let up = (land_height - off_height) / HOP_FLIGHT + 0.5 * GRAVITY * HOP_FLIGHT;
    let down = up - GRAVITY * HOP_FLIGHT;
    let sunk = Track::eased(&[(0.9, 0.0), (FIRST_HOP - 0.30, -0.13)]);
    let hopped = (0..count).fold(sunk, |track, index| {
        track
            .key(landing(index) - HOP_FLIGHT, off_height, [up, -GRAVITY])
            .key(landing(index), land_height, [down, -GRAVITY])
    });
    let end = landing(count - 1);
    hopped
        .key(end + 0.2, -0.09, [0.0; 2])
        .key(end + 0.8, 0.0, [0.0; 2])
}

fn lay_hop(plan: &mut Plan, side: Side, index: usize) {
    let (off, land) = (landing(index) - HOP_FLIGHT, landing(index));
    plan.lift(side, [off - 0.13, off], 0.7);
    let body = Planar::new(0.0, (index + 1) as f64 * HOP_REACH, 0.0);
    plan.plants[side.index()].push(Plant {
        strike: land,
        flat: land + 0.05,
        strike_pitch: 0.22,
        swing: Swing {
            height: vec![(0.5, 0.10)],
            pitch: vec![(0.4, 0.7)],
            departure: [0.4, 0.5],
            arrival: [0.3, 0.8],
            ..Swing::default()
        },
        ..Plant::standing(foot_place(body, side, 0.03, 0.05), 0.0)
    });
}

/// Holds a foot behind the body until it comes down beside the other one.
fn hold_foot(plan: &mut Plan, side: Side, [off, strike]: [f64; 2], ahead: f64) {
    plan.lift(side, [off - 0.2, off], 0.6);
    let place = foot_place(
        Planar::new(0.0, ahead, 0.0),
        side,
        STAND_HALF_WIDTH,
        TOE_OUT,
    );
    let last = 1.0 - 0.45 / (strike - off);
    plan.plants[side.index()].push(Plant {
        strike,
        flat: strike + 0.05,
        strike_pitch: 0.12,
        swing: Swing {
            forward: vec![(0.18, -0.12), (0.5, -0.14), (last, -0.12)],
            outward: vec![(0.3, 0.03), (last, 0.03)],
            height: vec![(0.18, 0.26), (0.5, 0.30), (last, 0.26)],
            pitch: vec![(0.18, 1.1), (0.5, 1.15), (last, 1.1)],
            ..shuffle_swing()
        },
        ..Plant::standing(place, 0.0)
    });
}
