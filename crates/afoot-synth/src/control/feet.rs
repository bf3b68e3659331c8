//! Feet that stand still while a figure is steered.
//!
//! A foot is where the played frame has it, plus an offset. While heel or ball bears it the offset
//! keeps that part in place; when it goes from heel to ball, or back, the other part stays where it is
//! then (`foothold`). Contacts of the frames to come are known some tenths of a second ahead: a free
//! foot makes for where it will stand, and arrives at rest. The root gives way: it drifts with the
//! feet that bear it, for good, and rises and sinks a little with them. In: frames ahead, before
//! pivots. Out: where the feet are to be, and the root's shift. Cost: some 5 µs a frame.
//! Weakness: what comes after the present edge is only guessed, as the clip that it leads to.

use afoot_core::{Contacts, Ground, Planar, Pose, Quat, Side, Skeleton, Vec3};

use super::apart::{MovedLeg, push_apart};
use super::foothold::{Facing, Foothold, LOW, Landing, Moving, TWIST, middle_turn, settle};
use super::leg::{Footing, LegChain, Part, PlacedLeg};
use super::stream::Stream;
use crate::repertoire::Repertoire;

/// How feet are held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeetOptions {
    /// A foot makes for its next place this long before it stands there. [s, > 0]
    pub lead: f64,
    /// Time in which the offset of a foot that was released falls to a quarter. [s, > 0]
    pub fade: f64,
}

impl Default for FeetOptions {
    /// Half a swing; less pulls at the foot, more foresees what will not be played.
    fn default() -> Self {
        Self {
            lead: 0.3,
            fade: 0.2,
        }
    }
}

/// Contacts shorter than this are passed over, gaps shorter than this held through. [s]
const SHORTEST: f64 = 0.09;
/// A foot is put where the first so much of its contact has it in the mean. [s]
const SETTLED: f64 = 0.15;
/// The root goes with what feet that bear it do over so much time to come. [s]
const FORESIGHT: f64 = 0.15;
/// Time in which the root comes to drift as it should. [s]
const DRIFT_TIME: f32 = 0.1;
/// Share of the feet's offset that the root makes up for in a second. [1/s]
const RETURN: f32 = 3.0;
/// Fastest drift of the root; raw blends slide by up to 0.3 m/s. [m/s]
const FASTEST_DRIFT: f32 = 0.5;
/// How quickly the root rises and sinks; the more, the stiffer. [1/s]
const LIFT_RATE: f32 = 10.0;
/// Farthest that the body is carried to its floor: captured floors are up to 9 cm apart. [m]
const MOST_CARRIED: f32 = 0.08;
/// What a ball that would be left below its height there counts against one above: nothing stands below a floor.
const LOW_WEIGHT: f32 = 3.0;
/// Farthest that the root sinks for legs to reach. [m]
const DEEPEST: f32 = 0.04;
/// How far a foot may go below the floor. [m]
const GIVE: f32 = 0.003;
/// How far above its rest a ball that touches keeps the height it was captured at. [m]
const HOVER: f32 = 0.012;
/// How high above its rest a ball is lifted for each radian that its foot is yet to turn, and each metre that it is
/// yet to go beside its frames: who puts a foot round by a quarter of a turn lifts it by 4 cm and more. [m]
const CLEARANCE: f32 = 0.03;
/// Most that it is lifted for that. [m]
const MOST_CLEARANCE: f32 = 0.05;
/// What a foot on its ball adds to its leg's reach without being seen. [m]
const TIPTOE: f32 = 0.01;

/// A frame to come, before pivots.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    legs: [PlacedLeg; 2],
    contacts: Contacts,
}

/// The part of what a foot may be turned by against the body that pivots use; the rest is for blends.
const FOR_PIVOTS: f32 = 0.85;

/// The feet of a steered figure.
#[derive(Clone, Debug)]
pub(super) struct Feet {
    options: FeetOptions,
    legs: [Option<LegChain>; 2],
    floor: Option<Ground>,
    seconds: f32,
    ahead: Vec<Ahead>,
    /// How many of them are of a blend.
    blends: usize,
    holds: [Foothold; 2],
    /// How the root drifts over the ground. [m/s]
    drift: Vec3,
    /// By how much the floor is higher than that which balls touched last in their frames. [m]
    raised: f32,
    /// The root's height above that of the frame. [m]
    lift: Moving,
}

