//! Blending two motions, frame by frame, with weights.
//!
//! The root's displacement and turn are blended as steps from frame to frame, each seen in its own
//! source's heading (Shanbhag 2006, §3.3.1), so that no figure glides to where another one was
//! captured. Where a source's alignment is known, what the steps miss it by (a centimetre or two) is
//! spread over them with the source's weight. Root tilt and joints: slerp, source after source; root height: linear. A source's
//! heading is the sum of its steps' turns about the vertical, each the twist of a small rotation, so
//! it is defined upside down too (cartwheels). Sources are matched in time by the caller.

use std::sync::Arc;

use afoot_core::{Clip, FrameId, JointId, Planar, SlidingJoint, wrap_angle, yaw_of};
use glam::{Quat, Vec3};

use super::BlendError;

/// A stretch of a clip that takes part in a blend.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlendSource<'a> {
    /// The motion.
    pub(super) clip: &'a Clip,
    /// Its first frame in the blend.
    pub(super) from: FrameId,
    /// Carries this source's coordinates to where its body fits the first source's best, if that is
    /// known; else their roots face the same way at the middle of the blend, and where their steps
    /// lead is where they are. Ignored for the first source.
    pub(super) alignment: Option<Planar>,
}

/// What blends are made in and their frames, kept from one to the next: once it has grown, no memory is asked for.
#[derive(Clone, Debug)]
pub struct BlendInto {
    pub(super) room: BlendRoom,
    /// The frames of the last blend.
    pub clip: Clip,
}

impl BlendInto {
    /// With room for transitions of so many frames; `clip` is empty and has it too.
    pub fn for_transitions(clip: Clip, frames: usize) -> Self {
        Self {
            room: BlendRoom {
                weights: Vec::with_capacity(2 * frames),
                tracks: Vec::with_capacity(2 * frames),
                path: Vec::with_capacity(frames),
            },
            clip,
        }
    }
}

/// What a blend is worked out in.
#[derive(Clone, Debug, Default)]
pub(super) struct BlendRoom {
    /// One per frame and source, frame by frame; those of a frame sum to 1.
    pub(super) weights: Vec<f32>,
    /// Headings, source after source. [rad]
    tracks: Vec<f64>,
    pub(super) path: Vec<Planar>,
}

/// What the frames of a blend are pushed to.
pub(super) fn empty_blend(first: &BlendSource) -> Clip {
    let name = format!("{} blended", first.clip.name);
    Clip::empty(name, Arc::clone(&first.clip.skeleton), first.clip.rate)
}

/// Pushes the frames of sources and weights (the room's) that were checked.
pub(super) fn blend_into(sources: &[BlendSource; 2], room: &mut BlendRoom, clip: &mut Clip) {
    room.blend_roots(sources);
    for (frame, weights) in room.weights.chunks_exact(sources.len()).enumerate() {
        push_frame(clip, sources, frame, weights, room);
    }
}

/// The mean offsets of the joints that slide in any source.
pub(super) fn blend_sliding(sources: &[BlendSource; 2], weights: &[f32]) -> Vec<SlidingJoint> {
    let mut joints: Vec<JointId> = sources
        .iter()
        .flat_map(|source| &source.clip.sliding)
        .map(|sliding| sliding.joint)
        .collect();
    joints.sort();
    joints.dedup();
    let offset = |source: &BlendSource, joint: JointId, frame: usize| {
        let frame = FrameId::from(source.from.index() + frame);
        source.clip.offset(frame, joint)
    };
    let blended = |joint: JointId| {
        let mean = |(frame, weights): (usize, &[f32])| {
            let parts = sources.iter().zip(weights);
            parts
                .map(|(source, weight)| offset(source, joint, frame) * *weight)
                .sum()
        };
        let offsets = weights
            .chunks_exact(sources.len())
            .enumerate()
            .map(mean)
            .collect();
        SlidingJoint { joint, offsets }
    };
    joints.into_iter().map(blended).collect()
}

