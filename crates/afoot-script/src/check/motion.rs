//! Actions as a graph of filters: what each clip's name stands for, what goes in, how long it is.

use std::collections::HashMap;

use super::settings::{Amount, number_of};
use super::{Checker, by_name};
use crate::diagnostic::Diagnostic;
use crate::lexer::Unit;
use crate::primitives::{Field, Primitive};
use crate::program::{ActorId, FilterId, FilterKind, FilterNode, ProgramAction, Setting};
use crate::source::Span;
use crate::syntax::{Action, Actor, Argument, ClipExpression, ClipFile, ClipKind, Filter, Name};

/// How deep definitions may use each other.
const DEEPEST_CALLS: usize = 32;
/// How many motions a script may come to when its definitions are written out: a few lines that each use the
/// one before four times are millions.
const MOST_MOTIONS: usize = 200_000;

/// What a definition is given.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Number(f64, Unit),
    /// `None` where what was given is wrong itself.
    Clip(Option<FilterId>),
}

/// An actor whose actions are being looked at.
struct Repertoire<'a> {
    id: ActorId,
    clips: HashMap<String, &'a ClipFile>,
    actions: HashMap<String, &'a Action>,
    /// Actions that are done, or that are being looked at: `None`.
    done: HashMap<String, Option<Option<FilterId>>>,
    /// How many definitions are being looked at.
    depth: usize,
}

impl<'a> Checker<'a> {
    /// What an actor can do, in the order in which it is written.
    pub(super) fn actions(&mut self, actor: &'a Actor) {
        self.note_duplicates(actor.clips.iter().map(|clip| &clip.name), "clip");
        self.note_duplicates(actor.actions.iter().map(|action| &action.name), "action");
        let mut repertoire = Repertoire {
            id: ActorId(self.program.actors.len() as u32 - 1),
            clips: by_name(&actor.clips, |clip| &clip.name),
            actions: by_name(&actor.actions, |action| &action.name),
            done: HashMap::new(),
            depth: 0,
        };
        for clip in &actor.clips {
            self.clip_file(&repertoire, clip);
        }
        let mut made = Vec::new();
        for action in &actor.actions {
            let filter = self.action(&mut repertoire, action);
            made.extend(self.program_action(action, filter));
        }
        let keys: Vec<String> = made
            .iter()
            .map(|action| action.name.to_lowercase())
            .collect();
        let own = self.program.actors.last_mut().expect("pushed before");
        own.actions = made;
        if let Some(idle) = &actor.idle {
            own.idle = keys.iter().position(|key| *key == idle.key());
            if own.idle.is_none() && !repertoire.actions.contains_key(&idle.key()) {
                let message = format!("`{}` has no action `{}`", actor.name.text, idle.text);
                let known: Vec<String> = own.actions.iter().map(|a| a.name.clone()).collect();
                self.unknown(idle, &message, &known);
            }
        }
    }

    fn program_action(
        &mut self,
        action: &Action,
        filter: Option<FilterId>,
    ) -> Option<ProgramAction> {
        let mut moments = Vec::new();
        for (name, frame) in &action.moments {
            let last = filter.and_then(|filter| self.program.filters[filter.0 as usize].frames);
            let Some((value, unit)) = self.number(frame, &HashMap::new()) else {
                continue;
            };
            let amount = Amount {
                value,
                unit,
                word: &name.text,
                span: frame.span,
            };
            if self.is_frame(amount, last) {
                moments.push((name.key(), value as u32));
            }
        }
        // An action that is wrong itself is known all the same, so that its use is not told too.
        Some(ProgramAction {
            name: action.name.text.clone(),
            filter: filter.unwrap_or(FilterId(u32::MAX)),
            moments,
        })
    }

    fn action(&mut self, repertoire: &mut Repertoire<'a>, action: &'a Action) -> Option<FilterId> {
        let key = action.name.key();
        match repertoire.done.get(&key) {
            Some(Some(done)) => return *done,
            Some(None) => {
                let message = format!("action `{}` is made of itself", action.name.text);
                self.error(action.name.span, message);
                return None;
            }
            None => {}
        }
        repertoire.done.insert(key.clone(), None);
        let filter = self.motion(repertoire, &action.clip, &HashMap::new());
        repertoire.done.insert(key, Some(filter));
        filter
    }

