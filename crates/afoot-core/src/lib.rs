//! The vocabulary of motion: skeletons, clips, poses, and the kinematics that joins them.
//!
//! Everything is in metres, seconds and radians, y up, right-handed; the ground plane is x, z; yaw
//! turns about +y and yaw 0 looks along +z. No files, clocks or randomness here.
//!
//! ```
//! use afoot_core::{Joint, JointId, Quat, Skeleton, Vec3, pose_kinematics};
//!
//! let arm = vec![
//!     Joint::new("shoulder", None, Vec3::ZERO),
//!     Joint::new("elbow", Some(JointId(0)), Vec3::new(0.0, -0.3, 0.0)),
//! ];
//! let skeleton = Skeleton::new(arm, Vec::new())?;
//! let raised = [Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), Quat::IDENTITY];
//! let (_, positions) = pose_kinematics(&skeleton, Vec3::new(0.0, 1.4, 0.0), &raised);
//! assert!((positions[1] - Vec3::new(0.3, 1.4, 0.0)).length() < 1e-6);
//! # Ok::<(), afoot_core::SkeletonError>(())
//! ```

pub mod adopt;
mod anchors;
pub mod chains;
pub mod clip;
mod clip_frame;
pub mod contacts;
#[cfg(test)]
mod fixture;
pub mod ground;
mod headings;
pub mod index;
mod joint_map;
mod joint_names;
pub mod kinematics;
pub mod lanes;
pub mod limbs;
pub mod locomotion;
pub mod mirror;
mod pairs;
mod person;
pub mod planar;
pub mod pose;
pub mod pose_batch;
pub mod rate;
mod recognise;
pub mod reference;
pub mod resample;
pub mod retarget;
pub mod roles;
pub mod root_motion;
pub mod segments;
pub mod skeleton;
mod skeleton_bytes;
pub mod spans;
pub mod splice;
mod stance;
pub mod stem;
pub mod surface;
pub mod topology;

pub use adopt::adopt_skeleton;
pub use chains::{Chain, kinematic_chains};
pub use clip::{Clip, ClipError, ClipMismatch, Pose, SlidingJoint};
pub use clip_frame::ClipFrame;
pub use contacts::Contacts;
pub use glam::{Mat3, Quat, Vec3};
pub use ground::{FootRest, Ground};
pub use headings::headings;
pub use index::{ClipId, FrameId, JointId};
pub use kinematics::{Positions, forward_kinematics, place_pose, pose_kinematics};
pub use lanes::{LANES, LaneQuat, LaneVec3, Lanes};
pub use limbs::{Arm, Leg};
pub use locomotion::Locomotion;
pub use mirror::{mirror_clip, mirror_partners};
pub use person::{NoPerson, why_no_person};
pub use planar::{Planar, bounds_of, wrap_angle, yaw_between, yaw_of};
pub use pose::{Moment, PoseBlendError, blend_many_poses, blend_poses, sample_pose};
pub use pose_batch::{PlacedBatch, PoseBatch};
pub use rate::FrameRate;
pub use reference::{ReferencePose, set_reference};
pub use resample::{clip_at, resample_clip, resampled_len};
pub use retarget::{JointMap, RetargetError, RetargetOptions, retarget_clip, size_ratio};
pub use roles::{Role, RoleMapError, Side, change_roles, recognise_roles, roles_from_map};
pub use root_motion::{add_root_motion, is_in_place, stance_contacts};
pub use segments::{SegmentGap, segment_gap};
pub use skeleton::{Channel, EndSite, Joint, Skeleton, SkeletonError};
pub use spans::{LabelSpan, Range32, runs, runs_across, runs_of};
pub use splice::{
    Placement, SpliceError, TimeKey, append_sliding, concatenate_clips, cut_clip, reverse_clip,
    warp_time,
};
pub use stance::Stance;
pub use stem::{Stem, root_at_hips, turn_root_frame, with_file_structure};
pub use surface::SurfacePoint;
pub use topology::guess_roles;
