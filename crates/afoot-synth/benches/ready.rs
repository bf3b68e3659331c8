//! What a request costs on libraries of several sizes whose graphs stand: opened, then searched.
//!
//!     AFOOT_LIBRARIES=ten.afoot,hour.afoot cargo bench -p afoot-synth --bench ready
//!
//! Each library's tables are made before anything is timed. Libraries are not made here: the graph of
//! an hour takes a minute, that of two hours four.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use afoot_codec::{CodecError, FlatWriter};
use afoot_library::{GraphStoreError, Library, LibraryGraph};
use afoot_run::Run;
use afoot_synth::{
    ControlOptions, ControlTable, FollowOptions, GroundPath, Repertoire, RepertoireError,
    WanderOptions, find_walk, wander,
};
use divan::Bencher;

static LIBRARIES: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
    let named = std::env::var("AFOOT_LIBRARIES").unwrap_or_default();
    let named = named.split(',').filter(|name| !name.is_empty());
    named.map(PathBuf::from).collect()
});

fn main() {
    if LIBRARIES.is_empty() {
        println!("skipped: AFOOT_LIBRARIES names no libraries");
        return;
    }
    LIBRARIES.iter().for_each(|path| drop(open(path)));
    divan::main();
}

#[derive(Debug)]
#[allow(dead_code)] // shown where it fails
enum Unready {
    Graph(GraphStoreError),
    Clips(RepertoireError),
    Tables(CodecError),
}

impl From<GraphStoreError> for Unready {
    fn from(error: GraphStoreError) -> Self {
        Self::Graph(error)
    }
}

impl From<CodecError> for Unready {
    fn from(error: CodecError) -> Self {
        Self::Tables(error)
    }
}

fn open(path: &Path) -> Repertoire {
    let mut library = Library::open(path).unwrap();
    let make = |built: LibraryGraph| -> Result<FlatWriter, Unready> {
        let made = Repertoire::of_level(built.graph, built.clips);
        Ok(made.map_err(Unready::Clips)?.to_tables())
    };
    let tables = library.tables_of_graph(Repertoire::TABLES, &Run::quiet(), make);
    Repertoire::from_tables(&tables.unwrap().value).unwrap()
}

/// Nine metres: some seventeen seconds of unhurried walking.
fn ellipse() -> GroundPath {
    let point = |step: u32| {
        let angle = f64::from(step) / 120.0 * std::f64::consts::TAU;
        [1.9 * angle.sin(), 1.0 - angle.cos()]
    };
    GroundPath::new((0..=120).map(point).collect()).unwrap()
}

fn numbers() -> std::ops::Range<usize> {
    0..LIBRARIES.len()
}

#[divan::bench(args = numbers())]
fn opening(bencher: Bencher, number: usize) {
    bencher.bench(|| open(&LIBRARIES[number]));
}

#[divan::bench(args = numbers())]
fn following_an_ellipse(bencher: Bencher, number: usize) {
    let (repertoire, path) = (open(&LIBRARIES[number]), ellipse());
    let options = FollowOptions::default();
    bencher.bench(|| find_walk(&repertoire, &path, &options).unwrap());
}

#[divan::bench(args = numbers())]
fn wandering_twenty_seconds(bencher: Bencher, number: usize) {
    let repertoire = open(&LIBRARIES[number]);
    let options = WanderOptions {
        seconds: 20.0,
        ..WanderOptions::default()
    };
    bencher.bench(|| wander(&repertoire, &options).unwrap());
}

/// Made once and kept with the graph.
#[divan::bench(args = numbers(), sample_count = 1)]
fn control_table(bencher: Bencher, number: usize) {
    let repertoire = open(&LIBRARIES[number]);
    let options = ControlOptions::default();
    bencher.bench(|| ControlTable::new(&repertoire, &options, &Run::quiet()).unwrap());
}
