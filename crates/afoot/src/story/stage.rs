//! A scene: everybody's actions when the schedule says, from where he stands, with idle motion between.
//!
//! Each actor's motion is put together as a whole and has its feet planted once. Who has no idle action
//! holds still while he waits. All actors of a scene have the same length.

use std::ops::Range;

use afoot_core::{Clip, Contacts, FrameId, Planar, Side, Vec3, clip_at};
use afoot_script::program::{Call, Program, ProgramScene, RoleId, Stand};
use afoot_script::schedule::{Duration, NeverMeets, Schedule, schedule};
use afoot_synth::FinishOptions;
use afoot_synth::finish::plant_feet;
use rayon::prelude::*;

use super::evaluate::Evaluated;
use super::motion::{Motion, Origin};
use super::strung::joined;
use super::waiting::{Wait, wait};
use crate::failure::Failure;

/// A scene that is played.
pub(crate) struct Staged {
    /// When everything happens.
    pub schedule: Schedule,
    /// Its length. [frames]
    pub frames: u32,
    /// Who is in it.
    pub parts: Vec<Part>,
}

/// Somebody's part in a scene.
pub(crate) struct Part {
    /// Who.
    pub role: RoleId,
    /// All that he does.
    pub motion: Motion,
    /// For how long he does his idle action. [frames]
    pub idle: u32,
    /// For how long he holds still because he has none. [frames]
    pub still: u32,
    /// Where he stands. [m]
    pub floor: f32,
}

/// Plays a scene.
pub(crate) fn stage(
    program: &Program,
    scene: &ProgramScene,
    made: &Evaluated,
) -> Result<Staged, Failure> {
    let duration = |call: &Call| {
        let motion = made.action(program, call.role, call.action);
        Duration {
            seconds: motion.clip.seconds(),
            frame: motion.counted.frame_time(),
        }
    };
    let durations: Vec<Duration> = scene.calls.iter().map(duration).collect();
    let schedule = schedule(scene, &durations);
    let schedule = schedule.map_err(|missed| never_meet(program, scene, missed))?;
    let frame_at = |seconds: f64| (seconds / made.rate().frame_time()).round() as u32;
    let frames = frame_at(schedule.end).max(1);
    let parts = scene.placed.par_iter().map(|(role, stand)| {
        let spans = schedule.spans.iter().enumerate();
        let own = spans.filter(|(call, _)| scene.calls[*call].role == *role);
        let mut cues: Vec<(u32, usize)> =
            own.map(|(call, span)| (frame_at(span[0]), call)).collect();
        cues.sort_unstable();
        let player = Player {
            program,
            scene,
            made,
            role: *role,
        };
        player.part(&cues, frames, stand)
    });
    let parts = parts.collect::<Result<Vec<Part>, Failure>>()?;
    Ok(Staged {
        schedule,
        frames,
        parts,
    })
}

fn never_meet(program: &Program, scene: &ProgramScene, NeverMeets(call): NeverMeets) -> Failure {
    let call = &scene.calls[call.0 as usize];
    let role = &program.cast[call.role.0 as usize];
    let action = &program.actors[role.actor.0 as usize].actions[call.action];
    Failure::bad_request(format!(
        "scene `{}`: `{}.{}` and what it is to happen with wait for each other for ever",
        scene.name, role.name, action.name
    ))
}

/// Frames between actions.
#[derive(Default)]
struct Waited {
    /// With idle motion of his own.
    idle: u32,
    /// Without any.
    still: u32,
}

/// Somebody in a scene.
struct Player<'a> {
    program: &'a Program,
    scene: &'a ProgramScene,
    made: &'a Evaluated,
    role: RoleId,
}

impl Player<'_> {
    /// Actions from their frames on, waiting between them.
    fn part(&self, cues: &[(u32, usize)], frames: u32, stand: &Stand) -> Result<Part, Failure> {
        let mut pieces: Vec<Motion> = Vec::new();
        let (mut at, mut waited) = (0, Waited::default());
        for (number, (start, call)) in cues.iter().enumerate() {
            let action = self
                .made
                .action(self.program, self.role, self.scene.calls[*call].action);
            if *start > at {
                let gap = start - at;
                self.fill(&mut pieces, Some(action), gap, &mut waited)?;
            }
            // Rounded times may let two actions touch by a frame.
            let next = cues.get(number + 1).map_or(frames, |cue| cue.0);
            let room = next.saturating_sub((*start).max(at)).max(1);
            let length = action.frames().min(room);
            pieces.push(action.cut(0..length)?);
            at = (*start).max(at) + length;
        }
        if frames > at {
            self.fill(&mut pieces, None, frames - at, &mut waited)?;
        }
        let mut motion = together(&pieces)?;
        let settled = settled_frames(&pieces, &motion.clip.contacts);
        place(&mut motion.clip, stand);
        let before = motion.clip.clone();
        plant_feet(&mut motion.clip, &FinishOptions::default());
        for frames in settled {
            keep_as_it_was(&mut motion.clip, &before, frames);
        }
        motion
            .clip
            .name
            .clone_from(&self.program.cast[self.role.0 as usize].name);
        Ok(Part {
            role: self.role,
            motion,
            idle: waited.idle,
            still: waited.still,
            floor: stand.position[1] as f32,
        })
    }

    /// Waits for what comes next.
    fn fill(
        &self,
        pieces: &mut Vec<Motion>,
        next: Option<&Motion>,
        frames: u32,
        waited: &mut Waited,
    ) -> Result<(), Failure> {
        let before = pieces.last();
        if let Some(own) = self.made.idle(self.program, self.role) {
            let waits = Wait {
                before: before.map(|motion| &motion.clip),
                after: next.map(|motion| &motion.clip),
                idle: own,
                frames,
            };
            pieces.push(wait(&waits)?);
            waited.idle += frames;
            return Ok(());
        }
        let (pose, frame) = match (before, next) {
            (Some(before), _) => (before, before.frames() - 1),
            (None, Some(next)) => (next, 0),
            (None, None) => {
                let name = &self.program.cast[self.role.0 as usize].name;
                let words = format!("`{name}` does nothing in scene `{}`", self.scene.name);
                return Err(Failure::bad_request(words));
            }
        };
        let moments = vec![f64::from(frame); frames as usize];
        pieces.push(Motion {
            clip: clip_at(&pose.clip, &moments, pose.clip.rate),
            origins: Vec::new(),
            joins: 0,
            ..pose.clone()
        });
        waited.still += frames;
        Ok(())
    }
}

