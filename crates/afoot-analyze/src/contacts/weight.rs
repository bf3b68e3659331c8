//! Where the body's weight is borne: the centre of pressure under it.
//!
//! What holds a body up acts where its moment and that of gravity make up for how all parts of the
//! body speed up (the zero moment point, Vukobratović and Borovac 2004), so that this place follows
//! from motion alone. Segments are points at their middles that weigh as in de Leva 1996. In:
//! positions. Out: metres, parts of the weight. Cost: linear. Against feet that stand alone on the
//! floor in captured walks, runs and turns it is 2 cm off the sole in the median, and 10 cm in one
//! frame of a hundred. What is carried is not known.

use afoot_core::{Clip, JointId, Positions, Role, Side, Skeleton};
use glam::{Vec2, Vec3};

use super::limits::GRAVITY;

/// Half of the time over which an acceleration is taken: half of a short flight or stance. [s]
const REACH: f64 = 2.0 / 15.0;

/// What bears the body at one frame.
#[derive(Clone, Copy, Default)]
pub struct Support {
    /// How much of the weight is borne: 1 at rest, 0 in flight.
    pub load: f32,
    /// Height of the centre of mass. [m]
    pub centre: f32,
    /// The centre of pressure (x, z) at height 0, and how it shifts per metre of height; only for
    /// loads above 0. [m, m/m]
    pressure: (Vec2, Vec2),
}

impl Support {
    /// The centre of pressure (x, z) at a height. [m]
    pub fn pressure(&self, height: f32) -> Vec2 {
        self.pressure.0 + height * self.pressure.1
    }
}

/// The support of every frame.
pub fn supports(clip: &Clip, positions: &Positions) -> Vec<Support> {
    let reach = clip.rate.frames_in(REACH).max(1);
    let mut sums = vec![Sums::default(); clip.len()];
    for (from, to, mass) in segments(&clip.skeleton) {
        let ends = positions
            .track(from.index())
            .zip(positions.track(to.index()));
        let middle: Vec<Vec3> = ends.map(|(from, to)| 0.5 * (from + to)).collect();
        let speeding_up = accelerations(&middle, reach, clip.rate.frame_time() as f32);
        for (frame, sum) in sums.iter_mut().enumerate() {
            // from the root, so that places far from the origin keep their digits
            sum.add(
                mass,
                middle[frame] - ground(clip.root[frame]),
                speeding_up[frame],
            );
        }
    }
    let roots = clip.root.iter();
    sums.iter()
        .zip(roots)
        .map(|(sum, root)| sum.support(*root))
        .collect()
}

fn ground(at: Vec3) -> Vec3 {
    Vec3::new(at.x, 0.0, at.z)
}

/// Sums over the segments at one frame.
#[derive(Clone, Copy, Default)]
struct Sums {
    mass: f32,
    height: f32,
    /// The force that is needed along the ground (x, z) and up.
    along: Vec2,
    up: f32,
    /// Its moment about the root's place on the ground.
    moment: Vec2,
}

impl Sums {
    fn add(&mut self, mass: f32, at: Vec3, speeding_up: Vec3) {
        let along = mass * Vec2::new(speeding_up.x, speeding_up.z);
        let up = mass * (speeding_up.y + GRAVITY);
        self.mass += mass;
        self.height += mass * at.y;
        self.along += along;
        self.up += up;
        self.moment += up * Vec2::new(at.x, at.z) - at.y * along;
    }

    fn support(&self, root: Vec3) -> Support {
        if self.mass <= 0.0 {
            return Support::default();
        }
        let up = self.up.max(f32::MIN_POSITIVE);
        Support {
            load: self.up / (self.mass * GRAVITY),
            centre: self.height / self.mass,
            pressure: (
                Vec2::new(root.x, root.z) + self.moment / up,
                self.along / up,
            ),
        }
    }
}

/// A part of the body between two joints, and its part of the weight.
type Segment = (JointId, JointId, f32);

