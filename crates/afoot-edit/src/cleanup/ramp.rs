//! How corrections fade with the distance from a plant.

/// How gently a fade begins next to the held frame.
///
/// A foot meets and leaves the floor at speed. A fade that starts gently lets it creep there for some
/// frames, which is seen as skating; one that starts with a step costs the leg a jerk. So fades are
/// sharp where the leg takes it. All end with speed zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Softness {
    /// Two fifths of the correction go in the first frame of six.
    Sharp,
    /// Three tenths.
    Medium,
    /// Nearly nothing: the fade begins with speed zero.
    Soft,
}

impl Softness {
    /// The next softer one, if any.
    pub fn softer(self) -> Option<Self> {
        match self {
            Self::Sharp => Some(Self::Medium),
            Self::Medium => Some(Self::Soft),
            Self::Soft => None,
        }
    }

    /// What is left of a correction `away` frames from the held one, if it fades over `length`.
    pub fn weight(self, away: usize, length: usize) -> f32 {
        let left = 1.0 - (away as f32 / length.max(1) as f32).min(1.0);
        match self {
            Self::Sharp => left * left * left,
            Self::Medium => left * left,
            Self::Soft => left * left * (3.0 - 2.0 * left),
        }
    }
}

/// What is left of a change `away` frames from where it is whole, if it fades over `length`, with
/// speed zero at both ends.
pub(crate) fn fade_softly(away: usize, length: usize) -> f32 {
    Softness::Soft.weight(away, length)
}
