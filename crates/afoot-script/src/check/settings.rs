//! What is said in a filter's braces: how many clips, which fields, whether their values make sense.

use std::collections::HashMap;
use std::fmt;

use super::Checker;
use super::motion::Given;
use crate::lexer::Unit;
use crate::outside::Missing;
use crate::primitives::{Field, FieldRule, FieldType, Primitive};
use crate::program::{ActorId, Setting};
use crate::source::Span;
use crate::syntax::{FieldSaid, FieldValue, Filter, Name};

/// A number, and the word of the field or moment that it was given for.
#[derive(Clone, Copy)]
pub(super) struct Amount<'a> {
    pub value: f64,
    pub unit: Unit,
    pub word: &'a str,
    pub span: Span,
}

impl fmt::Display for Amount<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            value, unit, word, ..
        } = self;
        write!(f, "`{word}` is {value}{}", unit.suffix())
    }
}

impl Checker<'_> {
    pub(super) fn check_inputs(&mut self, filter: &Filter) -> bool {
        let [least, most] = filter.primitive.inputs();
        let got = filter.inputs.len();
        if (least..=most).contains(&got) {
            return true;
        }
        let wanted = match (least, most) {
            (0, 0) => "no clips".to_owned(),
            (1, 1) => "one clip".to_owned(),
            (least, usize::MAX) => format!("{least} clips or more"),
            (least, _) => format!("{least} clips"),
        };
        let word = filter.primitive.word();
        let message = format!("`{word}` takes {wanted} and is given {got}");
        self.error(filter.word, message);
        false
    }

    /// The fields' values; `None` if one is wrong.
    pub(super) fn settings(
        &mut self,
        actor: ActorId,
        filter: &Filter,
        lengths: &[Option<u32>],
        given: &HashMap<String, Given>,
    ) -> Option<Vec<(Field, Setting)>> {
        let mut settings: Vec<(Field, Setting)> = Vec::new();
        let mut right = true;
        for said in &filter.fields {
            if settings.iter().any(|(field, _)| *field == said.field) {
                let message = format!("`{}` is said already", said.field.word());
                self.error(said.word, message);
                right = false;
                continue;
            }
            let rules = filter.primitive.fields().iter();
            let rule = rules.copied().find(|rule| rule.field == said.field)?;
            match self.setting(actor, said, rule, lengths, given) {
                Some(setting) => settings.push((said.field, setting)),
                None => right = false,
            }
        }
        right = self.check_pairs(filter, &settings) && right;
        settings.sort_by_key(|(field, _)| *field);
        right.then_some(settings)
    }

    fn setting(
        &mut self,
        actor: ActorId,
        said: &FieldSaid,
        rule: FieldRule,
        lengths: &[Option<u32>],
        given: &HashMap<String, Given>,
    ) -> Option<Setting> {
        match &said.value {
            FieldValue::Number(number) => {
                let (value, unit) = self.number(number, given)?;
                let amount = Amount {
                    value,
                    unit,
                    word: said.field.word(),
                    span: number.span,
                };
                self.is_sensible(amount, rule.holds, lengths)
                    .then_some(Setting::Number(value, unit))
            }
            FieldValue::Text(name) => match self.written_or_read(said.field, name) {
                Ok(()) => Some(Setting::Text(name.text.clone())),
                Err(missing) => {
                    self.missing(name.span, missing);
                    None
                }
            },
            FieldValue::Names(names) if rule.holds == FieldType::Chains => {
                self.chain_names(actor, said, names)
            }
            FieldValue::Names(names) => {
                let texts = names.iter().map(|name| name.text.clone());
                Some(Setting::Names(texts.collect()))
            }
        }
    }

    /// Files that are read must be there; one that is saved is made.
    fn written_or_read(&self, field: Field, name: &Name) -> Result<(), Missing> {
        match field {
            Field::File => Ok(()),
            _ => self.outside.file(&name.text),
        }
    }

    fn chain_names(&mut self, actor: ActorId, said: &FieldSaid, names: &[Name]) -> Option<Setting> {
        let chains = &self.program.actors[actor.0 as usize].chains;
        let known: Vec<String> = chains.iter().map(|chain| chain.name.clone()).collect();
        if names.is_empty() {
            self.error(
                said.word,
                "expected the chains that are grafted, found none",
            );
            return None;
        }
        let mut right = true;
        for name in names {
            if !known.iter().any(|chain| chain.to_lowercase() == name.key()) {
                self.unknown(name, &format!("there is no chain `{}`", name.text), &known);
                right = false;
            }
        }
        let keys = names.iter().map(Name::key).collect();
        right.then_some(Setting::Names(keys))
    }

    fn is_sensible(&mut self, amount: Amount, holds: FieldType, lengths: &[Option<u32>]) -> bool {
        let Amount { value, unit, .. } = amount;
        let (wanted, good, units): (&str, bool, &[Unit]) = match holds {
            FieldType::FrameOf(input) => {
                let last = lengths.get(input).copied().flatten();
                return self.is_frame(amount, last);
            }
            FieldType::Count => (
                "a whole number from 1 to 1000000",
                value >= 1.0 && value.fract() == 0.0 && value <= 1e6,
                &[],
            ),
            FieldType::Frames => (
                "a whole number of frames from 0 to 1000000",
                value >= 0.0 && value.fract() == 0.0 && value <= 1e6,
                &[],
            ),
            FieldType::Seconds => (
                "seconds, more than 0 and at most 86400",
                value > 0.0 && value <= 86_400.0,
                &[Unit::Seconds],
            ),
            FieldType::Metres => (
                "metres, more than 0 and at most 1000000",
                value > 0.0 && value <= 1e6,
                &[Unit::Metres],
            ),
            FieldType::FactorOrMetres => (
                "a factor or metres, more than 0 and at most 100",
                value > 0.0 && value <= 100.0,
                &[Unit::Metres],
            ),
            FieldType::Degrees => (
                "degrees from -45 to 45",
                value.abs() <= 45.0,
                &[Unit::Degrees],
            ),
            FieldType::File | FieldType::Chains | FieldType::Labels => ("a name", false, &[]),
        };
        let right = good && (unit == Unit::None || units.contains(&unit));
        if !right {
            self.error(amount.span, format!("{amount}; expected {wanted}"));
        }
        right
    }

    /// Whether a number is a frame of a motion whose length may be known.
    pub(super) fn is_frame(&mut self, amount: Amount, last: Option<u32>) -> bool {
        let Amount { value, unit, .. } = amount;
        let whole = value >= 1.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX);
        if !whole || unit != Unit::None {
            let message = format!("{amount}; expected a frame, counted from 1");
            self.error(amount.span, message);
            return false;
        }
        match last {
            Some(last) if value > f64::from(last) => {
                let message = format!("{amount}, but the clip has {last} frames");
                self.error(amount.span, message);
                false
            }
            _ => true,
        }
    }

    /// Frames that belong together in their order.
    fn check_pairs(&mut self, filter: &Filter, settings: &[(Field, Setting)]) -> bool {
        const PAIRS: [[Field; 2]; 4] = [
            [Field::StartFrame, Field::EndFrame],
            [Field::LoopStart, Field::LoopEnd],
            [Field::BaseStartFrame, Field::BaseEndFrame],
            [Field::GraftStartFrame, Field::GraftEndFrame],
        ];
        let mut right = true;
        for [first, second] in PAIRS {
            let (Some(from), Some(to)) = (number_of(settings, first), number_of(settings, second))
            else {
                continue;
            };
            if from > to {
                let message = format!(
                    "`{}` is {from}, behind `{}`, which is {to}",
                    first.word(),
                    second.word()
                );
                let span = filter.fields.iter().find(|said| said.field == first);
                self.error(span.map_or(filter.word, |said| said.word), message);
                right = false;
            }
        }
        right
    }

    /// Whether all is said that must be.
    pub(super) fn check_whole(&mut self, filter: &Filter) -> bool {
        let has = |field: Field| filter.fields.iter().any(|said| said.field == field);
        let word = filter.primitive.word();
        let mut wanted: Vec<String> = Vec::new();
        for rule in filter.primitive.fields() {
            if rule.required && !has(rule.field) {
                wanted.push(format!("`{}`", rule.field.word()));
            }
        }
        match filter.primitive {
            Primitive::Loop => {
                if !has(Field::LoopCount) && !has(Field::Seconds) && !has(Field::Distance) {
                    wanted.push("`loopcount`, `seconds` or `distance`".into());
                }
                if has(Field::LoopStart) != has(Field::LoopEnd) {
                    wanted.push("both `loopstart` and `loopend`, or neither".into());
                }
            }
            Primitive::Alterwalk if filter.fields.is_empty() => {
                wanted.push("`stride`, `footlift` or `incline`".into());
            }
            _ => {}
        }
        for wanted in &wanted {
            self.error(filter.word, format!("`{word}` needs {wanted}"));
        }
        wanted.is_empty()
    }
}

/// The number that a field is set to.
pub(super) fn number_of(settings: &[(Field, Setting)], field: Field) -> Option<f64> {
    settings.iter().find_map(|(own, setting)| match setting {
        Setting::Number(value, _) if *own == field => Some(*value),
        _ => None,
    })
}
