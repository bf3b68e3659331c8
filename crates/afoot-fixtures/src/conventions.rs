//! One motion as thirty programs would have written it: random conventions, each from a seed.
//!
//! A clip on the sample performer's skeleton (22 joints, upright, arms out, facing +z) is rewritten
//! with other names, joint frames, rest poses, joints above the hips, orders and channels, and
//! encoded in a format, unit and up axis. Nothing moves in the world: what is read back must be
//! where the plain clip is. [`Convention::file_name_of`] tells which joint became which.

use std::fmt;
use std::sync::Arc;

use afoot_core::{
    Channel, Clip, EndSite, FrameId, FrameRate, Joint, JointId, Quat, Skeleton, SlidingJoint, Vec3,
    cut_clip, mirror_partners, resample_clip,
};
use afoot_formats::files::encode;
use afoot_formats::{Format, Unit, UpAxis, WriteOptions, write_fbx_takes, write_glb_takes};

/// The naming schemes, a line each.
const SCHEMES: &str = include_str!("joint_schemes.txt");

/// What the rest pose of a file looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum RestPose {
    ArmsOut,
    ArmsLowered,
    /// Every bone along +x.
    AlongX,
    /// As the figure is in the middle of the motion.
    MidMotion,
}

/// What is above the hips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Above {
    Nothing,
    StaticRoot,
    TravellingRoot,
}

/// A way to write motion.
#[derive(Clone, Debug)]
pub struct Convention {
    /// Everything follows from it.
    pub seed: u64,
    /// The file's format.
    pub format: Format,
    /// Its unit (BVH).
    pub unit: Unit,
    /// Its up axis (BVH).
    pub up: UpAxis,
    /// The order of its angles (BVH).
    pub angles: [Channel; 3],
    /// Its rest pose.
    pub rest: RestPose,
    /// How the whole rest pose is turned.
    pub turned: Quat,
    /// What is above the hips.
    pub above: Above,
    /// The naming scheme.
    pub scheme: usize,
    /// Whether joints have frames of their own (glTF, FBX).
    pub own_frames: bool,
    /// Whether siblings come in another order.
    pub reordered: bool,
    /// Whether there are twist joints and joints at the ends.
    pub helpers: bool,
    /// Whether all joints have position channels.
    pub positions: bool,
    /// Whether a frame of the rest pose comes first.
    pub t_pose_first: bool,
    /// Its rate. [frames/s]
    pub fps: u32,
    /// Whether other animations follow in the file (glTF, FBX).
    pub takes: bool,
    /// Whether thighs hang on the spine and collar bones on the neck, as in 3ds Max's Biped.
    pub biped: bool,
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "seed {}: scheme {}, {self:?}",
            self.seed,
            scheme(self.scheme).name
        )
    }
}

struct Scheme {
    name: &'static str,
    /// In the order of the sample skeleton's joints.
    joints: Vec<String>,
}

/// How many naming schemes there are.
pub fn scheme_count() -> usize {
    SCHEMES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .count()
}

fn scheme(number: usize) -> Scheme {
    let mut lines = SCHEMES.lines().filter(|line| !line.starts_with('#'));
    let parts: Vec<&'static str> = lines.nth(number).unwrap().split(';').collect();
    let words = |part: usize| -> Vec<&str> { parts[part].split(',').map(str::trim).collect() };
    let (sides, middle, limbs) = (words(1), words(2), words(3));
    let limb = |side: usize, range: std::ops::Range<usize>| -> Vec<String> {
        limbs[range]
            .iter()
            .map(|name| name.replace("{}", sides[side]))
            .collect()
    };
    let mut joints = vec![middle[0].to_owned()];
    (0..2).for_each(|side| joints.extend(limb(side, 4..8)));
    joints.extend(middle[1..].iter().map(|name| (*name).to_owned()));
    (0..2).for_each(|side| joints.extend(limb(side, 0..4)));
    Scheme {
        name: parts[0],
        joints,
    }
}

