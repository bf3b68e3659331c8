//! A score laid over footage: what each frame of the result should be, in frames.
//!
//! The painted labels become bits; stretches of the same wishes become sections, and for each kind of
//! section the misses of all captured frames are summed up once, so that what a block misses costs a
//! subtraction (equation 2 up to a constant: D = 2 · misses − painted). Who asks for a walk means one
//! that faces its way, on the floor: frames that do otherwise miss half a label, unless most that carry
//! what is asked do so. Poses become spans that are
//! fixed, with a margin in which nothing is blended; places keep their frame.
//! Cost: frames of the footage times kinds of sections.

use afoot_core::{Clip, Planar, Range32};
use thiserror::Error;

use super::footage::Footage;
use super::limbs::check_chains;
use super::score::{MOST_LABELS, Paint, PlaceWish, PoseWish, Score};

/// Frames of a blend on either side of a join at most; a sixth of a second. [s]
pub(crate) const HALF_BLEND: f64 = 0.2;

/// A score in frames.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    /// Length of the result.
    pub frames: u32,
    /// In order, without gaps.
    pub sections: Vec<Section>,
    /// Misses of all captured frames before each, in hundredths, a row for each kind of section.
    misses: Vec<Vec<i32>>,
    /// How captured frames may be used.
    uses: Uses,
    /// What must be played, in order and apart.
    pub fixed: Vec<Fixed>,
    /// Where to be, in order.
    pub places: Vec<Goal>,
    /// Where the motion begins.
    pub start: Planar,
    /// Which labels each captured frame carries, as bits in the order of [`Score::labels`].
    pub carried: Vec<u64>,
}

/// A stretch of the same wishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub frames: Range32,
    pub wish: Wish,
    kind: usize,
}

/// Labels that are wanted, and that are not, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wish {
    pub wanted: u64,
    pub unwanted: u64,
    /// Whether frames that go sideways or backwards do what is asked.
    pub any_way: bool,
}

/// How captured frames may be used, where that is restricted: one for each, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Frames that are only played after the frame before them.
    pub no_entry: Vec<bool>,
    /// Frames that are rather played (above 0) or rather not. [hundredths of a label missed]
    pub bias: Vec<i16>,
}

/// The bit of a captured frame that goes sideways or backwards.
const ODD: u64 = 1 << MOST_LABELS;
/// What such a frame misses, of the hundred of a label.
const ODDLY: i32 = 50;

/// Captured frames that must be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixed {
    /// First frame of the result.
    pub at: u32,
    pub frames: u32,
    /// First captured frame.
    pub source: u32,
    /// The frames that were asked for, without margins.
    pub asked: Range32,
}

/// A place to be at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Goal {
    pub frame: u32,
    pub x: f64,
    pub z: f64,
    /// [rad]
    pub yaw: Option<f64>,
}

/// What a score asks for that the library can't know.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum CastError {
    #[error("no clip carries the label {label:?}{}", told(.nearest, .known))]
    UnknownLabel {
        label: String,
        nearest: Option<String>,
        known: Vec<String>,
    },
    #[error("there is no clip {clip:?}{}", told(.nearest, &[]))]
    UnknownClip {
        clip: String,
        nearest: Option<String>,
    },
    #[error(
        "clip {clip:?} has {seconds:.2} s; the pose at {at} s asks for {from} to {to:.2} s of it"
    )]
    BeyondClip {
        clip: String,
        seconds: f64,
        at: f64,
        from: f64,
        to: f64,
    },
    #[error("{label:?} is painted on {chains}, which this skeleton has not; it has {known}")]
    UnknownChain {
        chains: String,
        label: String,
        known: String,
    },
    #[error(
        "{label:?} is painted on {chain}: legs carry the body; paint what they do without chains, and the arms with"
    )]
    Leg { label: String, chain: String },
    #[error(
        "{first:?} and {second:?} are both painted on {chain} from {from} to {to} s; a limb does one thing at a time"
    )]
    ChainTwice {
        first: String,
        second: String,
        chain: String,
        from: f64,
        to: f64,
    },
    #[error("clip {clip:?} at {time} s is marked as faulty; another moment would do")]
    Faulty { clip: String, time: f64 },
}

fn told(nearest: &Option<String>, known: &[String]) -> String {
    match (nearest, known) {
        (Some(meant), _) => format!("; did you mean {meant:?}?"),
        (None, []) => String::new(),
        (None, known) => format!("; known are {}", known.join(", ")),
    }
}

