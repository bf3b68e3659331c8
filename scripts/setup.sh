#!/usr/bin/env bash
# Installs what building and testing Afoot needs and is not there yet, and says so.
# What is downloaded is announced with its size before it is.
# Source it (". scripts/setup.sh") so that the shell also finds what it installed.
#   AFOOT_SETUP=build   compiler and Rust only (default)
#   AFOOT_SETUP=test    the test runner as well
set -euo pipefail

MSRV_MINOR=89

say() { printf 'setup: %s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
    say "needs root to run: $*"; return 1
  fi
}

apt_install() {
  command -v apt-get >/dev/null || { say "please install: $*"; return 1; }
  say "installing with apt: $*"
  as_root apt-get update -qq
  DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# A working cargo, new enough? rustup's shims fail where HOME holds no toolchain.
rust_works() {
  local version
  version=$(rustc --version 2>/dev/null) && cargo --version >/dev/null 2>&1 || return 1
  [ "$(printf '%s' "$version" | sed -E 's/^rustc 1\.([0-9]+).*/\1/')" -ge "$MSRV_MINOR" ]
}

# Toolchains of a rustup whose home is not $HOME: they lie beside the shims.
find_rustup_home() {
  local shim home
  shim=$(command -v cargo) || return 0
  home=$(dirname "$(dirname "$(dirname "$shim")")")/.rustup
  if [ -d "$home/toolchains" ]; then export RUSTUP_HOME="$home"; fi
}

ensure_rust() {
  if [ -d "${CARGO_HOME:-$HOME/.cargo}/bin" ]; then PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"; fi
  rust_works && return
  [ -n "${RUSTUP_HOME:-}" ] || find_rustup_home
  rust_works && return
  command -v curl >/dev/null || apt_install curl ca-certificates
  say "downloading Rust with rustup (https://rustup.rs) into ${CARGO_HOME:-$HOME/.cargo}: some 150 MB, 700 MB unpacked"
  unset RUSTUP_HOME
  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal -c clippy -c rustfmt
  PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
  rust_works || { say "Rust 1.$MSRV_MINOR or newer is needed; see https://rustup.rs"; return 1; }
}

ensure_compiler() {
  command -v cc >/dev/null || apt_install build-essential
}

ensure_nextest() {
  cargo nextest --version >/dev/null 2>&1 && return
  say "downloading and building cargo-nextest with cargo: some 40 MB, a few minutes, once"
  cargo install --locked --quiet cargo-nextest
}

# Crates of Cargo.lock that are not here yet. Measured: 18 MB for 161 crates on Linux.
announce_crates() {
  [ -f Cargo.lock ] || return 0
  cargo fetch --locked --offline --target "$(rustc -vV | sed -n 's/^host: //p')" >/dev/null 2>&1 && return
  say "downloading the crates of Cargo.lock: some 20 MB, 150 MB unpacked"
}

ensure_compiler
ensure_rust
announce_crates
if [ "${AFOOT_SETUP:-build}" = test ]; then ensure_nextest; fi
export PATH
