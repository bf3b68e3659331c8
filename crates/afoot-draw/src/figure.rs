//! One stick figure under a camera: bones coloured by side, planted feet dotted.

use afoot_core::{Clip, Contacts, FrameId, Ground, JointId, Positions, Role, Side, Skeleton, Vec3};

use crate::canvas::{Canvas, Pen};
use crate::colour::Colour;

/// A camera that looks at `target`, without perspective or with it.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    right: Vec3,
    up: Vec3,
    away: Vec3,
    target: Vec3,
    centre: [f32; 2],
    scale: f32,
    /// How far the eye is, where what is nearer is larger. [m]
    distance: Option<f32>,
}

/// Nothing nearer to the eye is drawn. [m]
const NEAR: f32 = 0.1;

impl Camera {
    /// Screen right is +z turned by `yaw` about +y; `elevation` lifts the eye above the horizon
    /// [rad]; `target` appears at `centre` and a metre measures `scale` pixels.
    pub fn new([yaw, elevation]: [f32; 2], target: Vec3, centre: [f32; 2], scale: f32) -> Self {
        let right = Vec3::new(yaw.sin(), 0.0, yaw.cos());
        let level = Vec3::Y.cross(right);
        let (sin, cos) = elevation.sin_cos();
        Self {
            right,
            up: Vec3::Y * cos + level * sin,
            away: level * cos - Vec3::Y * sin,
            target,
            centre,
            scale,
            distance: None,
        }
    }

    /// From an eye, upright; `target` appears at `centre`, and what is as far as it measures `scale`
    /// pixels a metre.
    pub fn from_eye(eye: Vec3, target: Vec3, centre: [f32; 2], scale: f32) -> Self {
        let away = (target - eye).try_normalize().unwrap_or(Vec3::Z);
        let right = away.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        Self {
            right,
            up: right.cross(away),
            away,
            target,
            centre,
            scale,
            distance: Some((target - eye).length().max(NEAR)),
        }
    }

    pub fn pixel(&self, point: Vec3) -> [f32; 2] {
        let arm = point - self.target;
        let scale = self.scale_at(point);
        [
            self.centre[0] + arm.dot(self.right) * scale,
            self.centre[1] - arm.dot(self.up) * scale,
        ]
    }

    /// Pixels a metre at a point.
    pub fn scale_at(&self, point: Vec3) -> f32 {
        match self.distance {
            None => self.scale,
            Some(distance) => {
                let far = (distance + self.depth(point)).max(NEAR);
                self.scale * distance / far
            }
        }
    }

    /// Whether a point lies before the eye.
    pub fn sees(&self, point: Vec3) -> bool {
        self.distance
            .is_none_or(|distance| distance + self.depth(point) > NEAR)
    }

    /// Larger is farther. [m]
    pub fn depth(&self, point: Vec3) -> f32 {
        (point - self.target).dot(self.away)
    }
}

/// What of a skeleton is drawn, found once per clip.
pub struct Figure {
    bones: Vec<Bone>,
    head: Option<[usize; 2]>,
    feet: Vec<(usize, Contacts)>,
    stature: f32,
}

struct Bone {
    from: usize,
    to: usize,
    colour: Colour,
}

impl Figure {
    pub fn new(skeleton: &Skeleton) -> Self {
        let sides = joint_sides(skeleton);
        Self {
            bones: bones(skeleton, &sides),
            head: head(skeleton),
            feet: feet(skeleton),
            stature: rest_stature(skeleton),
        }
    }

    /// Height of the figure at rest, at least that of a doll. [m]
    pub fn stature(&self) -> f32 {
        self.stature
    }

    /// Draws one frame; `line` is the width of a limb. [px]
    pub fn draw(&self, canvas: &mut Canvas, camera: &Camera, points: &[Vec3], line: f32) {
        let depth = |bone: &&Bone| camera.depth(points[bone.from]) + camera.depth(points[bone.to]);
        let mut order: Vec<&Bone> = self.bones.iter().collect();
        order.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
        for bone in order {
            if !camera.sees(points[bone.from]) || !camera.sees(points[bone.to]) {
                continue;
            }
            let (from, to) = (
                camera.pixel(points[bone.from]),
                camera.pixel(points[bone.to]),
            );
            canvas.line(from, to, Pen::new(bone.colour, line));
        }
        if let Some([joint, top]) = self.head {
            let middle = (points[joint] + points[top]) * 0.5;
            let radius = camera.scale_at(middle) * self.stature * 0.055;
            if camera.sees(middle) {
                canvas.dot(camera.pixel(middle), radius, Colour::INK);
            }
        }
    }

