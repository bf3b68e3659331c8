//! Which joint is which body part.

use std::collections::BTreeMap;

use afoot_library::{SkeletonEntry, set_roles};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;

/// Asks for the body parts of a library's skeletons, and says what some joints are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Roles {
    /// What some joints are.
    pub set: Vec<JointRole>,
}

/// A joint and the body part that it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointRole {
    /// The joint's name.
    pub joint: String,
    /// The body part, such as `left_up_leg`; `none` for nothing.
    pub role: String,
}

/// The skeletons of a library.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RolesShown {
    /// One by one.
    pub skeletons: Vec<SkeletonRoles>,
}

/// A skeleton's joints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkeletonRoles {
    /// Its name.
    pub name: String,
    /// How many clips have it.
    pub clips: u32,
    /// Every joint's body part, if it has one.
    pub joints: BTreeMap<String, Option<String>>,
    /// The joints in their order.
    #[serde(skip)]
    pub order: Vec<String>,
}

impl Roles {
    /// Sets what is to be set, and gives what there is.
    pub fn run(&self, library: &Library, run: &Run) -> Result<RolesShown, Failure> {
        if !self.set.is_empty() {
            let pair = |said: &JointRole| (said.joint.clone(), said.role.clone());
            let set: Vec<(String, String)> = self.set.iter().map(pair).collect();
            let mut store = library.write()?;
            let clips = set_roles(&mut store, &set)?;
            drop(store);
            run.note(format!("{clips} clips were looked at anew"));
        }
        let skeletons = library.read()?.skeletons()?;
        let skeletons = skeletons.iter().map(SkeletonRoles::from).collect();
        Ok(RolesShown { skeletons })
    }
}

impl From<&SkeletonEntry> for SkeletonRoles {
    fn from(entry: &SkeletonEntry) -> Self {
        let joints = entry.skeleton.joints().iter();
        Self {
            name: entry.name.clone(),
            clips: entry.clips,
            order: joints.clone().map(|joint| joint.name.clone()).collect(),
            joints: joints
                .map(|joint| {
                    (
                        joint.name.clone(),
                        joint.role.map(|role| role.name().into()),
                    )
                })
                .collect(),
        }
    }
}
