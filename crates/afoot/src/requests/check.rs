//! What is whole in a library, and the repair of what is not.

use afoot_library::Health;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;

/// Asks whether a library is whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Check {
    /// Remove what can't be read; what was made from clips is made again when it is asked for.
    pub repair: bool,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Whether all is well now.
    pub whole: bool,
    /// How many clips are whole.
    pub clips: usize,
    /// How many artefacts are.
    pub artefacts: usize,
    /// What is, or before the repair was, damaged: a sentence each.
    pub damage: Vec<String>,
    /// Whether that was repaired.
    pub repaired: bool,
    /// The same as problems: this is what scripts that are checked give too.
    pub errors: Vec<CheckError>,
}

/// Something that is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CheckError {
    /// What is wrong.
    pub message: String,
    /// What would help.
    pub hint: Option<String>,
}

impl Check {
    /// Reads everything; repairs what can be, if that is asked.
    pub fn run(&self, library: &Library, _: &Run) -> Result<Checked, Failure> {
        let found = library.read()?.check()?;
        let damage = words(&found);
        let repairs = self.repair && !found.is_whole();
        let now = match repairs {
            true => library.write()?.repair(&found)?,
            false => found,
        };
        let errors = words(&now).into_iter().map(|message| CheckError {
            message,
            hint: None,
        });
        Ok(Checked {
            whole: now.is_whole(),
            clips: now.clips,
            artefacts: now.artefacts,
            repaired: repairs && now.is_whole(),
            errors: errors.collect(),
            damage,
        })
    }
}

fn words(health: &Health) -> Vec<String> {
    let clips = health.damage.iter().map(ToString::to_string);
    let artefacts = health.broken_artefacts.iter();
    let artefacts =
        artefacts.map(|[kind, _]| format!("damaged: {kind}; made again when it is needed"));
    clips
        .chain(artefacts)
        .chain(health.structure.iter().cloned())
        .collect()
}
