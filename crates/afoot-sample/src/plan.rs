//! What a performance is made of: plants of the feet, styles, and layers of action over them.
//!
//! A plan says when each foot touches where, in which manner the body moves, and what arms, spine
//! and pelvis do besides. `perform` turns it into frames. Times in seconds, z forward at the start.

use afoot_core::{Planar, Side};
use glam::DVec3;

use crate::track::Track;

/// Long before and after every clip. [s]
pub const EVER: f64 = 1e6;

/// One contact of one foot with the ground.
#[derive(Clone, Debug)]
pub struct Plant {
    /// Where the ankle stands, seen from above.
    pub place: Planar,
    /// Heading of the body that this plant asks for, unwrapped. [rad]
    pub heading: f64,
    /// The first part touches: the heel for a negative `strike_pitch`, the ball for a positive one.
    pub strike: f64,
    /// Heel and ball are down; at `strike` or later.
    pub flat: f64,
    /// The heel begins to rise, the ball stays.
    pub heel_off: f64,
    /// The ball leaves.
    pub toe_off: f64,
    /// Pitch of the foot at the strike, heel up positive. [rad]
    pub strike_pitch: f64,
    /// Pitch of the foot when it leaves, heel up positive. [rad]
    pub off_pitch: f64,
    /// How much farther ahead than in standing the foot presses on the ground. [m]
    pub press_ahead: f64,
    /// How the foot comes here.
    pub swing: Swing,
}

impl Plant {
    /// Stands flat at a place for all time; `heading` is the body's.
    pub fn standing(place: Planar, heading: f64) -> Self {
        Self {
            place,
            heading,
            strike: -EVER,
            flat: -EVER,
            heel_off: EVER,
            toe_off: EVER,
            strike_pitch: 0.0,
            off_pitch: 0.0,
            press_ahead: 0.0,
            swing: Swing::default(),
        }
    }

    /// Whether any part touches.
    pub fn touches(&self, time: f64) -> bool {
        self.strike <= time && time < self.toe_off
    }
}

/// The way of a foot through the air, in the body's frame: keys at shares of the swing's time.
/// What has no key goes straight from the start's state to the end's.
#[derive(Clone, Debug, Default)]
pub struct Swing {
    /// Ball joint forward of the body. [m]
    pub forward: Vec<(f64, f64)>,
    /// Away from the body's middle beyond the straight way. [m]
    pub outward: Vec<(f64, f64)>,
    /// Ball joint above the ground. [m]
    pub height: Vec<(f64, f64)>,
    /// Heel up positive. [rad]
    pub pitch: Vec<(f64, f64)>,
    /// Least height of ball and toes above their rest on the way. [m]
    pub clearance: f64,
    /// Velocity of the ball over the ground when it leaves: forward, up. [m/s]
    pub departure: [f64; 2],
    /// Velocity over the ground at the strike: forward, down. [m/s]
    pub arrival: [f64; 2],
}

/// The manner of moving; amplitudes follow the feet, so that they fade when the feet rest.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// How far an arm swings forward when the other foot is ahead. [rad/m]
    pub arm_swing: f64,
    /// Flexion of the hanging arm. [rad]
    pub arm_forward: f64,
    /// Abduction of the hanging arm. [rad]
    pub arm_out: f64,
    /// Medial turn of the upper arm. [rad]
    pub arm_in: f64,
    /// Bend of the elbow with the arm back. [rad]
    pub elbow: f64,
    /// Additional bend with the arm forward. [rad]
    pub elbow_swing: f64,
    /// Forward lean of the chest. [rad]
    pub lean: f64,
    /// Forward tilt of the pelvis. [rad]
    pub tilt: f64,
    /// Lower than upright. [m]
    pub crouch: f64,
    /// How the pelvis sinks with the distance of the feet, squared. [1/m]
    pub bob: f64,
    /// Turn of the pelvis with the foot that is ahead. [rad/m]
    pub pelvis_turn: f64,
    /// Counter-turn of the chest. [rad/m]
    pub chest_turn: f64,
    /// Drop of the pelvis on the unloaded side. [rad]
    pub list: f64,
    /// Share of the bank into a turn that the chest takes on.
    pub bank: f64,
    /// Look down. [rad]
    pub gaze: f64,
}

impl Style {
    pub const WALK: Self = Self {
        arm_swing: 0.78,
        arm_forward: 0.0,
        arm_out: 0.13,
        arm_in: 0.25,
        elbow: 0.22,
        elbow_swing: 0.40,
        lean: 0.05,
        tilt: 0.06,
        crouch: 0.018,
        bob: 0.085,
        pelvis_turn: 0.13,
        chest_turn: 0.12,
        list: 0.06,
        bank: 0.4,
        gaze: 0.06,
    };

    pub const RUN: Self = Self {
        arm_swing: 1.15,
        arm_forward: 0.02,
        arm_out: 0.20,
        arm_in: 0.45,
        elbow: 1.35,
        elbow_swing: 0.35,
        lean: 0.16,
        tilt: 0.12,
        crouch: 0.05,
        bob: 0.0,
        pelvis_turn: 0.12,
        chest_turn: 0.16,
        list: 0.05,
        bank: 0.7,
        gaze: 0.08,
    };

    pub const SNEAK: Self = Self {
        arm_swing: 0.35,
        arm_forward: 0.45,
        arm_out: 0.25,
        arm_in: 0.5,
        elbow: 1.15,
        elbow_swing: 0.2,
        lean: 0.42,
        tilt: 0.22,
        crouch: 0.13,
        bob: 0.05,
        pelvis_turn: 0.14,
        chest_turn: 0.08,
        list: 0.05,
        bank: 0.2,
        gaze: 0.15,
    };

