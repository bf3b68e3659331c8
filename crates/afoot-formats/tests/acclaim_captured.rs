//! ASF/AMC against BVH of the same captured motion; skipped where there is none.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use std::sync::Arc;

use afoot_core::{Clip, FrameId, Skeleton, Vec3, forward_kinematics};
use afoot_formats::{
    Motion, ReadOptions, Unit, UnitOrigin, WriteOptions, read_amc, read_asf, read_motion, write_amc,
};

/// BVH and ASF names of joints that are in the right place in both.
const LOWER: [(&str, &str); 14] = [
    ("Hips", "root"),
    ("LHipJoint", "lhipjoint"),
    ("LeftUpLeg", "lfemur"),
    ("LeftLeg", "ltibia"),
    ("LeftFoot", "lfoot"),
    ("LeftToeBase", "ltoes"),
    ("RHipJoint", "rhipjoint"),
    ("RightUpLeg", "rfemur"),
    ("RightLeg", "rtibia"),
    ("RightFoot", "rfoot"),
    ("RightToeBase", "rtoes"),
    ("LowerBack", "lowerback"),
    ("Spine", "upperback"),
    ("Spine1", "thorax"),
];

/// Joints that the BVH conversion put too low, and their names in ASF.
const UPPER: [(&str, &str); 17] = [
    ("Neck", "lowerneck"),
    ("Neck1", "upperneck"),
    ("Head", "head"),
    ("LeftShoulder", "lclavicle"),
    ("LeftArm", "lhumerus"),
    ("LeftForeArm", "lradius"),
    ("LeftHand", "lwrist"),
    ("LeftFingerBase", "lhand"),
    ("LeftHandIndex1", "lfingers"),
    ("LThumb", "lthumb"),
    ("RightShoulder", "rclavicle"),
    ("RightArm", "rhumerus"),
    ("RightForeArm", "rradius"),
    ("RightHand", "rwrist"),
    ("RightFingerBase", "rhand"),
    ("RightHandIndex1", "rfingers"),
    ("RThumb", "rthumb"),
];

/// The largest distance of named joints over the frames that both have. [m]
fn apart(bvh: &Clip, amc: &Motion, joints: &[(&str, &str)]) -> f32 {
    let (of_bvh, of_amc) = (forward_kinematics(bvh), forward_kinematics(&amc.clip));
    let mut worst = 0.0_f32;
    let first = usize::try_from(amc.source.first_frame).unwrap();
    for (bvh_name, asf_name) in joints {
        let in_bvh = bvh.skeleton.find(bvh_name).unwrap();
        let in_amc = amc.clip.skeleton.find(asf_name).unwrap();
        for frame in 0..amc.clip.len() {
            let a = of_bvh.joint(FrameId::from(first + frame), in_bvh);
            let b = of_amc.joint(FrameId::from(frame), in_amc);
            worst = worst.max(a.distance(b));
        }
    }
    worst
}

/// The BVH clip with the offsets that its conversion lost.
fn repaired(bvh: &Clip, lost: &serde_json::Value, scale: f64) -> Clip {
    let vector = |part: &str| {
        let number = |index: usize| (lost[part][index].as_f64().unwrap() * scale) as f32;
        Vec3::new(number(0), number(1), number(2))
    };
    let mut joints = bvh.skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.offset += match joint.name.as_str() {
            "Neck" | "LeftShoulder" | "RightShoulder" => vector("thorax"),
            "LeftFingerBase" | "LThumb" => vector("lwrist"),
            "RightFingerBase" | "RThumb" => vector("rwrist"),
            _ => Vec3::ZERO,
        };
    }
    let skeleton = Skeleton::new(joints, bvh.skeleton.end_sites().to_vec()).unwrap();
    Clip {
        skeleton: Arc::new(skeleton),
        ..bvh.clone()
    }
}

#[test]
fn asf_and_bvh_of_the_same_motion_agree() {
    let Some(folder) = support::cmu("asf") else {
        return;
    };
    let cmu = folder.parent().unwrap();
    let offsets = std::fs::read(cmu.join("upper_body_offsets.json")).unwrap();
    let offsets: serde_json::Value = serde_json::from_slice(&offsets).unwrap();
    for clip in ["16_15", "16_16", "08_02", "07_01", "11_01"] {
        let options = ReadOptions::default();
        let amc = read_motion(&folder.join(format!("{clip}.amc")), &options).unwrap();
        let bvh = read_motion(&cmu.join(format!("bvh/{clip}.bvh")), &options).unwrap();
        assert_eq!(amc.source.unit_origin, UnitOrigin::Stated);
        assert!((amc.source.metres_per_unit - Unit::Cmu.metres()).abs() < 1e-12);
        assert_eq!(amc.source.warnings, Vec::<String>::new(), "{clip}");
        assert!(amc.clip.len() > 100, "{clip}");
        let lower = apart(&bvh.clip, &amc, &LOWER);
        assert!(
            lower < 1e-3,
            "{clip}: legs, pelvis and spine differ by {lower} m"
        );
        let faulty = apart(&bvh.clip, &amc, &UPPER);
        assert!(
            faulty > 0.1,
            "{clip}: the known fault of the conversion is gone: {faulty} m"
        );
        let lost = &offsets["subjects"][&clip[..2]];
        let whole = repaired(&bvh.clip, lost, bvh.source.metres_per_unit);
        let upper = apart(&whole, &amc, &UPPER);
        assert!(upper < 1e-3, "{clip}: head and arms differ by {upper} m");
        eprintln!(
            "{clip}: {} frames, lower {lower:e} m, upper {upper:e} m",
            amc.clip.len()
        );
    }
}

#[test]
fn captured_clips_are_written_and_read_again() {
    let Some(folder) = support::cmu("asf") else {
        return;
    };
    for (path, exact) in [("16_15.amc", true), ("../bvh/16_15.bvh", false)] {
        let motion = read_motion(&folder.join(path), &ReadOptions::default()).unwrap();
        for options in [WriteOptions::like(&motion.source), WriteOptions::default()] {
            let written = write_amc(&motion.clip, &options).unwrap();
            let (_, asf) = written.companion.unwrap();
            let asf = read_asf(&asf).unwrap();
            let again = read_amc(&written.bytes, &asf, &ReadOptions::default()).unwrap();
            assert!(
                again.source.warnings.is_empty(),
                "{:?}",
                again.source.warnings
            );
            let (a, b) = (&motion.clip.skeleton, &again.clip.skeleton);
            assert_eq!(a.len(), b.len(), "{path}");
            assert!(!exact || a.same_topology(b), "{path}");
            let off = support::largest_distance_by_name(&motion.clip, &again.clip);
            assert!(off < 2e-5, "{path}: {off} m");
        }
    }
}
