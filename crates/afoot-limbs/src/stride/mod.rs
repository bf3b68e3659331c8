//! A walk with other steps: stride, lift, slope, stairs, obstacles, footprints (Shanbhag 2006, ch. 6).
//!
//! Every footfall is moved by a rigid motion (`place`); swings go from one to the next (`swing`), the root
//! goes with them along its way (`field`) and is carried by the legs (`height`); the two-link solver
//! writes the legs; upper body, turns and step widths stay. We depart from the thesis where it slips:
//! what the model changes is added to the captured height, so that factors of 1 give the clip back; a
//! climb rises in swings alone; displacements are scaled along the way and not across. In: a clip with
//! contacts and floor, best with settled feet, since plants that slide slide on. Cost: linear, see the
//! benchmark. Frame by frame, without a look ahead: `stream`.

mod field;
mod height;
mod place;
mod roll;
pub mod stream;
mod surface;
mod swing;
mod walk;
mod way;

use afoot_core::{Clip, Contacts, Planar, Side, cut_clip};
use glam::{Quat, Vec3};
use thiserror::Error;

pub use stream::{StepWish, StrideFilter};
pub use surface::{Obstacle, Stairs, Surface};

use field::{Field, Knot};
use height::{Hips, lowering, pendulum};
use place::{make_room, moves_along, moves_on_stairs, moves_to_prints, scaled_arcs, step_factors};
use roll::roll_heels;
use surface::Lie;
use swing::{Anchor, FootTrack, Rigid, Swinging};
use walk::Walk;

use crate::leg::FootGoal;

/// A length in parts of the captured one, or in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// [> 0]
    Factor(f32),
    /// [m, > 0]
    Metres(f32),
}

/// What becomes of a walk.
#[derive(Clone, Debug)]
pub struct StrideOptions {
    /// Length of its steps (S' of eq. 6.6), the captured ones keeping their differences.
    pub stride: Measure,
    /// How high the lower end of a swinging foot rises (F of eq. 6.7), in the mean over the swings.
    pub lift: Measure,
    /// What is added to the factor of each step after the first (`deltaStepScale`). [-1 to 1]
    pub ramp: f32,
    /// Walk exactly so far from where the root begins, instead of a stride. [m, > 0]
    pub distance: Option<f32>,
    /// Begin as out of a stand, over so many steps.
    pub ease_in: usize,
    /// End in a stand, over so many steps.
    pub ease_out: usize,
    /// Turn more to the left, on each metre: one over the radius. [rad/m, -2 to 2]
    pub turn: f32,
    /// What it walks on.
    pub surface: Surface,
    /// What it steps over.
    pub obstacles: Vec<Obstacle>,
    /// Where every footfall goes, if there are any; stride, ramp and turn don't count then.
    pub footprints: Vec<Footprint>,
}

impl Default for StrideOptions {
    fn default() -> Self {
        Self {
            stride: Measure::Factor(1.0),
            lift: Measure::Factor(1.0),
            ramp: 0.0,
            distance: None,
            ease_in: 0,
            ease_out: 0,
            turn: 0.0,
            surface: Surface::Own,
            obstacles: Vec::new(),
            footprints: Vec::new(),
        }
    }
}

/// A place for a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Which foot.
    pub side: Side,
    /// Where its ball goes. [m]
    pub x: f32,
    /// [m]
    pub z: f32,
    /// Where its toes point, 0 along +z; as captured if it is left open. [rad]
    pub yaw: Option<f32>,
}

/// A changed walk.
#[derive(Clone, Debug)]
pub struct Strode {
    /// The motion.
    pub clip: Clip,
    /// Its frames, as those of the clip it was made of.
    pub frames: std::ops::Range<u32>,
    /// What was done.
    pub report: StrideReport,
}