impl Convention {
    /// The convention of a seed.
    pub fn random(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let formats = [Format::Bvh, Format::Bvh, Format::Gltf, Format::Fbx];
        let format = formats[random.below(4)];
        use Channel::{Xrotation as X, Yrotation as Y, Zrotation as Z};
        let orders = [
            [X, Y, Z],
            [X, Z, Y],
            [Y, X, Z],
            [Y, Z, X],
            [Z, X, Y],
            [Z, Y, X],
        ];
        let is_bvh = format == Format::Bvh;
        let rest = match random.below(6) {
            0 | 1 => RestPose::ArmsOut,
            2 => RestPose::ArmsLowered,
            3 | 4 => RestPose::AlongX,
            _ => RestPose::MidMotion,
        };
        let quarter = std::f32::consts::FRAC_PI_2;
        let turned = random.below(6);
        let turns = [
            Quat::IDENTITY,
            Quat::from_rotation_y(quarter),
            Quat::from_rotation_y(2.0 * quarter),
            Quat::from_rotation_y(-quarter),
            Quat::from_rotation_x(-quarter),
            Quat::from_rotation_x(quarter),
        ];
        let aboves = [
            Above::Nothing,
            Above::Nothing,
            Above::StaticRoot,
            Above::TravellingRoot,
        ];
        let mut found = Self {
            seed,
            format,
            unit: [Unit::Centimetre, Unit::Metre, Unit::Millimetre, Unit::Inch][random.below(4)],
            up: match random.below(6) {
                // x is known to be up only where the rest pose stands along it too.
                0 if turned < 4 && matches!(rest, RestPose::ArmsOut | RestPose::ArmsLowered) => {
                    UpAxis::X
                }
                0..3 => UpAxis::Y,
                _ => UpAxis::Z,
            },
            angles: orders[random.below(6)],
            rest,
            turned: turns[turned],
            above: aboves[random.below(4)],
            scheme: random.below(scheme_count()),
            own_frames: !is_bvh && random.coin(),
            reordered: random.coin(),
            helpers: random.coin(),
            positions: random.coin(),
            t_pose_first: random.below(4) == 0,
            fps: [24, 25, 30, 30, 60][random.below(5)],
            takes: !is_bvh && random.coin(),
            biped: random.below(3) == 0,
        };
        // Where the body's lowest joint is not called its hips, that would be the joint that carries the thighs.
        let hips = found.file_name_of(JointId(0)).to_lowercase();
        found.biped &= hips.contains("hips") || hips.contains("pelvis");
        found
    }

    /// What a joint of the plain clip is called in the file.
    pub fn file_name_of(&self, joint: JointId) -> String {
        scheme(self.scheme).joints[joint.index()].clone()
    }

    /// The plain motion at the file's rate.
    pub fn resampled(&self, plain: &Clip) -> Clip {
        resample_clip(plain, FrameRate::new(self.fps, 1).unwrap())
    }

    /// The bytes of a file that has this motion, at the rate that it has.
    pub fn write(&self, plain: &Clip) -> Vec<u8> {
        let clip = self.rewrite(plain);
        let options = WriteOptions {
            metres_per_unit: self.unit.metres(),
            up: self.up,
        };
        let other = || Clip {
            name: "another".into(),
            ..cut_clip(&clip, 0..clip.len() as u32 / 2).unwrap()
        };
        match (self.takes, self.format) {
            (true, Format::Gltf) => write_glb_takes(&clip, &[other()]),
            (true, Format::Fbx) => {
                let takes = [clip.clone(), other()];
                write_fbx_takes(&takes, &options).unwrap().bytes
            }
            _ => encode(&clip, self.format, &options).unwrap().bytes,
        }
    }

    /// The clip with names, frames, joints and channels of the convention; y up, in metres.
    pub fn rewrite(&self, plain: &Clip) -> Clip {
        let mut random = Random(!self.seed);
        let mut clip = plain.clone();
        clip.contacts.clear();
        clip.types.clear();
        if self.t_pose_first {
            let joints = clip.joint_count();
            clip.root.insert(0, clip.root[0]);
            clip.rotations.splice(0..0, vec![Quat::IDENTITY; joints]);
        }
        let pose = self.rest_pose(&clip);
        let frames = self.frames(&clip, &pose, &mut random);
        clip = reframed(&clip, &pose, &frames, self.format == Format::Bvh);
        clip = self.renamed(&clip);
        if self.helpers {
            clip = with_helpers(&clip);
        }
        if self.biped {
            clip = as_biped(&clip);
        }
        if self.above != Above::Nothing {
            clip = self.under_root(&clip);
        }
        if self.reordered {
            clip = with_siblings_reversed(&clip);
        }
        self.with_channels(clip)
    }

