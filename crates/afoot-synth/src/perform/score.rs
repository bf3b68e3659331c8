//! The score of a performance: what should happen when (Arikan, Forsyth and O'Brien 2003, §3).
//!
//! Labels painted over time, wanted or not; poses or motions at given times; places to be at; what is
//! not painted is not cared about. Times in seconds, places in metres and degrees, as in the file.
//! Here it is checked for what no library could do: ends before starts, a label both wanted and not
//! at one time, two poses or two places at one time.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Longer scores are taken for a mistake. [s]
pub const LONGEST: f64 = 3600.0;

/// What should happen when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Length of the motion. [s, > 0]
    pub seconds: f64,
    /// What is wanted, and what is not.
    #[serde(default)]
    pub paint: Vec<Paint>,
    /// Frames or motions that must be played at given times.
    #[serde(default)]
    pub poses: Vec<PoseWish>,
    /// Places to be at.
    #[serde(default)]
    pub places: Vec<PlaceWish>,
    /// Where the motion begins.
    #[serde(default)]
    pub start: StartWish,
    /// 1 cares for smooth joins alone, 0 for the paint alone: 1 − α of equation 1. [0 to 1]
    #[serde(default = "balanced")]
    pub smoothness: f64,
    /// What a metre, or 57 degrees, off a place counts beside paint and joins. [≥ 0]
    #[serde(default = "one")]
    pub place_weight: f64,
}

/// A label over a stretch of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paint {
    /// A label of the library, or a locomotion type.
    pub label: String,
    /// [s]
    pub from: f64,
    /// [s]
    pub to: f64,
    /// Whether the motion must carry it or must not.
    #[serde(default = "yes")]
    pub want: bool,
    /// Limbs that do it, whatever the rest of the body does: `left_arm`, `right_arm`, `head`, `torso`, `arms`, `upper`;
    /// all of the body if it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<String>,
}

/// A frame of a clip, or a motion, at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseWish {
    /// When it is played. [s]
    pub at: f64,
    /// The clip.
    pub clip: String,
    /// The moment of the clip. [s]
    pub time: f64,
    /// For how long the clip plays on from there; one frame if it is left out. [s, > 0]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// A place to be at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaceWish {
    /// When. [s]
    pub at: f64,
    /// [m]
    pub x: f64,
    /// [m]
    pub z: f64,
    /// Which way to face there; any if it is left out. [degrees]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yaw: Option<f64>,
}

/// Where the motion begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StartWish {
    /// [m]
    pub x: f64,
    /// [m]
    pub z: f64,
    /// [degrees]
    pub yaw: f64,
}

/// What is wrong with a score whatever the library.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum ScoreError {
    #[error("not a score: {0}")]
    Unreadable(String),
    #[error("seconds is {0}; expected a length above 0, up to {LONGEST}")]
    BadLength(f64),
    #[error("{field} is {value}; expected {expected}")]
    BadValue {
        field: &'static str,
        value: f64,
        expected: &'static str,
    },
    #[error("{what} {from} to {to} s is no stretch of a score of {seconds} s")]
    BadStretch {
        what: String,
        from: f64,
        to: f64,
        seconds: f64,
    },
    #[error("{label:?} is painted both as wanted and as not wanted from {from} to {to} s")]
    BothWays { label: String, from: f64, to: f64 },
    #[error("{first} and {second} are both asked for at {at} s; only one can be")]
    Twice {
        first: String,
        second: String,
        at: f64,
    },
    #[error("a score may paint {most} labels at most; this one has {found}")]
    TooManyLabels { found: usize, most: usize },
}

/// Labels of one score at most: bits of a word, of which one is spoken for.
pub const MOST_LABELS: usize = 63;

