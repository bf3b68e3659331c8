//! Plans of walks, runs, sneaks, turns, starts and stops, slopes, and steps over things.

use afoot_core::{Planar, Side};

use crate::balance::foot_place;
use crate::body::out;
use crate::drift::Dice;
use crate::gait::{
    FirstStep, Footfall, Gait, STAND_HALF_WIDTH, Step, TOE_OUT, closing_plant, lay_steps,
    shuffle_swing, steps,
};
use crate::path::Path;
use crate::plan::{Channel, EVER, Plan, Plant, Style, Swing};
use crate::track::Track;

/// Steps are laid this long before and after what is kept. [s]
const LEAD: f64 = 2.6;
const GRAVITY: f64 = 9.81;

/// A gait along a way from its start to its end, at one speed.
pub fn travel(gait: Gait, speed: f64, path: &Path, seed: u64) -> Plan {
    let length = gait.period(speed) * speed;
    let count = (path.length() / length).round().max(2.0) as usize + 1;
    stride(&steps(gait, speed, count), path, seed).0
}

/// Steps along a way with as many equal ones before and after as balance needs; what is kept goes
/// from the middle of the first step to the middle of the last. Also says when those steps are.
pub fn stride(kept: &[Step], path: &Path, seed: u64) -> (Plan, Vec<Footfall>) {
    let (first, last) = (&kept[0], &kept[kept.len() - 1]);
    let lead = |step: &Step| (LEAD / step.gait.period(step.speed)).ceil() as usize;
    let plain = |step: &Step, count| steps(step.gait, step.speed, count);
    let mut all = plain(first, lead(first));
    all.extend_from_slice(kept);
    all.extend(plain(last, lead(last)));
    let mut plan = Plan::new("", [0.0; 2], first.gait.style());
    let back = lead(first) as f64 * first.gait.period(first.speed);
    let mut dice = Dice::new(seed);
    let first_side = if lead(first).is_multiple_of(2) {
        Side::Left
    } else {
        Side::Right
    };
    let start = FirstStep {
        side: first_side,
        time: -back,
        distance: -back * first.speed,
    };
    let falls = lay_steps(&mut plan, path, &all, start, &mut dice);
    plan.styles = styles(&all, &falls);
    if all.iter().any(|step| step.gait == Gait::Run) {
        plan.layers.push((Channel::Height, bounce(&all, &falls)));
    }
    let falls = falls[lead(first)..][..kept.len()].to_vec();
    plan.window = [falls[0].time, falls[falls.len() - 1].time];
    label_gaits(&mut plan, kept, &falls);
    (plan, falls)
}

/// The style changes with the gait and with the speed, around each step.
fn styles(all: &[Step], falls: &[Footfall]) -> Vec<(f64, Style)> {
    let style = |step: &Step| {
        let mut style = step.gait.style();
        if step.gait == Gait::Walk {
            let brisk = step.speed / 1.3;
            style.arm_swing *= 0.45 + 0.55 * brisk;
            style.elbow += 0.12 * (brisk - 1.0).max(0.0);
            style.list *= 0.5 + 0.5 * brisk.min(1.2);
        }
        style
    };
    all.iter()
        .zip(falls)
        .map(|(step, fall)| (fall.time, style(step)))
        .collect()
}

/// Up and down of a run: free fall while no foot touches, springing stance between.
fn bounce(all: &[Step], falls: &[Footfall]) -> Track {
    let mut track = Track::default();
    for (index, fall) in falls.iter().enumerate() {
        let speed_up = |flight: f64| (flight * GRAVITY * 0.5).max(0.0);
        let before = index
            .checked_sub(1)
            .map_or(0.0, |i| fall.strike - falls[i].toe_off);
        let after = falls
            .get(index + 1)
            .map_or(0.0, |next| next.strike - fall.toe_off);
        if before > 0.0 {
            track = track.key(fall.strike, 0.0, [-speed_up(before), -GRAVITY]);
        }
        if all[index].gait != Gait::Run || (before <= 0.0 && after <= 0.0) {
            track = track.key(fall.time, 0.0, [0.0; 2]);
        }
        if after > 0.0 {
            track = track.key(fall.toe_off, 0.0, [speed_up(after), -GRAVITY]);
        }
    }
    track
}

