//! All frames of a library's clips in one list, as the clustering sees them: vector and state each.

use afoot_core::{Clip, ClipId, FrameId, FrameRate, LANES};
use rayon::prelude::*;

use super::by_the_way::costs_by_the_way;
use super::frame_vectors::{FrameMetric, MetricError};
use super::states::{PlantState, plant_states};
use crate::outliers::outlier_frames;

/// Every frame of every clip, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct LibraryFrames {
    rate: FrameRate,
    /// Where each clip's frames start; one more entry than clips.
    starts: Vec<usize>,
    /// Of each frame; none where it is not to be played.
    states: Vec<Option<PlantState>>,
    width: usize,
    /// `width` numbers a frame.
    vectors: Vec<f32>,
    /// Of each frame, what its clip costs up to it where it only leads to others. [s]
    by_the_way: Vec<f64>,
}

impl LibraryFrames {
    /// The frames of clips of one rate.
    pub fn new(clips: &[Clip], rate: FrameRate, metric: &FrameMetric) -> Result<Self, MetricError> {
        let legs = clips.iter().find_map(|clip| clip.skeleton.leg_length());
        let vectors: Result<Vec<Vec<f32>>, MetricError> = clips
            .par_iter()
            .map(|clip| metric.vectors(clip, legs))
            .collect();
        let sound = clips.iter().zip(outlier_frames(clips));
        let states = sound.flat_map(|(clip, outliers)| playable_states(clip, &outliers));
        let ends = clips.iter().scan(0, |end, clip| {
            *end += clip.len();
            Some(*end)
        });
        Ok(Self {
            rate,
            starts: std::iter::once(0).chain(ends).collect(),
            states: states.collect(),
            width: metric.width(),
            vectors: vectors?.concat(),
            by_the_way: clips.iter().flat_map(costs_by_the_way).collect(),
        })
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Frames per second.
    pub fn rate(&self) -> FrameRate {
        self.rate
    }

    /// How many clips they are of.
    pub fn clips(&self) -> usize {
        self.starts.len() - 1
    }

    /// A clip's length.
    pub fn frames_of(&self, clip: ClipId) -> u32 {
        (self.starts[clip.index() + 1] - self.starts[clip.index()]) as u32
    }

    /// A frame's place in the list.
    pub fn index(&self, clip: ClipId, frame: FrameId) -> usize {
        self.starts[clip.index()] + frame.index()
    }

    /// A frame's state; `None` of one that is not to be played.
    pub fn state(&self, index: usize) -> Option<PlantState> {
        self.states[index]
    }

    /// The frames of one state.
    pub fn in_state(&self, state: PlantState) -> Vec<u32> {
        let frames = self.states.iter().enumerate();
        let of_state = frames.filter(|(_, own)| **own == Some(state));
        of_state.map(|(index, _)| index as u32).collect()
    }

    /// What playing a clip from one frame to a later one costs where nobody asked for it: its time, and
    /// what it does beside going on. [s]
    pub fn cost_by_the_way(&self, clip: ClipId, from: FrameId, to: FrameId) -> f64 {
        let at = |frame| self.by_the_way[self.index(clip, frame)];
        at(to) - at(from)
    }

    /// A frame's vector.
    pub fn vector(&self, index: usize) -> &[f32] {
        &self.vectors[index * self.width..][..self.width]
    }

    /// Numbers a vector.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How unlike two frames are. [m]
    pub fn error(&self, a: usize, b: usize) -> f32 {
        squared_distance(self.vector(a), self.vector(b)).sqrt()
    }
}

/// Eight sums side by side, joined in one order: the same bits on every machine, and no sum waits for the last.
fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0f32; LANES];
    let add = |sums: &mut [f32; LANES], a: &[f32], b: &[f32]| {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += (a - b) * (a - b);
        }
    };
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        add(&mut sums, a, b);
    }
    add(&mut sums, a_rest, b_rest);
    sums.iter().sum()
}

/// The states of a clip's frames, without those that are faulty or outliers.
fn playable_states(clip: &Clip, outliers: &[bool]) -> Vec<Option<PlantState>> {
    let sound = |frame: u32| !clip.faults.iter().any(|fault| fault.contains(&frame));
    let states = plant_states(clip).into_iter().zip(outliers).enumerate();
    states
        .map(|(frame, (state, outlier))| (!outlier && sound(frame as u32)).then_some(state))
        .collect()
}
