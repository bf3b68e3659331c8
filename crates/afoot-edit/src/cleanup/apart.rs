//! Lower legs that don't come through each other.
//!
//! Shin and foot of one leg stay as far from shin and foot of the other as they were, or as is enough,
//! whichever is less. A gap is seen along the line on which it was: along the present one, legs that once
//! passed through each other would be pushed on. Knees go half with the root and half with the ankle.

use afoot_core::{Vec3, segment_gap};

use super::foot::Foot;
use super::joint::Shifts;

/// As far apart as lower legs need to be, from axis to axis: captured walkers come to 5 to 9 cm. [m]
const ENOUGH: f32 = 0.06;
/// Shifts are smaller than this, so that legs so much farther apart need not be looked at. [m]
const FAR: f32 = 0.1;

/// The gaps between lower legs that are near each other.
pub struct Gaps {
    gaps: Vec<Gap>,
    /// Which of them are a frame's: from its number to the next one's.
    starts: Vec<u32>,
}

/// A gap between two bones, linear in the shifts.
pub struct Gap {
    pub slopes: Shifts,
    /// What slopes times shifts shall be at least. [m]
    pub least: f64,
}

impl Gap {
    /// Whether it is too small at some shifts.
    pub fn is_short(&self, shifts: &Shifts) -> bool {
        let grown: f64 = (self.slopes.iter().zip(shifts))
            .map(|(a, b)| a.dot(*b))
            .sum();
        grown < self.least
    }
}

impl Gaps {
    /// The gaps between two feet; of one foot there are none.
    pub fn new(feet: &[Foot]) -> Self {
        let mut found = Self {
            gaps: Vec::new(),
            starts: vec![0],
        };
        if let [left, right] = feet {
            for frame in 0..left.leg.len() {
                let legs = [left, right].map(|foot| lower_leg(foot, frame));
                if !farther_than(ENOUGH + FAR, &legs) {
                    found.gaps.extend(gaps_between(&legs));
                }
                found.starts.push(found.gaps.len() as u32);
            }
        }
        found
    }

    /// Those of a frame.
    pub fn at(&self, frame: usize) -> &[Gap] {
        match self.starts.get(frame..frame + 2) {
            Some(&[start, end]) => &self.gaps[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Knee, ankle and ball.
type LowerLeg = [Vec3; 3];

fn lower_leg(foot: &Foot, frame: usize) -> LowerLeg {
    let leg = foot.leg;
    [leg.knee[frame], leg.ankle[frame], foot.points[2][frame]]
}

/// Whether two lower legs are surely farther apart than that.
fn farther_than(reach: f32, [one, two]: &[LowerLeg; 2]) -> bool {
    (0..3).any(|axis| {
        let span = |leg: &LowerLeg| {
            let values = leg.map(|point| point[axis]);
            (
                values.into_iter().fold(f32::INFINITY, f32::min),
                values.into_iter().fold(f32::NEG_INFINITY, f32::max),
            )
        };
        let (one, two) = (span(one), span(two));
        one.0 - two.1 > reach || two.0 - one.1 > reach
    })
}

/// The gaps between either bone of one and either of the other that are small.
fn gaps_between([one, two]: &[LowerLeg; 2]) -> impl Iterator<Item = Gap> {
    let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
    pairs.into_iter().filter_map(|(i, j)| {
        let nearest = segment_gap([one[i], one[i + 1]], [two[j], two[j + 1]]);
        let (gap, ends) = (nearest.length(), nearest.shares);
        let away = (nearest.way)
            .try_normalize()
            .filter(|_| gap < ENOUGH + FAR)?
            .as_dvec3();
        // Below the ankle all goes with it; above, the less the nearer to the knee.
        let with_ankle = [(i, ends[0]), (j, ends[1])].map(|(bone, end)| match bone {
            0 => f64::from(0.5 + 0.5 * end),
            _ => 1.0,
        });
        Some(Gap {
            slopes: [
                away * with_ankle[0],
                -away * with_ankle[1],
                away * (with_ankle[1] - with_ankle[0]),
            ],
            least: f64::from((ENOUGH - gap).min(0.0)),
        })
    })
}
