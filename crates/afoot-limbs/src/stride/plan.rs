//! Where every footfall goes, and with them feet and root, before legs say how high the body is.

use afoot_core::{Ground, Planar, Side};
use glam::{Quat, Vec3};

use super::error::StrideError;
use super::field::{Field, Knot};
use super::options::StrideOptions;
use super::place::{
    make_room, moves_along, moves_on_stairs, moves_to_prints, scaled_arcs, step_factors,
};
use super::report::StepMade;
use super::stand::{roll_less, stand_apart, steps_made};
use super::straight::check_straight;
use super::surface::{Lie, Stairs, Surface};
use super::swing::{Anchor, FootTrack, Rigid, Swinging};
use super::walk::Walk;

/// Longest step, in leg lengths: the hips then hang at two thirds of the legs' height.
const LONGEST: f32 = 1.5;

/// Captured feet that lie flat are at most so far from where they rest as a rule: markers slip. [m]
const OFF_REST: f32 = 0.015;

/// How each footfall moves over the ground, and how long each step between two is to be, where that is asked for.
struct Steps {
    moves: Vec<Planar>,
    asked: Vec<Option<f32>>,
}

impl Steps {
    fn to_prints(walk: &Walk, options: &StrideOptions) -> Result<Self, StrideError> {
        Ok(Self {
            moves: moves_to_prints(walk, &options.footprints)?,
            asked: vec![None; walk.falls.len().saturating_sub(1)],
        })
    }

    /// Along the walk's own way, with other steps; on stairs `lie` learns where they begin.
    fn along(walk: &Walk, options: &StrideOptions, lie: &mut Lie) -> Result<Self, StrideError> {
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
        let steps = Self {
            asked: lengths.collect(),
            moves: moves_along(walk, &arcs, options.turn),
        };
        match &options.surface {
            Surface::Stairs(stairs) => steps.onto_treads(walk, stairs, lie),
            _ => Ok(steps),
        }
    }

    fn onto_treads(
        mut self,
        walk: &Walk,
        stairs: &Stairs,
        lie: &mut Lie,
    ) -> Result<Self, StrideError> {
        check_straight(walk)?;
        let (stepped, edge) = moves_on_stairs(walk, stairs, &self.moves, lie);
        lie.first_edge = edge;
        let is_changed = |k: usize| stepped[k] != self.moves[k];
        let slant = stairs.tread.hypot(stairs.rise);
        for k in (1..stepped.len()).filter(|k| is_changed(*k)) {
            self.asked[k - 1] = Some(slant).filter(|_| is_changed(k - 1));
        }
        self.moves = stepped;
        Ok(self)
    }
}

/// Where everything goes.
pub(super) struct Plan<'a> {
    pub walk: &'a Walk<'a>,
    pub lie: Lie<'a>,
    /// A rigid motion for each footfall.
    rigids: Vec<Rigid>,
    asked: Vec<Option<f32>>,
    field: Field,
    /// Over how many steps it comes out of a stand, and into one.
    pub ease: [usize; 2],
    /// Whether feet must stand where they were put: on treads, footprints, beside obstacles.
    pub is_exact: bool,
}

impl<'a> Plan<'a> {
    pub fn of(walk: &'a Walk<'a>, options: &'a StrideOptions) -> Result<Self, StrideError> {
        let mut lie = Lie {
            surface: &options.surface,
            obstacles: &options.obstacles,
            origin: walk.clip.root[0].with_y(0.0),
            ahead: walk.way.direction(),
            first_edge: f32::INFINITY,
        };
        let Steps { moves, asked } = match options.footprints.is_empty() {
            false => Steps::to_prints(walk, options)?,
            true => Steps::along(walk, options, &mut lie)?,
        };
        // The body stands between its feet, however far they are apart.
        let mut feet = moves.clone();
        stand_apart(walk, options, &mut feet);
        let rigids: Vec<Rigid> = (walk.falls.iter().zip(&feet))
            .map(|(fall, by)| on_surface(walk, &lie, fall.pivot, *by))
            .collect();
        let knots = walk.falls.iter().zip(&moves).zip(&rigids);
        let knots = knots.map(|((fall, by), rigid)| Knot {
            arc: fall.arc,
            by: *by,
            rise: rigid.to.y - rigid.from.y,
        });
        let field = Field::new(knots.collect(), walk.mean_step());
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
        })
    }

    /// Refuses steps that no legs can do.
    pub fn check_reach(&self) -> Result<(), StrideError> {
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

    /// Every step that a foot makes ahead of the other.
    pub fn steps(&self) -> impl Iterator<Item = StepMade> + '_ {
        let made = steps_made(self.ease, self.asked.len());
        let falls = self.walk.falls.windows(2);
        let pairs = falls.zip(self.rigids.windows(2)).zip(&self.asked);
        let pairs = pairs.skip(made.start).take(made.len());
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
    pub fn feet(&self, lift: f32, lead: f32) -> [FootTrack; 2] {
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
            let mut track = swinging.track(&anchors);
            if self.ease != [0; 2] {
                self.calm(side, &mut track);
            }
            track
        })
    }

    /// Feet that go less far out of a stand or into one roll less, too.
    fn calm(&self, side: Side, track: &mut FootTrack) {
        let falls = self.walk.falls.iter().zip(&self.rigids);
        let own: Vec<_> = falls.filter(|(fall, _)| fall.plant.side == side).collect();
        for pair in own.windows(2) {
            let [(from, here), (to, there)] = [pair[0], pair[1]];
            let went = (to.pivot - from.pivot).with_y(0.0).length();
            let goes = (there.to - here.to).with_y(0.0).length();
            roll_less(self.walk, track, [from, to], 1.0 - goes / went.max(0.05));
        }
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
                // In a stand both feet stay down, as flat as they come to lie, and lie where feet rest.
                let begins = self.ease[0] > 0 && index < 2;
                let ends = self.ease[1] > 0 && index + 2 >= self.rigids.len();
                if begins {
                    anchor.frames.start = 0;
                    anchor.poses[0] = fall.flat;
                }
                if ends {
                    anchor.frames.end = frames;
                    anchor.poses[1] = fall.flat;
                }
                if begins || ends {
                    let above = self.walk.clearance(side, fall.flat);
                    anchor.by.to.y -= above.clamp(-OFF_REST, OFF_REST);
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
    pub fn root(&self) -> (Vec<Vec3>, Vec<f32>) {
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
    pub fn ground(&self) -> Option<Ground> {
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
