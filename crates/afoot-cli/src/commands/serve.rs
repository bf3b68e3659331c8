//! `serve`: the workbench, a page in the browser on a library.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use afoot::{BuildGraph, Failure, Import, Run, WriteSamples, make_folder};
use afoot_serve::{ServeOptions, serve as serve_page};
use clap::Args;
use serde_json::json;

use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArguments {
    /// The library; the sample library, with a tour, if none is given
    library: Option<PathBuf>,
    /// Port to listen on; 0 takes a free one
    #[arg(long, default_value_t = usual().port, value_name = "PORT")]
    port: u16,
    /// Address to listen on; others than loopback need --token
    #[arg(long, default_value_t = usual().address, value_name = "ADDRESS")]
    address: IpAddr,
    /// What callers have to know
    #[arg(long, value_name = "WORD")]
    token: Option<String>,
    /// A folder whose files may be imported by name; may be given several times
    #[arg(long = "folder", value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Largest file that may be uploaded [MB]
    #[arg(long, default_value_t = usual().largest_upload >> 20, value_name = "MB")]
    largest_upload: u64,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// What is served where nothing is said.
fn usual() -> ServeOptions {
    ServeOptions::of("")
}

const EXAMPLES: &str = "\
Examples:
  afoot serve lib.afoot --open
  afoot serve                      the sample library, with a short tour
  afoot serve lib.afoot --address 0.0.0.0 --token correct-horse";

pub fn serve(arguments: &ServeArguments, run: &Run, console: &Console) -> Outcome {
    let library = match &arguments.library {
        Some(library) => library.clone(),
        None => sample_library(run, console)?,
    };
    let options = ServeOptions {
        address: arguments.address,
        port: arguments.port,
        folders: arguments.folders.clone(),
        token: arguments.token.clone(),
        largest_upload: arguments.largest_upload << 20,
        tour: arguments.library.is_none(),
        ..ServeOptions::of(library)
    };
    serve_page(options, run, |url| {
        let told = json!({"url": url});
        // That nobody reads it does not keep others from opening the page.
        let _ = console.result(&told, |_| {
            format!("the workbench is at {url}  (Ctrl-C ends it)")
        });
        if arguments.open {
            open_in_browser(&url);
        }
    })
}

/// The sample library of this user, made at the first time.
fn sample_library(run: &Run, console: &Console) -> Result<PathBuf, Failure> {
    let folder = data_folder().join("afoot");
    let library = folder.join("sample.afoot");
    if library.exists() {
        return Ok(library);
    }
    console.say(format!("making the sample library, {}", library.display()));
    make_folder(&folder)?;
    let (clips, draft) = (
        folder.join("sample-clips"),
        folder.join("sample-draft.afoot"),
    );
    for ending in ["afoot", "afoot-wal", "afoot-shm", "afoot-ready"] {
        let _ = std::fs::remove_file(draft.with_extension(ending)); // what a broken run left
    }
    WriteSamples::default().run(&clips, run)?;
    let import = Import {
        paths: vec![clips.clone().into()],
        mirror: true,
        ..Import::default()
    };
    let (made, _) = import.run_into(&draft, run)?;
    BuildGraph::default().run(&made, run)?;
    drop(made);
    std::fs::rename(&draft, &library)?;
    let _ = std::fs::remove_dir_all(clips);
    Ok(library)
}

/// Where programs keep what is the user's.
fn data_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    from("XDG_DATA_HOME")
        .or_else(|| from("APPDATA"))
        .map(PathBuf::from)
        .or_else(|| from("HOME").map(|home| Path::new(&home).join(".local/share")))
        .unwrap_or_else(std::env::temp_dir)
}

/// Asks the system; where it can't, the address was printed.
fn open_in_browser(url: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let _ = std::process::Command::new(program).arg(url).spawn();
}
