//! Text into tokens.
//!
//! Words and quoted strings are both names: quotes are optional (Shanbhag 2006, §7.3) and a backslash
//! separates folders, it never escapes. A string ends with its line at the latest. Numbers may carry a
//! unit (`0.7m`, `2s`, `15deg`). Comments begin with `//` or `#`, or stand between `/*` and `*/`.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TokenKind {
    /// A word without quotes.
    Word,
    /// A quoted string; its span includes the quotes.
    Text,
    /// A number, with its unit.
    Number(f64, Unit),
    /// One of `{ } [ ] ( ) , . + -`.
    Mark(char),
    /// The end of the file.
    End,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Nothing is said.
    #[default]
    None,
    /// `m`
    Metres,
    /// `s`
    Seconds,
    /// `deg`
    Degrees,
}

impl Unit {
    /// As it is written.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Metres => "m",
            Self::Seconds => "s",
            Self::Degrees => "deg",
        }
    }
}

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// A comment, kept for the formatter.
pub type Comment = Span;

/// What a file consists of.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// In order; the last is the end.
    pub tokens: Vec<Token>,
    /// In order.
    pub comments: Vec<Comment>,
    /// Strings and comments that never end, characters that mean nothing.
    pub wrong: Vec<Diagnostic>,
}

/// Takes a text apart. Never fails: what means nothing is told and passed over.
pub fn tokenize(file: FileId, text: &str) -> Tokens {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        out: Tokens::default(),
    };
    while lexer.step() {}
    let end = lexer.span(text.len());
    lexer.out.tokens.push(Token {
        kind: TokenKind::End,
        span: end,
    });
    lexer.out
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    out: Tokens,
}

impl Lexer<'_> {
    /// Takes the next piece; false at the end.
    fn step(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            return false;
        };
        match first {
            c if c.is_whitespace() => self.at += c.len_utf8(),
            '#' => self.comment(line_length(rest)),
            '/' if rest.starts_with("//") => self.comment(line_length(rest)),
            '/' if rest.starts_with("/*") => self.long_comment(rest),
            '"' | '\u{201c}' | '\u{201d}' => self.string(rest, first),
            '+' | '-' | '.' | '0'..='9' => self.number_or_mark(rest, first),
            '{' | '}' | '[' | ']' | '(' | ')' | ',' => self.push(TokenKind::Mark(first), 1),
            c if is_word(c) => self.push(TokenKind::Word, word_length(rest)),
            c => self.strange(c),
        }
        true
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.span(self.at + length);
        self.out.tokens.push(Token { kind, span });
        self.at += length;
    }

    fn comment(&mut self, length: usize) {
        let span = self.span(self.at + length);
        self.out.comments.push(span);
        self.at += length;
    }

    fn long_comment(&mut self, rest: &str) {
        let length = rest.find("*/").map(|at| at + 2);
        if length.is_none() {
            let span = self.span(self.at + 2);
            let wrong = Diagnostic::error(span, "this comment is never closed");
            self.out.wrong.push(wrong.with_hint("close it with */"));
        }
        self.comment(length.unwrap_or(rest.len()));
    }

    /// A string in plain quotes, or in the curly ones that text programs make of them.
    fn string(&mut self, rest: &str, quote: char) {
        let line = &rest[..line_length(rest)];
        let inside = &line[quote.len_utf8()..];
        let closes = |c: char| match quote {
            '"' => c == '"',
            _ => c == '\u{201c}' || c == '\u{201d}',
        };
        match inside.find(closes) {
            Some(length) => {
                let close = inside[length..].chars().next().map_or(1, char::len_utf8);
                self.push(TokenKind::Text, quote.len_utf8() + length + close);
            }
            None => {
                let length = line.trim_end().len();
                let span = self.span(self.at + length);
                let wrong = Diagnostic::error(span, "this quote is never closed");
                self.out
                    .wrong
                    .push(wrong.with_hint("strings end on their line: add a \" at its end"));
                self.push(TokenKind::Text, length);
            }
        }
    }

    fn number_or_mark(&mut self, rest: &str, first: char) {
        let length = number_length(rest);
        let (value, unit) = (&rest[..length], unit_of(&rest[length..]));
        let goes_on = rest[length + unit.suffix().len()..].chars().next();
        let is_number = length > 0 && !goes_on.is_some_and(is_word);
        match value.parse::<f64>() {
            Ok(number) if is_number => {
                self.push(
                    TokenKind::Number(number, unit),
                    length + unit.suffix().len(),
                );
            }
            _ if first.is_ascii_digit() => self.push(TokenKind::Word, word_length(rest)),
            _ => self.push(TokenKind::Mark(first), 1),
        }
    }

    fn strange(&mut self, c: char) {
        let span = self.span(self.at + c.len_utf8());
        let message = format!("the character {c:?} means nothing here");
        self.out.wrong.push(Diagnostic::error(span, message));
        self.at += c.len_utf8();
    }

    fn span(&self, end: usize) -> Span {
        Span {
            file: self.file,
            start: self.at as u32,
            end: end as u32,
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Letters, digits, underscores, and hyphens before a letter: `end-0.5` is `end` and a number.
fn word_length(rest: &str) -> usize {
    let mut characters = rest.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let hyphen = c == '-' && characters.peek().is_some_and(|(_, c)| c.is_alphabetic());
        if !is_word(c) && !hyphen {
            return at;
        }
    }
    rest.len()
}

fn line_length(rest: &str) -> usize {
    rest.find('\n').unwrap_or(rest.len())
}

/// Bytes of the longest number at the start: sign, digits, a point, digits.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let whole = digits(sign);
    let point = sign + whole;
    let part = match bytes.get(point) {
        Some(b'.') => digits(point + 1),
        _ => 0,
    };
    match (whole, part) {
        (0, 0) => 0,
        (_, 0) => point,
        _ => point + 1 + part,
    }
}

