//! `demo`: makes the sample library and shows the product on it, into a folder with a page.
//!
//! It goes the way a user goes: files, import, facts, graph, requests, files. What it writes into
//! the folder is written again by the next run.

mod page;
mod paths;

use std::path::{Path, PathBuf};

use afoot_analyze::{JudgeOptions, SourceStatistics, judge_clip};
use afoot_draw::{ClipPlotOptions, plot_clip};
use afoot_formats::files::write_whole;
use afoot_formats::{WriteOptions, write_motion};
use afoot_graph::{GraphOptions, GraphReport, MotionGraph};
use afoot_library::{
    GraphRecipe, ImportOptions, ImportReport, Library, LibraryGraph, import_files,
};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{FollowOptions, GroundPath, Repertoire, follow_path};
use clap::Args;
use serde_json::{Value, json};

use super::graph::write_trade_off;
use super::matrix::write_matrix;
use crate::arguments::{Common, UnitArgument};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::graphs::graph_failure;
use crate::plan_picture::PlanPicture;
use crate::report::{rounded, time_it};
use crate::{interrupt, motion};
use page::{Figure, Page, Row};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DemoArguments {
    /// Folder for the results
    #[arg(default_value = "demo")]
    folder: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  afoot demo               into ./demo; look at demo/index.html
  afoot demo /tmp/afoot";

/// Clips whose curves are plotted beside their figures.
const PLOTTED: [&str; 2] = ["walk", "jump_up"];

pub fn demo(arguments: &DemoArguments, common: &Common, console: &Console) -> Outcome {
    let folder = &arguments.folder;
    motion::make_folder(folder)?;
    for part in ["bvh", "clips", "motion"] {
        motion::make_folder(&folder.join(part))?;
    }
    let mut page = Page::default();
    console.say("making sample motion and writing it as BVH files");
    let clips = write_samples(folder)?;
    console.say("importing the files into a library");
    let (mut library, imported) = import_samples(folder)?;
    page.facts(&imported);
    console.say("drawing the clips");
    draw_clips(&library, folder, &mut page)?;
    console.say("building the motion graph");
    let (graph, report) = build(&mut library, folder, &mut page)?;
    console.say("walking along paths");
    let requests = requests(graph, folder, common.seed, &mut page)?;
    write_whole(&folder.join("index.html"), page.html().as_bytes())?;
    let index = folder.join("index.html").display().to_string();
    console.result(
        || {
            json!({"page": index, "clips": clips, "transitions": report.transitions,
                "component_share": report.component_share, "motions": requests})
        },
        || format!("{}look at {index}", page.words()),
    )
}

fn write_samples(folder: &Path) -> Result<usize, Failure> {
    let clips = sample_library(&SampleOptions::default());
    for clip in &clips {
        let path = folder.join("bvh").join(format!("{}.bvh", clip.name));
        write_motion(&path, clip, &WriteOptions::default())?;
    }
    Ok(clips.len())
}

fn import_samples(folder: &Path) -> Result<(Library, ImportReport), Failure> {
    let path = folder.join("sample.afoot");
    for ending in ["afoot", "afoot-wal", "afoot-shm"] {
        // What an earlier run left; a missing file is what we want.
        let _ = std::fs::remove_file(path.with_extension(ending));
    }
    let mut library = Library::create(&path)?;
    let report = import_files(
        &mut library,
        &[folder.join("bvh")],
        &ImportOptions {
            mirror: true,
            ..ImportOptions::default()
        },
        &interrupt::run(),
    )?;
    match report.failed.first() {
        Some(failed) => Err(Failure::failed(&failed.error)),
        None => Ok((library, report)),
    }
}

fn draw_clips(library: &Library, folder: &Path, page: &mut Page) -> Outcome {
    for entry in library.clips()? {
        if entry.name.ends_with("_mirror") {
            continue;
        }
        let clip = library.clip(&entry.name)?;
        let file = format!("clips/{}.png", entry.name);
        motion::write_sheet(&clip, &folder.join(&file))?;
        page.clips.push(Figure {
            file,
            words: entry.name.clone(),
        });
        if PLOTTED.contains(&entry.name.as_str()) {
            let file = format!("clips/{}_curves.png", entry.name);
            write_whole(
                &folder.join(&file),
                &plot_clip(&clip, &ClipPlotOptions::default())?,
            )?;
            page.clips.push(Figure {
                file,
                words: format!("{}: heights, speeds, contacts", entry.name),
            });
        }
    }
    Ok(())
}

fn build(
    library: &mut Library,
    folder: &Path,
    page: &mut Page,
) -> Result<(LibraryGraph, GraphReport), Failure> {
    let built = library.build_graph(&GraphRecipe::default(), &interrupt::run());
    let (graph, report) = built.map_err(graph_failure)?;
    write_trade_off(&report, &folder.join("trade_off.png"))?;
    page.graph = graph_words(&graph.graph, &report);
    let (a, b) = (library.clip("walk")?, library.clip("walk_turn_left")?);
    write_matrix(&a, &b, &GraphOptions::default(), &folder.join("matrix.png"))?;
    page.graph_figures.push(Figure {
        file: "matrix.png".into(),
        words: "error of every transition between two clips, minima marked".into(),
    });
    page.graph_figures.push(Figure {
        file: "trade_off.png".into(),
        words: "threshold against connectivity".into(),
    });
    Ok((graph, report))
}

fn graph_words(graph: &MotionGraph, report: &GraphReport) -> String {
    format!(
        "{} frames, {} pairs of frames compared, {} transitions kept, {:.1} % of the frames connected, mean error {:.2} cm",
        report.frames,
        report.pairs,
        graph.transitions.len(),
        100.0 * report.component_share,
        report.mean_error_cm
    )
}

/// Follows each sample path, writes BVH, glTF and pictures, and notes the quality.
fn requests(
    graph: LibraryGraph,
    folder: &Path,
    seed: u64,
    page: &mut Page,
) -> Result<Vec<Value>, Failure> {
    let LibraryGraph { graph, clips, .. } = graph;
    let repertoire = Repertoire::new(graph, &clips).map_err(Failure::no_motion)?;
    let source = SourceStatistics::of_clips(&repertoire.clips().iter().collect::<Vec<_>>());
    let mut told = Vec::new();
    for (name, path) in paths::sample_paths() {
        let options = FollowOptions {
            seed,
            run: interrupt::run(),
            ..FollowOptions::default()
        };
        let (followed, seconds) = time_it(|| follow_path(&repertoire, &path, &options));
        let followed = followed.map_err(Failure::no_motion)?;
        let file =
            |ending: &str| -> PathBuf { folder.join("motion").join(format!("{name}{ending}")) };
        write_path(&path, &file(".json"))?;
        let played = followed.played;
        let mut plan = PlanPicture::default();
        plan.add(&played.clip);
        plan.draw(&path, &file("_plan.png"))?;
        for ending in [".bvh", ".glb"] {
            write_motion(&file(ending), &played.clip, &WriteOptions::default())?;
        }
        motion::write_sheet(&played.clip, &file(".png"))?;
        let read = motion::read(&file(".bvh"), UnitArgument::Cm, false)?;
        let judge = JudgeOptions {
            source: source.as_ref(),
            path: Some(path.points()),
            ..JudgeOptions::default()
        };
        let mut quality = judge_clip(&read.clip, &judge);
        quality.transitions = Some(played.joins as usize);
        quality.source_share = Some(played.captured as f64 / quality.frames.max(1) as f64);
        quality.took(seconds);
        told.push(json!({"name": name, "quality": rounded(&quality)}));
        page.motions.push(Row {
            name: name.into(),
            quality,
        });
    }
    Ok(told)
}

fn write_path(path: &GroundPath, file: &Path) -> Outcome {
    Ok(write_whole(
        file,
        json!({"points": path.points()}).to_string().as_bytes(),
    )?)
}
