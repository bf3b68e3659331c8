//! The filters of the language, as data: what goes in, which fields each has.
//!
//! Those of the thesis (Shanbhag 2006, §7.2) and, beyond it, motion by what is wanted: follow a path, perform a
//! score, plan a task, wander. The parser, the checker, the formatter and the reference all read these
//! tables, so that a primitive is added in one place.

/// What makes motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // `summary` says it
pub enum Primitive {
    Concatenate,
    Subclip,
    Resample,
    Loop,
    Transition,
    Graft,
    Alterwalk,
    Load,
    Save,
    Display,
    Follow,
    Perform,
    Plan,
    Wander,
}

/// What can be said of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // `word` says it
pub enum Field {
    StartFrame,
    EndFrame,
    FrameCount,
    LoopStart,
    LoopEnd,
    LoopCount,
    Seconds,
    Distance,
    OutFrame,
    InFrame,
    Blend,
    BaseStartFrame,
    BaseEndFrame,
    GraftStartFrame,
    GraftEndFrame,
    GraftChains,
    Stride,
    FootLift,
    Incline,
    File,
    Path,
    Score,
    Task,
    As,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A frame of the n-th input, counted from 1.
    FrameOf(usize),
    /// A whole number, 1 or more.
    Count,
    /// Frames, 0 or more.
    Frames,
    /// Seconds above 0.
    Seconds,
    /// Metres above 0.
    Metres,
    /// A factor above 0, or metres where it says so.
    FactorOrMetres,
    /// Degrees between -45 and 45.
    Degrees,
    /// A file's name.
    File,
    /// Chains of the actor.
    Chains,
    /// Labels.
    Labels,
}

/// A field of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRule {
    /// Which.
    pub field: Field,
    /// What it holds.
    pub holds: FieldType,
    /// Whether it must be said.
    pub required: bool,
}

const fn must(field: Field, holds: FieldType) -> FieldRule {
    FieldRule {
        field,
        holds,
        required: true,
    }
}

const fn may(field: Field, holds: FieldType) -> FieldRule {
    FieldRule {
        field,
        holds,
        required: false,
    }
}

impl Primitive {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Concatenate,
        Self::Subclip,
        Self::Resample,
        Self::Loop,
        Self::Transition,
        Self::Graft,
        Self::Alterwalk,
        Self::Load,
        Self::Save,
        Self::Display,
        Self::Follow,
        Self::Perform,
        Self::Plan,
        Self::Wander,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Concatenate => "concatenate",
            Self::Subclip => "subclip",
            Self::Resample => "resample",
            Self::Loop => "loop",
            Self::Transition => "transition",
            Self::Graft => "graft",
            Self::Alterwalk => "alterwalk",
            Self::Load => "load",
            Self::Save => "save",
            Self::Display => "display",
            Self::Follow => "follow",
            Self::Perform => "perform",
            Self::Plan => "plan",
            Self::Wander => "wander",
        }
    }

    /// What it does, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Concatenate => "clips one after the other",
            Self::Subclip => "frames of a clip, both ends included",
            Self::Resample => "frames of a clip, slower or faster",
            Self::Loop => "a part of a clip again and again",
            Self::Transition => "out of one clip and into another",
            Self::Graft => "one clip's limbs on another's body",
            Self::Alterwalk => "a walk with other steps",
            Self::Load => "a motion file",
            Self::Save => "a clip, written to a file on the way",
            Self::Display => "a clip, drawn on the way",
            Self::Follow => "a walk along a path",
            Self::Perform => "what a painted timeline asks for",
            Self::Plan => "the best motion for a task",
            Self::Wander => "a walk without an aim",
        }
    }

    /// How many clips go in: the fewest and the most.
    pub fn inputs(self) -> [usize; 2] {
        match self {
            Self::Concatenate => [1, usize::MAX],
            Self::Transition | Self::Graft => [2, 2],
            Self::Load | Self::Follow | Self::Perform | Self::Plan | Self::Wander => [0, 0],
            _ => [1, 1],
        }
    }

    /// What can be said of it.
    pub fn fields(self) -> &'static [FieldRule] {
        use Field as F;
        use FieldType as T;
        match self {
            Self::Concatenate | Self::Display => &[],
            Self::Subclip => {
                &const {
                    [
                        must(F::StartFrame, T::FrameOf(0)),
                        must(F::EndFrame, T::FrameOf(0)),
                    ]
                }
            }
            Self::Resample => {
                &const {
                    [
                        must(F::FrameCount, T::Count),
                        may(F::StartFrame, T::FrameOf(0)),
                        may(F::EndFrame, T::FrameOf(0)),
                    ]
                }
            }
            Self::Loop => {
                &const {
                    [
                        may(F::LoopStart, T::FrameOf(0)),
                        may(F::LoopEnd, T::FrameOf(0)),
                        may(F::LoopCount, T::Count),
                        may(F::StartFrame, T::FrameOf(0)),
                        may(F::EndFrame, T::FrameOf(0)),
                        may(F::Seconds, T::Seconds),
                        may(F::Distance, T::Metres),
                    ]
                }
            }
            Self::Transition => {
                &const {
                    [
                        may(F::OutFrame, T::FrameOf(0)),
                        may(F::InFrame, T::FrameOf(1)),
                        may(F::Blend, T::Frames),
                    ]
                }
            }
            Self::Graft => {
                &const {
                    [
                        may(F::BaseStartFrame, T::FrameOf(0)),
                        may(F::BaseEndFrame, T::FrameOf(0)),
                        may(F::GraftStartFrame, T::FrameOf(1)),
                        may(F::GraftEndFrame, T::FrameOf(1)),
                        must(F::GraftChains, T::Chains),
                    ]
                }
            }
            Self::Alterwalk => {
                &const {
                    [
                        may(F::Stride, T::FactorOrMetres),
                        may(F::FootLift, T::FactorOrMetres),
                        may(F::Incline, T::Degrees),
                    ]
                }
            }
            Self::Load | Self::Save => &const { [must(F::File, T::File)] },
            Self::Follow => &const { [must(F::Path, T::File), may(F::As, T::Labels)] },
            Self::Perform => &const { [must(F::Score, T::File)] },
            Self::Plan => &const { [must(F::Task, T::File)] },
            Self::Wander => &const { [must(F::Seconds, T::Seconds), may(F::As, T::Labels)] },
        }
    }

    /// The primitive of that name, whatever its case.
    pub fn of_word(word: &str) -> Option<Self> {
        let same = |primitive: &Self| primitive.word().eq_ignore_ascii_case(word);
        Self::ALL.into_iter().find(same)
    }
}