/// What was done to a walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StrideReport {
    /// Every step.
    pub steps: Vec<StepMade>,
    /// Mean factor of the steps.
    pub factor: f32,
    /// Factor of the lift.
    pub lift: f32,
    /// Most that the root was lowered below where the model has it, so that legs reach. [m]
    pub lowered: f32,
    /// Farthest that a planted ankle is from where it should be. [m]
    pub miss: f32,
    /// Farthest that the ball of a planted foot is from the surface. [m]
    pub planted_off: f32,
    /// Deepest that a point of a swinging sole is below what it passes, beyond the captured. [m]
    pub through: f32,
    /// The change of rise that the model asks for: how much farther the root rises and falls with each
    /// step than before, as a factor.
    pub rise: f32,
    /// Where the first edge of stairs is, from where the walk begins along its direction. [m]
    pub first_edge: Option<f32>,
    /// The direction of the walk on the whole, x and z.
    pub ahead: [f32; 2],
}

/// A step, from a footfall to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepMade {
    /// The foot that steps.
    pub side: Side,
    /// How long it was. [m]
    pub captured: f32,
    /// How long it was to be; `None` of footprints. [m]
    pub asked: Option<f32>,
    /// How long it is, on the surface. [m]
    pub made: f32,
}

/// Why a walk can't be changed so.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum StrideError {
    #[error(
        "clip {clip:?}: both legs must be known by hip, knee and ankle: animals and machines have none; a person's are \
         known once its joints have roles"
    )]
    NoLegs { clip: String },
    #[error("clip {clip:?}: no contacts are known; detect them first")]
    NoContacts { clip: String },
    #[error(
        "clip {clip:?} has {found} foot plants; a stride can be changed from three on, of both feet"
    )]
    TooFewPlants { clip: String, found: usize },
    #[error("clip {clip:?} goes {metres:.2} m; it has no stride to change")]
    NoTravel { clip: String, metres: f32 },
    #[error("{what} {value}: expected {expected}")]
    BadValue {
        what: &'static str,
        value: f32,
        expected: String,
    },
    #[error(
        "steps of {asked:.2} m are longer than these legs allow: at most {most:.2} m, {factor:.2} times the captured steps"
    )]
    TooLong { asked: f32, most: f32, factor: f32 },
    #[error(
        "an obstacle {depth:.2} m deep can't be stepped over by this walk; at most {most:.2} m can"
    )]
    ObstacleTooDeep { depth: f32, most: f32 },
    #[error("{found} footprints, but the clip has {} footfalls: {}", .expected.len(), sides(.expected))]
    WrongPrints { found: usize, expected: Vec<Side> },
    #[error("footprint {} is of the wrong foot: expected the {}", .index + 1, side_name(*.expected))]
    WrongFoot { index: usize, expected: Side },
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn sides(sides: &[Side]) -> String {
    let names: Vec<&str> = sides.iter().map(|side| side_name(*side)).collect();
    names.join(", ")
}

/// Longest step, in leg lengths: the hips then hang at two thirds of the legs' height.
const LONGEST: f32 = 1.5;

/// How far the body may lead its feet beyond the captured. [m]
const LEADS: [f32; 4] = [0.03, 0.06, 0.09, 0.12];
/// What a lead has to gain. [m]
const LEAST_GAIN: f32 = 0.003;
/// Hips that would sink by less need no lead. [m]
const LEAST_LEAN: f32 = 0.01;

/// Changes a walk.
pub fn change_stride(clip: &Clip, options: &StrideOptions) -> Result<Strode, StrideError> {
    check(options)?;
    let walk = Walk::of(clip)?;
    let options = match options.distance {
        Some(metres) => &to_distance(&walk, options, metres)?,
        None => options,
    };
    let plan = Plan::of(&walk, options)?;
    plan.check_reach()?;
    let lift = lift_factor(&walk, options.lift);
    let best = Carried::with_least_sinking(&plan, lift);
    let mut report = plan.report(&best.body.heights);
    report.lift = lift;
    report.lowered = best.lowered;
    let mut made = write(&walk, &best, &mut report);
    plan.measure(&best.tracks, &mut report);
    made.ground = plan.ground();
    let frames = plan.frames.clone();
    let clip = match frames.len() == made.len() {
        true => made,
        false => cut_clip(&made, frames.start as u32..frames.end as u32)
            .expect("the frames are the clip's own"),
    };
    Ok(Strode {
        clip,
        frames: frames.start as u32..frames.end as u32,
        report,
    })
}

