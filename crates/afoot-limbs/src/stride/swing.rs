//! The track of a foot between its places: rigid with the ground while it stands, eased in between.
//!
//! A standing foot is moved by one rigid motion, so that what stood still stands still. A swinging one goes
//! from the motion of the plant before to that of the plant after, in proportion to how far it has swung
//! (for even steps the scaled displacements of §6.2.3), softly at both ends. Its lift is that of its lower
//! end, which is none at either end of a swing, so that planted feet are not lifted. Edges of stairs and
//! obstacles are passed by lifting more.

use std::ops::Range;

use afoot_core::Side;
use glam::{Quat, Vec3};

use super::surface::{Lie, Surface};
use super::walk::Walk;
use crate::leg::LegPose;
use crate::series::smooth_step;

/// Where a foot shall be, a frame each.
#[derive(Clone, Debug, Default)]
pub(crate) struct FootTrack {
    pub ankle: Vec<Vec3>,
    pub foot: Vec<Quat>,
    pub toes: Vec<Quat>,
    pub planted: Vec<bool>,
}

/// A rigid motion: what is at `from` goes to `to`, all around it turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rigid {
    pub from: Vec3,
    pub to: Vec3,
    pub turn: Quat,
}

impl Rigid {
    fn point(&self, at: Vec3) -> Vec3 {
        self.to + self.turn * (at - self.from)
    }
}

/// Frames in which a foot moves with the ground; none where a clip begins or ends in mid-swing.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub frames: Range<usize>,
    pub by: Rigid,
    /// Frames of which others take the pose: a foot that goes on standing.
    pub poses: [usize; 2],
}

/// How a foot swings.
pub(crate) struct Swinging<'a> {
    pub walk: &'a Walk<'a>,
    pub lie: &'a Lie<'a>,
    pub side: Side,
    /// Factor of its lift.
    pub lift: f32,
}

/// The share of a swing over which it comes to follow the next plant, and lets go of the last one.
const SOFT: f32 = 0.15;
/// The share of a swing over which edges are risen to.
const RISE: f32 = 0.3;
/// The share of a swing after which a foot among edges is held to its own pace.
const HELD: f32 = 0.15;
/// The share of a swing after which a foot among edges only comes down: one that still goes ahead as it touches its
/// tread seems to slide there.
const OVER: f32 = 0.9;
/// How high it still is before it comes down. [m]
const ABOVE: f32 = 0.03;
/// So much higher a foot is lifted over an obstacle if it goes up and comes down softly for that.
const SOFTER: f32 = 1.5;
/// When in its swing it is highest then: whose obstacle is just ahead lifts early, who lands just behind it late.
const PEAKS: [f32; 5] = [0.5, 0.4, 0.3, 0.6, 0.7];
/// No edge is worth lifting a foot by more. [m]
const MOST_LIFT: f32 = 0.5;
/// Feet pass edges this high. [m]
const MARGIN: f32 = 0.025;

