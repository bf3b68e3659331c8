//! `include/afoot.h` says what the sources say. `AFOOT_WRITE=1` writes it anew.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;

use cbindgen::{Builder, Config};

#[test]
fn the_header_is_what_the_sources_say() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = Config::from_file(here.join("cbindgen.toml")).unwrap();
    let sources = ["border", "pack", "character"].map(|name| here.join(format!("src/{name}.rs")));
    let builder = sources
        .iter()
        .fold(Builder::new().with_config(config), |all, file| {
            all.with_src(file)
        });
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let file = here.join("include/afoot.h");
    if std::env::var_os("AFOOT_WRITE").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == made,
        "afoot.h is not current: AFOOT_WRITE=1 cargo test -p afoot-c --test header"
    );
    assert!(made.matches("AfootResult afoot_").count() >= 7, "{made}");
}
