//! How evenly a motion uses what it was made of: how much of it is seen, and how long it dwells.

use afoot_core::ClipId;
use serde::Serialize;

use super::{WanderError, WanderOptions, playable};
use crate::edges::Edges;
use crate::walk::Source;

/// How evenly a library is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Evenness {
    /// Captured motion that may play: with the words asked for, ordinary, and never at an end. [s]
    pub playable_s: f64,
    /// The motion's length, in lengths of that.
    pub times: f64,
    /// Share of it that was played. [0 to 1]
    pub seen_share: f64,
    /// Longest time that one clip plays, whether on or in loops. [s]
    pub longest_in_clip_s: f64,
    /// Longest time over which every frame had played within the ten seconds before. [s]
    pub longest_repeat_s: f64,
    /// Other motion, transitions' included, that joins what may play. [s]
    pub between_s: f64,
}

/// Loops shorter than this are seen as such. [s]
const LOOP: f64 = 10.0;

/// How evenly motion made of these sources uses what [`super::wander`] with these options may play.
pub fn measure_evenness(
    graph: &impl Edges,
    options: &WanderOptions,
    sources: &[Source],
) -> Result<Evenness, WanderError> {
    let may = playable(graph, options)?.frames(graph);
    let may_play = may.iter().flatten().filter(|may| **may).count();
    let layout = graph.layout();
    // When each frame played last, counted from 1.
    let frames = may.iter().map(Vec::len);
    let mut last: Vec<Vec<u64>> = frames.map(|frames| vec![0; frames]).collect();
    let (mut seen, mut between) = (0, 0);
    let (mut stay, mut repeat) = (Longest::default(), Longest::default());
    let (mut now, mut clip): (u64, Option<ClipId>) = (0, None);
    let recent = layout.rate.frames_in(LOOP) as u64;
    for source in sources {
        for frame in source.frames.start as usize..source.frames.end as usize {
            now += 1;
            let before = std::mem::replace(&mut last[source.clip.index()][frame], now);
            stay.count(clip.replace(source.clip) == Some(source.clip));
            repeat.count(before > 0 && now - before <= recent);
            let wanted = may[source.clip.index()][frame];
            seen += usize::from(before == 0 && wanted);
            between += u64::from(!wanted);
        }
    }
    let seconds = |frames: u64| frames as f64 * layout.rate.frame_time();
    Ok(Evenness {
        playable_s: seconds(may_play as u64),
        times: now as f64 / may_play.max(1) as f64,
        seen_share: seen as f64 / may_play.max(1) as f64,
        longest_in_clip_s: seconds(stay.longest + 1),
        longest_repeat_s: seconds(repeat.longest),
        between_s: seconds(between),
    })
}

/// The longest run of frames of which something holds.
#[derive(Default)]
struct Longest {
    now: u64,
    longest: u64,
}

impl Longest {
    fn count(&mut self, holds: bool) {
        self.now = if holds { self.now + 1 } else { 0 };
        self.longest = self.longest.max(self.now);
    }
}