impl Uses {
    fn bias_of(&self, frame: u32) -> i32 {
        self.bias
            .get(frame as usize)
            .map_or(0, |bias| i32::from(*bias))
    }
}

impl Wish {
    /// How many labels a frame that carries these misses.
    pub fn misses(self, carried: u64) -> u32 {
        (self.wanted & !carried).count_ones() + (self.unwanted & carried).count_ones()
    }

    /// What it misses in hundredths of a label.
    pub fn hundredths(self, carried: u64) -> i32 {
        let odd = !self.any_way && carried & ODD != 0;
        100 * self.misses(carried) as i32 + if odd { ODDLY } else { 0 }
    }

    /// Whether labels are wanted or not.
    fn paints(self) -> bool {
        self.wanted | self.unwanted != 0
    }
}

impl Timeline {
    /// Lays a score, which was checked, over footage of these clips.
    pub fn new(score: &Score, clips: &[Clip], footage: &Footage) -> Result<Self, CastError> {
        check_chains(score, clips)?;
        let labels = score.labels();
        let mut carried = carried_labels(&labels, clips)?;
        for (bits, odd) in carried.iter_mut().zip(&footage.odd) {
            *bits |= if *odd { ODD } else { 0 };
        }
        let frames = (footage.rate.frames_in(score.seconds) as u32).max(1);
        let mut sections = sections_of(score, &labels, frames, footage);
        for section in &mut sections {
            section.wish.any_way = is_odd_by_nature(section.wish, &carried);
        }
        let uses = Uses::default();
        let misses = summed_misses(&sections, &carried, &uses);
        let fixed = fixed_spans(&score.poses, clips, frames, footage)?;
        let mut places: Vec<Goal> = score
            .places
            .iter()
            .map(|place| goal_of(place, frames, footage))
            .collect();
        places.sort_by_key(|goal| goal.frame);
        let start = score.start;
        Ok(Self {
            frames,
            sections,
            misses,
            uses,
            fixed,
            places,
            start: Planar::new(start.x, start.z, start.yaw.to_radians()),
            carried,
        })
    }

    /// The same where frames may be used so.
    pub fn using(mut self, uses: &Uses) -> Self {
        self.misses = summed_misses(&self.sections, &self.carried, uses);
        self.uses = uses.clone();
        self
    }

    /// Whether a join may lead to a captured frame.
    pub fn may_enter(&self, frame: u32) -> bool {
        !self.uses.no_entry.get(frame as usize).is_some_and(|no| *no)
    }

    /// What playing one captured frame misses. [hundredths]
    pub fn missed(&self, wish: Wish, frame: u32) -> i32 {
        wish.hundredths(self.carried[frame as usize]) - self.uses.bias_of(frame)
    }

    /// What captured frames from `source` on miss, played from `at` on for so many frames. [hundredths]
    pub fn misses_of(&self, at: u32, source: u32, frames: u32) -> i32 {
        let first = self
            .sections
            .partition_point(|section| section.frames.end <= at);
        let end = at + frames;
        let mut sum = 0;
        for section in &self.sections[first..] {
            if section.frames.start >= end {
                break;
            }
            let common = section.frames.intersect(Range32 { start: at, end });
            let row = &self.misses[section.kind];
            let captured = |frame: u32| row[(source + frame - at) as usize];
            sum += captured(common.end) - captured(common.start);
        }
        sum
    }

    /// The frames of a painted entry.
    pub fn painted(&self, paint: &Paint, footage: &Footage) -> Range32 {
        stretch(paint, self.frames, footage)
    }
}

/// The frames that an entry paints.
fn stretch(paint: &Paint, frames: u32, footage: &Footage) -> Range32 {
    let frame = |seconds: f64| (footage.rate.frames_in(seconds) as u32).min(frames);
    Range32 {
        start: frame(paint.from),
        end: frame(paint.to),
    }
}

