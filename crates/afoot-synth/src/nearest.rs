//! The word that was meant by one that is not known.

/// The known word with the fewest letters to change, if these are few.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = known
        .iter()
        .map(|other| (letters_apart(word, other), *other));
    let (apart, meant) = near.min()?;
    // A third of a word is a slip; more is another word.
    (apart <= word.chars().count().div_ceil(3)).then_some(meant)
}

/// How many letters have to be changed, added or left out (Levenshtein 1966).
fn letters_apart(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_other_words_are_not() {
        let known = ["seconds", "as", "closed", "start"];
        assert_eq!(nearest("second", &known), Some("seconds"));
        assert_eq!(nearest("close", &known), Some("closed"));
        assert_eq!(nearest("strat", &known), Some("start"));
        assert_eq!(nearest("path", &known), None);
        assert_eq!(letters_apart("kitten", "sitting"), 3);
    }
}
