//! A simple body around a skeleton, so that any viewer shows a figure: a tapered block per bone.
//!
//! Each bone's block hangs rigidly on the joint it starts from. In the rest pose, in metres.

use afoot_core::{Quat, Skeleton, Vec3};

/// Vertices, a joint each, and triangles.
#[derive(Debug, Default)]
pub struct Body {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub joints: Vec<u16>,
    pub indices: Vec<u32>,
}

/// Half the width of a bone over its length: slender enough for arms, solid enough for a torso.
const WIDTH_RATIO: f32 = 0.14;
/// Bones are drawn at least this thick and at most that. [m, half width]
const WIDTH_RANGE: (f32, f32) = (0.012, 0.07);
/// Bones shorter than this carry no block. [m]
const SHORTEST: f32 = 0.005;

/// Blocks for all bones, given the joints' rest rotations and positions (joints, then end sites).
pub fn generate_body(skeleton: &Skeleton, rest: &(Vec<Quat>, Vec<Vec3>)) -> Body {
    let mut body = Body::default();
    let (_, points) = rest;
    for (index, joint) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = joint.parent {
            body.add_bone(parent.0, points[parent.index()], points[index]);
        }
    }
    for (index, site) in skeleton.end_sites().iter().enumerate() {
        let (from, to) = (points[site.parent.index()], points[skeleton.len() + index]);
        body.add_bone(site.parent.0, from, to);
    }
    if body.positions.is_empty() {
        body.add_bone(0, points[0], points[0] + Vec3::Y * 0.1);
    }
    body
}

impl Body {
    /// A double pyramid from `from` to `to`, widest near the start.
    fn add_bone(&mut self, joint: u16, from: Vec3, to: Vec3) {
        let length = from.distance(to);
        if length < SHORTEST {
            return;
        }
        let along = (to - from) / length;
        let (side, front) = along.any_orthonormal_pair();
        let width = (length * WIDTH_RATIO).clamp(WIDTH_RANGE.0, WIDTH_RANGE.1);
        let middle = from + along * (0.25 * length);
        let ring = [side, front, -side, -front].map(|direction| middle + direction * width);
        for corner in 0..4 {
            let (a, b) = (ring[corner], ring[(corner + 1) % 4]);
            self.add_triangle(joint, [from, b, a]);
            self.add_triangle(joint, [to, a, b]);
        }
    }

    fn add_triangle(&mut self, joint: u16, corners: [Vec3; 3]) {
        let normal = (corners[1] - corners[0])
            .cross(corners[2] - corners[0])
            .normalize();
        for corner in corners {
            self.indices.push(self.positions.len() as u32);
            self.positions.push(corner);
            self.normals.push(normal);
            self.joints.push(joint);
        }
    }
}
