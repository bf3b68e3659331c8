//! Thresholds found from the data: as strict as a well connected graph allows.
//!
//! Kovar et al. 2002, §7, and Safonova and Hodgins 2007, §8, ask for it. Each label set gets the
//! smallest threshold within itself that brings the wanted share of its frames into one component,
//! or from where on more brings little. Between two sets the stricter one's holds. Where too little
//! of some sets would be in the graph then, all pairs of these are loosened by the least that brings
//! in one of them, and then all but the pairs that it takes, and these as far as can be, are
//! tightened again; and so on with the others.
//! Thresholds are multiples of 0.25 cm. Cost: some dozens of networks per label set.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::assemble::{assemble, largest_component};
use crate::possible::{Material, PossibleTransition};
use crate::reach::reach;
use crate::thresholds::Thresholds;

/// How thresholds are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoOptions {
    /// Share of each label set's frames that should be in the graph; where no threshold brings
    /// that, nearly the most that one brings. [0 to 1]
    pub share: f64,
}

impl Default for AutoOptions {
    fn default() -> Self {
        Self { share: 0.75 }
    }
}

/// Thresholds are multiples of this. [cm]
pub(crate) const STEP_CM: f32 = 0.25;
/// What counts as nearly the most.
const NEARLY: f64 = 0.9;
/// Less than this share of a set is not worth loosening a threshold for: a jump, a kick by itself.
const WORTH: f64 = 0.1;
/// Finds thresholds up to `ceiling_cm`.
pub(crate) fn find_thresholds(
    material: &Material<'_>,
    options: &AutoOptions,
    ceiling_cm: f32,
) -> Thresholds {
    let sets = material.sets.len() as u16;
    let goals = goals(material, options.share, ceiling_cm);
    let own: Vec<Option<f32>> = (0..sets)
        .map(|set| own_threshold(material, set, options.share, ceiling_cm))
        .collect();
    let strictest = own
        .iter()
        .flatten()
        .copied()
        .reduce(f32::min)
        .unwrap_or(ceiling_cm / 2.0);
    let mut thresholds = Thresholds::uniform(material.sets.len(), strictest);
    for a in 0..sets {
        for b in a..sets {
            let [x, y] = [a, b].map(|set| own[usize::from(set)].unwrap_or(strictest));
            thresholds.set(a, b, x.min(y));
        }
    }
    while let Some(loosened) = loosen(material, &thresholds, &goals, None, ceiling_cm) {
        thresholds = loosened.thresholds;
    }
    thresholds
}

/// Frames of each set that the graph would play.
pub(crate) fn extent(material: &Material<'_>, thresholds: &Thresholds) -> Vec<u64> {
    let within = |transition: &PossibleTransition| {
        transition.error_cm <= thresholds.between(transition.kinds)
    };
    let mut frames = vec![0; material.sets.len()];
    for (clip, played) in reach(material, within).stretches() {
        let labels = material.footage[clip].labels[played.start];
        if let Ok(index) = material.sets.binary_search(&labels) {
            frames[index] += played.len() as u64;
        }
    }
    frames
}

/// Usable frames of each set.
pub(crate) fn frames_of_sets(material: &Material<'_>) -> Vec<u64> {
    let mut frames = vec![0; material.sets.len()];
    for clip in material.footage {
        for (set, _) in clip
            .labels
            .iter()
            .zip(&clip.usable)
            .filter(|(_, usable)| **usable)
        {
            if let Ok(index) = material.sets.binary_search(set) {
                frames[index] += 1;
            }
        }
    }
    frames
}

/// Thresholds that bring in more, and where they differ.
pub(crate) struct Loosened {
    pub thresholds: Thresholds,
    /// Two sets each, and the threshold between them. [cm]
    pub pairs: Vec<([u16; 2], f32)>,
}

/// The least that has to be loosened so that one more set, or just the `wanted` one, has its goal of
/// frames in the graph; `None` if all have, or no threshold up to the ceiling does.
pub(crate) fn loosen(
    material: &Material<'_>,
    thresholds: &Thresholds,
    goals: &[u64],
    wanted: Option<u16>,
    ceiling_cm: f32,
) -> Option<Loosened> {
    let met = |thresholds: &Thresholds| -> Vec<bool> {
        let kept = extent(material, thresholds);
        kept.iter()
            .zip(goals)
            .map(|(kept, goal)| kept >= goal)
            .collect()
    };
    let before = met(thresholds);
    let raised = |cm: f32| {
        let mut raised = thresholds.clone();
        for [a, b] in pairs_of(&before) {
            raised.set(a, b, thresholds.between([a, b]).max(cm));
        }
        raised
    };
    let gains = |now: &[bool]| match wanted {
        Some(set) => now[usize::from(set)] && !before[usize::from(set)],
        None => now.iter().zip(&before).any(|(now, before)| *now && !before),
    };
    let cm = smallest(0.0, ceiling_cm, |cm| gains(&met(&raised(cm))))?;
    let loosest = raised(cm);
    let mut goal = met(&loosest);
    if let Some(set) = wanted {
        let only = |index: usize| before[index] || index == usize::from(set);
        goal = (0..goal.len()).map(only).collect();
    }
    let holds = |thresholds: &Thresholds| {
        let now = met(thresholds);
        goal.iter().zip(now).all(|(goal, now)| now || !goal)
    };
    Some(tighten(material, thresholds, loosest, holds))
}

/// All pairs of which one set at least has not what it should.
fn pairs_of(met: &[bool]) -> Vec<[u16; 2]> {
    let sets = 0..met.len() as u16;
    let poor = |[a, b]: &[u16; 2]| !met[usize::from(*a)] || !met[usize::from(*b)];
    sets.clone()
        .flat_map(|a| sets.clone().skip(usize::from(a)).map(move |b| [a, b]))
        .filter(poor)
        .collect()
}

