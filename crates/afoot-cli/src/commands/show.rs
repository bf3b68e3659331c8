//! `show`: a library's or a clip's facts, in words, as JSON, as pictures.

use std::collections::BTreeSet;
use std::path::PathBuf;

use afoot_analyze::plants_of;
use afoot_core::{Clip, LabelSpan, Side, Skeleton, kinematic_chains};
use afoot_draw::{ClipPlotOptions, plot_clip};
use afoot_formats::files::write_whole;
use afoot_library::{Annotations, ArtefactEntry, ClipEntry, Library, SkeletonEntry};
use clap::Args;
use serde_json::{Value, json};

use super::clips::{clip_json, type_words};
use super::labels::annotation_words;
use crate::console::Console;
use crate::failure::Outcome;
use crate::motion::{check_picture_file, write_sheet};
use crate::report::total_seconds;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShowArguments {
    /// The library
    library: PathBuf,
    /// A clip of it
    clip: Option<String>,
    /// Draw the clip as stick figures into this PNG
    #[arg(long, value_name = "FILE.png", requires = "clip")]
    picture: Option<PathBuf>,
    /// Plot heights, speeds and contacts into this PNG
    #[arg(long, value_name = "FILE.png", requires = "clip")]
    plot: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  afoot show lib.afoot                             the library
  afoot show lib.afoot 16_15 --picture sheet.png   stick figures on a sheet
  afoot show lib.afoot 16_15 --plot curves.png     heights, speeds, contacts over time";

pub fn show(arguments: &ShowArguments, console: &Console) -> Outcome {
    check_picture_file(arguments.picture.as_deref())?;
    check_picture_file(arguments.plot.as_deref())?;
    let library = Library::open_read_only(&arguments.library)?;
    let Some(name) = &arguments.clip else {
        return show_library(&library, console);
    };
    let (entry, clip) = (library.entry(name)?, library.clip(name)?);
    if let Some(path) = &arguments.picture {
        write_sheet(&clip, path)?;
    }
    if let Some(path) = &arguments.plot {
        write_whole(path, &plot_clip(&clip, &ClipPlotOptions::default())?)?;
    }
    console.result(|| clip_facts(&entry, &clip), || clip_words(&entry, &clip))
}

fn show_library(library: &Library, console: &Console) -> Outcome {
    let clips = library.clips()?;
    let (skeletons, artefacts) = (library.skeletons()?, library.artefacts()?);
    let extent = Extent::of(&clips);
    console.result(
        || library_facts(&extent, &skeletons, &artefacts),
        || library_words(&extent, &skeletons, &artefacts),
    )
}

/// How much there is in a library.
struct Extent<'a> {
    clips: usize,
    frames: u64,
    seconds: f64,
    labels: BTreeSet<&'a str>,
}

impl<'a> Extent<'a> {
    fn of(clips: &'a [ClipEntry]) -> Self {
        Self {
            clips: clips.len(),
            frames: clips.iter().map(|clip| u64::from(clip.frames)).sum(),
            seconds: total_seconds(clips.iter().map(ClipEntry::seconds)),
            labels: clips.iter().flat_map(ClipEntry::label_names).collect(),
        }
    }
}

fn library_facts(
    extent: &Extent,
    skeletons: &[SkeletonEntry],
    artefacts: &[ArtefactEntry],
) -> Value {
    let skeleton = |s: &SkeletonEntry| {
        json!({"name": s.name, "joints": s.skeleton.len(), "clips": s.clips,
            "leg_m": s.skeleton.leg_length()})
    };
    let artefact =
        |a: &ArtefactEntry| json!({"kind": a.kind, "options": a.options, "bytes": a.size});
    json!({
        "clips": extent.clips, "frames": extent.frames, "seconds": extent.seconds,
        "labels": extent.labels,
        "skeletons": skeletons.iter().map(skeleton).collect::<Vec<_>>(),
        "artefacts": artefacts.iter().map(artefact).collect::<Vec<_>>(),
    })
}

fn library_words(
    extent: &Extent,
    skeletons: &[SkeletonEntry],
    artefacts: &[ArtefactEntry],
) -> String {
    let Extent {
        clips,
        frames,
        seconds,
        labels,
    } = extent;
    let mut text = format!("{clips} clips, {frames} frames, {seconds:.1} s\n");
    for SkeletonEntry {
        name,
        skeleton,
        clips,
        ..
    } in skeletons
    {
        let leg = skeleton.leg_length();
        let leg = leg.map_or("no legs".into(), |leg| format!("legs {leg:.3} m"));
        let joints = skeleton.len();
        text += &format!("skeleton {name}: {joints} joints, {leg}, {clips} clips\n");
    }
    if !labels.is_empty() {
        let labels: Vec<&str> = labels.iter().copied().collect();
        text += &format!("labels: {}\n", labels.join(", "));
    }
    for a in artefacts {
        let megabytes = a.size as f64 / 1e6;
        text += &format!("{} ({}): {megabytes:.1} MB\n", a.kind, a.options);
    }
    text
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

fn tilt(ground: &afoot_core::Ground) -> f64 {
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
            "role": joint.role.map(|role| format!("{role:?}"))})
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

fn clip_words(entry: &ClipEntry, clip: &Clip) -> String {
    let mut text = format!(
        "{}: {:.2} s, {} frames at {}\ntype: {}\n",
        entry.name,
        entry.seconds(),
        entry.frames,
        entry.rate,
        type_words(entry)
    );
    if entry.annotations != Annotations::default() {
        text += &format!("labels: {}\n", annotation_words(&entry.annotations));
    }
    if let Some(source) = &entry.facts.source {
        text += &format!("from: {source}\n");
    }
    text += &format!("skeleton: {} joints", clip.skeleton.len());
    text += &clip
        .skeleton
        .leg_length()
        .map_or("\n".into(), |leg| format!(", legs {leg:.3} m\n"));
    for chain in chain_names(&clip.skeleton) {
        if let (Some(first), Some(last)) = (chain.first(), chain.last()) {
            text += &format!("  chain {first} ... {last}\n");
        }
    }
    for (side, name) in [(Side::Left, "left"), (Side::Right, "right")] {
        let plants = plant_times(clip, side);
        let times: Vec<String> = plants
            .iter()
            .map(|[from, to]| format!("{from:.2}-{to:.2}"))
            .collect();
        text += &format!("{name} foot planted [s]: {}\n", times.join("  "));
    }
    if let Some(ground) = &clip.ground {
        text += &format!(
            "floor: {:.3} m, tilted {:.2} degrees\n",
            ground.height,
            tilt(ground)
        );
    }
    for repair in &entry.facts.repairs {
        text += &format!("repaired: {repair}\n");
    }
    for warning in &entry.facts.warnings {
        text += &format!("warning: {warning}\n");
    }
    text
}
