//! From single flips to spoilt stretches, each with what is to be done about it.
//!
//! Flips close in time belong together: a joint flips wrong, and some frames later back. A short
//! stretch is bridged, or cut off if it lies at an end of the clip; a long one is marked, or cut off
//! if hardly anything follows. A flip without a way back is a step between two good stretches: it is
//! spread over `bridge_seconds`, unless even that would be faster than a flip. Bridges that would
//! accelerate more than the raw frames are marked instead. Where the root itself flips, its children
//! flip against it, so the whole is one root jump. Flips that move nothing far (a thigh that twists
//! and a shin that twists back) spoil no frames but their own: bridged or left alone, never cut off.

use std::ops::Range;

use afoot_core::{Clip, FrameId, FrameRate, JointId, Range32, Role, cut_clip, forward_kinematics};

use super::bridge::{calms, with_children};
use super::flips::{Flip, turn_between};
use super::{FaultKind, FaultOptions, Finding, Remedy};

/// A flip that moves no joint farther is slight: as far as feet wobble in captured stances. [m]
const SLIGHT: f32 = 0.05;

/// One finding per spoilt stretch, in order.
pub fn judge_flips(
    clip: &Clip,
    flips: &[Flip],
    kept: Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
) -> Vec<Finding> {
    let judge = Judge {
        clip,
        rate,
        options,
    };
    let root_frames: Vec<u32> = flips
        .iter()
        .filter(|flip| flip.joint == JointId(0))
        .map(|flip| flip.frame)
        .collect();
    let (root, joints): (Vec<Flip>, Vec<Flip>) = flips
        .iter()
        .partition(|flip| root_frames.contains(&flip.frame));
    let (far, slight) = judge.far_and_slight(&joints);
    let mut findings = judge.slight_stretches(&slight, &kept);
    let mut kept = kept;
    findings.extend(judge.stretches(&root, &mut kept));
    findings.extend(judge.stretches(&far, &mut kept));
    findings.sort_by_key(|finding| finding.frames);
    findings
}

struct Judge<'a> {
    clip: &'a Clip,
    rate: FrameRate,
    options: &'a FaultOptions,
}

