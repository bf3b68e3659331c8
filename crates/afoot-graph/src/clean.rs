//! Transitions cleaned of foot skate, for motion that is shown as it is played: figures that are
//! steered, previews.
//!
//! Kovar et al. 2002, §3.3, clean at the end of a build, so here it is done once. The clips are
//! cleaned first (`plant_clips`), then each blend of them together with the frames on either side
//! that a correction reaches; corrections fade to nothing at both ends, where the cleaned clips
//! follow. A cleanup moves the root's height and the joints of the legs alone, so only that is kept,
//! in steps of 10 µm and 60 µrad: with two legs 50 bytes a frame, 500 a transition. What an earlier
//! build found is taken over where clips and places are the same. Cost: 0.1 ms a transition and core.
//! Weakness: a foot that is planted all through a transition slides from one place to the other.

use std::collections::BTreeMap;
use std::ops::Range;

use afoot_codec::{Artefact, ContentHash, Kind, Malformed, Reader, Writer};
use afoot_core::{Clip, FrameId, JointId, Planar, Quat, Side, Skeleton, Vec3};
use afoot_edit::blend::{Blend, BlendError};
use afoot_edit::cleanup::{CleanupOptions, clean_feet};
use afoot_run::Run;
use rayon::prelude::*;

use crate::fingerprint::cleaned_hash;
use crate::graph_bytes::read_place;
use crate::motion_graph::{MotionGraph, Place, Transition, TransitionId};
use crate::options::GraphError;
use crate::report::Stage;
use crate::transitions::{ClipSet, blend_of};

/// What a cleanup changes in the blends of a graph's transitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CleanTransitions {
    /// The joints that are turned.
    joints: Vec<JointId>,
    /// Length of every transition. [frames]
    window: u32,
    /// Of each clip, so that a later build knows it again.
    clips: Vec<ContentHash>,
    /// From where to where each transition leads, in the graph's order.
    places: Vec<[Place; 2]>,
    /// Per transition and frame the root's rise [10 µm], then x, y, z of each joint's turn [1/32767].
    steps: Vec<i16>,
}

/// Steps of the root's rise in a metre.
const PER_METRE: f32 = 1e5;
/// Steps of a turn's sine of half its angle.
const PER_TURN: f32 = 32767.0;
/// Transitions that are cleaned between two words about progress.
const CHUNK: usize = 4096;

/// The clips with the feet of each held in place; those without contacts or legs as they are.
pub fn plant_clips(clips: &[Clip]) -> Vec<Clip> {
    clips.par_iter().map(plant_clip).collect()
}

/// One of them.
pub fn plant_clip(clip: &Clip) -> Clip {
    match clean_feet(clip, &CleanupOptions::default()) {
        Ok((planted, _)) => planted,
        Err(_) => clip.clone(),
    }
}

/// Cleans all transitions of a graph; what `known` has of them is not cleaned again.
///
/// `planted` are the level clips that the graph was built from, after [`plant_clips`].
pub fn clean_transitions(
    graph: &MotionGraph,
    planted: &[Clip],
    known: &CleanTransitions,
    run: &Run,
) -> Result<CleanTransitions, GraphError> {
    let mut clean = CleanTransitions::empty(graph, planted);
    let reuse = Reuse::new(known, &clean);
    let stride = clean.stride();
    let total = graph.transitions.len() as u64;
    for first in (0..graph.transitions.len()).step_by(CHUNK) {
        let chunk = first..(first + CHUNK).min(graph.transitions.len());
        let steps = &mut clean.steps[chunk.start * stride..chunk.end * stride];
        let rows = steps.par_chunks_exact_mut(stride.max(1));
        chunk
            .clone()
            .into_par_iter()
            .zip(rows)
            .try_for_each(|(index, row)| match reuse.row(&graph.transitions[index]) {
                Some(kept) => {
                    row.copy_from_slice(kept);
                    Ok(())
                }
                None => measure(
                    graph,
                    planted,
                    TransitionId(index as u32),
                    (&clean.joints, row),
                ),
            })?;
        run.progress(Stage::Transitions.name(), chunk.end as u64, total);
        run.check()?;
    }
    Ok(clean)
}

/// The frames of a transition with its planted feet held, made now; `planted` as for
/// [`clean_transitions`]. Contacts, types and labels are the blend's.
pub fn clean_blend_of(
    graph: &MotionGraph,
    planted: &(impl ClipSet + ?Sized),
    id: TransitionId,
) -> Result<Blend, BlendError> {
    let first = graph.transitions[id.0 as usize].from.clip;
    let joints = leg_joints(&planted.clip(first).skeleton);
    let mut row = vec![0; graph.window as usize * (1 + 3 * joints.len())];
    measure(graph, planted, id, (&joints, &mut row))?;
    let mut blend = blend_of(graph, planted, id)?;
    correct(&mut blend.clip, &joints, &row);
    Ok(blend)
}

impl CleanTransitions {
    /// Whether these are the transitions of that graph.
    pub fn fits(&self, graph: &MotionGraph) -> bool {
        let places = graph.transitions.iter().map(|t| [t.from, t.to]);
        self.window == graph.window && places.eq(self.places.iter().copied())
    }

