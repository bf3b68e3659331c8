//! The root's motion as steps, and back (Shanbhag 2006, §3.3.1); blends take the headings and step themselves.
//!
//! Each frame has its step from the frame before, in that frame's heading (x, z, yaw), and keeps
//! its height and tilt (the rotation without heading) as they are. Heading is the root's twist
//! about +y as long as the figure is nearer to upright than to upside down. Beyond 90° of tilt that
//! twist gets ill-defined and flips (cartwheels, rolls), so there the heading goes on by the twist
//! of the turn since the frame before, and comes back gradually after. Going back is exact to
//! rounding, whatever the headings: the steps are f64 and the tilt takes up the rest.

use glam::{Quat, Vec3};

use crate::clip::Clip;
use crate::planar::{Planar, wrap_angle, yaw_of};

/// A root's motion as steps; all lists have one entry per frame.
#[derive(Clone, Debug, PartialEq)]
pub struct RelativeRoot {
    /// Placement of the first frame.
    pub start: Planar,
    /// From the frame before to this one, in the heading of the frame before; none at first.
    pub steps: Vec<Planar>,
    /// The root's height. [m]
    pub heights: Vec<f32>,
    /// The root's rotation without its heading.
    pub tilts: Vec<Quat>,
}

/// The steps of a clip's root.
pub fn relative_root(clip: &Clip) -> RelativeRoot {
    let headings = headings(clip);
    let placement = |(root, yaw): (&Vec3, &f64)| Planar::new(root.x.into(), root.z.into(), *yaw);
    let placements: Vec<Planar> = clip.root.iter().zip(&headings).map(placement).collect();
    let step = |pair: &[Planar]| pair[0].inverse().then_after(pair[1]);
    let first = placements.first().map(|_| Planar::IDENTITY);
    let untwisted = |(rotation, yaw): (Quat, &f64)| turn(-yaw) * rotation;
    RelativeRoot {
        start: placements.first().copied().unwrap_or(Planar::IDENTITY),
        steps: first
            .into_iter()
            .chain(placements.windows(2).map(step))
            .collect(),
        heights: clip.root.iter().map(|root| root.y).collect(),
        tilts: root_rotations(clip).zip(&headings).map(untwisted).collect(),
    }
}

impl RelativeRoot {
    /// Where the root is and looks at each frame.
    pub fn placements(&self) -> Vec<Planar> {
        let go = |at: &mut Planar, step: &Planar| {
            *at = at.then_after(*step);
            Some(*at)
        };
        self.steps.iter().scan(self.start, go).collect()
    }

    /// The root's positions and rotations.
    pub fn absolute(&self) -> (Vec<Vec3>, Vec<Quat>) {
        let frames = self
            .placements()
            .into_iter()
            .zip(&self.heights)
            .zip(&self.tilts);
        frames
            .map(|((at, &height), &tilt)| {
                let position = Vec3::new(at.x as f32, height, at.z as f32);
                (position, (turn(at.yaw) * tilt).normalize())
            })
            .unzip()
    }

    /// Gives `clip`, which has as many frames, this root motion.
    pub fn apply(&self, clip: &mut Clip) {
        assert_eq!(self.steps.len(), clip.len(), "one step per frame");
        let (positions, rotations) = self.absolute();
        let joints = clip.joint_count();
        clip.root = positions;
        for (local, root) in clip.rotations.chunks_exact_mut(joints).zip(rotations) {
            local[0] = root;
        }
    }
}

/// The root's heading at each frame, without jumps by whole turns. [rad]
pub fn headings(clip: &Clip) -> Vec<f64> {
    let mut headings: Vec<f64> = Vec::with_capacity(clip.len());
    let mut before = Quat::IDENTITY;
    for rotation in root_rotations(clip) {
        let heading = match headings.last() {
            None => f64::from(yaw_of(rotation)),
            Some(last) => {
                let carried = last + f64::from(yaw_of(rotation * before.conjugate()));
                let off = wrap_angle(f64::from(yaw_of(rotation)) - carried);
                carried + uprightness(rotation) * off
            }
        };
        headings.push(heading);
        before = rotation;
    }
    headings
}

fn root_rotations(clip: &Clip) -> impl Iterator<Item = Quat> + '_ {
    clip.rotations.iter().step_by(clip.joint_count()).copied()
}

/// How far the twist can be trusted: 1 up to 90° of tilt (y² + w² = ½), 0 from 120° (¼) on.
fn uprightness(rotation: Quat) -> f64 {
    let upright = f64::from(rotation.y * rotation.y + rotation.w * rotation.w);
    (4.0 * upright - 1.0).clamp(0.0, 1.0)
}

/// A turn about +y, rounded once.
fn turn(yaw: f64) -> Quat {
    let (sin, cos) = (yaw / 2.0).sin_cos();
    Quat::from_xyzw(0.0, sin as f32, 0.0, cos as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;

    fn check_round_trip(clip: &Clip) -> RelativeRoot {
        let relative = relative_root(clip);
        let mut back = clip.clone();
        back.root.fill(Vec3::ZERO);
        relative.apply(&mut back);
        for (frame, (a, b)) in back.root.iter().zip(&clip.root).enumerate() {
            assert!((*a - *b).length() < 1e-6, "frame {frame}: {a} is not {b}");
        }
        for (a, b) in root_rotations(&back).zip(root_rotations(clip)) {
            assert!(a.dot(b).abs() > 1.0 - 1e-6);
        }
        relative
    }

    #[test]
    fn back_is_where_it_came_from() {
        for frames in [0, 1, 2, 500] {
            check_round_trip(&swinging_clip(frames));
        }
    }

    #[test]
    fn a_walk_on_a_circle_has_equal_steps() {
        let mut clip = swinging_clip(40);
        for frame in 0..40 {
            let yaw = 0.1 * frame as f32;
            clip.root[frame] = Vec3::new(-2.0 * yaw.cos(), 1.0, 2.0 * yaw.sin());
            let joints = clip.joint_count();
            clip.rotations[frame * joints] = Quat::from_rotation_y(yaw);
        }
        let relative = check_round_trip(&clip);
        for step in &relative.steps[1..] {
            assert!(
                (step.yaw - 0.1).abs() < 1e-5 && (step.z - 0.2).abs() < 1e-3,
                "{step:?}"
            );
        }
        assert!(relative.tilts.iter().all(|tilt| tilt.w > 1.0 - 1e-6));
    }

    #[test]
    fn a_cartwheel_has_no_wild_turns() {
        let mut clip = swinging_clip(60);
        let joints = clip.joint_count();
        for frame in 0..60 {
            let roll = frame as f32 / 59.0 * std::f32::consts::TAU;
            // A lean that passes close by, but not through, the upside-down singularity.
            let lean = Quat::from_rotation_x(0.02 * roll.sin() + 0.05);
            clip.rotations[frame * joints] =
                Quat::from_rotation_y(0.5) * lean * Quat::from_rotation_z(roll);
        }
        let twists: Vec<f32> = root_rotations(&clip).map(yaw_of).collect();
        let jump = |pair: &[f32]| (pair[1] - pair[0]).abs();
        assert!(
            twists.windows(2).map(jump).fold(0.0, f32::max) > 1.0,
            "the test has lost its point"
        );
        let relative = check_round_trip(&clip);
        let wildest = relative
            .steps
            .iter()
            .map(|step| step.yaw.abs())
            .fold(0.0, f64::max);
        assert!(wildest < 0.1, "{wildest}");
    }
}
