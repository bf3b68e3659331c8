//! Feet that keep their direction while they stand, in motion that is finished as a whole.
//!
//! A root path that is bent, and a blend from one clip to another, turn the body and with it the feet on the
//! floor, which captured feet don't do. What they do in captured frames is left to them; the rest is taken back
//! while they stand, evenly to both sides of where they point, and led over from one plant to the next while
//! they swing. The leg turns about the line from hip to ankle, which stays in place, so that hip and knee take
//! most of it. In: motion with contacts, which frames are blends, and how far each is turned. Radians. Cost: a
//! pose a frame. Weakness: a foot that would have to be turned by more than [`MOST`] swivels by the rest.

use afoot_core::{
    Clip, Contacts, FrameId, Leg, Quat, Side, Vec3, pose_kinematics, runs_across, wrap_angle,
};

/// Most that a foot is turned against the body: what hips and ankles give. [rad]
const MOST: f64 = 0.45;
/// Share of it that the hip takes, the knee with it.
const HIP_SHARE: f64 = 0.75;
/// A foot whose ball is less far before its ankle than this share of its length points nowhere.
const STEEP: f32 = 0.35;
/// Gaps in a contact that are bridged, at most; turns are led back to nothing at the ends over as long as the
/// second. [s]
const GAP: f64 = 0.09;
const ENDS: f64 = 0.3;
/// A foot that rises by less than this between two contacts, one end of it slower than this, stays down. [m, m/s]
const LOW: f32 = 0.03;
const SLOW: f32 = 0.3;
/// Less is not worth it. [rad]
const LEAST: f64 = 1e-3;

/// What turns a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turned {
    /// By how much its root was turned. [rad]
    pub(crate) by: f64,
    /// Whether it is a blend of two clips.
    pub(crate) blended: bool,
}

/// Takes back what planted feet turn on the floor because their frames were turned or blended.
pub(crate) fn hold_directions(clip: &mut Clip, turned: &[Turned]) {
    if clip.contacts.len() != clip.len() || turned.len() != clip.len() {
        return;
    }
    for side in Side::BOTH {
        if let Some(leg) = clip.skeleton.leg(side).filter(|leg| leg.ball != leg.ankle) {
            let plants = plants(clip, side);
            let turns = turns(&headings(clip, leg), turned, &plants, clip);
            turn_leg(clip, leg, &turns);
        }
    }
}

/// The frames of each plant, gaps bridged that are short or in which the foot stays low and one end of it slow: a
/// blend of two clips turns a foot on the floor so fast that nothing of it seems to touch.
fn plants(clip: &Clip, side: Side) -> Vec<std::ops::Range<usize>> {
    let down = |frame: usize| clip.contacts[frame].any(Contacts::foot(side));
    let gap = clip.rate.frames_in(GAP);
    let stays = stays_down(clip, side);
    let mut plants: Vec<std::ops::Range<usize>> = Vec::new();
    for plant in runs_across(clip.len(), gap, down) {
        match plants.last_mut() {
            Some(last) if stays(last.end - 1..plant.start) => last.end = plant.end,
            _ => plants.push(plant),
        }
    }
    plants
}

/// Whether a foot stays on the floor over some frames: low beside where it was down, and always one end of it slow.
fn stays_down(clip: &Clip, side: Side) -> impl Fn(std::ops::Range<usize>) -> bool {
    let leg = clip.skeleton.leg(side);
    let ends = |frame: usize| {
        let rotations = clip.frame_rotations(FrameId::from(frame));
        let points = pose_kinematics(&clip.skeleton, clip.root[frame], rotations).1;
        leg.map(|leg| [leg.ankle, leg.ball].map(|joint| points[joint.index()]))
    };
    let track: Vec<Option<[Vec3; 2]>> = (0..clip.len()).map(ends).collect();
    let most = SLOW * clip.rate.frame_time() as f32;
    move |frames| {
        let Some(Some(floor)) = track.get(frames.start) else {
            return false;
        };
        let steps = track[frames.start..=frames.end].windows(2);
        steps.into_iter().all(|pair| match pair {
            [Some(before), Some(now)] => {
                let rests = |end: usize| now[end].y - floor[end].y < LOW;
                let slow = |end: usize| now[end].distance(before[end]) < most;
                (rests(0) && rests(1)) && (slow(0) || slow(1))
            }
            _ => false,
        })
    }
}

/// Where a foot points in each frame; `None` if it is too steep to tell. [rad]
fn headings(clip: &Clip, leg: Leg) -> Vec<Option<f64>> {
    (0..clip.len())
        .map(|frame| heading(clip, frame, leg))
        .collect()
}

