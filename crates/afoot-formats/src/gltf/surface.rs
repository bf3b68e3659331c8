//! The skinned meshes of a glTF file as a few dozen points of the body's surface.
//!
//! Each vertex is fixed to the joint that has the most weight over it (`JOINTS_0`, `WEIGHTS_0`): its
//! place is what the joint's inverse bind matrix makes of `POSITION`, with the scale that the scene
//! has there. Near joints that differs from full skinning by a centimetre or two, always in the
//! same way. `spread` chooses among them. Meshes without a skin, other primitives than triangles
//! and morph targets are left out, and so is the stand-in body that our own writer makes.
//! Vertices are read where they lie; there can't be more than the buffers have room for.

use afoot_core::{JointId, SurfacePoint, Vec3, pose_kinematics};
use glam::Mat4;

use super::accessor::Elements;
use super::container::Container;
use super::document::{Node, Primitive, Skin};
use super::read::local_transform;
use super::write::GENERATOR;
use crate::error::FormatError;
use crate::scene::{Found, expected};
use crate::spread::{Vertex, spread_points};

/// Points that stand for a body.
const POINTS: usize = 64;
/// `mode` of triangles, which is the default.
const TRIANGLES: u32 = 4;
/// Bytes that a vertex takes at least: a position, four joints, four weights.
const VERTEX_BYTES: usize = 20;

/// Points of the meshes around a skeleton; none without a skinned mesh.
pub fn read_surface(
    container: &Container,
    found: &Found,
) -> Result<Vec<SurfacePoint>, FormatError> {
    let document = &container.document;
    if document.asset.generator.as_deref() == Some(GENERATOR) {
        return Ok(Vec::new());
    }
    let mut reader = SurfaceReader::new(container, found);
    for (mesh, skin) in document.nodes.iter().filter_map(worn) {
        let (Some(mesh), Some(skin)) = (document.meshes.get(mesh), document.skins.get(skin)) else {
            return Err(expected("a mesh and a skin that exist", "none".into()));
        };
        for primitive in &mesh.primitives {
            if primitive.mode.unwrap_or(TRIANGLES) == TRIANGLES {
                reader.read(primitive, skin)?;
            }
        }
    }
    Ok(spread_points(&reader.vertices, POINTS))
}

/// The mesh and the skin of a node that has both.
fn worn(node: &Node) -> Option<(usize, usize)> {
    node.mesh.zip(node.skin)
}

struct SurfaceReader<'a> {
    container: &'a Container,
    /// The joint of each node.
    joints: Vec<Option<JointId>>,
    /// Each joint's scale in the scene.
    scales: Vec<f32>,
    /// Each joint in the rest pose, in the world.
    rest: (Vec<afoot_core::Quat>, Vec<Vec3>),
    vertices: Vec<Vertex>,
    /// Vertices and triangles that there may still be.
    room: [usize; 2],
}

impl<'a> SurfaceReader<'a> {
    fn new(container: &'a Container, found: &Found) -> Self {
        let nodes = &container.document.nodes;
        let mut joints = vec![None; nodes.len()];
        for (joint, &node) in found.nodes.iter().enumerate() {
            joints[node] = Some(JointId::from(joint));
        }
        let own = |node: usize| {
            let scale = local_transform(&nodes[node]).2;
            (scale.x * scale.y * scale.z).abs().cbrt()
        };
        let scales = found.nodes.iter().zip(&found.scales);
        let rest = found.skeleton.rest_pose();
        let bytes: usize = container.buffers.iter().map(Vec::len).sum();
        Self {
            container,
            joints,
            scales: scales.map(|(&node, scale)| scale * own(node)).collect(),
            rest: pose_kinematics(&found.skeleton, rest.root, &rest.rotations),
            vertices: Vec::new(),
            room: [bytes / VERTEX_BYTES, bytes],
        }
    }

    /// Adds the vertices of a primitive, with the area of its triangles.
    fn read(&mut self, primitive: &Primitive, skin: &Skin) -> Result<(), FormatError> {
        let attributes = &primitive.attributes;
        let (Some(position), Some(joints), Some(weights)) = (
            attributes.position,
            attributes.joints_0,
            attributes.weights_0,
        ) else {
            return Ok(());
        };
        let container = self.container;
        let skinned = Skinned {
            positions: container.elements(position, "VEC3")?,
            joints: container.elements(joints, "VEC4")?,
            weights: container.elements(weights, "VEC4")?,
            binds: match skin.inverse_bind_matrices {
                Some(index) => Some(container.elements(index, "MAT4")?),
                None => None,
            },
            skin,
        };
        let count = skinned.positions.count;
        if skinned.joints.count != count || skinned.weights.count != count {
            let found = format!(
                "{} joints, {} weights",
                skinned.joints.count, skinned.weights.count
            );
            return Err(expected(
                &format!("{count} joints and weights of vertices"),
                found,
            ));
        }
        self.take_room(0, count)?;
        let first = self.vertices.len();
        for vertex in 0..count {
            let placed = self.place(&skinned, vertex)?;
            self.vertices.push(placed);
        }
        self.add_areas(primitive, &skinned, first)
    }

