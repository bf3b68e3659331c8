//! Curves sampled on an even grid: the filters that balance, sway and reach need. In place, O(n·r).

/// Convolves with exp(−|t|/T)/2T, ends held: what a linear inverted pendulum with time constant
/// T makes of its support point. `steps` is T in grid steps.
pub fn two_sided_exponential(values: &mut [f64], steps: f64) {
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
        return;
    };
    let a = (-1.0 / steps).exp();
    // The sum of kernel a^|n| is (1 + a) / (1 − a); one side each with half of the middle.
    let gain = (1.0 - a) / (1.0 + a);
    let mut before = first / (1.0 - a);
    let ahead: Vec<f64> = {
        let mut sum = last / (1.0 - a);
        let mut sums: Vec<f64> = values
            .iter()
            .rev()
            .map(|&v| advance(&mut sum, a, v))
            .collect();
        sums.reverse();
        sums
    };
    for (value, ahead) in values.iter_mut().zip(ahead) {
        let here = *value;
        *value = gain * (advance(&mut before, a, here) + ahead - here);
    }
}

fn advance(sum: &mut f64, a: f64, value: f64) -> f64 {
    *sum = *sum * a + value;
    *sum
}

/// Convolves with a Gaussian of standard deviation `sigma` grid steps, ends held.
pub fn gaussian(values: &mut [f64], sigma: f64) {
    let radius = (3.0 * sigma).ceil().max(1.0) as i64;
    let kernel: Vec<f64> = (-radius..=radius)
        .map(|n| (-0.5 * (n as f64 / sigma).powi(2)).exp())
        .collect();
    convolve(values, &kernel);
}

/// Lowers `values` smoothly to at most `limits` everywhere. Lowering spreads over `radius` grid
/// steps on both sides: the deficit is widened by its largest value within the radius, then
/// averaged over the same radius, which can't fall below the deficit itself.
pub fn lower_to_fit(values: &mut [f64], limits: &[f64], radius: usize) {
    let deficits: Vec<f64> = values
        .iter()
        .zip(limits)
        .map(|(v, l)| (v - l).max(0.0))
        .collect();
    let count = deficits.len();
    let mut lowering: Vec<f64> = (0..count)
        .map(|i| {
            let near = &deficits[i.saturating_sub(radius)..(i + radius + 1).min(count)];
            near.iter().copied().fold(0.0, f64::max)
        })
        .collect();
    let reach = radius as f64 + 1.0;
    let bell = |n: i64| (1.0 + (std::f64::consts::PI * n as f64 / reach).cos()) * 0.5;
    let kernel: Vec<f64> = (-(radius as i64)..=radius as i64).map(bell).collect();
    convolve(&mut lowering, &kernel);
    values
        .iter_mut()
        .zip(lowering)
        .for_each(|(value, by)| *value -= by);
}

/// The slope of a sampled curve, per grid step.
pub fn slope(values: &[f64]) -> Vec<f64> {
    let last = values.len().saturating_sub(1);
    (0..values.len())
        .map(|i| {
            let (before, after) = (i.saturating_sub(1), (i + 1).min(last));
            (values[after] - values[before]) / (after - before).max(1) as f64
        })
        .collect()
}

fn convolve(values: &mut [f64], kernel: &[f64]) {
    let total: f64 = kernel.iter().sum();
    let (radius, last) = ((kernel.len() / 2) as i64, values.len() as i64 - 1);
    let source = values.to_vec();
    for (i, value) in values.iter_mut().enumerate() {
        let at = |n: usize| source[(i as i64 + n as i64 - radius).clamp(0, last) as usize];
        let sum: f64 = kernel
            .iter()
            .enumerate()
            .map(|(n, weight)| weight * at(n))
            .sum();
        *value = sum / total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_agrees_with_the_plain_sum() {
        let values: Vec<f64> = (0..60).map(|i| f64::from(i % 17) - 3.0).collect();
        let mut fast = values.clone();
        two_sided_exponential(&mut fast, 5.0);
        let at = |i: i64| values[i.clamp(0, 59) as usize];
        for i in 0..60 {
            let kernel = |n: i64| (-(n.abs() as f64) / 5.0).exp();
            let total: f64 = (-400..=400).map(kernel).sum();
            let slow: f64 = (-400..=400).map(|n| kernel(n) * at(i + n)).sum::<f64>() / total;
            assert!(
                (fast[i as usize] - slow).abs() < 1e-9,
                "{i}: {} {slow}",
                fast[i as usize]
            );
        }
    }

    #[test]
    fn lowering_fits_and_leaves_the_rest() {
        let mut values = vec![1.0; 100];
        let mut limits = vec![2.0; 100];
        limits[50] = 0.7;
        limits[53] = 0.8;
        lower_to_fit(&mut values, &limits, 8);
        assert!(values.iter().zip(&limits).all(|(v, l)| v <= &(l + 1e-12)));
        assert_eq!((values[20], values[80]), (1.0, 1.0));
        let steepest = values
            .windows(2)
            .map(|w| (w[1] - w[0]).abs())
            .fold(0.0, f64::max);
        assert!(steepest < 0.06, "{steepest}");
    }

    #[test]
    fn a_gaussian_keeps_straight_lines() {
        let mut values: Vec<f64> = (0..80).map(f64::from).collect();
        gaussian(&mut values, 4.0);
        assert!((values[40] - 40.0).abs() < 1e-9);
        assert!(
            slope(&values)[30..50]
                .iter()
                .all(|s| (s - 1.0).abs() < 1e-9)
        );
    }
}
