//! The word that was meant by one that is not known.

/// The known word with the fewest letters to change, case aside, if these are few.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    // Names that nobody typed by hand are not compared: the table grows with their product.
    if word.chars().count() > LONGEST {
        return None;
    }
    let near = known
        .iter()
        .filter(|other| other.len() <= 4 * LONGEST)
        .map(|other| (letters_apart(&word, &other.to_lowercase()), *other));
    let (apart, meant) = near.min()?;
    // A third of a word is a slip; more is another word.
    let letters = word.chars().count();
    (apart <= letters.div_ceil(3) && apart < letters).then_some(meant)
}

/// Characters of a word at most.
const LONGEST: usize = 64;

/// How many letters have to be changed, added, left out or swapped with the next.
fn letters_apart(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = [
        vec![0; b.len() + 1],
        (0..=b.len()).collect(),
        vec![0; b.len() + 1],
    ];
    for i in 1..=a.len() {
        let [before, last, next] = &mut rows;
        next[0] = i;
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = changed.min(last[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_other_words_are_not() {
        let known = ["transtitionFromWalkToRun", "walk", "actor"];
        assert_eq!(
            nearest("transitionfromwalktorun", &known),
            Some("transtitionFromWalkToRun")
        );
        assert_eq!(nearest("aktor", &known), Some("actor"));
        assert_eq!(nearest("wlak", &known), Some("walk"));
        assert_eq!(nearest("jump", &known), None);
        assert_eq!(letters_apart("kitten", "sitting"), 3);
        assert_eq!(letters_apart("", "abc"), 3);
    }
}
