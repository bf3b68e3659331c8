//! Acclaim ASF (skeleton) and AMC (motion), as the Acclaim definition 1.10 and Vicon's notes to it
//! describe them and the CMU database uses them.
//!
//! A bone becomes a joint at its start, named as the bone; its children hang at its end, and a bone
//! without children ends in an end site. With C the bone's `axis` and M the product of its `dof`
//! rotations (the first listed is applied first, about fixed axes), the joint's rotation is
//! C·M·C⁻¹, so that every rest rotation is the identity in global axes. The root's data are
//! shifted and turned by its preset position and orientation. No frame rate is in either file, so ours
//! stands in a comment, `# frames per second: 30`; without one 120 is taken.
//! Not supported: the `l` degree of freedom (read over with a warning), skins.

mod amc;
mod asf;
mod bones;
mod lines;
mod read_asf;
mod words;
mod write;

pub use amc::read_amc;
pub use asf::{Asf, AsfBone, AsfRoot, Dof, DofKind};
pub use read_asf::read_asf;
pub use write::write_amc;
