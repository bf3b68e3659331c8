//! The body carried to its floor, feet and root together: what a floor at another height asks for then changes
//! no leg.
//!
//! One rise a frame minimises ∫ w (c − r)² [held] + (c″/C)² + (c/e)² dt, where r is how far held points are below
//! their height on the floor. Nothing stands below a floor, so a point that is left below it counts more than one
//! above (an asymmetric least square, solved by re-weighing): a body is carried by its lowest plants, and does not sink
//! with them half-way. It is smooth, so that it does not bob; what single plants are off by is left to the legs
//! and to what held points may be off by (`heights`). Cost: linear, four solves of one unknown a frame.

use super::band::EvenBand;
use super::foot::Foot;

/// Acceleration of the rise that weighs as much as a held point so far off its height. [m/s² per m]
const BEND: f64 = 8.0;
/// Where nothing is held for long, the rise fades: so little does a metre of it weigh there. [1/m]
const FADE: f64 = 1e-3;
/// What a point that is left below its height counts against one above. With 1 the root bobs with the plants'
/// scatter, by which it is told from a captured one; with 8, a body with uneven rest heights stands 1 cm too high.
const LOW: f64 = 3.0;
/// After so many rounds hardly a point changes sides.
const ROUNDS: usize = 4;

/// How far each frame is to be raised. [m]
pub fn find_rises(feet: &[Foot], frames: usize, frame_time: f64) -> Vec<f64> {
    let bend = (BEND * frame_time * frame_time).powi(-2);
    let mut band = EvenBand::default();
    let mut rises = vec![0.0; frames];
    for _ in 0..ROUNDS {
        band.reset(frames);
        for (frame, last) in rises.iter().enumerate() {
            band.add_point(frame, FADE * FADE, 0.0);
            if frame + 2 < frames {
                band.add_bend(frame, bend);
            }
            for grip in feet.iter().map(|foot| &foot.grip) {
                for (hold, below) in grip.hold.iter().zip(&grip.rise) {
                    let below = f64::from(below[frame]);
                    let weight = if below > *last { LOW } else { 1.0 };
                    band.add_point(frame, weight * f64::from(hold[frame]), below);
                }
            }
        }
        band.solve(&mut rises);
    }
    rises
}
