# make run (FILE=preds.csv opens it) · make test · make test-models · make fast · make check · make answers · make bench · make tasks · make coverage · make structure · make reliability · make screenshots · make dist · make try-dist · make clean
# Needs only Python 3.11 or newer; everything else goes into .venv (another place: make VENV=… …).

VENV ?= .venv
BIN := $(VENV)/bin
MODELS := $(VENV)-models
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c '$(NEW_ENOUGH)' 2>/dev/null && { echo "$$p"; break; }; done)

# Python compiles what it imports, and keeps it: compiling all that is installed would take many times as long.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := PYTHON=$(BIN)/python sh scripts/install_packages.sh

.PHONY: help run test test-models fast check answers bench bench-large bench-peers tasks coverage structure reliability screenshots dist try-dist clean
.DELETE_ON_ERROR:

help:
	@sed -n '1,2s/^# //p' Makefile

run: $(VENV)/.app
	@exec $(BIN)/python $(if $(FILE),cli.py open "$(FILE)" $(if $(LABELS),"$(LABELS)"),server.py)

test: $(VENV)/.dev $(VENV)/.spark
	@PYTHON=$(BIN)/python sh scripts/find_browser.sh
	@sh scripts/find_packages.sh
	@# Beside each other: a browser often waits, and leaves its core to the other tests meanwhile.
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/browser & browser=$$!; \
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore=tests/browser; others=$$?; wait $$browser && exit $$others

test-models: $(MODELS)/.models
	$(MODELS)/bin/python -m pytest -rs tests/client tests/harness

fast: $(VENV)/.dev
	@PYTHON=$(BIN)/python sh scripts/find_browser.sh
	@$(BIN)/python -m pytest -n 2 $$($(BIN)/python -m scripts.changed_tests)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m scripts.audit

bench: $(VENV)/.dev
	@PYTHON=$(BIN)/python sh scripts/find_browser.sh
	@$(BIN)/python -m tests.benchmarks.$(if $(BASE),paired "$(BASE)",run)

answers: $(VENV)/.dev
	@test -n "$(BASE)" || { echo "Name the commit to compare with: make answers BASE=COMMIT" >&2; exit 2; }
	@FILES="$(FILES)" $(BIN)/python -m tests.answers.paired "$(BASE)" $(ONLY)

bench-large: $(VENV)/.dev
	@$(BIN)/python -m tests.benchmarks.large_engines $(ROWS)

bench-peers: $(VENV)-peers/.peers
	@$(VENV)-peers/bin/python -m tests.benchmarks.peers $(ROWS)

tasks: $(VENV)/.dev
	@PYTHON=$(BIN)/python sh scripts/find_browser.sh
	@$(BIN)/python -m scripts.measure_tasks

coverage: $(VENV)/.dev
	@$(BIN)/python -m scripts.measure_coverage $(FILES)

structure: $(VENV)/.dev
	@$(BIN)/python -m scripts.measure_structure

reliability: $(VENV)/.dev
	RELIABILITY=long $(BIN)/python -m pytest tests/reliability -s -o timeout=1800
	@$(BIN)/python -m tests.reliability.load

screenshots: $(VENV)/.dev
	@PYTHON=$(BIN)/python sh scripts/find_browser.sh
	$(BIN)/python -m scripts.screenshots $(SHOTS)
	@case "$(SHOTS)" in ""|--documented) $(BIN)/python -m scripts.screenshots_of_sharing $(SHOTS);; esac

dist: $(VENV)/.dev
	rm -f dist/blindspot_eval-*
	cd client && $(abspath $(BIN))/python -m hatchling build -d ../dist

try-dist: dist
	@$(BIN)/python -m scripts.try_package

clean:
	@for venv in $(VENV) $(VENV)-peers $(MODELS); do [ ! -e $$venv/pyvenv.cfg ] || rm -rf $$venv; done
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@if [ -z "$(PYTHON)" ] || ! $(PYTHON) -c '$(NEW_ENOUGH)'; then \
		echo "Blindspot needs Python 3.11 or newer: install it, or name it with make PYTHON=/path/to/python3.11 …" >&2; \
		exit 1; fi
	@PYTHON=$(PYTHON) VENV=$(VENV) sh scripts/make_venv.sh

# One stamp for what the app needs and one for what the tests need on top: make run does not wait for the tests' tools.
$(VENV)/.app: requirements.txt constraints.txt | $(BIN)/python
	$(INSTALL) -r requirements.txt -c constraints.txt
	@touch $@

$(VENV)-peers/.peers: requirements-peers.txt
	@PYTHON=$(PYTHON) VENV=$(VENV)-peers sh scripts/make_venv.sh
	PYTHON=$(VENV)-peers/bin/python sh scripts/install_packages.sh -r requirements-peers.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements-login.txt requirements-object-store.txt requirements-engines.txt requirements-mcp.txt constraints.txt $(VENV)/.app
	$(INSTALL) -r requirements-dev.txt -c constraints.txt
	@touch $@

# Spark needs Java and PySpark's 450 MB: its tests are skipped where there is no Java.
# PySpark is built here, and packed on the way to where it is unpacked again: compressing that would take seconds.
$(VENV)/.spark: requirements-spark.txt constraints.txt $(VENV)/.dev
	@if java -version >/dev/null 2>&1; then \
		$(INSTALL) --config-settings=--build-option=--compression=stored -r requirements-spark.txt -c constraints.txt && touch $@; \
	else echo "The tests of Spark are skipped; to run them, install Java 17 (Debian: sudo apt install openjdk-17-jre-headless)." >&2; fi

# An environment of its own: torch alone is larger than all the rest.
$(MODELS)/.models: requirements-models-dev.txt requirements-models.txt requirements-dev.txt requirements.txt constraints.txt
	@PYTHON=$(PYTHON) VENV=$(MODELS) sh scripts/make_venv.sh
	$(MODELS)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-models-dev.txt -c constraints.txt
	@touch $@
