# The commands of the project. Everything works in .venv/ of the checkout; `make demo` and `make test` need nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
APT    := DEBIAN_FRONTEND=noninteractive apt-get

.PHONY: help demo test gvisor browser check fuzz bench bench-commands bench-clean bench-gate setup lock clean
help:
	@echo "make demo   set everything up, make a messy file and clean it"
	@echo "make test   set everything up and run all tests"
	@echo "make check  lint, types, layers"
	@echo "make fuzz   attack the readers of sandbox output, each for FUZZ_S seconds (6)"
	@echo "make bench  measure verdicts, throughput and the peers"
	@echo "make bench-commands  what whole commands cost, and what their imports cost"
	@echo "make bench-gate  what the gate catches, misses and wrongly rejects (ARGS=--local: without containers)"
	@echo "make setup  .venv, engine and sandbox image"
	@echo "make lock   pin the dependencies anew (needs uv)"

$(READY): requirements/dev.lock pyproject.toml
	@echo "==> Python packages into $(VENV) (locked, with hashes)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

setup: $(READY)
	@$(BIN)/cleanroom setup

demo: setup
	@$(BIN)/python examples/demo.py

# Four parts side by side, since much of the time is spent waiting for containers. The red team's progress is shown; the
# others report when all are done.
TESTS   := $(BIN)/python -m pytest -p no:cacheprovider
REDTEAM := tests/sandbox/test_redteam_attacks.py
LOGS    := $(VENV)/test-logs
test: setup gvisor browser
	@mkdir -p $(LOGS); rm -f $(LOGS)/*; \
	$(TESTS) -m "not docker" >$(LOGS)/1-without-containers 2>&1 & parts=$$!; \
	$(TESTS) -m "docker and not slow" >$(LOGS)/2-with-containers 2>&1 & parts="$$parts $$!"; \
	$(TESTS) -m "docker and slow" --ignore=$(REDTEAM) >$(LOGS)/3-slow 2>&1 & parts="$$parts $$!"; \
	$(TESTS) $(REDTEAM); failed=$$?; \
	for part in $$parts; do wait $$part || failed=1; done; \
	cat $(LOGS)/*; exit $$failed

# The second runtime is tested where its package can be had and the engine is one that setup started.
gvisor: setup
	@$(BIN)/cleanroom setup --runtime runsc || echo "no gVisor here: the tests that need it will say that they are skipped"

# The report is tested in a real browser.
browser:
	@command -v chromium >/dev/null || { echo "==> chromium, for the tests of the report"; $(APT) update -qq && $(APT) install -y -qq --no-install-recommends chromium >/dev/null; } || echo "no chromium here: the tests that need it will say that they are skipped"

check: $(READY)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# atheris is for x86-64 and not needed for anything else, so it has a lock and a folder of its own.
FUZZ_S ?= 6
FUZZER := $(VENV)/fuzz
FINDINGS := $(VENV)/fuzz-findings
FUZZ := PYTHONPATH=$(FUZZER) $(BIN)/python -m tests.fuzz.coverage_guided
$(FUZZER)/.ready: requirements/fuzz.lock $(READY)
	@rm -rf $(FUZZER)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --target $(FUZZER) -r requirements/fuzz.lock
	@touch $@

fuzz: $(FUZZER)/.ready
	@mkdir -p $(FINDINGS)
	@set -e; targets=$$($(FUZZ) 2>/dev/null) || { $(FUZZ); exit 1; }; for target in $$targets; do \
		echo "==> $$target"; log=$(FINDINGS)/$$target.log; \
		$(FUZZ) $$target $(FUZZ_S) $(FINDINGS) >$$log 2>&1 || { tail -40 $$log; exit 1; }; \
		grep executed_units $$log; done

# The peers bring other versions of this and that, so they have a virtual environment of their own.
PEERS := $(VENV)/peers
$(PEERS)/.ready: requirements/bench.lock $(READY)
	@echo "==> the benchmark's peers into $(PEERS) (locked, with hashes)"
	@rm -rf $(PEERS)
	@$(BIN)/python -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.lock
	@touch $@

bench: setup
	@$(MAKE) --no-print-directory $(PEERS)/.ready || echo "the peers cannot be installed here: figures without them"
	@$(BIN)/python -m benchmarks.sandbox $$(test -e $(PEERS)/.ready && echo --peers $(PEERS)/bin/python)

bench-commands: setup
	@$(BIN)/python -m benchmarks.commands

bench-batch: setup
	@$(BIN)/python -m benchmarks.batch

bench-clean: $(READY)
	@$(BIN)/python -u -m benchmarks.clean

bench-gate: setup
	@$(BIN)/python -m benchmarks.gate.bench $(ARGS)

lock:
	uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url pyproject.toml -o requirements/runtime.lock --custom-compile-command "make lock"
	uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url pyproject.toml --group dev -o requirements/dev.lock --custom-compile-command "make lock"
	uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url --group fuzz -o requirements/fuzz.lock --custom-compile-command "make lock"
	uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url pyproject.toml --extra bench -o requirements/bench.lock --custom-compile-command "make lock"

clean:
	rm -rf $(VENV) demo-out .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
