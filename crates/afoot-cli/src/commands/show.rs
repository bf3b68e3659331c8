//! `show`: a library's or a clip's facts, in words, as JSON, as pictures.

use std::path::PathBuf;

use afoot::{
    Annotations, ClipPictures, ClipShown, GroundShown, Library, LibraryShown, PlantTimes, Run,
    ShowClip, ShowLibrary, SkeletonListed,
};
use clap::Args;

use super::clips::type_words;
use super::labels::annotation_words;
use crate::console::Console;
use crate::failure::Outcome;
use crate::recipe::recipe_words;

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
    /// Draw every frame around this moment into it [s], instead of figures from all of the clip
    #[arg(long, value_name = "S", requires = "picture")]
    around: Option<f64>,
    /// Plot heights, speeds and contacts into this PNG
    #[arg(long, value_name = "FILE.png", requires = "clip")]
    plot: Option<PathBuf>,
    /// Write a page that plays the clip: one HTML file that needs nothing else
    #[arg(long, value_name = "FILE.html", requires = "clip")]
    page: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  afoot show lib.afoot                             the library
  afoot show lib.afoot 16_15 --picture sheet.png   stick figures on a sheet
  afoot show lib.afoot 16_15 --picture strip.png --around 1.5   every frame about a moment
  afoot show lib.afoot 16_15 --plot curves.png     heights, speeds, contacts over time
  afoot show lib.afoot 16_15 --page walk.html      a page that plays it";

pub fn show(arguments: &ShowArguments, run: &Run, console: &Console) -> Outcome {
    let library = Library::open(&arguments.library)?;
    let Some(clip) = &arguments.clip else {
        return console.result(&ShowLibrary {}.run(&library, run)?, library_words);
    };
    let show = ShowClip { clip: clip.clone() };
    let pictures = ClipPictures {
        picture: arguments.picture.clone(),
        around: arguments.around,
        plot: arguments.plot.clone(),
        page: arguments.page.clone(),
    };
    let shown = show.run_with_pictures(&library, &pictures, run)?;
    console.result(&shown, clip_words)
}

fn library_words(shown: &LibraryShown) -> String {
    let LibraryShown {
        clips,
        frames,
        seconds,
        labels,
        ..
    } = shown;
    let mut text = format!("{clips} clips, {frames} frames, {seconds:.1} s\n");
    for SkeletonListed {
        name,
        joints,
        clips,
        leg_m,
    } in &shown.skeletons
    {
        let leg = leg_m.map_or("no legs".into(), |leg| format!("legs {leg:.3} m"));
        text += &format!("skeleton {name}: {joints} joints, {leg}, {clips} clips\n");
    }
    if !labels.is_empty() {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        text += &format!("labels: {}\n", labels.join(", "));
    }
    if let Some(recipe) = &shown.recipe {
        text += &format!("graph: {}\n", recipe_words(recipe));
    }
    for damage in &shown.damage {
        text += &format!("damaged: {damage}\n");
    }
    for a in &shown.artefacts {
        let megabytes = a.bytes as f64 / 1e6;
        text += &format!("{} ({}): {megabytes:.1} MB\n", a.kind, a.options);
    }
    text
}

fn clip_words(shown: &ClipShown) -> String {
    let ClipShown { listed, clip, .. } = shown;
    let entry = &listed.entry;
    let mut text = format!(
        "{}: {:.2} s, {} frames at {}\ntype: {}\n",
        entry.name,
        entry.seconds(),
        entry.frames,
        entry.rate,
        type_words(entry)
    );
    let said = &entry.annotations;
    if *said != Annotations::default() {
        text += &format!(
            "labels: {}\n",
            annotation_words(&said.names().join(", "), &said.denied_names().join(", "))
        );
    }
    if let Some(source) = &entry.facts.source {
        text += &format!("from: {source}\n");
    }
    text += &format!("skeleton: {} joints", clip.skeleton.len());
    text += &clip
        .skeleton
        .leg_length()
        .map_or("\n".into(), |leg| format!(", legs {leg:.3} m\n"));
    for chain in &shown.chains {
        if let (Some(first), Some(last)) = (chain.first(), chain.last()) {
            text += &format!("  chain {first} ... {last}\n");
        }
    }
    let PlantTimes { left, right } = &shown.contacts;
    for (plants, name) in [(left, "left"), (right, "right")] {
        let times: Vec<String> = plants
            .iter()
            .map(|[from, to]| format!("{from:.2}-{to:.2}"))
            .collect();
        text += &format!("{name} foot planted [s]: {}\n", times.join("  "));
    }
    if let Some(GroundShown { height_m, tilt_deg }) = shown.ground {
        text += &format!("floor: {height_m:.3} m, tilted {tilt_deg:.2} degrees\n");
    }
    for repair in &entry.facts.repairs {
        text += &format!("repaired: {repair}\n");
    }
    for warning in &entry.facts.warnings {
        text += &format!("warning: {warning}\n");
    }
    text
}
