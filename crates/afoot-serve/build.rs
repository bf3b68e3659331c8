//! Puts the built page (`make web`, into `front/dist`) into the program; a plain one where it was not built.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=front");
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let dist = root.join("front/dist");
    let mut files = Vec::new();
    collect(&dist, &mut files);
    files.sort();
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let mut table = String::from("pub(crate) static FILES: &[(&str, &[u8])] = &[\n");
    for (number, file) in files.into_iter().enumerate() {
        let name = file.strip_prefix(&dist).expect("it was found there");
        let name = name.to_string_lossy().replace('\\', "/");
        // A copy, so that the page can be built anew while the program is.
        let copy = format!("page-{number}");
        std::fs::copy(&file, out.join(&copy)).expect("the build folder can be written");
        let path = format!("/{copy}");
        writeln!(
            table,
            "    ({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), {path:?}))),"
        )
        .expect("text grows");
    }
    table.push_str("];\n");
    std::fs::write(out.join("files.rs"), table).expect("the build folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}
