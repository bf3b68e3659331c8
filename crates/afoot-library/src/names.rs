//! Names of clips: what may be one, and which one was meant.

use afoot_search::near_words;

use crate::error::LibraryError;

/// A name must be usable on the command line, where `NAME[..]` is a part of a clip and `*` stands for any text.
pub(crate) fn check_name(name: &str) -> Result<(), LibraryError> {
    let bad = |why| LibraryError::BadName {
        name: name.into(),
        why,
    };
    check_word(name).map_err(bad)?;
    match name.contains(['[', ']', ',', '*']) {
        true => Err(bad("it contains [, ], a comma or an asterisk")),
        false => Ok(()),
    }
}

/// A label must be usable there too, where `A,B=CM` is a threshold between two.
pub(crate) fn check_label(label: &str) -> Result<(), LibraryError> {
    let bad = |why| LibraryError::BadLabel {
        label: label.into(),
        why,
    };
    check_word(label).map_err(bad)?;
    match label.contains([',', '=']) {
        true => Err(bad("it contains a comma or an equals sign")),
        false => Ok(()),
    }
}

fn check_word(word: &str) -> Result<(), &'static str> {
    match word {
        "" => Err("it is empty"),
        _ if word.len() > 200 => Err("it is longer than 200 bytes"),
        _ if word.trim() != word => Err("it begins or ends with a blank"),
        _ if word.chars().any(char::is_control) => Err("it contains a control character"),
        _ => Ok(()),
    }
}

/// The names that resemble a mistyped one, or how to see them all.
pub(crate) fn hint(name: &str, known: &[&str]) -> String {
    match (near_words(name, known).as_slice(), known.len()) {
        ([], 0) => "; it has none".into(),
        ([], count) => format!("; `list` shows the {count} it has"),
        (near, _) => format!("; did you mean {}?", near.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_the_command_line_could_not_take_are_refused() {
        for name in ["", " a", "a[1]", "a,b", "a\nb", "*", &"x".repeat(201)] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        for name in ["16_15", "Gehen (schnell)", "歩く", "a b"] {
            assert!(check_name(name).is_ok(), "{name:?}");
        }
        for label in ["", "walk ", "a,b", "a=b", "a\tb"] {
            assert!(check_label(label).is_err(), "{label:?}");
        }
        for label in ["pick up", "sneak[2]", "歩く"] {
            assert!(check_label(label).is_ok(), "{label:?}");
        }
    }

    #[test]
    fn a_mistyped_name_brings_the_near_ones() {
        let known = ["16_15", "16_16", "walk"];
        assert_eq!(hint("16_25", &known), "; did you mean 16_15?");
        assert_eq!(hint("Walk", &known), "; did you mean walk?");
        assert_eq!(hint("sneak", &known), "; `list` shows the 3 it has");
        assert_eq!(hint("sneak", &[]), "; it has none");
    }
}
