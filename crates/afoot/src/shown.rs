//! Motion as a surface draws it: a body of capsules, and where its points are frame by frame.
//!
//! Points are joints, then end sites, in the skeleton's order. Numbers are metres in the world; feet that
//! are planted are bits of a byte for each frame.

use afoot_core::{Clip, Contacts, FrameId, Role, Side, Skeleton, forward_kinematics};
use afoot_draw::{capsules, ground_of};
use serde::Serialize;

/// What a skeleton looks like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Body {
    /// Joints by name, then end sites as `NAME end`.
    pub names: Vec<String>,
    /// What each point hangs from; none of the root.
    pub parents: Vec<Option<usize>>,
    /// The limbs.
    pub limbs: Vec<BodyLimb>,
    /// The ankles, left and right, where it has legs.
    pub feet: [Option<usize>; 2],
}

/// A tapered capsule between two points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BodyLimb {
    /// One end.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// `left`, `right`, or none in the middle.
    pub side: Option<&'static str>,
    /// Radius at both ends. [m]
    pub radii: [f32; 2],
}

/// Frames of a motion, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownFrames {
    /// Points in each frame.
    pub points: usize,
    /// x, y, z of every point, frame after frame. [m]
    pub places: Vec<f32>,
    /// A byte for each frame: bit 0 the left foot is planted, bit 1 the right one.
    pub planted: Vec<u8>,
    /// Height of the floor. [m]
    pub floor: f32,
}

impl Body {
    /// Of a skeleton.
    pub fn of(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints();
        let sites = skeleton.end_sites();
        let end = |parent: usize| format!("{} end", joints[parent].name);
        let limb = |capsule: afoot_draw::Capsule| BodyLimb {
            from: capsule.from,
            to: capsule.to,
            side: capsule.side.map(|side| match side {
                Side::Left => "left",
                Side::Right => "right",
            }),
            radii: capsule.radii,
        };
        Self {
            names: joints
                .iter()
                .map(|joint| joint.name.clone())
                .chain(sites.iter().map(|site| end(site.parent.index())))
                .collect(),
            parents: joints
                .iter()
                .map(|joint| joint.parent.map(|parent| parent.index()))
                .chain(sites.iter().map(|site| Some(site.parent.index())))
                .collect(),
            limbs: capsules(skeleton).into_iter().map(limb).collect(),
            feet: Side::BOTH.map(|side| {
                let foot = skeleton.with_role(Role::Foot(side));
                foot.map(|joint| joint.index())
            }),
        }
    }
}

impl ShownFrames {
    /// Of a clip, every `every`th frame.
    pub fn of(clip: &Clip, every: usize) -> Self {
        if clip.is_empty() {
            return Self::default();
        }
        let positions = forward_kinematics(clip);
        let frames = (0..clip.len()).step_by(every.max(1));
        let bit = |contacts: Contacts, side, bit: u8| match contacts.any(Contacts::foot(side)) {
            true => bit,
            false => 0,
        };
        let planted = |frame: usize| {
            let contacts = clip.contacts.get(frame).copied().unwrap_or_default();
            bit(contacts, Side::Left, 1) | bit(contacts, Side::Right, 2)
        };
        Self {
            points: positions.points_per_frame(),
            places: frames
                .clone()
                .flat_map(|frame| positions.frame(FrameId::from(frame)))
                .flat_map(|point| point.to_array())
                .collect(),
            planted: frames.map(planted).collect(),
            floor: ground_of(clip, &positions).height,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_sample::{SampleOptions, sample_library};

    #[test]
    fn a_walk_is_shown_point_by_point() {
        let walk = &sample_library(&SampleOptions::default())[0];
        let (body, shown) = (Body::of(&walk.skeleton), ShownFrames::of(walk, 1));
        assert_eq!(body.names.len(), shown.points);
        assert_eq!(shown.places.len(), 3 * shown.points * walk.len());
        assert_eq!(body.parents[0], None);
        let of_side = |side| {
            body.limbs
                .iter()
                .filter(move |limb| limb.side == Some(side))
        };
        assert_eq!(of_side("left").count(), of_side("right").count());
        // The root is where the clip says, and somebody who walks has both feet planted at times.
        assert_eq!(shown.places[1], walk.root[0].y);
        for bit in [1, 2] {
            assert!(shown.planted.iter().any(|planted| planted & bit > 0));
        }
        let thinned = ShownFrames::of(walk, 5);
        assert_eq!(thinned.planted.len(), walk.len().div_ceil(5));
    }
}
