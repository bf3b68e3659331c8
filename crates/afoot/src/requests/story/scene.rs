//! The files of a scene that was staged: one an actor, one with all of them, pictures, a film; and what
//! filters write on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use afoot_analyze::SourceStatistics;
use afoot_core::{Clip, ClipId, Range32};
use afoot_draw::{PathPicture, PathTrace, draw_paths, root_trace};
use afoot_formats::files::write_whole;
use afoot_formats::{SceneCamera, WriteOptions, write_glb_scene, write_motion};
use afoot_run::Run;
use afoot_script::primitives::{Field, Primitive};
use afoot_script::program::{Call, FilterId, FilterKind, Program, ProgramScene, RoleId, Setting};
use rayon::prelude::*;

use super::{ActionPlayed, ActorPlayed, ScenePlayed};
use crate::delivery::{MotionHeader, MotionPiece, PieceSource, SourceClips, Told, deliver_with};
use crate::failure::Failure;
use crate::motion_files::{Output, make_folder};
use crate::pictures;
use crate::rounding::to_ten_thousandths;
use crate::story::{
    FIELD_OF_VIEW, Motion, Part, Staged, Studio, Wardrobe, eye_of, picture_strip, video,
};

/// A scene with all that its files are written of.
pub(super) struct Set<'a> {
    pub(super) program: &'a Program,
    pub(super) scene: &'a ProgramScene,
    pub(super) staged: &'a Staged,
    pub(super) wardrobes: &'a [Wardrobe],
    pub(super) studio: &'a Studio<'a>,
    /// Its own folder.
    pub(super) folder: String,
    /// The folder of all.
    pub(super) root: &'a Path,
    /// An actor's share of the time taken. [s]
    pub(super) share: f64,
}

impl Set<'_> {
    /// Writes its files and says what they are.
    pub(super) fn write(&self, run: &Run) -> Result<ScenePlayed, Failure> {
        let folder = self.root.join(&self.folder);
        make_folder(&folder)?;
        let named = self.staged.parts.iter();
        // An actor may be called like the file of the scene, or two almost alike.
        let mut taken = Taken::by(["scene"]);
        let files: Vec<String> = named
            .clone()
            .map(|part| taken.own(&file_name(self.name(part.role), None), ""))
            .collect();
        let parts = self.staged.parts.par_iter().zip(&files);
        let actors: Result<Vec<ActorPlayed>, Failure> = parts
            .map(|(part, file)| self.actor(part, &folder.join(file), run))
            .collect();
        let actors = actors?;
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
        to_ten_thousandths(f64::from(frames) * rate)
    }

    fn actions(&self) -> Vec<ActionPlayed> {
        let calls = self.scene.calls.iter().zip(&self.staged.schedule.spans);
        let told = |(call, span): (&Call, &[f64; 2])| {
            let actor = self.program.cast[call.role.0 as usize].actor;
            let action = &self.program.actors[actor.0 as usize].actions[call.action];
            let [start, end] = span.map(to_ten_thousandths);
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

    /// Writes an actor's files, `stem` without their endings.
    fn actor(&self, part: &Part, stem: &Path, run: &Run) -> Result<ActorPlayed, Failure> {
        let wardrobe = self.wardrobe(part.role);
        let [file, body_file] = ["bvh", "glb"].map(|ending| stem.with_extension(ending));
        let quiet = run.warnings_only();
        let deliver = |output: &Output| {
            deliver_with(output, &quiet, |outlet| {
                let (header, piece) = delivered(part, wardrobe)?;
                outlet.begin(header)?;
                outlet.push(piece)?;
                Ok(Told::<()>::default())
            })
        };
        let mut made = deliver(&Output::to(&file))?;
        made.quality.took(self.share);
        let body = self.body(wardrobe);
        if body.is_some() {
            deliver(&Output {
                onto: body.clone(),
                ..Output::to(&body_file)
            })?;
        }
        let told = |file: &Path| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            format!("{}/{name}", self.folder)
        };
        Ok(ActorPlayed {
            name: self.name(part.role).to_owned(),
            file: told(&file),
            body_file: body.map(|_| told(&body_file)),
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
    let transition = motion.clip.rate.frames_in(TRANSITION) as u32;
    let blended = u64::from(motion.joins * transition);
    let piece = MotionPiece {
        clip: motion.clip.clone(),
        sources,
        transitions: motion.joins,
        captured: captured.saturating_sub(blended),
    };
    let header = MotionHeader {
        frames: captured,
        rate: motion.clip.rate,
        transition,
        clips: Arc::new(Captured::new(clips, part.floor)),
        like: WriteOptions::default(),
    };
    Ok((header, piece))
}

/// A join, of which half lies on either side: the usual seam. [s]
const TRANSITION: f64 = 0.8;

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

/// Names that files in a folder have; upper and lower case are one to some computers.
struct Taken(BTreeSet<String>);

impl Taken {
    fn by<const N: usize>(names: [&str; N]) -> Self {
        Self(names.map(String::from).into())
    }

    /// A name that no other file has: the one that is wanted, or that with a number.
    fn own(&mut self, stem: &str, ending: &str) -> String {
        let numbered = (2..).map(|number| format!("{stem}_{number}{ending}"));
        let mut names = std::iter::once(format!("{stem}{ending}")).chain(numbered);
        names
            .find(|name| self.0.insert(name.to_lowercase()))
            .expect("numbers do not end")
    }
}

/// What filters that save and display write beside the scenes.
pub(super) fn write_on_the_way<'m>(
    program: &Program,
    filters: impl IntoIterator<Item = FilterId>,
    motion: impl Fn(FilterId) -> &'m Motion,
    folder: &Path,
) -> Result<(), Failure> {
    let mut taken = Taken::by([]);
    for id in filters {
        match &program.filters[id.0 as usize].what {
            FilterKind::Apply(Primitive::Save, settings) => {
                let named = settings.iter().find_map(|(field, setting)| match setting {
                    Setting::Text(text) if *field == Field::File => Some(text.replace('\\', "/")),
                    _ => None,
                });
                let named = PathBuf::from(named.unwrap_or_default());
                // Results go below the folder that was asked for, whatever a script says.
                let stem = named.file_stem().unwrap_or_default().to_string_lossy();
                let ending = named.extension().map(|ending| ending.to_string_lossy());
                let ending = ending.map_or(String::new(), |ending| format!(".{ending}"));
                let alone = taken.own(&stem, &ending);
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

/// A name as a file may have it, after its number where there are several.
pub(super) fn file_name(name: &str, number: Option<usize>) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_meet_are_told_apart() {
        let mut taken = Taken::by(["scene"]);
        let mut own = |name: &str| taken.own(&file_name(name, None), "");
        let names = ["a b", "a_b", "A?B", "scene", "a_b_2"].map(&mut own);
        assert_eq!(names, ["a_b", "a_b_2", "A_B_3", "scene_2", "a_b_2_2"]);
        let mut saved = Taken::by([]);
        assert_eq!(
            [saved.own("a", ".bvh"), saved.own("a", ".fbx")],
            ["a.bvh", "a.fbx"]
        );
        assert_eq!(saved.own("a", ".bvh"), "a_2.bvh");
    }
}
