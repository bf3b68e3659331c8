//! What hangs on a joint and on its partner across the body, and the turn that makes one the image of the other.

use glam::{Quat, Vec3};

use crate::index::JointId;
use crate::skeleton::Skeleton;

/// An offset that hangs on a joint's partner, mirrored, and the one on the joint that it should become. [m]
pub(crate) type Pair = (Vec3, Vec3);

/// What hangs on a joint and on its partner, the longest first.
pub(crate) fn hanging_pairs(
    skeleton: &Skeleton,
    partners: &[JointId],
    joint: JointId,
) -> Vec<Pair> {
    let mirrored = |offset: Vec3| offset * Vec3::new(-1.0, 1.0, 1.0);
    let children = skeleton.children(joint).map(|child| {
        let other = partners[child.index()];
        let offset = |joint| skeleton.joint(joint).offset;
        (mirrored(offset(other)), offset(child))
    });
    let sites = |of: JointId| {
        let all = skeleton.end_sites().iter();
        all.filter(move |site| site.parent == of)
            .map(|site| site.offset)
    };
    let ends = sites(partners[joint.index()])
        .map(mirrored)
        .zip(sites(joint));
    let mut pairs: Vec<Pair> = children.chain(ends).collect();
    pairs.retain(|(from, to)| from.length() > 1e-4 && to.length() > 1e-4);
    pairs.sort_by(|a, b| b.1.length_squared().total_cmp(&a.1.length_squared()));
    pairs
}

/// The turn that takes the longest pair's direction over exactly, and another's as near as it goes; else,
/// where only one direction is told, the nearest to `near`.
pub(crate) fn turn_onto(pairs: &[Pair], near: Quat) -> Quat {
    match (two_directions(pairs), pairs.first()) {
        (Some([first, second]), _) => turn_of_two(first, second),
        (None, Some(&(from, to))) => shortest_turn(near * from, to) * near,
        (None, None) => near,
    }
}

/// The longest pair and the longest that is square enough to it.
fn two_directions(pairs: &[Pair]) -> Option<[Pair; 2]> {
    let first = *pairs.first()?;
    let square = |pair: &&Pair| {
        let sine = |a: Vec3, b: Vec3| a.normalize().cross(b.normalize()).length();
        sine(pair.0, first.0) > 0.2 && sine(pair.1, first.1) > 0.2
    };
    Some([first, *pairs[1..].iter().find(square)?])
}

fn turn_of_two(first: Pair, second: Pair) -> Quat {
    let frame = |along: Vec3, beside: Vec3| {
        let x = along.normalize();
        let z = along.cross(beside).normalize();
        Quat::from_mat3(&glam::Mat3::from_cols(x, z.cross(x), z))
    };
    (frame(first.1, second.1) * frame(first.0, second.0).conjugate()).normalize()
}

/// Zero-length bones turn nothing.
pub(crate) fn shortest_turn(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}