fn check(options: &StrideOptions) -> Result<(), StrideError> {
    let within = |what, value: f32, range: std::ops::RangeInclusive<f32>| {
        if value.is_finite() && range.contains(&value) {
            return Ok(());
        }
        let expected = format!("a number from {} to {}", range.start(), range.end());
        Err(StrideError::BadValue {
            what,
            value,
            expected,
        })
    };
    let measure = |what, measure| match measure {
        Measure::Factor(factor) => within(what, factor, 0.05..=10.0),
        Measure::Metres(metres) => within(what, metres, 0.01..=3.0),
    };
    measure("stride", options.stride)?;
    measure("lift", options.lift)?;
    within("ramp", options.ramp, -1.0..=1.0)?;
    within("turn", options.turn, -2.0..=2.0)?;
    if let Some(metres) = options.distance {
        within("distance", metres, 0.05..=1e4)?;
    }
    for obstacle in &options.obstacles {
        within("obstacle at", obstacle.at, -1e4..=1e4)?;
        within("obstacle height", obstacle.height, 0.0..=0.6)?;
        within("obstacle depth", obstacle.depth, 0.0..=2.0)?;
    }
    match &options.surface {
        Surface::Incline(angle) => within("incline", *angle, -0.6..=0.6),
        Surface::Stairs(stairs) => {
            within("stairs: rise", stairs.rise, -0.35..=0.35)?;
            within("stairs: tread", stairs.tread, 0.2..=1.0)
        }
        _ => Ok(()),
    }
}

/// The options whose factor makes the walk end so far from its start.
fn to_distance(
    walk: &Walk,
    options: &StrideOptions,
    metres: f32,
) -> Result<StrideOptions, StrideError> {
    let with = |factor: f32| StrideOptions {
        stride: Measure::Factor(factor),
        distance: None,
        ..options.clone()
    };
    let gone = |factor: f32| -> Result<f32, StrideError> {
        let options = with(factor);
        let plan = Plan::of(walk, &options)?;
        let (root, _) = plan.root();
        let (first, last) = (root[plan.frames.start], root[plan.frames.end - 1]);
        Ok((last - first).with_y(0.0).length())
    };
    let (mut low, mut high) = (0.05, 10.0);
    let (mut factor, mut before) = (metres / gone(1.0)?.max(1e-3), None::<(f32, f32)>);
    for _ in 0..24 {
        factor = factor.clamp(low, high);
        let at = gone(factor)?;
        if (at - metres).abs() < 5e-4 {
            break;
        }
        if at < metres {
            low = factor
        } else {
            high = factor
        }
        let slope = match before {
            Some((last, reached)) if (factor - last).abs() > 1e-6 => {
                (at - reached) / (factor - last)
            }
            _ => at / factor,
        };
        before = Some((factor, at));
        factor += (metres - at) / slope.max(1e-3);
        if !(low..=high).contains(&factor) {
            factor = 0.5 * (low + high);
        }
    }
    Ok(with(factor))
}

/// The factor that makes the mean of the swings' highest lifts what is asked for.
fn lift_factor(walk: &Walk, lift: Measure) -> f32 {
    let metres = match lift {
        Measure::Factor(factor) => return factor,
        Measure::Metres(metres) => metres,
    };
    let mut lifts = Vec::new();
    for side in Side::BOTH {
        let own = walk.falls.iter().filter(|fall| fall.plant.side == side);
        let own: Vec<_> = own.map(|fall| fall.plant.frames.clone()).collect();
        for pair in own.windows(2) {
            let swing = pair[0].end..pair[1].start;
            let heights = swing.map(|frame| walk.clearance(side, frame));
            lifts.push(heights.fold(0.0, f32::max));
        }
    }
    let mean = lifts.iter().sum::<f32>() / lifts.len().max(1) as f32;
    metres / mean.max(0.01)
}

/// Where everything goes.
struct Plan<'a> {
    walk: &'a Walk<'a>,
    lie: Lie<'a>,
    /// A rigid motion for each footfall.
    rigids: Vec<Rigid>,
    asked: Vec<Option<f32>>,
    field: Field,
    ease: [usize; 2],
    /// Whether feet must stand where they were put: on treads, footprints, beside obstacles.
    is_exact: bool,
    /// Frames that are kept: those between the stands that were asked for.
    frames: std::ops::Range<usize>,
}

