//! Broken files: each gives one error that says where and what was expected.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_formats::{FormatError, Motion, ReadOptions, read_amc, read_asf, read_bvh};

const BVH: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Leg
  {
    OFFSET 0 -0.9 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET 0 0 0.2
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 1 0 0 0 0 10 20 30
0 1 0.1 0 0 0 11 21 31
";

const ASF: &str = ":version 1.10
:name figure
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  any text : here
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0 -1 0
    length 7.5
    axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 2
    name shank
    direction 0 -1 0
    length 7.5
    axis 0 0 20 XYZ
    dof rx
  end
:hierarchy
  begin
    root thigh
    thigh shank
  end
";

const AMC: &str = ":FULLY-SPECIFIED
:DEGREES
1
root 0 15 0 0 0 0
thigh 1 2 3
shank 4
2
root 0 15 1 0 0 0
thigh 1 2 4
shank 5
";

/// A change to a sound text, and what the error must say.
type Break = (&'static str, &'static str, &'static str);

fn check(sound: &str, breaks: &[Break], read: impl Fn(&str) -> Result<Motion, FormatError>) {
    if let Err(error) = read(sound) {
        panic!("the sound file is refused: {error}");
    }
    for &(from, to, expected) in breaks {
        assert!(sound.contains(from), "{from:?} is not in the sound file");
        let broken = sound.replacen(from, to, 1);
        match read(&broken) {
            Ok(_) => panic!("{from:?} -> {to:?} was read without an error"),
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(expected), "{from:?} -> {to:?}: {message}");
                assert!(!message.contains('\n'), "{message}");
            }
        }
    }
}

/// The text up to a place.
fn cut(sound: &str, before: &str, read: impl Fn(&str) -> Result<Motion, FormatError>) -> String {
    let end = sound.find(before).unwrap();
    read(&sound[..end]).unwrap_err().to_string()
}

#[test]
fn broken_bvh() {
    let read = |text: &str| read_bvh(text.as_bytes(), &ReadOptions::default());
    check(
        BVH,
        &[
            (
                "HIERARCHY",
                "HIERARHY",
                "line 1, column 1: expected HIERARCHY, found \"HIERARHY\"",
            ),
            (
                "ROOT Hips",
                "JOINT Hips",
                "line 2, column 1: expected ROOT, found \"JOINT\"",
            ),
            (
                "ROOT Hips",
                "ROOT",
                "line 2, column 5: expected the joint's name",
            ),
            ("{", "", "line 4, column 3: expected {, found \"OFFSET\""),
            (
                "OFFSET 0 0 0\n",
                "OFFSET 0 0\n",
                "line 5, column 3: expected a number of OFFSET's",
            ),
            ("OFFSET 0 0 0\n", "", "expected OFFSET, found \"CHANNELS\""),
            (
                "0 -0.9 0",
                "0 nan 0",
                "line 8, column 14: expected a finite number, found \"nan\"",
            ),
            (
                "0 -0.9 0",
                "0 1e999 0",
                "line 8, column 14: expected a finite number",
            ),
            (
                "CHANNELS 6",
                "CHANNELS 7",
                "line 6, column 3: expected a channel",
            ),
            (
                "CHANNELS 6",
                "CHANNELS 5",
                "line 5, column 64: expected JOINT, End Site or }",
            ),
            (
                "CHANNELS 6",
                "CHANNELS -1",
                "line 5, column 12: expected the number of channels",
            ),
            (
                "CHANNELS 3",
                "CHANNELS 9999999999",
                "line 10, column 5: expected a channel",
            ),
            (
                "CHANNELS 3",
                "CHANNELS 3.5",
                "expected the number of channels, found \"3.5\"",
            ),
            (
                "JOINT Leg",
                "JOINT Hips",
                "line 6, column 9: the name \"Hips\" is used twice",
            ),
            (
                "JOINT Leg",
                "BONE Leg",
                "line 6, column 3: expected JOINT, End Site or }",
            ),
            (
                "MOTION",
                "ROOT b{OFFSET 0 0 0}\nMOTION",
                "line 16, column 1: a second ROOT",
            ),
            (
                "MOTION",
                "",
                "line 17, column 1: expected MOTION, found \"Frames:\"",
            ),
            (
                "Frames: 2",
                "Frames: two",
                "line 17, column 9: expected the number of frames",
            ),
            (
                "Frames: 2",
                "Frames: 3",
                "the file is cut off: 2 of 3 frames",
            ),
            (
                "Frames: 2",
                "Frames: 999999999999",
                "2 of 999999999999 frames",
            ),
            (
                "Frames: 2",
                "Frames: -2",
                "line 17, column 9: expected the number of frames",
            ),
            (
                "Frames: 2\n",
                "",
                "line 17, column 1: expected Frames, found \"Frame\"",
            ),
            (
                "0.0333333",
                "0",
                "line 18, column 13: expected a frame time between",
            ),
            (
                "0.0333333",
                "-0.1",
                "line 18, column 13: expected a frame time between",
            ),
            (
                "0.0333333",
                "inf",
                "line 18, column 13: expected a finite number",
            ),
            (
                "10 20 30",
                "10 20",
                "line 19, column 18: frame 1 has 8 values, expected 9",
            ),
            (
                "10 20 30",
                "10 20 30 40",
                "line 19, column 22: expected the end of the line after 9",
            ),
            (
                "10 20 30",
                "10 20 NaN",
                "line 19, column 19: expected a finite number",
            ),
            (
                "10 20 30",
                "10 20 -1.#IND",
                "line 19, column 19: expected a finite number",
            ),
            (
                "10 20 30",
                "10 20 x30",
                "line 19, column 19: expected a number, found \"x30\"",
            ),
            (
                "10 20 30",
                "10 1,5 30",
                "line 19, column 16: expected a number, found \"1,5\"",
            ),
            (
                "11 21 31",
                "11 21",
                "line 20, column 20: the file is cut off in frame 2: 8 of its 9",
            ),
        ],
        read,
    );
    assert_eq!(
        cut(BVH, "HIERARCHY", read),
        "line 1, column 1: expected HIERARCHY, found the end of the file"
    );
    assert!(cut(BVH, "End Site", read).contains("expected JOINT, End Site or }, found the end"));
    assert!(cut(BVH, "Frame Time", read).contains("expected Frame, found the end of the file"));
    assert!(cut(BVH, "0 1 0.1", read).contains("line 20, column 1: the file is cut off: 1 of 2"));
}

