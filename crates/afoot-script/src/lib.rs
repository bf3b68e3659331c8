//! Stories: a script language that directs actors (Shanbhag 2006, chapter 7, and what its discussion asks for).

pub mod check;
pub mod diagnostic;
pub mod format;
pub mod lexer;
mod nearest;
pub mod outside;
pub mod parse;
pub mod primitives;
pub mod program;
pub mod schedule;
pub mod source;
pub mod syntax;
