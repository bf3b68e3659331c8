//! Stories: scripts that direct actors, checked, formatted and played.

mod chosen;
mod scene;

use std::path::Path;
use std::time::Instant;

use afoot_analyze::Quality;
use afoot_run::Run;
use afoot_script::check::{Checked, check};
use afoot_script::diagnostic::{Diagnostic, Severity};
use afoot_script::format::format as format_script;
use afoot_script::program::{Program, ProgramScene};
use afoot_script::source::Source;
use serde::{Deserialize, Serialize};

use crate::delivery::{SourceStretch, rounded};
use crate::failure::Failure;
use crate::files::{FileName, Files};
use crate::motion_files::check_no_file;
use crate::staged_folder::StagedFolder;
use crate::story::{Evaluation, FilterDone, Staged, Studio, evaluate, stage, wardrobes};
use crate::threads::in_threads;
use crate::workspace::Workspace;
use chosen::{alone, wanted};
use scene::{Set, file_name, write_on_the_way};

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
        check_no_file(folder)?;
        in_threads(run, || self.play(&from, folder, run))
    }

    fn play(&self, from: &Workspace, folder: &Path, run: &Run) -> Result<StoryPlayed, Failure> {
        let begun = Instant::now();
        let studio = Studio::beside(&self.story, from.files());
        let (mut checked, warnings) = self.checked(from, &studio, run)?;
        let scenes = self.scenes(&mut checked.program)?;
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
        let scenes = scenes.iter().map(|number| &program.scenes[*number]);
        let staged: Result<Vec<(&ProgramScene, Staged)>, Failure> = scenes
            .map(|scene| Ok((scene, stage(program, scene, &made)?)))
            .collect();
        let staged = staged?;
        let compute_seconds = begun.elapsed().as_secs_f64();
        let count = staged.len();
        let parts: usize = staged.iter().map(|(_, staged)| staged.parts.len()).sum();
        let staged_folder = StagedFolder::new(folder)?;
        let write = |(at, (scene, staged)): (usize, &(&ProgramScene, Staged))| {
            let set = Set {
                program,
                scene,
                staged,
                wardrobes: &wardrobes,
                studio: &studio,
                folder: file_name(&scene.name, (count > 1).then_some(at + 1)),
                root: staged_folder.path(),
                share: compute_seconds / parts.max(1) as f64,
            };
            set.write(run)
        };
        let played: Result<Vec<ScenePlayed>, Failure> =
            staged.iter().enumerate().map(write).collect();
        let told = |failure: Failure| staged_folder.told(failure);
        let played = played.map_err(told)?;
        let needed = evaluation.needed(&wanted);
        let written = write_on_the_way(program, needed, |id| made.motion(id), staged_folder.path());
        written.map_err(told)?;
        let told = StoryPlayed {
            scenes: played,
            computed: made.computed,
            cached: made.cached,
            warnings,
            compute_seconds,
        };
        let report = serde_json::to_value(&told)?.to_string();
        staged_folder.write("story.json", report.as_bytes())?;
        run.check()?;
        staged_folder.replace_in_place()?;
        run.note(format!("wrote {}", folder.display()));
        Ok(told)
    }

    /// The script without errors, and what it is warned of.
    fn checked(
        &self,
        from: &Workspace,
        studio: &Studio,
        run: &Run,
    ) -> Result<(Checked, Vec<StoryProblem>), Failure> {
        let source = source(&self.story, self.text.as_ref(), from.files())?;
        let checked = check(source, studio);
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
        Ok((checked, problems.warnings))
    }

    /// The numbers of the scenes to play.
    fn scenes(&self, program: &mut Program) -> Result<Vec<usize>, Failure> {
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
        Ok(scenes)
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
