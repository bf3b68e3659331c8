//! BVH files.

use afoot_formats::{ReadOptions, read_bvh};

use crate::{check, cut};

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