/// The foot that bears a figure alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    /// What it turns about, in the world.
    pub(super) center: Vec3,
    /// For how long it will. [s]
    pub(super) lasts: f64,
    /// How far the body can turn over it, to the right and to the left, before the foot must give. [rad, ≥ 0]
    pub(super) room: [f64; 2],
}

/// What bears a figure.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bearing {
    Flight,
    One(Support),
    Both,
}

impl Feet {
    pub(super) fn new(repertoire: &Repertoire, skeleton: &Skeleton, options: FeetOptions) -> Self {
        Self {
            options,
            legs: Side::BOTH.map(|side| LegChain::new(skeleton, side)),
            floor: repertoire.floor(),
            seconds: repertoire.graph().rate.frame_time() as f32,
            ahead: Vec::new(),
            blends: 0,
            holds: [Foothold::new(), Foothold::new()],
            drift: Vec3::ZERO,
            raised: 0.0,
            lift: (0.0, 0.0),
        }
    }

    /// Looks at the frames to come.
    pub(super) fn look(&mut self, repertoire: &Repertoire, stream: &Stream) {
        let frames = self.frames_in(self.options.lead + SETTLED) + 1;
        self.ahead.clear();
        let blend = stream.source(repertoire).transition;
        self.blends = blend.map_or(0, |_| stream.left().min(frames));
        for ahead in 0..frames {
            let (root, local, placement) = stream.stored(repertoire, ahead);
            let place = |leg: &Option<LegChain>| {
                let leg = leg.as_ref()?;
                Some(leg.place(root, local).placed(placement))
            };
            let legs = [0, 1].map(|side| place(&self.legs[side]).unwrap_or_default());
            let contacts = stream.contacts(repertoire, ahead);
            self.ahead.push(Ahead { legs, contacts });
        }
        let shortest = self.frames_in(SHORTEST);
        for side in Side::BOTH {
            let rests = [Part::Heel, Part::Ball].map(|part| self.rest(side, part).unwrap_or(0.0));
            let at = |frame: usize, part: Part| {
                let place = self.ahead[frame].legs[side.index()].point(part);
                place - Vec3::Y * rests[part as usize]
            };
            let parts = self.ahead.iter().map(|frame| part(frame.contacts, side));
            let hold = &mut self.holds[side.index()];
            hold.plan(parts, shortest);
            hold.widen(at, self.seconds);
        }
    }

    /// What bears the figure at the frame that comes next.
    pub(super) fn bearing(&self, carried: Planar) -> Bearing {
        let stands = |frame: usize| [0, 1].map(|side| self.holds[side].parts[frame].is_some());
        let side = match stands(0) {
            [false, false] => return Bearing::Flight,
            [true, true] => return Bearing::Both,
            [left, _] => usize::from(!left),
        };
        let lasts = (0..self.ahead.len()).take_while(|&frame| stands(frame) == stands(0));
        let hold = &self.holds[side];
        let now = hold.parts[0].unwrap_or(Part::Ball);
        let center = match hold.pin {
            Some(pin) if hold.part == now => pin.place,
            _ => carried.point3(self.ahead[0].legs[side].point(now)),
        };
        Bearing::One(Support {
            center,
            lasts: lasts.count() as f64 * f64::from(self.seconds),
            room: self.room(side),
        })
    }

    /// A body that turns to the left leaves its foot behind to the right. What a blend is going to turn it by is
    /// not there to be used.
    fn room(&self, side: usize) -> [f64; 2] {
        let hold = &self.holds[side];
        let [least, most] = hold.turns_ahead(self.facings(side, 0));
        let room = FOR_PIVOTS * TWIST;
        [room - most, room + least].map(|room| f64::from(room.max(0.0)))
    }

    /// What the blend under way does to a foot at a frame to come and after that, as long as it stands.
    fn facings(&self, side: usize, from: usize) -> impl Iterator<Item = Facing> {
        let stands = move |frame: &usize| self.holds[side].parts[*frame].is_some();
        let facing = move |frame: usize| Facing::of(&self.ahead[frame].legs[side], 0.0, true);
        (from..self.blends).take_while(stands).map(facing)
    }

