//! Plans of what a body does on the spot: jumps, hops, waves, picking up, sitting, kicking.

use afoot_core::{Planar, Side};
use glam::DVec3;

use crate::balance::foot_place;
use crate::body::{ANKLE_HEIGHT, BALL_FORWARD, BALL_HEIGHT, HIP_DROP, STAND_HEIGHT, out};
use crate::gait::{Gait, STAND_HALF_WIDTH, TOE_OUT, shuffle_swing};
use crate::locomotion::{stand, travel};
use crate::path::Path;
use crate::plan::{Channel, Plan, Plant, Reach, Style, Swing};
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
    let Leap { takeoff, land, .. } = leap;
    let crouch = takeoff - 0.3;
    let phases = |crouched: f64, flying: f64, landed: f64| {
        vec![
            (0.6, 0.0),
            (crouch, crouched),
            (takeoff, flying),
            (land, flying),
            (land + 0.24, landed),
            (land + 0.9, 0.0),
        ]
    };
    plan.layer(Channel::Tilt, &phases(0.42, -0.06, 0.32));
    plan.layer(Channel::Bend, &phases(0.42, -0.04, 0.28));
    plan.layer(Channel::Nod, &phases(-0.25, -0.05, -0.1));
    for side in Side::BOTH {
        let arm = [
            (0.6, 0.0),
            (crouch - 0.06, -0.7),
            (takeoff + 0.05, 1.6),
            (land, 0.95),
            (land + 0.3, 0.35),
            (land + 1.0, 0.0),
        ];
        plan.layer(Channel::ArmForward(side), &arm);
        plan.layer(Channel::Elbow(side), &phases(0.15, 0.35, 0.45));
        plan.layer(Channel::ArmOut(side), &phases(0.1, 0.05, 0.25));
    }
    plan.labels.push(("jump", [0.7, land + 0.35]));
    plan.labels.push(("stand", [0.0, 0.6]));
    plan.labels.push(("stand", [land + 0.6, plan.window[1]]));
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

    /// Take-off and landing speeds. [m/s]
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

    /// The body's way: pushed off, thrown, caught.
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
        let plants = &mut plan.plants[side.index()];
        let Some(first) = plants.last_mut() else {
            return;
        };
        (first.heel_off, first.toe_off, first.off_pitch) =
            (self.takeoff - 0.17, self.takeoff, OFF_PITCH);
        let place = foot_place(
            Planar::new(0.0, self.distance, 0.0),
            side,
            STAND_HALF_WIDTH,
            TOE_OUT,
        );
        let [_, down] = self.speeds();
        let height = |share: f64, leg: f64, pitch: f64| {
            let t = (self.land - self.takeoff) * share;
            let root = STAND_HEIGHT + TAKEOFF_HEIGHT + self.speeds()[0] * t - 0.5 * GRAVITY * t * t;
            (share, ball_height(root, leg, pitch))
        };
        let far = self.distance;
        plants.push(Plant {
            strike: self.land,
            flat: self.land + 0.08,
            strike_pitch: LAND_PITCH,
            swing: Swing {
                forward: if far > 0.0 {
                    vec![(0.45, -0.02 + 0.1 * far), (0.75, 0.08 + 0.2 * far)]
                } else {
                    vec![(0.5, 0.06)]
                },
                height: vec![
                    height(0.3, 0.838 - 0.08 * far, 0.85),
                    height(0.65, 0.835 - 0.17 * far, 0.7),
                ],
                pitch: vec![(0.3, 0.85), (0.65, 0.7)],
                clearance: 0.0,
                departure: [0.9 * far, 1.3],
                arrival: [0.25 * far, -down * 0.85],
                ..Swing::default()
            },
            ..Plant::standing(place, 0.0)
        });
    }
}

/// The ball's height under a root when the leg is `leg` long and upright. [m]
fn ball_height(root: f64, leg: f64, pitch: f64) -> f64 {
    let foot = BALL_FORWARD * pitch.sin() + (ANKLE_HEIGHT - BALL_HEIGHT) * pitch.cos();
    root - HIP_DROP - leg - foot
}

