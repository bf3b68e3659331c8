#!/usr/bin/env bash
# Builds the runtime as WebAssembly into integrations/web/dist, from where it goes into the program.
# Without the target it says so and builds nothing: pages of steered characters can't be written then.
set -euo pipefail
cd "$(dirname "$0")/.."
target=wasm32-unknown-unknown

say() { printf 'wasm: %s\n' "$*" >&2; }

have_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; }
if ! have_target && command -v rustup >/dev/null; then
  say "downloading Rust's libraries for $target with rustup: some 20 MB"
  rustup target add "$target" >/dev/null 2>&1 || true
fi
if ! have_target; then
  say "no $target here: the runtime for pages is not built (afoot bake then writes no pages)"
  exit 0
fi
# One unit and link-time optimisation: the page carries it, so it is to be small. Nothing is left in it for a debugger.
cargo rustc --quiet --locked --release --target "$target" -p afoot-c --lib --crate-type cdylib \
  --config 'profile.release.debug=false' --config 'profile.release.strip=true' --config 'profile.release.lto="thin"'
dist=integrations/web/dist
made="${CARGO_TARGET_DIR:-target}/$target/release/afoot_c.wasm"
mkdir -p "$dist"
# Only what changed is put there, so that the program isn't built anew for nothing.
cmp -s "$made" "$dist/afoot.wasm" || cp "$made" "$dist/afoot.wasm"
