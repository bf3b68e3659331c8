//! Stories: scripts that direct actors, checked, formatted and played.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use afoot_analyze::{Quality, SourceStatistics};
use afoot_core::{Clip, ClipId, Range32};
use afoot_draw::{PathPicture, PathTrace, draw_paths, root_trace};
use afoot_formats::files::write_whole;
use afoot_formats::{SceneCamera, WriteOptions, write_glb_scene, write_motion};
use afoot_run::Run;
use afoot_script::check::{Checked, check};
use afoot_script::diagnostic::{Diagnostic, Severity};
use afoot_script::format::format as format_script;
use afoot_script::primitives::{Field, Primitive};
use afoot_script::program::{
    Call, CallId, FilterId, FilterKind, Flow, Program, ProgramScene, Role, RoleId, Setting, Stand,
};
use afoot_script::source::Source;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::delivery::{
    MotionHeader, MotionPiece, PieceSource, SourceClips, SourceStretch, Told, deliver_with, rounded,
};
use crate::failure::Failure;
use crate::files::{FileName, Files};
use crate::motion_files::{Output, make_folder};
use crate::pictures;
use crate::staged_folder::StagedFolder;
use crate::story::{
    Evaluation, FIELD_OF_VIEW, FilterDone, Motion, Part, Staged, Studio, Wardrobe, evaluate,
    eye_of, picture_strip, stage, video, wardrobes,
};
use crate::threads::in_threads;
use crate::workspace::Workspace;

/// Asks what is wrong with a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckStory {
    /// The script; names in it are paths from its folder.
    pub story: FileName,
    /// Its text, where that is not what the file says: an editor's.
    pub text: Option<String>,
}

/// Asks for a script as everybody writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FormatStory {
    /// The script.
    pub story: FileName,
    /// Its text, where that is not what the file says.
    pub text: Option<String>,
}

/// Asks for a script to be played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlayStory {
    /// The script; names in it are paths from its folder.
    pub story: FileName,
    /// Its text, where that is not what the file says.
    pub text: Option<String>,
    /// Play this action alone, `ACTION` or `ACTOR.ACTION`, instead of the story.
    pub action: Option<String>,
}

/// What is wrong with a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StoryChecked {
    /// What keeps it from being played, in the order of places.
    pub errors: Vec<StoryProblem>,
    /// What is done otherwise than written.
    pub warnings: Vec<StoryProblem>,
    /// Who can play.
    pub actors: usize,
    /// What they can do.
    pub actions: usize,
    /// What is played.
    pub scenes: usize,
}

/// Something that is wrong in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StoryProblem {
    /// The script, or the one that it imports.
    pub file: String,
    /// [1..]
    pub line: usize,
    /// [1..]
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What would help.
    pub hint: Option<String>,
    /// The same in words, with the line underlined.
    #[serde(skip)]
    pub shown: String,
}

/// A script in its usual form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StoryFormatted {
    /// The text.
    pub text: String,
    /// Whether it was otherwise.
    pub changed: bool,
}

/// A story that was played.
#[derive(Clone, Debug, Serialize)]
pub struct StoryPlayed {
    /// Scenes in the order in which they are played.
    pub scenes: Vec<ScenePlayed>,
    /// Filters that were worked on.
    pub computed: Vec<FilterDone>,
    /// Filters whose motion was kept from before.
    pub cached: Vec<FilterDone>,
    /// What is done otherwise than written.
    pub warnings: Vec<StoryProblem>,
    /// Time taken for all motion, without writing. [s]
    pub compute_seconds: f64,
}

/// A scene that was played.
#[derive(Clone, Debug, Serialize)]
pub struct ScenePlayed {
    /// As written.
    pub name: String,
    /// Its folder in the one that was asked for.
    pub folder: String,
    /// How long it is. [s]
    pub seconds: f64,
    /// When everything happens, in the order in which it is written.
    pub actions: Vec<ActionPlayed>,
    /// Who is in it.
    pub actors: Vec<ActorPlayed>,
    /// All actors and the camera in one file.
    pub scene_file: String,
    /// Moments of it, as the camera sees them.
    pub strip_file: String,
    /// All ways from above.
    pub plan_file: String,
    /// The same as a video, where `ffmpeg` is at hand.
    pub video_file: Option<String>,
}

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionPlayed {
    /// Who.
    pub actor: String,
    /// What.
    pub action: String,
    /// When it starts. [s]
    pub start: f64,
    /// When it is over. [s]
    pub end: f64,
}

