//! Short captured stretches that lead from one kind of posture to another, found once.
//!
//! Where unlike actions follow each other, a join is a leap. A bridge is a captured stretch of a quarter to
//! three quarters of a second that begins like what one leaves and ends like what one comes to: two
//! small joins in place of a great one. Frames are told by the nearest of [`POSTURES`] means of like ones; for
//! every ordered pair of these and every length the stretch is kept whose two ends are nearest to them. A stretch is looked at for the
//! means that are nearest to its ends alone: what is not near is no bridge.
//! Cost: frames times lengths, once; a look-up for every way to lay a bridge over a join.

use afoot_codec::{Malformed, Reader, Writer};
use afoot_core::FrameRate;
use afoot_learn::{KMeansOptions, Rows, kmeans};
use rayon::prelude::*;

use super::costs::{Costs, Take, merged};
use super::footage::{DIMENSIONS, Feature, distance};
use super::timeline::HALF_BLEND;

/// Kinds of postures (with their velocities) that are told apart.
const POSTURES: usize = 100;
/// Means near an end of a stretch that it may lead from or to.
const NEAR: usize = 6;
/// Lengths of bridges. [s]
const LENGTHS: [f64; 4] = [16.0 / 60.0, 24.0 / 60.0, 32.0 / 60.0, 48.0 / 60.0];
/// No bridge.
const NONE: u32 = u32::MAX;
/// What is kept does not depend on who asked first.
const SEED: u64 = 2;
/// A join that costs less than so many usual ones needs no bridge.
const UNLIKE: f32 = 1.0;

/// Bridges between all kinds of postures.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bridges {
    /// Frames of each length.
    lengths: Vec<u32>,
    kinds: usize,
    /// The kind of each captured frame.
    kind_of: Vec<u16>,
    /// First frames, by length, kind that is left, kind that is come to; `NONE` where there is none.
    starts: Vec<u32>,
}

impl Bridges {
    /// Finds them.
    pub fn find(features: &[Feature], left: &[u32], rate: FrameRate) -> Self {
        let (centres, kind_of) = postures(features);
        let kinds = centres.len();
        let near = nearest_means(features, &centres);
        let half = (rate.frames_in(HALF_BLEND) as u32).max(1);
        let frames = |seconds: &f64| (rate.frames_in(*seconds) as u32).max(1);
        let lengths: Vec<u32> = LENGTHS.iter().map(frames).collect();
        let of_length = |length: &u32| {
            let mut best = vec![(f32::INFINITY, NONE); kinds * kinds];
            for start in half..features.len() as u32 {
                let room = left[(start - half) as usize] > 2 * half + length;
                if !room {
                    continue;
                }
                let (from, to) = (&near[start as usize], &near[(start + length) as usize]);
                for &(a, off) in from {
                    for &(b, other) in to {
                        let known = &mut best[usize::from(a) * kinds + usize::from(b)];
                        if off + other < known.0 {
                            *known = (off + other, start);
                        }
                    }
                }
            }
            best.into_iter().map(|(_, start)| start).collect::<Vec<_>>()
        };
        let starts = lengths.par_iter().flat_map_iter(of_length).collect();
        Self {
            lengths,
            kinds,
            kind_of,
            starts,
        }
    }

    /// The first frame of a bridge of that length, by its place among the lengths, from where one frame would be to
    /// another.
    fn between(&self, length: usize, from: u32, to: u32) -> Option<u32> {
        let kind = |frame: u32| usize::from(self.kind_of[frame as usize]);
        let pair = kind(from) * self.kinds + kind(to);
        let start = self.starts[length * self.kinds * self.kinds + pair];
        (start != NONE).then_some(start)
    }

    pub fn write(&self, writer: &mut Writer) {
        writer.count(self.lengths.len());
        self.lengths.iter().for_each(|length| writer.u32(*length));
        writer.u32(self.kinds as u32);
        writer.count(self.kind_of.len());
        let kinds = self.kind_of.iter();
        kinds.for_each(|kind| writer.u32(u32::from(*kind)));
        writer.count(self.starts.len());
        self.starts.iter().for_each(|start| writer.u32(*start));
    }

    pub fn read(reader: &mut Reader<'_>, left: &[u32]) -> Result<Self, Malformed> {
        let lengths = reader.list(4, Reader::u32)?;
        let kinds = reader.u32()? as usize;
        let kind_of: Vec<u16> = reader.list(4, |reader| Ok(reader.u32()? as u16))?;
        let starts = reader.list(4, Reader::u32)?;
        let known = kind_of.len() == left.len() && kind_of.iter().all(|k| usize::from(*k) < kinds);
        reader.require(known, "kinds of other frames")?;
        let filled = kinds <= POSTURES && starts.len() == lengths.len() * kinds * kinds;
        reader.require(filled, "a table of bridges of another size")?;
        let tables = starts.chunks_exact((kinds * kinds).max(1)).zip(&lengths);
        let lasts = |start: &u32, frames: u32| {
            *start == NONE || left.get(*start as usize).is_some_and(|left| *left > frames)
        };
        let mut tables = tables.map(|(starts, frames)| starts.iter().all(|s| lasts(s, *frames)));
        reader.require(tables.all(|lasts| lasts), "a bridge that can't be played")?;
        Ok(Self {
            lengths,
            kinds,
            kind_of,
            starts,
        })
    }
}