    /// World turns of the rest pose away from the plain one.
    fn rest_pose(&self, clip: &Clip) -> Vec<Quat> {
        let skeleton = &clip.skeleton;
        let world: Vec<Quat> = match self.rest {
            RestPose::ArmsOut | RestPose::AlongX => vec![Quat::IDENTITY; skeleton.len()],
            RestPose::ArmsLowered => {
                let lowered = |index: usize| {
                    let chain = skeleton
                        .ancestors(JointId::from(index))
                        .chain([JointId::from(index)]);
                    let names: Vec<&str> =
                        chain.map(|id| skeleton.joint(id).name.as_str()).collect();
                    if names.contains(&"LeftArm") {
                        Quat::from_rotation_z(-0.8)
                    } else if names.contains(&"RightArm") {
                        Quat::from_rotation_z(0.8)
                    } else {
                        Quat::IDENTITY
                    }
                };
                (0..skeleton.len()).map(lowered).collect()
            }
            RestPose::MidMotion => {
                let frame = FrameId::from(clip.len() / 2);
                afoot_core::pose_kinematics(skeleton, Vec3::ZERO, clip.frame_rotations(frame)).0
            }
        };
        world.iter().map(|turn| self.turned * *turn).collect()
    }

    /// Each joint's frame in the file, seen from the plain one.
    fn frames(&self, clip: &Clip, pose: &[Quat], random: &mut Random) -> Vec<Quat> {
        let skeleton = &clip.skeleton;
        if self.rest == RestPose::AlongX {
            let partners = mirror_partners(skeleton);
            let mut turns: Vec<Quat> = Vec::new();
            for (index, partner) in partners.iter().enumerate() {
                let quarter = std::f32::consts::FRAC_PI_2 * random.below(4) as f32;
                let bone = main_bone(skeleton, JointId::from(index));
                let spread = match partner.index() == index {
                    true => side_square(bone),
                    false => Quat::from_rotation_arc(Vec3::X, bone.normalize_or(Vec3::X)),
                };
                let twist = match partner.index() < index && random.coin() {
                    true => Quat::from_rotation_x(quarter + std::f32::consts::PI),
                    false => Quat::from_rotation_x(quarter),
                };
                turns.push(spread * twist);
            }
            return turns;
        }
        match (self.format == Format::Bvh, self.own_frames) {
            (true, _) => pose.iter().map(|turn| turn.conjugate()).collect(),
            (false, false) => vec![Quat::IDENTITY; skeleton.len()],
            (false, true) => (0..skeleton.len()).map(|_| random.rotation()).collect(),
        }
    }

    /// The clip under the scheme's names, without roles.
    pub fn renamed(&self, clip: &Clip) -> Clip {
        let names = scheme(self.scheme).joints;
        let mut joints = clip.skeleton.joints().to_vec();
        for (joint, name) in joints.iter_mut().zip(names) {
            (joint.name, joint.role) = (name, None);
        }
        let sites = clip.skeleton.end_sites().to_vec();
        let skeleton = Arc::new(Skeleton::new(joints, sites).unwrap());
        Clip {
            skeleton,
            ..clip.clone()
        }
    }

    /// The clip below a root of its own, with a target of inverse kinematics beside the hips.
    fn under_root(&self, clip: &Clip) -> Clip {
        let place = Vec3::new(0.3, 0.0, -0.2);
        let turn = Quat::from_rotation_y(0.5) * Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let mut joints = vec![
            Joint::new("the_root", None, Vec3::ZERO),
            Joint::new("ik_target", Some(JointId(0)), Vec3::X * 0.1),
        ];
        if self.format != Format::Bvh {
            joints[0].rest = turn;
        }
        joints.extend(clip.skeleton.joints().iter().map(|joint| {
            Joint {
                parent: Some(
                    joint
                        .parent
                        .map_or(JointId(0), |parent| JointId(parent.0 + 2)),
                ),
                ..joint.clone()
            }
        }));
        joints[2].offset = turn.conjugate() * (clip.root[0] - place);
        joints[2].rest = joints[0].rest.conjugate() * joints[2].rest;
        let site = |site: &EndSite| EndSite {
            parent: JointId(site.parent.0 + 2),
            ..site.clone()
        };
        let sites = clip.skeleton.end_sites().iter().map(site).collect();
        let mut out = Clip::empty(
            &clip.name,
            Arc::new(Skeleton::new(joints, sites).unwrap()),
            clip.rate,
        );
        let mut offsets = Vec::new();
        for frame in 0..clip.len() {
            let at = match self.above {
                Above::TravellingRoot => place + clip.root[frame] * Vec3::new(1.0, 0.0, 1.0),
                _ => place,
            };
            let local = clip.frame_rotations(FrameId::from(frame));
            out.root.push(at);
            offsets.push(turn.conjugate() * (clip.root[frame] - at));
            out.rotations
                .extend([turn, Quat::IDENTITY, turn.conjugate() * local[0]]);
            out.rotations.extend(&local[1..]);
        }
        out.sliding = clip.sliding.clone();
        out.sliding
            .iter_mut()
            .for_each(|sliding| sliding.joint.0 += 2);
        let joint = JointId(2);
        out.sliding.insert(0, SlidingJoint { joint, offsets });
        out
    }

