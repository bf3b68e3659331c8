//! What is said about the frames of a clip: by a person, and by what was learned from that.
//!
//! A person says that frames carry a label, that they do not, or that they can't tell (and which way
//! they lean). All are kept, since a stretch that is known not to be a sneak teaches as much as one that
//! is; a stretch of which nothing was said is neither. What was learned is kept apart, so that it never
//! teaches, and gives way to what a person says. Whoever asks for a label looks at
//! [`Annotations::carried`] alone. A type that was found and then denied by its name does not count
//! either ([`Annotations::types`]). Beside labels: how frames may be used ([`UseSpan`]).

use afoot_core::{LabelSpan, Locomotion, Range32};

/// What is said of a clip's frames. Spans are sorted, and a person says one thing of a label at a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Stretches that carry a label.
    pub labels: Vec<LabelSpan>,
    /// Stretches that are known not to carry it.
    pub denied: Vec<LabelSpan>,
    /// Stretches of which a person could not tell, and would rather say yes.
    pub unsure: Vec<LabelSpan>,
    /// Stretches of which a person could not tell, and would rather say no.
    pub unsure_not: Vec<LabelSpan>,
    /// Stretches that carry a label by what was learned of it; nobody said so.
    pub learned: Vec<LabelSpan>,
    /// How frames may be used.
    pub uses: Vec<UseSpan>,
}

/// What is said of a label on a stretch of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The frames carry it.
    Is,
    /// They do not.
    IsNot,
    /// It can't be told; rather yes.
    Unsure,
    /// It can't be told; rather no.
    UnsureNot,
    /// Nothing: whatever was said before is forgotten.
    Unsaid,
}

/// How some frames may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UseSpan {
    /// Half-open.
    pub frames: Range32,
    /// What holds for them.
    pub rule: UseRule,
}

/// How frames may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UseRule {
    /// Not at all.
    Excluded,
    /// Only where motion comes from the frame before: no transition leads there.
    NoEntry,
    /// Rather (above 0) or rather not (below). [hundredths of what a wrong label costs a frame]
    Bias(i32),
}

impl Annotations {
    /// Says something of a label on a stretch, instead of what was said there before.
    pub fn say(&mut self, label: &str, stretch: Range32, verdict: Verdict) {
        for spans in self.said_mut() {
            cut_out(spans, label, stretch);
        }
        if matches!(verdict, Verdict::Is | Verdict::IsNot) {
            cut_out(&mut self.learned, label, stretch);
        }
        let spans = match verdict {
            Verdict::Is => &mut self.labels,
            Verdict::IsNot => &mut self.denied,
            Verdict::Unsure => &mut self.unsure,
            Verdict::UnsureNot => &mut self.unsure_not,
            Verdict::Unsaid => return,
        };
        add(spans, label, stretch);
    }

    /// What a person said of a label at each of a clip's frames.
    pub fn verdicts(&self, label: &str, frames: u32) -> Vec<Verdict> {
        let mut verdicts = vec![Verdict::Unsaid; frames as usize];
        for (spans, verdict) in [
            (&self.labels, Verdict::Is),
            (&self.denied, Verdict::IsNot),
            (&self.unsure, Verdict::Unsure),
            (&self.unsure_not, Verdict::UnsureNot),
        ] {
            for span in spans.iter().filter(|span| span.label == label) {
                let end = span.frames.end.min(frames) as usize;
                verdicts[(span.frames.start as usize).min(end)..end].fill(verdict);
            }
        }
        verdicts
    }

    /// Replaces what was learned of a label, save where a person said something else.
    pub fn learn(&mut self, label: &str, stretches: &[Range32]) {
        self.learned.retain(|span| span.label != label);
        for stretch in stretches.iter().filter(|stretch| !stretch.is_empty()) {
            add(&mut self.learned, label, *stretch);
        }
        for span in self.labels.iter().chain(&self.denied) {
            if span.label == label {
                cut_out(&mut self.learned, label, span.frames);
            }
        }
    }

    /// Stretches that carry a label, whoever says so.
    pub fn carried(&self) -> Vec<LabelSpan> {
        let mut carried = self.labels.clone();
        for span in &self.learned {
            add(&mut carried, &span.label, span.frames);
        }
        carried
    }

    /// Says how frames may be used; `None` forgets what was said there.
    pub fn set_use(&mut self, stretch: Range32, rule: Option<UseRule>) {
        let same_kind = |old: UseRule| match rule {
            None => true,
            Some(rule) => std::mem::discriminant(&old) == std::mem::discriminant(&rule),
        };
        let parts = std::mem::take(&mut self.uses).into_iter().flat_map(|span| {
            let Range32 { start, end } = span.frames;
            let left = match same_kind(span.rule) {
                true => [
                    (start, end.min(stretch.start)),
                    (start.max(stretch.end), end),
                ],
                false => [(start, end), (end, end)],
            };
            left.map(|(start, end)| UseSpan {
                frames: Range32 { start, end },
                rule: span.rule,
            })
        });
        self.uses = parts.filter(|span| !span.frames.is_empty()).collect();
        self.uses.extend(rule.map(|rule| UseSpan {
            frames: stretch,
            rule,
        }));
        self.uses.sort();
    }

