//! What ASF and AMC files say, and what is made of it.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::f32::consts::{FRAC_PI_2, PI};

use afoot_core::{Clip, FrameId, FrameRate, Quat, Vec3, forward_kinematics};
use afoot_formats::acclaim::{Dof, DofKind};
use afoot_formats::euler::Axis;
use afoot_formats::{
    Asf, Motion, ReadOptions, Unit, UnitOption, UnitOrigin, UpAxis, UpOption, read_amc, read_asf,
};

/// Two bones of 2 and 1, the second with its own axes.
fn asf(root: &str, units: &str, second: &str) -> Asf {
    let text = format!(
        "# a comment\n:version 1.10\n:name two bones\n:units\n mass 1.0\n{units}\n:documentation\n\
         begin nothing : here\n:root # another\n{root}\n:bonedata\n begin\n id 1\n name upper\n\
         bodymass 3\n direction 0 -1 0\n length 2\n axis 0 0 0 XYZ\n dof rx ry rz\n end\n\
         begin\n id 2\n name lower\n direction 0,-1,0\n length 1\n{second}\n end\n:hierarchy\n\
         begin\n root upper\n upper lower\n end\n:skin ignored.skn\n"
    );
    read_asf(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const ROOT: &str = " order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0";
const DEGREES: &str = " length 1.0\n angle deg";
const SECOND: &str = " axis 0 0 90 XYZ\n dof rx";

fn as_written() -> ReadOptions {
    ReadOptions {
        unit: UnitOption::Unit(Unit::Metre),
        up: UpOption::Axis(UpAxis::Y),
        ..ReadOptions::default()
    }
}

fn read(asf: &Asf, amc: &str) -> Motion {
    read_amc(amc.as_bytes(), asf, &as_written()).unwrap_or_else(|error| panic!("{error}\n{amc}"))
}

/// Root, start of the upper bone, of the lower bone, and its tip.
fn points(clip: &Clip, frame: usize) -> [Vec3; 4] {
    forward_kinematics(clip)
        .frame(FrameId::from(frame))
        .try_into()
        .unwrap()
}

fn check(found: Vec3, x: f32, y: f32, z: f32) {
    assert!(
        found.distance(Vec3::new(x, y, z)) < 1e-5,
        "{found} is not {x}, {y}, {z}"
    );
}

#[test]
fn bones_turn_about_their_own_axes() {
    let asf = asf(ROOT, DEGREES, SECOND);
    let motion = read(
        &asf,
        ":FULLY-SPECIFIED\n:DEGREES\n7\nroot 1 5 0 0 0 0\nupper 0 0 0\nlower 90\n",
    );
    assert_eq!(motion.source.first_frame, 7);
    assert_eq!(motion.clip.rate, FrameRate::new(120, 1).unwrap());
    let names: Vec<&str> = motion
        .clip
        .skeleton
        .joints()
        .iter()
        .map(|j| j.name.as_str())
        .collect();
    assert_eq!(names, ["root", "upper", "lower"]);
    let [root, upper, lower, tip] = points(&motion.clip, 0);
    check(root, 1.0, 5.0, 0.0);
    check(upper, 1.0, 5.0, 0.0);
    check(lower, 1.0, 3.0, 0.0);
    // The bone's x axis is turned by 90° about z, so it is global y: down stays down.
    check(tip, 1.0, 2.0, 0.0);
    let plain = self::asf(ROOT, DEGREES, " dof rx");
    let [.., tip] = points(&read(&plain, "1\nroot 1 5 0 0 0 0\nlower 90\n").clip, 0);
    check(tip, 1.0, 3.0, -1.0);
}

#[test]
fn turns_are_applied_in_the_order_they_are_listed() {
    let text = "1\nroot 0 0 0 0 0 0\nupper 0 0 0\nlower 30 50\n";
    let (x, y) = (30_f32.to_radians(), 50_f32.to_radians());
    let (x_turn, y_turn) = (Quat::from_rotation_x(x), Quat::from_rotation_y(y));
    let tip = |dofs: &str| points(&read(&asf(ROOT, DEGREES, dofs), text).clip, 0)[3];
    let expected = Vec3::new(0.0, -2.0, 0.0) + y_turn * x_turn * Vec3::NEG_Y;
    assert!(tip(" dof rx ry").distance(expected) < 1e-5);
    let (x_turn, y_turn) = (Quat::from_rotation_x(y), Quat::from_rotation_y(x));
    let expected = Vec3::new(0.0, -2.0, 0.0) + x_turn * y_turn * Vec3::NEG_Y;
    assert!(tip(" dof ry rx").distance(expected) < 1e-5);
}

#[test]
fn the_root_has_an_order_and_a_preset() {
    let root = " axis ZYX\n order RZ TY RX TX RY TZ\n position 10 0 0\n orientation 0 90 0";
    let motion = read(&asf(root, DEGREES, SECOND), "1\nroot 90 5 0 1 0 2\n");
    let [root, _, lower, _] = points(&motion.clip, 0);
    check(root, 11.0, 5.0, 2.0);
    // Down, turned by 90° about z is +x; then the preset turns it to −z.
    check(lower - root, 0.0, 0.0, -2.0);
}

#[test]
fn angles_are_degrees_or_radians() {
    let radians = asf(
        ROOT,
        " length 1.0\n angle rad",
        " axis 0 0 1.5707963 XYZ\n dof rz",
    );
    let text = format!("1\nroot 0 0 0 0 0 0\nlower {FRAC_PI_2}\n");
    let expected = |clip: &Clip| check(points(clip, 0)[3], 1.0, -2.0, 0.0);
    expected(&read(&radians, &text).clip);
    // The motion file has the last word on its own angles.
    expected(
        &read(
            &radians,
            &format!(":DEGREES\n{}", text.replace("1.5707964", "90")),
        )
        .clip,
    );
    let degrees = asf(ROOT, DEGREES, " dof rz");
    expected(&read(&degrees, &format!(":RADIANS\n{text}")).clip);
}

#[test]
fn limits_are_kept() {
    let second = " dof rx tz ry\n limits (-90 180)\n  (-inf 3.5)\n  (0.0, Inf)";
    let bone = &asf(ROOT, DEGREES, second).bones[1];
    let infinite = f32::INFINITY;
    let dof = |kind, limits| Dof { kind, limits };
    let expected = [
        dof(DofKind::Turn(Axis::X), [-FRAC_PI_2, PI]),
        dof(DofKind::Shift(Axis::Z), [-infinite, 3.5]),
        dof(DofKind::Turn(Axis::Y), [0.0, infinite]),
    ];
    assert_eq!(&*bone.dofs, expected);
}

#[test]
fn lengths_are_divided_by_the_unit_of_length() {
    let stated = asf(ROOT, " length 0.45\n angle deg", SECOND);
    let text = b"1\nroot 0 9 0 0 0 0\n";
    let motion = read_amc(text, &stated, &ReadOptions::default()).unwrap();
    assert_eq!(motion.source.unit_origin, UnitOrigin::Stated);
    assert!((motion.source.metres_per_unit - Unit::Cmu.metres()).abs() < 1e-12);
    check(motion.clip.root[0], 0.0, 0.508, 0.0);
    let options = ReadOptions {
        unit: UnitOption::Unit(Unit::Centimetre),
        ..as_written()
    };
    let motion = read_amc(text, &stated, &options).unwrap();
    check(motion.clip.root[0], 0.0, 0.2, 0.0);
    // Nothing stated: the legs decide, and these are no legs.
    let unstated = asf(ROOT, DEGREES, SECOND);
    let motion = read_amc(text, &unstated, &ReadOptions::default()).unwrap();
    assert_eq!(motion.source.unit_origin, UnitOrigin::Assumed);
    let warnings = &motion.source.warnings;
    assert!(warnings[0].contains("no unit gives legs"), "{warnings:?}");
}

#[test]
fn bones_may_shift() {
    let asf = asf(ROOT, DEGREES, " axis 0 0 90 XYZ\n dof tx rz l");
    let motion = read(
        &asf,
        "1\nroot 0 0 0 0 0 0\nlower 0.5 90 7\n2\nroot 0 0 0 0 0 0\nlower 0 0 0\n",
    );
    assert!(motion.source.warnings[0].contains("length of \"lower\""));
    let [_, _, lower, tip] = points(&motion.clip, 0);
    // Its x axis is global y.
    check(lower, 0.0, -1.5, 0.0);
    check(tip, 1.0, -1.5, 0.0);
    check(points(&motion.clip, 1)[2], 0.0, -2.0, 0.0);
}

#[test]
fn what_a_frame_leaves_out_stays_as_it_was() {
    let asf = asf(ROOT, DEGREES, " dof rx");
    let text = "5\nroot 0 1 0 0 0 0\nlower 90\n6\nroot 0 2 0 0 0 0\n9\nroot 0 3 0 0 0 0\nlower 0\n";
    let motion = read(&asf, text);
    assert_eq!(motion.clip.len(), 3);
    check(points(&motion.clip, 1)[3], 0.0, 0.0, -1.0);
    check(points(&motion.clip, 2)[3], 0.0, 0.0, 0.0);
    let warnings = &motion.source.warnings;
    assert!(
        warnings[0].contains("1 bones have no values in the first frame"),
        "{warnings:?}"
    );
    assert!(
        warnings[1].contains("frame numbers jump from 6 to 9"),
        "{warnings:?}"
    );
}

#[test]
fn cut_off_motion_is_refused_unless_partial_is_asked_for() {
    let asf = asf(ROOT, DEGREES, " dof rx");
    let text = ":FULLY-SPECIFIED\n1\nroot 0 1 0 0 0 0\nupper 0 0 0\nlower 90\n\
                2\nroot 0 1 0 0 0 0\nupper 1 2 3\nlower 90\n";
    let second = text.find("2\nroot").unwrap();
    let partial = ReadOptions {
        partial: true,
        ..as_written()
    };
    for end in second + 1..text.len() - 3 {
        let cut = &text.as_bytes()[..end];
        assert!(read_amc(cut, &asf, &as_written()).is_err(), "cut at {end}");
        let motion = read_amc(cut, &asf, &partial).unwrap_or_else(|e| panic!("cut at {end}: {e}"));
        assert_eq!(motion.clip.len(), 1, "cut at {end}");
        assert!(
            motion.source.warnings[0].contains("cut off"),
            "{:?}",
            motion.source.warnings
        );
    }
}

#[test]
fn the_frame_rate_is_an_option_unless_it_is_stated() {
    let asf = asf(ROOT, DEGREES, " dof rx");
    let rate = |text: &str, options: &ReadOptions| {
        read_amc(text.as_bytes(), &asf, options)
            .unwrap()
            .clip
            .rate
            .fps()
    };
    let text = "1\nroot 0 1 0 0 0 0\n";
    let stated = format!(":SAMPLES-PER-SECOND 60\n{text}");
    let given = ReadOptions {
        rate: Some(FrameRate::FPS_30),
        ..as_written()
    };
    assert_eq!(rate(text, &as_written()), 120.0);
    assert_eq!(rate(&stated, &as_written()), 60.0);
    assert_eq!(rate(&stated, &given), 30.0);
}
