//! Clips: a skeleton's motion in flat arrays, with what is known about each frame.

use std::ops::Range;
use std::sync::Arc;

use glam::{Quat, Vec3};
use thiserror::Error;

use crate::contacts::Contacts;
use crate::ground::Ground;
use crate::index::{FrameId, JointId};
use crate::locomotion::Locomotion;
use crate::planar::Planar;
use crate::rate::FrameRate;
use crate::skeleton::Skeleton;
use crate::spans::LabelSpan;

/// A skeleton's motion at a fixed rate.
///
/// `root` has one position per frame, `rotations` one local rotation per frame and joint, frame by
/// frame. The per-frame facts (`contacts`, `types`) are empty until they are found, else one per
/// frame. [`Clip::check`] says what must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Unique within a library.
    pub name: String,
    /// Shared by all clips of one performer.
    pub skeleton: Arc<Skeleton>,
    /// Frames per second.
    pub rate: FrameRate,
    /// The root joint's position in the world, a frame each. [m]
    pub root: Vec<Vec3>,
    /// Local rotations, `frame * joints + joint`; unit length.
    pub rotations: Vec<Quat>,
    /// Joints other than the root whose offset moves too (rare: some BVH and glTF files).
    pub sliding: Vec<SlidingJoint>,
    /// Which parts touch something, a frame each, or empty.
    pub contacts: Vec<Contacts>,
    /// How the figure moves, a frame each, or empty.
    pub types: Vec<Locomotion>,
    /// Stretches that carry a label, sorted by their start.
    pub labels: Vec<LabelSpan>,
    /// The floor under this clip, where it was estimated.
    pub ground: Option<Ground>,
    /// Frames whose pose is not to be trusted (long spikes): graphs leave them out.
    pub faults: Vec<Range<u32>>,
}

/// A joint whose offset from its parent changes over time.
#[derive(Clone, Debug, PartialEq)]
pub struct SlidingJoint {
    /// Not the root.
    pub joint: JointId,
    /// Replaces the skeleton's offset, a frame each. [m]
    pub offsets: Vec<Vec3>,
}

/// Why two clips can't be played one after the other, or compared.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum ClipMismatch {
    #[error("clips {first:?} and {second:?} have different skeletons; retarget one of them first")]
    Skeleton { first: String, second: String },
    #[error(
        "clips {first:?} ({first_rate}) and {second:?} ({second_rate}) differ in rate; resample one of them first"
    )]
    Rate {
        first: String,
        second: String,
        first_rate: FrameRate,
        second_rate: FrameRate,
    },
}

/// What is wrong with a clip's arrays.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum ClipError {
    #[error("clip {clip:?}: {what} has {found} entries, expected {expected}")]
    WrongLength {
        clip: String,
        what: &'static str,
        found: usize,
        expected: usize,
    },
    #[error("clip {clip:?}: the rotation of {joint} in frame {frame} is not of unit length")]
    NotUnit {
        clip: String,
        joint: String,
        frame: usize,
    },
    #[error("clip {clip:?}: a {what} covers frames {start}..{end}, but there are {frames}")]
    OutOfRange {
        clip: String,
        what: &'static str,
        start: u32,
        end: u32,
        frames: usize,
    },
    #[error("clip {clip:?}: {what} of frame {frame} is not a finite number")]
    NotFinite {
        clip: String,
        what: String,
        frame: usize,
    },
}

/// One frame of motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// The root joint's position. [m]
    pub root: Vec3,
    /// A local rotation per joint.
    pub rotations: Vec<Quat>,
}

impl Clip {
    /// An empty clip of that skeleton.
    pub fn empty(name: impl Into<String>, skeleton: Arc<Skeleton>, rate: FrameRate) -> Self {
        Self {
            name: name.into(),
            skeleton,
            rate,
            root: Vec::new(),
            rotations: Vec::new(),
            sliding: Vec::new(),
            contacts: Vec::new(),
            types: Vec::new(),
            labels: Vec::new(),
            ground: None,
            faults: Vec::new(),
        }
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.root.len()
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.root.is_empty()
    }

