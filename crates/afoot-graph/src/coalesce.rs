//! Fewer, better spaced places to leave and arrive (Reitsma and Pollard 2004, appendix).
//!
//! Windows of a clip's frames in which more than one frame has equivalents are coalesced, the most
//! valuable first: one frame of the window, whether it had equivalents or not, takes over all partners that
//! it resembles well enough, the others let go. At the end places are a window apart. The value of a choice
//! is the sum of its similarities (threshold less error). Coalescing one window changes the value of
//! hundreds; most of them only fall, so a value that was not looked at since is a bound from above, and
//! is only found anew when it comes to the top: the same choices as if all had been. Similarities of
//! all frames are a table, filled by the distance kernel, up to [`MOST_IN_TABLE`] frames; of up to
//! [`MOST_IN_ROWS`] only those above 0 are kept, since few frames are alike; of more they are found one by
//! one, at a microsecond each: meant for graphs of minutes, not hours.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use afoot_core::{ClipId, FrameId};
use rayon::prelude::*;

use crate::distance::{Block, Features, RowSink, Rows, sweep};
use crate::minima::Candidate;
use crate::motion_graph::Place;
use crate::sparse_row::SparseRow;

/// More frames than this have no table of similarities, which would take 256 MB.
const MOST_IN_TABLE: usize = 8192;
/// More frames than this have no rows either: which are alike would take 200 MB.
const MOST_IN_ROWS: usize = 32768;
/// More frames alike than this are found one by one: they would take 256 MB.
const MOST_ALIKE: usize = 1 << 26;

/// Coalesces candidates until those of each clip start at least `apart` frames from each other.
///
/// `threshold` is the largest error allowed between two window starts. [cm]
pub(crate) fn coalesce(
    candidates: &[Candidate],
    features: &Features,
    apart: u32,
    threshold: impl Fn(Place, Place) -> f32 + Sync,
) -> Vec<Candidate> {
    let similarities = Similarities::new(features, &threshold);
    let mut work = Coalescing::new(candidates, similarities, apart);
    (0..work.partners.len() as u32).for_each(|start| work.offer(start));
    while let Some(choice) = work.queue.pop() {
        work.take(choice);
    }
    work.candidates(features)
}

struct Coalescing<'a, T> {
    similarities: Similarities<'a, T>,
    apart: u32,
    /// Equivalents of each frame of all clips, both ways, rising.
    partners: Vec<Vec<u32>>,
    /// The first and the end of the clip that each frame is of.
    clip: Vec<[u32; 2]>,
    /// How often the window that starts at each frame was offered; older offers are void.
    offers: Vec<u32>,
    /// Whether the offer is a bound only.
    is_bound: Vec<bool>,
    /// The value or bound of the offer that counts, if there is one.
    bounds: Vec<Option<f32>>,
    queue: BinaryHeap<Choice>,
    /// When each frame was last met, for unions and for bounds raised once.
    met: Vec<u32>,
    meeting: u32,
}

/// Letting `frame` stand for all frames of the window that starts at `start`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Choice {
    value: f32,
    start: u32,
    frame: u32,
    offer: u32,
}

impl<'a, T: Fn(Place, Place) -> f32 + Sync> Coalescing<'a, T> {
    fn new(candidates: &[Candidate], similarities: Similarities<'a, T>, apart: u32) -> Self {
        let features = similarities.features;
        let frames = features.total_frames();
        let mut partners: Vec<Vec<u32>> = vec![Vec::new(); frames];
        let at = |clip: u32, frame: u32| features.cols(clip as usize).start as u32 + frame;
        for c in candidates {
            let (a, b) = (at(c.a, c.i), at(c.b, c.s));
            partners[a as usize].push(b);
            partners[b as usize].push(a);
        }
        for list in &mut partners {
            list.sort_unstable();
            list.dedup();
        }
        let mut clip = Vec::with_capacity(frames);
        for index in 0..features.clips() {
            let cols = features.cols(index);
            let ends = [cols.start as u32, cols.end as u32];
            clip.extend(cols.map(|_| ends));
        }
        Self {
            similarities,
            apart: apart.max(1),
            partners,
            clip,
            offers: vec![0; frames],
            is_bound: vec![false; frames],
            bounds: vec![None; frames],
            queue: BinaryHeap::new(),
            met: vec![0; frames],
            meeting: 0,
        }
    }

