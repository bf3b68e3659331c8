//! Feet that creep along the floor between two plants stay, and then step quickly.
//!
//! Fighters and dancers shuffle: a foot slides on at a few decimetres a second, and no detector calls
//! that a contact. But whoever looks sees a foot on the floor that moves. So it is held on, from both
//! sides, until so few frames are left that it goes at the speed of a step. A foot that is lifted or
//! fast is left alone. Cost: linear in the free frames.

use std::ops::Range;

use super::contact_runs::{DWELL, Joint, STEP_SPEED};
use super::foot_path::united;
use super::legs::LegTrack;
use super::{Floor, Part};

/// Farthest above its rest that a joint is taken to be on the floor. [m]
const LOW: f32 = 0.05;
/// Farthest that a foot is held back from where it creeps. [m]
const FARTHEST: f32 = 0.5 * DWELL;
/// Fewest frames in which a foot goes from one place to the next: it leaves in the first, and comes to
/// rest in the last.
const FEWEST_FREE: usize = 2;

/// Lengthens the runs of heel and ball between which a foot creeps.
pub fn quicken_creeps(
    parts: &mut [Vec<Range<usize>>; 2],
    joints: [&Joint; 2],
    (leg, floor, fps): (&LegTrack, &Floor, f32),
) {
    let plants = united(parts.concat());
    for pair in plants.windows(2) {
        let gap = pair[0].end..pair[1].start;
        let open = quick_step(gap.clone(), joints, (leg, floor, fps));
        for run in parts.iter_mut().flatten() {
            if run.end == gap.start {
                run.end = open.start;
            }
            if run.start == gap.end {
                run.start = open.end;
            }
        }
    }
}

/// The frames of a gap that are left free.
fn quick_step(
    gap: Range<usize>,
    joints: [&Joint; 2],
    (leg, floor, fps): (&LegTrack, &Floor, f32),
) -> Range<usize> {
    let (before, after) = (gap.start - 1, gap.end);
    let apart = |a: usize, b: usize| {
        let ways = joints.map(|joint| joint.track[a].distance(joint.track[b]));
        ways[0].max(ways[1])
    };
    let free = ((apart(before, after) * fps / STEP_SPEED) as usize).max(FEWEST_FREE);
    if free >= gap.len() {
        return gap;
    }
    let creeps = |frame: usize| is_creeping(frame, joints, (leg, floor));
    let held = |edge: usize| move |frame: &usize| creeps(*frame) && apart(*frame, edge) < FARTHEST;
    let stay = gap.clone().take_while(held(before)).count();
    let come = gap.clone().rev().take_while(held(after)).count();
    let speed = |frame: &usize| joints[0].speed[*frame].max(joints[1].speed[*frame]);
    let fastest = gap.clone().max_by(|a, b| speed(a).total_cmp(&speed(b)));
    let first = fastest.unwrap_or(gap.start).saturating_sub(free / 2);
    let first = first.clamp(gap.start, gap.end - free);
    (gap.start + stay).min(first)..(gap.end - come).max(first + free)
}

/// Whether a joint of the foot is low and slow.
fn is_creeping(frame: usize, joints: [&Joint; 2], (leg, floor): (&LegTrack, &Floor)) -> bool {
    let parts = [Part::Heel, Part::Ball].into_iter().zip(joints);
    parts.into_iter().any(|(part, joint)| {
        let place = joint.track[frame];
        let rest = (floor.height)(place.x, place.z) + part.rest(floor, leg.side);
        joint.slow[frame] && place.y - rest < LOW
    })
}
