//! Where along a path the motion made for it gives up: corners that it cuts or shuffles through.
//!
//! A graph has the turns that were captured and no others. What a sharp corner asks beyond them shows
//! in two ways: the walker does not come near it, or dwells there, to and fro, until some turn is
//! done. In: the path and the root's trace over the finished motion. Out: places along the path, with
//! the angle that it turns by there, so that a person can round them off. Cost: linear in the trace.

use afoot_core::{FrameRate, wrap_angle};

use crate::guide::{Guide, GuideOptions};
use crate::path::{GroundPath, arc_lengths, distance_squared};

/// Farther from the path than this it is missed. [m]
const MISSED: f64 = 0.3;
/// Time is counted over this much of the path to either side, and the turn too. [m]
const AROUND: f64 = 0.5;
/// Dwelling takes so many times the usual, and so much more at least: a sharp turn of a captured walker
/// takes a second more. [s]
const TIMES: f64 = 2.5;
const LONGER: f64 = 1.5;
/// How finely the path is looked at. [m]
const STEP: f64 = 0.1;
/// Ends of a path at which one may stand. [m]
const ENDS: f64 = 0.75;

/// A place of a path that the motion does not do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HardPlace {
    /// Where, along the path. [m]
    pub along: f64,
    /// How much of the path around it is as hard. [m]
    pub length: f64,
    /// How much the path turns there, to the left if it is positive. [rad]
    pub turn: f64,
    /// How far the walker stays from it. [m]
    pub missed: f64,
    /// How long it takes him over the metre around it. [s]
    pub seconds: f64,
    /// How long a metre takes him as a rule. [s]
    pub usual: f64,
}

/// Dwelling for so much longer than usual over a metre, and for so many times as long, is no turn on the
/// spot, which takes two or three seconds, but shuffling to and fro. [s]
const SHUFFLED: f64 = 4.0;
const SHUFFLED_TIMES: f64 = 3.0;

impl HardPlace {
    /// Whether the walker goes to and fro there.
    pub(crate) fn is_shuffled(&self) -> bool {
        self.seconds > (self.usual + SHUFFLED).max(SHUFFLED_TIMES * self.usual)
    }

    /// Whether he does so on and on, beyond any corner.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.is_shuffled() && self.length > 3.0 * AROUND
    }
}

/// The places of a path that a motion misses or dwells at.
pub fn find_hard_places(path: &GroundPath, trace: &[[f64; 2]], rate: FrameRate) -> Vec<HardPlace> {
    let guide = path.guide(&GuideOptions::default());
    let places = places_along(&guide, trace);
    let asked = arc_lengths(path.points());
    // A guide's corners are rounder, and it is a little shorter: what is missed is what was asked for.
    let shorter = guide.length() / path.length().max(f64::MIN_POSITIVE);
    let count = (guide.length() / STEP) as usize;
    let even = (0..=count).map(|index| index as f64 * STEP);
    let mut alongs: Vec<f64> = even.chain(asked.iter().map(|arc| arc * shorter)).collect();
    alongs.sort_unstable_by(f64::total_cmp);
    let looks: Vec<HardPlace> = (alongs.into_iter())
        .map(|along| (along, path.point_at(along / shorter)))
        .map(|at| look(&guide, trace, &places, at, rate))
        .collect();
    let usual = median(looks.iter().map(|look| look.seconds));
    let is_hard = |look: &HardPlace| {
        let inside = look.along > ENDS && look.along < guide.length() - ENDS;
        let dwells = look.seconds > TIMES * usual && look.seconds > usual + LONGER;
        look.missed > MISSED || (dwells && (inside || guide.is_closed()))
    };
    let mut hard: Vec<Vec<HardPlace>> = Vec::new();
    for look in looks.into_iter().filter(is_hard) {
        let look = HardPlace { usual, ..look };
        let near = |places: &&mut Vec<HardPlace>| {
            let last = places.last();
            last.is_some_and(|last| look.along - last.along < 2.0 * AROUND)
        };
        match hard.last_mut().filter(near) {
            Some(places) => places.push(look),
            None => hard.push(vec![look]),
        }
    }
    hard.iter().map(|places| corner_of(places)).collect()
}

/// One place for several next to each other: their middle, and the worst of each.
fn corner_of(places: &[HardPlace]) -> HardPlace {
    let most = |of: fn(&HardPlace) -> f64| places.iter().map(of).fold(0.0, f64::max);
    let ends = [places.first(), places.last()].map(|end| end.map_or(0.0, |place| place.along));
    HardPlace {
        length: ends[1] - ends[0],
        missed: most(|place| place.missed),
        seconds: most(|place| place.seconds),
        ..places[places.len() / 2]
    }
}

/// How far ahead on the path a frame is looked for: beyond what is walked in a frame, so that a corner
/// may be cut, and nearer than where a path comes back to itself. [m]
const AHEAD: f64 = 1.0;

