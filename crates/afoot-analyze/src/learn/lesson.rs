//! What was marked, as examples and counter-examples to learn from.
//!
//! Marked stretches are thinned to ten frames a second, since neighbours say the same, but never to
//! nothing: one click is an example. Each frame comes with its mirror image, which carries the label
//! with left and right swapped. Unsure frames never teach. Where a person only said what is the
//! label and never what is not, unmarked frames serve as counter-examples at a tenth of the cost.
//! Both sides weigh the same in sum, however many frames they have.

use super::second::{Image, ROW};
use super::signals::ClipSignals;

/// Frames of a marked stretch that teach. [1/s]
const TEACHING_RATE: f64 = 10.0;
/// Unmarked frames that are taken for counter-examples where there are no others. [1/s]
const ASSUMED_RATE: f64 = 1.0;
/// What those cost, against marked ones. [share]
const ASSUMED_COST: f32 = 0.1;

/// What was said of a label at a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// It carries the label.
    Yes,
    /// It does not.
    No,
    /// Whoever looked could not tell: it never teaches.
    Unsure,
    /// Nothing.
    #[default]
    Open,
}

/// A clip and what was said of it.
#[derive(Clone, Copy, Debug)]
pub struct LessonClip<'a> {
    /// Its motion.
    pub signals: &'a ClipSignals,
    /// What was said of the label, a frame each.
    pub marks: &'a [Mark],
    /// What was said of the label with left and right swapped, a frame each.
    pub mirrored_marks: &'a [Mark],
}

/// Clips to learn a label from.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// The label.
    pub label: &'a str,
    /// Any clips: those of which nothing was said teach nothing.
    pub clips: &'a [LessonClip<'a>],
}

/// A frame that teaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Example {
    pub clip: usize,
    pub frame: usize,
    pub image: Image,
    pub is: bool,
    /// Nobody said so.
    pub assumed: bool,
}

impl<'a> Lesson<'a> {
    /// Frames that teach, in their order.
    pub(super) fn examples(&self) -> Vec<Example> {
        let mut examples = Vec::new();
        for (index, clip) in self.clips.iter().enumerate() {
            for (image, marks) in [
                (Image::Own, clip.marks),
                (Image::Mirrored, clip.mirrored_marks),
            ] {
                let stride = (clip.signals.fps / TEACHING_RATE).round().max(1.0) as usize;
                for (mark, run) in runs(marks) {
                    let is = match mark {
                        Mark::Yes => true,
                        Mark::No => false,
                        Mark::Unsure | Mark::Open => continue,
                    };
                    examples.extend(thinned(run, stride).map(|frame| Example {
                        clip: index,
                        frame,
                        image,
                        is,
                        assumed: false,
                    }));
                }
            }
        }
        if !examples.is_empty() && examples.iter().all(|example| example.is) {
            examples.extend(self.assumed());
        }
        examples
    }

    /// Unmarked frames as counter-examples.
    fn assumed(&self) -> Vec<Example> {
        let mut examples = Vec::new();
        for (index, clip) in self.clips.iter().enumerate() {
            let stride = (clip.signals.fps / ASSUMED_RATE).round().max(1.0) as usize;
            let open = runs(clip.marks)
                .into_iter()
                .filter(|(mark, _)| *mark == Mark::Open);
            for (_, run) in open {
                examples.extend(thinned(run, stride).map(|frame| Example {
                    clip: index,
                    frame,
                    image: Image::Own,
                    is: false,
                    assumed: true,
                }));
            }
        }
        examples
    }

    /// The rows of examples, one after the other.
    pub(super) fn rows(&self, examples: &[Example]) -> Vec<f32> {
        let mut rows = Vec::with_capacity(examples.len() * ROW);
        for example in examples {
            let signals = self.clips[example.clip].signals;
            signals.push_row(example.frame, example.image, &mut rows);
        }
        rows
    }
}

/// What each example costs: both sides the same in sum, `cost` in the mean.
pub(super) fn balanced_costs(examples: &[Example], cost: f32) -> Vec<f32> {
    let weight = |example: &Example| if example.assumed { ASSUMED_COST } else { 1.0 };
    let count = |side: bool| examples.iter().filter(|example| example.is == side).count();
    let half = 0.5 * cost * examples.len() as f32;
    let [yes, no] = [true, false].map(|side| half / count(side).max(1) as f32);
    let own = |example: &Example| weight(example) * if example.is { yes } else { no };
    examples.iter().map(own).collect()
}

/// The label that a mirror image carries: left and right swapped, each as a word of its own.
pub fn mirrored_label(label: &str) -> String {
    let swapped = |word: &str| {
        match word {
            "left" => "right",
            "right" => "left",
            "Left" => "Right",
            "Right" => "Left",
            _ => return word.to_owned(),
        }
        .to_owned()
    };
    let mut out = String::new();
    let mut word = String::new();
    for letter in label.chars() {
        if letter.is_alphanumeric() {
            word.push(letter);
        } else {
            out += &swapped(&std::mem::take(&mut word));
            out.push(letter);
        }
    }
    out + &swapped(&word)
}

/// Stretches of equal values, half-open.
pub(super) fn runs<T: Copy + PartialEq>(values: &[T]) -> Vec<(T, std::ops::Range<usize>)> {
    let mut runs: Vec<(T, std::ops::Range<usize>)> = Vec::new();
    for (index, value) in values.iter().enumerate() {
        match runs.last_mut() {
            Some((last, run)) if last == value => run.end = index + 1,
            _ => runs.push((*value, index..index + 1)),
        }
    }
    runs
}

/// Every `stride`-th frame of a stretch, as many as fit, in its middle; at least one.
fn thinned(run: std::ops::Range<usize>, stride: usize) -> impl Iterator<Item = usize> {
    let steps = (run.len() - 1) / stride;
    let start = run.start + (run.len() - 1 - steps * stride) / 2;
    (0..=steps).map(move |step| start + step * stride)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_words() {
        for (label, mirrored) in [
            ("turn left", "turn right"),
            ("left_hand up", "right_hand up"),
            ("Right", "Left"),
            ("leftover", "leftover"),
            ("walk", "walk"),
        ] {
            assert_eq!(mirrored_label(label), mirrored);
            assert_eq!(mirrored_label(mirrored), label);
        }
    }

    #[test]
    fn a_stretch_is_thinned_but_never_to_nothing() {
        let of = |run, stride| thinned(run, stride).collect::<Vec<_>>();
        assert_eq!(of(5..6, 3), [5]);
        assert_eq!(of(0..8, 3), [0, 3, 6]);
        assert_eq!(of(10..20, 4), [10, 14, 18]);
        assert_eq!(of(10..14, 4), [11]);
    }

    #[test]
    fn both_sides_weigh_the_same() {
        let example = |is, assumed| Example {
            clip: 0,
            frame: 0,
            image: Image::Own,
            is,
            assumed,
        };
        let examples = [true, false, false, false].map(|is| example(is, false));
        let costs = balanced_costs(&examples, 3.0);
        assert_eq!(costs.iter().sum::<f32>(), 12.0);
        assert_eq!(costs[0], costs[1..].iter().sum::<f32>());
        assert!(balanced_costs(&[example(false, true)], 1.0)[0] < 0.1);
    }
}