/// The root's way through a blend, without the poses.
#[derive(Clone, Debug, PartialEq)]
pub struct RootBlend {
    /// Ground position and heading a frame each, in the first source's coordinates; headings count
    /// from the first source's at its first frame.
    pub path: Vec<Planar>,
    /// Carries each source's coordinates to where its last frame's root lies on the blend's.
    pub placements: Vec<Planar>,
}

impl BlendRoom {
    /// The roots alone, for sources that were checked; the weights are there.
    pub(super) fn blend_roots(&mut self, sources: &[BlendSource; 2]) {
        let frames = self.weights.len() / sources.len();
        heading_tracks(sources, frames, &mut self.tracks);
        let tracks = Tracks {
            headings: &self.tracks,
            frames,
        };
        blend_path(sources, &self.weights, tracks, &mut self.path);
    }

    /// Where each source must be put for its last frame's root to lie on the path's end.
    pub(super) fn placements(&self, sources: &[BlendSource; 2]) -> Vec<Planar> {
        let place = |index: usize| self.placement(index, &sources[index]);
        (0..sources.len()).map(place).collect()
    }

    /// Where a source must be put for that.
    pub(super) fn placement(&self, index: usize, source: &BlendSource) -> Planar {
        let last = self.path.len() - 1;
        let root = source.clip.root[source.from.index() + last];
        let heading = self.tracks().of(index)[last];
        let own = Planar::new(f64::from(root.x), f64::from(root.z), heading);
        Planar::carrying(own, self.path[last])
    }

    fn tracks(&self) -> Tracks<'_> {
        Tracks {
            headings: &self.tracks,
            frames: self.path.len(),
        }
    }
}

/// Every source's heading at every frame. [rad]
#[derive(Clone, Copy)]
struct Tracks<'a> {
    headings: &'a [f64],
    frames: usize,
}

impl<'a> Tracks<'a> {
    fn of(self, source: usize) -> &'a [f64] {
        &self.headings[source * self.frames..][..self.frames]
    }
}

/// Whether `clip` has `frames` frames from `from` on, and any are asked for.
pub(super) fn check_range(clip: &Clip, from: i64, frames: usize) -> Result<(), BlendError> {
    let to = from + frames as i64;
    if frames == 0 {
        return Err(BlendError::NoFrame);
    }
    if from < 0 || to > clip.len() as i64 {
        let (clip, frames) = (clip.name.clone(), clip.len());
        return Err(BlendError::OutOfRange {
            clip,
            frames,
            from,
            to,
        });
    }
    Ok(())
}

/// Every source's heading at every frame: 0 at the first source's start, so that sources that face
/// the same way have the same heading at the middle frame. [rad]
fn heading_tracks(sources: &[BlendSource; 2], frames: usize, tracks: &mut Vec<f64>) {
    let middle = frames / 2;
    tracks.clear();
    for source in sources {
        let start = tracks.len();
        push_turns_summed(source, frames, tracks);
        let (before, track) = tracks.split_at_mut(start);
        if let Some(first) = before.get(middle) {
            let turn = source.alignment.map_or_else(
                || facing_turn(&sources[0], source, middle),
                |alignment| alignment.yaw,
            );
            let shift = first - turn - track[middle];
            track.iter_mut().for_each(|heading| *heading += shift);
        }
    }
}

fn push_turns_summed(source: &BlendSource, frames: usize, tracks: &mut Vec<f64>) {
    let mut heading = 0.0;
    tracks.push(heading);
    for frame in 1..frames {
        let turn = root_rotation(source, frame) * root_rotation(source, frame - 1).inverse();
        heading += f64::from(yaw_of(turn));
        tracks.push(heading);
    }
}

/// The turn about the vertical that brings `b`'s root nearest to `a`'s.
fn facing_turn(a: &BlendSource, b: &BlendSource, frame: usize) -> f64 {
    f64::from(yaw_of(
        root_rotation(a, frame) * root_rotation(b, frame).inverse(),
    ))
}

fn root_rotation(source: &BlendSource, frame: usize) -> Quat {
    source
        .clip
        .frame_rotations(FrameId::from(source.from.index() + frame))[0]
}

