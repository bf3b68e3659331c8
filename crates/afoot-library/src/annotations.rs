//! What a person said about the frames of a clip: labels that they carry, and labels that they do not.
//!
//! Both are kept, since a stretch that is known not to be a sneak teaches as much as one that is; a
//! stretch of which nothing was said is neither. Whoever asks for a label looks at `labels` alone. A
//! type that was found and then denied by its name does not count either ([`Annotations::types`]).

use afoot_core::{LabelSpan, Locomotion, Range32};

/// Labels on a clip's frames, either way. Spans are sorted, and no frame has one label both ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Stretches that carry a label.
    pub labels: Vec<LabelSpan>,
    /// Stretches that are known not to carry it.
    pub denied: Vec<LabelSpan>,
}

/// What is said of a label on a stretch of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The frames carry it.
    Is,
    /// They do not.
    IsNot,
    /// Nothing: whatever was said before is forgotten.
    Unsaid,
}

impl Annotations {
    /// Says something of a label on a stretch, instead of what was said there before.
    pub fn say(&mut self, label: &str, stretch: Range32, verdict: Verdict) {
        for spans in [&mut self.labels, &mut self.denied] {
            cut_out(spans, label, stretch);
        }
        match verdict {
            Verdict::Is => add(&mut self.labels, label, stretch),
            Verdict::IsNot => add(&mut self.denied, label, stretch),
            Verdict::Unsaid => {}
        }
    }

    /// The labels that some frame carries, each once, sorted.
    pub fn names(&self) -> Vec<&str> {
        names_of(&self.labels)
    }

    /// The labels that some frame is known not to carry, each once, sorted.
    pub fn denied_names(&self) -> Vec<&str> {
        names_of(&self.denied)
    }

    /// The types that were found, but "other" where their name is denied.
    pub fn types(&self, found: &[Locomotion]) -> Vec<Locomotion> {
        let mut types = found.to_vec();
        for span in &self.denied {
            let frames = span.frames.start as usize..span.frames.end as usize;
            let kinds = types.iter_mut().take(frames.end).skip(frames.start);
            kinds
                .filter(|kind| kind.name() == span.label)
                .for_each(|kind| *kind = Locomotion::Other);
        }
        types
    }

    /// Cut to a clip of that many frames, sorted, nothing twice.
    pub(crate) fn fitted(mut self, frames: u32) -> Self {
        for spans in [&mut self.labels, &mut self.denied] {
            let end = |span: &mut LabelSpan| span.frames.end = span.frames.end.min(frames);
            spans.iter_mut().for_each(end);
            spans.retain(|span| !span.frames.is_empty());
            spans.sort();
            spans.dedup();
        }
        self
    }
}

fn names_of(spans: &[LabelSpan]) -> Vec<&str> {
    let mut names: Vec<&str> = spans.iter().map(|span| span.label.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Takes a stretch out of the spans of a label.
fn cut_out(spans: &mut Vec<LabelSpan>, label: &str, stretch: Range32) {
    let parts = |span: LabelSpan| {
        let Range32 { start, end } = span.frames;
        let before = (start, end.min(stretch.start));
        let after = (start.max(stretch.end), end);
        let whole = [(start, end), (end, end)];
        let left = if span.label == label {
            [before, after]
        } else {
            whole
        };
        left.map(|(start, end)| LabelSpan {
            frames: Range32 { start, end },
            label: span.label.clone(),
        })
    };
    let left = std::mem::take(spans).into_iter().flat_map(parts);
    *spans = left.filter(|span| !span.frames.is_empty()).collect();
    spans.sort();
}

/// Adds a stretch, as one with those of the label that it touches.
fn add(spans: &mut Vec<LabelSpan>, label: &str, mut stretch: Range32) {
    spans.retain(|span| {
        let touches = span.frames.start <= stretch.end && stretch.start <= span.frames.end;
        let joined = span.label == label && touches;
        if joined {
            stretch.start = stretch.start.min(span.frames.start);
            stretch.end = stretch.end.max(span.frames.end);
        }
        !joined
    });
    spans.push(LabelSpan {
        frames: stretch,
        label: label.into(),
    });
    spans.sort();
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 2] = ["calm", "sneak"];

    /// What each of 20 frames says of a label.
    fn frames_of(annotations: &Annotations, label: &str) -> Vec<Verdict> {
        let on = |spans: &[LabelSpan], frame| {
            let own = spans.iter().filter(|span| span.label == label);
            own.filter(|span| span.frames.contains(frame)).count()
        };
        let verdict = |frame| match (
            on(&annotations.labels, frame),
            on(&annotations.denied, frame),
        ) {
            (1, 0) => Verdict::Is,
            (0, 1) => Verdict::IsNot,
            (0, 0) => Verdict::Unsaid,
            both => panic!("frame {frame} has {label} {both:?} times"),
        };
        (0..20).map(verdict).collect()
    }

    /// The slow way: a verdict a frame.
    #[test]
    fn the_last_word_holds_on_every_frame() {
        let mut annotations = Annotations::default();
        let mut slow = [[Verdict::Unsaid; 20]; 2];
        for step in 0..500_usize {
            let (word, start) = (step % 2, step * 7 % 19);
            let end = start + 1 + step * 5 % (20 - start);
            let verdict = [Verdict::Is, Verdict::IsNot, Verdict::Unsaid][step * 11 / 3 % 3];
            let stretch = Range32 {
                start: start as u32,
                end: end as u32,
            };
            annotations.say(WORDS[word], stretch, verdict);
            slow[word][start..end].fill(verdict);
            for (word, slow) in WORDS.iter().zip(&slow) {
                assert_eq!(frames_of(&annotations, word), slow, "step {step}, {word}");
            }
            assert!(annotations.labels.is_sorted() && annotations.denied.is_sorted());
        }
    }

    #[test]
    fn stretches_that_touch_are_one() {
        let mut annotations = Annotations::default();
        for (start, end) in [(0, 5), (10, 15), (5, 10)] {
            annotations.say("calm", Range32 { start, end }, Verdict::Is);
        }
        assert_eq!(annotations.labels.len(), 1);
        assert_eq!(annotations.names(), ["calm"]);
        assert!(annotations.denied_names().is_empty());
    }

    #[test]
    fn a_denied_type_does_not_count() {
        let mut annotations = Annotations::default();
        let stretch = Range32 { start: 1, end: 9 };
        annotations.say("walk", stretch, Verdict::IsNot);
        use Locomotion::{Other, Run, Walk};
        assert_eq!(
            annotations.types(&[Walk, Walk, Run, Walk]),
            [Walk, Other, Run, Other]
        );
    }
}