    /// Carries out the choice at the top, or looks at it again if its value was a bound.
    fn take(&mut self, choice: Choice) {
        let start = choice.start as usize;
        if self.offers[start] != choice.offer {
            return;
        }
        match self.is_bound[start] {
            true => self.offer(choice.start),
            false => self.apply(choice),
        }
    }

    /// Puts the best choice for the window that starts at a frame into the queue.
    fn offer(&mut self, start: u32) {
        self.offers[start as usize] += 1;
        self.is_bound[start as usize] = false;
        self.bounds[start as usize] = None;
        let window = self.window(start);
        if self.occupied(&window).nth(1).is_none() {
            return;
        }
        let others = self.others(&window);
        let offer = self.offers[start as usize];
        let choice = |frame: u32| {
            let each = others.iter().map(|g| self.similarities.of(frame, *g));
            Choice {
                value: each.sum(),
                start,
                frame,
                offer,
            }
        };
        let best = window.map(choice).max();
        self.bounds[start as usize] = best.map(|best| best.value);
        self.queue.extend(best);
    }

    fn apply(&mut self, choice: Choice) {
        let window = self.window(choice.start);
        let occupied: Vec<u32> = self.occupied(&window).collect();
        let others = self.others(&window);
        for &frame in &occupied {
            for other in std::mem::take(&mut self.partners[frame as usize]) {
                remove(&mut self.partners[other as usize], frame);
            }
        }
        self.meeting += 1;
        let meeting = self.meeting;
        for &other in &others {
            let gains = self.similarities.of(choice.frame, other) > 0.0;
            if gains {
                insert(&mut self.partners[choice.frame as usize], other);
                insert(&mut self.partners[other as usize], choice.frame);
            }
            let rise = if gains {
                self.highest(choice.frame, other)
            } else {
                0.0
            };
            for start in self.starts_around(other) {
                self.is_bound[start as usize] = true;
                if rise > 0.0 && self.met[start as usize] != meeting {
                    self.met[start as usize] = meeting;
                    self.raise(start, rise);
                }
            }
        }
        let (first, last) = (window.start, window.end - 1);
        let from = *self.starts_around(first).start();
        (from..=last).for_each(|start| self.offer(start));
    }

    /// What one more partner can add to any window that holds a frame, at most.
    fn highest(&self, partner: u32, frame: u32) -> f32 {
        let [first, end] = self.clip[frame as usize];
        let near = (frame + 1).saturating_sub(self.apart).max(first)..(frame + self.apart).min(end);
        near.map(|near| self.similarities.of(near, partner))
            .fold(0.0, f32::max)
    }

    /// Offers a window again, with a bound that is higher.
    fn raise(&mut self, start: u32, rise: f32) {
        let index = start as usize;
        let Some(value) = self.bounds[index].map(|bound| bound + rise) else {
            return; // too few of its frames have equivalents
        };
        self.bounds[index] = Some(value);
        self.offers[index] += 1;
        self.queue.push(Choice {
            value,
            start,
            frame: start,
            offer: self.offers[index],
        });
    }

    /// The frames of the window that starts at one.
    fn window(&self, start: u32) -> std::ops::Range<u32> {
        start..(start + self.apart).min(self.clip[start as usize][1])
    }

    /// The windows, by their first frames, that hold a frame.
    fn starts_around(&self, frame: u32) -> std::ops::RangeInclusive<u32> {
        let first = self.clip[frame as usize][0];
        (frame + 1).saturating_sub(self.apart).max(first)..=frame
    }

    fn occupied<'s>(&'s self, window: &std::ops::Range<u32>) -> impl Iterator<Item = u32> + 's {
        let frames = window.clone();
        frames.filter(|frame| !self.partners[*frame as usize].is_empty())
    }

    /// The partners of a window's frames, but for frames of the window itself.
    fn others(&mut self, window: &std::ops::Range<u32>) -> Vec<u32> {
        self.meeting += 1;
        let mut others = Vec::new();
        for frame in window.clone() {
            for &other in &self.partners[frame as usize] {
                if self.met[other as usize] != self.meeting && !window.contains(&other) {
                    self.met[other as usize] = self.meeting;
                    others.push(other);
                }
            }
        }
        others.sort_unstable();
        others
    }

    fn candidates(&self, features: &Features) -> Vec<Candidate> {
        let mut found = Vec::new();
        let place = |frame: u32| self.similarities.place(frame);
        for (first, partners) in self.partners.iter().enumerate() {
            let first = first as u32;
            for &second in partners.iter().filter(|second| **second >= first) {
                let (first, second) = (place(first), place(second));
                found.push(Candidate {
                    a: first.clip.0,
                    b: second.clip.0,
                    i: first.frame.0,
                    s: second.frame.0,
                    error_cm: features.error_cm(first, second),
                });
            }
        }
        found.sort_unstable_by_key(Candidate::key);
        found
    }
}

