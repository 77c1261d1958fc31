# Fuzzing, included by the Makefile: a stable compiler and a C++ compiler are enough; for a long run a
# nightly one adds the address sanitizer.

# Seconds for all targets of one short run together.
FUZZ_SECONDS ?= 40
# Directories with a cargo-fuzz project: each target of each is run.
FUZZ_CRATES := crates/fast

.PHONY: fuzz-short fuzz-long

fuzz-short: ## Each fuzz target for a few seconds
	@verif/fuzz.sh $(FUZZ_SECONDS) $(FUZZ_CRATES)

fuzz-long: ## Each fuzz target for ten minutes, with the address sanitizer where there is a nightly compiler
	@FUZZ_EACH=600 FUZZ_SANITIZER=address verif/fuzz.sh 0 $(FUZZ_CRATES)
