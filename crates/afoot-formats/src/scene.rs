//! Finds a skeleton in a tree of nodes (glTF, FBX) and samples its motion.
//!
//! Joints are the nodes that a skin or an animation names; the nodes between them and their lowest
//! common ancestor belong to the skeleton too, and so does what hangs below without being drawn.
//! Transforms above the root (an armature's turn and scale) are baked into it; scales inside the
//! skeleton are baked into offsets. Leaves called `..._End` become end sites. Offsets that move
//! become sliding joints.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use afoot_core::{
    Clip, EndSite, FrameRate, Joint, JointId, Quat, Skeleton, SlidingJoint, Vec3, roles,
};

use crate::error::{FormatError, Problem};

/// Suffix of nodes that are end sites.
pub const END_SUFFIX: &str = "_End";

/// An offset that moves less than this is fixed. [m]
const FIXED: f32 = 1e-4;

/// A node of a scene: its place below its parent, at rest.
#[derive(Clone, Debug)]
pub struct SceneNode {
    pub name: String,
    pub children: Vec<usize>,
    pub translation: Vec3,
    pub rotation: Quat,
    pub scale: Vec3,
    /// Carries a mesh, a camera or a light: no joint, unless a skin says so.
    pub drawn: bool,
}

/// A node's animated parts at one time; what does not move is `None`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moved {
    pub translation: Option<Vec3>,
    pub rotation: Option<Quat>,
}

/// A wrong scene: what was expected, what was found.
pub fn expected(expected: &str, found: String) -> FormatError {
    FormatError::new(Problem::Expected {
        expected: expected.into(),
        found,
    })
}

/// At unit length; what has no direction becomes the identity.
pub fn unit(rotation: Quat) -> Quat {
    let length = rotation.length();
    if length > 1e-6 && length.is_finite() {
        rotation / length
    } else {
        Quat::IDENTITY
    }
}

/// A skeleton found in a scene, and where each joint came from.
pub struct Found {
    pub skeleton: Skeleton,
    /// The node of each joint.
    pub nodes: Vec<usize>,
    /// What lies above the root joint.
    pub above: Placement,
    /// Where the root is when nothing moves it.
    pub root_at_rest: Vec3,
    /// The scale that each joint's own offset is seen with.
    pub scales: Vec<f32>,
    pub warnings: Vec<String>,
}

/// A uniform scale, a turn and a shift.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub scale: f32,
    pub rotation: Quat,
    pub translation: Vec3,
}

impl Placement {
    pub fn point(&self, point: Vec3) -> Vec3 {
        self.translation + self.rotation * (point * self.scale)
    }
}

/// The skeleton whose joints are the `wanted` nodes.
pub fn find_skeleton(nodes: &[SceneNode], wanted: BTreeSet<usize>) -> Result<Found, FormatError> {
    let parents = parents_of(nodes)?;
    if let Some(&wrong) = wanted.iter().find(|&&node| node >= nodes.len()) {
        return Err(expected("joints that are nodes", format!("number {wrong}")));
    }
    let Some(root) = common_ancestor(&wanted, &parents) else {
        return Err(expected(
            "a skin or an animation that moves nodes",
            "neither".into(),
        ));
    };
    Builder::new(nodes, wanted).build(root, &parents)
}

/// The motion of a skeleton at the given times, a frame each.
pub fn sample_motion(
    found: &Found,
    rate: FrameRate,
    times: &[f64],
    moved: impl Fn(usize, f64) -> Moved,
) -> Result<Clip, FormatError> {
    let joints = found.skeleton.len();
    let mut clip = Clip::empty("", Arc::new(found.skeleton.clone()), rate);
    clip.rotations = vec![Quat::IDENTITY; times.len() * joints];
    clip.root = vec![found.root_at_rest; times.len()];
    let mut fixed = Vec::new();
    for (joint, &node) in found.nodes.iter().enumerate() {
        let mut offsets = Vec::new();
        for (frame, &time) in times.iter().enumerate() {
            let at = moved(node, time);
            let local = at.rotation.map(unit);
            clip.rotations[frame * joints + joint] = match (local, joint) {
                (None, _) => found.skeleton.joints()[joint].rest,
                (Some(rotation), 0) => unit(found.above.rotation * rotation),
                (Some(rotation), _) => rotation,
            };
            match (at.translation, joint) {
                (Some(translation), 0) => clip.root[frame] = found.above.point(translation),
                (Some(translation), _) => offsets.push(translation * found.scales[joint]),
                (None, _) => {}
            }
        }
        if offsets.is_empty() {
            continue;
        }
        match offsets
            .iter()
            .any(|offset| offset.distance(offsets[0]) > FIXED)
        {
            true => clip.sliding.push(SlidingJoint {
                joint: JointId::from(joint),
                offsets,
            }),
            false => fixed.push((joint, offsets[0])),
        }
    }
    clip.skeleton = Arc::new(with_offsets(&found.skeleton, &fixed)?);
    clip.check().map_err(|error| {
        FormatError::new(Problem::NotFinite {
            found: error.to_string(),
        })
    })?;
    Ok(clip)
}

