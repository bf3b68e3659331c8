//! Decisions as probabilities: 1 / (1 + exp(a·d + b)), fitted to decisions on rows that were not trained
//! on (Platt 1999, with the Newton steps of Lin, Lin and Weng 2007).

/// A sigmoid over decisions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platt {
    /// Steepness: below 0 where larger decisions speak for an example.
    pub a: f64,
    /// Offset.
    pub b: f64,
}

impl Platt {
    /// Even odds at decision 0, and 0.88 at the margin.
    pub const PLAIN: Self = Self { a: -2.0, b: 0.0 };

    /// The likeliest sigmoid; plain where there are no decisions of both sides, or where decisions
    /// speak against what they should.
    pub fn fit(decisions: &[f32], labels: &[bool]) -> Self {
        let examples = labels.iter().filter(|label| **label).count() as f64;
        let others = labels.len() as f64 - examples;
        if examples == 0.0 || others == 0.0 {
            return Self::PLAIN;
        }
        // Targets short of 0 and 1: as if one more had been seen of each side.
        let high = (examples + 1.0) / (examples + 2.0);
        let low = 1.0 / (others + 2.0);
        let target = |label: &bool| if *label { high } else { low };
        let points: Vec<(f64, f64)> = decisions
            .iter()
            .zip(labels)
            .map(|(decision, label)| (f64::from(*decision), target(label)))
            .collect();
        let start = Self {
            a: 0.0,
            b: ((others + 1.0) / (examples + 1.0)).ln(),
        };
        let fitted = descend(&points, start);
        match fitted.a < 0.0 {
            true => fitted,
            false => Self::PLAIN,
        }
    }

    /// The probability that a row with this decision is an example.
    pub fn probability(self, decision: f32) -> f64 {
        let at = self.a * f64::from(decision) + self.b;
        match at > 0.0 {
            true => (-at).exp() / (1.0 + (-at).exp()),
            false => 1.0 / (1.0 + at.exp()),
        }
    }

    /// The log-likelihood, negated.
    fn loss(self, points: &[(f64, f64)]) -> f64 {
        let one = |(decision, target): &(f64, f64)| {
            let at = self.a * decision + self.b;
            match at > 0.0 {
                true => target * at + (-at).exp().ln_1p(),
                false => (target - 1.0) * at + at.exp().ln_1p(),
            }
        };
        points.iter().map(one).sum()
    }
}

/// Newton steps with halving until the slope is flat.
fn descend(points: &[(f64, f64)], mut now: Platt) -> Platt {
    const RIDGE: f64 = 1e-12;
    let mut loss = now.loss(points);
    for _ in 0..100 {
        let (mut h11, mut h22, mut h21, mut g1, mut g2) = (RIDGE, RIDGE, 0.0, 0.0, 0.0);
        for (decision, target) in points {
            let p = now.probability(*decision as f32);
            let (curve, slope) = (p * (1.0 - p), target - p);
            h11 += decision * decision * curve;
            h22 += curve;
            h21 += decision * curve;
            g1 += decision * slope;
            g2 += slope;
        }
        if g1.abs() < 1e-5 && g2.abs() < 1e-5 {
            break;
        }
        let det = h11 * h22 - h21 * h21;
        let (da, db) = (-(h22 * g1 - h21 * g2) / det, -(h11 * g2 - h21 * g1) / det);
        let slope = g1 * da + g2 * db;
        let mut step = 1.0;
        let better = loop {
            let next = Platt {
                a: now.a + step * da,
                b: now.b + step * db,
            };
            let next_loss = next.loss(points);
            if next_loss < loss + 1e-4 * step * slope {
                break Some((next, next_loss));
            }
            step *= 0.5;
            if step < 1e-10 {
                break None;
            }
        };
        match better {
            Some(found) => (now, loss) = found,
            None => break,
        }
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_search::Random;

    /// Labels drawn with a known sigmoid give it back.
    #[test]
    fn the_sigmoid_that_made_the_labels_is_found() {
        let mut random = Random::new(4);
        let truth = Platt { a: -1.7, b: 0.6 };
        let decisions: Vec<f32> = (0..20_000)
            .map(|_| random.between(-4.0, 4.0) as f32)
            .collect();
        let labels: Vec<bool> = decisions
            .iter()
            .map(|decision| random.unit() < truth.probability(*decision))
            .collect();
        let found = Platt::fit(&decisions, &labels);
        assert!(
            (found.a - truth.a).abs() < 0.1 && (found.b - truth.b).abs() < 0.1,
            "{found:?}"
        );
    }

    #[test]
    fn what_says_nothing_gives_the_plain_one() {
        assert_eq!(Platt::fit(&[1.0, 2.0], &[true, true]), Platt::PLAIN);
        let against = [1.0, 2.0, -1.0, -2.0];
        assert_eq!(
            Platt::fit(&against, &[false, false, true, true]),
            Platt::PLAIN
        );
        assert!((Platt::PLAIN.probability(0.0) - 0.5).abs() < 1e-12);
        assert!(Platt::PLAIN.probability(1e30) == 1.0 && Platt::PLAIN.probability(-1e30) == 0.0);
    }
}
