//! `demo`: makes the sample library and shows the product on it, into a folder with a page.
//!
//! It goes the way a user goes: files, import, facts, graph, requests, files. What it writes into
//! the folder is written again by the next run.

mod page;
mod paths;

use std::path::{Path, PathBuf};

use afoot::{
    AnyFile, Bake, BuildGraph, ClipPictures, Failure, Follow, GraphBuilt, GraphPictures, Import,
    ImportReport, Library, List, Matrix, Output, PlayStory, PlayerPage, Run, ShowClip, Workspace,
    WriteSamples, WriteTaskSamples, make_folder, write_file,
};
use clap::Args;
use serde_json::{Value, json};

use crate::console::Console;
use crate::failure::Outcome;
use page::{Figure, Page, Row};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DemoArguments {
    /// Folder for the results
    #[arg(default_value = "demo")]
    folder: PathBuf,
    /// Only write the clips that plans are tried on, as BVH files into the folder
    #[arg(long)]
    tasks: bool,
}

const EXAMPLES: &str = "\
Examples:
  afoot demo               into ./demo; look at demo/index.html
  afoot demo /tmp/afoot
  afoot demo --tasks picks && afoot import picks.afoot picks";

/// Clips whose curves are plotted beside their figures.
const PLOTTED: [&str; 2] = ["walk", "jump_up"];

pub fn demo(arguments: &DemoArguments, run: &Run, console: &Console) -> Outcome {
    let folder = &arguments.folder;
    if arguments.tasks {
        let clips = WriteTaskSamples::default().run(folder, run)?.len();
        let words = format!("{clips} clips in {}", folder.display());
        return console.result(&json!({"clips": clips}), |_| words);
    }
    make_folder(folder)?;
    for part in ["bvh", "clips", "motion"] {
        make_folder(&folder.join(part))?;
    }
    // A tour of many requests, whose own remarks would be noise.
    let run = &Run::quiet()
        .with_cancel(run.cancel().clone())
        .with_seed(run.seed);
    let mut page = Page::default();
    console.say("making sample motion and writing it as BVH files");
    let bvh = folder.join("bvh");
    let clips = WriteSamples::default().run(&bvh, run)?.len();
    console.say("importing the files into a library");
    let (library, imported) = import_samples(folder, bvh, run)?;
    page.facts(&imported);
    console.say("drawing the clips");
    draw_clips(&library, folder, run, &mut page)?;
    console.say("building the motion graph");
    let built = build(&library, folder, run, &mut page)?;
    console.say("walking along paths");
    let motions = requests(&library, folder, run, &mut page)?;
    play_together(&library, folder, run, &mut page)?;
    console.say("baking a character to be steered");
    let baked = bake(&library, folder, run, &mut page)?;
    console.say("playing a story of three actors");
    drop(library); // stories open it themselves
    let story = play_story(folder, run, &mut page)?;
    let index = folder.join("index.html");
    write_file(&index, page.html())?;
    let index = index.display().to_string();
    let told = json!({"page": index, "clips": clips, "transitions": built.transitions,
        "component_share": built.component_share, "motions": motions,
        "story": story, "baked": baked});
    console.result(&told, |_| format!("{}look at {index}", page.words()))
}

fn import_samples(
    folder: &Path,
    bvh: PathBuf,
    run: &Run,
) -> Result<(Library, ImportReport), Failure> {
    let path = folder.join("sample.afoot");
    for ending in ["afoot", "afoot-wal", "afoot-shm"] {
        // What an earlier run left; a missing file is what we want.
        let _ = std::fs::remove_file(path.with_extension(ending));
    }
    let import = Import {
        paths: vec![bvh.into()],
        mirror: true,
        ..Import::default()
    };
    let (library, report) = import.run_into(&path, run)?;
    match report.failed.first() {
        Some(failed) => Err(Failure::failed(&failed.error)),
        None => Ok((library, report)),
    }
}

fn draw_clips(library: &Library, folder: &Path, run: &Run, page: &mut Page) -> Outcome {
    for listed in List::default().run(library, run)?.clips {
        let name = listed.name;
        if name.ends_with("_mirror") {
            continue;
        }
        let (sheet, curves) = (
            format!("clips/{name}.png"),
            format!("clips/{name}_curves.png"),
        );
        let plotted = PLOTTED.contains(&name.as_str());
        let show = ShowClip { clip: name.clone() };
        let pictures = ClipPictures {
            picture: Some(folder.join(&sheet)),
            plot: plotted.then(|| folder.join(&curves)),
            ..ClipPictures::default()
        };
        show.run_with_pictures(library, &pictures, run)?;
        page.clips.push(Figure {
            file: sheet,
            words: name.clone(),
        });
        if plotted {
            page.clips.push(Figure {
                file: curves,
                words: format!("{name}: heights, speeds, contacts"),
            });
        }
    }
    Ok(())
}

