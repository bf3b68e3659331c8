//! What would help where a request failed, as data: a command line names flags, a page its sliders.

use std::fmt;

use afoot_synth::UnknownLabel;
use serde::{Deserialize, Serialize};

/// What would help. The words of [`fmt::Display`] name no surface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "hint", rename_all = "snake_case")]
pub enum Hint {
    /// Accept transitions of larger errors, or add clips.
    LoosenThreshold,
    /// Let frames that are less alike lie in one cluster, or add clips.
    LargerError,
    /// The same between frames that carry these labels, which form no loop.
    LoosenWithin {
        /// Labels, with commas between them.
        labels: String,
    },
    /// The same between frames of two labels.
    LoosenBetween {
        /// What is left.
        from: String,
        /// What is entered.
        to: String,
    },
    /// The same for transitions into a clip.
    LoosenInto {
        /// The clip.
        clip: String,
        /// The labels of what should lead there, if any were asked for.
        from: Option<String>,
    },
    /// Ask for a path that turns less, or add clips that turn.
    GentlerPath,
    /// Ask for a shorter path, or search in another way.
    OtherSearch,
    /// Ask for a part of the clip that starts later.
    LaterPart {
        /// The clip.
        clip: String,
        /// The first frame at which it can be entered.
        first: u32,
    },
    /// Start elsewhere, or allow other labels on the way.
    OtherStart,
    /// Fewer characters, or a larger world.
    FewerCharacters,
    /// Build the graph anew.
    RebuildGraph,
    /// Import all clips onto one skeleton.
    Retarget,
    /// Import all clips at one frame rate.
    OneRate,
    /// Import clips.
    ImportClips,
    /// Say what was meant by a word that nothing carries.
    DidYouMean {
        /// The nearest known words.
        words: Vec<String>,
    },
    /// Look at which labels and types there are.
    SeeLabels,
    /// Say how large a drawing is on the ground.
    SizeOnGround,
    /// Say that what is there may be replaced.
    Force,
    /// Graft against the rules.
    AgainstRules,
    /// Take a file that is cut off as far as it goes.
    Partial,
    /// Take the nearest that can be done, or allow more.
    BestEffort,
    /// Paint otherwise, take the nearest, or add clips that do it.
    OtherPaint,
    /// Leave other time to get to a place, take the nearest, or add clips that go there.
    NearerPlace,
    /// Build a graph of other clips, or label some.
    OtherRecipe,
    /// Mark some frames that carry a label, and some that do not.
    MarkExamples,
}

impl Hint {
    /// The labels that a mistyped one may mean, where some are near.
    pub(crate) fn meant(unknown: &UnknownLabel) -> Option<Self> {
        let known: Vec<&str> = unknown.known.iter().map(String::as_str).collect();
        let near = afoot_search::near_words(&unknown.label, &known);
        let words: Vec<String> = near.into_iter().map(Into::into).collect();
        (!words.is_empty()).then_some(Self::DidYouMean { words })
    }

    pub(crate) fn loosen_within(labels: &str) -> Self {
        Self::LoosenWithin {
            labels: labels.into(),
        }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoosenThreshold => "a higher threshold or more clips would help",
            Self::LargerError => "a larger error or more clips would help",
            Self::LoosenWithin { .. } => "a higher threshold for it, or more of it, would help",
            Self::LoosenBetween { .. } | Self::LoosenInto { from: Some(_), .. } => {
                "a higher threshold between them, or a clip that does both, would help"
            }
            Self::LoosenInto { .. } => "a higher threshold, or more clips like it, would help",
            Self::GentlerPath => {
                "a gentler path, a higher threshold, or clips that turn there would help"
            }
            Self::OtherSearch => "a shorter path, more states or another search would help",
            Self::LaterPart { first, .. } => {
                return write!(
                    f,
                    "a later part, from frame {first} on, or a higher threshold, would help"
                );
            }
            Self::OtherStart => {
                "a start farther away, other labels on the way, or a higher threshold would help"
            }
            Self::FewerCharacters => {
                "fewer characters, a larger world, or clips that turn more sharply would help"
            }
            Self::RebuildGraph => "build the graph again",
            Self::Retarget => "import them onto one skeleton",
            Self::OneRate => "import them at one frame rate",
            Self::ImportClips => "import some first",
            Self::SizeOnGround => "say how large it is there, or how long a unit of it is",
            Self::Force => "it can be replaced on request",
            Self::AgainstRules => "it can be grafted all the same on request",
            Self::Partial => "it can be taken as far as it goes",
            Self::BestEffort => {
                "the nearest can be had on request; another start, a looser tolerance or a higher \
                 threshold would help"
            }
            Self::NearerPlace => {
                "the nearest can be had on request; more or less time to get there, a larger place_weight, or \
                 clips that go there, would help"
            }
            Self::OtherPaint => {
                "the nearest can be had on request; other paint, or clips that do it, would help"
            }
            Self::OtherRecipe => "build a graph of other clips, or label some so",
            Self::MarkExamples => "mark some frames that carry it, and some that do not",
            Self::DidYouMean { words } => return write!(f, "did you mean {}?", words.join(" or ")),
            Self::SeeLabels => "see the list of labels and types",
        })
    }
}
