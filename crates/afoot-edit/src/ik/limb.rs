//! The two-link limb solver on positions: hip, knee and ankle to a new ankle, in closed form.
//!
//! After Shanbhag 2006, §6.3: the limb's plane is carried along by the smallest rotation that turns
//! the old hip-to-ankle axis into the new one, and the knee is placed in it by the law of cosines.
//! We add: a pole for limbs so straight that they have no plane, a soft approach to full extension,
//! and limits of the knee. Metres and radians; about 60 ns a solve. Skeletons: see `reach`.
//! Weakness: an ankle target on the far side of the hip (half a turn) leaves the plane to the pole.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

/// A limb as it is before the solve, in any one space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// Where it is attached (hip, shoulder). [m]
    pub hip: Vec3,
    /// Its hinge (knee, elbow). [m]
    pub knee: Vec3,
    /// What is moved (ankle, wrist). [m]
    pub ankle: Vec3,
    /// The way the knee bends, any length but zero; decides only where the limb is nearly straight.
    pub pole: Vec3,
}

/// Limits of the hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbOptions {
    /// Targets farther than `1 - soft` of full reach are approached ever more slowly, so that the
    /// knee does not snap straight; closer ones are met exactly. [share of the reach, 0..0.2]
    pub soft: f32,
    /// Smallest angle between thigh and shank. [rad, 0..max_angle]
    pub min_angle: f32,
    /// Largest angle between thigh and shank; beyond π would be hyper-extension. [rad, ..=π]
    pub max_angle: f32,
}

impl Default for LimbOptions {
    /// A knee folds to about 25°, the calf against the thigh; straight is 0.1° short of π, so that
    /// a straight leg still has a plane.
    fn default() -> Self {
        Self {
            soft: 0.003,
            min_angle: 25f32.to_radians(),
            max_angle: PI - 0.1f32.to_radians(),
        }
    }
}

/// A limb after the solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbSolution {
    /// The new knee. [m]
    pub knee: Vec3,
    /// The new ankle: the target where it is within reach, else the nearest point allowed. [m]
    pub ankle: Vec3,
    /// Turns the old thigh into the new one, in the space of the positions.
    pub upper: Quat,
    /// Turns the old shank into the new one.
    pub lower: Quat,
}

/// Below this share of the limb's length the knee's distance from the hip-to-ankle axis does not
/// tell the plane any more: 2 % is a knee bent by about 5°.
const STRAIGHT: f32 = 0.02;
/// From the first on a limb's own bend counts beside the pole, from the second on alone: knees bent
/// by about 15° and 30°. Knees and elbows hyper-extend by less than 15°.
const BENT: [f32; 2] = [0.065, 0.13];
/// Lengths below this count as zero. [m]
const TINY: f32 = 1e-6;

/// Moves the ankle to `target`, or as near as the limb's lengths and `options` allow.
///
/// Lengths are kept. With a bone of zero length the limb points at the target; with none, nothing
/// moves. A target at the hip itself keeps the limb's direction and folds it.
pub fn solve_limb(limb: &Limb, target: Vec3, options: &LimbOptions) -> LimbSolution {
    let (thigh, shank) = (limb.knee - limb.hip, limb.ankle - limb.knee);
    let bones = Bones {
        upper: thigh.length(),
        lower: shank.length(),
    };
    let axis = limb.ankle - limb.hip;
    let span = axis.length();
    let old_axis = direction_or(axis, span, thigh + shank * 0.5);
    let to_target = target - limb.hip;
    let distance = to_target.length();
    let new_axis = direction_or(to_target, distance, old_axis);

    let swing = shortest_arc(old_axis, new_axis, limb.pole);
    let bend = swing * bend_direction(limb, old_axis, bones.upper + bones.lower);
    let reached = bones.allowed_distance(distance, span, options);
    let (along, across) = bones.knee_in_plane(reached);
    let knee = limb.hip + new_axis * along + bend * across;
    let ankle = limb.hip + new_axis * reached;

    let upper = shortest_arc(swing * thigh, knee - limb.hip, limb.pole) * swing;
    let lower = shortest_arc(swing * shank, ankle - knee, limb.pole) * swing;
    LimbSolution {
        knee,
        ankle,
        upper,
        lower,
    }
}

