//! What every synthesis ends with: the root path bent towards what was asked, the feet planted.
//! Long motion is finished in pieces: see `pieces`.

use afoot_analyze::{ContactOptions, detect_contacts};
use afoot_core::Clip;
use afoot_edit::cleanup::{CleanupOptions, clean_feet};

use crate::guide::Guide;
use crate::warp::{WarpOptions, warp_to_path};

/// How motion is finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishOptions {
    /// Bend the root path; `None` keeps the captured one (`--exact-source`).
    pub warp: Option<WarpOptions>,
    /// Hold planted feet in place; `None` leaves them as they are.
    pub cleanup: Option<CleanupOptions>,
}

impl Default for FinishOptions {
    fn default() -> Self {
        Self {
            warp: Some(WarpOptions::default()),
            cleanup: Some(CleanupOptions::default()),
        }
    }
}

/// Bends a motion towards the guide that it meets first at `along`, and plants its feet.
///
/// A clip without known legs or contacts is not cleaned: there is nothing to hold.
pub fn finish_clip(clip: &mut Clip, guide: Option<(&Guide, f64)>, options: &FinishOptions) {
    if let (Some((guide, along)), Some(warp)) = (guide, &options.warp) {
        warp_to_path(clip, guide, along, warp);
    }
    plant_feet(clip, options);
}

/// The second half of it.
pub(crate) fn plant_feet(clip: &mut Clip, options: &FinishOptions) {
    if let Some(cleanup) = &options.cleanup {
        hold_resting_feet(clip);
        if let Ok((clean, _)) = clean_feet(clip, cleanup) {
            *clip = clean;
        }
    }
}

/// Adds contacts where a foot rests now: blends and new neighbours bring feet to rest that moved in
/// their clips, and whoever looks at the result takes them for planted.
fn hold_resting_feet(clip: &mut Clip) {
    if clip.contacts.len() != clip.len() {
        return;
    }
    if let Ok(found) = detect_contacts(clip, &ContactOptions::default()) {
        for (held, found) in clip.contacts.iter_mut().zip(found.contacts) {
            *held = held.with(found);
        }
    }
}