/// Somebody of a scene.
#[derive(Clone, Debug, Serialize)]
pub struct ActorPlayed {
    /// Who.
    pub name: String,
    /// His motion's file.
    pub file: String,
    /// The same on his own body, if he has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_file: Option<String>,
    /// For how long he does his idle action. [s]
    pub idle_seconds: f64,
    /// For how long he holds still, because he has none. [s]
    pub still_seconds: f64,
    /// How good his motion is.
    #[serde(serialize_with = "rounded")]
    pub quality: Quality,
    /// Where his frames come from.
    pub sources: Vec<SourceStretch>,
}

impl CheckStory {
    /// Checks all of it; nothing is played.
    pub fn run(&self, from: Workspace, _: &Run) -> Result<StoryChecked, Failure> {
        let source = source(&self.story, self.text.as_ref(), from.files())?;
        let studio = Studio::beside(&self.story, from.files());
        Ok(told(&check(source, &studio)))
    }
}

impl FormatStory {
    /// Formats it; the file stays as it is.
    pub fn run(&self, from: Workspace, _: &Run) -> Result<StoryFormatted, Failure> {
        let source = source(&self.story, self.text.as_ref(), from.files())?;
        let text = format_script(&source.text);
        Ok(StoryFormatted {
            changed: text != source.text,
            text,
        })
    }
}

impl PlayStory {
    /// Plays it into a folder: for each scene a motion file an actor, one with all of them, pictures.
    pub fn run(
        &self,
        from: Workspace,
        folder: impl AsRef<Path>,
        run: &Run,
    ) -> Result<StoryPlayed, Failure> {
        let folder = folder.as_ref();
        in_threads(run, || self.play(&from, folder, run))
    }

    fn play(&self, from: &Workspace, folder: &Path, run: &Run) -> Result<StoryPlayed, Failure> {
        let begun = Instant::now();
        let source = source(&self.story, self.text.as_ref(), from.files())?;
        let studio = Studio::beside(&self.story, from.files());
        let mut checked = check(source, &studio);
        let problems = told(&checked);
        if !problems.errors.is_empty() {
            return Err(Failure::bad_request(problems.words()));
        }
        for warning in &problems.warnings {
            run.warn(format!(
                "{}:{}: {}",
                warning.file, warning.line, warning.message
            ));
        }
        let program = &mut checked.program;
        let scenes = match &self.action {
            Some(action) => vec![alone(program, action)?],
            None => program.order.clone(),
        };
        if scenes.is_empty() {
            return Err(Failure::at(
                self.story.as_path(),
                "there is no story to play; an action can be played alone",
            ));
        }
        let program = &checked.program;
        let wardrobes = wardrobes(program, &studio)?;
        let wanted = wanted(program, &scenes);
        let evaluation = Evaluation {
            program,
            sources: &checked.sources,
            wardrobes: &wardrobes,
            studio: &studio,
        };
        let made = evaluate(&evaluation, &wanted, run)?;
        let staged_scenes: Result<Vec<Staged>, Failure> = scenes
            .iter()
            .map(|number| stage(program, &program.scenes[*number], &made))
            .collect();
        let staged_scenes = staged_scenes?;
        let compute_seconds = begun.elapsed().as_secs_f64();
        let staged_folder = StagedFolder::new(folder)?;
        let mut played = Vec::new();
        for (at, (number, staged)) in scenes.iter().zip(&staged_scenes).enumerate() {
            let scene = &program.scenes[*number];
            let set = Set {
                program,
                scene,
                staged,
                wardrobes: &wardrobes,
                studio: &studio,
                folder: file_name(&scene.name, (scenes.len() > 1).then_some(at + 1)),
                root: staged_folder.path(),
                share: compute_seconds
                    / staged_scenes
                        .iter()
                        .map(|s| s.parts.len())
                        .sum::<usize>()
                        .max(1) as f64,
            };
            played.push(set.write(run)?);
        }
        write_on_the_way(
            program,
            &evaluation,
            &wanted,
            |id| made.motion(id),
            staged_folder.path(),
        )?;
        let told = StoryPlayed {
            scenes: played,
            computed: made.computed,
            cached: made.cached,
            warnings: problems.warnings,
            compute_seconds,
        };
        let report = serde_json::to_value(&told)?.to_string();
        write_whole(&staged_folder.path().join("story.json"), report.as_bytes())?;
        run.check()?;
        staged_folder.replace_in_place()?;
        run.note(format!("wrote {}", folder.display()));
        Ok(told)
    }
}

