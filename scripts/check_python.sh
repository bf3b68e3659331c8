#!/usr/bin/env bash
# Afoot for Python.
#   check_python.sh         tests the package as the tests' own build has it, where Python and pip are at hand
#   check_python.sh wheel   builds the wheel that people install, into target/wheels
set -euo pipefail
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-target}"
tools="$target/python-tools"
say() { printf 'python: %s\n' "$*" >&2; }
skip() { printf 'skipped: %s\n' "$*"; exit 0; }

command -v python3 >/dev/null && python3 -c 'import venv, ensurepip' 2>/dev/null || skip "no Python with venv and pip here"
install() {
  [ -x "$tools/bin/python" ] || python3 -m venv "$tools"
  "$tools/bin/python" -c "import $1" 2>/dev/null && return
  say "downloading $2 with pip: some $3 MB, once"
  "$tools/bin/pip" install --quiet --disable-pip-version-check $2
}

if [ "${1:-}" = wheel ]; then
  install maturin 'maturin>=1.9,<2' 10
  rm -rf "$target/wheels"
  "$tools/bin/maturin" build --quiet --locked --release --out "$target/wheels" --manifest-path crates/afoot-python/Cargo.toml
  ls "$target"/wheels/*.whl
  exit
fi

install 'numpy, pytest' 'numpy pytest' 20 || skip "numpy and pytest could not be installed with pip"
cargo build --quiet --locked --workspace --lib
package="$target/python"
rm -rf "$package"
mkdir -p "$package"
cp -r crates/afoot-python/python/afoot "$package/"
cp "$target/debug/lib_afoot.so" "$package/afoot/_afoot.abi3.so"
PYTHONPATH="$package" "$tools/bin/python" scripts/make_python_requests.py --check
PYTHONPATH="$package" "$tools/bin/python" -m pytest -q -p no:cacheprovider -W ignore::UserWarning crates/afoot-python/tests