    /// How far the root drifts until the next frame, along the ground. [m]
    pub(super) fn drift(&mut self, carried: Planar) -> Vec3 {
        let wanted = self.wanted_drift(carried).clamp_length_max(FASTEST_DRIFT);
        self.drift += (wanted - self.drift) * (self.seconds / DRIFT_TIME).min(1.0);
        self.drift * self.seconds
    }

    /// Against what planted balls slide by in the frames to come, and after feet that are off. [m/s]
    fn wanted_drift(&self, carried: Planar) -> Vec3 {
        let turn = carried.rotation();
        let (mut slip, mut steps) = (Vec3::ZERO, 0.0);
        let (mut away, mut held) = (Vec3::ZERO, 0.0);
        for (side, hold) in self.holds.iter().enumerate() {
            let stands = |frame: usize| hold.parts[frame] == Some(Part::Ball);
            let ball = |frame: usize| self.ahead[frame].legs[side].ball;
            for frame in 0..self.frames_in(FORESIGHT) {
                if stands(frame) && stands(frame + 1) {
                    slip += turn * (ball(frame + 1) - ball(frame)) / self.seconds;
                    steps += 1.0;
                }
            }
            if hold.pin.is_some() && hold.parts[0].is_some() {
                away += hold.offset;
                held += 1.0;
            }
        }
        let level = |v: Vec3, count: f32| Vec3::new(v.x, 0.0, v.z) / f32::max(count, 1.0);
        level(away, held) * RETURN - level(slip, steps)
    }

    /// Puts the feet of the next frame, which `carried` takes to the world, where they are to be; how
    /// high its root is above the frame's. [m]
    pub(super) fn place(&mut self, carried: Planar) -> (f32, [Option<Footing>; 2]) {
        let lift = self.raise_root(carried);
        let legs = Side::BOTH.map(|side| self.move_on(side, carried, lift));
        let push = |side: usize| {
            let moved = |side: usize| {
                let footing = self.holds[side].footing(&legs[side], Vec3::ZERO);
                let [ankle, ball] = [Part::Heel, Part::Ball].map(|part| footing.point(part));
                MovedLeg::new(&legs[side], ankle, ball)
            };
            match self.holds[side].parts[0] {
                Some(_) => Vec3::ZERO,
                None => push_apart(&moved(side), &moved(1 - side)),
            }
        };
        let footings = Side::BOTH.map(|side| {
            let index = side.index();
            self.legs[index].as_ref()?;
            let mut footing = self.holds[index].footing(&legs[index], push(index));
            self.keep_above_floor(side, &mut footing);
            Some(footing)
        });
        (lift, footings)
    }

    /// Moves a foot's offset on to the next frame; the leg as that has it.
    fn move_on(&mut self, side: Side, carried: Planar, lift: f32) -> PlacedLeg {
        let (index, seconds) = (side.index(), self.seconds);
        let ahead = &self.ahead;
        let world = |frame: usize| ahead[frame].legs[index].placed(carried).raised(lift);
        let (leg, fade) = (world(0), 2.7 / self.options.fade as f32);
        let facing = Facing::of(&leg, carried.yaw as f32, self.blends > 0);
        let stands = self.holds[index].parts[0].map(|part| (part, self.rest(side, part)));
        let landing = self.landing(side, &world);
        let height = self.kept_height(side, 0);
        let hold = &mut self.holds[index];
        match (stands, hold.pin) {
            (Some(stands), Some(_)) => hold.stand(stands, height, &leg, &facing, seconds),
            (Some((part, rest)), None) => {
                hold.swing(landing, &leg, fade, seconds);
                hold.plant(part, rest, &leg);
            }
            (None, _) => hold.swing(landing, &leg, fade, seconds),
        }
        hold.face(facing);
        hold.ease(fade, seconds);
        leg
    }

