//! What a motion does in each gait, against what its source does there.

use super::bars::Findings;
use super::captured::Changes;
use super::profile::{GaitProfile, Peak};
use super::quality::{ClipUse, Quality};
use super::twist::PlantTwist;
use super::{JudgeOptions, raise, ratio};

/// Fewest frames of a gait to compare with: half a second at 30 fps. With less captured, all gaits
/// together are the measure.
const FEW: usize = 15;

/// Peaks and ranges in each gait against those of the clips that were used, else of all.
pub(super) fn compare_gaits(
    (own, joined): (&[GaitProfile; 5], &GaitProfile),
    options: &JudgeOptions,
    quality: &mut Quality,
    findings: &mut Findings,
) {
    let Some(source) = options.source else {
        return;
    };
    let used = |clip: usize| options.made_from.is_none_or(|from| from.uses(clip));
    let gaits = source.gaits(used);
    let all = GaitProfile::together(gaits.iter());
    for (own, gait) in own.iter().zip(&gaits).filter(|(own, _)| own.frames > 0) {
        let source = if gait.frames < FEW { &all } else { gait };
        let peak =
            |part: fn(&GaitProfile) -> Peak| ratio(Some(part(own).most()), part(source).usual());
        raise(&mut quality.root_speed_ratio, peak(|p| p.root_speed));
        raise(
            &mut quality.root_acceleration_ratio,
            peak(|p| p.root_acceleration),
        );
        raise(
            &mut quality.knee_acceleration_ratio,
            peak(|p| p.knee_acceleration),
        );
        raise(
            &mut quality.ankle_acceleration_ratio,
            peak(|p| p.ankle_acceleration),
        );
        compare_posture(own, source, quality, findings);
        if let (Some(own), Some(captured)) = (own.gap, source.gap) {
            let closer = f64::from(captured - own).max(0.0) * 100.0;
            raise(&mut quality.penetration_cm, Some(closer));
        }
    }
    compare_posture(joined, &all, quality, findings);
}

/// How far planted feet swivel beyond what those of the source do, and the captured frames did.
pub(super) fn compare_twists(
    plants: &[(PlantTwist, f32)],
    options: &JudgeOptions,
    quality: &mut Quality,
) {
    let Some(source) = options.source else {
        return;
    };
    let usual = source.twists(|clip| options.made_from.is_none_or(|from| from.uses(clip)));
    let beyond = plants
        .iter()
        .map(|(plant, captured)| usual.beyond(*plant, *captured));
    let most = beyond.reduce(f32::max);
    quality.twist_deg = most.map(|most| f64::from(most.to_degrees()));
}

/// How far hips and knees are held beyond what the source does.
fn compare_posture(
    own: &GaitProfile,
    source: &GaitProfile,
    quality: &mut Quality,
    findings: &mut Findings,
) {
    let hips = own.hip_height.beyond(&source.hip_height);
    farther(
        &mut quality.hip_off_cm,
        &mut findings.hip_off,
        hips.map(|m| m * 100.0),
    );
    let knees = own.knee.beyond(&source.knee);
    farther(
        &mut quality.knee_off_deg,
        &mut findings.knee_off,
        knees.map(f64::to_degrees),
    );
}

/// What was changed against the captured frames, and which clips were played.
pub(super) fn report_changes(
    changes: &Changes,
    options: &JudgeOptions,
    quality: &mut Quality,
    findings: &mut Findings,
) {
    quality.source_share = changes.captured_share();
    quality.near_source_share = changes.near_share();
    if let Some(hips) = changes.hips() {
        quality.hip_change_cm = Some(hips.mean * 100.0);
        quality.hip_change_p95_cm = Some(hips.p95 * 100.0);
        findings.hip_change = hips.signed;
    }
    if let Some(knees) = changes.knees() {
        quality.knee_change_deg = Some(knees.mean.to_degrees());
        quality.knee_change_p95_deg = Some(knees.p95.to_degrees());
        findings.knee_change = knees.signed;
    }
    if let Some(from) = options.made_from {
        let uses = from
            .uses_by_clip()
            .into_iter()
            .map(|(clip, frames)| ClipUse {
                clip: clip.into(),
                seconds: frames as f64 * findings.frame_time,
            });
        quality.clips = uses.collect();
    }
}

/// [`raise`] of a value's size, with its sign kept beside it.
fn farther(largest: &mut Option<f64>, signed: &mut f64, value: Option<f64>) {
    let Some(value) = value else {
        return;
    };
    if largest.is_none_or(|known| value.abs() > known) {
        (*largest, *signed) = (Some(value.abs()), value);
    }
}
