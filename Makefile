# Two commands: `make demo` shows the product, `make test` checks it. Both set up what they need, and say
# what they download, and how large it is, before they do.
SHELL := /bin/bash
BUILD := . scripts/setup.sh &&
TEST := AFOOT_SETUP=test && export AFOOT_SETUP && . scripts/setup.sh &&

# A clone that is built once has no use for what makes the next build quicker: a third of the build's 6 GB.
ifneq ($(CI),)
export CARGO_INCREMENTAL := 0
endif

.PHONY: demo test lint bench check-tools check-page check-python python web wasm help

help:
	@echo "make demo         build Afoot, make the sample library, show the product on it (into ./demo)"
	@echo "make test         formatting, lints, the whole test suite; where CI is set, check-tools too"
	@echo "make web          build the workbench's page, which goes into the program (needs Node.js)"
	@echo "make wasm         build the runtime for pages, which goes into the program (needs Rust's wasm32-unknown-unknown)"
	@echo "make check-page   the workbench in a real browser, where Node.js and Chromium are at hand"
	@echo "make python       build the Python package's wheel (into target/wheels)"
	@echo "make check-python the Python package's tests, where Python is at hand"
	@echo "make lint         formatting, lints and documentation links alone"
	@echo "make bench        benchmarks, as ratios within one run"
	@echo "make check-tools  files as other tools read them (glTF validator, Blender), where installable;"
	@echo "                  downloads some 0.4 GB once"

web:
	@scripts/build_web.sh

wasm:
	@$(BUILD) scripts/build_wasm.sh

demo: web wasm
	@$(BUILD) cargo build --release --locked -p afoot-cli
	@$(BUILD) "$${CARGO_TARGET_DIR:-target}/release/afoot" demo demo

lint:
	@$(BUILD) cargo fmt --all --check
	@$(BUILD) cargo clippy --workspace --all-targets --locked -- -D warnings
	@$(BUILD) scripts/check_docs.sh

test: web wasm lint
	@$(TEST) scripts/run_tests.sh
	@$(TEST) cargo test --workspace --locked --doc --quiet
	@$(BUILD) scripts/check_python.sh
	@$(BUILD) scripts/check_page.sh
	@if [ -n "$${CI:-}" ]; then $(MAKE) --no-print-directory check-tools; \
	else echo "not run: make check-tools (glTF validator, Blender; some 0.4 GB to download once; runs where CI is set)"; fi

bench:
	@$(BUILD) cargo bench --workspace --locked

python:
	@$(BUILD) scripts/check_python.sh wheel

check-python:
	@$(BUILD) scripts/check_python.sh

check-page:
	@$(BUILD) scripts/check_page.sh

check-tools:
	@$(BUILD) scripts/check_tools.sh
