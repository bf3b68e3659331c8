//! What is measured at every frame so that a second of motion can be described from it.
//!
//! Joints in the torso's axes (up, left and forward of that frame: the mean of the hips' and the
//! shoulders' line gives left), where the root is and looks, how fast it moves and turns, how high and
//! fast the feet are. Lengths are those of a body with legs of 0.8 m, heights those above the clip's
//! floor, so that what is learned from one body holds for another. A mirror image needs no other clip:
//! sides are swapped and what points left points right.
//! Cost: one forward kinematics a clip. Kept with the library (`SignalTable`); made into rows by `second`.

use afoot_codec::{Artefact, ContentHash, Kind, Malformed, Reader, Writer};
use afoot_core::{
    Clip, FrameId, JointId, Positions, Role, Side, Vec3, forward_kinematics, wrap_angle,
};

/// Joints whose places describe a posture; each side's follow each other, the left one first.
const JOINTS: [Role; 14] = [
    Role::Chest,
    Role::Head,
    Role::Leg(Side::Left),
    Role::Leg(Side::Right),
    Role::Foot(Side::Left),
    Role::Foot(Side::Right),
    Role::Toe(Side::Left),
    Role::Toe(Side::Right),
    Role::Arm(Side::Left),
    Role::Arm(Side::Right),
    Role::ForeArm(Side::Left),
    Role::ForeArm(Side::Right),
    Role::Hand(Side::Left),
    Role::Hand(Side::Right),
];
/// Joints in the middle: they come first in the list, and stay where they are in a mirror.
const MIDDLE: usize = 2;
/// Ankles and balls of both feet.
const FEET: [usize; 4] = [4, 5, 6, 7];
/// The leg length that all bodies are brought to. [m]
const LEG: f32 = 0.8;
/// Feet are not told apart by what goes beyond this. [m/s]
const FASTEST_FOOT: f32 = 4.0;
/// Speeds are means over this on either side. [s]
const HALF_MEAN: f64 = 0.07;

/// Joints that describe a posture.
pub(super) const POINTS: usize = JOINTS.len();

/// What is measured at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Signals {
    /// Joints: left of, above (over the floor) and before the root. [m]
    pub points: [[f32; 3]; POINTS],
    /// The root over ground, x and z. [m]
    pub place: [f32; 2],
    /// Where the torso faces, without jumps. [rad]
    pub yaw: f32,
    /// The root over the floor. [m]
    pub height: f32,
    /// The root's speed left, up and forward. [m/s]
    pub velocity: [f32; 3],
    /// How fast the torso turns left. [rad/s]
    pub turning: f32,
    /// Ankles, then balls, left then right: over the floor. [m]
    pub foot_heights: [f32; 4],
    /// The same: how fast they are. [m/s]
    pub foot_speeds: [f32; 4],
}

/// Numbers that [`Signals`] has.
const NUMBERS: usize = 3 * POINTS + 2 + 1 + 1 + 3 + 1 + 4 + 4;

/// The signals of a clip, a frame each.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSignals {
    /// The motion that they were measured in.
    pub motion: ContentHash,
    /// Frames a second.
    pub fps: f64,
    pub(super) frames: Vec<Signals>,
}

/// The signals of a library's clips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SignalTable {
    /// A clip each.
    pub clips: Vec<ClipSignals>,
}

