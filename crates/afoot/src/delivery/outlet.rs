//! The way out of a request that makes motion: what it pushes is noted, told and handed to the sink.
//!
//! What `realtime` rests on is timed here: what passes between making a motion and its last frame, less
//! what the sink takes (writing, sending) and what the request does aside (loading, measuring).

use std::sync::Arc;
use std::time::{Duration, Instant};

use afoot_analyze::{Quality, Terrain};
use afoot_core::{Clip, Skeleton};
use afoot_library::ClipFacts;
use afoot_run::Run;

use super::account::Account;
use super::judging::LegsAsked;
use super::motion::{MotionHeader, MotionPiece, Sink};
use super::onto::Rig;
use crate::failure::Failure;

/// Where a request pushes the motion that it makes.
pub struct Outlet<'a> {
    sink: &'a mut dyn Sink,
    run: &'a Run,
    header: Option<MotionHeader>,
    account: Account,
    faces_ahead: bool,
    stands: [bool; 2],
    legs: Option<LegsAsked>,
    terrain: Option<Terrain>,
    feet_of: Option<Quality>,
    rig: Option<&'a Rig>,
    longer: f64,
    kept: Option<(Clip, ClipFacts)>,
    begun: Instant,
    aside: Duration,
}

/// What is known of a motion when its last frame was pushed.
pub(super) struct Ended {
    pub(super) header: MotionHeader,
    pub(super) account: Account,
    /// Whether it was to face where it goes.
    pub(super) faces_ahead: bool,
    /// Whether it was to begin and to end in a stand.
    pub(super) stands: [bool; 2],
    /// How it was to use its legs otherwise than captured, if it was.
    pub(super) legs: Option<LegsAsked>,
    /// What it was taken to, if its clips don't know.
    pub(super) terrain: Option<Terrain>,
    /// What its feet are like in the motion that they were to stay as in, if there is one.
    pub(super) feet_of: Option<Quality>,
    /// How much larger the world that was asked with is than the one it was planned in. [> 0]
    pub(super) longer: f64,
    /// Time taken to make it. [s]
    pub(super) seconds: f64,
}

impl<'a> Outlet<'a> {
    pub(super) fn new(sink: &'a mut dyn Sink, run: &'a Run) -> Self {
        Self {
            sink,
            run,
            header: None,
            account: Account::default(),
            faces_ahead: true,
            stands: [false; 2],
            legs: None,
            terrain: None,
            feet_of: None,
            rig: None,
            longer: 1.0,
            kept: None,
            begun: Instant::now(),
            aside: Duration::ZERO,
        }
    }

    /// The same, of motion that somebody else's skeleton gets.
    pub(super) fn onto(self, rig: &'a Rig) -> Self {
        Self {
            rig: Some(rig),
            ..self
        }
    }

    /// How much longer the way over the ground is on the skeleton that gets the motion than on the one that it is made
    /// on. Who asks plans in a world so many times smaller, and tells its aim in that one.
    pub(crate) fn longer_way(&mut self, own: Option<&Arc<Skeleton>>) -> f64 {
        if let (Some(rig), Some(own)) = (self.rig, own) {
            self.longer = f64::from(rig.ratio(own));
        }
        self.longer
    }

    /// Does work that does not count as making the motion: loading what it is made of, measuring.
    pub fn aside<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = work();
        self.aside += begun.elapsed();
        result
    }

    /// Whether the motion was asked to face where it goes; it is, unless this says otherwise.
    pub fn faces_ahead(&mut self, ahead: bool) {
        self.faces_ahead = ahead;
    }

    /// The motion was asked to use its legs otherwise than captured.
    pub(crate) fn changes_legs(&mut self, legs: LegsAsked) {
        self.legs = Some(legs);
    }

    /// The motion was taken to other ground than its clips'.
    pub(crate) fn walks_on(&mut self, terrain: Terrain) {
        self.terrain = Some(terrain);
    }

    /// Feet and facing were to stay as they are in another motion.
    pub(crate) fn keeps_feet_of(&mut self, other: Quality) {
        self.feet_of = Some(other);
    }

    /// The motion is to begin, and to end, in a stand.
    pub fn stands(&mut self, ends: [bool; 2]) {
        self.stands = ends;
    }

    /// The library is to have this clip too, once the motion has arrived where it goes.
    pub(crate) fn keep(&mut self, clip: Clip, facts: ClipFacts) {
        self.kept = Some((clip, facts));
    }

    /// What [`Outlet::keep`] was told.
    pub(super) fn take_kept(&mut self) -> Option<(Clip, ClipFacts)> {
        self.kept.take()
    }

    /// The motion begins.
    pub fn begin(&mut self, header: MotionHeader) -> Result<(), Failure> {
        let begun = Instant::now();
        self.sink.begin(&header)?;
        self.header = Some(header);
        self.aside += begun.elapsed();
        Ok(())
    }

    /// Its next frames.
    pub fn push(&mut self, piece: impl Into<MotionPiece>) -> Result<(), Failure> {
        self.run.check()?;
        let (begun, piece) = (Instant::now(), piece.into());
        let Some(header) = &self.header else {
            return Err(none());
        };
        self.account.add(&piece, header);
        self.run.partial(|| piece.clone());
        self.sink.push(piece)?;
        self.aside += begun.elapsed();
        Ok(())
    }

    pub(super) fn end(self) -> Result<Ended, Failure> {
        let seconds = self.begun.elapsed().saturating_sub(self.aside);
        Ok(Ended {
            header: self.header.ok_or_else(none)?,
            account: self.account,
            faces_ahead: self.faces_ahead,
            stands: self.stands,
            legs: self.legs,
            terrain: self.terrain,
            feet_of: self.feet_of,
            longer: self.longer,
            seconds: seconds.as_secs_f64(),
        })
    }
}

fn none() -> Failure {
    Failure::no_motion("no motion was made")
}