    /// How many transitions there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// What [`clean_blend_of`] gives for a transition of the graph that these fit, for the price of
    /// the blend alone.
    pub fn blend_of(
        &self,
        graph: &MotionGraph,
        planted: &(impl ClipSet + ?Sized),
        id: TransitionId,
    ) -> Result<Blend, BlendError> {
        let mut blend = blend_of(graph, planted, id)?;
        if let Some(row) = self.row(id.0 as usize) {
            correct(&mut blend.clip, &self.joints, row);
        }
        Ok(blend)
    }

    /// As many rows of nothing as the graph has transitions.
    fn empty(graph: &MotionGraph, planted: &[Clip]) -> Self {
        let joints = planted
            .first()
            .map_or(Vec::new(), |clip| leg_joints(&clip.skeleton));
        let places: Vec<[Place; 2]> = graph.transitions.iter().map(|t| [t.from, t.to]).collect();
        let mut clean = Self {
            joints,
            window: graph.window,
            clips: planted.par_iter().map(cleaned_hash).collect(),
            places,
            steps: Vec::new(),
        };
        clean.steps = vec![0; clean.stride() * clean.places.len()];
        clean
    }

    fn row(&self, index: usize) -> Option<&[i16]> {
        let stride = self.stride();
        let start = index.checked_mul(stride)?;
        self.steps.get(start..start.checked_add(stride)?)
    }

    /// Numbers per transition.
    fn stride(&self) -> usize {
        (self.window as usize).saturating_mul(1 + 3 * self.joints.len())
    }
}

impl Artefact for CleanTransitions {
    const KIND: Kind = Kind {
        magic: *b"afootcln",
        version: 10,
        // Older ones were filed with another hash of the graph, by which they can't be found.
        oldest: 10,
        other_hash: 8,
        name: "clean transitions",
        what: "set of cleaned transitions",
    };

    fn write(&self, writer: &mut Writer) {
        writer.u32(self.window);
        writer.count(self.joints.len());
        let joints = self.joints.iter();
        joints.for_each(|joint| writer.u32(joint.0.into()));
        writer.count(self.clips.len());
        self.clips
            .iter()
            .for_each(|clip| writer.bytes.extend(clip.0));
        writer.count(self.places.len());
        for place in self.places.as_flattened() {
            writer.u32s([place.clip.0, place.frame.0]);
        }
        writer.i16s(&self.steps);
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let window = reader.u32()?;
        let joints = reader.list(4, |r| Ok(JointId(r.u32()? as u16)))?;
        let clips = reader.list(16, |r| r.array().map(ContentHash))?;
        let places = reader.list(16, |r| Ok([read_place(r)?, read_place(r)?]))?;
        let known = |place: &Place| place.clip.index() < clips.len();
        let sound = places.as_flattened().iter().all(known);
        reader.require(sound, "a place is in no clip")?;
        let clean = Self {
            joints,
            window,
            clips,
            places,
            steps: Vec::new(),
        };
        let steps = (clean.stride() as u64).checked_mul(clean.places.len() as u64);
        let steps = reader.i16s(steps.and_then(|n| usize::try_from(n).ok()))?;
        Ok(Self { steps, ..clean })
    }
}

/// What an earlier build knows of the transitions of this one.
struct Reuse<'a> {
    known: &'a CleanTransitions,
    /// The present clips as the first of the earlier ones that is the same.
    clips: Vec<Option<u32>>,
    /// The earlier transitions by such clips.
    rows: BTreeMap<[(u32, u32); 2], usize>,
}

impl<'a> Reuse<'a> {
    fn new(known: &'a CleanTransitions, now: &CleanTransitions) -> Self {
        let mut first: BTreeMap<ContentHash, u32> = BTreeMap::new();
        for (index, clip) in known.clips.iter().enumerate() {
            first.entry(*clip).or_insert(index as u32);
        }
        let comparable = known.window == now.window && known.joints == now.joints;
        let canonical = |place: &Place| (first[&known.clips[place.clip.index()]], place.frame.0);
        let rows = known.places.iter().enumerate().filter(|_| comparable);
        Self {
            known,
            clips: now
                .clips
                .iter()
                .map(|clip| first.get(clip).copied())
                .collect(),
            rows: rows
                .map(|(row, places)| (places.each_ref().map(canonical), row))
                .collect(),
        }
    }

    fn row(&self, transition: &Transition) -> Option<&'a [i16]> {
        let place = |place: Place| Some((self.clips[place.clip.index()]?, place.frame.0));
        let key = [place(transition.from)?, place(transition.to)?];
        self.known.row(*self.rows.get(&key)?)
    }
}

/// The joints that a cleanup turns: hip, knee, ankle and ball of both legs.
fn leg_joints(skeleton: &Skeleton) -> Vec<JointId> {
    let legs = Side::BOTH.into_iter().filter_map(|side| skeleton.leg(side));
    let mut joints: Vec<JointId> = legs
        .flat_map(|leg| [leg.hip, leg.knee, leg.ankle, leg.ball])
        .collect();
    joints.sort();
    joints.dedup();
    joints
}