    /// Channels in the convention's order; with positions for all, if it has them.
    fn with_channels(&self, mut clip: Clip) -> Clip {
        let places = [Channel::Xposition, Channel::Yposition, Channel::Zposition];
        let mut joints = clip.skeleton.joints().to_vec();
        for (index, joint) in joints.iter_mut().enumerate() {
            let id = JointId::from(index);
            let slides = clip.sliding.iter().any(|sliding| sliding.joint == id);
            let placed = index == 0 || slides || self.positions;
            joint.channels = if placed { places.to_vec() } else { Vec::new() };
            joint.channels.extend(self.angles);
            if self.positions && index > 0 && !slides {
                let offsets = vec![joint.offset; clip.len()];
                clip.sliding.push(SlidingJoint { joint: id, offsets });
            }
        }
        let sites = clip.skeleton.end_sites().to_vec();
        clip.skeleton = Arc::new(Skeleton::new(joints, sites).unwrap());
        clip
    }
}

/// A frame with x along a bone in the middle of the body and z to the right, as rigging tools turn
/// the joints of a spine.
fn side_square(bone: Vec3) -> Quat {
    let x = bone.with_x(0.0).normalize_or(Vec3::Y);
    let z = Vec3::NEG_X;
    Quat::from_mat3(&afoot_core::Mat3::from_cols(x, z.cross(x), z))
}

/// From a joint to its first child that is no side branch, else to its end.
fn main_bone(skeleton: &Skeleton, joint: JointId) -> Vec3 {
    let children: Vec<JointId> = skeleton.children(joint).collect();
    let middle = children
        .iter()
        .find(|child| skeleton.joint(**child).offset.x.abs() < 1e-3);
    let site = skeleton
        .end_sites()
        .iter()
        .find(|site| site.parent == joint);
    match middle.or(children.first()) {
        Some(child) => skeleton.joint(*child).offset,
        None => site.map_or(Vec3::X, |site| site.offset),
    }
}

/// The same motion with joint frames turned: a world rotation G becomes G·F. The rest pose is
/// `pose`·F, or no rotation at all where a format knows none.
fn reframed(clip: &Clip, pose: &[Quat], frames: &[Quat], bare_rest: bool) -> Clip {
    let skeleton = &clip.skeleton;
    let mut joints = skeleton.joints().to_vec();
    for (index, joint) in joints.iter_mut().enumerate() {
        let parent = joint.parent.map(JointId::index);
        let above = parent.map_or(Quat::IDENTITY, |parent| pose[parent] * frames[parent]);
        joint.rest = match bare_rest {
            true => Quat::IDENTITY,
            false => (above.conjugate() * pose[index] * frames[index]).normalize(),
        };
        joint.offset = parent.map_or(joint.offset, |parent| {
            frames[parent].conjugate() * joint.offset
        });
    }
    let site = |site: &EndSite| EndSite {
        offset: frames[site.parent.index()].conjugate() * site.offset,
        ..site.clone()
    };
    let sites = skeleton.end_sites().iter().map(site).collect();
    let mut out = clip.clone();
    for frame in out.rotations.chunks_exact_mut(skeleton.len()) {
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let above = joint
                .parent
                .map_or(Quat::IDENTITY, |parent| frames[parent.index()]);
            frame[index] = (above.conjugate() * frame[index] * frames[index]).normalize();
        }
    }
    out.skeleton = Arc::new(Skeleton::new(joints, sites).unwrap());
    out
}

/// Twist joints halfway along thighs and upper arms, and joints instead of end sites.
fn with_helpers(clip: &Clip) -> Clip {
    let skeleton = &clip.skeleton;
    let mut joints = skeleton.joints().to_vec();
    for index in [1, 5, 15, 19] {
        let half = skeleton.joints()[index + 1].offset * 0.5;
        let name = format!("{}_twist_01", joints[index].name);
        joints.push(Joint::new(name, Some(JointId::from(index)), half));
    }
    for site in skeleton.end_sites() {
        let name = format!("{}_end", skeleton.joint(site.parent).name);
        joints.push(Joint::new(name, Some(site.parent), site.offset));
    }
    let more = joints.len() - skeleton.len();
    let mut out = clip.clone();
    let frames = clip.rotations.chunks_exact(skeleton.len());
    out.rotations = frames
        .flat_map(|frame| frame.iter().copied().chain(vec![Quat::IDENTITY; more]))
        .collect();
    out.skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
    out
}

