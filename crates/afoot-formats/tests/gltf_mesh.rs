//! Skinned meshes: the points that stand for a body move as the file says its vertices do.
#![allow(clippy::unwrap_used)] // a test may

use afoot_core::{FrameId, Skeleton, pose_kinematics};
use afoot_formats::{Motion, ReadOptions, Unit, UnitOption, read_gltf, write_glb};
use glam::{DMat4, DQuat, DVec3, Mat4, Quat, Vec3};
use serde_json::{Value, json};

/// Vertices around the arm, and frames of its motion.
const RINGS: usize = 24;
const AROUND: usize = 12;
const FRAMES: usize = 7;

/// A tube around a bent arm of three joints under an armature that turns and doubles everything.
struct Tube {
    document: Value,
    bytes: Vec<u8>,
    vertices: Vec<Vec3>,
    /// The joint of the skin that moves each vertex.
    joints: Vec<usize>,
    binds: Vec<Mat4>,
}

fn local(joint: usize) -> Mat4 {
    let (turn, offset) = match joint {
        0 => (Quat::from_rotation_y(0.3), Vec3::new(0.1, 0.5, 0.0)),
        1 => (Quat::from_rotation_z(0.2), Vec3::new(0.0, 0.4, 0.0)),
        _ => (Quat::from_rotation_x(-0.4), Vec3::new(0.0, 0.3, 0.05)),
    };
    Mat4::from_rotation_translation(turn, offset)
}

fn armature() -> Mat4 {
    let turn = Quat::from_rotation_x(0.5);
    Mat4::from_scale_rotation_translation(Vec3::splat(2.0), turn, Vec3::new(1.0, 0.0, -1.0))
}

fn turned(joint: usize, frame: usize) -> Quat {
    let angle = 0.2 * frame as f32 * (joint as f32 - 0.7);
    local(joint).to_scale_rotation_translation().1 * Quat::from_rotation_z(angle)
}

fn tube() -> Tube {
    let mut worlds = vec![armature() * local(0)];
    for joint in 1..3 {
        worlds.push(worlds[joint - 1] * local(joint));
    }
    let (mut vertices, mut joints, mut triangles) = (Vec::new(), Vec::new(), Vec::<u16>::new());
    for ring in 0..RINGS {
        let along = ring as f32 / (RINGS - 1) as f32;
        let joint = (along * 2.99) as usize;
        for corner in 0..AROUND {
            let angle = corner as f32 / AROUND as f32 * std::f32::consts::TAU;
            let around = Vec3::new(angle.cos(), 0.0, angle.sin()) * (0.05 + 0.03 * along);
            let here = Vec3::Y * (along * 2.99 - joint as f32) * 0.3 + around;
            vertices.push(worlds[joint].transform_point3(here));
            joints.push(joint);
            let [a, b] = [corner, (corner + 1) % AROUND].map(|c| (ring * AROUND + c) as u16);
            if ring + 1 < RINGS {
                let up = AROUND as u16;
                triangles.extend([a, b, a + up, b, b + up, a + up]);
            }
        }
    }
    let binds: Vec<Mat4> = worlds.iter().map(Mat4::inverse).collect();
    let mut tube = Tube {
        document: json!({
            "asset": {"version": "2.0", "generator": "a test"},
            "nodes": [
                {"name": "Armature", "children": [1], "matrix": armature().to_cols_array()},
                {"name": "Shoulder", "children": [2], "matrix": local(0).to_cols_array()},
                {"name": "Elbow", "children": [3], "matrix": local(1).to_cols_array()},
                {"name": "Wrist", "matrix": local(2).to_cols_array()},
                {"name": "Skin", "mesh": 0, "skin": 0},
            ],
            "meshes": [{"primitives": [{"attributes":
                {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}, "indices": 3}]}],
            "skins": [{"joints": [1, 2, 3], "inverseBindMatrices": 4}],
            "animations": [{"samplers": [], "channels": []}],
            "accessors": [], "bufferViews": [],
        }),
        bytes: Vec::new(),
        vertices,
        joints,
        binds,
    };
    tube.fill(&triangles);
    tube
}