/// Finds what a cleanup changes in a transition: nothing without contacts or legs.
fn measure(
    graph: &MotionGraph,
    planted: &(impl ClipSet + ?Sized),
    id: TransitionId,
    (joints, row): (&[JointId], &mut [i16]),
) -> Result<(), BlendError> {
    row.fill(0);
    let blend = blend_of(graph, planted, id)?;
    let transition = &graph.transitions[id.0 as usize];
    let Some((cleaned, start)) = clean_in_context(&blend, transition, planted) else {
        return Ok(());
    };
    let frames = blend.clip.len();
    let rows = row.chunks_exact_mut(1 + 3 * joints.len());
    for (frame, row) in rows.enumerate().take(frames) {
        let weight = fade(frame, frames);
        let rise = cleaned.root[start + frame].y - blend.clip.root[frame].y;
        row[0] = (rise * weight * PER_METRE).round() as i16;
        let [own, other] = [(&blend.clip, frame), (&cleaned, start + frame)]
            .map(|(clip, frame)| clip.frame_rotations(FrameId::from(frame)));
        for (joint, steps) in joints.iter().zip(row[1..].chunks_exact_mut(3)) {
            let turn = own[joint.index()].inverse() * other[joint.index()];
            let turn = Quat::IDENTITY.slerp(turn, weight);
            let turn = turn * turn.w.signum();
            for (step, value) in steps.iter_mut().zip(turn.to_array()) {
                *step = (value * PER_TURN).round() as i16;
            }
        }
    }
    Ok(())
}

/// Applies what [`measure`] found.
fn correct(clip: &mut Clip, joints: &[JointId], row: &[i16]) {
    let rows = row.chunks_exact(1 + 3 * joints.len());
    for (frame, row) in rows.enumerate().take(clip.len()) {
        clip.root[frame].y += f32::from(row[0]) / PER_METRE;
        let local = clip.frame_rotations_mut(FrameId::from(frame));
        let (turns, _) = row[1..].as_chunks::<3>();
        for (joint, steps) in joints.iter().zip(turns).filter(|(_, s)| **s != [0; 3]) {
            if let Some(own) = local.get_mut(joint.index()) {
                let sines = Vec3::from_array(steps.map(f32::from)) / PER_TURN;
                let cosine = (1.0 - sines.length_squared()).max(0.0).sqrt();
                *own = (*own * Quat::from_vec4(sines.extend(cosine))).normalize();
            }
        }
    }
}

/// What lies on either side of a blend and is looked at when it is cleaned. [s]
const CONTEXT: f64 = 0.2;

/// The blend's frames cleaned together with those on either side that a correction reaches, and
/// where the blend starts among them.
fn clean_in_context(
    blend: &Blend,
    transition: &Transition,
    clips: &(impl ClipSet + ?Sized),
) -> Option<(Clip, usize)> {
    let (from, to) = (transition.from, transition.to);
    let [a, b] = [from, to].map(|place| clips.clip(place.clip));
    let options = CleanupOptions::default();
    let (window, reach) = (blend.clip.len(), a.rate.frames_in(CONTEXT));
    let before = from.frame.index().saturating_sub(reach)..from.frame.index();
    let after = to.frame.index()..(to.frame.index() + reach).min(b.len());
    let start = before.len();
    let mut whole = Clip {
        ground: blend.clip.ground,
        ..Clip::empty("", blend.clip.skeleton.clone(), blend.clip.rate)
    };
    whole.sliding.clone_from(&blend.clip.sliding);
    whole.sliding.iter_mut().for_each(|s| s.offsets.clear());
    append(&mut whole, a, before, Planar::IDENTITY)?;
    append(&mut whole, &blend.clip, 0..window, Planar::IDENTITY)?;
    append(&mut whole, b, after, blend.placement)?;
    let (cleaned, _) = clean_feet(&whole, &options).ok()?;
    Some((cleaned, start))
}

/// Appends some frames, placed; `None` if their contacts aren't known.
fn append(to: &mut Clip, from: &Clip, frames: Range<usize>, placement: Planar) -> Option<()> {
    let joints = from.joint_count();
    to.contacts.extend(from.contacts.get(frames.clone())?);
    for sliding in &mut to.sliding {
        let own = from.sliding.iter().find(|s| s.joint == sliding.joint);
        let rest = from.skeleton.joint(sliding.joint).offset;
        let offsets = frames
            .clone()
            .map(|f| own.map_or(rest, |own| own.offsets[f]));
        sliding.offsets.extend(offsets);
    }
    for frame in frames {
        to.root.push(placement.point3(from.root[frame]));
        let rotations = &from.rotations[frame * joints..][..joints];
        to.rotations
            .push(placement.rotate(rotations[0]).normalize());
        to.rotations.extend(&rotations[1..]);
    }
    Some(())
}

/// How much of a correction a frame of a transition gets: all in the middle, none just outside.
fn fade(frame: usize, frames: usize) -> f32 {
    let ramp = (frames as f32 * 0.4).max(1.0);
    let t = ((frame + 1).min(frames - frame) as f32 / ramp).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
