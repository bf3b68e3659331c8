//! The body carried to its floor, feet and root together: what a floor at another height asks for then changes
//! no leg.
//!
//! One rise a frame minimises ∫ (c − r)² [held] + (c″/C)² + (c/e)² dt, where r is how far held points are below
//! their height on the floor. It is smooth, so that a body is carried and does not bob; what single plants are
//! off by is left to the legs. Cost: linear.

use glam::DVec3;

use super::band::EvenBand;
use super::foot::Foot;

/// Acceleration of the rise that weighs as much as a held point so far off its height. [m/s² per m]
const BEND: f64 = 8.0;
/// Where nothing is held for long, the rise fades: so little does a metre of it weigh there. [1/m]
const FADE: f64 = 1e-3;

/// How far each frame is to be raised. [m]
pub fn find_rises(feet: &[Foot], frames: usize, frame_time: f64) -> Vec<f64> {
    let mut band = EvenBand::default();
    band.reset(frames);
    for frame in 0..frames {
        band.add_point(frame, FADE * FADE, DVec3::ZERO);
        if frame + 2 < frames {
            band.add_bend(frame, (BEND * frame_time * frame_time).powi(-2));
        }
        for grip in feet.iter().map(|foot| &foot.grip) {
            for (hold, rise) in grip.hold.iter().zip(&grip.rise) {
                let rise = DVec3::Y * f64::from(rise[frame]);
                band.add_point(frame, f64::from(hold[frame]), rise);
            }
        }
    }
    let mut rises = vec![DVec3::ZERO; frames];
    band.solve(&mut rises);
    rises.into_iter().map(|rise| rise.y).collect()
}
