# saker: every job is one target, and each installs what it needs on first use.
# A fresh machine needs Rust (stable, 1.95 or newer), Python 3.11 and make.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

CARGO ?= cargo
PYTHON ?= python3
VENV := verif/.venv
SAKER := target/release/saker
# Captures and test suites of others; tests that need them are skipped where they are absent.
SAKER_DATA ?= $(wildcard ../shared/data)
export SAKER_DATA := $(if $(SAKER_DATA),$(abspath $(SAKER_DATA)))
OUT ?= out

.PHONY: help demo test check bench build unit acceptance clean

help: ## Say what each target does
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: build ## Watch a tick become an order: the whole market in one virtual world, with its report
	$(SAKER) demo --out $(OUT)/demo

test: check unit fuzz-short acceptance logic ## Everything that must hold: lints, unit and property tests, a short fuzz run, the program against outside tools, the logic's lint, small blocks and both sides of the line
	@echo "make test: all passed"

check: ## Formatting and lints
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

unit: ## Unit, property, differential and whole-world tests
	$(CARGO) test --workspace --locked

acceptance: build $(VENV)/.ready ## The built program, judged by independent scripts and scapy
	$(VENV)/bin/python -m pytest -q verif/tests

bench: build ## Every figure of docs/BENCHMARKS.md, beside its peer
	@verif/bench.sh

build: ## The `saker` program
	$(CARGO) build --release --locked -p saker-cli

$(VENV)/.ready: verif/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

clean: ## Remove what was built
	$(CARGO) clean
	rm -rf $(VENV) $(OUT) verif/.venv-rtl verif/build

include verif/fuzz.mk verif/rtl.mk
