//! The text of a script and places in it.

/// A file of a script: the first is the one that was asked for, the others are imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Bytes of a file, half-open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// From the start of this one to the end of another of the same file.
    pub fn to(self, other: Self) -> Self {
        Self {
            end: other.end.max(self.end),
            ..self
        }
    }
}

/// A file's name and text, with where its lines start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// As it was asked for.
    pub name: String,
    /// All of it.
    pub text: String,
    lines: Vec<u32>,
}

/// A place as an editor shows it. [1..]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub column: usize,
}

impl Source {
    /// Texts of up to 4 GiB.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = breaks.map(|(at, _)| at as u32 + 1);
        Self {
            name: name.into(),
            lines: std::iter::once(0).chain(starts).collect(),
            text,
        }
    }

    /// Where a byte stands.
    pub fn position(&self, byte: u32) -> Position {
        let line = self.lines.partition_point(|start| *start <= byte).max(1);
        let before = &self.text[self.lines[line - 1] as usize..byte as usize];
        Position {
            line,
            column: before.chars().count() + 1,
        }
    }

    /// A line without its end. [1..]
    pub fn line(&self, number: usize) -> &str {
        let start = self.lines[number - 1] as usize;
        self.text[start..].lines().next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_as_lines_and_characters() {
        let source = Source::new("a.play", "eins\nzwölf drei\n");
        let at = |byte| {
            let Position { line, column } = source.position(byte);
            (line, column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(5), (2, 1));
        assert_eq!(at(12), (2, 7));
        assert_eq!(at(source.text.len() as u32), (3, 1));
        assert_eq!(source.line(2), "zwölf drei");
    }
}
