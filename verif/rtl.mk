# RTL jobs: lint, simulation, proofs and placement, each with what it needs from PyPI.
# The targets can be narrowed to some modules: make rtl-test RTL="xgmii_rx xgmii_tx".

RTL_VENV := verif/.venv-rtl
RTL_PYTHON := $(RTL_VENV)/bin/python
RTL_PYTEST := $(RTL_PYTHON) -m pytest -q -c verif/rtl/pytest.ini
RTL ?=
# The folders of the tests that RTL names; all of them without.
RTL_TESTS = $(if $(RTL),$(addprefix verif/cocotb/,$(RTL)),verif/cocotb)

# What `make test` simulates: the blocks whose tests build and run in seconds.
RTL_IN_TEST := fifo skid_buffer ready_buffer frame_fifo tx_arbiter ab_arbiter packet_intake entry_builder xgmii_rx xgmii_tx fast_queue

.PHONY: rtl synth logic rtl-lint rtl-format rtl-test rtl-test-quick rtl-soak rtl-fuzz rtl-formal rtl-mutants rtl-synth rtl-generated

rtl: rtl-lint rtl-test rtl-formal ## Everything that must hold of the logic: lint, simulation, proofs
	@echo "make rtl: all passed"

logic: rtl-lint ## Of the logic what fits into `make test`: all lint, small blocks in simulation, both sides of the line
	SAKER_RTL_QUICK=1 $(RTL_PYTEST) $(addprefix verif/cocotb/,$(RTL_IN_TEST))
	$(MAKE) rtl-fuzz-rx rtl-fuzz-tx CASES=60 CASE=0

synth: rtl-synth ## Place every block: Fmax over five seeds and cells, as tables in docs/

rtl-lint: $(RTL_VENV)/.ready rtl-generated
	$(RTL_PYTHON) verif/rtl/lint.py $(RTL)

rtl-format: $(RTL_VENV)/.ready
	$(RTL_PYTHON) verif/rtl/lint.py --format $(RTL)

# Files that a script emits must be what the script emits, and seeded faults be where they were.
rtl-generated: $(RTL_VENV)/.ready
	$(RTL_PYTHON) verif/rtl/mutate.py --check
	$(RTL_PYTHON) verif/rtl/gen_crc32.py --check
	$(RTL_PYTHON) verif/rtl/gen_registers.py --check
	$(RTL_PYTHON) verif/rtl/gen_datapath.py --check

rtl-test: $(RTL_VENV)/.ready
	$(RTL_PYTEST) $(RTL_TESTS)

# The same tests with fewer random frames.
rtl-test-quick: $(RTL_VENV)/.ready rtl-lint
	SAKER_RTL_QUICK=1 $(RTL_PYTEST) $(RTL_TESTS)

# The same tests with other seeds, each told, so that what fails can be replayed with it.
ROUNDS ?= 10
rtl-soak: $(RTL_VENV)/.ready ## Simulation with ROUNDS new seeds
	@for round in $$(seq $(ROUNDS)); do \
		export SAKER_RTL_SEED=$$(od -An -N4 -tu4 /dev/urandom | tr -d ' '); \
		echo "SAKER_RTL_SEED=$$SAKER_RTL_SEED"; \
		$(RTL_PYTEST) $(RTL_TESTS) || exit 1; \
	done

# Verilated blocks beside their models in Rust: CASES random cases of each from CASE on. `make rtl-fuzz-book CASES=1
# CASE=17` plays one of one block again.
CASES ?= 10000
ifndef CASE
CASE := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
endif
RTL_FUZZED := rtl-fuzz-engine rtl-fuzz-entry rtl-fuzz-book rtl-fuzz-market rtl-fuzz-slots rtl-fuzz-order rtl-fuzz-rx rtl-fuzz-tx
.PHONY: $(RTL_FUZZED)
rtl-fuzz: $(RTL_FUZZED) ## Blocks of the logic beside their models, on CASES random cases
rtl-fuzz-engine rtl-conditions-engine: RTL_FUZZ_TOP := fast_engine
rtl-fuzz-entry rtl-conditions-entry: RTL_FUZZ_TOP := entry_builder
rtl-fuzz-book rtl-conditions-book: RTL_FUZZ_TOP := order_book_probe
rtl-fuzz-market rtl-conditions-market: RTL_FUZZ_TOP := market_probe
rtl-fuzz-slots rtl-conditions-slots: RTL_FUZZ_TOP := slots_probe
rtl-fuzz-order rtl-conditions-order: RTL_FUZZ_TOP := order_sender
rtl-fuzz-rx rtl-conditions-rx: RTL_FUZZ_TOP := rx_probe
rtl-fuzz-tx rtl-conditions-tx: RTL_FUZZ_TOP := net_tx
$(RTL_FUZZED): rtl-fuzz-%: $(RTL_VENV)/.ready
	$(RTL_PYTHON) verif/rtl/model.py $(RTL_FUZZ_TOP)
	$(CARGO) run --release --locked -q -p saker-cosim --example $*_fuzz -- $(CASES) $(CASE)

# Of which conditions of a block's modules, each wrong once, does its bench notice nothing? RTL=... for some modules.
RTL_CONDITIONS := $(subst rtl-fuzz,rtl-conditions,$(RTL_FUZZED))
.PHONY: $(RTL_CONDITIONS)
$(RTL_CONDITIONS): rtl-conditions-%: $(RTL_VENV)/.ready
	$(CARGO) build --release --locked -q -p saker-cosim --example $*_fuzz
	$(RTL_PYTHON) verif/rtl/conditions.py $(RTL_FUZZ_TOP) target/release/examples/$*_fuzz $(RTL)

# Do the tests notice seeded faults?
rtl-mutants: $(RTL_VENV)/.ready
	$(RTL_PYTHON) verif/rtl/mutate.py $(RTL)

rtl-formal: $(RTL_VENV)/.ready
	$(RTL_PYTHON) verif/formal/run.py $(RTL)

rtl-synth: $(RTL_VENV)/.ready
	$(RTL_PYTHON) verif/synth/run.py $(RTL)

$(RTL_VENV)/.ready: verif/requirements-rtl.txt
	python3 -m venv $(RTL_VENV)
	$(RTL_VENV)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# The verilated models that `saker … --engine rtl` loads. RTL_MODELS narrows them.
RTL_MODELS ?= net_loop trader_top
.PHONY: rtl-model
rtl-model: $(RTL_VENV)/.ready ## The trader in logic as a library, for saker … --engine rtl
	for top in $(RTL_MODELS); do $(RTL_PYTHON) verif/rtl/model.py $$top; done
