//! Cast and scenes: who is who, who is there, what each does, and with what it happens together.

use std::collections::HashMap;

use super::Checker;
use super::names::NamesSeen;
use crate::program::{
    ActorId, Call, CallId, Flow, Meeting, Moment, ProgramScene, Role, RoleId, Stand,
};
use crate::source::Span;
use crate::syntax::{Actor, Invocation, Name, Number, Placement, Scene, Step, Story, Sync};

impl<'a> Checker<'a> {
    pub(super) fn story(&mut self, story: &'a Story, actors: &'a [Actor]) {
        self.cast(story, actors);
        self.note_duplicates(story.scenes.iter().map(|scene| &scene.name), "scene");
        for scene in &story.scenes {
            let scene = self.scene(scene);
            self.program.scenes.push(scene);
        }
        let known: Vec<String> = story
            .scenes
            .iter()
            .map(|scene| scene.name.text.clone())
            .collect();
        for name in &story.screenplay {
            let number = story
                .scenes
                .iter()
                .position(|scene| scene.name.key() == name.key());
            match number {
                Some(number) => self.program.order.push(number),
                None => self.unknown(name, &format!("there is no scene `{}`", name.text), &known),
            }
        }
        if story.screenplay.is_empty() {
            self.error(story.span, "the story's screenplay names no scene");
        }
    }

    fn cast(&mut self, story: &Story, actors: &[Actor]) {
        self.note_duplicates(
            story.cast.iter().map(|member| &member.instance),
            "cast member",
        );
        let known: Vec<String> = actors.iter().map(|actor| actor.name.text.clone()).collect();
        for member in &story.cast {
            let number = actors
                .iter()
                .position(|actor| actor.name.key() == member.actor.key());
            if number.is_none() {
                let message = format!("there is no actor `{}`", member.actor.text);
                self.unknown(&member.actor, &message, &known);
            }
            self.program.cast.push(Role {
                name: member.instance.text.clone(),
                actor: ActorId(number.map_or(u32::MAX, |number| number as u32)),
            });
        }
    }

    fn scene(&mut self, scene: &'a Scene) -> ProgramScene {
        self.note_duplicates(
            scene.placements.iter().map(|placed| &placed.name),
            "place in this scene",
        );
        let camera = scene.camera.as_ref().map(|camera| self.stand(camera));
        let mut placed = Vec::new();
        for placement in &scene.placements {
            let stand = self.stand(placement);
            if let Some(role) = self.role(&placement.name) {
                placed.push((role, stand));
            }
        }
        let mut calls = Calls::default();
        let flow = Flow::Seq(self.flow(&scene.screenplay, &placed, &mut calls));
        let found = self.meetings(&mut calls);
        ProgramScene {
            name: scene.name.text.clone(),
            camera,
            placed,
            calls: found,
            flow,
        }
    }

    fn stand(&mut self, placement: &Placement) -> Stand {
        let mut point = |numbers: &Option<[Number; 3]>| {
            let numbers = numbers.as_ref()?;
            let mut value = |axis: usize| {
                let (value, _) = self.number(&numbers[axis], &HashMap::new())?;
                (value.abs() <= 1e6).then_some(value).or_else(|| {
                    let message = format!("a place of {value} m is out of the world");
                    self.error(numbers[axis].span, message);
                    None
                })
            };
            Some([value(0)?, value(1)?, value(2)?])
        };
        let position = point(&placement.position).unwrap_or_default();
        let ahead = [position[0], position[1], position[2] + 1.0];
        let lookat = point(&placement.lookat).unwrap_or(ahead);
        Stand { position, lookat }
    }

    fn role(&mut self, name: &Name) -> Option<RoleId> {
        let cast = &self.program.cast;
        let number = cast
            .iter()
            .position(|role| role.name.to_lowercase() == name.key());
        if number.is_none() {
            let known: Vec<String> = cast.iter().map(|role| role.name.clone()).collect();
            let message = format!("nobody of the cast is called `{}`", name.text);
            self.unknown(name, &message, &known);
        }
        number.map(|number| RoleId(number as u32))
    }

    fn flow(
        &mut self,
        steps: &'a [Step],
        placed: &[(RoleId, Stand)],
        calls: &mut Calls<'a>,
    ) -> Vec<Flow> {
        let mut flow = Vec::new();
        for step in steps {
            match step {
                Step::Par(steps) => flow.push(Flow::Par(self.flow(steps, placed, calls))),
                Step::Seq(steps) => flow.push(Flow::Seq(self.flow(steps, placed, calls))),
                Step::Do(invocation) => {
                    flow.extend(self.call(invocation, placed, calls).map(Flow::Do));
                }
            }
        }
        flow
    }