    /// A vertex at rest, fixed to its joint.
    fn place(&self, skinned: &Skinned, vertex: usize) -> Result<Vertex, FormatError> {
        let slot = skinned.dominant(vertex);
        let node = skinned.skin.joints.get(slot).copied();
        let joint = node.and_then(|node| self.joints.get(node).copied());
        let joint =
            joint.ok_or_else(|| expected("a joint of the skin", format!("number {slot}")))?;
        // What hangs on an end site moves with no joint that we keep.
        let Some(joint) = joint else {
            return Ok(Vertex::NOWHERE);
        };
        let offset = skinned.in_joint(slot, vertex)? * self.scales[joint.index()];
        let (rotations, points) = &self.rest;
        let at_rest = points[joint.index()] + rotations[joint.index()] * offset;
        Ok(Vertex {
            joint,
            offset,
            at_rest,
            area: 0.0,
        })
    }

    /// Gives each corner a third of its triangles, measured in the first corner's joint.
    fn add_areas(
        &mut self,
        primitive: &Primitive,
        skinned: &Skinned,
        first: usize,
    ) -> Result<(), FormatError> {
        let indices = match primitive.indices {
            Some(index) => Some(self.container.elements(index, "SCALAR")?),
            None => None,
        };
        let count = skinned.positions.count;
        let corners = indices.as_ref().map_or(count, |indices| indices.count);
        self.take_room(1, corners / 3)?;
        for triangle in 0..corners / 3 {
            let corner = |n: usize| match &indices {
                Some(indices) => indices.integers::<1>(3 * triangle + n)[0] as usize,
                None => 3 * triangle + n,
            };
            let corners = [corner(0), corner(1), corner(2)];
            if let Some(wrong) = corners.iter().find(|corner| **corner >= count) {
                let found = format!("number {wrong}");
                return Err(expected(&format!("indices below {count}"), found));
            }
            let joint = self.vertices[first + corners[0]].joint;
            let slot = skinned.dominant(corners[0]);
            let scale = self.scales.get(joint.index()).copied().unwrap_or(0.0);
            let mut points = [Vec3::ZERO; 3];
            for (point, corner) in points.iter_mut().zip(corners) {
                *point = skinned.in_joint(slot, corner)? * scale;
            }
            let area = (points[1] - points[0])
                .cross(points[2] - points[0])
                .length()
                / 2.0;
            for corner in corners {
                self.vertices[first + corner].area += area / 3.0;
            }
        }
        Ok(())
    }

    fn take_room(&mut self, kind: usize, count: usize) -> Result<(), FormatError> {
        let left = self.room[kind].checked_sub(count);
        self.room[kind] = left.ok_or_else(|| {
            expected(
                "meshes that fit into their buffers",
                "the same data again and again".into(),
            )
        })?;
        Ok(())
    }
}

/// The vertices of a primitive where they lie.
struct Skinned<'a> {
    positions: Elements<'a>,
    joints: Elements<'a>,
    weights: Elements<'a>,
    binds: Option<Elements<'a>>,
    skin: &'a Skin,
}

impl Skinned<'_> {
    /// The skin's joint with the most weight over a vertex, the first of equal ones.
    fn dominant(&self, vertex: usize) -> usize {
        let weights = self.weights.floats::<4>(vertex);
        let mut best = 0;
        for slot in 1..4 {
            if weights[slot] > weights[best] {
                best = slot;
            }
        }
        self.joints.integers::<4>(vertex)[best] as usize
    }

    /// A vertex in the frame of one of the skin's joints, before the scene's scale.
    fn in_joint(&self, slot: usize, vertex: usize) -> Result<Vec3, FormatError> {
        let point = Vec3::from_array(self.positions.floats::<3>(vertex));
        match &self.binds {
            None => Ok(point),
            Some(binds) if slot < binds.count => {
                Ok(Mat4::from_cols_array(&binds.floats::<16>(slot)).transform_point3(point))
            }
            Some(binds) => {
                let words = format!("an inverse bind matrix for joint {slot} of a skin");
                Err(expected(&words, format!("{} of them", binds.count)))
            }
        }
    }
}
