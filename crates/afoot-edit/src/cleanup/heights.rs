//! How high held feet are to be: as captured, within what a foot gives, over a floor that the body is carried to.

use super::SettleOptions;
use super::carry::find_rises;
use super::foot::Foot;

/// How far below what it may be a foot is before it counts: what rounding leaves. [m]
const GIVE: f64 = 0.001;

/// The heights that held points keep.
pub struct Heights {
    /// What a held point may be below its height on the floor, and above. [m]
    dip: f64,
    hover: f64,
    /// How far the body is carried, a frame each. [m]
    pub carried: Vec<f64>,
}

impl Heights {
    /// Of some feet, so many frames long that each take so many seconds.
    pub fn new(feet: &[Foot], options: &SettleOptions, (frames, frame_time): (usize, f64)) -> Self {
        Self {
            dip: f64::from(options.dip.max(0.0)),
            hover: f64::from(options.hover.max(0.0)),
            carried: find_rises(feet, frames, frame_time),
        }
    }

    /// How far a held point is still to be raised that was captured so far below its height on the floor. [m]
    pub fn rise(&self, below: f32, frame: usize) -> f64 {
        let below = f64::from(below) - self.carried[frame];
        below - below.clamp(-self.hover, self.dip)
    }

    /// How far below its height on the floor a foot may have been captured before it counts as sunk. [m]
    pub fn depth(&self, frame: usize) -> f64 {
        (self.dip - GIVE).max(GIVE) + self.carried[frame]
    }
}
