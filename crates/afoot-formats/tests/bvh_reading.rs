//! What BVH files come with, and what is made of it.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_core::{Channel, FrameId, FrameRate, JointId, Quat, Vec3, forward_kinematics};
use afoot_formats::{
    Motion, PositionChannels, ReadOptions, Unit, UnitOption, UnitOrigin, UpAxis, UpOption, read_bvh,
};

/// In metres, y up, so that numbers stay as they stand.
fn as_written() -> ReadOptions {
    ReadOptions {
        unit: UnitOption::Unit(Unit::Metre),
        up: UpOption::Axis(UpAxis::Y),
        ..ReadOptions::default()
    }
}

fn read(text: &str) -> Motion {
    read_bvh(text.as_bytes(), &as_written()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-5
}

/// A root and one joint with these channels, an end site 1 m along y, and rows.
fn arm(channels: &str, rows: &str) -> String {
    let frames = rows.lines().count();
    format!(
        "HIERARCHY\nROOT Base\n{{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n\
         JOINT Arm\n{{\nOFFSET 0 2 0\n{channels}\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n}}\n\
         MOTION\nFrames: {frames}\nFrame Time: 0.04\n{rows}\n"
    )
}

#[test]
fn a_frame_time_is_believed_as_far_as_its_digits_go() {
    for (written, rate) in [
        ("0.0333", (30, 1)),
        ("0.033", (30, 1)),
        (".0167", (60, 1)),
        ("0.0417", (24, 1)),
        ("0.0333667", (30000, 1001)),
        ("0.0300300", (33300, 1000)),
    ] {
        let text = arm("CHANNELS 1 Xrotation", "0 0 0 5\n0 0 0 6");
        let read = read(&text.replace("Frame Time: 0.04", &format!("Frame Time: {written}")));
        let expected = FrameRate::new(rate.0, rate.1).unwrap();
        assert_eq!(read.clip.rate, expected, "{written}");
    }
}

#[test]
fn text_in_every_dress() {
    let text = "\u{feff}hierarchy\r\nRoot\tHips of Bob \r\n{\r\n\tOFFSET 0 0 0 \n\
        CHANNELS 6 Xposition yposition ZPOSITION Zrotation Yrotation Xrotation \r\n\
        joint Leg{OFFSET 1e-1 -.5 +2.5E-01\rCHANNELS 1 Xrotation\r\nEND SITE\t{ OFFSET 0 -4. 0 }\n}\n\
        JOINT Bare { OFFSET 0 1 0 }\nJOINT Still\n{\nOFFSET 0 0 0\nCHANNELS 0\nend site\n{\n\
        OFFSET 0.0 0.0 0.0\n}\n}\n}\nmotion\nframes:2\nFRAME TIME: .008333\r\n\
        1 2 3 0 90 0 -90\t \r\n\r\n\t 1.5 -2 3e0   0 +90.0 0 9.0e1  ";
    let motion = read(text);
    let skeleton = &motion.clip.skeleton;
    let names: Vec<&str> = skeleton
        .joints()
        .iter()
        .map(|joint| joint.name.as_str())
        .collect();
    assert_eq!(names, ["Hips of Bob", "Leg", "Bare", "Still"]);
    assert_eq!(
        skeleton.joint(JointId(1)).offset,
        Vec3::new(0.1, -0.5, 0.25)
    );
    assert_eq!(skeleton.joint(JointId(1)).channels, [Channel::Xrotation]);
    assert_eq!(skeleton.joint(JointId(2)).channels, []);
    assert_eq!(skeleton.end_sites().len(), 2);
    assert_eq!(motion.clip.rate, FrameRate::new(120, 1).unwrap());
    assert_eq!(motion.source.frame_time, Some(0.008333));
    assert_eq!(
        motion.clip.root,
        [Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.5, -2.0, 3.0)]
    );
    assert_eq!(motion.source.warnings, Vec::<String>::new());
    let positions = forward_kinematics(&motion.clip);
    // Turned by 90° about y: x becomes −z, z becomes x.
    let knee = positions.joint(FrameId(0), JointId(1)) - motion.clip.root[0];
    assert!(near(knee, Vec3::new(0.25, -0.5, -0.1)), "{knee}");
}

