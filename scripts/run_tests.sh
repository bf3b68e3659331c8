#!/usr/bin/env bash
# Runs the whole test suite, then names the tests that tested nothing, for lack of captured clips or a tool.
set -uo pipefail
cd "$(dirname "$0")/.."
skipped=$(mktemp)
trap 'rm -f "$skipped"' EXIT

AFOOT_SKIPPED="$skipped" cargo nextest run --workspace --locked --no-fail-fast "$@"
status=$?

sort -u "$skipped" -o "$skipped"
count=$(wc -l <"$skipped")
if [ "$count" -gt 0 ]; then
  printf '%s tests were skipped for lack of captured clips (AFOOT_CMU names their folder) or of a tool:\n' "$count"
  sed 's/^/  /' "$skipped"
else
  echo "no test was skipped"
fi
exit "$status"