impl Swinging<'_> {
    /// The track of the foot over all frames. `anchors` are in order and begin and end with the clip.
    pub fn track(&self, anchors: &[Anchor]) -> FootTrack {
        let frames = self.walk.clip.len();
        let mut track = FootTrack {
            ankle: Vec::with_capacity(frames),
            foot: Vec::with_capacity(frames),
            toes: Vec::with_capacity(frames),
            planted: Vec::with_capacity(frames),
        };
        for (index, anchor) in anchors.iter().enumerate() {
            for frame in anchor.frames.clone() {
                let pose = self.pose(frame.clamp(anchor.poses[0], anchor.poses[1]));
                track.ankle.push(anchor.by.point(pose.ankle));
                track.foot.push((anchor.by.turn * pose.foot).normalize());
                track.toes.push((anchor.by.turn * pose.toes).normalize());
                track.planted.push(true);
            }
            if let Some(next) = anchors.get(index + 1) {
                let before = index.checked_sub(1).map(|before| &anchors[before]);
                let pace = before.and_then(|before| Pace::between(before, anchor));
                self.swing([anchor, next], pace, &mut track);
            }
        }
        assert_eq!(
            track.ankle.len(),
            frames,
            "anchors and swings cover the clip"
        );
        track
    }

    fn pose(&self, frame: usize) -> &LegPose {
        &self.walk.poses[self.side.index()][frame]
    }

    fn swing(&self, [from, to]: [&Anchor; 2], before: Option<Pace>, track: &mut FootTrack) {
        let frames = from.frames.end..to.frames.start;
        if frames.is_empty() {
            return;
        }
        let swing = Swing::new(self, [from, to], before);
        let first = track.ankle.len();
        for frame in frames.clone() {
            let (ankle, turn) = swing.at(frame);
            let pose = self.pose(frame);
            track.ankle.push(ankle);
            track.foot.push((turn * pose.foot).normalize());
            track.toes.push((turn * pose.toes).normalize());
            track.planted.push(false);
        }
        let lifted =
            swing.lift_to_clear(&track.ankle[first..], &track.foot[first..], frames.clone());
        for (ankle, (frame, lift)) in track.ankle[first..].iter_mut().zip(frames.zip(lifted)) {
            let own = swing.own_lift(frame);
            ankle.y += if lift > 0.0 { own.max(lift) } else { own };
        }
    }
}

/// How long a whole swing took, and how far it went.
#[derive(Clone, Copy)]
struct Pace {
    /// [frames]
    frames: f32,
    /// [m]
    length: f32,
}

impl Pace {
    /// Of the swing between two plants, if the clip has all of it.
    fn between(from: &Anchor, to: &Anchor) -> Option<Self> {
        let whole = !from.frames.is_empty() && !to.frames.is_empty();
        whole.then(|| Self {
            frames: (to.frames.start + 1 - from.frames.end) as f32,
            length: (to.by.to - from.by.to).with_y(0.0).length(),
        })
    }
}

/// One swing.
struct Swing<'a> {
    of: &'a Swinging<'a>,
    from: &'a Anchor,
    to: &'a Anchor,
    /// The last frame of the plant before, and the first of the plant after.
    ends: [usize; 2],
    lifted_off: Vec3,
    struck: Vec3,
    /// How it would go on, of a swing that the clip ends in.
    unfinished: Option<Pace>,
    /// The most that its lower end is lifted, and by how much more it shall be.
    lift: f32,
    more: f32,
}