fn unit_of(rest: &str) -> Unit {
    let units = [Unit::Degrees, Unit::Metres, Unit::Seconds];
    let fits = |unit: &Unit| {
        let after = rest.strip_prefix(unit.suffix());
        after.is_some_and(|after| !after.chars().next().is_some_and(is_word))
    };
    units.into_iter().find(fits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let tokens = tokenize(FileId(0), text).tokens;
        let told: Vec<String> = tokens[..tokens.len() - 1]
            .iter()
            .map(|token| {
                let piece = &text[token.span.start as usize..token.span.end as usize];
                match token.kind {
                    TokenKind::Word => format!("w:{piece}"),
                    TokenKind::Text => format!("t:{piece}"),
                    TokenKind::Number(value, unit) => format!("n:{value}{}", unit.suffix()),
                    TokenKind::Mark(mark) => mark.to_string(),
                    TokenKind::End => unreachable!("only the last is the end"),
                }
            })
            .collect();
        assert_eq!(told, expected, "{text}");
    }

    #[test]
    fn words_numbers_and_marks() {
        check("player1.kick", &["w:player1", ".", "w:kick"]);
        check("pos 1.0, -2 .5", &["w:pos", "n:1", ",", "n:-2", "n:0.5"]);
        check("a.end+0.5", &["w:a", ".", "w:end", "n:0.5"]);
        check("a.end - 0.5s", &["w:a", ".", "w:end", "-", "n:0.5s"]);
        check("16_36 2x 3m 15deg", &["w:16_36", "w:2x", "n:3m", "n:15deg"]);
        check("walk-turn end-0.5", &["w:walk-turn", "w:end", "n:-0.5"]);
        check(r#""c:\actors\16.asf""#, &[r#"t:"c:\actors\16.asf""#]);
        check("a // b\n# c\nd /* e \n */ f", &["w:a", "w:d", "w:f"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_ends_with_its_line() {
        let tokens = tokenize(FileId(0), "clipref \"walk  \n}");
        assert_eq!(tokens.wrong.len(), 1);
        check("clipref \"walk  \n}", &["w:clipref", "t:\"walk", "}"]);
    }
}
