//! A walk that ends exactly so far from where it began.

use super::body::carried_hips;
use super::error::StrideError;
use super::options::{Measure, StrideOptions};
use super::plan::Plan;
use super::rest::Rest;
use super::walk::Walk;

/// How far a walk goes from its first frame to its last with these options, their distance aside. [m]
pub(super) fn goes(walk: &Walk, options: &StrideOptions) -> Result<f32, StrideError> {
    let plan = Plan::of(walk, options)?;
    let (mut root, yaws) = plan.root();
    if plan.ease != [0; 2] {
        let hips = carried_hips(walk, &root, &yaws);
        let rests = Rest::of(&plan, &plan.feet(1.0, 0.0), &hips, &yaws);
        for rest in rests.iter().flatten() {
            root[rest.frame] += rest.shift;
        }
    }
    Ok((root[root.len() - 1] - root[0]).with_y(0.0).length())
}

/// The options whose factor makes the walk end so far from its start.
pub(super) fn to_distance(
    walk: &Walk,
    options: &StrideOptions,
    metres: f32,
) -> Result<StrideOptions, StrideError> {
    let with = |factor: f32| StrideOptions {
        stride: Measure::Factor(factor),
        distance: None,
        ..options.clone()
    };
    let gone = |factor: f32| goes(walk, &with(factor));
    let (mut low, mut high) = (0.05, 10.0);
    let (mut factor, mut before) = (metres / gone(1.0)?.max(1e-3), None::<(f32, f32)>);
    for _ in 0..24 {
        factor = factor.clamp(low, high);
        let at = gone(factor)?;
        if (at - metres).abs() < 5e-4 {
            break;
        }
        if at < metres {
            low = factor
        } else {
            high = factor
        }
        let slope = match before {
            Some((last, reached)) if (factor - last).abs() > 1e-6 => {
                (at - reached) / (factor - last)
            }
            _ => at / factor,
        };
        before = Some((factor, at));
        factor += (metres - at) / slope.max(1e-3);
        if !(low..=high).contains(&factor) {
            factor = 0.5 * (low + high);
        }
    }
    Ok(with(factor))
}
