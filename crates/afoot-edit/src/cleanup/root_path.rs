//! How far the root must be lowered, frame by frame, so that both legs reach their feet.

use std::ops::Range;

use super::envelope::{envelope_reach, lay_envelope};
use super::foot_path::{FootPlan, united};
use super::legs::LegTrack;
use super::{CleanupOptions, Timing};

/// The smooth sinking of the root that lets every leg reach.
pub struct Sink {
    /// What some leg needs. [m, >= 0, a frame each]
    needed: Vec<f32>,
    /// Its smooth envelope. [m, >= 0, a frame each]
    pub depth: Vec<f32>,
}

impl Sink {
    /// The sinking for all frames.
    pub fn new(legs: &[LegTrack], feet: &[FootPlan], setting: (&CleanupOptions, &Timing)) -> Self {
        let frames = legs.first().map_or(0, LegTrack::len);
        let mut sink = Self {
            needed: vec![0.0; frames],
            depth: vec![0.0; frames],
        };
        let all = 0..frames;
        sink.update((legs, feet), vec![all], setting);
        sink
    }

    /// Works it out anew where feet go elsewhere; returns these frames and those in which the root
    /// goes elsewhere, sorted and disjoint.
    pub fn update(
        &mut self,
        (legs, feet): (&[LegTrack], &[FootPlan]),
        stale: Vec<Range<usize>>,
        (options, timing): (&CleanupOptions, &Timing),
    ) -> Vec<Range<usize>> {
        let mut sunk = Vec::new();
        for frames in &stale {
            let mut changed = false;
            for frame in frames.clone() {
                let sink = |(leg, foot): (&LegTrack, &FootPlan)| needed_sink(leg, foot, frame);
                let most = legs.iter().zip(feet).map(sink).fold(0.0, f32::max);
                let needed = most.min(options.max_sink);
                changed |= needed != self.needed[frame];
                self.needed[frame] = needed;
            }
            if changed {
                sunk.push(envelope_reach(frames, timing.sink, self.needed.len()));
            }
        }
        let sunk = united(sunk);
        for frames in &sunk {
            lay_envelope(&mut self.depth, &self.needed, timing.sink, frames.clone());
        }
        united([stale, sunk].concat())
    }
}

/// How far the hip must come down to be within reach of the ankle's target. [m]
pub fn needed_sink(leg: &LegTrack, foot: &FootPlan, frame: usize) -> f32 {
    let apart = leg.hip[frame] - foot.path.ankle[frame];
    let reach = leg.reach_to(frame, foot.path.ankle[frame]);
    if apart.length_squared() <= reach * reach {
        return 0.0;
    }
    let level = apart.x * apart.x + apart.z * apart.z;
    let height = (reach * reach - level).max(0.0).sqrt();
    (apart.y - height).max(0.0)
}
