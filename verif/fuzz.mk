# Fuzzing. Included by the Makefile; needs a nightly compiler and cargo-fuzz, and says so and
# passes where they cannot be had.

CARGO_FUZZ_VERSION := 0.13.1
# Seconds for all targets of one short run together.
FUZZ_SECONDS ?= 60
# Directories with a cargo-fuzz project: each target of each is run.
FUZZ_CRATES := crates/fast

.PHONY: fuzz-short fuzz-long

fuzz-short: ## Each fuzz target for a few seconds (skipped without a nightly compiler)
	@verif/fuzz.sh $(FUZZ_SECONDS) $(CARGO_FUZZ_VERSION) $(FUZZ_CRATES)

fuzz-long: ## Each fuzz target for ten minutes
	@FUZZ_EACH=600 verif/fuzz.sh 0 $(CARGO_FUZZ_VERSION) $(FUZZ_CRATES)
