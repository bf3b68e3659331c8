//! Which parts of the body touch something, a bit each.

use crate::roles::Side;

/// The parts that touch something at one frame, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Contacts(pub u8);

impl Contacts {
    /// Nothing touches.
    pub const NONE: Self = Self(0);
    /// The figure sits.
    pub const SEAT: Self = Self(64);

    /// The heel of a foot (its ankle joint is at rest).
    pub const fn heel(side: Side) -> Self {
        Self(1 << (2 * side.index()))
    }

    /// The ball of a foot (its toe joint is at rest).
    pub const fn ball(side: Side) -> Self {
        Self(2 << (2 * side.index()))
    }

    /// Heel and ball of a foot.
    pub const fn foot(side: Side) -> Self {
        Self(Self::heel(side).0 | Self::ball(side).0)
    }

    /// A hand.
    pub const fn hand(side: Side) -> Self {
        Self(16 << side.index())
    }

    /// Whether any part of `part` touches.
    pub const fn any(self, part: Self) -> bool {
        self.0 & part.0 != 0
    }

    /// Both sets together.
    pub const fn with(self, part: Self) -> Self {
        Self(self.0 | part.0)
    }

    /// `self` less `part`.
    pub const fn without(self, part: Self) -> Self {
        Self(self.0 & !part.0)
    }

    /// Left and right exchanged.
    pub const fn mirrored(self) -> Self {
        let (left, right) = (self.0 & 0b0011, self.0 & 0b1100);
        let (left_hand, right_hand) = (self.0 & 16, self.0 & 32);
        Self(left << 2 | right >> 2 | left_hand << 1 | right_hand >> 1 | self.0 & 64)
    }
}