    fn call(
        &mut self,
        invocation: &'a Invocation,
        placed: &[(RoleId, Stand)],
        calls: &mut Calls<'a>,
    ) -> Option<CallId> {
        let role = self.role(&invocation.instance)?;
        if !placed.iter().any(|(other, _)| *other == role) {
            let message = format!("`{}` is not in this scene", invocation.instance.text);
            let told = crate::diagnostic::Diagnostic::error(invocation.instance.span, message);
            let hint = format!(
                "place him in its initialize block: {} {{ position 0 0 0 }}",
                invocation.instance.text
            );
            self.found.push(told.with_hint(hint));
        }
        let actor = self.program.cast[role.0 as usize].actor;
        let actor = self.program.actors.get(actor.0 as usize)?;
        let key = invocation.action.key();
        let action = actor
            .actions
            .iter()
            .position(|action| action.name.to_lowercase() == key);
        let Some(action) = action else {
            let known: Vec<String> = actor.actions.iter().map(|a| a.name.clone()).collect();
            let message = format!(
                "`{}` has no action `{}`",
                actor.name, invocation.action.text
            );
            self.unknown(&invocation.action, &message, &known);
            return None;
        };
        if let Some(label) = &invocation.label
            && calls.labels.note(label).is_some()
        {
            let message = format!("something is called `{}` already", label.text);
            self.error(label.span, message);
        }
        let id = CallId(calls.made.len() as u32);
        calls.made.push((
            invocation,
            Call {
                role,
                action,
                sync: None,
                span: invocation.instance.span.to(invocation.action.span),
            },
        ));
        Some(id)
    }

    /// The calls with what they happen together with.
    fn meetings(&mut self, calls: &mut Calls<'a>) -> Vec<Call> {
        let made = std::mem::take(&mut calls.made);
        let syncs: Vec<Option<Meeting>> = (0..made.len())
            .map(|number| {
                let sync = made[number].0.sync.as_ref()?;
                self.meeting(sync, number, &made)
            })
            .collect();
        let with_sync = |((_, call), sync)| Call { sync, ..call };
        made.into_iter().zip(syncs).map(with_sync).collect()
    }

    fn meeting(
        &mut self,
        sync: &Sync,
        own: usize,
        made: &[(&'a Invocation, Call)],
    ) -> Option<Meeting> {
        let other = self.other(sync, own, made)?;
        let start = Name {
            text: "start".into(),
            span: made[own].1.span,
        };
        let later = match &sync.later {
            Some(number) => self.number(number, &HashMap::new())?.0,
            None => 0.0,
        };
        Some(Meeting {
            own: self.moment(sync.own.as_ref().unwrap_or(&start), &made[own].1)?,
            other: CallId(other as u32),
            moment: self.moment(&sync.moment, &made[other].1)?,
            later,
        })
    }

    /// What a reference stands for: a label, or the one time that somebody does something.
    fn other(&mut self, sync: &Sync, own: usize, made: &[(&Invocation, Call)]) -> Option<usize> {
        let keys: Vec<String> = sync.other.iter().map(Name::key).collect();
        let is_meant = |(_, (invocation, _)): &(usize, &(&Invocation, Call))| match keys.as_slice()
        {
            [label] => invocation
                .label
                .as_ref()
                .is_some_and(|own| own.key() == *label),
            [who, what] => invocation.instance.key() == *who && invocation.action.key() == *what,
            _ => false,
        };
        let meant: Vec<usize> = made
            .iter()
            .enumerate()
            .filter(is_meant)
            .map(|(at, _)| at)
            .collect();
        let span: Span = sync.other[0].span.to(sync.other[sync.other.len() - 1].span);
        let told = keys.join(".");
        match meant.as_slice() {
            [one] if *one != own => Some(*one),
            [_] => {
                self.error(span, "this happens with itself");
                None
            }
            [] => {
                self.error(span, format!("nothing in this scene is `{told}`"));
                None
            }
            several => {
                let message = format!("`{told}` happens {} times in this scene", several.len());
                let told = crate::diagnostic::Diagnostic::error(span, message);
                self.found
                    .push(told.with_hint("give the one that is meant a name: ... as first"));
                None
            }
        }
    }

    fn moment(&mut self, name: &Name, call: &Call) -> Option<Moment> {
        let actor = self.program.cast[call.role.0 as usize].actor;
        let action = &self.program.actors[actor.0 as usize].actions[call.action];
        let key = name.key();
        if let Some((_, frame)) = action.moments.iter().find(|(moment, _)| *moment == key) {
            return Some(Moment::Frame(*frame));
        }
        match key.as_str() {
            "start" => Some(Moment::Start),
            "end" => Some(Moment::End),
            "stroke" => Some(Moment::Middle),
            _ => {
                let message = format!("action `{}` has no moment `{}`", action.name, name.text);
                let own = action.moments.iter().map(|(moment, _)| moment.clone());
                let usual = ["start", "stroke", "end"].map(String::from);
                let known: Vec<String> = own.chain(usual).collect();
                self.unknown(name, &message, &known);
                None
            }
        }
    }
}

/// What is done in a scene, as it is found.
#[derive(Default)]
struct Calls<'a> {
    made: Vec<(&'a Invocation, Call)>,
    labels: NamesSeen,
}
