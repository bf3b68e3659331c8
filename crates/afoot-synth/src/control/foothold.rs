//! One foot of a steered figure: what bears it, where that stands, and how far the foot is from where
//! the played frame has it.
//!
//! Offset, turn and give are each a value with its speed, so that whatever begins or ends, ends
//! smoothly: they settle by a critically damped spring, and on the way to the next plant the offset
//! takes a cubic that arrives with the foot at rest. Metres, seconds, radians.

use afoot_core::{Quat, Vec3, wrap_angle};

use super::leg::{Footing, Part, PlacedLeg};

/// A foot is held through slow frames about a contact while it is lower than this above its rest, and
/// stands on the floor if it is this near. [m]
pub(super) const LOW: f32 = 0.05;
/// Slower than this it is held there too. [m/s]
const SLOW: f32 = 0.5;
/// A foot that is so far from where its frame has it is let go. [m]
const LONGEST: f32 = 0.15;
/// Fastest change of an offset on the way to a plant; captured swings reach 40 m/s². [m/s²]
const SWERVE: f32 = 20.0;
/// A foot rises to what its way asks for until so much of the time to its landing is left.
const LET_DOWN: f32 = 0.45;
/// How quickly a foot comes to its height; the more, the stiffer. [1/s]
const HEIGHT_RATE: f32 = 20.0;
/// Most that a foot is turned against the body while it stands: what hips and ankles give. Hips turn in and
/// out by 30 to 45 degrees; captured feet that stand still while the body turns use some 25 of them. [rad]
pub(super) const TWIST: f32 = 0.45;
/// A foot whose ball is less far before its ankle than this share of its length points nowhere.
const STEEP: f32 = 0.35;

/// A value and its speed.
pub(super) type Moving = (f32, f32);

/// One foot.
#[derive(Clone, Debug)]
pub(super) struct Foothold {
    /// What bears it at the frames to come.
    pub(super) parts: Vec<Option<Part>>,
    /// Where what bore it at the last frame stands.
    pub(super) pin: Option<Pin>,
    /// The part that the offset is of.
    pub(super) part: Part,
    /// From where the played frame has it, and how fast that changes. [m, m/s]
    pub(super) offset: Vec3,
    velocity: Vec3,
    /// How far it is turned from where the played frame has it. [rad]
    turn: Moving,
    /// What the last frame was turned by, and where its foot pointed before that. [rad]
    before: Facing,
    /// How much it gives way to keep its knee as it was. [0..1]
    give: Moving,
    /// In how long it was to land when that was first seen; 0 where it is not to. [s]
    seen: f32,
}

/// What turns a foot on the floor: pivots carry all of a frame, and blends lead from one foot to another.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facing {
    /// By how much pivots turn the frame. [rad]
    pub(super) carried: f32,
    /// Where its foot points without that; `None` if it is too steep to tell. [rad]
    pub(super) played: Option<f32>,
    /// Whether the frame is a blend: what captured feet do on the floor is theirs to do.
    pub(super) blended: bool,
}

impl Facing {
    /// Of a leg in the world.
    pub(super) fn of(leg: &PlacedLeg, carried: f32, blended: bool) -> Self {
        let foot = leg.ball - leg.ankle;
        let points = foot.x.hypot(foot.z) > STEEP * foot.length();
        Self {
            carried,
            played: points.then(|| leg.heading() - carried),
            blended,
        }
    }

    /// How far a foot that stays where it points turns against the frame from one to the next. [rad]
    fn turn_to(&self, next: &Self) -> f32 {
        let wrap = |angle: f32| wrap_angle(f64::from(angle)) as f32;
        let carried = wrap(next.carried - self.carried);
        let played = match (self.played, next.played, next.blended) {
            (Some(before), Some(now), true) => wrap(now - before),
            _ => 0.0,
        };
        -carried - played
    }
}

/// Where a foot stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin {
    pub(super) place: Vec3,
    /// The height at which it rests there. [m]
    pub(super) rest: f32,
    /// Which way the foot points. [rad]
    heading: f32,
}

/// What a foot comes to, and how fast its offset changes then, if it is to arrive at rest.
pub(super) struct Landing {
    pub(super) part: Part,
    pub(super) offset: Vec3,
    pub(super) velocity: Vec3,
    /// By how much it is turned then. [rad]
    pub(super) turn: f32,
    /// In how long. [s]
    pub(super) time: f32,
    /// The least offset upwards with which the foot is high enough for the way and the turn before it. [m]
    pub(super) least: f32,
}

