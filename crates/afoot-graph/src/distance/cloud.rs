//! The point cloud that stands for the body: which points, and how much each counts.
//!
//! Kovar et al. 2002, §3.1, take a downsampled mesh; so do we where one came with the skeleton, each
//! point fixed to one joint and weighted by its share of the surface. Else the joints and end sites
//! are the points; joints that never leave their parent (zero offset) are one point with the sum of
//! the weights: the same distance for less work.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use afoot_core::{
    Clip, EndSite, Positions, Skeleton, SurfacePoint, Vec3, forward_kinematics, pose_kinematics,
};

/// Which points stand for the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyPoints {
    /// Those of the mesh that came with the skeleton; joints where there is none.
    #[default]
    Mesh,
    /// Joints and end sites.
    Joints,
}

/// How much each part of the body counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloudOptions {
    /// Which points stand for the body.
    pub points: BodyPoints,
    /// Weight of the named joints and of what hangs on them; all others weigh 1.
    /// [finite, >= 0; names that the skeleton lacks are ignored]
    pub weights: BTreeMap<String, f32>,
    /// How much less the first and last frame of a window count than its middle. [0 ..= 1]
    ///
    /// Kovar et al. let weights fall towards the window's end; here both ends fall, because the
    /// same two windows serve the transition there and the one back.
    pub taper: f32,
}

/// The points of one skeleton that are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct PointCloud {
    /// Which of the points that [`PointCloud::positions`] gives (joints, then end sites or points of
    /// the surface), in order.
    pub points: Vec<usize>,
    /// Their weights, which sum to 1.
    pub weights: Vec<f64>,
    /// Their heights at rest, which are subtracted so that f32 keeps its digits. [m]
    pub rest_heights: Vec<f64>,
    /// Sum of the weights before they were scaled.
    pub total_weight: f64,
    /// The skeleton with the points of its surface as end sites, where these are compared.
    skinned: Option<Arc<Skeleton>>,
}

impl PointCloud {
    /// The cloud of a skeleton's joints and end sites; `None` if no point has weight.
    ///
    /// `sliding` tells of each joint whether its offset changes over time in some clip.
    pub fn new(
        skeleton: &Skeleton,
        options: &CloudOptions,
        sliding: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        let raw = merged_weights(skeleton, &options.weights, sliding);
        Self::of_weights(skeleton, &raw)
    }

    /// The cloud of points of a skeleton's surface; `None` if no point has weight.
    pub fn of_surface(
        skeleton: &Skeleton,
        surface: &[SurfacePoint],
        options: &CloudOptions,
    ) -> Option<Self> {
        let site = |point: &SurfacePoint| EndSite {
            parent: point.joint,
            offset: point.offset,
        };
        let sites = surface.iter().map(site).collect();
        let skinned = Skeleton::new(skeleton.joints().to_vec(), sites).ok()?;
        let mut raw = vec![0.0; skinned.len()];
        raw.extend(surface.iter().map(|point| {
            let of_joint = joint_weight(skeleton, point.joint.index(), &options.weights);
            of_joint * f64::from(point.weight)
        }));
        let cloud = Self::of_weights(&skinned, &raw)?;
        Some(Self {
            skinned: Some(Arc::new(skinned)),
            ..cloud
        })
    }

    /// The cloud of a skeleton's points with these weights.
    fn of_weights(skeleton: &Skeleton, raw: &[f64]) -> Option<Self> {
        let total_weight: f64 = raw.iter().sum();
        if !(total_weight > 0.0 && total_weight.is_finite()) {
            return None;
        }
        let heights = rest_heights(skeleton);
        let points: Vec<usize> = (0..raw.len()).filter(|&point| raw[point] > 0.0).collect();
        Some(Self {
            weights: points.iter().map(|&p| raw[p] / total_weight).collect(),
            rest_heights: points.iter().map(|&p| heights[p]).collect(),
            points,
            total_weight,
            skinned: None,
        })
    }

    /// The cloud for comparing these clips, which share one skeleton shape.
    pub fn for_clips(clips: &[&Clip], options: &CloudOptions) -> Option<Self> {
        let slides = |joint: usize| {
            let moves = |clip: &&Clip| clip.sliding.iter().any(|s| s.joint.index() == joint);
            clips.iter().any(moves)
        };
        let skeleton = &clips.first()?.skeleton;
        match used_surface(clips.iter().copied(), options) {
            [] => Self::new(skeleton, options, slides),
            surface => Self::of_surface(skeleton, surface, options),
        }
    }

