//! Which clips of a library are meant: names and patterns, a search word, a label, a type.

use afoot_core::Locomotion;
use afoot_library::{ClipEntry, Library as Store};
use afoot_search::near_words;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Some clips of a library. What is left open admits all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choice {
    /// Names, or patterns with `*` (anything) and `?` (one letter); each must stand for some clip.
    pub clips: Vec<String>,
    /// Only clips whose name, label or type contains this word, in any case.
    pub search: Option<String>,
    /// Only clips of this type: walk, run, jump or stand, which at least three quarters of their frames
    /// are, or other.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// With a type: clips with at least this share of it, instead of 0.75.
    /// [0 to 1]
    pub min_share: Option<f64>,
    /// Only clips with this label; a type serves where no clip has such a label.
    pub label: Option<String>,
}

impl Choice {
    /// Whether all clips are meant.
    pub(crate) fn is_open(&self) -> bool {
        *self == Self::default()
    }

    /// The clips that are meant, in the library's order.
    pub(crate) fn of(&self, store: &Store) -> Result<Vec<ClipEntry>, Failure> {
        let all = store.clips()?;
        let kind = self.kind()?;
        let labelled = self.labelled(&all)?;
        for pattern in &self.clips {
            if !all.iter().any(|clip| matches(pattern, &clip.name)) {
                store.entry(pattern)?; // says that there is none, and which was meant
            }
        }
        let admits = |clip: &ClipEntry| {
            let named = self
                .clips
                .iter()
                .any(|pattern| matches(pattern, &clip.name));
            (self.clips.is_empty() || named) && self.admits(clip, kind, labelled)
        };
        Ok(all.into_iter().filter(admits).collect())
    }

    fn kind(&self) -> Result<Option<Locomotion>, Failure> {
        let unknown = |word: &str| {
            let near = near_words(word, &Locomotion::ALL.map(Locomotion::name)).join(" or ");
            let expected = "walk, run, jump, stand or other";
            match near.is_empty() {
                true => Failure::bad_value("type", word, expected),
                false => {
                    Failure::bad_value("type", word, &format!("{expected}; did you mean {near}?"))
                }
            }
        };
        let find = |word: &str| Locomotion::from_name(word).ok_or_else(|| unknown(word));
        let kind = self.kind.as_deref().map(find).transpose()?;
        match (self.min_share, kind) {
            (Some(_), None) => Err(Failure {
                field: Some("min_share".into()),
                ..Failure::bad_request("goes with a type")
            }),
            _ => Ok(kind),
        }
    }

    /// What the label stands for. One that nobody has is an answer, one that looks like another a slip.
    fn labelled(&self, all: &[ClipEntry]) -> Result<Option<Labelled<'_>>, Failure> {
        let Some(label) = &self.label else {
            return Ok(None);
        };
        let labels = all.iter().flat_map(|clip| {
            let said = &clip.annotations;
            said.names().into_iter().chain(said.denied_names())
        });
        let mut known: Vec<&str> = labels.collect();
        if known.contains(&label.as_str()) {
            return Ok(Some(Labelled::Label(label)));
        }
        if let Some(kind) = Locomotion::from_name(label) {
            return Ok(Some(Labelled::Type(kind)));
        }
        known.extend(Locomotion::ALL.map(Locomotion::name));
        known.sort_unstable();
        known.dedup();
        let near = near_words(label, &known).join(" or ");
        match near.is_empty() {
            true => Ok(Some(Labelled::Label(label))),
            false => {
                let expected = format!("a label of the library or a type; did you mean {near}?");
                Err(Failure::bad_value("label", label, &expected))
            }
        }
    }

    fn admits(
        &self,
        clip: &ClipEntry,
        kind: Option<Locomotion>,
        labelled: Option<Labelled>,
    ) -> bool {
        let kind = kind.is_none_or(|kind| match self.min_share {
            Some(share) => f64::from(clip.shares[kind as usize]) >= share - 1e-6,
            None => clip.kind == kind,
        });
        let found = self.search.as_deref().is_none_or(|word| {
            let word = word.to_lowercase();
            let labels = clip.label_names().into_iter();
            let mut words = labels.chain([clip.name.as_str(), clip.kind.name()]);
            words.any(|own| own.to_lowercase().contains(&word))
        });
        kind && found && labelled.is_none_or(|labelled| labelled.admits(clip))
    }
}

/// What a label stands for: a type of motion, too, where nobody has used the word for a label.
#[derive(Clone, Copy)]
enum Labelled<'a> {
    Label(&'a str),
    Type(Locomotion),
}

impl Labelled<'_> {
    fn admits(self, clip: &ClipEntry) -> bool {
        match self {
            Self::Label(label) => clip.label_names().contains(&label),
            Self::Type(kind) => clip.kind == kind,
        }
    }
}

/// Whether a name fits a pattern; case counts.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // After the last star: where it stands, and how much it has taken.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&letter) if letter == '?' || letter == name[n] => (p, n) = (p + 1, n + 1),
            _ => match &mut star {
                Some((at, taken)) => {
                    *taken += 1;
                    (p, n) = (*at + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_mean_what_shells_mean() {
        for (pattern, name) in [
            ("walk", "walk"),
            ("*", ""),
            ("16_*", "16_15"),
            ("*_mirror", "a_mirror_mirror"),
            ("1?_*5", "16_15"),
            ("*a*b*", "xxaybz"),
            ("?*", "ä"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("walk", "Walk"),
            ("16_?", "16_15"),
            ("*b", "abc"),
            ("?", ""),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_of_many_stars_takes_no_time() {
        let (pattern, name) = ("*a".repeat(40) + "b", "a".repeat(200));
        assert!(!matches(&pattern, &name));
    }
}
