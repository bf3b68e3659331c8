//! Tokens into a tree, by recursive descent.
//!
//! Line ends mean nothing, commas may be left out, braces and brackets do the same (both spellings of the thesis
//! are in use, Shanbhag 2006, §7.3 and §7.4). What can't be understood is told and passed over up to
//! the next thing that can, so that all errors are found at once. Blocks nest [`DEEPEST`] deep at most.
//! `cursor` moves through the tokens; `motion`, `actors` and `story` are the parts of the language.

mod actors;
mod cursor;
mod motion;
mod story;

use crate::diagnostic::Diagnostic;
use crate::lexer::{Tokens, tokenize};
use crate::source::{FileId, Source};
use crate::syntax::{Define, Let, Script};
use cursor::Cursor;

/// How deep blocks nest at most.
pub const DEEPEST: usize = 120;

/// What was understood, and what was not.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// All that could be understood.
    pub script: Script,
    /// In the order of their places.
    pub wrong: Vec<Diagnostic>,
}

/// Reads a script. Never fails; `wrong` is empty where all of it was understood.
pub fn parse(file: FileId, source: &Source) -> Parsed {
    let Tokens { tokens, wrong, .. } = tokenize(file, &source.text);
    let mut cursor = Cursor::new(&source.text, tokens, wrong);
    let mut script = Script::default();
    while !cursor.at_end() {
        top_level(&mut cursor, &mut script);
    }
    let mut wrong = cursor.wrong;
    wrong.sort_by_key(|wrong| wrong.span);
    Parsed { script, wrong }
}

fn top_level(cursor: &mut Cursor, script: &mut Script) {
    const KNOWN: [&str; 6] = ["actors", "actor", "story", "import", "let", "define"];
    match cursor.known_word(&KNOWN) {
        Some("actors") => cursor.block("actors", |cursor| match cursor.known_word(&["actor"]) {
            Some(_) => script.actors.extend(actors::actor(cursor)),
            None => cursor.pass_over(&["actor"]),
        }),
        Some("actor") => script.actors.extend(actors::actor(cursor)),
        Some("story") => {
            let story = story::story(cursor);
            if script.story.is_some() {
                cursor.tell(Diagnostic::error(
                    story.span,
                    "there is a story already: a script tells one",
                ));
            }
            script.story.get_or_insert(story);
        }
        Some("import") => script.imports.extend(cursor.name("a file to import")),
        Some("let") => script.lets.extend(number_with_name(cursor)),
        Some("define") => script.defines.extend(define(cursor)),
        _ => cursor.pass_over(&KNOWN),
    }
}

/// `let pace 1.2`
fn number_with_name(cursor: &mut Cursor) -> Option<Let> {
    let name = cursor.name("a name for the number")?;
    cursor.take_word("be");
    let value = cursor.number("a number")?;
    Some(Let { name, value })
}

/// `define slower(walk, factor) { alterwalk { walk stride factor } }`
fn define(cursor: &mut Cursor) -> Option<Define> {
    let name = cursor.name("a name for what is defined")?;
    let mut parameters = Vec::new();
    if cursor.take_mark('(') {
        while !cursor.at_end() && !cursor.take_mark(')') {
            match cursor.name("a parameter's name") {
                Some(parameter) => parameters.push(parameter),
                None => cursor.advance(),
            }
        }
    }
    let names = parameters.iter().map(|name| name.key()).collect();
    let outer = std::mem::replace(&mut cursor.parameters, names);
    let body = motion::only_clip(cursor, &name, "a definition");
    cursor.parameters = outer;
    Some(Define {
        name,
        parameters,
        body: body?,
    })
}
