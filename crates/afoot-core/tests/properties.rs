//! Properties of edits that must hold for any clip: round trips, identities, involutions.

use std::sync::Arc;

use afoot_core::{
    Clip, Contacts, EndSite, FrameId, FrameRate, Ground, Joint, JointId, LabelSpan, Locomotion,
    Placement, Quat, Range32, RetargetOptions, Skeleton, Vec3, concatenate_clips, cut_clip,
    forward_kinematics, headings, kinematic_chains, mirror_clip, mirror_partners, pose_kinematics,
    resample_clip, resampled_len, retarget_clip, reverse_clip, sample_pose,
};
use proptest::prelude::*;

/// Names that pair up, so that mirroring has something to do.
const NAMES: [&str; 14] = [
    "Hips",
    "LeftUpLeg",
    "LeftLeg",
    "LeftFoot",
    "LeftToeBase",
    "RightUpLeg",
    "RightLeg",
    "RightFoot",
    "RightToeBase",
    "Spine",
    "Neck",
    "Head",
    "LeftArm",
    "RightArm",
];
const PARENTS: [u16; 14] = [0, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 9, 9];

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

fn rotation() -> impl Strategy<Value = Quat> {
    let nonzero = |q: &[f32; 4]| q.iter().map(|x| x * x).sum::<f32>() > 0.01;
    let parts = prop::array::uniform4(-1f32..1.0).prop_filter("too short", nonzero);
    parts.prop_map(|q| Quat::from_array(q).normalize())
}

/// A person with random bones and rest rotations.
fn skeleton() -> impl Strategy<Value = Skeleton> {
    let joint = (vector(0.5), prop_oneof![Just(Quat::IDENTITY), rotation()]);
    (prop::collection::vec(joint, NAMES.len()), vector(0.2)).prop_map(|(parts, tip)| {
        let joint = |(index, (offset, rest)): (usize, &(Vec3, Quat))| {
            let parent = (index > 0).then(|| JointId(PARENTS[index]));
            Joint {
                rest: *rest,
                ..Joint::new(NAMES[index], parent, *offset)
            }
        };
        let joints = parts.iter().enumerate().map(joint).collect();
        let tip = EndSite {
            parent: JointId(4),
            offset: tip,
        };
        Skeleton::new(joints, vec![tip])
            .expect("parents come first and names differ")
            .with_recognised_roles()
    })
}

/// Any clip, with facts for some, from no frame on.
fn clip() -> impl Strategy<Value = Clip> {
    (skeleton(), 0usize..20, any::<bool>()).prop_flat_map(|(skeleton, frames, known)| {
        let roots = prop::collection::vec(vector(5.0), frames);
        let turns = prop::collection::vec(rotation(), frames * NAMES.len());
        let skeleton = Arc::new(skeleton);
        (roots, turns).prop_map(move |(root, rotations)| {
            let mut clip = Clip::empty("any", skeleton.clone(), FrameRate::FPS_30);
            (clip.root, clip.rotations) = (root, rotations);
            if known {
                add_facts(&mut clip);
            }
            clip
        })
    })
}

fn add_facts(clip: &mut Clip) {
    let frames = clip.len();
    clip.contacts = (0..frames)
        .map(|frame| Contacts(frame as u8 & 127))
        .collect();
    clip.types = (0..frames)
        .map(|frame| Locomotion::ALL[frame % 5])
        .collect();
    clip.ground = Some(Ground {
        slope_x: 0.03,
        slope_z: -0.02,
        ..Ground::level(0.05)
    });
    if frames > 4 {
        clip.labels = vec![LabelSpan {
            frames: Range32 { start: 1, end: 4 },
            label: "wave".into(),
        }];
        clip.faults.push(2..3);
    }
}

fn same_turn(a: Quat, b: Quat) -> bool {
    a.dot(b).abs() > 1.0 - 1e-5
}