    pub const STAND: Self = Self {
        lean: 0.02,
        tilt: 0.04,
        crouch: 0.0,
        ..Self::WALK
    };

    /// `share` of `other` in `self`, 0 to 1.
    pub fn mixed(self, other: Self, share: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * share;
        Self {
            arm_swing: mix(self.arm_swing, other.arm_swing),
            arm_forward: mix(self.arm_forward, other.arm_forward),
            arm_out: mix(self.arm_out, other.arm_out),
            arm_in: mix(self.arm_in, other.arm_in),
            elbow: mix(self.elbow, other.elbow),
            elbow_swing: mix(self.elbow_swing, other.elbow_swing),
            lean: mix(self.lean, other.lean),
            tilt: mix(self.tilt, other.tilt),
            crouch: mix(self.crouch, other.crouch),
            bob: mix(self.bob, other.bob),
            pelvis_turn: mix(self.pelvis_turn, other.pelvis_turn),
            chest_turn: mix(self.chest_turn, other.chest_turn),
            list: mix(self.list, other.list),
            bank: mix(self.bank, other.bank),
            gaze: mix(self.gaze, other.gaze),
        }
    }
}

/// Something that a layer adds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Root above its usual height. [m]
    Height,
    /// Pelvis ahead of its usual place. [m]
    Forward,
    /// Forward tilt of the pelvis. [rad]
    Tilt,
    /// Forward bend of the spine. [rad]
    Bend,
    /// Turn of the chest to the left. [rad]
    Twist,
    /// Lean of the chest to the left. [rad]
    Side,
    /// Look down. [rad]
    Nod,
    /// Look to the left. [rad]
    Look,
    /// 1 stops the arm's own swing.
    Calm(Side),
    /// Flexion of the upper arm. [rad]
    ArmForward(Side),
    /// Abduction of the upper arm. [rad]
    ArmOut(Side),
    /// Medial turn of the upper arm. [rad]
    ArmIn(Side),
    /// Bend of the elbow. [rad]
    Elbow(Side),
    /// Knees apart. [rad]
    Splay,
}

/// A hand that goes to a place.
#[derive(Clone, Debug)]
pub struct Reach {
    pub side: Side,
    /// The palm's place in the world. [m]
    pub target: DVec3,
    /// 0 leaves the arm as it is, 1 puts the palm there.
    pub weight: Track,
    /// The palm is held there: [from, to).
    pub touch: [f64; 2],
}

/// A performance before it is performed.
#[derive(Clone, Debug)]
pub struct Plan {
    pub name: String,
    /// What is kept as the clip. [s]
    pub window: [f64; 2],
    /// Rise of the ground along z. [m/m]
    pub slope: f64,
    /// Left, then right; each in order of time.
    pub plants: [Vec<Plant>; 2],
    /// The style from that time on, mixed from one key to the next.
    pub styles: Vec<(f64, Style)>,
    pub layers: Vec<(Channel, Track)>,
    pub reaches: Vec<Reach>,
    /// The way of the body along z, where it doesn't follow from the plants (leaps).
    pub leap: Option<Track>,
    /// How strongly the pelvis makes up for the mass of trunk and limbs, 0 to 1.
    pub balance: f64,
    /// Size of the body's slow sway over its feet. [m]
    pub sway: f64,
    /// The body rests on a seat: [from, to).
    pub seat: Option<[f64; 2]>,
    /// Word, [from, to).
    pub labels: Vec<(&'static str, [f64; 2])>,
}

impl Plan {
    /// No plants, layers or labels yet.
    pub fn new(name: impl Into<String>, window: [f64; 2], style: Style) -> Self {
        Self {
            name: name.into(),
            window,
            slope: 0.0,
            plants: [Vec::new(), Vec::new()],
            styles: vec![(0.0, style)],
            layers: Vec::new(),
            reaches: Vec::new(),
            leap: None,
            balance: 0.8,
            sway: 0.005,
            seat: None,
            labels: Vec::new(),
        }
    }

    /// Adds to a channel.
    pub fn layer(&mut self, channel: Channel, keys: &[(f64, f64)]) {
        self.layers.push((channel, Track::eased(keys)));
    }

    /// Lets a side's last plant end: the heel rises from the first time on, the ball leaves at the
    /// second with that pitch.
    pub fn lift(&mut self, side: Side, [heel_off, toe_off]: [f64; 2], pitch: f64) {
        if let Some(last) = self.plants[side.index()].last_mut() {
            (last.heel_off, last.toe_off, last.off_pitch) = (heel_off, toe_off, pitch);
        }
    }

    /// The sum of all layers of a channel.
    pub fn layered(&self, channel: Channel, time: f64) -> f64 {
        let tracks = self.layers.iter().filter(|(c, _)| *c == channel);
        tracks.map(|(_, track)| track.at(time)).sum()
    }

    /// The style at a time.
    pub fn style(&self, time: f64) -> Style {
        let after = self.styles.partition_point(|(t, _)| *t <= time).max(1);
        let (from, style) = self.styles[after - 1];
        match self.styles.get(after) {
            None => style,
            Some(&(to, next)) => style.mixed(next, crate::track::ease(time, from, to)),
        }
    }

    /// What is square to the ground, measured upright: 1 on level ground.
    pub fn steepness(&self) -> f64 {
        (1.0 + self.slope * self.slope).sqrt()
    }

    /// Height of the ground. [m]
    pub fn ground(&self, z: f64) -> f64 {
        self.slope * z
    }
}
