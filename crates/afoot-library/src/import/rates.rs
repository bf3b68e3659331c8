//! Frame rates across an import: what files claim, show, and are told.

use std::sync::Arc;

use afoot_analyze::faults::{
    KnownRate, RateDecision, RateEvidence, RateReason, RateVerdict, Remedy, find_faults,
    kept_frames,
};
use afoot_core::{Clip, FrameRate, Range32, Skeleton};

use super::ImportOptions;
use crate::facts::ClipFacts;
use crate::record::skeleton_hash;
use afoot_codec::ContentHash;

/// What a clip tells about its rate; frames with faults do not count.
pub(super) fn evidence_of(clip: &Clip, options: &ImportOptions) -> RateEvidence {
    let findings = find_faults(clip, None, &options.faults);
    let spoilt: Vec<Range32> = findings
        .iter()
        .filter(|finding| finding.remedy != Remedy::Drop)
        .map(|finding| finding.frames)
        .collect();
    RateEvidence::of(clip, kept_frames(clip, &findings), &spoilt)
}

/// A decision as the options have it: told, or only suspected.
pub(super) fn overridden(decision: RateDecision, options: &ImportOptions) -> RateDecision {
    let claimed = decision.claimed;
    let unchanged = |rate: FrameRate, warning| RateDecision {
        rate,
        claimed,
        reason: RateReason::Claimed,
        repair: None,
        warning,
    };
    match options.source_rate {
        Some(rate) => unchanged(rate, None),
        None if options.faults.repair => decision,
        None => {
            let suspected = decision
                .repair
                .as_ref()
                .map(|words| format!("suspected: {words}"));
            unchanged(claimed, suspected.or(decision.warning))
        }
    }
}

/// Skeletons of one shape have one number.
#[derive(Default)]
pub(super) struct SkeletonGroups {
    shapes: Vec<Arc<Skeleton>>,
    hashes: Vec<(ContentHash, usize)>,
}

impl SkeletonGroups {
    pub fn group_of(&mut self, skeleton: &Arc<Skeleton>) -> usize {
        let hash = skeleton_hash(skeleton);
        if let Some((_, group)) = self.hashes.iter().find(|(known, _)| *known == hash) {
            return *group;
        }
        let same = |shape: &Arc<Skeleton>| shape.same_shape(skeleton);
        let group = self.shapes.iter().position(same).unwrap_or_else(|| {
            self.shapes.push(skeleton.clone());
            self.shapes.len() - 1
        });
        self.hashes.push((hash, group));
        group
    }

    /// What a clip of the library tells, if its file had one of these skeletons.
    pub fn known_rate(&self, facts: &ClipFacts) -> Option<KnownRate> {
        let hash = facts.source_skeleton.as_ref()?;
        let (_, group) = self
            .hashes
            .iter()
            .find(|(known, _)| known.to_string() == *hash)?;
        Some(KnownRate {
            skeleton: *group,
            claimed: FrameRate::from_fps(facts.claimed_fps?)?,
            verdict: RateVerdict::from(facts.rate_verdict?),
        })
    }
}