    /// Where a clip's points are, those of the cloud among them.
    pub fn positions(&self, clip: &Clip) -> Positions {
        let clip = match &self.skinned {
            None => Cow::Borrowed(clip),
            Some(skinned) => {
                let mut clip = clip.clone();
                clip.skeleton = skinned.clone();
                Cow::Owned(clip)
            }
        };
        forward_kinematics(&clip)
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Never: a cloud has a point with weight.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

/// The points of a surface by which these clips, which share one skeleton shape, are compared: those
/// of the first that has any; none where joints are wanted or there is no mesh.
pub fn used_surface<'a>(
    clips: impl IntoIterator<Item = &'a Clip>,
    options: &CloudOptions,
) -> &'a [SurfacePoint] {
    let surfaces = clips.into_iter().map(|clip| clip.skeleton.surface());
    let mut known = surfaces.filter(|surface| !surface.is_empty());
    match options.points {
        BodyPoints::Mesh => known.next().unwrap_or(&[]),
        BodyPoints::Joints => &[],
    }
}

/// The weight that a joint was given.
fn joint_weight(skeleton: &Skeleton, joint: usize, named: &BTreeMap<String, f32>) -> f64 {
    let name = skeleton.joints()[joint].name.as_str();
    let weight = named.get(name).copied().unwrap_or(1.0);
    f64::from(if weight.is_finite() {
        weight.max(0.0)
    } else {
        0.0
    })
}

/// Weight of each joint and end site, with those of coinciding points moved to the first of them.
fn merged_weights(
    skeleton: &Skeleton,
    named: &BTreeMap<String, f32>,
    sliding: impl Fn(usize) -> bool,
) -> Vec<f64> {
    let own = |joint: usize| joint_weight(skeleton, joint, named);
    let mut same_as: Vec<usize> = (0..skeleton.len()).collect();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = joint.parent
            && joint.offset == Vec3::ZERO
            && !sliding(index)
        {
            same_as[index] = same_as[parent.index()];
        }
    }
    let mut weights = vec![0.0; skeleton.point_count()];
    for joint in 0..skeleton.len() {
        weights[same_as[joint]] += own(joint);
    }
    for (index, site) in skeleton.end_sites().iter().enumerate() {
        let parent = site.parent.index();
        let point = match site.offset == Vec3::ZERO {
            true => same_as[parent],
            false => skeleton.len() + index,
        };
        weights[point] += own(parent);
    }
    weights
}

/// Height of each point over the lowest one, in the rest pose.
fn rest_heights(skeleton: &Skeleton) -> Vec<f64> {
    let rest: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let (_, points) = pose_kinematics(skeleton, Vec3::ZERO, &rest);
    let lowest = points.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
    points.iter().map(|p| f64::from(p.y - lowest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::{EndSite, Joint, JointId};

    fn skeleton() -> Skeleton {
        let root = Some(JointId(0));
        let joints = vec![
            Joint::new("hips", None, Vec3::ZERO),
            Joint::new("hip joint", root, Vec3::ZERO),
            Joint::new("leg", Some(JointId(1)), Vec3::new(0.1, -0.4, 0.0)),
        ];
        let toe = EndSite {
            parent: JointId(2),
            offset: Vec3::new(0.0, -0.4, 0.0),
        };
        Skeleton::new(joints, vec![toe]).unwrap()
    }

    #[test]
    fn coinciding_joints_become_one_point_with_both_weights() {
        let cloud = PointCloud::new(&skeleton(), &CloudOptions::default(), |_| false).unwrap();
        assert_eq!(cloud.points, [0, 2, 3]);
        assert_eq!(cloud.weights, [0.5, 0.25, 0.25]);
        assert_eq!(cloud.total_weight, 4.0);
        let slides = PointCloud::new(&skeleton(), &CloudOptions::default(), |j| j == 1).unwrap();
        assert_eq!(slides.points, [0, 1, 2, 3]);
    }

    #[test]
    fn a_joint_without_weight_takes_its_end_site_along() {
        let options = CloudOptions {
            weights: [("leg".into(), 0.0), ("hips".into(), 3.0)].into(),
            ..CloudOptions::default()
        };
        let cloud = PointCloud::new(&skeleton(), &options, |_| false).unwrap();
        assert_eq!((cloud.points, cloud.weights), (vec![0], vec![1.0]));
    }

    #[test]
    fn a_body_without_weight_has_no_cloud() {
        let weights = ["hips", "hip joint", "leg"].map(|name| (name.to_owned(), 0.0));
        let options = CloudOptions {
            weights: weights.into(),
            ..CloudOptions::default()
        };
        assert_eq!(PointCloud::new(&skeleton(), &options, |_| false), None);
    }
}