fn balanced() -> f64 {
    0.5
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

impl Default for Score {
    fn default() -> Self {
        Self {
            seconds: 10.0,
            paint: Vec::new(),
            poses: Vec::new(),
            places: Vec::new(),
            start: StartWish::default(),
            smoothness: balanced(),
            place_weight: one(),
        }
    }
}

impl Score {
    /// Reads a score file's text and checks it.
    pub fn from_json(text: &str) -> Result<Self, ScoreError> {
        let score: Self = serde_json::from_str(text)
            .map_err(|error| ScoreError::Unreadable(error.to_string()))?;
        score.check()?;
        Ok(score)
    }

    /// Whether it makes sense by itself.
    pub fn check(&self) -> Result<(), ScoreError> {
        if !(self.seconds > 0.0 && self.seconds <= LONGEST) {
            return Err(ScoreError::BadLength(self.seconds));
        }
        in_range("smoothness", self.smoothness, 1.0, "0 to 1")?;
        in_range("place_weight", self.place_weight, 1e6, "0 to 1000000")?;
        for (field, value) in [
            ("start x", self.start.x),
            ("start z", self.start.z),
            ("start yaw", self.start.yaw),
        ] {
            finite(field, value)?;
        }
        self.check_paint()?;
        self.check_poses()?;
        self.check_places()
    }

    /// The labels that it names, each once, in the order of their first mention.
    pub fn labels(&self) -> Vec<&str> {
        let mut labels: Vec<&str> = Vec::new();
        for paint in &self.paint {
            if !labels.contains(&paint.label.as_str()) {
                labels.push(&paint.label);
            }
        }
        labels
    }

    fn check_paint(&self) -> Result<(), ScoreError> {
        for (index, paint) in self.paint.iter().enumerate() {
            self.check_stretch(format!("{:?} from", paint.label), paint.from, paint.to)?;
            let opposed = |other: &&Paint| {
                other.label == paint.label
                    && other.want != paint.want
                    && (other.chains.is_empty() == paint.chains.is_empty())
                    && (paint.chains.is_empty()
                        || other.chains.iter().any(|c| paint.chains.contains(c)))
                    && other.from.max(paint.from) < other.to.min(paint.to)
            };
            if let Some(other) = self.paint[..index].iter().find(opposed) {
                return Err(ScoreError::BothWays {
                    label: paint.label.clone(),
                    from: other.from.max(paint.from),
                    to: other.to.min(paint.to),
                });
            }
        }
        let found = self.labels().len();
        match found <= MOST_LABELS {
            true => Ok(()),
            false => Err(ScoreError::TooManyLabels {
                found,
                most: MOST_LABELS,
            }),
        }
    }

    fn check_poses(&self) -> Result<(), ScoreError> {
        for (index, pose) in self.poses.iter().enumerate() {
            in_range("time of a pose", pose.time, f64::MAX, "seconds from 0 on")?;
            let seconds = pose.seconds.unwrap_or(0.0);
            let what = || format!("clip {:?} from", pose.clip);
            if !(0.0..self.seconds).contains(&pose.at)
                || pose.seconds.is_some_and(|seconds| seconds <= 0.0)
            {
                return Err(self.no_stretch(what(), pose.at, pose.at + seconds));
            }
            self.check_end(what(), pose.at, pose.at + seconds)?;
            let meets = |other: &&PoseWish| {
                let end = |wish: &PoseWish| wish.at + wish.seconds.unwrap_or(0.0);
                other.at.max(pose.at) <= end(other).min(end(pose))
            };
            if let Some(other) = self.poses[..index].iter().find(meets) {
                return Err(ScoreError::Twice {
                    first: format!("{} at {} s", other.clip, other.time),
                    second: format!("{} at {} s", pose.clip, pose.time),
                    at: other.at.max(pose.at),
                });
            }
        }
        Ok(())
    }

    fn check_places(&self) -> Result<(), ScoreError> {
        for (index, place) in self.places.iter().enumerate() {
            finite("x of a place", place.x)?;
            finite("z of a place", place.z)?;
            finite("yaw of a place", place.yaw.unwrap_or(0.0))?;
            if !(0.0..=self.seconds).contains(&place.at) {
                return Err(self.no_stretch("a place at".into(), place.at, place.at));
            }
            let other = self.places[..index]
                .iter()
                .find(|other| other.at == place.at);
            if let Some(other) = other {
                return Err(ScoreError::Twice {
                    first: format!("the place {}, {}", other.x, other.z),
                    second: format!("the place {}, {}", place.x, place.z),
                    at: place.at,
                });
            }
        }
        Ok(())
    }

    fn check_stretch(&self, what: String, from: f64, to: f64) -> Result<(), ScoreError> {
        match from >= 0.0 && from < to {
            true => self.check_end(what, from, to),
            false => Err(self.no_stretch(what, from, to)),
        }
    }

    fn check_end(&self, what: String, from: f64, to: f64) -> Result<(), ScoreError> {
        // Ends that were rounded up are no mistake.
        match to <= self.seconds + 1e-3 {
            true => Ok(()),
            false => Err(self.no_stretch(what, from, to)),
        }
    }

    fn no_stretch(&self, what: String, from: f64, to: f64) -> ScoreError {
        let seconds = self.seconds;
        ScoreError::BadStretch {
            what,
            from,
            to,
            seconds,
        }
    }
}

fn finite(field: &'static str, value: f64) -> Result<(), ScoreError> {
    let expected = "a number within a million";
    match value.abs() <= 1e6 {
        true => Ok(()),
        false => Err(ScoreError::BadValue {
            field,
            value,
            expected,
        }),
    }
}

fn in_range(
    field: &'static str,
    value: f64,
    most: f64,
    expected: &'static str,
) -> Result<(), ScoreError> {
    match (0.0..=most).contains(&value) {
        true => Ok(()),
        false => Err(ScoreError::BadValue {
            field,
            value,
            expected,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        Score::from_json(text).unwrap_err().to_string()
    }

    #[test]
    fn the_file_of_the_contract_is_read() {
        let score = Score::from_json(
            r#"{"seconds": 20, "paint": [{"label": "run", "from": 0, "to": 5, "want": true},
            {"label": "wave", "from": 2, "to": 4, "want": false}],
            "poses": [{"at": 3.0, "clip": "16_03", "time": 1.5}],
            "places": [{"at": 20, "x": 4, "z": 2, "yaw": 90}],
            "start": {"x": 0, "z": 0, "yaw": 0}, "smoothness": 0.5}"#,
        )
        .unwrap();
        assert_eq!(score.labels(), ["run", "wave"]);
        assert!(!score.paint[1].want && score.poses[0].seconds.is_none());
    }

    #[test]
    fn what_no_library_could_do_is_refused_by_name() {
        let both = r#"{"seconds": 9, "paint": [{"label": "run", "from": 0, "to": 5},
            {"label": "run", "from": 4, "to": 6, "want": false}]}"#;
        assert!(
            told(both).contains("\"run\" is painted both as wanted and as not wanted from 4 to 5")
        );
        let late = r#"{"seconds": 9, "paint": [{"label": "run", "from": 8, "to": 12}]}"#;
        assert!(told(late).contains("8 to 12 s is no stretch of a score of 9 s"));
        let poses = r#"{"seconds": 9, "poses": [{"at": 3, "clip": "a", "time": 1, "seconds": 2},
            {"at": 5, "clip": "b", "time": 1}]}"#;
        assert!(told(poses).contains("a at 1 s and b at 1 s are both asked for at 5 s"));
        let places =
            r#"{"seconds": 9, "places": [{"at": 3, "x": 1, "z": 0}, {"at": 3, "x": 2, "z": 0}]}"#;
        assert!(told(places).contains("only one can be"));
        assert!(told(r#"{"seconds": 1e9}"#).contains("up to 3600"));
        assert!(
            told(r#"{"seconds": 5, "smoothness": 2}"#).contains("smoothness is 2; expected 0 to 1")
        );
        assert!(told(r#"{"seconds": 5, "pants": []}"#).contains("unknown field `pants`"));
        assert!(told("walk").contains("not a score"));
    }
}
