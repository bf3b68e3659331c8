//! Excursions: a joint that flips to where it does not belong, and back some frames later.
//!
//! Lost or swapped markers turn a foot backwards for the length of a swing, again and again; its flips
//! are then so usual in the clip that no ratio tells them ([`super::flips`]). What tells them is that
//! they come in pairs: the joint turns by a wide angle faster than such joints turn, and as fast back
//! to where it was. Ankles turn over some 70 degrees in all, so for feet 40 degrees in a frame are
//! enough, and one alone is a fault; other joints must turn faster than any kick. The shorter of two
//! neighbouring stretches is the wrong one. Out: a bridge where that is calmer, else marked frames.
//! Weakness: a foot that is wrong for most of the clip makes the right stretches look wrong.

use std::ops::Range;

use afoot_core::{Clip, FrameRate, JointId, Range32, Role};

use super::bridge::calms;
use super::flips::{Flip, body_joints, turn_between, turns};
use super::{FaultKind, FaultOptions, Finding, Remedy};
use crate::series::runs;

/// Least angle of a flip, and least speed: of a foot, and of any other joint. The knee of a kick
/// reaches 1700 degrees a second, ankles in sprints 1000. [degrees, degrees/s]
const FOOT: (f32, f32) = (40.0, 1440.0);
const OTHER: (f32, f32) = (60.0, 2700.0);
/// A flip spreads over the neighbouring steps that turn at least this share of what a flip does:
/// resampling blurs it.
const EDGE: f32 = 0.3;
/// Longest excursion: a swing lasts 0.4 s. [s]
const LONGEST: f64 = 0.6;
/// Share of the smaller flip by which the joint may end elsewhere than it began.
const BACK: f32 = 0.6;

/// One finding per excursion of a foot within `kept`, foot by foot.
pub fn of_feet(
    clip: &Clip,
    kept: Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
) -> Vec<Finding> {
    find_excursions(clip, kept, rate, options, |search| search.is_foot())
}

/// One finding per excursion of any other joint but the root, hands and toes.
pub fn of_other_joints(
    clip: &Clip,
    kept: Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
) -> Vec<Finding> {
    find_excursions(clip, kept, rate, options, |search| !search.is_foot())
}

fn find_excursions(
    clip: &Clip,
    kept: Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
    chosen: impl Fn(&Search) -> bool,
) -> Vec<Finding> {
    let search = |joint: JointId| Search {
        clip,
        joint,
        kept: kept.clone(),
        rate,
        options,
    };
    let joints = body_joints(&clip.skeleton).into_iter().skip(1);
    joints
        .map(search)
        .filter(chosen)
        .flat_map(|search| search.excursions())
        .collect()
}

struct Search<'a> {
    clip: &'a Clip,
    joint: JointId,
    kept: Range<usize>,
    rate: FrameRate,
    options: &'a FaultOptions,
}

/// Neighbouring steps of one flip: the frames that they lead into, and the widest.
#[derive(Clone)]
struct Edge {
    frames: Range<usize>,
    worst: Flip,
}