    fn motion(
        &mut self,
        repertoire: &mut Repertoire<'a>,
        clip: &'a ClipExpression,
        given: &HashMap<String, Given>,
    ) -> Option<FilterId> {
        self.motions += 1;
        if self.motions > MOST_MOTIONS {
            if self.motions == MOST_MOTIONS + 1 {
                let message =
                    format!("written out, definitions come to more than {MOST_MOTIONS} motions");
                let hint = "let a definition use another less often, or make an action of it";
                let told = Diagnostic::error(clip.span, message).with_hint(hint);
                self.found.push(told);
            }
            return None;
        }
        match &clip.kind {
            ClipKind::Reference(name) => self.reference(repertoire, name, given),
            ClipKind::Call(name, arguments) => {
                self.use_definition(repertoire, name, arguments, given)
            }
            ClipKind::Filter(filter) => self.filter(repertoire, filter, given),
        }
    }

    /// A parameter, a clip of the actor's, another action, or a clip of his library.
    fn reference(
        &mut self,
        repertoire: &mut Repertoire<'a>,
        name: &Name,
        given: &HashMap<String, Given>,
    ) -> Option<FilterId> {
        let key = name.key();
        match given.get(&key) {
            Some(Given::Clip(filter)) => return *filter,
            Some(Given::Number(..)) => {
                let message = format!("expected a motion, but `{}` is a number", name.text);
                self.error(name.span, message);
                return None;
            }
            None => {}
        }
        if let Some(&clip) = repertoire.clips.get(&key) {
            return self.clip_file(repertoire, clip);
        }
        let being_made = repertoire.done.get(&key) == Some(&None);
        if let Some(&action) = repertoire.actions.get(&key).filter(|_| !being_made) {
            return self.action(repertoire, action);
        }
        self.library_clip(repertoire, name, being_made)
    }

    fn library_clip(
        &mut self,
        repertoire: &Repertoire,
        name: &Name,
        being_made: bool,
    ) -> Option<FilterId> {
        let files = &self.program.actors[repertoire.id.0 as usize].files;
        let found = match files.library {
            Some(_) => self.outside.library_clip(files, &name.text),
            None => Ok(None),
        };
        match found {
            Ok(Some(facts)) => {
                let what = FilterKind::LibraryClip(name.text.clone());
                return Some(self.add(
                    repertoire.id,
                    what,
                    Vec::new(),
                    Some(facts.frames),
                    name.span,
                ));
            }
            Ok(None) if being_made => {
                self.error(name.span, format!("`{}` is made of itself", name.text));
            }
            Ok(None) => {
                let names = repertoire.clips.values().map(|clip| &clip.name);
                let names = names.chain(repertoire.actions.values().map(|action| &action.name));
                let mut known: Vec<String> = names.map(|name| name.text.clone()).collect();
                known.sort();
                known.dedup();
                let message = format!("there is no clip `{}`", name.text);
                self.unknown(name, &message, &known);
            }
            Err(missing) => self.missing(name.span, missing),
        }
        None
    }

    fn clip_file(&mut self, repertoire: &Repertoire, clip: &ClipFile) -> Option<FilterId> {
        self.file(repertoire.id, &clip.file.text, clip.file.span)
    }

    /// A motion file, whether it is named among the clips or loaded where it is used.
    fn file(&mut self, actor: ActorId, file: &str, span: Span) -> Option<FilterId> {
        let files = &self.program.actors[actor.0 as usize].files;
        match self.outside.clip(files, file) {
            Ok(facts) => {
                let what = FilterKind::Clip(file.to_owned());
                Some(self.add(actor, what, Vec::new(), Some(facts.frames), span))
            }
            Err(missing) => {
                self.missing(span, missing);
                None
            }
        }
    }

    fn use_definition(
        &mut self,
        repertoire: &mut Repertoire<'a>,
        name: &Name,
        arguments: &'a [Argument],
        given: &HashMap<String, Given>,
    ) -> Option<FilterId> {
        let Some(&define) = self.defines.get(&name.key()) else {
            let known: Vec<String> = self.defines.values().map(|d| d.name.text.clone()).collect();
            self.unknown(
                name,
                &format!("there is no definition `{}`", name.text),
                &known,
            );
            return None;
        };
        let (wanted, got) = (define.parameters.len(), arguments.len());
        if wanted != got {
            let names: Vec<&str> = define.parameters.iter().map(|p| p.text.as_str()).collect();
            let message = format!("`{}` takes {wanted} things and is given {got}", name.text);
            let hint = format!("it is {}({})", define.name.text, names.join(", "));
            self.found
                .push(Diagnostic::error(name.span, message).with_hint(hint));
            return None;
        }
        if repertoire.depth >= DEEPEST_CALLS {
            self.error(name.span, format!("definition `{}` uses itself", name.text));
            return None;
        }
        let values: Vec<Given> = arguments
            .iter()
            .map(|argument| self.argument(repertoire, argument, given))
            .collect();
        let keys = define.parameters.iter().map(Name::key);
        let inner = keys.zip(values).collect();
        repertoire.depth += 1;
        let made = self.motion(repertoire, &define.body, &inner);
        repertoire.depth -= 1;
        made
    }