fn check_same_motion(a: &Clip, b: &Clip) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    for (a, b) in a.root.iter().zip(&b.root) {
        prop_assert!((*a - *b).length() < 1e-4, "{} is not {}", a, b);
    }
    prop_assert!(
        a.rotations
            .iter()
            .zip(&b.rotations)
            .all(|(a, b)| same_turn(*a, *b))
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn whole_clips_are_placed_like_single_poses(clip in clip()) {
        let points = forward_kinematics(&clip);
        for frame in (0..clip.len()).map(FrameId::from) {
            let (_, one) = pose_kinematics(&clip.skeleton, clip.root[frame.index()], clip.frame_rotations(frame));
            for (a, b) in points.frame(frame).iter().zip(one) {
                prop_assert!((*a - b).length() < 1e-4);
            }
        }
    }

    #[test]
    fn local_rotations_are_found_again_from_the_world(clip in clip()) {
        for frame in (0..clip.len()).map(FrameId::from) {
            let local = clip.frame_rotations(frame);
            let (world, points) = pose_kinematics(&clip.skeleton, clip.root[frame.index()], local);
            for (index, joint) in clip.skeleton.joints().iter().enumerate().skip(1) {
                let parent = joint.parent.unwrap().index();
                prop_assert!(same_turn(world[parent].conjugate() * world[index], local[index]));
                let offset = world[parent].conjugate() * (points[index] - points[parent]);
                prop_assert!((offset - joint.offset).length() < 1e-4);
            }
        }
    }

    #[test]
    fn mirrored_twice_is_the_same(clip in clip()) {
        let twice = mirror_clip(&mirror_clip(&clip));
        check_same_motion(&twice, &clip)?;
        prop_assert_eq!(twice.contacts, clip.contacts);
        prop_assert_eq!(twice.ground, clip.ground);
        let partners = mirror_partners(&clip.skeleton);
        for (index, partner) in partners.iter().enumerate() {
            prop_assert_eq!(partners[partner.index()].index(), index);
        }
    }

    #[test]
    fn headings_are_numbers_however_it_tumbles(clip in clip()) {
        let headings = headings(&clip);
        prop_assert_eq!(headings.len(), clip.len());
        prop_assert!(headings.iter().all(|heading| heading.is_finite()));
    }

    #[test]
    fn resampling_to_the_same_rate_is_nothing(clip in clip()) {
        prop_assert_eq!(resample_clip(&clip, clip.rate), clip);
    }

    #[test]
    fn up_and_down_again_is_the_same(clip in clip(), times in 2u32..5) {
        let faster = FrameRate::new(30 * times, 1).unwrap();
        let up = resample_clip(&clip, faster);
        prop_assert_eq!(up.len(), resampled_len(clip.len(), clip.rate, faster));
        prop_assert!(up.check().is_ok());
        let down = resample_clip(&up, clip.rate);
        prop_assert_eq!(&down.rotations, &clip.rotations);
        prop_assert_eq!(down, clip);
    }

    #[test]
    fn any_rate_keeps_the_first_frame_and_the_time(clip in clip(), n in 1u32..200, d in 1u32..5) {
        let rate = FrameRate::new(n, d).unwrap();
        let out = resample_clip(&clip, rate);
        prop_assert!(out.check().is_ok());
        prop_assert_eq!(out.root.first(), clip.root.first());
        if let Some(last) = clip.len().checked_sub(1) {
            let (end, out_end) = (last as f64 / 30.0, (out.len() - 1) as f64 * rate.frame_time());
            prop_assert!(out_end <= end + 1e-9 && out_end > end - rate.frame_time() - 1e-9);
        }
    }

    #[test]
    fn parts_joined_are_the_whole(clip in clip(), share in 0.0..1.0) {
        let at = (clip.len() as f64 * share) as u32;
        let parts = [cut_clip(&clip, 0..at).unwrap(), cut_clip(&clip, at..clip.len() as u32).unwrap()];
        let joined = concatenate_clips(&[&parts[0], &parts[1]], Placement::AsCaptured).unwrap();
        prop_assert_eq!(&joined.root, &clip.root);
        prop_assert_eq!(&joined.labels, &clip.labels);
        prop_assert_eq!(&joined.contacts, &clip.contacts);
        prop_assert!(joined.check().is_ok());
    }

    #[test]
    fn reversed_twice_is_the_same(clip in clip()) {
        prop_assert_eq!(reverse_clip(&reverse_clip(&clip)), clip);
    }

    #[test]
    fn retargeted_to_itself_is_the_same(clip in clip()) {
        let out = retarget_clip(&clip, &clip.skeleton, &RetargetOptions::default()).unwrap();
        check_same_motion(&out, &clip)?;
        prop_assert_eq!(out.labels, clip.labels);
    }

    #[test]
    fn retargeted_there_and_back_is_the_same(clip in clip(), size in 0.5f32..2.0) {
        let there = Arc::new((*clip.skeleton).clone().scaled(size));
        let options = RetargetOptions::default();
        let large = retarget_clip(&clip, &there, &options).unwrap();
        check_same_motion(&retarget_clip(&large, &clip.skeleton, &options).unwrap(), &clip)?;
    }

    #[test]
    fn a_sampled_pose_on_a_frame_is_that_frame(clip in clip()) {
        for frame in 0..clip.len() {
            let pose = sample_pose(&clip, frame as f64 * clip.rate.frame_time());
            prop_assert!((pose.root - clip.root[frame]).length() < 1e-4);
        }
    }

    #[test]
    fn every_joint_below_the_hips_is_in_one_chain(skeleton in skeleton()) {
        let mut joints: Vec<u16> = kinematic_chains(&skeleton).iter().flat_map(|chain| &chain.joints).map(|joint| joint.0).collect();
        joints.sort();
        prop_assert_eq!(joints, (1..skeleton.len() as u16).collect::<Vec<_>>());
    }
}
