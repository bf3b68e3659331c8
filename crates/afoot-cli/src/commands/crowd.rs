//! `crowd`: many characters in a world.

use std::path::PathBuf;

use afoot::{Crowd, CrowdFiles, CrowdMade, Failure, Library, Run};
use clap::Args;

use crate::arguments::MovingArguments;
use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct CrowdArguments {
    /// The library
    library: PathBuf,
    /// The world: bounds, obstacles, radius
    #[arg(long, value_name = "FILE")]
    world: PathBuf,
    /// How many characters
    #[arg(long, value_name = "N")]
    count: u32,
    /// Length of the motion [s]
    #[arg(long, value_name = "S")]
    seconds: f64,
    /// Use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    only: Vec<String>,
    #[command(flatten)]
    moving: MovingArguments,
    /// Folder for one motion file a character, and a report; or one FILE.glb with all characters
    #[arg(short, long, value_name = "DIR|FILE.glb")]
    output: PathBuf,
    /// Write all characters into one glTF file too, a skeleton and an animation each
    #[arg(long, value_name = "FILE.glb")]
    scene: Option<PathBuf>,
    /// Write a page that plays all of them: one HTML file that needs nothing else
    #[arg(long, value_name = "FILE.html")]
    page: Option<PathBuf>,
    /// Put all characters onto the skeleton in this file; of a .glb character each gets a file with its mesh
    #[arg(long, value_name = "RIG")]
    onto: Option<PathBuf>,
    /// Embed the graph into the world first: no dead ends, regions kept to, narrow places passed
    #[arg(long, conflicts_with = "only")]
    embedded: bool,
    /// Take away characters of an earlier, larger crowd in the folder
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  afoot crowd lib.afoot --world plaza.json --count 20 --seconds 30 -o crowd
  afoot crowd lib.afoot --world room.json --count 4 --seconds 20 --embedded -o crowd
  afoot crowd lib.afoot --world plaza.json --count 8 --seconds 20 -o crowd --scene crowd.glb --page crowd.html
  afoot crowd lib.afoot --world plaza.json --count 8 --seconds 20 -o all.glb
  afoot crowd lib.afoot --world plaza.json --count 8 --seconds 20 -o crowd --onto hero.glb

A world: {\"bounds\": [[0,0],[12,12]], \"obstacles\": [{\"circle\": [6,6,1]}], \"radius\": 0.25}, in metres.
With \"starts\": [[x,z], ...] the first characters start there; with \"goals\": [[x,z], ...] all go to these
places, each to the one of its number first.";

pub fn crowd(arguments: &CrowdArguments, run: &Run, console: &Console) -> Outcome {
    let crowd = Crowd {
        world: arguments.world.clone().into(),
        count: arguments.count,
        seconds: arguments.seconds,
        labels: arguments.only.clone(),
        moving: arguments.moving.moving()?,
        force: arguments.force,
        embedded: arguments.embedded,
        ..Crowd::default()
    };
    let library = Library::open(&arguments.library)?;
    let files = CrowdFiles {
        folder: arguments.output.clone(),
        scene: arguments.scene.clone(),
        page: arguments.page.clone(),
        onto: arguments.onto.clone(),
    };
    let one_file = arguments
        .output
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("glb"));
    let made = match one_file {
        true => in_one_file(&crowd, &library, files, run)?,
        false => crowd.run_into(&library, &files, run)?,
    };
    console.done(&made, |made| words(made, arguments.seconds))
}

/// Makes a crowd whose output is a scene: characters' own files lie aside meanwhile, and are taken away.
fn in_one_file(
    crowd: &Crowd,
    library: &Library,
    files: CrowdFiles,
    run: &Run,
) -> Result<CrowdMade, Failure> {
    if files.scene.is_some() {
        let words = "is a scene already; expected a folder beside --scene";
        return Err(Failure::at(&files.folder, words));
    }
    let name = files
        .folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let aside = files
        .folder
        .with_file_name(format!(".{name}.{}.crowd", std::process::id()));
    let made = crowd.run_into(
        library,
        &CrowdFiles {
            folder: aside.clone(),
            scene: Some(files.folder),
            ..files
        },
        run,
    );
    let _ = std::fs::remove_dir_all(aside); // none if nothing was made
    made
}

fn words(made: &CrowdMade, seconds: f64) -> String {
    format!(
        "{} characters for {seconds:.1} s in {:.1} s of work; no two nearer than {:.2} m, \
         obstacles no nearer than {:.2} m (radius {:.2} m)",
        made.characters.len(),
        made.compute_seconds,
        made.least_distance_m,
        made.least_clearance_m,
        made.radius_m
    )
}
