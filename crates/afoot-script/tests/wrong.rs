//! Scripts that are wrong, and all that is found in each. A file holds the script, a line of `===`, and a line for
//! everything that is found; with AFOOT_BLESS set they are written anew, to be read before they are kept.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use std::path::Path;

use afoot_script::check::check;
use afoot_script::source::{Position, Source};
use support::Props;

const MARK: &str = "\n===\n";

fn found_in(name: &str, script: &str) -> String {
    let checked = check(Source::new(name, script), &Props);
    let told = checked.found.iter().map(|found| {
        let Position { line, column } = found.position(&checked.sources);
        let kind = format!("{:?}", found.severity).to_lowercase();
        let hint = found
            .hint
            .as_ref()
            .map_or(String::new(), |hint| format!(" ({hint})"));
        assert!(!found.render(&checked.sources).is_empty());
        format!("{line}:{column} {kind}: {}{hint}\n", found.message)
    });
    told.collect()
}

#[test]
fn what_is_wrong_is_found_all_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 60, "{} scripts", files.len());
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let (script, expected) = text.split_once(MARK).unwrap_or((&text, ""));
        let found = found_in(name, script);
        if std::env::var_os("AFOOT_BLESS").is_some() {
            std::fs::write(&file, format!("{script}{MARK}{found}")).unwrap();
        } else {
            assert!(!found.is_empty(), "{name}: something is wrong with it");
            assert_eq!(found, expected, "{name}");
        }
    }
}
