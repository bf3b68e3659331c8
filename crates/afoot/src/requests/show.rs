//! A library's or a clip's facts, and pictures of a clip.

use std::collections::BTreeSet;
use std::path::PathBuf;

use afoot_analyze::plants_of;
use afoot_core::{Clip, Ground, LabelSpan, Side, Skeleton, kinematic_chains};
use afoot_formats::files::write_whole;
use afoot_library::{ArtefactEntry, ClipEntry, GraphRecipe, SkeletonEntry};
use afoot_run::Run;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::clips::clip_json;
use crate::failure::Failure;
use crate::library::Library;
use crate::motion_files::check_picture_file;
use crate::pictures;

/// Asks what there is in a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShowLibrary {}

/// Asks what is known of a clip.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShowClip {
    /// The clip.
    pub clip: String,
    /// The clip as stick figures, a PNG.
    pub picture: Option<PathBuf>,
    /// Heights, speeds and contacts over time, a PNG.
    pub plot: Option<PathBuf>,
}

/// What there is in a library.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the names say it
pub struct LibraryShown {
    pub clips: usize,
    pub frames: u64,
    pub seconds: f64,
    pub labels: BTreeSet<String>,
    pub skeletons: Vec<SkeletonEntry>,
    /// How the graph in use was made.
    pub recipe: Option<GraphRecipe>,
    /// What can't be read, in words.
    pub damage: Vec<String>,
    pub artefacts: Vec<ArtefactEntry>,
}

/// What is known of a clip.
#[derive(Clone, Debug)]
pub struct ClipShown {
    /// What the library says of it.
    pub entry: ClipEntry,
    /// Its frames.
    pub clip: Clip,
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
            skeletons: store.skeletons()?,
            artefacts: store.artefacts()?,
            recipe: store.recipe_in_use()?,
            damage: store.damage()?.iter().map(ToString::to_string).collect(),
        })
    }
}

impl ShowClip {
    /// Looks at the clip and draws it.
    pub fn run(&self, library: &Library, _: &Run) -> Result<ClipShown, Failure> {
        check_picture_file(self.picture.as_deref())?;
        check_picture_file(self.plot.as_deref())?;
        let store = library.read()?;
        let (entry, clip) = (store.entry(&self.clip)?, store.clip(&self.clip)?);
        if let Some(path) = &self.picture {
            write_whole(path, &pictures::sheet(&clip)?)?;
        }
        if let Some(path) = &self.plot {
            write_whole(path, &pictures::curves(&clip)?)?;
        }
        Ok(ClipShown { entry, clip })
    }
}

impl ClipShown {
    /// The chains of its skeleton, each by the names of its joints.
    pub fn chains(&self) -> Vec<Vec<String>> {
        chain_names(&self.clip.skeleton)
    }

    /// When a foot is planted, from and to. [s]
    pub fn plants(&self, side: Side) -> Vec<[f64; 2]> {
        plant_times(&self.clip, side)
    }

    /// How much the floor leans. [degrees]
    pub fn tilt(&self) -> Option<f64> {
        self.clip.ground.as_ref().map(tilt)
    }
}

impl Serialize for LibraryShown {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let skeleton = |s: &SkeletonEntry| {
            json!({"name": s.name, "joints": s.skeleton.len(), "clips": s.clips,
                "leg_m": s.skeleton.leg_length()})
        };
        let artefact =
            |a: &ArtefactEntry| json!({"kind": a.kind, "options": a.options, "bytes": a.size});
        let facts = json!({
            "clips": self.clips, "frames": self.frames, "seconds": self.seconds,
            "labels": self.labels,
            "skeletons": self.skeletons.iter().map(skeleton).collect::<Vec<_>>(),
            "artefacts": self.artefacts.iter().map(artefact).collect::<Vec<_>>(),
            "recipe": self.recipe,
            "damage": self.damage,
        });
        facts.serialize(to)
    }
}

impl Serialize for ClipShown {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        clip_facts(&self.entry, &self.clip).serialize(to)
    }
}

fn clip_facts(entry: &ClipEntry, clip: &Clip) -> Value {
    let mut facts = clip_json(entry);
    let span = |span: &LabelSpan| {
        let time = |frame: u32| f64::from(frame) * clip.rate.frame_time();
        json!({"label": span.label, "from": time(span.frames.start), "to": time(span.frames.end)})
    };
    facts["skeleton"] = skeleton_json(&clip.skeleton);
    facts["chains"] = json!(chain_names(&clip.skeleton));
    facts["contacts"] = json!({
        "left": plant_times(clip, Side::Left),
        "right": plant_times(clip, Side::Right),
    });
    let spans = |spans: &[LabelSpan]| json!(spans.iter().map(span).collect::<Vec<_>>());
    facts["label_spans"] = spans(&entry.annotations.labels);
    facts["denied_spans"] = spans(&entry.annotations.denied);
    facts["ground"] = match clip.ground {
        Some(ground) => json!({"height_m": ground.height, "tilt_deg": tilt(&ground)}),
        None => Value::Null,
    };
    facts["source"] = json!(entry.facts.source);
    facts["source_fps"] = json!(entry.facts.source_fps);
    facts["repairs"] = json!(entry.facts.repairs);
    facts["warnings"] = json!(entry.facts.warnings);
    facts
}

fn tilt(ground: &Ground) -> f64 {
    f64::from(ground.slope_x.hypot(ground.slope_z))
        .atan()
        .to_degrees()
}

fn skeleton_json(skeleton: &Skeleton) -> Value {
    let joint = |joint: &afoot_core::Joint| {
        let parent = joint
            .parent
            .map(|parent| skeleton.joint(parent).name.as_str());
        json!({"name": joint.name, "parent": parent, "offset_m": joint.offset.to_array(),
            "role": joint.role.map(afoot_core::Role::name)})
    };
    json!({
        "joints": skeleton.joints().iter().map(joint).collect::<Vec<_>>(),
        "end_sites": skeleton.end_sites().len(),
        "leg_m": skeleton.leg_length(),
    })
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
    let time = |frame: u32| (f64::from(frame) * clip.rate.frame_time() * 1e4).round() / 1e4;
    plants_of(clip)
        .iter()
        .filter(|plant| plant.side == side)
        .map(|plant| [time(plant.frames.start), time(plant.frames.end)])
        .collect()
}
