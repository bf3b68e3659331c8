//! Motion: references, definitions that are used, primitives with their clips and fields.

use crate::diagnostic::Diagnostic;
use crate::lexer::TokenKind;
use crate::primitives::{Field, FieldType, Primitive};
use crate::syntax::{Argument, ClipExpression, ClipKind, FieldSaid, FieldValue, Filter, Name};
use afoot_search::meant_word;

use super::cursor::{Cursor, list};

/// The block of something that is one motion.
pub(super) fn only_clip(cursor: &mut Cursor, name: &Name, what: &str) -> Option<ClipExpression> {
    let mut found = None;
    cursor.block(&format!("`{}`", name.text), |cursor| match clip(cursor) {
        Some(clip) => keep_one(cursor, &mut found, clip, what),
        None => unknown_clip(cursor),
    });
    if found.is_none() {
        let message = format!("`{}` has no motion", name.text);
        let wrong = Diagnostic::error(name.span, message);
        cursor.tell(wrong.with_hint("give it a clip: clipref \"...\", or a filter"));
    }
    found
}

/// Keeps the first motion and tells of others.
pub(super) fn keep_one(
    cursor: &mut Cursor,
    kept: &mut Option<ClipExpression>,
    clip: ClipExpression,
    what: &str,
) {
    if kept.is_some() {
        let wrong = Diagnostic::error(clip.span, format!("{what} has one motion"));
        cursor.tell(wrong.with_hint("join several with concatenate { ... }"));
    }
    kept.get_or_insert(clip);
}

/// A motion, if one begins here.
pub(super) fn clip(cursor: &mut Cursor) -> Option<ClipExpression> {
    let token = cursor.peek();
    let kind = if cursor.take_word("clipref") {
        ClipKind::Reference(cursor.name("the name of a clip")?)
    } else if token.kind == TokenKind::Word && cursor.is_mark(1, '(') {
        call(cursor)?
    } else if let Some(primitive) = primitive_here(cursor) {
        cursor.advance();
        ClipKind::Filter(filter(cursor, primitive))
    } else if is_parameter(cursor) {
        ClipKind::Reference(cursor.name("a parameter")?)
    } else {
        return None;
    };
    let span = token.span.to(cursor.before());
    Some(ClipExpression { kind, span })
}

/// Says that no motion begins here, and passes over it.
pub(super) fn unknown_clip(cursor: &mut Cursor) {
    let mut known: Vec<&str> = Primitive::ALL.map(Primitive::word).to_vec();
    known.insert(0, "clipref");
    cursor.pass_over(&known);
}

fn primitive_here(cursor: &Cursor) -> Option<Primitive> {
    let token = cursor.peek();
    match token.kind {
        TokenKind::Word => Primitive::of_word(cursor.text(token)),
        _ => None,
    }
}

fn is_parameter(cursor: &Cursor) -> bool {
    let token = cursor.peek();
    let word = cursor.text(token).to_lowercase();
    token.kind == TokenKind::Word && cursor.parameters.contains(&word)
}

/// `slower(walk, 0.8)`
fn call(cursor: &mut Cursor) -> Option<ClipKind> {
    let name = cursor.name("a definition")?;
    cursor.take_mark('(');
    let mut arguments = Vec::new();
    while !cursor.take_mark(')') {
        if cursor.take_mark(',') {
            continue;
        }
        match argument(cursor) {
            Some(argument) => arguments.push(argument),
            None => {
                cursor.missing("a number, a motion or `)`");
                break;
            }
        }
    }
    Some(ClipKind::Call(name, arguments))
}

fn argument(cursor: &mut Cursor) -> Option<Argument> {
    if let Some(clip) = clip(cursor) {
        return Some(match clip.kind {
            ClipKind::Reference(name) if name.span == clip.span => Argument::Name(name),
            _ => Argument::Clip(clip),
        });
    }
    match cursor.peek().kind {
        TokenKind::Number(..) => cursor.number("a number").map(Argument::Number),
        TokenKind::Word | TokenKind::Text => cursor.name("a name").map(Argument::Name),
        _ => None,
    }
}

