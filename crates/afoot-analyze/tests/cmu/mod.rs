//! The captured clips for tests, at 30 frames a second, with roles, without T-poses.

pub use afoot_fixtures::Captured as Cmu;
