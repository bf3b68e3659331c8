//! Files that are not whole libraries of this program are refused, with a reason.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use std::fs;

use afoot_library::{ClipFacts, ContentHash, Library, LibraryError};
use rusqlite::Connection;
use support::{Folder, clip};

fn check(path: &std::path::Path, words: &str) {
    for opened in [Library::open(path), Library::open_read_only(path)] {
        let message = opened
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(
            message.contains(words),
            "{message:?} does not say {words:?}"
        );
        assert!(
            message.contains("lib.afoot"),
            "{message:?} does not name the file"
        );
    }
}

fn small_library(folder: &Folder) -> std::path::PathBuf {
    let path = folder.file("lib.afoot");
    let mut library = Library::create(&path).unwrap();
    for (seed, name) in ["walk", "run", "jump"].into_iter().enumerate() {
        let clip = clip(name, 400, seed as u32);
        library.add_clip(&clip, &ClipFacts::default()).unwrap();
    }
    library
        .put_artefact("graph", "", ContentHash::of(b"x"), &[7; 3000])
        .unwrap();
    path
}

#[test]
fn what_is_no_library_is_refused() {
    let folder = Folder::new("refused");
    let path = folder.file("lib.afoot");
    check(&path, "no such library");
    fs::write(&path, b"").unwrap();
    check(&path, "empty");
    fs::write(&path, b"HIERARCHY\nROOT Hips").unwrap();
    check(&path, "not a motion library");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    check(&path, "a folder");
    fs::remove_dir(&path).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE t (x)")
        .unwrap();
    check(&path, "another program");
}

#[test]
fn newer_and_impossible_formats_are_refused() {
    let folder = Folder::new("formats");
    let path = small_library(&folder);
    let set = |version: i64| {
        let connection = Connection::open(&path).unwrap();
        connection
            .pragma_update(None, "user_version", version)
            .unwrap();
    };
    set(6);
    check(&path, "format 6, this program knows formats up to 5");
    set(0);
    check(&path, "damaged");
    set(1);
    assert!(Library::open(&path).is_ok());
}

#[test]
fn a_lost_row_is_noticed() {
    let folder = Folder::new("lost");
    let path = small_library(&folder);
    let connection = Connection::open(&path).unwrap();
    connection
        .execute("DELETE FROM clips WHERE name = 'run'", [])
        .unwrap();
    drop(connection);
    let mut library = Library::open(&path).unwrap();
    let health = library.check().unwrap();
    let words = health.damage[0].to_string();
    assert!(words.contains("not whole (2 of 3)"), "{words}");
    assert!(library.repair(&health).unwrap().is_whole());
    assert_eq!(library.clips().unwrap().len(), 2);
}

#[test]
fn a_cut_off_file_is_refused_or_read_whole() {
    let folder = Folder::new("cut");
    let path = small_library(&folder);
    let whole = fs::read(&path).unwrap();
    for share in 1..20 {
        fs::write(&path, &whole[..whole.len() * share / 20]).unwrap();
        assert!(read_everything(&path).is_err(), "{share}/20 of the file");
    }
}

#[test]
fn a_changed_byte_is_refused_or_does_no_harm() {
    let folder = Folder::new("changed");
    let path = small_library(&folder);
    let whole = fs::read(&path).unwrap();
    let expected = read_everything(&path).unwrap();
    let (mut state, mut refused) = (12345u64, 0);
    for _ in 0..400 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let (index, bit) = (
            (state >> 33) as usize % whole.len(),
            (state >> 20) as u8 % 8,
        );
        let mut changed = whole.clone();
        changed[index] ^= 1 << bit;
        fs::write(&path, &changed).unwrap();
        match read_everything(&path) {
            Ok(found) => assert!(
                found == expected,
                "byte {index} bit {bit} changed the contents"
            ),
            Err(_) => refused += 1,
        }
    }
    assert!(
        refused > 200,
        "only {refused} of 400 were noticed; most bytes carry contents"
    );
}

type Everything = (Vec<afoot_core::Clip>, Vec<ClipFacts>, Option<Vec<u8>>);

fn read_everything(path: &std::path::Path) -> Result<Everything, LibraryError> {
    let library = Library::open_read_only(path)?;
    if let Some(damage) = library.damage()?.pop() {
        let path = path.to_owned();
        return Err(LibraryError::DamagedClip { path, damage });
    }
    let facts = library
        .clips()?
        .into_iter()
        .map(|entry| entry.facts)
        .collect();
    let artefact = library.artefact("graph", "", ContentHash::of(b"x"))?;
    Ok((library.load_all()?, facts, artefact))
}