impl Field {
    /// All of them.
    pub const ALL: [Self; 24] = [
        Self::StartFrame,
        Self::EndFrame,
        Self::FrameCount,
        Self::LoopStart,
        Self::LoopEnd,
        Self::LoopCount,
        Self::Seconds,
        Self::Distance,
        Self::OutFrame,
        Self::InFrame,
        Self::Blend,
        Self::BaseStartFrame,
        Self::BaseEndFrame,
        Self::GraftStartFrame,
        Self::GraftEndFrame,
        Self::GraftChains,
        Self::Stride,
        Self::FootLift,
        Self::Incline,
        Self::File,
        Self::Path,
        Self::Score,
        Self::Task,
        Self::As,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::StartFrame => "startframe",
            Self::EndFrame => "endframe",
            Self::FrameCount => "framecount",
            Self::LoopStart => "loopstart",
            Self::LoopEnd => "loopend",
            Self::LoopCount => "loopcount",
            Self::Seconds => "seconds",
            Self::Distance => "distance",
            Self::OutFrame => "outframe",
            Self::InFrame => "inframe",
            Self::Blend => "blend",
            Self::BaseStartFrame => "baseStartFrame",
            Self::BaseEndFrame => "baseEndFrame",
            Self::GraftStartFrame => "graftStartFrame",
            Self::GraftEndFrame => "graftEndFrame",
            Self::GraftChains => "graftchains",
            Self::Stride => "stride",
            Self::FootLift => "footlift",
            Self::Incline => "incline",
            Self::File => "filename",
            Self::Path => "path",
            Self::Score => "score",
            Self::Task => "task",
            Self::As => "as",
        }
    }

    /// The field of that name, whatever its case.
    pub fn of_word(word: &str) -> Option<Self> {
        let same = |field: &Self| field.word().eq_ignore_ascii_case(word);
        Self::ALL.into_iter().find(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart_and_understood_in_any_case() {
        for primitive in Primitive::ALL {
            let loud = primitive.word().to_uppercase();
            assert_eq!(Primitive::of_word(&loud), Some(primitive));
            assert_eq!(
                Field::of_word(primitive.word()),
                None,
                "{}",
                primitive.word()
            );
        }
        for field in Field::ALL {
            assert_eq!(Field::of_word(&field.word().to_uppercase()), Some(field));
            let used = |primitive: &Primitive| {
                let mut rules = primitive.fields().iter();
                rules.any(|rule| rule.field == field)
            };
            assert!(
                Primitive::ALL.iter().any(used),
                "{} is of use",
                field.word()
            );
        }
    }
}
