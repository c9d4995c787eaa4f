# The commands of the project. Everything works in .venv/ of the checkout; `make demo` and `make test` need nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# What running takes, and what developing takes besides.
INSTALLED := $(VENV)/.installed
READY  := $(VENV)/.ready
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# $(call install,PYTHON,LOCK): uv unpacks in seconds what takes pip minutes. Where pip is told of another index, or uv
# cannot be had here, pip does it.
install = { test -x $(BIN)/uv && ! $(BIN)/python -m pip config list | grep -E '\.(index-url|no-index)=' >/dev/null && \
	$(BIN)/uv pip install --quiet --python $(1) --no-deps --require-hashes -r $(2) 2>/dev/null; } || \
	$(1) -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes -r $(2)
APT    := DEBIAN_FRONTEND=noninteractive apt-get

.PHONY: help demo test gvisor browser postgresql azurite integrations check fuzz bench bench-commands bench-batch bench-clean bench-model bench-gate bench-service setup lock release test-integrations clean
help:
	@echo "make demo            set everything up, make a messy file, clean it and score the result"
	@echo "make test            set everything up and run all tests (CLEANROOM_SHARED_DATA: folder of the real data sets)"
	@echo "make check           check formatting, lint, types and the package layering"
	@echo "make fuzz            fuzz the readers of sandbox output, each for FUZZ_S seconds (6); property tests with new values"
	@echo "make bench           measure verdicts and throughput, beside other projects"
	@echo "make bench-commands  measure what whole commands cost, and what their imports cost"
	@echo "make bench-batch     measure how many containers a batch of verdicts uses per second"
	@echo "make bench-gate      measure what the gate catches, misses and wrongly rejects (ARGS=--local: without containers)"
	@echo "make bench-model     measure what prompts cost, and what several functions per answer save"
	@echo "make bench-clean     measure how well the built-in proposer cleans data whose right values are known"
	@echo "make bench-service   measure how quickly the service answers while it judges"
	@echo "make setup           install into .venv, start a container engine, build the sandbox image"
	@echo "make lock            pin the dependencies again"
	@echo "make release         build the wheel into dist/, with its SBOM (CycloneDX) and its provenance (in-toto)"
	@echo "make test-integrations  try the examples for schedulers, and az://, with the real packages in environments of their own"
	@echo "make clean           delete .venv and everything that these commands made"

# On a bare Debian or Ubuntu `cleanroom setup` will install these packages: they are downloaded meanwhile.
FETCH := test "$$(id -u)" = 0 && test -z "$$DOCKER_HOST$$DOCKER_CONTEXT" && test ! -S /var/run/docker.sock && \
	! command -v dockerd && command -v apt-get && $(APT) update -qq && \
	$(APT) install -y -qq --no-install-recommends --download-only docker.io mmdebstrap debian-archive-keyring

# Not compiled: Python compiles what is imported, and compiling all packages takes as long as unpacking them. Development
# needs it done, since in tests a warning is an error, also one that comes of compiling somebody else's module: of all
# but the packages' own tests, which are a seventh of it and which nobody imports.
$(INSTALLED): requirements/demo.lock pyproject.toml
	@echo "==> Python packages into $(VENV) (locked, with hashes)"
	@{ $(FETCH); } >/dev/null 2>&1 & fetching=$$!; \
	{ test -x $(BIN)/python || $(PYTHON) -m venv $(VENV); } && \
	{ $(PIP) --no-compile --require-hashes -r requirements/uv.lock || true; } && \
	{ $(call install,$(BIN)/python,requirements/demo.lock); } && $(PIP) --no-build-isolation --no-deps -e . && \
	{ wait $$fetching || true; } && touch $@

$(READY): requirements/dev.lock requirements/client.lock $(INSTALLED)
	@echo "==> packages for development into $(VENV) (locked, with hashes)"
	@$(call install,$(BIN)/python,requirements/dev.lock)
	@$(call install,$(BIN)/python,requirements/client.lock)
	@$(BIN)/python -W ignore -m compileall -q -j 0 -x '/tests/' $(VENV)/lib >/dev/null || true
	@touch $@

setup: $(INSTALLED)
	@$(BIN)/cleanroom setup

demo: setup
	@$(BIN)/python examples/demo.py