#[test]
fn channels_turn_in_the_order_they_are_listed() {
    let rotations = [
        ('X', Quat::from_rotation_x as fn(f32) -> Quat),
        ('Y', Quat::from_rotation_y),
        ('Z', Quat::from_rotation_z),
    ];
    let angles = [30.0_f32, -75.0, 110.0];
    for a in 0..3 {
        for b in 0..3 {
            for c in 0..3 {
                let names = [a, b, c].map(|i: usize| format!("{}rotation", rotations[i].0));
                let text = arm(
                    &format!("CHANNELS 3 {}", names.join(" ")),
                    "0 0 0 30 -75 110",
                );
                let product = rotations[a].1(angles[0].to_radians())
                    * rotations[b].1(angles[1].to_radians())
                    * rotations[c].1(angles[2].to_radians());
                let tip = forward_kinematics(&read(&text).clip).frame(FrameId(0))[2];
                let expected = Vec3::new(0.0, 2.0, 0.0) + product * Vec3::Y;
                assert!(near(tip, expected), "{names:?}: {tip} is not {expected}");
            }
        }
    }
}

#[test]
fn positions_of_a_joint_replace_or_shift_its_offset() {
    let channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
    let place = |text: &str, meaning: PositionChannels| {
        let options = ReadOptions {
            position_channels: meaning,
            ..as_written()
        };
        let motion = read_bvh(text.as_bytes(), &options).unwrap();
        assert_eq!(motion.clip.sliding.len(), 1);
        let warned = motion.source.warnings.len() == 1;
        (
            forward_kinematics(&motion.clip).joint(FrameId(0), JointId(1)),
            warned,
        )
    };
    use PositionChannels::{Add, Auto, Replace};
    let near_offset = arm(channels, "0 0 0 0.1 2.1 0 0 0 0");
    assert_eq!(place(&near_offset, Auto), (Vec3::new(0.1, 2.1, 0.0), false));
    assert_eq!(place(&near_offset, Add), (Vec3::new(0.1, 4.1, 0.0), true));
    let near_zero = arm(channels, "0 0 0 0.1 0.25 0 0 0 0");
    assert_eq!(place(&near_zero, Auto), (Vec3::new(0.1, 2.25, 0.0), true));
    assert_eq!(
        place(&near_zero, Replace),
        (Vec3::new(0.1, 0.25, 0.0), false)
    );
    // One channel alone moves along its axis only; the others come from OFFSET.
    let one = arm("CHANNELS 2 Xposition Xrotation", "0 0 0 0.5 90");
    assert_eq!(place(&one, Auto).0, Vec3::new(0.5, 2.0, 0.0));
}

#[test]
fn a_root_may_lack_position_channels_or_have_an_offset() {
    let text = "HIERARCHY ROOT a{OFFSET 1 2 3 CHANNELS 1 Yposition}MOTION Frames: 1\n\
                Frame Time: 0.1\n7\n";
    let motion = read(text);
    assert_eq!(motion.clip.root, [Vec3::new(1.0, 7.0, 3.0)]);
    assert_eq!(
        motion.source.warnings.len(),
        1,
        "{:?}",
        motion.source.warnings
    );
}

#[test]
fn more_rows_than_promised_are_kept_with_a_warning() {
    for rows in [1, 7, 8, 9, 30] {
        let row = "0 0 0 10";
        let text = arm("CHANNELS 1 Xrotation", &vec![row; rows + 1].join("\n"));
        let text = text.replace(&format!("Frames: {}", rows + 1), &format!("Frames: {rows}"));
        let motion = read(&text);
        assert_eq!(motion.clip.len(), rows + 1);
        assert_eq!(motion.source.header_frames, Some(rows as u64));
        let expected = format!("promises {rows} frames, the file has {}", rows + 1);
        assert!(
            motion.source.warnings[0].contains(&expected),
            "{:?}",
            motion.source.warnings
        );
    }
}

