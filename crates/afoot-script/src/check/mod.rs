//! A script into a program, or into all that is wrong with it.
//!
//! Everything is looked at before anything is made: names, numbers, frames, chains, files, moments. What is
//! wrong in one place does not hide what is wrong in another. `names` finds what a name stands for, `motion`
//! makes the graph of filters, `settings` looks at what is said in them, `story` makes the scenes.

mod motion;
mod names;
mod settings;
mod story;

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::Unit;
use crate::outside::{Missing, Outside};
use crate::parse::parse;
use crate::program::{ActorFiles, FilterId, Program, ProgramActor, ProgramChain};
use crate::source::{FileId, Source, Span};
use crate::syntax::{Actor, Define, Name, Number, Script};
use names::NamesSeen;

/// Files that a script may consist of, imports included.
const MOST_FILES: usize = 64;

/// What a script says and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Its files: the first is the one that was asked for.
    pub sources: Vec<Source>,
    /// All that could be understood; to be played only if there is no error.
    pub program: Program,
    /// In the order of their places.
    pub found: Vec<Diagnostic>,
}

impl Checked {
    /// Whether it can be played.
    pub fn is_right(&self) -> bool {
        self.found
            .iter()
            .all(|found| found.severity != Severity::Error)
    }
}

/// Checks a script and what it imports.
pub fn check(source: Source, outside: &dyn Outside) -> Checked {
    let read = read_all(source, outside);
    let mut checker = Checker {
        outside,
        sources: &read.sources,
        program: Program::default(),
        found: read.wrong,
        lets: HashMap::new(),
        defines: by_name(&read.script.defines, |define| &define.name),
        filters: HashMap::new(),
        motions: 0,
    };
    checker.script(&read.script);
    let (program, mut found) = (checker.program, checker.found);
    found.sort_by_key(|found| found.span);
    found.dedup();
    Checked {
        sources: read.sources,
        program,
        found,
    }
}

/// Things by their names in lower case; of several the first.
fn by_name<T>(items: &[T], name: impl Fn(&T) -> &Name) -> HashMap<String, &T> {
    let mut found = HashMap::new();
    for item in items {
        found.entry(name(item).key()).or_insert(item);
    }
    found
}

/// A script with all that it imports.
struct Read {
    sources: Vec<Source>,
    script: Script,
    wrong: Vec<Diagnostic>,
}

/// Each file once.
fn read_all(first: Source, outside: &dyn Outside) -> Read {
    let mut seen = HashSet::from([first.name.clone()]);
    let mut read = Read {
        sources: vec![first],
        script: Script::default(),
        wrong: Vec::new(),
    };
    let mut at = 0;
    while at < read.sources.len() {
        let parsed = parse(FileId(at as u32), &read.sources[at]);
        read.wrong.extend(parsed.wrong);
        let beside = read.sources[at].name.clone();
        for import in &parsed.script.imports {
            if read.sources.len() >= MOST_FILES {
                let message = format!("a script consists of {MOST_FILES} files at most");
                read.wrong.push(Diagnostic::error(import.span, message));
                continue;
            }
            match outside.script(&import.text, &beside) {
                Ok((name, text)) => {
                    if seen.insert(name.clone()) {
                        read.sources.push(Source::new(name, text));
                    }
                }
                Err(missing) => read.wrong.push(missing.told_at(import.span)),
            }
        }
        merge(&mut read.script, parsed.script, at == 0);
        at += 1;
    }
    read
}

pub(crate) struct Checker<'a> {
    outside: &'a dyn Outside,
    sources: &'a [Source],
    program: Program,
    found: Vec<Diagnostic>,
    lets: HashMap<String, (f64, Unit)>,
    defines: HashMap<String, &'a Define>,
    /// Filters by what they do, so that none stands twice.
    filters: HashMap<String, FilterId>,
    /// Motions looked at so far, each as often as it is used.
    motions: usize,
}

impl<'a> Checker<'a> {
    fn script(&mut self, script: &'a Script) {
        self.lets(script);
        self.note_duplicates(
            script.defines.iter().map(|define| &define.name),
            "definition",
        );
        self.actors(script);
        if let Some(story) = &script.story {
            self.story(story, &script.actors);
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(span, message));
    }

