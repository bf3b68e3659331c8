//! As much of a walk, or of its repetition, as goes about as far as it is to go.

use std::collections::BTreeSet;

use afoot_core::{Clip, cut_clip};
use afoot_limbs::plants::plants_of;
use afoot_limbs::stride::{StrideOptions, distance_of};
use afoot_run::Run;

use super::Stride;
use crate::failure::Failure;
use crate::hint::Hint;
use crate::requests::looping::repeated_by_itself;
use crate::requests::motion_input::{MotionInput, Source};

/// Factors that a walk is brought to a distance by. People don't notice them.
const MILD: std::ops::RangeInclusive<f64> = 0.87..=1.14;
/// A walk that ends within a step and not with one is as bad as that much more change.
const MID_STEP: f64 = 0.06;
/// No walk's steps are longer. [m]
const LONG_STEP: f64 = 1.0;
/// Fewer plants are no walk.
const LEAST_PLANTS: usize = 3;

impl Stride {
    /// The clip, or as much of it, again and again, as goes about as far as asked for, and how far it is to go. Out of a stand
    /// and into one takes more steps for the same way.
    pub(super) fn walk(
        &self,
        source: &Source,
        wish: &StrideOptions,
        run: &Run,
    ) -> Result<(Clip, Option<f64>), Failure> {
        let part = source.part.frames(source.clip.len(), source.clip.rate)?;
        let clip = cut_clip(&source.clip, part.start as u32..part.end as u32)?;
        let Some(metres) = self.metres.or_else(|| self.own_metres(&clip, wish)) else {
            return Ok((clip, None));
        };
        if let Some(cut) = cut_to(&clip, metres, wish) {
            return Ok((cut, Some(metres)));
        }
        let name = match &self.input {
            MotionInput::Clip(name) => Some(name.clone()),
            _ => None,
        };
        let eased = (self.from_stand + self.to_stand + 2) as f64;
        let repeated = name.and_then(|name| {
            let enough = metres * 1.1 + 1.0 + eased * LONG_STEP;
            let repeated = repeated_by_itself(&source.clip, &name, enough, run).ok()?;
            cut_to(&repeated, metres, wish)
        });
        run.check()?;
        match (repeated, self.metres) {
            (Some(repeated), _) => Ok((repeated, Some(metres))),
            (None, Some(_)) => Err(too_short(&clip, metres)),
            (None, None) => {
                let goes = distance_of(&clip, wish)?;
                run.note(format!(
                    "{:?} does not repeat, so that with its stands it goes {goes:.2} m instead of {metres:.2} m",
                    clip.name
                ));
                Ok((clip, None))
            }
        }
    }

    /// How far a walk with stands goes if nothing is said of that: as far as it went.
    fn own_metres(&self, clip: &Clip, wish: &StrideOptions) -> Option<f64> {
        let stands = self.from_stand > 0 || self.to_stand > 0;
        let open = Self {
            input: self.input.clone(),
            leave_feet: self.leave_feet,
            from_stand: self.from_stand,
            to_stand: self.to_stand,
            lift: self.lift,
            lift_m: self.lift_m,
            incline: self.incline,
            terrain: self.terrain.clone(),
            ..Self::default()
        };
        let straight_on = StrideOptions {
            ease_in: 0,
            ease_out: 0,
            ..wish.clone()
        };
        let goes = || distance_of(clip, &straight_on).ok().map(f64::from);
        (stands && *self == open).then(goes).flatten()
    }
}

/// The beginning of a walk that goes about as far as asked for and, if it can, ends with a step.
fn cut_to(clip: &Clip, metres: f64, wish: &StrideOptions) -> Option<Clip> {
    let first = *clip.root.first()?;
    let plants = plants_of(clip);
    if wish.ease_in > 0 || wish.ease_out > 0 {
        return cut_to_stands(clip, metres, wish);
    }
    let gone = |frame: usize| f64::from((clip.root[frame] - first).with_y(0.0).length());
    let ends_step = |frame: usize| {
        plants.iter().any(|plant| {
            let struck = plant.frames.start + 1;
            plant.frames.start > 0 && (struck..struck + 3).contains(&frame)
        })
    };
    let enough = |frame: usize| {
        plants
            .iter()
            .filter(|plant| plant.frames.start < frame)
            .count()
            >= LEAST_PLANTS
    };
    let cost = |frame: usize| {
        let factor = metres / gone(frame).max(1e-3);
        let mid_step = if ends_step(frame) { 0.0 } else { MID_STEP };
        MILD.contains(&factor)
            .then_some(factor.ln().abs() + mid_step)
    };
    let ends = (1..clip.len()).filter(|frame| enough(*frame));
    let ends = ends.filter_map(|frame| Some((frame, cost(frame)?)));
    let (end, _) = ends.min_by(|a, b| a.1.total_cmp(&b.1))?;
    cut_clip(clip, 0..end as u32 + 1).ok()
}

/// The same of a walk with stands, which end it with a step anyway: the footfalls with which it goes nearest.
fn cut_to_stands(clip: &Clip, metres: f64, wish: &StrideOptions) -> Option<Clip> {
    let wish = StrideOptions {
        distance: None,
        ..wish.clone()
    };
    let ends: BTreeSet<u32> = (plants_of(clip).iter())
        .map(|plant| plant.frames.end as u32)
        .collect();
    let cuts = ends.into_iter().filter_map(|end| {
        let cut = cut_clip(clip, 0..end).ok()?;
        let goes = distance_of(&cut, &wish).ok()?;
        let factor = metres / f64::from(goes).max(1e-3);
        MILD.contains(&factor).then_some((cut, factor.ln().abs()))
    });
    Some(cuts.min_by(|a, b| a.1.total_cmp(&b.1))?.0)
}

fn too_short(clip: &Clip, metres: f64) -> Failure {
    let name = &clip.name;
    let words =
        format!("{name:?} can't be brought to {metres} m: it neither goes so far nor repeats");
    Failure::no_motion(words).with_hint(Hint::LargerError)
}
