//! The story: cast, scenes, and what happens in them.

use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::syntax::{CastMember, Invocation, Number, Placement, Scene, Step, Story, Sync};

use super::cursor::Cursor;

/// What stands behind `story`.
pub(super) fn story(cursor: &mut Cursor) -> Story {
    const KNOWN: [&str; 3] = ["cast", "scenes", "screenplay"];
    let mut story = Story {
        span: cursor.before(),
        ..Story::default()
    };
    cursor.block("story", |cursor| match cursor.known_word(&KNOWN) {
        Some("cast") => cursor.block("cast", |cursor| story.cast.extend(cast_member(cursor))),
        Some("scenes") => cursor.block("scenes", |cursor| match cursor.known_word(&["scene"]) {
            Some(_) => story.scenes.extend(scene(cursor)),
            None => cursor.pass_over(&["scene"]),
        }),
        Some("screenplay") => cursor.block("the story's screenplay", |cursor| {
            cursor.take_word("scene");
            story.screenplay.extend(cursor.name("the name of a scene"));
        }),
        _ => cursor.pass_over(&KNOWN),
    });
    story
}

/// `Footballer player1`
fn cast_member(cursor: &mut Cursor) -> Option<CastMember> {
    let actor = cursor.name("an actor")?;
    let instance = cursor.name("a name for the actor in the story")?;
    Some(CastMember { actor, instance })
}

fn scene(cursor: &mut Cursor) -> Option<Scene> {
    const KNOWN: [&str; 2] = ["initialize", "screenplay"];
    let name = cursor.title("the scene's name");
    let mut scene = Scene {
        name,
        camera: None,
        placements: Vec::new(),
        screenplay: Vec::new(),
    };
    let title = format!("scene `{}`", scene.name.text);
    cursor.block(&title, |cursor| match cursor.known_word(&KNOWN) {
        Some("initialize") => cursor.block("initialize", |cursor| {
            let Some(placement) = placement(cursor) else {
                return;
            };
            match placement.name.key().as_str() {
                "camera" if scene.camera.is_none() => scene.camera = Some(placement),
                _ => scene.placements.push(placement),
            }
        }),
        Some("screenplay") => scene
            .screenplay
            .extend(steps(cursor, "the scene's screenplay")),
        _ => cursor.pass_over(&KNOWN),
    });
    Some(scene)
}

/// `player1 { position 0 0 0 lookat 1, 0, 0 }`
fn placement(cursor: &mut Cursor) -> Option<Placement> {
    const KNOWN: [&str; 3] = ["position", "pos", "lookat"];
    let name = cursor.name("who is in the scene")?;
    let mut placement = Placement {
        name,
        position: None,
        lookat: None,
    };
    let title = format!("`{}`", placement.name.text);
    cursor.block(&title, |cursor| match cursor.known_word(&KNOWN) {
        Some("lookat") => placement.lookat = point(cursor),
        Some(_) => placement.position = point(cursor),
        None => cursor.pass_over(&KNOWN),
    });
    Some(placement)
}

fn point(cursor: &mut Cursor) -> Option<[Number; 3]> {
    let mut number = |axis: &str| cursor.number(&format!("a point's {axis} in metres"));
    Some([number("x")?, number("y")?, number("z")?])
}

/// A block of what happens.
fn steps(cursor: &mut Cursor, of: &str) -> Vec<Step> {
    let mut found = Vec::new();
    cursor.block(of, |cursor| {
        let block = matches!(cursor.ahead(1).kind, TokenKind::Mark('{' | '['));
        if block && cursor.take_word("par") {
            found.push(Step::Par(steps(cursor, "par")));
        } else if block && cursor.take_word("seq") {
            found.push(Step::Seq(steps(cursor, "seq")));
        } else {
            found.extend(invocation(cursor).map(|done| Step::Do(Box::new(done))));
        }
    });
    found
}

/// `player1.kick as first stroke at player2.jump.start+0.5`
fn invocation(cursor: &mut Cursor) -> Option<Invocation> {
    let here = cursor.peek();
    if !cursor.is_mark(1, '.') {
        cursor.pass_over(&["par", "seq"]);
        let message = format!(
            "`{}` is nothing that happens; expected who does what, as in player1.walk, or a block of \
             `par` or `seq`",
            cursor.text(here)
        );
        if let Some(told) = cursor.wrong.last_mut() {
            told.message = message;
        }
        return None;
    }
    let instance = cursor.name("somebody of the cast")?;
    cursor.take_mark('.');
    let action = cursor.name("an action")?;
    let label = match cursor.take_word("as") {
        true => Some(cursor.name("a name for this")?),
        false => None,
    };
    let sync = sync(cursor);
    Some(Invocation {
        instance,
        action,
        label,
        sync,
    })
}

/// `stroke at player2.jump.start+0.5`, or `at` alone for the start.
fn sync(cursor: &mut Cursor) -> Option<Sync> {
    let own = match (cursor.is_word(0, "at"), cursor.is_word(1, "at")) {
        (true, _) => None,
        (false, true) => Some(cursor.name("a moment")?),
        _ => return None,
    };
    cursor.take_word("at");
    let mut names = vec![cursor.name("what it happens with")?];
    while cursor.take_mark('.') {
        names.push(cursor.name("a moment")?);
    }
    let moment = names.pop()?;
    if names.is_empty() || names.len() > 2 {
        let wrong = Diagnostic::error(moment.span, "this is no moment of anything");
        cursor.tell(wrong.with_hint("write who, what and when: player2.jump.end"));
        return None;
    }
    Some(Sync {
        own,
        other: names,
        moment,
        later: later(cursor),
    })
}

/// `+0.5`, `- 0.5 s`
fn later(cursor: &mut Cursor) -> Option<Number> {
    use crate::syntax::NumberValue::Literal;
    let token = cursor.peek();
    match token.kind {
        TokenKind::Number(..) => cursor.number("seconds"),
        TokenKind::Mark(sign @ ('+' | '-')) => {
            cursor.advance();
            let mut number = cursor.number("seconds")?;
            if let (Literal(value, _), '-') = (&mut number.value, sign) {
                *value = -*value;
            }
            number.span = token.span.to(number.span);
            Some(number)
        }
        _ => None,
    }
}
