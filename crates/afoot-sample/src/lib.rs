//! Sample motion of a humanoid, made by a procedural performer, with exact contacts.
//!
//! A plan of footsteps and actions goes in; balance of an inverted pendulum, rolling feet, limbs
//! by inverse kinematics and counter-moving trunk and arms make it a person's motion. Planted
//! feet stand exactly still, so contacts, ground and labels are ground truth. Same options, same
//! bytes. All clips together take well under a second.
//!
//! ```
//! use afoot_sample::{SampleOptions, sample_library};
//!
//! let clips = sample_library(&SampleOptions::default());
//! assert!(clips.iter().any(|clip| clip.name == "walk" && clip.contacts.len() == clip.len()));
//! ```

mod actions;
mod balance;
mod body;
mod drift;
mod feet;
mod gait;
mod jumps;
mod library;
mod limbs;
mod locomotion;
mod motion;
mod path;
mod perform;
mod plan;
mod posture;
mod signal;
mod swing;
mod track;

pub use body::sample_skeleton;
pub use library::{sample_library, sample_motions, task_library, task_motions};
pub use motion::{SampleMotion, SampleOptions, sample_motion};
