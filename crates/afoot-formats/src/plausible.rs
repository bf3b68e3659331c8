//! Lengths and angles that no capture has: a digit too many, a number of another program's, a file
//! that was spoilt. They are refused where they are read, with their line, before they spoil what is made of
//! them: beyond some 1e18 m sums of squares are no longer numbers.

use afoot_core::{Clip, Vec3};

use crate::error::{FormatError, Problem};
use crate::files::Format;
use crate::motion::Motion;

/// Farther from the origin, or longer, nothing is: single precision holds 8 mm there. [m]
const FARTHEST: f32 = 1e5;

/// Whoever turns on and on is written with angles that add up; 2,778 turns are an hour of spinning. Far
/// beyond it a number holds no angle any more. [degrees]
pub(crate) const MOST_DEGREES: f64 = 1e6;
/// The same in words.
pub(crate) const PLAUSIBLE_ANGLE: &str = "an angle of at most 1,000,000 degrees";

/// Refuses a motion with lengths beyond [`FARTHEST`]; `bytes` is its file.
pub(crate) fn check_plausible(motion: &Motion, bytes: &[u8]) -> Result<(), FormatError> {
    let Some((what, metres)) = farthest(&motion.clip).filter(|(_, metres)| *metres > FARTHEST)
    else {
        return Ok(());
    };
    let is_text = matches!(motion.source.format, Format::Bvh | Format::Amc);
    let limit = f64::from(FARTHEST) / motion.source.metres_per_unit;
    if let Some((at, word)) = is_text.then(|| first_beyond(bytes, limit)).flatten() {
        let problem = Problem::Expected {
            expected: "a length of at most 100 km".into(),
            found: word,
        };
        return Err(FormatError::at(bytes, at, problem));
    }
    let words = format!("{what} {metres:e} m; expected at most 100 km");
    Err(FormatError::new(Problem::Unsupported(words)))
}

/// What lies farthest out, in words, and how far. [m]
fn farthest(clip: &Clip) -> Option<(String, f32)> {
    let size = |vector: &Vec3| vector.abs().max_element();
    let joints = clip.skeleton.joints().iter();
    let joints = joints.map(|joint| {
        (
            format!("{:?} has the length", joint.name),
            size(&joint.offset),
        )
    });
    let root = clip.root.iter().map(size).enumerate();
    let root = root.max_by(|a, b| a.1.total_cmp(&b.1));
    let root = root.map(|(frame, size)| (format!("in frame {frame} the root is at"), size));
    let sliding = clip
        .sliding
        .iter()
        .flat_map(|sliding| sliding.offsets.iter().map(size));
    let sliding = sliding.max_by(f32::total_cmp);
    let sliding = sliding.map(|size| ("a joint slides by".to_owned(), size));
    joints
        .chain(root)
        .chain(sliding)
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Where the first number beyond a limit stands in a text, and its word.
fn first_beyond(text: &[u8], limit: f64) -> Option<(usize, String)> {
    let mut at = 0;
    for word in text.split(u8::is_ascii_whitespace) {
        let number = std::str::from_utf8(word)
            .ok()
            .and_then(|word| word.parse::<f64>().ok());
        if number.is_some_and(|number| number.abs() > limit) {
            return Some((at, String::from_utf8_lossy(word).into_owned()));
        }
        at += word.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, read_bvh};

    fn walk(x: &str) -> String {
        format!(
            "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition \
             Zrotation Xrotation Yrotation\nJOINT Leg\n{{\nOFFSET 0 -90 0\nCHANNELS 3 Zrotation \
             Xrotation Yrotation\nEnd Site\n{{\nOFFSET 0 0 10\n}}\n}}\n}}\nMOTION\nFrames: 2\n\
             Frame Time: 0.0333333\n0 90 0 0 0 0 0 0 0\n{x} 90 0 0 0 0 0 0 0\n"
        )
    }

    #[test]
    fn a_length_that_nothing_has_is_refused_with_its_line_and_value() {
        for value in ["1e21", "-1e10", "4e12"] {
            let text = walk(value);
            let motion = read_bvh(text.as_bytes(), &ReadOptions::default()).unwrap();
            let error = check_plausible(&motion, text.as_bytes())
                .unwrap_err()
                .to_string();
            let line = text
                .lines()
                .position(|line| line.starts_with(value))
                .unwrap()
                + 1;
            assert!(
                error.contains(&format!("line {line}")) && error.contains(value),
                "{error}"
            );
        }
        for value in ["1e21", "-4e7", "1000001"] {
            let text = walk("0").replace(
                "0 90 0 0 0 0 0 0 0\n0",
                &format!("0 90 0 0 0 0 0 0 0\n0 90 0 0 {value} 0 0 0 0\n0"),
            );
            let error = read_bvh(
                text.replace("Frames: 2", "Frames: 3").as_bytes(),
                &ReadOptions::default(),
            );
            let error = error.unwrap_err().to_string();
            assert!(
                error.contains("line 20, column 10") && error.contains(value),
                "{error}"
            );
        }
        let text = walk("250000"); // 2.5 km in centimetres
        let motion = read_bvh(text.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(check_plausible(&motion, text.as_bytes()), Ok(()));
    }
}