impl<'a> Plan<'a> {
    fn of(walk: &'a Walk<'a>, options: &'a StrideOptions) -> Result<Self, StrideError> {
        let mut lie = Lie {
            surface: &options.surface,
            obstacles: &options.obstacles,
            origin: walk.clip.root[0].with_y(0.0),
            ahead: walk.way.direction(),
            first_edge: f32::INFINITY,
        };
        let captured: Vec<f32> = (walk.falls.windows(2))
            .map(|pair| pair[1].arc - pair[0].arc)
            .collect();
        let (moves, asked) = match options.footprints.is_empty() {
            false => {
                let moves = moves_to_prints(walk, &options.footprints)?;
                (moves, vec![None; captured.len()])
            }
            true => {
                let factors = step_factors(walk, options)?;
                let mut arcs = scaled_arcs(walk, &factors);
                make_room(walk, &mut arcs, &options.obstacles)?;
                let level = match options.surface {
                    Surface::Incline(angle) => angle.cos(),
                    _ => 1.0,
                };
                let lengths = arcs
                    .windows(2)
                    .map(|pair| Some((pair[1] - pair[0]) / level));
                let mut asked: Vec<Option<f32>> = lengths.collect();
                let mut moves = moves_along(walk, &arcs, options.turn);
                if let Surface::Stairs(stairs) = &options.surface {
                    let (stepped, edge) = moves_on_stairs(walk, stairs, &moves, &lie);
                    lie.first_edge = edge;
                    let changed = |k: &usize| stepped[*k] != moves[*k];
                    for k in (1..moves.len()).filter(changed) {
                        let slant = stairs.tread.hypot(stairs.rise);
                        asked[k - 1] = Some(slant).filter(|_| stepped[k - 1] != moves[k - 1]);
                    }
                    moves = stepped;
                }
                (moves, asked)
            }
        };
        let rigids: Vec<Rigid> = (walk.falls.iter().zip(&moves))
            .map(|(fall, by)| on_surface(walk, &lie, fall.pivot, *by))
            .collect();
        let knots = walk.falls.iter().zip(&moves).zip(&rigids);
        let knots = knots.map(|((fall, by), rigid)| Knot {
            arc: fall.arc,
            by: *by,
            rise: rigid.to.y - rigid.from.y,
        });
        let field = Field::new(knots.collect(), walk.mean_step());
        let frames = kept_frames(walk, options);
        Ok(Self {
            walk,
            lie,
            rigids,
            asked,
            field,
            ease: [options.ease_in, options.ease_out],
            is_exact: !options.footprints.is_empty()
                || !options.obstacles.is_empty()
                || matches!(options.surface, Surface::Stairs(_)),
            frames,
        })
    }

    /// Refuses steps that no legs can do.
    fn check_reach(&self) -> Result<(), StrideError> {
        let leg = self.walk.legs[0].length();
        let most = LONGEST * leg;
        let longest = self.steps().map(|step| step.made).fold(0.0, f32::max);
        if longest <= most {
            return Ok(());
        }
        let captured = self.steps().map(|step| step.captured).fold(0.0, f32::max);
        Err(StrideError::TooLong {
            asked: longest,
            most,
            factor: most / captured.max(1e-3),
        })
    }

