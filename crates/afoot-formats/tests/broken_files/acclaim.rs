//! ASF and AMC files.

use afoot_formats::{ReadOptions, read_amc, read_asf};

use crate::{check, cut};

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
