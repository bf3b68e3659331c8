//! Where the parser is in the tokens, and how it gets on where it understands nothing.

use crate::diagnostic::Diagnostic;
use crate::lexer::{Token, TokenKind};
use crate::primitives::Field;
use crate::source::Span;
use crate::syntax::{Name, Number, NumberValue};
use afoot_search::meant_word;

use super::DEEPEST;

/// A place in the tokens, and what was wrong before it.
pub(super) struct Cursor<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// What the definition that is being read is given, in lower case.
    pub parameters: Vec<String>,
    pub wrong: Vec<Diagnostic>,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, tokens: Vec<Token>, wrong: Vec<Diagnostic>) -> Self {
        Self {
            text,
            tokens,
            at: 0,
            depth: 0,
            parameters: Vec::new(),
            wrong,
        }
    }

    pub fn tell(&mut self, wrong: Diagnostic) {
        self.wrong.push(wrong);
    }

    /// The token at hand; the last is the end.
    pub fn peek(&self) -> Token {
        self.ahead(0)
    }

    pub fn ahead(&self, by: usize) -> Token {
        self.tokens[(self.at + by).min(self.tokens.len() - 1)]
    }

    pub fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    pub fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// The place of the token before.
    pub fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// A token as it is written.
    pub fn text(&self, token: Token) -> &'a str {
        &self.text[token.span.start as usize..token.span.end as usize]
    }

    /// Whether the token some places ahead is a word without quotes, whatever its case.
    pub fn is_word(&self, by: usize, word: &str) -> bool {
        let token = self.ahead(by);
        token.kind == TokenKind::Word && self.text(token).eq_ignore_ascii_case(word)
    }

    pub fn is_mark(&self, by: usize, mark: char) -> bool {
        self.ahead(by).kind == TokenKind::Mark(mark)
    }

    /// Takes a word if it stands here.
    pub fn take_word(&mut self, word: &str) -> bool {
        let here = self.is_word(0, word);
        if here {
            self.advance();
        }
        here
    }

    pub fn take_mark(&mut self, mark: char) -> bool {
        let here = self.is_mark(0, mark);
        if here {
            self.advance();
        }
        here
    }

    /// Takes the word at hand if it is one of these.
    pub fn known_word<'k>(&mut self, known: &[&'k str]) -> Option<&'k str> {
        let found = known.iter().find(|word| self.is_word(0, word));
        if found.is_some() {
            self.advance();
        }
        found.copied()
    }

    /// A name, with or without quotes.
    pub fn name(&mut self, what: &str) -> Option<Name> {
        self.take_mark(',');
        let token = self.peek();
        let written = self.text(token);
        let text = match token.kind {
            TokenKind::Word => written,
            TokenKind::Text => written.trim_matches(['"', '\u{201c}', '\u{201d}']),
            _ => {
                self.missing(what);
                return None;
            }
        };
        self.advance();
        if text.trim().is_empty() {
            let wrong = Diagnostic::error(token.span, format!("expected {what}, found nothing"));
            self.tell(wrong);
        }
        Some(Name {
            text: text.trim().to_owned(),
            span: token.span,
        })
    }

    /// A name of something that has a block: where there is none, that is told, and the block read all the same.
    pub fn title(&mut self, what: &str) -> Name {
        let span = self.peek().span;
        self.name(what).unwrap_or(Name {
            text: String::new(),
            span,
        })
    }

    /// A number, or a name of one.
    pub fn number(&mut self, what: &str) -> Option<Number> {
        self.take_mark(',');
        let token = self.peek();
        let value = match token.kind {
            TokenKind::Number(value, unit) => NumberValue::Literal(value, unit),
            TokenKind::Word if Field::of_word(self.text(token)).is_none() => {
                NumberValue::Named(Name {
                    text: self.text(token).to_owned(),
                    span: token.span,
                })
            }
            _ => {
                self.missing(what);
                return None;
            }
        };
        self.advance();
        let span = token.span;
        Some(Number { value, span })
    }

    /// Says that something else was expected here; passes over nothing.
    pub fn missing(&mut self, what: &str) {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the script".to_owned(),
            _ => format!("`{}`", self.text(token)),
        };
        let message = format!("expected {what}, found {found}");
        self.tell(Diagnostic::error(token.span, message));
    }

    /// Reads a block, an item at a time. What an item does not take is told and passed over.
    pub fn block(&mut self, of: &str, mut item: impl FnMut(&mut Self)) {
        let open = self.peek();
        let (TokenKind::Mark('{') | TokenKind::Mark('[')) = open.kind else {
            return self.missing(&format!("the block of {of}, in braces or brackets"));
        };
        self.advance();
        if self.depth >= DEEPEST {
            let message = format!("blocks nest more than {DEEPEST} deep here");
            self.tell(Diagnostic::error(open.span, message));
            return self.leave_block();
        }
        self.depth += 1;
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::End => {
                    let message = format!("this block of {of} is never closed");
                    self.tell(Diagnostic::error(open.span, message));
                    break;
                }
                TokenKind::Mark(mark @ ('}' | ']')) => {
                    self.check_pair(open, mark, of);
                    self.advance();
                    break;
                }
                TokenKind::Mark(',') => self.advance(),
                _ => {
                    let before = self.at;
                    item(self);
                    if self.at == before {
                        self.pass_over(&[]);
                    }
                }
            }
        }
        self.depth -= 1;
    }

    fn check_pair(&mut self, open: Token, close: char, of: &str) {
        let wanted = if open.kind == TokenKind::Mark('{') {
            '}'
        } else {
            ']'
        };
        if close != wanted {
            let message = format!("the block of {of} is closed with `{close}`");
            let hint = format!(
                "it was opened with `{}`: close it with `{wanted}`",
                self.text(open)
            );
            let wrong = Diagnostic::error(self.peek().span, message).with_hint(hint);
            self.tell(wrong);
        }
    }

    /// Passes over what is not known here: a word, what it is given, and its block. With the words that
    /// were expected.
    pub fn pass_over(&mut self, known: &[&str]) {
        let token = self.peek();
        let written = self.text(token);
        let mut wrong = match known {
            [] => Diagnostic::error(token.span, format!("`{written}` means nothing here")),
            _ => {
                let expected = list(known);
                Diagnostic::error(
                    token.span,
                    format!("`{written}` is not known here; expected {expected}"),
                )
            }
        };
        if let Some(meant) = meant_word(written, known) {
            wrong = wrong.with_hint(format!("did you mean `{meant}`?"));
        }
        self.tell(wrong);
        self.advance();
        loop {
            match self.peek().kind {
                TokenKind::Number(..)
                | TokenKind::Text
                | TokenKind::Mark(',' | '.' | '+' | '-') => {
                    self.advance();
                }
                TokenKind::Mark('{' | '[' | '(') => {
                    self.advance();
                    self.leave_block();
                }
                TokenKind::Word if self.is_given(known) => self.advance(),
                _ => break,
            }
        }
    }

    /// Whether the word at hand is what an unknown one before it is given: none of those that begin something.
    fn is_given(&self, known: &[&str]) -> bool {
        !known.is_empty()
            && !known.iter().any(|word| self.is_word(0, word))
            && !self.is_mark(1, '.')
    }

    /// Passes over all up to the end of the block that the last token opened.
    fn leave_block(&mut self) {
        let mut open = 1;
        while open > 0 && !self.at_end() {
            match self.peek().kind {
                TokenKind::Mark('{' | '[' | '(') => open += 1,
                TokenKind::Mark('}' | ']' | ')') => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }
}

/// Words as a person lists them.
pub(super) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