fn remove(list: &mut Vec<u32>, value: u32) {
    if let Ok(at) = list.binary_search(&value) {
        list.remove(at);
    }
}

fn insert(list: &mut Vec<u32>, value: u32) {
    if let Err(at) = list.binary_search(&value) {
        list.insert(at, value);
    }
}

/// Threshold less error; 0 where there is none, and for trivial neighbours. [cm]
struct Similarities<'a, T> {
    features: &'a Features,
    threshold: &'a T,
    frames: usize,
    /// Row by row, if there are few enough frames.
    table: Option<Vec<f32>>,
    /// Of each frame with later ones, if there are more and few enough are alike.
    rows: Option<Vec<SparseRow>>,
    /// Those found so far otherwise; only looked up, so its order reaches nothing.
    found: Mutex<HashMap<(u32, u32), f32>>,
}

impl<'a, T: Fn(Place, Place) -> f32 + Sync> Similarities<'a, T> {
    fn new(features: &'a Features, threshold: &'a T) -> Self {
        let frames = features.total_frames();
        let mut similarities = Self {
            features,
            threshold,
            frames,
            table: None,
            rows: None,
            found: Mutex::default(),
        };
        if frames <= MOST_IN_TABLE {
            similarities.table = Some(similarities.fill());
        } else if frames <= MOST_IN_ROWS {
            similarities.rows = similarities.fill_rows(MOST_ALIKE);
        }
        similarities
    }

    #[inline]
    fn of(&self, a: u32, b: u32) -> f32 {
        let (first, second) = (a.min(b), a.max(b));
        match (&self.table, &self.rows) {
            (Some(table), _) => table[a as usize * self.frames + b as usize],
            (_, Some(rows)) => rows[first as usize].value(second),
            _ => self.looked_up(first, second),
        }
    }

    fn looked_up(&self, a: u32, b: u32) -> f32 {
        // One thread asks; whoever panicked before has stored nothing half.
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        *found.entry((a, b)).or_insert_with(|| {
            let [first, second] = [a, b].map(|frame| self.place(frame));
            let error = self.features.error_cm(first, second);
            self.value(first, second, error)
        })
    }

    fn value(&self, a: Place, b: Place, error_cm: f32) -> f32 {
        let frames_apart = a.frame.0.abs_diff(b.frame.0);
        let trivial = a.clip == b.clip && frames_apart < self.features.window() as u32;
        match trivial || !error_cm.is_finite() {
            true => 0.0,
            false => ((self.threshold)(a, b) - error_cm).max(0.0),
        }
    }

    /// A frame by its number among those of all clips.
    fn place(&self, frame: u32) -> Place {
        let clips = 0..self.features.clips();
        let mut clips = clips.filter(|clip| self.features.cols(*clip).end > frame as usize);
        let clip = clips.next().unwrap_or(0);
        Place {
            clip: ClipId::from(clip),
            frame: FrameId(frame - self.features.cols(clip).start as u32),
        }
    }

    /// Similarities above 0 of each frame with later ones; `None` if there are more than `most`.
    fn fill_rows(&self, most: usize) -> Option<Vec<SparseRow>> {
        let frames = self.frames;
        let places: Vec<Place> = (0..frames as u32).map(|frame| self.place(frame)).collect();
        let (places, alike) = (&places, AtomicUsize::new(0));
        let of_clip = |clip: usize| {
            let own = self.features.cols(clip);
            let mut rows = AlikeRows {
                similarities: self,
                places,
                start: own.start,
                rows: vec![SparseRow::default(); own.len()],
                alike: &alike,
                most,
            };
            let block = Block {
                clips: clip..clip + 1,
                cols: 0..frames,
            };
            sweep(self.features, &block, &mut rows);
            rows.rows
        };
        let clips: Vec<usize> = (0..self.features.clips()).collect();
        let rows: Vec<Vec<SparseRow>> = clips.into_par_iter().map(of_clip).collect();
        (alike.into_inner() <= most).then(|| rows.concat())
    }

