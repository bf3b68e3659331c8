//! How far the root must be lowered, frame by frame, so that both legs reach their feet.

use super::envelope::smooth_envelope;
use super::foot_path::FootPath;
use super::legs::LegTrack;
use super::{CleanupOptions, Timing};

/// The smooth sinking of the root that lets every leg reach. [m, >= 0, a frame each]
pub fn sink_for_reach(
    legs: &[LegTrack],
    paths: &[FootPath],
    (options, timing): (&CleanupOptions, &Timing),
) -> Vec<f32> {
    let frames = legs.first().map_or(0, LegTrack::len);
    let needed: Vec<f32> = (0..frames)
        .map(|frame| {
            let sink = |(leg, path): (&LegTrack, &FootPath)| needed_sink(leg, path, frame);
            let most = legs.iter().zip(paths).map(sink).fold(0.0, f32::max);
            most.min(options.max_sink)
        })
        .collect();
    smooth_envelope(&needed, timing.sink)
}

/// How far the hip must come down to be within reach of the ankle's target. [m]
pub fn needed_sink(leg: &LegTrack, path: &FootPath, frame: usize) -> f32 {
    let apart = leg.hip[frame] - path.ankle[frame];
    let reach = leg.reach[frame] * (1.0 + leg.lengthen);
    if apart.length_squared() <= reach * reach {
        return 0.0;
    }
    let level = apart.x * apart.x + apart.z * apart.z;
    let height = (reach * reach - level).max(0.0).sqrt();
    (apart.y - height).max(0.0)
}
