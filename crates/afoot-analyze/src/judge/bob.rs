//! How much planted feet rise and fall beyond what captured ones do.
//!
//! Each plant is held to the 95th percentile of the source's plants in the same gait, and the 95th percentile
//! of what is left is told; and the same of the median, where that is more: small steps on the spot, which a library
//! may have, are no leave for all feet to bob. A number a plant is kept.

use afoot_core::Locomotion;
use serde::{Deserialize, Serialize};

use super::JudgeOptions;
use crate::series::quantile;

/// Fewest plants of a gait to compare with; with fewer, all gaits together are the measure.
const FEW: usize = 8;
/// The quantiles that are compared.
const SHARES: [f64; 2] = [0.95, 0.5];

/// How far feet rise and fall within their plants, in the order of [`Locomotion::ALL`]. [m]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bobs([Vec<f32>; 5]);

impl Bobs {
    /// Takes a plant in.
    pub(super) fn see(&mut self, gait: Locomotion, rise: f32) {
        self.0[gait as usize].push(rise);
    }

    /// How much more feet bob than those of the clips that were used, else of all; at least 0. `None` without a
    /// source, or without plants. [m]
    pub(super) fn beyond(&self, options: &JudgeOptions) -> Option<f64> {
        let source = options.source?;
        let used = |clip: usize| options.made_from.is_none_or(|from| from.uses(clip));
        let clips = source.clips.iter().enumerate();
        let clips = clips.filter(|(at, _)| used(*at));
        let clips: Vec<&Bobs> = clips.map(|(_, clip)| &clip.bobs).collect();
        let shares = SHARES.into_iter();
        shares
            .filter_map(|share| self.beyond_at(&clips, share))
            .reduce(f64::max)
    }

    /// The same of one quantile.
    fn beyond_at(&self, clips: &[&Bobs], share: f64) -> Option<f64> {
        let of = |gait: usize| clips.iter().flat_map(move |bobs| &bobs.0[gait]).copied();
        let mut all: Vec<f32> = (0..5).flat_map(of).collect();
        let usual = quantile(&mut all, share)?;
        let mut beyond = Vec::new();
        for (gait, rises) in self.0.iter().enumerate() {
            let mut captured: Vec<f32> = of(gait).collect();
            let usual = match captured.len() < FEW {
                true => usual,
                false => quantile(&mut captured, share)?,
            };
            beyond.extend(rises.iter().map(|rise| (rise - usual).max(0.0)));
        }
        quantile(&mut beyond, share).map(f64::from)
    }
}
