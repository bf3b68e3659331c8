//! Idle motion for an actor who waits (Shanbhag 2006, §7.5): where he enters it, where he goes back within
//! it and where he leaves it are chosen together, so that the whole is least unlike where it meets.
//!
//! Dynamic programming over the frames of the idle motion, a step a frame of the gap: playing on costs
//! nothing, a join the error of the frames that meet (Shanbhag 2006, eq. 4.1) and a little more. Cost:
//! frames of the gap times frames of the idle motion times a few; memory: the frames that a join is best for.

use afoot_core::{Clip, ClipId, FrameId};
use afoot_graph::clusters::{LibraryFrames, library_frames};

use super::motion::Motion;
use super::strung::{Stretch, string_together};
use crate::failure::Failure;

/// What every join costs beside its error, so that there are few. [m]
const JOIN: f32 = 0.02;
/// Frames that a join may lead to, of each frame.
const CHOICES: usize = 6;
/// Frames on either side of a join, for its blend. [s]
const ROOM: f64 = 0.3;
/// Joins that lead over less time are a stutter. [s]
const LEAST_JOIN: f64 = 0.7;

/// Who waits: after what, before what, doing what.
pub(super) struct Wait<'a> {
    /// What he did, if anything.
    pub before: Option<&'a Clip>,
    /// What he will do, if anything.
    pub after: Option<&'a Clip>,
    /// What he does meanwhile.
    pub idle: &'a Motion,
    /// For how long. [frames, 1..]
    pub frames: u32,
}

/// Idle motion of that length.
pub(super) fn wait(wait: &Wait) -> Result<Motion, Failure> {
    let stretches = choose(wait)?;
    let made = string_together(&[wait.idle], &stretches, None)?;
    debug_assert_eq!(made.frames(), wait.frames);
    Ok(made)
}

fn choose(wait: &Wait) -> Result<Vec<Stretch>, Failure> {
    let edge = |clip: Option<&Clip>| clip.unwrap_or(&wait.idle.clip).clone();
    let clips = [wait.idle.clip.clone(), edge(wait.before), edge(wait.after)];
    let frames = library_frames(&clips, None)?;
    let idle = wait.idle.frames() as usize;
    let error = |clip: u32, at: usize, frame: usize| {
        let index = |clip: u32, at: usize| frames.index(ClipId(clip), FrameId::from(at));
        frames.error(index(clip, at), index(0, frame))
    };
    let entry = |frame: usize| match wait.before {
        Some(clip) => error(1, clip.len() - 1, frame),
        None => 0.0,
    };
    let exit = |frame: usize| match wait.after {
        Some(_) => error(2, 0, frame),
        None => 0.0,
    };
    let joins = joins_into(&frames, idle);
    let mut ways = Ways::entered((0..idle).map(entry).collect());
    for _ in 1..wait.frames {
        ways.go_on(&joins);
    }
    let ends = (0..idle).map(|frame| ways.cost[frame] + exit(frame));
    let ends = ends.enumerate().min_by(|x, y| x.1.total_cmp(&y.1));
    let Some((end, total)) = ends else {
        return Err(Failure::no_motion("the idle motion has no frames"));
    };
    if !total.is_finite() {
        let words = format!(
            "the idle motion {:?} is too short to wait for {} frames: it never looks like itself",
            wait.idle.clip.name, wait.frames
        );
        return Err(Failure::no_motion(words));
    }
    Ok(as_stretches(&ways.to(end)))
}

/// The cheapest ways to each frame of the idle motion, all of the same length.
struct Ways {
    cost: Vec<f32>,
    /// For each step the frames that were entered by a join, in order, and from where; others are played on.
    came: Vec<Vec<(u32, u32)>>,
}

impl Ways {
    /// Of a single frame, at what entering there costs.
    fn entered(cost: Vec<f32>) -> Self {
        Self {
            cost,
            came: Vec::new(),
        }
    }

    /// A frame more.
    fn go_on(&mut self, joins: &[Vec<Join>]) {
        let cost = &self.cost;
        let mut next = vec![f32::INFINITY; cost.len()];
        let mut from = Vec::new();
        for frame in 0..cost.len() {
            let on = frame.checked_sub(1).map(|before| (cost[before], before));
            let joins = joins[frame].iter();
            let joins = joins.map(|join| (cost[join.from] + join.error + JOIN, join.from));
            let best = on.into_iter().chain(joins);
            if let Some((least, before)) = best.min_by(|x, y| x.0.total_cmp(&y.0)) {
                next[frame] = least;
                if before + 1 != frame && least.is_finite() {
                    from.push((frame as u32, before as u32));
                }
            }
        }
        self.cost = next;
        self.came.push(from);
    }

    /// The frames of the way that ends at one.
    fn to(&self, end: usize) -> Vec<usize> {
        let mut at = end;
        let mut played = vec![at];
        for from in self.came.iter().rev() {
            at = match from.binary_search_by_key(&(at as u32), |join| join.0) {
                Ok(join) => from[join].1 as usize,
                Err(_) => at - 1,
            };
            played.push(at);
        }
        played.reverse();
        played
    }
}

/// A frame that another can be entered from, and how unlike its own next one they are. [m]
struct Join {
    from: usize,
    error: f32,
}

/// For each frame those that it can be entered from by a join; frames near an end of the
/// motion are neither left nor entered.
fn joins_into(frames: &LibraryFrames, idle: usize) -> Vec<Vec<Join>> {
    let rate = frames.rate();
    let room = rate.frames_in(ROOM).min(idle / 4);
    let least = rate.frames_in(LEAST_JOIN).min(idle / 3);
    let index = |frame: usize| frames.index(ClipId(0), FrameId::from(frame));
    let into = |frame: usize| -> Vec<Join> {
        if frame < room.max(1) || frame + room >= idle {
            return Vec::new();
        }
        let fits = |before: &usize| before.abs_diff(frame) >= least;
        let from = (room..idle.saturating_sub(room)).filter(fits);
        let join = |from: usize| Join {
            from,
            error: frames.error(index(from), index(frame - 1)),
        };
        let mut all: Vec<Join> = from.map(join).collect();
        all.sort_by(|x, y| x.error.total_cmp(&y.error));
        all.truncate(CHOICES);
        all
    };
    (0..idle).map(into).collect()
}

fn as_stretches(played: &[usize]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for &frame in played {
        let frame = frame as u32;
        match stretches.last_mut() {
            Some(last) if last.frames.end == frame => last.frames.end += 1,
            _ => stretches.push(Stretch {
                motion: 0,
                frames: frame..frame + 1,
            }),
        }
    }
    stretches
}
