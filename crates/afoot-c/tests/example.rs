//! The example in C, compiled and run: as it is, and where that is to be had with a check of every access.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use afoot_fixtures::{Folder, note_skip};
use afoot_graph::{GraphOptions, build_graph};
use afoot_run::Run;
use afoot_runtime::{BakeOptions, bake};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{ControlOptions, ControlTable, Repertoire};

/// What this test was built with; it lies beside it.
fn library() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    own.with_file_name("libafoot_c.a")
}

fn write_pack(file: &Path) {
    let clips = &sample_library(&SampleOptions::default())[..3];
    let run = Run::quiet();
    let (graph, _) = build_graph(clips, &GraphOptions::default(), &run).unwrap();
    let repertoire = Repertoire::new(graph, clips).unwrap();
    let table = ControlTable::new(&repertoire, &ControlOptions::default(), &run).unwrap();
    let baked = bake(&repertoire, &table, &BakeOptions::default()).unwrap();
    std::fs::write(file, (*baked.bytes).as_ref()).unwrap();
}

/// Compiles the example; `None` where there is no compiler, or none that checks accesses.
fn compile(folder: &Path, flags: &[&str]) -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.join(format!("steer{}", flags.len()));
    let compiled = Command::new("cc")
        .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-g"])
        .args(flags)
        .arg("-I")
        .arg(here.join("include"))
        .arg(here.join("examples/steer.c"))
        .arg(library())
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output()
        .ok()?;
    let words = String::from_utf8_lossy(&compiled.stderr).into_owned();
    let unchecked = !flags.is_empty() && (words.contains("asan") || words.contains("sanitize"));
    assert!(compiled.status.success() || unchecked, "{words}");
    compiled.status.success().then_some(program)
}

#[test]
fn the_example_steers_characters_and_touches_nothing_else() {
    let folder = Folder::new("afoot-c");
    let pack = folder.path().join("hero.afootpack");
    write_pack(&pack);
    for flags in [&[][..], &["-fsanitize=address"]] {
        let Some(program) = compile(folder.path(), flags) else {
            note_skip(&format!("no C compiler for {flags:?} here"));
            continue;
        };
        let run = |arguments: [&str; 3]| Command::new(&program).args(arguments).output().unwrap();
        let ran = run([pack.to_str().unwrap(), "12", "4"]);
        let words = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{flags:?}: {words}");
        let told = String::from_utf8_lossy(&ran.stdout);
        assert!(told.contains("\"characters\": 12"), "{told}");
        let cut = folder.path().join("cut.afootpack");
        let bytes = std::fs::read(&pack).unwrap();
        std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
        let refused = run([cut.to_str().unwrap(), "1", "1"]);
        let words = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{words}");
        assert!(words.contains("baked character"), "{words}");
    }
}