/// Labels each stretch of one gait.
fn label_gaits(plan: &mut Plan, kept: &[Step], falls: &[Footfall]) {
    let mut start = 0;
    for run in kept.chunk_by(|a, b| a.gait == b.gait) {
        let word = match run[0].gait {
            Gait::Walk => "walk",
            Gait::Run => "run",
            Gait::Sneak => "sneak",
        };
        let end = start + run.len();
        let border = |index: usize| match index {
            0 => falls[0].time,
            i if i == falls.len() => falls[i - 1].time,
            i => (falls[i - 1].time + falls[i].time) * 0.5,
        };
        plan.labels.push((word, [border(start), border(end)]));
        start = end;
    }
}

/// How a figure goes.
#[derive(Clone, Copy)]
pub struct Pace {
    /// In which gait.
    pub gait: Gait,
    /// [m/s]
    pub speed: f64,
}

impl Pace {
    pub fn new(gait: Gait, speed: f64) -> Self {
        Self { gait, speed }
    }
}

/// From one pace to another, straight on, some two seconds of each.
pub fn change(before: Pace, after: Pace, seed: u64) -> Plan {
    const BLEND: usize = 4;
    const BORDER: f64 = 2.0;
    let count = |pace: Pace| (BORDER / pace.gait.period(pace.speed)).ceil() as usize;
    let mut kept = steps(before.gait, before.speed, count(before));
    for index in 1..=BLEND {
        let share = index as f64 / (BLEND + 1) as f64;
        let speed = before.speed + (after.speed - before.speed) * share;
        let gait = if share < 0.5 { before } else { after }.gait;
        kept.extend(steps(gait, speed, 1));
    }
    kept.extend(steps(after.gait, after.speed, count(after)));
    stride(&kept, &Path::new(&[(30.0, 0.0)], 0.0), seed).0
}

/// Stands, then walks off.
pub fn start(speed: f64, seed: u64) -> Plan {
    let (mut plan, [first, second]) = walk_off(speed, seed);
    let stands = Side::BOTH.map(|side| {
        let place = foot_place(Planar::IDENTITY, side, STAND_HALF_WIDTH, TOE_OUT);
        Plant::standing(place, 0.0)
    });
    // The first foot leaves early, the other one when the first has come down.
    let leave = [
        first.strike - 0.48,
        (first.strike + 0.2).min(second.strike - 0.44),
    ];
    for (side, toe_off) in [first.side, first.side.other()].into_iter().zip(leave) {
        let mut plant = stands[side.index()].clone();
        plant.heel_off = toe_off - 0.34;
        plant.toe_off = toe_off;
        plant.off_pitch = 0.75;
        plan.plants[side.index()].insert(0, plant);
    }
    plan.window[0] = first.strike - 1.6;
    plan.labels
        .push(("stand", [plan.window[0], leave[0] - 0.3]));
    plan.styles.insert(0, (first.strike - 0.8, Style::STAND));
    plan
}

/// A walk that gathers speed, from its first step on.
fn walk_off(speed: f64, seed: u64) -> (Plan, [Footfall; 2]) {
    let path = Path::new(&[(30.0, 0.0)], 0.0);
    let mut kept = steps(Gait::Walk, speed * 0.6, 1);
    kept.extend(steps(Gait::Walk, speed * 0.85, 1));
    kept.extend(steps(Gait::Walk, speed, 4));
    let mut all = kept.clone();
    all.extend(steps(Gait::Walk, speed, 7));
    let mut plan = Plan::new("", [0.0; 2], Style::WALK);
    let first = FirstStep {
        side: Side::Right,
        time: 0.0,
        distance: 0.22 + 0.12 * speed,
    };
    let falls = lay_steps(&mut plan, &path, &all, first, &mut Dice::new(seed));
    plan.styles = styles(&all, &falls);
    plan.window[1] = falls[kept.len()].time;
    plan.labels
        .push(("walk", [falls[0].strike - 0.46, plan.window[1]]));
    (plan, [falls[0], falls[1]])
}