/// Hops forward on one foot.
pub fn hop(count: usize, side: Side) -> Plan {
    const STANCE: f64 = 0.30;
    const FLIGHT: f64 = 0.22;
    const REACH: f64 = 0.34;
    let (first_off, other) = (1.55, side.other());
    let landing = |index: usize| first_off + FLIGHT + index as f64 * (STANCE + FLIGHT);
    let mut plan = stand(0.0);
    let mut track = Track::eased(&[(0.9, 0.0), (first_off - 0.30, -0.13)]);
    // v T − g T²/2 brings the root from the one height to the other.
    let (off_height, land_height) = (0.03, -0.02);
    let up = (land_height - off_height) / FLIGHT + 0.5 * GRAVITY * FLIGHT;
    for index in 0..count {
        let off = landing(index) - FLIGHT;
        track = track.key(off, off_height, [up, -GRAVITY]).key(
            landing(index),
            land_height,
            [up - GRAVITY * FLIGHT, -GRAVITY],
        );
        let plants = &mut plan.plants[side.index()];
        if let Some(last) = plants.last_mut() {
            (last.heel_off, last.toe_off, last.off_pitch) = (off - 0.13, off, 0.7);
        }
        let body = Planar::new(0.0, (index + 1) as f64 * REACH, 0.0);
        plants.push(Plant {
            strike: landing(index),
            flat: landing(index) + 0.05,
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
    let end = landing(count - 1);
    plan.layers.push((
        Channel::Height,
        track
            .key(end + 0.2, -0.09, [0.0; 2])
            .key(end + 0.8, 0.0, [0.0; 2]),
    ));
    lift_other_foot(&mut plan, other, [0.85, end + 0.62], count as f64 * REACH);
    for arm in Side::BOTH {
        plan.layer(
            Channel::ArmOut(arm),
            &[(0.6, 0.0), (1.2, 0.45), (end, 0.45), (end + 0.8, 0.0)],
        );
        plan.layer(
            Channel::Elbow(arm),
            &[(0.6, 0.0), (1.2, 0.7), (end, 0.7), (end + 0.8, 0.0)],
        );
    }
    plan.layer(
        Channel::Bend,
        &[(0.7, 0.0), (1.3, 0.12), (end, 0.12), (end + 0.7, 0.0)],
    );
    plan.window = [0.0, end + 1.7];
    plan.labels.push(("hop", [first_off - 0.4, end + 0.25]));
    plan.labels.push(("jump", [first_off - 0.4, end + 0.25]));
    plan.labels.push(("stand", [0.0, 0.6]));
    plan
}

/// Holds a foot behind the body until it comes down beside the other one.
fn lift_other_foot(plan: &mut Plan, side: Side, [off, strike]: [f64; 2], ahead: f64) {
    let plants = &mut plan.plants[side.index()];
    if let Some(last) = plants.last_mut() {
        (last.heel_off, last.toe_off, last.off_pitch) = (off - 0.2, off, 0.6);
    }
    let place = foot_place(
        Planar::new(0.0, ahead, 0.0),
        side,
        STAND_HALF_WIDTH,
        TOE_OUT,
    );
    let last = 1.0 - 0.45 / (strike - off);
    plants.push(Plant {
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

/// Stands and waves.
pub fn wave_standing(side: Side) -> Plan {
    let mut plan = stand(4.2);
    add_wave(&mut plan, side, [0.7, 3.4]);
    plan.labels.push(("stand", plan.window));
    plan
}

/// Walks and waves.
pub fn wave_walking(side: Side, seed: u64) -> Plan {
    let mut plan = travel(Gait::Walk, 1.1, &Path::new(&[(6.5, 0.0)], 0.0), seed);
    let from = plan.window[0] + 1.2;
    add_wave(&mut plan, side, [from, from + 3.0]);
    plan
}

/// Raises an arm, waves the forearm to and fro, lowers it.
fn add_wave(plan: &mut Plan, side: Side, [from, to]: [f64; 2]) {
    let (up, down) = (from + 0.6, to - 0.6);
    let held = |value: f64| [(from, 0.0), (up, value), (down, value), (to, 0.0)];
    plan.layer(Channel::Calm(side), &held(1.0));
    plan.layer(Channel::ArmOut(side), &held(1.25));
    plan.layer(Channel::ArmForward(side), &held(0.35));
    plan.layer(Channel::ArmIn(side), &held(-1.75));
    plan.layer(Channel::Elbow(side), &held(1.35));
    plan.layer(Channel::Look, &held(out(side) * 0.22));
    let half = 0.23;
    let count = ((down - up) / half).floor() as usize;
    let mut keys = vec![(up, 0.0)];
    keys.extend((1..count).map(|i| {
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        (up + i as f64 * half, 0.38 * sign)
    }));
    keys.push((down + 0.05, 0.0));
    plan.layer(Channel::Elbow(side), &keys);
    plan.labels.push(("wave", [from + 0.35, to - 0.35]));
}

/// Picks something up with one hand from `height` metres above the floor.
pub fn pick_up(height: f64, side: Side) -> Plan {
    let (down, grasp, up) = (0.6, 1.55, 2.75);
    let mut plan = stand(up + 1.1);
    // How deep to go: nothing at breast height, all the way at the floor.
    let depth = ((1.0 - height) / 0.95).clamp(0.0, 1.0);
    let phases = |value: f64| [(down, 0.0), (grasp, value), (grasp + 0.2, value), (up, 0.0)];
    plan.layer(Channel::Height, &phases(-0.46 * depth.powf(1.6)));
    plan.layer(Channel::Tilt, &phases(0.62 * depth));
    plan.layer(Channel::Bend, &phases(0.55 * depth + 0.1));
    plan.layer(Channel::Twist, &phases(-out(side) * 0.12));
    plan.layer(Channel::Nod, &phases(0.45));
    plan.layer(Channel::Splay, &phases(0.22 * depth));
    plan.layer(
        Channel::ArmForward(side.other()),
        &phases(0.25 + 0.35 * depth),
    );
    plan.layer(Channel::Elbow(side.other()), &phases(0.4));
    // What was picked is held before the body, then the arm comes down.
    let held = [
        (grasp, 0.0),
        (up - 0.2, 0.35),
        (up + 0.2, 0.35),
        (up + 0.9, 0.0),
    ];
    plan.layer(Channel::ArmForward(side), &held);
    plan.layer(
        Channel::Elbow(side),
        &held.map(|(time, value)| (time, value * 2.6)),
    );
    plan.reaches.push(Reach {
        side,
        target: DVec3::new(
            out(side) * 0.14,
            height.max(0.06),
            0.36 + 0.06 * (1.0 - depth),
        ),
        weight: Track::eased(&[
            (down + 0.1, 0.0),
            (grasp - 0.05, 1.0),
            (grasp + 0.22, 1.0),
            (up - 0.1, 0.0),
        ]),
        touch: [grasp, grasp + 0.2],
    });
    plan.labels.push(("pick up", [down, up]));
    plan.labels.push(("stand", [0.0, down]));
    plan.labels.push(("stand", [up, plan.window[1]]));
    plan
}

/// Sits down on something of `height` metres, sits a while and rises.
pub fn sit(height: f64) -> Plan {
    let (down, seated, rise, up) = (0.7, 2.1, 4.4, 5.8);
    let mut plan = stand(up + 0.9);
    plan.balance = 0.0;
    // The hip joints are some 9 cm above a seat.
    let lower = height + 0.09 + HIP_DROP - STAND_HEIGHT;
    let back = -0.40;
    plan.layer(
        Channel::Height,
        &[
            (down + 0.1, 0.0),
            (seated, lower),
            (rise + 0.25, lower),
            (up, 0.0),
        ],
    );
    plan.layer(
        Channel::Forward,
        &[
            (down, 0.0),
            (seated - 0.1, back),
            (rise + 0.15, back),
            (up - 0.1, 0.0),
        ],
    );
    let lean = |most: f64, rest: f64| {
        vec![
            (down, 0.0),
            (seated - 0.65, most),
            (seated + 0.45, rest),
            (rise - 0.25, rest),
            (rise + 0.55, most),
            (up, 0.0),
        ]
    };
    plan.layer(Channel::Tilt, &lean(0.52, -0.12));
    plan.layer(Channel::Bend, &lean(0.30, 0.08));
    plan.layer(Channel::Nod, &lean(-0.1, 0.0));
    for side in Side::BOTH {
        plan.layer(Channel::ArmForward(side), &lean(0.75, 0.50));
        plan.layer(Channel::Elbow(side), &lean(0.35, 0.75));
    }
    plan.seat = Some([seated, rise + 0.25]);
    plan.labels.push(("sit", [seated, rise + 0.25]));
    plan.labels.push(("stand", [0.0, down]));
    plan.labels.push(("stand", [up, plan.window[1]]));
    plan
}

/// Kicks forward.
pub fn kick(side: Side) -> Plan {
    let (off, strike) = (1.0, 2.3);
    let mut plan = stand(strike + 1.0);
    let plants = &mut plan.plants[side.index()];
    if let Some(last) = plants.last_mut() {
        (last.heel_off, last.toe_off, last.off_pitch) = (off - 0.25, off, 0.7);
    }
    plants.push(Plant {
        strike,
        flat: strike + 0.06,
        strike_pitch: 0.1,
        swing: Swing {
            forward: vec![
                (0.24, -0.34),
                (0.42, 0.42),
                (0.54, 0.80),
                (0.70, 0.50),
                (0.88, 0.14),
            ],
            height: vec![
                (0.24, 0.28),
                (0.42, 0.20),
                (0.54, 0.56),
                (0.70, 0.34),
                (0.88, 0.10),
            ],
            pitch: vec![
                (0.24, 1.35),
                (0.42, 0.70),
                (0.54, -0.10),
                (0.70, 0.30),
                (0.88, 0.25),
            ],
            ..shuffle_swing()
        },
        ..Plant::standing(
            foot_place(Planar::IDENTITY, side, STAND_HALF_WIDTH, TOE_OUT),
            0.0,
        )
    });
    let hit = off + 0.54 * (strike - off);
    plan.styles = vec![(
        0.0,
        Style {
            arm_swing: 0.5,
            ..Style::STAND
        },
    )];
    plan.layer(
        Channel::Height,
        &[
            (off - 0.4, 0.0),
            (off, -0.02),
            (strike, -0.02),
            (strike + 0.4, 0.0),
        ],
    );
    plan.layer(
        Channel::Bend,
        &[
            (off - 0.2, 0.0),
            (off + 0.25, 0.16),
            (hit, -0.14),
            (strike, 0.0),
        ],
    );
    plan.layer(
        Channel::Tilt,
        &[
            (off - 0.2, 0.0),
            (off + 0.25, 0.10),
            (hit, -0.16),
            (strike, 0.0),
        ],
    );
    for arm in Side::BOTH {
        plan.layer(
            Channel::ArmOut(arm),
            &[
                (off - 0.3, 0.0),
                (off + 0.3, 0.35),
                (hit, 0.4),
                (strike + 0.3, 0.0),
            ],
        );
        plan.layer(
            Channel::Elbow(arm),
            &[
                (off - 0.3, 0.0),
                (off + 0.3, 0.5),
                (hit, 0.4),
                (strike + 0.3, 0.0),
            ],
        );
    }
    plan.labels.push(("kick", [off, strike]));
    plan.labels.push(("stand", [0.0, off - 0.3]));
    plan.labels.push(("stand", [strike + 0.1, plan.window[1]]));
    plan
}