/// Means of like frames, and which each frame is nearest to.
fn postures(features: &[Feature]) -> (Vec<Feature>, Vec<u16>) {
    let options = KMeansOptions {
        rounds: 20,
        tolerance: 1e-3,
        sample: 40,
        cancel: None,
    };
    let count = POSTURES.min(features.len().div_ceil(2));
    let found = match Rows::new(features.as_flattened(), DIMENSIONS) {
        Ok(rows) if !rows.is_empty() => kmeans(rows, count, SEED, &options),
        _ => return (Vec::new(), Vec::new()),
    };
    let (centres, _) = found.centres.as_chunks::<DIMENSIONS>();
    let kinds = found.clusters.iter().map(|cluster| *cluster as u16);
    (centres.to_vec(), kinds.collect())
}

/// The means nearest to each frame, with their distances.
fn nearest_means(features: &[Feature], centres: &[Feature]) -> Vec<Vec<(u16, f32)>> {
    let of_frame = |feature: &Feature| {
        let means = centres.iter().enumerate();
        let mut all: Vec<(u16, f32)> = means
            .map(|(kind, centre)| (kind as u16, distance(feature, centre)))
            .collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        all.truncate(NEAR);
        all
    };
    features.par_iter().map(of_frame).collect()
}

/// A performance with bridges laid over the joins where the whole costs less with one.
pub(crate) fn bridge(costs: &Costs, takes: Vec<Take>) -> Vec<Take> {
    let mut bridged: Vec<Take> = Vec::with_capacity(takes.len() + 4);
    let mut takes = takes.into_iter();
    bridged.extend(takes.next());
    for take in takes {
        match bridged.pop() {
            Some(before) => bridged.extend(best_bridge(costs, before, take)),
            None => bridged.push(take),
        }
    }
    merged(bridged, costs.footage)
}

/// Two takes that follow each other, with a third between them where that costs less.
fn best_bridge(costs: &Costs, before: Take, after: Take) -> Vec<Take> {
    let (per_metre, _) = costs.join_weights();
    let joined = costs.join(before.last(), after.source);
    let as_it_is = costs.play(&before) + costs.play(&after) + joined;
    let mut best = (as_it_is, vec![before, after]);
    if joined < UNLIKE * per_metre * costs.footage.unit {
        return best.1;
    }
    let bridges = &costs.footage.bridges;
    for (length, &frames) in bridges.lengths.iter().enumerate() {
        // So many frames of the take before give way; of the take after the rest.
        for sooner in 0..=frames {
            let Some((out, into)) = parted(costs, before, after, [sooner, frames - sooner]) else {
                continue;
            };
            let Some(source) = bridges.between(length, out.last() + 1, into.source) else {
                continue;
            };
            let at = out.end();
            let laid = Take { at, frames, source };
            let joins = costs.join(out.last(), source) + costs.join(laid.last(), into.source);
            let cost = joins + costs.play(&out) + costs.play(&laid) + costs.play(&into);
            if cost < best.0 - 1e-5 && costs.can_enter(source) {
                best = (cost, vec![out, laid, into]);
            }
        }
    }
    best.1
}

/// Two takes with so many frames between them; none where what is fixed, blends or the shortest stay forbid it.
fn parted(costs: &Costs, before: Take, after: Take, gone: [u32; 2]) -> Option<(Take, Take)> {
    let levels = &costs.footage.levels;
    let shortest = levels[levels.len() - 1].block;
    let [sooner, later] = gone;
    let stays = before.frames >= shortest + sooner && after.frames >= shortest + later;
    if !stays || costs.is_held(before.end() - sooner, after.at + later) {
        return None;
    }
    let out = Take {
        frames: before.frames - sooner,
        ..before
    };
    let into = Take {
        at: after.at + later,
        frames: after.frames - later,
        source: after.source + later,
    };
    let blends = costs.can_leave(out.last()) && costs.can_enter(into.source);
    blends.then_some((out, into))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perform::footage::Footage;
    use afoot_graph::level_clip;
    use afoot_run::Run;
    use afoot_sample::{SampleOptions, sample_library};

    fn footage() -> Footage {
        let all = sample_library(&SampleOptions::default());
        let clips: Vec<_> = all[..6].iter().map(level_clip).collect();
        Footage::prepare(&clips, &Run::quiet()).unwrap()
    }

    /// Every stretch and every pair of means, the slow way.
    #[test]
    fn no_other_stretch_near_both_ends_is_nearer() {
        let footage = footage();
        let bridges = &footage.bridges;
        let (centres, kind_of) = postures(&footage.features);
        assert_eq!(kind_of, bridges.kind_of);
        let near = nearest_means(&footage.features, &centres);
        let is_near = |frame: u32, kind: usize| {
            near[frame as usize]
                .iter()
                .any(|(k, _)| usize::from(*k) == kind)
        };
        let half = footage.rate.frames_in(HALF_BLEND) as u32;
        let off =
            |frame: u32, kind: usize| distance(&footage.features[frame as usize], &centres[kind]);
        let mut found = 0;
        for pair in (0..centres.len() * centres.len()).step_by(7) {
            let (a, b) = (pair / centres.len(), pair % centres.len());
            for (index, length) in bridges.lengths.iter().enumerate() {
                let ends = |start: u32| off(start, a) + off(start + length, b);
                let slow = (half..footage.frames() as u32)
                    .filter(|start| footage.left[(start - half) as usize] > 2 * half + length)
                    .filter(|start| is_near(*start, a) && is_near(start + length, b))
                    .map(ends)
                    .fold(f32::INFINITY, f32::min);
                let start = bridges.starts[index * centres.len() * centres.len() + pair];
                match start {
                    NONE => assert_eq!(slow, f32::INFINITY, "{a} to {b}"),
                    start => {
                        found += 1;
                        assert!((ends(start) - slow).abs() < 1e-6, "{a} to {b}");
                    }
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
