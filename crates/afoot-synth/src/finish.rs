//! What every synthesis ends with, once its root path is bent towards what was asked (`warp`): the
//! feet planted. All of it ends in [`plant_feet`]: walks of a graph by [`Repertoire::finish`], plans, performances
//! and joined clips directly, long motion in pieces (`pieces`).

use afoot_analyze::{ContactOptions, detect_contacts};
use afoot_core::{Clip, Side};
use afoot_edit::cleanup::{CleanupError, SettleOptions, settle_feet};

use crate::repertoire::Repertoire;
use crate::warp::WarpOptions;

/// How motion is finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishOptions {
    /// Bend the root path; `None` keeps the captured one (`--exact-source`).
    pub warp: Option<WarpOptions>,
    /// Hold planted feet in place; `None` leaves them as they are.
    pub cleanup: Option<SettleOptions>,
}

impl Default for FinishOptions {
    fn default() -> Self {
        Self {
            warp: Some(WarpOptions::default()),
            cleanup: Some(SettleOptions::default()),
        }
    }
}

impl Repertoire {
    /// Finishes motion made of these clips whose root goes where it should: its feet are planted.
    ///
    /// Motion without known legs or contacts is left as it is; [`Repertoire::unsettled`] says so.
    pub fn finish(&self, clip: &mut Clip, options: &FinishOptions) {
        plant_feet(clip, options);
    }

    /// Why the feet of motion made of these clips can't be planted, if they can't.
    pub fn unsettled(&self) -> Option<CleanupError> {
        let skeleton = self.skeleton()?;
        let first = self.graph().clips.first()?;
        if Side::BOTH.iter().all(|side| skeleton.leg(*side).is_none()) {
            let clip = first.name.clone();
            return Some(CleanupError::NoLegs { clip });
        }
        let (clip, found, expected) = self.clips_without_contacts()?;
        Some(CleanupError::NoContacts {
            clip,
            found,
            expected,
        })
    }
}

/// Plants the feet of motion whose root goes where it should.
pub fn plant_feet(clip: &mut Clip, options: &FinishOptions) {
    if let Some(cleanup) = &options.cleanup {
        hold_resting_feet(clip);
        // What can't be settled was said of the repertoire already.
        if let Ok((clean, _)) = settle_feet(clip, cleanup) {
            *clip = clean;
        }
    }
}

/// Adds contacts where a foot rests now: blends and new neighbours bring feet to rest that moved in
/// their clips, and whoever looks at the result takes them for planted.
pub(crate) fn hold_resting_feet(clip: &mut Clip) {
    if clip.contacts.len() != clip.len() {
        return;
    }
    if let Ok(found) = detect_contacts(clip, &ContactOptions::default()) {
        for (held, found) in clip.contacts.iter_mut().zip(found.contacts) {
            *held = held.with(found);
        }
    }
}