/// The skeleton with some joints' offsets replaced.
fn with_offsets(skeleton: &Skeleton, offsets: &[(usize, Vec3)]) -> Result<Skeleton, FormatError> {
    let mut joints = skeleton.joints().to_vec();
    for &(joint, offset) in offsets {
        joints[joint].offset = offset;
    }
    Skeleton::new(joints, skeleton.end_sites().to_vec())
        .map_err(|error| FormatError::new(Problem::Skeleton(error)))
}

/// Each node's parent; refuses nodes with two parents and cycles.
fn parents_of(nodes: &[SceneNode]) -> Result<Vec<Option<usize>>, FormatError> {
    let count = nodes.len();
    let mut parents = vec![None; count];
    for (index, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            match parents.get_mut(child) {
                None => {
                    return Err(expected(
                        "children that are nodes",
                        format!("number {child}"),
                    ));
                }
                Some(Some(_)) => {
                    return Err(expected(
                        "one parent per node",
                        format!("two for node {child}"),
                    ));
                }
                Some(parent) => *parent = Some(index),
            }
        }
    }
    // With one parent each, whatever can't be reached from a node without parent is on a cycle.
    let mut reached = 0;
    let mut open: Vec<usize> = (0..count).filter(|&node| parents[node].is_none()).collect();
    while let Some(node) = open.pop() {
        reached += 1;
        open.extend(&nodes[node].children);
    }
    if reached != count {
        return Err(expected("a tree of nodes", "a cycle".into()));
    }
    Ok(parents)
}

/// The lowest node that all `wanted` ones are or hang below; joints of separate trees share the
/// first one's top.
fn common_ancestor(wanted: &BTreeSet<usize>, parents: &[Option<usize>]) -> Option<usize> {
    let up = |node: usize| std::iter::successors(Some(node), |&node| parents[node]);
    let chain: Vec<usize> = up(*wanted.first()?).collect();
    // How far up the chain each node joins it, as far as that is known.
    let mut joins: Vec<Option<Option<usize>>> = vec![None; parents.len()];
    for (at, &node) in chain.iter().enumerate() {
        joins[node] = Some(Some(at));
    }
    let mut highest = 0;
    for &node in wanted {
        let unknown: Vec<usize> = up(node).take_while(|&node| joins[node].is_none()).collect();
        let above = unknown.last().map_or(Some(node), |&top| parents[top]);
        let join = above.and_then(|node| joins[node].flatten());
        unknown.iter().for_each(|&node| joins[node] = Some(join));
        highest = highest.max(join.unwrap_or(0));
    }
    chain.get(highest).copied()
}

struct Builder<'a> {
    scene: &'a [SceneNode],
    wanted: BTreeSet<usize>,
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    nodes: Vec<usize>,
    scales: Vec<f32>,
    names: BTreeSet<String>,
    /// The last number behind each name that several have.
    numbers: BTreeMap<String, usize>,
    warnings: Vec<String>,
}

