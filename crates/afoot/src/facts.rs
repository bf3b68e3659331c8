//! Facts of motion that comes from a file and goes to one, without a library between.

use afoot_analyze::{
    ClassOptions, ContactOptions, GroundOptions, classify_clip, detect_contacts, estimate_ground,
};
use afoot_core::Clip;

use crate::failure::Failure;

/// The clip with its floor, contacts and gaits found.
pub(crate) fn with_facts(mut clip: Clip) -> Result<Clip, Failure> {
    clip.ground = Some(estimate_ground(&clip, &GroundOptions::default())?.ground);
    clip.contacts = detect_contacts(&clip, &ContactOptions::default())?.contacts;
    clip.types = classify_clip(&clip, &ClassOptions::default())?.types;
    Ok(clip)
}
