//! A script as everybody writes it.
//!
//! Lines stay where they were broken, and comments where they stood; indentation follows the blocks, one space
//! stands between words, one empty line at most between lines. Formatting twice changes nothing, and what
//! is said stays the same; a text with quotes that are never closed and the like is left as it is.

use crate::lexer::{Token, TokenKind, tokenize};
use crate::source::{FileId, Span};

/// What a block is indented by.
const INDENT: &str = "    ";

/// Formats a script.
pub fn format(text: &str) -> String {
    let read = tokenize(FileId(0), text);
    if !read.wrong.is_empty() {
        return text.to_owned();
    }
    let tokens = read
        .tokens
        .iter()
        .filter(|token| token.kind != TokenKind::End);
    let pieces = tokens.map(|token| (token.span, Some(*token)));
    let comments = read.comments.iter().map(|span| (*span, None));
    let mut pieces: Vec<(Span, Option<Token>)> = pieces.chain(comments).collect();
    pieces.sort_by_key(|(span, _)| span.start);
    let mut page = Page::default();
    for (at, (span, token)) in pieces.iter().enumerate() {
        let written = &text[span.start as usize..span.end as usize];
        let gap = match at.checked_sub(1) {
            Some(before) => &text[pieces[before].0.end as usize..span.start as usize],
            None => "",
        };
        page.put(written, *token, gap);
    }
    if !page.out.is_empty() {
        page.out.push('\n');
    }
    page.out
}

#[derive(Default)]
struct Page {
    out: String,
    depth: usize,
    last: Option<char>,
}

impl Page {
    fn put(&mut self, written: &str, token: Option<Token>, gap: &str) {
        let mark = match token.map(|token| token.kind) {
            Some(TokenKind::Mark(mark)) => Some(mark),
            _ => None,
        };
        if matches!(mark, Some('}' | ']' | ')')) {
            self.depth = self.depth.saturating_sub(1);
        }
        let breaks = gap.matches('\n').count();
        if breaks > 0 && !self.out.is_empty() {
            self.out += if breaks > 1 { "\n\n" } else { "\n" };
            self.out += &INDENT.repeat(self.depth);
        } else if self.needs_space(mark, gap, token) {
            self.out.push(' ');
        }
        for (number, line) in written.lines().enumerate() {
            if number > 0 {
                self.out.push('\n');
            }
            self.out += if number > 0 { line } else { line.trim_end() };
        }
        if matches!(mark, Some('{' | '[' | '(')) {
            self.depth += 1;
        }
        self.last = Some(mark.unwrap_or('a'));
    }

    /// Whether a space stands between two things on a line.
    fn needs_space(&self, mark: Option<char>, gap: &str, token: Option<Token>) -> bool {
        let is_number = matches!(token.map(|token| token.kind), Some(TokenKind::Number(..)));
        let signed = is_number && gap.is_empty();
        match (self.last, mark) {
            // else it would be one number
            (Some('.'), _) if is_number => true,
            (None, _) | (Some('.' | '('), _) | (_, Some('.' | ',' | ')')) => false,
            // a call's parenthesis
            (Some('a'), Some('(')) => false,
            // `end+0.5`
            (Some('a'), _) if signed => false,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let once = format(text);
        assert_eq!(once, expected);
        assert_eq!(format(&once), once, "twice is once");
    }

    #[test]
    fn blocks_are_indented_and_lines_kept() {
        check(
            "actors\n[\nactor   \"a\"\n  {\n\n\nhierarchy  x // his\n } ]\n",
            "actors\n[\n    actor \"a\"\n    {\n\n        hierarchy x // his\n    } ]\n",
        );
        check("pos 0,0 ,  1\nlookat 1 0 0", "pos 0, 0, 1\nlookat 1 0 0\n");
        check(
            "a . b as c stroke at d.end+0.5",
            "a.b as c stroke at d.end+0.5\n",
        );
        check("slower( walk , 0.8 )", "slower(walk, 0.8)\n");
        check("", "");
        check("# only\n\n\n# comments", "# only\n\n# comments\n");
    }
}
