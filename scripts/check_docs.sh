#!/usr/bin/env bash
# Every link to code in the documentation leads somewhere. Units stand in brackets ("[m, > 0]"), which
# rustdoc takes for links too: those are let through, links to code have backticks ([`Clip`]).
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTDOCFLAGS="${RUSTDOCFLAGS:-} -W rustdoc::broken_intra_doc_links"
told=$(cargo doc --no-deps --workspace --locked --quiet 2>&1) || { printf '%s\n' "$told" >&2; exit 1; }
wrong=$(printf '%s\n' "$told" | awk '
  /^(warning|error)/ { head = $0; unit = /unresolved link to/; if (!unit && !/generated [0-9]+ warning/) print; next }
  unit && /^ *-->/ { place = $2 }
  unit && /^ *[0-9]+ \|.*\[`/ { name = head; sub(/.*link to `/, "", name); sub(/`$/, "", name)
    if (index($0, "[`" name)) print place ": " head }')
if [ -n "$wrong" ]; then printf '%s\n' "$wrong" >&2; exit 1; fi