    /// How many joints each frame has.
    pub fn joint_count(&self) -> usize {
        self.skeleton.len()
    }

    /// Frames times frame time. [s]
    pub fn seconds(&self) -> f64 {
        self.len() as f64 * self.rate.frame_time()
    }

    /// The local rotations of a frame.
    pub fn frame_rotations(&self, frame: FrameId) -> &[Quat] {
        let joints = self.joint_count();
        &self.rotations[frame.index() * joints..][..joints]
    }

    /// The local rotations of a frame, to change.
    pub fn frame_rotations_mut(&mut self, frame: FrameId) -> &mut [Quat] {
        let joints = self.joint_count();
        &mut self.rotations[frame.index() * joints..][..joints]
    }

    /// A joint's local rotation at a frame.
    pub fn rotation(&self, frame: FrameId, joint: JointId) -> Quat {
        self.rotations[frame.index() * self.joint_count() + joint.index()]
    }

    /// A joint's offset from its parent at a frame: the skeleton's, or where it slides to. [m]
    pub fn offset(&self, frame: FrameId, joint: JointId) -> Vec3 {
        let own = |sliding: &&SlidingJoint| sliding.joint == joint;
        let sliding = self.sliding.iter().find(own);
        sliding.map_or(self.skeleton.joint(joint).offset, |own| {
            own.offsets[frame.index()]
        })
    }

    /// One frame as a pose.
    pub fn pose(&self, frame: FrameId) -> Pose {
        Pose {
            root: self.root[frame.index()],
            rotations: self.frame_rotations(frame).to_vec(),
        }
    }

    /// Adds a frame at the end; the per-frame facts are the caller's to extend.
    pub fn push_pose(&mut self, pose: &Pose) {
        assert_eq!(
            pose.rotations.len(),
            self.joint_count(),
            "one rotation per joint"
        );
        self.root.push(pose.root);
        self.rotations.extend_from_slice(&pose.rotations);
    }

    /// Moves the whole clip, its floor included, over the ground.
    pub fn place(&mut self, by: Planar) {
        let joints = self.joint_count();
        let turn = by.rotation();
        for (root, rotations) in self
            .root
            .iter_mut()
            .zip(self.rotations.chunks_exact_mut(joints))
        {
            *root = by.point3(*root);
            rotations[0] = (turn * rotations[0]).normalize();
        }
        self.ground = self.ground.map(|ground| ground.placed(by));
    }

    /// Moves the whole clip, its floor included, up. [m]
    pub fn raise(&mut self, by: f32) {
        self.root.iter_mut().for_each(|root| root.y += by);
        if let Some(ground) = &mut self.ground {
            ground.height += by;
        }
    }

    /// Where the root stands and looks at a frame.
    pub fn placement(&self, frame: FrameId) -> Planar {
        let rotation = self.rotations[frame.index() * self.joint_count()];
        Planar::of_root(self.root[frame.index()], rotation)
    }

    /// Whether another clip is of a skeleton of the same shape, at the same rate.
    pub fn check_matches(&self, second: &Self) -> Result<(), ClipMismatch> {
        let same = Arc::ptr_eq(&self.skeleton, &second.skeleton);
        if !same && !self.skeleton.same_shape(&second.skeleton) {
            return Err(ClipMismatch::Skeleton {
                first: self.name.clone(),
                second: second.name.clone(),
            });
        }
        self.check_same_rate(second)
    }

    /// Whether another clip runs at the same rate.
    pub fn check_same_rate(&self, second: &Self) -> Result<(), ClipMismatch> {
        match self.rate == second.rate {
            true => Ok(()),
            false => Err(ClipMismatch::Rate {
                first: self.name.clone(),
                second: second.name.clone(),
                first_rate: self.rate,
                second_rate: second.rate,
            }),
        }
    }

    /// Whether `frame` carries `label`, which may also be a locomotion type's name.
    pub fn has_label(&self, frame: FrameId, label: &str) -> bool {
        let by_hand = self
            .labels
            .iter()
            .any(|span| span.label == label && span.frames.contains(frame.0));
        by_hand
            || self
                .types
                .get(frame.index())
                .is_some_and(|kind| kind.name() == label)
    }