/// The segments whose joints are known.
fn segments(skeleton: &Skeleton) -> Vec<Segment> {
    let known = |role: Role| skeleton.with_role(role);
    let top = known(Role::Neck)
        .or_else(|| known(Role::Head))
        .or_else(|| known(Role::Chest));
    let hips = known(Role::Hips).or(Some(JointId(0)));
    let head = known(Role::Head).or(top);
    let mut found = vec![(hips, top.or(hips), 0.435), (top, head, 0.069)];
    for side in Side::BOTH {
        let [arm, fore_arm, hand] = [Role::Arm, Role::ForeArm, Role::Hand].map(|r| known(r(side)));
        let [thigh, shank, foot] = [Role::UpLeg, Role::Leg, Role::Foot].map(|r| known(r(side)));
        let toe = known(Role::Toe(side)).or(foot);
        found.extend([
            (thigh, shank, 0.142),
            (shank, foot, 0.043),
            (foot, toe, 0.014),
            (arm, fore_arm, 0.027),
            (fore_arm, hand, 0.022),
        ]);
    }
    let both = |(from, to, part): (Option<JointId>, Option<JointId>, f32)| Some((from?, to?, part));
    found.into_iter().filter_map(both).collect()
}

/// Of the parabola fitted to `reach` frames to either side; near the ends that of the nearest
/// frame that has them. Tracks of fewer than 3 frames tell nothing: zero.
fn accelerations(track: &[Vec3], reach: usize, frame_time: f32) -> Vec<Vec3> {
    let reach = reach.min(track.len().saturating_sub(1) / 2);
    if reach == 0 {
        return vec![Vec3::ZERO; track.len()];
    }
    let offsets = || (0..=2 * reach).map(|index| index as f32 - reach as f32);
    let mean = offsets().map(|at| at * at).sum::<f32>() / (2 * reach + 1) as f32;
    let weights: Vec<f32> = offsets().map(|at| at * at - mean).collect();
    let squares: f32 = weights.iter().map(|weight| weight * weight).sum();
    let scale = 2.0 / (squares * frame_time * frame_time);
    let at = |frame: usize| {
        let middle = frame.clamp(reach, track.len() - 1 - reach);
        let window = &track[middle - reach..=middle + reach];
        // from the middle, so that places far from the origin keep their digits
        let pairs = window.iter().zip(&weights);
        let bend: Vec3 = pairs
            .map(|(p, weight)| (*p - track[middle]) * *weight)
            .sum();
        bend * scale
    };
    (0..track.len()).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{flat, scripted};
    use afoot_core::forward_kinematics;

    #[test]
    fn a_parabola_has_its_own_acceleration_everywhere() {
        let at = |frame: i32| {
            let time = frame as f32 / 30.0;
            Vec3::new(1000.0 + time, 2.0 - 4.9 * time * time, 3.0 * time * time)
        };
        let track: Vec<Vec3> = (0..20).map(at).collect();
        for found in accelerations(&track, 4, 1.0 / 30.0) {
            assert!(found.distance(Vec3::new(0.0, -9.8, 6.0)) < 0.05, "{found}");
        }
        assert_eq!(accelerations(&track[..2], 4, 0.1), [Vec3::ZERO; 2]);
    }

    #[test]
    fn pressure_is_under_a_still_body_and_behind_one_that_speeds_up() {
        for rate in [0.0, 2.0] {
            // forward with `rate` m/s²; the feet are on the floor and move along
            let go = |time: f64| {
                let z = (0.5 * rate * time * time) as f32;
                let feet = [flat(1000.1, 0.0, z), flat(999.9, 0.0, z)];
                (Vec3::new(1000.0, 1.0, z), feet)
            };
            let clip = scripted((2.0, 30), go);
            let found = supports(&clip, &forward_kinematics(&clip))[30];
            assert!((found.load - 1.0).abs() < 1e-3 && found.centre < 1.0);
            let behind = found.pressure(0.0) - Vec2::new(1000.0, 0.5 * rate as f32);
            let expected = Vec2::new(0.0, -found.centre * rate as f32 / GRAVITY);
            assert!(
                behind.distance(expected) < 0.01,
                "{behind} is not {expected}"
            );
            // at the height of the centre of mass it is right there, whatever the acceleration
            let above = found.pressure(found.centre) - Vec2::new(1000.0, 0.5 * rate as f32);
            assert!(above.length() < 0.01, "{above}");
        }
    }
}
