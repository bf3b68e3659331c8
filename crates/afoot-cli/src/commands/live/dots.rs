//! A picture of Braille characters, two by four dots each, one colour a character.

/// What a dot stands for; later ones win a character's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    Faint,
    Trail,
    Middle,
    Right,
    Left,
    Wish,
}

impl Ink {
    /// The escape sequence of its colour: left blue, right orange, as in pictures.
    fn code(self) -> &'static str {
        match self {
            Self::Faint => "\x1b[0;38;5;240m",
            Self::Trail => "\x1b[0;38;5;97m",
            Self::Middle => "\x1b[0;38;5;252m",
            Self::Right => "\x1b[0;38;5;208m",
            Self::Left => "\x1b[0;38;5;75m",
            Self::Wish => "\x1b[0;38;5;114m",
        }
    }
}

pub struct Dots {
    columns: usize,
    /// The dots of each character, and its colour.
    cells: Vec<(u8, Ink)>,
}

impl Dots {
    pub fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            cells: vec![(0, Ink::Faint); columns * rows],
        }
    }

    /// A dot, counted from the left and from the top; outside is nothing.
    pub fn dot(&mut self, [x, y]: [f64; 2], ink: Ink) {
        if !(x >= 0.0 && y >= 0.0 && x < 2.0 * self.columns as f64) {
            return;
        }
        let (x, y) = (x as usize, y as usize);
        // Braille numbers its dots down the left column, then the right, then the bottom row.
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        if let Some((dots, colour)) = self.cells.get_mut(y / 4 * self.columns + x / 2) {
            *dots |= BITS[y % 4][x % 2];
            *colour = (*colour).max(ink);
        }
    }

    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], ink: Ink) {
        let way = [to[0] - from[0], to[1] - from[1]];
        let length = way[0].abs().max(way[1].abs());
        if !length.is_finite() {
            return;
        }
        let steps = length.ceil().clamp(1.0, 1e4);
        for step in 0..=steps as usize {
            let share = step as f64 / steps;
            self.dot([from[0] + share * way[0], from[1] + share * way[1]], ink);
        }
    }

    /// A row as text with its colours.
    pub fn row(&self, row: usize) -> String {
        let mut text = String::new();
        let mut last = None;
        for &(dots, ink) in &self.cells[row * self.columns..(row + 1) * self.columns] {
            if dots == 0 {
                text.push(' ');
                continue;
            }
            if last != Some(ink) {
                text += ink.code();
                last = Some(ink);
            }
            text.push(char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_become_braille() {
        let mut dots = Dots::new(2, 1);
        for y in 0..4 {
            dots.dot([0.0, f64::from(y)], Ink::Left);
        }
        dots.line([2.0, 3.0], [3.0, 3.0], Ink::Right);
        dots.dot([9.0, 0.0], Ink::Wish);
        dots.dot([0.0, 99.0], Ink::Wish);
        let row = dots.row(0);
        assert!(row.contains('⡇') && row.contains('⣀'), "{row:?}");
        assert!(row.starts_with(Ink::Left.code()));
    }
}