/// Where a foot points in a frame. [rad]
pub(crate) fn heading(clip: &Clip, frame: usize, leg: Leg) -> Option<f64> {
    let rotations = clip.frame_rotations(FrameId::from(frame));
    let points = pose_kinematics(&clip.skeleton, clip.root[frame], rotations).1;
    let foot = points[leg.ball.index()] - points[leg.ankle.index()];
    let points = foot.x.hypot(foot.z) > STEEP * foot.length();
    points.then(|| f64::from(foot.x).atan2(f64::from(foot.z)))
}

/// By how much a foot is to be turned in each frame. [rad]
fn turns(
    headings: &[Option<f64>],
    turned: &[Turned],
    plants: &[std::ops::Range<usize>],
    clip: &Clip,
) -> Vec<f64> {
    let mut turns = vec![0.0; headings.len()];
    for plant in plants {
        let (mut turn, mut least, mut most) = (0.0f64, 0.0f64, 0.0f64);
        for (frame, own) in turns
            .iter_mut()
            .enumerate()
            .take(plant.end)
            .skip(plant.start + 1)
        {
            turn -= unasked(headings, turned, frame);
            (least, most) = (least.min(turn), most.max(turn));
            *own = turn;
        }
        let middle = 0.5 * (least + most);
        for turn in &mut turns[plant.clone()] {
            *turn = (*turn - middle).clamp(-MOST, MOST);
        }
    }
    lead_over(&mut turns, plants, clip.rate.frames_in(ENDS).max(1));
    turns
}

/// How far a foot turns from the frame before because of what was done to it. [rad]
fn unasked(headings: &[Option<f64>], turned: &[Turned], frame: usize) -> f64 {
    let (before, now) = (turned[frame - 1], turned[frame]);
    let by = wrap_angle(now.by - before.by);
    match (headings[frame - 1], headings[frame], now.blended) {
        (Some(from), Some(to), true) => wrap_angle(to - from),
        _ => by,
    }
}

/// Leads from each plant to the next, and from and to nothing at the ends.
fn lead_over(turns: &mut [f64], plants: &[std::ops::Range<usize>], ends: usize) {
    let (Some(first), Some(last)) = (plants.first(), plants.last()) else {
        return;
    };
    let smooth = |share: f64| share * share * (3.0 - 2.0 * share);
    for frame in first.start.saturating_sub(ends)..first.start {
        let share = 1.0 - (first.start - frame) as f64 / ends as f64;
        turns[frame] = turns[first.start] * smooth(share);
    }
    for frame in last.end..(last.end + ends).min(turns.len()) {
        let share = 1.0 - (frame + 1 - last.end) as f64 / ends as f64;
        turns[frame] = turns[last.end - 1] * smooth(share);
    }
    for pair in plants.windows(2) {
        let (from, to) = (pair[0].end - 1, pair[1].start);
        let (start, end) = (turns[from], turns[to]);
        for (frame, turn) in turns.iter_mut().enumerate().take(to).skip(from + 1) {
            let share = smooth((frame - from) as f64 / (to - from) as f64);
            *turn = start + (end - start) * share;
        }
    }
}

