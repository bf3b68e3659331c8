//! The quality report of a motion: does it look captured, on its feet, going where it should?
//!
//! All from the motion itself, with contacts found anew, so that a file read back gives the same
//! numbers; against the library where it is known, and against the captured frames where these are.
//! A motion may come in pieces. The measures, a file each:
//! * planted feet: `skate`, `twist`, and how they bob against captured ones: `bob`; what bears the body, and
//!   gliding: `support`; sinking: here.
//! * accelerations of joints in the root's frame: `smoothness`; root, knees, ankles, posture and legs in each
//!   other, per gait: `course`, `profile`; frozen legs: `frozen`.
//! * against the captured frames: `captured`; facing: `facing`; path: `walked`; halts and ends: `pace`.
//! * what is good enough, and what is said of the rest: `bars`. The yardstick: `statistics`.
//!
//! Cost: a few forward kinematics. What the motion does not show the caller fills in.

mod bars;
mod bob;
mod captured;
mod compare;
mod course;
mod facing;
mod floor;
mod frozen;
mod moments;
mod pace;
mod profile;
mod quality;
mod statistics;
mod support;
mod terrain;
#[cfg(test)]
mod tests;
mod twist;
mod walked;
mod words;

use std::ops::Range;

use afoot_core::{Clip, Contacts, Ground, Locomotion, Positions, Side, forward_kinematics};

pub use self::bars::{BARS, Bar, Limit, Verdict, bar_of};
pub use self::bob::Bobs;
pub use self::captured::{MadeFrom, SourceSpan, find_captured};
pub use self::profile::{GaitProfile, Peak, Spread};
pub use self::quality::{ClipUse, Quality};
pub use self::statistics::{ClipProfile, Floor, SourceStatistics};
pub use self::terrain::Terrain;
pub use self::twist::PlantTwist;

use self::bars::{Findings, verdicts};
use self::captured::Changes;
use self::compare::{compare_gaits, compare_twists, report_changes};
use self::course::{HipFloor, measure_course};
use self::facing::Facing;
use self::floor::{judged_ground, known_floor};
use self::frozen::longest_freeze;
use self::moments::{Moments, Worst, worst_of};
use self::pace::{End, Pace, stands_at};
use self::support::{find_support, glide};
use self::twist::find_plants;
use self::walked::Walked;
use crate::classify::{ClassifyOptions, classify_clip};
use crate::contacts::{ContactOptions, detect_contacts_at};
use crate::feet::foot_joints;
use crate::skate::{Footwork, SkateOptions, Tally};
use crate::smoothness::measure_smoothness;

/// Measures of legs against the captured ones.
const LEGS_AS_CAPTURED: [&str; 4] = [
    "hip_change_cm",
    "knee_change_deg",
    "hip_off_cm",
    "knee_off_deg",
];

/// How many frames beside a change of gait movements may be those of either: steps of second differences, and one that contacts
/// are off by.
const BESIDE: usize = 2;

/// Measures of who goes where he looks, on and on.
const AS_A_WALKER: [&str; 2] = ["faced_share", "halt_share"];

/// What a motion is judged against.
#[derive(Clone, Copy, Debug, Default)]
pub struct JudgeOptions<'a> {
    /// What the library's own clips do; without it nothing is compared with them.
    pub source: Option<&'a SourceStatistics>,
    /// The captured frames that the motion was made from, where that is known.
    pub made_from: Option<&'a MadeFrom<'a>>,
    /// Height of the level floor in which ball joints rest, where that is known. Else it is found, near
    /// the library's or 0. [m]
    pub floor: Option<f32>,
    /// That floor where more is known of it: its tilt, from which hips are measured, and how high joints rest on it,
    /// from where sinking is.
    pub ground: Option<Ground>,
    /// What lies on that floor, where a motion was made to walk on something else.
    pub terrain: Option<&'a Terrain>,
    /// The motion was asked to use its legs otherwise than captured: how much is told, but no bar is set.
    pub legs_anyhow: bool,
    /// The path that was asked for, as ground points x, z. [m]
    pub path: Option<&'a [[f64; 2]]>,
    /// The motion was asked for with another facing than ahead, or with words whose captured motion looks
    /// about: how it faces is told, but no bar is set.
    pub faces_anyhow: bool,
    /// The motion was asked to begin, and to end, in a stand.
    pub stands: [bool; 2],
}