impl Search<'_> {
    fn excursions(&self) -> Vec<Finding> {
        let edges = self.edges();
        let mut findings = Vec::new();
        let mut next = 0;
        while let Some(edge) = edges.get(next) {
            let pair = [
                Some((edge, edge, 1)),
                edges.get(next + 1).map(|last| (edge, last, 2)),
            ];
            let closed = pair
                .into_iter()
                .flatten()
                .find(|(first, last, _)| self.returns(first, last))
                .filter(|(_, last, _)| self.is_shortest(edge, last, edges.get(next + 2)));
            match closed {
                Some((first, last, taken)) => {
                    findings.push(self.excursion(first, last));
                    next += taken;
                }
                None => {
                    findings.extend(self.is_foot().then(|| self.lasting(edge)));
                    next += 1;
                }
            }
        }
        findings
    }

    fn is_foot(&self) -> bool {
        let role = self.clip.skeleton.joint(self.joint).role;
        matches!(role, Some(Role::Foot(_)))
    }

    fn edges(&self) -> Vec<Edge> {
        let (angle, speed) = if self.is_foot() { FOOT } else { OTHER };
        let least = (speed * self.rate.frame_time() as f32)
            .max(angle)
            .to_radians();
        let steps = turns(self.clip, self.joint, self.kept.clone());
        let first = self.kept.start + 1;
        let edge = |run: Range<usize>| {
            let widest = run
                .clone()
                .max_by(|&a, &b| steps[a].total_cmp(&steps[b]))
                .filter(|&step| steps[step] >= least)?;
            Some(Edge {
                frames: first + run.start..first + run.end,
                worst: Flip {
                    frame: (first + widest) as u32,
                    joint: self.joint,
                    angle: steps[widest],
                    distance: 0.0,
                },
            })
        };
        runs(steps.len(), |step| steps[step] >= EDGE * least)
            .into_iter()
            .filter_map(edge)
            .collect()
    }

    /// The frames from the first step of one edge to the last of another.
    fn frames(&self, first: &Edge, last: &Edge) -> Range<usize> {
        first.frames.start..last.frames.end - 1
    }

    fn turn(&self, from: usize, to: usize) -> f32 {
        let at = |frame: usize| self.clip.rotation(frame.into(), self.joint);
        turn_between(at(from), at(to))
    }

    /// Whether the joint is back where it was, soon.
    fn returns(&self, first: &Edge, last: &Edge) -> bool {
        let frames = self.frames(first, last);
        let smaller = first.worst.angle.min(last.worst.angle);
        !frames.is_empty()
            && frames.len() <= self.rate.frames_in(LONGEST)
            && self.turn(frames.start - 1, frames.end) < BACK * smaller
    }

    /// Whether the stretch up to the next edge is not the one that is out of place instead.
    fn is_shortest(&self, first: &Edge, last: &Edge, next: Option<&Edge>) -> bool {
        let own = self.frames(first, last).len();
        next.is_none_or(|next| {
            !self.returns(last, next) || self.frames(last, next).len() >= own || own < 3
        })
    }

    fn excursion(&self, first: &Edge, last: &Edge) -> Finding {
        let frames = self.frames(first, last);
        let remedy = match calms(self.clip, &frames, &[self.joint]) {
            true => Remedy::Bridge,
            false => Remedy::Mark,
        };
        let mut flips = vec![first.worst, last.worst];
        flips.dedup();
        let words = format!(
            "{} turns {:.0}° into frame {} and back by frame {}",
            self.clip.skeleton.joint(self.joint).name,
            first.worst.angle.to_degrees(),
            first.worst.frame,
            frames.end,
        );
        self.finding(frames, flips, remedy, words)
    }

    /// A foot that flips and does not flip back. Where it goes back by and by, that is bridged; else
    /// the frames around it are marked, and those beyond it if the clip hardly goes on.
    fn lasting(&self, edge: &Edge) -> Finding {
        let (start, end) = (edge.frames.start, edge.frames.end);
        let beside = self
            .rate
            .frames_in(f64::from(self.options.bridge_seconds / 2.0));
        let settled = (1..=2)
            .map(|times| start..end + times * beside)
            .find(|frames| {
                frames.end < self.kept.end
                    && self.turn(start - 1, frames.end) < BACK * edge.worst.angle
                    && calms(self.clip, frames, &[self.joint])
            });
        let reach = self.rate.frames_in(LONGEST);
        let spoilt_from = match start - self.kept.start <= reach {
            true => self.kept.start,
            false => start - beside,
        };
        let spoilt_to = match self.kept.end - end <= reach {
            true => self.kept.end,
            false => end + beside,
        };
        let (frames, remedy) = match settled {
            Some(frames) => (frames, Remedy::Bridge),
            None => (spoilt_from..spoilt_to, Remedy::Mark),
        };
        let words = format!(
            "{} turns {:.0}° into frame {}",
            self.clip.skeleton.joint(self.joint).name,
            edge.worst.angle.to_degrees(),
            edge.worst.frame,
        );
        self.finding(frames, vec![edge.worst], remedy, words)
    }

    fn finding(
        &self,
        frames: Range<usize>,
        flips: Vec<Flip>,
        remedy: Remedy,
        words: String,
    ) -> Finding {
        Finding {
            kind: FaultKind::Excursion,
            frames: Range32 {
                start: frames.start as u32,
                end: frames.end as u32,
            },
            joint: Some(self.joint),
            joints: vec![self.joint],
            flips,
            remedy,
            words: format!("astray: {words}"),
            certain: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{FOOT as ANKLE, LEG, swaying, turn};
    use super::super::{find_faults, repair_faults};
    use super::*;

    fn found(clip: &Clip) -> Vec<(Remedy, u32, u32)> {
        find_faults(clip, None, &FaultOptions::default())
            .iter()
            .filter(|finding| finding.kind == FaultKind::Excursion)
            .map(|finding| (finding.remedy, finding.frames.start, finding.frames.end))
            .collect()
    }

    /// A foot that is turned backwards in every swing, as marker swaps do it.
    fn backwards(frames: usize, swings: impl Iterator<Item = Range<usize>>) -> Clip {
        let mut clip = swaying(frames, 30);
        for frame in swings.flatten() {
            turn(&mut clip, frame, ANKLE, 170.0);
        }
        clip
    }

    #[test]
    fn a_foot_that_flips_in_every_step_is_bridged_each_time() {
        let swing = |step: usize| 20 + 30 * step..31 + 30 * step;
        let mut clip = backwards(300, (0..9).map(swing));
        let expected: Vec<(Remedy, u32, u32)> = (0..9)
            .map(|step| (Remedy::Bridge, 20 + 30 * step, 31 + 30 * step))
            .collect();
        assert_eq!(found(&clip), expected);
        let findings = find_faults(&clip, None, &FaultOptions::default());
        repair_faults(&mut clip, &findings);
        assert_eq!(found(&clip), []);
        let good = swaying(300, 30);
        let pairs = clip.rotations.iter().zip(&good.rotations);
        let off = pairs.map(|(&a, &b)| turn_between(a, b)).fold(0.0, f32::max);
        assert!(
            off < 0.5,
            "a swing bridged evenly is about as it was: {off}"
        );
    }

    #[test]
    fn pairs_of_60_to_120_degrees_within_a_frame_are_found() {
        for degrees in [60.0, 90.0, 120.0] {
            let mut clip = swaying(300, 30);
            for frame in [40, 41, 100, 180, 181, 182] {
                turn(&mut clip, frame, ANKLE, degrees);
            }
            let bridged = [(40, 42), (100, 101), (180, 183)];
            assert_eq!(found(&clip), bridged.map(|(a, b)| (Remedy::Bridge, a, b)));
        }
    }

    #[test]
    fn a_foot_that_stays_wrong_is_marked() {
        let clip = backwards(300, std::iter::once(100..300));
        assert_eq!(found(&clip), [(Remedy::Mark, 98, 103)]);
        let clip = backwards(300, std::iter::once(290..300));
        assert_eq!(found(&clip), [(Remedy::Mark, 288, 300)]);
    }

    #[test]
    fn quick_feet_and_kicks_are_not() {
        let mut clip = swaying(300, 30);
        for frame in 100..110 {
            let swing = (frame - 100) as f32 / 10.0 * std::f32::consts::TAU;
            turn(&mut clip, frame, ANKLE, 30.0 * (1.0 - swing.cos()));
            turn(&mut clip, frame, LEG, 60.0 * (1.0 - swing.cos()));
        }
        assert_eq!(found(&clip), []);
    }
}