impl Foothold {
    /// Free, and where its frame has it.
    pub(super) fn new() -> Self {
        Self {
            parts: Vec::new(),
            pin: None,
            part: Part::Ball,
            offset: Vec3::ZERO,
            velocity: Vec3::ZERO,
            turn: (0.0, 0.0),
            before: Facing::default(),
            give: (0.0, 0.0),
            seen: 0.0,
        }
    }

    /// The least and the most that it will be turned against the body if it stays as it points while these frames
    /// are played. [rad]
    pub(super) fn turns_ahead(&self, frames: impl Iterator<Item = Facing>) -> [f32; 2] {
        let mut before = self.before;
        let mut range = [self.turn.0; 2];
        let mut turn = self.turn.0;
        for facing in frames {
            let facing = Facing {
                carried: before.carried,
                ..facing
            };
            turn += before.turn_to(&facing);
            range = [range[0].min(turn), range[1].max(turn)];
            before = facing;
        }
        range
    }

    /// Takes what bears the foot at the frames to come, without contacts and gaps that are shorter
    /// than `shortest` frames.
    pub(super) fn plan(&mut self, parts: impl Iterator<Item = Option<Part>>, shortest: usize) {
        self.parts.clear();
        self.parts.extend(parts);
        let mut before = self.held();
        let mut start = 0;
        while start < self.parts.len() {
            let stands = self.parts[start].is_some();
            let run = self.parts[start..].iter();
            let end = start + run.take_while(|part| part.is_some() == stands).count();
            let short = end < self.parts.len() && end - start < shortest;
            match (stands, before) {
                (false, Some(_)) if short => self.parts[start..end].fill(before),
                (true, None) if short => self.parts[start..end].fill(None),
                _ => {}
            }
            before = self.parts[end - 1];
            start = end;
        }
    }

    /// Holds the foot in slow frames before and after a contact too; `at` says where a part is,
    /// above its rest. [frame, part; m]
    pub(super) fn widen(&mut self, at: impl Fn(usize, Part) -> Vec3, seconds: f32) {
        let slow = |part: Part, from: usize| {
            let (a, b) = (at(from, part), at(from + 1, part));
            a.distance(b) < SLOW * seconds && a.y.max(b.y) < LOW
        };
        for frame in (0..self.parts.len() - 1).rev() {
            if self.parts[frame].is_none() {
                self.parts[frame] = self.parts[frame + 1].filter(|&part| slow(part, frame));
            }
        }
        let mut before = self.held();
        for frame in 0..self.parts.len() {
            if self.parts[frame].is_none() {
                self.parts[frame] = before.filter(|&part| slow(part, frame.max(1) - 1));
            }
            before = self.parts[frame];
        }
        if self.offset.length() > LONGEST {
            self.parts[0] = None;
        }
    }

    fn held(&self) -> Option<Part> {
        self.pin.map(|_| self.part)
    }

    /// Moves on by a frame, the part that bears the foot where it was, its ball at `height` or, without, as far
    /// from the played one as before. Where another part takes over, that stays where it is now, at `rest` if
    /// that is near.
    pub(super) fn stand(
        &mut self,
        (part, rest): (Part, Option<f32>),
        height: Option<f32>,
        leg: &PlacedLeg,
        facing: &Facing,
        seconds: f32,
    ) {
        let Some(mut pin) = self.pin else {
            return self.plant(part, rest, leg);
        };
        let before = self.offset;
        // An ankle comes down as its foot does.
        let wanted = match self.part {
            Part::Ball => height.map_or(before.y, |height| height - leg.ball.y),
            Part::Heel => 0.0,
        };
        self.offset = pin.place - leg.point(self.part);
        self.offset.y = settle((before.y, self.velocity.y), wanted, HEIGHT_RATE, seconds).0;
        pin.place.y = leg.point(self.part).y + self.offset.y;
        match self.part {
            Part::Ball => {
                // It points where it did; what is more than hips give goes along with the body.
                let turn = self.turn.0 + self.before.turn_to(facing);
                let turn = turn.clamp(-TWIST, TWIST);
                self.turn = (turn, (turn - self.turn.0) / seconds);
            }
            Part::Heel => {
                // The toes don't sweep over the floor.
                let turn = wrap_angle(f64::from(pin.heading - leg.heading())) as f32;
                let turn = turn.clamp(-TWIST, TWIST);
                self.turn = (turn, (turn - self.turn.0) / seconds);
            }
        }
        self.velocity = (self.offset - before) / seconds;
        self.pin = Some(pin);
        if part != self.part {
            self.refer_to(part, leg);
            self.plant(part, rest, leg);
        }
    }

