//! The types of locomotion that frames and clips are sorted by.

/// How the figure moves at a frame (Shanbhag 2006, §3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Locomotion {
    #[default]
    Other = 0,
    Walk = 1,
    Run = 2,
    Jump = 3,
    Stand = 4,
}

impl Locomotion {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Other, Self::Walk, Self::Run, Self::Jump, Self::Stand];

    /// The word that the command line and JSON use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Other => "other",
            Self::Walk => "walk",
            Self::Run => "run",
            Self::Jump => "jump",
            Self::Stand => "stand",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