    fn argument(
        &mut self,
        repertoire: &mut Repertoire<'a>,
        argument: &'a Argument,
        given: &HashMap<String, Given>,
    ) -> Given {
        match argument {
            Argument::Number(number) => match self.number(number, given) {
                Some((value, unit)) => Given::Number(value, unit),
                None => Given::Clip(None),
            },
            Argument::Clip(clip) => Given::Clip(self.motion(repertoire, clip, given)),
            Argument::Name(name) => match (given.get(&name.key()), self.lets.get(&name.key())) {
                (Some(known), _) => known.clone(),
                (None, Some(&(value, unit))) => Given::Number(value, unit),
                (None, None) => Given::Clip(self.reference(repertoire, name, given)),
            },
        }
    }

    fn filter(
        &mut self,
        repertoire: &mut Repertoire<'a>,
        filter: &'a Filter,
        given: &HashMap<String, Given>,
    ) -> Option<FilterId> {
        let primitive = filter.primitive;
        let inputs: Vec<Option<FilterId>> = filter
            .inputs
            .iter()
            .map(|clip| self.motion(repertoire, clip, given))
            .collect();
        let enough = filter.whole && self.check_inputs(filter);
        let lengths: Vec<Option<u32>> = inputs
            .iter()
            .map(|input| self.program.filters.get(input.as_ref()?.0 as usize)?.frames)
            .collect();
        let settings = self.settings(repertoire.id, filter, &lengths, given);
        let whole = filter.whole && self.check_whole(filter);
        let (inputs, settings) = (inputs.into_iter().collect::<Option<Vec<_>>>()?, settings?);
        if !enough || !whole {
            return None;
        }
        if let (Primitive::Load, [(_, Setting::Text(file))]) = (primitive, settings.as_slice()) {
            return self.file(repertoire.id, file, filter.word);
        }
        let frames = frames_out(primitive, &settings, &lengths);
        let what = FilterKind::Apply(primitive, settings);
        Some(self.add(repertoire.id, what, inputs, frames, filter.word))
    }

    /// A filter, if it stands already the same.
    fn add(
        &mut self,
        actor: ActorId,
        what: FilterKind,
        inputs: Vec<FilterId>,
        frames: Option<u32>,
        span: Span,
    ) -> FilterId {
        let key = format!("{actor:?} {what:?} {inputs:?}");
        let next = FilterId(self.program.filters.len() as u32);
        let id = *self.filters.entry(key).or_insert(next);
        if id == next {
            self.program.filters.push(FilterNode {
                actor,
                what,
                inputs,
                frames,
                span,
            });
        }
        id
    }
}

/// How many frames come out, where that can be told.
fn frames_out(
    primitive: Primitive,
    settings: &[(Field, Setting)],
    lengths: &[Option<u32>],
) -> Option<u32> {
    let frame = |field: Field| number_of(settings, field).map(|value| value as u32);
    let first = || lengths.first().copied().flatten();
    match primitive {
        Primitive::Concatenate => {
            let add = |sum: u32, length: &Option<u32>| sum.checked_add((*length)?);
            lengths.iter().try_fold(0, add)
        }
        Primitive::Subclip => Some(frame(Field::EndFrame)? - frame(Field::StartFrame)? + 1),
        Primitive::Resample => frame(Field::FrameCount),
        Primitive::Loop => {
            let around = frame(Field::LoopEnd)?.checked_sub(frame(Field::LoopStart)?)? + 1;
            let (from, to) = (
                frame(Field::StartFrame).unwrap_or(1),
                frame(Field::EndFrame).or(first())?,
            );
            to.checked_add(1)?
                .checked_sub(from)?
                .checked_add(around.checked_mul(frame(Field::LoopCount)?)?)
        }
        Primitive::Graft | Primitive::Save | Primitive::Display => first(),
        _ => None,
    }
}