/// Walks, slows down and stands.
pub fn stop(speed: f64, seed: u64) -> Plan {
    let path = Path::new(&[(30.0, 0.0)], 0.0);
    let mut all = steps(Gait::Walk, speed, 11);
    all.extend(steps(Gait::Walk, speed * 0.8, 1));
    all.extend(steps(Gait::Walk, speed * 0.55, 1));
    let mut plan = Plan::new("", [0.0; 2], Style::WALK);
    let falls = lay_steps(
        &mut plan,
        &path,
        &all,
        FirstStep {
            side: Side::Left,
            time: 0.0,
            distance: 0.0,
        },
        &mut Dice::new(seed),
    );
    plan.styles = styles(&all, &falls);
    let last = falls[falls.len() - 1];
    let body = path.at(last.distance).0;
    if let Some(plant) = plan.plants[last.side.index()].last_mut() {
        plant.place = foot_place(body, last.side, STAND_HALF_WIDTH * 0.9, TOE_OUT);
        (plant.heel_off, plant.toe_off) = (EVER, EVER);
    }
    let closing = closing_plant(body, last.side.other(), last.time + 0.34);
    let stands = closing.strike + 0.25;
    plan.plants[last.side.other().index()].push(closing);
    plan.styles.push((last.time + 0.9, Style::STAND));
    plan.window = [falls[6].time, stands + 1.4];
    plan.labels.push(("walk", [plan.window[0], stands]));
    plan.labels.push(("stand", [stands, plan.window[1]]));
    plan
}

/// Both feet on the ground at the origin.
pub fn stand(seconds: f64) -> Plan {
    let mut plan = Plan::new("", [0.0, seconds], Style::STAND);
    plan.sway = 0.012;
    for side in Side::BOTH {
        let place = foot_place(Planar::IDENTITY, side, STAND_HALF_WIDTH, TOE_OUT);
        plan.plants[side.index()].push(Plant::standing(place, 0.0));
    }
    plan
}

/// Turns on the spot by an angle, left positive, in steps of at most 50 degrees.
pub fn turn_in_place(angle: f64) -> Plan {
    const SWING: f64 = 0.36;
    let mut plan = stand(0.0);
    let count = (angle.abs() / 50f64.to_radians()).ceil().max(1.0) as usize;
    let lead = if angle > 0.0 { Side::Left } else { Side::Right };
    let mut time = 0.9;
    for turn in 1..=count {
        let heading = angle * turn as f64 / count as f64;
        let body = Planar::new(0.0, 0.0, heading);
        for side in [lead, lead.other()] {
            step_to(&mut plan, side, body, heading, [time, time + SWING]);
            time += SWING + 0.16;
        }
    }
    plan.window = [0.0, time + 0.9];
    plan.labels.push(("stand", [0.0, 0.8]));
    plan.labels.push(("stand", [time, plan.window[1]]));
    plan
}

/// Lifts a standing foot and sets it down beside a body's place.
fn step_to(plan: &mut Plan, side: Side, body: Planar, heading: f64, [off, strike]: [f64; 2]) {
    plan.lift(side, [off - 0.16, off], 0.5);
    plan.plants[side.index()].push(Plant {
        place: Planar {
            yaw: heading + out(side) * TOE_OUT,
            ..foot_place(body, side, STAND_HALF_WIDTH, TOE_OUT)
        },
        heading,
        strike,
        flat: strike + 0.05,
        strike_pitch: 0.12,
        swing: shuffle_swing(),
        ..Plant::standing(body, heading)
    });
}

