//! Bones by name, their hierarchy, and the skeleton they make.

use std::collections::HashMap;

use afoot_core::{EndSite, Joint, JointId, Skeleton, SkeletonError};

use crate::acclaim::asf::{Asf, AsfBone};
use crate::acclaim::words::{Word, Words};
use crate::error::{FormatError, Problem};

/// Bones in file order while the file is read.
#[derive(Default)]
pub(super) struct BoneTable<'a> {
    bones: Vec<AsfBone>,
    by_name: HashMap<&'a [u8], u16>,
    /// Parent and child in the order of the hierarchy section; no parent means the root.
    links: Vec<(Option<u16>, u16)>,
    /// Which bones have a parent.
    linked: Vec<bool>,
}

/// A root and these fill a skeleton.
const MOST_BONES: usize = u16::MAX as usize - 1;

impl<'a> BoneTable<'a> {
    /// Adds a bone under the name that stands at `name`.
    pub(super) fn add(
        &mut self,
        words: &Words,
        name: Word<'a>,
        bone: AsfBone,
    ) -> Result<(), FormatError> {
        if self.bones.len() >= MOST_BONES {
            let problem = Problem::Skeleton(SkeletonError::TooMany(MOST_BONES + 2));
            return Err(words.error(name.place, problem));
        }
        let index = self.bones.len() as u16;
        if name.is("root") || self.by_name.insert(name.text, index).is_some() {
            let name_text = name.to_name();
            return Err(words.error(name.place, Problem::DuplicateName { name: name_text }));
        }
        self.bones.push(bone);
        self.linked.push(false);
        Ok(())
    }

    /// Hangs `child` on `parent`.
    pub(super) fn join(
        &mut self,
        words: &Words,
        parent: Word,
        child: Word,
    ) -> Result<(), FormatError> {
        let unknown = |word: Word| words.expected(word.place, "a bone of :bonedata");
        let parent_index = match parent.is("root") {
            true => None,
            false => Some(
                *self
                    .by_name
                    .get(parent.text)
                    .ok_or_else(|| unknown(parent))?,
            ),
        };
        let index = *self.by_name.get(child.text).ok_or_else(|| unknown(child))?;
        if std::mem::replace(&mut self.linked[usize::from(index)], true) {
            let what = "a bone that has no parent yet";
            return Err(words.expected(child.place, what));
        }
        self.links.push((parent_index, index));
        Ok(())
    }

    /// The bones with their parents, depth first from the root.
    pub(super) fn parents_first(self, words: &Words) -> Result<Vec<AsfBone>, FormatError> {
        let Self {
            bones,
            links,
            by_name,
            ..
        } = self;
        drop(by_name);
        let order = depth_first(bones.len(), &links);
        if order.len() < bones.len() {
            return Err(not_connected(words, &bones, &order));
        }
        let mut places = vec![0_u16; bones.len()];
        for (place, &(index, _)) in order.iter().enumerate() {
            places[usize::from(index)] = place as u16;
        }
        let mut bones: Vec<Option<AsfBone>> = bones.into_iter().map(Some).collect();
        let moved = order.into_iter().filter_map(|(index, parent)| {
            let mut bone = bones[usize::from(index)].take()?;
            bone.parent = parent.map(|parent| places[usize::from(parent)]);
            Some(bone)
        });
        Ok(moved.collect())
    }
}

/// Bones and their parents from the root down, siblings in the order of the links.
fn depth_first(bones: usize, links: &[(Option<u16>, u16)]) -> Vec<(u16, Option<u16>)> {
    // Sorted by parent, a parent's links stand together.
    let mut by_parent = links.to_vec();
    by_parent.sort_by_key(|&(parent, _)| parent);
    let children = |parent: Option<u16>| {
        let start = by_parent.partition_point(|link| link.0 < parent);
        let end = by_parent.partition_point(|link| link.0 <= parent);
        by_parent[start..end].iter().rev()
    };
    let mut order = Vec::with_capacity(bones);
    let mut open: Vec<(u16, Option<u16>)> = children(None).map(|link| (link.1, None)).collect();
    while let Some((bone, parent)) = open.pop() {
        order.push((bone, parent));
        open.extend(children(Some(bone)).map(|link| (link.1, Some(bone))));
    }
    order
}

fn not_connected(words: &Words, bones: &[AsfBone], order: &[(u16, Option<u16>)]) -> FormatError {
    let mut reached = vec![false; bones.len()];
    order
        .iter()
        .for_each(|&(bone, _)| reached[usize::from(bone)] = true);
    let lost = reached
        .iter()
        .position(|reached| !reached)
        .unwrap_or_default();
    words.expected(
        bones[lost].place as usize,
        "a bone that :hierarchy connects with the root",
    )
}

/// The root and the bones as joints at their starts.
pub(super) fn skeleton_of(asf: &Asf, scale: f64) -> Result<Skeleton, FormatError> {
    let mut joints = Vec::with_capacity(asf.bones.len() + 1);
    joints.push(Joint::new("root", None, glam::Vec3::ZERO));
    let mut is_leaf = vec![true; asf.bones.len()];
    for bone in &asf.bones {
        let start = bone.parent.map_or(glam::Vec3::ZERO, |parent| {
            is_leaf[usize::from(parent)] = false;
            asf.bones[usize::from(parent)].vector * scale as f32
        });
        let parent = bone.parent.map_or(0, |parent| usize::from(parent) + 1);
        joints.push(Joint::new(
            bone.name.clone(),
            Some(JointId::from(parent)),
            start,
        ));
    }
    let ends = asf.bones.iter().enumerate().filter(|&(index, bone)| {
        // A tip of no length says nothing that its joint doesn't.
        is_leaf[index] && bone.vector != glam::Vec3::ZERO
    });
    let end_sites = ends.map(|(index, bone)| EndSite {
        parent: JointId::from(index + 1),
        offset: bone.vector * scale as f32,
    });
    let end_sites = end_sites.collect();
    Skeleton::new(joints, end_sites).map_err(|error| FormatError::new(Problem::Skeleton(error)))
}
