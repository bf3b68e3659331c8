//! The JSON schemas of the files that requests read and write, by hand: they say what a reader needs
//! to know, and a test holds them against the readers.

use afoot_search::near_words;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;

/// Every file of ours by its name, with its schema.
pub const SCHEMAS: [(&str, &str); 10] = [
    ("path", include_str!("../../schemas/path.json")),
    ("score", include_str!("../../schemas/score.json")),
    ("world", include_str!("../../schemas/world.json")),
    ("labels", include_str!("../../schemas/labels.json")),
    ("map", include_str!("../../schemas/map.json")),
    ("task", include_str!("../../schemas/task.json")),
    ("plan", include_str!("../../schemas/plan.json")),
    ("weights", include_str!("../../schemas/weights.json")),
    ("terrain", include_str!("../../schemas/terrain.json")),
    ("footprints", include_str!("../../schemas/footprints.json")),
];

/// Asks for the schema of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Schema {
    /// What the file is called: a name of [`SCHEMAS`].
    pub name: String,
}

impl Schema {
    /// The schema as it is written.
    pub fn text(&self) -> Result<&'static str, Failure> {
        schema(&self.name)
    }

    /// The schema as data.
    pub fn run(&self) -> Result<Value, Failure> {
        Ok(serde_json::from_str(self.text()?)?)
    }
}

/// The schema of a file.
fn schema(name: &str) -> Result<&'static str, Failure> {
    let found = SCHEMAS.iter().find(|(known, _)| *known == name);
    found.map(|(_, schema)| *schema).ok_or_else(|| {
        let known = SCHEMAS.map(|(known, _)| known);
        let near = near_words(name, &known).join(" or ");
        let meant = if near.is_empty() {
            near
        } else {
            format!("; did you mean {near}?")
        };
        let known = known.join(", ");
        Failure::bad_request(format!(
            "there is no schema {name:?}; expected one of: {known}{meant}"
        ))
    })
}