/// Which of the labels each captured frame carries. A word that nobody has annotated may be a type.
fn carried_labels(labels: &[&str], clips: &[Clip]) -> Result<Vec<u64>, CastError> {
    let total = clips.iter().map(Clip::len).sum();
    let mut carried = vec![0u64; total];
    for (bit, label) in labels.iter().enumerate() {
        let (mut first, mut any) = (0, false);
        for clip in clips {
            for span in clip.labels.iter().filter(|span| span.label == *label) {
                let frames = first + span.frames.start as usize..first + span.frames.end as usize;
                carried[frames]
                    .iter_mut()
                    .for_each(|bits| *bits |= 1 << bit);
                any = true;
            }
            first += clip.len();
        }
        if !any {
            let types = clips.iter().flat_map(|clip| {
                let types = clip.types.iter().copied().map(Some);
                types.chain(std::iter::repeat(None)).take(clip.len())
            });
            for (bits, kind) in carried.iter_mut().zip(types) {
                if kind.is_some_and(|kind| kind.name() == *label) {
                    *bits |= 1 << bit;
                    any = true;
                }
            }
        }
        if !any {
            return Err(unknown_label(label, clips));
        }
    }
    Ok(carried)
}

fn unknown_label(label: &str, clips: &[Clip]) -> CastError {
    let mut known: Vec<String> = clips
        .iter()
        .flat_map(|clip| {
            let labels = clip.labels.iter().map(|span| span.label.clone());
            let mut kinds: Vec<&str> = clip.types.iter().map(|kind| kind.name()).collect();
            kinds.dedup();
            labels
                .chain(kinds.into_iter().map(String::from))
                .collect::<Vec<_>>()
        })
        .collect();
    known.sort();
    known.dedup();
    CastError::UnknownLabel {
        label: label.into(),
        nearest: nearest_word(label, known.iter()),
        known,
    }
}

fn nearest_word<'a>(word: &str, known: impl Iterator<Item = &'a String>) -> Option<String> {
    let known: Vec<&str> = known.map(String::as_str).collect();
    afoot_search::meant_word(word, &known).map(str::to_owned)
}