# Three parts at a time, the long ones first: most tests wait for containers much of the time, and so no processor is idle
# at the end. With more parts than that, two processors are so busy that limits of wall time are met by chance. Each
# part says how it ended; at the end all logs are shown, with the slowest tests of each.
# What Python compiled is kept, whatever the environment says of that: tests start hundreds of processes.
TESTS   := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -p no:cacheprovider --durations=25
REDTEAM := tests/sandbox/redteam/test_redteam_attacks.py
# Collecting a file imports it, and importing all takes as long as hundreds of tests: each part collects what it runs.
# A test that is marked in another file would be in no part, so tests/conftest.py refuses it.
marked  = $(shell grep -rl --include='test_*.py' 'mark\.$(1)\b' tests | sort)
# Folders whose tests without containers are a part of their own.
FOLDERS := gate run propose registry data
PARTS   := redteam gate propose slow others containers run registry data sandbox
redteam    = -m "docker and slow" $(REDTEAM)
slow       = -m "docker and slow" $(filter-out $(REDTEAM),$(call marked,slow))
containers = -m "docker and not slow" $(filter-out tests/sandbox/%,$(call marked,docker))
sandbox    = -m "docker and not slow" tests/sandbox --ignore=$(REDTEAM)
others     = -m "not docker" $(FOLDERS:%=--ignore=tests/%)
$(foreach folder,$(FOLDERS),$(eval $(folder) := -m "not docker" tests/$(folder)))
LOGS    := $(VENV)/test-logs
test: $(READY) setup gvisor browser postgresql
	@$(BIN)/python -W ignore -m compileall -q orchestrator sandbox_image
	@mkdir -p $(LOGS); rm -f $(LOGS)/*
	@failed=0; $(MAKE) --no-print-directory -k -j3 $(PARTS:%=part-%) || failed=1; \
	for part in $(PARTS); do echo "==> $$part"; cat $(LOGS)/$$part; done; exit $$failed

.PHONY: $(PARTS:%=part-%)
$(PARTS:%=part-%): part-%:
	@$(TESTS) $($*) >$(LOGS)/$* 2>&1; status=$$?; echo "$*: $$(tail -n 1 $(LOGS)/$*)"; exit $$status

# The second runtime is tested where its package can be had and the engine is one that setup started.
gvisor: setup
	@$(BIN)/cleanroom setup --runtime runsc || echo "no gVisor here: the tests that need it will say that they are skipped"

# The report is tested in a real browser.
browser:
	@command -v chromium >/dev/null || { echo "==> chromium, for the tests of the report"; $(APT) update -qq && $(APT) install -y -qq --no-install-recommends chromium >/dev/null; } || echo "no chromium here: the tests that need it will say that they are skipped"

# The registry is tested in a real PostgreSQL, which the tests start themselves.
postgresql:
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || { echo "==> postgresql, for the tests of the registry"; $(APT) update -qq && $(APT) install -y -qq --no-install-recommends postgresql >/dev/null; } || echo "no PostgreSQL here: the tests that need it will say that they are skipped"

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
	@$(PIP) --require-hashes --target $(FUZZER) -r requirements/fuzz.lock
	@touch $@

fuzz: $(FUZZER)/.ready
	@mkdir -p $(FINDINGS)
	@set -e; targets=$$($(FUZZ) 2>/dev/null) || { $(FUZZ); exit 1; }; for target in $$targets; do \
		echo "==> $$target"; log=$(FINDINGS)/$$target.log; \
		$(FUZZ) $$target $(FUZZ_S) $(FINDINGS) >$$log 2>&1 || { tail -40 $$log; exit 1; }; \
		grep executed_units $$log; done
	@$(TESTS) --hypothesis-profile=default -m "not docker" $$(grep -rl --include='*.py' '^from hypothesis' tests)

# The peers bring other versions of this and that, so they have a virtual environment of their own.
PEERS := $(VENV)/peers
$(PEERS)/.ready: requirements/bench.lock $(READY)
	@echo "==> the benchmark's peers into $(PEERS) (locked, with hashes)"
	@rm -rf $(PEERS)
	@$(BIN)/python -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.lock
	@touch $@

bench: $(READY) setup
	@$(MAKE) --no-print-directory $(PEERS)/.ready || echo "the peers cannot be installed here: figures without them"
	@$(BIN)/python -m benchmarks.sandbox $$(test -e $(PEERS)/.ready && echo --peers $(PEERS)/bin/python)

bench-commands: $(READY) setup
	@$(BIN)/python -m benchmarks.commands

bench-batch: $(READY) setup
	@$(BIN)/python -m benchmarks.batch

bench-model: $(READY)
	@$(BIN)/python -m benchmarks.prompt_size
	@$(BIN)/python -m benchmarks.recorded_session

bench-clean: $(READY)
	@$(BIN)/python -u -m benchmarks.clean

bench-gate: $(READY) setup
	@$(BIN)/python -m benchmarks.gate.bench $(ARGS)

bench-service: $(READY) setup
	@$(BIN)/python -m benchmarks.service_load

EXTRAS := $(addprefix --extra ,cluster excel mcp objects postgres service telemetry)
lock: $(INSTALLED)
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url pyproject.toml -o requirements/runtime.lock --custom-compile-command "make lock"
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url pyproject.toml $(EXTRAS) --extra documents --group dev -o requirements/dev.lock --custom-compile-command "make lock"
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url pyproject.toml $(EXTRAS) --group build -c requirements/dev.lock -o requirements/demo.lock --custom-compile-command "make lock"
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url --group installer -o requirements/uv.lock --custom-compile-command "make lock"
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url --group fuzz -o requirements/fuzz.lock --custom-compile-command "make lock"
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url --no-deps --group client -o requirements/client.lock --custom-compile-command "make lock"
	for name in airflow dbt prefect; do $(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url pyproject.toml --group $$name -c requirements/runtime.lock -o requirements/$$name.lock --custom-compile-command "make lock" || exit 1; done
	$(BIN)/uv pip compile -q --generate-hashes --python-version 3.11 --no-emit-index-url pyproject.toml --extra bench -o requirements/bench.lock --custom-compile-command "make lock"

# The SBOM is of what the wheel needs, as it is locked; both are made without the network.
release: $(READY)
	@rm -rf dist && mkdir dist
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .
	@$(BIN)/python -W ignore -m cyclonedx_py requirements requirements/runtime.lock --pyproject pyproject.toml \
		--output-reproducible --of JSON -o dist/cleanroom.cdx.json
	@$(BIN)/python .ci/provenance.py dist
	@ls dist

# Each scheduler in an environment of its own, beside the wheel of this checkout. One that cannot be installed here is
# skipped, with the reason.
INTEGRATIONS := $(VENV)/integrations
integrations: $(READY) azurite
	@rm -rf $(INTEGRATIONS)/wheel
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir $(INTEGRATIONS)/wheel .
	@for name in airflow dbt prefect; do \
		own=$(INTEGRATIONS)/$$name; echo "==> $$name into $$own"; \
		{ test -x $$own/bin/python || $(PYTHON) -m venv $$own; } && \
		{ $(call install,$$own/bin/python,requirements/$$name.lock); } && \
		$$own/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile --force-reinstall $(INTEGRATIONS)/wheel/*.whl || \
		{ rm -rf $$own; echo "$$name cannot be installed here: its test will say that it is skipped"; }; \
	done

test-integrations: setup integrations
	@$(TESTS) tests/examples/test_schedulers.py
	@$(TESTS) tests/data/places/test_objects.py tests/run/apply/test_apply_places.py -k "[az"

# az:// is tested with Azurite, which needs node; s3:// and gs:// are tested by `make test`, with a server in Python.
AZURITE := $(INTEGRATIONS)/azurite
azurite:
	@cmp -s requirements/azurite/package-lock.json $(AZURITE)/package-lock.json || { \
		echo "==> Azurite into $(AZURITE) (locked, with hashes)"; rm -rf $(AZURITE); mkdir -p $(AZURITE); \
		{ command -v npm >/dev/null || { $(APT) update -qq && $(APT) install -y -qq --no-install-recommends nodejs npm >/dev/null; }; } && \
		cp requirements/azurite/package.json requirements/azurite/package-lock.json $(AZURITE) && \
		npm ci --prefix $(AZURITE) --silent --ignore-scripts --no-audit --no-fund; \
	} || { rm -rf $(AZURITE); echo "no Azurite here: the tests that need it will say that they are skipped"; }

clean:
	rm -rf $(VENV) demo-out dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
