#!/usr/bin/env bash
# Builds the workbench's page into crates/afoot-serve/front/dist, from where it goes into the program.
# Without Node.js 20 or newer it says so and builds nothing: the program then shows a plain page instead.
set -euo pipefail
cd "$(dirname "$0")/.."
dist=crates/afoot-serve/front/dist

say() { printf 'web: %s\n' "$*" >&2; }

node_works() {
  local version
  version=$(node --version 2>/dev/null) && command -v npm >/dev/null || return 1
  [ "$(printf '%s' "$version" | sed -E 's/^v([0-9]+).*/\1/')" -ge 20 ]
}

if ! node_works; then
  say "no Node.js 20 or newer with npm here: the workbench's page is not built (afoot serve then says how to)"
  exit 0
fi
if [ -f "$dist/index.html" ] &&
   [ -z "$(find web -path web/node_modules -prune -o -type f -newer "$dist/index.html" -print -quit)" ]; then
  exit 0
fi
if [ ! -d web/node_modules ] || [ web/package-lock.json -nt web/node_modules/.package-lock.json ]; then
  say "downloading the page's packages with npm: some 35 MB, 140 MB unpacked"
  # Not `npm ci`: it refuses a lock file that lacks builds for other platforms, which not every registry has.
  (cd web && npm install --silent --no-save --no-audit --no-fund)
fi
(cd web && npm run --silent build -- --logLevel warn)
touch "$dist/index.html"