impl<'a> Swing<'a> {
    fn new(of: &'a Swinging<'a>, [from, to]: [&'a Anchor; 2], before: Option<Pace>) -> Self {
        let last = of.walk.clip.len() - 1;
        let ends = [from.frames.end.saturating_sub(1), to.frames.start.min(last)];
        let mut swing = Self {
            of,
            from,
            to,
            ends,
            lifted_off: of.pose(ends[0]).ankle,
            struck: of.pose(ends[1]).ankle,
            unfinished: before.filter(|_| to.frames.is_empty() && of.lie.has_edges()),
            lift: 0.0,
            more: 0.0,
        };
        let heights = (ends[0]..=ends[1]).map(|frame| of.walk.clearance(of.side, frame));
        swing.lift = heights.fold(0.0, f32::max);
        swing.more = swing.find_more();
        swing
    }

    /// The ankle before it is lifted, and how far the foot is turned.
    fn at(&self, frame: usize) -> (Vec3, Quat) {
        let pose = self.of.pose(frame);
        let eased = ease(self.progress(pose.ankle, frame));
        let [a, b] = [&self.from.by, &self.to.by];
        let (before, after) = (a.point(pose.ankle), b.point(pose.ankle));
        let mut ankle = before.lerp(after, eased);
        if self.of.lie.has_edges() {
            let rise = (after.y - before.y) * (self.climbed(frame) - eased);
            let rise = rise + self.above(frame);
            ankle += self.hold_back(ankle, frame) + Vec3::Y * rise;
        }
        (ankle, a.turn.slerp(b.turn, eased))
    }

    /// What an ankle has to move along its swing so that it begins and ends slowly: up first, then over. A swing that
    /// the clip ends in goes as the one before it did; one that it begins in keeps its captured pace.
    fn hold_back(&self, ankle: Vec3, frame: usize) -> Vec3 {
        let from = self.from.by.point(self.lifted_off);
        let way = (self.to.by.point(self.struck) - from).with_y(0.0);
        let length = match self.unfinished {
            Some(pace) => pace.length,
            None if self.is_cut() => return Vec3::ZERO,
            None => way.length(),
        };
        let (ahead, time) = (way.normalize_or_zero(), self.time(frame));
        let gone = (ankle - from).dot(ahead);
        let slowly = smooth_step(time / OVER);
        ahead * ((length * slowly - gone) * smooth_step(time / HELD))
    }

    /// By how much a foot is higher that comes down onto its tread from above: most before the last sixth of its time. [m]
    fn above(&self, frame: usize) -> f32 {
        let late = (2.0 * self.time(frame) - 1.0).max(0.0);
        match self.is_cut() {
            true => 0.0,
            false => ABOVE * 6.75 * late * late * (1.0 - late),
        }
    }

    fn is_cut(&self) -> bool {
        self.from.frames.is_empty() || self.to.frames.is_empty()
    }

    /// How far it has swung, 0 to 1.
    fn progress(&self, ankle: Vec3, frame: usize) -> f32 {
        let way = (self.struck - self.lifted_off).with_y(0.0);
        let length = way.length_squared();
        match length > 0.01 {
            true => ((ankle - self.lifted_off).dot(way) / length).clamp(0.0, 1.0),
            false => self.time(frame),
        }
    }

    /// The share of its time, 0 to 1.
    fn time(&self, frame: usize) -> f32 {
        let whole = (self.ends[1] - self.ends[0]).max(1) as f32;
        let frames = self.unfinished.map_or(whole, |pace| pace.frames.max(whole));
        (frame - self.ends[0]) as f32 / frames
    }

    /// How much of a rise is done: early up, late down, so that edges are passed.
    fn climbed(&self, frame: usize) -> f32 {
        let time = self.time(frame);
        match self.to.by.to.y - self.to.by.from.y > self.from.by.to.y - self.from.by.from.y {
            true => smooth_step(time / 0.6),
            false => smooth_step((time - 0.4) / 0.6),
        }
    }

    /// What the factor of the lift adds: a smooth bump that makes the highest point as high as asked; less
    /// lift is a part of the own.
    fn own_lift(&self, frame: usize) -> f32 {
        match self.of.lift < 1.0 {
            true => {
                let own = self.of.walk.clearance(self.of.side, frame).max(0.0);
                -(own * (1.0 - self.of.lift)).min(self.lowest(frame).max(0.0))
            }
            false => self.more * bump(self.time(frame)),
        }
    }

    /// How high the lowest point of the sole is over the floor. [m]
    fn lowest(&self, frame: usize) -> f32 {
        let pose = self.of.pose(frame);
        let over = |point: Vec3| {
            let at = pose.ankle + point;
            at.y - self.of.walk.floor(at)
        };
        let points = self.of.walk.sole(self.of.side).points(pose);
        points.into_iter().map(over).fold(f32::MAX, f32::min)
    }

    /// The height of the bump that makes the lift `lift` times as high.
    fn find_more(&self) -> f32 {
        let wanted = self.lift * self.of.lift;
        let highest = |more: f32| {
            let at = |frame: usize| {
                self.of.walk.clearance(self.of.side, frame) + more * bump(self.time(frame))
            };
            (self.ends[0]..=self.ends[1]).map(at).fold(0.0, f32::max)
        };
        let (mut low, mut high) = (0.0, wanted.max(0.0));
        for _ in 0..20 {
            let middle = 0.5 * (low + high);
            match highest(middle) < wanted {
                true => low = middle,
                false => high = middle,
            }
        }
        if self.of.lift > 1.0 { high } else { 0.0 }
    }

    /// A bump with a flat top, which a swing that the clip cuts off has only one side of. It ends briskly: a
    /// foot that hovers down the last centimetres seems to slide.
    fn rise(&self, time: f32) -> f32 {
        let [up, down] = [time, 1.0 - time].map(|share| (share / RISE).min(1.0));
        let brisk = 0.5 * (smooth_step(down) + (down * std::f32::consts::FRAC_PI_2).sin());
        let side = |anchor: &Anchor, height: f32| match anchor.frames.is_empty() {
            true => 1.0,
            false => height,
        };
        side(self.from, smooth_step(up)) * side(self.to, brisk)
    }

    /// How much more the foot has to be lifted so that no point of its sole is below what it passes.
    fn lift_to_clear(&self, ankles: &[Vec3], feet: &[Quat], frames: Range<usize>) -> Vec<f32> {
        if !self.of.lie.has_edges() {
            return vec![0.0; ankles.len()];
        }
        let briskly = self.highest(ankles, feet, &frames, &|time| self.rise(time));
        let soft = PEAKS.map(|peak| {
            let highest = self.highest(ankles, feet, &frames, &|time| leaning_bump(time, peak));
            (highest, peak)
        });
        let [first, others @ ..] = soft;
        let (softly, peak) =
            others.into_iter().fold(
                first,
                |best, other| {
                    if other.0 < best.0 { other } else { best }
                },
            );
        // Treads want feet that come down briskly.
        let is_soft = !matches!(self.of.lie.surface, Surface::Stairs(_))
            && !self.is_cut()
            && softly <= briskly * SOFTER;
        let lifted = frames.map(|frame| match (is_soft, self.time(frame)) {
            (true, time) => softly.min(MOST_LIFT) * leaning_bump(time, peak),
            (false, time) => briskly.min(MOST_LIFT) * self.rise(time),
        });
        lifted.collect()
    }

    /// How high a bump of this shape has to be so that no point of the sole is below what it passes. [m]
    fn highest(
        &self,
        ankles: &[Vec3],
        feet: &[Quat],
        frames: &Range<usize>,
        rise: &dyn Fn(f32) -> f32,
    ) -> f32 {
        let sole = self.of.walk.sole(self.of.side);
        let mut highest = 0.0f32;
        for (index, frame) in frames.clone().enumerate() {
            let rises = rise(self.time(frame));
            let turn = feet[index] * self.of.pose(frame).foot.inverse();
            let pose = self.of.pose(frame);
            for point in sole.points(pose) {
                let at = ankles[index] + turn * point;
                let below = self.of.walk.floor(at) + self.of.lie.height_to_clear(at) - at.y;
                // Captured toes dip below the floor too.
                let own = pose.ankle + point;
                let captured = (self.of.walk.floor(own) - own.y).max(0.0);
                let needed = below - captured + MARGIN * rises;
                if needed > 0.0 {
                    highest = highest.max(needed / rises.max(0.12));
                }
            }
        }
        highest
    }
}

/// From 0 to 1 with slopes of 0 at both ends, even in the middle.
fn ease(share: f32) -> f32 {
    let even = 1.0 - SOFT;
    if share < SOFT {
        return share * share / (2.0 * SOFT * even);
    }
    if share > even {
        let left = 1.0 - share;
        return 1.0 - left * left / (2.0 * SOFT * even);
    }
    (share - 0.5 * SOFT) / even
}

/// A bump that is highest at a time of its own.
fn leaning_bump(time: f32, peak: f32) -> f32 {
    bump(match time < peak {
        true => 0.5 * time / peak,
        false => 1.0 - 0.5 * (1.0 - time) / (1.0 - peak),
    })
}

/// A bump that rises and falls without kinks.
pub(super) fn bump(time: f32) -> f32 {
    let half = (time.clamp(0.0, 1.0) * std::f32::consts::PI).sin();
    half * half
}