    /// Moves a free foot on by a frame, towards its next plant or back to where the frame has it.
    pub(super) fn swing(
        &mut self,
        landing: Option<Landing>,
        leg: &PlacedLeg,
        fade: f32,
        seconds: f32,
    ) {
        self.pin = None;
        let turn = landing.as_ref().map_or(0.0, |landing| landing.turn);
        self.turn = settle(self.turn, turn, fade, seconds);
        self.refer_to(landing.as_ref().map_or(Part::Ball, |it| it.part), leg);
        let lands = landing.as_ref().map_or(0.0, |it| it.time);
        self.seen = if lands > 0.0 {
            self.seen.max(lands)
        } else {
            0.0
        };
        if let Some(landing) = landing {
            return self.approach(&landing, seconds);
        }
        for axis in 0..3 {
            let now = (self.offset[axis], self.velocity[axis]);
            (self.offset[axis], self.velocity[axis]) = settle(now, 0.0, fade, seconds);
        }
    }

    /// How far a foot of `leg` is turned against one that points along `heading`. [rad, ≥ 0]
    pub(super) fn off(&self, leg: &PlacedLeg, heading: f32) -> f32 {
        wrap_angle(f64::from(heading - leg.heading() - self.turn.0)).abs() as f32
    }

    /// Comes to stand where it is; at `rest` before long, if that is near.
    pub(super) fn plant(&mut self, part: Part, rest: Option<f32>, leg: &PlacedLeg) {
        self.seen = 0.0;
        self.refer_to(part, leg);
        let place = leg.point(part) + self.offset;
        let rest = rest.filter(|rest| (place.y - rest).abs() < LOW);
        self.pin = Some(Pin {
            place,
            rest: rest.unwrap_or(place.y),
            heading: leg.heading() + self.turn.0,
        });
    }

    /// Takes note of how the frame is turned that was placed last.
    pub(super) fn face(&mut self, facing: Facing) {
        self.before = facing;
    }

    /// Feet on their balls come to give way, others cease to.
    pub(super) fn ease(&mut self, fade: f32, seconds: f32) {
        let gives = self.parts.first() == Some(&Some(Part::Ball));
        self.give = settle(self.give, f32::from(u8::from(gives)), fade, seconds);
    }

    /// Where the foot of `leg` is, pushed aside a little.
    pub(super) fn footing(&self, leg: &PlacedLeg, push: Vec3) -> Footing {
        let turn = Quat::from_rotation_y(self.turn.0);
        let mut footing = Footing::of(leg, self.offset + push, turn, self.part);
        footing.give = self.give.0;
        footing.twist = self.turn.0;
        footing
    }

    /// Makes the offset that of another part; the foot stays where it is.
    fn refer_to(&mut self, part: Part, leg: &PlacedLeg) {
        if part != self.part {
            self.offset = self.footing(leg, Vec3::ZERO).point(part) - leg.point(part);
            self.part = part;
        }
    }

    /// A frame of the least accelerated way to a landing.
    fn approach(&mut self, landing: &Landing, seconds: f32) {
        let (from, speed, time) = (self.offset, self.velocity, landing.time);
        let one = seconds / time;
        let (two, three) = (one * one, one * one * one);
        let offset = from * (2.0 * three - 3.0 * two + 1.0)
            + speed * (time * (three - 2.0 * two + one))
            + landing.offset * (3.0 * two - 2.0 * three)
            + landing.velocity * (time * (three - two));
        let velocity = (landing.offset - from) * (6.0 * (one - two) / time)
            + speed * (3.0 * two - 4.0 * one + 1.0)
            + landing.velocity * (3.0 * two - 2.0 * one);
        let (mut offset, mut velocity) = (offset, velocity);
        if time > LET_DOWN * self.seen {
            let high = landing.offset.y.max(landing.least);
            let (height, rise) = settle((from.y, speed.y), high, HEIGHT_RATE, seconds);
            if height > offset.y {
                (offset.y, velocity.y) = (height, rise);
            }
        }
        let straight = from + speed * seconds;
        let (bend, most) = (offset - straight, SWERVE * seconds * seconds);
        if bend.length() > most {
            let bend = bend.normalize() * most;
            (offset, velocity) = (straight + bend, speed + bend / seconds);
        }
        (self.offset, self.velocity) = (offset, velocity);
    }
}

