//! What a motion does in each gait, against what its source does there.

use afoot_core::Locomotion;

use super::bars::Findings;
use super::captured::Changes;
use super::moments::Worst;
use super::profile::{GaitProfile, Peak};
use super::quality::{ClipUse, Quality};
use super::{JudgeOptions, JudgedPlant, liveliness};

/// Fewest frames of a gait to compare with: half a second at 30 fps. With less captured, all gaits
/// together are the measure.
const FEW: usize = 15;

/// Peaks and ranges in each gait against those of the clips that were used, else of all.
pub(super) fn compare_gaits(
    (own, joined): (&[GaitProfile; 5], &GaitProfile),
    played: &[GaitProfile; 5],
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
    let captured = own.iter().zip(&gaits).zip(Locomotion::ALL);
    for ((own, gait), which) in captured.filter(|((own, _), _)| own.frames > 0) {
        let source = if gait.frames < FEW { &all } else { gait };
        let calmer = calmer_gaits(&gaits, which);
        for PeakMeasure { name, told, peak } in peaks(quality) {
            let (peak, usual) = (peak(own), usual_peak(source, &calmer, peak));
            let worst = (usual > 0.0).then(|| Worst {
                value: f64::from(peak.most()) / usual,
                frame: peak.at(),
            });
            findings.moments.raise(name, told, worst);
        }
        let held = (source, &played[which as usize]);
        compare_posture(own, held, quality, findings);
        if let (Some(gap), Some(captured)) = (own.gap, source.gap) {
            let worst = Worst {
                value: f64::from(captured - gap).max(0.0) * 100.0,
                frame: own.gap_at,
            };
            let deepest = &mut quality.penetration_cm;
            findings
                .moments
                .raise("penetration_cm", deepest, Some(worst));
        }
    }
    compare_posture(joined, (&all, &GaitProfile::default()), quality, findings);
}

/// What gaits do that ask less of the legs than one does.
fn calmer_gaits(gaits: &[GaitProfile; 5], than: Locomotion) -> GaitProfile {
    let calmer = Locomotion::ALL
        .into_iter()
        .filter(|gait| liveliness(*gait) < liveliness(than));
    let calmer: Vec<&GaitProfile> = calmer.map(|gait| &gaits[gait as usize]).collect();
    GaitProfile::together(calmer.into_iter())
}

/// The peak that is usual in a gait: at least that of the calmer ones, since who runs for a step or two of a walk may move as
/// hard as who walks.
fn usual_peak(source: &GaitProfile, calmer: &GaitProfile, peak: fn(&GaitProfile) -> Peak) -> f64 {
    f64::from(peak(source).usual().max(peak(calmer).usual()))
}

/// A measure that is a peak over the source's.
struct PeakMeasure<'a> {
    name: &'static str,
    told: &'a mut Option<f64>,
    peak: fn(&GaitProfile) -> Peak,
}

fn peaks(quality: &mut Quality) -> [PeakMeasure<'_>; 4] {
    [
        PeakMeasure {
            name: "root_speed_ratio",
            told: &mut quality.root_speed_ratio,
            peak: |profile| profile.root_speed,
        },
        PeakMeasure {
            name: "root_acceleration_ratio",
            told: &mut quality.root_acceleration_ratio,
            peak: |profile| profile.root_acceleration,
        },
        PeakMeasure {
            name: "knee_acceleration_ratio",
            told: &mut quality.knee_acceleration_ratio,
            peak: |profile| profile.knee_acceleration,
        },
        PeakMeasure {
            name: "ankle_acceleration_ratio",
            told: &mut quality.ankle_acceleration_ratio,
            peak: |profile| profile.ankle_acceleration,
        },
    ]
}

/// How far planted feet swivel beyond what the captured frames did; where these are not known, beyond what those of the
/// source do.
pub(super) fn compare_twists(
    plants: &[JudgedPlant],
    options: &JudgeOptions,
    quality: &mut Quality,
    findings: &mut Findings,
) {
    let Some(source) = options.source else {
        return;
    };
    let usual = source.twists(|clip| options.made_from.is_none_or(|from| from.uses(clip)));
    for plant in plants {
        let by_source = || usual.beyond(plant.twist);
        let beyond = plant.unasked.unwrap_or_else(by_source).to_degrees();
        let worst = Worst {
            value: f64::from(beyond),
            frame: plant.at,
        };
        let most = &mut quality.twist_deg;
        findings.moments.raise("twist_deg", most, Some(worst));
    }
}

/// How far hips and knees are held beyond what the source does, all of it and what was played of it.
fn compare_posture(
    own: &GaitProfile,
    (source, played): (&GaitProfile, &GaitProfile),
    quality: &mut Quality,
    findings: &mut Findings,
) {
    let hips = own
        .hip_height
        .beyond(&source.hip_height.with_mean_of(&played.hip_height));
    farther(
        &mut quality.hip_off_cm,
        &mut findings.hip_off,
        hips.map(|m| m * 100.0),
    );
    let knees = own.knee.beyond(&source.knee.with_mean_of(&played.knee));
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

/// The larger of what is known by a value's size, with its sign kept beside it.
fn farther(largest: &mut Option<f64>, signed: &mut f64, value: Option<f64>) {
    let Some(value) = value else {
        return;
    };
    if largest.is_none_or(|known| value.abs() > known) {
        (*largest, *signed) = (Some(value.abs()), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::course::Course;

    /// A gait whose root accelerates by up to `most`.
    fn gait(most: f32) -> GaitProfile {
        let course = Course {
            root_acceleration: vec![most; 40],
            ..Course::default()
        };
        let mut gait = GaitProfile::default();
        (0..40).for_each(|frame| gait.see(&course, frame, frame as u64));
        gait
    }

    #[test]
    fn who_plays_the_flight_of_a_jump_alone_is_not_higher_than_it() {
        let held = |heights: &[f32]| {
            let course = Course {
                hip_height: heights.to_vec(),
                ..Course::default()
            };
            let mut gait = GaitProfile::default();
            (0..heights.len()).for_each(|frame| gait.see_posture(&course, frame));
            gait
        };
        let off = |own: &GaitProfile, played: &GaitProfile| {
            let mut quality = Quality::default();
            let jump = held(&[0.9, 0.8, 1.1, 1.2, 1.1, 0.8, 0.9]);
            compare_posture(own, (&jump, played), &mut quality, &mut Findings::default());
            (quality.hip_off_cm.unwrap() * 10.0).round() / 10.0
        };
        let flight = held(&[1.1, 1.2, 1.1]);
        assert!(off(&flight, &GaitProfile::default()) > 10.0);
        assert_eq!(off(&flight, &flight), 0.0);
        // Played so, and 3 cm higher.
        assert_eq!(off(&held(&[1.13, 1.19, 1.17]), &flight), 3.0);
    }

    #[test]
    fn who_runs_may_move_as_hard_as_who_walks_and_not_the_other_way_round() {
        let mut gaits: [GaitProfile; 5] = Default::default();
        gaits[Locomotion::Walk as usize] = gait(9.0);
        gaits[Locomotion::Run as usize] = gait(6.0);
        gaits[Locomotion::Jump as usize] = gait(40.0);
        let usual = |which: Locomotion| {
            let calmer = calmer_gaits(&gaits, which);
            usual_peak(&gaits[which as usize], &calmer, |p| p.root_acceleration)
        };
        assert_eq!(usual(Locomotion::Walk), 9.0);
        assert_eq!(usual(Locomotion::Run), 9.0);
        assert_eq!(usual(Locomotion::Jump), 40.0);
    }
}