fn turn_leg(clip: &mut Clip, leg: Leg, turns: &[f64]) {
    let skeleton = std::sync::Arc::clone(&clip.skeleton);
    let parent = |joint: afoot_core::JointId| skeleton.joint(joint).parent;
    let (Some(above_hip), Some(above_foot)) = (parent(leg.hip), parent(leg.ankle)) else {
        return;
    };
    for (frame, turn) in turns
        .iter()
        .enumerate()
        .filter(|(_, turn)| turn.abs() > LEAST)
    {
        let root = clip.root[frame];
        let rotations = clip.frame_rotations_mut(FrameId::from(frame));
        let (world, points) = pose_kinematics(&skeleton, root, rotations);
        let up = points[leg.hip.index()] - points[leg.ankle.index()];
        let Some(axis) = up.try_normalize() else {
            continue;
        };
        let swivel = Quat::from_axis_angle(axis, (HIP_SHARE * turn) as f32);
        let above = world[above_hip.index()];
        let hip = &mut rotations[leg.hip.index()];
        *hip = (above.inverse() * swivel * above * *hip).normalize();
        let foot = Quat::from_rotation_y(*turn as f32) * world[leg.ankle.index()];
        let shin = swivel * world[above_foot.index()];
        rotations[leg.ankle.index()] = (shin.inverse() * foot).normalize();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use afoot_sample::{SampleMotion, SampleOptions, sample_motion};

    fn walk() -> Clip {
        let motion = SampleMotion::Walk {
            speed: 1.3,
            length: 6.0,
        };
        sample_motion("walk", motion, &SampleOptions::default())
    }

    /// How far each planted foot turns on the floor, at most. [rad]
    fn most_twist(clip: &Clip) -> f64 {
        let twist = |side: Side| {
            let headings = headings(clip, clip.skeleton.leg(side).unwrap());
            let plants = plants(clip, side).into_iter().map(move |plant| {
                let known: Vec<f64> = headings[plant].iter().flatten().copied().collect();
                let most = known.iter().copied().fold(f64::MIN, f64::max);
                most - known.iter().copied().fold(f64::MAX, f64::min)
            });
            plants.fold(0.0, f64::max)
        };
        twist(Side::Left).max(twist(Side::Right))
    }

    /// A walk whose frames are turned more and more, and how far.
    fn bent(per_frame: f64) -> (Clip, Vec<Turned>) {
        let mut clip = walk();
        let turned = |frame: usize| Turned {
            by: frame as f64 * per_frame,
            blended: false,
        };
        let turned: Vec<Turned> = (0..clip.len()).map(turned).collect();
        for (frame, turned) in turned.iter().enumerate() {
            let root = &mut clip.frame_rotations_mut(FrameId::from(frame))[0];
            *root = Quat::from_rotation_y(turned.by as f32) * *root;
        }
        (clip, turned)
    }

    #[test]
    fn feet_of_a_bent_walk_twist_as_before_it_was_bent() {
        let straight = most_twist(&walk());
        let (mut clip, turned) = bent(0.02);
        let twisted = most_twist(&clip);
        assert!(twisted > straight + 0.25, "{twisted}, {straight} straight");
        let before = ankles(&clip);
        hold_directions(&mut clip, &turned);
        let held = most_twist(&clip);
        assert!(held < straight + 0.02, "{held}, {straight} straight");
        // Ankles stay where they are.
        for (a, b) in before.iter().zip(ankles(&clip)) {
            assert!(a.distance(b) < 1e-4, "{a}, {b}");
        }
    }

    fn ankles(clip: &Clip) -> Vec<afoot_core::Vec3> {
        let frames = (0..clip.len()).flat_map(|frame| {
            let rotations = clip.frame_rotations(FrameId::from(frame));
            let points = pose_kinematics(&clip.skeleton, clip.root[frame], rotations).1;
            Side::BOTH.map(|side| points[clip.skeleton.leg(side).unwrap().ankle.index()])
        });
        frames.collect()
    }

    #[test]
    fn a_foot_that_a_blend_turns_on_the_floor_is_held_though_nothing_touches() {
        let mut clip = walk();
        let leg = clip.skeleton.leg(Side::Left).unwrap();
        let plant = plants(&clip, Side::Left)
            .into_iter()
            .find(|plant| plant.start > 10 && plant.len() > 10)
            .unwrap();
        let (from, to) = (plant.start + 3, plant.start + 9);
        let was = headings(&clip, leg)[from].unwrap();
        // A blend swivels it by 30° about its ankle; what touches is lost.
        for frame in from..clip.len() {
            let share = ((frame - from) as f32 / (to - from) as f32).min(1.0);
            let mut turns = vec![0.0; clip.len()];
            turns[frame] = f64::from(30f32.to_radians() * share);
            turn_leg(&mut clip, leg, &turns);
        }
        clip.contacts[from..=to].fill(Contacts::NONE);
        let blended = |frame: usize| Turned {
            by: 0.0,
            blended: (from - 1..=to + 1).contains(&frame),
        };
        let turned: Vec<Turned> = (0..clip.len()).map(blended).collect();
        let swivels = |clip: &Clip| {
            let found = headings(clip, leg);
            wrap_angle(found[to].unwrap() - found[from].unwrap())
                .abs()
                .to_degrees()
        };
        assert!(swivels(&clip) > 25.0, "{} of {was}", swivels(&clip));
        hold_directions(&mut clip, &turned);
        assert!(swivels(&clip) < 3.0, "{}", swivels(&clip));
    }

    #[test]
    fn motion_that_was_not_turned_stays() {
        let clip = walk();
        let mut held = clip.clone();
        hold_directions(&mut held, &vec![Turned::default(); clip.len()]);
        assert_eq!(held, clip);
    }
}
