//! Puts the runtime as WebAssembly (`make wasm`) into the library; nothing where it was not built, and
//! pages of steered characters can't be written then.

use std::path::PathBuf;

fn main() {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let built = root.join("../../integrations/web/dist/afoot.wasm");
    println!("cargo:rerun-if-changed={}", built.display());
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    let bytes = std::fs::read(built).unwrap_or_default();
    std::fs::write(out.join("afoot.wasm"), bytes).expect("the build folder can be written");
}
