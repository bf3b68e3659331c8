//! Motion spoilt on purpose: each fault that a person would see at once, and nothing else.

use afoot_core::{Clip, Contacts, FrameId, JointId, Leg, Quat, Role, Side, Vec3, pose_kinematics};

/// A fault, the measure that must find it, and how it is made.
pub struct Mutation {
    pub name: &'static str,
    pub caught_by: &'static str,
    pub make: fn(&Clip) -> Clip,
}

/// All faults that need a library alone to be found.
pub const MUTATIONS: &[Mutation] = &[
    Mutation {
        name: "a teleport of 50 cm",
        caught_by: "root_speed_ratio",
        make: |clip| {
            moved(clip, |frame, frames| {
                Vec3::X * if 2 * frame < frames { 0.0 } else { 0.5 }
            })
        },
    },
    Mutation {
        name: "root jitter of 3 cm",
        caught_by: "root_acceleration_ratio",
        make: |clip| moved(clip, |frame, _| 0.03 * signs(frame)),
    },
    Mutation {
        name: "30 cm of floating for the first half",
        caught_by: "unsupported_share",
        make: |clip| {
            moved(clip, |frame, frames| {
                Vec3::Y * if 2 * frame < frames { 0.3 } else { 0.0 }
            })
        },
    },
    Mutation {
        name: "30 cm of floating for the second half",
        caught_by: "unsupported_share",
        make: |clip| {
            moved(clip, |frame, frames| {
                Vec3::Y * if 2 * frame < frames { 0.0 } else { 0.3 }
            })
        },
    },
    Mutation {
        name: "1 m of floating throughout",
        caught_by: "unsupported_share",
        make: |clip| moved(clip, |_, _| Vec3::Y),
    },
    Mutation {
        name: "gliding onwards at 0.6 m/s",
        caught_by: "glide_cm_s",
        make: |clip| glided(clip, travel(clip)),
    },
    Mutation {
        name: "gliding back at 0.6 m/s",
        caught_by: "glide_cm_s",
        make: |clip| glided(clip, -travel(clip)),
    },
    Mutation {
        name: "gliding aside at 0.6 m/s",
        caught_by: "glide_cm_s",
        make: |clip| glided(clip, travel(clip).cross(Vec3::Y)),
    },
    Mutation {
        name: "planted feet that bob by 2 cm",
        caught_by: "bob_mm",
        make: bobbing,
    },
    Mutation {
        name: "a frozen leg",
        caught_by: "frozen_s",
        make: frozen_leg,
    },
    Mutation {
        name: "left and right swapped for half a second",
        caught_by: "jump_ratio",
        make: |clip| {
            let start = widest_step(clip);
            swapped(clip, start..start + clip.rate.frames_in(0.5))
        },
    },
    Mutation {
        name: "left and right swapped by their names",
        caught_by: "faced_share",
        make: swapped_names,
    },
    Mutation {
        name: "a foot that flips",
        caught_by: "ankle_acceleration_ratio",
        make: flipped_foot,
    },
    Mutation {
        name: "a planted foot that swivels by 30 degrees",
        caught_by: "twist_deg",
        make: swivelled_foot,
    },
    Mutation {
        name: "legs through each other",
        caught_by: "penetration_cm",
        make: crossed_legs,
    },
    Mutation {
        name: "walking backwards, turned about",
        caught_by: "faced_share",
        make: turned_about,
    },
    Mutation {
        name: "walking backwards, reversed in time",
        caught_by: "faced_share",
        make: reversed,
    },
];

/// A crouch: the hips lower, the feet where they were.
pub fn crouched(clip: &Clip, by: f32) -> Clip {
    let out = moved(clip, |_, _| -by * Vec3::Y);
    with_feet(out, clip, |_| Vec3::ZERO)
}

/// Feet that go up by 2 cm and down again, five times a second so that every plant sees it, under a body that goes
/// as it did.
fn bobbing(clip: &Clip) -> Clip {
    let turn = 5.0 * std::f32::consts::TAU * clip.rate.frame_time() as f32;
    with_feet(clip.clone(), clip, |frame| {
        0.01 * (1.0 - (turn * frame as f32).cos()) * Vec3::Y
    })
}

