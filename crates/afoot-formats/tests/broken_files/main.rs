//! Broken files: each gives one error that says where and what was expected.
#![allow(clippy::unwrap_used)] // a test fails by panicking

mod acclaim;
mod bvh;

use afoot_formats::{FormatError, Motion};

/// A change to a sound text, and what the error must say.
type Break = (&'static str, &'static str, &'static str);

fn check(sound: &str, breaks: &[Break], read: impl Fn(&str) -> Result<Motion, FormatError>) {
    if let Err(error) = read(sound) {
        panic!("the sound file is refused: {error}");
    }
    for &(from, to, expected) in breaks {
        assert!(sound.contains(from), "{from:?} is not in the sound file");
        let broken = sound.replacen(from, to, 1);
        match read(&broken) {
            Ok(_) => panic!("{from:?} -> {to:?} was read without an error"),
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(expected), "{from:?} -> {to:?}: {message}");
                assert!(!message.contains('\n'), "{message}");
            }
        }
    }
}

/// The text up to a place.
fn cut(sound: &str, before: &str, read: impl Fn(&str) -> Result<Motion, FormatError>) -> String {
    let end = sound.find(before).unwrap();
    read(&sound[..end]).unwrap_err().to_string()
}