/// The blended root's ground position and heading, a frame each.
fn blend_path(
    sources: &[BlendSource; 2],
    weights: &[f32],
    tracks: Tracks<'_>,
    path: &mut Vec<Planar>,
) {
    let count = sources.len();
    let start = sources[0].clip.root[sources[0].from.index()];
    let mut at = Planar::new(f64::from(start.x), f64::from(start.z), tracks.of(0)[0]);
    path.clear();
    path.push(at);
    for frame in 1..tracks.frames {
        let mut step = Planar::IDENTITY;
        for (index, source) in sources.iter().enumerate() {
            let weights = [
                weights[(frame - 1) * count + index],
                weights[frame * count + index],
            ];
            let weight = f64::from(0.5 * (weights[0] + weights[1]));
            let own = own_step(source, tracks.of(index), frame);
            step.x += weight * own.x;
            step.z += weight * own.z;
            step.yaw += weight * own.yaw;
        }
        let halfway = Planar::new(at.x, at.z, at.yaw + 0.5 * step.yaw);
        let [x, z] = halfway.point([step.x, step.z]);
        at = Planar {
            x,
            z,
            yaw: at.yaw + step.yaw,
        };
        path.push(at);
    }
    settle(path, sources, weights, tracks);
}

/// Moves the path, a step at a time, to where alignments want its end.
fn settle(path: &mut [Planar], sources: &[BlendSource; 2], weights: &[f32], tracks: Tracks<'_>) {
    let (count, last) = (sources.len(), path.len() - 1);
    let end = path[last];
    for (index, source) in sources.iter().enumerate().skip(1) {
        let Some(alignment) = source.alignment else {
            continue;
        };
        let root = source.clip.root[source.from.index() + last];
        let [x, z] = alignment.point([f64::from(root.x), f64::from(root.z)]);
        let heading = alignment.yaw + tracks.of(index)[last];
        let missed = [x - end.x, z - end.z, heading - end.yaw];
        for (frame, at) in path.iter_mut().enumerate() {
            let weight = f64::from(weights[frame * count + index]);
            at.x += weight * missed[0];
            at.z += weight * missed[1];
            at.yaw += weight * missed[2];
        }
    }
}

/// A source's step into `frame`: its shift seen from the mean heading of the step, and its turn.
fn own_step(source: &BlendSource, track: &[f64], frame: usize) -> Planar {
    let index = source.from.index() + frame;
    let shift = source.clip.root[index] - source.clip.root[index - 1];
    let turn = track[frame] - track[frame - 1];
    let back = Planar::new(0.0, 0.0, -(track[frame - 1] + 0.5 * turn));
    let [x, z] = back.point([f64::from(shift.x), f64::from(shift.z)]);
    Planar { x, z, yaw: turn }
}

fn push_frame(
    clip: &mut Clip,
    sources: &[BlendSource; 2],
    frame: usize,
    weights: &[f32],
    room: &BlendRoom,
) {
    let (at, tracks) = (room.path[frame], room.tracks());
    let (mut sum, mut height) = (0.0, 0.0);
    let start = clip.rotations.len();
    clip.rotations
        .resize(start + clip.joint_count(), Quat::IDENTITY);
    let blended = &mut clip.rotations[start..];
    for (index, (source, &weight)) in sources.iter().zip(weights).enumerate() {
        if weight == 0.0 {
            continue;
        }
        let at_frame = FrameId::from(source.from.index() + frame);
        let own = source.clip.frame_rotations(at_frame);
        height += weight * source.clip.root[at_frame.index()].y;
        sum += weight;
        let share = weight / sum;
        let unturned = Quat::from_rotation_y(wrap_angle(-tracks.of(index)[frame]) as f32) * own[0];
        blended[0] = mix(blended[0], unturned, share);
        for (blended, &own) in blended.iter_mut().zip(own).skip(1) {
            *blended = mix(*blended, own, share);
        }
    }
    blended[0] = (at.rotation() * blended[0]).normalize();
    clip.root.push(Vec3::new(at.x as f32, height, at.z as f32));
}

/// Slerp that gives the ends back unchanged.
fn mix(from: Quat, to: Quat, share: f32) -> Quat {
    if share >= 1.0 {
        to
    } else {
        from.slerp(to, share)
    }
}
