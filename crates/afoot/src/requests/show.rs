//! A library's or a clip's facts, and pictures of a clip.

use std::collections::BTreeSet;
use std::path::PathBuf;

use afoot_analyze::plants_of;
use afoot_core::{Clip, FrameRate, Ground, Joint, LabelSpan, Side, Skeleton, kinematic_chains};
use afoot_formats::files::write_whole;
use afoot_library::{ArtefactEntry, ClipEntry, GraphRecipe, SkeletonEntry};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use super::clips::ListedClip;
use crate::failure::Failure;
use crate::library::Library;
use crate::motion_files::{check_distinct, check_page_file, check_picture_file};
use crate::pictures;
use crate::rounding::to_ten_thousandths;

/// Asks what there is in a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShowLibrary {}

/// Asks what is known of a clip.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShowClip {
    /// The clip.
    pub clip: String,
}

/// Where pictures of a clip go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClipPictures {
    /// The clip as stick figures, a PNG.
    pub picture: Option<PathBuf>,
    /// In it every frame around this moment, instead of figures from all of the clip. [s, 0 to 1000000]
    pub around: Option<f64>,
    /// Heights, speeds and contacts over time, a PNG.
    pub plot: Option<PathBuf>,
    /// A page that plays the clip, one HTML file.
    pub page: Option<PathBuf>,
}

/// What there is in a library.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct LibraryShown {
    pub clips: usize,
    pub frames: u64,
    pub seconds: f64,
    pub labels: BTreeSet<String>,
    /// How the graph in use was made.
    pub recipe: Option<GraphRecipe>,
    /// What can't be read, in words.
    pub damage: Vec<String>,
    pub skeletons: Vec<SkeletonListed>,
    pub artefacts: Vec<ArtefactListed>,
}

/// A skeleton of a library.
#[derive(Clone, Debug, Serialize)]
pub struct SkeletonListed {
    /// Its name.
    pub name: String,
    /// How many joints it has.
    pub joints: usize,
    /// How many clips have it.
    pub clips: u32,
    /// Length of a leg, if it has any. [m]
    pub leg_m: Option<f32>,
}

/// Something made from clips and kept.
#[derive(Clone, Debug, Serialize)]
pub struct ArtefactListed {
    /// What it is.
    pub kind: String,
    /// What it was made with.
    pub options: String,
    /// How much space it takes.
    pub bytes: u64,
}

/// What is known of a clip.
#[derive(Clone, Debug, Serialize)]
pub struct ClipShown {
    /// As it is listed.
    #[serde(flatten)]
    pub listed: ListedClip,
    /// Its skeleton.
    pub skeleton: SkeletonShown,
    /// The skeleton's chains, each by the names of its joints.
    pub chains: Vec<Vec<String>>,
    /// When feet are planted.
    pub contacts: PlantTimes,
    /// What is said of its frames.
    pub label_spans: Vec<LabelTimes>,
    /// What is said not to be.
    pub denied_spans: Vec<LabelTimes>,
    /// The floor that was found.
    pub ground: Option<GroundShown>,
    /// The file it comes from.
    pub source: Option<String>,
    /// Its rate at capture. [frames/s]
    pub source_fps: Option<f64>,
    /// What was repaired.
    pub repairs: Vec<String>,
    /// What is suspected.
    pub warnings: Vec<String>,
    /// Its frames.
    #[serde(skip)]
    pub clip: Clip,
}

/// A skeleton joint by joint.
#[derive(Clone, Debug, Serialize)]
pub struct SkeletonShown {
    /// In the order of the skeleton.
    pub joints: Vec<JointShown>,
    /// How many end sites there are.
    pub end_sites: usize,
    /// Length of a leg, if it has any. [m]
    pub leg_m: Option<f32>,
}

/// A joint.
#[derive(Clone, Debug, Serialize)]
pub struct JointShown {
    /// Its name.
    pub name: String,
    /// What it hangs from.
    pub parent: Option<String>,
    /// Where it is from there, at rest. [m]
    pub offset_m: [f32; 3],
    /// The body part that it is.
    pub role: Option<&'static str>,
}

/// When feet are planted, from and to. [s]
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct PlantTimes {
    pub left: Vec<[f64; 2]>,
    pub right: Vec<[f64; 2]>,
}

/// A label and when it is meant. [s]
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct LabelTimes {
    pub label: String,
    pub from: f64,
    pub to: f64,
}

/// A floor.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct GroundShown {
    /// Its height. [m]
    pub height_m: f32,
    /// How much it leans. [degrees]
    pub tilt_deg: f64,
}

impl ShowLibrary {
    /// Looks at the library.
    pub fn run(&self, library: &Library, _: &Run) -> Result<LibraryShown, Failure> {
        let store = library.read()?;
        let clips = store.clips()?;
        let labels = clips.iter().flat_map(ClipEntry::label_names);
        // 0, without a sign, of no clips.
        let seconds = |total, clip: &ClipEntry| total + clip.seconds();
        Ok(LibraryShown {
            clips: clips.len(),
            frames: clips.iter().map(|clip| u64::from(clip.frames)).sum(),
            seconds: clips.iter().fold(0.0, seconds),
            labels: labels.map(String::from).collect(),
            skeletons: store
                .skeletons()?
                .iter()
                .map(SkeletonListed::from)
                .collect(),
            artefacts: store
                .artefacts()?
                .into_iter()
                .map(ArtefactListed::from)
                .collect(),
            recipe: store.recipe_in_use()?,
            damage: store.damage()?.iter().map(ToString::to_string).collect(),
        })
    }
}

