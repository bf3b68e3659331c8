//! What is wrong with a script, where, and what would help.
//!
//! All that can be found is found at once. `render` shows the line, underlined, as compilers do; surfaces that
//! have an editor take the span.

use crate::source::{Position, Source, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The script can't be played.
    Error,
    /// It can, but not quite as written.
    Warning,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
    /// What would help, where that is known.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// Something that keeps a script from being played.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            span,
            message: message.into(),
            hint: None,
        }
    }

    /// Something that is done otherwise than written.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(span, message)
        }
    }

    /// With what would help.
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Where it begins.
    pub fn position(&self, sources: &[Source]) -> Position {
        sources[self.span.file.0 as usize].position(self.span.start)
    }

    /// In words: the message, the place, the line with what is wrong underlined, the hint.
    pub fn render(&self, sources: &[Source]) -> String {
        let source = &sources[self.span.file.0 as usize];
        let Position { line, column } = self.position(sources);
        let word = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let text: String = source.line(line).replace('\t', " ");
        let shown: String = text.chars().take(WIDEST).collect();
        let left = shown.chars().count().saturating_sub(column - 1).max(1);
        let marked = source.text[self.span.start as usize..self.span.end as usize]
            .lines()
            .next()
            .map_or(1, |first| first.chars().count());
        let margin = " ".repeat(line.to_string().len());
        let mut told = format!("{word}: {}\n", self.message);
        told += &format!("{margin}--> {}:{line}:{column}\n", source.name);
        told += &format!("{line} | {shown}\n");
        let indent = " ".repeat(column - 1);
        let marks = "^".repeat(marked.clamp(1, left));
        told += &format!("{margin} | {indent}{marks}\n");
        if let Some(hint) = &self.hint {
            told += &format!("{margin} = {hint}\n");
        }
        told
    }
}

/// Lines are cut beyond that many characters.
const WIDEST: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[test]
    fn the_place_is_underlined() {
        let sources = [Source::new("a.play", "actors\n[ aktor x ]\n")];
        let span = Span {
            file: FileId(0),
            start: 9,
            end: 14,
        };
        let wrong = Diagnostic::error(span, "unknown word \"aktor\"").with_hint("expected `actor`");
        assert_eq!(
            wrong.render(&sources),
            "error: unknown word \"aktor\"\n --> a.play:2:3\n2 | [ aktor x ]\n  |   ^^^^^\n  = expected `actor`\n"
        );
    }
}
