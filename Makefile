# Everything that is done with this checkout. `make demo` and `make test` need only git, make and Python 3.11.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PROTO_VENV := .venv-proto
COMPILED := .venv-compiled
# What is the same in a compiled build, and how it is compiled: quick, or 1 for speed.
COMPILED_TESTS := tests/compiled tests/arena tests/edge/test_stream.py tests/edge/test_wire.py tests/games tests/journal tests/match tests/protocol tests/record tests/wire
# What walls off processes, what looks after their memory, what people read, and games of other packages are compiled nowhere.
COMPILED_TESTS += --ignore tests/arena/processes/isolation --ignore tests/arena/processes/test_collector.py --ignore tests/games/test_stages.py --ignore tests/games/outside
HOW ?= quick
# Two processes share the list from both ends: that is where the longest stand.
TESTS_THAT_MEASURE := tests/cli/test_kill.py tests/cli/test_conformance.py tests/torture tests/edge/test_intruders.py tests/cli/serve/test_serve_restart.py \
	tests/clients/foreign/test_doctor.py tests/clients/foreign/test_trouble.py tests/doctor/test_gallery.py tests/gym/test_encodings.py
# How long to try mutants.
MINUTES ?= 60
BREAKING_AGAINST := $(shell git describe --tags --abbrev=0 2>/dev/null)

# Tests start hundreds of processes, and each process that runs tests collects them all: nobody compiles again what is compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test test-all quick affected compiled same torture mutants clients check docs proto reference texts drift breaking bench counts kill order day lanes projects rehearse release audit clean

help:  ## Say what can be made.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ordago needs Python 3.11 or later: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

$(PROTO_VENV)/.installed:
	$(PYTHON) -m venv $(PROTO_VENV)
	$(PROTO_VENV)/bin/python -m pip install --quiet --disable-pip-version-check grpcio-tools==1.76.0 setuptools
	touch $@

demo: $(VENV)/.installed  ## Play an event over gRPC, in all games and with bots in all languages, and show its ladder.
	-@$(BIN)/python tools/foreign_clients.py build --quick
	$(BIN)/python tools/demo_event.py tournaments/events/demo.toml out/demo.toml
	$(BIN)/ordago run out/demo.toml

