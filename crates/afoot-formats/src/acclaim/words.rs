//! Words of an ASF or AMC file: comments, commas and brackets are white space.

use crate::error::{FormatError, Problem};
use crate::numbers::{self, NotANumber};
use crate::scan::{Scanner, ends_line};

/// The words of a text, in order.
#[derive(Clone)]
pub(super) struct Words<'a> {
    scanner: Scanner<'a>,
}

/// A word and the place where it begins.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a [u8],
    pub(super) place: usize,
}

impl Word<'_> {
    /// Whether it is that keyword, in any case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }

    pub(super) fn to_name(self) -> String {
        String::from_utf8_lossy(self.text).into_owned()
    }
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let scanner = Scanner::new(text);
        Self { scanner }
    }

    /// The next word, over line ends; empty at the end of the text.
    pub(super) fn next(&mut self) -> Word<'a> {
        loop {
            let word = self.next_in_line();
            let at_end = self.scanner.peek().is_none();
            if !word.text.is_empty() || at_end {
                return word;
            }
            self.scanner.pos += 1;
        }
    }

    /// The next word of this line; empty at its end, where it stays.
    pub(super) fn next_in_line(&mut self) -> Word<'a> {
        self.skip_to_word();
        let place = self.scanner.pos;
        let rest = &self.scanner.text[place..];
        let length = rest.iter().position(|&byte| ends_word(byte));
        let text = &rest[..length.unwrap_or(rest.len())];
        self.scanner.pos += text.len();
        Word { text, place }
    }

    /// The next word without moving.
    pub(super) fn peek(&self) -> Word<'a> {
        self.clone().next()
    }

    /// Whether no word is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.peek().text.is_empty()
    }

    /// Moves to the end of this line.
    pub(super) fn skip_line(&mut self) {
        let rest = &self.scanner.text[self.scanner.pos..];
        let length = rest.iter().position(|&byte| ends_line(byte));
        self.scanner.pos += length.unwrap_or(rest.len());
    }

    /// Moves to the next line that begins with a colon, or the end.
    pub(super) fn skip_section(&mut self) {
        while !matches!(self.peek().text, [] | [b':', ..]) {
            self.next();
            self.skip_line();
        }
    }

    /// The next word as a number; `what` names it in the error.
    pub(super) fn number(&mut self, what: &str) -> Result<f64, FormatError> {
        let word = self.next();
        self.number_of(word, what)
    }

    /// The same, but not from the next line.
    pub(super) fn number_in_line(&mut self, what: &str) -> Result<f64, FormatError> {
        let word = self.next_in_line();
        self.number_of(word, what)
    }

    fn number_of(&self, word: Word, what: &str) -> Result<f64, FormatError> {
        let fault = |fault: NotANumber| self.scanner.number_error(word.place, fault, what);
        numbers::number_in(word.text).map_err(fault)
    }

    /// Three numbers.
    pub(super) fn vector(&mut self, what: &str) -> Result<[f64; 3], FormatError> {
        Ok([self.number(what)?, self.number(what)?, self.number(what)?])
    }

    /// The error that something else was expected at a place.
    pub(super) fn expected(&self, place: usize, expected: &str) -> FormatError {
        self.scanner.expected_at(place, expected)
    }

    /// An error at a place.
    pub(super) fn error(&self, place: usize, problem: Problem) -> FormatError {
        FormatError::at(self.scanner.text, place, problem)
    }

    /// The next word, which must be `keyword`.
    pub(super) fn expect(&mut self, keyword: &str) -> Result<(), FormatError> {
        let word = self.next();
        match word.is(keyword) {
            true => Ok(()),
            false => Err(self.expected(word.place, keyword)),
        }
    }

    fn skip_to_word(&mut self) {
        while let Some(byte) = self.scanner.peek() {
            match byte {
                b'#' => self.skip_line(),
                _ if ends_line(byte) || !ends_word(byte) => return,
                _ => self.scanner.pos += 1,
            }
        }
    }
}

fn ends_word(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b',' | b'(' | b')' | b'#')
}
