//! What is played: the scenes of a story, or one action by itself.

use afoot_script::program::{
    ActorId, Call, CallId, FilterId, Flow, Program, ProgramScene, Role, RoleId, Stand,
};

use crate::failure::Failure;

/// A scene in which one action is done and nothing else; its number.
pub(super) fn alone(program: &mut Program, asked: &str) -> Result<usize, Failure> {
    let (who, what) = match asked.rsplit_once('.') {
        Some((who, what)) => (Some(who), what),
        None => (None, asked),
    };
    let mut found = Vec::new();
    let mut known = Vec::new();
    for (number, actor) in program.actors.iter().enumerate() {
        for (action, own) in actor.actions.iter().enumerate() {
            known.push(format!("{}.{}", actor.name, own.name));
            let is_he = who.is_none_or(|who| actor.name.eq_ignore_ascii_case(who));
            if is_he && own.name.eq_ignore_ascii_case(what) {
                found.push((number, action));
            }
        }
    }
    let (actor, action) = match found.as_slice() {
        [one] => *one,
        [] => {
            let expected = format!("an action of the script: {}", known.join(", "));
            return Err(Failure::bad_value("action", asked, &expected));
        }
        _ => {
            let expected = "ACTOR.ACTION: several actors have an action of that name";
            return Err(Failure::bad_value("action", asked, expected));
        }
    };
    let name = program.actors[actor].actions[action].name.clone();
    let role = RoleId(program.cast.len() as u32);
    program.cast.push(Role {
        name: program.actors[actor].name.clone(),
        actor: ActorId(actor as u32),
    });
    program.scenes.push(ProgramScene {
        name,
        camera: None,
        placed: vec![(
            role,
            Stand {
                position: [0.0; 3],
                lookat: [0.0, 0.0, 1.0],
            },
        )],
        calls: vec![Call {
            role,
            action,
            sync: None,
            span: Default::default(),
        }],
        flow: Flow::Do(CallId(0)),
    });
    Ok(program.scenes.len() - 1)
}

/// Filters of all that is done in some scenes, and of idle actions of who is in them.
pub(super) fn wanted(program: &Program, scenes: &[usize]) -> Vec<FilterId> {
    let mut all = Vec::new();
    for number in scenes {
        let scene = &program.scenes[*number];
        let actor = |role: RoleId| {
            let actor = program.cast[role.0 as usize].actor;
            &program.actors[actor.0 as usize]
        };
        let calls = scene.calls.iter();
        all.extend(calls.map(|call| actor(call.role).actions[call.action].filter));
        for (role, _) in &scene.placed {
            let own = actor(*role);
            all.extend(own.idle.map(|idle| own.actions[idle].filter));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