    fn steps(&self) -> impl Iterator<Item = StepMade> + '_ {
        let falls = self.walk.falls.windows(2);
        let pairs = falls.zip(self.rigids.windows(2)).zip(&self.asked);
        pairs.map(|((falls, rigids), asked)| {
            let step = rigids[1].to - rigids[0].to;
            let ahead = match self.lie.surface {
                Surface::Stairs(_) => self.lie.ahead,
                _ => rigids[0].turn * self.walk.way.tangent(falls[0].flat),
            };
            let ahead = ahead.with_y(0.0).normalize_or_zero();
            StepMade {
                side: falls[1].plant.side,
                captured: falls[1].arc - falls[0].arc,
                asked: *asked,
                made: step
                    .with_y(0.0)
                    .dot(ahead)
                    .hypot(step.y - self.own_rise(rigids)),
            }
        })
    }

    /// What the own floor rises from a footfall to the next: captured steps have it too. [m]
    fn own_rise(&self, rigids: &[Rigid]) -> f32 {
        self.walk.floor(rigids[1].to) - self.walk.floor(rigids[0].to)
    }

    /// The tracks of both feet.
    fn feet(&self, lift: f32, lead: f32) -> [FootTrack; 2] {
        Side::BOTH.map(|side| {
            let anchors = self
                .anchors(side)
                .into_iter()
                .map(|anchor| self.behind(anchor, lead));
            let anchors: Vec<Anchor> = anchors.collect();
            let swinging = Swinging {
                walk: self.walk,
                lie: &self.lie,
                side,
                lift,
            };
            swinging.track(&anchors)
        })
    }

    /// An anchor so much farther behind, on the surface there.
    fn behind(&self, mut anchor: Anchor, lead: f32) -> Anchor {
        if lead > 0.0 {
            let frame = anchor.frames.start.min(self.walk.clip.len() - 1);
            let back = anchor.by.turn * self.walk.way.tangent(frame) * -lead;
            let at = anchor.by.to + back.with_y(0.0);
            anchor.by.to = at.with_y(self.walk.floor(at) + self.lie.height(at));
        }
        anchor
    }

    fn anchors(&self, side: Side) -> Vec<Anchor> {
        let frames = self.walk.clip.len();
        let falls = self.walk.falls.iter().zip(&self.rigids).enumerate();
        let own = falls.filter(|(_, (fall, _))| fall.plant.side == side);
        let mut anchors: Vec<Anchor> = own
            .map(|(index, (fall, rigid))| {
                let mut anchor = Anchor {
                    frames: fall.plant.frames.clone(),
                    by: *rigid,
                    poses: [0, frames - 1],
                };
                // In a stand both feet stay down, as flat as they come to lie.
                if self.ease[0] > 0 && index < 2 {
                    anchor.frames.start = 0;
                    anchor.poses[0] = fall.flat;
                }
                if self.ease[1] > 0 && index + 2 >= self.rigids.len() {
                    anchor.frames.end = frames;
                    anchor.poses[1] = fall.flat;
                }
                anchor
            })
            .collect();
        let ends = [anchors.first(), anchors.last()].map(|end| end.map(|end| end.frames.clone()));
        if ends[0].as_ref().is_none_or(|first| first.start > 0) {
            anchors.insert(0, self.in_mid_swing(side, 0));
        }
        if ends[1].as_ref().is_none_or(|last| last.end < frames) {
            anchors.push(self.in_mid_swing(side, frames - 1));
        }
        anchors
    }

    /// A foot that is in the air as the clip begins or ends: it goes with the body's move where it is.
    fn in_mid_swing(&self, side: Side, frame: usize) -> Anchor {
        let pose = &self.walk.poses[side.index()][frame];
        let pivot = pose.ankle.with_y(self.walk.floor(pose.ankle));
        let arc = self.walk.way.along(frame, pivot);
        let (shift, yaw) = self.field.at(arc, pivot);
        let to = pivot + shift;
        let turned = Planar::new(0.0, 0.0, f64::from(yaw)).point3(pivot);
        let by = Planar::new(
            f64::from(to.x - turned.x),
            f64::from(to.z - turned.z),
            f64::from(yaw),
        );
        let at = if frame == 0 { 0 } else { frame + 1 };
        Anchor {
            frames: at..at,
            by: on_surface(self.walk, &self.lie, pivot, by),
            poses: [0, self.walk.clip.len() - 1],
        }
    }

    /// Where the root goes before legs say how high, and how far it turns, a frame each.
    fn root(&self) -> (Vec<Vec3>, Vec<f32>) {
        let roots = self.walk.clip.root.iter().enumerate();
        roots
            .map(|(frame, root)| {
                let arc = self.walk.way.along(frame, *root);
                let (shift, yaw) = self.field.shift(arc, *root);
                (*root + shift, yaw)
            })
            .unzip()
    }

    /// The plane of the new floor, where it is one.
    fn ground(&self) -> Option<afoot_core::Ground> {
        match self.lie.surface {
            Surface::Own => self.walk.clip.ground,
            Surface::Incline(_) => {
                let mut ground = self.walk.ground;
                let [x, z] = self.lie.slope(Vec3::ZERO);
                ground.height += self.lie.height(Vec3::ZERO);
                ground.slope_x += x;
                ground.slope_z += z;
                Some(ground)
            }
            Surface::Stairs(_) | Surface::Terrain(_) => None,
        }
    }

    /// How far soles are from the surface: planted ones either way, swinging ones below it.
    fn measure(&self, tracks: &[FootTrack; 2], report: &mut StrideReport) {
        for (side, track) in Side::BOTH.into_iter().zip(tracks) {
            let sole = self.walk.sole(side);
            for frame in self.frames.clone() {
                let pose = &self.walk.poses[side.index()][frame];
                let [heel, ball, tip] = sole.points(pose);
                let foot = track.foot[frame] * pose.foot.inverse();
                let toes = track.toes[frame] * pose.toes.inverse();
                let ankle = track.ankle[frame];
                let ball_at = ankle + foot * ball;
                let over = |at: Vec3, height: f32| at.y - self.walk.floor(at) - height;
                if track.planted[frame] {
                    if self.walk.clip.contacts[frame].any(Contacts::ball(side)) {
                        let off = over(ball_at, self.lie.height(ball_at)).abs();
                        report.planted_off = report.planted_off.max(off);
                    }
                    continue;
                }
                let points = [
                    (heel, ankle + foot * heel),
                    (ball, ball_at),
                    (tip, ball_at + toes * (tip - ball)),
                ];
                for (point, at) in points {
                    let own = pose.ankle + point;
                    let captured = over(own, 0.0).min(0.0);
                    let below = captured - over(at, self.lie.height_to_clear(at));
                    report.through = report.through.max(below);
                }
            }
        }
    }

    fn report(&self, heights: &[f32]) -> StrideReport {
        let steps: Vec<StepMade> = self.steps().collect();
        let [made, captured] = [0, 1].map(|which| {
            let lengths = steps.iter().map(|step| [step.made, step.captured][which]);
            lengths.sum::<f32>()
        });
        let frames = self.frames.clone();
        StrideReport {
            steps,
            factor: made / captured.max(1e-3),
            rise: rise_ratio(&self.walk.clip.root[frames.clone()], &heights[frames]),
            first_edge: Some(self.lie.first_edge).filter(|edge| edge.is_finite()),
            ahead: [self.lie.ahead.x, self.lie.ahead.z],
            ..StrideReport::default()
        }
    }
}