/// Judges a motion. Never fails: what can't be measured is `None`.
pub fn judge_clip(clip: &Clip, options: &JudgeOptions) -> Quality {
    let mut judge = Judge::new(*options);
    judge.add(clip, 0..clip.len());
    judge.finish()
}

/// Judges a motion that comes in pieces, each of which may find its own floor.
pub struct Judge<'a> {
    options: JudgeOptions<'a>,
    quality: Quality,
    skate: Tally,
    bobs: Bobs,
    supported: Option<[usize; 2]>,
    gaits: [GaitProfile; 5],
    /// How frames of joins are held: between two gaits, so that neither is their measure.
    joined: GaitProfile,
    changes: Changes,
    facing: Facing,
    walked: Walked,
    pace: Pace,
    twists: Vec<JudgedPlant>,
    moments: Moments,
    /// Whether it stands at its first frame, and at the last one that was added.
    stood: [Option<bool>; 2],
}

/// A plant, and what the captured frames twist by that it was made from. [rad]
struct JudgedPlant {
    twist: PlantTwist,
    /// How far it turns otherwise than the frames that were played, where these are known. [rad]
    unasked: Option<f32>,
    /// Its first frame in the motion.
    at: u64,
}

/// A piece of motion, and what every measure needs of it.
struct Piece<'a> {
    clip: &'a Clip,
    positions: Positions,
    /// The same over a level floor, where there is terrain.
    levelled: Option<Positions>,
    ground: Option<Ground>,
    contacts: Vec<Contacts>,
    /// The frames to judge; the others are context.
    counted: Range<usize>,
    /// The motion's frame that is the piece's first; below 0 never for counted ones.
    first: i64,
}

impl Piece<'_> {
    /// Points as they are over the floor.
    fn over_floor(&self) -> &Positions {
        self.levelled.as_ref().unwrap_or(&self.positions)
    }

    /// What the motion calls a frame of the piece.
    fn number(&self, frame: u64) -> u64 {
        (self.first + frame as i64) as u64
    }

    /// The same of a value's frame.
    fn numbered(&self, worst: Worst) -> Worst {
        Worst {
            frame: self.number(worst.frame),
            ..worst
        }
    }
}

impl<'a> Judge<'a> {
    /// Nothing seen yet.
    pub fn new(options: JudgeOptions<'a>) -> Self {
        Self {
            options,
            quality: Quality::default(),
            skate: Tally::default(),
            bobs: Bobs::default(),
            supported: None,
            gaits: Default::default(),
            joined: GaitProfile::default(),
            changes: Changes::default(),
            facing: Facing::default(),
            walked: Walked::default(),
            pace: Pace::default(),
            twists: Vec::new(),
            moments: Moments::default(),
            stood: [None; 2],
        }
    }

    /// Judges the frames `counted` of a clip; those before and after were judged with another piece
    /// or will be, and serve as context. Plants are followed no farther than the clip goes.
    pub fn add(&mut self, clip: &Clip, counted: Range<usize>) {
        let piece = self.piece(clip, counted);
        self.quality.frames += piece.counted.len();
        self.quality.fps = clip.rate.fps();
        self.quality.seconds = self.quality.frames as f64 * clip.rate.frame_time();
        self.add_feet(&piece);
        self.add_twists(&piece);
        self.add_ends(&piece);
        self.add_support(&piece);
        self.add_accelerations(&piece);
        self.add_gaits(&piece);
        self.add_changes(&piece);
        self.facing.add(clip, &piece.positions, &piece.counted);
        let freeze = longest_freeze(clip, &piece.positions, &piece.counted);
        let freeze = freeze.map(|freeze| piece.numbered(freeze));
        let frozen = &mut self.quality.frozen_s;
        self.moments.raise("frozen_s", frozen, freeze);
        if let Some(path) = self.options.path {
            self.pace.add(clip, &piece.counted);
            self.walked.add(&clip.root[piece.counted], path);
        }
    }

