//! Stretches of frames, and labels on them.

use std::ops::Range;

/// A label on some frames.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelSpan {
    /// Half-open.
    pub frames: Range32,
    /// A word such as "sneak".
    pub label: String,
}

/// A half-open range of frames that can be ordered and copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Range32 {
    /// First frame.
    pub start: u32,
    /// One past the last frame.
    pub end: u32,
}

impl Range32 {
    /// Whether `frame` lies in it.
    pub fn contains(self, frame: u32) -> bool {
        self.start <= frame && frame < self.end
    }

    /// The common part with `other`; empty ranges have `start >= end`.
    pub fn intersect(self, other: Self) -> Self {
        Self {
            start: self.start.max(other.start),
            end: self.end.min(other.end),
        }
    }

    /// Whether no frame lies in it.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// Rising numbers as runs without gaps.
pub fn runs(numbers: impl IntoIterator<Item = u32>) -> Vec<Range32> {
    let mut runs: Vec<Range32> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.end == number => run.end += 1,
            _ => runs.push(Range32 {
                start: number,
                end: number + 1,
            }),
        }
    }
    runs
}

/// The maximal runs of frames below `frames` of which something holds.
pub fn runs_of(frames: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    runs_across(frames, 0, holds)
}

/// The same, with gaps of up to `gap` frames bridged.
pub fn runs_across(frames: usize, gap: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for frame in (0..frames).filter(|frame| holds(*frame)) {
        match runs.last_mut() {
            Some(run) if frame <= run.end + gap => run.end = frame + 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frames: &str, gap: usize, expected: &[Range<usize>]) {
        let on = |frame: usize| frames.as_bytes()[frame] == b'x';
        assert_eq!(runs_across(frames.len(), gap, on), expected, "{frames}");
        if gap == 0 {
            let numbers = (0..frames.len() as u32).filter(|frame| on(*frame as usize));
            let runs = runs(numbers).into_iter();
            let same = runs.map(|run| run.start as usize..run.end as usize);
            assert_eq!(same.collect::<Vec<_>>(), expected, "{frames}");
        }
    }

    #[test]
    fn runs_end_at_gaps_and_reach_across_short_ones() {
        check("", 0, &[]);
        check("...", 2, &[]);
        check("xx.x..x", 0, &[0..2, 3..4, 6..7]);
        check("xx.x..x", 1, &[0..4, 6..7]);
        check("xx.x..x", 2, std::slice::from_ref(&(0..7)));
    }
}