/// `vector / length`, or a stand-in where there is no direction.
fn direction_or(vector: Vec3, length: f32, fallback: Vec3) -> Vec3 {
    if length > TINY {
        vector / length
    } else {
        fallback.try_normalize().unwrap_or(Vec3::NEG_Y)
    }
}

/// The unit direction across `axis` to which the knee bends.
///
/// Taken from the knee; as the limb straightens, or bends against the pole (hyper-extension in the
/// source), its share along the pole is eased up to a small positive value, without a jump. A limb
/// bent by more than any joint hyper-extends shows its own plane: folded, with the thigh square to
/// the axis, its pole points along the axis and says nothing.
fn bend_direction(limb: &Limb, axis: Vec3, length: f32) -> Vec3 {
    let across = |v: Vec3| v - axis * axis.dot(v);
    let bent = across(limb.knee - limb.hip);
    let own = smooth_step(bent.length() / length.max(TINY), BENT);
    if own >= 1.0 {
        return bent.normalize();
    }
    let pole = across(limb.pole)
        .try_normalize()
        .unwrap_or_else(|| axis.any_orthonormal_vector());
    let along_pole = bent.dot(pole);
    let aside = bent - pole * along_pole;
    let eased = ease_up(along_pole, STRAIGHT * length);
    let kept = (pole * eased + aside).lerp(bent, own);
    kept.try_normalize().unwrap_or(pole)
}

