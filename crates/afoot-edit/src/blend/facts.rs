//! What is known about blended frames: contacts and types from either half, labels from both sides.

use std::collections::BTreeMap;

use afoot_core::{Clip, LabelSpan, Range32};

use super::blend_weight;
use super::weighted::BlendSource;

/// A per-frame track of the blend of two sources: the first one's while its weight is at least a
/// half, then the second one's (Kovar et al. 2002, §3.3). Empty unless both have it.
pub(super) fn halved<'a, T: Copy + 'a>(
    sources: &'a [BlendSource; 2],
    window: usize,
    track: impl Fn(&'a Clip) -> &'a [T] + 'a,
) -> impl Iterator<Item = T> + 'a {
    let known = sources.iter().all(|source| !track(source.clip).is_empty());
    let pick = move |p: usize| {
        let source = &sources[usize::from(blend_weight(p, window) < 0.5)];
        track(source.clip)[source.from.index() + p]
    };
    (0..if known { window } else { 0 }).map(pick)
}

/// The labels of both sources over the window, in the blend's frames.
pub(super) fn united_labels(sources: &[BlendSource; 2], window: usize) -> Vec<LabelSpan> {
    let mut by_label: BTreeMap<&str, Vec<Range32>> = BTreeMap::new();
    for source in sources {
        let shown = Range32 {
            start: source.from.0,
            end: source.from.0 + window as u32,
        };
        for span in &source.clip.labels {
            let common = span.frames.intersect(shown);
            if !common.is_empty() {
                let (start, end) = (common.start - shown.start, common.end - shown.start);
                by_label
                    .entry(&span.label)
                    .or_default()
                    .push(Range32 { start, end });
            }
        }
    }
    spans_of(by_label)
}

/// One span per stretch without gaps, sorted by start.
fn spans_of(by_label: BTreeMap<&str, Vec<Range32>>) -> Vec<LabelSpan> {
    let mut spans = Vec::new();
    for (label, mut ranges) in by_label {
        ranges.sort();
        let mut merged: Vec<Range32> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        spans.extend(merged.into_iter().map(|frames| LabelSpan {
            frames,
            label: label.into(),
        }));
    }
    spans.sort();
    spans
}