/// A motion with its feet as far from another one's as that says.
fn with_feet(mut out: Clip, clip: &Clip, by: impl Fn(usize) -> Vec3) -> Clip {
    for frame in (0..clip.len()).map(FrameId::from) {
        let feet = |side| leg(clip, side).ankle.index();
        let (turns, points) = pose_kinematics(
            &clip.skeleton,
            clip.root[frame.index()],
            clip.frame_rotations(frame),
        );
        for side in Side::BOTH {
            let ankle = feet(side);
            bend_leg(
                &mut out,
                frame,
                leg(clip, side),
                (points[ankle] + by(frame.index()), turns[ankle]),
            );
        }
    }
    out
}

/// Left and right legs and arms exchanged, as where markers were taken for each other.
pub fn swapped(clip: &Clip, frames: std::ops::Range<usize>) -> Clip {
    let mirrored = afoot_core::mirror_clip(clip);
    let mut out = clip.clone();
    let limbs: Vec<usize> = limb_joints(clip);
    for frame in frames
        .filter(|frame| *frame < clip.len())
        .map(FrameId::from)
    {
        for joint in &limbs {
            let theirs = mirrored.frame_rotations(frame)[*joint];
            out.frame_rotations_mut(frame)[*joint] = theirs;
        }
    }
    out
}

/// Without facts, as a file is read.
pub fn as_read(mut clip: Clip) -> Clip {
    (clip.ground, clip.contacts, clip.types) = (None, Vec::new(), Vec::new());
    clip
}

fn moved(clip: &Clip, by: impl Fn(usize, usize) -> Vec3) -> Clip {
    let mut out = clip.clone();
    for (frame, root) in out.root.iter_mut().enumerate() {
        *root += by(frame, clip.len());
    }
    out
}

fn glided(clip: &Clip, way: Vec3) -> Clip {
    let step = 0.6 * clip.rate.frame_time() as f32;
    moved(clip, |frame, _| way * step * frame as f32)
}

/// Where the clip goes, of unit length.
fn travel(clip: &Clip) -> Vec3 {
    let way = clip.root[clip.len() - 1] - clip.root[0];
    way.with_y(0.0).normalize()
}

