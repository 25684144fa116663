# Everything runs in .venv, which is made when it is first needed and renewed when
# pyproject.toml or constraints.txt change. `make` alone lists the targets.

# The Python to make .venv from: the first of these that is 3.11-3.14, or the one you name.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11

# `make train RUN=runs/second MINUTES=30 PLAYERS=3`, `make train GAME=dorfromantik`, `make train GAME=agricola PLAYERS=4`
GAME    ?=
RUN     ?= $(if $(GAME),runs/$(GAME),runs/first)
MINUTES ?= 5
PLAYERS ?= $(if $(GAME),,2)
GAMES   ?= 2000
SEATED   = $(if $(PLAYERS),--players $(PLAYERS))
PLAYED   = $(if $(GAME),--game $(GAME))

# `make campaign MINUTES=30 JOBS=2`; see python -m tests.faults --help
JOBS    ?= 1

# `make play PLAY='--port 8000 --no-browser'`; see play.py --help
PLAY ?=

# `make bench BENCH='--markdown speed.md'`; see python -m benchmarks.speed --help
BENCH ?=

# `make docs DOCS='-t draft'`; see docs/conf.py
DOCS ?=

# `make constraints`: the one version that is chosen by hand.
TORCH ?= 2.13.0
UV    ?= uv

VENV  := .venv
PY    := $(VENV)/bin/python
# One worker for each core, so each computes with one thread. Files in their order: in that of their numbers of tests, which
# is usual, those with few that take minutes come last, and one core waits for the other.
TESTS := OMP_NUM_THREADS=1 $(PY) -m pytest -n auto --dist loadfile --no-loadscope-reorder --durations 10
STAMP := $(VENV)/.installed
PEERS := $(VENV)/.installed-peers
# RLlib pins an older Gymnasium, and Tianshou holds other packages back: they have an environment of their own.
OTHERS := .venv-examples

PYTHON_FITS := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup play train check format test test-quick compile test-slow campaign bench docs dist examples constraints clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

setup: $(STAMP) ## Make .venv with everything for training and the tests
	@echo "Ready: source $(VENV)/bin/activate"

$(STAMP): pyproject.toml constraints.txt
	@if ! $(PY) -c '$(PYTHON_FITS)' 2>/dev/null; then \
	    python=; \
	    for name in $(PYTHON); do \
	        if "$$name" -c '$(PYTHON_FITS)' 2>/dev/null; then python=$$name; break; fi; \
	    done; \
	    if [ -z "$$python" ]; then \
	        echo 'No Python from 3.11 to 3.14 found (tried: $(PYTHON)).' >&2; \
	        echo 'Install one, or name it: make PYTHON=/path/to/python3.12' >&2; \
	        exit 1; \
	    fi; \
	    echo "Making $(VENV) with $$($$python --version)"; \
	    "$$python" -m venv --clear $(VENV) || true; \
	fi; \
	if ! $(PY) -m pip --version >/dev/null 2>&1 && ! $(PY) -m ensurepip >/dev/null 2>&1; then \
	    echo 'This Python cannot make a virtual environment with pip in it.' >&2; \
	    echo 'On Debian and Ubuntu its venv module is a package of its own:' >&2; \
	    echo '    sudo apt install python3-venv' >&2; \
	    echo '(python3.12-venv and so on for a Python that is not the system'"'"'s). Then run make again.' >&2; \
	    exit 1; \
	fi
	@echo 'Installing into $(VENV): about three minutes and 2 GB, with CUDA 6 GB, the first time'
	@$(PY) -m pip install --disable-pip-version-check --quiet -c constraints.txt -e '.[test]'
	@touch $@

play: $(STAMP) ## Sit down at the table, in the browser (PLAY=--no-browser for options, see play.py --help)
	$(PY) play.py $(PLAY)

train: $(STAMP) ## Train an agent, then compare it with scripted ones (GAME, RUN, MINUTES, PLAYERS, GAMES)
	@if [ -e '$(RUN)' ]; then \
	    echo '$(RUN) already holds a run. To start another: make train RUN=runs/second' >&2; \
	    echo 'To go on with it, see: $(PY) train.py --help' >&2; \
	    echo "To compare it again: $(PY) evaluate.py '$(RUN)' greedy planner --games $(GAMES) $(SEATED)" >&2; \
	    exit 1; \
	fi
	$(PY) train.py $(or $(PLAYED),--preset quick) $(SEATED) --minutes $(MINUTES) --out '$(RUN)'
	$(PY) evaluate.py '$(RUN)' greedy planner --games $(GAMES) $(SEATED)

check: $(STAMP) ## Formatting, lint and types
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

format: $(STAMP) ## Format the code and mend what lint can mend
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

# Both at once: types are looked at on one core.
test: $(STAMP) ## Formatting, lint and types, and the tests that take seconds
	@$(MAKE) --no-print-directory --jobs 2 check test-quick

