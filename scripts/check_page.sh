#!/usr/bin/env bash
# The workbench in a real browser (web/tests/browser.mjs), and a steered character (integrations/web/tests), on the sample library.
# Skipped, and that is said, where Node.js or Chromium are missing; where CI is set Chromium is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() { printf 'skipped: %s\n' "$*"; exit 0; }

command -v node >/dev/null || skip "no Node.js here, so the workbench was not tried in a browser"
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
if [ -z "$browser" ] && [ -n "${CI:-}" ] && command -v apt-get >/dev/null; then
  echo "downloading Chromium with apt: some 75 MB and what it needs, 270 MB unpacked"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null || true
  browser=$(command -v chromium || true)
fi
[ -n "$browser" ] || skip "no Chromium here, so the workbench was not tried in a browser"
scripts/build_web.sh
[ -d web/node_modules ] || skip "the page's packages are not here"
# With the features of the whole workspace, as the tests before it built it.
cargo build --quiet --locked --workspace --bin afoot
target=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
steered() {
  local folder=$1 program="$target/debug/afoot" wasm=integrations/web/dist/afoot.wasm
  [ -s "$wasm" ] || { echo "skipped: the runtime for pages was not built"; return 0; }
  "$program" --quiet demo "$folder"
  node integrations/web/tests/runtime.mjs "$wasm" "$folder/hero.afootpack"
  local try=(node integrations/web/tests/steer.mjs "$folder/steer.html")
  CHROMIUM="$browser" "${try[@]}" || { echo "once more, as the machine may have been busy"; CHROMIUM="$browser" "${try[@]}"; }
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
steered "$folder"
cd web
try() { CHROMIUM="$browser" node tests/browser.mjs --binary "$target/debug/afoot"; }
# A browser that draws in software waits in vain now and then on a busy machine: what fails twice is a fault.
try || { echo "once more, as the machine may have been busy"; try; }