impl Tube {
    fn fill(&mut self, triangles: &[u16]) {
        let positions: Vec<f32> = self.vertices.iter().flat_map(|v| v.to_array()).collect();
        self.floats("VEC3", &positions);
        let count = self.joints.len();
        // The strongest joint is in another slot each time.
        let slots = |vertex: usize, strong: u8, weak: u8| {
            let mut quad = [weak; 4];
            quad[vertex % 4] = strong;
            quad
        };
        let joints: Vec<u8> = (0..count)
            .flat_map(|v| slots(v, self.joints[v] as u8, 0))
            .collect();
        self.add("VEC4", 5121, count, &joints);
        let weights: Vec<u8> = (0..count).flat_map(|v| slots(v, 180, 25)).collect();
        self.add("VEC4", 5121, count, &weights);
        let indices: Vec<u8> = triangles.iter().flat_map(|i| i.to_le_bytes()).collect();
        self.add("SCALAR", 5123, triangles.len(), &indices);
        let binds: Vec<f32> = self.binds.iter().flat_map(Mat4::to_cols_array).collect();
        self.floats("MAT4", &binds);
        let times: Vec<f32> = (0..FRAMES).map(|frame| frame as f32 / 30.0).collect();
        self.floats("SCALAR", &times);
        for joint in 0..3 {
            let turns = (0..FRAMES).flat_map(|frame| turned(joint, frame).to_array());
            self.floats("VEC4", &turns.collect::<Vec<_>>());
            let animation = &mut self.document["animations"][0];
            let sampler = json!({"input": 5, "output": 6 + joint});
            animation["samplers"].as_array_mut().unwrap().push(sampler);
            let target = json!({"node": 1 + joint, "path": "rotation"});
            let channel = json!({"sampler": joint, "target": target});
            animation["channels"].as_array_mut().unwrap().push(channel);
        }
    }

    fn floats(&mut self, kind: &str, values: &[f32]) {
        let width = [("VEC3", 3), ("VEC4", 4), ("MAT4", 16)];
        let width = width.iter().find(|w| w.0 == kind).map_or(1, |w| w.1);
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.add(kind, 5126, values.len() / width, &bytes);
    }