# Tests that begin together would each compile the game.
test-quick: compile
	$(TESTS) -m 'not slow'

compile: $(STAMP) ## Compile what the tests run; it is kept until the sources change
	@$(PY) -m tests.compile

# One worker more than cores: these wait for browsers, for other machines and for programs that start.
test-slow: $(STAMP) ## The tests that take minutes
	PYTEST_XDIST_AUTO_NUM_WORKERS=$$(($$(getconf _NPROCESSORS_ONLN) + 1)) $(TESTS) -m slow

campaign: $(STAMP) ## Try to break it: kills, fuzzing, hostile HTTP, random steps (MINUTES, JOBS)
	$(PY) -m tests.faults --minutes $(MINUTES) --jobs $(JOBS)

# catanatron-gym asks for gymnasium==0.29.1 and runs with ours; without --no-deps pip would refuse all of it.
$(PEERS): $(STAMP)
	@$(PY) -m pip install --disable-pip-version-check --quiet -c constraints.txt -e '.[bench]'
	@$(PY) -m pip install --disable-pip-version-check --quiet --no-deps catanatron-gym==4.0.0
	@touch $@

bench: $(PEERS) ## Measure speed beside other environments (BENCH=--quick: this one alone)
	$(PY) -m benchmarks.speed $(BENCH)

docs: $(STAMP) ## Make the site of the pages, in build/site (DOCS='-t draft': quickly, without what is run for it)
	$(PY) -m sphinx -W --keep-going -q $(DOCS) -c docs -d build/site-trees . build/site
	@echo 'Open build/site/index.html'

# From the files of the last commit, so that nothing that lies about comes in; the wheel is built from the source archive.
dist: $(STAMP) ## Make the files of a release, in dist, from the last commit
	rm -rf dist build/release
	mkdir -p build/release
	git archive HEAD | tar -x -C build/release
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(PY) -m build --no-isolation --outdir dist build/release
	cd dist && sha256sum bohemian_villages-* > SHA256SUMS && cat SHA256SUMS

$(OTHERS)/.installed: $(STAMP) constraints-examples.txt
	@echo 'Installing into $(OTHERS): about three minutes and 2 GB the first time'
	@$(PY) -m venv $(OTHERS)
	@$(OTHERS)/bin/python -m pip install --disable-pip-version-check --quiet -c constraints-examples.txt -e '.[examples]'
	@touch $@

examples: $(OTHERS)/.installed ## Run all examples with other libraries, shortly
	OMP_NUM_THREADS=1 $(PY) -m pytest --durations 10 tests/test_examples
	OMP_NUM_THREADS=1 $(OTHERS)/bin/python -m pytest --durations 10 tests/test_examples

# --universal: one file serves Python 3.11-3.14. CUDA and Triton lines go: used as constraints
# they would do nothing for a CPU build of torch, and torch itself pins the ones its CUDA build needs.
# Twice: first our own versions, then the peers of `make bench` beside them, so that none of those can hold ours back. The libraries of `make examples` do hold it back, so they have a file of their own.
constraints: ## Choose the tested versions anew (needs uv: pip install uv)
	@command -v $(UV) >/dev/null || { echo 'uv not found: pip install uv, or make constraints UV=/path/to/uv' >&2; exit 1; }
	@set -e; pin=$$(mktemp); own=$$(mktemp); new=$$(mktemp); other=$$(mktemp); \
	trap 'rm -f "$$pin" "$$own" "$$new" "$$other"' EXIT; \
	echo 'torch==$(TORCH)' > "$$pin"; \
	compile='pip compile --quiet --upgrade --universal --python-version 3.11'; \
	compile="$$compile --no-emit-index-url --no-emit-find-links --no-annotate --no-header"; \
	env -u UV_FIND_LINKS $(UV) $$compile -c "$$pin" --extra test pyproject.toml > "$$own"; \
	env -u UV_FIND_LINKS $(UV) $$compile -c "$$own" --extra test --extra bench pyproject.toml > "$$new"; \
	env -u UV_FIND_LINKS $(UV) $$compile -c "$$pin" --extra examples pyproject.toml > "$$other"; \
	if grep -n :// "$$new" "$$other"; then echo 'An address stands in the result; all is as it was.' >&2; exit 1; fi; \
	told='# The versions tested together: made by `make constraints`, used as `pip install -c'; \
	{ echo "$$told"' constraints.txt -e ".[test]"`.'; grep -v -E '^(nvidia-|cuda-|triton)' "$$new"; } > constraints.txt; \
	{ echo "$$told"' constraints-examples.txt -e ".[examples]"`.'; \
	  grep -v -E '^(nvidia-|cuda-|triton)' "$$other"; } > constraints-examples.txt
	@echo "constraints.txt: $$(grep -c == constraints.txt) lines, constraints-examples.txt: $$(grep -c == constraints-examples.txt)"

clean: ## Remove caches and build results; .venv and runs/ stay
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.venv*' -not -path './runs/*' -prune -exec rm -rf {} +