    /// Where and when a free foot will stand, if that is soon.
    fn landing(&self, side: Side, world: &impl Fn(usize) -> PlacedLeg) -> Option<Landing> {
        let parts = &self.holds[side.index()].parts;
        let lead = self.frames_in(self.options.lead);
        let lands = parts.iter().take(lead).position(Option::is_some)?;
        let part = parts[lands]?;
        let at = |frame: usize| world(frame).point(part);
        let (first, until) = (at(lands), lands + self.frames_in(SETTLED));
        let stays = (lands..until.min(parts.len())).take_while(|&f| parts[f] == Some(part));
        let (sum, count) = stays.fold((Vec3::ZERO, 0.0), |(sum, n), f| (sum + at(f), n + 1.0));
        let mut offset = sum / count - first;
        let mut velocity = (first - at(lands + 1)) / self.seconds;
        // Up and down it comes as played, to where it is to be when it touches.
        let touches = (lands..parts.len()).find_map(|frame| {
            let height = self.kept_height(side, frame)?;
            Some(height - world(frame).ball.y)
        });
        velocity.y = 0.0;
        offset.y = touches.filter(|_| part == Part::Ball).unwrap_or(0.0);
        offset += within_reach(&world(lands), offset);
        let turn = middle_turn(self.facings(side.index(), lands));
        Some(Landing {
            part,
            offset,
            velocity,
            turn,
            time: (lands + 1) as f32 * self.seconds,
            least: self.clearing(side, [&world(0), &world(lands)], (offset, turn)),
        })
    }

    /// The least offset upwards with which a free foot turns, and goes where its frames do not lead it, well above
    /// the floor on its way to where it lands with an offset and a turn. [m]
    fn clearing(
        &self,
        side: Side,
        [leg, lands]: [&PlacedLeg; 2],
        (offset, turn): (Vec3, f32),
    ) -> f32 {
        let hold = &self.holds[side.index()];
        let Some(rest) = self.rest(side, Part::Ball) else {
            return f32::NEG_INFINITY;
        };
        let way = offset - hold.offset;
        let asks = CLEARANCE * (hold.off(leg, lands.heading() + turn) + way.x.hypot(way.z));
        rest + asks.min(MOST_CLEARANCE) - leg.ball.y
    }

    /// The height that a ball is to have at a frame to come: as played, within what a foot gives about its rest;
    /// `None` where it does not touch. [m]
    fn kept_height(&self, side: Side, frame: usize) -> Option<f32> {
        let ahead = &self.ahead[frame];
        ahead.contacts.any(Contacts::ball(side)).then_some(())?;
        let hold = &self.holds[side.index()];
        let pinned = hold.pin.filter(|_| hold.part == Part::Ball);
        let rest = match pinned {
            Some(pin) => pin.rest,
            None => self.rest(side, Part::Ball)?,
        };
        let height = ahead.legs[side.index()].ball.y;
        let near = pinned.is_some() || (height - rest).abs() < LOW;
        near.then(|| height.clamp(rest - GIVE, rest + HOVER))
    }

    /// Lifts a foot out of the floor: as a whole for its ball, about its ball for its ankle.
    fn keep_above_floor(&self, side: Side, footing: &mut Footing) {
        let lowest = |part: Part| self.rest(side, part).map(|rest| rest - GIVE);
        let (Some(heel_lowest), Some(ball_lowest)) = (lowest(Part::Heel), lowest(Part::Ball))
        else {
            return;
        };
        footing.lowest = heel_lowest;
        footing.raise((ball_lowest - footing.point(Part::Ball).y).max(0.0));
        let foot = footing.point(Part::Heel) - footing.point(Part::Ball);
        let deep = heel_lowest - footing.point(Part::Heel).y;
        if let Some(axis) = foot.cross(Vec3::Y).try_normalize().filter(|_| deep > 0.0) {
            let angle = |height: f32| (height / foot.length()).clamp(-1.0, 1.0).asin();
            let turn = angle(foot.y + deep) - angle(foot.y);
            footing.turn_about_ball(Quat::from_axis_angle(axis, turn));
        }
    }

    /// Carries the body to its floor, feet and root together, and sinks the root as far as legs need it in the
    /// frames to come. Its height above the frame's. [m]
    fn raise_root(&mut self, carried: Planar) -> f32 {
        if let Some(raised) = self.feet_raised() {
            self.raised = raised;
        }
        let follows = self.raised.clamp(-MOST_CARRIED, MOST_CARRIED);
        let missing = self.legs_miss(carried, follows).min(DEEPEST);
        self.lift = settle(self.lift, follows - missing, LIFT_RATE, self.seconds);
        self.lift.0
    }