impl<'a> Builder<'a> {
    fn new(scene: &'a [SceneNode], wanted: BTreeSet<usize>) -> Self {
        Self {
            scene,
            wanted,
            joints: Vec::new(),
            end_sites: Vec::new(),
            nodes: Vec::new(),
            scales: Vec::new(),
            names: BTreeSet::new(),
            numbers: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    fn build(mut self, root: usize, parents: &[Option<usize>]) -> Result<Found, FormatError> {
        let above = self.placement_above(root, parents);
        // Depth first with children in order; (node, parent joint, scale of its offset).
        let mut open = vec![(root, None, above.scale)];
        while let Some((node, parent, scale)) = open.pop() {
            let content = &self.scene[node];
            let (translation, rotation) = (content.translation, unit(content.rotation));
            if let Some(joint) = parent.filter(|_| self.is_end_site(node)) {
                self.end_sites.push(EndSite {
                    parent: joint,
                    offset: translation * scale,
                });
                continue;
            }
            let id = JointId::from(self.joints.len());
            let (offset, rest) = match parent {
                None => (Vec3::ZERO, above.rotation * rotation),
                Some(_) => (translation * scale, rotation),
            };
            let mut joint = Joint::new(self.unique_name(node), parent, offset);
            joint.rest = unit(rest);
            self.joints.push(joint);
            self.nodes.push(node);
            self.scales.push(scale);
            let below = scale * self.uniform(content.scale, node);
            let children = content
                .children
                .iter()
                .rev()
                .filter(|&&child| self.belongs(child));
            open.extend(children.map(|&child| (child, Some(id), below)));
            if self.joints.len() > usize::from(u16::MAX) {
                return Err(expected("at most 65535 joints", "more".into()));
            }
        }
        self.end_sites.sort_by_key(|site| site.parent);
        let skeleton = Skeleton::new(self.joints, self.end_sites)
            .map_err(|error| FormatError::new(Problem::Skeleton(error)))?;
        let roles = roles::recognise_roles(&skeleton);
        let skeleton = skeleton.with_roles(&roles);
        let root_at_rest = above.point(self.scene[root].translation);
        let Self {
            nodes,
            scales,
            warnings,
            ..
        } = self;
        Ok(Found {
            skeleton,
            nodes,
            above,
            root_at_rest,
            scales,
            warnings,
        })
    }

    /// Everything above the root, as one placement.
    fn placement_above(&mut self, root: usize, parents: &[Option<usize>]) -> Placement {
        let above = std::iter::successors(parents[root], |&node| parents[node]);
        let mut whole = Placement {
            scale: 1.0,
            rotation: Quat::IDENTITY,
            translation: Vec3::ZERO,
        };
        for node in above {
            let node_here = &self.scene[node];
            let (translation, rotation) = (node_here.translation, unit(node_here.rotation));
            let scale = self.uniform(node_here.scale, node);
            whole.translation = translation + rotation * (whole.translation * scale);
            whole.rotation = unit(rotation * whole.rotation);
            whole.scale *= scale;
        }
        whole
    }

    /// Nodes that move the body: no meshes, cameras or lights of their own below the skeleton.
    fn belongs(&self, node: usize) -> bool {
        let content = &self.scene[node];
        self.wanted.contains(&node) || !content.drawn
    }

    fn is_end_site(&self, node: usize) -> bool {
        let content = &self.scene[node];
        let name = content.name.trim_end_matches(|c: char| c.is_ascii_digit());
        let named = name
            .to_ascii_lowercase()
            .ends_with(&END_SUFFIX.to_ascii_lowercase());
        content.children.is_empty() && (named || !self.wanted.contains(&node))
    }

    fn unique_name(&mut self, node: usize) -> String {
        let given = self.scene[node].name.clone();
        let base = if given.is_empty() {
            format!("node_{node}")
        } else {
            given
        };
        // Where the last of that name left off, so that many of one name take no longer.
        let number = self.numbers.entry(base.clone()).or_insert(1);
        let mut name = base.clone();
        while !self.names.insert(name.clone()) {
            *number += 1;
            name = format!("{base}_{number}");
        }
        name
    }

    fn uniform(&mut self, scale: Vec3, node: usize) -> f32 {
        let mean = (scale.x * scale.y * scale.z).abs().cbrt();
        if (scale - Vec3::splat(mean)).abs().max_element() > 1e-3 * mean {
            let name = &self.scene[node].name;
            self.warnings.push(format!(
                "node {name:?} is scaled unevenly; its mean scale is used"
            ));
        }
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first node of the first one's chain that all others of its tree have above them, by sets.
    fn reference(wanted: &BTreeSet<usize>, parents: &[Option<usize>]) -> Option<usize> {
        let up = |node: usize| std::iter::successors(Some(node), |&node| parents[node]);
        let mut chain: Vec<usize> = up(*wanted.first()?).collect();
        for &node in wanted {
            let above: BTreeSet<usize> = up(node).collect();
            if chain.iter().any(|candidate| above.contains(candidate)) {
                chain.retain(|candidate| above.contains(candidate));
            }
        }
        chain.first().copied()
    }

    #[test]
    fn the_common_ancestor_is_that_of_sets() {
        let mut state = 7_usize;
        let mut below = |limit: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % limit
        };
        for _ in 0..500 {
            let count = 2 + below(12);
            let parents: Vec<Option<usize>> = (0..count)
                .map(|node| (node > 0 && below(6) > 0).then(|| below(node.max(1))))
                .collect();
            let wanted: BTreeSet<usize> = (0..below(5)).map(|_| below(count)).collect();
            assert_eq!(
                common_ancestor(&wanted, &parents),
                reference(&wanted, &parents),
                "{wanted:?} of {parents:?}"
            );
        }
    }
}
