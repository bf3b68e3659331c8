#!/usr/bin/env bash
# Builds the Python package, installs it into a fresh environment, and tests it there.
#   AFOOT_PROFILE=release   as people get it (default: dev, as the other tests are built)
set -euo pipefail
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-target}"
tools="$target/python-tools"
say() { printf 'python: %s\n' "$*" >&2; }

if ! "$tools/bin/maturin" --version >/dev/null 2>&1; then
  say "downloading maturin, numpy and pytest with pip: some 30 MB, once"
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2'
fi

rm -rf "$target/wheels"
"$tools/bin/maturin" build --quiet --locked --profile "${AFOOT_PROFILE:-dev}" --out "$target/wheels" \
  --manifest-path crates/afoot-python/Cargo.toml
[ "${1:-}" = build ] && { ls "$target"/wheels/*.whl; exit; }

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python3 -m venv "$fresh/venv"
"$fresh/venv/bin/pip" install --quiet --disable-pip-version-check "$target"/wheels/*.whl pytest
"$fresh/venv/bin/python" scripts/make_python_requests.py --check
"$fresh/venv/bin/python" -m pytest -q crates/afoot-python/tests "$@"