/// Takes back what is not needed of a loosening: whole pairs, those with the most candidates first,
/// then as much of the others as can be.
fn tighten(
    material: &Material<'_>,
    strict: &Thresholds,
    mut loose: Thresholds,
    holds: impl Fn(&Thresholds) -> bool,
) -> Loosened {
    let mut gained: BTreeMap<[u16; 2], u64> = BTreeMap::new();
    for transition in &material.possible {
        let [a, b] = transition.kinds;
        let within = |thresholds: &Thresholds| transition.error_cm <= thresholds.between([a, b]);
        if within(&loose) && !within(strict) {
            *gained.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
    }
    let all = 0..material.sets.len() as u16;
    for pair in all.clone().flat_map(|a| all.clone().map(move |b| [a, b])) {
        if !gained.contains_key(&[pair[0].min(pair[1]), pair[0].max(pair[1])]) {
            loose.set(pair[0], pair[1], strict.between(pair));
        }
    }
    let mut pairs: Vec<([u16; 2], u64)> = gained.into_iter().collect();
    pairs.sort_by_key(|(_, gained)| std::cmp::Reverse(*gained));
    let pairs: Vec<[u16; 2]> = pairs.into_iter().map(|(pair, _)| pair).collect();
    let mut kept = Vec::new();
    shed(&pairs, strict, &mut loose, &holds, &mut kept);
    let mut found = Vec::new();
    for [a, b] in kept {
        let (from, to) = (strict.between([a, b]), loose.between([a, b]));
        let enough = |cm: f32| {
            let mut tighter = loose.clone();
            tighter.set(a, b, cm);
            holds(&tighter)
        };
        let cm = smallest(from, to - STEP_CM, enough).unwrap_or(to);
        loose.set(a, b, cm);
        found.push(([a, b], cm));
    }
    Loosened {
        thresholds: loose,
        pairs: found,
    }
}

/// Takes back all pairs that are not needed; `kept` gets the others.
fn shed(
    pairs: &[[u16; 2]],
    strict: &Thresholds,
    loose: &mut Thresholds,
    holds: &impl Fn(&Thresholds) -> bool,
    kept: &mut Vec<[u16; 2]>,
) {
    let mut tighter = loose.clone();
    for &[a, b] in pairs {
        tighter.set(a, b, strict.between([a, b]));
    }
    match pairs {
        _ if holds(&tighter) => *loose = tighter,
        [needed] => kept.push(*needed),
        _ => {
            let (first, second) = pairs.split_at(pairs.len() / 2);
            shed(first, strict, loose, holds, kept);
            shed(second, strict, loose, holds, kept);
        }
    }
}

/// The frames of each set that should be in the graph; 0 if hardly any can be.
pub(crate) fn goals(material: &Material<'_>, share: f64, ceiling_cm: f32) -> Vec<u64> {
    let loosest = Thresholds::uniform(material.sets.len(), ceiling_cm);
    let most = extent(material, &loosest);
    let goal = |(all, most): (u64, u64)| match (all as f64, most as f64) {
        (all, most) if most < all * WORTH => 0,
        (all, most) => (all * share).min(most * NEARLY) as u64,
    };
    frames_of_sets(material)
        .into_iter()
        .zip(most)
        .map(goal)
        .collect()
}

/// The smallest threshold within a set that lets it go on by itself; `None` if none does.
///
/// Enough is the wanted share; where half as much again would not bring that, nearly what twice the
/// threshold would: more costs too much quality for what it gives.
fn own_threshold(material: &Material<'_>, set: u16, share: f64, ceiling_cm: f32) -> Option<f32> {
    let labels = material.sets[usize::from(set)];
    let alone = |steps: usize| {
        let mut thresholds = Thresholds::uniform(material.sets.len(), -1.0);
        thresholds.set(set, set, steps as f32 * 2.0 * STEP_CM);
        let network = assemble(material.footage, &material.choose(&thresholds));
        let allow: Vec<bool> = network
            .edges
            .iter()
            .map(|edge| edge.labels == labels)
            .collect();
        largest_component(&network, &allow).weight as f64
    };
    let last = (ceiling_cm / (2.0 * STEP_CM)) as usize;
    let kept: Vec<f64> = (0..=last).into_par_iter().map(alone).collect();
    let all = frames_of_sets(material)[usize::from(set)] as f64;
    let enough = |&steps: &usize| {
        let [half_more, twice] = [steps * 3 / 2, steps * 2].map(|steps| kept[steps.min(last)]);
        let goal = match half_more >= all * share {
            true => all * share,
            false => (all * share).min(twice * NEARLY),
        };
        kept[steps] >= goal.max(all * WORTH).max(1.0)
    };
    let steps = (1..=last).find(enough)?;
    Some(steps as f32 * 2.0 * STEP_CM)
}

/// The smallest multiple of the step above `from` and up to `limit` for which `holds`, which must
/// hold for all larger ones too.
fn smallest(from: f32, limit: f32, holds: impl Fn(f32) -> bool) -> Option<f32> {
    let (mut low, limit) = ((from / STEP_CM) as u32, (limit / STEP_CM) as u32);
    let cm = |steps: u32| steps as f32 * STEP_CM;
    // From below and in growing strides: loose thresholds make large networks.
    let (mut high, mut stride) = (low, 4);
    loop {
        if high >= limit {
            return None;
        }
        high = (high + stride).min(limit);
        if holds(cm(high)) {
            break;
        }
        (low, stride) = (high, stride * 2);
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if holds(cm(middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(cm(high))
}