    /// How much higher than in their frames balls that touch are to be, in the mean over those to come; `None` where
    /// none does.
    fn feet_raised(&self) -> Option<f32> {
        let (mut sum, mut count) = (0.0, 0.0);
        for side in Side::BOTH {
            for frame in 0..self.ahead.len() {
                if let Some(height) = self.kept_height(side, frame) {
                    let raised = height - self.ahead[frame].legs[side.index()].ball.y;
                    let weight = if raised > self.lift.0 {
                        LOW_WEIGHT
                    } else {
                        1.0
                    };
                    sum += raised * weight;
                    count += weight;
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }

    /// How much lower the root of the frames to come must be for legs to reach where feet stand.
    fn legs_miss(&self, carried: Planar, lift: f32) -> f32 {
        let mut most = 0f32;
        for ((side, hold), leg) in self.holds.iter().enumerate().zip(&self.legs) {
            let (Some(leg), Some(pin)) = (leg, hold.pin) else {
                continue;
            };
            let soon = 0..self.frames_in(FORESIGHT);
            for frame in soon.take_while(|&frame| hold.parts[frame] == Some(hold.part)) {
                let placed = self.ahead[frame].legs[side].placed(carried).raised(lift);
                let mut offset = pin.place - placed.point(hold.part);
                let give = match hold.part {
                    Part::Ball => {
                        let height = self.kept_height(Side::BOTH[side], frame);
                        offset.y = height.map_or(hold.offset.y, |height| height - placed.ball.y);
                        TIPTOE
                    }
                    Part::Heel => {
                        offset.y = 0.0;
                        0.0
                    }
                };
                let away = placed.ankle + offset - placed.hip;
                let longest = leg.reach_from(placed.ankle.distance(placed.hip)) + give;
                let upright = (-away.y / away.length()).max(0.5);
                most = most.max((away.length() - longest) / upright);
            }
        }
        most
    }

    /// Changes a pose so that its feet are where they are to be.
    pub(super) fn reach(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        footings: [Option<Footing>; 2],
    ) {
        for (leg, footing) in self.legs.iter().zip(footings) {
            if let (Some(leg), Some(footing)) = (leg, footing) {
                leg.reach(skeleton, pose, footing);
            }
        }
    }

    /// The height at which a part of a foot rests on the floor. [m]
    fn rest(&self, side: Side, part: Part) -> Option<f32> {
        let floor = self.floor?;
        let rest = floor.rest[side.index()];
        Some(
            floor.height
                + match part {
                    Part::Heel => rest.ankle,
                    Part::Ball => rest.ball,
                },
        )
    }

    fn frames_in(&self, seconds: f64) -> usize {
        ((seconds / f64::from(self.seconds)).round() as usize).max(1)
    }
}

/// What brings a foot that would be moved by `offset` back under its hip, along the ground, where its leg
/// would have to open: knees of landing feet are the straightest there are, and a centimetre shows.
fn within_reach(leg: &PlacedLeg, offset: Vec3) -> Vec3 {
    let away = leg.ankle + offset - leg.hip;
    let longest = leg.ankle.distance(leg.hip) + SPARE;
    let level = Vec3::new(away.x, 0.0, away.z);
    let reach = (longest * longest - away.y * away.y).max(0.0).sqrt();
    let excess = (level.length() - reach).clamp(0.0, MOST_DRAWN_BACK);
    -level.normalize_or_zero() * excess
}

/// How much farther than its frame has it an ankle may land from its hip. Legs of walkers are so nearly
/// straight then that it opens a knee of 163 degrees by five. [m]
const SPARE: f32 = 0.004;
/// Farthest that a foot is drawn back so. [m]
const MOST_DRAWN_BACK: f32 = 0.03;

fn part(contacts: Contacts, side: Side) -> Option<Part> {
    if contacts.any(Contacts::ball(side)) {
        Some(Part::Ball)
    } else {
        contacts.any(Contacts::heel(side)).then_some(Part::Heel)
    }
}