    fn add(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) {
        let view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        let views = self.document["bufferViews"].as_array_mut().unwrap();
        views.push(view);
        let accessor = json!({"bufferView": views.len() - 1, "componentType": component,
            "count": count, "type": kind, "normalized": component == 5121});
        let accessors = self.document["accessors"].as_array_mut().unwrap();
        accessors.push(accessor);
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn read(&self, options: &ReadOptions) -> Motion {
        let mut document = self.document.clone();
        document["buffers"] = json!([{"byteLength": self.bytes.len(), "uri": "tube.bin"}]);
        let text = serde_json::to_vec(&document).unwrap();
        read_gltf(&text, options, &|_| Ok(self.bytes.clone())).unwrap()
    }

    /// Where the file says that a vertex is, fixed to its joint, in f64. [m]
    fn vertex_at(&self, vertex: usize, frame: usize) -> DVec3 {
        let mut world = armature().as_dmat4();
        for joint in 0..=self.joints[vertex] {
            let (_, _, offset) = local(joint).to_scale_rotation_translation();
            let turn: DQuat = turned(joint, frame).as_dquat().normalize();
            world *= DMat4::from_rotation_translation(turn, offset.as_dvec3());
        }
        let bind = self.binds[self.joints[vertex]].as_dmat4();
        (world * bind).transform_point3(self.vertices[vertex].as_dvec3())
    }
}

fn surface_at(motion: &Motion, frame: usize) -> Vec<DVec3> {
    let clip = &motion.clip;
    let local = clip.frame_rotations(FrameId::from(frame));
    let (rotations, points) = pose_kinematics(&clip.skeleton, clip.root[frame], local);
    let place = |point: &afoot_core::SurfacePoint| {
        let joint = point.joint.index();
        (points[joint] + rotations[joint] * point.offset).as_dvec3()
    };
    clip.skeleton.surface().iter().map(place).collect()
}

#[test]
fn the_points_are_vertices_and_move_with_them() {
    let tube = tube();
    let motion = tube.read(&ReadOptions::default());
    assert_eq!(motion.source.warnings, Vec::<String>::new());
    let surface = motion.clip.skeleton.surface();
    assert_eq!((surface.len(), motion.clip.len()), (64, FRAMES));
    let first = surface_at(&motion, 0);
    let distance = |vertex: &usize, at: DVec3| tube.vertex_at(*vertex, 0).distance(at);
    let vertices: Vec<usize> = first
        .iter()
        .map(|&at| {
            let near = |a: &usize, b: &usize| distance(a, at).total_cmp(&distance(b, at));
            (0..tube.vertices.len()).min_by(near).unwrap()
        })
        .collect();
    let mut worst = 0.0_f64;
    for frame in 0..FRAMES {
        for (&vertex, at) in vertices.iter().zip(surface_at(&motion, frame)) {
            worst = worst.max(tube.vertex_at(vertex, frame).distance(at));
        }
    }
    assert!(worst < 1e-5, "{worst} m");
}

#[test]
fn weights_are_the_shares_of_the_area_and_points_are_spread() {
    let motion = tube().read(&ReadOptions::default());
    let surface = motion.clip.skeleton.surface();
    let total: f32 = surface.iter().map(|point| point.weight).sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
    // The tube widens: its upper half has more of the area.
    let of_joint = |joint: u16| -> f32 {
        let of_it = surface.iter().filter(|point| point.joint.0 == joint);
        of_it.map(|point| point.weight).sum()
    };
    assert!(of_joint(2) > of_joint(0) && of_joint(0) > 0.15);
    let places = surface_at(&motion, 0);
    let mut least = f64::INFINITY;
    for (index, place) in places.iter().enumerate() {
        for other in &places[..index] {
            least = least.min(place.distance(*other));
        }
    }
    assert!(least > 0.04, "{least} m");
}

#[test]
fn a_unit_scales_the_points_too() {
    let tube = tube();
    let metres = tube.read(&ReadOptions::default());
    let options = ReadOptions {
        unit: UnitOption::Unit(Unit::Centimetre),
        ..ReadOptions::default()
    };
    let small = tube.read(&options);
    for (frame, scale) in [(0, 0.01), (FRAMES - 1, 0.01)] {
        for (large, small) in surface_at(&metres, frame)
            .iter()
            .zip(surface_at(&small, frame))
        {
            assert!((*large * scale).distance(small) < 1e-6);
        }
    }
}

type Damage = fn(&mut Value);

#[test]
fn a_mesh_that_is_wrong_is_left_out_with_a_word() {
    let bare = |skeleton: &Skeleton| skeleton.surface().is_empty();
    let breaks: [(&str, Damage); 6] = [
        ("number 99", |d| {
            d["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(99)
        }),
        ("SCALAR", |d| {
            d["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(5)
        }),
        ("2 of them", |d| d["accessors"][4]["count"] = json!(2)),
        ("indices below", |d| d["accessors"][0]["count"] = json!(9)),
        ("exist", |d| d["nodes"][4]["skin"] = json!(7)),
        ("again and again", |d| {
            let primitive = d["meshes"][0]["primitives"][0].clone();
            d["meshes"][0]["primitives"] = vec![primitive; 50].into();
        }),
    ];
    for (word, damage) in breaks {
        let mut tube = tube();
        damage(&mut tube.document);
        if word == "indices below" {
            for accessor in [1, 2] {
                tube.document["accessors"][accessor]["count"] = json!(9);
            }
        }
        let motion = tube.read(&ReadOptions::default());
        assert!(bare(&motion.clip.skeleton), "{word}");
        let warning = motion.source.warnings.join("; ");
        assert!(warning.contains(word), "{word}: {warning}");
    }
    let mut lines = tube();
    lines.document["meshes"][0]["primitives"][0]["mode"] = json!(1);
    let motion = lines.read(&ReadOptions::default());
    assert!(bare(&motion.clip.skeleton) && motion.source.warnings.is_empty());
}

#[test]
fn the_body_that_we_write_ourselves_is_no_mesh() {
    let motion = tube().read(&ReadOptions::default());
    let written = write_glb(&motion.clip);
    let again = read_gltf(&written, &ReadOptions::default(), &|_| Err("none".into())).unwrap();
    assert!(again.clip.skeleton.surface().is_empty());
    assert!(again.source.warnings.is_empty());
}
