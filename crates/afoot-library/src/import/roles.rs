//! Roles set by hand on skeletons that are in the library already.

use std::sync::Arc;

use afoot_core::{Clip, RoleMapError, Skeleton, change_roles, root_at_hips, set_reference};

use super::ImportOptions;
use super::prepare::analyse;
use crate::entry::ClipEntry;
use crate::error::LibraryError;
use crate::library::Library;

/// Gives joints other roles (`none` takes one away) on every skeleton that has them, and finds floor,
/// contacts and types of its clips anew. How many clips that were.
pub fn set_roles(
    library: &mut Library,
    changes: &[(String, String)],
) -> Result<usize, LibraryError> {
    loop {
        if let Some(clips) = try_set_roles(library, changes)? {
            return Ok(clips);
        }
    }
}

/// [`set_roles`], unless another program changed one of the clips while it was looked at.
fn try_set_roles(
    library: &mut Library,
    changes: &[(String, String)],
) -> Result<Option<usize>, LibraryError> {
    let options = ImportOptions::default();
    // As it was, and with its new skeleton.
    let mut changed: Vec<(&ClipEntry, Clip, Clip)> = Vec::new();
    let entries = library.clips()?;
    for entry in &entries {
        let clip = library.clip_as_found(entry)?;
        let own = changes
            .iter()
            .filter(|(joint, _)| clip.skeleton.find(joint).is_some());
        let own: Vec<(&str, &str)> = own
            .map(|(joint, role)| (joint.as_str(), role.as_str()))
            .collect();
        if !own.is_empty() {
            let roles = change_roles(&clip.skeleton, own)?;
            let skeleton = Skeleton::clone(&clip.skeleton).with_roles(&roles);
            let with_roles = Clip {
                skeleton: Arc::new(skeleton),
                ..clip.clone()
            };
            changed.push((entry, clip, with_roles));
        }
    }
    check_all_known(library, changes)?;
    let transaction = library.transaction()?;
    for (looked_at, before, clip) in &changed {
        let mut clip = clip.clone();
        root_at_hips(&mut clip);
        set_reference(&mut clip);
        let entry = transaction.entry(&clip.name)?;
        let Some(entry) = entry.filter(|entry| entry.skeleton == looked_at.skeleton) else {
            return Ok(None);
        };
        let mut facts = entry.facts;
        let said = analyse(&mut before.clone(), &options);
        facts.warnings.retain(|words| !said.contains(words));
        facts.warnings.extend(analyse(&mut clip, &options));
        transaction.replace(&clip, &facts)?;
    }
    transaction.commit()?;
    Ok(Some(changed.len()))
}

/// Refuses names that no skeleton of the library has.
fn check_all_known(library: &Library, changes: &[(String, String)]) -> Result<(), LibraryError> {
    let skeletons = library.skeletons()?;
    let known = |name: &str| {
        skeletons
            .iter()
            .any(|entry| entry.skeleton.find(name).is_some())
    };
    let Some((name, _)) = changes.iter().find(|(name, _)| !known(name)) else {
        return Ok(());
    };
    let joints = skeletons.iter().flat_map(|entry| entry.skeleton.joints());
    let mut names: Vec<&str> = joints.map(|joint| joint.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    Err(RoleMapError::UnknownJoint {
        name: name.clone(),
        known: names.join(", "),
    }
    .into())
}