/// What is done at a seam, and to feet because of it, is felt so far; and comes back within that. [s]
const FELT: f64 = 0.8;
const FADE: f64 = 1.0 / 3.0;

/// Frames whose feet are planted already and that lie away from seams, and from plants that last across one: such a
/// foot has one place before and after, which is not where it was.
fn settled_frames(pieces: &[Motion], contacts: &[Contacts]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for (number, piece) in pieces.iter().enumerate() {
        let length = piece.clip.len();
        let [felt, fade] = [FELT, FADE].map(|seconds| piece.clip.rate.frames_in(seconds));
        let start = match number {
            0 => at,
            _ => (at + felt).max(plants_across(contacts, at).end),
        };
        let end = match number + 1 == pieces.len() {
            true => at + length,
            false => {
                let across = plants_across(contacts, at + length);
                (at + length).saturating_sub(felt).min(across.start)
            }
        };
        if piece.settled && start + 2 * fade < end {
            found.push(start..end);
        }
        at += length;
    }
    found
}

/// From where to where feet stand that stand on both sides of a seam; nothing there is nothing.
fn plants_across(contacts: &[Contacts], seam: usize) -> Range<usize> {
    let across = |side: Side| {
        let planted = |contacts: &Contacts| contacts.any(Contacts::foot(side));
        let (before, after) = contacts.split_at(seam.min(contacts.len()));
        let [left, right] = [
            before.iter().rev().take_while(|c| planted(c)).count(),
            after.iter().take_while(|c| planted(c)).count(),
        ];
        match left.min(right) {
            0 => seam..seam,
            _ => seam - left..seam + right,
        }
    };
    let [left, right] = Side::BOTH.map(across);
    left.start.min(right.start)..left.end.max(right.end)
}

/// Gives some frames back as they were, fading in and out.
fn keep_as_it_was(clip: &mut Clip, before: &Clip, frames: Range<usize>) {
    let (whole, fade) = (clip.len(), clip.rate.frames_in(FADE).max(1));
    for frame in frames.clone() {
        let from_start = if frames.start == 0 {
            fade
        } else {
            frame - frames.start + 1
        };
        let to_end = if frames.end == whole {
            fade
        } else {
            frames.end - frame
        };
        let linear = (from_start.min(to_end) as f32 / fade as f32).min(1.0);
        let weight = linear * linear * (3.0 - 2.0 * linear);
        clip.root[frame] = clip.root[frame].lerp(before.root[frame], weight);
        let at = FrameId::from(frame);
        let own = clip.frame_rotations_mut(at);
        for (own, was) in own.iter_mut().zip(before.frame_rotations(at)) {
            *own = own.slerp(*was, weight).normalize();
        }
        if weight >= 1.0
            && let (Some(own), Some(was)) =
                (clip.contacts.get_mut(frame), before.contacts.get(frame))
        {
            *own = *was;
        }
    }
}

/// Pieces one after the other.
fn together(pieces: &[Motion]) -> Result<Motion, Failure> {
    let clips: Vec<Clip> = pieces.iter().map(|piece| piece.clip.clone()).collect();
    let clip = joined(&clips)?;
    let mut whole = Motion {
        counted: clip.rate,
        clip,
        origins: Vec::new(),
        joins: pieces.len() as u32 - 1,
        settled: false,
        made: Vec::new(),
    };
    let mut at = 0;
    for piece in pieces {
        whole.joins += piece.joins;
        whole.take_made(&piece.made);
        let own = piece.origins.iter().cloned();
        whole.origins.extend(own.map(|origin| Origin {
            at: origin.at + at,
            ..origin
        }));
        at += piece.frames();
    }
    Ok(whole)
}

/// Puts the first frame where somebody stands and looks.
fn place(clip: &mut Clip, stand: &Stand) {
    let point = |[x, y, z]: [f64; 3]| Vec3::new(x as f32, y as f32, z as f32);
    let (here, there) = (point(stand.position), point(stand.lookat));
    let flat = Vec3::new(there.x - here.x, 0.0, there.z - here.z);
    let own = clip.placement(FrameId(0));
    let yaw = match flat.length() > 1e-6 {
        true => f64::from(flat.x.atan2(flat.z)),
        false => own.yaw,
    };
    let wanted = Planar::new(f64::from(here.x), f64::from(here.z), yaw);
    clip.place(Planar::carrying(own, wanted));
    if here.y != 0.0 {
        clip.raise(here.y);
    }
}