    /// The report on all that was added.
    pub fn finish(self) -> Quality {
        let mut quality = self.quality;
        let mut findings = Findings {
            frame_time: quality.seconds / quality.frames.max(1) as f64,
            frames: quality.frames,
            backwards: self.facing.backwards,
            unfaced: self.facing.travelling - self.facing.faced,
            moments: self.moments,
            ..Findings::default()
        };
        if let Some(skate) = self.skate.skate() {
            quality.skate_cm_s = Some(skate.mean_speed * 100.0);
            quality.skate_share = Some(skate.fast_share);
            quality.slide_mm = Some(skate.slide * 1000.0);
        }
        if let Some([unsupported, frames]) = self.supported {
            quality.unsupported_share = Some(unsupported as f64 / frames.max(1) as f64);
        }
        quality.bob_mm = self.bobs.beyond(&self.options).map(|rise| rise * 1000.0);
        quality.faced_share = self.facing.share();
        let seen = (&self.gaits, &self.joined);
        let played = self.changes.played();
        compare_gaits(seen, played, &self.options, &mut quality, &mut findings);
        report_changes(&self.changes, &self.options, &mut quality, &mut findings);
        compare_twists(&self.twists, &self.options, &mut quality, &mut findings);
        if let Some(path) = self.options.path {
            self.walked.report(path, &mut quality);
            quality.halt_share = self.pace.halts();
        }
        findings.mid_step =
            [0, 1].map(|end| self.options.stands[end] && self.stood[end] == Some(false));
        if self.options.stands.contains(&true) && self.stood.iter().any(Option::is_some) {
            let ends = findings.mid_step.iter().filter(|mid_step| **mid_step);
            quality.mid_step_ends = Some(ends.count() as f64);
        }
        quality.verdicts = verdicts(&quality, &findings);
        let (faces, legs) = (self.options.faces_anyhow, self.options.legs_anyhow);
        quality.verdicts.retain(|verdict| {
            let turned = faces && AS_A_WALKER.contains(&verdict.measure);
            let bent = legs && LEGS_AS_CAPTURED.contains(&verdict.measure);
            !(turned || bent)
        });
        quality
    }

