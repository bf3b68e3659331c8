//! What a score asks for that no captured frame does: which labels, when, and what comes nearest.

use serde::Serialize;

use super::footage::Footage;
use super::score::Score;
use super::timeline::{Timeline, Wish};

/// A stretch of a score that nothing in the footage does as asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Missing {
    /// [s]
    pub from: f64,
    /// [s]
    pub to: f64,
    /// Labels that are wanted there.
    pub wanted: Vec<String>,
    /// Labels that must not be there.
    pub unwanted: Vec<String>,
    /// Of these labels, those that the nearest captured motion carries.
    pub nearest: Vec<String>,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "from {} to {} s: ", self.from, self.to)?;
        let wanted = named(&self.wanted);
        match self.unwanted.is_empty() {
            true => write!(f, "no captured motion is {wanted} at once")?,
            false if self.wanted.is_empty() => {
                write!(f, "all captured motion is {}", named(&self.unwanted))?;
            }
            false => write!(
                f,
                "no captured motion is {wanted} without {}",
                named(&self.unwanted)
            )?,
        }
        match self.nearest.is_empty() {
            true => write!(f, "; the nearest is none of them"),
            false => write!(f, "; the nearest is {}", named(&self.nearest)),
        }
    }
}

fn named(labels: &[String]) -> String {
    let quoted: Vec<String> = labels.iter().map(|label| format!("{label:?}")).collect();
    quoted.join(" and ")
}

/// The sections that no playable frame does as asked, in order; neighbours of the same wish as one.
pub(crate) fn missing(score: &Score, timeline: &Timeline, footage: &Footage) -> Vec<Missing> {
    let labels = score.labels();
    let names = |bits: u64| {
        let carried = labels
            .iter()
            .enumerate()
            .filter(|(bit, _)| bits >> bit & 1 == 1);
        carried.map(|(_, label)| (*label).to_owned()).collect()
    };
    let time = |frame: u32| {
        let seconds = f64::from(frame) * footage.rate.frame_time();
        (seconds * 1e3).round() / 1e3
    };
    let mut found: Vec<Missing> = Vec::new();
    for section in &timeline.sections {
        let Some(bits) = nearest(section.wish, timeline, footage) else {
            continue;
        };
        let asked = section.wish.wanted | section.wish.unwanted;
        found.push(Missing {
            from: time(section.frames.start),
            to: time(section.frames.end),
            wanted: names(section.wish.wanted),
            unwanted: names(section.wish.unwanted),
            nearest: names(bits & asked),
        });
    }
    found
}

/// What the nearest playable frame carries, if none does all that is asked.
fn nearest(wish: Wish, timeline: &Timeline, footage: &Footage) -> Option<u64> {
    let shortest = footage.levels.last().map_or(1, |level| level.block);
    let playable = timeline.carried.iter().zip(&footage.left);
    let playable = playable.filter(|(_, left)| **left >= shortest);
    let nearest = playable.min_by_key(|(bits, _)| wish.misses(**bits));
    nearest.and_then(|(bits, _)| (wish.misses(*bits) > 0).then_some(*bits))
}