/// How far along the path each frame is; never back.
fn places_along(guide: &Guide, trace: &[[f64; 2]]) -> Vec<f64> {
    let mut along = 0.0;
    let advance = |point: &[f64; 2]| {
        along = guide.nearest_between(*point, along, along + AHEAD).0;
        along
    };
    trace.iter().map(advance).collect()
}

fn look(
    guide: &Guide,
    trace: &[[f64; 2]],
    places: &[f64],
    (along, here): (f64, [f64; 2]),
    rate: FrameRate,
) -> HardPlace {
    let near = |reach: f64| {
        let from = places.partition_point(|place| *place < along - reach);
        from..places.partition_point(|place| *place <= along + reach)
    };
    // Who dwells is counted at one place for long, so a little more of the trace is looked at.
    let nearest = trace[near(2.0 * AROUND)]
        .iter()
        .map(|point| distance_squared(*point, here))
        .fold(f64::INFINITY, f64::min);
    let within = near(AROUND);
    let length = (along + AROUND).min(guide.length()) - (along - AROUND).max(0.0);
    let seconds = within.len() as f64 * rate.frame_time();
    HardPlace {
        along,
        length: 0.0,
        turn: wrap_angle(guide.yaw_at(along + AROUND) - guide.yaw_at((along - AROUND).max(0.0))),
        missed: if nearest.is_finite() {
            nearest.sqrt()
        } else {
            0.0
        },
        seconds: seconds / length.max(AROUND),
        usual: 0.0,
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: FrameRate = FrameRate::FPS_30;

    /// A path of 3 m, a right angle, 3 m, and a walk of 1.2 m/s along `corners`, with `pause` frames at
    /// the second of them.
    fn check(corners: &[[f64; 2]], pause: usize) -> Vec<HardPlace> {
        let path = GroundPath::new(vec![[0.0, 0.0], [0.0, 3.0], [3.0, 3.0]]).unwrap();
        let walked = GroundPath::new(corners.to_vec()).unwrap();
        let frames = (walked.length() / 0.04) as usize;
        let mut trace: Vec<[f64; 2]> = Vec::new();
        let turning = walked.points()[1];
        for frame in 0..=frames {
            let point = walked.point_at(frame as f64 * 0.04);
            trace.push(point);
            if distance_squared(point, turning) < 0.021 * 0.021 && trace.len() < frames {
                trace.extend(std::iter::repeat_n(point, pause));
            }
        }
        find_hard_places(&path, &trace, RATE)
    }

    #[test]
    fn a_corner_that_is_walked_is_not_said() {
        assert_eq!(check(&[[0.0, 0.0], [0.0, 3.0], [3.0, 3.0]], 0), []);
        // A second at the corner is a captured turn.
        assert_eq!(check(&[[0.0, 0.0], [0.0, 3.0], [3.0, 3.0]], 30), []);
    }

    #[test]
    fn a_corner_that_is_dwelt_at_is() {
        let hard = check(&[[0.0, 0.0], [0.0, 3.0], [3.0, 3.0]], 120);
        assert_eq!(hard.len(), 1, "{hard:?}");
        let place = hard[0];
        assert!((place.along - 3.0).abs() < 0.3, "{place:?}");
        assert!(
            (place.turn.abs() - std::f64::consts::FRAC_PI_2).abs() < 0.2,
            "{place:?}"
        );
        assert!(place.seconds > 4.0 && place.usual < 1.0, "{place:?}");
    }

    #[test]
    fn a_corner_is_missed_where_it_is() {
        // Walked past at 0.33 m: its rounded guide lies nearer, as do places a tenth of a metre apart.
        let cut = 0.33 * 2f64.sqrt();
        let walked = [[0.0, 0.0], [0.0, 3.04 - cut], [cut, 3.04], [3.0, 3.04]];
        let path = GroundPath::new(vec![[0.0, 0.0], [0.0, 3.04], [3.0, 3.04]]).unwrap();
        let walked = GroundPath::new(walked.to_vec()).unwrap();
        let frames = (walked.length() / 0.04) as usize;
        let at = |frame: usize| walked.point_at(frame as f64 * 0.04);
        let trace: Vec<[f64; 2]> = (0..=frames).map(at).collect();
        let hard = find_hard_places(&path, &trace, RATE);
        assert_eq!(hard.len(), 1, "{hard:?}");
        assert!((hard[0].missed - 0.33).abs() < 0.01, "{hard:?}");
    }

    #[test]
    fn a_corner_that_is_cut_is() {
        let hard = check(&[[0.0, 0.0], [0.0, 2.0], [1.0, 3.0], [3.0, 3.0]], 0);
        assert_eq!(hard.len(), 1, "{hard:?}");
        assert!(
            hard[0].missed > 0.5 && (hard[0].along - 3.0).abs() < 0.6,
            "{hard:?}"
        );
    }
}
