//! Actors: skeleton, body, clips, chains, actions.

use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{Action, Actor, ClipFile, GraftChain, Name};

use super::cursor::Cursor;
use super::motion::{clip, keep_one, unknown_clip};

/// What stands behind `actor`.
pub(super) fn actor(cursor: &mut Cursor) -> Option<Actor> {
    const KNOWN: [&str; 7] = [
        "hierarchy",
        "geometry",
        "library",
        "mocapdb",
        "graftchains",
        "actions",
        "idle",
    ];
    let name = cursor.title("the actor's name");
    let mut actor = Actor {
        name,
        hierarchy: None,
        geometry: None,
        library: None,
        clips: Vec::new(),
        chains: Vec::new(),
        actions: Vec::new(),
        idle: None,
    };
    let title = format!("actor `{}`", actor.name.text);
    cursor.block(&title, |cursor| match cursor.known_word(&KNOWN) {
        Some("hierarchy") => once(
            cursor,
            &mut actor.hierarchy,
            "hierarchy",
            "a skeleton's file",
        ),
        Some("geometry") => once(cursor, &mut actor.geometry, "geometry", "a body's file"),
        Some("library") => once(cursor, &mut actor.library, "library", "a library's file"),
        Some("idle") => once(cursor, &mut actor.idle, "idle", "an action"),
        Some("mocapdb") => cursor.block("mocapdb", |cursor| match cursor.known_word(&["clip"]) {
            Some(_) => actor.clips.extend(clip_file(cursor)),
            None => cursor.pass_over(&["clip"]),
        }),
        Some("graftchains") => cursor.block("graftchains", |cursor| {
            match cursor.known_word(&["graftchain"]) {
                Some(_) => actor.chains.extend(chain(cursor)),
                None => cursor.pass_over(&["graftchain"]),
            }
        }),
        Some("actions") => cursor.block("actions", |cursor| match cursor.known_word(&["action"]) {
            Some(_) => actor.actions.extend(action(cursor)),
            None => cursor.pass_over(&["action"]),
        }),
        _ => cursor.pass_over(&KNOWN),
    });
    Some(actor)
}

/// A name that may be said once.
fn once(cursor: &mut Cursor, kept: &mut Option<Name>, word: &str, what: &str) {
    let Some(name) = cursor.name(what) else {
        return;
    };
    if kept.is_some() {
        let message = format!("`{word}` is said already");
        cursor.tell(Diagnostic::error(name.span, message));
    }
    kept.get_or_insert(name);
}

/// `clip "walk" "file"` or `clip "walk" { filename "file" }`
fn clip_file(cursor: &mut Cursor) -> Option<ClipFile> {
    let name = cursor.name("a name for the clip")?;
    let mut file = None;
    if matches!(cursor.peek().kind, TokenKind::Mark('{' | '[')) {
        cursor.block(&format!("clip `{}`", name.text), |cursor| {
            match cursor.known_word(&["filename"]) {
                Some(_) => once(cursor, &mut file, "filename", "a motion file"),
                None => cursor.pass_over(&["filename"]),
            }
        });
        if file.is_none() {
            let message = format!("clip `{}` has no file", name.text);
            let wrong = Diagnostic::error(name.span, message);
            cursor.tell(wrong.with_hint("name it: filename \"...\""));
        }
    } else {
        file = cursor.name("a motion file");
    }
    Some(ClipFile { name, file: file? })
}

fn chain(cursor: &mut Cursor) -> Option<GraftChain> {
    let name = cursor.name("a name for the chain")?;
    let mut joints = Vec::new();
    cursor.block(
        &format!("graftchain `{}`", name.text),
        |cursor| match cursor.known_word(&["noderef"]) {
            Some(_) => joints.extend(cursor.name("a joint")),
            None => cursor.pass_over(&["noderef"]),
        },
    );
    Some(GraftChain { name, joints })
}

/// `action "kick" { clipref "kick" moment "stroke" 45 }`
fn action(cursor: &mut Cursor) -> Option<Action> {
    let name = cursor.title("a name for the action");
    let (mut motion, mut moments) = (None, Vec::new());
    let before = cursor.wrong.len();
    cursor.block(&format!("action `{}`", name.text), |cursor| {
        if cursor.take_word("moment") {
            if let Some(moment) = cursor.name("a name for the moment") {
                moments.extend(cursor.number("a frame").map(|frame| (moment, frame)));
            }
            return;
        }
        match clip(cursor) {
            Some(clip) => keep_one(cursor, &mut motion, clip, "an action"),
            None => unknown_clip(cursor),
        }
    });
    if motion.is_none() && cursor.wrong.len() == before {
        let wrong = Diagnostic::error(name.span, format!("action `{}` has no motion", name.text));
        cursor.tell(wrong.with_hint("give it a clip: clipref \"...\", or a filter"));
    }
    Some(Action {
        name,
        clip: motion?,
        moments,
    })
}