    fn piece<'c>(&self, clip: &'c Clip, counted: Range<usize>) -> Piece<'c> {
        let positions = forward_kinematics(clip);
        let library = self.options.source.and_then(|source| source.floor);
        let levelled = self.options.terrain.map(|on| on.levelled(&positions));
        let over_floor = levelled.as_ref().unwrap_or(&positions);
        let ground = judged_ground(clip, over_floor, library, self.options.floor);
        let mut grounded = clip.clone();
        grounded.ground = ground;
        let found = detect_contacts_at(&grounded, over_floor, &ContactOptions::default());
        Piece {
            clip,
            levelled,
            positions,
            ground,
            contacts: found.map(|report| report.contacts).unwrap_or_default(),
            first: self.quality.frames as i64 - counted.start as i64,
            counted,
        }
    }

    fn add_feet(&mut self, piece: &Piece) {
        let mut grounded = piece.clip.clone();
        grounded.ground = piece.ground;
        let feet = Footwork {
            clip: &grounded,
            positions: piece.over_floor(),
            contacts: &piece.contacts,
        };
        self.skate
            .add(&feet, piece.counted.clone(), &SkateOptions::default());
        let floor = known_floor(&self.options).or(piece.ground);
        let sink = floor
            .and_then(|ground| {
                deepest_sink(piece.clip, piece.over_floor(), &ground, &piece.counted)
            })
            .map(|depth| piece.numbered(depth).times(100.0));
        let deepest = &mut self.quality.sink_cm;
        self.moments.raise("sink_cm", deepest, sink);
    }

    fn add_twists(&mut self, piece: &Piece) {
        let plants = find_plants(piece.clip, piece.over_floor(), piece.ground.as_ref());
        let new = plants
            .into_iter()
            .filter(|plant| piece.counted.contains(&plant.frames.start));
        for plant in new {
            let number = |frame: usize| piece.number(frame as u64);
            let frames = number(plant.frames.start)..number(plant.frames.end);
            let at = frames.start;
            let unasked = self.options.made_from.and_then(|from| {
                let played = |frame: u64| {
                    let (clip, at) = from.source_of(frame)?;
                    Some((clip, at, from.clips[&clip]))
                };
                let played: Option<Vec<_>> = frames.map(played).collect();
                Some(plant.unasked(&played?))
            });
            self.twists.push(JudgedPlant {
                twist: plant.twist,
                unasked,
                at,
            });
        }
    }

    fn add_ends(&mut self, piece: &Piece) {
        let motion = (piece.clip, piece.over_floor());
        let stands = |end| stands_at(motion, piece.ground.as_ref(), &piece.counted, end);
        if self.quality.frames == piece.counted.len() {
            self.stood[0] = stands(End::First);
        }
        self.stood[1] = stands(End::Last);
    }

    fn add_support(&mut self, piece: &Piece) {
        let Some(ground) = piece.ground else {
            return;
        };
        let Some(support) = find_support(piece.clip, piece.over_floor(), &ground) else {
            return;
        };
        let floating = &support.unsupported[piece.counted.clone()];
        let [unsupported, frames] = self.supported.unwrap_or_default();
        self.supported = Some([
            unsupported + floating.iter().filter(|floats| **floats).count(),
            frames + floating.len(),
        ]);
        let glide = glide(piece.clip, &support, &piece.counted);
        let glide = glide.map(|glide| piece.numbered(glide).times(100.0));
        let fastest = &mut self.quality.glide_cm_s;
        self.moments.raise("glide_cm_s", fastest, glide);
    }

    /// Steps count to the frame that they leave.
    fn add_accelerations(&mut self, piece: &Piece) {
        let Some(source) = self.options.source else {
            return;
        };
        let own = measure_smoothness(piece.clip);
        let largest = |values: &[f32], source: f32| {
            let counted = piece.counted.start..piece.counted.end.min(values.len());
            let values = counted.map(|frame| (piece.number(frame as u64), values[frame]));
            let worst = worst_of(values).filter(|_| source > 0.0)?;
            Some(worst.times(1.0 / f64::from(source)))
        };
        let (quality, moments) = (&mut self.quality, &mut self.moments);
        let jump = largest(&own.speeds, source.speed);
        moments.raise("jump_ratio", &mut quality.jump_ratio, jump);
        let acceleration = largest(&own.accelerations, source.acceleration);
        moments.raise(
            "acceleration_ratio",
            &mut quality.acceleration_ratio,
            acceleration,
        );
    }

    fn add_gaits(&mut self, piece: &Piece) {
        if self.options.source.is_none() {
            return;
        }
        let floor = self.hip_floor(piece);
        let course = measure_course(piece.clip, &piece.positions, floor.as_ref());
        let found = found_gaits(piece);
        for bob in self.skate.take_bobs() {
            let known = self.captured_gait((piece.first + bob.frame as i64) as u64);
            let found = || found.get(bob.frame).copied().unwrap_or_default();
            self.bobs.see(known.unwrap_or_else(found), bob.rise);
        }
        for frame in piece.counted.clone() {
            let number = (piece.first + frame as i64) as u64;
            let known = self.captured_gait(number);
            let gait = known.or_else(|| found.get(frame).copied());
            let gait = gait.unwrap_or_default();
            let joined = self.livelier_in_join(number, gait);
            let moves = self.livelier_beside((number, joined), (frame, &found));
            self.gaits[moves as usize].see(&course, frame, number);
            let gait = &mut self.gaits[gait as usize];
            let from = self.options.made_from;
            match from.is_some_and(|from| from.is_joined(number)) {
                true => self.joined.see_posture(&course, frame),
                false => gait.see_posture(&course, frame),
            }
        }
    }

    /// The gait of the captured frame that a frame comes from.
    fn captured_gait(&self, frame: u64) -> Option<Locomotion> {
        let from = self.options.made_from?;
        let (clip, at) = from.source_of(frame)?;
        from.clips[&clip].types.get(at as usize).copied()
    }

    /// The gait by which a frame's movements are measured. Within a join, and beside it, where second
    /// differences still reach into it, that is the liveliest of those it leads from and to: who steps off
    /// moves as a walker does, though the captured frame stands.
    fn livelier_in_join(&self, frame: u64, gait: Locomotion) -> Locomotion {
        let from = self.options.made_from;
        let Some(join) = from.and_then(|from| from.join_near(frame)) else {
            return gait;
        };
        let ends = [join.start.saturating_sub(1), join.end];
        let ends = ends.into_iter().filter_map(|end| self.captured_gait(end));
        ends.chain([gait])
            .max_by_key(|gait| liveliness(*gait))
            .unwrap_or(gait)
    }

    /// The liveliest gait around a frame of the source, or as found: the step that ends a walk lands in the first frames of the
    /// stand behind it.
    fn livelier_beside(
        &self,
        (number, gait): (u64, Locomotion),
        (frame, found): (usize, &[Locomotion]),
    ) -> Locomotion {
        let source = self.options.made_from.and_then(|from| {
            let (clip, at) = from.source_of(number)?;
            Some((at as usize, from.clips[&clip].types.as_slice()))
        });
        let (at, gaits) = source.unwrap_or((frame, found));
        let around = at.saturating_sub(BESIDE).min(gaits.len())..(at + BESIDE + 1).min(gaits.len());
        let gaits = gaits[around].iter().copied().chain([gait]);
        gaits.max_by_key(|gait| liveliness(*gait)).unwrap_or(gait)
    }

    fn add_changes(&mut self, piece: &Piece) {
        if let Some(from) = self.options.made_from {
            let floor = self.hip_floor(piece);
            let motion = (piece.clip, &piece.positions, floor.as_ref());
            self.changes
                .add(motion, &piece.counted, (from, piece.first));
        }
    }

    /// What hips are measured from: the floor as it is known, since what feet show is off by
    /// millimetres.
    fn hip_floor(&self, piece: &Piece) -> Option<HipFloor<'a>> {
        let level = || self.options.floor.map(Ground::level);
        let ground = self.options.ground.or_else(level).or(piece.ground)?;
        Some(HipFloor {
            ground,
            terrain: self.options.terrain,
        })
    }
}