    /// All similarities, a row for each frame.
    fn fill(&self) -> Vec<f32> {
        let frames = self.frames;
        let places: Vec<Place> = (0..frames as u32).map(|frame| self.place(frame)).collect();
        let clips: Vec<usize> = (0..self.features.clips()).collect();
        let of_clip = |clip: &usize| {
            let own = self.features.cols(*clip);
            let mut rows = ErrorRows {
                frames: own.len(),
                columns: frames,
                squares: vec![f32::INFINITY; own.len() * frames],
            };
            let block = Block {
                clips: *clip..*clip + 1,
                cols: 0..frames,
            };
            sweep(self.features, &block, &mut rows);
            let mut values = rows.squares;
            for (row, values) in values.chunks_mut(frames).enumerate() {
                let first = places[own.start + row];
                for (column, value) in values.iter_mut().enumerate() {
                    // Left of the row's own frame the kernel leaves out what mirrors the rest.
                    *value = match column < own.start + row {
                        true => 0.0,
                        false => self.value(first, places[column], value.sqrt()),
                    };
                }
            }
            values
        };
        let rows: Vec<Vec<f32>> = clips.par_iter().map(of_clip).collect();
        let mut table = rows.concat();
        for row in 0..frames {
            for column in 0..row {
                table[row * frames + column] = table[column * frames + row];
            }
        }
        table
    }
}

/// A clip's rows of errors, kept.
struct ErrorRows {
    frames: usize,
    columns: usize,
    squares: Vec<f32>,
}

impl RowSink for ErrorRows {
    fn rows(&mut self, rows: &Rows<'_>) {
        for frame in rows.first..(rows.first + rows.count).min(self.frames) {
            let out = &mut self.squares[frame * self.columns..][..self.columns];
            out.copy_from_slice(rows.row(frame as isize));
        }
    }
}

/// A clip's rows of errors, of which what is alike is kept.
struct AlikeRows<'a, 'b, T> {
    similarities: &'a Similarities<'b, T>,
    places: &'a [Place],
    /// The clip's first frame.
    start: usize,
    rows: Vec<SparseRow>,
    /// How many are alike, of all clips.
    alike: &'a AtomicUsize,
    most: usize,
}