impl ClipSignals {
    /// Of a clip that can't be measured.
    pub fn none(motion: ContentHash, fps: f64) -> Self {
        let frames = Vec::new();
        Self {
            motion,
            fps,
            frames,
        }
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

/// Measures a clip; `None` where its skeleton has no legs to be described by.
pub fn measure_signals(clip: &Clip, motion: ContentHash) -> Option<ClipSignals> {
    let leg = clip.skeleton.leg_length()?;
    let body = Body {
        joints: JOINTS.map(|role| joint_for(clip, role)),
        hips: Side::BOTH.map(|side| joint_for(clip, Role::UpLeg(side))),
        scale: LEG / leg,
    };
    let positions = forward_kinematics(clip);
    let mut frames: Vec<Signals> = (0..clip.len())
        .map(|frame| body.at_rest(clip, &positions, FrameId::from(frame)))
        .collect();
    unwrap_yaws(&mut frames);
    body.add_speeds(clip, &positions, &mut frames);
    Some(ClipSignals {
        motion,
        fps: clip.rate.fps(),
        frames,
    })
}

/// The joint of a role, else the nearest that stands in for it further up.
fn joint_for(clip: &Clip, role: Role) -> JointId {
    let instead = |role| match role {
        Role::Toe(side) => Role::Foot(side),
        Role::Hand(side) => Role::ForeArm(side),
        Role::ForeArm(side) => Role::Arm(side),
        Role::Arm(side) => Role::Shoulder(side),
        Role::Shoulder(_) | Role::Head => Role::Neck,
        Role::Neck => Role::Chest,
        Role::Chest => Role::Spine,
        _ => Role::Hips,
    };
    let mut wanted = role;
    loop {
        match clip.skeleton.with_role(wanted) {
            Some(joint) => return joint,
            None if wanted == Role::Hips => return JointId(0),
            None => wanted = instead(wanted),
        }
    }
}

/// Which points are looked at, and how large the body is.
struct Body {
    joints: [JointId; POINTS],
    hips: [JointId; 2],
    scale: f32,
}

impl Body {
    /// What a frame shows by itself.
    fn at_rest(&self, clip: &Clip, positions: &Positions, frame: FrameId) -> Signals {
        let at = |joint: JointId| positions.joint(frame, joint);
        let root = clip.root[frame.index()];
        let line = |left: JointId, right: JointId| {
            let line = at(left) - at(right);
            Vec3::new(line.x, 0.0, line.z).normalize_or_zero()
        };
        let left = line(self.hips[0], self.hips[1]) + line(self.joints[8], self.joints[9]);
        let yaw = (-left.z).atan2(left.x);
        let (sin, cos) = yaw.sin_cos();
        let points = self.joints.map(|joint| {
            let point = at(joint);
            let (x, z) = (point.x - root.x, point.z - root.z);
            let height = point.y - floor_at(clip, point);
            [x * cos - z * sin, height, x * sin + z * cos].map(|value| value * self.scale)
        });
        Signals {
            points,
            place: [root.x * self.scale, root.z * self.scale],
            yaw,
            height: (root.y - floor_at(clip, root)) * self.scale,
            velocity: [0.0; 3],
            turning: 0.0,
            foot_heights: FEET.map(|foot| points[foot][1]),
            foot_speeds: [0.0; 4],
        }
    }

    /// What only neighbouring frames show.
    fn add_speeds(&self, clip: &Clip, positions: &Positions, frames: &mut [Signals]) {
        let len = frames.len();
        let half = clip.rate.frames_in(HALF_MEAN).max(1);
        let fps = clip.rate.fps() as f32;
        let mut feet = [[0.0; 4]].repeat(len);
        let mut speeds: Vec<[f32; 5]> = Vec::with_capacity(len);
        for frame in 0..len {
            // Central differences, one-sided at the ends; means over some frames on either side.
            let beside = |half: usize| [frame.saturating_sub(half), (frame + half).min(len - 1)];
            let per_second = |[from, to]: [usize; 2]| fps / to.abs_diff(from).max(1) as f32;
            let [from, to] = beside(1);
            feet[frame] = FEET.map(|foot| {
                let at = |frame: usize| positions.joint(FrameId::from(frame), self.joints[foot]);
                let speed = (at(to) - at(from)).length() * per_second([from, to]);
                (speed * self.scale).min(FASTEST_FOOT)
            });
            let [from, to] = beside(half);
            let by = per_second([from, to]);
            let (a, b) = (&frames[from], &frames[to]);
            let moved = [b.place[0] - a.place[0], b.place[1] - a.place[1]];
            let (sin, cos) = frames[frame].yaw.sin_cos();
            speeds.push([
                (moved[0] * cos - moved[1] * sin) * by,
                (b.height - a.height) * by,
                (moved[0] * sin + moved[1] * cos) * by,
                (b.yaw - a.yaw) * by,
                0.0,
            ]);
        }
        for (frame, (speeds, feet)) in frames.iter_mut().zip(speeds.iter().zip(feet)) {
            let [left, up, forward, turning, _] = *speeds;
            frame.velocity = [left, up, forward];
            frame.turning = turning;
            frame.foot_speeds = feet;
        }
    }
}

fn floor_at(clip: &Clip, point: Vec3) -> f32 {
    clip.ground
        .map_or(0.0, |ground| ground.height_at(point.x, point.z))
}

fn unwrap_yaws(frames: &mut [Signals]) {
    let mut last = frames.first().map_or(0.0, |frame| frame.yaw);
    for frame in frames {
        last += wrap_angle(f64::from(frame.yaw - last)) as f32;
        frame.yaw = last;
    }
}

impl Signals {
    /// What a mirror shows.
    pub fn mirrored(&self) -> Self {
        let other = |index: usize| match index < MIDDLE {
            true => index,
            false => index ^ 1,
        };
        let swap = |feet: [f32; 4]| [feet[1], feet[0], feet[3], feet[2]];
        let [left, up, forward] = self.velocity;
        Self {
            points: std::array::from_fn(|index| {
                let [left, up, forward] = self.points[other(index)];
                [-left, up, forward]
            }),
            place: [-self.place[0], self.place[1]],
            yaw: -self.yaw,
            height: self.height,
            velocity: [-left, up, forward],
            turning: -self.turning,
            foot_heights: swap(self.foot_heights),
            foot_speeds: swap(self.foot_speeds),
        }
    }

    fn numbers(&self) -> [f32; NUMBERS] {
        let mut out = [0.0; NUMBERS];
        let parts = [
            self.points.as_flattened(),
            &self.place,
            &[self.yaw, self.height],
            &self.velocity,
            &[self.turning],
            &self.foot_heights,
            &self.foot_speeds,
        ];
        let numbers = parts.into_iter().flatten();
        out.iter_mut()
            .zip(numbers)
            .for_each(|(out, number)| *out = *number);
        out
    }

    fn from_numbers(numbers: &[f32; NUMBERS]) -> Self {
        let mut rest = numbers.iter().copied();
        let mut next = || rest.next().expect("as many as there are");
        Self {
            points: std::array::from_fn(|_| std::array::from_fn(|_| next())),
            place: std::array::from_fn(|_| next()),
            yaw: next(),
            height: next(),
            velocity: std::array::from_fn(|_| next()),
            turning: next(),
            foot_heights: std::array::from_fn(|_| next()),
            foot_speeds: std::array::from_fn(|_| next()),
        }
    }
}

impl Artefact for SignalTable {
    const KIND: Kind = Kind {
        magic: *b"afootsig",
        version: 1,
        oldest: 1,
        other_hash: 0,
        name: "signals",
        what: "table of signals",
    };

    fn write(&self, writer: &mut Writer) {
        writer.count(self.clips.len());
        for clip in &self.clips {
            writer.bytes.extend(clip.motion.0);
            writer.f64(clip.fps);
            writer.count(clip.frames.len());
            clip.frames
                .iter()
                .for_each(|frame| writer.f32s(&frame.numbers()));
        }
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let clip = |reader: &mut Reader| {
            let motion = ContentHash(reader.array()?);
            let fps = reader.finite64()?;
            let frame = |reader: &mut Reader| {
                let numbers = reader.f32s::<NUMBERS>()?;
                reader.require(
                    numbers.iter().all(|n| n.is_finite()),
                    "a signal is not finite",
                )?;
                Ok(Signals::from_numbers(&numbers))
            };
            let frames = reader.list(4 * NUMBERS, frame)?;
            reader.require(fps > 0.0, "a rate is not above 0")?;
            Ok(ClipSignals {
                motion,
                fps,
                frames,
            })
        };
        let clips = reader.list(28, clip)?;
        Ok(Self { clips })
    }
}