/// What stands behind a primitive's word: `"file"` of load, else a block.
fn filter(cursor: &mut Cursor, primitive: Primitive) -> Filter {
    let word = cursor.before();
    let mut filter = Filter {
        primitive,
        word,
        inputs: Vec::new(),
        fields: Vec::new(),
        whole: true,
    };
    let before = cursor.wrong.len();
    if primitive == Primitive::Load && !cursor.is_mark(0, '{') && !cursor.is_mark(0, '[') {
        let file = cursor.name("a file to load");
        filter.fields.extend(file.map(|file| FieldSaid {
            field: Field::File,
            word,
            value: FieldValue::Text(file),
        }));
        return filter;
    }
    cursor.block(&format!("`{}`", primitive.word()), |cursor| {
        if let Some(field) = field_here(cursor) {
            filter.fields.extend(field_said(cursor, primitive, field));
        } else {
            match clip(cursor) {
                Some(clip) => filter.inputs.push(clip),
                None => unknown_item(cursor, primitive),
            }
        }
    });
    filter.whole = cursor.wrong.len() == before;
    filter
}

fn field_here(cursor: &Cursor) -> Option<Field> {
    let token = cursor.peek();
    match token.kind {
        TokenKind::Word if !is_parameter(cursor) => Field::of_word(cursor.text(token)),
        _ => None,
    }
}

/// A field's word and its value; `None` where the primitive has no such field.
fn field_said(cursor: &mut Cursor, primitive: Primitive, field: Field) -> Option<FieldSaid> {
    let Some(rule) = primitive.fields().iter().find(|rule| rule.field == field) else {
        unknown_item(cursor, primitive);
        return None;
    };
    let word = cursor.peek().span;
    cursor.advance();
    let value = match rule.holds {
        FieldType::File => FieldValue::Text(cursor.name("a file's name")?),
        FieldType::Chains => FieldValue::Names(names(cursor, "the chains", "a chain")),
        FieldType::Labels => FieldValue::Names(names(cursor, "the labels", "a label")),
        _ => FieldValue::Number(cursor.number("a number")?),
    };
    Some(FieldSaid { field, word, value })
}

/// One name, or several in a block.
fn names(cursor: &mut Cursor, of: &str, what: &str) -> Vec<Name> {
    let mut names = Vec::new();
    if cursor.is_mark(0, '{') || cursor.is_mark(0, '[') {
        cursor.block(of, |cursor| {
            cursor.take_word("noderef");
            match cursor.name(what) {
                Some(name) => names.push(name),
                None => cursor.advance(),
            }
        });
    } else {
        names.extend(cursor.name(what));
    }
    names
}

/// Says what a primitive takes.
fn unknown_item(cursor: &mut Cursor, primitive: Primitive) {
    let token = cursor.peek();
    let written = cursor.text(token).to_owned();
    let fields: Vec<&str> = primitive
        .fields()
        .iter()
        .map(|rule| rule.field.word())
        .collect();
    let takes_clips = primitive.inputs()[1] > 0;
    let what = match (takes_clips, fields.as_slice()) {
        (true, []) => "a motion".to_owned(),
        (true, fields) => format!("a motion, {}", list(fields)),
        (false, fields) => list(fields),
    };
    let before = cursor.wrong.len();
    cursor.pass_over(&fields);
    let mut wrong = Diagnostic::error(
        token.span,
        format!(
            "`{written}` is not known in `{}`; expected {what}",
            primitive.word()
        ),
    );
    let mut known = fields;
    if takes_clips {
        known.push("clipref");
        known.extend(Primitive::ALL.map(Primitive::word));
    }
    if let Some(meant) = meant_word(&written, &known) {
        wrong = wrong.with_hint(format!("did you mean `{meant}`?"));
    } else if takes_clips && token.kind != TokenKind::End {
        wrong = wrong.with_hint("a clip is named by clipref \"...\"");
    }
    cursor.wrong[before] = wrong;
}