#[test]
fn cut_off_files_are_refused_unless_partial_is_asked_for() {
    let text = arm("CHANNELS 1 Xrotation", "0 0 0 1\n0 0 0 2\n0 0 0 3");
    let cut_after = |what: &str| &text[..text.find(what).unwrap() + what.len()];
    let partial = ReadOptions {
        partial: true,
        ..as_written()
    };
    for (cut, frames, message) in [
        (cut_after("0 0 0 2\n"), 2, "2 of 3 frames"),
        (
            cut_after("0 0 0 2\n0 0"),
            2,
            "in frame 3: 2 of its 4 values",
        ),
        (cut_after("Frame Time: 0.04\n"), 0, "0 of 3 frames"),
    ] {
        let error = read_bvh(cut.as_bytes(), &as_written())
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{error}");
        let motion = read_bvh(cut.as_bytes(), &partial).unwrap();
        assert_eq!(motion.clip.len(), frames);
        assert!(!motion.source.warnings.is_empty());
    }
}

#[test]
fn absurd_counts_take_no_memory() {
    let text = arm("CHANNELS 1 Xrotation", "0 0 0 1");
    let text = text.replace("Frames: 1", "Frames: 999999999999");
    let error = read_bvh(text.as_bytes(), &as_written()).unwrap_err();
    assert!(
        error.to_string().contains("1 of 999999999999 frames"),
        "{error}"
    );
    let partial = ReadOptions {
        partial: true,
        ..as_written()
    };
    let motion = read_bvh(text.as_bytes(), &partial).unwrap();
    assert_eq!(motion.clip.len(), 1);
    assert!(motion.clip.rotations.capacity() < 100);
}

#[test]
fn deep_hierarchies_need_no_stack() {
    let depth = 60_000;
    let mut text = String::from("HIERARCHY\nROOT j0{OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
    for joint in 1..depth {
        text += &format!("JOINT j{joint}{{OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
    }
    text += &"}".repeat(depth);
    let row = vec!["0"; depth].join(" ");
    text += &format!("MOTION\nFrames: 1\nFrame Time: 0.1\n{row}\n");
    assert_eq!(read(&text).clip.joint_count(), depth);
}

#[test]
fn the_unit_and_the_up_axis_are_found() {
    let figure = |scale: f32, z_up: bool| {
        let mut text = String::from("HIERARCHY\n");
        let offset = |x: f32, y: f32, z: f32| {
            let [y, z] = if z_up { [-z, y] } else { [y, z] };
            format!("OFFSET {} {} {}\n", x * scale, y * scale, z * scale)
        };
        text += &format!("ROOT Hips{{{}", offset(0.0, 0.0, 0.0));
        text += "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n";
        for (name, x, y, z) in [
            ("UpLeg", 0.1, -0.05, 0.0),
            ("Leg", 0.0, -0.42, 0.0),
            ("Foot", 0.0, -0.42, 0.0),
            ("Toe", 0.0, -0.05, 0.15),
        ] {
            text += &format!("JOINT {name}{{{}", offset(x, y, z));
        }
        text += "}}}}";
        text += &format!("JOINT Head{{{}}}}}\n", offset(0.0, 0.6, 0.0));
        let [y, z] = if z_up { [2.0, 0.9] } else { [0.9, -2.0] };
        let row = format!("{} {} {} 0 0 0\n", 0.5 * scale, y * scale, z * scale);
        text + &format!("MOTION\nFrames: 1\nFrame Time: 0.1\n{row}")
    };
    let plain = read_bvh(figure(1.0, false).as_bytes(), &ReadOptions::default()).unwrap();
    for unit in Unit::ALL {
        for (z_up, up) in [(false, UpAxis::Y), (true, UpAxis::Z)] {
            let text = figure(1.0 / unit.metres() as f32, z_up);
            let motion = read_bvh(text.as_bytes(), &ReadOptions::default()).unwrap();
            let source = &motion.source;
            assert_eq!((source.up, source.unit_origin), (up, UnitOrigin::Guessed));
            assert_eq!(source.metres_per_unit, unit.metres());
            let (a, b) = (
                forward_kinematics(&plain.clip),
                forward_kinematics(&motion.clip),
            );
            let pairs = a.as_slice().iter().zip(b.as_slice());
            assert!(
                pairs.clone().all(|(a, b)| near(*a, *b)),
                "{} {up:?}",
                unit.name()
            );
        }
    }
}