fn build(
    library: &Library,
    folder: &Path,
    run: &Run,
    page: &mut Page,
) -> Result<GraphBuilt, Failure> {
    let pictures = GraphPictures {
        plot: Some(folder.join("trade_off.png")),
        preview: None,
    };
    let built = BuildGraph::default().run_with_pictures(library, &pictures, run)?;
    page.graph = graph_words(&built);
    let matrix = Matrix {
        a: "walk".into(),
        b: "walk_turn_left".into(),
        ..Matrix::default()
    };
    matrix.run(library, folder.join("matrix.png"), run)?;
    page.graph_figures.push(Figure {
        file: "matrix.png".into(),
        words: "error of every transition between two clips, minima marked".into(),
    });
    page.graph_figures.push(Figure {
        file: "trade_off.png".into(),
        words: "threshold against connectivity".into(),
    });
    Ok(built)
}

fn graph_words(built: &GraphBuilt) -> String {
    format!(
        "{} frames, {} pairs of frames compared, {} transitions kept, {:.1} % of the frames connected, mean error {:.2} cm",
        built.frames,
        built.pairs,
        built.kept_transitions,
        100.0 * built.component_share,
        built.mean_error_cm
    )
}

/// Follows each sample path, writes BVH, glTF and pictures, and notes the quality.
fn requests(
    library: &Library,
    folder: &Path,
    run: &Run,
    page: &mut Page,
) -> Result<Vec<Value>, Failure> {
    let mut told = Vec::new();
    for (name, points) in paths::sample_paths() {
        let file =
            |ending: &str| -> PathBuf { folder.join("motion").join(format!("{name}{ending}")) };
        let path = json!({"points": points});
        write_file(&file(".json"), path.to_string())?;
        let follow = Follow {
            path: path.into(),
            ..Follow::default()
        };
        let output = Output {
            also: vec![file(".glb")],
            picture: Some(file(".png")),
            plan_picture: Some(file("_plan.png")),
            page: Some(file(".html")),
            ..Output::to(file(".bvh"))
        };
        let walked = library.deliver(&follow, &output, run)?;
        told.push(json!({"name": name, "quality": json!(walked)["quality"]}));
        page.motions.push(Row {
            name: name.into(),
            quality: walked.quality,
        });
    }
    Ok(told)
}

/// A page that plays a captured walk beside the motion made along the eight.
fn play_together(library: &Library, folder: &Path, run: &Run, page: &mut Page) -> Outcome {
    let (captured, made) = ("walk", "eight");
    let file = folder.join("motion").join(format!("{made}.bvh"));
    let play = PlayerPage {
        title: "captured beside made".into(),
        captured: vec![captured.into()],
        made: vec![file.into()],
    };
    play.run(library, &folder.join("player.html"), run)?;
    page.player = Some("player.html".into());
    Ok(())
}

/// What a game would ship, and a page in which it is steered where the program can write one.
fn bake(library: &Library, folder: &Path, run: &Run, page: &mut Page) -> Result<Value, Failure> {
    let bake = Bake::default();
    let baked = bake.run(library, folder.join("hero.afootpack"), run)?;
    if Bake::writes_pages() {
        bake.run(library, folder.join("steer.html"), run)?;
        page.steered = Some("steer.html".into());
    }
    page.baked = format!(
        "<code>hero.afootpack</code>, what a game ships: {:.0} kB for {:.0} s of motion, no joint off by more than {:.2} mm",
        baked.bytes as f64 / 1e3,
        baked.seconds,
        baked.most_mm
    );
    Ok(json!({"bytes": baked.bytes, "most_mm": baked.most_mm}))
}

/// The sample story, as files of the program.
const STORY: [(&str, &str); 5] = [
    (
        "meeting.play",
        include_str!("../../../../../examples/stories/meeting.play"),
    ),
    (
        "people.play",
        include_str!("../../../../../examples/stories/people.play"),
    ),
    (
        "come.json",
        include_str!("../../../../../examples/stories/come.json"),
    ),
    (
        "come_far.json",
        include_str!("../../../../../examples/stories/come_far.json"),
    ),
    (
        "walk_on.json",
        include_str!("../../../../../examples/stories/walk_on.json"),
    ),
];

/// Writes the sample story beside the library and plays it.
fn play_story(folder: &Path, run: &Run, page: &mut Page) -> Result<Value, Failure> {
    let stories = folder.join("stories");
    make_folder(&stories)?;
    for (name, text) in STORY {
        let text = text.replace("../../demo/sample.afoot", "../sample.afoot");
        write_file(&stories.join(name), text)?;
    }
    let play = PlayStory {
        story: stories.join("meeting.play").into(),
        ..PlayStory::default()
    };
    let played = play.run(Workspace::from(&AnyFile), stories.join("meeting"), run)?;
    for scene in &played.scenes {
        for (file, words) in [
            (&scene.strip_file, "moments of the story"),
            (&scene.plan_file, "all ways from above"),
        ] {
            page.story.push(Figure {
                file: format!("stories/meeting/{file}"),
                words: words.into(),
            });
        }
    }
    Ok(json!(played)["scenes"].clone())
}
