//! A clip that is repeated (Shanbhag 2006, §4.3.3).

use afoot_core::{Clip, ClipId, Vec3, headings, wrap_angle};
use afoot_graph::clusters::{
    Cycle, Loop as FoundLoop, ThroughOptions, find_cycle, find_loops, find_loops_through,
};
use afoot_library::ClusterRecipe;
use afoot_run::Run;
use afoot_synth::finish::plant_feet;
use afoot_synth::{FinishOptions, Itinerary};
use serde::{Deserialize, Serialize};

use super::clusters::{LEAST_PLAY, no_way};
use super::joining::{BlendLength, Resequenced, blended};
use crate::clustered::Clustered;
use crate::delivery::SourceClips;
use crate::failure::Failure;

/// Asks for a clip that is repeated. If nothing says for how long, two cycles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Loop {
    /// The clip, or the part of it that loops are looked for in.
    pub clip: String,
    /// How many cycles; parts of one too. [> 0, at most 100000]
    pub cycles: Option<f64>,
    /// Until so much time has passed. [s, > 0, at most 600]
    pub seconds: Option<f64>,
    /// Until the root has gone so far over ground. [m, > 0, at most 7200]
    pub metres: Option<f64>,
    /// Let the way back lead over other clips.
    pub through: bool,
    /// Which of the loops that `loops` lists, from 1 on; if not said, of the best ones
    /// that which turns as the clip does. [1 to 1000000]
    pub choice: Option<usize>,
    /// Length of the blends, where the clip allows it; if not said, as long as frames stay alike, up to a
    /// second. [s, > 0, at most 10]
    pub blend: Option<f64>,
    /// How frames are clustered.
    pub recipe: ClusterRecipe,
}

/// Errors that a blend hides as well as the best loop's.
const NEARLY_AS_GOOD: f32 = 1.5;
/// A loop is finished as a whole, so that it has an end. [s]
const LONGEST: f64 = 600.0;

/// How long a loop plays.
enum Length {
    Cycles(f64),
    Metres(f64),
}

impl Resequenced for Loop {
    fn recipe(&self) -> &ClusterRecipe {
        &self.recipe
    }

    fn named(&self) -> Vec<&str> {
        vec![&self.clip]
    }

    fn itinerary(&self, clustered: &Clustered) -> Result<Itinerary, Failure> {
        let blend = BlendLength::asked(self.blend, clustered);
        let found = self.choose(clustered, blend)?;
        let halves = blend.halves(clustered, &found.leaps);
        match self.length(clustered.seconds(found.period))? {
            Length::Cycles(cycles) => Ok(Itinerary::of_loop(&found, &halves, cycles)),
            Length::Metres(metres) => self.until_gone(clustered, &found, &halves, metres),
        }
    }
}

impl Loop {
    fn choose(&self, clustered: &Clustered, blend: BlendLength) -> Result<FoundLoop, Failure> {
        let mut loops = listed_loops(clustered, &self.clip, self.through, usize::MAX)?;
        let clip = clustered.compared.selected(&self.clip)?.clip;
        if self.choice.is_none()
            && let Some(found) = steadiest(clustered, clip, &loops, blend)
        {
            return Ok(found);
        }
        let index = self.choice.unwrap_or(1);
        match index.checked_sub(1).filter(|index| *index < loops.len()) {
            Some(index) => Ok(loops.swap_remove(index)),
            None if loops.is_empty() => Err(no_way(&self.clip, &self.clip, self.recipe.error_cm)),
            None => {
                let expected = format!("1 to {}", loops.len());
                Err(Failure::bad_value("choice", index, &expected))
            }
        }
    }

    fn length(&self, period: f64) -> Result<Length, Failure> {
        Ok(match (self.cycles, self.seconds, self.metres) {
            (None, None, None) => Length::Cycles(2.0),
            (Some(cycles), None, None) if cycles * period > LONGEST => {
                let expected = format!(
                    "a number above 0, up to {:.0}: {LONGEST:.0} s of cycles of {period:.2} s",
                    (LONGEST / period).floor()
                );
                return Err(Failure::bad_value("cycles", cycles, &expected));
            }
            (Some(cycles), None, None) => Length::Cycles(cycles),
            (None, Some(seconds), None) => Length::Cycles(seconds / period),
            (None, None, Some(metres)) => Length::Metres(metres),
            _ => {
                let message = "a loop ends after cycles, seconds or metres: give one of them";
                return Err(Failure::bad_request(message.to_owned()));
            }
        })
    }

    /// As much of a loop as its root needs to go so far over ground: a cycle is tried first, so that no
    /// more is blended than plays.
    fn until_gone(
        &self,
        clustered: &Clustered,
        found: &FoundLoop,
        halves: &[u32],
        metres: f64,
    ) -> Result<Itinerary, Failure> {
        let most = clustered.rate().frames_in(LONGEST) as u64;
        let (mut frames, mut a_frame) = (u64::from(found.period), 0.0);
        while frames < most {
            let itinerary = Itinerary::of_frames(found, halves, frames + 1);
            let played = blended(clustered, &itinerary)?;
            if let Some(end) = frame_after(&played.clip.root, metres) {
                return Ok(Itinerary::of_frames(found, halves, end));
            }
            a_frame = gone_over_ground(&played.clip.root) / frames as f64;
            let needed = metres / a_frame.max(1e-6);
            frames = (needed.ceil() as u64 + u64::from(found.period))
                .max(frames + 1)
                .min(most);
        }
        let message = format!(
            "clip {:?} goes some {:.0} m in {LONGEST:.0} s of repeating, not {metres} m",
            self.clip,
            a_frame * most as f64
        );
        Err(Failure::no_motion(message))
    }
}