/// ±1 in each direction, the same in every run.
fn signs(frame: usize) -> Vec3 {
    let bits = (frame as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let sign = |bit: u64| if bits >> bit & 1 == 0 { -1.0 } else { 1.0 };
    Vec3::new(sign(3), sign(11), sign(19))
}

/// The frame, away from the ends, in which the ankles are farthest apart.
fn widest_step(clip: &Clip) -> usize {
    let positions = afoot_core::forward_kinematics(clip);
    let apart = |frame: &usize| {
        let [left, right] =
            Side::BOTH.map(|side| positions.joint((*frame).into(), leg(clip, side).ankle));
        left.distance(right)
    };
    let inner = clip.len() / 4..3 * clip.len() / 4;
    inner.max_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap()
}

fn leg(clip: &Clip, side: Side) -> Leg {
    clip.skeleton.leg(side).unwrap()
}

/// Held from the middle on for a second.
fn frozen_leg(clip: &Clip) -> Clip {
    let (leg, start) = (leg(clip, Side::Left), clip.len() / 3);
    let mut out = clip.clone();
    for frame in start..(start + clip.rate.frames_in(1.0)).min(clip.len()) {
        for joint in [leg.hip, leg.knee, leg.ankle] {
            let held = clip.rotation(FrameId::from(start), joint);
            out.frame_rotations_mut(FrameId::from(frame))[joint.index()] = held;
        }
    }
    out
}

fn limb_joints(clip: &Clip) -> Vec<usize> {
    let skeleton = &clip.skeleton;
    let tops: Vec<JointId> = Side::BOTH
        .into_iter()
        .flat_map(|side| [Role::UpLeg(side), Role::Arm(side)])
        .filter_map(|role| skeleton.with_role(role))
        .collect();
    let hangs = |joint: &usize| {
        let below = |top: &JointId| skeleton.path_length(*top, JointId::from(*joint)).is_some();
        tops.iter().any(below)
    };
    (0..skeleton.len()).filter(hangs).collect()
}

/// The joints of the left side called right, and the reverse.
fn swapped_names(clip: &Clip) -> Clip {
    let exchanged: Vec<Option<Role>> = clip
        .skeleton
        .joints()
        .iter()
        .map(|joint| {
            Some(match joint.role? {
                Role::Arm(side) => Role::Arm(side.other()),
                Role::UpLeg(side) => Role::UpLeg(side.other()),
                Role::Leg(side) => Role::Leg(side.other()),
                Role::Foot(side) => Role::Foot(side.other()),
                Role::Toe(side) => Role::Toe(side.other()),
                role => role,
            })
        })
        .collect();
    let mut out = clip.clone();
    out.skeleton = std::sync::Arc::new((*clip.skeleton).clone().with_roles(&exchanged));
    out
}

/// A quarter turn for one frame.
fn flipped_foot(clip: &Clip) -> Clip {
    let (ankle, middle) = (leg(clip, Side::Right).ankle, FrameId::from(clip.len() / 2));
    let mut out = clip.clone();
    let rotation = &mut out.frame_rotations_mut(middle)[ankle.index()];
    *rotation *= Quat::from_rotation_y(1.5);
    out
}

/// Where the right foot stands flat and the body turns least over it, it turns on the floor, the way it turns a little
/// anyway, and back when it is lifted.
fn swivelled_foot(clip: &Clip) -> Clip {
    let (right, left) = (leg(clip, Side::Right), leg(clip, Side::Left));
    let ankle = right.ankle;
    let turn_of = |plant: &std::ops::Range<usize>, from: JointId, to: JointId| {
        let yaw = |frame: usize| {
            let rotations = clip.frame_rotations(FrameId::from(frame));
            let points = pose_kinematics(&clip.skeleton, clip.root[frame], rotations).1;
            let way = points[to.index()] - points[from.index()];
            way.x.atan2(way.z)
        };
        let turn = yaw(plant.end - 1) - yaw(plant.start);
        afoot_core::wrap_angle(f64::from(turn)) as f32
    };
    let drift = |plant: &std::ops::Range<usize>| turn_of(plant, ankle, right.ball);
    let body = |plant: &std::ops::Range<usize>| turn_of(plant, left.hip, right.hip).abs();
    let plants = flat_plants(clip, Side::Right);
    let longest = plants.iter().map(|plant| plant.len()).max().unwrap();
    let least = clip.rate.frames_in(0.3).min(longest);
    let plant = plants
        .into_iter()
        .filter(|plant| plant.len() >= least)
        .min_by(|a, b| body(a).total_cmp(&body(b)))
        .unwrap();
    let most = 30f32.to_radians().copysign(drift(&plant));
    let back = clip.rate.frames_in(0.3) as f32;
    let mut out = clip.clone();
    for frame in plant.start..clip.len() {
        let into = (frame - plant.start) as f32 / (plant.len() - 1).max(1) as f32;
        let after = 1.0 - (frame as f32 - plant.end as f32).max(0.0) / back;
        let turn = Quat::from_rotation_y(most * into.min(1.0) * after.clamp(0.0, 1.0));
        let frame = FrameId::from(frame);
        let (turns, _) = pose_kinematics(
            &clip.skeleton,
            clip.root[frame.index()],
            clip.frame_rotations(frame),
        );
        turn_in_world(&mut out, frame, ankle, (&turns, turn));
    }
    out
}

/// Where heel and ball of a foot both touch.
fn flat_plants(clip: &Clip, side: Side) -> Vec<std::ops::Range<usize>> {
    let flat = |frame: &usize| {
        let contacts = clip.contacts[*frame];
        contacts.any(Contacts::heel(side)) && contacts.any(Contacts::ball(side))
    };
    let mut plants: Vec<std::ops::Range<usize>> = Vec::new();
    for frame in (0..clip.len()).filter(flat) {
        match plants.last_mut() {
            Some(last) if last.end == frame => last.end += 1,
            _ => plants.push(frame..frame + 1),
        }
    }
    plants
}

/// Both legs turned inwards, so that each foot passes where the other leg is.
fn crossed_legs(clip: &Clip) -> Clip {
    let mut out = clip.clone();
    for frame in (0..clip.len()).map(FrameId::from) {
        let (turns, points) = pose_kinematics(
            &clip.skeleton,
            clip.root[frame.index()],
            clip.frame_rotations(frame),
        );
        let at = |joint: JointId| points[joint.index()];
        let [left, right] = Side::BOTH.map(|side| leg(clip, side));
        let leftwards = (at(left.hip) - at(right.hip)).normalize();
        let apart = (at(left.ankle) - at(right.ankle)).dot(leftwards);
        for (leg, sign) in [(left, -1.0), (right, 1.0)] {
            let length = at(leg.hip).distance(at(leg.ankle));
            let turn = Quat::from_axis_angle(leftwards.cross(Vec3::Y), sign * 0.5 * apart / length);
            turn_in_world(&mut out, frame, leg.hip, (&turns, turn));
        }
    }
    out
}

fn turned_about(clip: &Clip) -> Clip {
    let mut out = clip.clone();
    for frame in (0..clip.len()).map(FrameId::from) {
        let root = &mut out.frame_rotations_mut(frame)[0];
        *root = (Quat::from_rotation_y(std::f32::consts::PI) * *root).normalize();
    }
    out
}

fn reversed(clip: &Clip) -> Clip {
    let mut out = clip.clone();
    out.root.reverse();
    for frame in 0..clip.len() {
        let from = clip.frame_rotations(FrameId::from(clip.len() - 1 - frame));
        out.frame_rotations_mut(FrameId::from(frame))
            .copy_from_slice(from);
    }
    out
}

/// Turns a joint by a rotation of the world; `turns` are the world rotations before.
fn turn_in_world(clip: &mut Clip, frame: FrameId, joint: JointId, (turns, turn): (&[Quat], Quat)) {
    let parent = clip.skeleton.joint(joint).parent.unwrap();
    let above = turns[parent.index()];
    let world = turn * turns[joint.index()];
    clip.frame_rotations_mut(frame)[joint.index()] = (above.conjugate() * world).normalize();
}

/// Bends a leg so that its ankle is where it should be, with the foot turned as it should be.
fn bend_leg(clip: &mut Clip, frame: FrameId, leg: Leg, (ankle, foot): (Vec3, Quat)) {
    let place = |clip: &Clip| {
        pose_kinematics(
            &clip.skeleton,
            clip.root[frame.index()],
            clip.frame_rotations(frame),
        )
    };
    let (turns, points) = place(clip);
    let [hip, knee, heel] = [leg.hip, leg.knee, leg.ankle].map(|joint| points[joint.index()]);
    let (thigh, shank) = (hip.distance(knee), knee.distance(heel));
    let reach = hip.distance(ankle).min(thigh + shank - 1e-4);
    let angle = |far: f32| {
        let cosine = (thigh * thigh + shank * shank - far * far) / (2.0 * thigh * shank);
        cosine.clamp(-1.0, 1.0).acos()
    };
    // a straight leg bends as its neighbours in time do: forwards, about the line between the hips
    let across = points[clip.skeleton.leg(Side::Left).unwrap().hip.index()]
        - points[clip.skeleton.leg(Side::Right).unwrap().hip.index()];
    let axis = (hip - knee).cross(heel - knee).normalize_or_zero();
    let axis = (axis + 0.2 * across.normalize() * axis.dot(across).signum()).normalize_or(Vec3::X);
    let more = angle(reach) - angle(hip.distance(heel));
    let bend = Quat::from_axis_angle(axis, more);
    turn_in_world(clip, frame, leg.knee, (&turns, bend));
    let (turns, points) = place(clip);
    let aim = Quat::from_rotation_arc(
        (points[leg.ankle.index()] - hip).normalize(),
        (ankle - hip).normalize(),
    );
    turn_in_world(clip, frame, leg.hip, (&turns, aim));
    let (turns, _) = place(clip);
    let back = foot * turns[leg.ankle.index()].conjugate();
    turn_in_world(clip, frame, leg.ankle, (&turns, back));
}
