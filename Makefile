# Every target sets itself up: a fresh machine needs Python 3.11+, git and make, nothing else.
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SERVERS := $(VENV)/.servers
PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help setup servers demo test test-slow check format docs clean
.PHONY: check-format check-lint check-types check-directions check-sizes check-schema check-docs
.NOTPARALLEL:

help:
	@echo "make demo       set up, index this repository and print real answers"
	@echo "make test       set up and run the tests"
	@echo "make test-slow  the tests that take minutes"
	@echo "make check      set up and run every gate: format, lint, types, directions, sizes, schema, docs"
	@echo "make format     put the code into the shape that make check asks for"
	@echo "make docs       write the command output and the recording in the documentation anew"
	@echo "make servers    install the language servers that some tests run"
	@echo "make setup      only create $(VENV) and install into it"

setup: $(STAMP)

$(STAMP): pyproject.toml
	@echo "==> installing recollect and its development tools into $(VENV)"
	@tools/environment $(PYTHON) $(VENV)
	@touch $(STAMP)

servers: $(SERVERS)

$(SERVERS): $(STAMP) tools/servers
	@echo "==> installing language servers for the tests"
	@tools/servers $(VENV)
	@touch $(SERVERS)

demo: $(STAMP)
	@echo "==> recollect index"
	@$(BIN)/recollect index
	@echo
	@echo "==> recollect search \"how is a changed file noticed\" --limit 3"
	@$(BIN)/recollect search "how is a changed file noticed" --limit 3
	@echo
	@echo "==> recollect impact RecollectError --depth 1"
	@$(BIN)/recollect impact RecollectError --depth 1

test: $(STAMP)
	@echo "==> running the tests, but for the slow ones"
	@PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest -m "not slow" $(ARGS)

test-slow: $(STAMP)
	@echo "==> running the slow tests"
	@PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest -m slow $(ARGS)

check: check-format check-lint check-types check-directions check-sizes check-schema check-docs

check-format: $(STAMP)
	@echo "==> format"
	@$(BIN)/ruff format --check --output-format=concise . || { echo "Run make format."; exit 1; }

check-lint: $(STAMP)
	@echo "==> lint"
	@$(BIN)/ruff check --quiet --output-format=concise .

check-types: $(STAMP)
	@echo "==> types"
	@$(BIN)/mypy --no-error-summary

check-directions: $(STAMP)
	@echo "==> import directions"
	@$(BIN)/lint-imports --no-logo

check-sizes: $(STAMP)
	@echo "==> sizes"
	@$(BIN)/python tools/sizes.py

check-schema: $(STAMP)
	@echo "==> what agents have to read of the server"
	@$(BIN)/python tools/schema_tokens.py

check-docs: $(STAMP)
	@echo "==> documentation"
	@$(BIN)/python tools/docs.py --check

format: $(STAMP)
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --quiet --fix .

docs: $(STAMP)
	@$(BIN)/python tools/docs.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
