//! What every synthesis ends with, once its root path is bent towards what was asked (`warp`): feet that stand
//! keep their direction (`untwist`), and their place. Walks of a graph end in `Repertoire::finish`, long ones in
//! pieces (`pieces`); plans, performances and joined clips, of which nobody knows which frames are blends, have
//! their feet planted alone.

use afoot_analyze::{ContactOptions, detect_contacts};
use afoot_core::{Clip, Side};
use afoot_edit::cleanup::{CleanupError, SettleOptions, settle_feet};

use crate::repertoire::Repertoire;
use crate::untwist::{Turned, hold_directions};
use crate::walk::GraphWalk;
use crate::warp::{Warp, WarpOptions};

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
    /// Finishes a walk, and what was played behind it, whose root was bent and goes where it should: feet that
    /// stand are held where they are and as they point.
    ///
    /// Motion without known legs or contacts is left as it is; [`Repertoire::unsettled`] says so.
    pub(crate) fn finish(
        &self,
        clip: &mut Clip,
        (walk, warp): (&GraphWalk, Option<&Warp>),
        options: &FinishOptions,
    ) {
        let mut blended = walk.blended(self);
        blended.resize(clip.len(), false);
        let turned = |(frame, blended): (usize, bool)| Turned {
            by: warp.map_or(0.0, |warp| warp.turn(frame)),
            blended,
        };
        let turned: Vec<Turned> = blended.into_iter().enumerate().map(turned).collect();
        hold_feet(clip, &turned, options);
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

/// Holds the feet of motion whose root goes where it should, and of which is known what turned each frame.
pub(crate) fn hold_feet(clip: &mut Clip, turned: &[Turned], options: &FinishOptions) {
    if options.cleanup.is_some() {
        hold_resting_feet(clip);
        hold_directions(clip, turned);
    }
    plant_feet(clip, options);
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
