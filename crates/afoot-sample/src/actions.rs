//! Plans of what a body does on the spot: waving, picking up, sitting, kicking.

use afoot_core::{Planar, Side};
use glam::DVec3;

use crate::balance::foot_place;
use crate::body::{HIP_DROP, STAND_HEIGHT, out};
use crate::gait::{Gait, STAND_HALF_WIDTH, TOE_OUT, shuffle_swing};
use crate::locomotion::{stand, travel};
use crate::path::Path;
use crate::plan::{Channel, Plan, Plant, Reach, Style, Swing};
use crate::track::Track;

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

/// Picks something up with one hand from `height` metres above the floor, close by.
pub fn pick_up(height: f64, side: Side) -> Plan {
    let depth = ((1.0 - height) / 0.95).clamp(0.0, 1.0);
    pick_up_at(height, 0.36 + 0.06 * (1.0 - depth), side)
}

/// Picks something up with one hand, `height` metres above the floor and `reach` metres ahead.
pub fn pick_up_at(height: f64, reach: f64, side: Side) -> Plan {
    let (down, grasp, up) = (0.6, 1.55, 2.75);
    let mut plan = stand(up + 1.1);
    // How deep to go: nothing at breast height, all the way at the floor.
    let depth = ((1.0 - height) / 0.95).clamp(0.0, 1.0);
    let phases = |value: f64| [(down, 0.0), (grasp, value), (grasp + 0.2, value), (up, 0.0)];
    plan.layer(Channel::Height, &phases(-0.46 * depth.powf(1.6)));
    plan.layer(Channel::Tilt, &phases(0.62 * depth));
    // What is farther away than it is convenient is leant towards.
    let lean = (reach - 0.42).max(0.0);
    plan.layer(Channel::Bend, &phases(0.55 * depth + 0.1 + 1.6 * lean));
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
        target: DVec3::new(out(side) * 0.14, height.max(0.06), reach),
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
    (plan.balance, plan.sway) = (0.0, 0.0);
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
    plan.lift(side, [off - 0.25, off], 0.7);
    let place = foot_place(Planar::IDENTITY, side, STAND_HALF_WIDTH, TOE_OUT);
    plan.plants[side.index()].push(Plant {
        strike,
        flat: strike + 0.06,
        strike_pitch: 0.1,
        swing: kick_swing(),
        ..Plant::standing(place, 0.0)
    });
    let style = Style {
        arm_swing: 0.5,
        ..Style::STAND
    };
    plan.styles = vec![(0.0, style)];
    let (drawn, hit) = (off + 0.25, off + KICK * (strike - off));
    let phases = |back: f64, kicking: f64| {
        [
            (off - 0.3, 0.0),
            (drawn, back),
            (hit, kicking),
            (strike + 0.2, 0.0),
        ]
    };
    plan.layer(Channel::Height, &phases(-0.02, -0.02));
    plan.layer(Channel::Bend, &phases(0.16, -0.14));
    plan.layer(Channel::Tilt, &phases(0.10, -0.16));
    for arm in Side::BOTH {
        plan.layer(Channel::ArmOut(arm), &phases(0.35, 0.4));
        plan.layer(Channel::Elbow(arm), &phases(0.5, 0.4));
    }
    plan.labels.push(("kick", [off, strike]));
    plan.labels.push(("stand", [0.0, off - 0.3]));
    plan.labels.push(("stand", [strike + 0.1, plan.window[1]]));
    plan
}

/// When in the swing the foot would hit, as a share of it.
const KICK: f64 = 0.54;

/// Drawn back with a bent knee, thrown forward and up, taken back.
fn kick_swing() -> Swing {
    let keys = |values: [f64; 5]| {
        [0.24, 0.42, KICK, 0.70, 0.88]
            .into_iter()
            .zip(values)
            .collect()
    };
    Swing {
        forward: keys([-0.34, 0.42, 0.80, 0.50, 0.14]),
        height: keys([0.28, 0.20, 0.56, 0.34, 0.10]),
        pitch: keys([1.35, 0.70, -0.10, 0.30, 0.25]),
        ..shuffle_swing()
    }
}