/// Walks on ground that rises along the way.
pub fn slope(angle: f64, seed: u64) -> Plan {
    let speed = if angle > 0.0 { 1.1 } else { 1.0 };
    let mut plan = travel(Gait::Walk, speed, &Path::new(&[(6.0, 0.0)], 0.0), seed);
    plan.slope = angle.tan();
    let lean = if angle > 0.0 {
        0.9 * angle
    } else {
        0.35 * angle
    };
    for (_, style) in &mut plan.styles {
        style.lean += lean;
        style.tilt += 0.5 * lean;
        style.crouch += 0.02;
    }
    let word = if angle > 0.0 { "uphill" } else { "downhill" };
    plan.labels.push((word, plan.window));
    plan
}

/// Walks up to something low and steps over it.
pub fn step_over(height: f64, seed: u64) -> Plan {
    let speed = 0.95;
    let mut kept = steps(Gait::Walk, speed, 10);
    let over = 4;
    kept[over - 1..over + 3]
        .iter_mut()
        .for_each(|step| step.speed = 0.72);
    kept[over].swing = Some(over_swing(height, 0.35));
    kept[over + 1].swing = Some(over_swing(height, 1.0));
    let (mut plan, falls) = stride(&kept, &Path::new(&[(12.0, 0.0)], 0.0), seed);
    let [from, to] = [falls[over - 2].toe_off, falls[over + 1].strike];
    plan.layer(
        Channel::Bend,
        &[
            (from - 0.3, 0.0),
            (from + 0.35, 0.1),
            (to, 0.1),
            (to + 0.4, 0.0),
        ],
    );
    plan.layer(
        Channel::Nod,
        &[
            (from - 1.2, 0.0),
            (from - 0.4, 0.35),
            (from + 0.3, 0.3),
            (to, 0.0),
        ],
    );
    for side in Side::BOTH {
        plan.layer(
            Channel::ArmOut(side),
            &[
                (from - 0.2, 0.0),
                (from + 0.4, 0.22),
                (to, 0.15),
                (to + 0.5, 0.0),
            ],
        );
    }
    plan.labels.push(("step over", [from, to]));
    plan
}

/// A foot lifted over something; a trailing foot hangs with its `pitch`.
fn over_swing(height: f64, pitch: f64) -> Swing {
    Swing {
        height: vec![(0.35, height + 0.10), (0.6, height + 0.12), (0.86, 0.16)],
        pitch: vec![(0.3, 0.55 + 0.5 * pitch), (0.6, 0.6 * pitch), (0.86, -0.1)],
        outward: vec![(0.5, 0.03)],
        clearance: 0.02,
        arrival: [0.2, 0.35],
        ..Swing::default()
    }
}

/// Walks under something that hangs at breast height.
pub fn duck(seed: u64) -> Plan {
    let path = Path::new(&[(7.0, 0.0)], 0.0);
    let mut plan = travel(Gait::Walk, 0.9, &path, seed);
    let middle = (plan.window[0] + plan.window[1]) * 0.5;
    let keys = |depth: f64| {
        [
            (middle - 1.7, 0.0),
            (middle - 0.6, depth),
            (middle + 0.6, depth),
            (middle + 1.7, 0.0),
        ]
    };
    plan.layer(Channel::Height, &keys(-0.24));
    plan.layer(Channel::Tilt, &keys(0.38));
    plan.layer(Channel::Bend, &keys(0.55));
    plan.layer(Channel::Nod, &keys(-0.15));
    for side in Side::BOTH {
        plan.layer(Channel::ArmForward(side), &keys(0.55));
        plan.layer(Channel::Elbow(side), &keys(0.35));
    }
    plan.labels.push(("duck", [middle - 1.5, middle + 1.5]));
    plan.labels.push(("crouch", [middle - 1.1, middle + 1.1]));
    plan
}
