//! Thresholds found from the data: as strict as a well connected graph allows.
//!
//! Kovar et al. 2002, §7, and Safonova and Hodgins 2007, §8, ask for it. Each label set gets the
//! smallest threshold within itself that brings the wanted share of its frames into one component,
//! or from where on more brings little. Between two sets the stricter one's holds. Where too little
//! of a set would be in the graph then, one of its pairs, that which does with the smallest
//! threshold, is loosened to just that.
//! Thresholds are multiples of 0.25 cm. Cost: some dozens of networks per label set.

use rayon::prelude::*;

use crate::assemble::{Network, assemble, largest_component};
use crate::jumps::Material;
use crate::motion_graph::EdgeKind;
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
/// Sets that are tried as the partner of one that stays out.
const PARTNERS: usize = 4;

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
    let mut order: Vec<u16> = (0..sets).collect();
    order.sort_by_key(|set| std::cmp::Reverse(goals[usize::from(*set)]));
    for set in order {
        if let Some((partner, cm)) = joining_threshold(
            material,
            &thresholds,
            (set, goals[usize::from(set)]),
            ceiling_cm,
        ) {
            thresholds.set(set, partner, cm);
        }
    }
    thresholds
}

/// Frames of each set that the graph would play.
pub(crate) fn extent(material: &Material<'_>, thresholds: &Thresholds) -> Vec<u64> {
    let network = assemble(material.footage, &material.choose(thresholds));
    let (component, _) = largest_component(&network, &vec![true; network.edges.len()]);
    frames_by_set(material, &network, &network.within(&component))
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

/// The partner, and the smallest threshold with it, that brings `goal` frames of a set into the
/// graph; `None` if they are in, or no threshold up to the ceiling does.
pub(crate) fn joining_threshold(
    material: &Material<'_>,
    thresholds: &Thresholds,
    (set, goal): (u16, u64),
    ceiling_cm: f32,
) -> Option<(u16, f32)> {
    if extent(material, thresholds)[usize::from(set)] >= goal {
        return None;
    }
    let mut best: Option<(u16, f32)> = None;
    for partner in partners(material, set) {
        let reaches = |cm: f32| {
            let mut loosened = thresholds.clone();
            loosened.set(set, partner, cm);
            extent(material, &loosened)[usize::from(set)] >= goal
        };
        let from = thresholds.between([set, partner]);
        let limit = best.map_or(ceiling_cm, |(_, cm)| cm - STEP_CM);
        if let Some(cm) = smallest(from, limit, reaches) {
            best = Some((partner, cm));
        }
    }
    best
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
/// Enough is the wanted share, or nearly what twice the threshold would bring: more would cost too
/// much quality for what it gives.
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
        largest_component(&network, &allow).1 as f64
    };
    let last = (ceiling_cm / (2.0 * STEP_CM)) as usize;
    let kept: Vec<f64> = (0..=last).into_par_iter().map(alone).collect();
    let all = frames_of_sets(material)[usize::from(set)] as f64;
    let enough = |&steps: &usize| {
        let goal = (all * share).min(kept[(2 * steps).min(last)] * NEARLY);
        kept[steps] >= goal.max(all * WORTH).max(1.0)
    };
    let steps = (1..=last).find(enough)?;
    Some(steps as f32 * 2.0 * STEP_CM)
}

/// The sets with the best candidates to or from a set, itself among them.
fn partners(material: &Material<'_>, set: u16) -> Vec<u16> {
    let mut nearest = vec![f32::INFINITY; material.sets.len()];
    for jump in material.jumps.iter().filter(|jump| jump.kinds[0] == set) {
        let best = &mut nearest[usize::from(jump.kinds[1])];
        *best = best.min(jump.error_cm);
    }
    let mut order: Vec<u16> = (0..material.sets.len() as u16).collect();
    order.retain(|partner| nearest[usize::from(*partner)].is_finite());
    order.sort_by(|x, y| nearest[usize::from(*x)].total_cmp(&nearest[usize::from(*y)]));
    order.truncate(PARTNERS);
    order
}

/// The smallest multiple of the step above `from` and up to `limit` for which `holds`, which must
/// hold for all larger ones too.
fn smallest(from: f32, limit: f32, holds: impl Fn(f32) -> bool) -> Option<f32> {
    let (mut low, mut high) = ((from / STEP_CM) as u32, (limit / STEP_CM) as u32);
    let cm = |steps: u32| steps as f32 * STEP_CM;
    if high <= low || !holds(cm(high)) {
        return None;
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

fn frames_by_set(material: &Material<'_>, network: &Network, keep: &[bool]) -> Vec<u64> {
    let mut frames = vec![0; material.sets.len()];
    let kept = network.edges.iter().zip(keep).filter(|(_, keep)| **keep);
    for (edge, _) in kept.filter(|(edge, _)| edge.kind == EdgeKind::Play) {
        if let Ok(index) = material.sets.binary_search(&edge.labels) {
            frames[index] += network.frames(edge);
        }
    }
    frames
}
