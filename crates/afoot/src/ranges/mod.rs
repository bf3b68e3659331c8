//! The ranges of requests' options: what their comments say is what is kept to.
//!
//! A number's comment ends in its unit and range (`[s, > 0, at most 60]`); `table` is made of these comments by
//! the test that makes the page's types, which fails where a number has no range. A request is looked at before
//! any work, so that a number out of all proportion is refused by name instead of keeping a machine busy.
//! What lies in files that requests name (paths, worlds, scores, tasks) is checked by who reads it.

mod table;

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;
use table::{OptionRange, RANGES};

/// Something with options that have ranges; every request is.
pub trait Ranged {
    /// Refuses options that lie outside of theirs, by name.
    fn check_ranges(&self) -> Result<(), Failure>;
}

/// Every number that can be asked with: `Request.field.field`, and its unit and range in words.
pub fn option_ranges() -> impl Iterator<Item = (&'static str, &'static str)> {
    RANGES.iter().map(|range| (range.path, range.said))
}

/// Refuses options of a request of that type that lie outside of their ranges.
pub(crate) fn check_ranges(request: &str, asked: &impl Serialize) -> Result<(), Failure> {
    let asked = serde_json::to_value(asked)?;
    let own = RANGES.iter().filter_map(|range| {
        let (owner, field) = range.path.split_once('.')?;
        (owner == request).then_some((range, field))
    });
    for (range, field) in own {
        let fields: Vec<&str> = field.split('.').collect();
        let mut wrong = None;
        outside(&asked, &fields, range, &mut wrong);
        if let Some(value) = wrong {
            let field = fields.last().copied().unwrap_or_default();
            return Err(Failure::bad_value(field, value, range.said));
        }
    }
    Ok(())
}

/// Finds a number at `fields` below `asked` that lies outside; lists and maps on the way are gone through.
fn outside(asked: &Value, fields: &[&str], range: &OptionRange, wrong: &mut Option<String>) {
    match (asked, fields) {
        (Value::Array(values), _) => {
            for value in values {
                // Numbers that are not finite are nothing in JSON.
                match value.is_null() {
                    true => *wrong = Some("not a number".into()),
                    false => outside(value, fields, range, wrong),
                }
            }
        }
        (Value::Object(values), [field, rest @ ..]) => {
            if let Some(value) = values.get(*field) {
                outside(value, rest, range, wrong);
            }
        }
        (Value::Object(values), []) => {
            let each = values.values();
            each.for_each(|value| outside(value, &[], range, wrong));
        }
        (Value::Number(number), []) => {
            let number = number.as_f64().unwrap_or(f64::NAN);
            if !Bounds::of(range.said).hold(number) {
                *wrong = Some(Shortest(number).to_string());
            }
        }
        (Value::Null, []) if !range.open => *wrong = Some("not a number".into()),
        _ => {}
    }
}

/// A number with as many digits as it was asked with, also where it was kept in single precision.
struct Shortest(f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let single = self.0 as f32;
        let large = self.0.abs() >= 1e7;
        match (f64::from(single) == self.0, large) {
            (true, true) => write!(f, "{single:e}"),
            (true, false) => write!(f, "{single}"),
            (false, true) => write!(f, "{:e}", self.0),
            (false, false) => write!(f, "{}", self.0),
        }
    }
}

/// What a range in words asks for.
#[derive(Debug, PartialEq)]
struct Bounds {
    least: f64,
    /// The least itself is out.
    above: bool,
    most: f64,
    /// 0 is out.
    not_zero: bool,
}

impl Bounds {
    /// Reads `> 0`, `≥ 0`, `at most 9`, `1 to 9` and `not 0` between commas; other words are units.
    fn of(said: &str) -> Self {
        let mut bounds = Self {
            least: f64::NEG_INFINITY,
            above: false,
            most: f64::INFINITY,
            not_zero: false,
        };
        for part in said.split([',', ';']).map(str::trim) {
            let number = |text: &str| text.trim().parse::<f64>().ok();
            let after = |sign: &str| part.strip_prefix(sign).and_then(number);
            let both = part.split_once(" to ");
            if let Some(least) = after(">") {
                (bounds.least, bounds.above) = (least, true);
            } else if let Some(least) = after("≥") {
                bounds.least = least;
            } else if let Some(most) = after("at most") {
                bounds.most = most;
            } else if let Some((Some(least), Some(most))) =
                both.map(|(least, most)| (number(least), number(most)))
            {
                (bounds.least, bounds.most) = (least, most);
            } else if part == "not 0" {
                bounds.not_zero = true;
            }
        }
        bounds
    }

    fn hold(&self, number: f64) -> bool {
        let least = match self.above {
            true => number > self.least,
            false => number >= self.least,
        };
        // Bounds are decimal, numbers may have been kept in single precision.
        let near = |bound: f64| bound.is_finite() && number as f32 == bound as f32;
        let low = least || (!self.above && near(self.least));
        low && (number <= self.most || near(self.most)) && !(self.not_zero && number == 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_has_two_ends() {
        for OptionRange { path, said, .. } in RANGES {
            let Bounds { least, most, .. } = Bounds::of(said);
            assert!(least.is_finite() && most.is_finite(), "{path}: [{said}]");
            assert!(least < most, "{path}: [{said}]");
        }
    }

    #[test]
    fn ranges_in_words_are_what_they_say() {
        let tau = Bounds::of("s, > 0, at most 10");
        assert!(tau.hold(0.05) && tau.hold(10.0));
        assert!(!tau.hold(0.0) && !tau.hold(10.1) && !tau.hold(f64::NAN));
        let radius = Bounds::of("m, -5 to 5, not 0");
        assert!(radius.hold(-5.0) && radius.hold(5.0) && !radius.hold(0.0));
        assert!(Bounds::of("m, 0.01 to 100").hold(f64::from(0.01_f32)));
    }
}