impl Judge<'_> {
    fn frames(&self, seconds: f32) -> u32 {
        self.rate.frames_in(f64::from(seconds)) as u32
    }

    /// Flips that move something far, with what flips beside them, and the others; slight ones of
    /// feet are left out, which wobble as far in many captures.
    fn far_and_slight(&self, flips: &[Flip]) -> (Vec<Flip>, Vec<Flip>) {
        let far: Vec<u32> = flips
            .iter()
            .filter(|flip| self.moves(flip) >= SLIGHT)
            .map(|flip| flip.frame)
            .collect();
        let beside = self.frames(self.options.bridge_seconds);
        let (far, mut slight): (Vec<Flip>, Vec<Flip>) = flips
            .iter()
            .partition(|flip| far.iter().any(|far| far.abs_diff(flip.frame) <= beside));
        let role = |flip: &Flip| self.clip.skeleton.joint(flip.joint).role;
        slight.retain(|flip| !matches!(role(flip), Some(Role::Foot(_))));
        (far, slight)
    }

    /// How far a flip carries its joint and what hangs on it, beyond how far they move in the step
    /// before or after, seen from the joint or from the root. [m]
    fn moves(&self, flip: &Flip) -> f32 {
        let (first, end) = (flip.frame.saturating_sub(2), flip.frame + 2);
        let end = end.min(self.clip.len() as u32);
        let Ok(around) = cut_clip(self.clip, first..end) else {
            return 0.0;
        };
        let positions = forward_kinematics(&around);
        let step = |to: u32, joint: usize, from: JointId| {
            let seen = |frame: u32| {
                let points = positions.frame(FrameId(frame - first));
                points[joint] - points[from.index()]
            };
            let known = to > first && to < end;
            known.then(|| seen(to - 1).distance(seen(to)))
        };
        let moved = |joint: usize| {
            [flip.joint, JointId(0)].map(|from| {
                let beside = [flip.frame - 1, flip.frame + 1].map(|to| step(to, joint, from));
                let usual = beside.into_iter().flatten().reduce(f32::min);
                step(flip.frame, joint, from).unwrap_or(0.0) - usual.unwrap_or(0.0)
            })
        };
        with_children(&self.clip.skeleton, &[flip.joint])
            .into_iter()
            .flat_map(moved)
            .fold(0.0, f32::max)
    }

    fn slight_stretches(&self, flips: &[Flip], kept: &Range<usize>) -> Vec<Finding> {
        let gap = self.frames(self.options.bridge_seconds);
        let judge = |group: &[Flip]| {
            let (frames, remedy) = self.bridge(group, kept);
            let bridged = remedy == Remedy::Bridge;
            Finding {
                certain: bridged,
                remedy: if bridged { remedy } else { Remedy::None },
                ..self.finding(group, frames, remedy)
            }
        };
        flips
            .chunk_by(|a, b| b.frame - a.frame <= gap)
            .map(judge)
            .collect()
    }

    /// Joins flips that are close in time; what is cut off an end is gone for the stretches after.
    fn stretches(&self, flips: &[Flip], kept: &mut Range<usize>) -> Vec<Finding> {
        let gap = self.frames(self.options.join_seconds);
        let mut findings = Vec::new();
        for group in flips.chunk_by(|a, b| b.frame - a.frame <= gap) {
            let inside = |flip: &&Flip| (kept.start + 1..kept.end).contains(&(flip.frame as usize));
            let group: Vec<Flip> = group.iter().filter(inside).copied().collect();
            if group.is_empty() {
                continue;
            }
            let finding = self.stretch(&group, kept);
            let frames = finding.frames;
            match finding.remedy {
                Remedy::Drop if frames.start as usize <= kept.start => {
                    kept.start = frames.end as usize;
                }
                Remedy::Drop => kept.end = frames.start as usize,
                _ => {}
            }
            findings.push(finding);
        }
        findings
    }

    fn stretch(&self, flips: &[Flip], kept: &Range<usize>) -> Finding {
        let (first, last) = (flips[0].frame, flips[flips.len() - 1].frame);
        let (start, end) = (kept.start as u32, kept.end as u32);
        let short = last - first <= self.frames(self.options.bridge_seconds);
        let edge = self.frames(match short {
            true => self.options.edge_seconds,
            false => self.options.least_rest_seconds,
        });
        let (frames, remedy) = if first - start <= edge && end - last > edge {
            (start..last, Remedy::Drop)
        } else if end - last <= edge && first - start > edge {
            (first..end, Remedy::Drop)
        } else if short {
            self.bridge(flips, kept)
        } else {
            (first..last, Remedy::Mark)
        };
        self.finding(flips, frames, remedy)
    }

    /// The narrowest frames between which the joints no longer flip; marked if there are none.
    fn bridge(&self, flips: &[Flip], kept: &Range<usize>) -> (Range<u32>, Remedy) {
        let (first, last) = (flips[0].frame, flips[flips.len() - 1].frame);
        let half = (self.frames(self.options.bridge_seconds) / 2).max(1);
        let (start, end) = (kept.start as u32, kept.end as u32);
        let wide = first.saturating_sub(half).max(start + 1)..(last + half).min(end - 1);
        let bridgeable = [first..last, wide].into_iter().find(|frames| {
            !frames.is_empty() && self.is_calm_across(flips, frames) && {
                let frames = frames.start as usize..frames.end as usize;
                calms(self.clip, &frames, &spoilt_joints(flips))
            }
        });
        match bridgeable {
            Some(frames) => (frames, Remedy::Bridge),
            None => {
                let spoilt = first.saturating_sub(half).max(start)..(last + half).min(end);
                (spoilt, Remedy::Mark)
            }
        }
    }

    /// Whether an even turn from the frame before `frames` to the one after is slower than a flip.
    fn is_calm_across(&self, flips: &[Flip], frames: &Range<u32>) -> bool {
        let (from, to) = (frames.start - 1, frames.end);
        let seconds = (to - from) as f32 * self.rate.frame_time() as f32;
        let at = |frame: u32, joint| self.clip.rotation(FrameId(frame), joint);
        let leap = self.clip.root[from as usize].distance(self.clip.root[to as usize]);
        let leaps = flips.iter().any(|flip| flip.distance > 0.0)
            && leap > self.options.root_speed * seconds;
        let turns = flips.iter().any(|flip| {
            turn_between(at(from, flip.joint), at(to, flip.joint))
                > self.options.flip_speed * seconds
        });
        !leaps && !turns
    }

    fn finding(&self, flips: &[Flip], frames: Range<u32>, remedy: Remedy) -> Finding {
        let root = flips.iter().any(|flip| flip.joint == JointId(0));
        let worst = flips.iter().max_by(|a, b| a.angle.total_cmp(&b.angle));
        let joint = if root {
            Some(JointId(0))
        } else {
            worst.map(|flip| flip.joint)
        };
        Finding {
            kind: match root {
                true => FaultKind::RootJump,
                false => FaultKind::Spike,
            },
            joint,
            words: self.words(flips, root),
            frames: Range32 {
                start: frames.start,
                end: frames.end,
            },
            joints: spoilt_joints(flips),
            flips: flips.to_vec(),
            remedy,
            certain: true,
        }
    }

    fn words(&self, flips: &[Flip], root: bool) -> String {
        let what = if root { "root jump" } else { "spike" };
        let shown: Vec<String> = flips
            .chunk_by(|a, b| a.frame == b.frame)
            .map(|flips| self.frame_words(flips, root))
            .collect();
        format!("{what}: {}", shown.join("; "))
    }

    fn frame_words(&self, flips: &[Flip], root: bool) -> String {
        let mut parts: Vec<String> = flips
            .iter()
            .filter(|flip| !root || flip.joint == JointId(0))
            .map(|flip| self.flip_words(flip))
            .collect();
        if parts.is_empty() {
            parts.push("joints turn".into());
        }
        format!("{} into frame {}", parts.join(", "), flips[0].frame)
    }

    fn flip_words(&self, flip: &Flip) -> String {
        let name = &self.clip.skeleton.joint(flip.joint).name;
        match flip.distance > 0.0 {
            true => format!("{name} leaps {:.2} m", flip.distance),
            false => format!("{name} turns {:.0}°", flip.angle.to_degrees()),
        }
    }
}

/// The joints that flip; the root alone where it is among them, since all hangs on it.
fn spoilt_joints(flips: &[Flip]) -> Vec<JointId> {
    let mut joints: Vec<JointId> = flips.iter().map(|flip| flip.joint).collect();
    joints.sort();
    joints.dedup();
    if joints.first() == Some(&JointId(0)) {
        joints.truncate(1);
    }
    joints
}