    /// Stretches that are not to be used.
    pub fn excluded(&self) -> impl Iterator<Item = Range32> + '_ {
        let excluded = |span: &&UseSpan| span.rule == UseRule::Excluded;
        self.uses.iter().filter(excluded).map(|span| span.frames)
    }

    /// What a clip is made of that is read: what was said but does not show in it is left out.
    pub(crate) fn shown(&self) -> Self {
        let excluded = |frames| UseSpan {
            frames,
            rule: UseRule::Excluded,
        };
        Self {
            labels: self.carried(),
            denied: self.denied.clone(),
            uses: self.excluded().map(excluded).collect(),
            ..Self::default()
        }
    }

    /// Everything that a person can say of labels, in the order in which it is stored.
    fn said_mut(&mut self) -> [&mut Vec<LabelSpan>; 4] {
        [
            &mut self.labels,
            &mut self.denied,
            &mut self.unsure,
            &mut self.unsure_not,
        ]
    }

    /// All spans of labels, whoever says so.
    pub(crate) fn all_spans(&self) -> impl Iterator<Item = &LabelSpan> {
        let sure = self.labels.iter().chain(&self.denied);
        let unsure = self.unsure.iter().chain(&self.unsure_not);
        sure.chain(unsure).chain(&self.learned)
    }

    /// Every label of which something is said, each once, sorted.
    pub fn vocabulary(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.all_spans().map(|span| span.label.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The labels that some frame carries, whoever says so, each once, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names = names_of(&self.labels);
        names.extend(names_of(&self.learned));
        names.sort_unstable();
        names.dedup();
        names
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
        let mut learned = std::mem::take(&mut self.learned);
        for spans in self.said_mut().into_iter().chain([&mut learned]) {
            let end = |span: &mut LabelSpan| span.frames.end = span.frames.end.min(frames);
            spans.iter_mut().for_each(end);
            spans.retain(|span| !span.frames.is_empty());
            spans.sort();
            spans.dedup();
        }
        self.learned = learned;
        let end = |span: &mut UseSpan| span.frames.end = span.frames.end.min(frames);
        self.uses.iter_mut().for_each(end);
        self.uses.retain(|span| !span.frames.is_empty());
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
        let verdict = |frame| match [
            on(&annotations.labels, frame),
            on(&annotations.denied, frame),
            on(&annotations.unsure, frame),
            on(&annotations.unsure_not, frame),
        ] {
            [1, 0, 0, 0] => Verdict::Is,
            [0, 1, 0, 0] => Verdict::IsNot,
            [0, 0, 1, 0] => Verdict::Unsure,
            [0, 0, 0, 1] => Verdict::UnsureNot,
            [0, 0, 0, 0] => Verdict::Unsaid,
            all => panic!("frame {frame} has {label} {all:?} times"),
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
            use Verdict::{Is, IsNot, Unsaid, Unsure, UnsureNot};
            let verdict = [Is, IsNot, Unsaid, Unsure, UnsureNot][step * 11 / 3 % 5];
            let stretch = Range32 {
                start: start as u32,
                end: end as u32,
            };
            annotations.say(WORDS[word], stretch, verdict);
            slow[word][start..end].fill(verdict);
            for (word, slow) in WORDS.iter().zip(&slow) {
                assert_eq!(frames_of(&annotations, word), slow, "step {step}, {word}");
                assert_eq!(annotations.verdicts(word, 20), slow, "step {step}, {word}");
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

    fn span(start: u32, end: u32) -> Range32 {
        Range32 { start, end }
    }

    #[test]
    fn what_was_learned_gives_way_to_what_is_said() {
        let mut annotations = Annotations::default();
        annotations.say("calm", span(0, 4), Verdict::Is);
        annotations.say("calm", span(8, 10), Verdict::IsNot);
        annotations.learn("calm", &[span(2, 12), span(15, 20)]);
        let carried: Vec<Range32> = annotations.carried().iter().map(|s| s.frames).collect();
        assert_eq!(carried, [span(0, 8), span(10, 12), span(15, 20)]);
        annotations.say("calm", span(16, 18), Verdict::IsNot);
        assert_eq!(annotations.learned.len(), 4);
        annotations.learn("calm", &[]);
        assert!(annotations.learned.is_empty());
        assert_eq!(annotations.labels[0].frames, span(0, 4));
    }

    #[test]
    fn uses_of_one_kind_replace_each_other() {
        let mut annotations = Annotations::default();
        annotations.set_use(span(0, 10), Some(UseRule::Bias(50)));
        annotations.set_use(span(4, 6), Some(UseRule::Bias(-20)));
        annotations.set_use(span(2, 8), Some(UseRule::Excluded));
        let biases = || -> Vec<UseRule> { annotations.uses.iter().map(|s| s.rule).collect() };
        assert_eq!(biases().len(), 4);
        assert_eq!(annotations.excluded().collect::<Vec<_>>(), [span(2, 8)]);
        annotations.set_use(span(0, 20), None);
        assert!(annotations.uses.is_empty());
    }
}
