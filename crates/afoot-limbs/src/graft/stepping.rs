//! Which moment of a donor each frame of a base gets: by strikes, flights, signals, or in the donor's own time
//! (Shanbhag 2006, §5.3.1).

use std::ops::Range;

use afoot_core::{Chain, Clip, FrameId, FrameRate, Locomotion, Quat, cut_clip};

use super::correlate::{
    Event, alternates, evenly, flights, maps, planted_range, strikes, with_spans,
};
use super::frame_map::{FrameMap, Paired};
use super::rules::kind_of;
use super::signals::{Signals, warp_pairs, zero_crossings};
use super::sync::{Synchronised, synchronise};
use super::{Correlation, Donation, GraftError, GraftOptions};

/// Two clips to be brought into step.
pub(super) struct Stepping<'a> {
    pub base: &'a Clip,
    /// At the base's rate, on its skeleton.
    pub donor: &'a Clip,
    /// The donor's frames that are meant, if not all.
    part: Option<Range<usize>>,
    pub chains: &'a [Chain],
    pub donation: &'a Donation<'a>,
    pub options: &'a GraftOptions,
}

impl<'a> Stepping<'a> {
    pub fn new(
        base: &'a Clip,
        donor: &'a Clip,
        chains: &'a [Chain],
        donation: &'a Donation,
        options: &'a GraftOptions,
    ) -> Self {
        let part = donation.part.as_ref();
        Self {
            base,
            donor,
            part: part.map(|part| part_of(donor, part, donation.donor.rate)),
            chains,
            donation,
            options,
        }
    }

    /// The map, and how it was found.
    pub fn find(&self) -> Result<(Synchronised, &'static str), GraftError> {
        let [donor_kind, base_kind] =
            [self.donor, self.base].map(|clip| kind_of(clip, self.options.share));
        let steps = |kind| matches!(kind, Locomotion::Walk | Locomotion::Run);
        if donor_kind == Locomotion::Stand || (base_kind == Locomotion::Stand && !steps(donor_kind))
        {
            return Ok((self.own_time()?, "own_time"));
        }
        match self.options.correlation {
            Correlation::TimeWarp => {
                let pairs = warp_pairs(&Signals::of(self.base), &self.donor_signals());
                let pairs = thinned(&self.shifted(pairs));
                Ok((self.chosen(vec![pairs], "time warping")?, "time_warp"))
            }
            Correlation::ZeroCrossings => Ok((self.by_crossings()?, "zero_crossings")),
            Correlation::Plants
                if donor_kind == Locomotion::Jump && base_kind == Locomotion::Jump =>
            {
                let found = alternates(&flights(self.base), &self.of_part(flights(self.donor)));
                Ok((self.chosen(found, "flights")?, "flights"))
            }
            Correlation::Plants => self.by_plants(),
        }
    }

    fn by_plants(&self) -> Result<(Synchronised, &'static str), GraftError> {
        let (base, donor) = (strikes(self.base), self.of_part(strikes(self.donor)));
        if base.len() < 2 && donor.len() < 2 && self.options.force {
            return Ok((self.by_crossings()?, "zero_crossings"));
        }
        let found = alternates(&base, &donor);
        let legs = &self.donation.facts.legs;
        let spanned = |pairs: &Vec<Paired>| with_spans(pairs, &legs.base, &legs.donor);
        let clustered = !legs.base.is_empty();
        let found = match clustered {
            true => found.iter().map(spanned).collect(),
            false => found,
        };
        let by = if clustered { "clusters" } else { "plants" };
        Ok((self.chosen(found, "foot plants")?, by))
    }

    fn by_crossings(&self) -> Result<Synchronised, GraftError> {
        let donor = self.of_part(zero_crossings(self.donor));
        let found = alternates(&zero_crossings(self.base), &donor);
        let found = found.iter().map(|pairs| evenly(pairs)).collect();
        self.chosen(found, "zero crossings")
    }

