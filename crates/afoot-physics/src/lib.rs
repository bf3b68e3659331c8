//! What a motion asks of the body that does it.
//!
//! `model`: an anthropometric body around a skeleton. `dynamics`: joint torques of a motion (recursive
//! Newton–Euler). `ground`: what planted feet take off the root. `effort`: the same for clips, frame
//! by frame; `centre`: where the centre of mass goes. SI units, f64 throughout.
//!
//! ```
//! use afoot_physics::{BodyModel, clip_effort};
//! use afoot_sample::{SampleMotion, SampleOptions, sample_motion};
//!
//! let stand = sample_motion("stand", SampleMotion::Stand { seconds: 1.0 }, &SampleOptions::default());
//! let walk = SampleMotion::Walk { speed: 1.3, length: 3.0 };
//! let walk = sample_motion("walk", walk, &SampleOptions::default());
//! let body = BodyModel::of_skeleton(&stand.skeleton);
//! let mean = |effort: Vec<f64>| effort.iter().sum::<f64>() / effort.len() as f64;
//! assert!(mean(clip_effort(&body, &walk)) > mean(clip_effort(&body, &stand)));
//! ```

mod centre;
mod dynamics;
mod effort;
mod ground;
mod model;

pub use centre::centre_of_mass;
pub use dynamics::{Demand, JointMotion, Push, inverse_dynamics};
pub use effort::{FrameDemand, clip_demand, clip_effort};
pub use ground::{Share, share_ground_reaction};
pub use model::{BodyModel, Segment};