# Tests wait more than they work, so three processes share them, also on two cores, the slow files first, but for those
# that measure times: these lie in tests/torture, and no others are collected for them.
SHARED := $(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder
ALONE := $(BIN)/pytest tests/torture -m alone

test: $(VENV)/.installed  ## Run all tests but for torture, those of the SDKs where these or the contract have changed.
	-@if $(BIN)/python tools/affected.py foreign 2>/dev/null; then $(BIN)/python tools/foreign_clients.py build; fi
	$(SHARED) -m "not torture$$($(BIN)/python tools/affected.py foreign || echo ' and not foreign')"
	@$(BIN)/python tools/affected.py passed

# What cannot be built for want of something is left out with a line that says so. What cannot be built otherwise holds up
# no other test, and is a test that fails.
test-all: $(VENV)/.installed  ## Run all tests, those that kill and load among them, and those of the SDKs as far as their languages are on the machine.
	-@$(BIN)/python tools/foreign_clients.py build
	$(SHARED) -m 'not alone'
	$(ALONE)
	@$(BIN)/python tools/affected.py passed

quick: $(VENV)/.installed  ## Run the tests that take little, without a browser, PostgreSQL, and bots in other languages.
	$(SHARED) -m 'not (browser or foreign or postgresql or slow or torture)'

# What the checkout is compared with.
SINCE ?= HEAD
affected: $(VENV)/.installed  ## Run the tests that concern what was changed and not committed, or changed since SINCE.
	@tests=$$($(BIN)/python tools/affected.py tests --since $(SINCE)) && if [ -n "$$tests" ]; \
	then $(BIN)/pytest --numprocesses 2 --dist loadfile -m 'not torture and not foreign' $$tests; else echo "nothing was changed"; fi

# A wheel in an environment of its own, which has all but Ordago from the other one. It is built before that, by what the
# build itself asks for and nothing else.
COMPILERS := compiled_modules.py compiling.py wheel_contents.py
$(COMPILED)/.installed: $(VENV)/.installed $(shell find server -name '*.py') $(addprefix tools/,$(COMPILERS))
	rm -rf out/wheels $(COMPILED)
	$(BIN)/python -m venv $(COMPILED)
	ORDAGO_COMPILE=$(HOW) $(COMPILED)/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir out/wheels .
	$(COMPILED)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps out/wheels/*.whl
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
		>"$$($(COMPILED)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/others.pth"
	touch $@

# What writes beside its memory, or into what was let go of, ends the process where Python looks at the edges of it.
compiled: $(COMPILED)/.installed  ## Compile the pure layers, and run their tests compiled. For speed: HOW=1.
	PYTHONMALLOC=debug $(COMPILED)/bin/python -m pytest $(COMPILED_TESTS) --compiled --numprocesses 2 --dist loadfile --no-loadscope-reorder

MATCHES ?= 10000
same: $(COMPILED)/.installed  ## Play MATCHES of each game, 10000 if unsaid, plain and compiled, and compare the records.
	$(COMPILED)/bin/python tools/same_records.py --matches $(MATCHES)

torture: $(VENV)/.installed  ## Run the tests that measure in their long form, and print their figures.
	$(BIN)/pytest $(TESTS_THAT_MEASURE) --torture --timeout 3600 -m 'not alone' --numprocesses 2 --dist worksteal
	$(BIN)/pytest $(TESTS_THAT_MEASURE) --torture --timeout 3600 -m alone --ignore tests/torture/test_day.py --ignore tests/torture/test_lanes.py --ignore tests/torture/test_visitors.py

$(VENV)/.mutants: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mutants]'
	touch $@

mutants: $(VENV)/.mutants  ## Break the code in small ways for MINUTES, 60 if unsaid, and list what no test notices.
	nice $(BIN)/python tools/mutants.py --minutes $(MINUTES)

clients: $(VENV)/.installed  ## Build the bots in other languages, as far as these are on the machine.
	$(BIN)/python tools/foreign_clients.py build

check: $(VENV)/.installed drift breaking docs  ## Lint, format, types, layers, contract, whether the stubs are those of the contract, and the documentation.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/buf lint proto
	$(BIN)/buf format --diff --exit-code proto

# From nothing, since a page that is gone would stay.
docs: $(VENV)/.installed  ## Build the documentation site into out/docs, which a site then shows. Warnings are errors.
	rm -rf out/docs
	$(BIN)/sphinx-build --fresh-env --fail-on-warning --quiet --builder dirhtml --conf-dir docs --doctree-dir out/doctrees . out/docs

# The generator lives in an environment of its own, since its protobuf is older than the one that Ordago is tested with.
proto: $(PROTO_VENV)/.installed $(VENV)/.installed  ## Generate the stubs anew, for all languages that are on the machine.
	$(PROTO_VENV)/bin/python tools/generate_stubs.py server
	$(BIN)/python tools/foreign_clients.py generate
	PYTHONPATH=tools $(BIN)/python -m facts
	PYTHONPATH=tools $(BIN)/python -m faces
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/openapi.py
	$(BIN)/python tools/transcripts.py
	$(BIN)/python tools/decision_vectors.py

reference: $(VENV)/.installed  ## Write the reference of all messages, and the description of the JSON interface, anew.
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/openapi.py

texts: $(VENV)/.installed  ## Write the catalogue of the texts of all pages anew, from templates and code.
	$(BIN)/python tools/texts.py

drift: $(PROTO_VENV)/.installed $(VENV)/.installed
	$(PROTO_VENV)/bin/python tools/generate_stubs.py --check server
	$(BIN)/python tools/foreign_clients.py drift
	PYTHONPATH=tools $(BIN)/python -m facts --check
	PYTHONPATH=tools $(BIN)/python -m faces --check
	$(BIN)/python tools/reference.py --check
	$(BIN)/python tools/texts.py --check
	$(BIN)/python tools/openapi.py --check
	$(BIN)/python tools/transcripts.py --check
	$(BIN)/python tools/decision_vectors.py --check

# Reports until 1.0, fails from then on.
breaking: $(VENV)/.installed
ifeq ($(BREAKING_AGAINST),)
	@echo "buf breaking: there is no release to compare with yet"
else
	-$(BIN)/buf breaking proto --against '.git#tag=$(BREAKING_AGAINST),subdir=proto'
endif

bench: $(VENV)/.installed  ## Measure the server beside bare gRPC echoes.
	$(BIN)/ordago bench server

counts: $(VENV)/.installed  ## Count the instructions of fixed workloads by valgrind, and fail where one has grown.
	nice $(BIN)/python tools/counts.py

kill: $(VENV)/.installed  ## Kill a run ten times and compare its ladder with that of an undisturbed one.
	$(BIN)/pytest tests/cli/test_kill.py --kills 10 --timeout 3600

order: $(VENV)/.installed  ## Play bots of known order, and neighbouring levels of the house, and see whether the order is found.
	$(BIN)/pytest tests/torture/test_known_order.py tests/torture/test_level_order.py --torture --timeout 36000 --numprocesses 2

day: $(VENV)/.installed  ## Play a day of a standing ladder in twenty minutes, with kills, and one of visitors of a site in ten.
	$(BIN)/pytest tests/torture/test_day.py --torture --timeout 3600
	$(BIN)/pytest tests/torture/test_visitors.py --torture --minutes 10

lanes: $(VENV)/.installed  ## Let 3,000 bots play at three servers of one ladder, and kill these and their database.
	$(BIN)/pytest tests/torture/test_lanes.py --torture --timeout 3600

rehearse: $(VENV)/.installed  ## Build the packages, publish them on this machine, and install them as strangers do. Compiled: HOW=1; with tests: TESTS=1; an upgrade: UPGRADE=1; SDKs: LANGUAGES=go.
	PYTHONPATH=tools $(BIN)/python -m rehearsal $(if $(filter command line,$(origin HOW)),--compile $(HOW)) $(if $(TESTS),--tests) $(if $(UPGRADE),--upgrade) --languages $(LANGUAGES)

$(VENV)/.release: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[release]'
	touch $@

release: $(VENV)/.release  ## Prepare a release into out/release/VERSION: commit and tags in a clone, archives, checksums, bill of materials.
	@$(BIN)/python tools/release.py $(VERSION)

# Each asks a database of vulnerabilities, and what cannot be reached counts as a failure: nobody takes silence for a clean bill.
audit: $(VENV)/.release  ## Ask the databases of vulnerabilities about all dependencies.
	@failed=; try() { echo "$$2"; (cd $$1 && $$2) || failed="$$failed\n$$2"; }; \
	try . "$(BIN)/pip-audit --strict --skip-editable"; \
	try clients/typescript "npm audit --omit dev"; \
	try clients/go "go run golang.org/x/vuln/cmd/govulncheck@latest ./..."; \
	try clients/rust "cargo audit"; \
	[ -z "$$failed" ] || { printf "failed, or its data cannot be had:$$failed\n" >&2; exit 1; }

projects: $(VENV)/.installed  ## Begin a bot in every language that is on the machine, build it, let the doctor examine it, and play an event.
	$(BIN)/pytest tests/clients/foreign/test_new_project.py tests/clients/foreign/test_projects_in_events.py --torture --timeout 3600

clean:  ## Remove everything that was made.
	rm -rf $(VENV) $(PROTO_VENV) $(COMPILED) out .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf clients/go/bin clients/rust/target clients/java/target clients/cpp/build
	rm -rf clients/typescript/dist clients/typescript/dist-tests clients/typescript/node_modules clients/typescript/*/node_modules
