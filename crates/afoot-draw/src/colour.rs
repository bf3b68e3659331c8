//! The colours that all pictures share.

/// An opaque colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colour {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
}

impl Colour {
    /// Paper.
    pub const WHITE: Self = Self::new(255, 255, 255);
    /// Text, axes, the trunk.
    pub const INK: Self = Self::new(40, 40, 46);
    /// Secondary text and ticks.
    pub const GREY: Self = Self::new(130, 130, 138);
    /// Grid lines.
    pub const FAINT: Self = Self::new(222, 224, 230);
    /// Left limbs.
    pub const LEFT: Self = Self::new(31, 98, 196);
    /// Right limbs.
    pub const RIGHT: Self = Self::new(226, 96, 28);
    /// Feet that are planted.
    pub const PLANT: Self = Self::new(18, 150, 70);
    /// The root's way over the ground.
    pub const TRACE: Self = Self::new(150, 60, 160);

    /// A colour by its parts, each 0 to 255.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }

    /// `share` of `other` in `self`, 0 to 1.
    pub fn mixed(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        let mix =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self::new(
            mix(self.red, other.red),
            mix(self.green, other.green),
            mix(self.blue, other.blue),
        )
    }
}

/// The `index`th of eight colours that can be told apart; repeats after them.
pub const fn palette(index: usize) -> Colour {
    const COLOURS: [Colour; 8] = [
        Colour::LEFT,
        Colour::RIGHT,
        Colour::PLANT,
        Colour::TRACE,
        Colour::new(190, 150, 0),
        Colour::new(0, 150, 160),
        Colour::new(200, 40, 70),
        Colour::new(110, 80, 50),
    ];
    COLOURS[index % COLOURS.len()]
}