/// A clip that is repeated until its root has gone so far, on its own skeleton whatever others a library has. `text` is
/// its name, or a part of it. [m]
pub(super) fn repeated_by_itself(
    clip: &Clip,
    text: &str,
    metres: f64,
    run: &Run,
) -> Result<Clip, Failure> {
    let clustered = Clustered::of_clips(vec![clip.clone()], run)?;
    let wish = Loop {
        clip: text.to_owned(),
        metres: Some(metres),
        ..Loop::default()
    };
    let mut played = blended(&clustered, &wish.itinerary(&clustered)?)?;
    plant_feet(&mut played.clip, &FinishOptions::default());
    Ok(played.clip)
}

/// The loops of a clip, or of a part of it, best first, at most `count` of those over other clips.
pub(super) fn listed_loops(
    clustered: &Clustered,
    text: &str,
    through: bool,
    count: usize,
) -> Result<Vec<FoundLoop>, Failure> {
    let part = clustered.compared.selected(text)?;
    let (graph, frames) = (&clustered.graph, clustered.frames());
    let mut loops = match through {
        true => {
            let options = ThroughOptions {
                least_play: clustered.rate().frames_in(LEAST_PLAY) as u32,
                count: count.min(MOST_THROUGH),
            };
            find_loops_through(graph, frames, part.clip, options)
        }
        false => find_loops(graph, frames, part.clip),
    };
    loops.retain(|found| {
        let [start, exit] = [found.start(), found.exit()].map(|place| place.frame.0);
        start >= part.frames.start && exit < part.frames.end
    });
    Ok(loops)
}

/// Loops over other clips that are weighed.
const MOST_THROUGH: usize = 50;

/// Of the loops of one cycle whose blends are nearly as good as the best, the one that turns most as the
/// clip does on average: what a cycle turns too much adds up. Those over other clips turn as they turn.
fn steadiest(
    clustered: &Clustered,
    clip: ClipId,
    loops: &[FoundLoop],
    blend: BlendLength,
) -> Option<FoundLoop> {
    let cost = |found: &FoundLoop| -> f32 {
        let costs = found
            .leaps
            .iter()
            .map(|leap| blend.fit(clustered, leap).cost);
        costs.sum()
    };
    let single = single_cycles(clustered, clip, loops);
    let costs: Vec<f32> = single.iter().map(|found| cost(found)).collect();
    let least = costs.iter().copied().reduce(f32::min)?;
    let headings = headings(clustered.clips().captured(clip));
    let unsteady = |found: &FoundLoop, cost: f32| match found.leaps.len() {
        1 => turned_astray(clustered, &headings, found, blend),
        _ => f64::from(cost),
    };
    let good = single.iter().zip(&costs);
    let good = good.filter(|(_, cost)| **cost <= least * NEARLY_AS_GOOD);
    let rated = good.map(|(found, cost)| (unsteady(found, *cost), *found));
    let best = rated.min_by(|(x, _), (y, _)| x.total_cmp(y));
    best.map(|(_, found)| found.clone())
}

/// The loops that are as long as the clip's own cycle, if it has one and there are such; else those that are longer;
/// else all.
fn single_cycles<'a>(
    clustered: &Clustered,
    clip: ClipId,
    loops: &'a [FoundLoop],
) -> Vec<&'a FoundLoop> {
    let cycle = find_cycle(&clustered.graph, clustered.frames(), clip);
    let all: Vec<&FoundLoop> = loops.iter().collect();
    let Some(Cycle { period, .. }) = cycle else {
        return all;
    };
    let such = |fits: &dyn Fn(u32) -> bool| -> Vec<&FoundLoop> {
        loops.iter().filter(|found| fits(found.period)).collect()
    };
    let single = such(&|own| own.abs_diff(period) <= period / 8);
    let longer = such(&|own| own > period);
    let mut found = [single, longer, all].into_iter();
    found.find(|such| !such.is_empty()).unwrap_or_default()
}

/// How much more or less a loop turns, as it is blended, than the clip does on average in that time.
fn turned_astray(
    clustered: &Clustered,
    headings: &[f64],
    found: &FoundLoop,
    blend: BlendLength,
) -> f64 {
    let turn = |headings: &[f64], from: usize, to: usize| wrap_angle(headings[to] - headings[from]);
    let period = (found.period as usize).min(headings.len() - 1);
    let lags = 0..headings.len() - period;
    let count = lags.len() as f64;
    let mean = lags.map(|at| turn(headings, at, at + period)).sum::<f64>() / count;
    let halves = blend.halves(clustered, &found.leaps);
    let twice = Itinerary::of_frames(found, &halves, 2 * u64::from(found.period));
    // What can't be blended is not chosen.
    let Ok(played) = blended(clustered, &twice) else {
        return f64::INFINITY;
    };
    let own = afoot_core::headings(&played.clip);
    let period = found.period as usize;
    (turn(&own, period / 2, period / 2 + period) - mean).abs()
}

fn step(pair: &[Vec3]) -> f64 {
    let step = pair[1] - pair[0];
    f64::from(step.x).hypot(f64::from(step.z))
}

fn gone_over_ground(root: &[Vec3]) -> f64 {
    root.windows(2).map(step).sum()
}

/// How many frames it takes a root to go so far; `None` if it does not.
fn frame_after(root: &[Vec3], metres: f64) -> Option<u64> {
    let mut gone = 0.0;
    let steps = root.windows(2).position(|pair| {
        gone += step(pair);
        gone >= metres
    });
    steps.map(|steps| steps as u64 + 2)
}
