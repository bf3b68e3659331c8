//! Words and numbers of a text file, in order, with places for errors.

use crate::error::{FormatError, Problem};
use crate::numbers::{self, NotANumber};

/// A position in a text.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) pos: usize,
}

/// Longest excerpt of a file in a message.
const EXCERPT: usize = 40;

impl<'a> Scanner<'a> {
    /// At the start, behind a byte order mark if there is one.
    pub(crate) fn new(text: &'a [u8]) -> Self {
        let pos = if text.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        Self { text, pos }
    }

    /// The byte under the cursor.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.get(self.pos).copied()
    }

    /// Moves to the next byte that is no white space, over line ends.
    pub(crate) fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte <= b' ') {
            self.pos += 1;
        }
    }

    /// Moves over blanks and tabs, but not over line ends.
    pub(crate) fn skip_blanks(&mut self) {
        while self
            .peek()
            .is_some_and(|byte| byte <= b' ' && !ends_line(byte))
        {
            self.pos += 1;
        }
    }

    /// The next word, which braces, colons and white space end; a brace is a word of its own.
    pub(crate) fn word(&mut self) -> &'a [u8] {
        self.skip_space();
        let rest = &self.text[self.pos..];
        let ends = |&byte: &u8| byte <= b' ' || matches!(byte, b'{' | b'}' | b':');
        let length = match rest.first() {
            Some(b'{' | b'}' | b':') => 1,
            _ => rest.iter().position(ends).unwrap_or(rest.len()),
        };
        self.pos += length;
        &rest[..length]
    }

    /// The next word without moving.
    pub(crate) fn peek_word(&self) -> &'a [u8] {
        self.clone().word()
    }

    /// What stands between here and the line's end or a brace, without blanks around it.
    pub(crate) fn name(&mut self) -> String {
        self.skip_blanks();
        let rest = &self.text[self.pos..];
        let ends = |&byte: &u8| ends_line(byte) || matches!(byte, b'{' | b'}');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.pos += length;
        String::from_utf8_lossy(rest[..length].trim_ascii()).into_owned()
    }

    /// The next word, which must be `keyword` in any case.
    pub(crate) fn expect(&mut self, keyword: &str) -> Result<(), FormatError> {
        self.skip_space();
        let start = self.pos;
        match self.word().eq_ignore_ascii_case(keyword.as_bytes()) {
            true => Ok(()),
            false => Err(self.expected_at(start, keyword)),
        }
    }

    /// The next number; `what` names it in the error.
    pub(crate) fn number(&mut self, what: &str) -> Result<f64, FormatError> {
        self.skip_space();
        let found = numbers::number_at(self.text, self.pos);
        let (value, end) = found.map_err(|fault| self.number_error(self.pos, fault, what))?;
        self.pos = end;
        Ok(value)
    }

    /// The next number, which must be whole and not negative.
    pub(crate) fn count(&mut self, what: &str) -> Result<u64, FormatError> {
        self.skip_space();
        let start = self.pos;
        let value = self.number(what)?;
        match value.fract() == 0.0 && (0.0..9e15).contains(&value) {
            true => Ok(value as u64),
            false => Err(self.expected_at(start, what)),
        }
    }

    /// The error that something else stands at `offset`.
    pub(crate) fn expected_at(&self, offset: usize, expected: &str) -> FormatError {
        let problem = Problem::Expected {
            expected: expected.to_owned(),
            found: self.excerpt(offset),
        };
        FormatError::at(self.text, offset, problem)
    }

    /// The error that there is no number at `offset`.
    pub(crate) fn number_error(&self, offset: usize, fault: NotANumber, what: &str) -> FormatError {
        let found = self.excerpt(offset);
        match fault {
            NotANumber::Malformed => self.expected_at(offset, what),
            NotANumber::NotFinite => {
                FormatError::at(self.text, offset, Problem::NotFinite { found })
            }
        }
    }

    /// The word at `offset`, for a message.
    fn excerpt(&self, offset: usize) -> String {
        let rest = &self.text[offset.min(self.text.len())..];
        let rest = &rest[..rest.len().min(EXCERPT)];
        let length = rest
            .iter()
            .position(|&byte| byte <= b' ')
            .unwrap_or(rest.len());
        match (rest.first(), length) {
            (None, _) => "the end of the file".to_owned(),
            (_, 0) => "the end of the line".to_owned(),
            _ => format!("{:?}", String::from_utf8_lossy(&rest[..length])),
        }
    }
}

/// Whether a byte ends a line; of CR LF both do, and the empty line between them counts nowhere.
#[inline(always)]
pub(crate) fn ends_line(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The most memory that a clip may take which is read from `text`: files of people stay below three
/// times their size, and short files may have as many idle joints as they like. [bytes]
pub(crate) fn memory_limit(text: &[u8]) -> usize {
    8 * text.len() + (64 << 10)
}