/// Gaits in the order of what they ask of the legs.
fn liveliness(gait: Locomotion) -> usize {
    match gait {
        Locomotion::Stand => 0,
        Locomotion::Walk => 1,
        Locomotion::Other => 2,
        Locomotion::Run => 3,
        Locomotion::Jump => 4,
    }
}

/// The gaits that a piece's own contacts show.
fn found_gaits(piece: &Piece) -> Vec<Locomotion> {
    if piece.contacts.len() != piece.clip.len() {
        return Vec::new();
    }
    let mut touching = piece.clip.clone();
    touching.contacts = piece.contacts.clone();
    classify_clip(&touching, &ClassifyOptions::default()).unwrap_or_default()
}

/// Deepest that an ankle or ball joint goes below its rest height, at least 0, and when. [m]
fn deepest_sink(
    clip: &Clip,
    positions: &Positions,
    ground: &Ground,
    counted: &Range<usize>,
) -> Option<Worst> {
    let mut deepest: Option<Worst> = None;
    for side in Side::BOTH {
        let Some(joints) = foot_joints(&clip.skeleton, side) else {
            continue;
        };
        let rest = ground.rest[side.index()];
        let ball = joints.ball.map(|ball| (ball, rest.ball));
        for (joint, height) in [Some((joints.ankle, rest.ankle)), ball]
            .into_iter()
            .flatten()
        {
            let track = positions.track(joint.index());
            for (frame, at) in track.enumerate().take(counted.end).skip(counted.start) {
                let depth = f64::from(ground.height_at(at.x, at.z) + height - at.y).max(0.0);
                if deepest.is_none_or(|known| depth > known.value) {
                    deepest = Some(Worst {
                        value: depth,
                        frame: frame as u64,
                    });
                }
            }
        }
    }
    deepest
}