impl ShowClip {
    /// Looks at the clip.
    pub fn run(&self, library: &Library, _: &Run) -> Result<ClipShown, Failure> {
        let store = library.read()?;
        let (entry, clip) = (store.entry(&self.clip)?, store.clip(&self.clip)?);
        Ok(ClipShown::new(entry, clip))
    }

    /// Looks at the clip and draws it.
    pub fn run_with_pictures(
        &self,
        library: &Library,
        pictures: &ClipPictures,
        run: &Run,
    ) -> Result<ClipShown, Failure> {
        check_picture_file(pictures.picture.as_deref())?;
        check_picture_file(pictures.plot.as_deref())?;
        check_page_file(pictures.page.as_deref())?;
        check_distinct(pictures.picture.iter().chain(&pictures.plot))?;
        let shown = self.run(library, run)?;
        if let Some(path) = &pictures.picture {
            let drawn = match pictures.around {
                Some(moment) => pictures::strip(&shown.clip, moment)?,
                None => pictures::sheet(&shown.clip)?,
            };
            write_whole(path, &drawn)?;
        }
        if let Some(path) = &pictures.plot {
            write_whole(path, &pictures::curves(&shown.clip)?)?;
        }
        if let Some(path) = &pictures.page {
            let figures = vec![pictures::PageFigure::made(&self.clip, &shown.clip)];
            write_whole(path, &pictures::page(&self.clip, figures)?)?;
        }
        Ok(shown)
    }
}

impl ClipShown {
    fn new(entry: ClipEntry, clip: Clip) -> Self {
        let facts = entry.facts.clone();
        let times = |spans: &[LabelSpan]| {
            let times = spans.iter().map(|span| label_times(span, clip.rate));
            times.collect::<Vec<_>>()
        };
        Self {
            skeleton: SkeletonShown::from(&*clip.skeleton),
            chains: chain_names(&clip.skeleton),
            contacts: PlantTimes {
                left: plant_times(&clip, Side::Left),
                right: plant_times(&clip, Side::Right),
            },
            label_spans: times(&entry.annotations.labels),
            denied_spans: times(&entry.annotations.denied),
            ground: clip.ground.as_ref().map(GroundShown::from),
            source: facts.source,
            source_fps: facts.source_fps,
            repairs: facts.repairs,
            warnings: facts.warnings,
            listed: entry.into(),
            clip,
        }
    }
}

impl From<&SkeletonEntry> for SkeletonListed {
    fn from(entry: &SkeletonEntry) -> Self {
        Self {
            name: entry.name.clone(),
            joints: entry.skeleton.len(),
            clips: entry.clips,
            leg_m: entry.skeleton.leg_length(),
        }
    }
}

impl From<ArtefactEntry> for ArtefactListed {
    fn from(entry: ArtefactEntry) -> Self {
        Self {
            kind: entry.kind,
            options: entry.options,
            bytes: entry.size,
        }
    }
}

impl From<&Skeleton> for SkeletonShown {
    fn from(skeleton: &Skeleton) -> Self {
        let name = |parent| skeleton.joint(parent).name.clone();
        let joint = |joint: &Joint| JointShown {
            name: joint.name.clone(),
            parent: joint.parent.map(name),
            offset_m: joint.offset.to_array(),
            role: joint.role.map(|role| role.name()),
        };
        Self {
            joints: skeleton.joints().iter().map(joint).collect(),
            end_sites: skeleton.end_sites().len(),
            leg_m: skeleton.leg_length(),
        }
    }
}

impl From<&Ground> for GroundShown {
    fn from(ground: &Ground) -> Self {
        let slope = f64::from(ground.slope_x.hypot(ground.slope_z));
        Self {
            height_m: ground.height,
            tilt_deg: slope.atan().to_degrees(),
        }
    }
}

fn label_times(span: &LabelSpan, rate: FrameRate) -> LabelTimes {
    let time = |frame: u32| f64::from(frame) * rate.frame_time();
    LabelTimes {
        label: span.label.clone(),
        from: time(span.frames.start),
        to: time(span.frames.end),
    }
}

/// The chains, each by the names of its joints.
fn chain_names(skeleton: &Skeleton) -> Vec<Vec<String>> {
    let name = |id: &afoot_core::JointId| skeleton.joint(*id).name.clone();
    kinematic_chains(skeleton)
        .iter()
        .map(|chain| chain.joints.iter().map(name).collect())
        .collect()
}

/// When a foot is planted. [s]
fn plant_times(clip: &Clip, side: Side) -> Vec<[f64; 2]> {
    let time = |frame: u32| to_ten_thousandths(f64::from(frame) * clip.rate.frame_time());
    plants_of(clip)
        .iter()
        .filter(|plant| plant.side == side)
        .map(|plant| [time(plant.frames.start), time(plant.frames.end)])
        .collect()
}
