//! How a figure is to move, beside where: what requests that search the graph share.

use afoot_core::{ClipId, Range32};
use afoot_run::Run;
use afoot_synth::{
    Facing, FollowError, Oddity, Played, Preference, Repertoire, Source, Stand, Wanted,
    find_oddities, is_asked_to_face_ahead,
};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// How a figure is to move. By default it faces where it goes and walks upright on the floor, unless
/// labels say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Moving {
    /// Which way it faces.
    pub facing: FacingWish,
    /// How fast it goes; left to the library if it is left open. [m/s, > 0, at most 20]
    pub speed: Option<f64>,
    /// Labels, or types, that its motion had better carry, though it need not.
    pub style: Vec<String>,
}

/// Which way a figure faces: a word, or so many degrees to the left of where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FacingWish {
    /// A word.
    Word(FacingWord),
    /// 90 walks sideways, 180 backwards. [degrees, -360 to 360]
    Degrees(f64),
}

/// Which way a figure faces, as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FacingWord {
    /// Where it goes, unless the labels asked for do otherwise.
    Ahead,
    /// It does not matter.
    Any,
}

impl Default for FacingWish {
    fn default() -> Self {
        Self::Word(FacingWord::Ahead)
    }
}

/// Whether motion begins and ends in a stand: by default where the library can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Standing {
    /// At its beginning.
    pub from_stand: Stand,
    /// At its end.
    pub to_stand: Stand,
}

impl Standing {
    /// Which ends are to be stands: those that were asked for at any cost, and those that are said to be.
    pub(crate) fn asked(self, said: [bool; 2]) -> [bool; 2] {
        let always = [self.from_stand, self.to_stand].map(|stand| stand == Stand::Always);
        [always[0] || said[0], always[1] || said[1]]
    }
}

impl Standing {
    /// Says which ends that might have been stands are none, and why; as an oddity, too.
    pub(crate) fn mid_steps(
        self,
        stands: [bool; 2],
        could_stand: [bool; 2],
        run: &Run,
    ) -> Option<OddMotion> {
        let asked = [(self.from_stand, "begins"), (self.to_stand, "ends")];
        let mut odd = None;
        for (end, (stand, does)) in asked.into_iter().enumerate() {
            if stand == Stand::Never || stands[end] {
                continue;
            }
            let why = match (could_stand[end], stand) {
                (false, _) => "the graph has no stand that its motion leads to and from",
                (true, Stand::Always) => {
                    "no stand of the library's motion lies within three seconds of there"
                }
                (true, _) => {
                    "the library's stands lie too far from there; asked for always, they are looked for longer"
                }
            };
            run.warn(format!(
                "it {does} in mid-step: {why}; a clip that comes to a stand, or sets out from one, would help"
            ));
            odd = Some(OddMotion {
                what: Oddity::MidStep,
                seconds: 0.0,
            });
        }
        odd
    }
}

/// Something that a motion does though nobody asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OddMotion {
    /// What.
    pub what: Oddity,
    /// For how long; 0 of an end in mid-step. [s]
    pub seconds: f64,
}

impl Moving {
    /// As the searches want it.
    pub(crate) fn preference(&self, repertoire: &Repertoire) -> Result<Preference, Failure> {
        Wanted::labels(repertoire, &self.style).map_err(FollowError::from)?;
        Ok(Preference {
            facing: match self.facing {
                FacingWish::Word(FacingWord::Ahead) => Facing::Ahead,
                FacingWish::Word(FacingWord::Any) => Facing::Any,
                FacingWish::Degrees(degrees) => Facing::Aside(degrees.to_radians()),
            },
            speed: self.speed,
            style: self.style.clone(),
            ..Preference::default()
        })
    }

    /// Whether motion with these words is asked to face where it goes.
    pub(crate) fn faces_ahead(
        &self,
        repertoire: &Repertoire,
        labels: &[String],
    ) -> Result<bool, Failure> {
        let preference = self.preference(repertoire)?;
        Ok(is_asked_to_face_ahead(repertoire, &preference, labels))
    }

    /// What a motion does that was not asked for; said aloud where it lasts.
    pub(crate) fn oddities(
        &self,
        repertoire: &Repertoire,
        labels: &[String],
        tally: &Tally,
        run: &Run,
    ) -> Result<Vec<OddMotion>, Failure> {
        let stretches = tally.stretches.iter().cloned();
        let found = find_oddities(repertoire, &self.preference(repertoire)?, labels, stretches);
        let frame_time = repertoire.graph().rate.frame_time();
        let odd = found.into_iter().map(|odd| OddMotion {
            what: odd.what,
            seconds: odd.frames as f64 * frame_time,
        });
        let odd: Vec<OddMotion> = odd.collect();
        for OddMotion { what, seconds } in odd.iter().filter(|odd| odd.seconds >= WORTH_SAYING) {
            let words = words(*what);
            run.warn(format!(
                "{seconds:.1} s of it {words}: no other motion in the library leads along there as well"
            ));
        }
        Ok(odd)
    }
}

/// How much a seed other than the usual one changes what a search likes: enough for other clips and
/// transitions at nearly the same fit. The usual seed takes what fits best. [0 to 1]
pub(crate) fn variety(run: &Run) -> f64 {
    match run.seed == Run::default().seed {
        true => 0.0,
        false => 0.8,
    }
}

/// Shorter than a step it is nothing to speak of. [s]
const WORTH_SAYING: f64 = 0.5;

fn words(what: Oddity) -> &'static str {
    match what {
        Oddity::Gait => "is of another gait than asked for",
        Oddity::Facing => "does not face the way it was to",
        Oddity::Posture => "crouches or leans",
        Oddity::OffTheFloor => "stands on what is not there: a beam, steps or a slope",
        Oddity::Speed => "is faster or slower than asked for",
        Oddity::Style => "is without the style asked for",
        Oddity::Stops => "stops on its way",
        Oddity::MidStep => "begins or ends in mid-step",
    }
}

/// The stretches of clips that were played.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    stretches: Vec<(ClipId, std::ops::Range<u32>)>,
}

impl Tally {
    /// The stretches of a motion before one of its frames.
    pub(crate) fn up_to(played: &Played, end: u64) -> Self {
        let before = |source: &Source| {
            let left = end.checked_sub(source.at).filter(|left| *left > 0)?;
            let Range32 { start, end } = source.frames;
            let last = u64::from(start) + left;
            Some((
                source.clip,
                start..end.min(u32::try_from(last).unwrap_or(end)),
            ))
        };
        Self {
            stretches: played.sources.iter().filter_map(before).collect(),
        }
    }

    pub(crate) fn add(&mut self, played: &Played) {
        let stretches = played.sources.iter();
        self.stretches
            .extend(stretches.map(|source| (source.clip, source.frames.start..source.frames.end)));
    }
}
