//! Throws scripts at the language that are nearly right, and texts that are not: nothing may panic or hang.
//!
//!     cargo run --release -p afoot-script --example fuzz -- 1000000 [SEED]

#![allow(clippy::print_stdout)] // a tool for people

use std::time::{Duration, Instant};

use afoot_script::check::check;
use afoot_script::format::format;
use afoot_script::outside::{ClipFacts, Missing, Outside};
use afoot_script::program::ActorFiles;
use afoot_script::source::Source;

const SEEDS: [&str; 3] = [
    include_str!("../tests/scripts/thesis_7_4.play"),
    include_str!("../../../examples/stories/meeting.play"),
    include_str!("../../../examples/stories/people.play"),
];

const WORDS: &str = "actors actor story cast scenes scene screenplay initialize camera par seq as at let define import \
    clipref concatenate subclip resample loop transition graft alterwalk follow wander moment idle mocapdb clip \
    filename startframe endframe loopcount position lookat { } [ ] ( ) , . + - 1 2.5m -3s \" /* */ // \u{e9} \\";

/// A world in which most things are there.
struct Props;

impl Outside for Props {
    fn script(&self, name: &str, _: &str) -> Result<(String, String), Missing> {
        match name.len() % 2 {
            0 => Err(Missing::new("there is no script")),
            _ => Ok((name.into(), SEEDS[2].into())),
        }
    }
    fn clip(&self, _: &ActorFiles, file: &str) -> Result<ClipFacts, Missing> {
        match file.len() % 7 {
            0 => Err(Missing::new("there is no file")),
            length => Ok(ClipFacts {
                frames: 60 * length as u32,
            }),
        }
    }
    fn library(&self, _: &ActorFiles) -> Result<(), Missing> {
        Ok(())
    }
    fn library_clip(&self, _: &ActorFiles, name: &str) -> Result<Option<ClipFacts>, Missing> {
        Ok((!name.len().is_multiple_of(5)).then_some(ClipFacts { frames: 180 }))
    }
    fn skeleton(&self, _: &ActorFiles) -> Result<(), Missing> {
        Ok(())
    }
    fn body(&self, _: &ActorFiles) -> Result<(), Missing> {
        Err(Missing::new("there is no body"))
    }
    fn joint(&self, _: &ActorFiles, _: &str) -> Result<(), Missing> {
        Ok(())
    }
    fn file(&self, _: &str) -> Result<(), Missing> {
        Ok(())
    }
}

/// Xorshift: the same inputs for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse());
    let mut number = |usual: u64| numbers.next().and_then(Result::ok).unwrap_or(usual);
    let (count, seed) = (number(10_000), number(1));
    let mut random = Random(seed.max(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let (mut slowest, mut right) = (Duration::ZERO, 0u64);
    for _ in 0..count {
        let text = input(&mut random, &words);
        let begun = Instant::now();
        let checked = check(Source::new("fuzz.play", text.as_str()), &Props);
        for found in &checked.found {
            found.render(&checked.sources);
        }
        let once = format(&text);
        assert_eq!(format(&once), once, "formatting twice is formatting once");
        right += u64::from(checked.is_right());
        slowest = slowest.max(begun.elapsed());
    }
    println!("{count} inputs, {right} of them right; the slowest took {slowest:?}");
}

/// A good script with some slips, or words in any order.
fn input(random: &mut Random, words: &[&str]) -> String {
    if random.below(4) == 0 {
        let count = random.below(120);
        let all = (0..count).map(|_| words[random.below(words.len())]);
        return all.collect::<Vec<_>>().join(" ");
    }
    let mut text: Vec<char> = SEEDS[random.below(SEEDS.len())].chars().collect();
    for _ in 0..=random.below(8) {
        if text.is_empty() {
            break;
        }
        let (at, length) = (random.below(text.len()), random.below(40));
        let end = (at + length).min(text.len());
        match random.below(4) {
            0 => drop(text.drain(at..end)),
            1 => {
                let word: Vec<char> = words[random.below(words.len())].chars().collect();
                text.splice(at..at, word);
            }
            2 => {
                let copy: Vec<char> = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, copy);
            }
            _ => text[at] = char::from(32 + random.below(95) as u8),
        }
    }
    text.into_iter().collect()
}
