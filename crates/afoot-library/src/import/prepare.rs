//! One file made ready for the library: repaired, resampled, analysed, labelled, retargeted.

use std::sync::Arc;

use afoot_analyze::faults::leading::is_never_tracked;
use afoot_analyze::faults::{
    FaultKind, FaultOptions, Finding, Fingerprint, RateDecision, Remedy, decide_rates, find_faults,
    repair_faults,
};
use afoot_analyze::{classify_clip, detect_contacts, estimate_ground};
use afoot_core::{
    Clip, Ground, LabelSpan, Locomotion, Range32, RetargetOptions, Skeleton, add_root_motion,
    adopt_skeleton, is_in_place, mirror_clip, resample_clip, retarget_clip, stance_contacts,
};
use afoot_formats::{Format, Motion, SourceFacts, UpAxis};

use super::naming::Names;
use super::{ImportOptions, Inspected, Plan, rates, sources};
use crate::facts::{ClipFacts, FindingFact};
use crate::record::skeleton_hash;

/// A clip, still under the first of its names, with its mirror image if that was asked for.
pub(super) struct Prepared {
    pub clip: Clip,
    pub facts: ClipFacts,
    /// Of the motion as captured, after repairs.
    pub print: Fingerprint,
    pub mirror: Option<Clip>,
    pub names: Names,
}

/// Everything that needs no other clip.
pub(super) fn prepare(
    file: Inspected,
    decision: &RateDecision,
    plan: &Plan,
) -> Result<Prepared, String> {
    let options = plan.options;
    let Motion { mut clip, source } = match file.motion {
        Some(motion) => motion,
        None => sources::read_again(&file.path, &plan.skeletons, &file.take, &options.read)?,
    };
    clip = adopt_skeleton(&clip, &file.skeleton).unwrap_or(clip);
    clip.name = file.names.first().into();
    let mut facts = source_facts(&file.path.display().to_string(), &clip, &source);
    facts.rate_verdict = Some(file.evidence.verdict().into());
    facts.source_fps = Some(decision.rate.fps());
    clip.rate = decision.rate;
    repair(&mut clip, (decision, source.format), &mut facts, options)?;
    let print = Fingerprint::of(&clip);
    let mut clip = match options.rate {
        Some(rate) => resample_clip(&clip, rate),
        None => clip,
    };
    facts.warnings.extend(analyse_anywhere(&mut clip, options));
    label(&mut clip, &options.labels);
    if let Some(target) = &plan.target {
        clip = retargeted(clip, target, &mut facts)?;
    }
    let mirror = options.mirror.then(|| mirror_clip(&clip));
    Ok(Prepared {
        clip,
        facts,
        print,
        mirror,
        names: file.names,
    })
}

/// A motion file made ready without a library: its rate decided, T-poses and faults repaired, floor,
/// contacts and types found, as an import would; with what was done and what is suspected.
pub fn prepare_motion(
    motion: Motion,
    options: &ImportOptions,
) -> Result<(Clip, ClipFacts), String> {
    let Motion { mut clip, source } = motion;
    let evidence = rates::evidence_of(&clip, options);
    let decision = decide_rates(&[evidence], &[0], &[]).remove(0);
    let decision = rates::overridden(decision, options);
    let mut facts = source_facts(&clip.name, &clip, &source);
    clip.rate = decision.rate;
    repair(&mut clip, (&decision, source.format), &mut facts, options)?;
    facts.warnings.extend(analyse_anywhere(&mut clip, options));
    Ok((clip, facts))
}

fn source_facts(path: &str, clip: &Clip, source: &SourceFacts) -> ClipFacts {
    let mut facts = ClipFacts {
        source: Some(path.into()),
        format: Some(format!("{:?}", source.format).to_lowercase()),
        metres_per_unit: Some(source.metres_per_unit),
        up: Some(format!("{:?}", source.up).to_lowercase()),
        source_frames: Some(clip.len() as u32),
        claimed_fps: Some(clip.rate.fps()),
        source_skeleton: Some(skeleton_hash(&clip.skeleton).to_string()),
        warnings: source.warnings.clone(),
        ..ClipFacts::default()
    };
    match source.up {
        UpAxis::X => facts.repairs.push("turned from x up to y up".into()),
        UpAxis::Y => {}
        UpAxis::Z => facts.repairs.push("turned from z up to y up".into()),
    }
    facts.repairs.extend(source.conformed.iter().cloned());
    facts
}

fn repair(
    clip: &mut Clip,
    (decision, format): (&RateDecision, Format),
    facts: &mut ClipFacts,
    options: &ImportOptions,
) -> Result<(), String> {
    facts.repairs.extend(decision.repair.clone());
    facts.warnings.extend(decision.warning.clone());
    if options.faults.repair && is_never_tracked(clip) {
        return Err("every frame is empty: the figure was never tracked".into());
    }
    let faults = FaultOptions {
        may_be_keyed: matches!(format, Format::Gltf | Format::Fbx),
        ..options.faults
    };
    let findings = find_faults(clip, None, &faults);
    repair_faults(clip, &findings);
    if clip.is_empty() {
        return Err("no frame is left after the frames to drop".into());
    }
    for finding in &findings {
        let words = format!("{}: {}", finding.words, finding.outcome());
        match is_repair(finding) {
            true => facts.repairs.push(words),
            false => facts.warnings.push(words),
        }
        facts
            .findings
            .push(FindingFact::of(finding, &clip.skeleton));
    }
    Ok(())
}

