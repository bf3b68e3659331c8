//! A frame of a clip, for verbs that look at one frame of each of several clips.

use crate::clip::Clip;
use crate::index::FrameId;

/// A frame of a clip: [`Clip::at`].
#[derive(Clone, Copy, Debug)]
pub struct ClipFrame<'a> {
    /// The motion.
    pub clip: &'a Clip,
    /// Which of its frames.
    pub frame: FrameId,
}

impl Clip {
    /// One of its frames; verbs that take it say what follows if there is no such frame.
    pub fn at(&self, frame: FrameId) -> ClipFrame<'_> {
        ClipFrame { clip: self, frame }
    }
}
