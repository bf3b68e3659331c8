#!/usr/bin/env bash
# Our files as other programs read them: the Khronos glTF validator and Blender.
# A tool that can't be installed here is skipped, and that is said. What is downloaded is announced first.
set -euo pipefail
cd "$(dirname "$0")/.."
cache="${CARGO_TARGET_DIR:-target}/outside"
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
log="$cache/install.log"

skip() { printf 'skipped: %s\n' "$*"; }
announce() { [ -e "$1" ] || printf 'downloading %s\n' "$2"; }

cargo run --quiet --locked -p afoot-formats --example outside_fixture -- "$cache/fixture"

if command -v npm >/dev/null; then
  announce "$cache/node_modules/gltf-validator" "the glTF validator with npm: 0.4 MB"
  if [ -d "$cache/node_modules/gltf-validator" ] ||
     npm install --silent --no-fund --no-audit --prefix "$cache" gltf-validator@2.0.0-dev.3.10 >"$log" 2>&1; then
    NODE_PATH="$cache/node_modules" node scripts/check_gltf.cjs "$cache"/fixture/*.glb "$cache"/fixture/scene/*.glb
  else
    skip "the glTF validator could not be installed with npm (see $log)"
  fi
else
  skip "no npm here, so the glTF validator did not run"
fi

# Blender as a Python module exists for Python 3.11 only.
python=$(command -v python3.11 || command -v python3 || true)
if [ -n "$python" ] && "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
  announce "$cache/blender/bin/python" "Blender as a Python module with pip: 374 MB, nearly 1 GB unpacked"
  if [ -x "$cache/blender/bin/python" ] ||
     { "$python" -m venv "$cache/blender" && "$cache/blender/bin/pip" install --quiet bpy==5.0.1; } >"$log" 2>&1 &&
     "$cache/blender/bin/python" -c 'import bpy' >>"$log" 2>&1; then
    "$cache/blender/bin/python" scripts/check_blender.py "$cache/fixture"
    package="${CARGO_TARGET_DIR:-target}/python" # as check_python.sh leaves it
    if [ -d "$package/afoot" ]; then
      PYTHONPATH="$package" "$cache/blender/bin/python" integrations/blender/tests/test_addon.py
    else
      skip "the Python package was not built, so the add-on was not tried in Blender"
    fi
  else
    skip "Blender (pip's bpy) could not be installed (see $log)"
  fi
else
  skip "no Python 3.11 here, which Blender's module needs"
fi