/// The same clip with thighs on the spine and collar bones on the neck, which their places slide on: these turn
/// against what carried the limbs before.
fn as_biped(clip: &Clip) -> Clip {
    let skeleton = &clip.skeleton;
    let rest = skeleton.world_rest_rotations();
    let rest_points =
        afoot_core::pose_kinematics(skeleton, Vec3::ZERO, &skeleton.rest_pose().rotations).1;
    let mut out = clip.clone();
    let mut joints = skeleton.joints().to_vec();
    for (limb, carrier) in [(1, 9), (5, 9), (14, 12), (18, 12)] {
        let seen = |turns: &[Quat], points: &[Vec3]| {
            turns[carrier].conjugate() * (points[limb] - points[carrier])
        };
        joints[limb].parent = Some(JointId::from(carrier));
        joints[limb].offset = seen(&rest, &rest_points);
        joints[limb].rest = (rest[carrier].conjugate() * rest[limb]).normalize();
        let mut offsets = Vec::new();
        for frame in (0..clip.len()).map(FrameId::from) {
            let local = clip.frame_rotations(frame);
            let (turns, points) = afoot_core::pose_kinematics(skeleton, Vec3::ZERO, local);
            offsets.push(seen(&turns, &points));
            out.frame_rotations_mut(frame)[limb] =
                (turns[carrier].conjugate() * turns[limb]).normalize();
        }
        let joint = JointId::from(limb);
        out.sliding.push(SlidingJoint { joint, offsets });
    }
    let children = |joint: JointId| -> Vec<JointId> {
        let hangs = |other: &usize| joints[*other].parent == Some(joint);
        (0..joints.len())
            .rev()
            .filter(hangs)
            .map(JointId::from)
            .collect()
    };
    let order = depth_first(children);
    in_order(&out, &joints, &order)
}

/// The same clip with the children of every joint in reverse order.
fn with_siblings_reversed(clip: &Clip) -> Clip {
    let skeleton = &clip.skeleton;
    let order = depth_first(|joint| skeleton.children(joint).collect());
    in_order(clip, skeleton.joints(), &order)
}

/// The joints from the first on, each before what hangs on it; of `children` the last come first.
fn depth_first(children: impl Fn(JointId) -> Vec<JointId>) -> Vec<JointId> {
    let (mut order, mut open) = (Vec::new(), vec![JointId(0)]);
    while let Some(joint) = open.pop() {
        order.push(joint);
        open.extend(children(joint));
    }
    order
}

/// The clip with `joints` for its own, in another order.
fn in_order(clip: &Clip, joints: &[Joint], order: &[JointId]) -> Clip {
    let skeleton = &clip.skeleton;
    let number = |joint: JointId| {
        order
            .iter()
            .position(|other| *other == joint)
            .map(JointId::from)
    };
    let joint = |id: &JointId| {
        let joint = &joints[id.index()];
        Joint {
            parent: joint.parent.and_then(number),
            ..joint.clone()
        }
    };
    let site = |site: &EndSite| EndSite {
        parent: number(site.parent).unwrap(),
        ..site.clone()
    };
    let mut sites: Vec<EndSite> = skeleton.end_sites().iter().map(site).collect();
    sites.sort_by_key(|site| site.parent);
    let mut out = clip.clone();
    let frames = clip.rotations.chunks_exact(skeleton.len());
    out.rotations = frames
        .flat_map(|frame| order.iter().map(|id| frame[id.index()]))
        .collect();
    for sliding in &mut out.sliding {
        sliding.joint = number(sliding.joint).unwrap();
    }
    out.sliding.sort_by_key(|sliding| sliding.joint);
    let joints = order.iter().map(joint).collect();
    out.skeleton = Arc::new(Skeleton::new(joints, sites).unwrap());
    out
}

/// SplitMix64: the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn rotation(&mut self) -> Quat {
        let mut one = || self.next() as f32 / u64::MAX as f32 - 0.5;
        let turn = Quat::from_xyzw(one(), one(), one(), one());
        if turn.length() > 1e-3 {
            turn.normalize()
        } else {
            Quat::IDENTITY
        }
    }
}