impl<T: Fn(Place, Place) -> f32 + Sync> RowSink for AlikeRows<'_, '_, T> {
    fn rows(&mut self, rows: &Rows<'_>) {
        for frame in rows.first..(rows.first + rows.count).min(self.rows.len()) {
            if self.alike.load(Relaxed) > self.most {
                return; // too many to be kept
            }
            let own = self.start + frame;
            let squares = &rows.row(frame as isize)[own..self.places.len()];
            let places = &self.places[own..];
            let value = |(square, place): (&f32, &Place)| {
                self.similarities.value(places[0], *place, square.sqrt())
            };
            let row = SparseRow::new(own as u32, squares.iter().zip(places).map(value));
            self.alike.fetch_add(row.len(), Relaxed);
            self.rows[frame] = row;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::{CloudOptions, PointCloud, WindowShape};
    use crate::minima::find_minima;
    use afoot_core::Clip;
    use afoot_sample::{SampleOptions, sample_library};
    use std::collections::{BTreeMap, BTreeSet};

    /// A clip and a frame of it.
    type Spot = (u32, u32);

    fn place((clip, frame): Spot) -> Place {
        Place {
            clip: ClipId(clip),
            frame: FrameId(frame),
        }
    }

    /// The appendix as it stands: all windows are looked at before each choice.
    fn by_the_book(
        candidates: &[Candidate],
        features: &Features,
        apart: u32,
        threshold: f32,
    ) -> BTreeSet<(Spot, Spot)> {
        let mut partners: BTreeMap<Spot, BTreeSet<Spot>> = BTreeMap::new();
        for c in candidates {
            partners.entry((c.a, c.i)).or_default().insert((c.b, c.s));
            partners.entry((c.b, c.s)).or_default().insert((c.a, c.i));
        }
        let mut known: BTreeMap<(Spot, Spot), f32> = BTreeMap::new();
        for c in 0..features.clips() as u32 {
            for d in 0..features.clips() as u32 {
                for i in 0..features.frames(c as usize) as u32 {
                    for s in 0..features.frames(d as usize) as u32 {
                        let error = features.error_cm(place((c, i)), place((d, s)));
                        let trivial = c == d && i.abs_diff(s) < features.window() as u32;
                        let value = if trivial {
                            0.0
                        } else {
                            (threshold - error).max(0.0)
                        };
                        known.insert(((c, i), (d, s)), value);
                    }
                }
            }
        }
        let of = |a: Spot, b: Spot| known[&(a, b)];
        loop {
            let mut best: Option<(f32, Vec<Spot>, Spot, BTreeSet<Spot>)> = None;
            for clip in 0..features.clips() as u32 {
                let frames = features.frames(clip as usize) as u32;
                for start in 0..frames {
                    let window = (clip, start)..(clip, (start + apart).min(frames));
                    let held: Vec<Spot> = partners.range(window.clone()).map(|(s, _)| *s).collect();
                    if held.len() < 2 {
                        continue;
                    }
                    let others = held
                        .iter()
                        .flat_map(|frame| partners[frame].iter().copied());
                    let others: BTreeSet<Spot> =
                        others.filter(|other| !window.contains(other)).collect();
                    for frame in start..window.end.1 {
                        let value: f32 = others.iter().map(|g| of((clip, frame), *g)).sum();
                        if best.as_ref().is_none_or(|(most, ..)| value > most + 1e-3) {
                            best = Some((value, held.clone(), (clip, frame), others.clone()));
                        }
                    }
                }
            }
            let Some((_, held, chosen, others)) = best else {
                break;
            };
            for frame in held {
                for other in partners.remove(&frame).unwrap() {
                    let left = partners.get_mut(&other);
                    if let Some(left) = left {
                        left.remove(&frame);
                    }
                }
            }
            partners.retain(|_, list| !list.is_empty());
            for other in others {
                if of(chosen, other) > 0.0 {
                    partners.entry(chosen).or_default().insert(other);
                    partners.entry(other).or_default().insert(chosen);
                }
            }
        }
        let pairs = partners
            .iter()
            .flat_map(|(a, list)| list.iter().map(|b| (*a, *b)));
        pairs.filter(|(a, b)| a <= b).collect()
    }

    #[test]
    fn choices_are_those_of_the_appendix() {
        let clips: Vec<Clip> = sample_library(&SampleOptions::default());
        let short = |clip: &Clip| afoot_core::cut_clip(clip, 0..70).unwrap();
        let clips: Vec<Clip> = clips[..2].iter().map(short).collect();
        let clips: Vec<&Clip> = clips.iter().collect();
        let cloud = PointCloud::for_clips(&clips, &CloudOptions::default()).unwrap();
        let features = Features::new(&clips, &cloud, &WindowShape::new(10, 1.0));
        let block = Block {
            clips: 0..2,
            cols: 0..features.total_frames(),
        };
        let candidates = find_minima(&features, &block, 6.0);
        assert!(candidates.len() > 5, "{}", candidates.len());
        let apart = 12;
        let found = coalesce(&candidates, &features, apart, |_, _| 6.0);
        let found: BTreeSet<(Spot, Spot)> =
            found.iter().map(|c| ((c.a, c.i), (c.b, c.s))).collect();
        let expected = by_the_book(&candidates, &features, apart, 6.0);
        assert_eq!(found, expected);
        let starts: BTreeSet<Spot> = found.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let starts: Vec<Spot> = starts.into_iter().collect();
        let apart_enough = |pair: &[Spot]| pair[0].0 != pair[1].0 || pair[1].1 - pair[0].1 >= apart;
        assert!(starts.len() > 2 && starts.windows(2).all(apart_enough));
    }

    #[test]
    fn rows_of_what_is_alike_say_what_the_table_says() {
        let clips: Vec<Clip> = sample_library(&SampleOptions::default());
        let clips: Vec<&Clip> = clips[..2].iter().collect();
        let cloud = PointCloud::for_clips(&clips, &CloudOptions::default()).unwrap();
        let features = Features::new(&clips, &cloud, &WindowShape::new(10, 1.0));
        let threshold = |_: Place, _: Place| 8.0;
        let dense = Similarities::new(&features, &threshold);
        let alike = dense.fill_rows(MOST_ALIKE);
        let sparse = Similarities {
            features: &features,
            threshold: &threshold,
            frames: dense.frames,
            table: None,
            rows: alike,
            found: Mutex::default(),
        };
        let frames = features.total_frames() as u32;
        let mut alike = 0;
        for a in 0..frames {
            for b in 0..frames {
                assert_eq!(sparse.of(a, b), dense.of(a, b), "{a} {b}");
                alike += u32::from(sparse.of(a, b) > 0.0);
            }
        }
        assert!(alike > frames && alike < frames * frames / 2, "{alike}");
        assert!(dense.fill_rows(alike as usize / 4).is_none());
    }
}