fn sections_of(score: &Score, labels: &[&str], frames: u32, footage: &Footage) -> Vec<Section> {
    // What limbs do is no wish for the body.
    let painted: Vec<&Paint> = score
        .paint
        .iter()
        .filter(|paint| !paint.is_of_limbs())
        .collect();
    let stretches: Vec<Range32> = painted
        .iter()
        .map(|paint| stretch(paint, frames, footage))
        .collect();
    let mut cuts: Vec<u32> = stretches.iter().flat_map(|s| [s.start, s.end]).collect();
    cuts.extend([0, frames]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut kinds: Vec<Wish> = Vec::new();
    let section = |pair: &[u32]| {
        let frames = Range32 {
            start: pair[0],
            end: pair[1],
        };
        let mut wish = Wish::default();
        for (paint, stretch) in painted.iter().zip(&stretches) {
            if stretch.start <= frames.start && frames.end <= stretch.end {
                let bit = labels.iter().position(|label| *label == paint.label);
                let bit = 1 << bit.expect("labels are those of the paint");
                match paint.want {
                    true => wish.wanted |= bit,
                    false => wish.unwanted |= bit,
                }
            }
        }
        let kind = kinds
            .iter()
            .position(|known| *known == wish)
            .unwrap_or_else(|| {
                kinds.push(wish);
                kinds.len() - 1
            });
        Section { frames, wish, kind }
    };
    cuts.windows(2).map(section).collect()
}

/// Whether most frames that do what is asked go sideways or backwards.
fn is_odd_by_nature(wish: Wish, carried: &[u64]) -> bool {
    let fitting = carried.iter().filter(|bits| wish.misses(**bits) == 0);
    let (mut all, mut odd) = (0usize, 0usize);
    for bits in fitting {
        all += 1;
        odd += usize::from(bits & ODD != 0);
    }
    2 * odd > all
}

fn summed_misses(sections: &[Section], carried: &[u64], uses: &Uses) -> Vec<Vec<i32>> {
    let kinds = sections
        .iter()
        .map(|section| section.kind + 1)
        .max()
        .unwrap_or(0);
    let row = |kind: usize| {
        let section = sections.iter().find(|section| section.kind == kind);
        let wish = section.map_or(Wish::default(), |section| section.wish);
        let mut sums = vec![0; carried.len() + 1];
        for (frame, bits) in carried.iter().enumerate() {
            let bias = uses.bias_of(frame as u32);
            sums[frame + 1] = sums[frame] + wish.hundredths(*bits) - bias;
        }
        sums
    };
    (0..kinds).map(row).collect()
}

fn goal_of(place: &PlaceWish, frames: u32, footage: &Footage) -> Goal {
    Goal {
        frame: (footage.rate.frames_in(place.at) as u32).min(frames - 1),
        x: place.x,
        z: place.z,
        yaw: place.yaw.map(f64::to_radians),
    }
}

/// What poses fix: what was asked for, and as much around it as a blend takes, where the clip has it
/// and no other pose is nearer.
fn fixed_spans(
    poses: &[PoseWish],
    clips: &[Clip],
    frames: u32,
    footage: &Footage,
) -> Result<Vec<Fixed>, CastError> {
    let mut asked = Vec::new();
    for pose in poses {
        asked.push(asked_frames(pose, clips, frames, footage)?);
    }
    asked.sort_by_key(|(frames, _)| frames.start);
    let margin = footage.rate.frames_in(HALF_BLEND) as u32 + 1;
    let shortest = footage.levels.last().map_or(1, |level| level.block);
    let mut spans: Vec<Fixed> = Vec::new();
    for (index, &(asked_frames, source)) in asked.iter().enumerate() {
        let end = spans.last().map_or(0, |span| span.asked.end);
        let gap_before = asked_frames.start - end.min(asked_frames.start);
        let next = asked.get(index + 1).map_or(frames, |(next, _)| next.start);
        let gap_after = next - asked_frames.end.min(next);
        let (clip, frame) = footage.place(source);
        let first = footage.starts[clip];
        let before = (0..frame)
            .rev()
            .take_while(|f| footage.left[(first + f) as usize] > 0);
        let room_before = before.count() as u32;
        let length = asked_frames.end - asked_frames.start;
        let room_after = footage.left[source as usize].saturating_sub(length);
        let share = |gap: u32, is_last: bool| match is_last {
            // A rest too short for a block is filled, if it can be.
            true if gap < margin + shortest => gap,
            true => margin,
            false => margin.min(gap / 2),
        };
        let before = share(gap_before, index == 0)
            .min(room_before)
            .min(gap_before);
        let after = share(gap_after, index + 1 == asked.len())
            .min(room_after)
            .min(gap_after);
        spans.push(Fixed {
            at: asked_frames.start - before,
            frames: before + length + after,
            source: source - before,
            asked: asked_frames,
        });
    }
    Ok(spans)
}

/// The frames of the result that a pose asks for, and the captured frame of the first.
fn asked_frames(
    pose: &PoseWish,
    clips: &[Clip],
    frames: u32,
    footage: &Footage,
) -> Result<(Range32, u32), CastError> {
    let Some(index) = clips.iter().position(|clip| clip.name == pose.clip) else {
        return Err(CastError::UnknownClip {
            clip: pose.clip.clone(),
            nearest: nearest_word(&pose.clip, clips.iter().map(|clip| &clip.name)),
        });
    };
    let clip = &clips[index];
    let at = (footage.rate.frames_in(pose.at) as u32).min(frames - 1);
    let length = pose
        .seconds
        .map_or(1, |s| (footage.rate.frames_in(s) as u32).max(1));
    let length = length.min(frames - at);
    let first = footage.rate.frames_in(pose.time) as u32;
    let seconds = clip.seconds();
    if first + length > clip.len() as u32 {
        return Err(CastError::BeyondClip {
            clip: pose.clip.clone(),
            seconds,
            at: pose.at,
            from: pose.time,
            to: pose.time + pose.seconds.unwrap_or(0.0),
        });
    }
    let source = footage.starts[index] + first;
    if footage.left[source as usize] < length {
        return Err(CastError::Faulty {
            clip: pose.clip.clone(),
            time: pose.time,
        });
    }
    let frames = Range32 {
        start: at,
        end: at + length,
    };
    Ok((frames, source))
}

impl Timeline {
    /// The kinds of wishes in a stretch, each with its length.
    pub fn wishes_of(&self, at: u32, frames: u32) -> Vec<(u32, usize)> {
        let stretch = Range32 {
            start: at,
            end: at + frames,
        };
        let common = |section: &Section| {
            let common = section.frames.intersect(stretch);
            (!common.is_empty()).then(|| (common.end - common.start, section.kind))
        };
        self.sections.iter().filter_map(common).collect()
    }

    /// Whether these kinds ask for nothing.
    pub fn is_free(&self, wishes: &[(u32, usize)]) -> bool {
        let paints = |section: &&Section| section.wish.paints();
        let painted: Vec<usize> = self
            .sections
            .iter()
            .filter(paints)
            .map(|s| s.kind)
            .collect();
        wishes.iter().all(|(_, kind)| !painted.contains(kind))
    }
}
