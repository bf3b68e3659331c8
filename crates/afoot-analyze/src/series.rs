//! Runs and quantiles of values over time.

pub(crate) use afoot_core::runs_of as runs;
use glam::Vec3;

/// The value below which `share` of `values` lie; `None` of none. Reorders `values`.
pub(crate) fn quantile(values: &mut [f32], share: f64) -> Option<f32> {
    let last = values.len().checked_sub(1)?;
    let index = (share.clamp(0.0, 1.0) * last as f64).round() as usize;
    let (_, value, _) = values.select_nth_unstable_by(index, f32::total_cmp);
    Some(*value)
}

/// The median of each coordinate; `None` of none.
pub(crate) fn median_point(points: impl Iterator<Item = Vec3>) -> Option<Vec3> {
    let points: Vec<Vec3> = points.collect();
    let middle = |part: fn(&Vec3) -> f32| {
        let mut values: Vec<f32> = points.iter().map(part).collect();
        quantile(&mut values, 0.5)
    };
    Some(Vec3::new(
        middle(|p| p.x)?,
        middle(|p| p.y)?,
        middle(|p| p.z)?,
    ))
}