    /// What many places need is told at the first of them.
    fn missing(&mut self, span: Span, missing: Missing) {
        let told = missing.told_at(span);
        if self.found.iter().all(|found| found.message != told.message) {
            self.found.push(told);
        }
    }

    fn lets(&mut self, script: &Script) {
        self.note_duplicates(script.lets.iter().map(|l| &l.name), "number");
        for given in &script.lets {
            if let Some(value) = self.number(&given.value, &HashMap::new()) {
                self.lets.entry(given.name.key()).or_insert(value);
            }
        }
    }

    fn actors(&mut self, script: &'a Script) {
        self.note_duplicates(script.actors.iter().map(|actor| &actor.name), "actor");
        for actor in &script.actors {
            self.actor(actor);
        }
    }

    fn actor(&mut self, actor: &'a Actor) {
        let text = |name: &Option<Name>| name.as_ref().map(|name| name.text.clone());
        let files = ActorFiles {
            hierarchy: text(&actor.hierarchy),
            geometry: text(&actor.geometry),
            library: text(&actor.library),
        };
        if let Some(hierarchy) = &actor.hierarchy
            && let Err(missing) = self.outside.skeleton(&files)
        {
            self.missing(hierarchy.span, missing);
        }
        if let Some(geometry) = &actor.geometry
            && let Err(missing) = self.outside.body(&files)
        {
            let told = Diagnostic::warning(geometry.span, missing.message);
            self.found
                .push(told.with_hint("a plain body is drawn instead"));
        }
        if let Some(library) = &actor.library
            && let Err(missing) = self.outside.library(&files)
        {
            self.missing(library.span, missing);
        }
        let chains = self.chains(actor, &files);
        self.program.actors.push(ProgramActor {
            name: actor.name.text.clone(),
            files,
            chains,
            actions: Vec::new(),
            idle: None,
        });
        self.actions(actor);
    }

    fn chains(&mut self, actor: &Actor, files: &ActorFiles) -> Vec<ProgramChain> {
        self.note_duplicates(actor.chains.iter().map(|chain| &chain.name), "chain");
        for chain in &actor.chains {
            if chain.joints.is_empty() {
                let message = format!("chain `{}` has no joints", chain.name.text);
                self.error(chain.name.span, message);
            }
            for joint in &chain.joints {
                if let Err(missing) = self.outside.joint(files, &joint.text) {
                    self.missing(joint.span, missing);
                }
            }
        }
        let named = |chain: &crate::syntax::GraftChain| ProgramChain {
            name: chain.name.text.clone(),
            joints: chain
                .joints
                .iter()
                .map(|joint| joint.text.clone())
                .collect(),
        };
        actor.chains.iter().map(named).collect()
    }

    /// Tells of names that stand for two things.
    fn note_duplicates<'n>(&mut self, names: impl Iterator<Item = &'n Name>, what: &str) {
        let mut seen = NamesSeen::default();
        for name in names {
            if let Some(first) = seen.note(name) {
                let line = self.sources[first.file.0 as usize]
                    .position(first.start)
                    .line;
                let message = format!(
                    "`{}` is the name of another {what}, in line {line}",
                    name.text
                );
                self.error(name.span, message);
            }
        }
    }

    /// A number's value; told where it has none.
    fn number(
        &mut self,
        number: &Number,
        given: &HashMap<String, motion::Given>,
    ) -> Option<(f64, Unit)> {
        use crate::syntax::NumberValue::{Literal, Named};
        match &number.value {
            Literal(value, unit) => Some((*value, *unit)),
            Named(name) => match (given.get(&name.key()), self.lets.get(&name.key())) {
                (Some(motion::Given::Number(value, unit)), _) => Some((*value, *unit)),
                (None, Some(&value)) => Some(value),
                _ => {
                    let known: Vec<String> = self.lets.keys().cloned().collect();
                    let message = format!("expected a number, found `{}`", name.text);
                    self.unknown(name, &message, &known);
                    None
                }
            },
        }
    }
}

/// Adds an imported file's actors and definitions; its story is its own.
fn merge(all: &mut Script, next: Script, is_first: bool) {
    all.lets.extend(next.lets);
    all.defines.extend(next.defines);
    all.actors.extend(next.actors);
    if is_first {
        all.story = next.story;
    }
}