    /// The best of several correlations, given by pairs of frames.
    fn chosen(
        &self,
        found: Vec<Vec<Paired>>,
        by: &'static str,
    ) -> Result<Synchronised, GraftError> {
        let whole = |clip: &Clip| 0..clip.len();
        let within = planted_range(self.base).unwrap_or(whole(self.base));
        let part = self.part.clone().unwrap_or(whole(self.donor));
        let maps = maps(&found, &within, &part);
        let facts = &self.donation.facts;
        synchronise(maps, &facts.upper, &facts.torso).ok_or_else(|| {
            let count = |clip: &Clip| crate::plants::plants_of(clip).len();
            GraftError::NoCorrelation {
                donor: self.donor.name.clone(),
                base: self.base.name.clone(),
                by,
                why: format!(
                    "it takes two successive steps of the same feet in both; they have {} and {} foot plants",
                    count(self.donor),
                    count(self.base)
                ),
            }
        })
    }

    /// The donor's own time, from where its limbs move most.
    fn own_time(&self) -> Result<Synchronised, GraftError> {
        let within = planted_range(self.base).unwrap_or(0..self.base.len());
        let part = self.part.clone().unwrap_or(0..self.donor.len());
        let length = ((within.len() as f64 * self.options.tempo).ceil() as usize).min(part.len());
        let start = liveliest(self.donor, self.chains, &part, length);
        let from = Paired {
            base: within.start as f64,
            donor: start as f64,
        };
        let map = FrameMap::own_time(from, self.options.tempo, within, start + length);
        let map = map.ok_or_else(|| GraftError::Empty {
            clip: self.donor.name.clone(),
        })?;
        Ok(Synchronised { map, apart: None })
    }

    /// Events of the donor that lie in the part that was asked for.
    fn of_part(&self, mut events: Vec<Event>) -> Vec<Event> {
        if let Some(part) = &self.part {
            events.retain(|event| event.at >= part.start as f64 && event.at < part.end as f64);
        }
        events
    }

    fn donor_signals(&self) -> Signals {
        match &self.part {
            Some(part) => {
                let frames = part.start as u32..part.end as u32;
                let cut = cut_clip(self.donor, frames);
                Signals::of(&cut.unwrap_or_else(|_| self.donor.clone()))
            }
            None => Signals::of(self.donor),
        }
    }

    fn shifted(&self, pairs: Vec<Paired>) -> Vec<Paired> {
        let start = self.part.as_ref().map_or(0, |part| part.start) as f64;
        pairs
            .into_iter()
            .map(|pair| Paired {
                donor: pair.donor + start,
                ..pair
            })
            .collect()
    }
}

/// The frames of a resampled donor that were `part` at its own rate; at least one.
fn part_of(donor: &Clip, part: &Range<usize>, own: FrameRate) -> Range<usize> {
    if own == donor.rate {
        return part.clone();
    }
    let frame = |frame: usize| donor.rate.frames_in(frame as f64 * own.frame_time());
    let start = frame(part.start).min(donor.len() - 1);
    start..frame(part.end).clamp(start + 1, donor.len())
}

/// Every so many pairs of a warped way are kept, so that its single steps don't jerk.
const THIN: usize = 8;

fn thinned(pairs: &[Paired]) -> Vec<Paired> {
    let last = pairs.len().saturating_sub(1);
    let kept =
        |index: &usize| index.is_multiple_of(THIN) && last - index >= THIN / 2 || *index == last;
    (0..pairs.len())
        .filter(kept)
        .map(|index| pairs[index])
        .collect()
}

/// Where a stretch of `length` frames starts in which the chains turn most.
fn liveliest(donor: &Clip, chains: &[Chain], part: &Range<usize>, length: usize) -> usize {
    let joints: Vec<_> = chains
        .iter()
        .flat_map(|chain| chain.joints.clone())
        .collect();
    let turned = |frame: usize| -> f32 {
        let turn = |joint| -> f32 {
            let at = |frame: usize| -> Quat { donor.rotation(FrameId::from(frame), joint) };
            at(frame).angle_between(at(frame + 1))
        };
        joints.iter().map(|joint| turn(*joint)).sum()
    };
    let turns: Vec<f32> = (part.start..part.end - 1).map(turned).collect();
    let mut sums = vec![0.0];
    turns
        .iter()
        .for_each(|turn| sums.push(sums[sums.len() - 1] + turn));
    let last = part.len() - length;
    let lively = |start: &usize| sums[start + length.max(1) - 1] - sums[*start];
    let best = (0..=last).max_by(|a, b| lively(a).total_cmp(&lively(b)).then(b.cmp(a)));
    part.start + best.unwrap_or(0)
}