impl StoryChecked {
    /// All errors in words, lines underlined.
    pub fn words(&self) -> String {
        let count = match self.errors.len() {
            1 => "1 error".into(),
            count => format!("{count} errors"),
        };
        let shown: String = self
            .errors
            .iter()
            .map(|error| format!("{}\n", error.shown))
            .collect();
        format!(
            "the script can't be played: {count}\n\n{}",
            shown.trim_end()
        )
    }
}

fn source(story: &FileName, text: Option<&String>, files: &dyn Files) -> Result<Source, Failure> {
    let text = match text {
        Some(text) => text.clone(),
        None => story.text(files)?,
    };
    Ok(Source::new(story.to_string(), text))
}

/// What was found, as data.
fn told(checked: &Checked) -> StoryChecked {
    let problem = |found: &Diagnostic| {
        let place = found.position(&checked.sources);
        StoryProblem {
            file: checked.sources[found.span.file.0 as usize].name.clone(),
            line: place.line,
            column: place.column,
            message: found.message.clone(),
            hint: found.hint.clone(),
            shown: found.render(&checked.sources),
        }
    };
    let of = |severity: Severity| {
        let found = checked.found.iter();
        found.filter(move |found| found.severity == severity)
    };
    let program = &checked.program;
    StoryChecked {
        errors: of(Severity::Error).map(problem).collect(),
        warnings: of(Severity::Warning).map(problem).collect(),
        actors: program.actors.len(),
        actions: program.actors.iter().map(|actor| actor.actions.len()).sum(),
        scenes: program.scenes.len(),
    }
}

