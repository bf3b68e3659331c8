//! The search for candidates over a library's clips, whole, in tiles, or only what is new.
//!
//! A library that has grown by a clip only compares that clip with the others.

use std::collections::BTreeMap;

use afoot_codec::{ContentHash, Writer};
use afoot_core::{Clip, runs};
use afoot_run::{Run, Stopped};

use crate::candidates::{Candidates, merge};
use crate::distance::{CloudOptions, Features, PointCloud, WindowShape, used_surface};
use crate::fingerprint::compared_hash;
use crate::minima::Candidate;
use crate::tiles::{Tile, plan_tiles, run_tiles};

/// What candidates are searched with.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// Length of a window. [frames, at least 2]
    pub window: usize,
    /// Largest error of a candidate. [cm, > 0]
    pub ceiling_cm: f32,
    /// Which points of the body count how much.
    pub cloud: CloudOptions,
}

impl SearchOptions {
    /// Equal for options that find the same candidates among these clips.
    pub fn fingerprint<'a>(&self, clips: impl IntoIterator<Item = &'a Clip>) -> ContentHash {
        let mut writer = Writer::default();
        writer.count(self.window);
        writer.f32(self.ceiling_cm);
        writer.f32(self.cloud.taper);
        for (name, weight) in &self.cloud.weights {
            writer.text(name);
            writer.f32(*weight);
        }
        for point in used_surface(clips, &self.cloud) {
            writer.u32(point.joint.0.into());
            let values = point.offset.to_array().into_iter().chain([point.weight]);
            values.for_each(|value| writer.f32(value));
        }
        ContentHash::of(&writer.bytes)
    }
}

/// Clips made ready to be compared.
pub struct CandidateSearch {
    features: Features,
    options: SearchOptions,
    /// Of the options.
    fingerprint: ContentHash,
    clips: Vec<ContentHash>,
}

impl CandidateSearch {
    /// Makes clips, which share one skeleton shape and have passed [`Clip::check`], ready; `None` if
    /// no joint has weight.
    pub fn new(clips: &[&Clip], options: SearchOptions) -> Option<Self> {
        let cloud = PointCloud::for_clips(clips, &options.cloud)?;
        let shape = WindowShape::new(options.window, options.cloud.taper);
        Some(Self {
            features: Features::new(clips, &cloud, &shape),
            clips: clips.iter().map(|clip| compared_hash(clip)).collect(),
            fingerprint: options.fingerprint(clips.iter().copied()),
            options,
        })
    }

    /// The clips as they are compared.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// All pairs, cut into tiles of about `frames` by `frames` frames.
    pub fn plan(&self, frames: usize) -> Vec<Tile> {
        let lengths: Vec<usize> = (0..self.clips.len())
            .map(|clip| self.features.frames(clip))
            .collect();
        plan_tiles(&lengths, frames)
    }

    /// Searches some tiles; tells how many pairs of frames are done.
    pub fn run(&self, tiles: &[Tile], run: &Run) -> Result<Candidates, Stopped> {
        let list = run_tiles(&self.features, tiles, self.options.ceiling_cm, run)?;
        Ok(Candidates {
            searched: tiles.to_vec(),
            list,
            ..self.nothing()
        })
    }

    /// The part of `known` that holds for these clips too, whatever else it was found with.
    pub fn reuse(&self, known: &Candidates) -> Candidates {
        let mut reused = self.nothing();
        if known.options != reused.options || !known.missing().is_empty() {
            return reused;
        }
        let place = match_clips(&known.clips, &self.clips);
        let carried = |c: &Candidate| {
            let (a, b) = (place[c.a as usize]?, place[c.b as usize]?);
            Some(Candidate { a, b, ..*c })
        };
        reused.list = known.list.iter().filter_map(carried).collect();
        let kept = runs(place.iter().flatten().copied());
        for (index, &cols) in kept.iter().enumerate() {
            reused
                .searched
                .extend(kept[..=index].iter().map(|&rows| Tile { rows, cols }));
        }
        reused
    }

    /// All candidates, of which `known` ones are not searched again.
    pub fn complete(&self, known: &Candidates, run: &Run) -> Result<Candidates, Stopped> {
        let reused = self.reuse(known);
        let found = self.run(&reused.missing(), run)?;
        Ok(merge(&[reused, found]).expect("one search made both, and the second what was missing"))
    }

    /// Candidates that were found otherwise, as those of all pairs of these clips.
    pub(crate) fn found_otherwise(&self, list: Vec<Candidate>) -> Candidates {
        Candidates {
            searched: vec![Tile::all(self.clips.len())],
            list,
            ..self.nothing()
        }
    }

    /// Largest error of a candidate. [cm]
    pub(crate) fn ceiling_cm(&self) -> f32 {
        self.options.ceiling_cm
    }

    fn nothing(&self) -> Candidates {
        let (options, clips) = (self.fingerprint, self.clips.clone());
        Candidates {
            options,
            clips,
            searched: Vec::new(),
            list: Vec::new(),
        }
    }
}

/// Where each known clip is now, order kept: the most clips that allows.
fn match_clips(known: &[ContentHash], now: &[ContentHash]) -> Vec<Option<u32>> {
    let mut places: BTreeMap<ContentHash, Vec<u32>> = BTreeMap::new();
    for (index, clip) in now.iter().enumerate().rev() {
        places.entry(*clip).or_default().push(index as u32);
    }
    let place = |clip: &ContentHash| places.get_mut(clip).and_then(Vec::pop);
    let found: Vec<Option<u32>> = known.iter().map(place).collect();
    longest_rise(&found)
}

/// The longest rising subsequence, the rest left out.
fn longest_rise(values: &[Option<u32>]) -> Vec<Option<u32>> {
    let value = |index: usize| values[index].unwrap_or(0);
    let (mut tails, mut before) = (Vec::<usize>::new(), vec![None; values.len()]);
    for index in (0..values.len()).filter(|index| values[*index].is_some()) {
        let length = tails.partition_point(|tail| value(*tail) < value(index));
        before[index] = length.checked_sub(1).map(|shorter| tails[shorter]);
        match tails.get_mut(length) {
            Some(tail) => *tail = index,
            None => tails.push(index),
        }
    }
    let mut rise = vec![None; values.len()];
    let mut at = tails.last().copied();
    while let Some(index) = at {
        rise[index] = values[index];
        at = before[index];
    }
    rise
}