    /// Whether every array has its length, every number is finite, rotations have unit length (to
    /// 0.5 %) and labels and faults lie within the clip.
    pub fn check(&self) -> Result<(), ClipError> {
        let (frames, joints) = (self.len(), self.joint_count());
        let length = |what, found, expected| match found == expected {
            true => Ok(()),
            false => Err(ClipError::WrongLength {
                clip: self.name.clone(),
                what,
                found,
                expected,
            }),
        };
        length("rotations", self.rotations.len(), frames * joints)?;
        for (what, found) in [
            ("contacts", self.contacts.len()),
            ("types", self.types.len()),
        ] {
            if found != 0 {
                length(what, found, frames)?;
            }
        }
        for sliding in &self.sliding {
            length("sliding joint", sliding.offsets.len(), frames)?;
        }
        self.check_numbers()?;
        self.check_spans()
    }

    fn check_numbers(&self) -> Result<(), ClipError> {
        let bad = |what: String, frame| {
            Err(ClipError::NotFinite {
                clip: self.name.clone(),
                what,
                frame,
            })
        };
        if let Some(frame) = self.root.iter().position(|p| !p.is_finite()) {
            return bad("the root position".into(), frame);
        }
        let joints = self.joint_count();
        let name = |joint: usize| &self.skeleton.joints()[joint].name;
        if let Some(index) = self.rotations.iter().position(|q| !q.is_finite()) {
            return bad(
                format!("the rotation of {}", name(index % joints)),
                index / joints,
            );
        }
        for sliding in &self.sliding {
            if let Some(frame) = sliding.offsets.iter().position(|p| !p.is_finite()) {
                return bad(
                    format!("the offset of {}", name(sliding.joint.index())),
                    frame,
                );
            }
        }
        let is_unit = |q: &Quat| (q.length_squared() - 1.0).abs() < 0.01;
        match self.rotations.iter().position(|q| !is_unit(q)) {
            None => Ok(()),
            Some(index) => Err(ClipError::NotUnit {
                clip: self.name.clone(),
                joint: name(index % joints).clone(),
                frame: index / joints,
            }),
        }
    }

    fn check_spans(&self) -> Result<(), ClipError> {
        let labels = self
            .labels
            .iter()
            .map(|span| ("label", span.frames.start, span.frames.end));
        let faults = self
            .faults
            .iter()
            .map(|fault| ("fault", fault.start, fault.end));
        for (what, start, end) in labels.chain(faults) {
            if start > end || end as usize > self.len() {
                return Err(ClipError::OutOfRange {
                    clip: self.name.clone(),
                    what,
                    start,
                    end,
                    frames: self.len(),
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;

    #[test]
    fn a_broken_clip_is_named() {
        let message = |change: fn(&mut Clip)| {
            let mut clip = swinging_clip(4);
            change(&mut clip);
            clip.check().unwrap_err().to_string()
        };
        assert_eq!(swinging_clip(4).check(), Ok(()));
        assert!(message(|clip| clip.contacts.push(Contacts::NONE)).contains("contacts has 1"));
        assert!(message(|clip| clip.root[2].x = f32::NAN).contains("frame 2"));
        assert!(message(|clip| clip.rotations[1] *= 2.0).contains("LeftUpLeg"));
        assert!(message(|clip| clip.faults.push(3..5)).contains("fault covers frames 3..5"));
    }

    #[test]
    fn a_placed_floor_is_as_far_below_the_feet() {
        let mut clip = swinging_clip(3);
        clip.ground = Some(Ground {
            slope_x: 0.1,
            slope_z: -0.05,
            ..Ground::level(0.3)
        });
        let above = |clip: &Clip| {
            clip.root[2].y
                - clip
                    .ground
                    .unwrap()
                    .height_at(clip.root[2].x, clip.root[2].z)
        };
        let before = above(&clip);
        clip.place(Planar::new(3.0, -2.0, 1.1));
        clip.raise(0.4);
        assert!((above(&clip) - before).abs() < 1e-5);
    }
}