/// The turn with which a foot comes down that these frames would turn on the floor: it is then turned as far to the
/// one side as to the other. [rad]
pub(super) fn middle_turn(mut frames: impl Iterator<Item = Facing>) -> f32 {
    let mut hold = Foothold::new();
    let Some(first) = frames.next() else {
        return 0.0;
    };
    hold.before = first;
    let [least, most] = hold.turns_ahead(frames);
    (-0.5 * (least + most)).clamp(-TWIST, TWIST)
}

/// A step of a critically damped spring towards `target`. `rate`: in 2.7 / rate seconds a quarter is
/// left. [1/s]
pub(super) fn settle((at, speed): Moving, target: f32, rate: f32, seconds: f32) -> Moving {
    let away = at - target;
    let pull = speed + away * rate;
    let left = (-rate * seconds).exp();
    (
        target + (away + pull * seconds) * left,
        (speed - pull * (rate * seconds)) * left,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: f32 = 1.0 / 30.0;

    fn planned(held: bool, contacts: &str) -> String {
        let mut hold = Foothold::new();
        if held {
            hold.plant(Part::Ball, None, &PlacedLeg::default());
        }
        let part = |letter: char| match letter {
            'b' => Some(Part::Ball),
            'h' => Some(Part::Heel),
            _ => None,
        };
        hold.plan(contacts.chars().map(part), 3);
        let letter = |part: &Option<Part>| match part {
            Some(Part::Ball) => 'b',
            Some(Part::Heel) => 'h',
            None => '.',
        };
        hold.parts.iter().map(letter).collect()
    }

    #[test]
    fn short_contacts_and_gaps_are_passed_over() {
        assert_eq!(planned(true, "..bbb...."), "bbbbb....");
        assert_eq!(planned(false, "..bb....."), ".........");
        assert_eq!(planned(false, "..hhb...b"), "..hhb...b");
        assert_eq!(planned(true, "...bb...."), ".........");
        assert_eq!(planned(false, ".......bb"), ".......bb");
    }

    #[test]
    fn a_foot_arrives_where_and_as_fast_as_it_should() {
        let mut hold = Foothold::new();
        (hold.offset, hold.velocity) = (Vec3::new(0.03, 0.01, 0.0), Vec3::Z * 0.1);
        let (offset, velocity) = (Vec3::new(-0.02, 0.0, 0.04), Vec3::Z * -0.3);
        for left in (1..=9).rev() {
            let time = left as f32 * FRAME;
            let part = Part::Ball;
            let landing = Landing {
                part,
                offset,
                velocity,
                turn: 0.0,
                time,
                least: f32::NEG_INFINITY,
            };
            hold.swing(Some(landing), &PlacedLeg::default(), 13.5, FRAME);
        }
        assert!(hold.offset.distance(offset) < 1e-5, "{}", hold.offset);
        assert!(hold.velocity.distance(velocity) < 1e-4, "{}", hold.velocity);
    }

    #[test]
    fn a_foot_comes_down_turned_half_against_what_its_blend_will_turn() {
        let facing = |heading: f32| Facing {
            carried: 1.0,
            played: Some(heading),
            blended: true,
        };
        let frames = || [0.0, 0.1, 0.3, 0.5].map(facing).into_iter();
        let turn = middle_turn(frames());
        assert!((turn - 0.25).abs() < 1e-6, "{turn}");
        let mut hold = Foothold::new();
        (hold.turn.0, hold.before) = (turn, facing(0.0));
        let [least, most] = hold.turns_ahead(frames());
        assert!(
            (least + 0.25).abs() < 1e-6 && (most - 0.25).abs() < 1e-6,
            "{least}, {most}"
        );
        // What captured frames do is theirs to do.
        let captured = frames().map(|facing| Facing {
            blended: false,
            ..facing
        });
        assert_eq!(middle_turn(captured), 0.0);
    }

    #[test]
    fn a_spring_settles_without_overshooting() {
        let mut now = (1.0, 0.0);
        let steps: Vec<f32> = (0..30)
            .map(|_| {
                now = settle(now, 0.0, 13.5, FRAME);
                now.0
            })
            .collect();
        assert!(steps.is_sorted_by(|a, b| a > b && *b > 0.0));
        assert!((steps[5] - 0.25).abs() < 0.02 && steps[29] < 1e-3);
    }
}
