//! Clips as requests name them: `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.

use std::ops::Range;

use afoot_core::FrameRate;

use crate::failure::Failure;

/// A clip's name and the part that is meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The clip.
    pub name: String,
    part: Part,
}

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Whole,
    Frames(Range<usize>),
    Seconds(Range<f64>),
}

impl Selection {
    /// Reads a selection as typed.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = || {
            Failure::bad_request(format!(
                "{text:?} is not a clip: expected NAME, NAME[2.0s..4.5s] or NAME[60..135]"
            ))
        };
        let Some((name, rest)) = text.split_once('[') else {
            return Ok(Self {
                name: text.into(),
                part: Part::Whole,
            });
        };
        let inner = rest.strip_suffix(']').ok_or_else(wrong)?;
        let (from, to) = inner.split_once("..").ok_or_else(wrong)?;
        let part = match (from.strip_suffix('s'), to.strip_suffix('s')) {
            (Some(from), Some(to)) => {
                let seconds = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong());
                Part::Seconds(seconds(from)?..seconds(to)?)
            }
            (None, None) => {
                let frame = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
                Part::Frames(frame(from)?..frame(to)?)
            }
            _ => return Err(wrong()),
        };
        Ok(Self {
            name: name.into(),
            part,
        })
    }

    /// All of a clip.
    pub fn whole(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            part: Part::Whole,
        }
    }

    /// Whether no part was named.
    pub fn is_whole(&self) -> bool {
        self.part == Part::Whole
    }

    /// The frames meant in a clip of that length and rate.
    pub fn frames(&self, length: usize, rate: FrameRate) -> Result<Range<usize>, Failure> {
        let range = match &self.part {
            Part::Whole => return Ok(0..length),
            Part::Frames(range) => range.clone(),
            Part::Seconds(range) if range.start >= 0.0 && range.end.is_finite() => {
                rate.frames_in(range.start)..rate.frames_in(range.end)
            }
            Part::Seconds(range) => {
                return Err(Failure::bad_request(format!(
                    "{}[{}s..{}s]: times start at 0 s",
                    self.name, range.start, range.end
                )));
            }
        };
        if range.start >= range.end || range.end > length {
            let seconds = length as f64 * rate.frame_time();
            return Err(Failure::bad_request(format!(
                "frames {}..{} are not in clip {:?}, which has frames 0..{length} ({seconds:.2} s)",
                range.start, range.end, self.name
            )));
        }
        Ok(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Range<usize>) {
        let selection = Selection::parse(text).unwrap();
        assert_eq!(selection.name, "walk");
        assert_eq!(
            selection.frames(150, FrameRate::FPS_30).unwrap(),
            expected,
            "{text}"
        );
    }

    #[test]
    fn parts_are_understood() {
        check("walk", 0..150);
        check("walk[60..135]", 60..135);
        check("walk[2.0s..4.5s]", 60..135);
        check("walk[0s..5s]", 0..150);
    }

    #[test]
    fn what_is_not_a_part_is_refused_by_name() {
        for text in [
            "walk[",
            "walk[1..",
            "walk[1s..2]",
            "walk[a..b]",
            "walk[1..2]x",
        ] {
            let message = Selection::parse(text).unwrap_err().to_string();
            assert!(message.contains(text), "{message}");
        }
        for text in [
            "walk[10..10]",
            "walk[10..151]",
            "walk[5s..4s]",
            "walk[-1s..4s]",
        ] {
            assert!(
                Selection::parse(text)
                    .unwrap()
                    .frames(150, FrameRate::FPS_30)
                    .is_err(),
                "{text}"
            );
        }
    }
}
