//! The known words that a mistyped one may stand for.
//!
//! Slips are letters left out, added, changed or swapped with their neighbour (optimal string alignment:
//! Levenshtein 1966, Damerau 1964), case aside. Cost: the product of both words' lengths, so words that
//! nobody types are not compared.

/// Characters of a word at most.
const LONGEST: usize = 200;

/// Up to three of the known words that a mistyped one may stand for, the likeliest first: those one slip
/// away, or one in three letters, then those that it is a part of, or they of it.
pub fn near_words<'a>(word: &str, known: &[&'a str]) -> Vec<&'a str> {
    let word = letters(word);
    let mut near: Vec<(usize, &str)> = Vec::new();
    for other in known {
        let letters = letters(other);
        if word.len().max(letters.len()) > LONGEST {
            continue;
        }
        let shorter = word.len().min(letters.len());
        let slips = slips(&word, &letters);
        let is_part = shorter >= 2 && (contains(&word, &letters) || contains(&letters, &word));
        if slips <= (shorter / 3).max(1) && slips < shorter.max(1) {
            near.push((slips, other));
        } else if is_part {
            near.push((PART + slips, other));
        }
    }
    near.sort_by_key(|(slips, _)| *slips);
    near.into_iter().map(|(_, other)| other).take(3).collect()
}

/// The known word that a mistyped one stands for: that with the fewest slips, if they are at most a third of
/// its letters. More is another word.
pub fn meant_word<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = letters(word);
    let near = known.iter().filter_map(|other| {
        let letters = letters(other);
        let typed = word.len().max(letters.len()) <= LONGEST;
        typed.then(|| (slips(&word, &letters), *other))
    });
    let (slips, meant) = near.min()?;
    (slips <= word.len().div_ceil(3) && slips < word.len()).then_some(meant)
}

/// Parts of words come after all slips.
const PART: usize = 2 * LONGEST;

fn letters(word: &str) -> Vec<char> {
    word.to_lowercase().chars().collect()
}

fn contains(long: &[char], short: &[char]) -> bool {
    long.windows(short.len().max(1)).any(|part| part == short)
}

/// How many slips make one word of the other.
fn slips(a: &[char], b: &[char]) -> usize {
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
    fn slips_and_parts_are_near() {
        assert_eq!(near_words("wlak", &["run", "walk", "jump"]), ["walk"]);
        assert_eq!(near_words("16_9", &["16_09", "02_01"]), ["16_09"]);
        assert_eq!(
            near_words("turn", &["walk_turn_left", "walk"]),
            ["walk_turn_left"]
        );
        assert_eq!(near_words("", &["a"]), [""; 0]);
        assert_eq!(near_words("x", &["a", "b"]), [""; 0]);
        assert_eq!(near_words(&"x".repeat(300), &[&"x".repeat(300)]), [""; 0]);
    }

    #[test]
    fn slips_are_understood_and_other_words_are_not() {
        let known = ["seconds", "as", "closed", "start", "walkToRun"];
        assert_eq!(meant_word("second", &known), Some("seconds"));
        assert_eq!(meant_word("close", &known), Some("closed"));
        assert_eq!(meant_word("strat", &known), Some("start"));
        assert_eq!(meant_word("walktorun", &known), Some("walkToRun"));
        assert_eq!(meant_word("path", &known), None);
        assert_eq!(meant_word("q", &known), None);
        assert_eq!(meant_word("", &known), None);
    }

    #[test]
    fn letters_are_changed_added_left_out_or_swapped() {
        for (a, b, expected) in [
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("wlak", "walk", 1),
        ] {
            assert_eq!(slips(&letters(a), &letters(b)), expected);
            assert_eq!(slips(&letters(b), &letters(a)), expected);
        }
    }
}