#[test]
fn a_file_without_channels_has_no_frames() {
    let text = "HIERARCHY ROOT a{OFFSET 0 0 0}MOTION Frames: 999999999999\nFrame Time: 1\n";
    let error = read_bvh(text.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("expected no frames, as no joint has channels"),
        "{error}"
    );
}

#[test]
fn too_many_joints_are_refused() {
    let mut text = String::from("HIERARCHY\nROOT r{OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
    for joint in 0..70_000 {
        text += &format!("JOINT j{joint}{{OFFSET 0 0 0}}\n");
    }
    text += "}\nMOTION\nFrames: 1\nFrame Time: 1\n0\n";
    let error = read_bvh(text.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("at most 65535 joints"),
        "{error}"
    );
}

#[test]
fn frames_that_would_burst_memory_are_refused() {
    let mut text = String::from("HIERARCHY\nROOT r{OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
    for joint in 0..1000 {
        text += &format!("JOINT j{joint}{{OFFSET 0 0 0}}\n");
    }
    text += "}\nMOTION\nFrames: 100000\nFrame Time: 1\n";
    text += &"0\n".repeat(100_000);
    let error = read_bvh(text.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("eight times the file's size"),
        "{error}"
    );
}

#[test]
fn broken_asf() {
    let read = |text: &str| {
        let asf = read_asf(text.as_bytes())?;
        read_amc(AMC.as_bytes(), &asf, &ReadOptions::default())
    };
    check(
        ASF,
        &[
            (
                ":version",
                "version",
                "line 1, column 1: expected a section such as :units or :root",
            ),
            (
                "length 0.45",
                "length 0",
                "line 5, column 10: expected the unit of length",
            ),
            (
                "length 0.45",
                "length nan",
                "line 5, column 10: expected a finite number",
            ),
            (
                "angle deg",
                "angle grad",
                "line 6, column 9: expected deg or rad, found \"grad\"",
            ),
            (
                ":root",
                ":rooot",
                "expected a section :root, found the end of the file",
            ),
            (
                "TX TY TZ",
                "TX TY TX",
                "line 10, column 15: expected a degree of freedom",
            ),
            (
                "TX TY TZ",
                "TX TY QZ",
                "line 10, column 15: expected a degree of freedom",
            ),
            (
                "axis XYZ",
                "axis XYX",
                "line 11, column 8: expected an order of axes such as XYZ",
            ),
            (
                "position 0 0 0",
                "position 0 0",
                "expected a number of position's three",
            ),
            (
                "  begin",
                "",
                "line 16, column 5: expected begin, found \"id\"",
            ),
            (
                "name thigh",
                "",
                "line 16, column 5: expected a bone with a name",
            ),
            (
                "name shank",
                "name thigh",
                "line 28, column 10: the name \"thigh\" is used twice",
            ),
            (
                "name shank",
                "name root",
                "line 28, column 10: the name \"root\" is used twice",
            ),
            (
                "direction 0 -1 0",
                "direction 0 inf 0",
                "expected a finite number, found \"inf\"",
            ),
            (
                "    direction 0 -1 0\n",
                "",
                "line 16, column 5: expected a bone with a direction",
            ),
            (
                "    length 7.5\n",
                "",
                "line 16, column 5: expected a bone with a length",
            ),
            (
                "axis 0 0 20 XYZ",
                "axis 0 0 20",
                "expected an order of axes such as XYZ",
            ),
            (
                "dof rx ry rz",
                "dof rx rx",
                "line 21, column 12: expected a degree of freedom",
            ),
            ("(-70.0 70.0)", "(-70.0 7x)", "expected a limit, found \"7x"),
            (
                "  end\n:hierarchy",
                ":hierarchy",
                "line 33, column 1: expected end, closing the bone",
            ),
            (
                ":hierarchy",
                ":hierarch",
                "expected a section :hierarchy, found the end",
            ),
            (
                "root thigh",
                "root thigh knee",
                "line 36, column 16: expected a bone of :bonedata",
            ),
            (
                "thigh shank\n",
                "knee shank\n",
                "line 37, column 5: expected a bone of :bonedata",
            ),
            (
                "root thigh\n",
                "root thigh shank\n",
                "line 37, column 11: expected a bone that has no parent",
            ),
            (
                "root thigh\n",
                "shank thigh\n",
                "line 17, column 10: expected a bone that :hierarchy connects",
            ),
            (
                "    thigh shank\n",
                "",
                "line 28, column 10: expected a bone that :hierarchy connects",
            ),
        ],
        read,
    );
    let cut_off = cut(ASF, "    thigh shank", read);
    assert!(
        cut_off.contains("expected end, closing the hierarchy, found the end"),
        "{cut_off}"
    );
}

#[test]
fn broken_amc() {
    let asf = read_asf(ASF.as_bytes()).unwrap();
    let read = |text: &str| read_amc(text.as_bytes(), &asf, &ReadOptions::default());
    check(
        AMC,
        &[
            (
                "1\n",
                "one\n",
                "line 3, column 1: expected a frame number on its own line",
            ),
            (
                "1\n",
                "1 2\n",
                "line 3, column 1: expected a frame number on its own line",
            ),
            (
                "1\n",
                "1.5\n",
                "line 3, column 1: expected a frame number on its own line",
            ),
            (
                "thigh 1 2 3",
                "thigh 1 2",
                "line 5, column 10: expected another number for this bone",
            ),
            (
                "thigh 1 2 3",
                "thigh 1 2 3 4",
                "line 5, column 13: expected the end of the line after 3",
            ),
            (
                "thigh 1 2 3",
                "thigh 1 2 nan",
                "line 5, column 11: expected a finite number",
            ),
            (
                "thigh 1 2 3",
                "knee 1 2 3",
                "line 5, column 1: expected a bone of the skeleton file",
            ),
            (
                "shank 4",
                "thigh 4 4 4",
                "line 6, column 1: the name \"thigh\" is used twice",
            ),
            ("thigh 1 2 4\n", "", "frame 2: 2 of its 3 bones"),
        ],
        read,
    );
    let doubled = format!("{AMC}3\nroot 0 0 0 0 0 0\nthigh 1 2 3\nshank 4\n");
    let error = read(&doubled.replacen("thigh 1 2 4\n", "", 1))
        .unwrap_err()
        .to_string();
    assert_eq!(error, "line 10, column 1: frame 2 has 2 bones, expected 3");
    assert!(
        cut(AMC, "1\nroot", read)
            .contains("expected a frame number on its own line, found the end")
    );
    assert!(cut(AMC, "shank 5", read).contains("cut off in frame 2: 2 of its 3 bones"));
}
