//! Stretches of frames, and labels on them.

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