    /// Dots where heel and ball of a foot are planted.
    pub fn draw_plants(
        &self,
        canvas: &mut Canvas,
        camera: &Camera,
        points: &[Vec3],
        contacts: Contacts,
        radius: f32,
    ) {
        for &(joint, part) in &self.feet {
            if contacts.any(part) {
                canvas.dot(camera.pixel(points[joint]), radius, Colour::PLANT);
            }
        }
    }
}

/// The side that each joint is on: its role's, its name's, or its parent's.
pub fn joint_sides(skeleton: &Skeleton) -> Vec<Option<Side>> {
    let mut sides: Vec<Option<Side>> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let inherited = joint.parent.and_then(|parent| sides[parent.index()]);
        sides.push(
            role_side(joint.role)
                .or(name_side(&joint.name))
                .or(inherited),
        );
    }
    sides
}

/// The joints of both feet with the contact bit that each stands for.
pub fn feet(skeleton: &Skeleton) -> Vec<(usize, Contacts)> {
    let joint = |role, part| Some((skeleton.with_role(role)?.index(), part));
    Side::BOTH
        .into_iter()
        .flat_map(|side| {
            [
                joint(Role::Foot(side), Contacts::heel(side)),
                joint(Role::Toe(side), Contacts::ball(side)),
            ]
        })
        .flatten()
        .collect()
}

/// The clip's floor, else a level one under its lowest point.
pub fn ground_of(clip: &Clip, positions: &Positions) -> Ground {
    let lowest = || {
        positions
            .as_slice()
            .iter()
            .map(|p| p.y)
            .fold(f32::MAX, f32::min)
    };
    clip.ground.unwrap_or_else(|| Ground::level(lowest()))
}

/// The direction of travel: the root's net way where it is long enough to tell, else the first
/// frame's heading. [rad]
pub fn travel_yaw(clip: &Clip) -> f32 {
    let (first, last) = (clip.root[0], clip.root[clip.len() - 1]);
    let way = last - first;
    match way.x.hypot(way.z) > 0.5 {
        true => way.x.atan2(way.z),
        false => afoot_core::yaw_of(clip.rotation(FrameId(0), JointId(0))),
    }
}

fn bones(skeleton: &Skeleton, sides: &[Option<Side>]) -> Vec<Bone> {
    let colour = |joint: usize| match sides[joint] {
        Some(Side::Left) => Colour::LEFT,
        Some(Side::Right) => Colour::RIGHT,
        None => Colour::INK,
    };
    let joints = skeleton.joints().iter().enumerate();
    let inner = joints.filter_map(|(to, joint)| {
        let from = joint.parent?.index();
        Some(Bone {
            from,
            to,
            colour: colour(to),
        })
    });
    let ends = skeleton
        .end_sites()
        .iter()
        .enumerate()
        .map(|(index, site)| Bone {
            from: site.parent.index(),
            to: skeleton.len() + index,
            colour: colour(site.parent.index()),
        });
    inner.chain(ends).collect()
}

fn head(skeleton: &Skeleton) -> Option<[usize; 2]> {
    let head = skeleton.with_role(Role::Head).or(skeleton.find("Head"))?;
    let end = skeleton
        .end_sites()
        .iter()
        .position(|site| site.parent == head);
    let top = end.map_or(head.index(), |index| skeleton.len() + index);
    Some([head.index(), top])
}

fn rest_stature(skeleton: &Skeleton) -> f32 {
    let rest: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let (_, points) = afoot_core::pose_kinematics(skeleton, Vec3::ZERO, &rest);
    let heights = points.iter().map(|p| p.y);
    let (low, high) = heights.fold((0f32, 0f32), |(l, h), y| (l.min(y), h.max(y)));
    (high - low).max(0.1)
}

fn role_side(role: Option<Role>) -> Option<Side> {
    use Role::{Arm, Finger, Foot, ForeArm, Hand, Leg, Shoulder, Toe, UpLeg};
    match role? {
        Shoulder(side) | Arm(side) | ForeArm(side) | Hand(side) | Finger(side) | UpLeg(side)
        | Leg(side) | Foot(side) | Toe(side) => Some(side),
        _ => None,
    }
}

/// For skeletons whose roles are not known: "LeftUpLeg", "mixamorig:RightHand", "LHipJoint".
fn name_side(name: &str) -> Option<Side> {
    let word = name.rsplit(':').next().unwrap_or(name);
    let second_is_capital = word.chars().nth(1).is_some_and(char::is_uppercase);
    let lower = word.to_ascii_lowercase();
    let starts = |long: &str, short: char| {
        lower.contains(long) || (word.starts_with(short) && second_is_capital)
    };
    match (starts("left", 'L'), starts("right", 'R')) {
        (true, false) => Some(Side::Left),
        (false, true) => Some(Side::Right),
        _ => None,
    }
}
