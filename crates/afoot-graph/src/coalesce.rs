//! Fewer, better spaced places to leave and arrive (Reitsma and Pollard 2004, appendix).
//!
//! Windows of a clip's frames in which more than one frame has equivalents are coalesced, the most
//! valuable first: one of these frames takes over all partners that it resembles well enough, the
//! others let go. At the end places are a window apart. The value of a choice is the sum of its
//! similarities (threshold less error). We only try frames that have equivalents already.
//! Cost: about a microsecond per similarity tried; meant for graphs of minutes, not hours.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use crate::distance::Features;
use crate::minima::Candidate;

/// A frame of a clip.
type Spot = (u32, u32);

/// Coalesces candidates until those of each clip start at least `apart` frames from each other.
///
/// `threshold` is the largest error allowed between two window starts. [cm]
pub(crate) fn coalesce(
    candidates: &[Candidate],
    features: &Features,
    apart: u32,
    threshold: impl Fn(Spot, Spot) -> f32,
) -> Vec<Candidate> {
    let mut work = Coalescing::new(candidates, features, apart, threshold);
    let starts: Vec<Spot> = work.partners.keys().copied().collect();
    starts.into_iter().for_each(|start| work.offer(start));
    while let Some(choice) = work.queue.pop() {
        if work.is_current(&choice) {
            work.apply(&choice);
        }
    }
    work.candidates()
}

struct Coalescing<'a, T> {
    features: &'a Features,
    apart: u32,
    threshold: T,
    /// Equivalents of each frame that has any, both ways.
    partners: BTreeMap<Spot, BTreeSet<Spot>>,
    /// How often the window that starts at each frame was offered; older offers are void.
    offers: BTreeMap<Spot, u32>,
    queue: BinaryHeap<Choice>,
    /// Similarities found so far; only looked up, so its order reaches nothing.
    similarities: HashMap<(Spot, Spot), f32>,
}

/// Letting `frame` stand for all frames of the window that starts at `start`.
#[derive(Clone, Copy, PartialEq)]
struct Choice {
    value: f32,
    start: Spot,
    frame: Spot,
    offer: u32,
}

impl<T: Fn(Spot, Spot) -> f32> Coalescing<'_, T> {
    fn new<'a>(
        candidates: &[Candidate],
        features: &'a Features,
        apart: u32,
        threshold: T,
    ) -> Coalescing<'a, T> {
        let mut partners: BTreeMap<Spot, BTreeSet<Spot>> = BTreeMap::new();
        for c in candidates {
            partners.entry((c.a, c.i)).or_default().insert((c.b, c.s));
            partners.entry((c.b, c.s)).or_default().insert((c.a, c.i));
        }
        Coalescing {
            features,
            apart,
            threshold,
            partners,
            offers: BTreeMap::new(),
            queue: BinaryHeap::new(),
            similarities: HashMap::new(),
        }
    }

    /// Puts the best choice for the window that starts at an occupied frame into the queue.
    fn offer(&mut self, start: Spot) {
        let offer = self.offers.entry(start).or_default();
        *offer += 1;
        let offer = *offer;
        let frames = self.window(start);
        if frames.len() < 2 {
            return;
        }
        let others = self.partners_of(&frames);
        let mut best: Option<Choice> = None;
        for frame in frames {
            let value = others
                .iter()
                .map(|g| self.similarity(frame, *g))
                .sum::<f32>();
            best = best.max(Some(Choice {
                value,
                start,
                frame,
                offer,
            }));
        }
        self.queue.extend(best);
    }

    fn is_current(&self, choice: &Choice) -> bool {
        self.offers.get(&choice.start) == Some(&choice.offer)
    }

    fn apply(&mut self, choice: &Choice) {
        let frames = self.window(choice.start);
        let others = self.partners_of(&frames);
        for frame in &frames {
            for other in self.partners.remove(frame).unwrap_or_default() {
                self.part(other, *frame);
            }
        }
        for &other in &others {
            if self.similarity(choice.frame, other) > 0.0 {
                self.partners.entry(choice.frame).or_default().insert(other);
                self.partners.entry(other).or_default().insert(choice.frame);
            }
        }
        let touched = frames.iter().chain(&others);
        let starts: BTreeSet<Spot> = touched.flat_map(|spot| self.starts_around(*spot)).collect();
        starts.into_iter().for_each(|start| self.offer(start));
    }

    /// Takes `frame` off the equivalents of `other`.
    fn part(&mut self, other: Spot, frame: Spot) {
        if let Some(partners) = self.partners.get_mut(&other) {
            partners.remove(&frame);
            if partners.is_empty() {
                self.partners.remove(&other);
            }
        }
    }

    /// The occupied frames of the window that starts at `start`.
    fn window(&self, start: Spot) -> Vec<Spot> {
        let end = (start.0, start.1.saturating_add(self.apart));
        self.partners
            .range(start..end)
            .map(|(spot, _)| *spot)
            .collect()
    }

    /// The occupied frames whose windows hold `spot`, and `spot` itself, whose offer may be void.
    fn starts_around(&self, spot: Spot) -> Vec<Spot> {
        let first = (spot.0, (spot.1 + 1).saturating_sub(self.apart));
        let occupied = self.partners.range(first..=spot).map(|(start, _)| *start);
        occupied.chain([spot]).collect()
    }

    fn partners_of(&self, frames: &[Spot]) -> BTreeSet<Spot> {
        frames
            .iter()
            .filter_map(|frame| self.partners.get(frame))
            .flatten()
            .copied()
            .collect()
    }

    /// Threshold less error; 0 where there is none, and for trivial neighbours. [cm]
    fn similarity(&mut self, a: Spot, b: Spot) -> f32 {
        if a.0 == b.0 && a.1.abs_diff(b.1) < self.features.window() as u32 {
            return 0.0;
        }
        let pair = (a.min(b), a.max(b));
        *self.similarities.entry(pair).or_insert_with(|| {
            let [first, second] = [pair.0, pair.1].map(|s| (s.0 as usize, s.1 as usize));
            ((self.threshold)(a, b) - self.features.error_cm(first, second)).max(0.0)
        })
    }

    fn candidates(&self) -> Vec<Candidate> {
        let mut found = Vec::new();
        for (&(a, i), partners) in &self.partners {
            for &(b, s) in partners.range((a, i)..) {
                let error_cm = self
                    .features
                    .error_cm((a as usize, i as usize), (b as usize, s as usize));
                found.push(Candidate {
                    a,
                    b,
                    i,
                    s,
                    error_cm,
                });
            }
        }
        found.sort_unstable_by_key(Candidate::key);
        found
    }
}

impl Eq for Choice {}

impl PartialOrd for Choice {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Choice {
    /// By value; of equal ones the earlier is greater.
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |choice: &Self| (choice.start, choice.frame, choice.offer);
        self.value
            .total_cmp(&other.value)
            .then_with(|| place(other).cmp(&place(self)))
    }
}
