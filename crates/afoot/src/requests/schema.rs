//! The JSON schemas of the files that requests read and write, by hand: they say what a reader needs
//! to know, and a test holds them against the readers.

use afoot_library::nearest;

use crate::failure::Failure;

/// Every file of ours by its name, with its schema.
pub const SCHEMAS: [(&str, &str); 7] = [
    ("path", include_str!("../../schemas/path.json")),
    ("score", include_str!("../../schemas/score.json")),
    ("world", include_str!("../../schemas/world.json")),
    ("labels", include_str!("../../schemas/labels.json")),
    ("map", include_str!("../../schemas/map.json")),
    ("task", include_str!("../../schemas/task.json")),
    ("plan", include_str!("../../schemas/plan.json")),
];

/// The schema of a file.
pub fn schema(name: &str) -> Result<&'static str, Failure> {
    let found = SCHEMAS.iter().find(|(known, _)| *known == name);
    found.map(|(_, schema)| *schema).ok_or_else(|| {
        let known = SCHEMAS.map(|(known, _)| known);
        let near = nearest(name, &known).join(" or ");
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