/// How much more a root rises and falls with `heights` on top of its own.
fn rise_ratio(root: &[Vec3], heights: &[f32]) -> f32 {
    let range = |values: &mut dyn Iterator<Item = f32>| {
        let (low, high) = values.fold((f32::MAX, f32::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        high - low
    };
    let own = range(&mut root.iter().map(|root| root.y));
    let new = range(
        &mut root
            .iter()
            .zip(heights)
            .map(|(root, height)| root.y + height),
    );
    new / own.max(1e-3)
}

/// A move over the ground as a rigid motion onto the surface there, sole to surface as before.
fn on_surface(walk: &Walk, lie: &Lie, pivot: Vec3, by: Planar) -> Rigid {
    let to = by.point3(pivot);
    let normal = |slopes: [f32; 2]| Vec3::new(-slopes[0], 1.0, -slopes[1]).normalize();
    let own = [walk.ground.slope_x, walk.ground.slope_z];
    let extra = lie.slope(to);
    let (old, new) = (
        by.rotation() * normal(own),
        normal([own[0] + extra[0], own[1] + extra[1]]),
    );
    let tilt = match old.distance_squared(new) < 1e-12 {
        true => Quat::IDENTITY,
        false => Quat::from_rotation_arc(old, new),
    };
    Rigid {
        from: pivot,
        to: to.with_y(walk.floor(to) + lie.height(to)),
        turn: tilt * by.rotation(),
    }
}

/// From the first stand to the last, where they are asked for.
fn kept_frames(walk: &Walk, options: &StrideOptions) -> std::ops::Range<usize> {
    let falls = &walk.falls;
    let start = match options.ease_in > 0 {
        true => falls[0]
            .flat
            .min(falls[1].plant.frames.start.saturating_sub(1)),
        false => 0,
    };
    let end = match options.ease_out > 0 {
        true => falls[falls.len() - 1].flat + 1,
        false => walk.clip.len(),
    };
    start..end.max(start + 1)
}

/// Where the hips go with the root. [m]
fn carried_hips(walk: &Walk, root: &[Vec3], yaws: &[f32]) -> Hips {
    [0, 1].map(|side| {
        let poses = walk.poses[side].iter().enumerate();
        poses
            .map(|(frame, pose)| {
                let away = pose.hip - walk.clip.root[frame];
                root[frame] + Quat::from_rotation_y(yaws[frame]) * away
            })
            .collect()
    })
}

/// What becomes of the body: root, turn and what the legs add to its height, a frame each.
struct Body {
    root: Vec<Vec3>,
    yaws: Vec<f32>,
    heights: Vec<f32>,
}

/// A body carried by its feet.
struct Carried {
    tracks: [FootTrack; 2],
    body: Body,
    /// Most that it is lowered so that legs reach. [m]
    lowered: f32,
}

impl Carried {
    /// Whoever takes longer steps leans into them: the least lead that lets the hips sink least.
    fn with_least_sinking(plan: &Plan, lift: f32) -> Self {
        let mut best = Self::of(plan, lift, 0.0);
        for lead in LEADS {
            if best.lowered < LEAST_LEAN || plan.is_exact {
                break;
            }
            let other = Self::of(plan, lift, lead);
            if other.lowered < best.lowered - LEAST_GAIN {
                best = other;
            }
        }
        best
    }

    fn of(plan: &Plan, lift: f32, lead: f32) -> Self {
        let walk = plan.walk;
        let mut tracks = plan.feet(lift, lead);
        let (root, yaws) = plan.root();
        let hips = carried_hips(walk, &root, &yaws);
        let mut heights = pendulum(walk, &tracks, &hips);
        roll_heels(walk, &mut tracks, &hips, &heights);
        let lowered = lowering(walk, &tracks, &hips, &heights);
        heights
            .iter_mut()
            .zip(&lowered)
            .for_each(|(height, by)| *height -= by);
        Self {
            tracks,
            body: Body {
                root,
                yaws,
                heights,
            },
            lowered: lowered.into_iter().fold(0.0, f32::max),
        }
    }
}

/// Writes root and legs; what does not move stays as it is, to the bit.
fn write(walk: &Walk, carried: &Carried, report: &mut StrideReport) -> Clip {
    let Carried { tracks, body, .. } = carried;
    let mut made = walk.clip.clone();
    for frame in 0..made.len() {
        made.root[frame] = body.root[frame] + Vec3::Y * body.heights[frame];
        if body.yaws[frame] != 0.0 {
            let local = made.frame_rotations_mut(frame.into());
            local[0] = (Quat::from_rotation_y(body.yaws[frame]) * local[0]).normalize();
        }
        for (leg, track) in walk.legs.iter().zip(tracks) {
            let pose = leg.of_frame(&made, frame);
            let goal = FootGoal {
                ankle: track.ankle[frame],
                foot: track.foot[frame],
                toes: track.toes[frame],
            };
            if pose.is_at(&goal) {
                continue;
            }
            let local = made.frame_rotations_mut(frame.into());
            let miss = leg.reach(&pose, &goal, local);
            if track.planted[frame] {
                report.miss = report.miss.max(miss);
            }
        }
        let side_down = |side: Side| tracks[side.index()].planted[frame];
        for side in Side::BOTH.into_iter().filter(|side| side_down(*side)) {
            if !made.contacts[frame].any(Contacts::foot(side)) {
                made.contacts[frame] = made.contacts[frame].with(Contacts::foot(side));
            }
        }
    }
    made
}