/// A long stretch that is only marked is still to be looked at.
fn is_repair(finding: &Finding) -> bool {
    let long_root_jump = finding.kind == FaultKind::RootJump && finding.remedy == Remedy::Mark;
    finding.certain && finding.remedy != Remedy::None && !long_root_jump
}

/// Finds what [`analyse`] does, also in a walk in place. That gets the path which its feet make, if it was
/// asked for; else its feet slide, so its types and its floor are those that it would have on that path.
fn analyse_anywhere(clip: &mut Clip, options: &ImportOptions) -> Vec<String> {
    if !is_in_place(clip) {
        return analyse(clip, options);
    }
    if options.root_motion {
        add_root_motion(clip);
        let words = "it walks in place: given the path that its feet make";
        return std::iter::once(words.into())
            .chain(analyse_steps(clip, options))
            .collect();
    }
    let words = "it walks in place; it can be given the path that its feet make (root motion)";
    let mut missing = analyse(clip, options);
    let mut gone = clip.clone();
    add_root_motion(&mut gone);
    let missing_on_it = analyse_steps(&mut gone, options);
    if let Some(ground) = gone.ground {
        missing = missing_on_it;
        clip.ground = Some(level_below(&gone, ground));
        clip.contacts = detect_contacts(clip, &options.contacts).map_or_else(
            |_| std::mem::take(&mut clip.contacts),
            |report| report.contacts,
        );
    }
    if !gone.types.is_empty() {
        clip.types = gone.types;
    }
    std::iter::once(words.into()).chain(missing).collect()
}

/// The same floor, level at the height that it has below the figure in the mean.
fn level_below(clip: &Clip, ground: Ground) -> Ground {
    let heights = clip.root.iter().map(|at| ground.height_at(at.x, at.z));
    let height = heights.sum::<f32>() / clip.len().max(1) as f32;
    let rest = ground.rest;
    Ground {
        rest,
        ..Ground::level(height)
    }
}

/// Finds what [`analyse`] does of a walk that got its path from its feet. Where no gait is found in it, as
/// no foot rests for long enough in a run that was drawn with a few frames a step, feet stand where they are low.
fn analyse_steps(clip: &mut Clip, options: &ImportOptions) -> Vec<String> {
    let missing = analyse(clip, options);
    let steps = |types: &[Locomotion]| {
        let walked = |kind: &&Locomotion| matches!(kind, Locomotion::Walk | Locomotion::Run);
        2 * types.iter().filter(walked).count() > types.len()
    };
    if steps(&clip.types) {
        return missing;
    }
    let mut low = clip.clone();
    low.contacts = stance_contacts(clip).unwrap_or_default();
    match classify_clip(&low, &options.types) {
        Ok(types) if steps(&types) => {
            clip.contacts = low.contacts;
            clip.types = types;
        }
        _ => {}
    }
    missing
}

/// Finds floor, contacts and types; gives what could not be found, in words.
pub(super) fn analyse(clip: &mut Clip, options: &ImportOptions) -> Vec<String> {
    let mut missing = Vec::new();
    match estimate_ground(clip, &options.ground) {
        Ok(estimate) => clip.ground = Some(estimate.ground),
        Err(_) if clip.ground.is_some() => {} // who got a path from his feet has their floor
        Err(error) => missing.push(format!("no floor: {error}")),
    }
    match detect_contacts(clip, &options.contacts) {
        Ok(report) => clip.contacts = report.contacts,
        Err(error) => {
            missing.push(format!("no contacts: {error}"));
            return missing;
        }
    }
    match classify_clip(clip, &options.types) {
        Ok(types) => clip.types = types,
        Err(error) => missing.push(format!("no types: {error}")),
    }
    missing
}

fn label(clip: &mut Clip, labels: &[String]) {
    let frames = Range32 {
        start: 0,
        end: clip.len() as u32,
    };
    for label in labels {
        let label = label.clone();
        clip.labels.push(LabelSpan { frames, label });
    }
    clip.labels.sort();
    clip.labels.dedup();
}

fn retargeted(clip: Clip, target: &Arc<Skeleton>, facts: &mut ClipFacts) -> Result<Clip, String> {
    if *clip.skeleton == **target {
        return Ok(clip);
    }
    let retargeted = retarget_clip(&clip, target, &RetargetOptions::default());
    let retargeted = retargeted.map_err(|error| error.to_string())?;
    facts.retargeted = true;
    Ok(retargeted)
}