/// From 0 at the range's start to 1 at its end, with speed zero at both.
fn smooth_step(value: f32, [start, end]: [f32; 2]) -> f32 {
    let share = ((value - start) / (end - start)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// `value` from `width` up, a parabola (C¹) below that stays above zero.
fn ease_up(value: f32, width: f32) -> f32 {
    let floor = 0.1 * width;
    if value >= width {
        return value;
    }
    let rise = ((value + width) / (2.0 * width)).max(0.0);
    floor.max(width * rise * rise).max(TINY)
}

/// How long thigh and shank are. [m]
#[derive(Clone, Copy)]
struct Bones {
    upper: f32,
    lower: f32,
}

impl Bones {
    /// How far from the hip the ankle may go towards a target at `distance`.
    ///
    /// The soft zone starts no nearer than the limb's present `span`: a limb that does not move stays.
    fn allowed_distance(self, distance: f32, span: f32, options: &LimbOptions) -> f32 {
        let longest = self.span_at(options.max_angle);
        let shortest = self.span_at(options.min_angle).min(span);
        let soft_from = (longest * (1.0 - options.soft)).max(span.min(longest));
        let room = longest - soft_from;
        let eased = if distance <= soft_from {
            distance
        } else if room > TINY {
            longest - room * (-(distance - soft_from) / room).exp()
        } else {
            longest.max(span.min(self.upper + self.lower))
        };
        eased.max(shortest)
    }

    /// The hip-to-ankle distance at a knee angle.
    fn span_at(self, angle: f32) -> f32 {
        let Self { upper, lower } = self;
        (upper * upper + lower * lower - 2.0 * upper * lower * angle.cos())
            .max(0.0)
            .sqrt()
    }

    /// The knee's distance along and across the hip-to-ankle axis.
    fn knee_in_plane(self, span: f32) -> (f32, f32) {
        let Self { upper, lower } = self;
        if span < TINY {
            return (0.0, upper);
        }
        let along = (upper * upper - lower * lower + span * span) / (2.0 * span);
        let along = along.clamp(-upper, upper);
        (along, (upper * upper - along * along).max(0.0).sqrt())
    }
}

/// The smallest rotation from one direction to another, of any length; half a turn goes about
/// `hint` as far as that is square to `from`. Identity where a length is zero.
fn shortest_arc(from: Vec3, to: Vec3, hint: Vec3) -> Quat {
    let norm = (from.length_squared() * to.length_squared()).sqrt();
    let w = norm + from.dot(to);
    if norm < TINY * TINY {
        return Quat::IDENTITY;
    }
    if w > 1e-5 * norm {
        let v = from.cross(to);
        return Quat::from_xyzw(v.x, v.y, v.z, w).normalize();
    }
    let from = from.normalize();
    let axis = (hint - from * from.dot(hint)).try_normalize();
    Quat::from_axis_angle(axis.unwrap_or_else(|| from.any_orthonormal_vector()), PI)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LEG: Limb = Limb {
        hip: Vec3::new(0.1, 0.9, 0.0),
        knee: Vec3::new(0.1, 0.5, 0.1),
        ankle: Vec3::new(0.1, 0.1, 0.0),
        pole: Vec3::Z,
    };

    /// What every solution keeps: lengths, a hit if the target is in reach, rotations that carry
    /// the old bones into the new ones, and a knee on the pole's side, unless it was bent to the
    /// other by more than any joint hyper-extends.
    fn check(limb: &Limb, target: Vec3, options: &LimbOptions) -> LimbSolution {
        let solution = solve_limb(limb, target, options);
        let upper = limb.knee.distance(limb.hip);
        let lower = limb.ankle.distance(limb.knee);
        let near = |a: f32, b: f32, what| assert!((a - b).abs() < 1e-4, "{what}: {a}, not {b}");
        near(solution.knee.distance(limb.hip), upper, "thigh");
        near(solution.ankle.distance(solution.knee), lower, "shank");
        let distance = target.distance(limb.hip);
        let bones = Bones { upper, lower };
        let reach = bones.span_at(options.max_angle) * (1.0 - options.soft);
        if (bones.span_at(options.min_angle)..reach).contains(&distance) {
            near(solution.ankle.distance(target), 0.0, "miss");
        }
        let carried_knee = limb.hip + solution.upper * (limb.knee - limb.hip);
        let carried_ankle = carried_knee + solution.lower * (limb.ankle - limb.knee);
        near(carried_knee.distance(solution.knee), 0.0, "carried knee");
        near(carried_ankle.distance(solution.ankle), 0.0, "carried ankle");
        check_side(limb, target, &solution);
        solution
    }

    /// The pole and the old knee are carried along by the turn of the axis; poles along the axis,
    /// and axes that are too short or turn by nearly half a turn, tell no side.
    fn check_side(limb: &Limb, target: Vec3, solution: &LimbSolution) {
        let (old, new) = (limb.ankle - limb.hip, target - limb.hip);
        let length = limb.knee.distance(limb.hip) + limb.ankle.distance(limb.knee);
        if old.length().min(new.length()) < 0.01 || length < 0.01 {
            return;
        }
        let (old, new) = (old.normalize(), new.normalize());
        let across = |v: Vec3, axis: Vec3| v - axis * axis.dot(v);
        let (pole, bent) = (across(limb.pole, old), across(limb.knee - limb.hip, old));
        if pole.length() < 0.01 * limb.pole.length() || old.dot(new) < -0.99 {
            return;
        }
        let hyper_extended = bent.length() < BENT[0] * length;
        if bent.dot(pole) >= 0.0 || hyper_extended {
            let pole = Quat::from_rotation_arc(old, new) * pole.normalize();
            let side = pole.dot(solution.knee - limb.hip);
            assert!(
                side > -1e-3 * length,
                "the knee is {side} m on the pole's side"
            );
        }
    }

    fn point(size: f32) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn any_limb_meets_any_target_it_can(
            knee in point(1.0), ankle in point(1.0), target in point(2.0), pole in point(1.0),
        ) {
            prop_assume!(pole.length() > 0.01);
            let limb = Limb { hip: Vec3::new(0.3, -0.2, 0.1), knee, ankle, pole };
            check(&limb, target, &LimbOptions::default());
        }

        #[test]
        fn a_target_where_the_ankle_is_changes_nothing(knee in point(0.4), ankle in point(0.4)) {
            let limb = Limb { hip: Vec3::Y, knee, ankle, pole: knee - 0.5 * (Vec3::Y + ankle) };
            prop_assume!(limb.pole.length() > 0.1);
            let solution = check(&limb, limb.ankle, &LimbOptions::default());
            prop_assert!(solution.knee.distance(limb.knee) < 1e-3, "{:?}", solution.knee);
        }
    }

    #[test]
    fn the_plane_turns_no_more_than_it_must() {
        // Lifting the ankle within the plane keeps the knee in it.
        let lifted = check(&LEG, Vec3::new(0.1, 0.3, 0.1), &LimbOptions::default());
        assert!((lifted.knee.x - 0.1).abs() < 1e-6, "{:?}", lifted.knee);
        // Turning the axis sideways about z turns the knee with it and leaves z alone.
        let target = LEG.hip + Quat::from_rotation_z(0.5) * (LEG.ankle - LEG.hip);
        let turned = check(&LEG, target, &LimbOptions::default());
        let expected = LEG.hip + Quat::from_rotation_z(0.5) * (LEG.knee - LEG.hip);
        assert!(turned.knee.distance(expected) < 1e-5, "{:?}", turned.knee);
    }

    #[test]
    fn a_straight_limb_bends_towards_the_pole() {
        for off in [0.0, 1e-4, -1e-4, -5e-3] {
            let knee = Vec3::new(0.1, 0.5, off);
            let bent = check(
                &Limb { knee, ..LEG },
                Vec3::new(0.1, 0.2, 0.0),
                &Default::default(),
            );
            assert!(bent.knee.z > 0.1, "knee {off} bent to {:?}", bent.knee);
        }
    }

    #[test]
    fn a_folded_limb_keeps_its_plane_whatever_its_pole() {
        // A knee drawn up to the chest: the thigh level, its front, the pole, along the axis.
        for lean in [-0.05f32, -0.01, 0.0, 0.01, 0.05] {
            let limb = Limb {
                hip: Vec3::ZERO,
                knee: Vec3::new(0.37, 0.02, 0.0),
                ankle: Vec3::new(-0.01, -0.2, 0.0),
                pole: Vec3::new(lean, 1.0, 0.0),
            };
            let moved = check(&limb, limb.ankle + Vec3::Z * 0.01, &Default::default());
            let off = moved.knee.distance(limb.knee);
            assert!(off < 0.02, "pole {lean}: the knee went {off} m");
        }
    }

    #[test]
    fn a_target_out_of_reach_is_approached_smoothly_and_never_passed() {
        let options = LimbOptions {
            soft: 0.05,
            ..Default::default()
        };
        let length = 2.0 * LEG.knee.distance(LEG.hip);
        let reach = |far: f32| {
            let target = LEG.hip - Vec3::Y * far;
            check(&LEG, target, &options).ankle.distance(LEG.hip)
        };
        let mut last = reach(0.9 * length);
        for step in 1..400 {
            let now = reach((0.9 + 0.001 * step as f32) * length);
            assert!(
                now >= last && now - last < 0.0011 * length && now < length,
                "{now} at {step}"
            );
            last = now;
        }
        assert!(last > 0.998 * length, "{last} of {length}");
    }

    #[test]
    fn the_knee_folds_no_further_than_its_limit() {
        let options = LimbOptions {
            min_angle: 1.0,
            ..Default::default()
        };
        let folded = check(&LEG, LEG.hip - Vec3::Y * 0.01, &options);
        let angle = (LEG.hip - folded.knee).angle_between(folded.ankle - folded.knee);
        assert!((angle - 1.0).abs() < 1e-3, "{angle}");
    }

    #[test]
    fn bones_without_length_give_finite_answers() {
        let all_at = Vec3::new(1.0, 2.0, 3.0);
        let targets = [all_at, Vec3::ZERO, all_at + Vec3::Y];
        for target in targets {
            let none = Limb {
                hip: all_at,
                knee: all_at,
                ankle: all_at,
                pole: Vec3::Z,
            };
            assert_eq!(check(&none, target, &LimbOptions::default()).ankle, all_at);
            let thigh_only = Limb {
                hip: all_at,
                knee: all_at + Vec3::X,
                ..none
            };
            let thigh_only = Limb {
                ankle: thigh_only.knee,
                ..thigh_only
            };
            let solution = check(&thigh_only, target, &LimbOptions::default());
            assert!(solution.knee.is_finite() && solution.upper.is_finite());
        }
    }

    #[test]
    fn a_folded_leg_keeps_its_plane() {
        // A shank longer than the thigh, folded up until the ankle is beside the hip: the knee seems
        // to lie on the other side of the axis from hip to ankle than the pole.
        for angle in [0.55, 0.5, 0.45, 0.4, 0.35f32] {
            let knee = Vec3::new(0.0, -0.35, 0.0);
            let ankle = knee + 0.4 * Vec3::new(0.0, angle.cos(), -angle.sin());
            let limb = Limb {
                hip: Vec3::ZERO,
                knee,
                ankle,
                pole: Vec3::Z,
            };
            let target = ankle + Vec3::new(0.0, 0.002, -0.002);
            let solution = solve_limb(&limb, target, &LimbOptions::default());
            let moved = solution.knee.distance(knee);
            assert!(moved < 0.02, "angle {angle}: the knee moves by {moved} m");
        }
    }
}
