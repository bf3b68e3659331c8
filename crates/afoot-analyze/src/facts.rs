//! All that is found in a clip, one stage after the other: its floor, contacts and types.
//!
//! Each stage reads what the one before found, out of the clip; the first that fails ends it. Importing
//! goes on without what it can't find, and so asks for each stage itself.

use afoot_core::Clip;
use thiserror::Error;

use crate::classify::{ClassifyError, ClassifyOptions, classify_clip};
use crate::contacts::{ContactError, ContactOptions, detect_contacts};
use crate::ground::{GroundError, GroundOptions, estimate_ground};

/// Why a clip's facts can't be found.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum FactsError {
    #[error(transparent)]
    Ground(#[from] GroundError),
    #[error(transparent)]
    Contacts(#[from] ContactError),
    #[error(transparent)]
    Types(#[from] ClassifyError),
}

/// The clip with its floor, contacts and types found anew, each with its usual options.
pub fn with_facts(mut clip: Clip) -> Result<Clip, FactsError> {
    clip.ground = Some(estimate_ground(&clip, &GroundOptions::default())?.ground);
    clip.contacts = detect_contacts(&clip, &ContactOptions::default())?.contacts;
    clip.types = classify_clip(&clip, &ClassifyOptions::default())?;
    Ok(clip)
}