/// A scene in which one action is done and nothing else; its number.
fn alone(program: &mut Program, asked: &str) -> Result<usize, Failure> {
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
        actor: afoot_script::program::ActorId(actor as u32),
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
fn wanted(program: &Program, scenes: &[usize]) -> Vec<FilterId> {
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

/// A name as a file may have it, after its number where there are several.
fn file_name(name: &str, number: Option<usize>) -> String {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let plain = if plain.is_empty() {
        "scene".into()
    } else {
        plain
    };
    match number {
        Some(number) => format!("{number}_{plain}"),
        None => plain,
    }
}

/// What filters that save and display write beside the scenes.
fn write_on_the_way<'m>(
    program: &Program,
    evaluation: &Evaluation,
    wanted: &[FilterId],
    motion: impl Fn(FilterId) -> &'m Motion,
    folder: &Path,
) -> Result<(), Failure> {
    for id in evaluation.needed(wanted) {
        match &program.filters[id.0 as usize].what {
            FilterKind::Apply(Primitive::Save, settings) => {
                let named = settings.iter().find_map(|(field, setting)| match setting {
                    Setting::Text(text) if *field == Field::File => Some(text.replace('\\', "/")),
                    _ => None,
                });
                let named = PathBuf::from(named.unwrap_or_default());
                // Results go below the folder that was asked for, whatever a script says.
                let alone = named.file_name().map(PathBuf::from).unwrap_or_default();
                write_motion(
                    &folder.join(alone),
                    &motion(id).clip,
                    &WriteOptions::default(),
                )?;
            }
            FilterKind::Apply(Primitive::Display, _) => {
                let clip = &motion(id).clip;
                let file = format!("{}.png", file_name(&clip.name, Some(id.0 as usize + 1)));
                write_whole(&folder.join(file), &pictures::sheet(clip)?)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// A scene with all that its files are written of.
struct Set<'a> {
    program: &'a Program,
    scene: &'a ProgramScene,
    staged: &'a Staged,
    wardrobes: &'a [Wardrobe],
    studio: &'a Studio<'a>,
    /// Its own folder.
    folder: String,
    /// The folder of all.
    root: &'a Path,
    /// An actor's share of the time taken. [s]
    share: f64,
}

impl Set<'_> {
    fn write(&self, run: &Run) -> Result<ScenePlayed, Failure> {
        let folder = self.root.join(&self.folder);
        make_folder(&folder)?;
        let parts = self.staged.parts.par_iter();
        let actors: Result<Vec<ActorPlayed>, Failure> =
            parts.map(|part| self.actor(part, &folder, run)).collect();
        let actors = actors?;
        let named = self.staged.parts.iter();
        let named: Vec<(&str, &Clip)> = named
            .map(|part| (self.name(part.role), &part.motion.clip))
            .collect();
        let eye = eye_of(self.scene.camera.as_ref(), &named);
        let camera = SceneCamera {
            eye: eye.eye,
            target: eye.target,
            field_of_view: FIELD_OF_VIEW,
        };
        let in_folder = |file: &str| format!("{}/{file}", self.folder);
        write_whole(
            &folder.join("scene.glb"),
            &write_glb_scene(&named, Some(&camera))?,
        )?;
        let strip = picture_strip(&named, |seconds| self.doing(seconds))?;
        write_whole(&folder.join("strip.png"), &strip)?;
        write_whole(&folder.join("plan.png"), &self.plan(&named)?)?;
        let filmed = video(&named, eye, &folder.join("scene.mp4"), run)?;
        if !filmed {
            run.note("no video: ffmpeg is not at hand".to_owned());
        }
        Ok(ScenePlayed {
            name: self.scene.name.clone(),
            folder: self.folder.clone(),
            seconds: self.seconds(self.staged.frames),
            actions: self.actions(),
            actors,
            scene_file: in_folder("scene.glb"),
            strip_file: in_folder("strip.png"),
            plan_file: in_folder("plan.png"),
            video_file: filmed.then(|| in_folder("scene.mp4")),
        })
    }

    fn name(&self, role: RoleId) -> &str {
        &self.program.cast[role.0 as usize].name
    }

    fn wardrobe(&self, role: RoleId) -> &Wardrobe {
        &self.wardrobes[self.program.cast[role.0 as usize].actor.0 as usize]
    }

    fn seconds(&self, frames: u32) -> f64 {
        let rate = self
            .wardrobes
            .first()
            .map_or(1.0 / 30.0, |one| one.rate.frame_time());
        (f64::from(frames) * rate * 1e4).round() / 1e4
    }

    fn actions(&self) -> Vec<ActionPlayed> {
        let calls = self.scene.calls.iter().zip(&self.staged.schedule.spans);
        let told = |(call, span): (&Call, &[f64; 2])| {
            let actor = self.program.cast[call.role.0 as usize].actor;
            let action = &self.program.actors[actor.0 as usize].actions[call.action];
            let [start, end] = span.map(|seconds| (seconds * 1e4).round() / 1e4);
            ActionPlayed {
                actor: self.name(call.role).into(),
                action: action.name.clone(),
                start,
                end,
            }
        };
        calls.map(told).collect()
    }

    /// Who does what at a moment.
    fn doing(&self, seconds: f64) -> String {
        let actions = self.actions().into_iter();
        let now = actions.filter(|action| action.start <= seconds && seconds < action.end);
        let now: Vec<String> = now
            .map(|action| format!("{}.{}", action.actor, action.action))
            .collect();
        now.join(" ")
    }

    fn plan(&self, named: &[(&str, &Clip)]) -> Result<Vec<u8>, Failure> {
        let way = |(name, clip): &(&str, &Clip)| PathTrace::new(*name, root_trace(clip));
        let picture = PathPicture {
            title: self.scene.name.clone(),
            traces: named.iter().map(way).collect(),
            ..PathPicture::default()
        };
        Ok(draw_paths(&picture)?)
    }

    fn actor(&self, part: &Part, folder: &Path, run: &Run) -> Result<ActorPlayed, Failure> {
        let name = self.name(part.role).to_owned();
        let wardrobe = self.wardrobe(part.role);
        let file = format!("{}.bvh", file_name(&name, None));
        let quiet = run.warnings_only();
        let deliver = |output: &Output| {
            deliver_with(output, &quiet, |outlet| {
                let (header, piece) = delivered(part, wardrobe)?;
                outlet.begin(header)?;
                outlet.push(piece)?;
                Ok(Told::<()>::default())
            })
        };
        let mut made = deliver(&Output::to(folder.join(&file)))?;
        made.quality.took(self.share);
        let body_file = match self.body(wardrobe) {
            Some(body) => {
                let file = format!("{}.glb", file_name(&name, None));
                deliver(&Output {
                    onto: Some(body),
                    ..Output::to(folder.join(&file))
                })?;
                Some(file)
            }
            None => None,
        };
        Ok(ActorPlayed {
            name,
            file: format!("{}/{file}", self.folder),
            body_file: body_file.map(|file| format!("{}/{file}", self.folder)),
            idle_seconds: self.seconds(part.idle),
            still_seconds: self.seconds(part.still),
            quality: made.quality,
            sources: made.sources,
        })
    }

    /// The actor's own body, if he has one that can be dressed.
    fn body(&self, wardrobe: &Wardrobe) -> Option<PathBuf> {
        let named = wardrobe.files.geometry.as_deref()?;
        let is_glb = named.to_lowercase().ends_with(".glb");
        is_glb.then(|| self.studio.locate(named).ok()).flatten()
    }
}

/// A part as motion that goes out, with what it is made of.
fn delivered(part: &Part, wardrobe: &Wardrobe) -> Result<(MotionHeader, MotionPiece), Failure> {
    let motion = &part.motion;
    let mut clips: BTreeMap<String, Arc<Clip>> = wardrobe.captured()?;
    for clip in &motion.made {
        clips.insert(clip.name.clone(), Arc::new(clip.clone()));
    }
    let numbers: BTreeMap<&String, usize> = clips.keys().zip(0..).collect();
    let source = |origin: &crate::story::Origin| {
        let number = numbers.get(&origin.clip)?;
        let frames = Range32 {
            start: origin.from,
            end: origin.from + origin.frames,
        };
        Some(PieceSource::whole(
            ClipId::from(*number),
            frames,
            u64::from(origin.at),
        ))
    };
    let sources: Vec<PieceSource> = motion.origins.iter().filter_map(source).collect();
    let captured = motion.clip.len() as u64;
    let blended = u64::from(motion.joins) * TRANSITION;
    let piece = MotionPiece {
        clip: motion.clip.clone(),
        sources,
        transitions: motion.joins,
        captured: captured.saturating_sub(blended),
    };
    let header = MotionHeader {
        frames: captured,
        rate: motion.clip.rate,
        transition: TRANSITION as u32,
        clips: Arc::new(Captured::new(clips, part.floor)),
        like: WriteOptions::default(),
    };
    Ok((header, piece))
}

/// Frames of a join, of which half lie on either side: the usual seam. [frames]
const TRANSITION: u64 = 24;

/// An actor's captured clips, in the order of their names.
struct Captured {
    clips: Vec<Arc<Clip>>,
    statistics: Option<SourceStatistics>,
    floor: f32,
}

impl Captured {
    fn new(clips: BTreeMap<String, Arc<Clip>>, floor: f32) -> Self {
        let clips: Vec<Arc<Clip>> = clips.into_values().collect();
        let all: Vec<&Clip> = clips.iter().map(Arc::as_ref).collect();
        Self {
            statistics: SourceStatistics::of_clips(&all),
            floor,
            clips,
        }
    }
}

impl SourceClips for Captured {
    fn name(&self, clip: ClipId) -> &str {
        &self.clips[clip.index()].name
    }

    fn captured(&self, clip: ClipId) -> &Clip {
        &self.clips[clip.index()]
    }

    fn statistics(&self) -> Option<&SourceStatistics> {
        self.statistics.as_ref()
    }

    fn floor(&self) -> Option<f32> {
        Some(self.floor)
    }
}
