//! Names of clips: what may be one, and which one was meant.

use crate::error::LibraryError;

/// A name must be usable on the command line, where `NAME[..]` is a part of a clip.
pub(crate) fn check_name(name: &str) -> Result<(), LibraryError> {
    let bad = |why| LibraryError::BadName {
        name: name.into(),
        why,
    };
    check_word(name).map_err(bad)?;
    match name.contains(['[', ']', ',']) {
        true => Err(bad("it contains [, ] or a comma")),
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
    match (nearest(name, known).as_slice(), known.len()) {
        ([], 0) => "; it has none".into(),
        ([], count) => format!("; `list` shows the {count} it has"),
        (near, _) => format!("; did you mean {}?", near.join(" or ")),
    }
}

/// Up to three of the known words that a mistyped one may stand for, the likeliest first: other
/// cases, letters left out, added, changed or swapped (one, or one in three), parts of a word.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().collect();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for other in known {
        let letters: Vec<char> = other.to_lowercase().chars().collect();
        let shorter = word.len().min(letters.len());
        let slips = slips(&word, &letters);
        let is_part = shorter >= 2 && (contains(&word, &letters) || contains(&letters, &word));
        if slips <= (shorter / 3).max(1) && slips < shorter.max(1) {
            near.push((slips, other));
        } else if is_part {
            near.push((100 + slips, other));
        }
    }
    near.sort_by_key(|(slips, _)| *slips);
    near.into_iter().map(|(_, other)| other).take(3).collect()
}

fn contains(long: &[char], short: &[char]) -> bool {
    long.windows(short.len().max(1)).any(|part| part == short)
}

/// How many letters have to be left out, added, changed or swapped with their neighbour to make one
/// word of the other.
fn slips(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut table = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let at = |i: usize, j: usize| table[i * width + j];
            let best = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let changed = at(i - 1, j - 1) + usize::from(a[i - 1] != b[j - 1]);
                    let best = changed.min(at(i - 1, j) + 1).min(at(i, j - 1) + 1);
                    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    if swapped {
                        best.min(at(i - 2, j - 2) + 1)
                    } else {
                        best
                    }
                }
            };
            table[i * width + j] = best;
        }
    }
    table[a.len() * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_the_command_line_could_not_take_are_refused() {
        for name in ["", " a", "a[1]", "a,b", "a\nb", &"x".repeat(201)] {
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
        assert_eq!(nearest("wlak", &["run", "walk", "jump"]), ["walk"]);
        assert_eq!(nearest("16_9", &["16_09", "02_01"]), ["16_09"]);
        assert_eq!(
            nearest("turn", &["walk_turn_left", "walk"]),
            ["walk_turn_left"]
        );
        assert_eq!(nearest("", &["a"]), [""; 0]);
        assert_eq!(nearest("x", &["a", "b"]), [""; 0]);
    }
}
